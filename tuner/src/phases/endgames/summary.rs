//! What there is to report of a phase that evolves programs.

use super::champion::{Champion, deciding};
use super::lineage::{counts, csv};
use super::notes::{Note, RunSoFar};
use crate::base::names::BEST_PROGRAM_NAME;
use crate::base::statistics::{Rate, counted, thousands};
use crate::fitness::endgames::Tally;
use crate::phases::measured::{HeldOut, Measured, MeasuredRun, Point};
use crate::phases::summary::{Part, PhaseFiles, Summary, indecisive};
use crate::report::ReportError;
use crate::report::figures::{Course, Curves, Figure, curves};
use crate::report::plain::PlainSection;
use std::fmt::Write as _;

/// See the module.
#[derive(Debug)]
pub struct EndgamesSummary {
    /// The endings.
    pub endings: Vec<String>,
    /// Whom the best played, if anybody.
    pub rival: Option<String>,
    /// Programs of a generation.
    pub population: u64,
    /// Lessons that each of them gets, if any.
    pub lessons: Option<u64>,
    /// Half points that the best of a generation and a champion can win of those who decide.
    pub full: [u64; 2],
    /// The best of all runs until now.
    pub best: Option<Champion>,
    /// The champions of the runs that have ended.
    pub champions: Vec<Champion>,
    /// The generations of all runs.
    pub runs: Vec<RunSoFar>,
}

impl EndgamesSummary {
    fn best_text(&self) -> Option<String> {
        let best = self.best.as_ref()?;
        let nodes = best.player.0.trees().map(|tree| tree.nodes().len());
        Some(format!(
            "run {}, generation {}: {}, {} nodes",
            best.run,
            best.generation,
            best.scores_text(self.rival.as_deref().unwrap_or("the rival")),
            nodes.iter().sum::<usize>()
        ))
    }

    fn games(&self) -> Tally {
        let mut games = Tally::default();
        let notes = self.runs.iter().flat_map(|(_, notes)| notes);
        notes.for_each(|note| games.add(&note.games));
        games
    }

    /// Nodes of the best and of the mean, by generation.
    ///
    /// # Errors
    /// It can't be drawn.
    pub fn growth(&self, name: &str) -> Result<Option<Figure>, ReportError> {
        self.figure(name, "Nodes of the three trees together", |note| {
            (note.generation, note.nodes.0 as f64, note.nodes.1)
        })
    }

    /// Depth of the same.
    fn depths(&self, name: &str) -> Result<Option<Figure>, ReportError> {
        self.figure(name, "Levels of the deepest tree", |note| {
            (note.generation, note.depth.0 as f64, note.depth.1)
        })
    }

    fn figure(
        &self,
        name: &str,
        what: &str,
        point: impl Fn(&Note) -> (u32, f64, f64),
    ) -> Result<Option<Figure>, ReportError> {
        if self.runs.is_empty() {
            return Ok(None);
        }
        let course = |(_, notes): &RunSoFar| -> Course { notes.iter().map(&point).collect() };
        let runs: Vec<Course> = self.runs.iter().map(course).collect();
        let describe = (1..).zip(&runs).filter_map(|(number, run)| {
            let (first, last) = (run.first()?, run.last()?);
            Some(format!(
                "Run {number}: from a mean of {:.1} in generation {} to {:.1} in generation {}.",
                first.2, first.0, last.2, last.0
            ))
        });
        let figure = curves(Curves {
            name: name.to_string(),
            title: format!("{what}, by generation"),
            heading: what.to_lowercase(),
            description: describe.collect::<Vec<_>>().join(" "),
            runs,
            mark: None,
        });
        figure.map(Some)
    }

    /// The scores of the best of generations, a line each.
    fn strengths(&self) -> String {
        let mut all = self.runs.iter().flat_map(|(_, notes)| notes);
        let tested = all.any(|note| note.known.is_some());
        let mut text =
            "run  generation  against random moves    against the rival      against Eyas"
                .to_string();
        text += if tested {
            "            lessons\n"
        } else {
            "\n"
        };
        for (run, (_, notes)) in (1..).zip(&self.runs) {
            for note in notes {
                let Some(gauge) = &note.gauge else { continue };
                let cell = |tally: &Option<Tally>| {
                    tally.map_or("–".to_string(), |one| {
                        let won = one.mates[0] + one.advantages[0];
                        let lost = one.mates[1] + one.advantages[1];
                        format!("{:.3} (+{won} ={} -{lost})", one.score(), one.draws)
                    })
                };
                let [random, rival, engine] = gauge.each_ref().map(cell);
                let _ = write!(
                    text,
                    "{run:>3}  {:>10}  {random:<22} {rival:<22} ",
                    note.generation
                );
                let _ = match &note.known {
                    Some(known) => writeln!(text, "{engine:<23} {:.2} %", 100.0 * known.part()),
                    None => writeln!(text, "{engine}"),
                };
            }
        }
        text
    }
}

impl Summary for EndgamesSummary {
    fn steps_done(&self) -> u64 {
        self.runs.iter().map(|(_, notes)| notes.len() as u64).sum()
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        Some(format!("the best program is of {}", self.best_text()?))
    }

