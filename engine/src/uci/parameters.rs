//! Which parameters are loaded, and from where.

use crate::params::{Loaded, ParamError, ParamSet, ParamTable, Row, longest_name};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Parameters with their origin.
pub struct Source {
    files: Vec<PathBuf>,
    loaded: Loaded,
    /// Rows that were set one by one since.
    set: Vec<&'static str>,
}

impl Source {
    /// The values that are compiled in.
    pub fn compiled() -> Source {
        Source {
            files: Vec::new(),
            loaded: Loaded::default(),
            set: Vec::new(),
        }
    }

    /// Reads parameter files, later ones over earlier ones; no file at all means the compiled
    /// values.
    ///
    /// # Errors
    /// The first file, line and key that can't be read.
    pub fn load(names: &[PathBuf]) -> Result<Source, ParamError> {
        if names.is_empty() {
            return Ok(Source::compiled());
        }
        let files: Vec<PathBuf> = names.iter().map(|name| locate(name)).collect();
        let loaded = ParamSet::load(&files)?;
        Ok(Source {
            files,
            loaded,
            set: Vec::new(),
        })
    }

    /// Whether they were read from files.
    pub fn is_from_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The files as a value of the option `ParamsFile` names them; `None` if there are none, or no
    /// such value can name them.
    pub fn option_value(&self) -> Option<String> {
        let names: Option<Vec<&str>> = self.files.iter().map(|file| file.to_str()).collect();
        let names = names.filter(|names| !names.is_empty())?;
        let is_odd = |name: &&str| name.contains(|c: char| c == ';' || c == '"' || c.is_control());
        (!names.iter().any(is_odd)).then(|| names.join(";"))
    }

    /// Sets one row, with a value in its range; says whether it had another one.
    pub fn set(&mut self, row: Row, value: i32) -> bool {
        let name = row.spec().name;
        if !self.set.contains(&name) {
            self.set.push(name);
        }
        self.loaded.missing_eval.retain(|missing| *missing != name);
        self.loaded
            .missing_search
            .retain(|missing| *missing != name);
        let before = self.params().row(row);
        self.loaded.params.set_row(row, value);
        before != value
    }

    /// The values.
    pub fn params(&self) -> &ParamSet {
        &self.loaded.params
    }

    /// One line: where the values come from.
    pub fn summary(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|f| f.display().to_string()).collect();
        let mut text = match names.is_empty() {
            true => "parameters: compiled defaults".to_string(),
            false => format!("parameters from {}", names.join(" and ")),
        };
        if !self.set.is_empty() {
            let rows = if self.set.len() == 1 { "row" } else { "rows" };
            let _ = write!(text, "; {} {rows} set since", self.set.len());
        }
        let missing = self.loaded.missing_eval.len();
        if missing > 0 {
            let _ = write!(text, "; {missing} evaluation rows missing, they count 0");
        }
        let missing = self.loaded.missing_search.len();
        if missing > 0 {
            let _ = write!(
                text,
                "; {missing} search rows missing, they are off or as in the plain search"
            );
        }
        for file in &self.loaded.covered {
            let _ = write!(
                text,
                "; nothing of {file} counts, later files have its rows"
            );
        }
        text
    }

    /// Everything: origin, values and what is missing.
    pub fn table(&self) -> String {
        let mut text = self.summary();
        text.push('\n');
        if !self.loaded.layouts.is_empty() {
            let _ = writeln!(text, "layouts: {}", self.loaded.layouts.join(", "));
        }
        self.write_rows(&mut text, &self.params().eval);
        self.write_rows(&mut text, &self.params().search);
        text
    }

    fn write_rows<T: ParamTable>(&self, text: &mut String, table: &T) {
        let Loaded {
            missing_eval,
            missing_search,
            ..
        } = &self.loaded;
        let width = longest_name();
        let _ = writeln!(text, "\n[{}]", T::TABLE);
        for (index, spec) in T::SPECS.iter().enumerate() {
            let note = if self.set.contains(&spec.name) {
                "  (set since)"
            } else if missing_eval.contains(&spec.name) || missing_search.contains(&spec.name) {
                "  (missing in the files)"
            } else {
                ""
            };
            let _ = writeln!(text, "{:<width$} {:>5}{note}", spec.name, table.get(index));
        }
    }
}

/// A file as named, seen from the working folder; else beside the executable, since some GUIs set
/// a folder of their own.
pub(super) fn locate(name: &Path) -> PathBuf {
    if name.is_relative() && !name.exists() {
        let folder = std::env::current_exe().ok();
        let beside = folder
            .as_deref()
            .and_then(Path::parent)
            .map(|folder| folder.join(name));
        if let Some(beside) = beside.filter(|path| path.exists()) {
            return beside;
        }
    }
    name.to_path_buf()
}
