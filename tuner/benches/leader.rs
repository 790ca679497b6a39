//! How many tasks a second a leader gives out and takes in with a thousand workers that only sleep.
//!
//!     cargo bench -p tuner --bench leader -- [TASKS] [BYTES] [WORKERS] [MILLISECONDS]
//!
//! Needs `redis-server`, which it starts on loopback. The workers are one other process with few connections. All of
//! it runs on this machine, so the processor time that leader and server take for a task says more than the rate.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot be set up has failed"
)]

#[cfg(all(target_os = "linux", feature = "redis"))]
fn main() {
    with_workers::main();
}

#[cfg(not(all(target_os = "linux", feature = "redis")))]
fn main() {
    println!("needs Linux and the feature `redis`");
}

#[cfg(all(target_os = "linux", feature = "redis"))]
#[path = "../tests/workers/server.rs"]
#[allow(dead_code, reason = "tests let it die")]
mod server;

#[cfg(all(target_os = "linux", feature = "redis"))]
mod with_workers {
    use super::server::Server;
    use serde::{Deserialize, Serialize};
    use std::process::{Child, Command};
    use std::thread;
    use std::time::{Duration, Instant};
    use tuner::base::progress::Progress;
    use tuner::base::stop::Stop;
    use tuner::exec::answers::{RawDone, Reply};
    use tuner::exec::error::WorkError;
    use tuner::exec::executor::{Executor, Live};
    use tuner::exec::journal::{Header, JOURNAL_NAME, Journal};
    use tuner::exec::remote::address::Address;
    use tuner::exec::remote::crew::Crew;
    use tuner::exec::remote::leader::{Offer, Remote, Settings};
    use tuner::exec::remote::link::Link;
    use tuner::exec::remote::message::{
        FORMAT, GROUP, Identity, Keys, Manifest, Said, Unit, What, read,
    };
    use tuner::exec::task::{Task, Worker};
    use tuner::exec::timing::Timing;

    /// The word that makes this program the workers.
    const SLEEPERS: &str = "sleepers";
    /// Connections of all workers together.
    const CONNECTIONS: usize = 4;
    /// Between two hellos of a worker.
    const HELLO_EVERY: Duration = Duration::from_secs(20);

    #[derive(Serialize, Deserialize)]
    struct Nap {
        number: usize,
        filler: String,
    }

    impl Task for Nap {
        const KIND: &'static str = "nap";
        type Answer = u64;
        fn key(&self) -> String {
            format!("nap {}", self.number)
        }
        fn digest(&self) -> String {
            "0f".repeat(32)
        }
        fn worst(&self) -> u64 {
            0
        }
        fn describe(&self) -> String {
            String::new()
        }
    }

    struct Nobody;

    impl Worker<Nap> for Nobody {
        fn answer(&mut self, _: &Nap) -> Result<u64, WorkError> {
            Err("the leader itself does nothing here".into())
        }
    }

    fn identity() -> Identity {
        Identity {
            program: "bench".into(),
            signature: 0,
        }
    }

