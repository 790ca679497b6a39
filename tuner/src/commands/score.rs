//! `tuner score`: which positions a parameter file solves, by the engine's own 1-ply search.
//!
//! It deliberately goes the slow way, one search a position, so that it is an independent check
//! of the counts that fast evaluation reports.

use crate::base::room::{self, cores};
use crate::base::statistics::{Rate, hundredths, rate_text};
use crate::data::suite::Suite;
use crate::error::RunError;
use engine::epd::Epd;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::ParamSet;
use engine::types::Move;
use rayon::prelude::*;
use std::fmt;
use std::path::{Path, PathBuf};

/// What a parameter file chose in all positions.
#[derive(Clone, Debug)]
pub struct Score {
    /// One a position, in order.
    pub choices: Vec<Choice>,
    /// Rows of the evaluation that no file has.
    pub missing: Vec<&'static str>,
}

/// What was chosen in a position.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Number of the position, from 1.
    pub number: usize,
    /// Its name, or its FEN.
    pub name: String,
    /// The move chosen; none if there is no legal move.
    pub chosen: Option<Move>,
    /// The moves that solve it.
    pub best: Vec<Move>,
    /// The moves that don't.
    pub avoid: Vec<Move>,
    /// Whether it is solved.
    pub solved: bool,
}

/// Lets the parameters choose a move in every position.
///
/// # Errors
/// The parameter files or the positions are refused.
pub fn score(
    params: &[PathBuf],
    positions: &Path,
    quiescence: &Quiescence,
) -> Result<Score, RunError> {
    let loaded = ParamSet::load(params)?;
    let suite = Suite::load(positions, None)?;
    let choose = |(index, problem): (usize, &Epd)| {
        let chosen = choose_one_ply(&problem.position, &loaded.params.eval, quiescence);
        let name = problem.id.clone();
        Choice {
            number: index + 1,
            name: name.unwrap_or_else(|| problem.position.to_fen()),
            solved: chosen.is_some_and(|mv| problem.is_solved_by(mv)),
            chosen,
            best: problem.best.clone(),
            avoid: problem.avoid.clone(),
        }
    };
    let problems = suite.problems.par_iter().enumerate();
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    Ok(Score {
        choices: pool.install(|| problems.map(choose).collect()),
        missing: loaded.missing_eval,
    })
}

impl Score {
    /// Number of positions solved.
    pub fn solved(&self) -> u32 {
        self.choices.iter().filter(|choice| choice.solved).count() as u32
    }

    /// `{"positions":5000,"solved":1521,"percent":30.42}`
    pub fn json(&self) -> String {
        let (positions, solved) = (self.choices.len(), self.solved());
        let percent = hundredths(Rate::new(solved.into(), positions as u64).percent);
        format!("{{\"positions\":{positions},\"solved\":{solved},\"percent\":{percent}}}")
    }

    /// The same for people.
    pub fn text(&self) -> String {
        format!("solved {}", rate_text(self.solved(), self.choices.len()))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = |moves: &[Move]| {
            let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
            texts.join(" ")
        };
        let verdict = if self.solved { "solved" } else { "missed" };
        write!(f, "{:>5} {verdict} chose ", self.number)?;
        match self.chosen {
            Some(mv) => write!(f, "{mv:<5}")?,
            None => write!(f, "none ")?,
        }
        if !self.best.is_empty() {
            write!(f, " expected {}", moves(&self.best))?;
        }
        if !self.avoid.is_empty() {
            write!(f, " avoiding {}", moves(&self.avoid))?;
        }
        write!(f, "  {}", self.name)
    }
}
