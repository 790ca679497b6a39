//! The duels of a compact population, as an objective of the driver: individuals are drawn from what the
//! population is like, play a duel, and are forgotten; see [`crate::evolution::compact`].
//!
//! Duels are mostly too many for their games to be kept: the journal has their points, unless the
//! profile says `keep_games`. The games of the mean individual with the first champion are written
//! like those of any other coevolution.

use super::objective::Course;
use super::{Coevolution, Generation, Played, news};
use crate::base::progress::News;
use crate::base::statistics::Pentanomial;
use crate::config::coevolution::Compact as Keys;
use crate::drive::{Generation as Valued, Objective, Place};
use crate::encoding::{Encoding, Phenotype};
use crate::error::RunError;
use crate::evolution::algorithm::{Batch, GeneStatistics};
use crate::exec::executor::Executor;
use crate::fitness::games::{Duel, Match, Points};
use std::sync::Arc;

/// What the duels have said of each row.
const EVIDENCE_NAME: &str = "evidence.csv";

/// Individuals of the last generation that show the spread of the population.
pub const SHOWN: usize = 16;

/// See the module.
pub struct Duels<'a> {
    /// The phase.
    pub phase: &'a Coevolution,
    /// Its keys.
    pub keys: &'a Keys,
    /// What evolves.
    pub encoding: &'a Encoding,
    /// What the population was like at the beginning.
    pub before: Vec<GeneStatistics>,
    /// Of all duels of this generation.
    pub all: Points,
    /// What has come of it until now.
    pub course: Course,
}

impl Duels<'_> {
    /// The points of duels whose games are kept, in the journal and as PGN.
    fn kept(
        &self,
        executor: &mut Executor<'_>,
        generation: u32,
        duels: Vec<Duel>,
    ) -> Result<Option<Vec<Points>>, RunError> {
        let matches: Vec<Match> = duels.into_iter().map(|Duel(task)| task).collect();
        let Some(games) = executor.ask(&matches, || self.phase.games.player())? else {
            return Ok(None);
        };
        let played: Played = matches.into_iter().zip(games).collect();
        self.phase
            .write_games(executor, "duels", generation, &played)?;
        let points = played
            .iter()
            .map(|(task, games)| Points::of(games, task.colours));
        Ok(Some(points.collect()))
    }

    /// Row by row what the duels have said, and where the population stands.
    fn evidence_csv(&self, now: &[GeneStatistics]) -> String {
        let mut text = "row,evidence,mean,deviation\n".to_string();
        for (gene, now) in self.encoding.genes.iter().zip(now) {
            let name = gene.spec().name;
            let GeneStatistics {
                mean,
                deviation,
                evidence,
            } = now;
            text += &format!("{name},{evidence:.2},{mean:.2},{deviation:.2}\n");
        }
        text
    }
}

impl Objective for Duels<'_> {
    type Candidate = Phenotype;
    type Error = RunError;

    fn heading(&self) -> &'static str {
        news::DUELS_HEADING
    }

    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Phenotype>,
    ) -> Result<Option<Vec<u64>>, RunError> {
        let generation = place.generation.0;
        let plan = &self.phase.games;
        let each = self.phase.keys.games.each();
        let per_duel = plan.openings(each, 0).len() as u64;
        let duels = batch.individuals.len() / 2;
        let mut opening = u64::from(generation) * duels as u64 * per_duel;
        let (mut tasks, mut of) = (Vec::new(), Vec::new());
        for (duel, rivals) in batch.individuals.chunks_exact(2).enumerate() {
            let player = |side: usize| Arc::new(self.encoding.params(&rivals[side]));
            let players = [0, 1].map(player);
            for (opening, colours) in plan.openings(each, opening) {
                let name = |side: &str| format!("generation {generation} duel {} {side}", duel + 1);
                tasks.push(Duel(Match {
                    key: format!(
                        "generation {generation}: duel {} opening {opening}",
                        duel + 1
                    ),
                    players: players.clone(),
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
            true => self.kept(executor, generation, tasks)?,
            false => executor.ask(&tasks, || plan.player())?,
        };
        let Some(answers) = answers else {
            return Ok(None);
        };
        let mut results = vec![Points::default(); duels];
        self.all = Points::default();
        for (duel, points) in of.into_iter().zip(&answers) {
            results[duel].add(points);
            self.all.add(points);
        }
        let halves = results.iter().flat_map(|points| points.halves);
        Ok(Some(halves.map(u64::from).collect()))
    }

    fn observe(
        &mut self,
        executor: &mut Executor<'_>,
        valued: &Valued<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let generation = valued.number();
        let elite = valued.population.mean().unwrap_or_default();
        let mean = self.encoding.params(&elite);
        let mut played = Vec::new();
        let first = &self.course.first;
        let gauge = match self.keys.is_gauged(generation) && mean != *first {
            true => {
                let gauged = [(&mean, "mean"), (first, "first champion")];
                (self.phase).gauge(executor, generation, gauged, &mut played)?
            }
            false => Some(Pentanomial::default()),
        };
        let Some(gauge) = gauge else {
            return Ok(None);
        };
        if !played.is_empty() {
            self.phase
                .write_games(executor, "generation", generation, &played)?;
        }
        self.all.add(&Points::of_all(&played));
        let done = Generation {
            generation,
            games: [self.all.games, self.all.decisive],
            new_elite: gauge.pairs() > 0,
            has_games: !played.is_empty(),
            gauge,
            elite,
            nodes: self.all.nodes,
        };
        let now = valued.population.statistics();
        executor.write(EVIDENCE_NAME, self.evidence_csv(&now))?;
        let (spread, evidence) = (spread(&self.before, &now), evidence(&now));
        let said = news::of_duels(&done, (spread, evidence), valued.place.generation.1);
        // The mean alone: individuals drawn from the population are much weaker, and another phase
        // says how far it wants to look around.
        self.course.champions = vec![mean];
        let shown = valued.batch.individuals.iter().take(SHOWN);
        self.course.population = shown.map(|values| self.encoding.params(values)).collect();
        self.course.generations.push(done);
        Ok(Some(said))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        _: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        self.course.write(self.phase, executor, finished)
    }

    fn at(&self, place: Place) -> String {
        format!("generation {}", place.generation.0)
    }
}

/// What is left of the standard deviations, on average, in per cent.
fn spread(before: &[GeneStatistics], now: &[GeneStatistics]) -> f64 {
    let genes = now.iter().zip(before);
    let left = genes.filter(|(_, before)| before.deviation > 0.0);
    let left: Vec<f64> = left
        .map(|(now, before)| now.deviation / before.deviation)
        .collect();
    100.0 * (left.iter().sum::<f64>() / left.len() as f64)
}

/// The mean of what the duels have said of the genes, squared; 1 by chance alone.
fn evidence(now: &[GeneStatistics]) -> f64 {
    let squares = now.iter().map(|gene| gene.evidence * gene.evidence);
    squares.sum::<f64>() / (now.len() as f64).max(1.0)
}
