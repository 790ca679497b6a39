//! What the search remembers about moves: killers, the history of cut-offs, and how far the
//! evaluation was off.
//!
//! Killers: Akl and Newborn, "The principal continuation and the killer heuristic", 1977.
//! History: Schaeffer, "The history heuristic and alpha-beta search enhancements in practice",
//! IEEE PAMI 11(11), 1989; a butterfly board by side, from and to. Countermoves: Uiterwijk, "The
//! countermove heuristic", ICCA Journal 15(1), 1992. By pawn structure, by the
//! evaluation's change, by answers that fail, and corrections by the last two moves: Stockfish has them, the ideas are from
//! there. What a table's parameter turns off is never written, so it reads as nothing known.

use crate::depth::Depth;
use crate::eval::EvalCache;
use crate::position::Position;
use crate::score::MAX_PLY;
use crate::search::continuation::{Continuation, NO_CONTINUATION};
use crate::search::gravity::{HISTORY_MAX, with_gravity};
use crate::search::params::SearchParams;
use crate::search::piece_to::PieceTo;
use crate::types::{Bitboard, Color, Move, Piece};

/// The last two moves before a position, by the pieces they put somewhere.
#[derive(Clone, Copy, Debug)]
pub struct LastMoves(usize);

impl LastMoves {
    const COUNT: usize = (PieceTo::COUNT + 1) * (PieceTo::COUNT + 1);

    /// The opponent's move and, before it, the own; `None` if there is none.
    #[inline]
    pub fn new(last: Option<PieceTo>, before: Option<PieceTo>) -> LastMoves {
        let index = |piece_to: Option<PieceTo>| piece_to.map_or(PieceTo::COUNT, PieceTo::index);
        LastMoves(index(last) * (PieceTo::COUNT + 1) + index(before))
    }
}

/// Pawn structures that the history of quiet moves can tell apart.
const PAWN_HISTORIES: usize = 512;

/// The moves one, two and four plies ago, as far as the parameters look at them.
pub type ContinuationKeys = [Option<PieceTo>; 3];

/// Squares that the enemy attacks.
#[derive(Clone, Copy, Default)]
pub struct Attacked {
    /// By pawns.
    pub pawns: Bitboard,
    /// By pawns and minor pieces.
    pub minors: Bitboard,
    /// By all these and rooks.
    pub rooks: Bitboard,
    /// By any piece.
    pub all: Bitboard,
}

impl Attacked {
    /// Those of a position.
    pub fn new(position: &Position) -> Attacked {
        let them = !position.side_to_move();
        let by = |piece| position.attacked_by(them, piece);
        let pawns = by(Piece::Pawn);
        let minors = pawns | by(Piece::Knight) | by(Piece::Bishop);
        let rooks = minors | by(Piece::Rook);
        let all = rooks | by(Piece::Queen) | by(Piece::King);
        Attacked {
            pawns,
            minors,
            rooks,
            all,
        }
    }
}

/// What the quiet moves of one position are judged by: worked out once for all of them, and only
/// where one is looked at.
#[derive(Clone, Copy)]
pub struct QuietContext {
    color: Color,
    /// Squares that the enemy attacks; none where no parameter asks for them.
    pub attacked: Attacked,
    /// Those of them that tell moves from and to them apart.
    telling: Bitboard,
    /// Of the moves before, or [`NO_CONTINUATION`].
    earlier: [u16; 3],
    pawns: usize,
}

impl QuietContext {
    /// Which of the tables of quiet moves a move belongs to.
    #[inline]
    fn threat(&self, mv: Move) -> usize {
        let attacked = |square| usize::from(self.telling.contains(square));
        attacked(mv.from()) << 1 | attacked(mv.to())
    }
}

/// Cells of the correction history of each side.
const CORRECTIONS: usize = 1 << 14;

/// Units of a stored correction in a centipawn.
const CORRECTION_UNIT: i32 = 64;

