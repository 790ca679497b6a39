//! The two ways of answering tasks: from the journal alone ([`Replay`]), and from the journal as
//! far as it goes and by evaluation from there on ([`Live`]).

use super::RunError;
use super::evolve::{Outcome, RunResult, Tasks};
use super::output::{HISTORY_HEADING, HISTORY_NAME, TIMING_NAME, history_row, write_results};
use super::recipe::{BLOCK, blocks, digest};
use crate::config::Profile;
use crate::data::suite::Suite;
use crate::files::{FileError, write_atomically};
use crate::fitness::grandmaster::Forest;
use crate::journal::{Header, Journal, Task, TaskKey};
use crate::progress::{Cost, Progress, per_second};
use crate::report::GenerationStats;
use crate::stop::Stop;
use engine::eval::params::EvalParams;
use engine::one_ply::Quiescence;
use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Answers from a journal until it ends.
#[derive(Debug)]
pub struct Replay {
    tasks: VecDeque<Task>,
    /// Line of the journal that the next answer comes from.
    line: usize,
}

impl Replay {
    /// Answers from these records.
    pub fn new(tasks: Vec<Task>) -> Replay {
        Replay {
            tasks: tasks.into(),
            line: 2,
        }
    }

    /// The answer to this task, `None` if the journal has ended.
    ///
    /// # Errors
    /// The journal's next record answers another task: it belongs to another course of events.
    fn next(
        &mut self,
        key: TaskKey,
        individuals: &[EvalParams],
        limit: usize,
    ) -> Result<Option<Vec<u32>>, RunError> {
        let Some(task) = self.tasks.pop_front() else {
            return Ok(None);
        };
        let fits = task.key == key
            && task.individuals == digest(individuals)
            && task.solved.len() == individuals.len()
            && task.solved.iter().all(|&count| count as usize <= limit);
        if !fits {
            return Err(RunError::Foreign {
                line: self.line,
                found: task.key,
                expected: key,
            });
        }
        self.line += 1;
        Ok(Some(task.solved))
    }
}

impl Tasks for Replay {
    fn solved(
        &mut self,
        key: TaskKey,
        individuals: &[EvalParams],
    ) -> Result<Option<Vec<u32>>, RunError> {
        self.next(key, individuals, BLOCK)
    }

    fn generation_done(&mut self, _run: usize, _stats: &GenerationStats) -> Result<(), RunError> {
        Ok(())
    }

    fn run_done(&mut self, _runs: &[RunResult]) -> Result<(), RunError> {
        Ok(())
    }
}

/// What a run that evaluates needs.
#[derive(Debug)]
pub struct Workplace<'a> {
    /// The run's folder.
    pub folder: &'a Path,
    /// Its profile.
    pub profile: &'a Profile,
    /// Its journal's first record.
    pub header: &'a Header,
    /// The training positions.
    pub train: &'a Suite,
    /// The held-out positions.
    pub test: Option<&'a Suite>,
    /// The threads that evaluate.
    pub pool: &'a rayon::ThreadPool,
    /// Asks to end.
    pub stop: &'a Stop,
}

/// Answers from the journal as far as it goes, then by evaluation.
pub struct Live<'a> {
    place: Workplace<'a>,
    quiescence: Quiescence,
    replay: Replay,
    journal: Journal,
    progress: Progress,
    /// The training positions, block by block, each built when first needed.
    forests: Vec<Option<Forest>>,
    /// The table of generations, until the first of them is evaluated and it goes to its file.
    history: Option<String>,
    /// The first individual of the last replayed task: block, parameters, count.
    sample: Option<(u32, EvalParams, u32)>,
    /// Individuals evaluated since the last generation, and since when.
    evaluated: usize,
    since: Instant,
}

