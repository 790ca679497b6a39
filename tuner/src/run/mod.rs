//! Runs: one or more phases in one folder with one journal. Phases are known by the registry alone
//! ([`crate::phases::KINDS`]).
//!
//! | file | job |
//! |---|---|
//! | `order` | what to run |
//! | `beginning`, `warm_start` | what it begins with: parameter files, or what another run left |
//! | `plan` | from a profile to phases with their data |
//! | `courses` | its phases, one after the other |
//! | `outcome` | what it has come to |
//! | `replay` | a run read again |
//! | `lifecycle` | start, resume, report |
//! | `sharing` | what workers on other machines get of it |
//! | `experiment` | many runs with keys that vary, compared |
//! | `leakage` | is what a champion is tried on new to it? |
//! | `output`, `multi_phase` | files of the whole run, the report among them |
//! | `ending` | what is said when it ends |
//!
//! A run's folder holds `profile.toml` (a copy), `journal.jsonl`, and what follows from these:
//! `best.toml`, the report, and `history.csv` and `champions/` of each phase, in a folder of its
//! name if the profile lists its phases. `timing.csv` alone holds wall times.

pub mod beginning;
pub mod courses;
pub mod ending;
pub mod experiment;
pub mod leakage;
pub mod lifecycle;
pub mod multi_phase;
pub mod order;
pub mod outcome;
pub mod output;
pub mod plan;
pub mod replay;
#[cfg(feature = "redis")]
pub mod sharing;
mod warm_start;

#[cfg(test)]
mod tests;
