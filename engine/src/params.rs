//! All parameters of a player, the genome layouts that they evolve in, and their TOML files.

use crate::eval::params::{EvalParams, FIRST_2013, term};
use crate::kind::TextKind;
use crate::nearest::nearest;
pub use crate::param_table::{ParamSpec, ParamTable};
use crate::search::params::SearchParams;
use crate::source::{self, SourceError};
use crate::text::text_of;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use thiserror::Error;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// Version of the parameter file format.
pub const FORMAT: i64 = 1;

/// Bytes of a parameter file at most: some thirty times as many as one with all rows has.
const MOST_BYTES: u64 = 1 << 20;

/// One gene of a layout: which parameter, and how many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// Which table the parameter is in.
    pub table: Table,
    /// Row in that table.
    pub index: usize,
    /// Width of the Gray-coded gene.
    pub bits: u32,
    /// The least value, that of a gene whose number is 0.
    pub low: i32,
    /// The greatest value; larger numbers mean it too.
    pub high: i32,
}

/// The two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// [`EvalParams`]
    Eval,
    /// [`SearchParams`]
    Search,
}

impl Table {
    /// The name that the table has in a file.
    pub fn name(self) -> &'static str {
        match self {
            Table::Eval => EvalParams::TABLE,
            Table::Search => SearchParams::TABLE,
        }
    }
}

/// A row of either table. No name is in both: a test sees to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which table it is in.
    pub table: Table,
    /// Its place there.
    pub index: usize,
}

impl Row {
    /// All rows, the evaluation's first, in order of declaration.
    pub fn all() -> impl Iterator<Item = Row> {
        let rows =
            |table, specs: &[ParamSpec]| (0..specs.len()).map(move |index| Row { table, index });
        rows(Table::Eval, EvalParams::SPECS).chain(rows(Table::Search, SearchParams::SPECS))
    }

    /// The row that has this name, or had it, whatever its case.
    pub fn named(name: &str) -> Option<Row> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        Row::all().find(|row| row.spec().names().any(is_it))
    }

    /// Its declaration.
    pub fn spec(self) -> &'static ParamSpec {
        match self.table {
            Table::Eval => &EvalParams::SPECS[self.index],
            Table::Search => &SearchParams::SPECS[self.index],
        }
    }
}

/// The genome layouts that exist, with their sources.
pub const LAYOUTS: &[&str] = &[
    "eval-2014",
    "eval-2011",
    "eval-full",
    "eval-2013",
    "eval-2013-24",
    "search-2014",
    "search-full",
    "time",
];

/// Columns that the longest name of a row takes.
pub fn longest_name() -> usize {
    let names = Row::all().map(|row| row.spec().name.len());
    names.max().unwrap_or_default()
}

/// The genes of a layout in order, or `None` if there is no such layout.
pub fn layout(name: &str) -> Option<Vec<Gene>> {
    if !LAYOUTS.contains(&name) {
        return None;
    }
    let genes_of = |table: Table, specs: &'static [ParamSpec]| {
        specs.iter().enumerate().filter_map(move |(index, spec)| {
            let (_, bits) = spec.genes.iter().find(|(layout, _)| *layout == name)?;
            Some(Gene {
                table,
                index,
                bits: *bits,
                low: spec.least(name),
                high: spec.most(name),
            })
        })
    };
    let eval = genes_of(Table::Eval, EvalParams::SPECS);
    Some(
        eval.chain(genes_of(Table::Search, SearchParams::SPECS))
            .collect(),
    )
}

/// Everything that a player needs: the parameters of the evaluation and of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamSet {
    /// Weights of the evaluation.
    pub eval: EvalParams,
    /// Parameters of the search.
    pub search: SearchParams,
}

