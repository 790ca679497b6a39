//! The tuner's command line; all it does is in the library.

use std::io::Write as _;
use std::process::ExitCode;
use tuner::base::usage::Usage;
use tuner::commands::cli::is_broken_pipe;

/// The exit code that the parser of the command line has, too.
const WRONG_COMMAND_LINE: u8 = 2;

fn main() -> ExitCode {
    tuner::base::room::share_one_heap();
    match tuner::commands::help::parse().execute() {
        Ok(code) => code,
        // Whoever read our output has gone: nothing is wrong, and nobody listens.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "tuner: {error:#}");
            match error.is::<Usage>() {
                true => ExitCode::from(WRONG_COMMAND_LINE),
                false => ExitCode::FAILURE,
            }
        }
    }
}
