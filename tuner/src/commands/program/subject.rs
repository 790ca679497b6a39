//! Players of endings by their names on the command line: a program's file, random moves, Eyas's evaluation.

use crate::base::progress::note;
use crate::fitness::endgame_players::Subject;
use engine::program::Program;
use std::path::Path;

/// What plays random moves is called on the command line.
pub const RANDOM: &str = "random";

/// What Eyas is called there: its default weights, with a quiescence at the leaves.
pub const ENGINE: &str = "engine";

/// And what its evaluation alone is called, without a quiescence.
pub const EVALUATION: &str = "evaluation";

/// Most plies that a player may look ahead.
pub const MOST_PLIES: i64 = 8;

/// A program, with a note if its terminals may mean something else today.
///
/// # Errors
/// The file can't be read, or is no program.
pub fn load(path: &Path) -> anyhow::Result<Program> {
    let program = Program::load(path)?;
    if !program.fits() {
        note(&format!(
            "note: {} was made with another set of functions and terminals, so it may play otherwise here",
            path.display()
        ));
    }
    Ok(program)
}

/// The player of a name, that looks so many plies ahead.
///
/// # Errors
/// It is the name of a file that can't be read, or is no program.
pub fn subject(name: &Path, plies: usize) -> anyhow::Result<Subject> {
    match name.to_str() {
        Some(RANDOM) => Ok(Subject::Random),
        Some(ENGINE) => Ok(Subject::engine(true, plies)),
        Some(EVALUATION) => Ok(Subject::engine(false, plies)),
        _ => Ok(Subject::Program(Box::new(load(name)?), plies)),
    }
}
