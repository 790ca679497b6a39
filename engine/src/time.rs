//! Time management: from the clocks of a game to a budget for one move
//! (<https://www.chessprogramming.org/Time_Management>).
//!
//! Pure arithmetic on durations, but for [`WallClock`], the clock that a real search is given;
//! [`NodeClock`] is that of games that are to be the same every time.

use crate::search::params::SearchParams;
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
    /// Milliseconds for exactly this move, or as many of them as the clock has.
    pub move_time: Option<i64>,
}

/// A time control further away than this is not planned for: games end.
const MOST_MOVES: i64 = 40;

/// Clocks above this many milliseconds (a year) count as this, so that no sum overflows.
const LONGEST: i64 = 365 * 24 * 3600 * 1000;

impl Clocks {
    /// How long to think; `None` if no clock runs. `overhead` is the time in milliseconds that a
    /// move loses between the engine and the clock. What is there to gain strength is a row of
    /// `params`; what keeps the clock from running out is not.
    pub fn budget(&self, overhead: i64, params: &SearchParams) -> Option<Budget> {
        if let Some(time) = self.move_time {
            // However large the overhead, which is meant for clocks, half of the time is thought.
            let time = time.clamp(0, LONGEST);
            let time = (time - overhead.min(time / 2)).max(1);
            // Bots send it beside the clocks. One that has run out is none: there is nothing to lose.
            let left = self.remaining.filter(|left| *left > 0);
            let most = left.map_or(LONGEST, |left| {
                let available = (left.min(LONGEST) - overhead).max(1);
                available * i64::from(params.time_most) / 100
            });
            let time = millis(time.min(most).max(1));
            return Some(Budget {
                soft: time,
                hard: time,
                may_answer_early: false,
            });
        }
        let remaining = self.remaining?.clamp(0, LONGEST);
        let increment = self.increment.clamp(0, LONGEST);
        let assumed = i64::from(params.time_moves);
        // Without another time control in sight a GUI may send 0.
        let to_go = self.moves_to_go.filter(|&moves| moves > 0);
        let moves = to_go.map_or(assumed, |moves| i64::from(moves).clamp(1, MOST_MOVES));
        // The rows evolve in games without another control, and moves that overdraw their share
        // evolve beside a clock that is shared out among more of them. All but the last move
        // before a control are counted as generously.
        let parts = match to_go {
            Some(_) => USUAL_MOVES + (moves - 1) * assumed,
            None => USUAL_MOVES * moves,
        };
        // What each move will lose on its way, less what it is given, is set aside; at the end of a
        // game without increment that would be everything there is. With one the clock fills up again.
        let available = (remaining - overhead).max(1);
        let lost = overhead * moves - increment * (moves - 1);
        let most_aside = match increment {
            0 => remaining * 3 / 4,
            _ => remaining / 2,
        };
        let set_aside = lost.min(most_aside);
        let share = 1000 * USUAL_MOVES * (remaining - set_aside) / parts;
        // Near the end of the clock a machine that is busy with something else for a moment would
        // lose the game, so what is left shrinks less and less.
        let safe = (SAFE_LAGS * overhead + SAFE_INCREMENTS * increment).max(1);
        let share = share * (1000 * remaining.min(safe) / safe) / 1000;
        // A new iteration takes longer than all before it, so it begins only in the first part of
        // the share; once begun it may overdraw the share, but never the clock.
        let soft = share * i64::from(params.time_soft) / 100;
        let most = 1000 * available * i64::from(params.time_most) / 100;
        let hard = share * i64::from(params.time_hard) / 100;
        let hard = hard.min(most).max(MICROSECONDS);
        Some(Budget {
            soft: Duration::from_micros(soft.clamp(MICROSECONDS, hard) as u64),
            hard: Duration::from_micros(hard as u64),
            may_answer_early: true,
        })
    }
}

/// Moves that the rest of a game takes, roughly.
const USUAL_MOVES: i64 = 30;

/// A clock that stands above so many moves' lag and increments is not in danger.
const SAFE_LAGS: i64 = 12;
const SAFE_INCREMENTS: i64 = 10;

