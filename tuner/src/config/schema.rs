//! What the reference of keys says of values that have a form of their own: in the words of the error
//! that refuses others.

use super::ecm::{SearchLayout, search_layouts};
use super::expert::Decay;
use super::grandmaster::Layout;
use super::values::{AnyLayout, FilePath, Number, PhaseName, Positive, Rate, Whole, one_of};
use crate::fitness::search_cost::Found;
use crate::play::adjudication::OrOff;
use engine::params::LAYOUTS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The property of a schema that has the form of a value in words.
pub(super) const VALUE: &str = "x-value";

/// Implements [`JsonSchema`] by a JSON type and words.
macro_rules! in_words {
    ($($(@[$($parameter:tt)*])? $type:ty, $json:literal: $words:expr;)*) => {$(
        impl $(<$($parameter)*>)? JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn schema_id() -> Cow<'static, str> {
                std::any::type_name::<$type>().into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": $json, VALUE: $words })
            }
        }
    )*};
}

in_words! {
    @[const MIN: u64, const MAX: u64] Whole<MIN, MAX>, "integer": Whole::<MIN, MAX>::expected();
    Rate, "number": Rate::EXPECTED;
    Positive, "number": Positive::EXPECTED;
    Number, "number": "a number";
    Decay, "number": Decay::EXPECTED;
    FilePath, "string": "a path";
    PhaseName, "string": PhaseName::EXPECTED;
    Layout, "string": one_of(&Layout::known());
    SearchLayout, "string": one_of(&search_layouts());
    AnyLayout, "string": one_of(LAYOUTS);
    @[T] OrOff<T>, "string": "text";
    Found, "string": "`\"first\"`, a number of iterations from 1 to 127, `\"last\"` or `\"worth\"`";
}

impl<T: fmt::Display> Serialize for OrOff<T> {
    /// As a profile has it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
