//! A folder with generated positions and a profile, and the tuner's binary to run in it.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::position::{Game, Position};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tuner::exec::journal::{self, Record};

/// A temporary folder with positions, a profile and the tuner.
pub struct Bench {
    folder: tempfile::TempDir,
}

/// What the tuner answered.
pub struct Answer(pub Output);

impl Answer {
    /// It must have succeeded; returns what it said on stdout.
    pub fn success(self) -> String {
        let said = String::from_utf8_lossy(&self.0.stderr).into_owned();
        assert!(self.0.status.success(), "{said}");
        String::from_utf8(self.0.stdout).unwrap()
    }

    /// It must have succeeded; returns what it said on stderr.
    pub fn warnings(self) -> String {
        let said = String::from_utf8_lossy(&self.0.stderr).into_owned();
        assert!(self.0.status.success(), "{said}");
        said
    }

    /// It must have failed without a panic; returns what it said on stderr.
    pub fn failure(self) -> String {
        self.refused(1)
    }

    /// The command line must have been refused; returns what was said on stderr.
    pub fn wrong_line(self) -> String {
        self.refused(2)
    }

    fn refused(self, code: i32) -> String {
        let said = String::from_utf8_lossy(&self.0.stderr).into_owned();
        assert_eq!(self.0.status.code(), Some(code), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        said
    }
}

impl Bench {
    /// So many training positions and half as many held out.
    pub fn new(positions: usize) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let lines = positions_by_random_games(positions * 3 / 2);
        let (train, test) = lines.split_at(positions);
        std::fs::write(folder.path().join("train.epd"), train.concat()).unwrap();
        std::fs::write(folder.path().join("test.epd"), test.concat()).unwrap();
        std::fs::write(folder.path().join("small.toml"), PROFILE).unwrap();
        Bench { folder }
    }

    /// Changes the number of generations: more leave more time between a signal and the end.
    pub fn generations(self, generations: u32) -> Bench {
        let changed = PROFILE.replace("generations = 30", &format!("generations = {generations}"));
        std::fs::write(self.folder("small.toml"), changed).unwrap();
        self
    }

    /// Another profile.
    pub fn profile(self, text: &str) -> Bench {
        std::fs::write(self.folder("small.toml"), text).unwrap();
        self
    }

    /// A path in the folder.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the tuner.
    pub fn tuner(&self, args: &[&str]) -> Answer {
        Answer(tuner().args(args).output().unwrap())
    }

    /// The same, to be started.
    pub fn tuner_command(&self, args: &[&str]) -> Command {
        let mut command = tuner();
        command.args(args);
        command
    }

    /// Runs the tuner in the folder.
    pub fn tuner_inside(&self, line: &str) -> Answer {
        let mut command = tuner();
        command.args(line.split(' ')).current_dir(&self.folder);
        Answer(command.output().unwrap())
    }

    /// `tuner run` of the profile into a folder, to be started.
    pub fn run_command(&self, out: &Path, more: &[&str]) -> Command {
        let mut command = tuner();
        command
            .arg("run")
            .arg(self.folder("small.toml"))
            .arg("--out")
            .arg(out)
            .args(more);
        command
    }

    /// `tuner resume`, to be started.
    pub fn resume_command(&self, folder: &Path, more: &[&str]) -> Command {
        let mut command = tuner();
        command.arg("resume").arg(folder).args(more);
        command
    }

    /// The same as one or the other, whichever goes on with what is in the folder.
    pub fn go_on_command(&self, folder: &Path, more: &[&str]) -> Command {
        match folder.join("journal.jsonl").exists() {
            true => self.resume_command(folder, more),
            false => self.run_command(folder, more),
        }
    }

