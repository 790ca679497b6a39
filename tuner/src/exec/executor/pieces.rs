//! The tasks of one call in pieces: who has which, what has come of them, and whose answers are to be trusted.

use super::elsewhere::understood;
use super::*;
use crate::exec::remote::leader::Remote;
use crate::exec::remote::message::Unit;
use crossbeam_channel::Sender;
use std::collections::{BTreeSet, HashMap};

/// Parts of a large task for each worker and for the threads here: each part has all of the task but its positions
/// with it, and whoever is faster does more of them.
const PARTS: usize = 2;
/// Parts of a task at most.
const MOST_PARTS: usize = 64;
/// Units that are out for each thread of a worker.
const AHEAD: usize = 24;
/// Another answer to a piece that has one.
pub(super) enum Second<A> {
    /// None is asked for.
    None,
    /// It has been asked for.
    Asked,
    /// It differs, by this worker, and the third is asked for here.
    Differs(String, A),
}

pub(super) struct Found<A> {
    pub(super) done: Done<A>,
    /// The worker who has said so, if nobody has confirmed it.
    pub(super) by: Option<String>,
    pub(super) second: Second<A>,
}

/// Tasks in pieces.
pub(super) struct Cut<'t, T> {
    pub(super) tasks: &'t [T],
    /// Of each piece the number of its task, and the part if that has several.
    pub(super) pieces: Vec<(usize, Option<T>)>,
    /// Number of each task's first piece, and behind the last the number of all.
    pub(super) first: Vec<usize>,
}

impl<'t, T: Task> Cut<'t, T> {
    /// For so many who work. Their number may be another each time: answers to parts add up to the same.
    pub(super) fn new(tasks: &'t [T], hands: usize) -> Self {
        let (mut pieces, mut first) = (Vec::new(), vec![0]);
        let count = hands.saturating_mul(PARTS).clamp(PARTS, MOST_PARTS);
        for (of, task) in tasks.iter().enumerate() {
            let parts = match tasks.len() < count {
                true => task.split(count),
                false => Vec::new(),
            };
            match parts.is_empty() {
                true => pieces.push((of, None)),
                false => pieces.extend(parts.into_iter().map(|part| (of, Some(part)))),
            }
            first.push(pieces.len());
        }
        Cut {
            tasks,
            pieces,
            first,
        }
    }

    pub(super) fn piece(&self, number: usize) -> &T {
        let (of, part) = &self.pieces[number];
        part.as_ref().unwrap_or(&self.tasks[*of])
    }
}

pub(super) struct Piece<T: Task> {
    pub(super) found: Option<Found<T::Answer>>,
    /// Number of the journal's record that has it.
    pub(super) record: Option<usize>,
    /// Numbers under which it is out.
    pub(super) units: Vec<u64>,
}

/// What a piece is to be answered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It has no answer.
    Answer,
    /// Its answer is compared with another one.
    Compare,
}

/// A piece for somebody.
pub(super) type Job = (usize, Why);

/// The tasks of one call.
pub(super) struct Work<'t, T: Task> {
    pub(super) cut: &'t Cut<'t, T>,
    /// The phase that asks, and what all is drawn from at present.
    pub(super) phase: String,
    pub(super) seed: u64,
    pub(super) pieces: Vec<Piece<T>>,
    /// Pieces that nobody has.
    pub(super) queue: BTreeSet<usize>,
    /// What is to be done here and nowhere else.
    pub(super) own: Vec<Job>,
    /// What the units that are out are for.
    pub(super) units: HashMap<u64, Job>,
    /// Jobs that threads here have.
    pub(super) here: usize,
    /// Pieces whose second answer is waited for.
    pub(super) compared: usize,
    /// Tasks whose answers are in the journal.
    pub(super) accepted: usize,
}

impl<'t, T: Task> Work<'t, T> {
    pub(super) fn new(cut: &'t Cut<'t, T>, phase: &str, seed: u64) -> Self {
        let piece = |_| Piece {
            found: None,
            record: None,
            units: Vec::new(),
        };
        Work {
            cut,
            phase: phase.to_string(),
            seed,
            pieces: (0..cut.pieces.len()).map(piece).collect(),
            queue: (0..cut.pieces.len()).collect(),
            own: Vec::new(),
            units: HashMap::new(),
            here: 0,
            compared: 0,
            accepted: 0,
        }
    }

