//! Where a phase gets the answers to its tasks: from the journal as far as it goes, then by
//! work. All that is the same for every phase is here: replay, the order of the journal, threads,
//! time budgets, tables that grow by a line a generation, progress.
//!
//! Answers are journaled in the order in which the tasks were asked for, whichever thread was
//! faster, so the journal does not depend on the number of threads. What a kill can lose is the
//! tasks in hand and those that finished before an earlier one.

mod elsewhere;
#[cfg(feature = "redis")]
mod pieces;
#[cfg(feature = "redis")]
mod remotely;
mod tables;

use super::answers::{RawDone, Request};
use super::error::{ExecError, WorkError};
use super::journal::{Journal, Record};
use super::processes::Processes;
use super::retry::{Done, keep_panics, retry};
use super::task::{Task, Worker};
use super::timing::Timing;
use crate::base::files::{FileError, append, create_folder_of, write_atomically};
use crate::base::names::{FAULTS_NAME, HISTORY_NAME};
use crate::base::progress::{News, Place, Progress};
use crate::base::stop::Stop;
use crate::base::workers;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The task whose record says that a phase's time was up, and where.
const TIME_IS_UP: &str = "time is up";

/// See the module.
pub struct Executor<'a> {
    records: VecDeque<Record>,
    /// How many there were.
    recorded: usize,
    /// Told of how many of them are done, where there is nobody else to tell.
    watch: Option<&'a mut Progress>,
    /// Where the phase that comes stands in the run.
    place: Option<Place>,
    /// Line of the journal that the next answer comes from.
    line: usize,
    /// Whether the last answer of the journal came without a panic.
    is_sound: bool,
    phase: String,
    /// The phase's folder; nothing is written without one.
    folder: Option<PathBuf>,
    /// What is to be in files once the journal has ended, by path.
    pending: BTreeMap<PathBuf, String>,
    live: Option<Live<'a>>,
    faults: usize,
    /// The phases whose time was up.
    cut: Vec<String>,
    /// Where the journal ends among tasks that are asked for together: how many of them it answers,
    /// and how many there are.
    in_hand: Option<(usize, usize)>,
    /// What all is drawn from at present, for the record of a panic.
    seed: u64,
    /// When the phase is to end, and the part of it that is under way.
    phase_ends: Option<Instant>,
    deadline: Option<Instant>,
    /// When the phase or its part began, or was last asked whether its time is up.
    asked: Instant,
}

/// What it takes to go on where the journal ends.
pub struct Live<'a> {
    /// The run's folder.
    pub folder: &'a Path,
    /// The journal, open for writing.
    pub journal: Journal,
    /// Threads that work.
    pub threads: usize,
    /// Asks to end.
    pub stop: &'a Stop,
    /// Tells the user.
    pub progress: Progress,
    /// Writes the table of wall times.
    pub timing: Timing,
    /// Processes that work instead of threads.
    pub processes: Option<Processes>,
    /// Workers on other machines, beside the threads.
    #[cfg(feature = "redis")]
    pub remote: Option<crate::exec::remote::leader::Remote>,
    /// Whether work has begun.
    pub working: bool,
    /// Whether files that follow from the journal are written at the end alone.
    pub is_lazy: bool,
}

impl Live<'_> {
    /// Tells of something that other machines do. A silent run, which is one of several, says whose it is.
    pub fn tell(&self, text: &str) {
        let name = self.folder.file_name().unwrap_or_default();
        self.progress.event(&name.to_string_lossy(), text);
    }
}

