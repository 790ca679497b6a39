//! What a phase of kind `ecm` begins with, as a task: the journal has its answer.

use crate::encoding::by_place::Shared;
use crate::encoding::rows::{EVAL, SEARCH, digest_of, set_later};
use crate::exec::task::Task;
use engine::params::ParamSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a phase begins with: journaled, so that a run can be read again without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The evaluation's frozen rows: see [`crate::encoding::rows`].
    pub evaluation: Vec<i32>,
    /// The search's frozen rows, if there are some that don't evolve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<i32>,
    /// Later rows of both.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub later: BTreeMap<String, i32>,
    /// Places of the training positions whose solution is in doubt.
    pub in_doubt: BTreeSet<usize>,
    /// The same of the held-out positions.
    pub in_doubt_held_out: BTreeSet<usize>,
}

impl Setting {
    /// The parameters that don't evolve.
    pub fn params(&self) -> ParamSet {
        let mut params = ParamSet::missing();
        EVAL.set(&mut params.eval, &self.evaluation);
        SEARCH.set(&mut params.search, &self.search);
        // An answer with others does not fit.
        let _ = set_later(&mut params, &self.later);
        params
    }
}

/// Asks for the [`Setting`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// What doesn't evolve, if it is the champion's of the phase before.
    pub champion: Option<Shared>,
}

impl Task for Begin {
    const KIND: &'static str = "setting";
    type Answer = Setting;

    fn key(&self) -> String {
        "setting".to_string()
    }

    fn digest(&self) -> String {
        digest_of(self.champion.iter().map(|champion| &*champion.0))
    }

    fn fits(&self, answer: &Setting) -> bool {
        let later = set_later(&mut ParamSet::missing(), &answer.later);
        EVAL.fits(&answer.evaluation)
            && (answer.search.is_empty() || SEARCH.fits(&answer.search))
            && later.is_ok()
    }

    fn worst(&self) -> Setting {
        Setting {
            evaluation: Vec::new(),
            search: Vec::new(),
            later: BTreeMap::new(),
            in_doubt: BTreeSet::new(),
            in_doubt_held_out: BTreeSet::new(),
        }
    }

    fn describe(&self) -> String {
        "the evaluation and the names of positions".to_string()
    }
}