/// Even with no time left, so many microseconds are taken.
const MICROSECONDS: i64 = 250;

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
    fn elapsed(&self, _nodes: u64) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that goes by nodes: the same search takes the same time on every machine (Stockfish has
/// the like as its option `nodestime`). Right for a search with one thread.
pub struct NodeClock {
    /// Nodes that make a second, at least one.
    pub speed: u64,
}

impl Clock for NodeClock {
    fn elapsed(&self, nodes: u64) -> Duration {
        let microseconds = u128::from(nodes) * 1_000_000 / u128::from(self.speed.max(1));
        Duration::from_micros(u64::try_from(microseconds).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{ParamSpec, ParamTable, layout};

    /// The default of the option.
    const MOVE_OVERHEAD: i64 = crate::uci::options::MOVE_OVERHEAD.0;

    /// The rows as they are shipped, and those of the clock at either end of their ranges.
    fn tables() -> Vec<SearchParams> {
        let at = |end: fn(&ParamSpec) -> i32| {
            let mut params = SearchParams::default();
            for gene in layout("time").unwrap() {
                params.set(gene.index, end(gene.spec()));
            }
            params
        };
        vec![
            SearchParams::default(),
            at(|spec| *spec.range.start()),
            at(|spec| *spec.range.end()),
        ]
    }

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
        let moves_to_go = [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)];
        let check = |clocks: Clocks, remaining: i64, overhead: i64| {
            for params in tables() {
                let budget = clocks.budget(overhead, &params).unwrap();
                assert!(budget.soft <= budget.hard, "{clocks:?}");
                let most = (remaining.clamp(0, LONGEST) - overhead).max(1);
                assert!(budget.hard <= millis(most), "{clocks:?}");
            }
        };
        for remaining in values {
            for increment in values {
                for moves_to_go in moves_to_go {
                    let clocks = Clocks {
                        remaining: Some(remaining),
                        increment,
                        moves_to_go,
                        move_time: None,
                    };
                    for overhead in [0, 10, 5000] {
                        check(clocks, remaining, overhead);
                    }
                }
            }
        }
    }

    /// Plays the clock alone: each move takes its hard limit, or its soft one and as much again,
    /// and loses some more on the way.
    fn play_clock(params: &SearchParams, control: (i64, i64, Option<u32>), greedy: bool) {
        let (start, increment, period) = control;
        // Lag in microseconds. Nobody outlasts a lag without end, or greed for ever.
        let (lag, moves) = if greedy { (500, 80) } else { (1000, 200) };
        let mut clock = start * 1000;
        for number in 0..moves {
            let moves_to_go = period.map(|period| period - number % period);
            let clocks = Clocks {
                remaining: Some(clock / 1000),
                increment,
                moves_to_go,
                move_time: None,
            };
            let budget = clocks.budget(MOVE_OVERHEAD, params).unwrap();
            let used = match greedy {
                true => budget.hard,
                false => (budget.soft * 2).min(budget.hard),
            };
            clock -= used.as_micros() as i64 + lag;
            assert!(clock > 0, "{control:?}: move {number}, {params:?}");
            clock += increment * 1000;
            if moves_to_go == Some(1) {
                clock += start * 1000;
            }
        }
    }

    #[test]
    fn no_moves_to_go_are_no_time_control() {
        let soft = |moves_to_go| {
            let clocks = Clocks {
                remaining: Some(60_000),
                increment: 0,
                moves_to_go,
                move_time: None,
            };
            let budget = clocks.budget(MOVE_OVERHEAD, &SearchParams::default());
            budget.unwrap().soft
        };
        assert_eq!(soft(Some(0)), soft(None));
        assert!(soft(Some(1)) > 10 * soft(None));
    }

    /// What a clock shows, in milliseconds, after so many moves that take this part of the soft limit.
    fn left_after(moves: u32, control: (i64, i64, Option<u32>), percent: u32) -> i64 {
        let (mut clock, increment, period) = control;
        for number in 0..moves {
            let clocks = Clocks {
                remaining: Some(clock),
                increment,
                moves_to_go: period.map(|period| period - number),
                move_time: None,
            };
            let budget = clocks.budget(MOVE_OVERHEAD, &SearchParams::default());
            let budget = budget.unwrap();
            let used = (budget.soft * percent / 100).min(budget.hard);
            clock -= used.as_millis() as i64;
            assert!(clock > 0, "{control:?}: move {number}");
            clock += increment;
        }
        clock
    }

    /// A best move that stays takes the soft limit of the shipped rows; with those before it took 1.8 times
    /// theirs.
    #[test]
    fn the_end_of_a_control_has_its_time_too() {
        for (control, percent) in [(60_000, 150), (60_000, 180), (5000, 150)] {
            let left = left_after(20, (control, 0, Some(40)), percent);
            assert!(4 * left > control, "{left} of {control}");
        }
    }

    #[test]
    fn some_increments_stay_on_the_clock() {
        for (start, increment) in [(10_000, 100), (60_000, 600), (3000, 30)] {
            for percent in [100, 150, 180] {
                let left = left_after(150, (start, increment, None), percent);
                assert!(left > 4 * increment, "{left} with {increment}");
            }
        }
    }

    #[test]
    fn no_time_control_is_lost_by_arithmetic() {
        let controls = [
            (1000, 0, None),
            (1000, 10, None),
            (200, 2, None),
            (10_000, 100, None),
            (60_000, 0, Some(40)),
            (1000, 0, Some(40)),
            (500, 0, Some(2)),
            (300_000, 3000, None),
        ];
        for control in controls {
            play_clock(&SearchParams::default(), control, false);
            play_clock(&SearchParams::default(), control, true);
        }
        // Evolved rows may be anything in their ranges.
        for params in tables() {
            for control in controls {
                play_clock(&params, control, false);
                play_clock(&params, control, true);
            }
        }
    }

    /// A tenth of a second is used for thinking too, not only for fear. With rows that stay as they are: the
    /// arithmetic is at stake, not what has evolved.
    #[test]
    fn short_games_have_time_to_think() {
        let params = SearchParams {
            time_moves: 60,
            time_soft: 130,
            ..SearchParams::default()
        };
        let clocks = |remaining, increment| Clocks {
            remaining: Some(remaining),
            increment,
            ..Clocks::default()
        };
        for (remaining, increment, least) in [(200, 2, 900), (1000, 10, 15_000), (1000, 0, 8_000)] {
            let budget = clocks(remaining, increment)
                .budget(MOVE_OVERHEAD, &params)
                .unwrap();
            assert!(budget.soft >= Duration::from_micros(least), "{budget:?}");
        }
    }

    #[test]
    fn a_move_time_is_kept() {
        let clocks = |move_time| Clocks {
            move_time: Some(move_time),
            ..Clocks::default()
        };
        assert_eq!(
            clocks(500)
                .budget(10, &SearchParams::default())
                .unwrap()
                .hard,
            Duration::from_millis(490)
        );
        // Half of it at least, however large the overhead.
        for (time, left) in [(i64::MIN, 1), (-5, 1), (0, 1), (3, 2), (12, 6), (20, 10)] {
            let budget = clocks(time).budget(10, &SearchParams::default()).unwrap();
            assert_eq!(budget.hard, Duration::from_millis(left));
        }
        assert!(
            Clocks::default()
                .budget(10, &SearchParams::default())
                .is_none()
        );
    }

    #[test]
    fn a_move_time_never_costs_the_game() {
        let params = SearchParams {
            time_most: 80,
            ..SearchParams::default()
        };
        for (left, thought) in [
            (i64::MAX, 490),
            (1000, 490),
            (60, 40),
            (1, 1),
            (0, 490),
            (-3, 490),
        ] {
            let clocks = Clocks {
                remaining: Some(left),
                move_time: Some(500),
                ..Clocks::default()
            };
            let budget = clocks.budget(10, &params).unwrap();
            let thought = Duration::from_millis(thought);
            assert_eq!((budget.soft, budget.hard), (thought, thought), "{left}");
            assert!(!budget.may_answer_early);
        }
    }
}
