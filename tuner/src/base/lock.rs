//! Who may write: one process at a time has a file that grows, or the folder of a run.
//!
//! The operating system locks the file for as long as its process lives, so one that was killed
//! leaves nothing behind. Some file systems have no locks (Lustre without `flock`, some NFS). There a
//! file beside it stands in, which holds host and process, is made only if there is none, and is
//! removed in the end. If its process has ended without that, the next one on the same host takes
//! over; what another host does can't be known here, and is left to the user, as all is where the system
//! does not list its processes (anything but Linux).

use crate::base::files::{FileError, refuse_irregular};
use crate::base::progress::note;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// How often a lock that somebody has is tried again, and after how long.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// A file that this process alone may write while the value lives.
#[derive(Debug)]
pub struct OwnFile {
    file: File,
    /// What stands in for a lock; removed when this is dropped.
    _stand_in: Option<StandIn>,
}

impl Deref for OwnFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl DerefMut for OwnFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.file
    }
}

/// Opens a file that is to grow, or makes it, for this process alone.
///
/// # Errors
/// It can't be opened for writing, is a pipe or a device, or another process has it.
pub fn open_alone(path: &Path) -> Result<OwnFile, FileError> {
    refuse_irregular("write to", path)?;
    let file = open(path).map_err(FileError::of("open for writing", path))?;
    own(file, path, File::try_lock).map_err(|denied| match denied {
        Denied::File(error) => error,
        Denied::Busy(_, owner) => {
            let problem = format!("another run is writing to it{}", owner.aside());
            let cause = io::Error::new(io::ErrorKind::WouldBlock, problem);
            FileError::of("write to", path)(cause)
        }
    })
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.create(true).truncate(false).read(true).write(true);
    options.open(path)
}

/// One process per folder: a file that is locked while its owner lives, with the owner's process
/// number inside. Readers of the folder take no lock.
#[derive(Debug)]
pub struct FolderLock {
    file: OwnFile,
}

/// Why a folder can't be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process works there.
    #[error("{} is in use by {owner}", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// As far as its lock file tells, and what to do.
        owner: String,
    },
    /// The lock file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Name of the lock file.
const LOCK_NAME: &str = "lock";

impl FolderLock {
    /// Locks a folder for this process until the value is dropped.
    ///
    /// # Errors
    /// Another process has it, or the folder is read-only.
    pub fn take(folder: &Path) -> Result<FolderLock, LockError> {
        FolderLock::take_by(folder, File::try_lock)
    }

    /// The same with another way to lock a file.
    fn take_by(folder: &Path, lock: Lock) -> Result<FolderLock, LockError> {
        let path = folder.join(LOCK_NAME);
        let file = open(&path).map_err(FileError::of("create", &path))?;
        let mut file = own(file, &path, lock).map_err(|denied| match denied {
            Denied::File(error) => LockError::File(error),
            Denied::Busy(mut file, owner) => LockError::Busy {
                folder: folder.to_path_buf(),
                owner: owner.instead_of(&mut file),
            },
        })?;
        file.set_len(0)
            .and_then(|()| writeln!(file.file, "{}", std::process::id()))
            .map_err(FileError::of("write", &path))?;
        Ok(FolderLock { file })
    }

    /// Whether a file of this name in a folder is one of a lock's.
    pub fn is_file(name: &str) -> bool {
        let behind = name.strip_prefix(LOCK_NAME);
        behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(STAND_IN))
    }

    /// Whether a process works in the folder: its number stands in the lock file as long as it does, or
    /// until it is killed. The lock itself is not touched, but on Windows, for a moment.
    pub fn is_held(folder: &Path) -> bool {
        let path = folder.join(LOCK_NAME);
        if let Some(text) = StandIn::read(&stand_in_of(&path)) {
            return Owner::of(&text).is_none_or(|owner| owner.may_live());
        }
        if cfg!(windows) {
            // There what is locked can't be read, so only the lock can be asked.
            let lock = File::open(path).map(|file| file.try_lock_shared());
            return matches!(lock, Ok(Err(TryLockError::WouldBlock)));
        }
        let owner = std::fs::read_to_string(path).unwrap_or_default();
        let processes = Path::new("/proc");
        let is_number = owner.trim().bytes().all(|b| b.is_ascii_digit());
        // Where there is no such list of processes, the number has to do.
        is_number
            && !owner.trim().is_empty()
            && (!processes.join("self").exists()
                || processes.join(owner.trim()).exists() && may_hold_a_lock(owner.trim()))
    }
}

