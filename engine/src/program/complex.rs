//! The complex terminals (the paper's Table 3, §3.3 and the printed tree): material, mates, draws, kings that
//! are stuck, pins and skewers.

use super::view::{View, balance};
use crate::position::Position;
use crate::types::Move;

/// Table 3: "The material value of the board": mine less the opponent's.
pub fn evaluate_material(view: &View) -> i16 {
    view.balance()
}

/// The printed tree: 10 times the same.
pub fn ten_material_value(view: &View) -> i16 {
    10 * view.balance()
}

/// Table 3: "Did the player capture a piece?" By §3.3 it compares the material with that before the move, so a
/// promotion counts, too.
pub fn is_material_increase(view: &View) -> bool {
    view.balance() > view.balance_before
}

/// Whether a position's side to move is mated.
fn is_mated(position: &Position) -> bool {
    position.in_check() && !position.has_legal_move()
}

/// Whether the side to move has a move that mates.
pub(super) fn can_mate(position: &Position) -> bool {
    let squares = position.check_squares();
    let mates = |&mv: &Move| {
        position.gives_check(position.moved(mv), mv, &squares) && is_mated(&position.play(mv))
    };
    position.legal_moves().iter().any(mates)
}

/// Table 3: "Is this a mate position?" The opponent is mated.
pub fn is_mate(view: &View) -> bool {
    is_mated(view.position())
}

/// Table 3: "Can the opponent mate the player after this move?" Here true is bad for the player; the printed
/// tree has it with the factor -1000.
pub fn is_mate_in_one(view: &View) -> bool {
    can_mate(view.position())
}

/// The printed tree: -1000 if the opponent can mate at once, else 0. It stands there as a condition, where any
/// number but 0 is true.
pub fn minus_1000_mate_in_one(view: &View) -> i16 {
    -1000 * i16::from(is_mate_in_one(view))
}

/// §3.3, "checking if there is a mate in one or two moves": the move is a mate, or the first of a mate in two:
/// the opponent has a reply, and after each of them the player can mate.
pub fn is_mate_in_two(view: &View) -> bool {
    let position = view.position();
    let replies = position.legal_moves();
    match replies.is_empty() {
        true => position.in_check(),
        false => replies.iter().all(|&mv| can_mate(&position.play(mv))),
    }
}

/// §3.3: the opponent is stalemated.
pub fn is_stalemate(view: &View) -> bool {
    let position = view.position();
    !position.in_check() && !position.has_legal_move()
}

/// §3.3: "checking if the current position is a draw": stalemate, or neither side can mate with what is left.
/// Repetitions and the fifty moves belong to the game, not to the position.
pub fn is_draw(view: &View) -> bool {
    is_stalemate(view) || view.position().is_insufficient_material()
}

/// The printed tree: "not stalemate, advantage": false only if the opponent is stalemated while the player is
/// ahead in material.
pub fn not_stallmate_adv(view: &View) -> bool {
    !(is_stalemate(view) && balance(view.position(), view.me) > 0)
}

/// Table 3: "Do all legal moves for the opponent's king advance it closer to the edges?" Or along the edge,
/// where it is on it. A king without a step is stuck.
pub fn is_opp_king_stuck(view: &View) -> bool {
    view.is_stuck(view.opp)
}

/// Table 3: "Is there a legal move for the player's king that advances it away from the edges?" The name says
/// that this is the opposite of being stuck: a step that takes it neither closer to the edge nor along it.
pub fn is_my_king_not_stuck(view: &View) -> bool {
    !view.is_stuck(view.me)
}

/// Table 3: "Is the opponent's king two or more squares behind one of his pieces?" Behind it on the line of a
/// piece that attacks it, so that the king does not protect what is pinned.
pub fn is_opp_king_behind_piece(view: &View) -> bool {
    view.is_king_behind_piece(view.opp)
}

/// Table 3: the same of the player's king, inverted.
pub fn is_my_king_not_behind_piece(view: &View) -> bool {
    !view.is_king_behind_piece(view.me)
}

/// Table 3: "Is one or more of the opponent's pieces pinned?" To his king.
pub fn is_opp_piece_pinned(view: &View) -> bool {
    view.pinned(view.opp).any()
}

/// Table 3: "Are all the player's pieces not pinned?"
pub fn is_my_piece_not_pinned(view: &View) -> bool {
    view.pinned(view.me).is_empty()
}

/// The printed tree: the opponent's king is in check with one of his men behind it on the line of the check
/// (a skewer). It stands there both as a condition and as a value.
pub fn opp_king_in_check_piece_behind(view: &View) -> bool {
    view.is_skewered()
}