impl<'a> Executor<'a> {
    /// Answers from these records alone. With a folder, all files that follow from them are
    /// written there.
    pub fn replay(records: Vec<Record>) -> Executor<'a> {
        Executor {
            recorded: records.len(),
            records: records.into(),
            watch: None,
            place: None,
            line: 2,
            is_sound: true,
            phase: String::new(),
            folder: None,
            pending: BTreeMap::new(),
            live: None,
            faults: 0,
            cut: Vec::new(),
            in_hand: None,
            seed: 0,
            phase_ends: None,
            deadline: None,
            asked: Instant::now(),
        }
    }

    /// The same, while somebody is told how far it is.
    pub fn watched(self, progress: &'a mut Progress) -> Executor<'a> {
        Executor {
            watch: Some(progress),
            ..self
        }
    }

    /// Answers from the records, then by work.
    pub fn live(records: Vec<Record>, live: Live<'a>) -> Executor<'a> {
        Executor {
            live: Some(live),
            ..Executor::replay(records)
        }
    }

    /// Where the phase that begins next stands in the run, for those who watch.
    pub fn place(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Another phase begins, with so much time; its files go to this folder.
    pub fn begin(&mut self, phase: &str, folder: Option<&Path>, time: Option<Duration>) {
        self.phase = phase.to_string();
        self.folder = folder.map(Path::to_path_buf);
        self.phase_ends = time.and_then(|time| Instant::now().checked_add(time));
        self.deadline = self.phase_ends;
        self.asked = Instant::now();
        if let Some(live) = &mut self.live {
            live.timing.restart();
            live.progress.begin(phase, self.place);
        }
    }

    /// Writes down the time that no generation has counted. If the disk is full or the folder gone,
    /// the next answer says so.
    pub fn note_time(&mut self) {
        if let Some(live) = self.live.as_mut().filter(|live| live.working) {
            let _ = live.timing.note(&self.phase);
        }
    }

    /// What is asked from now on follows from this seed.
    pub fn seeded(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Tasks that panicked until now.
    pub fn faults(&self) -> usize {
        self.faults
    }

    /// Warns of something that doesn't keep the phase from going on.
    pub fn warn(&self, text: &str) {
        if let Some(live) = &self.live {
            live.progress.warn(&format!("{}: {text}", self.phase));
        }
    }

    /// Shows what is being done.
    pub fn say(&mut self, text: &str) {
        if let Some(live) = &mut self.live {
            live.progress.say(text);
        }
    }

    /// Says something that happens once, such as what a phase has come to.
    pub fn announce(&self, text: &str) {
        if let Some(live) = self.live.as_ref().filter(|live| live.working) {
            live.progress.announce(text);
        }
    }

    /// The answers to these tasks, in their order; `None` to end the course here, because the
    /// journal that is replayed ends or the user wants to stop. Workers are made one a thread, and
    /// only if the journal doesn't have all answers.
    ///
    /// # Errors
    /// The journal answers something else, it can't be written, or a worker gives up.
    pub fn ask<T: Task, W: Worker<T>>(
        &mut self,
        tasks: &[T],
        spawn: impl Fn() -> Result<W, WorkError> + Sync,
    ) -> Result<Option<Vec<T::Answer>>, ExecError> {
        let mut answers = Vec::with_capacity(tasks.len());
        for task in tasks {
            match self.recorded(task)? {
                Some(answer) => answers.push(answer),
                None => break,
            }
        }
        let Some(live) = &self.live else {
            if answers.len() < tasks.len() {
                self.in_hand = Some((answers.len(), tasks.len()));
                return Ok(None);
            }
            return Ok(Some(answers));
        };
        let last = answers
            .len()
            .checked_sub(1)
            .and_then(|last| tasks.get(last))
            // A panic may have been the machine's doing, and nobody need be worst a second time.
            .filter(|task| task.is_repeatable() && self.is_sound);
        if let (Some(task), true, false) = (last, self.records.is_empty(), live.working) {
            // The last answer of the journal once more: is this program the one that gave it?
            let found = catch_unwind(AssertUnwindSafe(|| spawn()?.answer(task)));
            if let Ok(found) = found
                && Some(&found?) != answers.last()
            {
                return Err(ExecError::Evaluation { task: task.key() });
            }
        }
        if answers.len() == tasks.len() {
            return Ok(Some(answers));
        }
        if live.stop.requested() {
            return Ok(None);
        }
        self.go_live()?;
        let missing = tasks.get(answers.len()..).unwrap_or_default();
        answers.extend(self.work(missing, &spawn)?);
        Ok((answers.len() == tasks.len()).then_some(answers))
    }

    /// The journal's answer to a task, `None` if it has ended.
    fn recorded<T: Task>(&mut self, task: &T) -> Result<Option<T::Answer>, ExecError> {
        let Some(record) = self.records.pop_front() else {
            return Ok(None);
        };
        let done = self.recorded - self.records.len();
        match (&mut self.watch, &mut self.live) {
            (Some(progress), _) => progress.replaying(true, done, self.recorded),
            (None, Some(live)) => live.progress.replaying(false, done, self.recorded),
            (None, None) => {}
        }
        let answer = serde_json::from_str::<T::Answer>(record.answer.get()).ok();
        let is_asked =
            record.phase == self.phase && record.task == task.key() && record.of == task.digest();
        match answer.filter(|answer| is_asked && task.fits(answer)) {
            Some(answer) => {
                self.line += 1;
                self.is_sound = record.fault.is_none();
                if let Some(fault) = &record.fault {
                    self.keep_fault(fault)?;
                }
                Ok(Some(answer))
            }
            None => Err(self.foreign(&record, &task.key())),
        }
    }

    fn foreign(&self, record: &Record, expected: &str) -> ExecError {
        ExecError::Foreign {
            line: self.line,
            found: format!("{}: {}", record.phase, record.task),
            expected: format!("{}: {expected}", self.phase),
        }
    }

    /// What is done once, before the first work.
    fn go_live(&mut self) -> Result<(), ExecError> {
        let Some(live) = self.live.as_mut().filter(|live| !live.working) else {
            return Ok(());
        };
        live.working = true;
        live.timing.begin_work(&self.phase)?;
        if self.recorded > 0 {
            live.progress.work_begins();
        }
        self.flush_now()?;
        Ok(())
    }

    /// Does tasks on all threads. Fewer answers than tasks: the user wants to stop.
    fn work<T: Task, W: Worker<T>>(
        &mut self,
        tasks: &[T],
        spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
    ) -> Result<Vec<T::Answer>, ExecError> {
        let Some(live) = &self.live else {
            return Ok(Vec::new());
        };
        if live.processes.is_some() {
            return self.work_elsewhere(tasks);
        }
        // What comes out otherwise elsewhere is done here.
        #[cfg(feature = "redis")]
        if live.remote.is_some() && tasks.iter().all(T::is_repeatable) {
            return self.work_remotely(tasks, spawn);
        }
        let (threads, stop) = (live.threads, live.stop.clone());
        let seed = self.seed;
        keep_panics();
        let mut answers = Vec::new();
        workers::in_batches(
            threads,
            0..tasks.len(),
            &stop,
            || Ok(None),
            |worker, index| retry(worker, spawn, &tasks[index], seed),
            |done| {
                self.take_in(&tasks[answers.len()..], done, &mut answers)?;
                if let Some(live) = &mut self.live {
                    live.progress.tasks(answers.len(), tasks.len());
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(answers)
    }

    /// Journals what is done and next in order, in one go.
    fn take_in<T: Task>(
        &mut self,
        tasks: &[T],
        done: Vec<Done<T::Answer>>,
        answers: &mut Vec<T::Answer>,
    ) -> Result<(), ExecError> {
        let mut records = Vec::new();
        for (task, done) in tasks.iter().zip(done) {
            records.push(Record {
                phase: self.phase.clone(),
                task: task.key(),
                of: task.digest(),
                answer: raw(&done.answer)?,
                fault: done.fault,
            });
            answers.push(done.answer);
        }
        self.journal(&records)?;
        if let Some(live) = &mut self.live {
            live.timing.note_if_long(&self.phase)?;
        }
        for fault in records.iter().filter_map(|record| record.fault.as_ref()) {
            self.keep_fault(fault)?;
        }
        Ok(())
    }

    fn journal(&mut self, records: &[Record]) -> Result<(), ExecError> {
        if let (Some(live), false) = (&mut self.live, records.is_empty()) {
            live.journal.append(records)?;
        }
        Ok(())
    }

    /// Counts a panic and keeps what is known of it in a file of its own.
    fn keep_fault(&mut self, fault: &str) -> Result<(), ExecError> {
        self.faults += 1;
        let name = format!("{FAULTS_NAME}/{}-{:03}.txt", self.phase, self.faults);
        // What the journal has was told when it happened.
        if let (Some(live), Some(folder)) =
            (self.live.as_ref().filter(|live| live.working), &self.folder)
        {
            let path = folder.join(&name);
            live.progress
                .warn(&format!("a task panicked: see {}", path.display()));
        }
        self.write(&name, fault.to_string())
    }

    /// Shares the time that is left of the phase among so many parts, of which one begins now and
    /// ends by itself or by [`Executor::time_is_up`]. Without a call the phase is one part.
    pub fn begin_part(&mut self, parts_left: usize) {
        self.deadline = self.phase_ends.map(|ends| {
            let now = Instant::now();
            let left = ends.saturating_duration_since(now);
            now + left / u32::try_from(parts_left.max(1)).unwrap_or(u32::MAX)
        });
        self.asked = Instant::now();
    }

    /// Whether the time is up, asked at a place of the course that `at` names: whether less than
    /// half of what has gone by since the last question is left, so that what comes next, if it takes
    /// as long, does not overrun the time by more than it would leave over. If so, that is journaled,
    /// so that a resumed run ends the phase at the same place.
    ///
    /// # Errors
    /// The journal can't be written.
    pub fn time_is_up(&mut self, at: &str) -> Result<bool, ExecError> {
        if let Some(record) = self.records.front() {
            let is_now = record.phase == self.phase && record.task == TIME_IS_UP && record.of == at;
            if is_now {
                self.records.pop_front();
                self.line += 1;
                self.cut_short();
            }
            self.asked = Instant::now();
            return Ok(is_now);
        }
        let now = Instant::now();
        let next = (now - self.asked) / 2;
        self.asked = now;
        let is_now = self
            .deadline
            .is_some_and(|end| end.saturating_duration_since(now) <= next);
        if self.live.is_none() || !is_now {
            return Ok(false);
        }
        let record = Record {
            phase: self.phase.clone(),
            task: TIME_IS_UP.to_string(),
            of: at.to_string(),
            answer: raw(&())?,
            fault: None,
        };
        self.go_live()?;
        self.journal(&[record])?;
        self.cut_short();
        Ok(true)
    }

    /// Notes that the phase does not come to the end that its profile asks for.
    fn cut_short(&mut self) {
        if self.cut.last() != Some(&self.phase) {
            self.cut.push(self.phase.clone());
        }
    }

    /// The phases that ended because their time was up.
    pub fn cut(&self) -> &[String] {
        &self.cut
    }

    /// Of the tasks among which the journal that is replayed ends: how many it answers, and how many
    /// there are.
    pub fn in_hand(&self) -> Option<(usize, usize)> {
        self.in_hand
    }

    /// Whether all that was answered is still on disk.
    ///
    /// # Errors
    /// The journal has gone.
    pub fn is_saved(&mut self) -> Result<(), ExecError> {
        if let Some(live) = &mut self.live {
            live.journal.sync()?;
            live.journal.is_there()?;
        }
        Ok(())
    }

    /// Whether the journal has ended: what is written from now on goes to the files at once.
    pub fn is_working(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.working)
    }

    /// What it works with, for another executor that goes on.
    pub fn into_live(self) -> Option<Live<'a>> {
        self.live
    }

    /// Ends the display of progress.
    pub fn finish(&self) {
        if let Some(live) = &self.live {
            live.progress.finish();
        }
    }
}

fn raw(answer: &impl serde::Serialize) -> Result<Box<RawValue>, FileError> {
    let value = serde_json::value::to_raw_value(answer);
    value.map_err(|error| FileError::of("write", Path::new("an answer"))(error.into()))
}

#[cfg(test)]
pub(crate) mod tests;
