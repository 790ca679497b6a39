//! SAN and EPD: forms that are understood, errors, and that no text whatever panics.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::epd::{Epd, EpdError};
use engine::position::{Position, START_FEN};
use engine::san::{SanError, parse_san, to_san};
use engine::types::Move;
use proptest::prelude::*;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Positions in which SAN has something to tell apart: promotions with captures, castling, en
/// passant, three queens to one square.
const POSITIONS: &[&str] = &[
    START_FEN,
    KIWIPETE,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "7k/8/8/QQ6/Q1Q5/8/8/K7 w - - 0 1",
    "8/8/8/8/1k1PpN1R/8/8/4K3 b - d3 0 1",
    "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
];

#[test]
fn what_is_no_move_says_so() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    for text in [
        "", "+", "x", "e", "e9", "i4", "Ke", "exd", "O-O-O-O", "O", "--", "Z0", "xd5", "e4e",
        // Other languages' letters, some of which are another piece's here.
        "Pe4", "Sf3", "Dxf6", "Кf3", "e8D",
    ] {
        let read = parse_san(&position, text);
        assert!(
            matches!(read, Err(SanError::Syntax(_))),
            "{text:?}: {read:?}"
        );
    }
    for text in ["e5", "Ke3", "Qh8", "a8=Q", "exd6", "Nb8"] {
        let read = parse_san(&position, text);
        assert!(
            matches!(read, Err(SanError::Illegal(_))),
            "{text:?}: {read:?}"
        );
    }
    let long = parse_san(&position, &"é".repeat(1 << 20)).unwrap_err();
    assert!(long.to_string().len() < 100);
}

#[test]
fn epd_lines_in_use_are_read() {
    for (line, best) in [
        // Win At Chess 1, with a check sign and an id.
        (
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
            vec!["g3g6"],
        ),
        // Coordinates, commas, no semicolon at the end.
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - bm e2e4, e3",
            vec!["e2e4", "e2e3"],
        ),
        // Twice what should come once.
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - bm e4; id \"a\"; bm e3;",
            vec!["e2e4", "e2e3"],
        ),
        // Clocks as in a FEN, then operations.
        ("8/8/8/8/8/8/4P3/K1k5 w - - 3 17 bm e4;", vec!["e2e4"]),
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - hmvc 3; fmvn 17; bm e4;",
            vec!["e2e4"],
        ),
        // What some books put behind an en-passant capture.
        (
            "8/8/8/K2pP3/8/8/8/4k3 w - d6 bm exd6 e.p.; am e6;",
            vec!["e5d6"],
        ),
        ("8/8/8/8/8/8/4P3/K1k5 w - -", vec![]),
        ("8/8/8/8/8/8/4P3/K1k5 w - - ;;; ; bm e4;", vec!["e2e4"]),
    ] {
        let epd = Epd::parse(line).unwrap();
        let moves: Vec<String> = epd.best.iter().map(ToString::to_string).collect();
        assert_eq!(moves, best, "{line}");
    }
    let epd = Epd::parse("8/8/8/8/8/8/4P3/K1k5 w - - 3 17 am e4;").unwrap();
    assert_eq!(epd.position.to_fen(), "8/8/8/8/8/8/4P3/K1k5 w - - 3 17");
    assert!(epd.has_solution());
    assert!(!epd.is_solved_by(epd.avoid[0]));
}