    /// A run that is killed (SIGKILL) and goes on after each time but the last, now on one thread, now
    /// on two: before its journal has a line, so many times in each stretch of work that the run of
    /// the folder `whole` did, and while it writes its report. `before` may delay or look at the run
    /// before it is killed for the time number so and so.
    pub fn killed(&self, folder: &Path, whole: &Path, each: usize, before: impl Fn(usize)) {
        let moments = moments(whole, each);
        let mut killed = 0;
        for (kill, &lines) in moments.iter().enumerate() {
            let threads = if kill % 2 == 0 { "1" } else { "2" };
            let mut command = self.go_on_command(folder, &["--threads", threads]);
            let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().unwrap();
            wait_for_lines(folder, lines, &mut child);
            before(kill);
            child.kill().unwrap();
            let ended = child.wait().unwrap();
            // It may have been faster, but it can't have failed.
            killed += usize::from(!ended.success());
            assert!(is_killed(ended) || ended.success(), "kill {kill}: {ended}");
        }
        assert!(killed * 2 > moments.len(), "{killed} of {moments:?}");
    }

    /// A run that is killed (SIGKILL) once, when its journal has so many lines.
    pub fn killed_at(&self, folder: &Path, lines: usize) {
        let mut command = self.run_command(folder, &[]);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        wait_for_lines(folder, lines, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// `tuner report` of a run that is over, killed at moments that are spread over the time that it
    /// takes. What it leaves is whole each time, and as in the folder of a run that nothing befell.
    pub fn killed_reporting(&self, folder: &Path, whole: &Path) {
        let report = || {
            let mut command = self.tuner_command(&["report", folder.to_str().unwrap()]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        let begun = Instant::now();
        assert!(report().wait().unwrap().success());
        let took = begun.elapsed();
        let expected: BTreeMap<_, _> = files_of(whole).into_iter().collect();
        let kills = 12;
        for kill in 1..=kills {
            for name in ["report.html", "best.toml", "figures"] {
                let path = folder.join(name);
                let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
            }
            let mut child = report();
            std::thread::sleep(took * kill / kills);
            child.kill().unwrap();
            child.wait().unwrap();
            for (name, bytes) in files_of(folder) {
                let is_own = name == "lock" || name.ends_with(".tmp");
                assert!(
                    is_own || expected.get(&name) == Some(&bytes),
                    "{name} differs"
                );
            }
        }
    }

    /// `tuner run` of the profile into a folder.
    pub fn run(&self, out: &Path, more: &[&str]) -> Answer {
        Answer(self.run_command(out, more).output().unwrap())
    }

    /// `tuner resume`.
    pub fn resume(&self, folder: &Path, more: &[&str]) -> Answer {
        Answer(self.resume_command(folder, more).output().unwrap())
    }
}

/// Lines of its journal at which to kill a run that does what the run of this folder did: none, so
/// many in each stretch of ten lines or more that are of the same kind (a phase's generations, a
/// suite, a match), and all of them.
fn moments(whole: &Path, each: usize) -> Vec<usize> {
    let kind = |record: &Record| {
        let word = record.task.split(' ').next().unwrap_or_default();
        (record.phase.clone(), word.to_string())
    };
    let records = journal::read(&whole.join("journal.jsonl")).unwrap().records;
    let mut moments = vec![0];
    // Behind the header.
    let mut line = 1;
    for stretch in records.chunk_by(|one, next| kind(one) == kind(next)) {
        if stretch.len() >= 10 {
            moments.extend((1..=each).map(|kill| line + stretch.len() * kill / (each + 1)));
        }
        line += stretch.len();
    }
    assert!(moments.len() > each, "nothing to kill");
    moments.extend([line; 3]);
    moments
}

/// Whether a process that did not end by itself ended like this.
fn is_killed(ended: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&ended) == Some(9);
    #[cfg(not(unix))]
    return ended.code() == Some(1);
}

/// A delay of up to six times so many microseconds, so that the kills of a run don't come at the
/// same point of a task each time.
pub fn dither(kill: usize, micros: u64) {
    std::thread::sleep(Duration::from_micros(micros * (kill as u64 * 5 % 7)));
}

/// Runs a command that can write no file beyond so many bytes, as on a disk that gets full.
pub fn limited(bytes: u64, command: &Command) -> Answer {
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        bytes.div_ceil(512)
    );
    let mut limited = Command::new("sh");
    limited.args(["-c", &script]).arg(command.get_program());
    Answer(limited.args(command.get_args()).output().unwrap())
}

/// What a command that has been started comes to.
pub fn answer(child: Child) -> Answer {
    Answer(child.wait_with_output().unwrap())
}

fn tuner() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tuner"))
}

/// The profile of the tests.
pub const PROFILE: &str = r#"
format = 1
phase = "grandmaster"
layout = "eval-2014"
[positions]
train = "train.epd"
test = "test.epd"
[quiescence]
moves = "see"
max_plies = 1
[evolution]
population = 10
generations = 30
crossover_rate = 0.75
mutation_rate = 0.005
elitism = 1
fitness = "squared"
selection = "roulette"
[runs]
count = 2
seed = 1
"#;

/// All kinds of phases in one profile.
pub const NIGHT: &str = r#"
format = 1

[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
test = "test.epd"
[phase.quiescence]
moves = "see"
max_plies = 1
[phase.evolution]
population = 6
generations = 4
crossover_rate = 0.75
mutation_rate = 0.005
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
count = 3
seed = 1

[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 7
[phase.evolution]
generations = 3
crossover_rate = 0.75
mutation_rate = 0.05
selection = "rank"
confirmation_pairs = 2
gauge_pairs = 1
[phase.games]
nodes = 100
each = 2
max_moves = 40

[[phase]]
kind = "ecm"
layout = "search-2014"
[phase.suite]
train = "train.epd"
count = 6
part = "odd"
[phase.search]
cap = 300
[phase.evolution]
population = 4
generations = 3
crossover_rate = 0.75
mutation_rate = 0.05
elitism = 1
selection = "roulette"
[phase.runs]
count = 1
seed = 1

[[phase]]
kind = "validation"
seed = 7
[phase.positions]
file = "test.epd"
count = 12
sensitivity = true
[[phase.suites]]
file = "test.epd"
count = 6
part = "even"
cap = 300
[phase.games]
nodes = 100
max_moves = 30
[phase.sprt]
elo1 = 20
pairs = 20
"#;

/// EPD lines: positions of random games, solved by the choice of the default weights.
pub fn positions_by_random_games(count: usize) -> Vec<String> {
    let mut random = SplitMix64::seed_from_u64(20);
    let (weights, quiescence) = (EvalParams::default(), Quiescence::default());
    let (mut lines, mut seen) = (Vec::new(), HashSet::new());
    while lines.len() < count {
        let mut game = Game::new(Position::startpos());
        for _ in 0..12 + random.next_u64() % 40 {
            let moves = game.position().legal_moves();
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play(moves[random.next_u64() as usize % moves.len()]);
        }
        let position = game.position();
        let Some(best) = choose_one_ply(position, &weights, &quiescence) else {
            continue;
        };
        let fen = position.to_fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        if seen.insert(position.key()) {
            let mut line = fields.join(" ");
            let _ = writeln!(line, " bm {best}; id \"random {}\";", lines.len() + 1);
            lines.push(line);
        }
    }
    lines
}

/// Complete lines of the journal in a run's folder; 0 if there is none.
pub fn journal_lines(folder: &Path) -> usize {
    let bytes = std::fs::read(folder.join("journal.jsonl")).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Waits until the journal has so many lines or the process has ended.
pub fn wait_for_lines(folder: &Path, lines: usize, child: &mut Child) {
    let start = Instant::now();
    while journal_lines(folder) < lines && child.try_wait().unwrap().is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "nothing happens"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A page without its wall times; any other file as it is.
fn without_times(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(text) = str::from_utf8(&bytes) else {
        return bytes;
    };
    let parts = text.split_once("<!-- wall times -->");
    let parts = parts.and_then(|(head, rest)| {
        let (_, tail) = rest.split_once("<!-- end of wall times -->")?;
        Some(head.to_string() + tail)
    });
    parts.map_or(bytes, String::into_bytes)
}

/// Names and contents of all files of a run but the wall times, sorted.
pub fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            match path.is_dir() {
                true => folders.push(path),
                false if name == "timing.csv" => {}
                false => files.push((name, without_times(std::fs::read(&path).unwrap()))),
            }
        }
    }
    files.sort();
    files
}

/// All files of a run but the wall times are the same.
pub fn assert_same(expected: &Path, found: &Path) {
    let (expected, found) = (files_of(expected), files_of(found));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&expected), names(&found));
    for ((name, expected), (_, found)) in expected.iter().zip(&found) {
        assert!(expected == found, "{name} differs");
    }
}