impl Drop for FolderLock {
    /// The file stays, empty: removing it would let two processes lock two files of one name.
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        let _ = self.file.rewind();
    }
}

/// Whether the process with this number has a file locked, as a run has all the time. After a
/// restart of the machine the number may be that of some other process, which hardly ever has.
/// True if the system does not say.
fn may_hold_a_lock(process: &str) -> bool {
    let Ok(locks) = std::fs::read_to_string("/proc/locks") else {
        return true;
    };
    locks.lines().any(|line| {
        let mut words = line.split_whitespace().skip(1);
        words.next() == Some("FLOCK") && words.nth(2) == Some(process)
    })
}

/// How a file is locked.
type Lock = fn(&File) -> Result<(), TryLockError>;

/// Why a file is not this process's.
enum Denied {
    /// Another one has this file.
    Busy(File, Busy),
    File(FileError),
}

/// Tries to lock a file, and for a moment again if somebody has it: a child that its owner has just started holds the
/// lock, too, until it has become the other program.
fn locked(file: &File, lock: Lock) -> Result<(), TryLockError> {
    for _ in 0..TRIES {
        match lock(file) {
            Err(TryLockError::WouldBlock) => thread::sleep(BETWEEN_TRIES),
            ended => return ended,
        }
    }
    lock(file)
}

/// Makes an opened file this process's own.
fn own(file: File, path: &Path, lock: Lock) -> Result<OwnFile, Denied> {
    let stand_in = stand_in_of(path);
    let taken = match locked(&file, lock) {
        Err(TryLockError::WouldBlock) => return Err(Denied::Busy(file, Busy::Locked)),
        // Whoever is on a machine that can't lock the file has the other one.
        Ok(()) => StandIn::clear(&stand_in).map(|()| None),
        Err(TryLockError::Error(refusal)) => {
            let taken = StandIn::take(&stand_in);
            if taken.is_ok() {
                note(&format!(
                    "warning: {}: this file system has no locks ({refusal}); {} stands in",
                    path.display(),
                    stand_in.display()
                ));
            }
            taken.map(Some)
        }
    };
    match taken {
        Ok(stand_in) => Ok(OwnFile {
            file,
            _stand_in: stand_in,
        }),
        Err(Taken::By(owner)) => Err(Denied::Busy(file, owner)),
        Err(Taken::Failed(error)) => Err(Denied::File(error)),
    }
}

/// Who has a file.
enum Busy {
    /// Whoever has locked it.
    Locked,
    /// Whoever this file, which stands in for a lock, names.
    StandIn(PathBuf, Option<Owner>),
}

impl Busy {
    /// Who it is and what to do, in place of the number in a locked file.
    fn instead_of(&self, locked: &mut File) -> String {
        let mut text = String::new();
        match self {
            Busy::StandIn(..) => return self.who(),
            // Windows lets nobody read what is locked.
            Busy::Locked => drop(locked.read_to_string(&mut text)),
        }
        let who = match text.trim() {
            "" => "another process".to_string(),
            number => format!("process {number}"),
        };
        format!("{who}; wait for it or stop it first")
    }

    /// The same behind a sentence that says that somebody has the file.
    fn aside(&self) -> String {
        match self {
            Busy::Locked => String::new(),
            Busy::StandIn(..) => format!(": {}", self.who()),
        }
    }

    fn who(&self) -> String {
        let Busy::StandIn(path, owner) = self else {
            return String::new();
        };
        let (who, here) = match owner {
            Some(owner) if owner.is_here() => (format!("process {}", owner.process), true),
            Some(owner) => (
                format!("process {} on {}", owner.process, owner.host),
                false,
            ),
            None => ("another process".to_string(), false),
        };
        let path = path.display();
        match here {
            true => format!("{who}, as {path} says; wait for it or stop it first"),
            false => format!(
                "{who}, as {path} says; wait for it or stop it first, and if it has ended without \
                 removing that file, remove it"
            ),
        }
    }
}

