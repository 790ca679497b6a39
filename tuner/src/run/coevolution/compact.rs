//! Coevolution with a compact population: individuals are drawn from what the population is like,
//! play a duel, and are forgotten; see [`crate::evolution::compact`].
//!
//! Duels are mostly too many for their games to be kept: the journal has their points, unless the
//! profile says `keep_games`. The games of the mean individual with the first champion are written
//! like those of any other coevolution.

use super::{Coevolution, Course, Generation, Played, Points};
use crate::config::{Compact as Keys, Initial};
use crate::evolution::compact::{Compact, Marginal, Rivals};
use crate::play::record::GameRecord;
use crate::progress::{News, Step};
use crate::run::RunError;
use crate::run::desk::Desk;
use crate::run::games::{GamePlayer, Match};
use crate::run::genotype::Genotype;
use crate::run::phase::{Task, Worker};
use crate::statistics::Pentanomial;
use engine::params::{Gene, ParamSet};

/// First line of the table of generations.
const HEADING: &str =
    "run,generation,games,decisive,spread,evidence,gauge_pairs,gauge_percent,nodes\n";

/// What the duels have said of each row.
const EVIDENCE_NAME: &str = "evidence.csv";

/// Duels whose individuals show the spread of the population.
const SHOWN: usize = 8;

/// The state between generations.
pub struct CompactCourse<'a> {
    phase: &'a Coevolution,
    keys: &'a Keys,
    genotype: Genotype,
    population: Compact,
    /// From whom the mean's Elo is counted: the first champion, or the middle of all ranges.
    first: ParamSet,
    /// Standard deviations to begin with.
    spread: Vec<f64>,
}

