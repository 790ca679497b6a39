//! What the runs of a phase that learns from positions have come to.

use crate::base::statistics::counted;
use crate::report::GenerationStats;
use engine::params::ParamSet;
use std::fmt;

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its seed.
    pub seed: u64,
    /// Its generations until now.
    pub generations: Vec<GenerationStats>,
    /// How many individuals of each had not been evaluated before.
    pub evaluated: Vec<u64>,
    /// The best individual of the last of them.
    pub champion: ParamSet,
    /// Its points on the training positions: how many it solves, in phase 1.
    pub train_solved: u32,
    /// Its points on the held-out positions, once all runs have ended.
    pub test_solved: Option<u32>,
    /// Whether all generations are there.
    pub finished: bool,
}

/// The mean of the champions of all runs, weight by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    /// The weights.
    pub champion: ParamSet,
    /// Its points on the training positions.
    pub train_solved: u32,
    /// Its points on the held-out positions.
    pub test_solved: Option<u32>,
}

/// Somebody with its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen<'a> {
    /// Who it is.
    pub who: Who,
    /// Its parameters.
    pub champion: &'a ParamSet,
    /// Its points on the training positions.
    pub train_solved: u32,
    /// Its points on the held-out positions, once all runs have ended.
    pub test_solved: Option<u32>,
}

/// Who may be a phase's champion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The champion of the run in this place, from 0.
    Run(usize),
    /// The mean of all runs' champions.
    Mean,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Run(place) => write!(f, "run {}", place + 1),
            Who::Mean => f.write_str("the mean of the runs"),
        }
    }
}

impl RunResult {
    /// Its champion.
    pub fn chosen(&self, place: usize) -> Chosen<'_> {
        Chosen {
            who: Who::Run(place),
            champion: &self.champion,
            train_solved: self.train_solved,
            test_solved: self.test_solved,
        }
    }
}

impl Mean {
    /// As a champion.
    pub fn chosen(&self) -> Chosen<'_> {
        Chosen {
            who: Who::Mean,
            champion: &self.champion,
            train_solved: self.train_solved,
            test_solved: self.test_solved,
        }
    }
}

/// What all runs have come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The runs that have at least one generation.
    pub runs: Vec<RunResult>,
    /// The mean of their champions, if that is wanted and all runs have ended.
    pub mean: Option<Box<Mean>>,
    /// Whether all is done.
    pub complete: bool,
}

impl Outcome {
    /// Generations of all runs.
    pub fn generations(&self) -> usize {
        self.runs.iter().map(|run| run.generations.len()).sum()
    }

    /// How far it is, in words.
    pub fn progress(&self) -> String {
        let runs = counted(self.runs.len(), "run");
        format!("{runs}, {} generations", self.generations())
    }

    /// The phase's champion: the mean if that is wanted, else the champion that solves most training
    /// positions, the first of equals; unfinished runs have none.
    pub fn best(&self) -> Option<Chosen<'_>> {
        self.best_of(|run| run.finished)
    }

    /// The same, counting a run that is still under way.
    pub fn best_so_far(&self) -> Option<Chosen<'_>> {
        self.best_of(|_| true)
    }

    fn best_of(&self, counts: impl Fn(&RunResult) -> bool) -> Option<Chosen<'_>> {
        let runs = self.runs.iter().enumerate().filter(|(_, run)| counts(run));
        let best = runs.rev().max_by_key(|(_, run)| run.train_solved);
        let best = best.map(|(place, run)| run.chosen(place));
        self.mean.as_ref().map(|mean| mean.chosen()).or(best)
    }

    /// The mean, if there is one, then the champions of all finished runs, best first, equals in order
    /// of their runs.
    pub fn champions(&self) -> Vec<ParamSet> {
        let mut runs: Vec<&RunResult> = self.runs.iter().filter(|run| run.finished).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.train_solved));
        let mean = self.mean.iter().map(|mean| &mean.champion);
        let runs = runs.into_iter().map(|run| &run.champion);
        mean.chain(runs).cloned().collect()
    }
}
