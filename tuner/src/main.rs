//! The tuner's command line.

use clap::{Parser, Subcommand};
use tuner::data::positions::{self, PositionsArgs};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Positions(PositionsArgs),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Positions(args) => positions::run(&args),
    }
}
