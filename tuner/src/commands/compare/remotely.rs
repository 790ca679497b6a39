//! The match of a comparison with help from other machines. Its pairs of games are tasks of a validation that is never
//! gone through: workers get a profile that says how games are played, and its opening book.

use super::games::{Standing, Tally};
use super::*;
use crate::base::files::write_atomically;
use crate::base::names::FAULTS_NAME;
use crate::config::evolution::MAX_SEED;
use crate::exec::error::ExecError;
use crate::exec::executor::Executor;
use crate::exec::remote::leader::Settings;
use crate::phases::options::Options;
use crate::run::lifecycle::{errand, without};
use crate::run::order::Order;

/// What workers and warnings call it.
const NAME: &str = "comparison";
/// Pairs of games that are given out together. What the last of them have beyond the end of the test is for nothing.
const BATCH: u64 = 64;

/// Who helps, if games may be sent away.
///
/// # Errors
/// They may not, or the server lets nobody in.
pub(super) fn settings(args: &CompareArgs) -> Result<Option<Settings>> {
    if args.workers.is_given() {
        anyhow::ensure!(
            args.seconds.is_none() || args.speed.is_some(),
            "--workers: games by a real clock are never sent to other machines, for they would be other games \
             there; expected --nodes, or --seconds with --speed"
        );
        anyhow::ensure!(
            args.seed <= MAX_SEED,
            "--seed {}: expected {MAX_SEED} at most with --workers",
            args.seed
        );
    }
    args.workers.settings_told()
}

/// The match.
pub(super) fn play(mut tally: Tally<'_>, stop: &Stop, workers: Settings) -> Standing {
    let ended = give_out(&mut tally, stop, workers);
    tally.standing(ended)
}

fn give_out(tally: &mut Tally<'_>, stop: &Stop, workers: Settings) -> Result<(), RunError> {
    let refused = FileError::of("create", Path::new("a temporary folder"));
    let temporary = tempfile::tempdir().map_err(refused)?;
    let path = temporary.path().join(format!("{NAME}.toml"));
    write_atomically(&path, profile(tally.args).as_bytes())?;
    let options = Options {
        threads: Some(threads(tally.args)),
        workers: Some(workers),
        quiet: true,
        ..Options::default()
    };
    let planned = Order::of(&path).plan(&options)?;
    let folder = temporary.path().join(NAME);
    let mut executor = errand(&folder, &planned, &options, stop)?;
    loop {
        match ask(tally, &mut executor, &folder) {
            // All games once more, from the journal as far as it is to be trusted.
            Err(RunError::Exec(ExecError::Distrusted { worker, record })) => {
                executor = without(executor, &folder, &worker, record)?;
                tally.restart();
            }
            ended => return ended,
        }
    }
}

/// Asks for one batch of pairs after the other until the match has ended.
fn ask(tally: &mut Tally<'_>, executor: &mut Executor<'_>, folder: &Path) -> Result<(), RunError> {
    executor.begin(NAME, Some(folder), None);
    executor.seeded(tally.args.seed);
    let pairs = tally.args.pairs;
    for first in (0..pairs).step_by(BATCH as usize) {
        // What players are called here is nobody's business.
        let pair = |number: u64| Match {
            names: ["first", "second"].map(str::to_string),
            ..tally.pair(number)
        };
        let tasks: Vec<Match> = (first..pairs.min(first + BATCH)).map(pair).collect();
        let before = executor.faults();
        let Some(answers) = executor.ask(&tasks, || tally.plan.player())? else {
            return Ok(());
        };
        let mut faults = (before + 1..=executor.faults()).map(|fault| {
            let path = folder.join(format!("{FAULTS_NAME}/{NAME}-{fault:03}.txt"));
            std::fs::read_to_string(path).unwrap_or_else(|error| error.to_string())
        });
        for games in answers {
            if tally.add((games, faults.next()))?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The profile of a phase whose games are those of the comparison.
fn profile(args: &CompareArgs) -> String {
    const MOST_PAIRS: u64 = 1_000_000;
    let mut text = format!(
        "format = 1\n[[phase]]\nkind = \"validation\"\nname = \"{NAME}\"\nseed = {}\n\
         [phase.sprt]\npairs = {}\n[phase.games]\nplies = {}\n",
        args.seed,
        args.pairs.min(MOST_PAIRS),
        args.plies
    );
    match args.seconds {
        None => text += &format!("nodes = {}\n", args.nodes),
        Some(seconds) => text += &format!("seconds = {seconds:?}\n"),
    }
    if args.increment > 0.0 {
        text += &format!("increment = {:?}\n", args.increment);
    }
    if let Some(speed) = args.speed {
        text += &format!("speed = {speed}\n");
    }
    if let Some(book) = &args.book {
        let book = std::path::absolute(book).unwrap_or_else(|_| book.clone());
        let book = toml::Value::String(book.to_string_lossy().into_owned());
        text += &format!("book = {book}\n");
    }
    text
}
