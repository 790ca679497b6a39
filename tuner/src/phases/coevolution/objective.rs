//! The games of a generation, as an objective of the driver.
//!
//! Identical individuals draw every pair of games with each other by definition (both games are
//! the same one, see [`crate::fitness::coevolution`]), so with paired openings and fixed nodes these
//! games are counted and not played.
//!
//! # The elite
//!
//! With `elite = "best"` the best score of the generation is the elite, as in the paper. It is the
//! best of a noisy sample: with 36 games an individual's score has a standard error of about 7 %,
//! or 50 Elo, and the best of ten equals looks 75 Elo better than it is. With `"re-evaluated"` the
//! best scorer, if it is not the elite itself and has more points, is a challenger: it plays the
//! elite `confirmation_pairs` pairs of games from openings that nobody has played yet (but for a
//! book whose lines are used up), and takes its
//! place only if its score in these games is above one half by more than their standard error.
//! The games that made it a challenger don't count, so what selected it can't help it; an equal one
//! gets through once in six times, and what it gains or loses then is next to nothing.

use super::{Coevolution, Generation, Played, news};
use crate::base::names::{BEST_NAME, CHAMPIONS_NAME};
use crate::base::progress::News;
use crate::base::statistics::Pentanomial;
use crate::config::coevolution::{Coevolve, Elite as EliteKey, Initial};
use crate::drive::{Elite, Generation as Valued, Objective, Place};
use crate::encoding::{Encoding, Phenotype};
use crate::error::RunError;
use crate::evolution::algorithm::{Batch, by_fitness, fittest};
use crate::evolution::rng::Random;
use crate::exec::executor::Executor;
use crate::fitness::coevolution::{Colours, half_points, pentanomial};
use crate::fitness::games::{Match, Points};
use crate::phases::games::first_opening;
use engine::params::ParamSet;
use std::collections::HashSet;
use std::sync::Arc;

/// A challenger's score must be above one half by so many standard errors.
const PROVEN: f64 = 1.0;

/// What is known of the generation under way.
#[derive(Default)]
pub struct Round {
    players: Vec<Arc<ParamSet>>,
    /// Points of each individual in half points.
    points: Vec<u32>,
    /// The challenger's games with the elite, if there was one.
    challenge: Option<Pentanomial>,
    played: Played,
}

/// Two individuals who play each other.
struct Meeting {
    players: [usize; 2],
    /// In which of several rounds.
    round: Option<u32>,
}

/// Who plays whom in a generation: everybody everybody, or in each of so many rounds one opponent, all drawn at
/// random, the first of the two first (2013 §5.4).
fn meetings(rounds: Option<u32>, players: usize, (seed, generation): (u64, u32)) -> Vec<Meeting> {
    let Some(rounds) = rounds else {
        let others = |first| (first + 1..players).map(move |second| [first, second]);
        let pairs = (0..players).flat_map(others);
        let meeting = |players| Meeting {
            players,
            round: None,
        };
        return pairs.map(meeting).collect();
    };
    let mut rng = Random::of_generation(seed, generation);
    let mut meetings = Vec::new();
    for round in 1..=rounds {
        let mut order: Vec<usize> = (0..players).collect();
        for at in 0..players {
            let drawn = at + rng.below((players - at) as u128) as usize;
            order.swap(at, drawn);
        }
        meetings.extend(order.chunks_exact(2).map(|two| Meeting {
            players: [two[0], two[1]],
            round: Some(round),
        }));
    }
    meetings
}

/// Everybody plays everybody (2014 §III.C), or some whom chance chooses.
pub struct Tournament<'a> {
    /// The phase.
    pub phase: &'a Coevolution,
    /// Its keys.
    pub keys: &'a Coevolve,
    /// What evolves.
    pub encoding: &'a Encoding,
    /// The generation under way.
    pub round: Round,
    /// What has come of it until now.
    pub course: Course,
}

