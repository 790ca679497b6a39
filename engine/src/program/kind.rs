//! The types of the language (strongly typed genetic programming, Montana 1995; the paper, §3.3).

use std::fmt;

/// The type of a value, or of a place that takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false: 1 or 0.
    Boolean,
    /// A number.
    Float,
    /// "Could be used as any of the former two": what has this type fits wherever a value is wanted. No place
    /// of the paper's functions asks for it; one that did would take any value.
    Query,
}

impl Kind {
    /// Whether a value of this type may stand where this one is wanted.
    pub const fn accepts(self, result: Kind) -> bool {
        matches!(
            (self, result),
            (Kind::Query, _)
                | (_, Kind::Query)
                | (Kind::Boolean, Kind::Boolean)
                | (Kind::Float, Kind::Float)
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Boolean => "Boolean",
            Kind::Float => "Float",
            Kind::Query => "Query",
        })
    }
}