/// The memory of one searching thread.
pub struct History {
    /// By side, and by whether the enemy attacks where the move begins and where it ends.
    butterfly: [[[i16; 64 * 64]; 4]; 2],
    /// What counts as an attack there, as `threat_history_use` says.
    threats: i32,
    /// Whether any parameter asks for what the enemy attacks.
    wants_attacks: bool,
    killers: [[Option<Move>; 2]; MAX_PLY],
    countermoves: [Option<Move>; PieceTo::COUNT],
    continuation: Continuation,
    /// By pawn structure and placed piece; empty while no parameter asks for it.
    by_pawns: Vec<[i16; PieceTo::COUNT]>,
    captures: [[[i16; 6]; 64]; 6],
    /// Weight of the history of captures in their order, in 128ths.
    capture_weight: i32,
    pawn_corrections: Vec<[i16; 2]>,
    /// The same by the pieces of White, and of Black.
    nonpawn_corrections: [Vec<[i16; 2]>; 2],
    /// The same by the last two moves; empty while no parameter asks for it.
    continuation_corrections: Vec<i16>,
    /// What the evaluation knows of earlier positions.
    pub evaluations: EvalCache,
}

/// The moves that a node has tried without a cut-off; the first few are enough to learn from.
pub struct Tried {
    moves: [Move; 32],
    len: usize,
}

impl Default for Tried {
    fn default() -> Self {
        Tried {
            moves: [Move::from_bits(0); 32],
            len: 0,
        }
    }
}

impl Tried {
    /// Adds a move, if there is room.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    /// The moves in the order in which they were tried.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

fn index(mv: Move) -> usize {
    mv.from().index() << 6 | mv.to().index()
}

/// What a cut-off at this depth is worth: deep cut-offs save more.
pub fn cutoff_bonus(params: &SearchParams, depth: Depth) -> i32 {
    let plies = depth.whole_plies();
    let square = params.history_bonus_square * plies * plies;
    (square + params.history_bonus_linear * plies).min(params.history_bonus_limit)
}

fn add(cell: &mut i16, bonus: i32) {
    *cell = with_gravity(*cell, bonus);
}

impl History {
    /// An empty memory.
    pub fn new() -> Box<History> {
        History::with(Continuation::new())
    }

    /// An empty memory for another thread of the same player.
    pub fn beside(&self) -> Box<History> {
        History::with(self.continuation.share())
    }

    fn with(continuation: Continuation) -> Box<History> {
        Box::new(History {
            butterfly: [[[0; 64 * 64]; 4]; 2],
            threats: 0,
            wants_attacks: false,
            killers: [[None; 2]; MAX_PLY],
            countermoves: [None; PieceTo::COUNT],
            continuation,
            by_pawns: Vec::new(),
            captures: [[[0; 6]; 64]; 6],
            capture_weight: 0,
            pawn_corrections: vec![[0; 2]; CORRECTIONS],
            nonpawn_corrections: [(); 2].map(|()| vec![[0; 2]; CORRECTIONS]),
            continuation_corrections: Vec::new(),
            evaluations: EvalCache::new(),
        })
    }

    /// Forgets everything but the evaluations, which depend on nothing but their weights.
    pub fn clear(&mut self) {
        self.butterfly = [[[0; 64 * 64]; 4]; 2];
        self.killers = [[None; 2]; MAX_PLY];
        self.countermoves = [None; PieceTo::COUNT];
        self.continuation.clear();
        self.by_pawns.fill([0; PieceTo::COUNT]);
        self.captures = [[[0; 6]; 64]; 6];
        self.pawn_corrections.fill([0; 2]);
        for table in &mut self.nonpawn_corrections {
            table.fill([0; 2]);
        }
        self.continuation_corrections.fill(0);
    }

