//! What a search claims it has proved: mates by `go mate`, of searches that are broken off, and in
//! zugzwang.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::epd::Epd;
use engine::params::ParamSet;
use engine::position::{Game, Outcome as Ending, Position};
use engine::search::{Limits, Outcome, Searcher};
use engine::types::Move;

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn played(fen: &str, moves: &str) -> Game {
    let mut game = game(fen);
    for mv in moves.split_whitespace() {
        assert!(game.play(Move::parse_uci(mv).unwrap()), "{mv}");
    }
    game
}

fn suite(name: &str) -> Vec<Epd> {
    let text = tests::data(name);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Epd::parse(line).unwrap()).collect()
}

fn mate_in(moves: u32) -> Limits {
    Limits {
        mate: Some(moves),
        nodes: Some(1_000_000),
        ..Limits::default()
    }
}

fn searcher() -> Searcher {
    Searcher::new(ParamSet::default(), 16).unwrap()
}

fn claimed(outcome: &Outcome) -> Option<i32> {
    outcome.score.mate_moves()
}

/// Whether the side to move mates in at most so many moves: by trying everything, with nothing of the
/// search.
fn mates(position: &Position, moves: u32) -> bool {
    moves > 0
        && position.legal_moves().iter().any(|&mv| {
            let after = position.play(mv);
            (moves > 1 || after.in_check()) && is_mated(&after, moves - 1)
        })
}

/// Whether the side to move is mated in at most so many moves.
fn is_mated(position: &Position, moves: u32) -> bool {
    let replies = position.legal_moves();
    match replies.is_empty() {
        true => position.in_check(),
        false => moves > 0 && replies.iter().all(|&mv| mates(&position.play(mv), moves)),
    }
}

#[test]
fn mates_from_games_are_proved_within_ten_thousand_nodes() {
    for (file, moves) in [("suites/mate-2.epd", 2), ("suites/mate-3.epd", 3)] {
        for epd in suite(file) {
            let name = epd.id.clone().unwrap_or_default();
            let mut searcher = searcher();
            let outcome = searcher.search_quietly(&Game::new(epd.position), &mate_in(moves));
            assert_eq!(claimed(&outcome), Some(moves as i32), "{name}");
            assert!(epd.is_solved_by(outcome.best.unwrap()), "{name}");
            assert!(outcome.nodes < 10_000, "{name}: {}", outcome.nodes);
            // The line is the whole mate.
            let mut game = Game::new(epd.position);
            assert!(outcome.pv.iter().all(|&mv| game.play(mv)), "{name}");
            assert_eq!(game.outcome(), Some(Ending::Checkmate), "{name}");
            assert_eq!(outcome.pv.len() as u32, 2 * moves - 1, "{name}");
            // There is none in fewer moves, so the search ends without one.
            let outcome = searcher.search_quietly(&Game::new(epd.position), &mate_in(moves - 1));
            assert_eq!(
                claimed(&outcome).filter(|&n| n < moves as i32),
                None,
                "{name}"
            );
            assert!(outcome.nodes < 100_000, "{name}: {}", outcome.nodes);
        }
    }
}

/// Whoever is to be mated is told so, however quiet the moves are that mate him.
#[test]
fn who_is_mated_is_told() {
    for (fen, moves) in [
        // 1 Ka1 Qc3 2 Kb1 Qb2.
        ("8/4k3/6p1/8/5p2/p2q4/K7/8 w - - 0 2", 2),
        // 1 Ka1 Rb8, a quiet key, 2 f6 Rc1.
        ("6r1/2k2b2/3p4/2r2P2/p2p4/P7/8/1K6 w - - 3 3", 2),
        ("8/8/1Q6/8/8/4K3/8/2k5 b - - 1 1", 3),
    ] {
        let outcome = searcher().search_quietly(&game(fen), &mate_in(moves));
        assert_eq!(claimed(&outcome), Some(-(moves as i32)), "{fen}");
        assert_eq!(outcome.pv.len() as u32, 2 * moves, "{fen}");
    }
    for (file, moves) in [("suites/mate-2.epd", 2), ("suites/mate-3.epd", 3)] {
        for epd in suite(file) {
            let mut mated = Game::new(epd.position);
            assert!(mated.play(epd.best[0]));
            let outcome = searcher().search_quietly(&mated, &mate_in(moves));
            let name = epd.id.unwrap_or_default();
            assert_eq!(claimed(&outcome), Some(1 - moves as i32), "{name}");
            assert!(outcome.pv.iter().all(|&mv| mated.play(mv)), "{name}");
            assert_eq!(mated.outcome(), Some(Ending::Checkmate), "{name}");
        }
    }
}

