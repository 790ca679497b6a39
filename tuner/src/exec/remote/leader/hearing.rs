//! What a leader makes of what workers say.

use super::{Event, Remote, TOLD_EVERY};
use crate::base::statistics::counted;
use crate::exec::answers::Reply;
use crate::exec::remote::message::{CHUNK, Keys, LIVES, What, clean, is_digest};
use crate::exec::remote::reader::Heard;
use std::fs::File;
use std::io::Read as _;
use std::time::Instant;

impl Remote {
    /// Nothing of a worker counts from now on.
    pub fn shut_out(&mut self, worker: &str, why: &str) -> Vec<u64> {
        self.notes
            .push(format!("worker {worker} is shut out: {why}"));
        self.roster.shut_out(worker, why);
        let noted = self.with(|link, keys| link.note(&keys.out(), worker, why));
        let mut lost = noted.err().unwrap_or_default();
        lost.extend(self.reclaim(Some(worker)));
        lost
    }

    /// Takes in what was said.
    pub fn hear(&mut self, heard: Heard) -> Vec<Event> {
        let said = match heard {
            Heard::Said(said) => said,
            Heard::Emptied => {
                // The next tick makes the keys anew.
                self.link = None;
                self.next_try = Instant::now();
                return vec![Event::Lost(self.recall())];
            }
        };
        let worker = said.worker;
        let lost = |units: Vec<u64>| match units.is_empty() {
            true => Vec::new(),
            false => vec![Event::Lost(units)],
        };
        match said.what {
            What::Hello { identity, threads } => {
                match identity.difference(&self.offer.manifest.identity) {
                    Some(_) if self.roster.is_out(&worker) => Vec::new(),
                    Some(why) => lost(self.shut_out(&worker, &why)),
                    None => {
                        if self.roster.joined(&worker, threads) {
                            self.notes.push(format!(
                                "worker {worker} joins the run with {}",
                                counted(threads as usize, "thread")
                            ));
                            // With the next tick: of a thousand that come at once, once.
                            self.told = Instant::now().checked_sub(TOLD_EVERY).unwrap_or(self.told);
                        }
                        Vec::new()
                    }
                }
            }
            What::Refuse(why) => {
                let why = clean(&why);
                self.notes
                    .push(format!("worker {worker} does not work for this run: {why}"));
                self.roster.shut_out(&worker, &why);
                Vec::new()
            }
            What::Want(sha256) => lost(self.send(&sha256)),
            What::Bye => {
                self.roster.left(&worker);
                lost(self.reclaim(Some(&worker)))
            }
            _ if !self.roster.heard(&worker) => Vec::new(),
            What::Decline(unit) => {
                self.settle(&[unit]);
                vec![Event::Own(unit)]
            }
            What::Answer { unit, reply } => self.took(worker, unit, reply),
        }
    }

    fn took(&mut self, worker: String, unit: u64, reply: Reply) -> Vec<Event> {
        let said = match reply {
            // A panic here has a record that says so; one elsewhere may be another machine's fault.
            Reply::Done(done) if done.fault.is_none() => {
                if let Some(entry) = self.flying.remove(&unit) {
                    self.answered.insert(unit, entry);
                }
                self.roster.answered(&worker);
                return vec![Event::Answer { unit, worker, done }];
            }
            Reply::Done(done) => done.fault.unwrap_or_default(),
            Reply::Failed(said) => said,
        };
        self.settle(&[unit]);
        let (is_first, is_last) = self.roster.failed(&worker);
        let said = clean(&said);
        let mut events = vec![Event::Own(unit)];
        if is_last {
            let lost = self.shut_out(&worker, &format!("it has failed too often: {said}"));
            events.push(Event::Lost(lost));
        } else if is_first {
            self.notes.push(format!(
                "worker {worker} has failed to do a task, which is done here: {said}"
            ));
        }
        events
    }

    /// Puts a data file of the run into the server, if it isn't there.
    fn send(&mut self, sha256: &str) -> Vec<u64> {
        let Some(path) = self
            .offer
            .files
            .get(sha256)
            .filter(|_| is_digest(sha256))
            .cloned()
        else {
            return Vec::new();
        };
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) => {
                self.notes.push(format!(
                    "{} can't be sent to workers: {error}",
                    path.display()
                ));
                return Vec::new();
            }
        };
        let sent = self.with(|link, _| {
            if link.exists(&Keys::data(sha256))? {
                return Ok(());
            }
            for number in 0.. {
                let mut chunk = Vec::new();
                // A file that can't be read any more is one that workers find wrong.
                let read = file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk);
                if chunk.is_empty() || read.is_err() {
                    return link.set(&Keys::data(sha256), number.to_string().as_bytes(), LIVES);
                }
                link.set(&Keys::chunk(sha256, number), &chunk, LIVES * 2)?;
            }
            Ok(())
        });
        sent.err().unwrap_or_default()
    }
}
