//! Parameters as one process hands them to another of the same program: the rows of a table by their
//! place, without those that are as if missing, since a layout of 35 weights leaves most of a table empty.
//! Journals and files, which outlive a program, have them by name: see [`super::rows`].
//!
//! For `#[serde(with = "by_place")]`: parameter sets, and evaluations, whose rows may be in fractions of a
//! centipawn; lists, pairs and shared ones of either.

use engine::eval::params::EvalParams;
use engine::params::{ParamSet, ParamTable};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Number of a table's rows, and stretches of them: where each begins, and its values.
type Rows = (usize, Vec<(usize, Vec<i32>)>);

/// The rows of a table that are not as if missing.
fn rows<T: ParamTable>(table: &T) -> Rows {
    let mut stretches: Vec<(usize, Vec<i32>)> = Vec::new();
    for (row, spec) in T::SPECS.iter().enumerate() {
        let value = table.get(row);
        if value == spec.missing {
            continue;
        }
        match stretches.last_mut() {
            Some((begin, values)) if *begin + values.len() == row => values.push(value),
            _ => stretches.push((row, vec![value])),
        }
    }
    (T::SPECS.len(), stretches)
}

/// Parts of a centipawn that an evaluation's rows may be counted in.
const MOST_PARTS: i64 = 16;

/// The table with these rows, in so many parts of their units at most. Beyond a row's range nothing is known to work.
fn table<T: ParamTable>((count, stretches): &Rows, parts: i64) -> Result<T, String> {
    let all = T::SPECS.len();
    if *count != all {
        return Err(format!("{count} rows, expected {all}"));
    }
    let mut table = T::missing();
    for (begin, values) in stretches {
        let specs = T::SPECS.get(*begin..).unwrap_or_default();
        if values.len() > specs.len() {
            return Err(format!("a row beyond the last, expected {all} at most"));
        }
        for (place, (&value, spec)) in values.iter().zip(specs).enumerate() {
            let ends = [*spec.range.start(), *spec.range.end(), spec.missing].map(i64::from);
            let ends = ends.into_iter().flat_map(|end| [end, parts * end]);
            let is_possible =
                ends.clone().min() <= Some(value.into()) && Some(i64::from(value)) <= ends.max();
            if !is_possible {
                let (name, range) = (spec.name, &spec.range);
                return Err(format!("{name} is {value}, expected {range:?}"));
            }
            table.set(begin + place, value);
        }
    }
    Ok(table)
}

/// What is handed on so, shared or not.
pub trait ByPlace: Sized {
    /// The rows of its tables.
    type Rows: Serialize + DeserializeOwned;

    /// Its rows.
    fn rows(&self) -> Self::Rows;

    /// What has these rows.
    ///
    /// # Errors
    /// There are more or fewer than in a table, or one is beyond its range; in words.
    fn of(rows: &Self::Rows) -> Result<Self, String>;
}

impl ByPlace for ParamSet {
    type Rows = (Rows, Rows);

    fn rows(&self) -> (Rows, Rows) {
        (rows(&self.eval), rows(&self.search))
    }

    fn of((eval, search): &(Rows, Rows)) -> Result<ParamSet, String> {
        let mut params = ParamSet::missing();
        params.eval = table(eval, 1)?;
        params.search = table(search, 1)?;
        Ok(params)
    }
}

impl ByPlace for EvalParams {
    type Rows = Rows;

    fn rows(&self) -> Rows {
        rows(self)
    }

    fn of(rows: &Rows) -> Result<EvalParams, String> {
        table(rows, MOST_PARTS)
    }
}

impl<T: ByPlace> ByPlace for Vec<T> {
    type Rows = Vec<T::Rows>;

    fn rows(&self) -> Vec<T::Rows> {
        self.iter().map(T::rows).collect()
    }

    fn of(rows: &Vec<T::Rows>) -> Result<Vec<T>, String> {
        rows.iter().map(T::of).collect()
    }
}

impl<T: ByPlace> ByPlace for [T; 2] {
    type Rows = [T::Rows; 2];

