//! The evaluation: a linear function of counts, one routine for score and counts.
//!
//! Each term has a weight, and one row more that is added to the weight by and by as pieces leave
//! the board (<https://www.chessprogramming.org/Tapered_Eval>). With all knights, bishops, rooks and queens there, the phase is 24 (a knight or
//! bishop 1, a rook 2, a queen 4) and nothing is added; with none, all of it. In integers:
//! `score = sum(weight × count) + sum(endgame row × count × (24 - phase)) / 24`, with one rounding,
//! towards zero.
//!
//! Architecture invariant 3: [`evaluate`] and [`features`] run the same code, `trace`, with two
//! tracers; `evaluate(p, w) == dot(features(p), w)` exactly. The terms of 2013 are counted beside it, for players
//! that have weights for them, and are not tapered.

mod cache;
mod core;
mod full;
pub mod params;
mod pawn_cache;
mod terms_2013;
mod view;

pub use cache::EvalCache;

use crate::param_table::ParamTable;
use crate::position::Position;
use crate::score::Score;
use crate::types::{Color, Piece, Square};
use params::{CORE, EvalParams, FIRST_2013, OWN_2013, TERMS, term};
use pawn_cache::PawnCache;
use view::{AttackMap, Side};

/// Counts of all rows, own minus opponent's, from the side to move; those of the endgame rows are
/// multiplied by 24 minus the phase.
pub type Features = [i32; term::COUNT];

/// The phase of the initial position.
pub const FULL_PHASE: i32 = 24;

/// The weights in the form in which the evaluation uses them: for each term its weight in the low
/// half, what the endgame adds in the high half, so that one multiplication does for both.
#[derive(Clone, Debug)]
pub struct Weights {
    pairs: [i64; TERMS],
    /// Piece-square tables: what each kind of piece counts for on each square, seen from its side,
    /// as sums of `pairs` (<https://www.chessprogramming.org/Piece-Square_Tables>).
    placement: [[i64; 64]; 6],
    /// Whether any row beyond the 35 terms of the papers counts.
    is_full: bool,
    /// Weights of the terms of 2013, if any of them counts.
    of_2013: Option<Box<[i32; OWN_2013]>>,
}

impl From<&EvalParams> for Weights {
    fn from(params: &EvalParams) -> Weights {
        let pair =
            |term: usize| i64::from(params.get(term)) + (i64::from(params.get(TERMS + term)) << 32);
        let pairs: [i64; TERMS] = std::array::from_fn(pair);
        let placed = |piece: usize, square: usize| {
            let mut total = 0;
            placement::<TERMS>(
                Piece::ALL[piece],
                Square::new(square as u8),
                |term, count| {
                    total += pairs[term] * i64::from(count);
                },
            );
            total
        };
        Weights {
            pairs,
            placement: std::array::from_fn(|piece| {
                std::array::from_fn(|square| placed(piece, square))
            }),
            is_full: (CORE..TERMS).any(|term| pair(term) != 0),
            of_2013: (FIRST_2013..term::COUNT)
                .any(|row| params.get(row) != 0)
                .then(|| Box::new(std::array::from_fn(|at| params.get(FIRST_2013 + at)))),
        }
    }
}

/// Tells what a piece counts for where it stands, in the first `N` terms.
fn placement<const N: usize>(piece: Piece, square: Square, mut add: impl FnMut(usize, i32)) {
    core::placement(piece, square, &mut add);
    if N > CORE {
        full::placement(piece, square, &mut add);
    }
}

/// Receives the count of a term, own minus opponent's from White's side, piece by piece.
trait Tracer: Sized {
    /// Whether the terms beyond the papers' 35 are wanted.
    fn wants_all(&self) -> bool;

    /// Adds to the count of a term.
    fn add(&mut self, term: usize, count: i32);

    /// Adds what a piece counts for on a square, seen from its side.
    fn place(&mut self, piece: Piece, square: Square, sign: i32);

    /// Adds what follows from the pawns, the kings and whether there are queens.
    fn pawns_and_kings(&mut self, position: &Position, sides: &[Side; 2]) {
        pawn_cache::trace(position, sides, self);
    }
}

/// Adds up the score at once.
struct Weighed<'a> {
    weights: &'a Weights,
    cache: Option<&'a mut PawnCache>,
    total: i64,
}

