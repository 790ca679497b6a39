//! Rows of the parameter tables as journals have them. A journal outlives the table that it was begun
//! with: rows are added, renamed, moved, and get wider ranges and other genes.
//!
//! - Digests and answers have the rows of `frozen_rows.txt` by their place in that list, which never
//!   changes. A row that came later goes by its name, and only where its value is not that of a missing row: where
//!   it is, nothing tells that there is one.
//! - A row that has been renamed goes by its first name.
//! - The header says which genes a phase has, and whoever goes on decodes genomes by what it says
//!   ([`recorded_genes`]): a row that has become a gene since, a floor or another width is for new runs.
//! - No run takes a row from the compiled defaults. What nobody names is as if missing.

use crate::base::files::hex;
use engine::eval::params::EvalParams;
use engine::params::{Gene, ParamSet, ParamSpec, ParamTable, Row, Table};
use engine::search::params::SearchParams;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// The rows of the program that made the golden runs (`tests/data/golden`): name, range, value when missing.
const FROZEN: &str = include_str!("frozen_rows.txt");

/// The rows of the evaluation.
pub static EVAL: LazyLock<Rows> = LazyLock::new(|| Rows::of::<EvalParams>(FROZEN));
/// The rows of the search.
pub static SEARCH: LazyLock<Rows> = LazyLock::new(|| Rows::of::<SearchParams>(FROZEN));

/// A table's rows.
#[derive(Debug)]
pub struct Rows {
    specs: &'static [ParamSpec],
    /// The frozen ones in their order, by their place in the table, with their ranges then.
    frozen: Vec<(usize, RangeInclusive<i32>)>,
    /// Places of all others.
    later: Vec<usize>,
}

impl Rows {
    /// Of a table, with this list of frozen rows.
    fn of<T: ParamTable>(list: &str) -> Rows {
        let place = |(name, range)| {
            let mut specs = T::SPECS.iter();
            Some((specs.position(|spec| spec.first_name() == name)?, range))
        };
        let frozen: Vec<_> = frozen(list, T::TABLE).filter_map(place).collect();
        let is_later = |place: &usize| frozen.iter().all(|(other, _)| other != place);
        Rows {
            specs: T::SPECS,
            later: (0..T::SPECS.len()).filter(is_later).collect(),
            frozen,
        }
    }

    /// The frozen rows' values.
    pub fn values<T: ParamTable>(&self, table: &T) -> Vec<i32> {
        let places = self.frozen.iter().map(|&(place, _)| place);
        places.map(|place| table.get(place)).collect()
    }

    /// Whether these can be the values of the frozen rows.
    pub fn fits(&self, values: &[i32]) -> bool {
        let is_possible = |(&(place, _), &value): (&(usize, _), &i32)| {
            let spec = &self.specs[place];
            spec.range.contains(&value) || value == spec.missing
        };
        values.len() == self.frozen.len() && self.frozen.iter().zip(values).all(is_possible)
    }

    /// Sets the frozen rows.
    pub fn set<T: ParamTable>(&self, table: &mut T, values: &[i32]) {
        for (&(place, _), &value) in self.frozen.iter().zip(values) {
            table.set(place, value);
        }
    }

    /// Names and values of the other rows that are not as if they were missing.
    pub fn later<T: ParamTable>(&self, table: &T) -> BTreeMap<String, i32> {
        let rows = self
            .later
            .iter()
            .map(|&row| (&self.specs[row], table.get(row)));
        let rows = rows.filter(|(spec, value)| *value != spec.missing);
        rows.map(|(spec, value)| (spec.first_name().to_string(), value))
            .collect()
    }

    /// Writes all of a table for a digest.
    pub fn write<T: ParamTable>(&self, text: &mut String, table: &T) {
        let mut number = itoa::Buffer::new();
        // Most rows are 0 where a layout has few, so zeros are written many at a time.
        let mut zeros = 0;
        for &(place, _) in &self.frozen {
            let value = table.get(place);
            if value == 0 {
                zeros += 1;
                continue;
            }
            write_zeros(text, std::mem::take(&mut zeros));
            text.push_str(number.format(value));
            text.push(' ');
        }
        write_zeros(text, zeros);
        for (name, value) in self.later(table) {
            let _ = write!(text, "{name}={value} ");
        }
    }

    /// Lines of a header for the rows that are no genes, and not as if they were missing.
    pub fn fixed<T: ParamTable>(&self, table: &T, is_gene: impl Fn(usize) -> bool) -> Vec<String> {
        let rows = self.specs.iter().enumerate();
        let fixed = rows.filter(|(row, spec)| table.get(*row) != spec.missing && !is_gene(*row));
        fixed
            .map(|(row, spec)| format!("{} = {}", spec.first_name(), table.get(row)))
            .collect()
    }

