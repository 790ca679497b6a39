//! Pawn endings of five to eight men with a quiet key into a zugzwang, for `tests/data/suites`.
//!
//!     cargo run --release -p engine --example pawns -- SEED COUNT
//!
//! Draws structures of pawns, and works out what every placement of the two kings on them is worth, whoever is to
//! move: won by White, by Black, or drawn. A structure has all others in which its pawns can end up below it, and
//! is solved after these by going over its placements until nothing changes. What a promotion leads to
//! is not looked into: a queen wins that can't be taken at once, unless it stalemates or an enemy
//! pawn stands on its sixth rank or seventh. In those cases anything is possible, and a position that hangs on it is not used.
//! No pawn is drawn on its second rank, so that none ever moves two squares.
//!
//! A position with White to move is printed, one of a structure at random, if White wins it, or holds
//! the draw, by one of four moves or more alone, which takes nothing and gives no check, and would lose of that
//! value if it were White's turn again after it. A line is the FEN, the key and a name, with semicolons between.

#![allow(clippy::print_stdout)] // What is found goes to a file.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::Color::{Black, White};
use shakmaty::attacks::{king_attacks, pawn_attacks};
use shakmaty::{Bitboard, Color, Square};
use std::collections::HashMap;
use std::rc::Rc;

/// Structures below one that are too many to bother.
const MOST_STRUCTURES: usize = 400;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Pawns of White and of Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pawns([Bitboard; 2]);

#[derive(Clone, Copy)]
struct State {
    to_move: Color,
    kings: [Square; 2],
}

/// Who wins, in four bits: White surely (1) and perhaps (4), Black surely (2) and perhaps (8).
#[derive(Clone, Copy, PartialEq, Eq)]
struct Worth(u8);

impl Worth {
    const NOBODY: Worth = Worth(0);
    const ANYBODY: Worth = Worth(4 | 8);

    fn won_by(color: Color) -> Worth {
        Worth(5 << side(color))
    }

    /// Of a position with these children: one that wins is enough for the side to move, all must for the other.
    fn of(to_move: Color, one: u8, all: u8) -> Worth {
        let ours = Worth::won_by(to_move).0;
        Worth(one & ours | all & !ours)
    }

    /// 2 if White wins, -2 if Black does, 0 for a draw; `None` if that is open.
    fn value(self) -> Option<i32> {
        match self {
            Worth(bits) if bits & 1 != 0 => Some(2),
            Worth(bits) if bits & 2 != 0 => Some(-2),
            Worth::NOBODY => Some(0),
            _ => None,
        }
    }
}

/// The worth of every placement of the kings.
type Table = Vec<Worth>;

#[derive(Clone, Copy)]
struct Move {
    from: Square,
    to: Square,
    captures: bool,
    leads: Leads,
}

#[derive(Clone, Copy)]
enum Leads {
    /// To other kings on the same pawns, or on others.
    On(Pawns, State),
    Promotion(Worth),
}

impl State {
    fn index(self) -> usize {
        let [white, black] = self.kings.map(usize::from);
        white | black << 6 | usize::from(self.to_move.is_black()) << 12
    }

    fn of(index: usize) -> State {
        let square = |bits: usize| Square::new((bits & 63) as u32);
        State {
            to_move: Color::from_white(index >> 12 == 0),
            kings: [square(index), square(index >> 6)],
        }
    }
}

impl Pawns {
    fn of(self, color: Color) -> Bitboard {
        self.0[side(color)]
    }

    fn all(self) -> Bitboard {
        self.0[0] | self.0[1]
    }

    fn attacked_by(self, color: Color) -> Bitboard {
        let attacked = self.of(color).into_iter();
        attacked.fold(Bitboard::EMPTY, |all, square| {
            all | pawn_attacks(color, square)
        })
    }

    fn without(mut self, color: Color, square: Square) -> Pawns {
        self.0[side(color)].discard(square);
        self
    }

    fn moved(mut self, color: Color, from: Square, to: Square) -> Pawns {
        self.0[side(color)].discard(from);
        self.0[side(color)].add(to);
        self
    }

    fn is_legal(self, state: State) -> bool {
        let [white, black] = state.kings;
        let occupied = self.all();
        let waiting = state.kings[side(!state.to_move)];
        white != black
            && !king_attacks(white).contains(black)
            && !occupied.contains(white)
            && !occupied.contains(black)
            && !self.attacked_by(state.to_move).contains(waiting)
    }

    fn is_check(self, state: State) -> bool {
        let king = state.kings[side(state.to_move)];
        self.attacked_by(!state.to_move).contains(king)
    }

