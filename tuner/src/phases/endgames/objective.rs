//! The games of a generation, as an objective of the driver, and how strong its best is.

use super::champion::{Champion, Gauges, score};
use super::lineage::{Ancestors, lineage};
use super::notes::{RunSoFar, heading, news, note};
use super::{Candidate, Endgames, champion_name};
use crate::base::progress::News;
use crate::drive::{Generation, Objective, Place};
use crate::encoding::programs::Player;
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::evolution::rng::{Random, run_seeds};
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::fitness::endgames::{Board, Encounter, Opponent, Tally, pairs, starts};
use crate::fitness::lessons::Part;
use std::collections::HashSet;

/// The starts by which the best of generations are measured begin with this number, so that no generation's are among
/// them; those of the last match begin with twice as much.
const MEASURED: u64 = 1 << 40;

/// And those of games against the rival that count for fitness begin with this number.
const RIVALS: u64 = 1 << 39;

/// Lessons are drawn by the generation's seed and this.
const LESSONS: u64 = 1 << 38;

/// See the module.
pub struct Games<'a, S> {
    phase: &'a Endgames,
    spawn: &'a S,
    /// The games of this generation.
    games: Tally,
    /// The generations of this run, for lineages.
    ancestors: Vec<Ancestors>,
    /// The best of this run until now.
    pub leader: Option<Champion>,
    /// The champions of the runs that have ended.
    pub champions: Vec<Champion>,
    /// All generations of all runs.
    pub runs: Vec<RunSoFar>,
}

