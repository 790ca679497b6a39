//! Coevolution by generations of individuals (2014 §III.C): everybody plays everybody, points are
//! fitness, parents are drawn by rank, and the elite survives unchanged at the head of the next
//! generation.
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

use super::{Coevolution, Course, Generation, Played, Points};
use crate::config::{Coevolve, Elite, Initial};
use crate::evolution::ga::{Ga, by_fitness};
use crate::fitness::coevolution::half_points;
use crate::progress::{News, Step};
use crate::run::RunError;
use crate::run::desk::Desk;
use crate::run::games::{Match, first_opening};
use crate::run::genotype::{Genotype, Phenotype, base};
use crate::statistics::{Pentanomial, mean_and_deviation};
use engine::params::ParamSet;
use std::collections::HashSet;

/// A challenger's score must be above one half by so many standard errors.
const PROVEN: f64 = 1.0;

/// First line of the table of generations.
const HEADING: &str = "run,generation,best_percent,elite_percent,worst_percent,\
     standard_deviation,games,decisive,distinct_phenotypes,challenge,challenge_percent,new_elite,\
     gauge_pairs,gauge_percent,nodes\n";

/// The state between generations.
pub struct Generational<'a> {
    phase: &'a Coevolution,
    keys: &'a Coevolve,
    genotype: Genotype,
    ga: Ga,
    /// From whom the elite's Elo is counted: the best of the champions to begin with, or of a
    /// random generation 0.
    first: ParamSet,
    /// The individuals of the last generation that has played, the best first; those of generation 0
    /// until then.
    last: Vec<Phenotype>,
}

/// What is known of a generation beside what is reported.
struct Round {
    /// Points of each individual in half points.
    points: Vec<u32>,
    /// Points that an individual could have.
    possible: u32,
    /// The elite.
    elite: usize,
    /// Different phenotypes.
    distinct: usize,
    /// The challenger's games with the elite, if there was one.
    challenge: Option<Pentanomial>,
}

impl<'a> Generational<'a> {
    /// Generation 0, from these founders.
    ///
    /// # Errors
    /// It is to be made of champions, and there are none.
    pub fn new(
        phase: &'a Coevolution,
        keys: &'a Coevolve,
        genotype: Genotype,
        founders: &[ParamSet],
    ) -> Result<Generational<'a>, RunError> {
        let genomes = match keys.initial {
            Initial::Random => Vec::new(),
            Initial::Champions => {
                let known = founders.iter();
                known.map(|params| genotype.genome(params)).collect()
            }
        };
        if keys.initial == Initial::Champions && genomes.is_empty() {
            return Err(RunError::NoStart);
        }
        let count = keys.population.map(|count| count.get());
        let settings = keys.settings(count.unwrap_or(founders.len().max(2)));
        let ga = Ga::founded(settings, &genotype.shape, genomes, phase.seed());
        let genomes = ga.population().iter();
        let last: Vec<Phenotype> = genomes.map(|genome| genotype.phenotype(genome)).collect();
        let first = last.first().map(|values| genotype.params(values));
        Ok(Generational {
            first: first.unwrap_or_else(base),
            last,
            phase,
            keys,
            genotype,
            ga,
        })
    }
}

