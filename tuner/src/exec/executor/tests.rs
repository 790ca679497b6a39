//! Replay, order, panics and time budgets, with tasks that square numbers.

use super::*;
use crate::exec::journal::tests::header;
use crate::exec::journal::{self, JOURNAL_NAME};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// Lets something use a executor with a journal of its own, and returns what the journal then has.
pub fn with_executor<R>(course: impl FnOnce(&mut Executor<'_>) -> R) -> (R, Vec<Record>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL_NAME);
    let journal = Journal::create(&path, &header()).unwrap();
    let stop = Stop::default();
    let mut executor = Executor::live(
        Vec::new(),
        Live {
            folder: folder.path(),
            journal,
            threads: 2,
            stop: &stop,
            progress: Progress::new(false, true),
            timing: Timing::new(folder.path()),
            processes: None,
            #[cfg(feature = "redis")]
            remote: None,
            working: false,
            is_lazy: false,
        },
    );
    executor.begin("test", None, None);
    let result = course(&mut executor);
    (result, journal::read(&path).unwrap().records)
}

/// A number to be squared; odd ones panic at the first try, thirteen and seventeen always, and
/// nothing can stand for the square of seventeen.
#[derive(Serialize, Deserialize)]
struct Square(u32);

struct Squarer<'a>(&'a Mutex<Vec<u32>>);

impl Task for Square {
    const KIND: &'static str = "square";
    type Answer = u32;
    fn key(&self) -> String {
        format!("square {}", self.0)
    }
    fn digest(&self) -> String {
        self.0.to_string()
    }
    fn fits(&self, answer: &u32) -> bool {
        self.0 != 17 || *answer > 0
    }
    fn worst(&self) -> u32 {
        0
    }
    fn describe(&self) -> String {
        format!("the number {}", self.0)
    }
}

impl Worker<Square> for Squarer<'_> {
    fn answer(&mut self, task: &Square) -> Result<u32, WorkError> {
        let mut tried = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        let first = !tried.contains(&task.0);
        tried.push(task.0);
        assert!(![13, 17].contains(&task.0), "unlucky");
        assert!(!first || task.0.is_multiple_of(2), "odd");
        Ok(task.0 * task.0)
    }
    fn place(&self) -> String {
        "here".into()
    }
}

#[test]
fn panics_are_kept_tried_again_and_then_scored_worst() {
    let tried = Mutex::default();
    let tasks: Vec<Square> = [2, 3, 13, 4].map(Square).into();
    let (answers, records) = with_executor(|executor| {
        executor
            .ask(&tasks, || Ok(Squarer(&tried)))
            .unwrap()
            .unwrap()
    });
    assert_eq!(answers, [4, 9, 0, 16]);
    let faults: Vec<_> = records.iter().map(|record| &record.fault).collect();
    assert!(faults[0].is_none() && faults[3].is_none());
    let once = faults[1].as_ref().unwrap();
    ::tests::says(once, &["odd", "done again"]);
    let twice = faults[2].as_ref().unwrap();
    for words in [
        "square 13",
        "unlucky",
        "in position: here",
        "scored worst",
        "the number 13",
    ] {
        assert!(twice.contains(words), "{twice}");
    }
    // The journal alone gives the same answers and the same count of faults.
    let mut executor = Executor::replay(records);
    executor.begin("test", None, None);
    let again = executor.ask(&tasks, || -> Result<Squarer<'_>, WorkError> {
        unreachable!()
    });
    assert_eq!(again.unwrap(), Some(answers));
    assert_eq!(executor.faults(), 2);
}

#[test]
fn who_was_scored_worst_need_not_be_so_again() {
    let tried = Mutex::default();
    let spawn = || Ok(Squarer(&tried));
    let (_, records) = with_executor(|executor| executor.ask(&[Square(13)], spawn).unwrap());
    assert!(records[0].fault.is_some());
    // Another machine resumes, and there nothing panics.
    struct Sound;
    impl Worker<Square> for Sound {
        fn answer(&mut self, task: &Square) -> Result<u32, WorkError> {
            Ok(task.0 * task.0)
        }
    }
    let (answers, added) = with_executor(|executor| {
        executor.records = records.into();
        let tasks = [Square(13), Square(4)];
        executor.ask(&tasks, || Ok(Sound)).unwrap()
    });
    assert_eq!(answers, Some(vec![0, 16]));
    assert_eq!(added.len(), 1);
}

#[test]
fn what_nothing_can_stand_for_ends_the_run() {
    let tried = Mutex::default();
    let tasks = [Square(2), Square(17), Square(4)];
    let (asked, records) = with_executor(|executor| executor.ask(&tasks, || Ok(Squarer(&tried))));
    let error = asked.unwrap_err().to_string();
    ::tests::says(&error, &["\"square 17\" panicked twice", "unlucky"]);
    assert_eq!(records.len(), 1);
}

#[test]
fn records_of_other_tasks_are_refused() {
    let tried = Mutex::default();
    let spawn = || Ok(Squarer(&tried));
    let (_, records) = with_executor(|executor| executor.ask(&[Square(2)], spawn).unwrap());
    let mut executor = Executor::replay(records.clone());
    executor.begin("test", None, None);
    let error = executor.ask(&[Square(4)], spawn).unwrap_err().to_string();
    ::tests::says(&error, &["line 2", "square 4"]);
    let mut executor = Executor::replay(records);
    executor.begin("another", None, None);
    assert!(executor.ask(&[Square(2)], spawn).is_err());
}

#[test]
fn the_end_of_the_time_is_journaled() {
    let (_, records) = with_executor(|executor| {
        executor.begin("test", None, Some(Duration::from_secs(3600)));
        executor.begin_part(2);
        assert!(!executor.time_is_up("generation 1").unwrap());
        executor.begin("test", None, Some(Duration::ZERO));
        assert!(executor.time_is_up("generation 2").unwrap());
    });
    let mut executor = Executor::replay(records);
    executor.begin("test", None, None);
    assert!(!executor.time_is_up("generation 1").unwrap());
    assert!(executor.cut().is_empty());
    assert!(executor.time_is_up("generation 2").unwrap());
    assert_eq!(executor.cut(), ["test"]);
    assert!(!executor.time_is_up("generation 2").unwrap());
}

/// What a journal answers takes no time, so it says nothing of how long the next generation takes.
#[test]
fn the_time_of_a_replay_counts_for_nothing() {
    let tried = Mutex::default();
    let (_, records) = with_executor(|executor| {
        let squares = executor.ask(&[Square(2)], || Ok(Squarer(&tried)));
        squares.unwrap()
    });
    with_executor(|executor| {
        executor.begin("test", None, Some(Duration::from_secs(20)));
        executor.asked = executor.asked.checked_sub(Duration::from_secs(60)).unwrap();
        executor.records = records.into();
        assert!(!executor.time_is_up("generation 1").unwrap());
        executor.records.clear();
        assert!(!executor.time_is_up("generation 2").unwrap());
    });
}

#[test]
fn what_would_overrun_the_time_by_more_than_half_is_not_begun() {
    for (left, is_up) in [(40, false), (20, true), (0, true)] {
        with_executor(|executor| {
            executor.begin("test", None, Some(Duration::from_secs(left)));
            // As if the last generation had taken a minute.
            executor.asked = executor.asked.checked_sub(Duration::from_secs(60)).unwrap();
            assert_eq!(
                executor.time_is_up("generation 1").unwrap(),
                is_up,
                "{left}"
            );
            // The next question is about what comes after this one.
            executor.begin_part(1);
            assert_eq!(executor.time_is_up("generation 2").unwrap(), left == 0);
        });
    }
}
