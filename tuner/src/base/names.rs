//! Names of the files in a run's folder, and of this program in what it writes.

/// The best parameters, of the run and of each phase.
pub const BEST_NAME: &str = "best.toml";
/// The best program of a run that evolves programs instead of parameters.
pub const BEST_PROGRAM_NAME: &str = "best.sexp";
/// The folder of a phase's champions.
pub const CHAMPIONS_NAME: &str = "champions";
/// The folder of what is kept of panics.
pub const FAULTS_NAME: &str = "faults";
/// A phase's table of generations.
pub const HISTORY_NAME: &str = "history.csv";
/// The run's copy of its profile.
pub const PROFILE_NAME: &str = "profile.toml";
/// The folder with copies of the parameters that a run begins with.
pub const START_NAME: &str = "start";

/// Program and version, for provenance.
pub const PROGRAM: &str = concat!("tuner ", env!("CARGO_PKG_VERSION"));
