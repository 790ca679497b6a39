//! FEN: what is refused and why, and that no text whatever panics.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::fen::{FenError, Setup};
use engine::position::{Position, START_FEN};
use engine::types::Color;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, PositionError, fen::Fen};

/// Each FEN with a piece of the message that refuses it.
const TORTURE: &[(&str, &str)] = &[
    ("", "empty"),
    (" \t\n ", "empty"),
    ("w", "found 1"),
    ("8/8/8/8/8/8/8/K1k5 w -", "found 3"),
    ("8/8/8/8/8/8/8/K1k5 w - - 0 1 2", "found 7"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "0 kings"),
    ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has 0 kings"),
    ("8/8/8/8/8/8/8/k7 w - - 0 1", "White has 0 kings"),
    ("K6K/8/8/8/8/8/8/7k w - - 0 1", "White has 2 kings"),
    ("k6k/8/8/8/8/8/8/7K w - - 0 1", "Black has 2 kings"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"),
    ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
    (
        "4k3/8/8/8/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNKNN1 w - - 0 1",
        "31 pieces",
    ),
    (
        "nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnk1/8/8/8/4K3 w - - 0 1",
        "31 pieces",
    ),
    ("4k3/8/8/8/8/QQ6/QQQQQQQQ/QQQQKQQQ w - - 0 1", "18 pieces"),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a8"),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn stands on a1"),
    ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn stands on h1"),
    (
        "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
        "not to move (Black) is in check",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2r b - - 0 1",
        "not to move (White) is in check",
    ),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "is in check"),
    ("4k3/8/8/8/8/8/8 w - - 0 1", "8 ranks, found 7"),
    ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "8 ranks, found 9"),
    ("////////", "found 1"),
    ("//////// w - -", "found 9"),
    ("/////// w - -", "rank 8 has 0 squares"),
    ("4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 7 squares"),
    ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 9 squares"),
    ("4k3/8/8/8/44p/8/8/4K3 w - - 0 1", "rank 4 has 9 squares"),
    ("4k3/8/8/8/8/8/8/4KRRRR w - - 0 1", "rank 1 has 9 squares"),
    ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "'9' is no piece"),
    ("4k3/8/8/8/8/8/0/4K3 w - - 0 1", "'0' is no piece"),
    ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "'X' is no piece"),
    ("4k3/8/8/8/8/8/8/4♔3 w - - 0 1", "'♔' is no piece"),
    ("4k3/8/8/8/8/8/８/4K3 w - - 0 1", "is no piece"),
    ("٤k٣/8/8/8/8/8/8/4K3 w - - 0 1", "is no piece"),
    ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move is \"W\""),
    ("4k3/8/8/8/8/8/8/4K3 - - - 0 1", "side to move"),
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K"),
    ("4k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "castling right q"),
    ("r3k2r/8/8/8/8/8/8/R4K1R w Q - 0 1", "castling right Q"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling field"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "castling field"),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq-KQkqKQkqKQkqKQkqKQkq - 0 1",
        "castling field",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant square e6"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", "en-passant square e3"),
    ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "en-passant square e6"),
    ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "en-passant square e6"),
    ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "en-passant square e6"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - e9 0 1", "en-passant field"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - é6 0 1", "en-passant field"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - e66 0 1", "en-passant field"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "half-move clock"),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "full-move number"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1234567890123456789012345678901234567890123456789012345678901234",
        "full-move number",
    ),
    // Rook, bishop and knight at once.
    ("4r2k/8/8/8/7b/3n4/8/4K3 w - - 0 1", "attacked by 3"),
];

#[test]
fn the_torture_list_is_refused_with_reasons() {
    for (fen, reason) in TORTURE {
        let error = match Position::from_fen(fen) {
            Ok(position) => panic!("{fen:?} is taken as {}", position.to_fen()),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(reason), "{fen:?}: {error}");
        assert!(error.len() < 200, "{error}");
    }
}

#[test]
fn boards_set_up_by_hand_lose_only_what_cannot_be() {
    for (fen, expected, dropped) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
            &["castling right Q", "en-passant square e3"][..],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 b KQkq - 7 9",
            "4k3/8/8/8/8/8/8/4K3 b - - 7 9",
            &["right K", "right Q", "right k", "right q"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - bm Kd1; id \"pasted\";",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            &["bm Kd1; id"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 3 4 and more",
            "4k3/8/8/8/8/8/8/4K3 w - - 3 4",
            &["\"and more\""],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -7 3",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            &["\"-7 3\""],
        ),
    ] {
        let (setup, found) = Setup::parse_leniently(fen).unwrap();
        assert_eq!(Position::from_setup(&setup).unwrap().to_fen(), expected);
        let found: Vec<String> = found.iter().map(FenError::to_string).collect();
        assert_eq!(found.len(), dropped.len(), "{found:?}");
        for (text, words) in found.iter().zip(dropped) {
            assert!(text.contains(words), "{text}");
        }
        assert!(Setup::parse(fen).is_err());
    }
    // What is dropped leaves no board that can't be.
    for (fen, reason) in TORTURE {
        let is_mended = [
            "castling right",
            "en-passant square",
            "clock",
            "number",
            "found 7",
        ];
        if !is_mended.iter().any(|mended| reason.contains(mended)) {
            assert!(Setup::parse_leniently(fen).is_err(), "{fen}");
        }
    }
}

