//! Where a phase gets the answers to its tasks: from the journal as far as it goes, then by
//! work. All that is the same for every phase is here: replay, the order of the journal, threads,
//! time budgets, tables that grow by a line a generation, progress.
//!
//! Answers are journaled in the order in which the tasks were asked for, whichever thread was
//! faster, so the journal does not depend on the number of threads. What a kill can lose is the
//! tasks in hand and those that finished before an earlier one.

use super::answers::{RawDone, Request};
use super::error::{ExecError, WorkError};
use super::journal::{Journal, Record};
use super::processes::Processes;
use super::retry::{Done, keep_panics, retry};
use super::task::{Task, Worker};
use super::timing::Timing;
use crate::base::files::{FileError, append, create_folder, write_atomically};
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
    /// Whether work has begun.
    pub working: bool,
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
        self.flush()?;
        Ok(())
    }

    /// Writes all that waits for the end of the journal.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn flush(&mut self) -> Result<(), FileError> {
        for (path, text) in std::mem::take(&mut self.pending) {
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            write_atomically(&path, text.as_bytes())?;
        }
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

    /// Has tasks done by other processes; one that is large in parts, if there are too few for all of them.
    fn work_elsewhere<T: Task>(&mut self, tasks: &[T]) -> Result<Vec<T::Answer>, ExecError> {
        let mut answers = Vec::new();
        let Some(live) = &mut self.live else {
            return Ok(answers);
        };
        let (stop, Some(processes)) = (live.stop.clone(), live.processes.take()) else {
            return Ok(answers);
        };
        let request = |executor: &Self, task: &T| -> Result<Request, ExecError> {
            Ok(Request {
                phase: executor.phase.clone(),
                kind: T::KIND.to_string(),
                seed: executor.seed,
                task: raw(task)?,
            })
        };
        let mut answered = || {
            if tasks.len() < processes.count() {
                for (number, task) in tasks.iter().enumerate() {
                    let parts = task.split(processes.count());
                    let whole = match parts.is_empty() {
                        true => vec![request(self, task)?],
                        false => parts
                            .iter()
                            .map(|part| request(self, part))
                            .collect::<Result<_, _>>()?,
                    };
                    let done = processes.answer_parts(&whole, &stop)?;
                    if done.len() < whole.len() {
                        break;
                    }
                    let done = merged(task, &parts, done)?;
                    self.take_in(&tasks[number..], vec![done], &mut answers)?;
                }
                return Ok(());
            }
            let requests = tasks.iter().map(|task| request(self, task));
            let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
            processes.answer(&requests, &stop, |done| {
                let rest = &tasks[answers.len()..];
                let done = rest.iter().zip(done);
                let done = done.map(|(task, done)| understood(task, done));
                let done = done.collect::<Result<_, _>>()?;
                self.take_in(rest, done, &mut answers)?;
                if let Some(live) = &mut self.live {
                    live.progress.tasks(answers.len(), tasks.len());
                }
                Ok(())
            })
        };
        let ended = answered();
        if let Some(live) = &mut self.live {
            live.processes = Some(processes);
        }
        ended.map(|()| answers)
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
    pub fn is_saved(&self) -> Result<(), ExecError> {
        match &self.live {
            Some(live) => Ok(live.journal.is_there()?),
            None => Ok(()),
        }
    }

    /// Whether the journal has ended: what is written from now on goes to the files at once.
    pub fn is_working(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.working)
    }

    /// Writes a file of the phase's folder; what an earlier call wrote there is replaced.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&mut self, name: &str, text: String) -> Result<(), ExecError> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        self.pending.insert(folder.join(name), text);
        if self.is_working() {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes a file that is written once: a resumed run that finds it there leaves it as it is.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write_once(
        &mut self,
        name: &str,
        text: impl FnOnce() -> String,
    ) -> Result<(), ExecError> {
        let Some(path) = self.folder.as_ref().map(|folder| folder.join(name)) else {
            return Ok(());
        };
        if self.live.is_none() || self.is_working() || !path.exists() {
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            write_atomically(&path, text().as_bytes())?;
        }
        Ok(())
    }

    /// Adds to a table of the phase's folder, which begins with a heading.
    ///
    /// # Errors
    /// It can't be written.
    pub fn add(&mut self, name: &str, heading: &str, row: &str) -> Result<(), ExecError> {
        let Some(path) = self.folder.as_ref().map(|folder| folder.join(name)) else {
            return Ok(());
        };
        if !self.is_working() {
            let text = self.pending.entry(path);
            text.or_insert_with(|| heading.to_string()).push_str(row);
        } else if path.exists() {
            append(&path, row)?;
        } else {
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            append(&path, &format!("{heading}{row}"))?;
        }
        Ok(())
    }

    /// A generation has ended.
    ///
    /// # Errors
    /// A table can't be written.
    pub fn generation_done(&mut self, heading: &str, news: &News<'_>) -> Result<(), ExecError> {
        self.add(HISTORY_NAME, heading, &news.row)?;
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        if !live.working {
            live.timing.restart();
            live.progress.replayed(news);
            return Ok(());
        }
        let ((run, _), (generation, _)) = (news.run, news.generation);
        let timing = &mut live.timing;
        let seconds = timing.generation_done(&self.phase, run, generation, news.work)?;
        let ends = self.phase_ends;
        let time_left = ends.map(|ends| ends.saturating_duration_since(Instant::now()));
        live.progress.evaluated(news, seconds, time_left);
        Ok(())
    }

    /// Ends the display of progress.
    pub fn finish(&self) {
        if let Some(live) = &self.live {
            live.progress.finish();
        }
    }
}

