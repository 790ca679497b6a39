//! The kind `ecm`: search parameters, by the nodes that a suite costs (2014 §IV). What a position costs says
//! [`crate::fitness::search_cost`].
//!
//! | file | job |
//! |---|---|
//! | `mod` | the phase: its suites, its files |
//! | `setting` | what it begins with |
//! | `objective` | what the individuals of a generation cost |
//! | `summary` | what there is to report |

mod champions;
mod objective;
pub mod setting;
mod summary;

pub use super::context::{HELD_OUT_SUITE as HELD_OUT, SUITE};
use super::context::{PhaseContext, Role, provenance_of, with_role};
use super::kind::Kind;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::sample::{Checked, LEAST, sample};
use super::start::{Start, with_evaluation};
use super::uses::DataUse;
use crate::base::names::{BEST_NAME, CHAMPIONS_NAME};
use crate::base::progress::duration;
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::config::coevolution::Initial;
use crate::config::ecm::{EcmKeys, SuitePart};
use crate::config::values::Whole;
use crate::data::suite::{Suite, SuiteError, left_out};
use crate::encoding::Encoding;
use crate::encoding::files::{Provenance, params_toml};
use crate::encoding::rows::{EVAL, SEARCH};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::{Task as _, Worker};
use crate::fitness::search_cost::{Answer, Found, Problem, Rule, costs};
use crate::fitness::suite::{self, Searching, Solve, Solved};
use crate::report::ecm::{
    EcmOutcome, EcmReport, EcmRun, NODES_NAME, SOLVED_NAME, Tally, nodes_figure, solved_figure,
};
use engine::epd::Epd;
use engine::params::{Gene, ParamSet, Table};
use engine::tt::TableError;
use objective::{Settings, evolve};
use setting::{Begin, Setting};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

/// The registry's line.
pub const KIND: Kind = Kind::of::<EcmKeys>(
    "ecm",
    "Evolves the search by the nodes that it needs for tactical positions (2014 §IV).",
)
.flat();

impl Keys for EcmKeys {
    fn genes_mut(&mut self) -> Option<&mut Vec<Gene>> {
        Some(&mut self.layout.genes)
    }

    fn uses(&self) -> Vec<DataUse<'_>> {
        vec![DataUse {
            role: SUITE.to_string(),
            path: &self.suite.train,
            part: self.suite.part,
            by_stretches: Rule::from(self.search).found == Found::Worth,
            is_learnt: true,
            held_out: Some(HELD_OUT),
        }]
    }

    fn trained_suite(&self) -> Option<&Path> {
        Some(&self.suite.train)
    }

    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        let keys = self.clone();
        Ok(Box::new(match data {
            true => Ecm::open(keys, context)?,
            false => Ecm::new(keys, context, context.recorded_files(), None),
        }))
    }
}

/// Role of the parameter file with what doesn't evolve.
pub const EVALUATION: &str = "parameters evaluation";

/// The phase.
#[derive(Debug)]
pub struct Ecm {
    /// The keys of its profile.
    pub keys: EcmKeys,
    /// What decides its course.
    pub settings: Settings,
    /// What evolves, without what it plays with beside.
    encoding: Encoding,
    origin: Provenance,
    files: Vec<DataFile>,
    data: Option<Data>,
    threads: usize,
}

/// What work needs beside the keys.
#[derive(Debug)]
struct Data {
    train: Vec<Problem>,
    test: Vec<Problem>,
    /// What doesn't evolve, unless it is a champion's.
    known: Option<ParamSet>,
    setting: Setting,
}