    fn best_so_far(&self) -> Option<String> {
        Some(format!("best program of {}", self.best_text()?))
    }

    fn row(&self, _: PhaseFiles<'_>) -> (String, String) {
        (
            format!(
                "{}, {} generations",
                counted(self.runs.len(), "run"),
                self.steps_done()
            ),
            format!("{} games", thousands(self.games().games())),
        )
    }

    fn links(&self, name: &str) -> Vec<(String, String)> {
        let link = |file| {
            (
                format!("{name}: the best program"),
                format!("{name}/{file}"),
            )
        };
        self.program().map(link).into_iter().collect()
    }

    fn warnings(&self) -> Vec<String> {
        let games = self.games();
        let decisive = games.games() - games.draws;
        indecisive(games.games().into(), decisive.into())
            .into_iter()
            .collect()
    }

    /// Half points of those who decide. What is measured is the best alone, so a generation has no mean.
    fn measured(&self, _: PhaseFiles<'_>) -> Option<Measured> {
        let [full, held_out_full] = self.full;
        let runs = self.runs.iter().map(|(seed, notes)| {
            let course = notes.iter().filter_map(|note| {
                Some(Point {
                    evaluations: self.population * (u64::from(note.generation) + 1),
                    best: u64::from(deciding(note.gauge.as_ref()?).halves()),
                    mean: None,
                })
            });
            let last = self.champions.iter().find(|one| one.seed == *seed);
            MeasuredRun {
                seed: *seed,
                course: course.collect(),
                held_out: last.map(|champion| {
                    let games = deciding(&champion.scores);
                    let (score, reach) = (100.0 * games.score(), 196.0 * games.error());
                    HeldOut {
                        points: u64::from(games.halves()),
                        rate: Rate {
                            percent: score,
                            low: (score - reach).max(0.0),
                            high: (score + reach).min(100.0),
                        },
                    }
                }),
            }
        });
        Some(Measured {
            unit: "half_points",
            of: "half points",
            full,
            held_out_full: Some(held_out_full),
            runs: runs.collect(),
        })
    }

    fn program(&self) -> Option<&'static str> {
        (!self.champions.is_empty()).then_some(BEST_PROGRAM_NAME)
    }

    fn part(&self, name: &str) -> Option<Part> {
        if self.runs.is_empty() {
            return None;
        }
        let games = self.games();
        let per_cent = |count: u32| 100.0 * f64::from(count) / f64::from(games.games().max(1));
        let mates: u32 = games.mates.iter().sum();
        let advantages: u32 = games.advantages.iter().sum();
        let endings = self.endings.join(", ");
        let mut paragraphs = vec![match self.lessons {
            Some(lessons) if games.games() == 0 => format!(
                "Programs that play {endings} by one ply, evolved by {} lessons a generation, without games.",
                thousands(lessons)
            ),
            _ => format!(
                "Programs that play {endings} by one ply, evolved by {} games against each other: {:.1} % ended with a \
                 mate, {:.1} % with more material for one side, {:.1} % with a draw.",
                thousands(games.games()),
                per_cent(mates),
                per_cent(advantages),
                per_cent(games.draws)
            ),
        }];
        if self.lessons.is_some() {
            paragraphs.push(
                "A lesson is a position with every move that keeps its value. It counts as often as it has moves that \
                 lose value; where several moves seem equal to a program, the part of these that keep it counts."
                    .to_string(),
            );
        }
        paragraphs.push(
            "A score is the part of the points as in a tournament: 1 for a mate or more material in the end, ½ for a \
             draw. Points in generations are of games against peers, who change too, so they say nothing of strength; \
             the table of scores does. Its best score is the best of many, by chance too; the champion’s last match \
             is from starts that nobody has seen."
                .to_string(),
        );
        let mut texts = vec![(
            "Scores of the best of generations".to_string(),
            self.strengths(),
        )];
        if let Some(best) = &self.best {
            let text = self.best_text().unwrap_or_default();
            paragraphs.push(format!("The champion is of {text}."));
            let trees = best.player.0.trees();
            let names = ["advantage", "even", "disadvantage"];
            let trees = names.iter().zip(trees);
            let trees = trees.map(|(name, tree)| format!("({name}\n  {})\n", tree.to_text(2, 100)));
            texts.push(("The champion’s trees".to_string(), trees.collect()));
            texts.push((
                format!("Its line: {}", counts(&best.lineage)),
                csv(&best.lineage),
            ));
        }
        let figures = [
            (self.growth(&format!("{name}-nodes")), "nodes"),
            (self.depths(&format!("{name}-depth")), "levels"),
        ];
        let caption =
            |what| format!("{what} of the best program of each generation, and of the mean.");
        let figures = figures.into_iter();
        let figures = figures.filter_map(|(figure, what)| Some((figure.ok()??, caption(what))));
        Some(Part::Plain(PlainSection {
            title: "Endgame programs".to_string(),
            result: self.best_text(),
            paragraphs,
            figures: figures.collect(),
            texts,
        }))
    }
}
