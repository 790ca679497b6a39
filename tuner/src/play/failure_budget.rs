//! How long an engine that breaks down is put up with.

use super::player::{EngineFailure, FailureKind, PlayError};
use crate::base::stop::Stop;
use std::ops::ControlFlow;

/// Tasks in a row that may fail, twice each, before an engine is out of order.
const MOST: u32 = 3;

/// Counts the tasks in a row that an engine has failed, twice each. One task may be more than it can
/// take, and a night's work goes on without it; an engine that has never worked, or can't be started, is
/// out of order at once.
#[derive(Debug)]
pub struct FailureBudget {
    has_worked: bool,
    failed: u32,
}

impl FailureBudget {
    /// With an engine that has, or has not yet, done what it was asked for.
    pub fn new(has_worked: bool) -> FailureBudget {
        FailureBudget {
            has_worked,
            failed: 0,
        }
    }

    /// What a task has come to, in the order of the tasks: its answer, or the failure for which it is
    /// left out.
    ///
    /// # Errors
    /// The engine is out of order, or there is another reason to end.
    pub fn take<T>(
        &mut self,
        done: Result<T, PlayError>,
    ) -> Result<Result<T, Box<EngineFailure>>, PlayError> {
        match done {
            Ok(answer) => {
                (self.has_worked, self.failed) = (true, 0);
                Ok(Ok(answer))
            }
            // That a process can't be started says nothing of the task.
            Err(PlayError::Engine(failure)) if matches!(failure.kind, FailureKind::Spawn(_)) => {
                Err(PlayError::Engine(failure))
            }
            Err(PlayError::Engine(failure)) => {
                self.failed += 1;
                match self.has_worked && self.failed < MOST {
                    true => Ok(Err(failure)),
                    false => Err(PlayError::Engine(failure)),
                }
            }
            Err(other) => Err(other),
        }
    }
}

/// What engines have come to in a task, and what broke before they did.
pub type Told<T> = Result<(T, Option<Box<EngineFailure>>), PlayError>;

/// Asks engines, which are started if there are none, and once more fresh ones if one breaks down. One
/// breakdown may be chance: a full machine, a rare bug.
///
/// # Errors
/// They break down twice or don't start, or there is another reason to end.
pub fn twice<E, T>(
    engines: &mut Option<E>,
    start: impl Fn() -> Result<E, PlayError>,
    mut ask: impl FnMut(&mut E) -> Result<T, PlayError>,
) -> Told<T> {
    let mut broken = None;
    loop {
        let able = match engines {
            Some(able) => able,
            None => engines.insert(start()?),
        };
        match ask(able) {
            Ok(answer) => return Ok((answer, broken)),
            Err(PlayError::Engine(failure)) => {
                *engines = None;
                if broken.is_some() {
                    return Err(PlayError::Engine(failure));
                }
                broken = Some(failure);
            }
            Err(other) => return Err(other),
        }
    }
}

/// Takes what a task has come to. If that is the end of the work, what is under way ends with it.
///
/// # Errors
/// Those of `accept`.
pub fn ending<E>(
    stop: &Stop,
    accept: impl FnOnce() -> Result<ControlFlow<()>, E>,
) -> Result<ControlFlow<()>, E> {
    let next = accept();
    if !matches!(next, Ok(ControlFlow::Continue(()))) {
        stop.request();
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed_by(kind: FailureKind) -> Result<(), PlayError> {
        Err(PlayError::from(EngineFailure {
            engine: String::new(),
            command: String::new(),
            kind,
            fen: None,
            output: Vec::new(),
        }))
    }

    fn failed() -> Result<(), PlayError> {
        failed_by(FailureKind::NoMove(String::new()))
    }

    #[test]
    fn it_ends_with_the_third_failure_in_a_row_or_the_first_of_all() {
        assert!(FailureBudget::new(false).take(failed()).is_err());
        let mut budget = FailureBudget::new(true);
        for _ in 0..3 {
            assert!(matches!(budget.take(failed()), Ok(Err(_))));
            assert!(matches!(budget.take(failed()), Ok(Err(_))));
            assert!(matches!(budget.take(Ok(())), Ok(Ok(()))));
        }
        assert!(budget.take(failed()).is_ok() && budget.take(failed()).is_ok());
        assert!(budget.take(failed()).is_err());
        assert!(budget.take::<()>(Err(PlayError::Interrupted)).is_err());
        let files = FailureKind::Spawn(std::io::Error::other("too many open files"));
        assert!(FailureBudget::new(true).take(failed_by(files)).is_err());
    }

    #[test]
    fn who_breaks_down_is_started_anew_once() {
        let ask = |failures: u32| {
            let (mut engine, mut asked) = (None, 0);
            let starts = std::cell::Cell::new(0);
            let start = || {
                starts.set(starts.get() + 1);
                Ok(starts.get())
            };
            let told = twice(&mut engine, start, |_| {
                asked += 1;
                if asked <= failures { failed() } else { Ok(()) }
            });
            (told.map(|(_, broken)| broken.is_some()).ok(), engine)
        };
        assert_eq!(ask(0), (Some(false), Some(1)));
        assert_eq!(ask(1), (Some(true), Some(2)));
        assert_eq!(ask(2), (None, None));
    }
}
