//! How near to perfect a player of endings is, by endgame tables that know the result of every position.
//!
//! Games against others hide what a player knows where most positions are drawn: who never notices that a draw was
//! thrown away draws, too. So three things are measured, none of which depends on whom a player meets by chance:
//!
//! - **Moves**: in positions met in play, how often a move keeps the position's value (won, drawn, lost). Where
//!   several moves seem equal to the player, each counts by its part. Weighted, a position counts as often as it
//!   has legal moves that lose value: where every move is good there is nothing to know.
//! - **Wins**: won positions played out against the defence that holds out longest.
//! - **Draws**: drawn positions held against an opponent who never errs and, of the moves that keep the value,
//!   plays one after which the greatest part of the replies lose.
//!
//! Values are those with a fifty-move clock at zero, as in the tables; repetitions don't exist.

pub mod lessons;

use super::endgame_players::{Subject, drawn};
use engine::mixing::scramble;
use engine::one_ply::root_moves;
use engine::position::Position;
use engine::program::{Ending, EndingError, Standing, start};
use engine::tablebase::{Tablebase, Verdict};
use engine::types::Move;
use rayon::prelude::*;
use std::collections::HashSet;
use thiserror::Error;

/// Positions of one game that a panel has at most: more would be too much alike.
const OF_A_GAME: usize = 3;

/// Games and starts that are tried for each one that is wanted, before there seem to be too few.
const TRIES: usize = 200;

/// What keeps a player from being judged.
#[derive(Debug, Error)]
pub enum PerfectPlayError {
    /// No table has the position.
    #[error("the tables say nothing of {fen}: {why}")]
    Unknown {
        /// The position.
        fen: String,
        /// What is wrong with the tables.
        why: String,
    },
    /// The ending has no starts.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// There is not enough of something.
    #[error("{ending}: found {found} {what}, expected {wanted}")]
    TooFew {
        /// The ending.
        ending: String,
        /// What is lacking.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many were wanted.
        wanted: usize,
    },
}

/// What a position is worth to the side to move if the game is over there: mate, stalemate, or nothing to mate with.
pub fn ended(position: &Position) -> Option<Verdict> {
    match (position.has_legal_move(), position.in_check()) {
        (false, true) => Some(Verdict::Loss),
        (false, false) => Some(Verdict::Draw),
        _ => position.is_insufficient_material().then_some(Verdict::Draw),
    }
}

/// Perfect play by tables.
#[derive(Clone, Copy, Debug)]
pub struct Perfect<'a>(pub &'a Tablebase);

impl Perfect<'_> {
    /// What a position is worth to the side to move.
    ///
    /// # Errors
    /// No table says.
    pub fn value(&self, position: &Position) -> Result<Verdict, PerfectPlayError> {
        let result = ended(position).or_else(|| self.0.result(position));
        result.ok_or_else(|| self.unknown(position))
    }

    fn unknown(&self, position: &Position) -> PerfectPlayError {
        let faults = self.0.take_faults();
        let (men, most) = (position.occupied().count(), self.0.max_pieces());
        PerfectPlayError::Unknown {
            fen: position.to_fen(),
            why: match faults.is_empty() {
                false => faults.join("; "),
                true if men as usize > most => format!("it has {men} men, and they go up to {most}"),
                true => "a file of its material (.rtbw, .rtbz) or of what captures leave of it is missing".into(),
            },
        }
    }

    /// The legal moves, each with whether it keeps the position's value.
    ///
    /// # Errors
    /// No table says.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, bool)>, PerfectPlayError> {
        let moves = root_moves(position);
        let value = |&mv: &Move| self.value(&position.play(mv)).map(Verdict::reversed);
        let values = moves.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let best = values.iter().max().copied();
        let keeps = values.iter().map(|&value| Some(value) == best);
        Ok(moves.iter().copied().zip(keeps).collect())
    }

    /// The move of a lost side that puts off the next capture or the mate longest; `None` if it has none.
    fn defence(&self, position: &Position, seed: u64) -> Result<Option<Move>, PerfectPlayError> {
        let mut longest: Vec<Move> = Vec::new();
        let mut most = i32::MIN;
        for &mv in root_moves(position).iter() {
            let after = position.play(mv);
            let distance = self
                .0
                .distance(&after)
                .ok_or_else(|| self.unknown(&after))?;
            if distance > most {
                longest.clear();
                most = distance;
            }
            if distance == most {
                longest.push(mv);
            }
        }
        Ok(drawn(&longest, position, seed))
    }

    /// The move of a side that keeps the value and sets the hardest task: the greatest part of the replies lose.
    fn trap(&self, position: &Position, seed: u64) -> Result<Option<Move>, PerfectPlayError> {
        let mut hardest: Vec<Move> = Vec::new();
        // Replies that lose, and all: 0 of 1 is the least.
        let (mut losing, mut all) = (0, 1);
        for (mv, keeps) in self.moves(position)? {
            if !keeps {
                continue;
            }
            let replies = self.moves(&position.play(mv))?;
            let lose = replies.iter().filter(|(_, keeps)| !keeps).count();
            let of = replies.len().max(1);
            if lose * all > losing * of {
                hardest.clear();
                (losing, all) = (lose, of);
            }
            if lose * all == losing * of {
                hardest.push(mv);
            }
        }
        Ok(drawn(&hardest, position, seed))
    }
}