/// What a coevolution has come to.
pub struct Course {
    /// From whom the elite's Elo is counted: the best of the champions to begin with, or of a
    /// random generation 0.
    pub first: ParamSet,
    /// The generations until now.
    pub generations: Vec<Generation>,
    /// Whom the next phase begins with: the elite first.
    pub champions: Vec<ParamSet>,
    /// The individuals of the last generation, or some of them.
    pub population: Vec<ParamSet>,
}

impl Course {
    /// Writes the best until now, and the champions of a coevolution that has ended.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(
        &self,
        phase: &Coevolution,
        executor: &mut Executor<'_>,
        finished: bool,
    ) -> Result<(), RunError> {
        let generations = self.generations.len();
        if let Some(elite) = self.champions.first() {
            executor.write(BEST_NAME, phase.params_toml(elite, generations))?;
        }
        for (number, champion) in (1..).zip(&self.champions).filter(|_| finished) {
            let name = match number {
                1 => "elite".to_string(),
                _ => format!("individual-{number:02}"),
            };
            let text = phase.params_toml(champion, generations);
            executor.write(&format!("{CHAMPIONS_NAME}/{name}.toml"), text)?;
        }
        Ok(())
    }
}

impl Tournament<'_> {
    /// Individuals play each other; the points of each in halves.
    fn play(
        &mut self,
        executor: &mut Executor<'_>,
        generation: u32,
        phenotypes: &[Phenotype],
    ) -> Result<Option<Vec<u32>>, RunError> {
        let players = &self.round.players;
        let count = players.len();
        let plan = &self.phase.games;
        let each = self.phase.keys.games.each();
        let openings = plan.openings(each, 0).len() as u64;
        let mut next = u64::from(generation) * openings * self.keys.meetings(count as u64);
        let mut points = vec![0; count];
        let (mut tasks, mut who) = (Vec::new(), Vec::new());
        for meeting in meetings(self.keys.rounds(), count, (self.phase.seed(), generation)) {
            let [first, second] = meeting.players;
            let openings = plan.openings(each, next);
            next += openings.len() as u64;
            if phenotypes[first] == phenotypes[second] && plan.clones_draw() {
                for player in [first, second] {
                    points[player] += plan.games(each) as u32;
                }
                continue;
            }
            let name = |player: usize| format!("generation {generation} no. {}", player + 1);
            let round = meeting
                .round
                .map_or(String::new(), |round| format!(" round {round}"));
            for (number, (opening, colours)) in (1..).zip(openings) {
                tasks.push(Match {
                    key: format!(
                        "generation {generation}{round}: {} against {} opening {number}",
                        first + 1,
                        second + 1
                    ),
                    players: [first, second].map(|player| Arc::clone(&players[player])),
                    names: [name(first), name(second)],
                    opening,
                    colours,
                    is_repeatable: plan.is_repeatable(),
                });
                who.push([first, second]);
            }
        }
        let Some(answers) = executor.ask(&tasks, || plan.player())? else {
            return Ok(None);
        };
        for ((who, task), games) in who.iter().zip(&tasks).zip(&answers) {
            for (player, halves) in who.iter().zip(half_points(games, task.colours)) {
                points[*player] += halves;
            }
        }
        self.round.played = tasks.into_iter().zip(answers).collect();
        Ok(Some(points))
    }
}

