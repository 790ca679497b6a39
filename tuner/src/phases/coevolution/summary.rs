//! What there is to report of a coevolution.

use super::Generation;
use crate::base::statistics::{Difference, elo, thousands};
use crate::phases::summary::{Evolved, Part, PhaseFiles, Summary, indecisive};
use crate::report::figures::EloPoint;
use crate::report::night::EloCourse;
use engine::params::{ParamSet, Row};

/// What there is to report of a coevolution.
#[derive(Clone, Debug, PartialEq)]
pub struct CoevolutionResult {
    /// Its generations until now.
    pub generations: Vec<Generation>,
    /// What evolves.
    pub rows: Vec<Row>,
    /// Whether its genes are the search's, or among them.
    pub searches_evolved: bool,
    /// The first champion of the phases before, from which the elite's Elo is counted.
    pub first: ParamSet,
    /// The elite.
    pub elite: ParamSet,
    /// The last generation, or a part of it that shows its spread.
    pub population: Vec<ParamSet>,
    /// How the games were played, in words.
    pub games: String,
    /// Folder of the games, relative to the phase's.
    pub folder: &'static str,
    /// Whether games of duels are among them, one file a generation.
    pub keeps_duels: bool,
    /// If nobody of the first population differs from anybody, how many they are.
    pub clones: Option<usize>,
}

/// What is said of a population in which nobody differs from anybody.
pub fn clones_text(count: usize) -> String {
    format!(
        "all {count} individuals of the initial population are equal, so only mutation can tell them apart"
    )
}

impl CoevolutionResult {
    /// Games of all generations, and those that somebody won.
    fn all_games(&self) -> [u64; 2] {
        let generations = self.generations.iter();
        generations.fold([0; 2], |sum, done| {
            [0, 1].map(|of| sum[of] + done.games[of])
        })
    }

    /// The Elo of the last elite that was measured, and its generation.
    fn measured(&self) -> Option<(Difference, u32)> {
        let last = self.generations.iter().rfind(|done| done.new_elite)?;
        Some((last.gauge.elo()?, last.generation))
    }
}

impl Summary for CoevolutionResult {
    fn steps_done(&self) -> u64 {
        self.generations.len() as u64
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        let (elo, generation) = self.measured()?;
        Some(format!(
            "{} against what it began with, measured in generation {generation}",
            elo.short_text()
        ))
    }

    fn best_so_far(&self) -> Option<String> {
        let (elo, generation) = self.measured()?;
        Some(format!("{} in generation {generation}", elo.short_text()))
    }

    fn row(&self, _: PhaseFiles<'_>) -> (String, String) {
        let [games, _] = self.all_games();
        let nodes: u64 = self.generations.iter().map(|done| done.nodes).sum();
        (
            format!("{} generations", self.generations.len()),
            format!("{} games, {} nodes", thousands(games), thousands(nodes)),
        )
    }

    fn links(&self, name: &str) -> Vec<(String, String)> {
        let mut links = Vec::new();
        for done in &self.generations {
            let number = done.generation;
            let file = format!("{name}/{}/generation-{number:03}.pgn", self.folder);
            if done.has_games && (number == 0 || done.new_elite) {
                links.push((format!("{name}: games of generation {number}"), file));
            }
        }
        if self.keeps_duels && !self.generations.is_empty() {
            // A file for each generation would be hundreds of links.
            let folder = format!("{name}/{}/", self.folder);
            links.push((format!("{name}: games of all duels"), folder));
        }
        links
    }

    fn warnings(&self) -> Vec<String> {
        let [games, decisive] = self.all_games();
        let clones = self.clones.map(clones_text);
        clones
            .into_iter()
            .chain(indecisive(games, decisive))
            .collect()
    }

    fn evolved(&self) -> Option<Evolved<'_>> {
        Some(Evolved {
            rows: Some(self.rows.clone()),
            first: Some(&self.first),
            last: &self.elite,
            all: self.population.iter().collect(),
        })
    }

    fn searches_evolved(&self) -> bool {
        self.searches_evolved
    }

    fn part(&self, name: &str) -> Option<Part> {
        Some(Part::Games(course(name, self)))
    }
}

