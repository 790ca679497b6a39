//! The tuner.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games between UCI engines from random openings and writes PGN.
    Games(tuner::play::GamesArgs),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Games(args) => tuner::play::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
