//! How tasks get their answers: from the journal, then by work on threads or in other processes.
//!
//! | file | job |
//! |---|---|
//! | `task` | what a task is, and who answers it |
//! | `executor` | replay, order of the journal, time budgets, tables of generations |
//! | `answers` | tasks as JSON, and who answers them in another process |
//! | `processes` | other processes that answer |
//! | `remote/` | workers on other machines |
//! | `retry` | one task done by one worker, who may panic |
//! | `journal` | the answers on disk |
//! | `timing` | the table of wall times |
//! | `error` | what can go wrong |
//!
//! Nothing here knows chess or genetics.

pub mod answers;
pub mod error;
pub mod executor;
pub mod journal;
pub mod processes;
#[cfg(feature = "redis")]
pub mod remote;
pub mod retry;
pub mod task;
pub mod timing;
