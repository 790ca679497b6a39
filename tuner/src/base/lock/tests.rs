//! Locks of the system, and those that a file stands in for.

use super::*;
#[cfg(unix)]
use crate::base::files::tests::refuses_a_pipe;

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

/// A child that has just been started holds what its parent had open until it has become the other program.
#[test]
fn a_lock_that_is_held_for_a_moment_more_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgn");
    let owned = open_alone(&path).unwrap();
    let of_child = owned.file.try_clone().unwrap();
    drop(owned);
    let child = thread::spawn(move || {
        thread::sleep(BETWEEN_TRIES * 2);
        drop(of_child);
    });
    open_alone(&path).unwrap();
    child.join().unwrap();
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_and_stay() {
    refuses_a_pipe(open_alone);
}

#[test]
fn a_folder_has_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    let lock = FolderLock::take(folder.path()).unwrap();
    let error = FolderLock::take(folder.path()).unwrap_err().to_string();
    let expected = match cfg!(windows) {
        true => "in use by ".to_string(),
        false => format!("in use by process {}", std::process::id()),
    };
    assert!(error.contains(&expected), "{error}");
    drop(lock);
    FolderLock::take(folder.path()).unwrap();
}

/// What `flock` says on Lustre mounted without it, and on NFS whose server has no locks.
#[cfg(target_os = "linux")]
const NO_LOCKS: [Lock; 3] = [
    |_| Err(TryLockError::Error(rustix::io::Errno::NOSYS.into())),
    |_| Err(TryLockError::Error(rustix::io::Errno::NOLCK.into())),
    |_| Err(TryLockError::Error(rustix::io::Errno::OPNOTSUPP.into())),
];

#[cfg(target_os = "linux")]
#[test]
fn without_locks_a_file_stands_in() {
    for no_locks in NO_LOCKS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let stand_in = folder.join("lock.owner");
        let lock = FolderLock::take_by(folder, no_locks).unwrap();
        assert!(FolderLock::is_held(folder));
        // Neither on this machine nor on one that has locks does a second process begin.
        for second in [no_locks, File::try_lock] {
            let error = FolderLock::take_by(folder, second).unwrap_err().to_string();
            let owner = format!("in use by process {}, as ", std::process::id());
            assert!(error.contains(&owner), "{error}");
            assert!(stand_in.exists());
        }
        drop(lock);
        assert!(!stand_in.exists() && !FolderLock::is_held(folder));
        FolderLock::take_by(folder, no_locks).unwrap();
    }
}

/// A stand-in that holds this text, and what comes of a start.
#[cfg(target_os = "linux")]
fn found(text: &str) -> (Result<FolderLock, LockError>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lock.owner"), text).unwrap();
    (FolderLock::take_by(folder.path(), NO_LOCKS[0]), folder)
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_ended_process_left_is_taken_over_on_its_own_host_alone() {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let (taken, folder) = found(&format!("{} {dead} 1\n", host().unwrap()));
    let held = std::fs::read_to_string(folder.path().join("lock.owner")).unwrap();
    assert_eq!(Owner::of(&held), Some(Owner::this_process()));
    drop(taken.unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);

    let (taken, folder) = found(&format!("elsewhere {dead} 1\n"));
    let error = taken.unwrap_err().to_string();
    let expected = format!("in use by process {dead} on elsewhere, as ");
    assert!(error.contains(&expected), "{error}");
    assert!(error.ends_with("remove it"), "{error}");
    assert!(FolderLock::is_held(folder.path()));

    // Killed between making the file and writing it, or written by somebody else.
    for text in ["", "word", "host number"] {
        let error = found(text).0.unwrap_err().to_string();
        assert!(error.contains("in use by another process, as "), "{error}");
    }
}

/// After a restart of the machine its number is soon another process's.
#[cfg(target_os = "linux")]
#[test]
fn another_process_with_the_same_number_is_not_taken_for_it() {
    let this = Owner::this_process();
    assert!(this.may_live());
    let before = Owner {
        started: "1".to_string(),
        ..Owner::this_process()
    };
    assert!(!before.may_live());
    drop(found(&before.to_text()).0.unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_growing_file_without_locks_has_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgn");
    let file = own(open(&path).unwrap(), &path, NO_LOCKS[0]).ok().unwrap();
    let error = open_alone(&path).unwrap_err().to_string();
    let owner = format!(
        "another run is writing to it: process {}",
        std::process::id()
    );
    assert!(error.contains(&owner), "{error}");
    drop(file);
    open_alone(&path).unwrap();
}