/// What a player's moves in a panel keep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// Positions.
    pub positions: usize,
    /// The sum over positions of the part of its best moves that keep the value.
    pub kept: f64,
    /// The same, each position counted as often as it has legal moves that lose value.
    pub weighted: f64,
    /// The sum of those counts.
    pub weight: usize,
}

impl Kept {
    /// Share of moves that keep the value, from 0 to 1; of none, 1.
    pub fn share(&self) -> f64 {
        share(self.kept, self.positions)
    }

    /// The same weighted.
    pub fn weighted_share(&self) -> f64 {
        share(self.weighted, self.weight)
    }

    /// A position in which a player has these best moves.
    fn add(&mut self, judged: &[(Move, bool)], best: &[Move]) {
        let keeping = judged
            .iter()
            .filter(|(mv, keeps)| *keeps && best.contains(mv));
        let part = share(keeping.count() as f64, best.len());
        let losing = judged.iter().filter(|(_, keeps)| !keeps).count();
        self.positions += 1;
        self.kept += part;
        self.weighted += part * losing as f64;
        self.weight += losing;
    }
}

fn share(part: f64, of: usize) -> f64 {
    match of {
        0 => 1.0,
        _ => part / of as f64,
    }
}

/// How a won position ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Won {
    /// By mate.
    Mate,
    /// With more material in a position that was still won when the moves were up.
    Ahead,
    /// Still won when the moves were up, with no more material to show for it.
    Undecided,
    /// No longer won.
    Lost,
}

/// All that is found of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Its moves in the panel.
    pub kept: Kept,
    /// How the panel's won positions ended, each played once.
    pub wins: Vec<Won>,
    /// Drawn starts, and how many of them it held.
    pub draws: (usize, usize),
}

/// How long games are, and how many.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Moves of each side.
    pub moves: u32,
    /// Drawn starts.
    pub starts: usize,
    /// Seed of starts and of draws between equal moves.
    pub seed: u64,
}

/// Plays a won position out against the longest defence.
///
/// # Errors
/// No table says.
pub fn convert(
    subject: &Subject,
    perfect: Perfect,
    begin: &Position,
    (moves, seed): (u32, u64),
) -> Result<Won, PerfectPlayError> {
    let mut position = *begin;
    for number in 0..moves {
        let seed = scramble(seed.wrapping_add(u64::from(number)));
        let Some(mv) = subject.choose(&position, seed) else {
            return Ok(Won::Lost);
        };
        position = position.play(mv);
        if perfect.value(&position)? != Verdict::Loss {
            return Ok(Won::Lost);
        }
        let Some(reply) = perfect.defence(&position, seed)? else {
            return Ok(Won::Mate);
        };
        position = position.play(reply);
    }
    Ok(match Standing::of(&position) {
        Standing::Advantage => Won::Ahead,
        _ => Won::Undecided,
    })
}

/// Whether a player holds a drawn position for so many moves of each side, with the first move or the second.
///
/// # Errors
/// No table says.
pub fn hold(
    subject: &Subject,
    perfect: Perfect,
    begin: &Position,
    begins: bool,
    (moves, seed): (u32, u64),
) -> Result<bool, PerfectPlayError> {
    let mut position = *begin;
    for ply in 0..2 * moves {
        let seed = scramble(seed.wrapping_add(u64::from(ply)));
        let is_own = (ply % 2 == 0) == begins;
        let mv = match is_own {
            true => subject.choose(&position, seed),
            false => perfect.trap(&position, seed)?,
        };
        // The game is over, and the last move was no mistake.
        let Some(mv) = mv else { break };
        position = position.play(mv);
        if is_own && perfect.value(&position)? == Verdict::Win {
            return Ok(false);
        }
        if position.is_insufficient_material() {
            break;
        }
    }
    Ok(true)
}