#[test]
fn bad_epd_lines_say_why() {
    for (line, reason) in [
        ("8/8/8/8/8/8/4P3/K1k5 w -", "4 fields, found 3"),
        ("8/8/8/8/8/8/4P3/K7 w - - bm e4;", "0 kings"),
        ("8/8/8/8/8/8/4P3/K1k5 w - - bm e5;", "bm: \"e5\" is illegal"),
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - am Nf3;",
            "am: \"Nf3\" is illegal",
        ),
        ("8/8/8/8/8/8/4P3/K1k5 w - - bm ?;", "is no move in SAN"),
        ("8/8/8/8/8/8/4P3/K1k5 w - - id \"x", "closing quote"),
        ("8/8/8/8/8/8/4P3/K1k5 w - - hmvc x;", "half-move clock"),
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - bm e4; id \"1\";8/8/8/8/8/8/4P3/K1k5 w - - bm e4;",
            "another position stands behind this one",
        ),
        (
            "8/8/8/8/8/8/4P3/K1k5 w - - bm e4; id \"1\"8/8/8/8/8/8/4P3/K1k5 w - - bm e4;",
            "another position stands behind this one",
        ),
    ] {
        let error = Epd::parse(line).unwrap_err().to_string();
        assert!(error.contains(reason), "{line}: {error}");
    }
    assert_eq!(Epd::parse("x").unwrap_err(), EpdError::Fields(1));
}

/// The operations that say what solves a position are there, however they are written, or the line is
/// refused: a suite that lost them would count other positions than its writer meant.
#[test]
fn no_solution_vanishes() {
    const POSITION: &str = "8/8/8/8/8/8/4P3/K1k5 w - -";
    for operations in [
        "bm e4; am e3; id \"x\";",
        "BM e4; AM e3; ID \"x\";",
        "bm: e4; Am:e3; id=\"x\"",
        "bm=e4; am=e3; id: \"x\"",
        "id \"x\" am e3; bm e4;",
        "id \"x\" bm e4; c0 \"a; b\" am e3;",
        "0 bm e4; am e3; id \"x\";",
        "0 1; bm e4; am e3; id \"x\";",
        "\u{200b}bm e4\u{200b}; am e3; i\u{200d}d \"x\";",
    ] {
        let epd = Epd::parse(&format!("{POSITION} {operations}"));
        let epd = epd.unwrap_or_else(|error| panic!("{operations}: {error}"));
        let texts = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<String>();
        let found = (texts(&epd.best), texts(&epd.avoid), epd.id.as_deref());
        assert_eq!(
            found,
            ("e2e4".into(), "e2e3".into(), Some("x")),
            "{operations}"
        );
    }
    for (operations, reason) in [
        (
            "id x am e3;",
            "id: am stands within it: a semicolon is missing before am",
        ),
        ("c0 good BM e4", "c0: BM stands within it"),
        ("bm e4 am e3;", "bm: \"am\" is no move"),
        ("bm e4 id \"x\";", "bm: \"id\" is no move"),
    ] {
        let error = Epd::parse(&format!("{POSITION} {operations}")).unwrap_err();
        assert!(error.to_string().contains(reason), "{operations}: {error}");
    }
    // Words of a remark are no operations.
    let remark = Epd::parse(&format!(
        "{POSITION} bm e4; c0 here I am happy; c1 \"am e3\";"
    ));
    assert!(remark.unwrap().avoid.is_empty());
    let four = "8/8/8/8/8/8/4P3/K1k5 w - - 7 bm e4;";
    assert!(
        Epd::parse(four)
            .unwrap()
            .position
            .to_fen()
            .ends_with(" 7 1")
    );
}