impl<'a, S> Games<'a, S>
where
    S: Fn() -> Result<Board<'a>, WorkError> + Sync,
{
    /// Before the first run.
    pub fn new(phase: &'a Endgames, spawn: &'a S) -> Games<'a, S> {
        Games {
            phase,
            spawn,
            games: Tally::default(),
            ancestors: Vec::new(),
            leader: None,
            champions: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The games of somebody against random moves, rival and engine, if there are any, from starts with these numbers.
    fn measure_one(
        &self,
        executor: &mut Executor<'_>,
        (key, seed): (&str, u64),
        player: &Player,
        (first, count): (u64, usize),
    ) -> Result<Option<Gauges>, RunError> {
        /// Starts of a task: the games of a match are for all threads.
        const TOGETHER: usize = 5;
        let mut tasks = Vec::new();
        let all = [
            ("random", Opponent::Random),
            ("rival", Opponent::Rival),
            ("engine", Opponent::Engine),
        ];
        let mut scores: Gauges = self.phase.gauges().map(|plays| plays.then(Tally::default));
        let mut places = Vec::new();
        for (place, (name, opponent)) in all.iter().enumerate() {
            if scores[place].is_none() {
                continue;
            }
            let all = starts(seed, first, count, self.phase.endings.len());
            for (number, some) in (1..).zip(all.chunks(TOGETHER)) {
                places.push(place);
                tasks.push(Encounter {
                    key: format!("{key} {name} {number}"),
                    player: player.clone(),
                    opponent: opponent.clone(),
                    starts: some.to_vec(),
                    seed: seed ^ number,
                });
            }
        }
        let Some(answers) = executor.ask(&tasks, self.spawn)? else {
            return Ok(None);
        };
        for (place, tally) in places.into_iter().zip(&answers) {
            if let Some(score) = &mut scores[place] {
                score.add(tally);
            }
        }
        Ok(Some(scores))
    }
}

impl<'a, S> Objective for Games<'a, S>
where
    S: Fn() -> Result<Board<'a>, WorkError> + Sync,
{
    type Candidate = Candidate;
    type Error = RunError;

    fn heading(&self) -> &'static str {
        heading(self.phase.gauges()[2], self.phase.tested().is_some())
    }

    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Candidate>,
    ) -> Result<Option<Vec<u64>>, RunError> {
        let (keys, (run, _), (generation, _)) = (&self.phase.keys, place.run, place.generation);
        let individuals = &batch.individuals;
        let seed = generation_seed(place.seed, generation);
        let pairs = pairs(&circle(seed, individuals.len()), keys.games.peers.get());
        let count = keys.games.starts.get();
        let first = u64::from(generation) * count as u64;
        let endings = self.phase.endings.len();
        let own = starts(place.seed, first, count, endings);
        let task = |(number, &[one, other]): (u64, &[usize; 2])| Encounter {
            key: format!("run {run} generation {generation} pair {number}"),
            player: individuals[one].player.clone(),
            opponent: Opponent::Peer(individuals[other].player.clone()),
            starts: own.clone(),
            seed: seed ^ number,
        };
        let mut tasks: Vec<Encounter> = (1..).zip(&pairs).map(task).collect();
        let rivals = keys.games.rival_starts.get();
        if rivals > 0 {
            let first = RIVALS + u64::from(generation) * rivals as u64;
            let own = starts(place.seed, first, rivals, endings);
            let task = |(number, individual): (u64, &Candidate)| Encounter {
                key: format!("run {run} generation {generation} rival {number}"),
                player: individual.player.clone(),
                opponent: Opponent::Rival,
                starts: own.clone(),
                seed: seed ^ RIVALS ^ number,
            };
            tasks.extend((1..).zip(individuals).map(task));
        }
        let Some(answers) = executor.ask(&tasks, self.spawn)? else {
            return Ok(None);
        };
        let mut points = vec![0; individuals.len()];
        self.games = Tally::default();
        for (pair, tally) in pairs.iter().zip(&answers) {
            for (side, &who) in pair.iter().enumerate() {
                points[who] += tally.points(side, &self.phase.rules);
            }
            self.games.add(tally);
        }
        // What is left of the answers is against the rival, in the order of the programs, if anything.
        for (points, tally) in points.iter_mut().zip(&answers[pairs.len()..]) {
            *points += tally.points(0, &self.phase.rules);
            self.games.add(tally);
        }
        if let Some(lessons) = &self.phase.lessons {
            let key = format!("run {run} generation {generation}");
            let drawn = lessons.drawn(seed ^ LESSONS);
            let players: Vec<Player> = individuals.iter().map(|one| one.player.clone()).collect();
            let known = lessons.ask(executor, &key, (Part::Train, &drawn), &players)?;
            let Some(known) = known else {
                return Ok(None);
            };
            for (points, known) in points.iter_mut().zip(&known) {
                *points += lessons.points(known);
            }
        }
        Ok(Some(points))
    }

    fn observe(
        &mut self,
        executor: &mut Executor<'_>,
        generation: &Generation<'_, Candidate>,
    ) -> Result<Option<News<'static>>, RunError> {
        let (place, best) = (generation.place, generation.elite);
        let ((run, _), (number, all)) = (place.run, place.generation);
        if number == 0 {
            self.ancestors = Vec::new();
            self.leader = None;
        }
        let individuals = &generation.batch.individuals;
        let trees = |one: &Candidate| one.player.0.trees().map(|tree| tree.nodes().len());
        self.ancestors.push(Ancestors {
            origins: individuals.iter().map(|one| one.origin).collect(),
            points: generation.fitness.to_vec(),
            nodes: individuals.iter().map(trees).collect(),
        });
        let (mut gauge, mut known) = (None, None);
        let keys = &self.phase.keys.gauge;
        if let Some(elite) = individuals.get(best)
            && ((number as usize).is_multiple_of(keys.every.get()) || number + 1 == all)
        {
            let key = format!("run {run} generation {number} best");
            let starts = (MEASURED, keys.starts.get());
            let measured = self.measure_one(executor, (&key, place.seed), &elite.player, starts)?;
            let Some(scores) = measured else {
                return Ok(None);
            };
            gauge = Some(scores);
            if let Some(lessons) = self.phase.tested() {
                known = lessons.test(executor, &key, &elite.player)?;
                if known.is_none() {
                    return Ok(None);
                }
            }
            let leads = |leader: &Champion| score(&scores, known) >= leader.score();
            if self.leader.as_ref().is_none_or(leads) {
                self.leader = Some(Champion {
                    run,
                    seed: place.seed,
                    generation: number,
                    player: elite.player.clone(),
                    scores,
                    known,
                    lineage: lineage(&self.ancestors, best),
                });
            }
        }
        let lessons = self.phase.lessons.as_ref();
        let lessons = lessons.map_or(0, |lessons| (lessons.sample() * individuals.len()) as u64);
        let note = note(generation, (self.games, lessons), (gauge, known));
        let distinct: HashSet<String> = individuals.iter().map(|one| one.player.names()).collect();
        let columns = (self.phase.gauges()[2], self.phase.tested().is_some());
        let news = news(place, &note, distinct.len(), columns);
        if self.runs.len() < run {
            self.runs.push((place.seed, Vec::new()));
        }
        if let Some((_, notes)) = self.runs.last_mut() {
            notes.push(note);
        }
        Ok(Some(news))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        let (true, Some(mut champion)) = (finished, self.leader.clone()) else {
            return Ok(());
        };
        let run = place.run.0;
        let key = format!("run {run} champion");
        let starts = (2 * MEASURED, self.phase.keys.gauge.last_starts.get());
        let last = self.measure_one(executor, (&key, place.seed), &champion.player, starts)?;
        // Without it the executor has ended, and so has the course.
        let Some(last) = last else {
            return Ok(());
        };
        champion.scores = last;
        let name = champion_name(run);
        executor.write(&format!("{name}.sexp"), self.phase.text(&champion))?;
        let table = super::lineage::csv(&champion.lineage);
        executor.write(&format!("{name}-lineage.csv"), table)?;
        self.champions.push(champion);
        Ok(())
    }
}

/// The seed of all that is drawn for a generation's games.
fn generation_seed(seed: u64, generation: u32) -> u64 {
    let state = seed ^ ((u64::from(generation) + 1) << 32);
    run_seeds(state, 1).first().copied().unwrap_or(0)
}

/// Everybody's place in a circle, at random.
fn circle(seed: u64, count: usize) -> Vec<usize> {
    let mut rng = Random::new(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, rng.below(at as u128 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_has_everybody_once_and_is_another_each_generation() {
        let of = |generation| circle(generation_seed(7, generation), 80);
        let mut sorted = of(0);
        assert_ne!(of(0), of(1));
        assert_eq!(of(5), of(5));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..80).collect::<Vec<_>>());
    }
}