impl Ecm {
    /// With its data.
    ///
    /// # Errors
    /// A suite, the evaluation or a name is refused.
    pub fn open(keys: EcmKeys, context: &PhaseContext<'_>) -> Result<Ecm, RunError> {
        let path = context.path(SUITE, Role::Suite, Some(&keys.suite.train));
        let found = Rule::from(keys.search).found;
        let suite = Suite::load_with(found.need(), &path, keys.suite.count.map(Whole::get))?;
        let problems = found.problems(suite.problems);
        let in_part = |&(place, _): &(usize, &Problem)| keys.suite.part.has(place);
        let train: Vec<Problem> = (problems.iter().enumerate())
            .filter(in_part)
            .map(|(_, each)| each.clone())
            .collect();
        if let Some(sample) = keys
            .suite
            .sample
            .map(Whole::get)
            .filter(|&sample| sample >= train.len())
        {
            let expected = format!("more than the sample of {sample}");
            return Err(SuiteError::count(&suite.path, train.len(), expected).into());
        }
        let mut files = vec![context.file(SUITE, &suite.path, &suite.sha256, train.len())];
        // The rest of a parted suite is held out, unless another file takes its place.
        let parted = keys.suite.part != SuitePart::All;
        let own = Some(&keys.suite.train).filter(|_| parted);
        let written = keys.suite.test.as_ref().or(own);
        let held_out = match context.is_given(HELD_OUT, Role::HeldOutSuite) || written.is_some() {
            true => Some(context.path(HELD_OUT, Role::HeldOutSuite, written)),
            false => None,
        };
        let mut test = Vec::new();
        if let Some(path) = held_out {
            let is_rest = parted && path.canonicalize().ok() == Some(suite.path.clone());
            let other = match is_rest {
                true => None,
                false => Some(Suite::load_with(found.need(), &path, None)?),
            };
            // A copy of a suite that is halved is the suite.
            let other = other.filter(|file| !parted || file.sha256 != suite.sha256);
            let (path, sha256) = match other {
                None => {
                    let rest = problems.iter().enumerate().filter(|each| !in_part(each));
                    test = rest.map(|(_, each)| each.clone()).collect();
                    (suite.path, suite.sha256)
                }
                Some(file) => {
                    test = found.problems(file.problems);
                    (file.path, file.sha256)
                }
            };
            if train.is_empty() || test.is_empty() {
                let found = train.len() + test.len();
                return Err(SuiteError::count(&path, found, "two or more, to be parted").into());
            }
            files.push(context.file(HELD_OUT, &path, &sha256, test.len()));
        }
        let mut known = None;
        if let Some(written) = &keys.evaluation {
            let (params, of_params) = context.player(EVALUATION, &[written])?;
            known = Some(params);
            files.extend(of_params);
        }
        let in_doubt = |problems: &[Problem]| -> BTreeSet<usize> {
            let named = |position: &Epd| {
                let id = position.id.as_ref();
                id.is_some_and(|id| keys.suite.without.contains(id))
            };
            (0..problems.len())
                .filter(|&at| problems[at].iter().any(named))
                .collect()
        };
        // A name that no position has is refused.
        left_out(
            &[train.concat(), test.concat()].concat(),
            &keys.suite.without,
            &path,
        )?;
        let data = Data {
            setting: Setting {
                evaluation: Vec::new(),
                search: Vec::new(),
                later: BTreeMap::new(),
                in_doubt: in_doubt(&train),
                in_doubt_held_out: in_doubt(&test),
            },
            train,
            test,
            known,
        };
        Ok(Ecm::new(keys, context, files, Some(data)))
    }

    fn new(
        keys: EcmKeys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data>,
    ) -> Ecm {
        let count = |role| with_role(&files, role).map_or(0, |file| file.count);
        Ecm {
            settings: Settings::new(&keys, count(SUITE), count(HELD_OUT)),
            encoding: Encoding::new(keys.layout.genes.clone(), ParamSet::missing()),
            origin: context.origin(KIND.name),
            threads: context.threads,
            keys,
            files,
            data,
        }
    }

    /// What the phase begins with if these are the parameters that don't evolve.
    fn setting(&self, known: Option<&ParamSet>, data: &Data) -> Setting {
        let mut setting = data.setting.clone();
        if let Some(params) = known {
            setting.evaluation = EVAL.values(&params.eval);
            setting.later = EVAL.later(&params.eval);
            if self.keys.layout.is_part {
                setting.search = SEARCH.values(&params.search);
                setting.later.extend(SEARCH.later(&params.search));
            }
        }
        setting
    }

    /// What a report says of an outcome.
    pub fn report(&self, outcome: &EcmOutcome) -> EcmReport {
        EcmReport {
            layout: self.keys.layout.name.clone(),
            rows: self.keys.layout.genes.iter().map(Gene::row).collect(),
            cap: self.settings.cap,
            found: Rule::from(self.keys.search).found.to_string(),
            positions: self.settings.train,
            sample: Some(self.settings.sample).filter(|&sample| sample < self.settings.train),
            test_positions: self.settings.test,
            outcome: outcome.clone(),
        }
    }
}

