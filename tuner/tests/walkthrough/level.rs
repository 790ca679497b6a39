//! How many positions an individual calls level: within a quarter of a pawn.

use crate::encoding::by_place;
use crate::encoding::rows::digest_of_evaluations;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::eval::{Weights, evaluate};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many does this individual call level?
#[derive(Debug, Serialize, Deserialize)]
pub struct Level {
    /// The task's name.
    pub key: String,
    /// Who is asked.
    #[serde(with = "by_place")]
    pub individual: Arc<EvalParams>,
}

impl Task for Level {
    const KIND: &'static str = "level";
    type Answer = u32;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        digest_of_evaluations([&*self.individual])
    }

    fn worst(&self) -> u32 {
        0
    }

    fn describe(&self) -> String {
        format!("{:?}", self.individual)
    }
}

/// Counts in these positions.
pub struct Judge<'a>(pub &'a [Epd]);

impl Worker<Level> for Judge<'_> {
    fn answer(&mut self, task: &Level) -> Result<u32, WorkError> {
        let weights = Weights::from(&*task.individual);
        let score = |problem: &Epd| evaluate(&problem.position, &weights).value();
        let level = self.0.iter().filter(|problem| score(problem).abs() <= 25);
        Ok(level.count() as u32)
    }
}
