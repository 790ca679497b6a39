//! The terminals about what can be captured (the paper's Table 3 and the printed tree).

use super::view::View;
use crate::see::{CLASSIC_VALUES, see_by};
use crate::types::{Bitboard, Color, Move};

/// Whether a side would win material by an exchange that one of these captures begins.
fn wins(view: &View, side: Color, captures: impl IntoIterator<Item = Move>) -> bool {
    let gains = |mv| see_by(view.position(), side, mv, &CLASSIC_VALUES) > 0;
    captures.into_iter().any(gains)
}

/// Table 3: "Is it possible to capture one of the opponent's pieces without retaliation?" By §3.3 this terminal
/// does "the entire feat" of weighing attackers, protectors and their worth: so by static exchange, as if it
/// were the player's turn. Pins are not seen, nor whether the opponent's king is in check now.
pub fn opp_piece_can_be_captured(view: &View) -> bool {
    let targets = view.pieces(view.opp) & view.attacked_by(view.me);
    let captures = targets.flat_map(|to| {
        let attackers = view.position().attackers_to(to, view.position().occupied());
        let mine = attackers & view.men(view.me);
        mine.map(move |from| Move::new(from, to, None))
    });
    wins(view, view.me, captures)
}

/// Table 3: "Is it not possible to capture one of the player's pieces without retaliation?" No legal capture of
/// the opponent, whose turn it is, wins material by static exchange.
pub fn my_piece_cannot_be_captured(view: &View) -> bool {
    let position = view.position();
    let moves = position.tactical_moves();
    let captures = moves.iter().copied().filter(|&mv| position.is_capture(mv));
    !wins(view, view.opp, captures)
}

/// The men of a side besides its king that the other side attacks and nothing protects.
fn unprotected(view: &View, color: Color) -> Bitboard {
    view.pieces(color) & view.attacked_by(!color) & !view.attacked_by(color)
}

/// The printed tree: "not my piece attacked unprotected".
pub fn not_my_piece_att_unprotected(view: &View) -> bool {
    unprotected(view, view.me).is_empty()
}

/// The printed tree: "opponent's piece attacked unprotected".
pub fn opp_piece_att_unprotected(view: &View) -> bool {
    unprotected(view, view.opp).any()
}
