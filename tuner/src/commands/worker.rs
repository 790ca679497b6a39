//! `tuner worker`: answers the tasks of runs on other machines, as `tuner task` does those of one on this.
//!
//! A run's profile and data are laid out in a folder of its own and opened as those of any run are. Nothing that
//! comes from elsewhere names a file or a command of this machine.

use super::task::{answers_of, reply};
use crate::base::files::{FileError, create_folder, sha256_of_file};
use crate::base::names::PROGRAM;
use crate::base::progress::note;
use crate::base::room::{cores, spawn_scoped};
use crate::base::shell;
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::usage::Usage;
use crate::exec::answers::Reply;
use crate::exec::remote::address::{Address, PASSWORD};
use crate::exec::remote::crew::{Crew, Ended, Patience, Session};
use crate::exec::remote::link::{Link, Trouble};
use crate::exec::remote::message::{Identity, Keys, SharedFile, What, clean, is_name};
use crate::exec::retry::keep_panics;
use crate::phases::options::Options;
use crate::run::replay::opened;
use crate::run::sharing::{identity, lay_out};
use anyhow::{Context as _, bail};
use crossbeam_channel::RecvTimeoutError;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// After how long it is said that the server does not answer yet.
const SAID_WITHIN: Duration = Duration::from_millis(800);
/// Stack of the thread that says so.
const STACK: usize = 1 << 20;

/// Answer the tasks of runs on other machines, which `tuner run --workers` gives out.
///
/// Works for whoever gives tasks out over this Redis or Valkey server, until it is interrupted: the first Ctrl-C
/// finishes the tasks in hand, a second one ends it at once. Memory: about what the same number of threads of
/// `tuner run` needs.
#[derive(Debug, clap::Args)]
pub struct WorkerArgs {
    /// The server: redis://host:port/number. A password is taken from the environment variable
    /// EYAS_REDIS_PASSWORD, or from the file that EYAS_REDIS_PASSWORD_FILE names.
    url: String,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder with data files that need not be sent; they are known by their content.
    #[arg(long, value_name = "DIR")]
    data: Vec<PathBuf>,
    /// Name in the leader's list [default: the machine's, and a number].
    #[arg(long)]
    name: Option<String>,
    /// Print a unit for systemd that runs this command, and end.
    #[arg(long)]
    pub print_systemd: bool,
}

/// Sessions that this worker has nothing to do with any more, and the data that it has fetched.
struct State<'a> {
    args: &'a WorkerArgs,
    folder: &'a Path,
    done_with: BTreeSet<String>,
    data: BTreeMap<String, PathBuf>,
}

/// Works until it is to stop.
///
/// # Errors
/// The URL, the password or a folder is wrong, or the system refuses what is needed.
pub fn worker(args: &WorkerArgs, stop: &Stop) -> anyhow::Result<()> {
    let address = Address::new(&args.url).map_err(anyhow::Error::msg)?;
    args.check_data()?;
    let name = match &args.name {
        Some(name) if is_name(name) => name.clone(),
        Some(name) => bail!(Usage(format!(
            "--name {name}: expected at most 64 letters, digits, dots and dashes"
        ))),
        None => named(),
    };
    low_priority();
    keep_panics();
    let threads = args.threads.map_or_else(cores, usize::from);
    note(&format!(
        "Worker {name}: {}, {PROGRAM}, at {address}",
        counted(threads, "thread")
    ));
    // Before anything that takes time.
    let mut is_gone = !is_there(&address)?;
    let identity = identity()?;
    let temporary = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut state = State {
        args,
        folder: temporary.path(),
        done_with: BTreeSet::new(),
        data: BTreeMap::new(),
    };
    let crew = Crew {
        address,
        name: &name,
        identity: &identity,
        threads,
        stop,
    };
    let mut patience = Patience::new();
    while !stop.requested() {
        match state.look(&crew, &identity) {
            Ok(()) => {
                if is_gone {
                    note(&format!("{} is back", crew.address));
                }
                is_gone = false;
                patience = Patience::new();
            }
            Err(Trouble {
                said,
                is_refused: true,
                ..
            }) => bail!("{}: {said}", crew.address),
            Err(trouble) => {
                if !is_gone {
                    waits(&crew.address, &trouble.said);
                }
                is_gone = true;
            }
        }
        patience.wait(|| stop.requested());
    }
    Ok(())
}

