//! What a phase begins with: the champions of the phases before.

use crate::encoding::Encoding;
use crate::encoding::rows::is_later;
use crate::error::RunError;
use engine::params::{Gene, Loaded, ParamSet, Row, layout};

/// What the phases before have left.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The champions of the last of them, best first; none if this phase begins from nothing.
    pub champions: Vec<ParamSet>,
    /// The best champion of the first of them that had any.
    pub first: Option<ParamSet>,
    /// What has evolved in these phases, or in the layouts of what the run began with.
    pub evolved: Vec<Row>,
}

impl Start {
    /// Another champion to begin with, from a file; `part` as [`Start::remember`] has it.
    pub fn push(&mut self, champion: Loaded, part: Option<&str>) {
        self.remember(&champion, part);
        self.champions.push(champion.params);
    }

    /// Takes note of an earlier phase's best champion that a later phase has already built on. `part`
    /// has the names of the rows that evolved, if not the whole layout did.
    pub fn remember(&mut self, best: &Loaded, part: Option<&str>) {
        self.first.get_or_insert_with(|| best.params.clone());
        let genes = best.layouts.iter().flat_map(|name| layout(name));
        let is_in_part = |gene: &Gene| {
            part.is_none_or(|names| names.split(' ').any(|name| gene.spec().is_called(name)))
        };
        // A file that has no such row is from before there was one.
        let missing = [&best.missing_eval[..], &best.missing_search].concat();
        let was_there = |gene: &Gene| !is_later(gene.row()) || !missing.contains(&gene.spec().name);
        let genes = genes.flatten().filter(is_in_part).filter(was_there);
        let evolved = genes.map(|gene| gene.row());
        self.evolved.extend(evolved);
    }

    /// What the next phase begins with, after one with this encoding.
    pub fn after(&self, champions: &[ParamSet], encoding: Option<&Encoding>) -> Start {
        match champions.first() {
            None => self.clone(),
            Some(best) => Start {
                champions: champions.to_vec(),
                first: self.first.clone().or_else(|| Some(best.clone())),
                evolved: (self.evolved.iter().copied())
                    .chain(
                        encoding
                            .iter()
                            .flat_map(|of| of.genes.iter().map(Gene::row)),
                    )
                    .collect(),
            },
        }
    }
}

/// Refuses parameters that can't tell good from bad.
///
/// # Errors
/// All rows of the evaluation are 0.
pub fn with_evaluation(params: &ParamSet) -> Result<(), RunError> {
    match params.has_evaluation() {
        true => Ok(()),
        false => Err(RunError::NoEvaluation {
            whose: "the parameters that it begins with have".to_string(),
        }),
    }
}

/// What is said if a population has no room for all champions that it begins with.
pub fn crowd_text(champions: usize, room: usize) -> Option<String> {
    let left_out = champions
        .checked_sub(room)
        .filter(|&left_out| left_out > 0)?;
    Some(format!(
        "a population of {room} has no room for {champions} champions: the last {left_out} take no part"
    ))
}
