//! The evaluation: one routine for score and counts, and the same for both colours.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used)]

use engine::eval::params::{CORE, EvalParams, TERMS, term};
use engine::eval::{Weights, core_features, dot, evaluate, features};
use engine::params::ParamTable;
use engine::position::Position;
use proptest::prelude::*;

/// A position of a random game: each number chooses a move.
fn play(choices: &[u16]) -> Position {
    let mut position = Position::startpos();
    for choice in choices {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(*choice) % moves.len().max(1)) else {
            break;
        };
        position = position.play(mv);
    }
    position
}

/// The same position with the colours changed over: ranks in reverse order, letters in the other
/// case.
fn flipped(position: &Position) -> Position {
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let other = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars().map(other).collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let castling = swap(fields[2]);
    let flipped = format!("{} {side} {castling} {en_passant} 0 1", board.join("/"));
    Position::from_fen(&flipped).unwrap()
}

fn weights(values: &[u32]) -> EvalParams {
    let mut weights = EvalParams::missing();
    for (row, value) in values.iter().enumerate() {
        let range = &EvalParams::SPECS[row].range;
        let width = (range.end() - range.start() + 1) as u32;
        weights.set(row, range.start() + (value % width) as i32);
    }
    weights
}

proptest! {
    #![proptest_config(tests::cases(256))]

    #[test]
    fn the_score_is_the_dot_product_of_the_counts(
        choices in prop::collection::vec(any::<u16>(), 0..160),
        values in prop::collection::vec(any::<u32>(), term::COUNT),
    ) {
        let (position, weights) = (play(&choices), weights(&values));
        let counts = features(&position);
        prop_assert_eq!(evaluate(&position, &Weights::from(&weights)), dot(&counts, &weights));
        prop_assert_eq!(&core_features(&position)[..], &counts[..CORE]);
    }

    #[test]
    fn both_colours_count_alike(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        let position = play(&choices);
        prop_assert_eq!(features(&position), features(&flipped(&position)), "{}", position.to_fen());
    }

    #[test]
    fn the_opponent_sees_the_opposite(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        let position = play(&choices);
        if let Some(passed) = position.play_null() {
            // Whose move it is changes the tempo and who wins a race, neither of the papers.
            let counts = core_features(&passed).map(|count| -count);
            prop_assert_eq!(core_features(&position), counts);
        }
    }
}

/// Counts that can be made out by hand.
#[test]
fn terms_count_what_they_say() {
    let count = |fen: &str, row: usize| features(&Position::from_fen(fen).unwrap())[row];
    let mut start = [0; term::COUNT];
    start[term::tempo] = 1;
    assert_eq!(features(&Position::startpos()), start);
    let pawns = "4k3/8/8/3P4/8/3P4/P7/4K3 w - - 0 1";
    assert_eq!(count(pawns, term::pawn_value), 3);
    assert_eq!(count(pawns, term::pawn_advance_b), 3 + 1);
    assert_eq!(count(pawns, term::doubled_pawn_penalty), -1);
    assert_eq!(count(pawns, term::isolated_pawn_penalty), -3);
    // d5 has advanced three ranks: 6; d3 one: 1; both with free stop squares; a2 none.
    assert_eq!(count(pawns, term::passed_pawn_mult), 6 + 1);
    let blocked = "4k3/8/3n4/3P4/8/8/8/4K3 w - - 0 1";
    assert_eq!(count(blocked, term::passed_pawn_mult), 3);
    assert_eq!(count(blocked, term::knight_value), -1);
    let rook = "6k1/R7/8/8/8/8/5PPP/6K1 w - - 0 1";
    assert_eq!(count(rook, term::rook_7th_rank), 1);
    assert_eq!(count(rook, term::rook_open_file), 1);
    assert_eq!(count(rook, term::rook_mobility), 14);
    // Without an enemy queen the king's cover does not count; with one, Black's bare king does.
    assert_eq!(count(rook, term::king_no_friendly_pawn), 0);
    let queens = "6k1/R7/8/8/8/8/5PPP/Q5K1 b - - 0 1";
    assert_eq!(count(queens, term::king_no_friendly_pawn), -1);
    assert_eq!(count(queens, term::king_no_friendly_pawn_adj), -2);
}

/// Each term has its endgame row, which counts in proportion to what has left the board.
#[test]
fn endgame_rows_fade_in() {
    for (row, spec) in EvalParams::SPECS[..TERMS].iter().enumerate() {
        let endgame = &EvalParams::SPECS[TERMS + row];
        assert_eq!(endgame.name, format!("{}_endgame", spec.name));
    }
    let bare = features(&Position::from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1").unwrap());
    assert_eq!(bare[TERMS + term::pawn_value], 24);
    let queens = features(&Position::from_fen("3qk3/8/8/8/8/8/P7/3QK3 w - - 0 1").unwrap());
    assert_eq!(queens[TERMS + term::pawn_value], 24 - 8);
}

/// Sums of the fast evaluation are exact below 2^24 ([`f32`]'s whole numbers): the largest weights
/// on a board with all the queens, rooks and minor pieces that there can be stay far below.
#[test]
fn no_score_reaches_what_single_precision_holds() {
    let mut largest = EvalParams::missing();
    for (row, spec) in EvalParams::SPECS.iter().enumerate() {
        largest.set(row, *spec.range.end());
    }
    let fen = "krn5/ppb5/8/8/QQQQQQQQ/Q7/RRBBNN2/K7 w - - 0 1";
    let counts = core_features(&Position::from_fen(fen).unwrap());
    let terms = counts.iter().enumerate();
    let sum: i32 = terms
        .map(|(row, count)| count.abs() * largest.get(row))
        .sum();
    assert!((20_000..1 << 20).contains(&sum), "{sum}");
}