impl WorkerArgs {
    /// # Errors
    /// A folder of `--data` can't be read.
    fn check_data(&self) -> anyhow::Result<()> {
        for folder in &self.data {
            std::fs::read_dir(folder)
                .map_err(FileError::of("read", folder))
                .context("--data")?;
        }
        Ok(())
    }
}

/// Whether the server answers; if it does not, that is said within a second, whatever it takes to know.
///
/// # Errors
/// The user, the password or the number of the database is wrong.
fn is_there(address: &Address) -> anyhow::Result<bool> {
    thread::scope(|scope| -> anyhow::Result<bool> {
        let (over, ended) = crossbeam_channel::bounded::<()>(0);
        let watch = move || {
            if ended.recv_timeout(SAID_WITHIN) == Err(RecvTimeoutError::Timeout) {
                waits(address, "no answer yet");
            }
        };
        // Without room for a thread it is said later.
        let _ = spawn_scoped(scope, STACK, watch);
        let looked = Link::new(address);
        drop(over);
        match looked {
            Ok(_) => Ok(true),
            Err(trouble) if trouble.is_refused => bail!("{address}: {}", trouble.said),
            Err(trouble) => {
                waits(address, &trouble.said);
                Ok(false)
            }
        }
    })
}

fn waits(address: &Address, why: &str) {
    note(&format!("{address}: {why}; waiting for it"));
}

impl State<'_> {
    /// Looks for sessions, and works for one after the other.
    fn look(&mut self, crew: &Crew<'_>, identity: &Identity) -> Result<(), Trouble> {
        let mut link = Link::new(&crew.address)?;
        for keys in crew.sessions(&mut link, &self.done_with)? {
            if crew.stop.requested() {
                break;
            }
            let manifest = match crew.manifest(&mut link, &keys)? {
                None => continue,
                Some(Ok(manifest)) => manifest,
                Some(Err(why)) => {
                    self.refuse(crew, &mut link, &keys, &why, identity)?;
                    continue;
                }
            };
            let session = Session { keys, manifest };
            if let Err(why) = self.serve(crew, &mut link, &session) {
                // The server may have gone in the midst of it.
                if link.exists(&session.keys.manifest())? {
                    self.refuse(crew, &mut link, &session.keys, &why, identity)?;
                }
            }
        }
        Ok(())
    }

    /// Says why there is nothing to be done for a session, here and to its leader.
    fn refuse(
        &mut self,
        crew: &Crew<'_>,
        link: &mut Link,
        keys: &Keys,
        why: &str,
        identity: &Identity,
    ) -> Result<(), Trouble> {
        let why = clean(why);
        let program = &identity.program;
        note(&format!(
            "warning: nothing is done for session {}: {why}",
            keys.session
        ));
        self.done_with.insert(keys.session.clone());
        crew.say(link, keys, What::Refuse(format!("{why} ({program})")))
    }

    /// Works for a session; what goes wrong is told in words.
    fn serve(&mut self, crew: &Crew<'_>, link: &mut Link, session: &Session) -> Result<(), String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let manifest = &session.manifest;
        let keys = &session.keys;
        for file in &manifest.files {
            if !self.data.contains_key(&file.sha256) {
                let found = self.found(file);
                let path = match found {
                    Some(path) => path,
                    None => {
                        let folder = self.folder.join("data");
                        create_folder(&folder).map_err(|error| words(&error))?;
                        let path = folder.join(&file.sha256);
                        match crew.fetch(link, keys, file, &path)? {
                            true => path,
                            false => {
                                return Err(format!(
                                    "a data file with SHA-256 {} has not come",
                                    file.sha256
                                ));
                            }
                        }
                    }
                };
                self.data.insert(file.sha256.clone(), path);
            }
        }
        let folder = self.folder.join(&keys.session);
        lay_out(&folder, manifest, &self.data).map_err(|error| words(&error))?;
        let options = Options {
            threads: Some(crew.threads),
            ..Options::default()
        };
        let plan = opened(&folder, &options).map_err(|error| words(&error))?;
        let phases = plan.phases.as_slice();
        let profile = &manifest.header.profile;
        note(&format!(
            "Works for profile {profile}, session {}",
            keys.session
        ));
        let start = || {
            let mut phases = answers_of(phases);
            move |request: &str| match reply(request, &mut phases) {
                Ok(reply) => reply,
                Err(said) => Reply::Failed(said),
            }
        };
        let own = BTreeSet::from([keys.session.clone()]);
        let done_with = &self.done_with;
        let others = |link: &mut Link| {
            let without = done_with.union(&own).cloned().collect();
            crew.sessions(link, &without)
                .is_ok_and(|others| !others.is_empty())
        };
        let ended = crew
            .work(session, &others, &start)
            .map_err(|error| words(&error))?;
        let _ = std::fs::remove_dir_all(&folder);
        match ended {
            Ended::Over if !crew.stop.requested() => {
                note(&format!("Session {} is over", keys.session))
            }
            Ended::ShutOut(why) => {
                note(&format!(
                    "warning: the leader of session {} wants no more: {why}",
                    keys.session
                ));
                self.done_with.insert(keys.session.clone());
            }
            _ => {}
        }
        Ok(())
    }

    /// A data file in one of the folders that the user has named.
    fn found(&self, file: &SharedFile) -> Option<PathBuf> {
        let folders = self.args.data.iter();
        let entries =
            folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let mut alike = entries.filter(|entry| {
            let data = std::fs::metadata(entry.path());
            data.is_ok_and(|data| data.is_file() && data.len() == file.bytes)
        });
        let is_it = |path: &Path| sha256_of_file(path).is_ok_and(|sum| sum == file.sha256);
        alike
            .find(|entry| is_it(&entry.path()))
            .map(|entry| entry.path())
    }
}

