//! Time management: from the clocks of a game to a budget for one move.
//!
//! Pure arithmetic on durations, but for [`WallClock`], the clock that a real search is given.

use crate::search::{Budget, Clock};
use std::time::{Duration, Instant};

/// The state of the clocks as a GUI tells it; anything may be missing or absurd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Milliseconds left, for the side to move; negative after a time loss.
    pub remaining: Option<i64>,
    /// Milliseconds added with each move.
    pub increment: i64,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for exactly this move.
    pub move_time: Option<i64>,
}

/// Moves that the rest of a game is assumed to take when there is no next time control.
const ASSUMED_MOVES: i64 = 30;

/// A longer horizon than this is not planned for: games end.
const MOST_MOVES: i64 = 40;

/// Clocks above this many milliseconds (a year) count as this, so that no sum overflows.
const LONGEST: i64 = 365 * 24 * 3600 * 1000;

impl Clocks {
    /// How long to think; `None` if no clock runs. `overhead` is the time in milliseconds that a
    /// move loses between the engine and the clock.
    pub fn budget(&self, overhead: i64) -> Option<Budget> {
        if let Some(time) = self.move_time {
            let time = millis((time.clamp(0, LONGEST) - overhead).max(1));
            return Some(Budget {
                soft: time,
                hard: time,
                may_answer_early: false,
            });
        }
        let remaining = self.remaining?.clamp(0, LONGEST);
        let increment = self.increment.clamp(0, LONGEST);
        let moves = self
            .moves_to_go
            .map_or(ASSUMED_MOVES, |moves| i64::from(moves).clamp(1, MOST_MOVES));
        // What may be spent at all, each move's overhead set aside.
        let available = (remaining - overhead).max(1);
        let share = (remaining + increment * (moves - 1) - overhead * moves) / moves;
        // A new iteration takes longer than all before it, so it begins only in the first part of
        // the share; once begun it may overdraw the share, but never the clock.
        let soft = share * 6 / 10;
        let hard = (share * 3).min(available * 8 / 10);
        let hard = hard.min(available).max(1);
        Some(Budget {
            soft: millis(soft.clamp(1, hard)),
            hard: millis(hard),
            may_answer_early: true,
        })
    }
}

fn millis(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0) as u64)
}

/// Real time since a moment.
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now.
    pub fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_never_exceeds_the_clock() {
        let values = [
            i64::MIN,
            -1000,
            -1,
            0,
            1,
            9,
            50,
            100,
            1000,
            60_000,
            i64::MAX,
        ];
        for remaining in values {
            for increment in values {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5000] {
                        let clocks = Clocks {
                            remaining: Some(remaining),
                            increment,
                            moves_to_go,
                            move_time: None,
                        };
                        let budget = clocks.budget(overhead).unwrap();
                        assert!(budget.soft <= budget.hard, "{clocks:?}");
                        let most = (remaining.clamp(0, LONGEST) - overhead).max(1);
                        assert!(budget.hard <= millis(most), "{clocks:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_move_time_is_kept() {
        let clocks = |move_time| Clocks {
            remaining: Some(1),
            move_time: Some(move_time),
            ..Clocks::default()
        };
        assert_eq!(
            clocks(500).budget(10).unwrap().hard,
            Duration::from_millis(490)
        );
        for absurd in [i64::MIN, -5, 0, 3] {
            let budget = clocks(absurd).budget(10).unwrap();
            assert_eq!(budget.hard, Duration::from_millis(1));
        }
        assert!(Clocks::default().budget(10).is_none());
    }
}
