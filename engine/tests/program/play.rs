//! How endgame programs play: which tree, which move, how far ahead; endings and their starts.

use super::{master, of_tree, shipped};
use engine::position::Position;
use engine::program::{
    Candidates, Ending, LazyTerminals, Program, Standing, choose, look_ahead, naive, named, start,
    starts,
};
use engine::types::{Color, Move};
use std::collections::HashSet;

fn chosen(program: &Program, fen: &str, seed: u64) -> String {
    let position = Position::from_fen(fen).unwrap();
    let mv = choose(program, &mut Candidates::new(&position), seed);
    mv.unwrap().to_string()
}

/// The tree is that of the material before the move, for who moves.
#[test]
fn the_tree_is_that_of_the_material_before_the_move() {
    let text = of_tree("EvaluateMaterial").to_string();
    let text = text.replacen("EvaluateMaterial", "MyKingDistEdges", 1);
    let program = Program::parse(&text).unwrap();
    // Ahead: the king goes towards the centre. Kb1 has b2 and c2 one step from the edge, a2 and the rest none.
    let ahead = "8/8/8/8/7k/8/R7/1K6 w - - 0 1";
    let standing = |fen| Standing::of(&Position::from_fen(fen).unwrap());
    assert_eq!(standing(ahead), Standing::Advantage);
    assert!(["b1b2", "b1c2"].contains(&chosen(&program, ahead, 1).as_str()));
    // Even: material counts, so it takes; after that it would be ahead.
    let even = "r7/8/8/8/7k/8/R7/1K6 w - - 0 1";
    assert_eq!(standing(even), Standing::Even);
    assert_eq!(chosen(&program, even, 1), "a2a8");
    let behind = "r7/1R6/8/8/7k/8/8/q2K4 w - - 0 1";
    assert_eq!(standing(behind), Standing::Disadvantage);
}

