//! The worker's side: threads that take tasks of one session, and their heart, which keeps tasks in hand from
//! being given to others and notices that the session has ended.

use super::address::Address;
use super::link::{Link, Trouble};
use super::message::{
    CHUNK, GROUP, Identity, Keys, LEADER, LEADER_LIVES, Manifest, SESSIONS, Said, SharedFile, Unit,
    What, checked, is_name, read,
};
use crate::base::files::{FileError, sha256_of_file};
use crate::base::stop::Stop;
use crate::exec::answers::Reply;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread waits for a task.
const WAIT: Duration = Duration::from_secs(1);
/// How often the heart looks.
const BEAT: Duration = Duration::from_millis(250);
/// The longest pause between two tries to reach the server.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// Tasks are taken together up to this time, and so many at most.
const TOGETHER: Duration = Duration::from_millis(10);
const MOST_TOGETHER: u64 = 16;
/// How long a data file may take to come, chunk by chunk.
const FILE_COMES: Duration = Duration::from_secs(300);

/// Who works, for whom.
#[derive(Debug)]
pub struct Crew<'a> {
    /// The server.
    pub address: Address,
    /// The worker's name.
    pub name: &'a str,
    /// Its program.
    pub identity: &'a Identity,
    /// Its threads.
    pub threads: usize,
    /// Asks it to end.
    pub stop: &'a Stop,
}

/// Why no work is done for a session any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The leader is done, or has gone.
    Over,
    /// Nothing has come for a while, and others may need help.
    Idle,
    /// The leader wants nothing from this worker, in words.
    ShutOut(String),
}

/// A session that a worker may work for.
#[derive(Debug)]
pub struct Session {
    /// Its keys.
    pub keys: Keys,
    /// What its leader says.
    pub manifest: Manifest,
}

/// What the threads of a session and its heart have in common.
struct Shift<'a> {
    crew: &'a Crew<'a>,
    keys: &'a Keys,
    is_over: AtomicBool,
    in_hand: Mutex<BTreeSet<String>>,
    done: AtomicU64,
    /// Microseconds spent on tasks.
    spent: AtomicU64,
    /// Threads that have not ended.
    toiling: AtomicUsize,
}

/// A thread that toils; it does not any more when this is dropped.
struct Toiling<'a>(&'a AtomicUsize);