/// So many different starts of an ending that the tables call drawn.
///
/// # Errors
/// No table says, or there are too few.
pub fn drawn_starts(
    ending: &Ending,
    perfect: Perfect,
    wanted: usize,
    seed: u64,
) -> Result<Vec<Position>, PerfectPlayError> {
    let mut known = HashSet::new();
    let mut starts = Vec::new();
    for number in 0..TRIES * wanted {
        if starts.len() == wanted {
            break;
        }
        let position = start(ending, scramble(seed ^ scramble(number as u64)))?;
        if known.insert(position.to_fen()) && perfect.value(&position)? == Verdict::Draw {
            starts.push(position);
        }
    }
    let found = starts.len();
    enough(starts, ending, "drawn starts", found, wanted)
}

fn enough<T>(
    all: T,
    ending: &Ending,
    what: &'static str,
    found: usize,
    wanted: usize,
) -> Result<T, PerfectPlayError> {
    let ending = ending.to_string();
    let error = || PerfectPlayError::TooFew {
        ending,
        what,
        found,
        wanted,
    };
    (found >= wanted).then_some(all).ok_or_else(error)
}

/// Judges a player by a panel of positions of one ending and by drawn starts of it. On any number of threads the
/// same is found.
///
/// # Errors
/// No table says what a position is worth, or the ending has too few drawn starts.
pub fn judge(
    subject: &Subject,
    perfect: Perfect,
    (ending, panel): (&Ending, &[Position]),
    trial: &Trial,
) -> Result<Judgement, PerfectPlayError> {
    let own = |number: usize| scramble(trial.seed ^ scramble(number as u64));
    let looked = panel.par_iter().enumerate().map(|(number, position)| {
        let moves = perfect.moves(position)?;
        let won = match perfect.value(position)? {
            Verdict::Win => Some(convert(
                subject,
                perfect,
                position,
                (trial.moves, own(number)),
            )?),
            _ => None,
        };
        Ok((moves, subject.best(position), won))
    });
    let looked = looked.collect::<Result<Vec<_>, PerfectPlayError>>()?;
    let mut kept = Kept::default();
    // In the panel's order, for sums of floats depend on it.
    for (moves, best, _) in &looked {
        kept.add(moves, best);
    }
    let starts = drawn_starts(ending, perfect, trial.starts, trial.seed)?;
    let held = starts.par_iter().enumerate().map(|(number, position)| {
        let limit = (trial.moves, own(number));
        hold(subject, perfect, position, number % 2 == 0, limit)
    });
    let held = held.collect::<Result<Vec<bool>, _>>()?;
    Ok(Judgement {
        kept,
        wins: looked.iter().filter_map(|(_, _, won)| *won).collect(),
        draws: (held.len(), held.iter().filter(|&&held| held).count()),
    })
}

/// Positions of an ending with all its men, met when a player plays both sides from random starts: different ones,
/// at most three of a game, none that `known` has.
///
/// # Errors
/// Its games have too few.
pub fn met(
    subject: &Subject,
    ending: &Ending,
    known: &mut HashSet<String>,
    wanted: usize,
    (moves, seed): (u32, u64),
) -> Result<Vec<Position>, PerfectPlayError> {
    let mut all = Vec::new();
    for game in 0..TRIES * wanted {
        if all.len() == wanted {
            break;
        }
        let seed = scramble(seed ^ scramble(game as u64));
        let mut position = start(ending, seed)?;
        let mut seen = Vec::new();
        for ply in 0..2 * u64::from(moves) {
            if !ending.is_of(&position) || !position.has_legal_move() {
                break;
            }
            seen.push((scramble(seed ^ ply), position));
            let Some(mv) = subject.choose(&position, scramble(seed.wrapping_add(ply))) else {
                break;
            };
            position = position.play(mv);
        }
        // Which of them, is drawn by their numbers.
        seen.sort_by_key(|(drawn, _)| *drawn);
        let fresh = seen.into_iter().map(|(_, position)| position);
        let fresh = fresh.filter(|position| known.insert(engine::epd::fields(position)));
        let room = OF_A_GAME.min(wanted - all.len());
        all.extend(fresh.take(room));
    }
    let found = all.len();
    enough(all, ending, "positions met in play", found, wanted)
}

#[cfg(test)]
mod tests;