impl<'a> Live<'a> {
    /// Goes on after these tasks of the journal.
    pub fn new(
        place: Workplace<'a>,
        journal: Journal,
        tasks: Vec<Task>,
        progress: Progress,
    ) -> Live<'a> {
        let blocks = blocks(place.train.problems.len(), BLOCK).count();
        Live {
            quiescence: place.profile.quiescence.into(),
            replay: Replay::new(tasks),
            journal,
            progress,
            forests: (0..blocks).map(|_| None).collect(),
            history: Some(HISTORY_HEADING.to_string()),
            sample: None,
            evaluated: 0,
            since: Instant::now(),
            place,
        }
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        self.progress.finish();
    }

    /// What is done once, before the first evaluation.
    fn go_live(&mut self) -> Result<(), RunError> {
        let Some(history) = self.history.take() else {
            return Ok(());
        };
        let folder = self.place.folder;
        write_atomically(&folder.join(HISTORY_NAME), history.as_bytes())?;
        let timing = folder.join(TIMING_NAME);
        if !timing.exists() {
            append(&timing, "run,generation,seconds,positions_per_second\n")?;
        }
        if let Some((block, individual, recorded)) = self.sample.take() {
            let counted = self.train_block(block, &[individual]);
            if counted != [recorded] {
                return Err(RunError::Evaluation {
                    recorded,
                    counted: counted.first().copied().unwrap_or(0),
                });
            }
        }
        Ok(())
    }

    /// Counts on a block of the training positions.
    fn train_block(&mut self, block: u32, individuals: &[EvalParams]) -> Vec<u32> {
        let place = &self.place;
        let problems = &place.train.problems;
        let Some((range, forest)) = blocks(problems.len(), BLOCK)
            .zip(&mut self.forests)
            .nth(block as usize)
        else {
            return Vec::new();
        };
        let forest = forest.get_or_insert_with(|| {
            self.progress
                .say("building the trees of the training positions");
            place
                .pool
                .install(|| Forest::build(&problems[range], &self.quiescence))
        });
        place.pool.install(|| forest.solved(individuals))
    }

    /// Counts on a block of the held-out positions. Its trees are needed once, so they don't stay,
    /// and neither do those of the training positions, with which evolution is over.
    fn test_block(&mut self, block: u32, individuals: &[EvalParams]) -> Vec<u32> {
        self.forests.iter_mut().for_each(|forest| *forest = None);
        let problems = self.place.test.map_or(&[][..], |suite| &suite.problems);
        let Some(range) = blocks(problems.len(), BLOCK).nth(block as usize) else {
            return Vec::new();
        };
        self.progress
            .say("scoring the champions on the held-out positions");
        self.place
            .pool
            .install(|| Forest::build(&problems[range], &self.quiescence).solved(individuals))
    }
}

impl Tasks for Live<'_> {
    fn solved(
        &mut self,
        key: TaskKey,
        individuals: &[EvalParams],
    ) -> Result<Option<Vec<u32>>, RunError> {
        if let Some(solved) = self.replay.next(key, individuals, BLOCK)? {
            if let (TaskKey::Generation { block, .. }, Some(first), Some(&count)) =
                (key, individuals.first(), solved.first())
            {
                self.sample = Some((block, first.clone(), count));
            }
            return Ok(Some(solved));
        }
        if self.place.stop.requested() {
            return Ok(None);
        }
        self.go_live()?;
        let solved = match key {
            TaskKey::Generation { block, .. } => {
                if block == 0 {
                    self.evaluated += individuals.len();
                }
                self.train_block(block, individuals)
            }
            TaskKey::HeldOut { block } => self.test_block(block, individuals),
        };
        self.journal.append(&Task {
            key,
            individuals: digest(individuals),
            solved: solved.clone(),
        })?;
        Ok(Some(solved))
    }

    fn generation_done(&mut self, run: usize, stats: &GenerationStats) -> Result<(), RunError> {
        let cost = Cost {
            individuals: std::mem::take(&mut self.evaluated),
            seconds: self.since.elapsed().as_secs_f64(),
        };
        self.since = Instant::now();
        let row = history_row(run, stats);
        if let Some(history) = &mut self.history {
            history.push_str(&row);
            self.progress.replayed();
            return Ok(());
        }
        append(&self.place.folder.join(HISTORY_NAME), &row)?;
        let rate = per_second(cost, self.place.train.problems.len());
        let row = format!("{run},{},{:.6},{rate:.0}\n", stats.generation, cost.seconds);
        append(&self.place.folder.join(TIMING_NAME), &row)?;
        self.progress.evaluated(run, stats, cost);
        Ok(())
    }

    fn run_done(&mut self, runs: &[RunResult]) -> Result<(), RunError> {
        if self.history.is_some() {
            return Ok(());
        }
        let outcome = Outcome {
            runs: runs.to_vec(),
            complete: false,
        };
        let place = &self.place;
        write_results(place.folder, place.profile, place.header, &outcome)
    }
}

fn append(path: &PathBuf, text: &str) -> Result<(), FileError> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(FileError::of("write", path))
}
