//! The rules: perft of known positions, and agreement with an independent oracle (shakmaty) on
//! 20,000 positions of random games. `EYAS_LONG=1` adds deep perft counts.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::position::{Game, Outcome, Position, START_FEN};
use engine::san::{parse_san, to_san};
use engine::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};

/// Counts the leaves of the positions in `tests/data/perft.epd`, at each line's first depth or at
/// all of them.
#[test]
fn perft_counts_are_right() {
    let depths = if tests::is_long() { usize::MAX } else { 1 };
    let text = tests::data("perft.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut counted = 0;
    for line in lines {
        let mut fields = line.split(" ;D");
        let position = Position::from_fen(fields.next().unwrap()).unwrap();
        for count in fields.take(depths) {
            let (depth, leaves) = count.split_once(' ').unwrap();
            let leaves: u64 = leaves.parse().unwrap();
            assert_eq!(position.perft(depth.parse().unwrap()), leaves, "{line}");
            counted += 1;
        }
    }
    assert!(counted >= 22);
}

fn oracle(fen: &str) -> Chess {
    let parsed: Fen = fen.parse().unwrap();
    parsed.into_position(CastlingMode::Standard).unwrap()
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items
}

/// Everything that both know of a position must be the same.
fn compare(position: &Position, theirs: &Chess) {
    let fen = position.to_fen();
    assert_eq!(
        fen,
        Fen::from_position(theirs, EnPassantMode::Legal).to_string()
    );
    let moves = theirs.legal_moves();
    assert_eq!(
        sorted(position.legal_moves().iter().map(ToString::to_string)),
        sorted(
            moves
                .iter()
                .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
        ),
        "{fen}"
    );
    assert_eq!(position.in_check(), theirs.is_check(), "{fen}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    assert_eq!(
        Game::new(*position).outcome() == Some(Outcome::Checkmate),
        theirs.is_checkmate(),
        "{fen}"
    );
    assert_eq!(
        Game::new(*position).outcome() == Some(Outcome::Stalemate),
        theirs.is_stalemate(),
        "{fen}"
    );
    let again = Position::from_fen(&fen).unwrap();
    assert_eq!(again, *position, "{fen}");
    assert_eq!(again.key(), position.key(), "{fen}");
    // Shakmaty also sees that KNvKN… can't be won without help; ours are always among its own.
    if position.is_insufficient_material() {
        assert!(theirs.is_insufficient_material(), "{fen}");
    }
    for mv in &moves {
        let uci = mv.to_uci(CastlingMode::Standard).to_string();
        let ours = Move::parse_uci(&uci).unwrap();
        let san = SanPlus::from_move(theirs.clone(), *mv).to_string();
        assert_eq!(to_san(position, ours), san, "{fen}");
        assert_eq!(parse_san(position, &san), Ok(ours), "{fen}");
        let captured = position.captured(ours).is_some();
        assert_eq!(captured, mv.is_capture(), "{uci} in {fen}");
        let tactical = position.tactical_moves().contains(&ours);
        assert_eq!(
            tactical,
            mv.is_capture() || mv.is_promotion(),
            "{uci} in {fen}"
        );
    }
}

#[test]
fn random_games_agree_with_the_oracle() {
    let starts = [
        START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - -",
    ];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2014);
    let mut seen = 0;
    for start in starts.iter().cycle() {
        let mut position = Position::from_fen(start).unwrap();
        let mut theirs = oracle(start);
        for _ in 0..200 {
            compare(&position, &theirs);
            seen += 1;
            let moves = theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(rng.next_u64() % moves.len() as u64) as usize];
            let uci = mv.to_uci(CastlingMode::Standard).to_string();
            position = position.play(Move::parse_uci(&uci).unwrap());
            theirs.play_unchecked(mv);
        }
        if seen >= 20_000 {
            return;
        }
    }
}

