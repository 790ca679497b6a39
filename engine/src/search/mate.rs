//! Mate search (`go mate N`): a proof that the side to move mates in at most N moves, or that it is mated,
//! or that neither is so (<https://www.chessprogramming.org/Mate_Search>).
//!
//! An exhaustive AND/OR search beside the iterations of the main search, deepened move by move. Nothing is
//! pruned: every move of the attacker is tried (only checks on his last move), and every reply of the
//! defender until one refutes. Moves that leave the fewest replies come first. The main search finds long
//! mates sooner, so the two share the nodes.

use super::limits::Stopped;
use super::{MAX_PLY, Search, UNDISTURBED_NODES};
use crate::depth::Depth;
use crate::position::{Game, Position};
use crate::score::Score;
use crate::tt::{Bound, Entry};
use crate::types::{Move, MoveList};

/// Nodes that the proof may use at first, about a tenth of a second; later it may use as many as the
/// main search.
const FIRST_NODES: u64 = 32 * UNDISTURBED_NODES;

/// Half-move clock at which the game is drawn unless it is mate.
const FIFTY_MOVES: usize = 100;

/// Tells the proof's entries in the transposition table from those of the main search: one for
/// positions with the attacker to move, one for those with the defender.
const ATTACKER: u64 = 0x6a09_e667_f3bc_c908;
const DEFENDER: u64 = 0xbb67_ae85_84ca_a73b;

/// How far the proof has come.
#[derive(Debug)]
pub(super) struct MateSearch {
    /// Moves in which a mate is wanted.
    wanted: usize,
    /// Moves in which neither side mates.
    disproved: usize,
    /// Nodes used by now.
    used: u64,
    /// Nodes of the whole search at which it is the main search's turn again.
    until: u64,
    /// Whether what is found out about a position holds however it is reached: not near the
    /// fifty-move rule, nor where a position of the game may come for the third time.
    uses_table: bool,
    /// The reply that refuted last, by the moves that the attacker had left.
    refutations: Vec<Option<Move>>,
}

/// Why a proof has no result.
enum Halt {
    /// A limit of the search is reached.
    Stopped,
    /// It is the main search's turn.
    Budget,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

impl MateSearch {
    /// Looks for a mate in at most so many moves.
    pub fn new(game: &Game, wanted: u32) -> MateSearch {
        let wanted = (wanted as usize).min(MAX_PLY / 2);
        let clock = usize::from(game.position().halfmove_clock());
        let recent: Vec<u64> = game.keys().iter().rev().take(clock).copied().collect();
        let comes_again = |key| recent.iter().filter(|&&other| other == key).count() > 1;
        MateSearch {
            wanted,
            disproved: 0,
            used: 0,
            until: 0,
            uses_table: clock + 2 * wanted < FIFTY_MOVES
                && !recent.iter().any(|&key| comes_again(key)),
            refutations: vec![None; wanted + 1],
        }
    }

    /// Whether neither side mates in as many moves as are wanted.
    pub fn is_disproved(&self) -> bool {
        self.disproved >= self.wanted
    }

    /// Half moves of a mate in as many moves against the side to move.
    pub fn plies(&self) -> usize {
        2 * self.wanted
    }
}

impl Search<'_> {
    /// Goes on with the proof as long as it is its turn. The shortest mate, if there is one, by either
    /// side: what it scores, and its moves with the longest defence; `None` if there is none or it is not
    /// known yet.
    pub(super) fn prove_mate(
        &mut self,
        position: &Position,
        moves: &[Move],
    ) -> Result<Option<(Score, Vec<Move>)>, Stopped> {
        let Some(mut mate) = self.mate.take() else {
            return Ok(None);
        };
        // No other thread can be ahead of it.
        let iteration = std::mem::replace(&mut self.iteration, usize::MAX);
        let before = self.nodes;
        let main = before - mate.used;
        mate.until = before + FIRST_NODES.max(main).saturating_sub(mate.used);
        let found = self.shortest_mate(&mut mate, position, moves);
        mate.used += self.nodes - before;
        self.iteration = iteration;
        self.mate = Some(mate);
        match found {
            Ok(found) => Ok(found),
            Err(Halt::Budget) => Ok(None),
            Err(Halt::Stopped) => Err(Stopped),
        }
    }