/// What another process has answered to a task.
fn understood<T: Task>(task: &T, done: RawDone) -> Result<Done<T::Answer>, ExecError> {
    let answer = serde_json::from_str::<T::Answer>(done.answer.get()).ok();
    match answer.filter(|answer| task.fits(answer)) {
        Some(answer) => Ok(Done {
            answer,
            fault: done.fault,
        }),
        None => Err(ExecError::Work(
            format!(
                "{:?} has an answer that can't be one: {}",
                task.key(),
                done.answer
            )
            .into(),
        )),
    }
}

/// What other processes have answered to the parts of a task, together; without parts it is one answer.
fn merged<T: Task>(
    task: &T,
    parts: &[T],
    done: Vec<RawDone>,
) -> Result<Done<T::Answer>, ExecError> {
    let mut answers = Vec::new();
    let mut faults = Vec::new();
    for (at, done) in done.into_iter().enumerate() {
        let done = understood(parts.get(at).unwrap_or(task), done)?;
        answers.push(done.answer);
        faults.extend(done.fault);
    }
    let fault = (!faults.is_empty()).then(|| faults.join("\n"));
    let answer = match (parts.is_empty(), answers.pop()) {
        (true, Some(only)) => only,
        (_, last) => {
            answers.extend(last);
            task.merge(&answers)
        }
    };
    Ok(Done { answer, fault })
}

fn raw(answer: &impl serde::Serialize) -> Result<Box<RawValue>, FileError> {
    let value = serde_json::value::to_raw_value(answer);
    value.map_err(|error| FileError::of("write", Path::new("an answer"))(error.into()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::exec::journal::{self, FORMAT, Header, JOURNAL_NAME};
    use serde::{Deserialize, Serialize};
    use std::sync::Mutex;

    fn header() -> Header {
        Header {
            format: FORMAT,
            program: "test".into(),
            profile: "test".into(),
            profile_sha256: String::new(),
            only: None,
            command: Vec::new(),
            table: Vec::new(),
            files: Vec::new(),
        }
    }

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
                working: false,
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
        assert!(
            once.contains("odd") && once.contains("done again"),
            "{once}"
        );
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
        let (asked, records) =
            with_executor(|executor| executor.ask(&tasks, || Ok(Squarer(&tried))));
        let error = asked.unwrap_err().to_string();
        assert!(
            error.contains("\"square 17\" panicked twice") && error.contains("unlucky"),
            "{error}"
        );
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
        assert!(
            error.contains("line 2") && error.contains("square 4"),
            "{error}"
        );
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
}
