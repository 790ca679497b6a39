//! What is wrong with a command line that its parser does not see, since it knows each option by itself.

use thiserror::Error;

/// A number of the command line for which something holds.
///
/// # Errors
/// It is another or none; `expected` says what was expected.
pub fn number(text: &str, holds: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| holds(number));
    number.ok_or_else(|| format!("expected {expected}"))
}

/// In words. The exit code is 2, as for what the parser sees.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);