    /// Forgets what holds for one root position alone.
    pub fn new_search(&mut self, params: &SearchParams) {
        self.capture_weight = params.capture_history_weight;
        self.threats = params.threat_history_use;
        self.wants_attacks = self.threats > 0 || params.quiet_threat_bonus > 0;
        let structures = PAWN_HISTORIES * usize::from(params.pawn_history_use != 0);
        self.by_pawns.resize(structures, [0; PieceTo::COUNT]);
        let last_moves = LastMoves::COUNT * usize::from(params.continuation_correction_limit != 0);
        self.continuation_corrections.resize(last_moves, 0);
        self.killers = [[None; 2]; MAX_PLY];
    }

    /// Where to look for how well the quiet moves of a position have done.
    #[inline]
    pub fn quiet_context(&self, position: &Position, earlier: &ContinuationKeys) -> QuietContext {
        let attacked = match self.wants_attacks {
            true => Attacked::new(position),
            false => Attacked::default(),
        };
        QuietContext {
            color: position.side_to_move(),
            attacked,
            telling: match self.threats {
                0 => Bitboard::EMPTY,
                1 => attacked.pawns,
                _ => attacked.all,
            },
            earlier: earlier
                .map(|piece_to| piece_to.map_or(NO_CONTINUATION, |piece_to| piece_to.0)),
            pawns: pawn_history(position),
        }
    }

    /// How well a quiet move has done, on its own and after the earlier moves.
    #[inline]
    pub fn quiet(&self, quiet_context: &QuietContext, piece: Piece, mv: Move) -> i32 {
        let color = quiet_context.color;
        let threat = quiet_context.threat(mv);
        let mut score = i32::from(self.butterfly[color.index()][threat][index(mv)]);
        let piece_to = PieceTo::new(color, piece, mv);
        for earlier in quiet_context.earlier {
            score += self.continuation.score(earlier, piece_to);
        }
        if let Some(moves) = self.by_pawns.get(quiet_context.pawns) {
            score += i32::from(moves[piece_to.index()]);
        }
        score
    }

    /// How well a capture has done, as it counts in the order of captures.
    #[inline]
    pub fn capture(&self, piece: Piece, mv: Move, victim: Piece) -> i32 {
        let score = self.captures[piece.index()][mv.to().index()][victim.index()];
        i32::from(score) * self.capture_weight / 128
    }

    /// The quiet moves that last caused cut-offs at this distance from the root.
    #[inline]
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The quiet move that last refuted this one.
    #[inline]
    pub fn countermove(&self, previous: Option<PieceTo>) -> Option<Move> {
        self.countermoves[previous?.index()]
    }

    /// A quiet move has proved best, and the others tried have not.
    #[allow(clippy::too_many_arguments)] // What a best move teaches depends on all of these.
    pub fn reward_quiet(
        &mut self,
        params: &SearchParams,
        position: &Position,
        quiet_context: &QuietContext,
        previous: Option<PieceTo>,
        ply: usize,
        bonus: i32,
        mv: Move,
        tried: &[Move],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        if let Some(previous) = previous.filter(|_| params.countermove_use != 0) {
            self.countermoves[previous.index()] = Some(mv);
        }
        self.add_quiet(quiet_context, position.moved(mv), mv, bonus);
        let malus = (bonus * params.history_malus / 100).min(HISTORY_MAX);
        for &other in tried.iter().filter(|&&other| other != mv) {
            self.add_quiet(quiet_context, position.moved(other), other, -malus);
        }
    }

    fn add_quiet(&mut self, quiet_context: &QuietContext, piece: Piece, mv: Move, bonus: i32) {
        let color = quiet_context.color;
        let threat = quiet_context.threat(mv);
        add(&mut self.butterfly[color.index()][threat][index(mv)], bonus);
        let piece_to = PieceTo::new(color, piece, mv);
        for earlier in quiet_context.earlier {
            self.continuation.learn(earlier, piece_to, bonus);
        }
        if let Some(moves) = self.by_pawns.get_mut(quiet_context.pawns) {
            add(&mut moves[piece_to.index()], bonus);
        }
    }