impl Phase for Ecm {
    fn course(&self, start: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let champion = match (&self.keys.evaluation, start.champions.first()) {
            (Some(_), _) => None,
            (None, Some(champion)) => Some(champion),
            (None, None) => {
                return Err(RunError::NoStart);
            }
        };
        champion.map_or(Ok(()), with_evaluation)?;
        let spawn = || Ok(self.searching());
        let mut so_far =
            |executor: &mut Executor<'_>, outcome: &EcmOutcome| self.write_files(executor, outcome);
        if self.settings.initial == Initial::Champions && start.champions.is_empty() {
            return Err(RunError::NoStart);
        }
        let begin = (champion, &start.champions[..]);
        let outcome = evolve(&self.settings, begin, executor, &spawn, &mut so_far)?;
        self.write_files(executor, &outcome)?;
        let ranked = outcome.ranked();
        let best = ranked.first();
        Ok(PhaseOutcome {
            complete: outcome.complete,
            champions: ranked.iter().map(|(_, run)| run.champion.clone()).collect(),
            provenance: best.map_or(Vec::new(), |(index, run)| self.provenance(index + 1, run)),
            summary: Box::new(self.report(&outcome)),
        })
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none()
            .with::<Begin, _>(|| Ok(self.searching()))
            .with::<Solve, _>(|| Ok(self.searching()))
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: Some(&self.encoding),
            layouts: (
                vec![&self.keys.layout.name],
                vec![Table::Eval, Table::Search],
            ),
            generations: self.settings.schedule.all_generations(),
        }
    }

    fn leaves(&self, _: &Start) -> usize {
        self.settings.schedule.seeds.len()
    }

    /// Searches some positions with random individuals, and estimates the time.
    fn check(&self, start: &Start, _threads: usize) -> Result<Checked, RunError> {
        /// Positions that the miniature searches at most.
        const MINIATURE: usize = 40;
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        let settings = &self.settings;
        let known = data.known.as_ref().or(start.champions.first());
        let setting = self.setting(known, data);
        let encoding = Encoding::new(settings.genes.clone(), setting.params());
        let seed = settings.schedule.seeds.first().copied().unwrap_or(0);
        let first = super::methods::random(&settings.method, &encoding, seed)?.ask();
        let individuals = first.individuals.iter();
        let individuals: Vec<ParamSet> = individuals.map(|each| encoding.params(each)).collect();
        let couples: Vec<&[ParamSet]> = individuals.chunks(2).collect();
        let step = data.train.len().div_ceil(MINIATURE).max(1);
        let (mut nodes, mut solved, mut searches) = (0, 0, 0_u32);
        let (rule, stop) = (Rule::from(self.keys.search), Stop::default());
        // Other individuals each time, and other positions.
        let searched = sample(LEAST, couples.len().min(2), |round| {
            let problems = data.train.iter().skip(round % step).step_by(step);
            let problems: Vec<Problem> = problems.cloned().collect();
            let before = searches;
            let count = |Answer { cost, .. }| {
                nodes += cost.searched;
                solved += usize::from(cost.solved);
                searches += 1;
                Ok::<_, TableError>(ControlFlow::Continue(()))
            };
            let couple = couples[round % couples.len().max(1)];
            costs(couple, &problems, rule, self.threads, 0, &stop, count)?;
            Ok::<_, RunError>(f64::from(searches - before))
        })?;
        let seconds = searched.seconds;
        let samples = f64::from(settings.schedule.generations - 1) * settings.sample as f64;
        let mut whole = settings.method.individuals() as f64 * (samples + settings.train as f64);
        whole *= settings.schedule.seeds.len() as f64;
        let all = searched.time_of(whole);
        let text = format!(
            "Layout     {}: {} genes, {} bits\n\
             Runs       {} × {} generations × {} individuals × {} positions up to {} nodes\n\
             Held out   {} positions\n\
             Miniature  {searches} searches, {solved} solved, {nodes} nodes in {}, {:.0} nodes/s\n\
             Estimate   about {} on {}, less where individuals repeat",
            self.keys.layout.name,
            settings.genes.len(),
            encoding.shape.bits(),
            settings.schedule.seeds.len(),
            settings.schedule.generations,
            settings.method.individuals(),
            settings.train,
            settings.cap,
            settings.test,
            duration(seconds),
            nodes as f64 / seconds.max(1e-9),
            duration(all),
            counted(self.threads, "thread"),
        );
        Ok(Checked { text, seconds: all })
    }
}

/// Answers both kinds of tasks.
struct EcmWorker<'a> {
    phase: &'a Ecm,
    searching: Searching<'a>,
}

impl Ecm {
    fn searching(&self) -> EcmWorker<'_> {
        let rule = Rule::from(self.keys.search);
        let data = self.data.iter();
        let suites = data.flat_map(|data| [&data.train, &data.test]);
        let suites = suites.map(|problems| suite::Suite { problems, rule });
        EcmWorker {
            phase: self,
            searching: Searching::new(suites.collect()),
        }
    }
}

impl Worker<Begin> for EcmWorker<'_> {
    fn answer(&mut self, task: &Begin) -> Result<Setting, WorkError> {
        let Some(data) = &self.phase.data else {
            return Ok(task.worst());
        };
        let champion = task.champion.as_ref().map(|champion| &*champion.0);
        Ok(self.phase.setting(champion.or(data.known.as_ref()), data))
    }
}

impl Worker<Solve> for EcmWorker<'_> {
    fn answer(&mut self, task: &Solve) -> Result<Solved, WorkError> {
        self.searching.answer(task)
    }

    fn place(&self) -> String {
        self.searching.place()
    }
}
