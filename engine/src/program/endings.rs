//! Endings by their material, and positions to begin them from.

use crate::fen::{Castling, write_fen};
use crate::mixing::scramble;
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Piece, Square};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kinds of men besides the king, as endings' names have them.
const KINDS: [Piece; 5] = [
    Piece::Queen,
    Piece::Rook,
    Piece::Bishop,
    Piece::Knight,
    Piece::Pawn,
];

/// Placements that are tried for one start.
pub const MOST_TRIES: u32 = 200_000;

/// The material of both sides: `KQRKQR` is king, queen and rook against the same. Either colour may have
/// either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// How many of each of [`KINDS`] each side has.
    sides: [[u8; 5]; 2],
}

/// Why there is no such ending, or no start of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EndingError {
    /// The name is none.
    #[error("expected an ending such as KRKR or KQRKQR, found {0:?}")]
    Name(String),
    /// More men of a kind than there can be, promotions counted.
    #[error("{name}: no side can have {side}: it takes more than 8 pawns and their promotions")]
    Impossible {
        /// The ending.
        name: String,
        /// The side's men.
        side: String,
    },
    /// Nobody can mate.
    #[error("{0}: nobody can mate with this, so it is no ending to play")]
    Drawn(String),
    /// No position was found.
    #[error("{name}: no legal start with nothing attacked in {MOST_TRIES} tries")]
    NoStart {
        /// The ending.
        name: String,
    },
    /// There are fewer different starts than are wanted.
    #[error("{name}: found {found} different starts, expected {wanted}")]
    TooFew {
        /// The ending.
        name: String,
        /// How many there were.
        found: usize,
        /// How many were wanted.
        wanted: usize,
    },
}

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(name: &str) -> Result<Ending, EndingError> {
        let short = || name.chars().take(40).collect::<String>();
        let wrong = || EndingError::Name(short());
        let mut sides = [[0_u8; 5]; 2];
        let mut kings = 0;
        for letter in name.chars() {
            match Piece::from_letter(letter).ok_or_else(wrong)? {
                Piece::King => kings += 1,
                piece => {
                    let side = usize::checked_sub(kings, 1).and_then(|side| sides.get_mut(side));
                    let kind = KINDS.iter().position(|&kind| kind == piece);
                    let (side, kind) = side.zip(kind).ok_or_else(wrong)?;
                    side[kind] = side[kind].saturating_add(1);
                }
            }
        }
        if kings != 2 {
            return Err(wrong());
        }
        let ending = Ending { sides };
        for side in sides {
            // What each side has more than at the beginning of a game was a pawn.
            let surplus = side[..4].iter().zip([1, 2, 2, 2]);
            let promoted =
                surplus.map(|(&count, at_first)| usize::from(count).saturating_sub(at_first));
            if promoted.sum::<usize>() + usize::from(side[4]) > 8 {
                let (name, side) = (short(), side_name(&side).chars().take(40).collect());
                return Err(EndingError::Impossible { name, side });
            }
        }
        Ok(ending)
    }
}

/// A side's men, `KQR`.
fn side_name(side: &[u8; 5]) -> String {
    let men = KINDS.iter().zip(side);
    let men = men.flat_map(|(kind, &count)| std::iter::repeat_n(kind.letter(), count.into()));
    std::iter::once('K').chain(men).collect()
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.sides;
        write!(f, "{}{}", side_name(first), side_name(second))
    }
}

impl Ending {
    /// The material of a position, the stronger side's (by queens, then rooks and so on) first.
    pub fn of(position: &Position) -> Ending {
        let count = |color, piece| position.pieces(color, piece).count() as u8;
        let mut sides = Color::ALL.map(|color| KINDS.map(|piece| count(color, piece)));
        sides.sort_unstable();
        sides.reverse();
        Ending { sides }
    }

    /// Whether a position has just this material, whichever colour has which.
    pub fn is_of(&self, position: &Position) -> bool {
        let mut sides = self.sides;
        sides.sort_unstable();
        sides.reverse();
        sides == Ending::of(position).sides
    }

    /// Whether a position has this material or what captures leave of it: a game of this ending may come to
    /// it. Promotions are not counted.
    pub fn covers(&self, position: &Position) -> bool {
        let [first, second] = Ending::of(position).sides;
        let within = |men: [u8; 5], of: [u8; 5]| men.iter().zip(of).all(|(&men, of)| men <= of);
        let [a, b] = self.sides;
        within(first, a) && within(second, b) || within(first, b) && within(second, a)
    }

