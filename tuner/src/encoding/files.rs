//! Parameter files that say where their numbers come from.

use engine::params::{ParamSet, Table};
use toml::Value;

/// Keys and values of a parameter file's provenance.
pub type Provenance = Vec<(String, Value)>;

/// Names of layouts that evolved, and the tables that a file has.
pub type Layouts<'a> = (Vec<&'a str>, Vec<Table>);

/// The text of a parameter file.
pub fn params_toml(
    params: &ParamSet,
    (layouts, tables): &Layouts<'_>,
    provenance: &Provenance,
) -> String {
    let pairs = provenance.iter();
    let pairs: Vec<(&str, Value)> = pairs
        .map(|(key, value)| (key.as_str(), value.clone()))
        .collect();
    params.to_toml(layouts, &pairs, tables)
}

/// All of somebody's parameters, for a record of what went wrong.
pub fn describe(params: &ParamSet) -> String {
    let tables = vec![Table::Eval, Table::Search];
    params_toml(params, &(Vec::new(), tables), &Vec::new())
}