/// Why a parameter file is refused; the line is that of the offending key, from 1.
#[derive(Debug, Error)]
pub enum ParamError {
    /// The file can't be read, or is of another kind.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The text is no TOML.
    #[error("{origin}: {message}")]
    Syntax {
        /// File name or other origin of the text.
        origin: String,
        /// The parser's message with line and column.
        message: String,
    },
    /// A key is unknown, has the wrong type or is out of range.
    #[error("{origin}: line {line}: {key}: {problem}")]
    Key {
        /// File name or other origin of the text.
        origin: String,
        /// Line of the key or value.
        line: usize,
        /// The key, with its table.
        key: String,
        /// What was found and what was expected.
        problem: String,
    },
}

/// A parameter set read from files, with what the files did not say.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The values.
    pub params: ParamSet,
    /// Evaluation rows that the files do not have, and that count 0.
    pub missing_eval: Vec<&'static str>,
    /// Search rows that the files do not have, and that are off.
    pub missing_search: Vec<&'static str>,
    /// Layouts that the files name.
    pub layouts: Vec<String>,
    /// Files of which no row counts, since later ones have them all.
    pub covered: Vec<String>,
}

impl ParamSet {
    /// Value of a gene's parameter.
    pub fn get(&self, gene: &Gene) -> i32 {
        self.row(gene.row())
    }

    /// Sets a gene's parameter, clamped to its range: a 3-bit extension gene of 5 to 7 means 4.
    pub fn set(&mut self, gene: &Gene, value: i32) {
        self.set_row(gene.row(), value.max(gene.low).min(gene.high));
    }

    /// Value of a row.
    pub fn row(&self, row: Row) -> i32 {
        match row.table {
            Table::Eval => self.eval.get(row.index),
            Table::Search => self.search.get(row.index),
        }
    }

    /// Sets a row; the caller has checked the range.
    pub fn set_row(&mut self, row: Row, value: i32) {
        debug_assert!(row.spec().range.contains(&value), "{value}");
        match row.table {
            Table::Eval => self.eval.set(row.index, value),
            Table::Search => self.search.set(row.index, value),
        }
    }

    /// Whether any row of the evaluation counts.
    pub fn has_evaluation(&self) -> bool {
        self.eval != EvalParams::missing()
    }

    /// All rows missing: the evaluation is 0, the search plain.
    pub fn missing() -> ParamSet {
        ParamSet {
            eval: EvalParams::missing(),
            search: SearchParams::missing(),
        }
    }

    /// Reads files in order; where several have a key, the last wins (invariant 9).
    ///
    /// # Errors
    /// The first file, line and key that is not as the tables declare it.
    pub fn load<P: AsRef<Path>>(paths: &[P]) -> Result<Loaded, ParamError> {
        let mut texts = Vec::new();
        for path in paths {
            let path = path.as_ref();
            texts.push((path.display().to_string(), read_text(path)?));
        }
        ParamSet::parse(
            texts
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_str())),
        )
    }

    /// Like [`ParamSet::load`], on texts with their names.
    ///
    /// # Errors
    /// The first text, line and key that is not as the tables declare it.
    pub fn parse<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Loaded, ParamError> {
        let mut reader = Reader {
            loaded: Loaded {
                params: ParamSet::missing(),
                ..Loaded::default()
            },
            eval_from: vec![None; EvalParams::SPECS.len()],
            search_from: vec![None; SearchParams::SPECS.len()],
        };
        let mut with_rows = Vec::new();
        for (number, (origin, text)) in texts.into_iter().enumerate() {
            reader.read(&Source {
                origin,
                text,
                number,
            })?;
            if reader.has_rows_of(number) {
                with_rows.push((number, origin));
            }
        }
        with_rows.retain(|(number, _)| !reader.has_rows_of(*number));
        let covered = with_rows.iter().map(|(_, origin)| origin.to_string());
        reader.loaded.covered = covered.collect();
        let missing = |specs: &'static [ParamSpec], from: &[Option<usize>]| {
            let rows = specs.iter().zip(from).filter(|(_, from)| from.is_none());
            rows.map(|(spec, _)| spec.name).collect()
        };
        // The terms of 2013 are an evaluation of its own: who has none of them misses none.
        let (_, of_2013) = reader.eval_from.split_at(FIRST_2013);
        let known = match of_2013.iter().any(Option::is_some) {
            true => EvalParams::SPECS,
            false => EvalParams::SPECS.split_at(FIRST_2013).0,
        };
        reader.loaded.missing_eval = missing(known, &reader.eval_from);
        reader.loaded.missing_search = missing(SearchParams::SPECS, &reader.search_from);
        Ok(reader.loaded)
    }

    /// Writes the tables as TOML that [`ParamSet::parse`] reads, each key under its doc.
    ///
    /// `layouts` names the genome layouts whose rows were evolved or set; `provenance` is a list
    /// of keys and values that says where the numbers come from.
    pub fn to_toml(
        &self,
        layouts: &[&str],
        provenance: &[(&str, Value)],
        tables: &[Table],
    ) -> String {
        let mut text = format!("format = {FORMAT}\n");
        let names: Vec<String> = layouts.iter().map(|name| format!("{name:?}")).collect();
        let _ = writeln!(text, "layouts = [{}]", names.join(", "));
        if !provenance.is_empty() {
            text.push_str("\n[provenance]\n");
            for (key, value) in provenance {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        for table in tables {
            match table {
                Table::Eval => write_table(&mut text, &self.eval, layouts),
                Table::Search => write_table(&mut text, &self.search, layouts),
            }
        }
        text
    }
}

impl Gene {
    /// The gene's parameter.
    pub fn row(&self) -> Row {
        Row {
            table: self.table,
            index: self.index,
        }
    }

    /// The declaration of the gene's parameter.
    pub fn spec(&self) -> &'static ParamSpec {
        self.row().spec()
    }
}

