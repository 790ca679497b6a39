//! Tasks done by workers on other machines and by threads here, whoever is free.
//!
//! A task is one piece, or several if it is large. Pieces wait in a queue; those at its front go to the threads
//! here and to the server, and come back to it from who has died. Answers are journaled in the order of the
//! tasks, as ever.

use super::elsewhere::merged;
use super::pieces::{Cut, Job, Why, Work};
use super::*;
use crate::base::room;
use crate::exec::remote::leader::{Event, Remote};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use engine::search::STACK_BYTES;
use std::thread;

/// How long nothing is looked at if nobody says anything.
const PAUSE: Duration = Duration::from_millis(100);

/// What a thread here has come to.
type Here<T> = (Job, Result<Done<<T as Task>::Answer>, ExecError>);

impl Executor<'_> {
    /// Has tasks done by workers and by threads here. Fewer answers than tasks: the user wants to stop.
    pub(super) fn work_remotely<T: Task, W: Worker<T>>(
        &mut self,
        tasks: &[T],
        spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
    ) -> Result<Vec<T::Answer>, ExecError> {
        let Some(live) = &mut self.live else {
            return Ok(Vec::new());
        };
        let Some(mut remote) = live.remote.take() else {
            return Ok(Vec::new());
        };
        keep_panics();
        let here = usize::from(!remote.settings().workers_only);
        let cut = Cut::new(tasks, remote.workers() + here);
        // Parts of a task are done by all threads together.
        let is_split = cut.pieces.len() > tasks.len();
        let threads = match remote.settings().workers_only || is_split {
            true => 1,
            false => live.threads.min(cut.pieces.len()),
        };
        let threads = room::for_jobs(threads, STACK_BYTES);
        let seed = self.seed;
        let mut work = Work::new(&cut, &self.phase, seed);
        let ended = thread::scope(|scope| {
            let (give, jobs) = unbounded::<Job>();
            let (tell, told) = unbounded::<Here<T>>();
            for _ in 0..threads {
                let (jobs, tell, cut) = (jobs.clone(), tell.clone(), &cut);
                let run = move || {
                    let mut worker = None;
                    for job in jobs {
                        let done = retry(&mut worker, spawn, cut.piece(job.0), seed);
                        if tell.send((job, done)).is_err() {
                            return;
                        }
                    }
                };
                let spawned = room::spawn_scoped(scope, STACK_BYTES, run);
                spawned.map_err(|error| ExecError::Work(error.into()))?;
            }
            self.lead(&mut work, &mut remote, &give, (&told, threads))
        });
        // Whoever begins one of these now does it in vain.
        let units: Vec<u64> = work.units.keys().copied().collect();
        remote.settle(&units);
        self.tell(&mut remote);
        if let Some(live) = &mut self.live {
            live.remote = Some(remote);
        }
        ended
    }

    fn tell(&self, remote: &mut Remote) {
        for note in remote.notes() {
            if let Some(live) = &self.live {
                live.tell(&note);
            }
        }
    }

    /// Gives pieces to all who work, and takes answers in, until there is an end.
    fn lead<T: Task>(
        &mut self,
        work: &mut Work<'_, T>,
        remote: &mut Remote,
        give: &Sender<Job>,
        (told, threads): (&Receiver<Here<T>>, usize),
    ) -> Result<Vec<T::Answer>, ExecError> {
        let ears = remote.ears().clone();
        let mut answers = Vec::new();
        loop {
            let lost = remote.tick();
            work.lost(lost);
            self.tell(remote);
            let stops = self.live.as_ref().is_none_or(|live| live.stop.requested());
            if !stops {
                work.hand_out(remote, give, threads);
                work.publish(remote)?;
            }
            let (mut here, mut heard) = (Vec::new(), Vec::new());
            select! {
                recv(told) -> done => here.extend(done),
                recv(ears) -> said => heard.extend(said),
                default(PAUSE) => {}
            }
            here.extend(told.try_iter());
            heard.extend(ears.try_iter());
            let mut failed = Ok(());
            for (job, done) in here {
                work.here -= 1;
                match done {
                    Ok(done) => work.found_here(remote, job, done)?,
                    Err(error) => failed = failed.and(Err(error)),
                }
            }
            for said in heard {
                for event in remote.hear(said) {
                    match event {
                        Event::Answer { unit, worker, done } => {
                            work.answered(remote, unit, worker, done)?;
                        }
                        Event::Own(unit) => work.own(unit),
                        Event::Lost(units) => work.lost(units),
                    }
                }
            }
            self.accept(work, remote, &mut answers)?;
            if let Some(live) = &mut self.live {
                let lost = remote.acknowledge(live.journal.safe()?);
                work.lost(lost);
            }
            failed?;
            let is_done = answers.len() == work.cut.tasks.len() && work.compared == 0;
            if is_done || stops && work.here == 0 {
                return Ok(answers);
            }
        }
    }

    /// Journals the answers that are next in order. What the server has of them is acknowledged then.
    fn accept<T: Task>(
        &mut self,
        work: &mut Work<'_, T>,
        remote: &mut Remote,
        answers: &mut Vec<T::Answer>,
    ) -> Result<(), ExecError> {
        let ready = work.ready();
        let record = self.live.as_ref().map_or(0, |live| live.journal.records());
        let (mut all, mut by, mut settled) = (Vec::new(), Vec::new(), Vec::new());
        for (record, (task, pieces)) in (record..).zip(ready) {
            let mut parts = Vec::new();
            for piece in &mut work.pieces[pieces] {
                piece.record = Some(record);
                settled.extend(piece.units.drain(..).map(|unit| (record, unit)));
                let Some(found) = &piece.found else { continue };
                by.extend(found.by.clone().map(|by| (record, by)));
                parts.push(Done {
                    answer: found.done.answer.clone(),
                    fault: found.done.fault.clone(),
                });
            }
            all.push(merged(&work.cut.tasks[task], parts));
            work.accepted += 1;
        }
        if all.is_empty() {
            return Ok(());
        }
        remote.trail.add(by)?;
        let rest = &work.cut.tasks[answers.len()..];
        self.take_in(rest, all, answers)?;
        for (record, unit) in settled {
            // A comparison that is still out is told apart by its purpose.
            if let Some((_, Why::Compare)) = work.units.get(&unit) {
                continue;
            }
            work.units.remove(&unit);
            remote.journaled(record, unit);
        }
        if let Some(live) = &mut self.live {
            live.progress.tasks(answers.len(), work.cut.tasks.len());
        }
        Ok(())
    }
}
