//! Runs with a fitness function whose values are known.

use super::*;
use crate::config::evolution::Fitness;
use crate::encoding::rows::digest_of_evaluations;
use crate::evolution::ga;
use crate::exec::executor::tests::with_executor;
use crate::exec::journal::Record;
use crate::exec::task::Task as _;
use crate::fitness::grandmaster::decay;
use crate::phases::positions::outcome::Who;
use engine::params::ParamSet;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn settings(block: usize) -> Settings {
    let genes = engine::params::layout("eval-2014").unwrap();
    Settings {
        encoding: Encoding::new(genes, base()),
        method: Method::Ga(ga::Settings {
            population: 12,
            ..ga::tests::settings(1)
        }),
        schedule: Schedule {
            seeds: vec![3, 4],
            generations: 15,
        },
        covariance_from: None,
        fitness: Fitness::Squared,
        points: 1,
        train_positions: 63 * 5,
        test_positions: Some(63),
        block,
        is_additive: true,
        decay: 0.0,
        mean: false,
        draw: Draw::All,
    }
}

/// "Position" p is solved by those whose value of knight outposts exceeds p modulo 63.
struct Synthetic<'a> {
    seen: &'a Mutex<HashSet<(u32, String)>>,
    done: &'a AtomicUsize,
}

impl Worker<Count> for Synthetic<'_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        self.done.fetch_add(1, Ordering::Relaxed);
        if let Block::Train { run, block: 0, .. } = task.of {
            for params in task.individuals.iter() {
                let entry = (run, digest_of_evaluations([params]));
                let new = self.seen.lock().unwrap().insert(entry);
                assert!(new, "a phenotype was evaluated twice");
            }
        }
        Ok(counted(&task.individuals, task))
    }
}

/// The points of individuals on the positions of a task.
fn counted(individuals: &[EvalParams], task: &Count) -> Vec<u32> {
    let count = |params: &EvalParams| {
        let value = params.knight_outpost_mult as usize;
        let positions = task.positions.clone();
        positions.filter(|position| value > position % 63).count() as u32
    };
    individuals.iter().map(count).collect()
}

/// The same, while the runs behind go along; how often it is counted, and how many individuals at most.
struct Abreast<'a, 'b>(&'a Mutex<(ahead::Ahead<'b>, usize, usize)>);

impl Worker<Count> for Abreast<'_, '_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let (ahead, times, most) = &mut *self.0.lock().unwrap();
        ahead.answer(task, |individuals| {
            (*times, *most) = (*times + 1, individuals.len().max(*most));
            Ok(counted(individuals, task))
        })
    }
}

/// The same by halves of the positions, as workers elsewhere and processes answer it.
struct Halves<'a, 'b>(Abreast<'a, 'b>);

impl Worker<Count> for Halves<'_, '_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let parts = task.split(2);
        let parts = parts.iter().map(|part| self.0.answer(part));
        Ok(task.merge(&parts.collect::<Result<Vec<_>, _>>()?))
    }
}

/// What all runs come to, and the records of it.
fn evolved<W: Worker<Count>>(
    settings: &Settings,
    spawn: impl Fn() -> Result<W, WorkError> + Sync,
) -> (Outcome, Vec<Record>) {
    with_executor(|executor| evolve(settings, executor, &spawn, &mut |_, _| Ok(())).unwrap())
}

/// Five runs of fifteen generations are told the same and journal the same as one after the other, and are counted in
/// hardly more steps than one of them.
#[test]
fn runs_side_by_side_are_the_same_runs() {
    let settings = Settings {
        schedule: Schedule {
            seeds: vec![3, 4, 5, 6, 7],
            generations: 15,
        },
        ..settings(1000)
    };
    let (seen, done) = (Mutex::default(), AtomicUsize::new(0));
    let alone = evolved(&settings, || {
        Ok(Synthetic {
            seen: &seen,
            done: &done,
        })
    });
    let ahead = ahead::Ahead::new(&settings).unwrap();
    let counted = Mutex::new((ahead, 0, 0));
    assert_eq!(evolved(&settings, || Ok(Abreast(&counted))), alone);
    let (_, times, most) = counted.into_inner().unwrap();
    let (steps, tasks) = (times, alone.1.len());
    assert!(steps <= 15 + 5 && tasks >= 70, "{steps} {tasks}");
    assert!((50..=60).contains(&most), "{most}");
    // Points of a half are never taken for those of the whole, or of the other half.
    let ahead = ahead::Ahead::new(&settings).unwrap();
    let counted = Mutex::new((ahead, 0, 0));
    let halved = evolved(&settings, || Ok(Halves(Abreast(&counted))));
    assert_eq!(halved, alone);
    // Alone, or on positions of its own, no run goes along with another.
    let alone = Settings {
        schedule: Schedule {
            seeds: vec![3],
            ..settings.schedule.clone()
        },
        ..settings.clone()
    };
    let draw = Draw::Fresh(10);
    for other in [
        alone,
        Settings {
            draw,
            ..settings.clone()
        },
    ] {
        assert!(ahead::Ahead::new(&other).is_none());
    }
}