    /// Whether nobody can mate, whatever is played: beside the kings there is one bishop or knight at most.
    pub fn is_drawn(&self) -> bool {
        let mut men = self.sides.iter().flat_map(|side| KINDS.iter().zip(side));
        let is_minor = |kind: Piece| matches!(kind, Piece::Bishop | Piece::Knight);
        self.men() <= 3 && men.all(|(&kind, &count)| count == 0 || is_minor(kind))
    }

    /// Men of both sides, kings included.
    pub fn men(&self) -> usize {
        2 + self
            .sides
            .iter()
            .flatten()
            .map(|&count| usize::from(count))
            .sum::<usize>()
    }
}

/// A stream of random numbers (SplitMix64).
struct Stream(u64);

impl Stream {
    /// A number below a bound of at most 64.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        // The bias of a product by so small a bound is below 2⁻⁵⁷.
        ((u128::from(scramble(self.0)) * u128::from(bound)) >> 64) as u64
    }
}

/// A start of an ending as the paper has it: a legal position, drawn at random, in which no man of either side is
/// attacked. Colours and the side to move are drawn, too; the side to move has a legal move. The same seed
/// gives the same start.
///
/// # Errors
/// If nobody can mate with this material, or no start is found in [`MOST_TRIES`] tries.
pub fn start(ending: &Ending, seed: u64) -> Result<Position, EndingError> {
    let mut stream = Stream(scramble(seed));
    for _ in 0..MOST_TRIES {
        let Some(placed) = place(ending, &mut stream) else {
            continue;
        };
        // What is not attacked is no king in check, but the rules have the last word.
        let Ok(position) = Position::from_fen(&placed) else {
            continue;
        };
        if position.is_insufficient_material() {
            return Err(EndingError::Drawn(ending.to_string()));
        }
        if position.has_legal_move() {
            return Ok(position);
        }
    }
    Err(EndingError::NoStart {
        name: ending.to_string(),
    })
}

/// Different starts of an ending; the same seed gives the same ones in the same order.
///
/// # Errors
/// As [`start`], or if so many different ones are not found.
pub fn starts(ending: &Ending, seed: u64, count: usize) -> Result<Vec<Position>, EndingError> {
    let mut found: Vec<Position> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut number: u64 = 0;
    while found.len() < count {
        // A draw that gives a known start again is no loss where there are many.
        if number > 20 * count as u64 + 100 {
            return Err(EndingError::TooFew {
                name: ending.to_string(),
                found: found.len(),
                wanted: count,
            });
        }
        let position = start(ending, scramble(seed).wrapping_add(number))?;
        number += 1;
        if known.insert(position.key()) {
            found.push(position);
        }
    }
    Ok(found)
}

/// One random placement of all men, as a FEN, unless some man is attacked.
fn place(ending: &Ending, stream: &mut Stream) -> Option<String> {
    let mut board = [None; 64];
    let mut occupied = Bitboard::EMPTY;
    let mut colors = Color::ALL;
    if stream.below(2) == 1 {
        colors.reverse();
    }
    for (side, color) in ending.sides.iter().zip(colors) {
        let men = KINDS.iter().zip(side);
        let men = men.flat_map(|(&kind, &count)| std::iter::repeat_n(kind, count.into()));
        for piece in std::iter::once(Piece::King).chain(men) {
            let square = match piece {
                // The second to the seventh rank.
                Piece::Pawn => Square::new(8 + stream.below(48) as u8),
                _ => Square::new(stream.below(64) as u8),
            };
            if occupied.contains(square) {
                return None;
            }
            occupied |= square.bitboard();
            board[square.index()] = Some((color, piece));
        }
    }
    let side_to_move = Color::ALL[stream.below(2) as usize];
    let men_of = |wanted| {
        let is_of = move |&square: &Square| matches!(board[square.index()], Some((color, _)) if color == wanted);
        occupied.filter(is_of)
    };
    for color in Color::ALL {
        let enemies = men_of(!color).fold(Bitboard::EMPTY, |all, man| all | man.bitboard());
        let attacks_any = |man: Square| {
            board[man.index()].is_some_and(|(color, piece): (Color, Piece)| {
                (attacks(piece, color, man, occupied) & enemies).any()
            })
        };
        if Iterator::any(&mut men_of(color), attacks_any) {
            return None;
        }
    }
    let no_castling = Castling::default();
    let at = |square: Square| board[square.index()];
    Some(write_fen(at, side_to_move, no_castling, None, (0, 1)))
}
