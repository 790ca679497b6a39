//! Which parameters matter: what is lost when one of them is halved, or half of it is added.

use super::Validation;
use crate::config::values::CLOCK;
use crate::encoding::rows::range;
use crate::error::RunError;
use crate::exec::executor::Executor;
use crate::phases::sample::{LEAST, sample};
use crate::phases::verdict::Sensitivity;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::{ParamSet, Row, Table};
use std::convert::Infallible;

/// Positions of a round of a sample.
const ROUND: usize = 50;

/// Half of a parameter and one and a half times it, within its range. A small one is moved by one at
/// least, so a switch keeps one of the two values and is turned by the other.
fn moved(params: &ParamSet, row: Row) -> [ParamSet; 2] {
    let value = params.row(row);
    let range = range(row, value);
    let step = match value / 2 {
        0 if value < 0 => -1,
        0 => 1,
        half => half,
    };
    [value - step, value + step].map(|moved| {
        let mut changed = params.clone();
        changed.set_row(row, moved.clamp(*range.start(), *range.end()));
        changed
    })
}

/// The weights of a champion that count.
fn weights(champion: &ParamSet) -> Vec<Row> {
    let counts = |row: &Row| row.table == Table::Eval && champion.row(*row) != 0;
    Row::all().filter(counts).collect()
}

/// The champion with each search parameter changed that evolved; nothing where its value stays as it
/// is.
pub fn searches(champion: &ParamSet, evolved: &[Row]) -> Vec<Sensitivity<Option<ParamSet>>> {
    let has_evolved = |row: &Row| {
        let mut genes = row.spec().genes.iter();
        let matters = genes.any(|(layout, _)| *layout != CLOCK);
        row.table == Table::Search && matters && evolved.contains(row)
    };
    let rows = Row::all().filter(has_evolved);
    rows.map(|row| Sensitivity {
        row,
        changed: moved(champion, row).map(|params| Some(params).filter(|moved| moved != champion)),
    })
    .collect()
}

impl Validation {
    /// Seconds on one thread of all that is counted on the held-out positions.
    pub(super) fn time_of_positions(&self, champion: &ParamSet) -> f64 {
        let Some(held_out) = self.keys.positions.as_ref() else {
            return 0.0;
        };
        let changed = match held_out.sensitivity {
            true => 2 * weights(champion).len(),
            false => 0,
        };
        let chosen = sample(LEAST / 4, 1, |round| {
            let some = self
                .positions
                .iter()
                .skip(round * ROUND % self.positions.len().max(1));
            let some = some.take(ROUND).filter(|problem| {
                let chosen =
                    choose_one_ply(&problem.position, &champion.eval, &Quiescence::default());
                chosen.is_some()
            });
            Ok::<_, Infallible>(some.count() as f64)
        });
        let all = (2 + changed) * self.counts.positions;
        chosen.unwrap_or_default().time_of(all as f64)
    }

    /// What each weight of the champion is worth, nothing where its value stays as it is; `None` if
    /// the executor ends.
    pub(super) fn weights(
        &self,
        executor: &mut Executor<'_>,
        champion: &ParamSet,
    ) -> Result<Option<Vec<Sensitivity<Option<u32>>>>, RunError> {
        let wanted = self.keys.positions.as_ref();
        if !wanted.is_some_and(|held_out| held_out.sensitivity) {
            return Ok(Some(Vec::new()));
        }
        let rows = weights(champion);
        let changed = rows.iter().flat_map(|&row| moved(champion, row));
        let changed: Vec<_> = changed.map(|params| params.eval).collect();
        let Some(solved) = self.solved(executor, "sensitivity", &changed)? else {
            return Ok(None);
        };
        let pairs = solved.chunks(2).zip(rows);
        let sensitivities = pairs.map(|(pair, row)| {
            let mut counts = pair.iter().copied();
            Sensitivity {
                row,
                changed: moved(champion, row)
                    .map(|moved| counts.next().filter(|_| moved != *champion)),
            }
        });
        Ok(Some(sensitivities.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_comes_first_whichever_the_sign() {
        let name = "knight_value";
        let row = Row::all().find(|row| row.spec().name == name);
        let pawn = Row::all().find(|row| row.spec().range.start() < &-100);
        let (knight, signed) = (row.unwrap(), pawn.unwrap());
        let found = |row, value| {
            let mut params = ParamSet::default();
            params.set_row(row, value);
            moved(&params, row).map(|changed| changed.row(row))
        };
        for (row, value, expected) in [
            (knight, 300, [150, 450]),
            (signed, -40, [-20, -60]),
            (signed, -1, [0, -2]),
            (signed, 1, [0, 2]),
            (signed, 0, [-1, 1]),
            (knight, 0, [0, 1]),
        ] {
            assert_eq!(found(row, value), expected, "{value}");
        }
    }
}
