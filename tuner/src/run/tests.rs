//! A whole run whose tasks panic: everything is the product's but the fitness function. And a
//! folder that is removed file by file while another file can't be written.

use super::ending::ending;
use super::lifecycle::execute;
use super::order::Order;
use super::outcome::Ended;
use super::plan::Planned;
use crate::base::files::{FileError, create_folder};
use crate::base::lock::FolderLock;
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::config::grandmaster::GrandmasterKeys;
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::{self, JOURNAL_NAME, Journal};
use crate::exec::task::Worker;
use crate::exec::timing::{TIMING_NAME, seconds_spent, time_of};
use crate::fitness::positions::{Block, Count, one_by_one};
use crate::phases::grandmaster::GrandmasterSummary;
use crate::phases::options::Options;
use crate::phases::phase::{Outline, Phase, PhaseOutcome};
use crate::phases::positions::{Settings, evolve};
use crate::phases::sample::Checked;
use crate::phases::start::Start;
use engine::eval::params::EvalParams;
use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const PROFILE: &str = r#"
format = 1
threads = 2
[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
[phase.evolution]
population = 12
generations = 8
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
seeds = [3, 4]
"#;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// A phase with another fitness function.
#[derive(Debug)]
struct Faulty {
    phase: Box<dyn Phase>,
    settings: Settings,
    /// Whether the panic that doesn't come again is still to come.
    once: AtomicBool,
}

/// Individuals solve as many positions as their value of a pair of bishops has ones. About one in four
/// panics, and once another.
struct Fragile<'a>(&'a AtomicBool);

fn is_cursed(params: &EvalParams) -> bool {
    params.knight_outpost_mult % 4 == 3
}

impl Worker<Count> for Fragile<'_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let is_last = matches!(
            task.of,
            Block::Train {
                run: 2,
                generation: 7,
                ..
            }
        );
        assert!(
            !is_last || !self.0.swap(false, Ordering::Relaxed),
            "bad luck"
        );
        assert!(!task.individuals.iter().any(is_cursed), "cursed");
        let values = task.individuals.iter();
        let count = values.map(|params| params.bishop_pair.count_ones());
        Ok(count.collect())
    }

    fn answer_again(&mut self, task: &Count) -> Result<(Vec<u32>, String), WorkError> {
        one_by_one(self, task)
    }

    fn place(&self) -> String {
        FEN.to_string()
    }
}

impl Phase for Faulty {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let once = &self.once;
        let spawn = || Ok(Fragile(once));
        let outcome = evolve(&self.settings, executor, &spawn, &mut |_, _| Ok(()))?;
        Ok(PhaseOutcome {
            complete: outcome.complete,
            champions: outcome.champions(),
            provenance: Vec::new(),
            summary: Box::new(GrandmasterSummary(outcome)),
        })
    }

    fn answers(&self) -> Answers<'_> {
        let once = &self.once;
        Answers::none().with::<Count, _>(move || Ok(Fragile(once)))
    }

    fn outline(&self) -> Outline<'_> {
        self.phase.outline()
    }

    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError> {
        self.phase.check(start, threads)
    }
}

/// Goes on with so many lines of a journal, in a folder of their own; none begins.
fn run(site: &Path, name: &str, lines: &[&str]) -> Ended {
    let options = Options::default();
    let mut planned = Order::of(&site.join("profile.toml"))
        .plan(&options)
        .unwrap();
    let keys = planned.profile.phases[0].keys.as_ref() as &dyn Any;
    let keys = keys.downcast_ref::<GrandmasterKeys>().unwrap();
    let settings = Settings::new(
        &keys.layout.genes,
        (&keys.evolution, &keys.runs),
        1,
        (6, None),
    );
    let faulty = |planned: Planned| Planned {
        phase: Box::new(Faulty {
            phase: planned.phase,
            settings: settings.clone(),
            once: AtomicBool::new(true),
        }),
        ..planned
    };
    planned.phases = planned.phases.into_iter().map(faulty).collect();

    let folder = site.join(name);
    create_folder(&folder).unwrap();
    let path = folder.join(JOURNAL_NAME);
    let lock = FolderLock::take(&folder).unwrap();
    let (journal, records) = if lines.is_empty() {
        (Journal::create(&path, &planned.header).unwrap(), Vec::new())
    } else {
        std::fs::write(&path, lines.concat()).unwrap();
        let contents = journal::read(&path).unwrap();
        (Journal::resume(&path, &contents).unwrap(), contents.records)
    };
    let stop = Stop::default();
    execute(folder, planned, journal, records, &options, &stop, lock).unwrap()
}

