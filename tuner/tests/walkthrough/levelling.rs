//! The kind `levelling`: an evaluation that calls as many positions level as it can.

use super::context::{PhaseContext, Role};
use super::kind::Kind;
use super::methods;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::start::Start;
use super::summary::{Part, PhaseFiles, Summary};
use crate::base::names::BEST_NAME;
use crate::base::progress::{News, Step};
use crate::config::evolution::{Evolution, Runs};
use crate::config::grandmaster::Layout;
use crate::data::suite::{Need, Suite};
use crate::drive::{Generation, Objective, Place, Schedule, drive};
use crate::encoding::files::params_toml;
use crate::encoding::{Encoding, Phenotype, base};
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::fitness::level::{Judge, Level};
use engine::params::{ParamSet, Table};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

/// The registry's line.
pub const KIND: Kind =
    Kind::of::<LevellingKeys>("levelling", "Evolves an evaluation to call all level.");

/// Its keys.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevellingKeys {
    /// The parameters that evolve.
    pub layout: Layout,
    /// The positions (EPD).
    pub positions: PathBuf,
    /// The algorithm.
    pub evolution: Evolution,
    /// How many runs, from which seeds.
    pub runs: Runs,
}

impl Keys for LevellingKeys {
    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        let (mut positions, mut files) = (Vec::new(), context.recorded_files());
        if data {
            let path = context.path("positions", Role::Train, Some(&self.positions));
            let suite = Suite::load_with(Need::Solution, &path, None)?;
            let (sha256, count) = (&suite.sha256, suite.problems.len());
            files = vec![context.file("positions", &suite.path, sha256, count)];
            positions = suite.problems;
        }
        Ok(Box::new(Levelling {
            encoding: Encoding::new(self.layout.genes.clone(), base()),
            keys: self.clone(),
            positions,
            files,
        }))
    }
}

/// The phase.
#[derive(Debug)]
struct Levelling {
    keys: LevellingKeys,
    encoding: Encoding,
    positions: Vec<engine::epd::Epd>,
    files: Vec<DataFile>,
}

impl Phase for Levelling {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let schedule = Schedule {
            seeds: self.keys.runs.seeds.clone(),
            generations: self.keys.evolution.generations,
        };
        let mut game = Evolving {
            phase: self,
            best: Vec::new(),
        };
        let method = &self.keys.evolution.method;
        let begin = &mut |seed| methods::random(method, &self.encoding, seed);
        let complete = drive(&schedule, &mut game, executor, begin)?;
        let champion = game.best.last().map(|(_, champion)| champion.clone());
        Ok(PhaseOutcome {
            complete,
            champions: champion.into_iter().collect(),
            provenance: Vec::new(),
            summary: Box::new(Levelled(
                game.best.into_iter().map(|(count, _)| count).collect(),
            )),
        })
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none().with::<Level, _>(|| Ok(Judge(&self.positions)))
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: Some(&self.encoding),
            layouts: (vec![&self.keys.layout.name], vec![Table::Eval]),
            generations: u64::from(self.keys.evolution.generations),
        }
    }
}

/// A run on its way: the best of each generation, with how many positions it calls level.
struct Evolving<'a> {
    phase: &'a Levelling,
    best: Vec<(u64, ParamSet)>,
}

impl Objective for Evolving<'_> {
    type Candidate = Phenotype;
    type Error = RunError;

    fn heading(&self) -> &'static str {
        "run,generation,best\n"
    }

    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Phenotype>,
    ) -> Result<Option<Vec<u64>>, RunError> {
        let (run, generation) = (place.run.0, place.generation.0);
        let task = |(number, individual): (usize, &Phenotype)| Level {
            key: format!("run {run} generation {generation} individual {number}"),
            individual: Arc::new(self.phase.encoding.evaluation(individual)),
        };
        let tasks: Vec<Level> = (1..).zip(&batch.individuals).map(task).collect();
        let answers = executor.ask(&tasks, || Ok(Judge(&self.phase.positions)))?;
        Ok(answers.map(|answers| answers.into_iter().map(u64::from).collect()))
    }

    fn observe(
        &mut self,
        _: &mut Executor<'_>,
        generation: &Generation<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let best = generation.fitness[generation.elite];
        let champion = &generation.batch.individuals[generation.elite];
        self.best.push((best, self.phase.encoding.params(champion)));
        let place = generation.place;
        Ok(Some(News {
            step: Step::Generation,
            run: place.run,
            generation: place.generation,
            row: format!("{},{},{best}\n", place.run.0, place.generation.0),
            json: serde_json::json!({ "best": best }),
            facts: vec![format!("best {best}")],
            work: (self.phase.positions.len() as u64, "positions"),
        }))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        _: Place,
        _: bool,
    ) -> Result<(), RunError> {
        let Some((_, champion)) = self.best.last() else {
            return Ok(());
        };
        let text = params_toml(champion, &self.phase.outline().layouts, &Vec::new());
        Ok(executor.write(BEST_NAME, text)?)
    }
}

/// What there is to report: how many positions the best of each generation calls level.
#[derive(Debug)]
struct Levelled(Vec<u64>);

impl Summary for Levelled {
    fn steps_done(&self) -> u64 {
        self.0.len() as u64
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        Some(format!("the best calls {} positions level", self.0.last()?))
    }

    fn part(&self, _: &str) -> Option<Part> {
        None
    }
}
