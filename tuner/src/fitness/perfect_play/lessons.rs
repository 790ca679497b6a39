//! Positions to learn from: met in play, where some legal move loses value, each with the moves that keep it.

use super::{OF_A_GAME, Perfect, PerfectPlayError, TRIES, enough};
use crate::fitness::endgame_players::Subject;
use engine::epd::fields;
use engine::mixing::scramble;
use engine::position::Position;
use engine::program::{Ending, start};
use engine::types::Move;
use rayon::prelude::*;
use std::collections::HashSet;

/// Positions of one game with fewer men than the ending has, at most: those would be most of all.
const OF_WHAT_IS_LEFT: usize = 1;

/// Games that are played at the same time.
const TOGETHER: usize = 64;

/// A position and the moves that keep its value.
pub type Met = (Position, Vec<Move>);

/// So many different positions of an ending and of what captures leave of it in which some legal move loses value, met
/// in a player's games against itself and against perfect play in turns; of a game some few, none that `known` has.
/// On any number of threads the same come out.
///
/// # Errors
/// No table says what a position is worth, or there are too few.
pub fn lessons(
    subject: &Subject,
    perfect: Perfect,
    ending: &Ending,
    known: &mut HashSet<String>,
    wanted: usize,
    (moves, seed): (u32, u64),
) -> Result<Vec<Met>, PerfectPlayError> {
    let mut all = Vec::new();
    let mut first = 0;
    while all.len() < wanted && first < TRIES * wanted {
        let games = first..first + TOGETHER;
        let games = games.into_par_iter().map(|number| {
            let seed = scramble(seed ^ scramble(number as u64));
            of_game(subject, perfect, ending, number, (moves, seed))
        });
        for game in games.collect::<Result<Vec<_>, _>>()? {
            let (mut whole, mut rest) = (OF_A_GAME, OF_WHAT_IS_LEFT);
            for (position, keeping) in game {
                let room = match ending.is_of(&position) {
                    true => &mut whole,
                    false => &mut rest,
                };
                if *room > 0 && all.len() < wanted && known.insert(fields(&position)) {
                    *room -= 1;
                    all.push((position, keeping));
                }
            }
        }
        first += TOGETHER;
    }
    let found = all.len();
    enough(
        all,
        ending,
        "positions in which a move loses value",
        found,
        wanted,
    )
}

/// The positions of a game in which some legal move loses value, in an order that is drawn.
fn of_game(
    subject: &Subject,
    perfect: Perfect,
    ending: &Ending,
    number: usize,
    (moves, seed): (u32, u64),
) -> Result<Vec<Met>, PerfectPlayError> {
    // Of four games two are against perfect play, one with each colour.
    let is_alone = number.is_multiple_of(2);
    let begins = number % 4 == 1;
    let mut position = start(ending, seed)?;
    let mut seen = Vec::new();
    for ply in 0..2 * u64::from(moves) {
        if position.is_insufficient_material() || !position.has_legal_move() {
            break;
        }
        let judged = perfect.moves(&position)?;
        if judged.iter().any(|(_, keeps)| !keeps) {
            let keeping = judged.iter().filter(|(_, keeps)| *keeps);
            let keeping = keeping.map(|(mv, _)| *mv).collect::<Vec<_>>();
            seen.push((scramble(seed ^ ply), (position, keeping)));
        }
        let own = scramble(seed.wrapping_add(ply));
        let mv = match is_alone || ply.is_multiple_of(2) == begins {
            true => subject.choose(&position, own),
            false => perfect.trap(&position, own)?,
        };
        let Some(mv) = mv else { break };
        position = position.play(mv);
    }
    seen.sort_by_key(|(drawn, _)| *drawn);
    Ok(seen.into_iter().map(|(_, met)| met).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::syzygy::{Tables, real_tables};
    use engine::epd_lines::EpdLines;
    use engine::tablebase::Tablebase;

    #[test]
    fn lessons_are_the_same_on_any_number_of_threads() {
        let made = Tables::of(&[("KRvK", 2), ("KRvKR", 0)], true);
        let tables = Tablebase::open(&[made.path().to_path_buf()]).unwrap();
        let ending: Ending = "KRKR".parse().unwrap();
        let met = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let find = || {
                let mut known = HashSet::new();
                lessons(
                    &Subject::Random,
                    Perfect(&tables),
                    &ending,
                    &mut known,
                    100,
                    (15, 7),
                )
            };
            pool.build().unwrap().install(find).unwrap()
        };
        let one = met(1);
        assert_eq!(one, met(3));
        // Every move that keeps the value, and not all legal moves do.
        for (position, keeping) in &one {
            let judged = Perfect(&tables).moves(position).unwrap();
            let right = judged.iter().filter(|(_, keeps)| *keeps);
            assert!(right.map(|(mv, _)| mv).eq(keeping) && keeping.len() < judged.len());
        }
    }

    /// Against perfect play a player who offers its rook meets the lone king sooner or later; the game goes on there.
    #[test]
    fn a_game_goes_on_when_the_rook_is_lost() {
        let made = Tables::of(&[("KRvK", 2), ("KRvKR", 0)], true);
        let tables = Tablebase::open(&[made.path().to_path_buf()]).unwrap();
        let ending: Ending = "KRKR".parse().unwrap();
        let game = |number| {
            let of = of_game(&Subject::Random, Perfect(&tables), &ending, number, (50, 3));
            of.unwrap()
        };
        let rest = |number| {
            game(number)
                .iter()
                .filter(|(position, _)| !ending.is_of(position))
                .count()
        };
        assert!((0..8).map(rest).sum::<usize>() > 8);
        assert_ne!(game(0), game(1), "the second is against perfect play");
    }

    /// The shipped lessons list the moves that real tables call right.
    #[test]
    fn shipped_lessons_are_what_the_tables_say() {
        let Some(folder) = real_tables("shipped_lessons_are_what_the_tables_say") else {
            return;
        };
        let tables = Tablebase::open(&[folder]).unwrap();
        for name in ["krkr", "krkr-test", "kqkq", "kqkq-test"] {
            let path = format!("{}/data/lessons-{name}.epd.zst", env!("CARGO_MANIFEST_DIR"));
            let mut lines = EpdLines::open(path.as_ref()).unwrap();
            while let Some((line, read)) = lines.next_position() {
                let epd = read.unwrap();
                let judged = Perfect(&tables).moves(&epd.position).unwrap();
                let right = judged.iter().filter(|(_, keeps)| *keeps);
                assert!(right.map(|(mv, _)| mv).eq(&epd.best), "{name}: line {line}");
            }
        }
    }
}
