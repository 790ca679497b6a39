//! `tuner score --phase ecm`: what a suite costs with a parameter file, and how many of its
//! positions it solves. The same costs as those of the phase that evolves them.

use crate::base::progress::bar;
use crate::base::statistics::{rate_text, thousands};
use crate::base::stop::Stop;
use crate::data::suite::{Suite, left_out};
use crate::fitness::search_cost::{Answer, Cost, Rule, costs};
use anyhow::Result;
use engine::epd::Epd;
use engine::params::ParamSet;
use engine::san::to_san;
use engine::tt::TableError;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Parameter files; where several have a key, the last wins.
    pub params: Vec<PathBuf>,
    /// The suite.
    pub positions: PathBuf,
    /// What a search is given.
    pub rule: Rule,
    /// Names (`id`) of positions without which the sums are to be given too.
    pub without: Vec<String>,
    /// Positions that are searched at a time.
    pub threads: usize,
}

/// The sums over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Number of positions.
    pub positions: usize,
    /// Those that were solved.
    pub solved: usize,
    /// Their costs, those that were not solved at the cap.
    pub nodes: u64,
}

/// What a parameter file makes of a suite.
#[derive(Clone, Debug)]
pub struct SuiteScore {
    /// Each position with its cost, in order.
    pub problems: Vec<Solved>,
    /// The sums over all positions.
    pub all: Sum,
    /// Those without the positions that were named, if any were.
    pub without: Option<Sum>,
    /// Rows of evaluation and search that no file has.
    pub missing: Vec<&'static str>,
}

/// A position and what came of it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Its name, or its FEN.
    pub name: String,
    /// Its solution, as moves for people.
    pub solution: String,
    /// What it costs.
    pub cost: Cost,
    /// What a search said that broke down.
    pub trouble: Option<String>,
}

/// Searches all positions; `None` if it is interrupted.
///
/// # Errors
/// The parameter files, the suite or a name to leave out are refused.
pub fn score(settings: &Settings, stop: &Stop) -> Result<Option<SuiteScore>> {
    let loaded = ParamSet::load(&settings.params)?;
    let suite = Suite::load_with(settings.rule.found.need(), &settings.positions, None)?;
    let problems = settings.rule.found.problems(suite.problems);
    // A problem of several positions is solved if its last is, so that one is listed.
    let lasts: Vec<Epd> = (problems.iter().filter_map(|each| each.last()))
        .cloned()
        .collect();
    let left_out = left_out(&lasts, &settings.without, &settings.positions)?;
    let template = "{bar:30} {pos}/{len} positions, {eta} left";
    let bar = bar(template, problems.len() as u64);
    let mut answers: Vec<Answer> = Vec::new();
    costs(
        &[loaded.params],
        &problems,
        settings.rule,
        settings.threads,
        0,
        stop,
        |answer| -> Result<_, TableError> {
            bar.inc(1);
            answers.push(answer);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    bar.finish_and_clear();
    if answers.len() < problems.len() {
        return Ok(None);
    }
    let sum = |keep: &dyn Fn(usize) -> bool| {
        let kept = answers.iter().filter(|answer| keep(answer.problem));
        kept.fold(Sum::default(), |sum, answer| sum.and(answer.cost))
    };
    Ok(Some(SuiteScore {
        all: sum(&|_| true),
        without: (!left_out.is_empty()).then(|| sum(&|at| !left_out.contains(&at))),
        problems: lasts.iter().zip(&answers).map(solved).collect(),
        missing: [loaded.missing_eval, loaded.missing_search].concat(),
    }))
}

fn solved((problem, answer): (&Epd, &Answer)) -> Solved {
    let list = |moves: &[engine::types::Move]| {
        let moves = moves.iter().map(|&mv| to_san(&problem.position, mv));
        moves.collect::<Vec<_>>().join(" ")
    };
    let mut solution = list(&problem.best);
    if !problem.avoid.is_empty() {
        solution = format!("{solution} not {}", list(&problem.avoid));
    }
    let name = problem.id.clone();
    Solved {
        name: name.unwrap_or_else(|| problem.position.to_fen()),
        solution: solution.trim().to_string(),
        cost: answer.cost,
        trouble: answer.trouble.clone(),
    }
}

impl Sum {
    /// The sum with one more position.
    pub fn and(self, cost: Cost) -> Sum {
        Sum {
            positions: self.positions + 1,
            solved: self.solved + usize::from(cost.solved),
            nodes: self.nodes + cost.nodes,
        }
    }
}

impl SuiteScore {
    /// `{"positions":879,"solved":601,"nodes":176040022}`, of all positions.
    pub fn json(&self) -> String {
        let Sum {
            positions,
            solved,
            nodes,
        } = self.all;
        format!("{{\"positions\":{positions},\"solved\":{solved},\"nodes\":{nodes}}}")
    }

    /// The sums without the positions that were named, for people.
    pub fn text_without(&self) -> Option<String> {
        let left = |sum: Sum| self.all.positions - sum.positions;
        let text = |sum| format!("without {} of them: {sum}", left(sum));
        self.without.map(text)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solved = rate_text(self.solved as u32, self.positions);
        write!(f, "solved {solved}, {} nodes", thousands(self.nodes))
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.cost.solved { "solved" } else { "missed" };
        let (nodes, name) = (self.cost.nodes, &self.name);
        write!(f, "{nodes:>9} {verdict} {:<12} {name}", self.solution)
    }
}
