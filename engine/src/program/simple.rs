//! The simple terminals (the paper's Table 2, and one of Table 7): what can be seen at a glance.
//!
//! *My* is the side that has just moved, *opp* the side whose turn it is. An inverted terminal is true or
//! large when things are well for the player, as the paper asks ("we would like terminals to always return
//! positive values"). Kings have terminals of their own, so *pieces* are all other men, pawns included.

use super::view::{View, edge_distance};
use crate::types::{Color, Piece, Square};

/// Table 2: "Is the player's king not being checked?" Always so after a legal move; it is in the language
/// because it is in the paper's, and evolution may use it as *true*.
pub fn not_my_king_in_check(view: &View) -> bool {
    let king = view.position().king(view.me);
    !view.attacked_by(view.opp).contains(king)
}

/// Table 2: "Is the opponent's king being checked?"
pub fn is_opp_king_in_check(view: &View) -> bool {
    view.position().in_check()
}

/// Table 2: "The player's king's distance from the edges of the board": king steps to the nearest edge, 0 to 3.
pub fn my_king_dist_edges(view: &View) -> i16 {
    edge_distance(view.position().king(view.me))
}

/// Table 2: `OppKingProximityToEdges`, of the opponent's king as the name says (the description says "the
/// player's"): 3 less its distance, so 3 on the edge and 0 in the centre.
pub fn opp_king_proximity_to_edges(view: &View) -> i16 {
    3 - edge_distance(view.position().king(view.opp))
}

/// Table 2: "The number of the player's pieces that are not attacked", the king not counted.
pub fn num_my_pieces_not_attacked(view: &View) -> i16 {
    (view.pieces(view.me) & !view.attacked_by(view.opp)).count() as i16
}

/// Table 2: "The number of the opponent's attacked pieces", the king not counted.
pub fn num_opp_pieces_attacked(view: &View) -> i16 {
    (view.pieces(view.opp) & view.attacked_by(view.me)).count() as i16
}

/// Table 2: "The material value of the player's pieces which are attacking": those that attack any man of the
/// opponent, his king included.
pub fn value_my_pieces_attacking(view: &View) -> i16 {
    view.worth_attacking(view.me)
}

/// Table 2: the same of the opponent's.
pub fn value_opp_pieces_attacking(view: &View) -> i16 {
    view.worth_attacking(view.opp)
}

/// Table 2: "Is the player's queen not attacked?" True without a queen.
pub fn is_my_queen_not_attacked(view: &View) -> bool {
    let queens = view.position().pieces(view.me, Piece::Queen);
    (queens & view.attacked_by(view.opp)).is_empty()
}

/// Table 2: "Is the opponent's queen attacked?"
pub fn is_opp_queen_attacked(view: &View) -> bool {
    let queens = view.position().pieces(view.opp, Piece::Queen);
    (queens & view.attacked_by(view.me)).any()
}

/// Table 2: "Is the player creating a fork?": one man attacks two of the opponent's or more, his king included.
pub fn is_my_fork(view: &View) -> bool {
    view.forks(view.me)
}

/// Table 2: "Is the opponent not creating a fork?"
pub fn is_opp_not_fork(view: &View) -> bool {
    !view.forks(view.opp)
}

/// Table 2: "The number of legal moves for the player's king", as if it were the player's turn.
pub fn num_moves_my_king(view: &View) -> i16 {
    view.king_steps(view.me).count() as i16
}

/// Table 2: "The number of illegal moves for the opponent's king": 8 less its legal steps, so that the edge
/// counts as a wall.
pub fn num_not_moves_opp_king(view: &View) -> i16 {
    8 - view.king_steps(view.opp).count() as i16
}

/// King steps from a side's king to the nearest of its own rooks.
fn nearest_rook(view: &View, color: Color) -> Option<i16> {
    let king = view.position().king(color);
    let rooks = view.position().pieces(color, Piece::Rook);
    let distance = |rook: Square| i16::from(king.distance(rook));
    rooks.map(distance).min()
}

/// Table 2: "Proximity of my king and rook(s)": 8 less the king steps to the nearest, 1 to 7; 0 without a rook.
pub fn my_king_prox_rook(view: &View) -> i16 {
    nearest_rook(view, view.me).map_or(0, |distance| 8 - distance)
}

/// Table 2: "Distance between opponent's king and rook(s)": king steps to his nearest, 1 to 7; 8 without a
/// rook, for that is better still.
pub fn opp_king_dist_rook(view: &View) -> i16 {
    nearest_rook(view, view.opp).unwrap_or(8)
}

/// Table 2: "Are two or more of the player's pieces protecting each other?" Two men besides the king, each of
/// which protects the other.
pub fn my_pieces_same_line(view: &View) -> bool {
    view.protect_each_other(view.me)
}

/// Table 2: `OppPiecesNotSameLine`, inverted as its name says: no two of the opponent's men do.
pub fn opp_pieces_not_same_line(view: &View) -> bool {
    !view.protect_each_other(view.opp)
}

/// Whether a side's king stands beside one of its men.
fn king_protects(view: &View, color: Color) -> bool {
    let king = view.position().king(color);
    (view.attacks_from(king) & view.men(color)).any()
}

/// Table 2: "Is the opponent's king protecting one of his pieces?"
pub fn is_opp_king_protecting_piece(view: &View) -> bool {
    king_protects(view, view.opp)
}

/// Table 2: "Is the player's king protecting one of his pieces?"
pub fn is_my_king_protecting_piece(view: &View) -> bool {
    king_protects(view, view.me)
}

/// Table 7 has it beside `NumMyPiecesNotAttacked`: none of the player's pieces is attacked.
pub fn not_my_piece_attacked(view: &View) -> bool {
    (view.pieces(view.me) & view.attacked_by(view.opp)).is_empty()
}