/// The right moves by hand: each is the only one that its writer can have meant.
#[test]
fn what_peoples_files_have_is_read() {
    let promoting = "r3k3/1P6/8/3pP3/8/8/4P3/R3K1NR w KQq d6 0 1";
    for (text, mv) in [
        ("Ng1-f3", "g1f3"),
        ("g1f3", "g1f3"),
        ("g1-f3", "g1f3"),
        ("♘f3", "g1f3"),
        ("♞f3", "g1f3"),
        ("♘\u{fe0e}f3!?", "g1f3"),
        ("N\u{200b}f3", "g1f3"),
        ("Nf3N", "g1f3"),
        ("e2-e4", "e2e4"),
        ("e2–e4", "e2e4"),
        ("♙e4±", "e2e4"),
        ("e4+/=", "e2e4"),
        ("bxa8Q", "b7a8q"),
        ("bxa8/Q", "b7a8q"),
        ("bxa8(Q)", "b7a8q"),
        ("bxa8=(Q)", "b7a8q"),
        ("b:a8=♕", "b7a8q"),
        ("b×a8q+", "b7a8q"),
        ("bxa8b", "b7a8b"),
        ("ba8N", "b7a8n"),
        ("b7a8r", "b7a8r"),
        ("b8n", "b7b8n"),
        ("b8=R++", "b7b8r"),
        ("exd6e.p.", "e5d6"),
        ("exd6ep", "e5d6"),
        ("exd6E.P.", "e5d6"),
        ("e5xd6", "e5d6"),
        ("o-o-o", "e1c1"),
        ("0-0-0", "e1c1"),
        ("O–O–O!", "e1c1"),
        ("Ke1-c1", "e1c1"),
        ("e1c1", "e1c1"),
        ("e1a1", "e1c1"),
        ("Kf2†", "e1f2"),
        ("Kf2‡", "e1f2"),
    ] {
        let position = Position::from_fen(promoting).unwrap();
        let read = parse_san(&position, text).map(|mv| mv.to_string());
        assert_eq!(read.as_deref(), Ok(mv), "{text}");
        // And so in the moves of an EPD, with a number and with signs behind it.
        let line = format!("{promoting} bm 1.{text} !, Kd1;").replace(" 0 1", "");
        let best = Epd::parse(&line).unwrap().best;
        assert_eq!(best[0].to_string(), mv, "{line}");
    }
    // A pawn that takes says from which file, a king that castles that it does.
    for text in ["d6", "Kc1", "a8=Q", "b8"] {
        let position = Position::from_fen(promoting).unwrap();
        let read = parse_san(&position, text);
        assert!(
            matches!(read, Err(SanError::Illegal(_))),
            "{text}: {read:?}"
        );
    }
    let foreign = parse_san(&Position::startpos(), "Sf3").unwrap_err();
    let said = "\"Sf3\" is no move in SAN (foreign piece letters?)";
    assert_eq!(foreign.to_string(), said);
}

fn position() -> impl Strategy<Value = Position> {
    prop::sample::select(POSITIONS).prop_map(|fen| Position::from_fen(fen).unwrap())
}

proptest! {
    #![proptest_config(tests::cases(3000))]

    #[test]
    fn no_text_panics_as_san(position in position(), text in ".{0,12}") {
        let _ = parse_san(&position, &text);
    }

    #[test]
    fn san_like_text_gives_a_legal_move_or_an_error(
        position in position(),
        text in "[KQRBNP]?[a-h]?[1-8]?[x-]?[a-h][1-8](=?[QRBNK])?(e\\.p\\.)?[+#!?]{0,3}",
    ) {
        if let Ok(mv) = parse_san(&position, &text) {
            prop_assert!(position.is_legal(mv));
            prop_assert_eq!(parse_san(&position, &to_san(&position, mv)), Ok(mv));
        }
    }

    #[test]
    fn no_text_panics_as_epd(text in ".{0,160}") {
        let _ = Epd::parse(&text);
    }

    #[test]
    fn mutated_epd_is_read_or_refused(
        at in any::<prop::sample::Index>(),
        letter in any::<char>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let line = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - \
                    bm O-O O-O-O; am dxe6; id \"é; 1\"; c0 \"x\"; acd 7;";
        let mut letters: Vec<char> = line.chars().collect();
        let at = at.index(letters.len());
        letters[at] = letter;
        letters.truncate(1 + cut.index(2 * letters.len()));
        let text: String = letters.into_iter().collect();
        if let Ok(epd) = Epd::parse(&text) {
            for mv in epd.best.iter().chain(&epd.avoid) {
                prop_assert!(epd.position.is_legal(*mv));
            }
        }
    }
}
