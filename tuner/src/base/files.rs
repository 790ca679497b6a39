//! Files that survive a crash: written whole or not at all, told apart by their SHA-256. Who may
//! write one is [`crate::base::lock`]'s.

use crate::base::progress::note;
use engine::kind::{TextKind, mismatch};
use engine::source::{Source, SourceError};
use engine::text::text_of;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Once;
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
/// The file can't be read, or is a pipe or a device.
pub fn sha256_of_file(path: &Path) -> Result<String, FileError> {
    // Whoever wants the digest reads the file too, and a pipe can be read but once.
    refuse_irregular("read", path)?;
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

/// Reads a text file of one kind, plain or packed with gzip or zstd.
///
/// # Errors
/// The file can't be read, is no UTF-8, or its first lines are those of another kind.
pub fn read_text(path: &Path, kind: TextKind) -> Result<String, FileError> {
    let refused = |problem: String| FileError::of("read", path)(io::Error::other(problem));
    let bytes = std::fs::read(path).map_err(FileError::of("read", path))?;
    let mut source = match Source::from_reader("", Cursor::new(bytes)) {
        Ok(source) => source,
        Err(SourceError::Empty(_)) => return Ok(String::new()),
        Err(error) => return Err(refused(error.problem())),
    };
    if let Some(found) = source.kind().filter(|found| *found != kind) {
        return Err(refused(mismatch(found, kind)));
    }
    let mut text = Vec::new();
    (source.read_to_end(&mut text)).map_err(FileError::of("read", path))?;
    text_of(text).map_err(refused)
}

/// Refuses what is there and is neither file nor folder, such as a pipe or a device.
///
/// # Errors
/// It is one.
pub fn refuse_irregular(action: &'static str, path: &Path) -> Result<(), FileError> {
    match std::fs::metadata(path) {
        // A folder is the system's to refuse, as is what can't be looked at.
        Ok(there) if !there.is_file() && !there.is_dir() => {
            let problem = "this is a pipe or a device, expected a regular file";
            Err(FileError::of(action, path)(io::Error::other(problem)))
        }
        _ => Ok(()),
    }
}

/// The file that [`write_atomically`] would replace: of a link, what it leads to.
///
/// # Errors
/// There is something else that must not be replaced: a pipe, a device, a folder, or a link that
/// leads nowhere.
pub fn replaceable(path: &Path) -> Result<PathBuf, FileError> {
    refuse_irregular("write", path)?;
    let refused = |problem| Err(FileError::of("write", path)(io::Error::other(problem)));
    if path.is_dir() {
        return refused("this is a folder, expected a file");
    }
    match path.canonicalize() {
        Ok(target) => Ok(target),
        Err(_) if path.is_symlink() => refused("this link leads to no file"),
        Err(_) => Ok(path.to_path_buf()),
    }
}

/// Refuses the name of a packed file for what is written plain: other programs go by it.
///
/// # Errors
/// It is one.
pub fn refuse_packed_name(path: &Path) -> Result<(), FileError> {
    let end = path.extension().and_then(OsStr::to_str);
    match end.filter(|end| {
        ["gz", "zst"]
            .iter()
            .any(|one| end.eq_ignore_ascii_case(one))
    }) {
        None => Ok(()),
        Some(end) => {
            let problem = format!(
                "what is written is not packed, expected a name that does not end in .{end}"
            );
            Err(FileError::of("write", path)(io::Error::other(problem)))
        }
    }
}

/// Number of the first line of a file, from 1, that is neither blank nor such a line: a command that
/// replaces the file would destroy what it has not made. `None` if there is none, or no file.
///
/// # Errors
/// The file can't be read.
pub fn first_other_line(
    path: &Path,
    is_own: impl Fn(&str) -> bool,
) -> Result<Option<usize>, FileError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::of("read", path)(error)),
    };
    for (number, line) in (1..).zip(BufReader::new(file).split(b'\n')) {
        let line = line.map_err(FileError::of("read", path))?;
        let is_own = |line: &[u8]| str::from_utf8(line).is_ok_and(&is_own);
        if !line.trim_ascii().is_empty() && !is_own(line.trim_ascii()) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Refuses to replace a file that a command has not made: `is_own` sees how it begins. An empty file may go.
///
/// # Errors
/// It is something else than `what`, or can't be read.
pub fn refuse_other(
    path: &Path,
    what: &str,
    is_own: impl FnOnce(&[u8]) -> bool,
) -> Result<(), FileError> {
    if !path.is_file() {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(FileError::of("read", path))?;
    if head.is_empty() || is_own(&head) {
        return Ok(());
    }
    let problem = format!("it holds something else than {what}, expected a new file");
    Err(FileError::of("write", path)(io::Error::other(problem)))
}

/// Bytes by which a file is known.
const HEAD: u64 = 1024;

/// Writes a file so that whoever reads it, even after a power cut, finds the old content or the
/// new, never a part: a temporary file next to it is synced and renamed. A link stays, and what it
/// leads to is written.
///
/// # Errors
/// A full disk, a read-only folder and the like, or what [`replaceable`] refuses; the old content is
/// still there then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let target = replaceable(path)?;
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    // A name that nobody has: the user may have a file that ends in `.tmp`.
    tempfile::Builder::new()
        .prefix(&name)
        .rand_bytes(RANDOM)
        .suffix(TEMPORARY)
        .make_in(folder_of(&target), |path| File::create_new(path))
        .and_then(|mut temporary| {
            temporary.as_file_mut().write_all(bytes)?;
            synced(path, temporary.as_file().sync_all())?;
            temporary.persist(&target).map_err(|error| error.error)
        })
        .map_err(FileError::of("write", path))?;
    sync_folder_of(&target);
    Ok(())
}

/// What a sync has come to. Some file systems refuse to be asked for it: that is said once, and is
/// no error.
///
/// # Errors
/// The bytes could not be written: a full disk, or a damaged one.
pub fn synced(path: &Path, sync: io::Result<()>) -> io::Result<()> {
    static SAID: Once = Once::new();
    match sync {
        Err(refusal) if is_unsupported(&refusal) => {
            SAID.call_once(|| {
                note(&format!(
                    "warning: {}: this file system refuses to say when something is on the disk \
                     ({refusal}); a power cut may cost what was written last",
                    path.display()
                ));
            });
            Ok(())
        }
        other => other,
    }
}

/// Whether a file system doesn't do what it was asked for, where damage would be another error (`EIO`,
/// `ENOSPC`).
fn is_unsupported(error: &io::Error) -> bool {
    // ENOSYS and EOPNOTSUPP; EINVAL is fsync's word for a file that can't be synced.
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

/// How the names of temporary files end.
const TEMPORARY: &str = ".tmp";

/// How many random letters and digits stand before that.
const RANDOM: usize = 6;

/// Whether a file of this name is what a process that was killed while it wrote the other leaves.
pub fn is_leftover(name: &str, of: &str) -> bool {
    written_for(name) == Some(of)
}

/// Whether a file of this name is what a process that was killed while it wrote a file of a run
/// leaves: `best.toml.Xy12Za.tmp`, where `notes.tmp` is the user's.
pub fn is_temporary(name: &str) -> bool {
    const KINDS: [&str; 10] = [
        "toml", "csv", "html", "svg", "pgn", "json", "jsonl", "dat", "txt", "sexp",
    ];
    let of = written_for(name).and_then(|of| of.rsplit_once('.'));
    of.is_some_and(|(_, kind)| KINDS.contains(&kind))
}

/// The file that a temporary one of this name was to replace, if it may be one.
fn written_for(name: &str) -> Option<&str> {
    let (of, random) = name.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    let is_random = random.len() == RANDOM && random.bytes().all(|b| b.is_ascii_alphanumeric());
    is_random.then_some(of)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Makes a new or renamed directory entry durable. Not every file system can; the file itself is
/// synced, so this is best effort.
fn sync_folder_of(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

/// Creates a folder and those above it.
///
/// # Errors
/// It can't be created.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(FileError::of("create the folder", path))
}

/// Creates the folder of a file and those above it.
///
/// # Errors
/// It can't be created.
pub fn create_folder_of(path: &Path) -> Result<(), FileError> {
    path.parent().map_or(Ok(()), create_folder)
}

/// Adds to a file, which is made if it is not there.
///
/// # Errors
/// A full disk, a read-only folder and the like.
pub fn append(path: &Path, text: &str) -> Result<(), FileError> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(FileError::of("write", path))
}

/// Whether the option `ParamsFile` takes a path for the one file that it is.
pub fn is_sendable(path: &Path) -> bool {
    !path.to_string_lossy().contains(';')
}

#[cfg(test)]
pub(crate) mod tests {
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

    #[cfg(unix)]
    #[test]
    fn a_sync_that_is_refused_is_no_damage() {
        use rustix::io::Errno;
        let synced = |errno: Errno| synced(Path::new("x"), Err(errno.into()));
        for refusal in [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP] {
            assert!(synced(refusal).is_ok(), "{refusal:?}");
        }
        for damage in [Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ROFS] {
            assert!(synced(damage).is_err(), "{damage:?}");
        }
    }

    #[test]
    fn a_file_of_the_users_is_not_taken_for_a_temporary_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, own) = (folder.path().join("x"), folder.path().join("x.tmp"));
        std::fs::write(&own, "keep").unwrap();
        write_atomically(&path, b"one").unwrap();
        assert_eq!(std::fs::read(&own).unwrap(), b"keep");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_killed_process_leaves_is_known_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        // A name as they are made, seen while the file is written.
        let made = tempfile::Builder::new()
            .prefix("best.toml.")
            .rand_bytes(RANDOM)
            .suffix(TEMPORARY)
            .tempfile_in(folder.path())
            .unwrap();
        let name = made.path().file_name().unwrap().to_str().unwrap();
        assert!(
            is_temporary(name) && is_leftover(name, "best.toml"),
            "{name}"
        );
        assert!(!is_temporary("best.toml"));
        assert!(is_temporary("run-02.sexp.Xy12Za.tmp"));
        for own in [
            "notes.tmp",
            "notes.backup.tmp",
            "best.toml.tmp",
            "best.toml.old.tmp",
        ] {
            assert!(!is_temporary(own), "{own}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_target_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, link) = (folder.path().join("inner"), folder.path().join("link"));
        let target = inner.join("target");
        std::fs::create_dir(&inner).unwrap();
        std::os::unix::fs::symlink("inner/target", &link).unwrap();
        let error = write_atomically(&link, b"").unwrap_err().to_string();
        assert!(
            error.ends_with("link: this link leads to no file"),
            "{error}"
        );
        std::fs::write(&target, "old").unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 1);
    }

    /// What does something with a file refuses a pipe, which stays one.
    #[cfg(unix)]
    pub(crate) fn refuses_a_pipe<T>(done: impl Fn(&Path) -> Result<T, FileError>) {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let error = done(&pipe).err().unwrap().to_string();
        let expected = "pipe: this is a pipe or a device, expected a regular file";
        assert!(error.ends_with(expected), "{error}");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_refused_and_stay() {
        refuses_a_pipe(|pipe| write_atomically(pipe, b""));
        refuses_a_pipe(sha256_of_file);
    }
}