impl<'a> CompactCourse<'a> {
    /// Generation 0, like these founders.
    ///
    /// # Errors
    /// It is to be like champions, and there are none, or none of its genes has any spread.
    pub fn new(
        phase: &'a Coevolution,
        keys: &'a Keys,
        genotype: Genotype,
        founders: &[ParamSet],
    ) -> Result<CompactCourse<'a>, RunError> {
        let marginal = |gene: &Gene| match keys.initial {
            Initial::Random => Marginal::uniform(range(gene)),
            Initial::Champions => {
                let numbers: Vec<i32> = founders.iter().map(|params| params.get(gene)).collect();
                Marginal::of(range(gene), &numbers, keys.spread())
            }
        };
        let marginals: Vec<Marginal> = genotype.genes.iter().map(marginal).collect();
        let spread: Vec<f64> = marginals.iter().map(Marginal::deviation).collect();
        if spread.iter().all(|&deviation| deviation == 0.0) {
            return Err(RunError::NoSpread);
        }
        let population = Compact::new(marginals, keys.population(), phase.seed());
        let first = match (keys.initial, founders) {
            (Initial::Random, _) => genotype.params(&population.mean()),
            (Initial::Champions, [first, ..]) => {
                genotype.params(&genotype.phenotype(&genotype.genome(first)))
            }
            (Initial::Champions, []) => return Err(RunError::NoStart),
        };
        Ok(CompactCourse {
            phase,
            keys,
            genotype,
            population,
            first,
            spread,
        })
    }

    fn mean(&self) -> ParamSet {
        self.genotype.params(&self.population.mean())
    }

    /// What is left of the standard deviations, on average.
    fn spread(&self) -> f64 {
        let now = self.population.marginals().iter().map(Marginal::deviation);
        let left = now.zip(&self.spread).filter(|(_, before)| **before > 0.0);
        let left: Vec<f64> = left.map(|(now, before)| now / before).collect();
        left.iter().sum::<f64>() / left.len() as f64
    }

    /// One generation's duels; `None` if the desk ends.
    fn duels(&mut self, desk: &mut Desk<'_>, generation: u32) -> Result<Option<Points>, RunError> {
        let (plan, duels) = (&self.phase.games, self.keys.duels());
        let rivals = std::iter::repeat_with(|| self.population.rivals());
        let rivals: Vec<Rivals> = rivals.take(duels as usize).collect();
        let params = |rivals: &Rivals| rivals.each_ref().map(|rival| self.genotype.params(rival));
        let players: Vec<[ParamSet; 2]> = rivals.iter().map(params).collect();
        let each = self.phase.keys.games.each();
        let per_duel = plan.openings(each, 0).len() as u64;
        let mut opening = u64::from(generation) * duels * per_duel;
        let (mut tasks, mut of) = (Vec::new(), Vec::new());
        for (duel, [first, second]) in players.iter().enumerate() {
            for (opening, colours) in plan.openings(each, opening) {
                let name = |side: &str| format!("generation {generation} duel {} {side}", duel + 1);
                tasks.push(Duel(Match {
                    key: format!(
                        "generation {generation}: duel {} opening {opening}",
                        duel + 1
                    ),
                    players: [first, second],
                    names: [name("one"), name("two")],
                    opening,
                    colours,
                    is_repeatable: plan.is_repeatable(),
                }));
                of.push(duel);
            }
            opening += per_duel;
        }
        let answers = match self.keys.keep_games {
            true => self.kept(desk, generation, tasks)?,
            false => desk.ask(&tasks, || plan.hire())?,
        };
        let Some(answers) = answers else {
            return Ok(None);
        };
        let mut results = vec![Points::default(); rivals.len()];
        for (duel, points) in of.into_iter().zip(&answers) {
            results[duel].add(points);
        }
        for (rivals, points) in rivals.iter().zip(&results) {
            self.population.learn(rivals, points.outcome());
        }
        let mut all = Points::default();
        answers.iter().for_each(|points| all.add(points));
        Ok(Some(all))
    }

    /// The points of duels whose games are kept, in the journal and as PGN.
    fn kept(
        &self,
        desk: &mut Desk<'_>,
        generation: u32,
        duels: Vec<Duel<'_>>,
    ) -> Result<Option<Vec<Points>>, RunError> {
        let matches: Vec<Match<'_>> = duels.into_iter().map(|Duel(task)| task).collect();
        let Some(games) = desk.ask(&matches, || self.phase.games.hire())? else {
            return Ok(None);
        };
        let played: Played<'_> = matches.into_iter().zip(games).collect();
        self.phase.write_games(desk, "duels", generation, &played)?;
        let points = |(task, games): &(Match<'_>, Vec<GameRecord>)| Points::of(games, task.colours);
        Ok(Some(played.iter().map(points).collect()))
    }

    /// The mean of what the duels have said of the genes, squared; 1 by chance alone.
    fn evidence(&self) -> f64 {
        let all = self.population.evidence();
        all.iter().map(|one| one * one).sum::<f64>() / (all.len() as f64).max(1.0)
    }

    /// Row by row what the duels have said, and where the population stands.
    fn evidence_csv(&self) -> String {
        let mut text = "row,evidence,mean,deviation\n".to_string();
        let evidence = self.population.evidence();
        let rows = self.genotype.genes.iter().zip(self.population.marginals());
        for ((gene, marginal), evidence) in rows.zip(evidence) {
            let (name, mean, deviation) = (gene.spec().name, marginal.mean, marginal.deviation());
            text += &format!("{name},{evidence:.2},{mean:.2},{deviation:.2}\n");
        }
        text
    }

    fn news(&self, done: &Generation) -> News<'static> {
        let (spread, evidence) = (100.0 * self.spread(), self.evidence());
        let gauge = match done.gauge.pairs() {
            0 => String::new(),
            _ => format!("{:.2}", 100.0 * done.gauge.score()),
        };
        let elo = done
            .gauge
            .elo()
            .map(|gauge| format!("mean {}", gauge.short_text()));
        News {
            step: Step::Generation,
            run: (1, 1),
            generation: (done.generation, self.keys.generations()),
            row: format!(
                "1,{},{},{},{spread:.2},{evidence:.3},{},{gauge},{}\n",
                done.generation,
                done.games[0],
                done.games[1],
                done.gauge.pairs(),
                done.nodes,
            ),
            json: serde_json::json!({
                "spread": spread,
                "evidence": evidence,
                "games": done.games[0],
                "decisive": done.games[1],
                "gauge": done.gauge.counts,
            }),
            facts: elo
                .into_iter()
                .chain([
                    format!("evidence {evidence:.1}"),
                    format!("spread {spread:.0} %"),
                    format!("{} games", done.games[0]),
                ])
                .collect(),
            work: (done.nodes, "nodes"),
        }
    }
}