    fn shortest_mate(
        &mut self,
        mate: &mut MateSearch,
        position: &Position,
        moves: &[Move],
    ) -> Result<Option<(Score, Vec<Move>)>, Halt> {
        while !mate.is_disproved() {
            let tried = mate.disproved + 1;
            if let Some(first) = self.attack(mate, position, moves, tried, 0)? {
                mate.until = u64::MAX;
                let line = self.mating_line(mate, position, vec![first], tried);
                return Ok(Some((Score::mate_in(2 * tried - 1), line)));
            }
            if self.holds(mate, position, moves, tried, 0)?.is_none() {
                mate.until = u64::MAX;
                // One of them at least is not mated in one move less.
                let longest = self.holds(mate, position, moves, tried - 1, 0)?;
                let reply = longest.flatten().unwrap_or(moves[0]);
                let after = position.play(reply);
                let mut line = vec![reply];
                if let Some(first) = self.attack(mate, &after, &[], tried, 1)? {
                    line.push(first);
                    line = self.mating_line(mate, &after, line, tried);
                }
                return Ok(Some((Score::mated_in(2 * tried), line)));
            }
            mate.disproved = tried;
        }
        Ok(None)
    }

    /// A move with which the attacker, who is to move, mates in at most `left` moves; only these
    /// moves count at the root.
    fn attack(
        &mut self,
        mate: &mut MateSearch,
        position: &Position,
        allowed: &[Move],
        left: usize,
        ply: usize,
    ) -> Result<Option<Move>, Halt> {
        let known = self.known(mate, position.key() ^ ATTACKER, ply);
        match known {
            Some(Entry {
                bound: Bound::Lower,
                depth,
                mv: Some(mv),
                ..
            }) if depth <= Depth::plies(left as i32) => {
                return Ok(Some(mv));
            }
            Some(Entry {
                bound: Bound::Upper,
                depth,
                ..
            }) if depth >= Depth::plies(left as i32) => {
                return Ok(None);
            }
            _ => {}
        }
        self.seldepth = self.seldepth.max(ply + 1);
        let checks = position.check_squares();
        let mut candidates = Vec::new();
        position.for_each_legal(|piece, mv| {
            let gives_check = position.gives_check(piece, mv, &checks);
            if (left > 1 || gives_check) && (ply > 0 || allowed.contains(&mv)) {
                candidates.push((usize::from(!gives_check), mv));
            }
        });
        // The fewest replies first, checks before other moves.
        for (order, mv) in &mut candidates {
            self.count_for(mate)?;
            let after = position.play(*mv);
            let replies = after.legal_moves().len();
            if replies == 0 && after.in_check() {
                self.note(
                    mate,
                    position.key() ^ ATTACKER,
                    ply,
                    Bound::Lower,
                    1,
                    Some(*mv),
                );
                return Ok(Some(*mv));
            }
            *order = 1000 * *order + replies;
        }
        if left > 1 {
            candidates.sort_by_key(|&(order, _)| order);
            for (_, mv) in candidates {
                if self
                    .holds(mate, &position.play(mv), &[], left - 1, ply + 1)?
                    .is_none()
                {
                    let key = position.key() ^ ATTACKER;
                    self.note(mate, key, ply, Bound::Lower, left, Some(mv));
                    return Ok(Some(mv));
                }
            }
        }
        self.note(
            mate,
            position.key() ^ ATTACKER,
            ply,
            Bound::Upper,
            left,
            None,
        );
        Ok(None)
    }

