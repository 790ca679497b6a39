//! The games of a generation, as an objective of the driver, and how strong its best is.

use super::champion::{Champion, Gauges, deciding};
use super::lineage::{Ancestors, lineage};
use super::{Candidate, Endgames, champion_name};
use crate::base::progress::{News, Step as Progress};
use crate::drive::{Generation, Objective, Place};
use crate::encoding::programs::Player;
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::evolution::rng::{Random, run_seeds};
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::fitness::endgames::{Board, Encounter, Opponent, Tally, pairs, starts};
use engine::program::Tree;
use std::collections::HashSet;

/// First line of the table of generations. Points are of all games of a program, nodes and depths of its three trees
/// together (the depth is that of the deepest); scores are parts of 1, and empty where the best was not measured.
const HEADING: &str = "run,generation,best_points,mean_points,best_nodes,mean_nodes,best_depth,mean_depth,distinct,\
                       mates,advantages,draws,plies,score_random,score_rival\n";

/// The same where Eyas plays, too.
const HEADING_WITH_ENGINE: &str = "run,generation,best_points,mean_points,best_nodes,mean_nodes,best_depth,mean_depth,\
                                   distinct,mates,advantages,draws,plies,score_random,score_rival,score_engine\n";

/// The starts by which the best of generations are measured begin with this number, so that no generation's are among
/// them; those of the last match begin with twice as much.
const MEASURED: u64 = 1 << 40;

/// And those of games against the rival that count for fitness begin with this number.
const RIVALS: u64 = 1 << 39;

/// What a generation has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its number.
    pub generation: u32,
    /// Points of the best and of the mean.
    pub points: (u64, f64),
    /// Nodes of the best and of the mean.
    pub nodes: (usize, f64),
    /// Depth of the best and of the mean.
    pub depth: (usize, f64),
    /// Its games, of whoever was named first against the other.
    pub games: Tally,
    /// The best one's games, if it was measured.
    pub gauge: Option<Gauges>,
}

/// A run: its seed and its generations.
pub type RunSoFar = (u64, Vec<Note>);

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
        match self.phase.gauges() {
            [.., false] => HEADING,
            [.., true] => HEADING_WITH_ENGINE,
        }
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
        let mut gauge = None;
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
            let leads = |leader: &Champion| deciding(&scores).score() >= leader.score();
            if self.leader.as_ref().is_none_or(leads) {
                self.leader = Some(Champion {
                    run,
                    seed: place.seed,
                    generation: number,
                    player: elite.player.clone(),
                    scores,
                    lineage: lineage(&self.ancestors, best),
                });
            }
        }
        let note = note(generation, self.games, gauge);
        let distinct: HashSet<String> = individuals.iter().map(|one| one.player.names()).collect();
        let news = news(place, &note, distinct.len(), self.phase.gauges()[2]);
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

/// What there is to know of a generation.
fn note(generation: &Generation<'_, Candidate>, games: Tally, gauge: Option<Gauges>) -> Note {
    let individuals = &generation.batch.individuals;
    let count = individuals.len().max(1) as f64;
    let nodes = |one: &Candidate| -> usize {
        let trees = one.player.0.trees();
        trees.iter().map(|tree| tree.nodes().len()).sum()
    };
    let depth = |one: &Candidate| {
        let trees = one.player.0.trees().map(Tree::depth);
        trees.into_iter().max().unwrap_or(0)
    };
    let mean =
        |of: &dyn Fn(&Candidate) -> usize| individuals.iter().map(of).sum::<usize>() as f64 / count;
    let best = |of: &dyn Fn(&Candidate) -> usize| individuals.get(generation.elite).map_or(0, of);
    Note {
        generation: generation.number(),
        points: (
            generation
                .fitness
                .get(generation.elite)
                .copied()
                .unwrap_or(0),
            generation.fitness.iter().sum::<u64>() as f64 / count,
        ),
        nodes: (best(&nodes), mean(&nodes)),
        depth: (best(&depth), mean(&depth)),
        games,
        gauge,
    }
}

/// What is said of a generation with so many different programs.
fn news(place: Place, note: &Note, distinct: usize, with_engine: bool) -> News<'static> {
    let Note {
        generation,
        points: (best, mean),
        nodes: (nodes, mean_nodes),
        depth: (depth, mean_depth),
        games,
        gauge,
    } = note;
    let run = place.run.0;
    let [random, rival, engine] = gauge.unwrap_or_default();
    let cell =
        |tally: Option<Tally>| tally.map_or(String::new(), |one| format!("{:.4}", one.score()));
    let (mates, advantages): (u32, u32) = (games.mates.iter().sum(), games.advantages.iter().sum());
    let mut facts = vec![
        format!("best {best} points of mean {mean:.1}"),
        format!("{nodes} nodes"),
    ];
    let fact = |tally: Tally, whom| format!("{:.2} against {whom}", tally.score());
    facts.extend(random.map(|tally| fact(tally, "random moves")));
    facts.extend(rival.map(|tally| fact(tally, "the rival")));
    facts.extend(engine.map(|tally| fact(tally, "Eyas")));
    News {
        step: Progress::Generation,
        run: place.run,
        generation: place.generation,
        row: format!(
            "{run},{generation},{best},{mean:.3},{nodes},{mean_nodes:.3},{depth},{mean_depth:.3},{distinct},{mates},\
             {advantages},{},{},{},{}{}\n",
            games.draws,
            games.plies,
            cell(random),
            cell(rival),
            match with_engine {
                true => format!(",{}", cell(engine)),
                false => String::new(),
            }
        ),
        json: serde_json::json!({
            "best_points": best,
            "mean_points": (mean * 1000.0).round() / 1000.0,
            "best_nodes": nodes,
            "mean_nodes": (mean_nodes * 1000.0).round() / 1000.0,
            "distinct": distinct,
            "mates": mates,
            "advantages": advantages,
            "draws": games.draws,
        }),
        facts,
        work: (games.games().into(), "games"),
    }
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

    /// 3 mates and 1 advantage of the first, 2 draws: 5 of 6 points against random moves.
    #[test]
    fn a_generation_is_told_in_a_row() {
        let tally = Tally {
            mates: [3, 0],
            advantages: [1, 0],
            draws: 2,
            plies: 99,
        };
        let mut note = Note {
            generation: 4,
            points: (27, 12.5),
            nodes: (40, 33.25),
            depth: (7, 5.5),
            games: tally,
            gauge: Some([Some(tally), None, None]),
        };
        let place = Place {
            run: (2, 3),
            seed: 1,
            generation: (4, 9),
        };
        let row = news(place, &note, 60, false).row;
        assert_eq!(row, "2,4,27,12.500,40,33.250,7,5.500,60,3,1,2,99,0.8333,\n");
        assert_eq!(row.split(',').count(), HEADING.split(',').count());
        note.gauge = Some([Some(tally), None, Some(tally.turned())]);
        let row = news(place, &note, 60, true).row;
        assert!(row.ends_with(",99,0.8333,,0.1667\n"), "{row}");
        assert_eq!(
            row.split(',').count(),
            HEADING_WITH_ENGINE.split(',').count()
        );
        note.gauge = None;
        assert!(news(place, &note, 60, false).row.ends_with(",99,,\n"));
    }
}
