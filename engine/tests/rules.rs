//! The rules: perft of known positions, and agreement with an independent oracle (shakmaty) on
//! 20,000 positions of random games. `EYAS_LONG=1` adds the deep perft counts.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::position::{Game, Outcome, Position, START_FEN};
use engine::san::{parse_san, to_san};
use engine::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};

/// Positions with their leaf counts: the six of
/// <https://www.chessprogramming.org/Perft_Results> and the tricky ones that M. Sedlak collected,
/// each shallow count here checked against python-chess.
const PERFT: &[(&str, u32, u64)] = &[
    (START_FEN, 4, 197_281),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
        97_862,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        4,
        422_333,
    ),
    (
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        4,
        422_333,
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        3,
        62_379,
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        3,
        89_890,
    ),
    // En passant that a pin along the rank, or a check, forbids or makes.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1", 6, 1_015_133),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1_038_514),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    // Castling: giving check, losing the right, out of reach.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    // Promotion: out of check, with check, to each piece; stalemate and mate.
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
];

/// The six standard positions, some plies deeper.
const DEEP_PERFT: &[(&str, u32, u64)] = &[
    (START_FEN, 6, 119_060_324),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

fn check_perft(table: &[(&str, u32, u64)]) {
    for (fen, depth, leaves) in table {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.perft(*depth), *leaves, "{fen}");
    }
}

#[test]
fn perft_counts_are_right() {
    check_perft(PERFT);
}

#[test]
fn deep_perft_counts_are_right() {
    if std::env::var_os("EYAS_LONG").is_some() {
        check_perft(DEEP_PERFT);
    }
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
        PERFT[1].0,
        PERFT[3].0,
        PERFT[5].0,
        PERFT[13].0,
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
