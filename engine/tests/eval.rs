//! The evaluation: one routine for score and counts, and the same for both colours.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used)]

use engine::eval::params::{CORE, EvalParams, TERMS, term};
use engine::eval::{
    EvalCache, TermSet, Weights, core_features, dot, evaluate, evaluate_cached, features,
};
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
    fn what_is_known_is_what_would_be_counted(
        choices in prop::collection::vec(any::<u16>(), 0..160),
        values in prop::collection::vec(any::<u32>(), term::COUNT),
    ) {
        let weights = Weights::from(&weights(&values));
        let mut cache = EvalCache::new();
        // A game, then the same positions again.
        for last in (0..=choices.len()).chain(0..=choices.len()) {
            let position = play(&choices[..last]);
            let known = evaluate_cached(&position, &weights, &mut cache);
            prop_assert_eq!(known, evaluate(&position, &weights));
        }
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

/// The same for the terms that the papers do not have.
#[test]
fn further_terms_count_what_they_say() {
    let count = |fen: &str, row: usize| features(&Position::from_fen(fen).unwrap())[row];
    // Three pawns with the knight, one against: two and four fewer than five.
    let knight = "4k3/7p/8/8/8/8/PPP5/N3K3 w - - 0 1";
    assert_eq!(count(knight, term::knight_with_pawns), 3 - 5);
    assert_eq!(count(knight, term::knight_against_pawns), 1 - 5);
    // Two pawns more than the opponent, four on the board.
    assert_eq!(count(knight, term::pawn_among_pawns), 2 * (4 - 10));
    assert_eq!(count(knight, term::no_pawns), 0);
    assert_eq!(count(knight, term::knight_king_distance), -4);
    assert_eq!(count(knight, term::loose_piece), -1);
    assert_eq!(count("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", term::no_pawns), 1);

    let bishops = "4k1b1/8/8/8/8/8/PP6/4K1B1 w - - 0 1";
    assert_eq!(count(bishops, term::opposite_bishops), 2);
    let same = "4kb2/8/8/8/8/8/PP6/4K1B1 w - - 0 1";
    assert_eq!(count(same, term::opposite_bishops), 0);
    let rooks = "r3k1b1/8/8/8/8/8/PP6/R3K1B1 w - - 0 1";
    assert_eq!(count(rooks, term::opposite_bishops), 0);

    // The knight on e4 stands between its king and a rook, alone and then with a pawn.
    let pinned = "4k3/8/8/8/4n3/8/8/4RK2 w - - 0 1";
    assert_eq!(count(pinned, term::pinned_piece), 1);
    assert_eq!(count(pinned, term::weak_piece), 1);
    let two = "4k3/4p3/8/8/4n3/8/8/4RK2 w - - 0 1";
    assert_eq!(count(two, term::pinned_piece), 0);
    let outpost = "4k3/8/8/2P5/4N3/8/8/4K3 w - - 0 1";
    assert_eq!(count(outpost, term::knight_outpost_reachable), 1);
    let fork = "r3k3/8/8/8/3N4/8/8/4K3 w - - 0 1";
    assert_eq!(count(fork, term::knight_fork), 0);
    let fork = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
    assert_eq!(count(fork, term::knight_fork), 1);

    // A queen on d8, which the knight on e4 and the bishop on c3 could attack from f6, defended by
    // both; the knight from nowhere else that is safe.
    let queen = "3q1k2/8/8/8/4N3/2B5/8/6K1 w - - 0 1";
    assert_eq!(count(queen, term::slider_on_queen), 1);
    assert_eq!(count(queen, term::knight_on_queen), 0);

    // Only the right to castle differs.
    let castling = "4k2r/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(count(castling, term::castling_king_side), 1);

    // White's king has pawns before it; Black's has none and White a queen, which could see it from
    // 14 squares on its rank and file and 7 on its diagonals.
    let shelter = "6k1/8/8/8/8/6P1/5P1P/Q5K1 w - - 0 1";
    assert_eq!(count(shelter, term::shield_bg_third), 1);
    assert_eq!(count(shelter, term::shield_cf_second), 1);
    assert_eq!(count(shelter, term::king_open_lines), 14 + 7);
    // The queen attacks h8, beside the king, where three files lie open.
    assert_eq!(count(shelter, term::king_attackers_holes), 3);
    let blocked = "4k3/8/3p4/3P4/8/8/8/4K3 w - - 0 1";
    assert_eq!(count(blocked, term::pawn_blocked_fifth), 1);
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
    let position = Position::from_fen(fen).unwrap();
    for terms in [TermSet::Of2014, TermSet::Of2013] {
        let rows = terms.rows().iter().zip(terms.counts(&position));
        let most = |row: usize| {
            largest
                .get(row)
                .max(EvalParams::SPECS[row].range.start().abs())
        };
        let sum: i32 = rows.map(|(&row, count)| count.abs() * most(row)).sum();
        assert!((20_000..1 << 20).contains(&sum), "{sum}");
    }
}
