//! The terminals of endgame programs at positions worked out by hand, with either colour.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::panic)]

use engine::mixing::scramble;
use engine::position::Position;
use engine::program::{LazyTerminals, PRIMITIVES, named, start};
use engine::types::Move;
use std::collections::{BTreeMap, BTreeSet};

/// A position, a move, and what terminals say of what comes of it: true is 1.
struct Case {
    fen: &'static str,
    mv: &'static str,
    values: &'static [(&'static str, i32)],
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    // White's rook takes the other on h1: rook against bare king. The king on e2 has all 8 steps; the king on d5
    // is in the centre (3 steps to each nearest edge), and nothing bars its 8 steps. From e2 to the rook on h1 are
    // 3 steps: 8 - 3 = 5.
    Case { fen: "8/8/8/3k4/8/8/4K3/R6r w - - 0 1", mv: "a1h1", values: &[
        ("EvaluateMaterial", 5), ("10*MaterialValue", 50), ("IsMaterialIncrease", 1), ("IsMate", 0),
        ("NumMovesMyKing", 8), ("MyKingDistEdges", 1), ("OppKingProximityToEdges", 0), ("NumNotMovesOppKing", 0),
        ("MyKingProxRook", 5), ("OppKingDistRook", 8), ("NumMyPiecesNotAttacked", 1), ("NumOppPiecesAttacked", 0),
        ("IsOppKingProtectingPiece", 0), ("IsMyKingProtectingPiece", 0), ("NotMyKingInCheck", 1), ("IsDraw", 0),
        ("IsStalemate", 0), ("NotStallmateAdv", 1), ("IsMyQueenNotAttacked", 1), ("IsOppQueenAttacked", 0),
        ("NotMyPieceAttacked", 1), ("ValueMyPiecesAttacking", 0), ("ValueOppPiecesAttacking", 0),
        ("IsOppKingInCheck", 0), ("IsMateInTwo", 0), ("IsMateInOne", 0), ("OppCannotCheckAndWin", 1),
        ("IsPieceWonNext", 0),
    ] },
    // Back-rank mate: the rook has the eighth rank, the king on g6 has g7 and h7. With no step left, all 8
    // directions are closed.
    Case { fen: "7k/8/6K1/8/8/8/8/R7 w - - 0 1", mv: "a1a8", values: &[
        ("IsMate", 1), ("IsMateInTwo", 1), ("IsStalemate", 0), ("IsDraw", 0), ("IsMateInOne", 0),
        ("NumNotMovesOppKing", 8), ("IsOppKingStuck", 1), ("NotStallmateAdv", 1), ("IsOppKingInCheck", 1),
        ("OppKingInCheckPieceBehind", 0), ("ValueMyPiecesAttacking", 5),
    ] },
    // Stalemate: the queen on f7 has g7, h7 and g8 and does not attack h8. White is 9 ahead.
    Case { fen: "7k/8/8/8/8/8/8/K4Q2 w - - 0 1", mv: "f1f7", values: &[
        ("IsStalemate", 1), ("IsDraw", 1), ("IsMate", 0), ("IsMateInTwo", 0), ("NotStallmateAdv", 0),
        ("EvaluateMaterial", 9), ("NumNotMovesOppKing", 8), ("IsOppKingStuck", 1), ("IsMyQueenNotAttacked", 1),
    ] },
    // Stalemate by the side that is behind: g1 and g2 are the white king's, h2 is the pawn's. White has nothing.
    Case { fen: "8/8/8/8/8/8/5K1p/7k w - - 0 1", mv: "f2f1", values: &[
        ("IsStalemate", 1), ("NotStallmateAdv", 1), ("EvaluateMaterial", -1), ("10*MaterialValue", -10),
        ("IsOppKingProtectingPiece", 1),
    ] },
    // The king takes the last rook: nobody can mate, but Black can move.
    Case { fen: "8/8/4k3/8/8/3K4/4r3/8 w - - 0 1", mv: "d3e2", values: &[
        ("IsDraw", 1), ("IsStalemate", 0), ("IsMaterialIncrease", 1), ("EvaluateMaterial", 0),
        ("NumMyPiecesNotAttacked", 0), ("MyKingProxRook", 0), ("OppKingDistRook", 8),
    ] },
    // White steps into the corner: Rxa1 is mate, for the king on g3 has g2 and h2.
    Case { fen: "r7/8/8/8/8/6k1/8/R5K1 w - - 0 1", mv: "g1h1", values: &[
        ("IsMateInOne", 1), ("-1000*MateInOne", -1000), ("EvaluateMaterial", 0), ("IsMaterialIncrease", 0),
        ("IsMate", 0), ("NumMovesMyKing", 1), ("MyKingDistEdges", 0),
    ] },
    // To the other side: after Rxa1+ the king goes to e2. In its place on f1 it has e1, g1 and e2 (Black's king
    // has f2 and g2; the rook on a8 is behind a1).
    Case { fen: "r7/8/8/8/8/6k1/8/R5K1 w - - 0 1", mv: "g1f1", values: &[
        ("IsMateInOne", 0), ("-1000*MateInOne", 0), ("NumMovesMyKing", 3), ("IsMyKingNotStuck", 1),
        ("MyPieceCannotBeCaptured", 0), ("OppPieceCanBeCaptured", 1), ("OppPieceAttUnprotected", 1),
    ] },
    // Kh7 is forced (f7 has g7 and g8, the rook on the g-file too), and then Rh4 is mate: g6 and g8 are the
    // king's, h6 and h8 the rook's.
    Case { fen: "7k/5K2/8/8/8/8/8/6R1 w - - 0 1", mv: "g1g4", values: &[
        ("IsMateInTwo", 1), ("IsMate", 0), ("IsMateInOne", 0), ("NumNotMovesOppKing", 7), ("IsOppKingStuck", 1),
    ] },
    // The rook on e1 pins the rook on e6 two squares before its king, which so does not protect it. Each rook
    // attacks the other and nothing else. The king on e8 can go to d7, e7, f7 (e6 stands before the line), d8, f8:
    // 5 steps, and e7 is away from the edge.
    Case { fen: "4k3/8/4r3/8/8/8/8/K2R4 w - - 0 1", mv: "d1e1", values: &[
        ("IsOppPiecePinned", 1), ("IsOppKingBehindPiece", 1), ("OppPieceAttUnprotected", 1),
        ("OppPieceCanBeCaptured", 1), ("NumOppPiecesAttacked", 1), ("ValueMyPiecesAttacking", 5),
        ("ValueOppPiecesAttacking", 5), ("NumMyPiecesNotAttacked", 0), ("NotMyPieceAttacked", 0),
        ("NotMyPieceAttUnprotected", 0), ("MyPieceCannotBeCaptured", 0), ("IsMyFork", 0), ("IsOppNotFork", 1),
        ("NumMovesMyKing", 3), ("IsMyKingNotStuck", 1), ("NumNotMovesOppKing", 3), ("IsOppKingStuck", 0),
        ("OppKingProximityToEdges", 3), ("OppKingDistRook", 2), ("MyKingProxRook", 4), ("IsMyPieceNotPinned", 1),
        ("IsMyKingNotBehindPiece", 1),
    ] },
    // The same with the rook right before its king: pinned, but protected, and an exchange wins nothing.
    Case { fen: "4k3/4r3/8/8/8/8/8/K2R4 w - - 0 1", mv: "d1e1", values: &[
        ("IsOppPiecePinned", 1), ("IsOppKingBehindPiece", 0), ("OppPieceAttUnprotected", 0),
        ("OppPieceCanBeCaptured", 0), ("IsOppKingProtectingPiece", 1), ("OppKingDistRook", 1),
    ] },
    // White's rook goes between, two squares before its king: it is pinned and nothing protects it.
    Case { fen: "4r2k/8/8/8/8/R7/8/4K3 w - - 0 1", mv: "a3e3", values: &[
        ("IsMyPieceNotPinned", 0), ("IsMyKingNotBehindPiece", 0), ("NotMyPieceAttUnprotected", 0),
        ("MyPieceCannotBeCaptured", 0), ("MyKingProxRook", 6), ("IsMyKingProtectingPiece", 0),
        ("IsOppPiecePinned", 0),
    ] },
    // Right before its king it is pinned and protected: the exchange is even.
    Case { fen: "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", mv: "a2e2", values: &[
        ("IsMyPieceNotPinned", 0), ("IsMyKingNotBehindPiece", 1), ("NotMyPieceAttUnprotected", 1),
        ("MyPieceCannotBeCaptured", 1), ("MyKingProxRook", 7), ("IsMyKingProtectingPiece", 1),
        ("NotMyPieceAttacked", 0),
    ] },
    // A skewer: the rook checks on the d-file, and the queen stands behind the king. It attacks the king alone,
    // and the file is closed to it: 8 - 6 steps.
    Case { fen: "3q4/8/8/3k4/8/8/8/K3R3 w - - 0 1", mv: "e1d1", values: &[
        ("OppKingInCheckPieceBehind", 1), ("IsOppKingInCheck", 1), ("IsMyFork", 0), ("ValueMyPiecesAttacking", 5),
        ("IsOppQueenAttacked", 0), ("NumNotMovesOppKing", 2), ("EvaluateMaterial", -4), ("IsOppPiecePinned", 0),
    ] },
    // A check with nothing behind the king; the queen on h1 attacks the rook along the rank, the rook attacks
    // both.
    Case { fen: "8/8/8/3k4/8/8/8/K3R2q w - - 0 1", mv: "e1d1", values: &[
        ("OppKingInCheckPieceBehind", 0), ("IsOppKingInCheck", 1), ("NotMyPieceAttacked", 0), ("IsMyFork", 1),
        ("IsOppQueenAttacked", 1), ("ValueMyPiecesAttacking", 5), ("ValueOppPiecesAttacking", 9),
    ] },
    // The queen on e4 attacks the king (d5, c6, b7, a8) and the rook (d4, c4, b4, a4), and the rook attacks it: a
    // fork that loses the queen.
    Case { fen: "k7/8/8/8/r7/8/8/1K2Q3 w - - 0 1", mv: "e1e4", values: &[
        ("IsMyFork", 1), ("IsOppKingInCheck", 1), ("IsMyQueenNotAttacked", 0), ("NumOppPiecesAttacked", 1),
        ("ValueMyPiecesAttacking", 9), ("ValueOppPiecesAttacking", 5), ("NotMyPieceAttUnprotected", 0),
        ("MyPieceCannotBeCaptured", 0), ("IsOppNotFork", 1),
    ] },
    // The queen on d4 attacks both rooks, and both attack it; they don't protect each other.
    Case { fen: "3R4/6k1/8/8/3q3R/8/8/1K6 w - - 0 1", mv: "b1c2", values: &[
        ("IsOppNotFork", 0), ("ValueOppPiecesAttacking", 9), ("NumMyPiecesNotAttacked", 0),
        ("MyPiecesSameLine", 0), ("NumOppPiecesAttacked", 1), ("IsOppQueenAttacked", 1), ("IsMyFork", 0),
        ("ValueMyPiecesAttacking", 10), ("OppPieceCanBeCaptured", 1), ("OppPiecesNotSameLine", 1),
        ("EvaluateMaterial", 1),
    ] },
    // Two rooks on a rank with nothing between protect each other.
    Case { fen: "8/6k1/8/8/8/8/1K6/R2R4 w - - 0 1", mv: "b2c2", values: &[
        ("MyPiecesSameLine", 1), ("NumMyPiecesNotAttacked", 2), ("EvaluateMaterial", 10),
    ] },
    // The rook protects the bishop, and the bishop does not protect the rook.
    Case { fen: "8/6k1/8/8/8/8/1K6/R2B4 w - - 0 1", mv: "b2c2", values: &[
        ("MyPiecesSameLine", 0), ("EvaluateMaterial", 8), ("NumMyPiecesNotAttacked", 2),
    ] },
    // Two rooks of the opponent; from g7 to d8 are 3 steps.
    Case { fen: "r2r4/6k1/8/8/8/8/1K6/8 w - - 0 1", mv: "b2c2", values: &[
        ("OppPiecesNotSameLine", 0), ("EvaluateMaterial", -10), ("10*MaterialValue", -100), ("OppKingDistRook", 3),
        ("MyKingProxRook", 0),
    ] },
    // The rook takes the seventh rank: d8 and f8 are left, both on the edge.
    Case { fen: "4k3/8/8/8/8/8/R7/K7 w - - 0 1", mv: "a2a7", values: &[
        ("IsOppKingStuck", 1), ("NumNotMovesOppKing", 6), ("OppKingProximityToEdges", 3),
    ] },
    // The king on e7 can step along the seventh rank, which is as far from the edge as before.
    Case { fen: "8/4k3/8/8/8/8/R7/K7 w - - 0 1", mv: "a2a6", values: &[
        ("IsOppKingStuck", 0), ("NumNotMovesOppKing", 3), ("OppKingProximityToEdges", 2),
    ] },
    // The other way round: the king on d1 has c1 and e1 alone.
    Case { fen: "8/8/8/8/8/7k/r7/4K3 w - - 0 1", mv: "e1d1", values: &[
        ("IsMyKingNotStuck", 0), ("NumMovesMyKing", 2), ("MyKingDistEdges", 0),
    ] },
    // In the centre steps to d4, d5 and e5 stay as far from the edge.
    Case { fen: "8/8/8/8/8/4K3/8/k7 w - - 0 1", mv: "e3e4", values: &[
        ("IsMyKingNotStuck", 1), ("NumMovesMyKing", 8), ("MyKingDistEdges", 3), ("IsDraw", 1),
    ] },
    // A protected queen is attacked by a rook: it is not unprotected, but the exchange costs 9 - 5 = 4. The rook
    // on a1 is attacked and unprotected.
    Case { fen: "6k1/8/8/7Q/8/8/3K4/r7 w - - 0 1", mv: "h5d1", values: &[
        ("IsMyQueenNotAttacked", 0), ("NotMyPieceAttUnprotected", 1), ("MyPieceCannotBeCaptured", 0),
        ("OppPieceAttUnprotected", 1), ("OppPieceCanBeCaptured", 1), ("IsMyKingProtectingPiece", 1),
    ] },
    // The rook leaves the a-file for e1, behind its king on e4: Re8+ is a skewer, for the king has no step from which it
    // protects e1. Nothing can be captured now.
    Case { fen: "r6k/8/8/8/4K3/8/8/R7 w - - 0 1", mv: "a1e1", values: &[
        ("OppCannotCheckAndWin", 0), ("MyPieceCannotBeCaptured", 1), ("IsMateInOne", 0), ("IsPieceWonNext", 0),
    ] },
    // With the king on e3 the check is answered by Kd2 or Kf2, which protect the rook: an even exchange.
    Case { fen: "r6k/8/8/8/8/4K3/8/R7 w - - 0 1", mv: "a1e1", values: &[
        ("OppCannotCheckAndWin", 1), ("MyPieceCannotBeCaptured", 1), ("IsPieceWonNext", 0),
    ] },
    // Rxa1 is a check that takes and mates, and after Kf1 one that takes a rook for nothing.
    Case { fen: "r7/8/8/8/8/6k1/8/R5K1 w - - 0 1", mv: "g1h1", values: &[("OppCannotCheckAndWin", 0)] },
    Case { fen: "r7/8/8/8/8/6k1/8/R5K1 w - - 0 1", mv: "g1f1", values: &[("OppCannotCheckAndWin", 0)] },
    // The skewer from the other side: whatever the king does, the queen on d8 falls.
    Case { fen: "3q4/8/8/3k4/8/8/8/K3R3 w - - 0 1", mv: "e1d1", values: &[("IsPieceWonNext", 1)] },
    // The rook on d7 is protected by Kc6 or Ke6.
    Case { fen: "8/3r4/8/3k4/8/8/8/K3R3 w - - 0 1", mv: "e1d1", values: &[("IsPieceWonNext", 0)] },
    // The queen forks the king on a8 and the rook on g2, which can't go between.
    Case { fen: "k7/8/8/8/8/8/6r1/K3Q3 w - - 0 1", mv: "e1e4", values: &[
        ("IsPieceWonNext", 1), ("IsMyFork", 1), ("OppPieceCanBeCaptured", 1),
    ] },
    // From h7 it can: Rb7, protected by the king, and a queen for a rook is no gain.
    Case { fen: "k7/7r/8/8/8/8/8/K3Q3 w - - 0 1", mv: "e1e4", values: &[
        ("IsPieceWonNext", 0), ("IsMyFork", 1), ("OppPieceCanBeCaptured", 1),
    ] },
    // A pawn becomes a queen: 9 instead of 1, and check along the eighth rank.
    Case { fen: "7k/P7/8/8/8/8/8/K7 w - - 0 1", mv: "a7a8q", values: &[
        ("IsMaterialIncrease", 1), ("EvaluateMaterial", 9), ("IsOppKingInCheck", 1), ("IsMate", 0),
    ] },
];

