//! What a profile may say: the keys of each part as structures that TOML is read into, every value within its
//! range, an unknown key an error, so that a mistyped option can't be ignored for a night.
//!
//! | file | job |
//! |---|---|
//! | `values` | numbers in a range, paths, names |
//! | `evolution`, `method`, `games` | what several kinds of phases have |
//! | `grandmaster`, `expert`, `expert_2011`, `coevolution`, `ecm`, `endgames`, `validation` | the keys of a kind |
//! | `experiment` | a profile run many times with keys that vary |
//! | `reference`, `schema` | the list of all keys, made of the same declarations |
//!
//! [`crate::phases::profile`] reads whole profiles.

pub mod coevolution;
pub mod ecm;
pub mod endgames;
pub mod error;
pub mod evolution;
pub mod experiment;
pub mod expert;
pub mod expert_2011;
pub mod games;
pub mod grandmaster;
pub mod method;
pub mod reference;
mod schema;
pub mod validation;
pub mod values;
