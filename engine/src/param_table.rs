//! Parameter tables: one declaration feeds the struct, the TOML keys with their comments, gene
//! widths, ranges, defaults and printing (architecture invariant 4).
//!
//! A row's identifier is its name everywhere: the field, the TOML key, the index into the table
//! (`term::knight_value`) and the label in reports. A row that is renamed keeps what it was called:
//! `new_name was old_name = …`, and files that have the old name are read as before.
//!
//! A row's range may become wider and never narrower, or old files could not be read. What evolution
//! is not to leave is said of the gene: `genes { "search-full": 4 from 6 }`, or `from 200 to 400`.

use std::ops::RangeInclusive;

/// What the table knows about one parameter.
#[derive(Debug)]
pub struct ParamSpec {
    /// Field, TOML key and label.
    pub name: &'static str,
    /// What it was called before, the first name first.
    pub former: &'static [&'static str],
    /// What it means, in one sentence or two.
    pub doc: &'static str,
    /// Value in the compiled defaults.
    pub default: i32,
    /// Accepted values.
    pub range: RangeInclusive<i32>,
    /// Value of a row that a file does not have (invariant 9): 0 in the evaluation, *off* in the
    /// search, or what the plain search has where nothing can be off.
    pub missing: i32,
    /// The row's gene in each layout that evolves it: layout and bits.
    pub genes: &'static [(&'static str, u32)],
    /// Layouts in which the gene begins above the range: layout and least value.
    pub floors: &'static [(&'static str, i32)],
    /// Layouts in which the gene ends below the range's end: layout and greatest value.
    pub tops: &'static [(&'static str, i32)],
}

impl ParamSpec {
    /// The name that the row was declared under first, which old files and journals have.
    pub fn first_name(&self) -> &'static str {
        self.former.first().unwrap_or(&self.name)
    }

    /// The least value of its gene in a layout.
    pub fn least(&self, layout: &str) -> i32 {
        let mut floors = self.floors.iter();
        let floor = floors.find(|(name, _)| *name == layout);
        floor.map_or(*self.range.start(), |(_, least)| *least)
    }

    /// The greatest value of its gene in a layout.
    pub fn most(&self, layout: &str) -> i32 {
        let mut tops = self.tops.iter();
        let top = tops.find(|(name, _)| *name == layout);
        top.map_or(*self.range.end(), |(_, most)| *most)
    }

    /// Whether this is its name, or was.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// All names that it has or had.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.former.iter().copied().chain([self.name])
    }
}

/// A table of parameters: a struct of `i32` fields that knows its declaration.
pub trait ParamTable: Clone + Default {
    /// The TOML table that holds the values.
    const TABLE: &'static str;
    /// All rows, in order of declaration.
    const SPECS: &'static [ParamSpec];

    /// A table in which every row has its `missing` value.
    fn missing() -> Self;
    /// The value of a row, by its index in [`ParamTable::SPECS`].
    fn get(&self, index: usize) -> i32;
    /// Sets a row; the caller has checked the range.
    fn set(&mut self, index: usize, value: i32);

    /// The row that has this name, or had it.
    fn index_of(name: &str) -> Option<usize> {
        Self::SPECS.iter().position(|spec| spec.is_called(name))
    }
}

/// Declares a table of parameters. See `eval/params.rs` and `search/params.rs` for its two uses.
#[macro_export]
macro_rules! param_table {
    (
        $(#[$table_doc:meta])*
        pub struct $Table:ident in $key:literal, index $index:ident {
            $(
                $(#[doc = $doc:expr])+
                $name:ident $(was $former:ident)* = $default:literal in $min:literal..=$max:literal
                    missing $missing:literal
                    genes { $($layout:literal: $bits:literal $(from $floor:literal)? $(to $top:literal)?),*
                        $(,)? };
            )*
        }
    ) => {
        $(#[$table_doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $Table {
            $($(#[doc = $doc])+ pub $name: i32,)*
        }

        /// Index of each row in the table.
        #[allow(non_upper_case_globals)]
        pub mod $index {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Row { $($name,)* }
            $($(#[doc = $doc])+ pub const $name: usize = Row::$name as usize;)*
            /// Number of rows.
            pub const COUNT: usize = [$(stringify!($name)),*].len();
        }

        impl Default for $Table {
            fn default() -> Self {
                $Table { $($name: $default,)* }
            }
        }

        impl $crate::param_table::ParamTable for $Table {
            const TABLE: &'static str = $key;
            const SPECS: &'static [$crate::param_table::ParamSpec] = &[
                $($crate::param_table::ParamSpec {
                    name: stringify!($name),
                    former: &[$(stringify!($former)),*],
                    doc: concat!($($doc),+),
                    default: $default,
                    range: $min..=$max,
                    missing: $missing,
                    genes: &[$(($layout, $bits)),*],
                    floors: &[$($(($layout, $floor),)?)*],
                    tops: &[$($(($layout, $top),)?)*],
                },)*
            ];

            fn missing() -> Self {
                $Table { $($name: $missing,)* }
            }

            #[inline(always)]
            fn get(&self, row: usize) -> i32 {
                debug_assert!(row < Self::SPECS.len());
                match row {
                    $($index::$name => self.$name,)*
                    _ => 0,
                }
            }

            fn set(&mut self, row: usize, value: i32) {
                debug_assert!(row < Self::SPECS.len());
                match row {
                    $($index::$name => self.$name = value,)*
                    _ => {}
                }
            }
        }
    };
}

/// Declares a table of terms of a tapered evaluation: each has its weight and, after all weights and in
/// the same order, a row that is added to it in the endgame. What is said of both stands in pairs:
/// names, defaults, ranges, genes. Behind them stand the weights that are the same all game long.
#[macro_export]
macro_rules! tapered_params {
    (
        $(#[$table_doc:meta])*
        pub struct $Table:ident in $key:literal, index $index:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident, $endgame:ident = $default:literal, $added:literal
                    in $min:literal..=$max:literal, $least:literal..=$most:literal
                    genes { $($genes:tt)* }, { $($endgame_genes:tt)* };
            )*
        }
        without endgame rows {
            $(
                $(#[doc = $plain_doc:literal])+
                $plain:ident in $plain_min:literal..=$plain_max:literal genes { $($plain_genes:tt)* };
            )*
        }
    ) => {
        $crate::param_table! {
            $(#[$table_doc])*
            pub struct $Table in $key, index $index {
                $(
                    $(#[doc = $doc])+
                    $name = $default in $min..=$max missing 0 genes { $($genes)* };
                )*
                $(
                    #[doc = concat!(" Added to ", stringify!($name), " in the endgame.")]
                    $endgame = $added in $least..=$most missing 0 genes { $($endgame_genes)* };
                )*
                $(
                    $(#[doc = $plain_doc])+
                    $plain = 0 in $plain_min..=$plain_max missing 0 genes { $($plain_genes)* };
                )*
            }
        }
    };
}