/// The elites that were measured, the first at 0.
fn course(name: &str, result: &CoevolutionResult) -> EloCourse {
    let first: Vec<i32> = result
        .rows
        .iter()
        .map(|&row| result.first.row(row))
        .collect();
    let at = |generation, elo, interval| EloPoint {
        generation,
        elo,
        interval,
    };
    let (mut points, mut bounds) = (vec![at(0, 0.0, None)], Vec::new());
    let mut is_first = true;
    for done in &result.generations {
        let was_first = std::mem::replace(&mut is_first, done.elite == first);
        let games = 2 * done.gauge.pairs();
        let point = match done.gauge.elo() {
            // Back at the first champion, there is nothing to measure.
            _ if is_first && !was_first => at(done.generation, 0.0, None),
            Some(Difference { elo, interval }) if done.new_elite && games > 0 => {
                at(done.generation, elo, interval)
            }
            // No difference is as large as that between all and nothing.
            None if done.new_elite && games > 0 => {
                let half_a_game = 0.5 / games as f64;
                let bound = elo(done.gauge.score().clamp(half_a_game, 1.0 - half_a_game));
                bounds.push((done.generation, done.gauge.score() > 0.5));
                at(done.generation, bound, None)
            }
            _ => continue,
        };
        points.retain(|known| known.generation != done.generation);
        points.push(point);
    }
    EloCourse {
        phase: name.to_string(),
        generations: result.generations.len() as u32,
        points,
        bounds,
        games: result.games.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::statistics::Pentanomial;
    use crate::report::night::{Night, figures, games};

    /// One row evolves, whose value names the elite; the first champion's is 0.
    fn elo_course(generations: &[(i32, [u64; 5])]) -> EloCourse {
        let row = Row::all().next().unwrap();
        let first = ParamSet::missing();
        let mut elite = first.row(row);
        let one = |(number, &(value, counts)): (usize, &(i32, [u64; 5]))| {
            let new_elite = std::mem::replace(&mut elite, value) != value;
            Generation {
                generation: number as u32,
                games: [2, 1],
                new_elite,
                has_games: true,
                gauge: Pentanomial { counts },
                elite: vec![value],
                nodes: 0,
            }
        };
        let generations = generations.iter().enumerate().map(one).collect();
        course(
            "games",
            &CoevolutionResult {
                generations,
                rows: vec![row],
                searches_evolved: false,
                elite: first.clone(),
                first,
                population: Vec::new(),
                games: String::new(),
                folder: "games",
                keeps_duels: false,
                clones: None,
            },
        )
    }

    #[test]
    fn an_elite_that_is_the_first_champion_again_is_at_0() {
        let own = ParamSet::missing().row(Row::all().next().unwrap());
        let gauge = [0, 0, 2, 2, 0];
        let course = elo_course(&[
            (own, [0; 5]),
            (own + 1, gauge),
            (own, [0; 5]),
            (own, [0; 5]),
        ]);
        let points: Vec<(u32, bool)> = (course.points.iter())
            .map(|point| (point.generation, point.elo == 0.0))
            .collect();
        assert_eq!(points, [(0, true), (1, false), (2, true)]);
        assert!(course.bounds.is_empty());
    }

    #[test]
    fn all_or_none_of_the_points_are_drawn_at_a_bound() {
        let own = ParamSet::missing().row(Row::all().next().unwrap());
        let course = elo_course(&[
            (own, [0; 5]),
            (own + 1, [0, 0, 0, 0, 2]),
            (own + 2, [2, 0, 0, 0, 0]),
        ]);
        // Three and a half of four points.
        let bound = elo(0.875);
        let elos: Vec<f64> = course.points.iter().map(|point| point.elo).collect();
        assert_eq!(elos[..2], [0.0, bound]);
        assert!((elos[2] + bound).abs() < 1e-9);
        let night = Night {
            coevolutions: vec![course],
            ..Night::default()
        };
        let page = games(&night, &figures(&night).unwrap(), 0);
        let said = "all of the points in generation 1 and none of the points in generation 2";
        assert!(page.contains(said), "{page}");
    }
}