/// Writes the rows that the layouts have, and all others that are not as if they were missing. Of the
/// others those that are go with them as far as the smallest layout has them all: a file that is laid
/// over another is to say 0 where it means 0.
fn write_table<T: ParamTable>(text: &mut String, table: &T, layouts: &[&str]) {
    let is_in = |spec: &ParamSpec, layout: &str| spec.genes.iter().any(|(name, _)| *name == layout);
    let is_said = |spec: &ParamSpec| layouts.iter().any(|layout| is_in(spec, layout));
    let counts = |index: usize, spec: &ParamSpec| table.get(index) != spec.missing;
    let mut others: Vec<&ParamSpec> = (T::SPECS.iter().enumerate())
        .filter(|(index, spec)| counts(*index, spec) && !is_said(spec))
        .map(|(_, spec)| spec)
        .collect();
    // What is in no layout doesn't choose one, nor does the pawn alone beside a layout whose unit it is.
    others.retain(|spec| !spec.genes.is_empty());
    let is_unit = |spec: &&ParamSpec| spec.name == EvalParams::SPECS[term::pawn_value].name;
    if T::SPECS.iter().any(is_said) && others.iter().all(is_unit) {
        others.clear();
    }
    let has_all = |layout: &&&str| others.iter().all(|spec| is_in(spec, layout));
    let whole = LAYOUTS.iter().find(has_all).filter(|_| !others.is_empty());
    let _ = writeln!(text, "\n[{}]", T::TABLE);
    for (index, spec) in T::SPECS.iter().enumerate() {
        let in_layout = is_said(spec) || whole.is_some_and(|layout| is_in(spec, layout));
        if !in_layout && !counts(index, spec) {
            continue;
        }
        let _ = writeln!(text, "# {}", spec.doc.trim());
        let _ = writeln!(text, "{} = {}", spec.name, table.get(index));
    }
}

