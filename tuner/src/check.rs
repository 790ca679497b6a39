//! `tuner check`: everything that could make a run fail late, tried early.

use crate::evolution::ga::Ga;
use crate::fitness::grandmaster::Forest;
use crate::journal::DataFile;
use crate::progress::clock;
use crate::run::recipe::Recipe;
use crate::run::{Options, Plan, RunError, plan, thread_pool};
use crate::statistics::mean_and_deviation;
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::time::Instant;

/// Positions of the miniature generation at most.
const MINIATURE: usize = 500;
/// Individuals of the miniature generation at most.
const INDIVIDUALS: usize = 200;
/// Positions and individuals that the engine's own search checks.
const CHECKED: (usize, usize) = (50, 3);

/// What a check found.
#[derive(Clone, Debug)]
pub struct Findings {
    name: String,
    layout: String,
    genes: usize,
    bits: usize,
    runs: usize,
    generations: u32,
    population: usize,
    train: DataFile,
    test: Option<DataFile>,
    shared: usize,
    miniature: Miniature,
    threads: usize,
}

/// A generation of random individuals on the first training positions.
#[derive(Clone, Debug)]
struct Miniature {
    individuals: usize,
    positions: usize,
    best: u32,
    mean: f64,
    /// Wall time of building the positions' trees.
    building: f64,
    /// Wall time of scoring the individuals.
    scoring: f64,
}

/// Reads a profile with all its data and runs a miniature generation.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn check(profile: &Path, options: &Options) -> Result<Findings, RunError> {
    let plan = plan(profile, options)?;
    let recipe = Recipe::new(&plan.profile, &plan.header);
    let pool = thread_pool(&plan.profile, options)?;
    let miniature = pool.install(|| miniature(&plan, &recipe))?;
    Ok(Findings {
        name: plan.header.profile.clone(),
        layout: plan.profile.layout.name.clone(),
        genes: recipe.genes.len(),
        bits: recipe.shape.bits(),
        runs: recipe.seeds.len(),
        generations: recipe.generations,
        population: recipe.settings.population,
        train: plan.header.train.clone(),
        test: plan.header.test.clone(),
        shared: shared_positions(&plan),
        miniature,
        threads: pool.current_num_threads(),
    })
}

fn miniature(plan: &Plan, recipe: &Recipe) -> Result<Miniature, RunError> {
    let quiescence = Quiescence::from(plan.profile.quiescence);
    let problems = &plan.train.problems;
    let problems = &problems[..problems.len().min(MINIATURE)];
    let seed = recipe.seeds.first().copied().unwrap_or(0);
    let ga = Ga::new(recipe.settings.clone(), &recipe.shape, seed);
    let genomes = ga.population().iter().take(INDIVIDUALS);
    let individuals: Vec<EvalParams> = genomes
        .map(|genome| recipe.params(&recipe.phenotype(genome)).eval)
        .collect();

    let start = Instant::now();
    let forest = Forest::build(problems, &quiescence);
    let built = Instant::now();
    let solved = forest.solved(&individuals);
    let scored = Instant::now();
    if let Some(fen) = disagreement(problems, &individuals, &quiescence) {
        return Err(RunError::Disagreement { fen });
    }
    let (mean, _) = mean_and_deviation(&solved);
    Ok(Miniature {
        individuals: individuals.len(),
        positions: problems.len(),
        best: solved.iter().copied().max().unwrap_or(0),
        mean,
        building: (built - start).as_secs_f64(),
        scoring: (scored - built).as_secs_f64(),
    })
}

/// The first position where fast evaluation and the engine's own search disagree.
fn disagreement(
    problems: &[Epd],
    individuals: &[EvalParams],
    quiescence: &Quiescence,
) -> Option<String> {
    let individuals = &individuals[..individuals.len().min(CHECKED.1)];
    problems.iter().take(CHECKED.0).find_map(|problem| {
        let solved = Forest::build(std::slice::from_ref(problem), quiescence).solved(individuals);
        let agree = individuals.iter().zip(solved).all(|(weights, solved)| {
            let chosen = choose_one_ply(&problem.position, weights, quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv)) == (solved == 1)
        });
        (!agree).then(|| problem.position.to_fen())
    })
}

/// Held-out positions that are training positions too, clocks aside.
fn shared_positions(plan: &Plan) -> usize {
    let key = |problem: &Epd| {
        let fen = problem.position.to_fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        fields.join(" ")
    };
    let Some(test) = &plan.test else { return 0 };
    let train: HashSet<String> = plan.train.problems.iter().map(key).collect();
    let shared = test
        .problems
        .iter()
        .filter(|problem| train.contains(&key(problem)));
    shared.count()
}

impl Findings {
    /// Wall time of the whole profile in seconds, from that of the miniature generation. An upper
    /// estimate: individuals that have occurred before cost nothing.
    fn estimate(&self) -> f64 {
        let mini = &self.miniature;
        let positions = self.train.positions as f64;
        let searches =
            self.runs as f64 * f64::from(self.generations) * self.population as f64 * positions;
        let all = positions + self.test.as_ref().map_or(0.0, |test| test.positions as f64);
        mini.scoring * searches / (mini.individuals * mini.positions).max(1) as f64
            + mini.building * all / mini.positions.max(1) as f64
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |file: &DataFile| {
            format!(
                "{}: {} positions, SHA-256 {}",
                file.name(),
                file.positions,
                file.sha256
            )
        };
        writeln!(f, "Profile {}", self.name)?;
        writeln!(
            f,
            "  layout {}: {} genes, {} bits",
            self.layout, self.genes, self.bits
        )?;
        writeln!(
            f,
            "  {} run(s) of {} generations of {} individuals",
            self.runs, self.generations, self.population
        )?;
        writeln!(f, "  training: {}", file(&self.train))?;
        match &self.test {
            Some(test) => writeln!(f, "  held out: {}", file(test))?,
            None => writeln!(f, "  held out: none, so nothing will tell over-fitting")?,
        }
        if self.shared > 0 {
            writeln!(
                f,
                "  WARNING: {} of the held-out positions are training positions too",
                self.shared
            )?;
        }
        let mini = &self.miniature;
        writeln!(
            f,
            "Miniature generation: {} random individuals on {} positions, best {}, mean {:.1}",
            mini.individuals, mini.positions, mini.best, mini.mean
        )?;
        writeln!(f, "  agrees with the engine's own 1-ply search")?;
        write!(
            f,
            "Estimated time of all runs: at most about {} on {} thread(s)",
            clock(self.estimate()),
            self.threads
        )
    }
}