    /// A quiet move before the node at hand has done well, or badly, as its answers show.
    pub fn add_placed(&self, earlier: &ContinuationKeys, piece_to: PieceTo, bonus: i32) {
        for earlier in earlier.iter().flatten() {
            self.continuation.learn(earlier.0, piece_to, bonus);
        }
    }

    /// No answer to a quiet move has reached the bound, at this depth of the answers.
    pub fn reward_unanswered(
        &self,
        params: &SearchParams,
        earlier: &ContinuationKeys,
        piece_to: PieceTo,
        depth: Depth,
    ) {
        let bonus = cutoff_bonus(params, depth) * params.fail_low_bonus / 100;
        self.add_placed(earlier, piece_to, bonus.min(HISTORY_MAX));
    }

    /// A node has its best move: the other captures tried have failed, and that move, if it is a
    /// capture, has not.
    pub fn reward_captures(&mut self, position: &Position, bonus: i32, mv: Move, tried: &[Move]) {
        self.add_capture(position, mv, bonus);
        for &other in tried.iter().filter(|&&other| other != mv) {
            self.add_capture(position, other, -bonus);
        }
    }

    fn add_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(victim) = position.captured(mv) {
            let piece = position.moved(mv).index();
            add(
                &mut self.captures[piece][mv.to().index()][victim.index()],
                bonus,
            );
        }
    }

    /// Centipawns by which the evaluation of such positions was too low.
    #[inline]
    pub fn correction(&self, params: &SearchParams, position: &Position, last: LastMoves) -> i32 {
        self.corrected_units(params, position, last) / CORRECTION_UNIT
    }

    #[inline]
    fn corrected_units(&self, params: &SearchParams, position: &Position, last: LastMoves) -> i32 {
        let color = position.side_to_move().index();
        let mut sum =
            i32::from(self.pawn_corrections[correction_index(position.pawn_key())][color]);
        if params.nonpawn_correction_limit != 0 {
            for (side, table) in Color::ALL.into_iter().zip(&self.nonpawn_corrections) {
                sum += i32::from(table[correction_index(position.piece_key(side))][color]);
            }
        }
        if params.continuation_correction_limit != 0 {
            sum += i32::from(self.continuation_corrections[last.0]);
        }
        sum
    }

    /// A search has found another score than the evaluation. Each table learns from what all of
    /// them together have not corrected.
    pub fn correct(
        &mut self,
        params: &SearchParams,
        position: &Position,
        last: LastMoves,
        depth: Depth,
        error: i32,
    ) {
        let plies = depth.whole_plies();
        let weight = (plies + 1).min(params.correction_weight);
        let most = params.correction_error;
        let error = error.clamp(-most, most) * CORRECTION_UNIT;
        let known = self.corrected_units(params, position, last);
        let color = position.side_to_move().index();
        let learn = |cell: &mut i16, limit: i32| {
            let limit = limit * CORRECTION_UNIT;
            let mixed = (i32::from(*cell) * 256 + (error - known) * weight) / 256;
            *cell = mixed.clamp(-limit, limit) as i16;
        };
        let cell = &mut self.pawn_corrections[correction_index(position.pawn_key())][color];
        learn(cell, params.pawn_correction_limit);
        if params.nonpawn_correction_limit != 0 {
            for (side, table) in Color::ALL.into_iter().zip(&mut self.nonpawn_corrections) {
                let cell = &mut table[correction_index(position.piece_key(side))][color];
                learn(cell, params.nonpawn_correction_limit);
            }
        }
        if params.continuation_correction_limit != 0 {
            let cell = &mut self.continuation_corrections[last.0];
            learn(cell, params.continuation_correction_limit);
        }
    }
}

/// Which pawn structure the history of quiet moves takes a position for.
#[inline]
fn pawn_history(position: &Position) -> usize {
    // The high bits, which all pawns have a part in.
    (position.pawn_key() >> (64 - PAWN_HISTORIES.ilog2())) as usize
}

