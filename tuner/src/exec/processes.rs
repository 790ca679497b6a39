//! Tasks answered by processes of this program, one line of JSON each way.
//!
//! A process that dies is replaced, and another one does its task: the answer is the same. Only a task that
//! takes three processes down with it ends the run, for there is no panic to catch.

use super::answers::{RawDone, Reply, Request};
use super::error::ExecError;
use crate::base::names::PROGRAM;
use crate::base::stop::Stop;
use crate::base::workers;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Processes that one task may take down before it is given up.
const MOST_DEATHS: usize = 3;

/// How the processes are started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// Its arguments: they make it read tasks.
    pub arguments: Vec<OsString>,
}

/// Several processes, each started when it is first needed.
#[derive(Debug)]
pub struct Processes {
    start: Start,
    slots: Vec<Mutex<Option<Process>>>,
}

/// One that is ready for a task. It ends when it is dropped, for nobody writes to it any more.
#[derive(Debug)]
struct Process {
    child: Child,
    tasks: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Processes {
    /// So many processes, at least one.
    pub fn new(start: Start, count: usize) -> Processes {
        Processes {
            start,
            slots: (0..count.max(1)).map(|_| Mutex::default()).collect(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// Answers to tasks; `accept` gets those that are next in order. Fewer answers than tasks: `stop` wants
    /// it to end.
    ///
    /// # Errors
    /// No process can be started, one gives up in words, a task kills them all, or `accept`'s.
    pub fn answer(
        &self,
        requests: &[Request],
        stop: &Stop,
        mut accept: impl FnMut(Vec<RawDone>) -> Result<(), ExecError>,
    ) -> Result<(), ExecError> {
        let next = AtomicUsize::new(0);
        workers::in_batches(
            self.count(),
            0..requests.len(),
            stop,
            || Ok(next.fetch_add(1, Relaxed)),
            |slot, index| self.ask(*slot, &requests[index]),
            |done| accept(done).map(ControlFlow::Continue),
        )
    }

    /// Answers to the parts of one task, each part by the same process every time: it may have kept what it
    /// needs for it.
    ///
    /// # Errors
    /// As [`answer`](Processes::answer).
    pub fn answer_parts(&self, parts: &[Request], stop: &Stop) -> Result<Vec<RawDone>, ExecError> {
        let mut answers = Vec::new();
        workers::in_batches(
            self.count(),
            0..parts.len(),
            stop,
            || Ok(()),
            |(), index| self.ask(index, &parts[index]),
            |done| {
                answers.extend(done);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(answers)
    }

    /// Has a task done by the process in a slot, or by one that takes its place.
    fn ask(&self, slot: usize, request: &Request) -> Result<RawDone, ExecError> {
        let line = serde_json::to_string(request).map_err(|error| work(error.to_string()))?;
        let slot = &self.slots[slot % self.slots.len()];
        let mut process = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = String::new();
        for _ in 0..MOST_DEATHS {
            let mut ready = match process.take() {
                Some(ready) => ready,
                None => Process::start(&self.start)?,
            };
            match ready.ask(&line) {
                Ok(Reply::Done(done)) => {
                    *process = Some(ready);
                    return Ok(done);
                }
                Ok(Reply::Failed(said)) => return Err(work(said)),
                Err(error) => last = error.to_string(),
            }
        }
        Err(work(format!(
            "{MOST_DEATHS} processes have died of a task of phase {} ({last}): {}",
            request.phase,
            shortened(&line)
        )))
    }
}

/// The beginning of a task, which may be long.
fn shortened(line: &str) -> String {
    const MOST: usize = 200;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

fn work(said: String) -> ExecError {
    ExecError::Work(said.into())
}

impl Process {
    fn start(start: &Start) -> Result<Process, ExecError> {
        let failed = |error: io::Error| {
            let program = start.program.display();
            work(format!(
                "{program} can't be started to answer tasks: {error}"
            ))
        };
        let mut command = Command::new(&start.program);
        command
            .args(&start.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // A key pressed in our terminal is for us: we end them.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let tasks = child.stdin.take();
        let Some(replies) = child.stdout.take() else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let mut process = Process {
            child,
            tasks,
            replies: BufReader::new(replies),
        };
        // It has read its data, and is of our version.
        let hello = process.line().map_err(failed)?;
        if hello != PROGRAM {
            return Err(failed(io::Error::other(format!(
                "it says {hello:?}, expected {PROGRAM:?}"
            ))));
        }
        Ok(process)
    }

    /// A line, without its end.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.replies.read_line(&mut line)? == 0 || !line.ends_with('\n') {
            let ended = self.child.wait().map(|status| status.to_string());
            let ended = ended.unwrap_or_else(|error| error.to_string());
            return Err(io::Error::other(format!("it has ended, {ended}")));
        }
        line.pop();
        Ok(line)
    }

    fn ask(&mut self, line: &str) -> io::Result<Reply> {
        let Some(tasks) = &mut self.tasks else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        tasks.write_all(line.as_bytes())?;
        tasks.write_all(b"\n")?;
        tasks.flush()?;
        let reply = self.line()?;
        serde_json::from_str(&reply).map_err(io::Error::other)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its tasks ends it, unless it hangs.
        self.tasks = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
