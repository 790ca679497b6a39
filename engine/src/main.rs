//! Eyas: the engine's executable. Arguments in, library calls out.

mod arguments;
mod suite;

use anyhow::Context;
use arguments::Arguments;
use engine::bench;
use engine::position::{Position, START_FEN};
use engine::search::{Control, MAX_DEPTH, NoClock};
use engine::uci::parameters::Source;
use engine::uci::{self, describe, options};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const USAGE: &str = "\
Usage: eyas [--params FILE] [--tune]
                                  speak UCI on stdin and stdout; with --tune, the list of options
                                  has every evolved parameter, for tuners as SPSA
       eyas bench [DEPTH] [HASH] [THREADS] [--stats]
                                  search the fixed positions, print nodes and speed
       eyas perft DEPTH [FEN]     count the leaves of the move tree
       eyas eval [FEN] [--all]    show the static evaluation and the terms that make it up; with
                                  --all, those too that contribute nothing here
       eyas analyse --epd FILE (--movetime MS | --nodes N | --depth D)
                                  search a suite's positions and count those that are solved:
                                  the best move is in `bm` and not in `am`
            --hash MB             table of each search, 64
            --threads N           threads of each search, 1
            --jobs N              positions searched at a time, 1
            --json                print {\"positions\": N, \"solved\": N} on stdout
       eyas --version | --help

The session, bench, eval and analyse take --params FILE; repeated, the later file wins where both
have a key.";

fn main() -> ExitCode {
    match run(Arguments::new(std::env::args_os().skip(1))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("eyas: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    if arguments.flag("--help") {
        return print(&format!("{}\n{USAGE}", uci::NAME));
    }
    if arguments.flag("--version") {
        return print(uci::NAME);
    }
    let command = arguments.command();
    match command.as_deref() {
        None | Some("uci") => {
            let for_tuning = arguments.flag("--tune");
            let params = parameters(&mut arguments)?;
            arguments.finish(0)?;
            Ok(uci::run(for_tuning, params)?)
        }
        Some("bench") => {
            let params = parameters(&mut arguments)?;
            let stats = arguments.flag("--stats");
            let default = bench::Settings::default();
            let words = arguments.finish(3)?;
            let number = |place: usize, what: &str, default: usize, most: usize| {
                let given = words.get(place);
                given.map_or(Ok(default), |text| number(text, what, 1, most))
            };
            let most_hash = options::HASH.2 as usize;
            let settings = bench::Settings {
                depth: number(0, "the depth", default.depth, MAX_DEPTH)?,
                hash: number(1, "the size of the hash table", default.hash, most_hash)?,
                threads: number(2, "the number of threads", default.threads, MOST_THREADS)?,
            };
            let control = Control {
                stop: &AtomicBool::new(false),
                clock: &NoClock,
            };
            let report = bench::run(params.params(), &settings, control)?;
            if stats {
                print(&describe::statistics(&report))?;
            }
            print(&describe::speed(report.nodes, report.searching))
        }
        Some("perft") => {
            let words = arguments.finish(7)?;
            let depth = words.first().context("perft needs a depth")?;
            let depth = number(depth, "the depth", 0, 20)? as u32;
            let position = position(&words[1..])?;
            let start = Instant::now();
            let leaves = position.perft(depth);
            print(&describe::speed(leaves, start.elapsed()))
        }
        Some("eval") => {
            let params = parameters(&mut arguments)?;
            let all = arguments.flag("--all");
            let position = position(&arguments.finish(6)?)?;
            print(&describe::evaluation(&position, params.params(), all))
        }
        Some("analyse" | "analyze") => suite::run(arguments),
        Some("-V") => print(uci::NAME),
        Some("-h" | "help") => print(&format!("{}\n{USAGE}", uci::NAME)),
        Some(file) if file.ends_with(".toml") => {
            anyhow::bail!("{file:?} is no command; parameters are named by --params {file}")
        }
        Some(word) => {
            let meant = arguments::meant(word, COMMANDS);
            anyhow::bail!("{word:?} is not understood{meant}\n{USAGE}")
        }
    }
}

/// Prints a line, or several. What can't be written is an error, not a panic.
fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{}", text.trim_end())
        .and_then(|()| stdout.flush())
        .context("cannot write to stdout")
}

/// Prints a line to stderr. Whether anybody reads it makes no difference to the result.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The commands that a mistyped one may mean.
const COMMANDS: [&str; 5] = ["bench", "perft", "eval", "analyse", "help"];

const MOST_THREADS: usize = options::MOST_THREADS as usize;

/// The parameter files that `--params` names, or the compiled defaults.
fn parameters(arguments: &mut Arguments) -> anyhow::Result<Source> {
    let files = arguments.values("--params")?.into_iter().map(PathBuf::from);
    Ok(Source::load(&files.flat_map(several).collect::<Vec<_>>())?)
}

/// The files of `a.toml;b.toml`, as the option `ParamsFile` and the tuner take it.
fn several(files: PathBuf) -> Vec<PathBuf> {
    match files.to_str() {
        Some(names) if !files.exists() => names.split(';').map(PathBuf::from).collect(),
        _ => vec![files],
    }
}

/// A whole number in a range.
fn number(text: &str, what: &str, least: usize, most: usize) -> anyhow::Result<usize> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.with_context(|| {
        format!("{what} is {text:?}, expected a whole number from {least} to {most}")
    })
}

/// The position of a FEN that came as one argument or as several; of none the initial one.
fn position(words: &[String]) -> anyhow::Result<Position> {
    let fen = if words.is_empty() {
        START_FEN.to_string()
    } else {
        words.join(" ")
    };
    Position::from_fen(&fen).with_context(|| format!("FEN {fen:?}"))
}
