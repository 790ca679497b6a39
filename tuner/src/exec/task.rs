//! What a task is, and who answers it.
//!
//! A task is a value: owned, and as JSON the same in another process. So whoever has the phase's data
//! may answer it, and the answer is the same everywhere.

use super::error::WorkError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One thing to be found out. Tasks of one call of the executor are answered at the same time, and
/// must not depend on each other.
pub trait Task: Serialize + DeserializeOwned + Sync {
    /// Name of this kind of task, unique among those of a phase.
    const KIND: &'static str;

    /// What comes out; goes to the journal as JSON, so floats are best avoided.
    type Answer: Serialize + DeserializeOwned + Clone + PartialEq + Send;

    /// The task's name in the journal, unique within the phase.
    fn key(&self) -> String;

    /// Digest of what the answer depends on beside profile and data: the individuals, mostly. A
    /// journal in which it differs belongs to another course of events, and is refused.
    fn digest(&self) -> String;

    /// Whether the same answer comes out every time; not so where a clock decides.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Whether an answer from the journal can be one to this task.
    fn fits(&self, _answer: &Self::Answer) -> bool {
        true
    }

    /// The answer to a task that panicked twice: the worst for whom it is about. If it doesn't fit,
    /// the run ends there.
    fn worst(&self) -> Self::Answer;

    /// Who and what the task is about, for the file that is kept when it panics: parameters,
    /// seed, position.
    fn describe(&self) -> String;

    /// So many parts of a task, if it is large enough for each to be answered by itself; none if it isn't.
    /// Their answers together are that of the whole by [`merge`](Task::merge).
    fn split(&self, parts: usize) -> Vec<Self>
    where
        Self: Sized,
    {
        let _ = parts;
        Vec::new()
    }

    /// The answer to a task from those to all its parts, in their order.
    fn merge(&self, parts: &[Self::Answer]) -> Self::Answer {
        let _ = parts;
        self.worst()
    }
}

/// Answers tasks, one after the other; every thread has its own.
pub trait Worker<T: Task> {
    /// The answer; a pure function of the task and of the phase's data.
    ///
    /// # Errors
    /// What ends the run, an unreadable file for example. A panic doesn't end it.
    fn answer(&mut self, task: &T) -> Result<T::Answer, WorkError>;

    /// The answer of a second try, after a panic, and what is to be said of it. Where a task is
    /// about several individuals, those who have no part in the panic are not to suffer from it.
    ///
    /// # Errors
    /// As the first time.
    fn answer_again(&mut self, task: &T) -> Result<(T::Answer, String), WorkError> {
        Ok((self.answer(task)?, "done again".to_string()))
    }

    /// Where it is, for the record of a panic: the position that is being searched.
    fn place(&self) -> String {
        String::new()
    }
}