    /// A reply after which the attacker does not mate in `left` more moves, or `Some(None)` if the
    /// game is drawn; `None` if every reply gets mated. Only these replies count at the root.
    fn holds(
        &mut self,
        mate: &mut MateSearch,
        position: &Position,
        allowed: &[Move],
        left: usize,
        ply: usize,
    ) -> Result<Option<Option<Move>>, Halt> {
        let mut replies = position.legal_moves();
        if replies.is_empty() || self.is_drawn_for_attacker(position, ply) {
            return Ok(Some(None));
        }
        let known = self.known(mate, position.key() ^ DEFENDER, ply);
        let likely = [known.and_then(|entry| entry.mv), mate.refutations[left]];
        order_replies(position, &mut replies, likely);
        let counts = |reply: &&Move| ply > 0 || allowed.contains(reply);
        for &reply in replies.iter().filter(counts) {
            if left == 0 {
                return Ok(Some(Some(reply)));
            }
            self.count_for(mate)?;
            let after = position.play(reply);
            let is_drawn = self.is_drawn_for_attacker(&after, ply + 1);
            if is_drawn || self.attack(mate, &after, &[], left, ply + 1)?.is_none() {
                mate.refutations[left] = Some(reply);
                let key = position.key() ^ DEFENDER;
                self.note(mate, key, ply, Bound::Upper, left, Some(reply));
                return Ok(Some(Some(reply)));
            }
        }
        Ok(None)
    }

    /// A line to the mate, from the attacker's move that it ends with and that mates in `moves` moves, from
    /// this position before it: with replies that put the mate off as long as possible. Shorter if the
    /// search is stopped meanwhile.
    fn mating_line(
        &mut self,
        mate: &mut MateSearch,
        position: &Position,
        mut line: Vec<Move>,
        moves: usize,
    ) -> Vec<Move> {
        let Some(first) = line.last() else {
            return line;
        };
        let mut after = position.play(*first);
        for left in (1..moves).rev() {
            let ply = line.len();
            let Ok(Some(Some(reply))) = self.holds(mate, &after, &[], left - 1, ply) else {
                break;
            };
            let attacker = after.play(reply);
            let Ok(Some(next)) = self.attack(mate, &attacker, &[], left, ply + 1) else {
                break;
            };
            line.extend([reply, next]);
            after = attacker.play(next);
        }
        line
    }

    /// Counts a move that is made.
    fn count_for(&mut self, mate: &MateSearch) -> Result<(), Halt> {
        if self.nodes >= mate.until {
            return Err(Halt::Budget);
        }
        Ok(self.count_node()?)
    }

    /// Whether a position that is no mate is drawn by the fifty-move rule or because it comes for the
    /// third time.
    fn is_drawn_for_attacker(&self, position: &Position, ply: usize) -> bool {
        let clock = usize::from(position.halfmove_clock());
        // Of the moves since the last that can't be taken back, so many lie before the root.
        let reversible = clock.saturating_sub(ply);
        let keys = self.game.keys().iter().rev().take(reversible);
        clock >= FIFTY_MOVES || keys.filter(|&&key| key == position.key()).count() > 1
    }

    fn known(&self, mate: &MateSearch, key: u64, ply: usize) -> Option<Entry> {
        let entry = self.remembered(key, ply).filter(|_| mate.uses_table);
        entry.filter(|_| ply > 0)
    }

    /// Remembers of a position whether the attacker mates in so many moves.
    fn note(
        &self,
        mate: &MateSearch,
        key: u64,
        ply: usize,
        bound: Bound,
        moves: usize,
        mv: Option<Move>,
    ) {
        if mate.uses_table && ply > 0 {
            let entry = Entry {
                mv,
                score: Score::DRAW,
                bound,
                depth: Depth::plies(moves as i32),
                eval: None,
                principal: false,
            };
            self.remember(key, ply, entry);
        }
    }
}

/// Likely refutations first, then captures, then the rest in their order.
fn order_replies(position: &Position, replies: &mut MoveList, likely: [Option<Move>; 2]) {
    replies.sort_by_key(|&mv| {
        let place = likely.iter().position(|&first| first == Some(mv));
        place.unwrap_or(2 + usize::from(!position.is_capture(mv)))
    });
}
