//! Which parameters matter: what is lost when one of them is halved, or half of it is added.

use super::Validation;
use crate::run::RunError;
use crate::run::desk::Desk;
use engine::eval::params::EvalParams;
use engine::params::ParamTable;

/// What a weight is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The row of the table.
    pub row: &'static str,
    /// Its value.
    pub value: i32,
    /// Positions solved with half of it, and with one and a half times it.
    pub solved: [u32; 2],
}

impl Validation {
    /// What each weight of the champion is worth; `None` if the desk ends.
    pub fn sensitivity(
        &self,
        desk: &mut Desk<'_>,
        champion: &EvalParams,
    ) -> Result<Option<Vec<Sensitivity>>, RunError> {
        let wanted = self.keys.positions.as_ref();
        if !wanted.is_some_and(|held_out| held_out.sensitivity) {
            return Ok(Some(Vec::new()));
        }
        let (mut rows, mut changed) = (Vec::new(), Vec::new());
        for (index, spec) in EvalParams::SPECS.iter().enumerate() {
            let value = champion.get(index);
            if value == 0 {
                continue;
            }
            // A small weight is moved by one at least.
            let step = (value / 2).abs().max(1);
            for moved in [value - step, value + step] {
                let mut other = champion.clone();
                other.set(index, moved.clamp(*spec.range.start(), *spec.range.end()));
                changed.push(other);
            }
            rows.push((spec.name, value));
        }
        let Some(solved) = self.solved(desk, "sensitivity", &changed)? else {
            return Ok(None);
        };
        let pairs = solved.chunks(2).zip(rows);
        let sensitivities = pairs.map(|(pair, (row, value))| Sensitivity {
            row,
            value,
            solved: [pair.first(), pair.get(1)].map(|count| count.copied().unwrap_or(0)),
        });
        Ok(Some(sensitivities.collect()))
    }
}
