//! The tuner's command line.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tuner::data::positions::{self, PositionsArgs};
use tuner::play::{self, GamesArgs};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Positions(PositionsArgs),
    Games(GamesArgs),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Positions(args) => positions::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Games(args) => play::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