impl Tracer for Weighed<'_> {
    #[inline(always)]
    fn wants_all(&self) -> bool {
        self.weights.is_full
    }

    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights.pairs[term] * i64::from(count);
    }

    #[inline(always)]
    fn place(&mut self, piece: Piece, square: Square, sign: i32) {
        let worth = self.weights.placement[piece.index()][square.index()];
        self.total += worth * i64::from(sign);
    }

    #[inline(always)]
    fn pawns_and_kings(&mut self, position: &Position, sides: &[Side; 2]) {
        let weights = self.weights;
        let count = || {
            let mut tracer = Weighed {
                weights,
                cache: None,
                total: 0,
            };
            pawn_cache::trace(position, sides, &mut tracer);
            tracer.total
        };
        self.total += match &mut self.cache {
            Some(cache) => cache.get(position, count),
            None => count(),
        };
    }
}

/// Collects the counts of the first `N` terms.
struct Counted<const N: usize>([i32; N]);

impl<const N: usize> Tracer for Counted<N> {
    #[inline(always)]
    fn wants_all(&self) -> bool {
        N > CORE
    }

    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }

    fn place(&mut self, piece: Piece, square: Square, sign: i32) {
        placement::<N>(piece, square, |term, count| self.add(term, sign * count));
    }
}

/// Tells the tracer every term's count, White's minus Black's.
#[inline(always)]
fn trace<T: Tracer>(position: &Position, tracer: &mut T) {
    let sides = [
        Side::new(position, Color::White),
        Side::new(position, Color::Black),
    ];
    tracer.pawns_and_kings(position, &sides);
    let attack_map = [
        trace_side(position, &sides[0], 1, tracer),
        trace_side(position, &sides[1], -1, tracer),
    ];
    if tracer.wants_all() {
        full::count(position, &sides, &attack_map, &mut |term, count| {
            tracer.add(term, count);
        });
    }
}

/// Tells the tracer what one side's pieces count for each by itself, and returns what they attack.
#[inline(always)]
fn trace_side<T: Tracer>(position: &Position, side: &Side, sign: i32, tracer: &mut T) -> AttackMap {
    let mut attack_map = AttackMap::default();
    trace_kind(position, side, Piece::Knight, sign, &mut attack_map, tracer);
    trace_kind(position, side, Piece::Bishop, sign, &mut attack_map, tracer);
    trace_kind(position, side, Piece::Rook, sign, &mut attack_map, tracer);
    trace_kind(position, side, Piece::Queen, sign, &mut attack_map, tracer);
    let mut add = |term: usize, count: i32| tracer.add(term, sign * count);
    core::passed_pawns(side, &mut add);
    add(term::bishop_pair, core::bishop_pair(position, side.color));
    attack_map
}

/// The same for its pieces of one kind, so that the compiler makes code for each kind.
#[inline(always)]
fn trace_kind<T: Tracer>(
    position: &Position,
    side: &Side,
    piece: Piece,
    sign: i32,
    attack_map: &mut AttackMap,
    tracer: &mut T,
) {
    for square in position.pieces(side.color, piece) {
        let attacker = attack_map.add(side, piece, square);
        tracer.place(piece, square.from_side(side.color), sign);
        let full = tracer.wants_all();
        let mut add = |term: usize, count: i32| tracer.add(term, sign * count);
        core::piece(position, side, &attacker, &mut add);
        if full {
            full::piece(side, &attacker, &mut add);
        }
    }
}

