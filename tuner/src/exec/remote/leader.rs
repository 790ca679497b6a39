//! The leader's side: tasks go out, answers come in. Whatever happens to the server is said once, and the
//! tasks that are out come back, to be done here or published again.

mod hearing;

use super::address::Address;
use super::link::{Link, Trouble};
use super::message::{
    GROUP, Keys, LEADER, LEADER_LIVES, LIVES, MOST_BYTES, Manifest, SESSIONS, Unit,
};
use super::reader::{Heard, Reader};
use super::roster::{Roster, Trail, WORKERS_NAME};
use crate::base::files::{FileError, write_atomically};
use crate::exec::answers::RawDone;
use crossbeam_channel::Receiver;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a server that has gone is looked for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long no worker is there before that is said.
const ALONE: Duration = Duration::from_secs(2);
/// How often the file for `tuner status` is written.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// How a leader works with others.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server.
    pub address: Address,
    /// Every so many tasks of workers one is given to two of them; none if 0.
    pub check_every: u64,
    /// Whether all is left to workers: the leader waits for them, and for the server.
    pub workers_only: bool,
    /// After how long a task that nobody has claimed again goes to another worker.
    pub lease: Duration,
}

impl Settings {
    /// How workers come, for people.
    pub fn invitation(&self) -> String {
        let address = &self.address;
        format!("Workers come by  tuner worker {address}  on other machines")
    }
}

/// What workers need to know of a run, and have.
#[derive(Debug)]
pub struct Offer {
    /// What they are told.
    pub manifest: Manifest,
    /// Where the data files are, by their digests.
    pub files: BTreeMap<String, PathBuf>,
    /// The run's folder.
    pub folder: PathBuf,
    /// Records in its journal.
    pub records: usize,
}

/// What has come of what somebody has said.
#[derive(Debug)]
pub enum Event {
    /// An answer.
    Answer {
        /// The unit.
        unit: u64,
        /// Who has answered it.
        worker: String,
        /// What.
        done: RawDone,
    },
    /// A unit that is to be done here: a worker has failed to, or may not do it.
    Own(u64),
    /// Units that nobody has in hand any more.
    Lost(Vec<u64>),
}

/// See the module.
pub struct Remote {
    settings: Settings,
    offer: Offer,
    keys: Keys,
    link: Option<Link>,
    /// When to look for the server again.
    next_try: Instant,
    /// Whether it has been said that the server is gone.
    is_gone: bool,
    reader: Reader,
    /// The workers.
    pub roster: Roster,
    /// Who has answered what.
    pub trail: Trail,
    /// Units that are out and not answered, with their entries.
    flying: BTreeMap<u64, String>,
    /// Those that are answered and not settled.
    answered: BTreeMap<u64, String>,
    /// Units of the journal's records, which are settled when the disk has the record of this number.
    waiting: VecDeque<(usize, u64)>,
    by_entry: HashMap<String, u64>,
    units: u64,
    /// Answers of workers.
    counted: u64,
    reclaimed: Instant,
    told: Instant,
    /// Since when no worker has been there, if that has not been said.
    alone: Option<Instant>,
    notes: Vec<String>,
}

impl Remote {
    /// Tells workers of a run.
    ///
    /// # Errors
    /// The user or the password is wrong. A server that is away is waited for.
    pub fn new(settings: Settings, offer: Offer) -> Result<Remote, String> {
        let keys = Keys {
            session: format!("{:016x}", RandomState::new().build_hasher().finish()),
        };
        let now = Instant::now();
        let reader = Reader::start(settings.address.clone(), keys.clone());
        let mut remote = Remote {
            link: None,
            next_try: now,
            is_gone: false,
            reader: reader.map_err(|error| format!("cannot start a thread: {error}"))?,
            roster: Roster::default(),
            trail: Trail::of(&offer.folder, offer.records),
            flying: BTreeMap::new(),
            answered: BTreeMap::new(),
            waiting: VecDeque::new(),
            by_entry: HashMap::new(),
            units: 0,
            counted: 0,
            reclaimed: now,
            told: now,
            alone: Some(now),
            notes: Vec::new(),
            settings,
            offer,
            keys,
        };
        match remote.connect() {
            Err(trouble) if trouble.is_refused => {
                Err(format!("{}: {}", remote.settings.address, trouble.said))
            }
            Err(trouble) => {
                remote.lose(&trouble);
                Ok(remote)
            }
            Ok(()) => Ok(remote),
        }
    }

    /// How it works with others.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What workers say, to be handed to [`hear`](Remote::hear).
    pub fn ears(&self) -> &Receiver<Heard> {
        self.reader.heard()
    }

    /// What is to be told to the user.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Threads of the workers that are there.
    pub fn threads(&self) -> usize {
        self.roster
            .present(self.patience())
            .map(|(_, threads)| threads)
            .sum()
    }

