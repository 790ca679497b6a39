//! Terminals of ours, beyond the paper's: what checks and threats come to. The paper's stop at the next capture or
//! mate, and so see no fork or skewer before it is on the board.

use super::complex::can_mate;
use super::view::{View, balance};
use crate::position::Position;
use crate::see::{CLASSIC_VALUES, see};

/// Whether the side to move mates, or comes to more than the balance that it had before: by what it has won already or
/// with an exchange that a legal capture begins.
fn wins_next(position: &Position, before: i16) -> bool {
    let gained = i32::from(balance(position, position.side_to_move()) - before);
    let moves = position.tactical_moves();
    let mut captures = moves.iter().filter(|&&mv| position.is_capture(mv));
    gained > 0
        || captures.any(|&mv| gained + see(position, mv, &CLASSIC_VALUES) > 0)
        || can_mate(position)
}

/// "Can he check and then win a piece?", inverted: the opponent has no check after which, whatever the player replies,
/// he mates or wins material by static exchange; the check itself may mate or capture.
pub fn opp_cannot_check_and_win(view: &View) -> bool {
    let position = view.position();
    let before = balance(position, view.opp);
    let squares = position.check_squares();
    let wins = |&mv| {
        if !position.gives_check(position.moved(mv), mv, &squares) {
            return false;
        }
        let checked = position.play(mv);
        let replies = checked.legal_moves();
        replies
            .iter()
            .all(|&reply| wins_next(&checked.play(reply), before))
    };
    !position.legal_moves().iter().any(wins)
}

/// The same of the player, with a check or without: the opponent has a reply, and after each of them the player mates
/// or wins material by static exchange.
pub fn is_piece_won_next(view: &View) -> bool {
    let position = view.position();
    let before = view.balance();
    let replies = position.legal_moves();
    let wins = |&mv| wins_next(&position.play(mv), before);
    !replies.is_empty() && replies.iter().all(wins)
}
