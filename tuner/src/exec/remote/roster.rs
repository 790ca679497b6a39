//! The workers that a leader knows, and whose answers are in the journal that nobody has confirmed.

use crate::base::files::{FileError, append, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the file that tells `tuner status` of the workers.
pub const WORKERS_NAME: &str = "workers.json";
/// Name of the file that says who has answered which record of the journal.
pub const ANSWERED_NAME: &str = "answered-by.csv";
/// Tasks that a worker may fail to do before it is shut out.
const MOST_FAILURES: u32 = 3;

/// A worker, as the file tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// Its threads.
    pub threads: u32,
    /// Tasks that it has answered.
    pub done: u64,
    /// Tasks a second since it is there.
    pub per_second: f64,
    /// Seconds since it was last heard of.
    pub unseen: f64,
    /// Why it is shut out, or what it has refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

#[derive(Debug)]
struct Member {
    threads: u32,
    done: u64,
    failures: u32,
    since: Instant,
    seen: Instant,
    out: Option<String>,
}

/// All workers of a session.
#[derive(Debug, Default)]
pub struct Roster(BTreeMap<String, Member>);

impl Roster {
    /// A worker is there; whether that is news.
    pub fn joined(&mut self, name: &str, threads: u32) -> bool {
        let now = Instant::now();
        let is_new = !self.0.contains_key(name);
        let member = self.0.entry(name.to_string()).or_insert(Member {
            threads,
            done: 0,
            failures: 0,
            since: now,
            seen: now,
            out: None,
        });
        (member.threads, member.seen) = (threads.clamp(1, 4096), now);
        is_new
    }

    /// A worker has said something; whether it is known and may work.
    pub fn heard(&mut self, name: &str) -> bool {
        match self.0.get_mut(name) {
            Some(member) => {
                member.seen = Instant::now();
                member.out.is_none()
            }
            None => false,
        }
    }

    /// It has answered a task.
    pub fn answered(&mut self, name: &str) {
        if let Some(member) = self.0.get_mut(name) {
            member.done += 1;
        }
    }

    /// It has failed to do a task; whether it is the first, and whether that is too often.
    pub fn failed(&mut self, name: &str) -> (bool, bool) {
        let member = self.0.get_mut(name);
        let failures = member.map_or(0, |member| {
            member.failures += 1;
            member.failures
        });
        (failures == 1, failures >= MOST_FAILURES)
    }

    /// It has left.
    pub fn left(&mut self, name: &str) {
        if let Some(member) = self.0.get_mut(name).filter(|member| member.out.is_none()) {
            member.threads = 0;
        }
    }

    /// It may not work any more, or won't.
    pub fn shut_out(&mut self, name: &str, why: &str) {
        self.joined(name, 1);
        if let Some(member) = self.0.get_mut(name) {
            member.out.get_or_insert(why.to_string());
        }
    }

    /// Whether it is shut out.
    pub fn is_out(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|member| member.out.is_some())
    }

    /// Workers that are shut out, with the reason.
    pub fn out(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .filter_map(|(name, member)| Some((name.as_str(), member.out.as_deref()?)))
    }

    /// Names and threads of those that were heard of within so long and may work.
    pub fn present(&self, within: Duration) -> impl Iterator<Item = (&str, usize)> {
        let here = move |member: &Member| member.out.is_none() && member.seen.elapsed() < within;
        let here = self
            .0
            .iter()
            .filter(move |(_, member)| here(member) && member.threads > 0);
        here.map(|(name, member)| (name.as_str(), member.threads as usize))
    }

    /// What the file says of them.
    pub fn told(&self) -> Vec<Told> {
        let told = |(name, member): (&String, &Member)| Told {
            name: name.clone(),
            threads: member.threads,
            done: member.done,
            per_second: member.done as f64 / member.since.elapsed().as_secs_f64().max(0.1),
            unseen: member.seen.elapsed().as_secs_f64(),
            out: member.out.clone(),
        };
        self.0.iter().map(told).collect()
    }
}

