//! Which legal moves there are.
//!
//! The rules crate can tell as well. It works out all moves before it leaves out those that are not
//! wanted, and the compiler put its long code into the search at three places; without it a node takes
//! a tenth fewer instructions (docs/notebook/engine.md, "Speed"). These moves come in the same order as
//! its own; `engine/tests/rules.rs` holds them against an independent oracle.

use super::attacks::{between, bishop_attacks, king_attacks, knight_attacks, line, rook_attacks};
use super::{Position, bits};
use crate::types::{Bitboard, Move, Piece, Square};

/// The pieces that a pawn becomes, in the order of their moves.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop];

/// Where pawns promote, each side's on the other's first.
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// Most pieces of a side, and two pawns more that take en passant.
const MOST: usize = 18;

/// Where the pieces of the side to move may legally go, a piece with somewhere to go each: pawns first,
/// then the others in the order of [`Piece::ALL`].
pub(super) struct Destinations {
    movers: [(Piece, Square); MOST],
    targets: [Bitboard; MOST],
    len: usize,
}

impl Destinations {
    /// Those of `targets`; pawns have some of their own.
    #[inline]
    pub fn new(position: &Position, targets: Bitboard, pawn_targets: Bitboard) -> Destinations {
        let mut found = Destinations {
            movers: [(Piece::Pawn, Square::new(0)); MOST],
            targets: [Bitboard::EMPTY; MOST],
            len: 0,
        };
        found.fill(position, targets, pawn_targets);
        found
    }

    #[inline(never)] // It is long, and one copy of it is enough.
    fn fill(&mut self, position: &Position, targets: Bitboard, pawn_targets: Bitboard) {
        let us = position.side_to_move();
        let not_own = !position.by_color(us);
        let (targets, pawn_targets) = (targets & not_own, pawn_targets & not_own);
        let checkers = position.checkers();
        if checkers.count() < 2 {
            // A check is answered by taking who gives it, or between it and the king.
            let helpful = match checkers.first() {
                Some(checker) => between(position.king(us), checker) | checkers,
                None => Bitboard::ALL,
            };
            self.add_pawns(position, pawn_targets & helpful);
            self.add_en_passant(position, pawn_targets);
            let (occupied, targets) = (position.occupied(), targets & helpful);
            self.add_kind(position, Piece::Knight, targets, knight_attacks);
            self.add_kind(position, Piece::Bishop, targets, |from| {
                bishop_attacks(from, occupied)
            });
            self.add_kind(position, Piece::Rook, targets, |from| {
                rook_attacks(from, occupied)
            });
            self.add_kind(position, Piece::Queen, targets, |from| {
                bishop_attacks(from, occupied) | rook_attacks(from, occupied)
            });
        }
        self.add_king(position, targets);
    }

    /// Calls a function with each move and what it moves.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(Piece, Move)) {
        let movers = self.movers.iter().zip(self.targets).take(self.len);
        for (&(piece, from), targets) in movers {
            if piece == Piece::Pawn && (targets & LAST_RANKS).any() {
                for to in targets {
                    for promotion in PROMOTIONS {
                        visit(piece, Move::new(from, to, Some(promotion)));
                    }
                }
                continue;
            }
            for to in targets {
                visit(piece, Move::new(from, to, None));
            }
        }
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.for_each(|_, _| count += 1);
        count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn add(&mut self, piece: Piece, from: Square, targets: Bitboard) {
        if targets.any() && self.len < MOST {
            self.movers[self.len] = (piece, from);
            self.targets[self.len] = targets;
            self.len += 1;
        }
    }

    /// Adds pieces of one kind.
    #[inline(always)]
    fn add_kind(
        &mut self,
        position: &Position,
        piece: Piece,
        targets: Bitboard,
        reached: impl Fn(Square) -> Bitboard,
    ) {
        let movers = position.pieces(position.side_to_move(), piece);
        self.add_movers(position, piece, movers, targets, reached);
    }

    /// Adds pieces of one kind, those that are not pinned first. A pinned one stays on its line, and
    /// can't answer a check.
    #[inline(always)]
    fn add_movers(
        &mut self,
        position: &Position,
        piece: Piece,
        movers: Bitboard,
        targets: Bitboard,
        reached: impl Fn(Square) -> Bitboard,
    ) {
        let pinned = position.pinned();
        for from in movers & !pinned {
            self.add(piece, from, reached(from) & targets);
        }
        let pinned = movers & pinned;
        if pinned.any() && !position.in_check() {
            let king = position.king(position.side_to_move());
            for from in pinned {
                self.add(piece, from, reached(from) & targets & line(king, from));
            }
        }
    }

    fn add_pawns(&mut self, position: &Position, targets: Bitboard) {
        let us = position.side_to_move();
        let empty = !position.occupied();
        let (steps, captures) = (targets & empty, targets & !empty);
        // Those that could get to a target, the double step over an empty square included.
        let over = steps.forward(!us) & empty;
        let movers = captures.pawn_attacks(!us) | (steps | over).forward(!us);
        let movers = movers & position.pieces(us, Piece::Pawn);
        self.add_movers(position, Piece::Pawn, movers, targets, |from| {
            (from.bitboard().pawn_attacks(us) & captures) | position.pawn_steps(from)
        });
    }

    /// Two pawns leave the line to the king at once, so no pin says whether it is legal.
    fn add_en_passant(&mut self, position: &Position, targets: Bitboard) {
        let Some(target) = position.en_passant().filter(|&to| targets.contains(to)) else {
            return;
        };
        let us = position.side_to_move();
        let king = position.king(us);
        let taken = target.bitboard().forward(!us);
        let enemies = position.by_color(!us);
        let queens = position.by_piece(Piece::Queen);
        let diagonal = enemies & (position.by_piece(Piece::Bishop) | queens);
        let straight = enemies & (position.by_piece(Piece::Rook) | queens);
        let takers = target.bitboard().pawn_attacks(!us) & position.pieces(us, Piece::Pawn);
        for from in takers {
            let occupied = position.occupied() ^ taken ^ from.bitboard() ^ target.bitboard();
            let checks = (bishop_attacks(king, occupied) & diagonal)
                | (rook_attacks(king, occupied) & straight);
            if checks.is_empty() {
                self.add(Piece::Pawn, from, target.bitboard());
            }
        }
    }

    fn add_king(&mut self, position: &Position, targets: Bitboard) {
        let us = position.side_to_move();
        let king = position.king(us);
        let enemies = position.by_color(!us);
        // The king does not hide behind itself.
        let others = position.occupied() ^ king.bitboard();
        let is_safe = |to: Square| (position.attackers_to(to, others) & enemies).is_empty();
        let safe = (king_attacks(king) & targets).filter(|&to| is_safe(to));
        let mut reached = safe.fold(Bitboard::EMPTY, |all, to| all | to.bitboard());
        if !position.in_check() && (targets & !position.occupied()).any() {
            let rights = position.board.my_castle_rights();
            let color = position.board.side_to_move();
            for (has_right, between, step) in [
                (rights.has_kingside(), rights.kingside_squares(color), 1),
                (rights.has_queenside(), rights.queenside_squares(color), -1),
            ] {
                if has_right && (bits(between) & position.occupied()).is_empty() {
                    let file = |steps: i8| king.file().wrapping_add_signed(steps * step);
                    let [passed, to] = [1, 2].map(|steps| Square::at(file(steps), king.rank()));
                    if is_safe(passed) && is_safe(to) {
                        reached |= to.bitboard() & targets;
                    }
                }
            }
        }
        self.add(Piece::King, king, reached);
    }
}
