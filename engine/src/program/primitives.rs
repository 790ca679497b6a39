//! The table of the language: functions, constants and terminals, with their types and where they come from.
//!
//! A tree names a primitive by its place in [`PRIMITIVES`]; a file names it by its name.

use super::kind::Kind;
use super::kind::Kind::{Boolean, Float, Query};
use super::view::View;
use super::{ahead, capture, complex, simple};
use crate::mixing::scramble;

/// A function, a constant or a terminal.
#[derive(Debug)]
pub struct Primitive {
    /// The name under which it is written.
    pub name: &'static str,
    /// Other names that are read: the paper has two or three for some.
    pub aliases: &'static [&'static str],
    /// The type of its value.
    pub result: Kind,
    /// The types that its arguments must fit, in order; none for constants and terminals.
    pub arguments: &'static [Kind],
    /// Where it stands in the paper.
    pub source: &'static str,
    /// What its value is, in a sentence.
    pub meaning: &'static str,
    pub(super) operation: Operation,
}

/// How a value is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The second argument's value if the first is not 0, else the third's.
    If,
    /// 1 if any argument is not 0, else 0.
    Or,
    /// 1 if no argument is 0, else 0.
    And,
    /// 1 if the first argument's value is smaller than the second's, else 0.
    Smaller,
    /// 1 if the argument is 0, else 0.
    Not,
    Constant(f64),
    Truth(fn(&View) -> bool),
    Number(fn(&View) -> i16),
}