    pub(super) fn request(&self, piece: usize) -> Result<Box<RawValue>, ExecError> {
        Ok(raw(&Request {
            phase: self.phase.clone(),
            kind: T::KIND.to_string(),
            seed: self.seed,
            task: raw(self.cut.piece(piece))?,
        })?)
    }

    /// A unit more for a piece.
    pub(super) fn unit(
        &mut self,
        remote: &mut Remote,
        job: Job,
        text: Box<RawValue>,
        not: Option<String>,
    ) -> Unit {
        let id = remote.number();
        self.units.insert(id, job);
        self.pieces[job.0].units.push(id);
        Unit {
            id,
            not,
            request: text,
        }
    }

    /// Units that nobody answers any more: their pieces wait again, and comparisons are made here.
    pub(super) fn lost(&mut self, units: Vec<u64>) {
        for unit in units {
            match self.units.remove(&unit) {
                Some((piece, Why::Answer)) if self.pieces[piece].found.is_none() => {
                    self.queue.insert(piece);
                }
                Some(job @ (_, Why::Compare)) => self.own.push(job),
                _ => {}
            }
        }
    }

    /// Pieces wait again that only this worker has answered and that are not in the journal.
    pub(super) fn forget(&mut self, worker: &str) {
        for (number, piece) in self.pieces.iter_mut().enumerate() {
            let found = piece.found.as_ref();
            let is_his = found.is_some_and(|found| found.by.as_deref() == Some(worker));
            if is_his && piece.record.is_none() {
                let found = piece.found.take();
                let is_compared = found.is_some_and(|found| !matches!(found.second, Second::None));
                self.compared -= usize::from(is_compared);
                self.own.retain(|job| *job != (number, Why::Compare));
                self.queue.insert(number);
            }
        }
    }

    /// Publishes pieces while workers may want some.
    pub(super) fn publish(&mut self, remote: &mut Remote) -> Result<(), ExecError> {
        let most = AHEAD * remote.threads();
        let wanted = most.saturating_sub(remote.out());
        // Many at a time: each time costs as much as a few of them.
        if wanted < most.div_ceil(2) || self.queue.is_empty() || !remote.is_up() {
            return Ok(());
        }
        let (mut units, mut bytes) = (Vec::new(), 0);
        let waiting: Vec<usize> = self.queue.iter().copied().take(wanted).collect();
        for piece in waiting {
            let request = self.request(piece)?;
            if bytes > (8 << 20) || !remote.takes(request.get()) {
                break;
            }
            bytes += request.get().len();
            self.queue.remove(&piece);
            units.push(self.unit(remote, (piece, Why::Answer), request, None));
        }
        if !units.is_empty() {
            let lost = remote.publish(&units);
            self.lost(lost);
        }
        Ok(())
    }

