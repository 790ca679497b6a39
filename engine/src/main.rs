//! Eyas: the engine's executable. Arguments in, library calls out.

use anyhow::Context;
use engine::bench;
use engine::params::ParamSet;
use engine::position::{Position, START_FEN};
use engine::uci::{self, describe};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
Usage: eyas                       speak UCI on stdin and stdout
       eyas bench [DEPTH]         search the fixed positions, print nodes and speed
       eyas perft DEPTH [FEN]     count the leaves of the move tree
       eyas eval [FEN]            show the static evaluation by term
       eyas --version | --help";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("eyas: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::print_stdout)]
fn run(words: &[&str]) -> anyhow::Result<()> {
    match words {
        [] | ["uci"] => uci::run(),
        ["bench", rest @ ..] if rest.len() <= 1 => {
            let depth = match rest.first() {
                Some(text) => number(text, "the depth")? as usize,
                None => bench::DEFAULT_DEPTH,
            };
            let start = Instant::now();
            let nodes = bench::run(&ParamSet::default(), depth)?;
            println!("{}", uci::bench_line(nodes, start.elapsed()));
            Ok(())
        }
        ["perft", depth, fen @ ..] => {
            let (depth, position) = (number(depth, "the depth")?, position(fen)?);
            let start = Instant::now();
            let leaves = position.perft(depth);
            println!("{}", uci::bench_line(leaves, start.elapsed()));
            Ok(())
        }
        ["eval", fen @ ..] => {
            let table = describe::evaluation(&position(fen)?, &ParamSet::default().eval);
            print!("{table}");
            Ok(())
        }
        ["--version" | "-V"] => {
            println!("{}", uci::NAME);
            Ok(())
        }
        ["--help" | "-h" | "help"] => {
            println!("{}\n{USAGE}", uci::NAME);
            Ok(())
        }
        _ => anyhow::bail!("{:?} is not understood\n{USAGE}", words.join(" ")),
    }
}

fn number(text: &str, what: &str) -> anyhow::Result<u32> {
    text.parse()
        .with_context(|| format!("{what} is {text:?}, expected a whole number"))
}

/// The position of a FEN that came as one argument or as several; of none the initial one.
fn position(words: &[&str]) -> anyhow::Result<Position> {
    let fen = if words.is_empty() {
        START_FEN.to_string()
    } else {
        words.join(" ")
    };
    Position::from_fen(&fen).with_context(|| format!("FEN {fen:?}"))
}