/// What is left of the initial position's pieces, 0 to 24.
fn phase(position: &Position) -> i32 {
    let count = |piece| position.by_piece(piece).count();
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    (minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(FULL_PHASE)
}

/// How much the endgame rows count, of [`FULL_PHASE`].
pub fn endgame_phase(position: &Position) -> i32 {
    FULL_PHASE - phase(position)
}

/// Static evaluation from the side to move, in centipawns.
pub fn evaluate(position: &Position, weights: &Weights) -> Score {
    weigh(position, weights, None)
}

/// The same, with what is known from earlier evaluations. The cache must have been filled with these
/// weights alone.
#[inline]
pub fn evaluate_cached(position: &Position, weights: &Weights, cache: &mut EvalCache) -> Score {
    if let Some(score) = cache.score(position.key()) {
        return score;
    }
    let score = weigh(position, weights, Some(&mut cache.pawn_cache));
    cache.remember(position.key(), score);
    score
}

#[inline(always)]
fn weigh(position: &Position, weights: &Weights, cache: Option<&mut PawnCache>) -> Score {
    let mut tracer = Weighed {
        weights,
        cache,
        total: 0,
    };
    trace(position, &mut tracer);
    // The low half may have borrowed from the high one.
    let plain = tracer.total as i32;
    let endgame = ((tracer.total + (1 << 31)) >> 32) as i32;
    let mut total = plain + endgame * endgame_phase(position) / FULL_PHASE;
    if let Some(weights) = &weights.of_2013 {
        total += terms_2013::score(position, weights);
    }
    match position.side_to_move() {
        Color::White => Score::cp(total),
        Color::Black => Score::cp(-total),
    }
}

/// Counts of all rows from the side to move.
pub fn features(position: &Position) -> Features {
    let mut tracer = Counted([0; TERMS]);
    trace(position, &mut tracer);
    let counts = from_mover(position, tracer.0);
    let endgame_phase = endgame_phase(position);
    let of_2013 = from_mover(position, terms_2013::count(position));
    std::array::from_fn(|row| match row {
        FIRST_2013.. => of_2013[row - FIRST_2013],
        TERMS.. => counts[row - TERMS] * endgame_phase,
        _ => counts[row],
    })
}

/// Counts of the papers' 35 terms from the side to move: the first of [`features`], for less.
pub fn core_features(position: &Position) -> [i32; CORE] {
    let mut tracer = Counted([0; CORE]);
    trace(position, &mut tracer);
    from_mover(position, tracer.0)
}

/// A paper's terms, which need no endgame rows, for who counts no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermSet {
    /// The 35 of 2014 Figure 3.
    Of2014,
    /// The 33 of 2013 Table 1.
    Of2013,
}

impl TermSet {
    /// The set that all of these rows are in, the one of 2014 if both.
    pub fn of(mut rows: impl Iterator<Item = usize> + Clone) -> Option<TermSet> {
        if rows.clone().all(|row| row < CORE) {
            return Some(TermSet::Of2014);
        }
        let is_there = |row: usize| terms_2013::ROWS.contains(&row);
        rows.all(is_there).then_some(TermSet::Of2013)
    }

    /// Its rows, in the order of their counts.
    pub fn rows(self) -> &'static [usize] {
        const CORE_ROWS: [usize; CORE] = {
            let mut rows = [0; CORE];
            let mut row = 0;
            while row < CORE {
                rows[row] = row;
                row += 1;
            }
            rows
        };
        match self {
            TermSet::Of2014 => &CORE_ROWS,
            TermSet::Of2013 => &terms_2013::ROWS,
        }
    }

    /// The counts of its rows in a position, from the side to move; what is behind the last row is 0.
    pub fn counts(self, position: &Position) -> [i32; CORE] {
        match self {
            TermSet::Of2014 => core_features(position),
            TermSet::Of2013 => {
                let of_2013 = terms_2013::count(position);
                let count = |row: usize| match row.checked_sub(FIRST_2013) {
                    Some(at) => of_2013[at],
                    None => material(position, row),
                };
                let mut counts = [0; CORE];
                for (own, row) in counts.iter_mut().zip(terms_2013::ROWS) {
                    *own = count(row);
                }
                from_mover(position, counts)
            }
        }
    }
}

/// Pieces of the kind that a row is the worth of, White's minus Black's.
fn material(position: &Position, row: usize) -> i32 {
    let kinds = [
        (term::pawn_value, Piece::Pawn),
        (term::knight_value, Piece::Knight),
        (term::bishop_value, Piece::Bishop),
        (term::rook_value, Piece::Rook),
        (term::queen_value, Piece::Queen),
    ];
    let of_row = kinds.iter().filter(|(worth, _)| *worth == row);
    let count = |color, piece| position.pieces(color, piece).count();
    of_row
        .map(|&(_, piece)| count(Color::White, piece) - count(Color::Black, piece))
        .sum()
}

fn from_mover<const N: usize>(position: &Position, counts: [i32; N]) -> [i32; N] {
    match position.side_to_move() {
        Color::White => counts,
        Color::Black => counts.map(|count| -count),
    }
}

/// The score of counts: what [`evaluate`] says of the position they come from.
pub fn dot(features: &Features, params: &EvalParams) -> Score {
    let sum = |rows: std::ops::Range<usize>| -> i32 {
        rows.map(|row| features[row] * params.get(row)).sum()
    };
    let plain = sum(0..TERMS) + sum(FIRST_2013..term::COUNT);
    Score::cp(plain + sum(TERMS..FIRST_2013) / FULL_PHASE)
}
