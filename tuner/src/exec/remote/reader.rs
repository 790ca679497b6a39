//! The thread that listens to what workers say, and keeps the session's keys from expiring.

use super::address::Address;
use super::link::{Link, Trouble};
use super::message::{Keys, LEADER_LIVES, LIVES, Said, heard};
use crate::base::room;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long it waits for something to be said.
const WAIT: Duration = Duration::from_millis(500);
/// How often keys are refreshed.
const REFRESHED_EVERY: Duration = Duration::from_secs(2);
/// Messages that are read at a time.
const MOST: usize = 256;
/// Bytes of its stack.
const STACK: usize = 1 << 20;

/// What is heard.
#[derive(Debug)]
pub enum Heard {
    /// A worker has said something.
    Said(Said),
    /// The keys of the session are gone: the server was emptied, or begins anew.
    Emptied,
}

/// See the module.
pub struct Reader {
    heard: Receiver<Heard>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Ear {
    address: Address,
    keys: Keys,
    tell: Sender<Heard>,
    is_over: Arc<AtomicBool>,
    /// The last message that was read.
    last: String,
    refreshed: Instant,
}

impl Reader {
    /// Begins to listen.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(address: Address, keys: Keys) -> io::Result<Reader> {
        let (tell, heard) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let mut ear = Ear {
            address,
            keys,
            tell,
            is_over: Arc::clone(&is_over),
            last: "0-0".to_string(),
            refreshed: Instant::now(),
        };
        let thread = room::spawn(STACK, move || ear.listen())?;
        Ok(Reader {
            heard,
            is_over,
            thread: Some(thread),
        })
    }

    /// What has been heard.
    pub fn heard(&self) -> &Receiver<Heard> {
        &self.heard
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.is_over.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Ear {
    fn listen(&mut self) {
        while !self.is_over.load(Relaxed) {
            // A server that begins anew may number its messages from any place.
            self.last = "0-0".to_string();
            let heard = Link::new(&self.address).and_then(|mut link| self.hear(&mut link));
            if heard.is_err() {
                thread::sleep(WAIT);
            }
        }
    }

    fn hear(&mut self, link: &mut Link) -> Result<(), Trouble> {
        let said = self.keys.said();
        let mut numbers = Vec::new();
        while !self.is_over.load(Relaxed) {
            let entries = link.read((&said, &numbers), &self.last, MOST, WAIT)?;
            numbers.clear();
            for (number, text) in entries {
                self.last.clone_from(&number);
                numbers.push(number);
                // Whatever else is there was put by nobody whom we know.
                if let Ok(said) = heard(&text) {
                    let _ = self.tell.send(Heard::Said(said));
                }
            }
            if self.refreshed.elapsed() > REFRESHED_EVERY {
                self.refreshed = Instant::now();
                let (manifest, tasks, out) =
                    (self.keys.manifest(), self.keys.tasks(), self.keys.out());
                let lives = [
                    (manifest.as_str(), LEADER_LIVES),
                    (tasks.as_str(), LIVES),
                    (said.as_str(), LIVES),
                    (out.as_str(), LIVES),
                ];
                if !link.refresh(&lives)? {
                    self.last = "0-0".to_string();
                    let _ = self.tell.send(Heard::Emptied);
                }
            }
        }
        Ok(())
    }
}