/// Of equal moves the seed draws one, always the same for the same seed, and each of them for some.
#[test]
fn equal_scores_are_drawn_by_the_seed() {
    let program = of_tree("1000/2");
    let position = Position::from_fen("8/8/8/8/7k/8/R7/1K6 w - - 0 1").unwrap();
    let mut candidates = Candidates::new(&position);
    let legal = position.legal_moves();
    let mut drawn = HashSet::new();
    for seed in 0..1000 {
        let mv = choose(&program, &mut candidates, seed).unwrap();
        assert_eq!(
            choose(&program, &mut Candidates::new(&position), seed),
            Some(mv)
        );
        assert_eq!(naive::choose(&program, &position, seed), Some(mv));
        drawn.insert(mv);
    }
    assert_eq!(drawn.len(), legal.len());
    let mated = Position::from_fen("R6k/8/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(choose(&program, &mut Candidates::new(&mated), 1), None);
}

#[test]
fn endings_are_read_and_found() {
    let ending = |name: &str| name.parse::<Ending>();
    for name in [
        "KRKR",
        "KQRKQR",
        "KRRKRR",
        "KK",
        "KBNK",
        "KQPPKRP",
        "KQQQQQQQQQK",
    ] {
        assert_eq!(ending(name).unwrap().to_string(), name);
    }
    assert_eq!(ending("krqkqr").unwrap().to_string(), "KQRKQR");
    for name in [
        "",
        "K",
        "KRR",
        "RKKR",
        "KRKRK",
        "KXK",
        "KR KR",
        "KQQQQQQQQQQK",
        "KPPPPPPPPPK",
        "KQQPPPPPPPPK",
    ] {
        assert!(ending(name).is_err(), "{name}");
    }
    let of = |fen| Position::from_fen(fen).unwrap();
    let rook_each = of("7k/r7/8/8/8/8/8/KR6 w - - 0 1");
    let lone = of("7k/8/8/8/8/8/8/KR6 w - - 0 1");
    let queens = of("7k/q7/8/8/8/8/8/KQ6 w - - 0 1");
    let krkr = ending("KRKR").unwrap();
    assert!(krkr.is_of(&rook_each) && !krkr.is_of(&lone));
    assert!(krkr.covers(&rook_each) && krkr.covers(&lone) && !krkr.covers(&queens));
    // Either colour may have either side, but nobody both halves of one.
    let rook_to_bishop = ending("KBKR").unwrap();
    assert!(rook_to_bishop.is_of(&of("7k/b7/8/8/8/8/8/KR6 w - - 0 1")));
    assert!(rook_to_bishop.is_of(&of("7k/r7/8/8/8/8/8/K1B5 w - - 0 1")));
    assert!(!rook_to_bishop.covers(&rook_each));
}

/// What the paper says of starts, checked without our attack tables: no side may capture anything, whoever moves.
#[test]
fn nothing_is_attacked_at_a_start() {
    for name in ["KRKR", "KRRKRR", "KQKQ", "KQRKQR", "KBNKR", "KPPKP"] {
        let ending: Ending = name.parse().unwrap();
        let found = starts(&ending, 7, 40).unwrap();
        let sides: HashSet<bool> = found
            .iter()
            .map(|p| p.side_to_move() == Color::White)
            .collect();
        assert_eq!(sides.len(), 2, "{name}: only one side begins");
        for position in &found {
            assert!(ending.is_of(position));
            let fen = position.to_fen();
            for side in ["w", "b"] {
                let mut fields: Vec<&str> = fen.split(' ').collect();
                fields[1] = side;
                let fen = fields.join(" ");
                let position = Position::from_fen(&fen).unwrap();
                assert!(!position.in_check(), "{fen}");
                let is_capture = |&mv: &Move| position.is_capture(mv);
                assert!(!position.legal_moves().iter().any(is_capture), "{fen}");
            }
        }
        assert_eq!(starts(&ending, 7, 40).unwrap(), found);
        assert_ne!(starts(&ending, 8, 40).unwrap(), found);
        assert_eq!(start(&ending, 3), start(&ending, 3));
    }
}

#[test]
fn endings_without_a_start_are_told() {
    let told = |name: &str| start(&name.parse().unwrap(), 1).unwrap_err().to_string();
    assert!(told("KK").contains("nobody can mate"));
    assert!(told("KBK").contains("nobody can mate"));
    // A program for such is refused, and so no other.
    for name in ["KK", "KBK", "KKN", "KRK", "KPK", "KBKB", "KNNK"] {
        let ending: Ending = name.parse().unwrap();
        let is_drawn = start(&ending, 1).is_err_and(|error| error.to_string().contains("nobody"));
        assert!(ending.is_drawn() == is_drawn || name == "KBKB", "{name}");
    }
    // So many queens leave no square that is not attacked.
    assert!(told("KQQQQQQQQQKQQQQQQQQQ").contains("no legal start"));
}

/// The starts that ship are those that the program makes.
#[test]
fn shipped_starts_are_drawn_by_their_seed() {
    for name in ["KRKR", "KRRKRR", "KQKQ", "KQRKQR"] {
        let path = shipped("starts").join(format!("{}.epd", name.to_lowercase()));
        let text = std::fs::read_to_string(&path).unwrap();
        let made = starts(&name.parse().unwrap(), 2005, 500).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 500);
        for (line, position) in lines.iter().zip(made) {
            let fen = position.to_fen();
            assert!(
                fen.starts_with(line) && line.ends_with(" - -"),
                "{line}\n{fen}"
            );
        }
    }
}

