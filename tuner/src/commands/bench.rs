//! `tuner bench`: how fast the phases are, and whether phase 1's fast evaluation is right.
//!
//! The same random individuals choose a move in the same positions twice: by the trees that all
//! share ([`TreeCache`]), and by the engine's own 1-ply search. Both run on all threads in one
//! process, so the ratio holds on a noisy machine; every single choice is compared.
//!
//! The search of suites is compared with the engine's own: as many nodes a second on each thread
//! as a single search makes by itself ([`SuiteBench`]). Cores share caches and memory, so engines
//! that search side by side, one a thread and with nothing in common, are measured too: what they
//! lose against one that is alone is the machine's doing, the rest is the tuner's.

use crate::base::room::{self, cores};
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::workers;
use crate::data::suite::Suite;
use crate::encoding::{Encoding, base};
use crate::error::RunError;
use crate::evolution::genome::{Genome, Shape};
use crate::evolution::rng::Random;
use crate::fitness::grandmaster::TreeCache;
use crate::fitness::search_cost::{Found, Rule, Solver, costs, hash_for};
use engine::epd::Epd;
use engine::eval::TermSet;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::{ParamSet, layout};
use engine::position::Game;
use engine::search::{Limits, Searcher};
use rayon::prelude::*;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::slice::from_ref;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Positions and individuals; each pair is one 1-ply search.
    pub positions: usize,
    /// Random individuals of layout eval-2014.
    pub individuals: usize,
    /// Threads that walked.
    pub threads: usize,
    /// Nodes in the shared trees afterwards.
    pub nodes: usize,
    /// Time to set the trees up.
    pub build: Duration,
    /// Time of the first walk, in which the trees grow.
    pub first: Duration,
    /// Time of a second walk, as in every later generation.
    pub fast: Duration,
    /// Time of the engine's own searches.
    pub slow: Duration,
    /// Pairs in which the two disagree on whether the position is solved.
    pub disagreements: usize,
}

/// Measures on the positions of a file.
///
/// # Errors
/// The file is refused.
pub fn bench(
    positions: &Path,
    individuals: usize,
    quiescence: &Quiescence,
) -> Result<Bench, RunError> {
    let suite = Suite::load(positions, None)?;
    let individuals = random_individuals(individuals, 1);
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    pool.install(|| bench_forest(&suite, &individuals, quiescence))
}

fn bench_forest(
    suite: &Suite,
    individuals: &[EvalParams],
    quiescence: &Quiescence,
) -> Result<Bench, RunError> {
    let clock = Instant::now();
    let cache = TreeCache::build(&suite.problems, quiescence, TermSet::Of2014);
    let build = clock.elapsed();
    let clock = Instant::now();
    cache.solved(individuals);
    let first = clock.elapsed();
    let clock = Instant::now();
    cache.solved(individuals);
    let fast = clock.elapsed();

    let clock = Instant::now();
    let choose = |individual: &EvalParams| -> Vec<bool> {
        let positions = suite.problems.par_iter();
        let solves = positions.map(|problem| {
            let chosen = choose_one_ply(&problem.position, individual, quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv))
        });
        solves.collect()
    };
    let expected: Vec<Vec<bool>> = individuals.iter().map(choose).collect();
    let slow = clock.elapsed();
    let solves = cache.solves(individuals);
    cache.has_room()?;
    let pairs = solves.iter().flatten().zip(expected.iter().flatten());
    Ok(Bench {
        positions: suite.problems.len(),
        individuals: individuals.len(),
        threads: rayon::current_num_threads(),
        nodes: cache.nodes(),
        build,
        first,
        fast,
        slow,
        disagreements: pairs.filter(|(fast, slow)| fast != slow).count(),
    })
}

/// Individuals from random bits, as in generation 0.
pub fn random_individuals(count: usize, seed: u64) -> Vec<EvalParams> {
    let genes = layout("eval-2014").unwrap_or_default();
    let shape = Shape::new(genes.iter().map(|gene| gene.bits));
    let mut random = Random::new(seed);
    let individual = |_| {
        let mut params = base();
        let numbers = shape.decode(&Genome::random(shape.bits(), &mut random));
        for (gene, &number) in genes.iter().zip(&numbers) {
            params.set(gene, i32::try_from(number).unwrap_or(i32::MAX));
        }
        params.eval
    };
    (0..count).map(individual).collect()
}

/// How fast suites are searched.
#[derive(Clone, Debug)]
pub struct SuiteBench {
    /// Positions of the suite.
    pub positions: usize,
    /// Nodes that each costs at most.
    pub cap: u64,
    /// Threads.
    pub threads: usize,
    /// How fast.
    pub speeds: Speeds,
}

/// Nodes a second: of one thread that only searches, which is what the engine can do; of one on each thread together;
/// of the tuner on all threads; and the tuner's in per cent of all threads at the engine's speed, and of the engines
/// side by side.
#[derive(Clone, Copy, Debug)]
pub struct Speeds(pub [f64; 5]);

impl Speeds {
    /// A round, in which the tuner has been so fast; `engine` measures one thread.
    ///
    /// # Errors
    /// Those of `engine`.
    pub fn of(
        tuner: f64,
        threads: usize,
        engine: impl Fn() -> Result<f64, RunError> + Sync,
    ) -> Result<Speeds, RunError> {
        let (alone, engines) = (engine()?, side_by_side(threads, &engine)?);
        let percent = |of: f64| 100.0 * tuner / of;
        let all = percent(alone * threads as f64);
        Ok(Speeds([alone, engines, tuner, all, percent(engines)]))
    }

