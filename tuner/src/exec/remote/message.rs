//! What leader and workers say to each other, and how much of it is read. All of it is JSON that may come
//! from anybody who reaches the server, so it is bounded, and whatever it is not is refused.

use crate::exec::answers::Reply;
use crate::exec::journal::Header;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::time::Duration;

/// Version of all that is said.
pub const FORMAT: u32 = 1;
/// Bytes of a message at most.
pub const MOST_BYTES: usize = 32 << 20;
/// Bytes of a data file at most.
pub const MOST_FILE: u64 = 8 << 30;
/// Bytes of a data file in one value of the server.
pub const CHUNK: usize = 1 << 20;
/// Letters of a name or a sentence from elsewhere at most.
const MOST_LETTERS: usize = 300;

/// What a worker needs to know of a run before it may answer tasks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Who leads.
    pub identity: Identity,
    /// Milliseconds after which a task that nobody has claimed again goes to another worker.
    pub lease: u64,
    /// The first record of the journal, in which paths are names without folders.
    pub header: Header,
    /// The profile's text.
    pub profile: String,
    /// The data files, by content.
    pub files: Vec<SharedFile>,
}

/// A data file, by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedFile {
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
}

/// A program, as far as answers depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name and version.
    pub program: String,
    /// Nodes of its benchmark: the signature of its search and evaluation.
    pub signature: u64,
}

impl Identity {
    /// Why one of these may not work for the other, as a sentence; `None` if it may.
    pub fn difference(&self, leader: &Identity) -> Option<String> {
        let text = |one: &Identity| format!("{} (bench {})", clean(&one.program), one.signature);
        (self != leader).then(|| {
            format!(
                "the worker is {}, the leader {}: answers would differ, so both need the same program",
                text(self),
                text(leader)
            )
        })
    }
}

/// A task, or one part of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Its number in the leader's session.
    pub id: u64,
    /// The worker that has answered it already: another one is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not: Option<String>,
    /// The task, as another process on the same machine gets it.
    pub request: Box<RawValue>,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Its name.
    pub worker: String,
    /// What.
    pub what: What,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum What {
    /// It is there, with so many threads. It says so again from time to time.
    Hello {
        /// Its program.
        identity: Identity,
        /// Threads.
        threads: u32,
    },
    /// It won't work for this run.
    Refuse(String),
    /// It needs a data file.
    Want(String),
    /// An answer, or why there is none.
    Answer {
        /// The unit's number.
        unit: u64,
        /// What came of it.
        reply: Reply,
    },
    /// The unit is one that it has answered before.
    Decline(u64),
    /// It leaves.
    Bye,
}

/// A message, if it is one.
///
/// # Errors
/// It is too long, or no such message.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    if text.len() > MOST_BYTES {
        return Err(format!(
            "a message of {} bytes, expected {MOST_BYTES} at most",
            text.len()
        ));
    }
    serde_json::from_str(text).map_err(|error| clean(&error.to_string()))
}

/// What a worker says, if its name may be shown.
///
/// # Errors
/// It is no such message.
pub fn heard(text: &str) -> Result<Said, String> {
    let said: Said = read(text)?;
    match is_name(&said.worker) {
        true => Ok(said),
        false => Err("a worker whose name is none".to_string()),
    }
}

/// Whether this can be the name of a worker or of a session.
pub fn is_name(name: &str) -> bool {
    let is_tame = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=64).contains(&name.len()) && name.chars().all(is_tame)
}

/// Whether this can be a SHA-256.
pub fn is_digest(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    text.len() == 64 && text.chars().all(is_digit)
}

/// A text from elsewhere as it may be shown: short, and without signs that a terminal would obey.
pub fn clean(text: &str) -> String {
    let tame = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(MOST_LETTERS).map(tame).collect()
}

/// What a worker may rely on in a manifest beside its data, which are compared when they are opened.
///
/// # Errors
/// Something that no leader says, in words.
pub fn checked(manifest: Manifest) -> Result<Manifest, String> {
    if manifest.format != FORMAT {
        let found = manifest.format;
        return Err(format!(
            "the leader speaks format {found}, this worker {FORMAT}"
        ));
    }
    // These become names of files.
    let is_tame = |text: &String| {
        let tame = |c: char| c.is_alphanumeric() || " -_.,()".contains(c);
        text.len() <= 200 && text.chars().all(tame)
    };
    let header = &manifest.header;
    let names = header
        .files
        .iter()
        .flat_map(|file| [&file.phase, &file.role]);
    if !names.chain([&header.profile]).all(is_tame) {
        return Err("a phase, a profile or a file of the run has a name that none may have".into());
    }
    if !manifest.files.iter().all(|file| is_digest(&file.sha256)) {
        return Err("a data file of the run has a digest that is none".into());
    }
    let known = |sha256: &String| manifest.files.iter().any(|file| file.sha256 == *sha256);
    let are_known = header.files.iter().all(|file| known(&file.sha256));
    if !are_known {
        return Err("a data file of the run is not offered".into());
    }
    let bytes = manifest
        .files
        .iter()
        .try_fold(0_u64, |sum, file| sum.checked_add(file.bytes));
    if bytes.is_none_or(|bytes| bytes > MOST_FILE) {
        return Err(format!("the run's data are more than {MOST_FILE} bytes"));
    }
    Ok(manifest)
}

/// The names of a session's keys.
#[derive(Clone, Debug)]
pub struct Keys {
    /// The session.
    pub session: String,
}

/// How long keys live that nobody refreshes.
pub const LIVES: Duration = Duration::from_secs(600);
/// The same of what says that there is a leader.
pub const LEADER_LIVES: Duration = Duration::from_secs(30);
/// The set of all sessions.
pub const SESSIONS: &str = "eyas:sessions";
/// The consumer group of all workers.
pub const GROUP: &str = "workers";
/// The consumer that is the leader.
pub const LEADER: &str = "leader";

impl Keys {
    fn of(&self, what: &str) -> String {
        format!("eyas:{}:{what}", self.session)
    }
    /// What a worker needs to know.
    pub fn manifest(&self) -> String {
        self.of("manifest")
    }
    /// The stream of tasks.
    pub fn tasks(&self) -> String {
        self.of("tasks")
    }
    /// The stream of what workers say.
    pub fn said(&self) -> String {
        self.of("said")
    }
    /// The workers that are shut out, with the reason.
    pub fn out(&self) -> String {
        self.of("out")
    }
    /// How many parts a data file has.
    pub fn data(sha256: &str) -> String {
        format!("eyas:data:{sha256}")
    }
    /// A part of a data file.
    pub fn chunk(sha256: &str, number: usize) -> String {
        format!("eyas:data:{sha256}:{number}")
    }
}
