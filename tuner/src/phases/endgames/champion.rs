//! The best of a run, and what it is judged by.

use super::lineage::Step;
use crate::encoding::programs::Player;
use crate::fitness::endgames::Tally;
use crate::fitness::lessons::Share;

/// Games against random moves, the rival and the engine, of those who play.
pub type Gauges = [Option<Tally>; 3];

/// The best that is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Champion {
    /// Its run, from 1.
    pub run: usize,
    /// The run's seed.
    pub seed: u64,
    /// Its generation.
    pub generation: u32,
    /// Itself.
    pub player: Player,
    /// Its games: of a run that has ended those of the last match.
    pub scores: Gauges,
    /// How well it knows the held-out lessons, if there are any.
    pub known: Option<Share>,
    /// Where it comes from.
    pub lineage: Vec<Step>,
}

impl Champion {
    /// What it is judged by.
    pub fn score(&self) -> f64 {
        score(&self.scores, self.known)
    }

    /// The one with the best score, the later of equals.
    pub fn best(all: &[Champion]) -> Option<&Champion> {
        all.iter()
            .max_by(|one, other| one.score().total_cmp(&other.score()))
    }

    /// Its scores in words.
    pub fn scores_text(&self, rival: &str) -> String {
        let [random, against, engine] = &self.scores;
        let of = |tally: &Option<Tally>, whom: &str| {
            let tally = (*tally)?;
            let games = tally.games();
            Some(format!(
                "score {:.3} in {games} games against {whom}",
                tally.score()
            ))
        };
        let said = [
            of(random, "random moves"),
            of(against, rival),
            of(engine, "Eyas"),
        ];
        let known = self.known.map(|known| {
            let percent = 100.0 * known.part();
            format!("{percent:.2} % of held-out lessons known")
        });
        let said = known.into_iter().chain(said.into_iter().flatten());
        said.collect::<Vec<_>>().join(", ")
    }
}

/// What somebody is judged by: held-out lessons, or games without any.
pub fn score(games: &Gauges, known: Option<Share>) -> f64 {
    match known {
        Some(known) => known.part(),
        None => deciding(games).score(),
    }
}

/// The games by which somebody is judged: those against rival and engine together, or against random moves without
/// either. Both matches are from the same starts, so their common score is the mean of both.
pub fn deciding([random, rival, engine]: &Gauges) -> Tally {
    let mut games = Tally::default();
    let counted = rival.iter().chain(engine);
    counted.for_each(|one| games.add(one));
    match games.games() {
        0 => random.unwrap_or_default(),
        _ => games,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 of 6 points against random moves, 2 of 4 against a rival and 1 of 4 against the engine: 3 of 8.
    #[test]
    fn rival_and_engine_decide_together_and_random_moves_without_them() {
        let drawn = |draws, lost| Tally {
            mates: [0, lost],
            draws,
            ..Tally::default()
        };
        let random = Tally {
            mates: [4, 0],
            draws: 2,
            ..Tally::default()
        };
        let of = |rival, engine| deciding(&[Some(random), rival, engine]).score();
        let (rival, engine) = (Some(drawn(4, 0)), Some(drawn(2, 2)));
        assert_eq!(of(rival, engine), 3.0 / 8.0);
        assert_eq!((of(rival, None), of(None, engine)), (0.5, 0.25));
        assert_eq!(of(None, None), 5.0 / 6.0);
    }
}
