//! Positions of three and four men with a quiet key into a mutual zugzwang, for `tests/data/suites`.
//!
//!     cargo run --release -p engine --example tables -- FOLDER [NUMBER]
//!
//! FOLDER has Syzygy tables of up to four men, NUMBER is one of the kinds below. For each kind of material positions are drawn at random (a
//! seed for each). One is a mutual zugzwang if White has more of it with Black to move than if White had to
//! move itself: a win or a draw by the tables, both ways. A quiet move of White is taken back, and the
//! position before it is printed if
//!
//! * it is worth the same to White, who wins or holds the draw,
//! * every other move loses of that value: the key is the only one,
//! * White is not in check, and has at least four moves,
//! * the result is near: what follows the key if White wins, or the other moves if it draws, comes
//!   to a capture, a pawn's move or a mate within 30 plies.
//!
//! A line is the FEN, the key and a name, with semicolons between.

#![allow(clippy::print_stdout)] // What is found goes to a file.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Setup, Square,
};
use shakmaty_syzygy::{AmbiguousWdl, MaybeRounded, Tablebase};
use std::collections::HashSet;
use tests::mates::{earlier, legal};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Plies to the end of the line, or to a capture or a pawn's move.
const NEAR: i32 = 30;
/// Positions drawn of each kind at most.
const TRIES: u64 = 10_000_000;

/// Men of White, men of Black, whether White wins (or else draws), how many are wanted.
type Kind = (&'static str, &'static str, bool, usize);

const KINDS: [Kind; 18] = [
    ("KR", "KN", true, 4),
    ("KR", "KB", true, 2),
    ("KQ", "KR", true, 3),
    ("KP", "KN", true, 3),
    ("KP", "KB", true, 1),
    ("KP", "KR", true, 2),
    ("KR", "KP", true, 4),
    ("KP", "KP", true, 6),
    ("KP", "K", true, 3),
    ("KNP", "K", true, 3),
    ("KBP", "K", true, 1),
    ("K", "KP", false, 2),
    ("KP", "KP", false, 3),
    ("KN", "KR", false, 2),
    ("KB", "KR", false, 1),
    ("KR", "KQ", false, 1),
    ("KN", "KP", false, 1),
    ("KB", "KP", false, 1),
];

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("expected a folder of tables")?;
    let only: Option<usize> = words.next().map(|word| word.parse()).transpose()?;
    let mut tables = Tablebase::new();
    tables.add_directory(folder)?;
    for (number, kind) in KINDS.into_iter().enumerate() {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let rng = Xoshiro256PlusPlus::seed_from_u64(59 + number as u64);
        let mut search = Search {
            tables: &tables,
            rng,
            kind,
        };
        search.run()?;
    }
    Ok(())
}

struct Search<'a> {
    tables: &'a Tablebase<Chess>,
    rng: Xoshiro256PlusPlus,
    kind: Kind,
}

impl Search<'_> {
    fn run(&mut self) -> Result<()> {
        let (white, black, wins, wanted) = self.kind;
        let value = if wins { 2 } else { 0 };
        let mut seen = HashSet::new();
        let mut found = 0;
        for _ in 0..TRIES {
            if found == wanted {
                break;
            }
            let Some(setup) = self.draw() else { continue };
            let (Some(theirs), Some(ours)) =
                (legal(&setup), legal(&setup.clone().into_swapped_turn()))
            else {
                continue;
            };
            if theirs.is_check()
                || -self.wdl(&theirs)? != value
                || self.wdl(&ours)? != value - 2
                || !seen.insert(shape(&setup))
            {
                continue;
            }
            let before = earlier(&setup);
            let from = self.below(before.len().max(1));
            for (root, key) in before.iter().cycle().skip(from).take(before.len()) {
                if self.is_good(root, *key, value)? {
                    found += 1;
                    let fen = Fen::from_position(root, EnPassantMode::Legal);
                    let key = key.to_uci(CastlingMode::Standard);
                    let what = if wins { "wins" } else { "holds" };
                    println!("{fen};{key};{white} v {black} {what} {found}");
                    break;
                }
            }
        }
        eprintln!("{white} v {black} {wins}: {found} of {wanted}");
        Ok(())
    }

    fn below(&mut self, count: usize) -> usize {
        (self.rng.next_u64() % count as u64) as usize
    }

    /// A random board, Black to move. Without pawns a zugzwang needs a king at the edge and the other near.
    fn draw(&mut self) -> Option<Setup> {
        let (white, black, ..) = self.kind;
        let has_pawns = white.contains('P') || black.contains('P');
        let mut setup = Setup::empty();
        setup.turn = Color::Black;
        for (color, men) in [(Color::Black, black), (Color::White, white)] {
            for letter in men.chars() {
                let role = Role::from_char(letter)?;
                let at_edge = !has_pawns
                    && color
                        == (if self.kind.2 {
                            Color::Black
                        } else {
                            Color::White
                        });
                let square = match role {
                    Role::King if at_edge => self.below(4),
                    Role::Pawn => 8 + self.below(48),
                    _ => self.below(64),
                };
                let square = Square::new(square as u32);
                if setup.board.occupied().contains(square) {
                    return None;
                }
                setup.board.set_piece_at(square, Piece { color, role });
            }
        }
        let kings = setup.board.kings();
        let (one, other) = (kings.first()?, kings.last()?);
        (has_pawns || one.distance(other) <= 3).then_some(setup)
    }

    /// -2 to 2 for the side to move; no position here is lost or won only but for the fifty moves.
    fn wdl(&self, position: &Chess) -> Result<i32> {
        Ok(match self.tables.probe_wdl(position)? {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => 2,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => -2,
            AmbiguousWdl::Draw => 0,
            AmbiguousWdl::CursedWin => 1,
            AmbiguousWdl::BlessedLoss => -1,
        })
    }

    /// Whether White keeps the value by the key alone, and what is decided is so soon.
    fn is_good(&self, root: &Chess, key: Move, value: i32) -> Result<bool> {
        let moves = root.legal_moves();
        if moves.len() < 4 || root.is_check() || self.wdl(root)? != value {
            return Ok(false);
        }
        for mv in moves {
            let mut child = root.clone();
            child.play_unchecked(mv);
            let kept = match child.is_game_over() {
                true => child.is_checkmate() || value == 0,
                false => -self.wdl(&child)? == value,
            };
            if kept != (mv == key) {
                return Ok(false);
            }
            if (value == 2) == kept && !child.is_game_over() {
                let (MaybeRounded::Precise(dtz) | MaybeRounded::Rounded(dtz)) =
                    self.tables.probe_dtz(&child)?;
                if i32::from(dtz).abs() > NEAR {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

fn shape(setup: &Setup) -> String {
    setup.board.board_fen().to_string()
}