/// How a file that stands in for a lock is named: like what it is for, and this behind it.
const STAND_IN: &str = ".owner";

fn stand_in_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(STAND_IN);
    name.into()
}

/// A file of this process that stands in for a lock.
#[derive(Debug)]
struct StandIn {
    path: PathBuf,
    text: String,
}

/// Why there is none.
enum Taken {
    By(Busy),
    Failed(FileError),
}

impl StandIn {
    fn take(path: &Path) -> Result<StandIn, Taken> {
        StandIn::clear(path)?;
        let text = Owner::this_process().to_text();
        let made = File::create_new(path).and_then(|mut file| {
            let written = file.write_all(text.as_bytes());
            if written.is_err() {
                let _ = std::fs::remove_file(path);
            }
            written
        });
        let path = path.to_path_buf();
        match made {
            Ok(()) => Ok(StandIn { path, text }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Taken::By(StandIn::busy(&path)))
            }
            Err(cause) => Err(Taken::Failed(FileError::of("create", &path)(cause))),
        }
    }

    /// Removes what a process left that has ended; where there is nothing, nothing is done.
    fn clear(path: &Path) -> Result<(), Taken> {
        let Some(text) = StandIn::read(path) else {
            return Ok(());
        };
        let Some(owner) = Owner::of(&text).filter(|owner| !owner.may_live()) else {
            return Err(Taken::By(StandIn::busy(path)));
        };
        // Two may be here at a time, and the second must not remove what the first has made by then.
        let mut aside = path.as_os_str().to_os_string();
        aside.push(format!(".{}", std::process::id()));
        let aside = PathBuf::from(aside);
        if std::fs::rename(path, &aside).is_ok() {
            let is_another = StandIn::read(&aside).is_some_and(|moved| moved != text);
            let is_taken = is_another && std::fs::hard_link(&aside, path).is_ok();
            let _ = std::fs::remove_file(&aside);
            if is_taken {
                return Err(Taken::By(StandIn::busy(path)));
            }
            note(&format!(
                "{}: process {}, which has left this file, has ended; this one takes over",
                path.display(),
                owner.process
            ));
        }
        Ok(())
    }

    fn busy(path: &Path) -> Busy {
        let owner = StandIn::read(path).and_then(|text| Owner::of(&text));
        Busy::StandIn(path.to_path_buf(), owner)
    }

    /// What one says that is there. One that can't be read is there too.
    fn read(path: &Path) -> Option<String> {
        match std::fs::read(path) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(_) => Some(String::new()),
        }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        if StandIn::read(&self.path).as_deref() == Some(&self.text) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A process, so that another with the same number later is not taken for it.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    host: String,
    process: u32,
    /// When it was started, in the system's own unit; empty if the system doesn't say.
    started: String,
}

impl Owner {
    fn this_process() -> Owner {
        let process = std::process::id();
        Owner {
            host: host().unwrap_or_else(|| "unknown".to_string()),
            process,
            started: started(process).unwrap_or_default(),
        }
    }

    fn to_text(&self) -> String {
        format!("{} {} {}\n", self.host, self.process, self.started)
    }

    fn of(text: &str) -> Option<Owner> {
        let mut words = text.split_whitespace();
        Some(Owner {
            host: words.next()?.to_string(),
            process: words.next()?.parse().ok()?,
            started: words.next().unwrap_or_default().to_string(),
        })
    }

    fn is_here(&self) -> bool {
        host().is_some_and(|here| here == self.host)
    }

    /// Whether the process may still be there.
    fn may_live(&self) -> bool {
        let is_same = |since: String| self.started.is_empty() || self.started == since;
        !self.is_here() || started(self.process).is_some_and(is_same)
    }
}

/// Name of this machine, where the system tells it and its processes (Linux).
fn host() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name: String = name.split_whitespace().collect();
    started(std::process::id()).filter(|_| !name.is_empty())?;
    Some(name)
}

/// When a process was started, as `/proc` has it; `None` if it is not there or has ended.
fn started(process: u32) -> Option<String> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The second field, the name, may have blanks and brackets.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X");
    let started = fields.nth(18).map(str::to_string);
    started.filter(|_| !has_ended)
}

#[cfg(test)]
mod tests;