/// What comes of a case's move, or of the same with the colours changed over.
fn after(case: &Case, flipped: bool) -> LazyTerminals {
    let (fen, mv) = match flipped {
        false => (case.fen.to_string(), case.mv.to_string()),
        true => (flipped_fen(case.fen), flipped_move(case.mv)),
    };
    let position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mv = Move::parse_uci(&mv).unwrap();
    assert!(position.is_legal(mv), "{mv} in {fen}");
    LazyTerminals::after(&position, mv)
}

/// Ranks in reverse order, letters in the other case, the other side to move. The cases have no castling and no
/// en passant.
fn flipped_fen(fen: &str) -> String {
    let board = fen.split(' ').next().unwrap();
    let other = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let ranks: Vec<String> = board
        .split('/')
        .rev()
        .map(|rank| rank.chars().map(other).collect())
        .collect();
    format!("{} b - - 0 1", ranks.join("/"))
}

fn flipped_move(mv: &str) -> String {
    let rank = |c: char| match c.to_digit(10) {
        Some(rank) => char::from_digit(9 - rank, 10).unwrap(),
        None => c,
    };
    mv.chars().map(rank).collect()
}

#[test]
fn terminals_say_what_the_board_shows() {
    for case in CASES {
        for flipped in [false, true] {
            let mut terminals = after(case, flipped);
            for &(name, value) in case.values {
                let primitive = named(name).unwrap_or_else(|| panic!("no terminal {name}"));
                // Asked twice: the second answer is the one that was kept.
                for _ in 0..2 {
                    assert_eq!(
                        terminals.value(primitive),
                        f64::from(value),
                        "{name} after {} in {} (flipped: {flipped})",
                        case.mv,
                        case.fen
                    );
                }
            }
        }
    }
}

