//! How a history score takes a bonus
//! (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).

/// No history score exceeds this in either direction.
pub const HISTORY_MAX: i32 = 1 << 13;

/// A score with a bonus: the nearer it is to its limit, the less it moves, so it never passes it and
/// recent results count more.
pub fn with_gravity(score: i16, bonus: i32) -> i16 {
    let score = i32::from(score);
    (score + bonus - score * bonus.abs() / HISTORY_MAX) as i16
}