    /// The range within which this value of a row is changed to see what the row is worth: that of the
    /// frozen row, if the value lies in it.
    fn range(&self, row: usize, value: i32) -> RangeInclusive<i32> {
        let frozen = self.frozen.iter().find(|(place, _)| *place == row);
        let frozen = frozen.filter(|(_, range)| range.contains(&value));
        frozen.map_or_else(|| self.specs[row].range.clone(), |(_, range)| range.clone())
    }
}

/// Writes so many zeros, each with a blank behind it.
fn write_zeros(text: &mut String, mut count: usize) {
    const ZEROS: &str = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ";
    while count > 0 {
        let some = count.min(ZEROS.len() / 2);
        text.push_str(&ZEROS[..2 * some]);
        count -= some;
    }
}

/// The rows of a row's table.
fn rows_of(row: Row) -> &'static Rows {
    match row.table {
        Table::Eval => &EVAL,
        Table::Search => &SEARCH,
    }
}

/// The range within which this value of a row is changed to see what the row is worth.
pub fn range(row: Row, value: i32) -> RangeInclusive<i32> {
    rows_of(row).range(row.index, value)
}

/// Whether a row is younger than the frozen ones.
pub fn is_later(row: Row) -> bool {
    rows_of(row).later.contains(&row.index)
}

/// Sets rows by the names that they had first.
///
/// # Errors
/// One of them is unknown, or its value out of range.
pub fn set_later(params: &mut ParamSet, values: &BTreeMap<String, i32>) -> Result<(), String> {
    for (name, &value) in values {
        let row = Row::all().find(|row| row.spec().first_name() == name);
        let row = row.filter(|row| row.spec().range.contains(&value));
        params.set_row(row.ok_or_else(|| name.clone())?, value);
    }
    Ok(())
}

/// The line of a header for a gene.
pub fn gene_line(gene: &Gene) -> String {
    let Gene {
        low, high, bits, ..
    } = gene;
    format!("{} {low}..={high} {bits} bits", gene.spec().first_name())
}

/// The gene of a line of a header.
fn gene_of(line: &str, known: &[Gene]) -> Option<Gene> {
    let (name, rest) = line.split_once(' ')?;
    let (low, rest) = rest.split_once("..=")?;
    let (high, bits) = rest.strip_suffix(" bits")?.split_once(' ')?;
    let mut known = known.iter();
    let gene = Gene {
        low: low.parse().ok()?,
        high: high.parse().ok()?,
        bits: bits.parse().ok().filter(|bits| (1..=31).contains(bits))?,
        ..*known.find(|gene| gene.spec().first_name() == name)?
    };
    let range = &gene.spec().range;
    let is_in = range.start() <= &gene.low && gene.low <= gene.high && &gene.high <= range.end();
    is_in.then_some(gene)
}

/// The genes that a phase has by the lines of its journal's header, which are taken, instead of those that its
/// profile names today. What can't be understood is left, and told as a difference of the headers.
pub fn recorded_genes<'a>(
    lines: &mut Peekable<impl Iterator<Item = &'a String>>,
    today: &[Gene],
) -> Vec<Gene> {
    let mut genes = Vec::<Gene>::new();
    while let Some(gene) = lines.peek().and_then(|line| gene_of(line, today))
        // The next phase may have the same ones.
        && genes.iter().all(|other| other.row() != gene.row())
    {
        genes.push(gene);
        lines.next();
    }
    while lines.next_if(|line| line.contains(" = ")).is_some() {}
    genes
}

/// The frozen rows of a table, with their ranges.
fn frozen<'a>(list: &'a str, table: &str) -> impl Iterator<Item = (&'a str, RangeInclusive<i32>)> {
    let heading = format!("[{table}]");
    let lines = list
        .lines()
        .skip_while(move |line| *line != heading)
        .skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        let (range, _) = rest.split_once(" missing ")?;
        let (low, high) = range.split_once("..=")?;
        Some((name, low.parse().ok()?..=high.parse().ok()?))
    })
}

/// Digest of the evaluation of some individuals, in order.
pub fn digest_of_evaluations<'a>(individuals: impl IntoIterator<Item = &'a EvalParams>) -> String {
    digest(individuals, |text, params| EVAL.write(text, params))
}

/// Digest of all parameters of some individuals, in order.
pub fn digest_of<'a>(individuals: impl IntoIterator<Item = &'a ParamSet>) -> String {
    digest(individuals, |text, params| {
        EVAL.write(text, &params.eval);
        SEARCH.write(text, &params.search);
    })
}