impl Objective for Tournament<'_> {
    type Candidate = Phenotype;
    type Error = RunError;

    fn heading(&self) -> &'static str {
        news::TOURNAMENT_HEADING
    }

    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Phenotype>,
    ) -> Result<Option<Vec<u64>>, RunError> {
        let values = batch.individuals.iter();
        let players = values.map(|values| Arc::new(self.encoding.params(values)));
        self.round = Round {
            players: players.collect(),
            ..Round::default()
        };
        let generation = place.generation.0;
        let Some(points) = self.play(executor, generation, &batch.individuals)? else {
            return Ok(None);
        };
        let fitness = points.iter().map(|&half| half.into()).collect();
        self.round.points = points;
        Ok(Some(fitness))
    }

    /// The elite until now is the first individual.
    fn elite(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Phenotype>,
        fitness: &[u64],
    ) -> Result<Option<Elite>, RunError> {
        let best = fittest(fitness, batch.candidates);
        if self.keys.elite == EliteKey::Best {
            return Ok(Some(Elite::Chosen(best)));
        }
        if fitness[best] <= fitness[0] || batch.individuals[best] == batch.individuals[0] {
            return Ok(Some(Elite::Chosen(0)));
        }
        let generation = place.generation.0;
        let pairs = self.keys.confirmation_pairs();
        let players = [
            (best, format!("generation {generation} no. {}", best + 1)),
            (0, "elite".to_string()),
        ];
        let players = players.map(|(player, name)| (Arc::clone(&self.round.players[player]), name));
        let first = first_opening::CONFIRMATION + u64::from(generation) * pairs;
        let challenge = (generation, "challenge");
        let played = &mut self.round.played;
        let results = (self.phase).pairs(executor, challenge, players, (pairs, first), played)?;
        self.round.challenge = results;
        Ok(results.map(|results| {
            let proven = results.score() - 0.5 > PROVEN * results.error();
            Elite::Chosen(if proven { best } else { 0 })
        }))
    }

    fn observe(
        &mut self,
        executor: &mut Executor<'_>,
        valued: &Valued<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let (phenotypes, elite) = (&valued.batch.individuals, valued.elite);
        let generation = valued.number();
        let round = &mut self.round;
        let player = Arc::clone(&round.players[elite]);
        if generation == 0 && self.keys.initial == Initial::Random {
            self.course.first = ParamSet::clone(&player);
        }
        let before = self.course.generations.last();
        let new_elite = match before {
            Some(before) => before.elite != phenotypes[elite],
            None => elite != 0,
        };
        let gauge = match before {
            Some(before) if !new_elite => Some(before.gauge),
            _ if *player == self.course.first => Some(Pentanomial::default()),
            _ => {
                let gauged = [(&*player, "elite"), (&self.course.first, "first champion")];
                (self.phase).gauge(executor, generation, gauged, &mut round.played)?
            }
        };
        let Some(gauge) = gauge else {
            return Ok(None);
        };
        self.phase
            .write_games(executor, "generation", generation, &round.played)?;
        let all = Points::of_all(&round.played);
        let everybody = phenotypes.len().saturating_sub(1) as u32;
        let opponents = self.keys.rounds().unwrap_or(everybody);
        let per_pair = self.phase.games.games(self.phase.keys.games.each()) as u32;
        let done = Generation {
            generation,
            games: [all.games, all.decisive],
            new_elite,
            has_games: true,
            gauge,
            elite: phenotypes[elite].clone(),
            nodes: all.nodes,
        };
        let score = news::Score {
            points: &round.points,
            possible: 2 * per_pair * opponents,
            elite,
            distinct: phenotypes.iter().collect::<HashSet<_>>().len(),
            challenge: round.challenge,
        };
        let said = news::of_tournament(&done, &score, valued.place.generation.1);
        // The elite, then everybody else who is not the same, by points. Another coevolution goes on
        // from all of them; with the elite alone it would have nothing to cross.
        let last = best_first(phenotypes, valued.fitness);
        let mut chosen = vec![&done.elite];
        for phenotype in &last {
            if !chosen.contains(&phenotype) {
                chosen.push(phenotype);
            }
        }
        let params = |values: &Phenotype| self.encoding.params(values);
        self.course.champions = chosen.into_iter().map(params).collect();
        self.course.population = last.iter().map(params).collect();
        self.course.generations.push(done);
        Ok(Some(said))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        _: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        self.course.write(self.phase, executor, finished)
    }

    fn at(&self, place: Place) -> String {
        format!("generation {}", place.generation.0)
    }
}

/// Individuals by their fitness.
fn best_first(phenotypes: &[Phenotype], fitness: &[u64]) -> Vec<Phenotype> {
    let order = by_fitness(fitness).into_iter();
    order.map(|index| phenotypes[index].clone()).collect()
}