impl Course for Generational<'_> {
    fn generation(
        &mut self,
        desk: &mut Desk<'_>,
        before: Option<&Generation>,
    ) -> Result<Option<Generation>, RunError> {
        let genomes = self.ga.population().iter();
        let phenotypes: Vec<Phenotype> = genomes
            .map(|genome| self.genotype.phenotype(genome))
            .collect();
        let values = phenotypes.iter();
        let players: Vec<ParamSet> = values.map(|values| self.genotype.params(values)).collect();
        let generation = self.ga.generation();
        let mut played = Vec::new();
        let Some(points) = self.round_robin(desk, &phenotypes, &players, &mut played)? else {
            return Ok(None);
        };
        let named = (&phenotypes[..], &players[..], &points[..]);
        let Some((elite, challenge)) = self.elite(desk, named, &mut played)? else {
            return Ok(None);
        };
        if generation == 0 && self.keys.initial == Initial::Random {
            self.first = players[elite].clone();
        }
        let new_elite = match before {
            Some(before) => before.elite != phenotypes[elite],
            None => elite != 0,
        };
        let first = self.first.clone();
        let gauge = match before {
            Some(before) if !new_elite => Some(before.gauge),
            _ if players[elite] == first => Some(Pentanomial::default()),
            _ => {
                let gauged = [(&players[elite], "elite"), (&first, "first champion")];
                (self.phase).gauge(desk, generation, gauged, &mut played)?
            }
        };
        let Some(gauge) = gauge else {
            return Ok(None);
        };
        self.phase
            .write_games(desk, "generation", generation, &played)?;
        let all = Points::of_all(&played);
        let opponents = players.len().saturating_sub(1) as u32;
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
        let round = Round {
            possible: 2 * per_pair * opponents,
            elite,
            distinct: phenotypes.iter().collect::<HashSet<_>>().len(),
            challenge,
            points,
        };
        desk.generation_done(HEADING, &self.news(&done, &round))?;
        let fitness = fitness(&round.points);
        self.last = best_first(&phenotypes, &fitness);
        if generation + 1 < self.keys.generations() {
            self.ga.advance_keeping(&fitness, &[elite]);
        }
        Ok(Some(done))
    }

    fn first(&self) -> &ParamSet {
        &self.first
    }

    /// The elite, then everybody else who is not the same, by points. Another coevolution goes on
    /// from all of them; with the elite alone it would have nothing to cross.
    fn champions(&self, last: &Generation) -> Vec<ParamSet> {
        let mut chosen = vec![&last.elite];
        for phenotype in &self.last {
            if !chosen.contains(&phenotype) {
                chosen.push(phenotype);
            }
        }
        let values = chosen.into_iter();
        values.map(|values| self.genotype.params(values)).collect()
    }

    fn population(&self) -> Vec<ParamSet> {
        let last = self.last.iter();
        last.map(|values| self.genotype.params(values)).collect()
    }

    fn clones(&self) -> Option<usize> {
        let population = self.population();
        let (first, others) = population.split_first()?;
        let alike = !others.is_empty() && others.iter().all(|other| other == first);
        alike.then_some(population.len())
    }

    fn games(&self) -> (u64, String) {
        let count = self.ga.population().len() as u64;
        let mut games =
            self.phase.games.games(self.phase.keys.games.each()) * count * (count - 1) / 2;
        if self.keys.elite == Elite::ReEvaluated {
            games += 2 * self.keys.confirmation_pairs();
        }
        (games, format!("{count} individuals"))
    }
}