impl<'a> Toiling<'a> {
    fn begin(count: &'a AtomicUsize) -> Toiling<'a> {
        count.fetch_add(1, Relaxed);
        Toiling(count)
    }
}

impl Drop for Toiling<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// What is to be said of tasks in hand.
fn texts(unsaid: &[(String, String)]) -> Vec<String> {
    unsaid.iter().map(|(_, text)| text.clone()).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pauses between tries, each twice as long as the one before.
#[derive(Debug)]
pub struct Patience(Duration);

impl Patience {
    /// The first is a quarter of a second.
    pub fn new() -> Patience {
        Patience(Duration::from_millis(250))
    }

    /// Waits, unless it is to stop.
    pub fn wait(&mut self, stop: impl Fn() -> bool) {
        let ends = Instant::now() + self.0;
        while Instant::now() < ends && !stop() {
            thread::sleep(Duration::from_millis(50));
        }
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::new()
    }
}

impl Crew<'_> {
    /// The sessions that have a leader, but for these; first the one with the fewest workers, for several runs may
    /// give out tasks at once.
    ///
    /// # Errors
    /// The server's.
    pub fn sessions(
        &self,
        link: &mut Link,
        without: &BTreeSet<String>,
    ) -> Result<Vec<Keys>, Trouble> {
        let mut found = Vec::new();
        for session in link.members(SESSIONS)? {
            if !is_name(&session) || without.contains(&session) {
                continue;
            }
            let keys = Keys { session };
            match link.exists(&keys.manifest())? {
                true => {
                    let takers = link.takers(&keys.tasks(), GROUP)?;
                    let others = takers.iter().filter(|name| *name != LEADER);
                    found.push((others.count(), keys));
                }
                false => link.leave(SESSIONS, &keys.session)?,
            }
        }
        found.sort_by_key(|(takers, _)| *takers);
        Ok(found.into_iter().map(|(_, keys)| keys).collect())
    }

    /// What a session's leader says; `Err` inside is why this worker can't work for it.
    ///
    /// # Errors
    /// The server's.
    pub fn manifest(
        &self,
        link: &mut Link,
        keys: &Keys,
    ) -> Result<Option<Result<Manifest, String>>, Trouble> {
        let Some(bytes) = link.get(&keys.manifest())? else {
            return Ok(None);
        };
        let manifest =
            std::str::from_utf8(&bytes).map_err(|_| "the manifest is no text".to_string());
        let manifest = manifest.and_then(read::<Manifest>).and_then(checked);
        Ok(Some(manifest.and_then(
            |manifest| match self.identity.difference(&manifest.identity) {
                Some(why) => Err(why),
                None => Ok(manifest),
            },
        )))
    }

    /// Tells the leader something.
    ///
    /// # Errors
    /// The server's.
    pub fn say(&self, link: &mut Link, keys: &Keys, what: What) -> Result<(), Trouble> {
        self.say_all(link, keys, vec![what])
    }

    fn say_all(&self, link: &mut Link, keys: &Keys, all: Vec<What>) -> Result<(), Trouble> {
        let texts: Vec<String> = all.into_iter().map(|what| self.text(what)).collect();
        link.add(&keys.said(), &texts).map(drop)
    }

    fn text(&self, what: What) -> String {
        let worker = self.name.to_string();
        serde_json::to_string(&Said { worker, what }).unwrap_or_default()
    }

    fn hello(&self) -> What {
        What::Hello {
            identity: self.identity.clone(),
            threads: u32::try_from(self.threads).unwrap_or(u32::MAX),
        }
    }

    /// Gets a data file from the leader, through the server; `false` if it does not come.
    ///
    /// # Errors
    /// The server's, or the file can't be written, in words.
    pub fn fetch(
        &self,
        link: &mut Link,
        keys: &Keys,
        file: &SharedFile,
        path: &Path,
    ) -> Result<bool, String> {
        let words = |trouble: Trouble| trouble.said;
        let ends = Instant::now() + FILE_COMES;
        let mut asked = None::<Instant>;
        let count = loop {
            if let Some(count) = link.get(&Keys::data(&file.sha256)).map_err(words)? {
                break String::from_utf8_lossy(&count).parse::<u64>().unwrap_or(0);
            }
            if self.stop.requested()
                || Instant::now() > ends
                || !link.exists(&keys.manifest()).map_err(words)?
            {
                return Ok(false);
            }
            if asked.is_none_or(|asked| asked.elapsed() > LEADER_LIVES) {
                asked = Some(Instant::now());
                let want = vec![self.hello(), What::Want(file.sha256.clone())];
                self.say_all(link, keys, want).map_err(words)?;
            }
            thread::sleep(BEAT);
        };
        if count > file.bytes / CHUNK as u64 + 1 {
            return Ok(false);
        }
        let written = |error| FileError::of("write", path)(error).to_string();
        let mut target = File::create(path).map_err(written)?;
        for number in 0..count {
            let chunk = link
                .get(&Keys::chunk(&file.sha256, number as usize))
                .map_err(words)?;
            let Some(chunk) = chunk.filter(|chunk| chunk.len() <= CHUNK) else {
                return Ok(false);
            };
            target.write_all(&chunk).map_err(written)?;
        }
        drop(target);
        let found = sha256_of_file(path).map_err(|error| error.to_string())?;
        Ok(found == file.sha256)
    }

    /// Works for a session until there is a reason to end. Each thread calls `start` once for who answers its
    /// requests, which are text from elsewhere.
    ///
    /// # Errors
    /// The system refuses threads.
    pub fn work<A>(
        &self,
        session: &Session,
        others: &dyn Fn(&mut Link) -> bool,
        start: &(impl Fn() -> A + Sync),
    ) -> std::io::Result<Ended>
    where
        A: FnMut(&str) -> Reply,
    {
        let shift = Shift {
            crew: self,
            keys: &session.keys,
            is_over: AtomicBool::new(false),
            in_hand: Mutex::default(),
            done: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            toiling: AtomicUsize::new(0),
        };
        let lease = Duration::from_millis(session.manifest.lease.clamp(300, 3_600_000));
        let ended = thread::scope(|scope| {
            let shift = &shift;
            for number in 0..self.threads {
                let toiling = Toiling::begin(&shift.toiling);
                let run = move || {
                    let _toiling = toiling;
                    shift.toil(&mut start());
                };
                let spawned =
                    crate::base::room::spawn_scoped(scope, engine::search::STACK_BYTES, run);
                if let Err(error) = spawned {
                    if number == 0 {
                        shift.is_over.store(true, Relaxed);
                        return Err(error);
                    }
                    crate::base::room::say_fewer(number, self.threads);
                    break;
                }
            }
            let ended = shift.beat(lease, others);
            shift.is_over.store(true, Relaxed);
            Ok(ended)
        })?;
        // Behind the last answer: what was taken and not begun is for others.
        if (self.stop.requested() || ended == Ended::Idle)
            && let Ok(mut link) = Link::new(&self.address)
        {
            let _ = self.say(&mut link, &session.keys, What::Bye);
        }
        Ok(ended)
    }
}

impl Shift<'_> {
    fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) || self.crew.stop.requested()
    }

    /// Claims what is in hand again and again, and looks whether the session goes on. Whoever is to stop finishes the
    /// tasks in hand, which stay claimed until then.
    fn beat(&self, lease: Duration, others: &dyn Fn(&mut Link) -> bool) -> Ended {
        const IDLE: Duration = Duration::from_secs(3);
        let (crew, keys) = (self.crew, self.keys);
        let mut link = None::<Link>;
        let mut patience = Patience::new();
        let (mut held, mut looked, mut worked) = (None::<Instant>, Instant::now(), Instant::now());
        let mut done = 0;
        while !crew.stop.requested() || self.toiling.load(Relaxed) > 0 {
            thread::sleep(BEAT.min(lease / 6));
            let mut look = |link: &mut Link| -> Result<Option<Ended>, Trouble> {
                // Before anything is claimed: of a session that has ended nothing can be.
                if held.is_none() || looked.elapsed() > WAIT {
                    looked = Instant::now();
                    if !link.exists(&keys.manifest())? {
                        return Ok(Some(Ended::Over));
                    }
                    if let Some(why) = link.noted(&keys.out(), crew.name)? {
                        return Ok(Some(Ended::ShutOut(super::message::clean(&why))));
                    }
                    if worked.elapsed() > IDLE && others(link) {
                        return Ok(Some(Ended::Idle));
                    }
                }
                if held.is_none_or(|held| held.elapsed() > lease / 3) {
                    held = Some(Instant::now());
                    let in_hand: Vec<String> = lock(&self.in_hand).iter().cloned().collect();
                    link.hold((&keys.tasks(), GROUP, crew.name), &in_hand)?;
                    crew.say(link, keys, crew.hello())?;
                }
                if done != self.done.load(Relaxed) || !lock(&self.in_hand).is_empty() {
                    done = self.done.load(Relaxed);
                    worked = Instant::now();
                }
                Ok(None)
            };
            let looked = match &mut link {
                Some(link) => look(link),
                None => Link::new(&crew.address).and_then(|fresh| look(link.insert(fresh))),
            };
            match looked {
                Ok(Some(ended)) => return ended,
                Ok(None) => patience = Patience::new(),
                Err(_) => {
                    link = None;
                    held = None;
                    patience.wait(|| crew.stop.requested());
                }
            }
        }
        // Those that finish the task in hand say what came of it; the rest is for others.
        Ended::Over
    }

    /// One thread: takes tasks and says what came of them.
    fn toil(&self, answer: &mut impl FnMut(&str) -> Reply) {
        let mut patience = Patience::new();
        let mut unsaid = Vec::new();
        while !self.is_over() || !unsaid.is_empty() {
            let link = Link::new(&self.crew.address);
            if let Ok(mut link) = link
                && let Ok(()) = self.take_and_answer(&mut link, &mut unsaid, answer)
            {
                return;
            }
            if self.is_over() {
                // What could not be said is done by somebody else.
                return;
            }
            patience.wait(|| self.is_over());
        }
    }

    fn take_and_answer(
        &self,
        link: &mut Link,
        unsaid: &mut Vec<(String, String)>,
        answer: &mut impl FnMut(&str) -> Reply,
    ) -> Result<(), Trouble> {
        let tasks = self.keys.tasks();
        // Before the first task: the leader passes over answers of somebody whom it does not know, and the
        // heart's own hello may come later than the answer to a short task.
        self.crew.say(link, self.keys, self.crew.hello())?;
        loop {
            if self.is_over() {
                return self.say_unsaid(link, unsaid);
            }
            let (done, spent) = (self.done.load(Relaxed), self.spent.load(Relaxed));
            let most = (TOGETHER.as_micros() as u64 * done)
                .checked_div(spent)
                .unwrap_or(1);
            let most = most.clamp(1, MOST_TOGETHER) as usize;
            let texts = texts(unsaid);
            let (said, member) = (self.keys.said(), (tasks.as_str(), GROUP, self.crew.name));
            let taken = link.add_and_take((&said, &texts), member, most, Some(WAIT))?;
            self.put_down(unsaid);
            lock(&self.in_hand).extend(taken.iter().map(|(entry, _)| entry.clone()));
            let mut since = Instant::now();
            for (entry, text) in taken {
                if self.is_over() {
                    lock(&self.in_hand).remove(&entry);
                    continue;
                }
                let began = Instant::now();
                let what = match read::<Unit>(&text) {
                    Ok(unit) if unit.not.as_deref() == Some(self.crew.name) => {
                        What::Decline(unit.id)
                    }
                    Ok(unit) => What::Answer {
                        unit: unit.id,
                        reply: answer(unit.request.get()),
                    },
                    Err(_) => {
                        // Nobody whom we know has put it there.
                        lock(&self.in_hand).remove(&entry);
                        link.finish(&tasks, GROUP, &[entry])?;
                        continue;
                    }
                };
                self.spent
                    .fetch_add(began.elapsed().as_micros() as u64, Relaxed);
                self.done.fetch_add(1, Relaxed);
                unsaid.push((entry, self.crew.text(what)));
                if since.elapsed() > TOGETHER {
                    since = Instant::now();
                    self.say_unsaid(link, unsaid)?;
                }
            }
        }
    }

    fn say_unsaid(
        &self,
        link: &mut Link,
        unsaid: &mut Vec<(String, String)>,
    ) -> Result<(), Trouble> {
        if unsaid.is_empty() {
            return Ok(());
        }
        link.add(&self.keys.said(), &texts(unsaid))?;
        self.put_down(unsaid);
        Ok(())
    }

    /// What was said is not in hand any more.
    fn put_down(&self, said: &mut Vec<(String, String)>) {
        let mut in_hand = lock(&self.in_hand);
        for (entry, _) in said.drain(..) {
            in_hand.remove(&entry);
        }
    }
}