    fn rows(&self) -> [T::Rows; 2] {
        self.each_ref().map(T::rows)
    }

    fn of([one, other]: &[T::Rows; 2]) -> Result<[T; 2], String> {
        Ok([T::of(one)?, T::of(other)?])
    }
}

impl<T: ByPlace> ByPlace for Arc<T> {
    type Rows = T::Rows;

    fn rows(&self) -> T::Rows {
        T::rows(self)
    }

    fn of(rows: &T::Rows) -> Result<Arc<T>, String> {
        T::of(rows).map(Arc::new)
    }
}

/// # Errors
/// The serializer's.
pub fn serialize<T: ByPlace, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.rows().serialize(to)
}

/// # Errors
/// See [`ByPlace::of`].
pub fn deserialize<'de, T: ByPlace, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::of(&T::Rows::deserialize(from)?).map_err(D::Error::custom)
}

/// A parameter set, shared in this process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shared(#[serde(with = "self")] pub Arc<ParamSet>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::by_place;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        #[serde(with = "by_place")]
        params: Arc<ParamSet>,
        #[serde(with = "by_place")]
        evaluations: Arc<Vec<EvalParams>>,
    }

    /// Values beyond a row's range too: an evaluation in sixteenths of a centipawn has them.
    #[test]
    fn parameters_come_back_as_they_were() {
        let mut fractions = EvalParams::default();
        fractions.set(0, 16 * EvalParams::SPECS[0].range.end());
        let both = Both {
            params: Arc::new(ParamSet::default()),
            evaluations: Arc::new(vec![fractions, EvalParams::missing()]),
        };
        let text = serde_json::to_string(&both).unwrap();
        assert_eq!(serde_json::from_str::<Both>(&text).unwrap(), both);
    }

    /// Another version of the program has other tables.
    #[test]
    fn a_table_of_another_length_is_refused() {
        let text = r#"{"params":[[2,[[0,[1,2]]]],[1,[]]],"evaluations":[]}"#;
        let error = serde_json::from_str::<Both>(text).unwrap_err().to_string();
        assert!(error.contains("2 rows, expected"), "{error}");
    }

    /// Two rows of 1 that stand side by side, and one further on: the table's length, and two stretches.
    #[test]
    fn rows_that_are_as_if_missing_are_not_sent() {
        let (mut evaluation, all) = (EvalParams::missing(), EvalParams::SPECS.len());
        [3, 4, 9].into_iter().for_each(|row| evaluation.set(row, 1));
        let expected = (all, vec![(3, vec![1, 1]), (9, vec![1])]);
        assert_eq!(rows(&evaluation), expected);
        assert_eq!(table::<EvalParams>(&expected, 1), Ok(evaluation));
        for begin in [all, usize::MAX] {
            let beyond = (all, vec![(begin, vec![1])]);
            assert!(table::<EvalParams>(&beyond, 1).is_err(), "{begin}");
        }
    }

    /// What comes from elsewhere may be anything. An evaluation may be in sixteenths, a player may not.
    #[test]
    fn a_row_beyond_its_range_is_refused() {
        let spec = &EvalParams::SPECS[0];
        let most = *spec.range.end();
        let refused = |of_player: i32, of_evaluation: i32| {
            let both = Both {
                params: Arc::new(ParamSet::default()),
                evaluations: Arc::new(vec![EvalParams::default()]),
            };
            let mut both = serde_json::to_value(both).unwrap();
            both["params"][0][1][0][1][0] = of_player.into();
            both["evaluations"][0][1][0][1][0] = of_evaluation.into();
            let read = serde_json::from_value::<Both>(both);
            read.err().map_or(String::new(), |error| error.to_string())
        };
        assert_eq!(refused(most, 16 * most), "");
        let expected = format!("{} is {}, expected {:?}", spec.name, most + 1, spec.range);
        assert_eq!(refused(most + 1, most), expected);
        assert!(refused(most, 16 * most + 1).contains(&format!("is {}, expected", 16 * most + 1)));
        assert!(refused(i32::MIN, 0).contains("expected"));
    }
}