impl Generational<'_> {
    /// Every two individuals play each other; the points of each in halves.
    fn round_robin<'p>(
        &self,
        desk: &mut Desk<'_>,
        phenotypes: &[Phenotype],
        players: &'p [ParamSet],
        played: &mut Played<'p>,
    ) -> Result<Option<Vec<u32>>, RunError> {
        let (generation, count) = (self.ga.generation(), players.len());
        let plan = &self.phase.games;
        let each = self.phase.keys.games.each();
        let openings = plan.openings(each, 0).len() as u64;
        let mut next = u64::from(generation) * openings * (count * (count - 1) / 2) as u64;
        let mut points = vec![0; count];
        let (mut tasks, mut who) = (Vec::new(), Vec::new());
        for first in 0..count {
            for second in first + 1..count {
                let openings = plan.openings(each, next);
                next += openings.len() as u64;
                if phenotypes[first] == phenotypes[second] && plan.clones_draw() {
                    for player in [first, second] {
                        points[player] += plan.games(each) as u32;
                    }
                    continue;
                }
                let name = |player: usize| format!("generation {generation} no. {}", player + 1);
                for (number, (opening, colours)) in (1..).zip(openings) {
                    tasks.push(Match {
                        key: format!(
                            "generation {generation}: {} against {} opening {number}",
                            first + 1,
                            second + 1
                        ),
                        players: [&players[first], &players[second]],
                        names: [name(first), name(second)],
                        opening,
                        colours,
                        is_repeatable: plan.is_repeatable(),
                    });
                    who.push([first, second]);
                }
            }
        }
        let Some(answers) = desk.ask(&tasks, || plan.hire())? else {
            return Ok(None);
        };
        for ((who, task), games) in who.iter().zip(&tasks).zip(&answers) {
            for (player, halves) in who.iter().zip(half_points(games, task.colours)) {
                points[*player] += halves;
            }
        }
        played.extend(tasks.into_iter().zip(answers));
        Ok(Some(points))
    }

    /// Who is the elite after a round, and the results of the challenger, if there was one. The
    /// elite until now is the first individual. `None` if the desk ends.
    fn elite<'p>(
        &self,
        desk: &mut Desk<'_>,
        (phenotypes, players, points): (&[Phenotype], &'p [ParamSet], &[u32]),
        played: &mut Played<'p>,
    ) -> Result<Option<(usize, Option<Pentanomial>)>, RunError> {
        let best = by_fitness(&fitness(points)).first().copied().unwrap_or(0);
        let settings = self.keys;
        if settings.elite == Elite::Best {
            return Ok(Some((best, None)));
        }
        if points[best] <= points[0] || phenotypes[best] == phenotypes[0] {
            return Ok(Some((0, None)));
        }
        let generation = self.ga.generation();
        let pairs = settings.confirmation_pairs();
        let players = [
            (
                &players[best],
                format!("generation {generation} no. {}", best + 1),
            ),
            (&players[0], "elite".to_string()),
        ];
        let first = first_opening::CONFIRMATION + u64::from(generation) * pairs;
        let results = self.phase.pairs(
            desk,
            (generation, "challenge"),
            players,
            (pairs, first),
            played,
        )?;
        Ok(results.map(|results| {
            let proven = results.score() - 0.5 > PROVEN * results.error();
            (if proven { best } else { 0 }, Some(results))
        }))
    }

    /// What is said of a generation.
    fn news(&self, done: &Generation, round: &Round) -> News<'static> {
        let percent = |points: u32| 100.0 * f64::from(points) / f64::from(round.possible.max(1));
        let best = round.points.iter().copied().max().unwrap_or(0);
        let worst = round.points.iter().copied().min().unwrap_or(0);
        let of_elite = round.points.get(round.elite).copied().unwrap_or(0);
        let (_, deviation) = mean_and_deviation(&round.points);
        let deviation = 100.0 * deviation / f64::from(round.possible.max(1));
        let score = |results: &Pentanomial| format!("{:.2}", 100.0 * results.score());
        let row = format!(
            "1,{},{:.2},{:.2},{:.2},{deviation:.2},{},{},{},{},{},{},{},{},{}\n",
            done.generation,
            percent(best),
            percent(of_elite),
            percent(worst),
            done.games[0],
            done.games[1],
            round.distinct,
            round.challenge.map_or(0, |results| results.pairs()),
            round.challenge.as_ref().map_or(String::new(), score),
            u8::from(done.new_elite),
            done.gauge.pairs(),
            if done.gauge.pairs() > 0 {
                score(&done.gauge)
            } else {
                String::new()
            },
            done.nodes,
        );
        let elo = done.gauge.elo().map_or(String::new(), |gauge| {
            format!(", elite {}", gauge.short_text())
        });
        News {
            step: Step::Generation,
            run: (1, 1),
            generation: (done.generation, self.keys.generations()),
            row,
            json: serde_json::json!({
                "best": percent(best),
                "elite": percent(of_elite),
                "distinct": round.distinct,
                "games": done.games[0],
                "decisive": done.games[1],
                "new_elite": done.new_elite,
                "gauge": done.gauge.counts,
            }),
            facts: vec![
                format!("best {:.0} %{elo}", percent(best)),
                format!("{} games", done.games[0]),
            ],
            work: (done.nodes, "nodes"),
        }
    }
}

fn fitness(points: &[u32]) -> Vec<u64> {
    points.iter().map(|&half| half.into()).collect()
}

/// Individuals by their fitness.
fn best_first(phenotypes: &[Phenotype], fitness: &[u64]) -> Vec<Phenotype> {
    let order = by_fitness(fitness).into_iter();
    order.map(|index| phenotypes[index].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_remembered_by_its_points() {
        let [a, b, c] = [1, 2, 3].map(|value| vec![value]);
        let individuals = [a.clone(), b.clone(), c.clone()];
        assert_eq!(best_first(&individuals, &[1, 3, 2]), [b, c, a]);
    }
}
