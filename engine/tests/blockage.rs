//! Blocked pawn endings: which are found, that none is found wrongly, and what that saves.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::params::ParamSet;
use engine::position::{Game, Position};
use engine::score::Score;
use engine::search::blockage::is_blocked;
use engine::search::{Limits, Searcher};
use engine::types::{Color, Piece, Square};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;

/// Positions that nobody can win.
const BLOCKED: &[&str] = &[
    // A dead position in the sense of the laws that a server did not see (lila, issue 4514).
    "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    // The wall of the textbooks, in the middle, far back and far on.
    "8/8/4k3/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1",
    "4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/4K3 b - - 0 1",
    "3k4/1p1p1p1p/1P1P1P1P/8/8/8/8/3K4 w - - 0 1",
    // A wall with a step in it, and one side is two pawns up.
    "8/3k4/3p4/p1pPp1p1/P1P1P1P1/4P1P1/8/3K4 w - - 0 1",
    // Chains head to head.
    "8/4k3/2p1p1p1/1pPpPpPp/1P1P1P1P/8/3K4/8 b - - 0 1",
    // Reserve moves that come to nothing: a2-a3 for one side, d7-d6 for the other.
    "4k3/3p4/8/p2p2p1/P2P2P1/8/P7/4K3 w - - 0 1",
];

