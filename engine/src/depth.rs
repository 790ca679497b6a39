//! Search depth, counted in quarter plies (architecture: ARCHITECTURE.md, invariant 7).
//!
//! Fractional plies let an extension be worth less than a whole ply (2014 §IV, Table I), so that
//! several small reasons to look deeper have to come together on one line.

use std::ops::{Add, Sub};

/// Remaining depth; 1 ply = 4 units. Negative depths are possible and mean quiescence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// No depth.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const PLY: Depth = Depth(4);

    /// A number of whole plies.
    #[inline]
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * 4)
    }

    /// A number of quarter plies.
    #[inline]
    pub const fn quarters(quarters: i32) -> Depth {
        Depth(quarters)
    }

    /// The whole plies that it has.
    #[inline]
    pub const fn whole_plies(self) -> i32 {
        self.0 / Depth::PLY.0
    }

    /// The depth in quarter plies.
    #[inline]
    pub const fn to_quarters(self) -> i32 {
        self.0
    }
}

impl Add for Depth {
    type Output = Depth;
    #[inline]
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    #[inline]
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}
