//! What a generation has come to, and how it is told.

use super::Candidate;
use super::champion::Gauges;
use crate::base::progress::{News, Step as Progress};
use crate::drive::{Generation, Place};
use crate::fitness::endgames::Tally;
use crate::fitness::lessons::Share;
use engine::program::Tree;

/// First line of the table of generations, with what Eyas and held-out lessons add to it. Points are of all games and
/// lessons of a program, nodes and depths of its three trees together (the depth is that of the deepest); scores are
/// parts of 1, and empty where the best was not measured.
macro_rules! heading {
    ($more:literal) => {
        concat!(
            "run,generation,best_points,mean_points,best_nodes,mean_nodes,best_depth,mean_depth,distinct,",
            "mates,advantages,draws,plies,score_random,score_rival",
            $more,
            "\n"
        )
    };
}

/// What a generation has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its number.
    pub generation: u32,
    /// Points of the best and of the mean.
    pub points: (u64, f64),
    /// Nodes of the best and of the mean.
    pub nodes: (usize, f64),
    /// Depth of the best and of the mean.
    pub depth: (usize, f64),
    /// Its games, of whoever was named first against the other.
    pub games: Tally,
    /// Lessons that all programs together got.
    pub lessons: u64,
    /// The best one's games, if it was measured.
    pub gauge: Option<Gauges>,
    /// How well it then knew the held-out lessons, if there are any.
    pub known: Option<Share>,
}

/// A run: its seed and its generations.
pub type RunSoFar = (u64, Vec<Note>);

/// The heading where Eyas plays or not, with held-out lessons or without.
pub fn heading(with_engine: bool, with_lessons: bool) -> &'static str {
    match (with_engine, with_lessons) {
        (false, false) => heading!(""),
        (true, false) => heading!(",score_engine"),
        (false, true) => heading!(",score_lessons"),
        (true, true) => heading!(",score_engine,score_lessons"),
    }
}

/// What there is to know of a generation.
pub fn note(
    generation: &Generation<'_, Candidate>,
    (games, lessons): (Tally, u64),
    (gauge, known): (Option<Gauges>, Option<Share>),
) -> Note {
    let individuals = &generation.batch.individuals;
    let count = individuals.len().max(1) as f64;
    let nodes = |one: &Candidate| -> usize {
        let trees = one.player.0.trees();
        trees.iter().map(|tree| tree.nodes().len()).sum()
    };
    let depth = |one: &Candidate| {
        let trees = one.player.0.trees().map(Tree::depth);
        trees.into_iter().max().unwrap_or(0)
    };
    let mean =
        |of: &dyn Fn(&Candidate) -> usize| individuals.iter().map(of).sum::<usize>() as f64 / count;
    let best = |of: &dyn Fn(&Candidate) -> usize| individuals.get(generation.elite).map_or(0, of);
    Note {
        generation: generation.number(),
        points: (
            generation
                .fitness
                .get(generation.elite)
                .copied()
                .unwrap_or(0),
            generation.fitness.iter().sum::<u64>() as f64 / count,
        ),
        nodes: (best(&nodes), mean(&nodes)),
        depth: (best(&depth), mean(&depth)),
        games,
        lessons,
        gauge,
        known,
    }
}

/// What is said of a generation with so many different programs.
pub fn news(
    place: Place,
    note: &Note,
    distinct: usize,
    (with_engine, with_lessons): (bool, bool),
) -> News<'static> {
    let Note {
        generation,
        points: (best, mean),
        nodes: (nodes, mean_nodes),
        depth: (depth, mean_depth),
        games,
        lessons,
        gauge,
        known,
    } = note;
    let run = place.run.0;
    let [random, rival, engine] = gauge.unwrap_or_default();
    let cell =
        |tally: Option<Tally>| tally.map_or(String::new(), |one| format!("{:.4}", one.score()));
    let (mates, advantages): (u32, u32) = (games.mates.iter().sum(), games.advantages.iter().sum());
    let mut facts = vec![
        format!("best {best} points of mean {mean:.1}"),
        format!("{nodes} nodes"),
    ];
    let fact = |tally: Tally, whom| format!("{:.2} against {whom}", tally.score());
    facts.extend(random.map(|tally| fact(tally, "random moves")));
    facts.extend(rival.map(|tally| fact(tally, "the rival")));
    facts.extend(engine.map(|tally| fact(tally, "Eyas")));
    facts.extend(known.map(|known| format!("{:.2} % of lessons", 100.0 * known.part())));
    let score_lessons = known.map_or(String::new(), |known| format!("{:.4}", known.part()));
    News {
        step: Progress::Generation,
        run: place.run,
        generation: place.generation,
        row: format!(
            "{run},{generation},{best},{mean:.3},{nodes},{mean_nodes:.3},{depth},{mean_depth:.3},{distinct},{mates},\
             {advantages},{},{},{},{}{}{}\n",
            games.draws,
            games.plies,
            cell(random),
            cell(rival),
            match with_engine {
                true => format!(",{}", cell(engine)),
                false => String::new(),
            },
            match with_lessons {
                true => format!(",{score_lessons}"),
                false => String::new(),
            }
        ),
        json: serde_json::json!({
            "best_points": best,
            "mean_points": (mean * 1000.0).round() / 1000.0,
            "best_nodes": nodes,
            "mean_nodes": (mean_nodes * 1000.0).round() / 1000.0,
            "distinct": distinct,
            "mates": mates,
            "advantages": advantages,
            "draws": games.draws,
        }),
        facts,
        work: match games.games() {
            0 => (*lessons, "lessons"),
            games => (games.into(), "games"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::lessons::PARTS;

    /// 3 mates and 1 advantage of the first, 2 draws: 5 of 6 points against random moves.
    #[test]
    fn a_generation_is_told_in_a_row() {
        let tally = Tally {
            mates: [3, 0],
            advantages: [1, 0],
            draws: 2,
            plies: 99,
        };
        let mut note = Note {
            generation: 4,
            points: (27, 12.5),
            nodes: (40, 33.25),
            depth: (7, 5.5),
            games: tally,
            lessons: 0,
            gauge: Some([Some(tally), None, None]),
            known: None,
        };
        let place = Place {
            run: (2, 3),
            seed: 1,
            generation: (4, 9),
        };
        let row = |note: &Note, columns| news(place, note, 60, columns).row;
        assert_eq!(
            row(&note, (false, false)),
            "2,4,27,12.500,40,33.250,7,5.500,60,3,1,2,99,0.8333,\n"
        );
        note.gauge = Some([Some(tally), None, Some(tally.turned())]);
        assert!(row(&note, (true, false)).ends_with(",99,0.8333,,0.1667\n"));
        // Three of four lessons, each of weight 1.
        note.known = Some(Share {
            parts: 3 * PARTS,
            weight: 4,
        });
        assert!(row(&note, (true, true)).ends_with(",99,0.8333,,0.1667,0.7500\n"));
        for with_engine in [false, true] {
            for with_lessons in [false, true] {
                assert_eq!(
                    row(&note, (with_engine, with_lessons)).split(',').count(),
                    heading(with_engine, with_lessons).split(',').count()
                );
            }
        }
        (note.gauge, note.known) = (None, None);
        assert!(row(&note, (false, true)).ends_with(",99,,,\n"));
    }
}