/// The first 64 bits of the SHA-256 of a text with a line for each.
fn digest<T>(all: impl IntoIterator<Item = T>, write: impl Fn(&mut String, T)) -> String {
    let (mut hash, mut line) = (Sha256::new(), String::new());
    for one in all {
        line.clear();
        write(&mut line, one);
        line.push('\n');
        hash.update(&line);
    }
    let mut digits = hex(&hash.finalize());
    digits.truncate(16);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{Encoding, base};
    use crate::fitness::coevolution::judge;
    use engine::params::layout;

    /// A table as it was frozen.
    mod before {
        engine::param_table! {
            /// Three rows.
            pub struct Before in "test", index row {
                /// One.
                first = 1 in 0..=7 missing 0 genes { "search-full": 3 };
                /// Another.
                second = 2 in -8..=7 missing 1 genes {};
                /// A third.
                third = 3 in 0..=9 missing 0 genes {};
            }
        }
    }

    /// The same later: two rows more, one renamed twice, other defaults, a wider range.
    mod after {
        engine::param_table! {
            /// Five rows.
            pub struct After in "test", index row {
                /// New, in front of all.
                newest = 6 in 0..=15 missing 0 genes { "search-full": 4 from 6 };
                /// One.
                renamed was first was again = 5 in 0..=31 missing 0 genes { "search-full": 5 };
                /// Another.
                second = -3 in -8..=7 missing 1 genes {};
                /// New, and not 0 when it is missing.
                also_new = 30 in 0..=99 missing 50 genes {};
                /// A third.
                third = 4 in 0..=9 missing 0 genes {};
            }
        }
    }

    use after::After;
    use before::Before;

    const LIST: &str = "[other]\nthird 0..=1 missing 0\n[test]\nfirst 0..=7 missing 0\n\
                        second -8..=7 missing 1\nthird 0..=9 missing 0\n";

    fn digest<T: ParamTable>(table: &T) -> String {
        let mut text = String::new();
        Rows::of::<T>(LIST).write(&mut text, table);
        text
    }

    fn fixed<T: ParamTable>(table: &T) -> Vec<String> {
        Rows::of::<T>(LIST).fixed(table, |row| T::SPECS[row].name == "third")
    }

    /// An old journal knows nothing of the new rows, and whatever is new in the table changes nothing
    /// for it.
    #[test]
    fn new_rows_that_are_as_if_missing_change_no_digest_and_no_header() {
        let before = Before {
            first: 3,
            second: -4,
            third: 9,
        };
        let mut after = After {
            renamed: 3,
            second: -4,
            third: 9,
            ..After::missing()
        };
        assert_eq!(digest(&before), "3 -4 9 ");
        assert_eq!(digest(&after), digest(&before));
        assert_eq!(fixed(&before), ["first = 3", "second = -4"]);
        assert_eq!(fixed(&after), fixed(&before));

        after.also_new = 0;
        assert_eq!(digest(&after), "3 -4 9 also_new=0 ");
        assert_eq!(fixed(&after), ["first = 3", "second = -4", "also_new = 0"]);
        after.newest = 6;
        assert_eq!(digest(&after), "3 -4 9 also_new=0 newest=6 ");
    }

    #[test]
    fn an_answer_with_all_rows_of_a_table_is_read_by_later_tables() {
        let (old, new) = (Rows::of::<Before>(LIST), Rows::of::<After>(LIST));
        let values = old.values(&Before::default());
        assert_eq!(values, [1, 2, 3]);
        assert!(new.fits(&values) && !new.fits(&[1, 2]) && !new.fits(&[1, 2, 3, 4]));
        let mut after = After::missing();
        new.set(&mut after, &values);
        assert_eq!((after.renamed, after.second, after.third), (1, 2, 3));
        assert_eq!((after.newest, after.also_new), (0, 50));
        assert_eq!(new.values(&after), values);
        assert!(new.later(&after).is_empty());
    }

    /// What a row is worth is tried by its neighbours, and those were asked for within the old range.
    #[test]
    fn a_value_is_changed_within_the_range_that_was_frozen() {
        let rows = Rows::of::<After>(LIST);
        let row = After::index_of("first").unwrap();
        assert_eq!(rows.range(row, 7), 0..=7);
        assert_eq!(rows.range(row, 8), 0..=31);
        assert_eq!(rows.range(after::row::newest, 3), 0..=15);
    }

    #[test]
    fn a_floor_is_of_a_gene_and_not_of_the_row() {
        let newest = &After::SPECS[after::row::newest];
        assert_eq!(newest.least("search-full"), 6);
        assert_eq!(newest.least("search-2014"), 0);
        assert_eq!(After::SPECS[after::row::renamed].least("search-full"), 0);
    }

    /// The openings of old runs come from it, whatever the defaults are now.
    #[test]
    fn the_judge_of_openings_stays_as_it_is() {
        assert_eq!(digest_of([&judge()]), "55ffcf43c4c7585c");
        assert_eq!(judge().search.null_move_verification_depth, 0);
    }

    /// As long as this holds, old journals, and old parameter files, can be read.
    #[test]
    fn the_frozen_rows_are_still_there() {
        let mut count = 0;
        for (table, specs) in [
            (EvalParams::TABLE, EvalParams::SPECS),
            (SearchParams::TABLE, SearchParams::SPECS),
        ] {
            let mut next = 0;
            for (name, range) in frozen(FROZEN, table) {
                let found = specs.iter().position(|spec| spec.first_name() == name);
                let place = found.unwrap_or_else(|| {
                    panic!(
                        "{name} is gone: a row that is renamed keeps it: `new_name was {name} = …`"
                    )
                });
                assert!(place >= next, "{name} has moved before the rows above it");
                next = place + 1;
                let spec = &specs[place];
                let (low, high) = (range.start(), range.end());
                let line = format!("{name} {low}..={high} missing {}", spec.missing);
                assert!(
                    FROZEN.lines().any(|frozen| frozen == line),
                    "{name}: files without it would mean something else"
                );
                assert!(
                    spec.range.contains(low) && spec.range.contains(high),
                    "{name} has a narrower range: a floor is a gene's, `genes {{ \"search-full\": 4 from 6 }}`"
                );
                count += 1;
            }
        }
        let lines = FROZEN.lines().filter(|line| !line.starts_with('['));
        assert_eq!((count, lines.count()), (476, 476));
    }

    /// A journal from before rows became genes, with a floor and a width that are others now: genomes
    /// mean what they meant.
    #[test]
    fn genomes_are_decoded_by_the_header() {
        let today = layout("search-full").unwrap();
        let line = |name: &str, how: &str| format!("{name} {how} bits");
        let header = [
            line("null_move_use", "0..=1 1"),
            line("null_move_verification_depth", "6..=15 3"),
            line("null_move_reduction", "0..=7 3"),
            "table_use = 1".to_string(),
            // The next phase.
            line("null_move_use", "0..=1 1"),
        ];
        let mut lines = header.iter().peekable();
        let genes = recorded_genes(&mut lines, &today);
        let described: Vec<String> = genes.iter().map(gene_line).collect();
        assert_eq!(described, header[..3]);
        let encoding = Encoding::new(genes, base());
        assert_eq!(encoding.shape.bits(), 7);
        let genome = encoding.shape.encode(&[1, 2, 5]);
        assert_eq!(encoding.phenotype(&genome), [1, 8, 5]);
        assert_eq!(encoding.most(), [1.0, 7.0, 7.0]);
        assert_eq!(recorded_genes(&mut lines, &today).len(), 1);
        assert!(lines.next().is_none());
    }

    /// Whatever a header has instead of a gene, nothing panics, and the line is left for the comparison of
    /// headers.
    #[test]
    fn lines_that_are_no_genes_are_left() {
        let today = layout("search-2014").unwrap();
        for line in [
            "",
            "null_move_use",
            "null_move_use 0..=1",
            "null_move_use 0..=1 0 bits",
            "null_move_use 0..=1 64 bits",
            "null_move_use 1..=0 1 bits",
            "null_move_use -1..=1 1 bits",
            "null_move_use 0..=2 2 bits",
            "null_move_use 0..=99999999999 1 bits",
            "no_such_row 0..=1 1 bits",
            // It is in no layout of the papers.
            "table_use 0..=1 1 bits",
        ] {
            let header = [line.to_string()];
            let mut lines = header.iter().peekable();
            assert_eq!(recorded_genes(&mut lines, &today), [], "{line}");
            assert!(lines.next().is_some(), "{line}");
        }
    }

    /// As `write!` writes it, with none, some and more than 32 zeros in a row.
    #[test]
    fn stretches_of_zeros_are_written_as_any_number() {
        for rows in [&[][..], &[0], &[40, 41, 300], &[7]] {
            let mut table = EvalParams::missing();
            rows.iter().for_each(|&row| table.set(row, -12));
            let mut text = String::new();
            EVAL.write(&mut text, &table);
            let values = EVAL.values(&table).into_iter();
            let expected: String = values.map(|value| format!("{value} ")).collect();
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn later_rows_are_set_by_name() {
        let set = |name: &str, value| {
            let mut params = ParamSet::missing();
            set_later(&mut params, &BTreeMap::from([(name.to_string(), value)])).map(|()| params)
        };
        assert_eq!(set("check_extension", 3).unwrap().search.check_extension, 3);
        assert_eq!(set("check_extension", 9).unwrap_err(), "check_extension");
        assert_eq!(set("no_such_row", 1).unwrap_err(), "no_such_row");
    }
}