/// Reads a parameter file, plain or packed, unless it is so long that it can be none.
fn read_text(path: &Path) -> Result<String, ParamError> {
    if path.as_os_str().is_empty() {
        return Err(ParamError::Syntax {
            origin: "a name before or behind \";\"".to_string(),
            message: "is empty, expected that of a parameter file".to_string(),
        });
    }
    if path.is_dir() {
        let best = path.join("best.toml");
        let hint = match best.is_file() {
            true => format!("; {} is one", best.display()),
            false => String::new(),
        };
        return Err(ParamError::Syntax {
            origin: path.display().to_string(),
            message: format!("this is a folder, expected a parameter file{hint}"),
        });
    }
    let source = match source::Source::open(path) {
        // What is missing in it is said later.
        Err(SourceError::Empty(_)) => return Ok(String::new()),
        opened => opened?.expecting(TextKind::Parameters)?,
    };
    let mut bytes = Vec::new();
    let mut some = source.take(MOST_BYTES + 1);
    (some.read_to_end(&mut bytes)).map_err(|cause| SourceError::Io {
        path: path.to_path_buf(),
        cause,
    })?;
    let refused = |message| ParamError::Syntax {
        origin: path.display().to_string(),
        message,
    };
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(refused(format!(
            "has more than {most} MiB, expected a parameter file"
        )));
    }
    text_of(bytes).map_err(refused)
}

struct Reader {
    loaded: Loaded,
    /// For each row, which text has it; the last one if several do.
    eval_from: Vec<Option<usize>>,
    search_from: Vec<Option<usize>>,
}

/// A text being read, for errors that name its line.
struct Source<'a> {
    origin: &'a str,
    text: &'a str,
    /// Its place among the texts.
    number: usize,
}

impl Source<'_> {
    fn error(&self, offset: usize, key: &str, problem: String) -> ParamError {
        let before = self.text.as_bytes().iter().take(offset);
        ParamError::Key {
            origin: self.origin.to_string(),
            line: 1 + before.filter(|byte| **byte == b'\n').count(),
            key: key.to_string(),
            problem,
        }
    }
}

impl Reader {
    /// Whether the rows that count are this text's in any part.
    fn has_rows_of(&self, number: usize) -> bool {
        let mut from = self.eval_from.iter().chain(&self.search_from);
        from.any(|from| *from == Some(number))
    }

    fn read(&mut self, source: &Source<'_>) -> Result<(), ParamError> {
        let root = DeTable::parse(source.text).map_err(|error| ParamError::Syntax {
            origin: source.origin.to_string(),
            message: error.to_string().trim_end().to_string(),
        })?;
        let mut format_seen = false;
        for (key, value) in root.get_ref() {
            let at = key.span().start;
            match key.get_ref().as_ref() {
                "format" => {
                    if integer(value.get_ref()) != Some(FORMAT) {
                        let found = describe(value.get_ref());
                        let problem = format!("is {found}, this program reads format {FORMAT}");
                        return Err(source.error(at, "format", problem));
                    }
                    format_seen = true;
                }
                "layouts" => self.read_layouts(source, at, value.get_ref())?,
                "provenance" if value.get_ref().is_table() => {}
                "provenance" => {
                    return Err(source.error(at, "provenance", "expected a table".into()));
                }
                EvalParams::TABLE => {
                    let from = &mut self.eval_from;
                    read_table(
                        source,
                        at,
                        value.get_ref(),
                        &mut self.loaded.params.eval,
                        from,
                    )?;
                }
                SearchParams::TABLE => {
                    let from = &mut self.search_from;
                    read_table(
                        source,
                        at,
                        value.get_ref(),
                        &mut self.loaded.params.search,
                        from,
                    )?;
                }
                other => {
                    let problem = "unknown key; expected format, layouts, [provenance], [eval] \
                                   or [search]";
                    return Err(source.error(at, other, problem.into()));
                }
            }
        }
        if !format_seen {
            return Err(source.error(0, "format", format!("missing; expected format = {FORMAT}")));
        }
        Ok(())
    }

    fn read_layouts(
        &mut self,
        source: &Source<'_>,
        at: usize,
        value: &DeValue<'_>,
    ) -> Result<(), ParamError> {
        let Some(names) = value.as_array() else {
            let problem = format!("is {}, expected a list of names", describe(value));
            return Err(source.error(at, "layouts", problem));
        };
        for name in names.iter() {
            let known = name
                .get_ref()
                .as_str()
                .filter(|name| LAYOUTS.contains(name));
            let Some(name) = known else {
                let problem = format!(
                    "{} is unknown; known are {}",
                    describe(name.get_ref()),
                    LAYOUTS.join(", ")
                );
                return Err(source.error(at, "layouts", problem));
            };
            if !self.loaded.layouts.iter().any(|seen| seen == name) {
                self.loaded.layouts.push(name.to_string());
            }
        }
        Ok(())
    }
}