impl Coevolution {
    /// So many pairs of games of two players, the first opening having this number.
    fn pairs(
        &self,
        executor: &mut Executor<'_>,
        (generation, name): (u32, &str),
        players: [(Arc<ParamSet>, String); 2],
        (pairs, opening): (u64, u64),
        played: &mut Played,
    ) -> Result<Option<Pentanomial>, RunError> {
        let one = |pair: u64| Match {
            key: format!("generation {generation}: {name} opening {}", pair + 1),
            players: players.each_ref().map(|(player, _)| Arc::clone(player)),
            names: players.each_ref().map(|(_, name)| name.clone()),
            opening: opening + pair,
            colours: Colours::Both,
            is_repeatable: self.games.is_repeatable(),
        };
        let tasks: Vec<Match> = (0..pairs).map(one).collect();
        let Some(answers) = executor.ask(&tasks, || self.games.player())? else {
            return Ok(None);
        };
        let results = pentanomial(&answers);
        played.extend(tasks.into_iter().zip(answers));
        Ok(Some(results))
    }

    /// The elite against whom its Elo is counted from. The openings are the same every time: what
    /// differs is the elite's doing alone.
    pub(super) fn gauge(
        &self,
        executor: &mut Executor<'_>,
        generation: u32,
        [elite, first]: [(&ParamSet, &str); 2],
        played: &mut Played,
    ) -> Result<Option<Pentanomial>, RunError> {
        let pairs = self.keys.breeding.gauge_pairs();
        let players = [
            (elite.0, format!("{} of generation {generation}", elite.1)),
            (first.0, first.1.to_string()),
        ];
        let players = players.map(|(player, name)| (Arc::new(player.clone()), name));
        let gauge = (generation, "gauge");
        self.pairs(
            executor,
            gauge,
            players,
            (pairs, first_opening::GAUGE),
            played,
        )
    }

    pub(super) fn write_games(
        &self,
        executor: &mut Executor<'_>,
        kind: &str,
        generation: u32,
        played: &Played,
    ) -> Result<(), RunError> {
        let name = format!("{}/{kind}-{generation:03}.pgn", super::GAMES_NAME);
        let event = format!("Coevolution, generation {generation}");
        let written = executor.write_once(&name, || self.games.pgn(&event, 0, played));
        Ok(written?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In each round everybody has one opponent; the rounds differ, and so do generations, but not the same one twice.
    #[test]
    fn in_a_round_everybody_plays_one_opponent() {
        let drawn = |of| -> Vec<[usize; 2]> {
            let meetings = meetings(Some(10), 20, of);
            meetings.iter().map(|meeting| meeting.players).collect()
        };
        let pairs = drawn((5, 0));
        assert_eq!(pairs.len(), 10 * 10);
        for round in pairs.chunks(10) {
            let players: HashSet<usize> = round.iter().flatten().copied().collect();
            assert_eq!(players.len(), 20);
        }
        assert_ne!(pairs[..10], pairs[10..20]);
        assert_eq!(pairs, drawn((5, 0)));
        assert_ne!(pairs, drawn((5, 1)));
        // Who is first, and so has White in the first opening, is drawn as well: within five standard deviations.
        let rising = pairs.iter().filter(|pair| pair[0] < pair[1]).count();
        assert!((25..=75).contains(&rising), "{rising}");
    }

    #[test]
    fn everybody_plays_everybody_once() {
        let meetings = meetings(None, 4, (1, 0));
        let pairs: Vec<[usize; 2]> = meetings.iter().map(|meeting| meeting.players).collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn a_generation_is_remembered_by_its_points() {
        let [a, b, c] = [1, 2, 3].map(|value| vec![value]);
        let individuals = [a.clone(), b.clone(), c.clone()];
        assert_eq!(best_first(&individuals, &[1, 3, 2]), [b, c, a]);
    }
}