/// Positions that look much like them and are not.
const OPEN: &[(&str, &str)] = &[
    (
        "the king walks in through the gap",
        "8/8/4k3/p1p3p1/P1P3P1/8/4K3/8 w - - 0 1",
    ),
    (
        "the wall ends one file too early",
        "8/4k3/8/p2p1p2/P2P1P2/8/8/4K3 w - - 0 1",
    ),
    (
        "both kings are on one side of the wall",
        "8/8/8/p1p1p1p1/P1P1P1P1/8/4K3/k7 w - - 0 1",
    ),
    (
        "a pawn may take",
        "8/8/4k3/p1p1p1p1/P1P1P1PP/8/4K3/8 w - - 0 1",
    ),
    (
        "a pawn may offer itself by b3-b4",
        "8/8/4k3/p1p1p1p1/P1P1P1P1/1P6/4K3/8 w - - 0 1",
    ),
    (
        "the breakthrough of three pawns",
        "8/ppp5/8/PPP5/8/5k2/8/5K2 w - - 0 1",
    ),
    (
        "a passed pawn",
        "8/8/4k3/p1p1p1p1/P1P1P1P1/8/4K2P/8 w - - 0 1",
    ),
    (
        "a passed pawn far from the king that is shut in",
        "8/1p3p2/8/1p6/kPp1pPpP/p1P1P1P1/P3K3/8 w - - 0 1",
    ),
    (
        "the king is shut in by a pawn that can move",
        "2k5/p3p3/2p3p1/p1P3P1/P3p3/Pp1pP1P1/1P1P4/3K4 w - - 0 1",
    ),
    (
        "en passant opens the wall",
        "8/3k4/3p4/p1pPp1p1/P1P1P1P1/8/4K3/8 w - c6 0 1",
    ),
    (
        "whoever has to move loses his pawn and the game",
        "8/8/8/2Kp4/3Pk3/8/8/8 w - - 0 1",
    ),
    (
        "a piece can do more than pawns",
        "8/8/4k3/p1p1p1p1/P1P1P1P1/8/4K3/2B5 w - - 0 1",
    ),
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// Everything that can happen from here on, whatever is played: `None` once anything is taken or
/// promoted or anybody is in check, else the number of positions.
fn positions_without_event(start: &Position, most: usize) -> Option<usize> {
    let mut seen = HashSet::from([start.key()]);
    let mut open = vec![*start];
    while let Some(position) = open.pop() {
        assert!(seen.len() < most, "{}", start.to_fen());
        for &mv in position.legal_moves().iter() {
            let next = position.play(mv);
            if position.is_capture(mv) || mv.promotion().is_some() || next.in_check() {
                return None;
            }
            if seen.insert(next.key()) {
                open.push(next);
            }
        }
    }
    Some(seen.len())
}

#[test]
fn known_blockades_are_found() {
    for fen in BLOCKED {
        assert!(is_blocked(&position(fen)), "{fen}");
        assert!(
            positions_without_event(&position(fen), 100_000).is_some(),
            "{fen}"
        );
    }
}

#[test]
fn near_misses_are_not() {
    for (what, fen) in OPEN {
        assert!(!is_blocked(&position(fen)), "{what}: {fen}");
        let event = positions_without_event(&position(fen), 1_000_000);
        assert_eq!(event, None, "{what}: {fen}");
    }
}

/// In check a king may be mated on the spot, so that is left to the search.
#[test]
fn nobody_is_in_check() {
    let check = "8/8/1k3p2/p1p5/p1p2p2/PpP2P1p/KP5P/8 w - - 0 1";
    assert!(!is_blocked(&position(check)));
    let evaded = "8/8/1k3p2/p1p5/p1p2p2/PpP2P1p/1P5P/K7 b - - 1 1";
    assert!(is_blocked(&position(evaded)));
}

/// With the row off a search believes in the pawns; with the row on it says draw at once.
#[test]
fn the_row_turns_it_on() {
    let mut believes = 0;
    for fen in BLOCKED {
        let game = Game::new(position(fen));
        let mut params = ParamSet::default();
        params.search.blockage_use = 0;
        let mut without = Searcher::new(params.clone(), 1).unwrap();
        believes +=
            usize::from(without.search_quietly(&game, &Limits::depth(8)).score != Score::DRAW);
        params.search.blockage_use = 1;
        let mut with = Searcher::new(params, 1).unwrap();
        let outcome = with.search_quietly(&game, &Limits::depth(1));
        assert_eq!(outcome.score, Score::DRAW, "{fen}");
        assert!(outcome.best.is_some());
    }
    assert!(believes > 3, "{believes}");
}

/// A random number below a bound.
type Below<'a> = &'a mut dyn FnMut(u8) -> u8;

/// Pawns face to face on many files, mostly in a row, some with others behind them, and kings
/// mostly behind their pawns.
fn random_wall(below: Below<'_>) -> Option<Position> {
    let mut squares = [None; 64];
    let rank = 1 + below(5);
    let mut file = below(3);
    while file < 8 {
        let bent = [rank + 1, rank - 1];
        let rank = bent.get(usize::from(below(12))).unwrap_or(&rank);
        put_file(&mut squares, file, (*rank).clamp(1, 5), below);
        file += [1, 2, 2, 2, 3, 3, 4][usize::from(below(7))];
    }
    for (color, own_side) in [(Color::White, 0..rank), (Color::Black, rank + 2..8)] {
        let at_home = own_side.start + below((own_side.end - own_side.start).max(1));
        let rank = [at_home, below(8)][usize::from(below(6) == 0)];
        squares[Square::at(below(8), rank).index()] = Some((color, Piece::King));
    }
    from_squares(&squares, below(2) == 0)
}

/// Two pawns that stop each other; behind either, one file in four has another pawn, which may
/// have a move.
fn put_file(squares: &mut [Option<(Color, Piece)>; 64], file: u8, rank: u8, below: Below<'_>) {
    let mut put = |rank: u8, color| {
        if (1..=6).contains(&rank) {
            squares[Square::at(file, rank).index()] = Some((color, Piece::Pawn));
        }
    };
    put(rank, Color::White);
    put(rank + 1, Color::Black);
    let behind = [1, 2, 3, 3, 3, 3, 3, 3];
    let distance = [0; 2].map(|_| below(12));
    if let Some(distance) = behind.get(usize::from(distance[0])).filter(|d| **d < 3) {
        put(rank.wrapping_sub(*distance), Color::White);
    }
    if let Some(distance) = behind.get(usize::from(distance[1])).filter(|d| **d < 3) {
        put(rank + 1 + distance, Color::Black);
    }
}

/// The position, if it is one.
fn from_squares(squares: &[Option<(Color, Piece)>; 64], white_moves: bool) -> Option<Position> {
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            fen.push(match squares[Square::at(file, rank).index()] {
                None => '1',
                Some((Color::White, piece)) => piece.letter().to_ascii_uppercase(),
                Some((Color::Black, piece)) => piece.letter().to_ascii_lowercase(),
            });
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    for run in (2..=8).rev() {
        fen = fen.replace(&"1".repeat(run), &run.to_string());
    }
    fen.push_str(if white_moves {
        " w - - 0 1"
    } else {
        " b - - 0 1"
    });
    Position::from_fen(&fen).ok()
}

/// What is found is blocked indeed, by looking at everything that can happen; and of what is
/// blocked, most is found.
#[test]
fn random_walls_are_judged_rightly() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut below = |bound: u8| (random.next_u64() % u64::from(bound)) as u8;
    let (mut found, mut dead) = (0, 0);
    for _ in 0..if tests::is_long() { 300_000 } else { 6_000 } {
        let Some(position) = random_wall(&mut below) else {
            continue;
        };
        let truth = positions_without_event(&position, 1_000_000).is_some();
        dead += usize::from(truth);
        if is_blocked(&position) {
            found += 1;
            assert!(truth, "{}", position.to_fen());
        }
    }
    println!("{found} of {dead} found");
    assert!(dead > 300 && found * 10 > dead * 9, "{found} of {dead}");
}