fn read_table<T: ParamTable>(
    source: &Source<'_>,
    at: usize,
    value: &DeValue<'_>,
    table: &mut T,
    from: &mut [Option<usize>],
) -> Result<(), ParamError> {
    let Some(rows) = value.as_table() else {
        return Err(source.error(at, T::TABLE, "expected a table".into()));
    };
    for (key, value) in rows {
        let name = format!("{}.{}", T::TABLE, key.get_ref());
        let Some(index) = T::index_of(key.get_ref()) else {
            let problem = match nearest(key.get_ref(), T::SPECS.iter().map(|spec| spec.name)) {
                Some(near) => format!("unknown key; is {near} meant?"),
                None => "unknown key".to_string(),
            };
            // In the other table it would be none.
            let problem = match Row::named(key.get_ref()).map(|row| row.table.name()) {
                Some(table) if table != T::TABLE => format!("belongs in [{table}]"),
                _ => problem,
            };
            return Err(source.error(key.span().start, &name, problem));
        };
        let range = &T::SPECS[index].range;
        let number = integer(value.get_ref()).and_then(|number| i32::try_from(number).ok());
        match number {
            Some(number) if range.contains(&number) => table.set(index, number),
            _ => {
                let problem = format!(
                    "is {}, expected a whole number from {} to {}",
                    describe(value.get_ref()),
                    range.start(),
                    range.end()
                );
                return Err(source.error(key.span().start, &name, problem));
            }
        }
        if from[index].replace(source.number) == Some(source.number) {
            let row = T::SPECS[index].name;
            let problem = format!("is another name of {row}, which is there too");
            return Err(source.error(key.span().start, &name, problem));
        }
    }
    Ok(())
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A value for an error message: what it is, and its text where that is short.
fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            format!("the string {:?}", text.chars().take(24).collect::<String>())
        }
        DeValue::Integer(number) => number.to_string().chars().take(24).collect(),
        DeValue::Float(number) => format!("the fraction {number}"),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".to_string(),
        DeValue::Array(_) => "a list".to_string(),
        DeValue::Table(_) => "a table".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::param_table! {
        /// A row that was renamed.
        pub struct Renamed in "renamed", index row {
            /// One.
            new_name was old_name was older_name = 3 in 0..=7 missing 0 genes {};
        }
    }

    /// The row's value, or what is said of the text.
    fn value(text: &str) -> Result<i32, String> {
        let source = Source {
            origin: "p.toml",
            text,
            number: 0,
        };
        let root = DeTable::parse(text).map_err(|error| error.to_string())?;
        let (key, rows) = root.get_ref().iter().next().ok_or("empty")?;
        let (mut table, mut from) = (Renamed::missing(), [None; row::COUNT]);
        let at = key.span().start;
        read_table(&source, at, rows.get_ref(), &mut table, &mut from)
            .map_err(|error| error.to_string())?;
        Ok(table.new_name)
    }

    #[test]
    fn a_row_is_read_by_every_name_that_it_had_and_by_one_at_a_time() {
        for name in ["new_name", "old_name", "older_name"] {
            assert_eq!(value(&format!("[renamed]\n{name} = 5\n")), Ok(5));
        }
        let said = value("[renamed]\nold_name = 8\n").unwrap_err();
        assert!(
            said.contains("line 2: renamed.old_name: is 8, expected a whole number from 0 to 7")
        );
        assert!(value("[renamed]\nsome_name = 1\n").is_err());
        let said = value("[renamed]\nnew_name = 5\nold_name = 5\n").unwrap_err();
        assert!(
            said.contains("another name of new_name, which is there too"),
            "{said}"
        );
    }
}
