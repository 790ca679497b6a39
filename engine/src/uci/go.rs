//! From what `go` says to what bounds the search. Pure.

use super::command::GoCommand;
use crate::search::params::SearchParams;
use crate::search::{Budget, Limits};
use crate::time::Clocks;
use crate::types::{Color, Move};

/// The budget of a side's clocks, if any runs. `overhead` is what a move loses, in milliseconds.
pub(super) fn budget(
    go: &GoCommand,
    side: Color,
    overhead: i64,
    params: &SearchParams,
) -> Option<Budget> {
    // `infinite` means what it says, whatever clocks come with it.
    let budget = clocks(go, side).budget(overhead, params);
    budget.filter(|_| !go.infinite)
}

/// The clocks of the side to move. Should only the opponent's be given, it stands in.
fn clocks(go: &GoCommand, side: Color) -> Clocks {
    let (own, other, increment) = match side {
        Color::White => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    Clocks {
        remaining: own.or(other),
        increment: increment.unwrap_or(0),
        moves_to_go: go.movestogo,
        move_time: go.movetime,
    }
}

/// The limits of a search with this budget, of these moves alone if there are any.
pub(super) fn limits(
    go: &GoCommand,
    time: Option<Budget>,
    multi_pv: usize,
    moves: Vec<Move>,
) -> Limits {
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        nodes_after_first: None,
        mate: go.mate,
        time,
        multi_pv,
        moves,
        threads: None,
        trusts_unproved_losses: false,
    }
}

/// Whether nothing but `stop` ends a search: it may not answer before.
pub(super) fn waits_for_stop(go: &GoCommand, limits: &Limits) -> bool {
    let bounded = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.time.is_some();
    go.infinite || !bounded
}

/// Whether the move is one of a game, as opposed to analysis: only then a book is asked.
pub(super) fn is_of_a_game(go: &GoCommand, limits: &Limits) -> bool {
    let analyses = go.infinite || go.mate.is_some() || !go.searchmoves.is_empty();
    !analyses && !waits_for_stop(go, limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::{Command, parse};

    #[test]
    fn endless_searches_are_told_from_others() {
        for (line, waits, of_a_game) in [
            ("go", true, false),
            ("go infinite", true, false),
            ("go infinite wtime 5 btime 5 depth 3", true, false),
            ("go ponder", true, false),
            ("go searchmoves e2e4", true, false),
            ("go searchmoves e2e4 depth 2", false, false),
            ("go mate 3", false, false),
            ("go depth 3", false, true),
            ("go nodes 3", false, true),
            ("go movetime 3", false, true),
            ("go btime 5", false, true),
            ("go ponder wtime 5", false, true),
        ] {
            let Command::Go(go) = parse(line.as_bytes()) else {
                panic!("{line}")
            };
            let budget = budget(&go, Color::White, 10, &SearchParams::default());
            let limits = limits(&go, budget, 1, Vec::new());
            assert_eq!(waits_for_stop(&go, &limits), waits, "{line}");
            assert_eq!(is_of_a_game(&go, &limits), of_a_game, "{line}");
        }
    }
}