    /// How many workers are there.
    pub fn workers(&self) -> usize {
        self.roster.present(self.patience()).count()
    }

    fn patience(&self) -> Duration {
        self.settings.lease * 2
    }

    /// Units that are out and not answered.
    pub fn out(&self) -> usize {
        self.flying.len()
    }

    /// Whether the answer that has just come is one of those that are given to two.
    pub fn is_due(&mut self) -> bool {
        let every = self.settings.check_every;
        self.counted += 1;
        every > 0 && self.counted.is_multiple_of(every)
    }

    /// The number of a unit that is to come.
    pub fn number(&mut self) -> u64 {
        self.units += 1;
        self.units
    }

    fn connect(&mut self) -> Result<(), Trouble> {
        let mut link = Link::new(&self.settings.address)?;
        self.announce(&mut link)?;
        if self.is_gone {
            self.is_gone = false;
            self.notes
                .push(format!("{} is back", self.settings.address));
        }
        self.link = Some(link);
        Ok(())
    }

    /// Makes the keys of the session; tasks that are there from before are published again by others.
    fn announce(&mut self, link: &mut Link) -> Result<(), Trouble> {
        let text = serde_json::to_vec(&self.offer.manifest).unwrap_or_default();
        link.remove(&[self.keys.tasks()])?;
        link.begin(&self.keys.tasks(), GROUP)?;
        // Its group is of no use, but so it is there.
        link.begin(&self.keys.said(), GROUP)?;
        let (tasks, said) = (self.keys.tasks(), self.keys.said());
        link.refresh(&[(&tasks, LIVES), (&said, LIVES)])?;
        for (worker, why) in self.roster.out() {
            link.note(&self.keys.out(), worker, why)?;
        }
        link.set(&self.keys.manifest(), &text, LEADER_LIVES)?;
        link.join(SESSIONS, &self.keys.session)
    }

    /// All units that are out come back.
    fn recall(&mut self) -> Vec<u64> {
        self.by_entry.clear();
        self.answered.clear();
        self.waiting.clear();
        std::mem::take(&mut self.flying).into_keys().collect()
    }

    fn lose(&mut self, trouble: &Trouble) {
        self.link = None;
        self.next_try = Instant::now() + PATIENCE;
        if !self.is_gone {
            self.is_gone = true;
            let alone = match self.settings.workers_only {
                true => "the run waits for it",
                false => "the run goes on without workers until it is back",
            };
            let address = &self.settings.address;
            self.notes
                .push(format!("{address}: {}; {alone}", trouble.said));
        }
    }