/// A terminal that is the same at every position of the table could be a constant.
#[test]
fn every_terminal_has_two_values_in_the_table() {
    let mut seen: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
    for (name, value) in CASES.iter().flat_map(|case| case.values) {
        seen.entry(name).or_default().insert(*value);
    }
    for primitive in PRIMITIVES
        .iter()
        .filter(|primitive| primitive.is_terminal())
    {
        let values = seen.get(primitive.name).map_or(0, BTreeSet::len);
        // After a legal move the mover is never in check.
        let least = if primitive.name == "NotMyKingInCheck" {
            1
        } else {
            2
        };
        assert!(values >= least, "{}", primitive.name);
    }
}

/// What another library's board says of the side that has moved (`me`) and the other (`opp`), written from the
/// terminals' descriptions and not from their code.
mod oracle {
    use shakmaty::fen::Fen;
    use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Role, Square};

    pub fn read(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 0,
        }
    }

    fn men(position: &Chess, color: Color) -> Vec<(Square, Role)> {
        let board = position.board();
        let men = board.by_color(color).into_iter();
        men.map(|square| (square, board.role_at(square).unwrap()))
            .collect()
    }

    fn is_attacked(position: &Chess, square: Square, by: Color) -> bool {
        let board = position.board();
        board.attacks_to(square, by, board.occupied()).any()
    }

    fn can_mate(position: &Chess) -> bool {
        let mates = |mv| position.clone().play(mv).unwrap().is_checkmate();
        position.legal_moves().into_iter().any(mates)
    }

    /// What a side wins at most by captures on one square, if whoever is behind may stop.
    fn exchange(board: &Board, square: Square, by: Color) -> i32 {
        let Some(there) = board.piece_at(square) else {
            return 0;
        };
        let attackers = board.attacks_to(square, by, board.occupied());
        let least = attackers
            .into_iter()
            .min_by_key(|from| match board.role_at(*from) {
                Some(Role::King) | None => 99,
                Some(role) => worth(role),
            });
        let Some(from) = least else { return 0 };
        let mover = board.piece_at(from).unwrap();
        let is_guarded = board.attacks_to(square, by.other(), board.occupied()).any();
        if mover.role == Role::King && is_guarded {
            return 0;
        }
        let mut after = board.clone();
        after.discard_piece_at(from);
        after.set_piece_at(square, mover);
        (worth(there.role) - exchange(&after, square, by.other())).max(0)
    }

    /// Whether the side to move mates or comes to more than this balance.
    fn wins_next(position: &Chess, before: i32) -> bool {
        let gained = balance(position, position.turn()) - before;
        let wins = |mv: &Move| {
            let mut after = position.board().clone();
            let mut mover = after.remove_piece_at(mv.from().unwrap()).unwrap();
            let mut won = mv.capture().map_or(0, worth);
            if let Some(role) = mv.promotion() {
                mover.role = role;
                won += worth(role) - worth(Role::Pawn);
            }
            after.set_piece_at(mv.to(), mover);
            gained + won - exchange(&after, mv.to(), position.turn().other()) > 0
        };
        let mut legal = position.legal_moves().into_iter();
        gained > 0 || can_mate(position) || legal.any(|mv| mv.is_capture() && wins(&mv))
    }

    fn balance(position: &Chess, side: Color) -> i32 {
        let sum = |color| -> i32 {
            men(position, color)
                .iter()
                .map(|(_, role)| worth(*role))
                .sum()
        };
        sum(side) - sum(side.other())
    }

    fn after(position: &Chess, mv: Move) -> Chess {
        position.clone().play(mv).unwrap()
    }

    /// Whether whoever has not the turn wins after each legal move.
    fn all_lose(position: &Chess, before: i32) -> bool {
        let replies = position.legal_moves();
        replies
            .iter()
            .all(|&mv| wins_next(&after(position, mv), before))
    }

    /// Names and values.
    pub fn values(position: &Chess) -> Vec<(&'static str, i32)> {
        let opp = position.turn();
        let me = opp.other();
        let pieces = |color| -> Vec<(Square, Role)> {
            let men = men(position, color).into_iter();
            men.filter(|(_, role)| *role != Role::King).collect()
        };
        let count = |color: Color, is_so: &dyn Fn(Square) -> bool| {
            pieces(color)
                .iter()
                .filter(|(square, _)| is_so(*square))
                .count() as i32
        };
        let sum = |color| -> i32 { pieces(color).iter().map(|(_, role)| worth(*role)).sum() };
        let attacking = |color: Color| -> i32 {
            let board = position.board();
            let targets = board.by_color(color.other());
            let attackers = men(position, color).into_iter();
            let attackers =
                attackers.filter(|(from, _)| (board.attacks_from(*from) & targets).any());
            attackers.map(|(_, role)| worth(role)).sum()
        };
        let king_moves = position.legal_moves();
        let king_moves = king_moves
            .iter()
            .filter(|mv| mv.role() == Role::King && !mv.is_castle());
        let replies = position.legal_moves();
        let mate_in_two = match replies.is_empty() {
            true => position.is_checkmate(),
            false => replies
                .iter()
                .all(|mv| can_mate(&position.clone().play(*mv).unwrap())),
        };
        let unprotected = |color: Color| {
            let hangs = |square| {
                is_attacked(position, square, color.other())
                    && !is_attacked(position, square, color)
            };
            count(color, &hangs)
        };
        let mate_in_one = i32::from(can_mate(position));
        let checks = replies.iter().map(|&mv| after(position, mv));
        let mut checks = checks.filter(|after| after.is_check());
        let checks_win = checks.any(|checked| all_lose(&checked, balance(position, opp)));
        let won_next = !replies.is_empty() && all_lose(position, balance(position, me));
        vec![
            ("IsMate", i32::from(position.is_checkmate())),
            ("IsStalemate", i32::from(position.is_stalemate())),
            ("IsOppKingInCheck", i32::from(position.is_check())),
            (
                "IsDraw",
                i32::from(position.is_stalemate() || position.is_insufficient_material()),
            ),
            ("IsMateInOne", mate_in_one),
            ("-1000*MateInOne", -1000 * mate_in_one),
            ("IsMateInTwo", i32::from(mate_in_two)),
            ("OppCannotCheckAndWin", i32::from(!checks_win)),
            ("IsPieceWonNext", i32::from(won_next)),
            ("EvaluateMaterial", sum(me) - sum(opp)),
            ("10*MaterialValue", 10 * (sum(me) - sum(opp))),
            ("NumNotMovesOppKing", 8 - king_moves.count() as i32),
            (
                "NumMyPiecesNotAttacked",
                count(me, &|square| !is_attacked(position, square, opp)),
            ),
            (
                "NumOppPiecesAttacked",
                count(opp, &|square| is_attacked(position, square, me)),
            ),
            ("ValueMyPiecesAttacking", attacking(me)),
            ("ValueOppPiecesAttacking", attacking(opp)),
            ("NotMyPieceAttUnprotected", i32::from(unprotected(me) == 0)),
            ("OppPieceAttUnprotected", i32::from(unprotected(opp) > 0)),
        ]
    }
}