impl Course for CompactCourse<'_> {
    fn generation(
        &mut self,
        desk: &mut Desk<'_>,
        before: Option<&Generation>,
    ) -> Result<Option<Generation>, RunError> {
        let generation = before.map_or(0, |before| before.generation + 1);
        let Some(mut all) = self.duels(desk, generation)? else {
            return Ok(None);
        };
        let (mean, first) = (self.mean(), self.first.clone());
        let mut played = Vec::new();
        let gauge = match self.keys.is_gauged(generation) && mean != first {
            true => {
                let gauged = [(&mean, "mean"), (&first, "first champion")];
                self.phase.gauge(desk, generation, gauged, &mut played)?
            }
            false => Some(Pentanomial::default()),
        };
        let Some(gauge) = gauge else {
            return Ok(None);
        };
        if !played.is_empty() {
            self.phase
                .write_games(desk, "generation", generation, &played)?;
        }
        all.add(&Points::of_all(&played));
        let done = Generation {
            generation,
            games: [all.games, all.decisive],
            new_elite: gauge.pairs() > 0,
            has_games: !played.is_empty(),
            gauge,
            elite: self.population.mean(),
            nodes: all.nodes,
        };
        desk.write(EVIDENCE_NAME, self.evidence_csv())?;
        desk.generation_done(HEADING, &self.news(&done))?;
        Ok(Some(done))
    }

    fn first(&self) -> &ParamSet {
        &self.first
    }

    /// The mean alone: individuals drawn from the population are much weaker, and another phase
    /// says how far it wants to look around.
    fn champions(&self, _: &Generation) -> Vec<ParamSet> {
        vec![self.mean()]
    }

    /// Drawn from the population, which doesn't notice.
    fn population(&self) -> Vec<ParamSet> {
        let mut population = self.population.clone();
        let rivals = std::iter::repeat_with(|| population.rivals());
        let drawn = rivals.take(SHOWN).flatten();
        drawn.map(|values| self.genotype.params(&values)).collect()
    }

    fn clones(&self) -> Option<usize> {
        // A population without any spread is refused.
        None
    }

    fn games(&self) -> (u64, String) {
        let games = self.phase.games.games(self.phase.keys.games.each()) * self.keys.duels();
        let gauges = self.keys.games_of_gauges() / u64::from(self.keys.generations());
        (games + gauges, format!("{} duels", self.keys.duels()))
    }
}

fn range(gene: &Gene) -> (i32, i32) {
    let widest = i32::try_from((1_i64 << gene.bits) - 1).unwrap_or(i32::MAX);
    (gene.low, gene.high.min(gene.low.saturating_add(widest)))
}

/// The games of two individuals from one opening, of which only the points are kept.
struct Duel<'a>(Match<'a>);

impl Task for Duel<'_> {
    type Answer = Points;

    fn key(&self) -> String {
        self.0.key()
    }

    fn digest(&self) -> String {
        self.0.digest()
    }

    fn is_repeatable(&self) -> bool {
        self.0.is_repeatable()
    }

    fn fits(&self, points: &Points) -> bool {
        let halves: u64 = points.halves.iter().map(|&halves| u64::from(halves)).sum();
        let games = self.0.colours.of_first().len() as u64;
        points.games <= games && points.decisive <= points.games && halves == 2 * points.games
    }

    /// Nobody gets a point, as elsewhere.
    fn worst(&self) -> Points {
        Points::default()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }
}

impl Worker<Duel<'_>> for GamePlayer {
    fn answer(&mut self, Duel(task): &Duel<'_>) -> Result<Points, RunError> {
        let games = self.play(task.players, task.opening, task.colours)?;
        Ok(Points::of(&games, task.colours))
    }

    fn place(&self) -> String {
        Worker::<Match<'_>>::place(self)
    }
}