    /// Seconds of processor time that a process has taken.
    fn processor(process: u32) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let fields: Vec<&str> = text
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
        // Linux counts them in hundredths of a second.
        (ticks(11) + ticks(12)) / 100.0
    }

    pub fn main() {
        let words: Vec<String> = std::env::args()
            .skip(1)
            .filter(|word| word != "--bench")
            .collect();
        if words.first().is_some_and(|word| word == SLEEPERS) {
            let number = |at: usize| words[at].parse::<usize>().unwrap();
            sleep(
                &words[1],
                number(2),
                Duration::from_millis(number(3) as u64),
            );
            return;
        }
        let number =
            |at: usize, usual: usize| words.get(at).map_or(usual, |word| word.parse().unwrap());
        let (tasks, bytes, workers, millis) = (
            number(0, 50_000),
            number(1, 4000),
            number(2, 1000),
            number(3, 100),
        );
        let server = Server::start(&[]).unwrap();
        let mut sleepers = Command::new(std::env::current_exe().unwrap());
        sleepers.args([
            SLEEPERS,
            &server.url(),
            &workers.to_string(),
            &millis.to_string(),
        ]);
        let mut sleepers = sleepers.spawn().unwrap();
        lead(&server, &sleepers, (tasks, bytes, workers, millis));
        sleepers.wait().unwrap();
    }

    fn lead(
        server: &Server,
        sleepers: &Child,
        (tasks, bytes, workers, millis): (usize, usize, usize, usize),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let header = Header {
            format: tuner::exec::journal::FORMAT,
            program: "bench".into(),
            profile: "bench".into(),
            profile_sha256: String::new(),
            only: None,
            command: Vec::new(),
            table: Vec::new(),
            files: Vec::new(),
        };
        let journal = Journal::create(&folder.join(JOURNAL_NAME), &header).unwrap();
        let settings = Settings {
            address: Address::new(&server.url()).unwrap(),
            check_every: 0,
            workers_only: true,
            lease: Duration::from_secs(30),
        };
        let offer = Offer {
            manifest: Manifest {
                format: FORMAT,
                identity: identity(),
                lease: 30_000,
                header,
                profile: String::new(),
                files: Vec::new(),
            },
            files: Default::default(),
            folder: folder.to_path_buf(),
            records: 0,
        };
        let stop = Stop::default();
        let live = Live {
            folder,
            journal,
            threads: 1,
            stop: &stop,
            // What is said of a thousand workers is not read here.
            progress: Progress::new(true, false),
            timing: Timing::new(folder),
            processes: None,
            remote: Some(Remote::new(settings, offer).unwrap()),
            working: false,
            is_lazy: false,
        };
        let mut executor = Executor::live(Vec::new(), live);
        executor.begin("bench", None, None);
        let nap = |number: usize| Nap {
            number,
            filler: "x".repeat(bytes),
        };
        let mut ask = |numbers: std::ops::Range<usize>| {
            let all: Vec<Nap> = numbers.map(nap).collect();
            let answers = executor.ask(&all, || Ok(Nobody)).unwrap().unwrap();
            assert!(
                answers
                    .iter()
                    .zip(&all)
                    .all(|(answer, nap)| *answer == nap.number as u64)
            );
        };
        // Until all are there.
        ask(0..5 * workers);
        let all = [std::process::id(), server.id(), sleepers.id()];
        let (begun, before) = (Instant::now(), all.map(processor));
        ask(5 * workers..5 * workers + tasks);
        let taken = begun.elapsed().as_secs_f64();
        let spent: Vec<f64> = all
            .iter()
            .zip(before)
            .map(|(id, before)| processor(*id) - before)
            .collect();
        let each = |seconds: f64| 1e6 * seconds / tasks as f64;
        println!(
            "{workers} workers, {millis} ms and {bytes} bytes a task: {tasks} tasks in {taken:.1} s, {:.0} a second \
             ({:.0} at most)",
            tasks as f64 / taken,
            1000.0 * workers as f64 / millis as f64
        );
        println!(
            "processor time a task: leader {:.0} us, server {:.0} us, all workers {:.0} us",
            each(spent[0]),
            each(spent[1]),
            each(spent[2])
        );
    }

    /// All workers, until the leader has gone.
    fn sleep(url: &str, workers: usize, nap: Duration) {
        let address = Address::new(url).unwrap();
        let (identity, stop) = (identity(), Stop::default());
        let crew = Crew {
            address: address.clone(),
            name: "sleepers",
            identity: &identity,
            threads: 1,
            stop: &stop,
        };
        let mut link = Link::new(&address).unwrap();
        let keys = loop {
            match crew.sessions(&mut link, &Default::default()).unwrap().pop() {
                Some(keys) => break keys,
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        thread::scope(|scope| {
            for part in 0..CONNECTIONS {
                let names = (part..workers)
                    .step_by(CONNECTIONS)
                    .map(|number| format!("worker-{number}"));
                let (names, address, keys) = (names.collect::<Vec<_>>(), &address, &keys);
                scope.spawn(move || sleep_by_turns(names, address, keys, nap));
            }
        });
    }

    /// Some workers on one connection. An error is the leader's end.
    fn sleep_by_turns(names: Vec<String>, address: &Address, keys: &Keys, nap: Duration) {
        let mut link = Link::new(address).unwrap();
        let said = |worker: &String, what: What| {
            serde_json::to_string(&Said {
                worker: worker.clone(),
                what,
            })
            .unwrap()
        };
        let answer = |worker: &String, unit: &Unit| {
            let task: serde_json::Value = serde_json::from_str(unit.request.get()).unwrap();
            let done = RawDone {
                answer: serde_json::value::to_raw_value(&task["task"]["number"]).unwrap(),
                fault: None,
            };
            let (unit, reply) = (unit.id, Reply::Done(done));
            said(worker, What::Answer { unit, reply })
        };
        let mut greeted = None::<Instant>;
        let mut busy: Vec<Option<(Instant, String)>> = names.iter().map(|_| None).collect();
        loop {
            if greeted.is_none_or(|greeted| greeted.elapsed() > HELLO_EVERY) {
                greeted = Some(Instant::now());
                let hello = || What::Hello {
                    identity: identity(),
                    threads: 1,
                };
                let all: Vec<String> = names.iter().map(|name| said(name, hello())).collect();
                if link.add(&keys.said(), &all).is_err() {
                    return;
                }
            }
            let mut answers = Vec::new();
            let mut waits = true;
            for (name, busy) in names.iter().zip(&mut busy) {
                if let Some((until, text)) = busy.take() {
                    if Instant::now() < until {
                        *busy = Some((until, text));
                        continue;
                    }
                    answers.push(text);
                }
                let Ok(taken) = link.take((&keys.tasks(), GROUP, name), 1, None) else {
                    return;
                };
                for (_, text) in taken {
                    waits = false;
                    let unit = read::<Unit>(&text).unwrap();
                    *busy = Some((Instant::now() + nap, answer(name, &unit)));
                }
            }
            if !answers.is_empty() {
                waits = false;
                if link.add(&keys.said(), &answers).is_err() {
                    return;
                }
            }
            if waits {
                match link.exists(&keys.manifest()) {
                    Ok(true) => thread::sleep(Duration::from_millis(2)),
                    _ => return,
                }
            }
        }
    }
}