fn correction_index(key: u64) -> usize {
    (key >> 50) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const NONE: ContinuationKeys = [None; 3];

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// What is known of a knight's move.
    fn known(history: &History, position: &Position, earlier: &ContinuationKeys, mv: Move) -> i32 {
        history.quiet(&history.quiet_context(position, earlier), Piece::Knight, mv)
    }

    #[test]
    fn corrections_add_up_to_the_error_and_go_with_what_they_are_of() {
        let start = Position::startpos();
        // The same pawns, other squares of one knight of each side.
        let other = position("r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
        let [knight, pawn] = ["g1f3", "e2e4"].map(|text| Move::parse_uci(text).unwrap());
        let knight = LastMoves::new(Some(PieceTo::of(&start, Piece::Knight, knight)), None);
        let pawn = LastMoves::new(Some(PieceTo::of(&start, Piece::Pawn, pawn)), None);
        // Of what it has learnt in one position, how much it knows there, with other pieces, and
        // after another move.
        let learnt = |limits: [i32; 3]| {
            let params = SearchParams {
                pawn_correction_limit: limits[0],
                nonpawn_correction_limit: limits[1],
                continuation_correction_limit: limits[2],
                correction_weight: 16,
                correction_error: 512,
                ..SearchParams::default()
            };
            let mut history = History::new();
            history.new_search(&params);
            for _ in 0..500 {
                history.correct(&params, &start, knight, Depth::plies(8), 100);
            }
            [(&start, knight), (&other, knight), (&start, pawn)]
                .map(|(position, last)| history.correction(&params, position, last))
        };
        assert_eq!(learnt([64, 0, 0]), [64, 64, 64]);
        assert_eq!(learnt([0, 0, 64]), [64, 64, 0]);
        let [same, alike, _] = learnt([64, 64, 0]);
        assert!((98..=100).contains(&same), "{same}");
        assert!(0 < alike && alike < same / 2, "{alike} of {same}");
        let [same, _, otherwise] = learnt([64, 0, 64]);
        assert!((98..=100).contains(&same), "{same}");
        assert!(0 < otherwise && otherwise < same, "{otherwise} of {same}");
    }

    /// Has learnt that a knight's move from g1 to e2 is worth a hundred here.
    fn learn(history: &mut History, position: &Position) -> Move {
        let mv = Move::parse_uci("g1e2").unwrap();
        let quiet_context = history.quiet_context(position, &NONE);
        history.add_quiet(&quiet_context, Piece::Knight, mv, 100);
        mv
    }

    /// Where nothing is cut off, the best move is among those tried.
    #[test]
    fn the_best_of_the_moves_tried_gains_and_the_others_lose() {
        let position = position("4k3/8/8/8/8/8/4p3/4K1N1 w - -");
        let moves = |texts: [&str; 2]| texts.map(|text| Move::parse_uci(text).unwrap());
        let params = SearchParams {
            capture_history_weight: 128,
            history_malus: 40,
            ..SearchParams::default()
        };
        let mut history = History::new();
        history.new_search(&params);
        let tried = moves(["g1f3", "g1h3"]);
        let best = tried[1];
        let quiet_context = history.quiet_context(&position, &NONE);
        history.reward_quiet(
            &params,
            &position,
            &quiet_context,
            None,
            3,
            100,
            best,
            &tried,
        );
        let found = tried.map(|mv| known(&history, &position, &NONE, mv));
        assert_eq!(found, [-40, 100]);
        assert_eq!(history.killers(3), [Some(best), None]);
        let tried = moves(["e1e2", "g1e2"]);
        history.reward_captures(&position, 100, tried[1], &tried);
        let found = [(Piece::King, tried[0]), (Piece::Knight, tried[1])]
            .map(|(piece, mv)| history.capture(piece, mv, Piece::Pawn));
        assert_eq!(found, [-100, 100]);
    }

    #[test]
    fn quiet_moves_are_told_apart_by_what_attacks_them() {
        let places = [
            "4k3/8/8/8/8/3p4/8/4K1N1 w - -",
            "4k3/8/8/3b4/8/3p4/8/3K2N1 w - -",
            "4k3/8/8/1b1p4/8/8/8/3K2N1 w - -",
            "4k3/8/8/3p4/8/8/8/4K1N1 w - -",
        ];
        // The first knows of a pawn that attacks where the move ends. What others know of that:
        // with a bishop besides, with the bishop alone, with nothing.
        for (threat_history_use, expected) in [
            (0, [100; 4]),
            (1, [100, 100, 0, 0]),
            (2, [100, 100, 100, 0]),
        ] {
            let params = SearchParams {
                threat_history_use,
                ..SearchParams::default()
            };
            let mut history = History::new();
            history.new_search(&params);
            let places = places.map(position);
            let mv = learn(&mut history, &places[0]);
            let found = places.map(|at| known(&history, &at, &NONE, mv));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn quiet_moves_are_told_apart_by_the_pawns_on_the_board() {
        let learnt = position("4k3/8/8/3p4/8/8/8/4K1N1 w - -");
        let same_pawns = position("4k3/8/8/3p4/8/8/8/3K2N1 w - -");
        let others = position("4k3/8/4p3/8/8/8/8/4K1N1 w - -");
        for (pawn_history_use, expected) in [(0, [100, 100]), (1, [200, 100])] {
            let params = SearchParams {
                pawn_history_use,
                threat_history_use: 0,
                ..SearchParams::default()
            };
            let mut history = History::new();
            history.new_search(&params);
            let mv = learn(&mut history, &learnt);
            let at = |place| known(&history, place, &NONE, mv);
            assert_eq!([at(&same_pawns), at(&others)], expected);
            history.clear();
            assert_eq!(known(&history, &learnt, &NONE, mv), 0);
        }
    }

    #[test]
    fn a_memory_beside_another_knows_what_follows_what() {
        let start = Position::startpos();
        let mv = Move::parse_uci("g1f3").unwrap();
        let (one, earlier) = (History::new(), [Some(PieceTo(7)), None, None]);
        let other = one.beside();
        one.add_placed(&earlier, PieceTo::of(&start, Piece::Knight, mv), 100);
        assert_eq!(known(&other, &start, &earlier, mv), 100);
    }

    #[test]
    fn every_pawn_of_either_colour_tells_structures_apart() {
        let digit = |empty: usize| match empty {
            0 => String::new(),
            _ => empty.to_string(),
        };
        let index = |place: usize, pawn: char, to_move: char| {
            let (above, file) = (place / 8, place % 8);
            let rank = format!("{}{pawn}{}", digit(file), digit(7 - file));
            let empty = |ranks: usize| "/8".repeat(ranks);
            let fen = format!(
                "7k{}/{rank}{}/7K {to_move} - -",
                empty(above),
                empty(5 - above)
            );
            pawn_history(&position(&fen))
        };
        let one_pawn = (0..48).flat_map(|place| [index(place, 'P', 'b'), index(place, 'p', 'w')]);
        let found: HashSet<usize> = one_pawn.collect();
        // By chance 88 of the 96.
        assert!(found.len() > 75, "{}", found.len());
    }

    #[test]
    fn a_quiet_move_that_nothing_answers_has_done_well_after_its_predecessors() {
        let start = Position::startpos();
        let mv = Move::parse_uci("g1f3").unwrap();
        let piece_to = PieceTo::of(&start, Piece::Knight, mv);
        let earlier = [Some(PieceTo(7)), None, None];
        for fail_low_bonus in [0, 50, 255] {
            let params = SearchParams {
                fail_low_bonus,
                ..SearchParams::default()
            };
            let mut history = History::new();
            history.new_search(&params);
            let depth = Depth::plies(5);
            history.reward_unanswered(&params, &earlier, piece_to, depth);
            let expected = cutoff_bonus(&params, depth) * fail_low_bonus / 100;
            let found = |earlier| known(&history, &start, earlier, mv);
            assert_eq!(found(&earlier), expected);
            assert_eq!(found(&NONE), 0);
        }
    }
}
