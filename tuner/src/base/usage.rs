//! What is wrong with a command line that its parser does not see, since it knows each option by itself.

use thiserror::Error;

/// In words. The exit code is 2, as for what the parser sees.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);