/// What the phases before have taken is taken off, and what the phase itself has.
#[test]
fn a_later_phase_has_what_is_left_of_the_hours() {
    let site = tempfile::tempdir().unwrap();
    let site = site.path();
    let second = PROFILE.split_once("[[phase]]").unwrap().1;
    let second = second.replace("\nkind", "\nname = \"again\"\nshare = 3\nkind");
    std::fs::write(site.join("p.toml"), format!("{PROFILE}[[phase]]{second}")).unwrap();
    std::fs::write(site.join("train.epd"), format!("{FEN} bm e4;\n")).unwrap();
    let planned = Order::of(&site.join("p.toml"))
        .plan(&Options::default())
        .unwrap();
    let seconds = |number| {
        let spent = seconds_spent(site);
        time_of(1.0, &planned.shares(), number, &spent).as_secs()
    };
    assert_eq!((seconds(0), seconds(1)), (900, 3600));
    let heading = "phase,run,generation,seconds,work,unit,per_second\n";
    let timing =
        format!("{heading}grandmaster,1,0,600,6,positions,1\nagain,1,0,100,6,positions,1\n");
    std::fs::write(site.join(TIMING_NAME), timing).unwrap();
    assert_eq!((seconds(0), seconds(1)), (300, 2900));
}

#[test]
fn a_run_whose_tasks_panic_goes_on_to_its_end_and_says_so() {
    let site = tempfile::tempdir().unwrap();
    let site = site.path();
    std::fs::write(site.join("profile.toml"), PROFILE).unwrap();
    let kings = ["K7", "1K6", "2K5", "3K4", "4K3", "5K2"];
    let positions = kings.map(|king| format!("4k3/8/8/8/8/8/4P3/{king} w - - bm e4;\n"));
    std::fs::write(site.join("train.epd"), positions.concat()).unwrap();

    let ended = run(site, "whole", &[]);
    assert!(ended.outcome.complete);
    let evolved = ended.outcome.phases[0].1.summary.moves().unwrap();
    for run in &evolved.runs {
        // Those who panic are scored worst, and the others of their generation are not.
        assert_eq!(run.generations.len(), 8);
        let mut panicked = run.generations.iter().filter(|stats| stats.worst == 0);
        assert!(
            panicked.any(|stats| stats.mean > 1.0),
            "{:?}",
            run.generations
        );
        assert!(run.generations.is_sorted_by_key(|stats| stats.best));
        assert!(run.generations[7].distinct > 3);
        assert!(!is_cursed(&run.champion.eval));
    }

    // Every panic is kept, with all that is needed to find out why.
    let folder = site.join("whole");
    let faults = ended.outcome.faults;
    assert!(faults > 3, "{faults}");
    let kept = |number: usize| {
        let name = format!("grandmaster/faults/grandmaster-{number:03}.txt");
        std::fs::read_to_string(folder.join(name)).unwrap()
    };
    for words in [
        "task: run 1 generation ",
        "seed: 3\n",
        "run/tests.rs:",
        "cursed\nin position: 4k3",
        "done again, one by one\nindividual ",
        ": scored worst, in position: 4k3",
        "knight_outpost_mult: ",
    ] {
        assert!(kept(1).contains(words), "{words}: {}", kept(1));
    }
    let last = (1..=faults)
        .map(kept)
        .find(|text| text.contains("bad luck"));
    let last = last.unwrap();
    ::tests::says(&last, &["seed: 4\n", "generation 7"]);
    assert!(
        !folder
            .join(format!(
                "grandmaster/faults/grandmaster-{:03}.txt",
                faults + 1
            ))
            .exists()
    );

    // It is said wherever the run is spoken of.
    let counted = format!("{} panicked", counted(faults, "task"));
    let said = ending(&ended);
    assert!(said.contains(&counted), "{said}");
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains(&counted), "{page}");

    // A resumed run keeps and counts the same.
    let journal = std::fs::read_to_string(folder.join(JOURNAL_NAME)).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    for count in [1, 2, lines.len() / 2, lines.len() - 1, lines.len()] {
        let again = run(site, &format!("again-{count}"), &lines[..count]);
        let outcomes = [&again, &ended].map(|ended| format!("{:?}", ended.outcome));
        assert_eq!(outcomes[0], outcomes[1], "{count} lines");
        let read = |name: &str| std::fs::read(again.folder.join(name)).unwrap();
        assert_eq!(read(JOURNAL_NAME), journal.as_bytes(), "{count} lines");
        for number in 1..=faults {
            let name = format!("grandmaster/faults/grandmaster-{number:03}.txt");
            assert_eq!(read(&name), kept(number).as_bytes());
        }
    }
}

/// What a run says when one of its files was gone while it was written.
fn after_a_missing_file(folder: &Path) -> String {
    let cause = io::ErrorKind::NotFound.into();
    let error = FileError::of("write", &folder.join("best.toml"))(cause);
    RunError::File(error).while_running(folder).to_string()
}

#[test]
fn a_folder_that_is_just_going_is_told_from_one_file_that_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join(JOURNAL_NAME);
    std::fs::write(&journal, "").unwrap();
    let said = after_a_missing_file(folder.path());
    ::tests::says(&said, &["best.toml: ", "tuner resume"]);

    let said = thread::scope(|scope| {
        let said = scope.spawn(|| after_a_missing_file(folder.path()));
        thread::sleep(Duration::from_millis(100));
        std::fs::remove_file(&journal).unwrap();
        said.join().unwrap()
    });
    assert!(said.contains("was removed, moved or replaced"), "{said}");
    assert!(!said.contains("tuner resume"), "{said}");
}
