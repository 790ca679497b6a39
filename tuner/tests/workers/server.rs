//! A `redis-server` of a test's own, and a folder with something to run.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use tuner::exec::remote::address::Address;
use tuner::exec::remote::link::Link;

/// Two runs of few individuals on 300 positions, and then games.
const PROFILE: &str = r#"
format = 1

[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
test = "train.epd"
[phase.evolution]
population = 12
generations = 20
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
seeds = [3, 4]

[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 5
[phase.evolution]
population = 4
generations = 4
crossover_rate = 0.75
mutation_rate = 0.01
selection = "rank"
confirmation_pairs = 4
gauge_pairs = 2
[phase.games]
nodes = 600
each = 4
openings = "paired"
plies = 6
max_moves = 80
"#;

/// A folder with a profile and its positions.
pub fn run_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample-train.epd");
    let sample = std::fs::read_to_string(sample).unwrap();
    let lines: Vec<&str> = sample.split_inclusive('\n').take(300).collect();
    std::fs::write(folder.path().join("train.epd"), lines.concat()).unwrap();
    std::fs::write(folder.path().join("profile.toml"), PROFILE).unwrap();
    folder
}

/// A server on loopback that ends with its test.
pub struct Server {
    child: Child,
    port: u16,
    options: Vec<String>,
    folder: TempDir,
}

impl Server {
    /// A server with these options of its own; `None` where there is none to be had.
    pub fn start(options: &[&str]) -> Option<Server> {
        let there = Command::new("redis-server").arg("--version").output();
        if there.is_err() {
            let is_needed = ["CI", "EYAS_WORKERS"]
                .iter()
                .any(|name| std::env::var_os(name).is_some());
            assert!(
                !is_needed,
                "redis-server is missing; on Debian: apt install redis-server"
            );
            eprintln!("skipped: redis-server is not installed");
            return None;
        }
        // Nobody else is likely to take a port that was free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let folder = tempfile::tempdir().unwrap();
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        let child = spawn(port, folder.path(), &options);
        let server = Server {
            child,
            port,
            options,
            folder,
        };
        server.wait();
        Some(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port)
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn wait(&self) {
        let address = Address::new(&self.url()).unwrap();
        for _ in 0..500 {
            match Link::new(&address) {
                Err(trouble) if !trouble.is_refused => thread::sleep(Duration::from_millis(20)),
                _ => return,
            }
        }
        panic!("redis-server does not answer");
    }

    /// It dies, and another one begins with nothing.
    pub fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        thread::sleep(Duration::from_millis(2500));
        self.child = spawn(self.port, self.folder.path(), &self.options);
        self.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(port: u16, folder: &Path, options: &[String]) -> Child {
    let mut server = Command::new("redis-server");
    server.args([
        "--bind",
        "127.0.0.1",
        "--port",
        &port.to_string(),
        "--save",
        "",
        "--appendonly",
        "no",
    ]);
    server.arg("--dir").arg(folder).args(options);
    server
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