/// The course with so many answers from a journal of the whole; `usize::MAX` works it out.
fn outcome(block: usize, left: usize) -> Outcome {
    outcome_of(&settings(block), left)
}

fn outcome_of(settings: &Settings, left: usize) -> Outcome {
    let (seen, done) = (Mutex::default(), AtomicUsize::new(0));
    let spawn = || {
        Ok(Synthetic {
            seen: &seen,
            done: &done,
        })
    };
    let (whole, mut records) = evolved(settings, spawn);
    assert_eq!(records.len(), done.load(Ordering::Relaxed));
    if left == usize::MAX {
        return whole;
    }
    records.truncate(left);
    let mut executor = Executor::replay(records);
    executor.begin("test", None, None);
    evolve(settings, &mut executor, &spawn, &mut |_, _| Ok(())).unwrap()
}

#[test]
fn with_decay_the_best_has_smaller_weights_and_solves_fewer() {
    let dear = |decay| Settings {
        decay,
        ..settings(1000)
    };
    let plain = outcome_of(&dear(0.0), usize::MAX);
    assert_eq!(plain, outcome(1000, usize::MAX));
    // Random pieces cost some forty positions of 315 then.
    let small = outcome_of(&dear(100.0), usize::MAX);
    let costs = |outcome: &Outcome| -> u32 {
        let runs = outcome.runs.iter();
        runs.map(|run| decay(&run.champion.eval, 100.0, 63 * 5))
            .sum()
    };
    assert!(costs(&small) < costs(&plain), "{small:?}");
    // What is told are positions, with nothing taken away.
    for run in &small.runs {
        let value = run.champion.eval.knight_outpost_mult as u32;
        assert_eq!(
            (run.train_solved, run.test_solved),
            (5 * value, Some(value))
        );
        assert_eq!(run.train_solved, run.generations[14].best);
    }
    assert_eq!(small, outcome_of(&dear(100.0), usize::MAX));
}

#[test]
fn the_mean_is_of_all_runs_and_the_first_champion() {
    let of_mean = |block| Settings {
        mean: true,
        ..settings(block)
    };
    let whole = outcome_of(&of_mean(1000), usize::MAX);
    assert_eq!(whole, outcome_of(&of_mean(50), usize::MAX));
    let plain = outcome(1000, usize::MAX);
    assert_eq!((&whole.runs, &plain.mean), (&plain.runs, &None));
    let mean = whole.mean.clone().unwrap();
    let outposts = |params: &ParamSet| params.eval.knight_outpost_mult;
    let sum: i32 = whole.runs.iter().map(|run| outposts(&run.champion)).sum();
    let value = (sum + 1) / 2;
    assert_eq!(outposts(&mean.champion), value);
    let value = value as u32;
    assert_eq!(
        (mean.train_solved, mean.test_solved),
        (5 * value, Some(value))
    );
    assert_eq!(whole.best(), Some(mean.chosen()));
    assert_eq!(whole.champions()[0], mean.champion);
    assert_eq!(whole.champions()[1..], plain.champions());
}

#[test]
fn the_number_of_blocks_changes_nothing() {
    let whole = outcome(1000, usize::MAX);
    assert!(whole.complete);
    assert_eq!(whole, outcome(50, usize::MAX));
    for run in &whole.runs {
        assert_eq!(run.generations.len(), 15);
        assert!(run.generations.is_sorted_by_key(|stats| stats.best));
        let value = run.champion.eval.knight_outpost_mult as u32;
        assert_eq!(
            (run.train_solved, run.test_solved),
            (5 * value, Some(value))
        );
        assert_eq!(run.train_solved, run.generations[14].best);
    }
    assert!(whole.runs[0].train_solved > whole.runs[0].generations[0].mean as u32);
}

#[test]
fn what_was_answered_is_kept() {
    let whole = outcome(1000, usize::MAX);
    assert!(outcome(1000, 0).runs.is_empty());
    for left in [1, 5, 14, 16, 20] {
        let part = outcome(1000, left);
        assert!(!part.complete);
        for (part, whole) in part.runs.iter().zip(&whole.runs) {
            assert!(whole.generations.starts_with(&part.generations));
        }
    }
    assert!(outcome(1000, 5).best().is_none());
    assert_eq!(
        outcome(1000, 20).best().map(|best| best.who),
        Some(Who::Run(0))
    );
}

#[test]
fn the_first_of_equal_champions_is_the_best() {
    let mut outcome = outcome(1000, usize::MAX);
    for run in &mut outcome.runs {
        run.train_solved = 7;
    }
    assert_eq!(outcome.best().map(|best| best.who), Some(Who::Run(0)));
}
