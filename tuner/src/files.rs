//! Files that survive a crash: written whole or not at all, locked by one process, told apart by
//! their SHA-256.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What failed with which file.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {cause}", path.display())]
pub struct FileError {
    /// What was tried: `read`, `write`, `create`, …
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub cause: io::Error,
}

impl FileError {
    /// For `map_err`: the action and the file of an error that is yet to come.
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_path_buf();
        move |cause| FileError {
            action,
            path,
            cause,
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// SHA-256 of some bytes, in 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a file's bytes as they are on disk (packed if they are), in 64 hexadecimal digits.
///
/// # Errors
/// The file can't be read.
pub fn sha256_of_file(path: &Path) -> Result<String, FileError> {
    let mut file = File::open(path).map_err(FileError::of("read", path))?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex(&hash.finalize())),
            Ok(length) => hash.update(&block[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FileError::of("read", path)(error)),
        }
    }
}

/// Reads a text file.
///
/// # Errors
/// The file can't be read or is no UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(FileError::of("read", path))
}

/// Writes a file so that whoever reads it, even after a power cut, finds the old content or the
/// new, never a part: a temporary file next to it is synced and renamed.
///
/// # Errors
/// A full disk, a read-only folder and the like; the old content is still there then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let written = File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&temporary, path));
    if let Err(cause) = written {
        // Best effort: the first error is the one worth telling.
        let _ = std::fs::remove_file(&temporary);
        return Err(FileError::of("write", path)(cause));
    }
    sync_folder_of(path);
    Ok(())
}

/// Makes a new or renamed directory entry durable. Not every file system can; the file itself is
/// synced, so this is best effort.
fn sync_folder_of(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

/// Creates a folder and those above it.
///
/// # Errors
/// It can't be created.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(FileError::of("create the folder", path))
}

/// Opens a file that is to grow, or makes it, for this process alone.
///
/// # Errors
/// It can't be opened for writing, or another process has it.
pub fn open_alone(path: &Path) -> Result<File, FileError> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(path)
        .map_err(FileError::of("open for writing", path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let cause = io::Error::new(io::ErrorKind::WouldBlock, "another run is writing to it");
            Err(FileError::of("write to", path)(cause))
        }
        // Some file systems have no locks; then the user has to take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// One process per folder: a file that is locked while its owner lives, with the owner's process
/// number inside. Readers of the folder take no lock.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

/// Why a folder can't be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process works there.
    #[error("{} is in use by process {owner}; wait for it or stop it first", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// What its lock file says.
        owner: String,
    },
    /// The lock file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Name of the lock file.
pub const LOCK_NAME: &str = "lock";

impl FolderLock {
    /// Locks a folder for this process until the value is dropped.
    ///
    /// # Errors
    /// Another process has it, or the folder is read-only.
    pub fn take(folder: &Path) -> Result<FolderLock, LockError> {
        let path = folder.join(LOCK_NAME);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(FileError::of("create", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                let _ = file.read_to_string(&mut owner);
                return Err(LockError::Busy {
                    folder: folder.to_path_buf(),
                    owner: owner.trim().to_string(),
                });
            }
            Err(TryLockError::Error(cause)) => {
                return Err(FileError::of("lock", &path)(cause).into());
            }
        }
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(FileError::of("write", &path))?;
        Ok(FolderLock { file })
    }
}

impl Drop for FolderLock {
    /// The file stays, empty: removing it would let two processes lock two files of one name.
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        let _ = self.file.rewind();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_abc() {
        // FIPS 180-2, B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        std::fs::write(&file, "abc").unwrap();
        assert_eq!(sha256_of_file(&file).unwrap(), expected);
        let error = sha256_of_file(&folder.path().join("none")).unwrap_err();
        assert!(error.to_string().contains("none: "), "{error}");
    }

    #[test]
    fn whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write_atomically(&path.join("y"), b"").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
    }

    #[test]
    fn a_growing_file_has_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.pgn");
        let file = open_alone(&path).unwrap();
        let error = open_alone(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("x.pgn: another run is writing to it"),
            "{error}"
        );
        drop(file);
        open_alone(&path).unwrap();
    }

    #[test]
    fn a_folder_has_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        let error = FolderLock::take(folder.path()).unwrap_err().to_string();
        let expected = format!("in use by process {}", std::process::id());
        assert!(error.contains(&expected), "{error}");
        drop(lock);
        FolderLock::take(folder.path()).unwrap();
    }
}
