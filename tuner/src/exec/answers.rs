//! Tasks as lines of JSON, and who answers them in a process of its own.

use super::error::{ExecError, WorkError};
use super::retry::retry;
use super::task::{Task, Worker};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A task as it goes to another process: one line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The phase that asks.
    pub phase: String,
    /// The kind of task.
    pub kind: String,
    /// What all is drawn from at present, for the record of a panic.
    pub seed: u64,
    /// The task.
    pub task: Box<RawValue>,
}

/// What comes back: one line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// An answer.
    Done(RawDone),
    /// Why there is none, in words.
    Failed(String),
}

/// An answer, and what went wrong on the way to it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawDone {
    /// The answer, as the journal has it.
    pub answer: Box<RawValue>,
    /// The record of a panic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

type Answerer<'a> = Box<dyn FnMut(&RawValue, u64) -> Result<RawDone, ExecError> + 'a>;

/// Who answers the tasks of a phase, by their kinds.
#[derive(Default)]
pub struct Answers<'a>(Vec<(&'static str, Answerer<'a>)>);

impl<'a> Answers<'a> {
    /// Nobody yet.
    pub fn none() -> Answers<'a> {
        Answers::default()
    }

    /// A kind of task more. The worker is made with its first task, and anew after a panic.
    #[must_use]
    pub fn with<T: Task, W: Worker<T> + 'a>(
        mut self,
        spawn: impl Fn() -> Result<W, WorkError> + 'a,
    ) -> Answers<'a> {
        let mut worker = None;
        let answer = move |task: &RawValue, seed: u64| {
            let task: T = parsed(task)?;
            let done = retry(&mut worker, &spawn, &task, seed)?;
            let answer = serde_json::value::to_raw_value(&done.answer);
            Ok(RawDone {
                answer: answer.map_err(|error| ExecError::Work(error.into()))?,
                fault: done.fault,
            })
        };
        self.0.push((T::KIND, Box::new(answer)));
        self
    }

    /// The answer to a task.
    ///
    /// # Errors
    /// The kind is unknown, the task can't be read, or its worker gives up.
    pub fn answer(&mut self, request: &Request) -> Result<RawDone, ExecError> {
        let mut known = self.0.iter_mut();
        match known.find(|(kind, _)| *kind == request.kind) {
            Some((_, answer)) => answer(&request.task, request.seed),
            None => Err(ExecError::Work(
                format!(
                    "phase {} has no tasks of kind {:?}",
                    request.phase, request.kind
                )
                .into(),
            )),
        }
    }
}

fn parsed<T: Task>(task: &RawValue) -> Result<T, ExecError> {
    serde_json::from_str(task.get()).map_err(|error| {
        ExecError::Work(format!("a task of kind {:?} can't be read: {error}", T::KIND).into())
    })
}
