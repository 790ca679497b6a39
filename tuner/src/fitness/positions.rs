//! The task of all phases that learn from positions: how many points do these individuals get on a block of
//! positions? A point is a position solved, or a part of one where an expert's score is imitated.

use crate::encoding::by_place;
use crate::encoding::rows::digest_of_evaluations;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::eval::params::EvalParams;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Positions of a task at most: what is lost when a run is killed is one such block's work for
/// one generation.
pub const BLOCK: usize = 100_000;

/// Points for a position at most, of all kinds of phases.
const MOST_POINTS: u32 = 10_000;

/// Cuts positions into blocks of at most `block`.
pub fn blocks(positions: usize, block: usize) -> impl Iterator<Item = Range<usize>> {
    let block = block.max(1);
    (0..positions)
        .step_by(block)
        .map(move |start| start..positions.min(start + block))
}

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Count {
    /// When it is asked.
    pub of: Block,
    /// Which of the training or held-out positions.
    pub positions: Range<usize>,
    /// Whether the points of two parts of the positions are those of both together.
    pub is_additive: bool,
    /// Whose.
    #[serde(with = "by_place")]
    pub individuals: Arc<Vec<EvalParams>>,
}

/// A block of positions at a place of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// Of the training positions, for those individuals of a generation whose parameters have not
    /// occurred before in the run.
    Train {
        /// The run, from 1; the number behind the last stands for the mean of the runs' champions, or for the
        /// champions themselves.
        run: u32,
        /// The generation, from 0; of champions their run, from 0.
        generation: u32,
        /// The block, from 0.
        block: u32,
    },
    /// Of the held-out positions, for the champions of all runs.
    HeldOut {
        /// The block, from 0.
        block: u32,
    },
}

impl Task for Count {
    const KIND: &'static str = "count";
    type Answer = Vec<u32>;

    fn key(&self) -> String {
        match self.of {
            Block::Train {
                run,
                generation,
                block,
            } => format!("run {run} generation {generation} block {block}"),
            Block::HeldOut { block } => format!("held-out block {block}"),
        }
    }

    fn digest(&self) -> String {
        digest_of_evaluations(self.individuals.iter())
    }

    fn fits(&self, solved: &Vec<u32>) -> bool {
        let most = self.positions.len() as u64 * u64::from(MOST_POINTS);
        let is_possible = |&points: &u32| u64::from(points) <= most;
        solved.len() == self.individuals.len() && solved.iter().all(is_possible)
    }

    fn worst(&self) -> Vec<u32> {
        vec![0; self.individuals.len()]
    }

    fn describe(&self) -> String {
        format!("individuals: {:?}", self.individuals)
    }

    /// Parts of the positions, as even as may be.
    fn split(&self, parts: usize) -> Vec<Count> {
        let all = self.positions.len();
        if !self.is_additive || parts < 2 || all < parts {
            return Vec::new();
        }
        let cut = |part: usize| self.positions.start + all * part / parts;
        let part = |part: usize| Count {
            positions: cut(part)..cut(part + 1),
            ..self.clone()
        };
        (0..parts).map(part).collect()
    }

    fn merge(&self, parts: &[Vec<u32>]) -> Vec<u32> {
        let mut all = vec![0; self.individuals.len()];
        for (sum, count) in parts.iter().flat_map(|part| (0..).zip(part)) {
            if let Some(sum) = all.get_mut::<usize>(sum) {
                *sum = u32::saturating_add(*sum, *count);
            }
        }
        all
    }
}

/// Counts again after a panic, every individual by itself: whoever panics solves nothing, and the
/// others what they solve. Were all of a generation scored worst, its successors would all be the
/// elite's clones.
///
/// # Errors
/// The worker's.
pub fn one_by_one<W: Worker<Count>>(
    worker: &mut W,
    task: &Count,
) -> Result<(Vec<u32>, String), WorkError> {
    let (mut solved, mut said) = (Vec::new(), "done again, one by one".to_string());
    for (number, individual) in (1..).zip(task.individuals.iter()) {
        let individuals = Arc::new(vec![individual.clone()]);
        let task = Count {
            individuals,
            ..task.clone()
        };
        match catch_unwind(AssertUnwindSafe(|| worker.answer(&task))) {
            Ok(count) => solved.extend(count?),
            Err(_) => {
                solved.push(0);
                let place = worker.place();
                said += &format!("\nindividual {number}: scored worst, in position: {place}");
            }
        }
    }
    Ok((solved, said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::params::ParamTable as _;

    #[test]
    fn blocks_cover_all_positions_once() {
        let cut = |positions, block| blocks(positions, block).collect::<Vec<_>>();
        assert_eq!(cut(10, 4), [0..4, 4..8, 8..10]);
        assert_eq!(cut(8, 4), [0..4, 4..8]);
        assert_eq!(cut(3, 100), vec![0..3; 1]);
        assert!(cut(0, 4).is_empty());
    }

    fn count(positions: Range<usize>, is_additive: bool) -> Count {
        Count {
            of: Block::HeldOut { block: 0 },
            positions,
            is_additive,
            individuals: Arc::new(vec![EvalParams::missing(), EvalParams::default()]),
        }
    }

    /// Ten positions in three parts are 3, 3 and 4 of them, and what each part counts is added up.
    #[test]
    fn a_task_is_split_and_merged_in_whole_numbers() {
        let task = count(20..30, true);
        let parts = task.split(3);
        let ranges: Vec<_> = parts.iter().map(|part| part.positions.clone()).collect();
        assert_eq!(ranges, [20..23, 23..26, 26..30]);
        assert!(parts.iter().all(|part| part.key() == task.key()));
        let answers = [vec![1, 2], vec![0, 3], vec![4, 4]];
        assert_eq!(task.merge(&answers), [5, 9]);
        assert!(task.split(1).is_empty() && count(0..2, true).split(3).is_empty());
        assert!(count(0..100, false).split(2).is_empty());
    }

    #[test]
    fn a_task_is_the_same_in_another_process() {
        let task = count(0..7, true);
        let text = serde_json::to_string(&task).unwrap();
        let again: Count = serde_json::from_str(&text).unwrap();
        assert_eq!((again.key(), again.digest()), (task.key(), task.digest()));
        assert_eq!(again.positions, task.positions);
    }
}
