//! The options of commands that have help from other machines.

use crate::base::progress::note;
use crate::exec::remote::address::Address;
use crate::exec::remote::leader::{Settings, let_in};
use std::time::Duration;

/// Help from other machines.
#[derive(Clone, Debug, clap::Args)]
pub struct WorkersArgs {
    /// Give tasks to workers on other machines too, over this Redis or Valkey server; they are started by
    /// `tuner worker`. Results don't depend on them. A password is taken from the environment variable
    /// EYAS_REDIS_PASSWORD, or from the file that EYAS_REDIS_PASSWORD_FILE names.
    #[arg(long, value_name = "redis://HOST:PORT/N")]
    workers: Option<String>,
    /// Leave all tasks to workers: do none here, and wait where there are no workers or no server.
    #[arg(long, requires = "workers")]
    workers_only: bool,
    /// Give every so many tasks to two workers and compare their answers; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "workers")]
    check_every: u64,
    /// Seconds after which a task of a worker that is not heard of goes to another.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "workers", value_parser = clap::value_parser!(u16).range(1..=3600))]
    lease: u16,
}

impl WorkersArgs {
    /// Whether there is to be help.
    pub fn is_given(&self) -> bool {
        self.workers.is_some()
    }

    /// The settings, if there is to be help; a server that is there is asked whether it lets us in.
    ///
    /// # Errors
    /// The URL, the user or the password is wrong.
    pub fn settings(&self) -> anyhow::Result<Option<Settings>> {
        let Some(url) = &self.workers else {
            return Ok(None);
        };
        let address = Address::new(url).map_err(anyhow::Error::msg)?;
        // Before there is a folder.
        let_in(&address).map_err(anyhow::Error::msg)?;
        Ok(Some(Settings {
            address,
            check_every: self.check_every,
            workers_only: self.workers_only,
            lease: Duration::from_secs(self.lease.into()),
        }))
    }

    /// The same for a command that says nothing of its runs: it says here how workers come.
    ///
    /// # Errors
    /// As [`settings`](WorkersArgs::settings).
    pub fn settings_told(&self) -> anyhow::Result<Option<Settings>> {
        let settings = self.settings()?;
        if let Some(settings) = &settings {
            note(&settings.invitation());
        }
        Ok(settings)
    }
}