impl Primitive {
    /// Whether it has arguments.
    pub fn is_function(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// The value of a constant; `None` for anything else.
    pub fn constant(&self) -> Option<f64> {
        match self.operation {
            Operation::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is none of the paper's, but ours.
    pub fn is_ours(&self) -> bool {
        self.source == OURS
    }

    /// Whether it asks something of the position.
    pub fn is_terminal(&self) -> bool {
        matches!(self.operation, Operation::Truth(_) | Operation::Number(_))
    }
}

const fn function(
    name: &'static str,
    result: Kind,
    arguments: &'static [Kind],
    operation: Operation,
    meaning: &'static str,
) -> Primitive {
    Primitive {
        name,
        aliases: &[],
        result,
        arguments,
        source: "Table 1",
        meaning,
        operation,
    }
}

/// A constant: MAX = 1000 divided by 2, 3 or 4, its negative, or the inverse of one of these.
const fn constant(name: &'static str, value: f64, meaning: &'static str) -> Primitive {
    Primitive {
        name,
        aliases: &[],
        result: Float,
        arguments: &[],
        source: "§3.3",
        meaning,
        operation: Operation::Constant(value),
    }
}

const fn truth(
    name: &'static str,
    aliases: &'static [&'static str],
    source: &'static str,
    of: fn(&View) -> bool,
    meaning: &'static str,
) -> Primitive {
    Primitive {
        name,
        aliases,
        result: Boolean,
        arguments: &[],
        source,
        meaning,
        operation: Operation::Truth(of),
    }
}

const fn number(
    name: &'static str,
    aliases: &'static [&'static str],
    source: &'static str,
    of: fn(&View) -> i16,
    meaning: &'static str,
) -> Primitive {
    Primitive {
        name,
        aliases,
        result: Float,
        arguments: &[],
        source,
        meaning,
        operation: Operation::Number(of),
    }
}

/// The same terminal as one that fits Boolean places, too.
const fn query(primitive: Primitive) -> Primitive {
    Primitive {
        result: Query,
        ..primitive
    }
}

const TABLE_2: &str = "Table 2";
const TABLE_3: &str = "Table 3";
const TABLE_7: &str = "Table 7";
const TREE: &str = "§4, the printed tree";
const TEXT: &str = "§3.3";
const OURS: &str = "ours";

/// Every primitive of the language: functions first, then constants, then terminals. The order is that of
/// trees in memory; new ones are appended.
#[rustfmt::skip]
pub static PRIMITIVES: &[Primitive] = &[
    function("If3", Float, &[Boolean, Float, Float], Operation::If, "if the first is true, the second, else the third"),
    function("Or2", Boolean, &[Boolean; 2], Operation::Or, "true if at least one of both is"),
    function("Or3", Boolean, &[Boolean; 3], Operation::Or, "true if at least one of the three is"),
    function("And2", Boolean, &[Boolean; 2], Operation::And, "true if both are"),
    function("And3", Boolean, &[Boolean; 3], Operation::And, "true if all three are"),
    function("Smaller", Boolean, &[Boolean; 2], Operation::Smaller, "true if the value of the first is smaller than that of the second"),
    function("Not", Boolean, &[Boolean], Operation::Not, "true if it is false"),
    constant("1000/2", 1000.0 / 2.0, "500"),
    constant("1000/3", 1000.0 / 3.0, "333.33"),
    constant("1000/4", 1000.0 / 4.0, "250"),
    constant("-1000/2", -1000.0 / 2.0, "-500"),
    constant("-1000/3", -1000.0 / 3.0, "-333.33"),
    constant("-1000/4", -1000.0 / 4.0, "-250"),
    constant("2/1000", 2.0 / 1000.0, "0.002"),
    constant("3/1000", 3.0 / 1000.0, "0.003"),
    constant("4/1000", 4.0 / 1000.0, "0.004"),
    constant("-2/1000", -2.0 / 1000.0, "-0.002"),
    constant("-3/1000", -3.0 / 1000.0, "-0.003"),
    constant("-4/1000", -4.0 / 1000.0, "-0.004"),
    truth("NotMyKingInCheck", &[], TABLE_2, simple::not_my_king_in_check, "my king is not attacked (always so after a legal move)"),
    truth("IsOppKingInCheck", &["OppKingInCheck"], TABLE_2, simple::is_opp_king_in_check, "the opponent's king is in check"),
    number("MyKingDistEdges", &[], TABLE_2, simple::my_king_dist_edges, "king steps from my king to the nearest edge, 0 to 3"),
    number("OppKingProximityToEdges", &["OppKingProxEdges"], TABLE_2, simple::opp_king_proximity_to_edges, "3 less the king steps from the opponent's king to the nearest edge"),
    number("NumMyPiecesNotAttacked", &["NumMyPiecesUNATT"], TABLE_2, simple::num_my_pieces_not_attacked, "my men besides the king that are not attacked"),
    number("NumOppPiecesAttacked", &[], TABLE_2, simple::num_opp_pieces_attacked, "the opponent's men besides the king that I attack"),
    number("ValueMyPiecesAttacking", &[], TABLE_2, simple::value_my_pieces_attacking, "the worth of my men that attack something, the king included"),
    number("ValueOppPiecesAttacking", &[], TABLE_2, simple::value_opp_pieces_attacking, "the worth of the opponent's men that attack something"),
    truth("IsMyQueenNotAttacked", &[], TABLE_2, simple::is_my_queen_not_attacked, "no queen of mine is attacked"),
    truth("IsOppQueenAttacked", &[], TABLE_2, simple::is_opp_queen_attacked, "I attack a queen"),
    truth("IsMyFork", &["MyFork"], TABLE_2, simple::is_my_fork, "one of my men attacks two of the opponent's or more, the king included"),
    truth("IsOppNotFork", &[], TABLE_2, simple::is_opp_not_fork, "none of the opponent's men attacks two of mine or more"),
    number("NumMovesMyKing", &[], TABLE_2, simple::num_moves_my_king, "steps that my king could make if it were my turn"),
    number("NumNotMovesOppKing", &["#NotMovesOppKing", "NumNotMovesOpponentKing"], TABLE_2, simple::num_not_moves_opp_king, "8 less the legal steps of the opponent's king"),
    number("MyKingProxRook", &[], TABLE_2, simple::my_king_prox_rook, "8 less the king steps from my king to my nearest rook; 0 without one"),
    number("OppKingDistRook", &[], TABLE_2, simple::opp_king_dist_rook, "king steps from the opponent's king to his nearest rook; 8 without one"),
    truth("MyPiecesSameLine", &[], TABLE_2, simple::my_pieces_same_line, "two of my men besides the king protect each other"),
    truth("OppPiecesNotSameLine", &[], TABLE_2, simple::opp_pieces_not_same_line, "no two of the opponent's men besides the king protect each other"),
    truth("IsOppKingProtectingPiece", &[], TABLE_2, simple::is_opp_king_protecting_piece, "the opponent's king stands beside one of his men"),
    truth("IsMyKingProtectingPiece", &[], TABLE_2, simple::is_my_king_protecting_piece, "my king stands beside one of my men"),
    number("EvaluateMaterial", &["MaterialValue"], TABLE_3, complex::evaluate_material, "my material less the opponent's: queen 9, rook 5, bishop and knight 3, pawn 1"),
    truth("IsMaterialIncrease", &[], TABLE_3, complex::is_material_increase, "the move made that difference larger: a capture or a promotion"),
    truth("IsMate", &[], TABLE_3, complex::is_mate, "the opponent is mated"),
    truth("IsMateInOne", &[], TABLE_3, complex::is_mate_in_one, "the opponent can mate at once"),
    truth("OppPieceCanBeCaptured", &[], TABLE_3, capture::opp_piece_can_be_captured, "if it were my turn, I could win material by an exchange"),
    truth("MyPieceCannotBeCaptured", &[], TABLE_3, capture::my_piece_cannot_be_captured, "no capture of the opponent wins material by an exchange"),
    truth("IsOppKingStuck", &["OppKingStuck"], TABLE_3, complex::is_opp_king_stuck, "every legal step of the opponent's king takes it closer to the edge, or along it"),
    truth("IsMyKingNotStuck", &["NotMyKingStuck"], TABLE_3, complex::is_my_king_not_stuck, "my king has a step that takes it neither closer to the edge nor along it"),
    truth("IsOppKingBehindPiece", &[], TABLE_3, complex::is_opp_king_behind_piece, "a line piece of mine pins a man two or more squares before the opponent's king"),
    truth("IsMyKingNotBehindPiece", &[], TABLE_3, complex::is_my_king_not_behind_piece, "none of my men is pinned two or more squares before my king"),
    truth("IsOppPiecePinned", &[], TABLE_3, complex::is_opp_piece_pinned, "a man of the opponent is pinned to his king"),
    truth("IsMyPieceNotPinned", &[], TABLE_3, complex::is_my_piece_not_pinned, "none of my men is pinned to my king"),
    truth("IsDraw", &[], TEXT, complex::is_draw, "stalemate, or nobody can mate with what is left"),
    truth("IsStalemate", &[], TEXT, complex::is_stalemate, "the opponent is stalemated"),
    truth("IsMateInTwo", &[], TEXT, complex::is_mate_in_two, "the opponent is mated, or whatever he replies I mate by my next move"),
    truth("NotMyPieceAttUnprotected", &["NotMyPieceAttackedUnprot"], TREE, capture::not_my_piece_att_unprotected, "no man of mine is attacked and unprotected"),
    truth("OppPieceAttUnprotected", &["OppPieceAttackedUnprot"], TREE, capture::opp_piece_att_unprotected, "a man of the opponent is attacked and unprotected"),
    query(truth("OppKingInCheckPieceBehind", &[], TREE, complex::opp_king_in_check_piece_behind, "a line piece checks the opponent's king, and behind it on that line stands one of his men: 1, else 0")),
    truth("NotStallmateAdv", &[], TREE, complex::not_stallmate_adv, "it is no stalemate in which I am ahead in material"),
    query(number("-1000*MateInOne", &[], TREE, complex::minus_1000_mate_in_one, "-1000 if the opponent can mate at once, else 0")),
    number("10*MaterialValue", &[], TREE, complex::ten_material_value, "10 times EvaluateMaterial"),
    truth("NotMyPieceAttacked", &[], TABLE_7, simple::not_my_piece_attacked, "no man of mine besides the king is attacked"),
    truth("OppCannotCheckAndWin", &[], OURS, ahead::opp_cannot_check_and_win, "the opponent has no check after which, whatever I reply, he mates or wins material by an exchange"),
    truth("IsPieceWonNext", &[], OURS, ahead::is_piece_won_next, "whatever the opponent replies, I mate or win material by an exchange by my next move"),
];

/// What the terminals mean, counted up whenever one of them comes to mean something else under its old name.
const READINGS: u64 = 1;

/// How many primitives each set that has been in use has had: those of the paper, then ours too.
const SETS: [usize; 2] = [61, PRIMITIVES.len()];

/// A set of values known has a bit for each.
const _: () = assert!(PRIMITIVES.len() <= 64);

/// The primitive of a name or of an alias.
pub fn named(name: &str) -> Option<u16> {
    let place = PRIMITIVES
        .iter()
        .position(|primitive| primitive.name == name || primitive.aliases.contains(&name))?;
    u16::try_from(place).ok()
}

/// A digest of the first set of primitives that has a tree's nodes: of their names, types and readings, 16 hexadecimal
/// digits. A program that was made for a set of other primitives may choose other moves here.
pub fn digest(nodes: impl IntoIterator<Item = u16>) -> String {
    let highest = nodes.into_iter().map(usize::from).max().unwrap_or(0);
    let set = SETS.into_iter().find(|&set| highest < set);
    digest_of(set.unwrap_or(PRIMITIVES.len()))
}

/// Whether a digest is that of a set whose primitives mean the same today.
pub fn is_digest(digest: &str) -> bool {
    SETS.into_iter().any(|set| digest_of(set) == digest)
}

/// The digest of so many primitives, the first of the table.
fn digest_of(count: usize) -> String {
    let mut words = vec![READINGS];
    for primitive in &PRIMITIVES[..count] {
        words.extend(primitive.name.bytes().map(u64::from));
        words.push(256 + primitive.result as u64);
        words.extend(primitive.arguments.iter().map(|&kind| 512 + kind as u64));
    }
    let mix = |hash: u64, word: u64| scramble(hash.wrapping_mul(31).wrapping_add(word + 1));
    format!("{:016x}", words.into_iter().fold(0, mix))
}

/// The language as rows of a table in Markdown, as the guide has them: name with the types of its arguments,
/// other names, type, meaning, place in the paper.
pub fn table() -> String {
    let row = |primitive: &Primitive| {
        let arguments: String = primitive
            .arguments
            .iter()
            .map(|kind| format!(" {kind}"))
            .collect();
        let aliases: Vec<String> = primitive.aliases.iter().map(|a| format!("`{a}`")).collect();
        format!(
            "| `{}{arguments}` | {} | {} | {} | {} |\n",
            primitive.name,
            aliases.join(", "),
            primitive.result,
            primitive.meaning,
            primitive.source
        )
    };
    PRIMITIVES.iter().map(row).collect()
}