/// The rules end the game before the mate: what is left of fifty moves is too little, or a position
/// comes for the third time.
#[test]
fn a_draw_on_the_way_is_no_mate() {
    // 1 Kg6 Kg8 2 Ra8 mates, but the second black half move is the hundredth with 98 on the clock.
    for (clock, proved) in [(0, Some(2)), (96, Some(2)), (97, Some(2)), (98, None)] {
        let fen = format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 90");
        let outcome = searcher().search_quietly(&game(&fen), &mate_in(2));
        assert_eq!(claimed(&outcome), proved, "{clock}");
    }
    // The position after Kg6 has come twice; Kf7 mates as soon.
    let fen = "7k/8/6K1/8/8/8/8/R7 b - - 0 1";
    let game = played(fen, "h8g8 g6f6 g8h8 f6g6 h8g8 g6f6 g8h8");
    let outcome = searcher().search_quietly(&game, &mate_in(2));
    assert_eq!(
        (claimed(&outcome), outcome.best.unwrap().to_string()),
        (Some(2), "f6f7".into())
    );
    let again = Limits {
        moves: vec![Move::parse_uci("f6g6").unwrap()],
        ..mate_in(2)
    };
    let outcome = searcher().search_quietly(&game, &again);
    assert_eq!(claimed(&outcome), None);
}

/// A stalemate is no mate, the attacker himself may be mated, and the mated side finds out.
#[test]
fn the_defender_has_resources() {
    // 1 Qg6 is stalemate, so it takes two moves.
    let corner = game("7k/8/4K3/8/8/6Q1/8/8 w - - 0 1");
    let asked = |moves| claimed(&searcher().search_quietly(&corner, &mate_in(moves)));
    assert_ne!(asked(1), Some(1));
    assert_eq!(asked(2), Some(2));
    // Whoever is mated in two whatever he does, and asks for a mate of his own, is told so.
    let losing = game("8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 1");
    let outcome = searcher().search_quietly(&losing, &mate_in(2));
    assert_eq!(claimed(&outcome), Some(-2));
    for threads in [1, 2] {
        let mut searcher = searcher();
        searcher.set_threads(threads);
        let quiet_key = game("rb3N1n/rkpB1p2/b1R2Pp1/1pP3Pp/1P5P/4p1P1/4P2p/7K w - - 0 1");
        let outcome = searcher.search_quietly(&quiet_key, &mate_in(2));
        assert_eq!(claimed(&outcome), Some(2));
    }
}

/// Black to move holds out six moves, but of the first move that is tried it is known after 500 nodes
/// that it is mated in two. Here the same of many positions: whatever mate is claimed is one.
#[test]
fn a_search_that_is_broken_off_claims_no_mate_that_is_not_proved() {
    let mut claims = [0; 2];
    let mut look = |position: &Position, nodes: u64, threads: usize| {
        let mut searcher = searcher();
        searcher.set_threads(threads);
        let outcome = searcher.search_quietly(&Game::new(*position), &Limits::nodes(nodes));
        let Some(moves) = claimed(&outcome).filter(|moves| moves.abs() < 3) else {
            return;
        };
        claims[usize::from(moves > 0)] += 1;
        let is_one = match moves > 0 {
            true => mates(position, moves as u32),
            false => is_mated(position, moves.unsigned_abs()),
        };
        assert!(is_one, "mate {moves} in {} by {threads}", position.to_fen());
    };
    let quiet = Position::from_fen("5B2/3p1br1/1nppk1Pr/1p5p/3P1R2/2N1p1N1/K3R2b/1B6 b - - 0 1");
    look(&quiet.unwrap(), 500, 1);
    for epd in suite("suites/mate-2.epd") {
        look(&epd.position, 500, 1);
    }
    for epd in suite("suites/mate-3.epd") {
        for (number, &mv) in epd.position.legal_moves().iter().enumerate() {
            let nodes = [60, 200, 500][number % 3];
            look(
                &epd.position.play(mv),
                nodes,
                1 + 3 * usize::from(number % 8 == 0),
            );
        }
    }
    assert!(claims.iter().all(|&count| count > 10), "{claims:?}");
}

/// White's knight takes all squares from the king in the corner and the bishop has to let it go: after
/// 1 Nf6 a null move would hold everything, so it hides the mate in three.
#[test]
fn the_guard_sees_zugzwang() {
    let bound = game("8/3N4/8/8/8/3p1b2/3P1K1p/7k w - - 0 1");
    let found = |guard: i32| {
        let mut params = ParamSet::default();
        params.search.zugzwang_guard_depth = guard;
        let mut searcher = Searcher::new(params, 16).unwrap();
        claimed(&searcher.search_quietly(&bound, &Limits::nodes(100_000)))
    };
    assert_eq!((found(0), found(6)), (None, Some(3)));
}