/// Who has answered the records of the journal that nobody else has confirmed.
#[derive(Debug)]
pub struct Trail {
    path: PathBuf,
    /// Number of the record behind the header, from 0, and the worker.
    unconfirmed: Vec<(usize, String)>,
}

fn lines(answered: &[(usize, String)]) -> String {
    let answered = answered.iter();
    answered
        .map(|(record, worker)| format!("{record},{worker}\n"))
        .collect()
}

impl Trail {
    /// What earlier sessions have left in a run's folder, for so many records.
    pub fn of(folder: &Path, records: usize) -> Trail {
        let path = folder.join(ANSWERED_NAME);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let line = |line: &str| {
            let (record, worker) = line.split_once(',')?;
            Some((record.parse().ok()?, worker.to_string()))
        };
        let known = text.lines().filter_map(line);
        Trail {
            unconfirmed: known.filter(|(record, _)| *record < records).collect(),
            path,
        }
    }

    /// Records come into the journal that these workers have answered.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn add(&mut self, answered: Vec<(usize, String)>) -> Result<(), FileError> {
        if answered.is_empty() {
            return Ok(());
        }
        append(&self.path, &lines(&answered))?;
        self.unconfirmed.extend(answered);
        Ok(())
    }

    /// Somebody else has given the same answer to a task of this record.
    pub fn confirm(&mut self, record: usize, worker: &str) {
        let mut known = self.unconfirmed.iter();
        if let Some(at) = known.position(|(other, by)| *other == record && by == worker) {
            self.unconfirmed.remove(at);
        }
    }

    /// The first record of a worker.
    pub fn first_of(&self, worker: &str) -> Option<usize> {
        let own = self.unconfirmed.iter().filter(|(_, by)| by == worker);
        own.map(|(record, _)| *record).min()
    }

    /// The journal ends before this record.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn cut(&mut self, record: usize) -> Result<(), FileError> {
        self.unconfirmed.retain(|(other, _)| *other < record);
        write_atomically(&self.path, lines(&self.unconfirmed).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leader that is resumed knows who answered what before.
    #[test]
    fn a_trail_outlives_its_leader() {
        let folder = tempfile::tempdir().unwrap();
        let mut trail = Trail::of(folder.path(), 0);
        let by = |record: usize, worker: &str| (record, worker.to_string());
        trail.add(vec![by(0, "ann"), by(2, "bob")]).unwrap();
        trail.add(vec![by(3, "ann"), by(5, "bob")]).unwrap();
        // The journal has lost its last record in a crash.
        let mut trail = Trail::of(folder.path(), 5);
        assert_eq!(
            (trail.first_of("ann"), trail.first_of("bob")),
            (Some(0), Some(2))
        );
        assert_eq!(trail.first_of("eve"), None);
        trail.cut(2).unwrap();
        let trail = Trail::of(folder.path(), 99);
        assert_eq!(
            (trail.first_of("ann"), trail.first_of("bob")),
            (Some(0), None)
        );
    }

    #[test]
    fn who_is_shut_out_stays_out() {
        let mut roster = Roster::default();
        assert!(roster.joined("ann", 2) && !roster.joined("ann", 3));
        assert!(roster.heard("ann") && !roster.heard("bob"));
        let long = Duration::from_secs(60);
        assert_eq!(roster.present(long).collect::<Vec<_>>(), [("ann", 3)]);
        assert_eq!(
            [
                roster.failed("ann"),
                roster.failed("ann"),
                roster.failed("ann")
            ],
            [(true, false), (false, false), (false, true)]
        );
        roster.shut_out("ann", "it lies");
        roster.joined("ann", 3);
        assert!(!roster.heard("ann"));
        assert_eq!(roster.present(long).count(), 0);
        assert_eq!(roster.out().collect::<Vec<_>>(), [("ann", "it lies")]);
    }
}