    /// A worker's answer to a unit.
    pub(super) fn answered(
        &mut self,
        remote: &mut Remote,
        unit: u64,
        worker: String,
        done: RawDone,
    ) -> Result<(), ExecError> {
        let Some((piece, why)) = self.units.get(&unit).copied() else {
            let lost = remote.settle(&[unit]);
            self.lost(lost);
            return Ok(());
        };
        let Ok(done) = understood(self.cut.piece(piece), done) else {
            let lost = remote.shut_out(&worker, "it gives answers that can't be any");
            self.units.remove(&unit);
            match why {
                Why::Answer if self.pieces[piece].found.is_none() => drop(self.queue.insert(piece)),
                Why::Answer => {}
                Why::Compare => self.own.push((piece, why)),
            }
            self.lost(lost);
            return self.distrust(remote, &worker);
        };
        match (why, &mut self.pieces[piece].found) {
            (Why::Answer, found @ None) => {
                *found = Some(Found {
                    done,
                    by: Some(worker.clone()),
                    second: Second::None,
                });
                self.queue.remove(&piece);
                if remote.is_due() {
                    self.compare(remote, piece, worker)?;
                }
            }
            (Why::Compare, Some(found)) if matches!(found.second, Second::Asked) => {
                if found.done.answer == done.answer {
                    self.confirm(remote, piece);
                } else {
                    found.second = Second::Differs(worker, done.answer);
                    self.own.push((piece, Why::Compare));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Has a piece that a worker has answered done by another one, or here.
    pub(super) fn compare(
        &mut self,
        remote: &mut Remote,
        piece: usize,
        worker: String,
    ) -> Result<(), ExecError> {
        if let Some(found) = &mut self.pieces[piece].found {
            found.second = Second::Asked;
            self.compared += 1;
        }
        let job = (piece, Why::Compare);
        if remote.workers() < 2 {
            self.own.push(job);
            return Ok(());
        }
        let request = self.request(piece)?;
        let unit = self.unit(remote, job, request, Some(worker));
        let lost = remote.publish(&[unit]);
        self.lost(lost);
        Ok(())
    }

    pub(super) fn confirm(&mut self, remote: &mut Remote, piece: usize) {
        let piece = &mut self.pieces[piece];
        if let Some(found) = &mut piece.found {
            found.second = Second::None;
            self.compared -= 1;
            if let (Some(by), Some(record)) = (found.by.take(), piece.record) {
                remote.trail.confirm(record, &by);
            }
        }
    }

    /// What a thread here has found, which is the truth.
    pub(super) fn found_here(
        &mut self,
        remote: &mut Remote,
        (piece, why): Job,
        done: Done<T::Answer>,
    ) -> Result<(), ExecError> {
        let mut wrong = Vec::new();
        let is_journaled = self.pieces[piece].record.is_some();
        match (why, &mut self.pieces[piece].found) {
            (Why::Answer, found @ None) => {
                *found = Some(Found {
                    done,
                    by: None,
                    second: Second::None,
                });
                self.queue.remove(&piece);
            }
            (Why::Compare, Some(found)) if !matches!(found.second, Second::None) => {
                // Who panics here is no judge.
                let is_judge = done.fault.is_none();
                if let Second::Differs(worker, answer) = &found.second
                    && is_judge
                    && *answer != done.answer
                {
                    wrong.push(worker.clone());
                }
                if is_judge && found.done.answer != done.answer {
                    wrong.extend(found.by.clone());
                    found.second = Second::None;
                    self.compared -= 1;
                    if !is_journaled {
                        found.done = done;
                        found.by = None;
                    }
                } else {
                    self.confirm(remote, piece);
                }
            }
            _ => {}
        }
        let key = self.cut.piece(piece).key();
        for worker in wrong {
            let lost = remote.shut_out(&worker, &format!("its answer to {key:?} is wrong"));
            self.lost(lost);
            self.distrust(remote, &worker)?;
        }
        Ok(())
    }

    /// Gives pieces to the threads here, in the order of the tasks, and takes some back from the server if there
    /// are no others.
    pub(super) fn hand_out(&mut self, remote: &mut Remote, give: &Sender<Job>, threads: usize) {
        let works = !remote.settings().workers_only;
        // One more than it does, so that no thread waits for the next, but for the last.
        let ahead = match self.queue.len() > 4 * threads {
            true => 2 * threads,
            false => threads,
        };
        for again in [true, false] {
            while self.here < ahead {
                let job = match self.own.pop() {
                    Some(job) => job,
                    None if !works => return,
                    None => match self.queue.pop_first() {
                        Some(piece) => (piece, Why::Answer),
                        None => break,
                    },
                };
                // The threads are there until the sender has gone.
                self.here += usize::from(give.send(job).is_ok());
            }
            if self.here >= threads || remote.out() == 0 || !again {
                return;
            }
            let back = remote.withdraw(threads - self.here);
            self.lost(back);
        }
    }

    /// A unit that a worker has not answered and that is done here.
    pub(super) fn own(&mut self, unit: u64) {
        match self.units.remove(&unit) {
            Some((piece, Why::Answer)) if self.pieces[piece].found.is_some() => {}
            Some(job) => self.own.push(job),
            None => {}
        }
    }

    /// Whatever a worker has answered and nobody has confirmed is not to be trusted.
    pub(super) fn distrust(&mut self, remote: &Remote, worker: &str) -> Result<(), ExecError> {
        self.forget(worker);
        match remote.trail.first_of(worker) {
            None => Ok(()),
            Some(record) => Err(ExecError::Distrusted {
                worker: worker.to_string(),
                record,
            }),
        }
    }

    /// The tasks whose answers are there and next in order, each with what is known of it.
    pub(super) fn ready(&mut self) -> Vec<(usize, std::ops::Range<usize>)> {
        let mut ready = Vec::new();
        for task in self.accepted..self.cut.tasks.len() {
            let pieces = self.cut.first[task]..self.cut.first[task + 1];
            if !self.pieces[pieces.clone()]
                .iter()
                .all(|piece| piece.found.is_some())
            {
                break;
            }
            ready.push((task, pieces));
        }
        ready
    }
}