/// The machine's name, where it tells it, and a number that no other worker has.
fn named() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    let host = if is_name(host) && host.len() < 40 {
        host
    } else {
        "worker"
    };
    format!(
        "{host}-{:08x}",
        RandomState::new().build_hasher().finish() as u32
    )
}

/// Whoever sits at this machine comes first.
fn low_priority() {
    #[cfg(unix)]
    let _ = rustix::process::nice(10);
}

/// A unit for systemd; a password is read from a file that it names, if that is there.
///
/// # Errors
/// The URL is none, or a folder can't be read.
pub fn unit(args: &WorkerArgs) -> anyhow::Result<String> {
    let address = Address::new(&args.url).map_err(anyhow::Error::msg)?;
    args.check_data()?;
    let program = std::env::current_exe().unwrap_or_else(|_| "tuner".into());
    let mut words = vec![
        shell::file(program.as_os_str()),
        "worker".into(),
        shell::word(&address.without_password()),
    ];
    if let Some(threads) = args.threads {
        words.extend(["--threads".into(), threads.to_string()]);
    }
    for folder in &args.data {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        words.extend(["--data".into(), shell::file(folder.as_os_str())]);
    }
    if let Some(name) = &args.name {
        words.extend(["--name".into(), shell::word(name)]);
    }
    // What systemd would replace is doubled.
    let command = words.join(" ").replace('%', "%%").replace('$', "$$");
    Ok(format!(
        "# ~/.config/systemd/user/eyas-worker.service; then: systemctl --user enable --now eyas-worker\n\
         # If the server has a password: a line {PASSWORD}='…' in the EnvironmentFile, which only you can read.\n\
         [Unit]\n\
         Description=Eyas tuner worker\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         EnvironmentFile=-%h/.config/eyas-worker.env\n\
         ExecStart={command}\n\
         Restart=always\n\
         RestartSec=10\n\
         Nice=10\n\
         KillSignal=SIGINT\n\
         TimeoutStopSec=600\n\
         \n\
         [Install]\n\
         WantedBy=default.target"
    ))
}