    /// The medians of rounds.
    pub fn median(rounds: &[Speeds]) -> Speeds {
        let of = |column: usize| median(rounds.iter().map(|round| round.0[column]).collect());
        Speeds([0, 1, 2, 3, 4].map(of))
    }
}

impl fmt::Display for Speeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [engine, engines, tuner, percent, percent_of_engines] = self.0;
        writeln!(f, "engine, 1 thread  {engine:>12.0} nodes/s")?;
        writeln!(f, "one on each       {engines:>12.0} nodes/s")?;
        writeln!(f, "tuner             {tuner:>12.0} nodes/s")?;
        writeln!(f, "of 1 × threads    {percent:>12.1} %")?;
        write!(f, "of one on each    {percent_of_engines:>12.1} %")
    }
}

/// The sum of what so many threads measure at the same time, each for itself.
///
/// # Errors
/// The first one's.
fn side_by_side(
    threads: usize,
    measure: impl Fn() -> Result<f64, RunError> + Sync,
) -> Result<f64, RunError> {
    let mut sum = 0.0;
    workers::in_order(
        threads,
        0..threads,
        &Stop::default(),
        || Ok(()),
        |(), _| measure(),
        |rate| {
            sum += rate;
            Ok::<_, RunError>(ControlFlow::Continue(()))
        },
    )?;
    Ok(sum)
}

/// Rounds in which engine and tuner take turns, so that a noisy machine slows both down.
pub const ROUNDS: usize = 5;

/// Measures on a suite, with random search parameters and the default evaluation.
///
/// # Errors
/// The suite is refused, or there is no memory for the tables.
pub fn bench_suite(path: &Path, cap: u64) -> Result<SuiteBench, RunError> {
    let positions = Suite::load(path, None)?.problems;
    let individuals = random_searches(2, 1);
    let threads = cores();
    let rule = Rule {
        cap,
        found: Found::First,
        hash: hash_for(cap),
    };
    let problems = rule.found.problems(positions.clone());
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        let mut searched = 0;
        costs(
            &individuals,
            &problems,
            rule,
            threads,
            0,
            &Stop::default(),
            |answer| {
                searched += answer.cost.searched;
                Ok::<_, RunError>(ControlFlow::Continue(()))
            },
        )?;
        let together = searched as f64 / clock.elapsed().as_secs_f64().max(1e-9);
        let engine = || alone(&individuals, &positions, rule);
        rounds.push(Speeds::of(together, threads, engine)?);
    }
    Ok(SuiteBench {
        positions: problems.len(),
        cap,
        threads,
        speeds: Speeds::median(&rounds),
    })
}

/// The median of some values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Nodes a second of the engine by itself: the same searches on one thread, watched by nobody, to
/// the nodes that they cost.
fn alone(individuals: &[ParamSet], positions: &[Epd], rule: Rule) -> Result<f64, RunError> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for params in individuals {
        let mut solver = Solver::new(rule, params.clone())?;
        let mut searcher = Searcher::new(params.clone(), rule.hash)?;
        for position in positions {
            let limits = Limits::nodes(solver.cost(from_ref(position)).searched);
            searcher.clear();
            let game = Game::new(position.position);
            let clock = Instant::now();
            nodes += searcher.search_quietly(&game, &limits).nodes;
            time += clock.elapsed();
        }
    }
    Ok(nodes as f64 / time.as_secs_f64().max(1e-9))
}

/// The default evaluation with search parameters from random bits, as in generation 0.
fn random_searches(count: usize, seed: u64) -> Vec<ParamSet> {
    let base = ParamSet {
        search: ParamSet::missing().search,
        ..ParamSet::default()
    };
    let encoding = Encoding::new(layout("search-2014").unwrap_or_default(), base);
    let mut random = Random::new(seed);
    let individual = |_| {
        let genome = Genome::random(encoding.shape.bits(), &mut random);
        encoding.params(&encoding.phenotype(&genome))
    };
    (0..count).map(individual).collect()
}

impl fmt::Display for SuiteBench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "suite of {} positions up to {} nodes, {}",
            self.positions,
            self.cap,
            counted(self.threads, "thread")
        )?;
        write!(f, "{}", self.speeds)
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searches = (self.positions * self.individuals) as f64;
        let rate = |time: Duration| searches / time.as_secs_f64().max(1e-9);
        writeln!(
            f,
            "{} positions × {} random individuals, {} threads",
            self.positions, self.individuals, self.threads
        )?;
        writeln!(f, "trees set up      {:>12.3} s", self.build.as_secs_f64())?;
        writeln!(f, "grown to          {:>12} nodes", self.nodes)?;
        writeln!(f, "shared trees, 1st {:>12.0} searches/s", rate(self.first))?;
        writeln!(f, "shared trees      {:>12.0} searches/s", rate(self.fast))?;
        writeln!(f, "engine's own      {:>12.0} searches/s", rate(self.slow))?;
        writeln!(
            f,
            "ratio             {:>12.1}",
            self.slow.as_secs_f64() / self.fast.as_secs_f64().max(1e-9)
        )?;
        write!(f, "disagreements     {:>12}", self.disagreements)
    }
}