#[test]
fn long_texts_are_cut_in_messages() {
    let error = Setup::parse(&format!("8/8/8/8/8/8/8/8 {} - -", "é".repeat(1 << 20))).unwrap_err();
    assert!(error.to_string().len() < 200);
    let rank = "1".repeat(1 << 20);
    assert!(matches!(
        Setup::parse(&format!("{rank}/8/8/8/8/8/8/8 w - -")),
        Err(FenError::RankWidth { rank: 8, .. })
    ));
    assert!(Setup::parse(&"8/".repeat(1 << 20)).is_err());
    assert!(Setup::parse(&"x ".repeat(1 << 20)).is_err());
}

#[test]
fn four_fields_and_odd_clocks_are_understood() {
    let four = Position::from_fen("  4k3/8/8/8/8/8/8/4K3\tb - -  ").unwrap();
    assert_eq!(four.to_fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(four.side_to_move(), Color::Black);
    let zero = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 3 0").unwrap();
    assert_eq!(zero.to_fen(), "4k3/8/8/8/8/8/8/4K3 w - - 3 1");
    assert_eq!(Position::from_fen(START_FEN).unwrap(), Position::startpos());
}

/// Text that resembles a FEN.
fn fen_like() -> impl Strategy<Value = String> {
    let rank = "[1-8pnbrqkPNBRQK]{0,9}";
    let board = proptest::collection::vec(rank, 7..=9).prop_map(|ranks| ranks.join("/"));
    (
        board,
        "[wbx]?",
        "[KQkq-]{0,5}",
        "([a-h][1-8]|-)?",
        "[0-9]{0,6}",
        "[0-9]{0,6}",
    )
        .prop_map(|(board, side, castling, passant, half, full)| {
            format!("{board} {side} {castling} {passant} {half} {full}")
        })
}

/// A legal FEN with some characters replaced.
fn mutated() -> impl Strategy<Value = String> {
    let good = prop::sample::select(vec![
        START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
        "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 98 65535",
    ]);
    let letters: Vec<char> = "12345678/pnbrqkPNBRQKwb- abcdefgh0é".chars().collect();
    let change = (any::<prop::sample::Index>(), prop::sample::select(letters));
    (good, proptest::collection::vec(change, 1..4)).prop_map(|(fen, changes)| {
        let mut letters: Vec<char> = fen.chars().collect();
        for (at, letter) in changes {
            let at = at.index(letters.len());
            letters[at] = letter;
        }
        letters.into_iter().collect()
    })
}

/// What is accepted must be a position that can be used, that comes back from its own FEN, and
/// that shakmaty takes too, but for two things that do no harm: more promoted pieces than missing
/// pawns, and checks that no move can have given.
fn check(text: &str) {
    let Ok(position) = Position::from_fen(text) else {
        return;
    };
    let fen = position.to_fen();
    assert_eq!(Position::from_fen(&fen).unwrap(), position, "{text}");
    let parsed: Fen = fen.parse().unwrap();
    let lenient = parsed
        .into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check);
    let theirs: Chess = match lenient {
        Ok(theirs) => theirs,
        Err(error) => panic!("{fen}: shakmaty refuses: {error}"),
    };
    assert_eq!(
        fen,
        Fen::from_position(&theirs, EnPassantMode::Legal).to_string()
    );
    assert_eq!(position.perft(2), shakmaty::perft(&theirs, 2), "{fen}");
}

#[test]
fn en_passant_does_not_leave_the_king_in_check() {
    // The pawn that could be taken did not give the check; in the first two a pawn, then a knight.
    for [fen, field] in [
        ["8/8/1k6/2P5/2pP4/8/5K2/8 b - d3 0 1", "-"],
        ["8/8/1k6/8/N1pP4/8/5K2/8 b - d3 0 1", "-"],
        ["8/8/8/2k5/2pP4/8/5K2/8 b - d3 0 1", "d3"],
        ["8/8/8/2k5/2pP4/N7/5K2/8 b - d3 0 1", "d3"],
        ["8/8/8/2k5/2pP4/1N6/5K2/8 b - d3 0 1", "-"],
    ] {
        check(fen);
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.to_fen().split(' ').nth(3), Some(field), "{fen}");
    }
}

/// Two black bishops and a third, beside all eight pawns.
#[test]
fn more_promoted_pieces_than_missing_pawns_are_taken() {
    let fen = "r3k2r/p1ppqpb1/bn2pbp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
    check(fen);
}

proptest! {
    #![proptest_config(tests::cases(3000))]

    #[test]
    fn no_text_panics(text in ".{0,120}") {
        check(&text);
    }

    #[test]
    fn no_fen_like_text_panics(text in fen_like()) {
        check(&text);
    }

    #[test]
    fn mutated_fens_are_refused_or_sound(text in mutated()) {
        check(&text);
    }
}