    fn moves(self, state: State) -> Vec<Move> {
        let us = state.to_move;
        let (own, other) = (state.kings[side(us)], state.kings[side(!us)]);
        let mut moves = Vec::new();
        for to in king_attacks(own) & !self.of(us) & !king_attacks(other) {
            let rest = self.without(!us, to);
            if rest.attacked_by(!us).contains(to) {
                continue;
            }
            let mut kings = state.kings;
            kings[side(us)] = to;
            let next = State {
                to_move: !us,
                kings,
            };
            moves.push(Move {
                from: own,
                to,
                captures: rest != self,
                leads: Leads::On(rest, next),
            });
        }
        let checkers = pawn_attacks(us, own) & self.of(!us);
        for from in self.of(us) {
            let captures = pawn_attacks(us, from) & self.of(!us);
            let ahead = from.offset(if us.is_white() { 8 } else { -8 });
            let is_free = |to: &Square| {
                !self.all().contains(*to) && *to != own && *to != other && checkers.is_empty()
            };
            for to in captures.into_iter().chain(ahead.filter(is_free)) {
                let captures = captures.contains(to);
                if captures && (checkers & !Bitboard::from(to)).any() {
                    continue;
                }
                let rest = self.without(!us, to);
                let next = State {
                    to_move: !us,
                    ..state
                };
                let leads = if Bitboard::BACKRANKS.contains(to) {
                    Leads::Promotion(rest.without(us, from).promotion(next, to))
                } else {
                    Leads::On(rest.moved(us, from, to), next)
                };
                moves.push(Move {
                    from,
                    to,
                    captures,
                    leads,
                });
            }
        }
        moves
    }

    /// What a queen that has just come up is worth.
    fn promotion(self, state: State, queen: Square) -> Worth {
        let (us, them) = (!state.to_move, state.to_move);
        let (own, other) = (state.kings[side(us)], state.kings[side(them)]);
        let defended = king_attacks(own).contains(queen) || self.attacked_by(us).contains(queen);
        let ranks = match them {
            White => Bitboard::from_rank(shakmaty::Rank::Sixth) | shakmaty::Rank::Seventh,
            Black => Bitboard::from_rank(shakmaty::Rank::Third) | shakmaty::Rank::Second,
        };
        let occupied = self.all() | Bitboard::from(own);
        let reached = shakmaty::attacks::queen_attacks(queen, occupied | Bitboard::from(other));
        let through = shakmaty::attacks::queen_attacks(queen, occupied);
        let is_check = reached.contains(other);
        let guarded = through | king_attacks(own) | self.attacked_by(us);
        let king_moves = king_attacks(other) & !self.of(them) & !guarded & !Bitboard::from(queen);
        let pawn_moves = self.of(them).into_iter().any(|from| {
            let ahead = from.offset(if them.is_white() { 8 } else { -8 });
            ahead.is_some_and(|to| !(occupied | other | queen).contains(to))
        });
        let is_safe = (defended || !king_attacks(other).contains(queen))
            && (self.of(them) & ranks).is_empty()
            && (is_check || king_moves.any() || pawn_moves);
        if is_safe {
            Worth::won_by(us)
        } else {
            Worth::ANYBODY
        }
    }
}

fn side(color: Color) -> usize {
    usize::from(color.is_black())
}

/// Tables of structures, worked out when they are asked for.
#[derive(Default)]
struct Solver {
    tables: HashMap<Pawns, Rc<Table>>,
}

impl Solver {
    /// `None` if there are too many structures below this one.
    fn solve(&mut self, pawns: Pawns) -> Option<Rc<Table>> {
        if let Some(table) = self.tables.get(&pawns) {
            return Some(Rc::clone(table));
        }
        if self.tables.len() > MOST_STRUCTURES {
            return None;
        }
        let mut table = vec![Worth::NOBODY; 1 << 13];
        // Of each position with moves: those that it leads to on these pawns, and one and all others.
        let mut open = Vec::new();
        for (index, known) in table.iter_mut().enumerate() {
            let state = State::of(index);
            if !pawns.is_legal(state) {
                continue;
            }
            let mut within = Vec::new();
            let (mut one, mut all) = (0, u8::MAX);
            for mv in pawns.moves(state) {
                let Worth(bits) = match mv.leads {
                    Leads::On(next, state) if next == pawns => {
                        within.push(state.index());
                        continue;
                    }
                    Leads::On(next, state) => self.solve(next)?[state.index()],
                    Leads::Promotion(worth) => worth,
                };
                one |= bits;
                all &= bits;
            }
            if !within.is_empty() || all != u8::MAX {
                open.push((index, state.to_move, within, one, all));
            } else if pawns.is_check(state) {
                *known = Worth::won_by(!state.to_move);
            }
        }
        loop {
            let mut changed = false;
            for &(index, to_move, ref within, mut one, mut all) in &open {
                for &next in within {
                    one |= table[next].0;
                    all &= table[next].0;
                }
                let worth = Worth::of(to_move, one, all);
                changed |= table[index] != worth;
                table[index] = worth;
            }
            if !changed {
                break;
            }
        }
        let table = Rc::new(table);
        self.tables.insert(pawns, Rc::clone(&table));
        Some(table)
    }