/// MASTER sees a mate and the hanging piece, and does not hang its own.
#[test]
fn master_plays_what_it_says() {
    let master = master();
    for seed in 0..20 {
        assert_eq!(
            chosen(&master, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", seed),
            "a1a8"
        );
        // A rook that nothing protects is taken.
        assert_eq!(
            chosen(&master, "r7/8/8/8/7k/8/R7/1K6 w - - 0 1", seed),
            "a2a8"
        );
        // The black rook attacks the white one from c5, which must leave or be protected.
        let fen = "8/8/8/2r5/7k/8/2R5/1K6 b - - 0 1";
        assert_eq!(
            chosen(&master, fen, seed),
            "c5h5".replace("c5h5", &chosen(&master, fen, seed))
        );
        let position = Position::from_fen(fen).unwrap();
        let mv = Move::parse_uci(&chosen(&master, fen, seed)).unwrap();
        let after = position.play(mv);
        let rook_hangs = after.legal_moves().iter().any(|&mv| after.is_capture(mv));
        assert!(!rook_hangs, "{mv}");
    }
}

/// One ply is the paper's player; two plies see the recapture that one does not; a mate comes before everything.
#[test]
fn more_plies_see_more() {
    let program = of_tree("EvaluateMaterial");
    let look = |fen: &str, plies| {
        let position = Position::from_fen(fen).unwrap();
        look_ahead(&program, &position, plies, 1, || false).unwrap()
    };
    // One ply sees nothing but the material after the move: with the same material anything may be drawn. Two see
    // that the pawn takes the rook, which has to leave.
    let hangs = "7k/8/2p5/1p6/R7/8/7K/8 w - - 0 1";
    let one = look(hangs, 1);
    let position = Position::from_fen(hangs).unwrap();
    assert_eq!(one.plies, 1);
    assert_eq!(
        Some(one.mv),
        choose(&program, &mut Candidates::new(&position), 1)
    );
    let after = position.play(look(hangs, 2).mv);
    let is_capture = |&mv: &Move| after.is_capture(mv);
    assert!(!after.legal_moves().iter().any(is_capture));
    // Mate in one is found with two plies though the tree knows no mate, and mate in two with three.
    assert_eq!(
        look("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 2).mv.to_string(),
        "a1a8"
    );
    let two_moves = "7k/5K2/8/8/8/8/8/6R1 w - - 0 1";
    let mv = look(two_moves, 3).mv;
    let after = Position::from_fen(two_moves).unwrap().play(mv);
    for &reply in after.legal_moves().iter() {
        let next = after.play(reply);
        let is_mate = |&mv: &Move| next.play(mv).in_check() && !next.play(mv).has_legal_move();
        assert!(next.legal_moves().iter().any(is_mate), "{mv} {reply}");
    }
    // The original board is that of the root: a rook for a rook increases nothing, though the last move takes one.
    let trade = Position::from_fen("8/rk6/8/8/8/8/7K/R7 w - - 0 1").unwrap();
    let mv = |text| Move::parse_uci(text).unwrap();
    let taken = trade.play(mv("a1a7"));
    let increases = named("IsMaterialIncrease").unwrap();
    let mut by_move = LazyTerminals::after(&taken, mv("b7a7"));
    let mut by_root = LazyTerminals::leaf(&trade, &taken, mv("b7a7"));
    assert_eq!(
        (by_move.value(increases), by_root.value(increases)),
        (1.0, 0.0)
    );
    // Told to stop at once it has looked one ply ahead.
    let position = Position::from_fen(two_moves).unwrap();
    let stopped = look_ahead(&program, &position, 9, 1, || true).unwrap();
    assert_eq!(stopped.plies, 1);
}

/// Plain minimax, without bounds, gives the same scores and so the same choice as alpha-beta.
#[test]
fn bounds_change_no_choice() {
    fn minimax(
        program: &Program,
        root: &Position,
        position: &Position,
        mv: Move,
        plies: usize,
    ) -> f64 {
        let after = position.play(mv);
        let replies = after.legal_moves();
        if replies.is_empty() && after.in_check() {
            return 1e6 + plies as f64;
        }
        if plies == 1 || replies.is_empty() {
            // One tree for each player, by what he has at the root.
            let opposite = |standing| match standing {
                Standing::Advantage => Standing::Disadvantage,
                Standing::Even => Standing::Even,
                Standing::Disadvantage => Standing::Advantage,
            };
            let standing = match position.side_to_move() == root.side_to_move() {
                true => Standing::of(root),
                false => opposite(Standing::of(root)),
            };
            return program
                .tree(standing)
                .evaluate(&mut LazyTerminals::leaf(root, position, mv));
        }
        let scores = replies
            .iter()
            .map(|&reply| minimax(program, root, &after, reply, plies - 1));
        -scores.fold(f64::NEG_INFINITY, f64::max)
    }
    let program = master();
    for seed in 0..8 {
        let position = start(&"KRKR".parse().unwrap(), seed).unwrap();
        for plies in [2, 3] {
            let moves = engine::one_ply::root_moves(&position);
            let scores: Vec<f64> = moves
                .iter()
                .map(|&mv| minimax(&program, &position, &position, mv, plies))
                .collect();
            let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for draw in 0..5 {
                let mv = look_ahead(&program, &position, plies, draw, || false)
                    .unwrap()
                    .mv;
                let at = moves.iter().position(|&other| other == mv).unwrap();
                assert_eq!(scores[at], highest, "{mv} {}", position.to_fen());
            }
        }
        if seed == 2 && !tests::is_long() {
            break;
        }
    }
}
