//! A `redis-server` of a test's own.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use tuner::exec::remote::address::Address;
use tuner::exec::remote::link::Link;

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