/// Eighteen terminals against another library's board, along random games of endings with all kinds of pieces.
#[test]
fn terminals_agree_with_another_board() {
    let endings = [
        "KRKR", "KQRKQR", "KRRKRR", "KQKQ", "KRKBN", "KPPKP", "KRK", "KQKR",
    ];
    let games = if tests::is_long() { 200 } else { 4 };
    let mut mates = 0;
    for name in endings {
        for seed in 0..games {
            let mut position = start(&name.parse().unwrap(), seed).unwrap();
            for ply in 0..40 {
                let moves = position.legal_moves();
                for &mv in moves.iter() {
                    let mut terminals = LazyTerminals::after(&position, mv);
                    let fen = terminals.position().to_fen();
                    for (name, value) in oracle::values(&oracle::read(&fen)) {
                        let found = terminals.value(named(name).unwrap());
                        assert_eq!(found, f64::from(value), "{name} in {fen}");
                        mates += u32::from(name == "IsMateInOne" && value != 0);
                    }
                    // All of them at the first, third and so on; then one a ply, for the time.
                    if ply % 8 != 0 {
                        break;
                    }
                }
                let random = scramble(seed << 8 | ply) as usize;
                let Some(&mv) = moves.get(random % moves.len().max(1)) else {
                    break;
                };
                position = position.play(mv);
            }
        }
    }
    assert!(mates > 0, "no position of them has a mate in one");
}