#[test]
fn en_passant_counts_only_where_it_is_legal() {
    // The pawn on e5 could take d6 but is pinned along the rank.
    let pinned = Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").unwrap();
    let without = Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1").unwrap();
    assert_eq!(pinned, without);
    assert_eq!(pinned.key(), without.key());
    let free = Position::from_fen("8/8/8/3pP2r/8/8/K7/4k3 w - d6 0 1").unwrap();
    assert!(free.to_fen().contains(" d6 "));
    assert_ne!(
        free.key(),
        Position::from_fen("8/8/8/3pP2r/8/8/K7/4k3 w - - 0 1")
            .unwrap()
            .key()
    );
    // After a double step beside which no pawn stands, no square is named.
    let start = Position::startpos();
    let after = start.play(Move::parse_uci("e2e4").unwrap());
    assert!(after.to_fen().ends_with(" b KQkq - 0 1"));
}

fn play(game: &mut Game, moves: &str) {
    for mv in moves.split_whitespace() {
        assert!(game.play(Move::parse_uci(mv).unwrap()), "{mv}");
    }
}

#[test]
fn repetition_is_the_third_occurrence() {
    let mut game = Game::new(Position::startpos());
    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(
        (game.occurrences(), game.outcome()),
        (3, Some(Outcome::Repetition))
    );
    // A pawn move makes everything before it irrelevant.
    play(&mut game, "e2e4");
    assert_eq!((game.occurrences(), game.outcome()), (1, None));
    // The same squares with other castling rights are another position.
    let mut game = Game::new(Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap());
    play(&mut game, "a1b1 a8b8 b1a1 b8a8");
    assert_eq!(game.occurrences(), 1);
    play(&mut game, "a1b1 a8b8 b1a1 b8a8");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    // An illegal move changes nothing.
    let before = game.clone();
    assert!(!game.play(Move::parse_uci("e1e4").unwrap()));
    assert_eq!(game.position(), before.position());
}

#[test]
fn fifty_moves_are_a_hundred_plies() {
    let mut game = Game::new(Position::from_fen("7k/8/8/8/8/8/R7/K7 w - - 98 80").unwrap());
    play(&mut game, "a2b2");
    assert_eq!(game.outcome(), None);
    play(&mut game, "h8g8");
    assert_eq!(game.outcome(), Some(Outcome::FiftyMoves));
    // Mate on the hundredth ply is mate.
    let mut mate = Game::new(Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap());
    play(&mut mate, "a1a8");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    // The clock doesn't overflow.
    let late = Position::from_fen("7k/8/8/8/8/8/R7/K7 w - - 65535 65535").unwrap();
    let after = late.play(Move::parse_uci("a2b2").unwrap());
    assert_eq!(
        (after.halfmove_clock(), after.fullmove_number()),
        (65535, 65535)
    );
    let after = after.play(Move::parse_uci("h8g8").unwrap());
    assert_eq!(
        (after.halfmove_clock(), after.fullmove_number()),
        (65535, 65535)
    );
}

#[test]
fn insufficient_material() {
    for (board, insufficient) in [
        ("7k/8/8/8/8/8/8/K7", true),
        ("7k/8/8/8/8/8/8/KN6", true),
        ("7k/8/8/8/8/8/8/KB6", true),
        ("7k/8/8/8/8/8/8/K1b5", true),
        // Bishops on c1 and f8 stand on dark squares both; that on e8 is a light one.
        ("5b1k/8/8/8/8/8/8/K1B5", true),
        ("4b2k/8/8/8/8/8/8/K1B5", false),
        ("7k/8/8/8/8/8/8/KNN5", false),
        ("6nk/8/8/8/8/8/8/KN6", false),
        ("6bk/8/8/8/8/8/8/KN6", false),
        ("7k/8/8/8/8/8/P7/K7", false),
        ("6k1/8/8/8/8/8/8/K6R", false),
        ("7k/8/8/8/8/8/8/K5Q1", false),
    ] {
        let fen = format!("{board} b - - 0 1");
        let position = Position::from_fen(&fen).unwrap();
        assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");
    }
}