    /// Does something with the server, if it is there; `Err` has the units that come back because it is gone.
    fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Link, &Keys) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Vec<u64>> {
        let Some(link) = &mut self.link else {
            return Ok(None);
        };
        match act(link, &self.keys) {
            Ok(done) => Ok(Some(done)),
            Err(trouble) => {
                if trouble.is_empty {
                    // Emptied: the next tick makes the keys anew.
                    self.link = None;
                    self.next_try = Instant::now();
                } else {
                    self.lose(&trouble);
                }
                Err(self.recall())
            }
        }
    }

    /// Publishes units; those that could not be come back.
    pub fn publish(&mut self, units: &[Unit]) -> Vec<u64> {
        let mut texts = Vec::new();
        for unit in units {
            texts.push(serde_json::to_string(unit).unwrap_or_default());
        }
        let numbers = || units.iter().map(|unit| unit.id);
        match self.with(|link, keys| link.add(&keys.tasks(), &texts)) {
            Ok(Some(entries)) => {
                for (unit, entry) in numbers().zip(entries) {
                    self.by_entry.insert(entry.clone(), unit);
                    self.flying.insert(unit, entry);
                }
                Vec::new()
            }
            Ok(None) => numbers().collect(),
            Err(mut lost) => {
                lost.extend(numbers());
                lost
            }
        }
    }

    /// Whether a unit may be published: the server is there, and the message not too long.
    pub fn takes(&self, request: &str) -> bool {
        self.link.is_some() && request.len() < MOST_BYTES / 2
    }

    /// Whether the server is there.
    pub fn is_up(&self) -> bool {
        self.link.is_some()
    }

    /// The answer to this unit is in the journal, in the record of this number.
    pub fn journaled(&mut self, record: usize, unit: u64) {
        self.waiting.push_back((record, unit));
    }

    /// The journal ends before this record: what is behind it is not waited for any more.
    ///
    /// # Errors
    /// The file of who has answered what can't be written.
    pub fn go_back(&mut self, record: usize) -> Result<(), FileError> {
        let units: Vec<u64> = self.waiting.drain(..).map(|(_, unit)| unit).collect();
        self.settle(&units);
        self.trail.cut(record)
    }

    /// The disk has so many records of the journal.
    pub fn acknowledge(&mut self, safe: usize) -> Vec<u64> {
        let count = self.waiting.partition_point(|(record, _)| *record < safe);
        let units: Vec<u64> = self.waiting.drain(..count).map(|(_, unit)| unit).collect();
        self.settle(&units)
    }

    /// Answers to these are on the disk, or are not wanted any more.
    pub fn settle(&mut self, units: &[u64]) -> Vec<u64> {
        let mut entries = Vec::new();
        for unit in units {
            let answered = self.answered.remove(unit);
            if let Some(entry) = answered.or_else(|| self.flying.remove(unit)) {
                self.by_entry.remove(&entry);
                entries.push(entry);
            }
        }
        let done = self.with(|link, keys| link.finish(&keys.tasks(), GROUP, &entries));
        done.err().unwrap_or_default()
    }

    /// Takes back units that no worker has begun, so many at most.
    pub fn withdraw(&mut self, most: usize) -> Vec<u64> {
        let taken = self.with(|link, keys| {
            let tasks = keys.tasks();
            let taken = link.take((&tasks, GROUP, LEADER), most, None)?;
            let entries: Vec<String> = taken.into_iter().map(|(entry, _)| entry).collect();
            link.finish(&tasks, GROUP, &entries)?;
            Ok(entries)
        });
        match taken {
            Ok(entries) => self.back(&entries.unwrap_or_default()),
            Err(lost) => lost,
        }
    }

    /// The units of entries that are finished without an answer.
    fn back(&mut self, entries: &[String]) -> Vec<u64> {
        let mut lost = Vec::new();
        for entry in entries {
            if let Some(unit) = self.by_entry.remove(entry) {
                self.flying.remove(&unit);
                lost.push(unit);
            }
        }
        lost
    }

    /// Takes back the units that somebody has in hand who is gone: those of a worker, or without a name those
    /// whose lease has run out.
    fn reclaim(&mut self, worker: Option<&str>) -> Vec<u64> {
        let lease = self.settings.lease;
        let found = self.with(|link, keys| match worker {
            Some(worker) => link.in_hand(&keys.tasks(), GROUP, worker),
            None => link.overdue((&keys.tasks(), GROUP, LEADER), lease),
        });
        let mut entries = match found {
            Ok(found) => found.unwrap_or_default(),
            Err(lost) => return lost,
        };
        // Answers that wait for others before them are as good as done.
        let unit = |entry: &String| self.by_entry.get(entry).copied();
        entries.retain(|entry| unit(entry).is_none_or(|unit| self.flying.contains_key(&unit)));
        let mut lost = self.back(&entries);
        let finished = self.with(|link, keys| link.finish(&keys.tasks(), GROUP, &entries));
        lost.extend(finished.err().unwrap_or_default());
        lost
    }

    /// What is done from time to time; units come back.
    pub fn tick(&mut self) -> Vec<u64> {
        let mut lost = Vec::new();
        let now = Instant::now();
        if self.link.is_none() && now >= self.next_try {
            lost.extend(self.recall());
            if let Err(trouble) = self.connect() {
                self.lose(&trouble);
            }
        }
        if now.duration_since(self.reclaimed) > self.settings.lease / 2 {
            self.reclaimed = now;
            lost.extend(self.reclaim(None));
        }
        if now.duration_since(self.told) > TOLD_EVERY {
            self.tell();
        }
        if self.settings.workers_only && self.link.is_some() {
            self.miss_workers();
        }
        lost
    }

    /// Says once that nobody is there for whom the run waits.
    fn miss_workers(&mut self) {
        if self.workers() > 0 {
            self.alone = Some(Instant::now());
        } else if self.alone.is_some_and(|since| since.elapsed() > ALONE) {
            self.alone = None;
            let address = &self.settings.address;
            self.notes.push(format!(
                "no worker is there: the run waits for one (tuner worker {address})"
            ));
        }
    }

    /// Writes the file for `tuner status`. What it can't write it leaves.
    pub fn tell(&mut self) {
        self.told = Instant::now();
        let told = self.roster.told();
        if !told.is_empty()
            && let Ok(text) = serde_json::to_string_pretty(&told)
        {
            let _ = write_atomically(&self.offer.folder.join(WORKERS_NAME), text.as_bytes());
        }
    }
}

/// Whether a server that is there lets us in.
///
/// # Errors
/// The user, the password or the number of the database is wrong.
pub fn let_in(address: &Address) -> Result<(), String> {
    match Link::new(address) {
        Err(trouble) if trouble.is_refused => Err(format!("{address}: {}", trouble.said)),
        _ => Ok(()),
    }
}

/// The session ends, and with it its keys.
impl Drop for Remote {
    fn drop(&mut self) {
        self.reader.end();
        self.tell();
        if let Some(link) = &mut self.link {
            let keys = &self.keys;
            let _ = link.remove(&[keys.manifest(), keys.tasks(), keys.said(), keys.out()]);
            let _ = link.leave(SESSIONS, &keys.session);
        }
    }
}