    /// 2 if White wins, -2 if Black does, 0 for a draw; `None` if that is open or there is no such position.
    fn value(&mut self, pawns: Pawns, state: State) -> Option<i32> {
        if !pawns.is_legal(state) {
            return None;
        }
        self.solve(pawns)?[state.index()].value()
    }
}

/// The keys of all positions of a structure that are good: White's only move, and what White has by it.
fn keys(solver: &mut Solver, pawns: Pawns) -> Vec<(State, Move, i32)> {
    let mut found = Vec::new();
    for index in 0..1 << 12 {
        let state = State::of(index);
        if solver.value(pawns, state).is_none_or(|value| value < 0) || pawns.is_check(state) {
            continue;
        }
        let moves = pawns.moves(state);
        let values: Option<Vec<i32>> = moves
            .iter()
            .map(|mv| match mv.leads {
                Leads::On(next, state) => solver.value(next, state),
                Leads::Promotion(worth) => worth.value(),
            })
            .collect();
        let Some(values) = values else { continue };
        let Some(&best) = values.iter().max() else {
            continue;
        };
        if moves.len() < 4 || values.iter().filter(|&&value| value == best).count() != 1 {
            continue;
        }
        let Some((mv, _)) = moves.iter().zip(&values).find(|&(_, &value)| value == best) else {
            continue;
        };
        let Leads::On(next, after) = mv.leads else {
            continue;
        };
        let passed = State {
            to_move: White,
            ..after
        };
        let is_quiet = !mv.captures && !next.is_check(after);
        if is_quiet && solver.value(next, passed).is_some_and(|value| value < best) {
            found.push((state, *mv, best));
        }
    }
    found
}

/// One to three pairs of pawns that block each other, and perhaps free ones.
fn draw(below: &mut impl FnMut(usize) -> usize) -> Option<Pawns> {
    let mut pawns = Pawns([Bitboard::EMPTY; 2]);
    let place = |pawns: &mut Pawns, color: Color, at: usize| {
        let square = Square::new(at as u32);
        let is_free = !pawns.all().contains(square);
        pawns.0[side(color)].add(square);
        is_free
    };
    for _ in 0..[1, 1, 2, 2, 2, 3][below(6)] {
        let at = 16 + below(24);
        if !place(&mut pawns, White, at) || !place(&mut pawns, Black, at + 8) {
            return None;
        }
    }
    for color in [&[][..], &[White, Black], &[White], &[Black]][below(4)] {
        if !place(&mut pawns, *color, 16 + below(32)) {
            return None;
        }
    }
    (3..=6).contains(&pawns.all().count()).then_some(pawns)
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [seed, count] = &words[..] else {
        return Err("expected SEED COUNT".into());
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.parse()?);
    let mut below = |count: usize| (rng.next_u64() % count as u64) as usize;
    let (count, mut found) = (count.parse()?, 0);
    while found < count {
        let Some(pawns) = draw(&mut below) else {
            continue;
        };
        let mut solver = Solver::default();
        if solver.solve(pawns).is_none() {
            continue;
        }
        // Every other time a draw is asked for.
        let mut good = keys(&mut solver, pawns);
        good.retain(|&(_, _, value)| value == [2, 2, 0][found % 3]);
        if good.is_empty() {
            continue;
        }
        let (state, mv, value) = good[below(good.len())];
        found += 1;
        let men = 2 + pawns.all().count();
        let what = if value == 2 { "wins" } else { "holds" };
        let fen = fen(pawns, state);
        println!(
            "{fen};{}{};pawns, {men} men, {what} {found}",
            mv.from, mv.to
        );
    }
    Ok(())
}

fn fen(pawns: Pawns, state: State) -> String {
    let mut board = shakmaty::Board::empty();
    for color in Color::ALL {
        board.set_piece_at(state.kings[side(color)], color.king());
        for square in pawns.of(color) {
            board.set_piece_at(square, color.pawn());
        }
    }
    format!("{} w - - 0 1", board.board_fen())
}
