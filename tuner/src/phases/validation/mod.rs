//! Validation as a phase of a run: before anything is called better, the champion is tried on
//! what no phase has learnt from, and in games against what was there before.
//!
//! - On held-out positions it is counted how often a 1-ply search chooses the move played, as in
//!   phase 1, and if wanted what that count is when a weight is halved or half of it is added:
//!   weights that matter show here.
//! - On tactical suites it is counted what is solved and how many nodes that takes, as in phase
//!   `ecm`, and if wanted what that is when a search parameter is changed in the same way.
//! - In a match, each opening is played with both colours. After every 16 pairs a sequential
//!   test looks at the results, so the match ends when enough is known, or after the pairs that the
//!   profile allows.
//!
//! The verdict is *better* if the test accepts `elo1` or the 95 % interval of the Elo difference
//! lies above 0, *worse* if the interval lies below 0, and otherwise *not proven*. The interval is
//! that of a match of fixed length; under a test that stops early it is a little too narrow. Of fewer
//! than 30 pairs, whose interval promises too much, a sign test takes its place.
//! A champion that is the opponent as well has nothing to prove: then no match is played.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the phase: players, suites, match |
//! | `tasks` | positions as tasks |
//! | `sensitivity` | which parameters matter |
//! | `summary` | what there is to report |

mod matches;
mod sensitivity;
mod suites;
pub mod summary;
pub mod tasks;

use super::context::{PhaseContext, Role, with_role};
use super::games::{GamePlan, first_opening};
use super::kind::Kind;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::sample::{Checked, speed};
use super::start::{Start, with_evaluation};
use super::uses::DataUse;
use super::verdict::{Sensitivity, Solved, SuiteResult, ValidationResult, Verdict};
use crate::base::progress::{News, Step, duration};
use crate::base::statistics::{Decision, Pentanomial, counted};
use crate::config::ecm::SuitePart;
use crate::config::validation::{OpponentSearch, ValidationKeys};
use crate::data::suite::{Suite, SuiteError};
use crate::encoding::files::Layouts;
use crate::encoding::rows::digest_of;
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::fitness::coevolution::{Colours, pentanomial};
use crate::fitness::games::Match;
use crate::fitness::search_cost::Problem;
use crate::fitness::suite::{self, Searching, Solve};
use crate::play::adjudication::GameResult;
use crate::play::record::GameRecord;
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::params::{ParamSet, Row};
use sensitivity::searches;
use std::sync::Arc;
use tasks::{Choose, Chooser};

/// The registry's line.
pub const KIND: Kind = Kind::of::<ValidationKeys>(
    "validation",
    "Evolves nothing: measures the champion on held-out positions and in a match.",
);

impl Keys for ValidationKeys {
    fn check(&self) -> Result<(), String> {
        ValidationKeys::check(self)
    }

    fn uses(&self) -> Vec<DataUse<'_>> {
        let tried = |role, path, part| DataUse {
            role,
            path,
            part,
            by_stretches: false,
            is_learnt: false,
            held_out: None,
        };
        let positions = self.positions.iter();
        let positions =
            positions.map(|held_out| tried(POSITIONS.to_string(), &held_out.file, SuitePart::All));
        let suites = (1..).zip(&self.suites);
        let suites =
            suites.map(|(number, suite)| tried(suite_role(number), &suite.file, suite.part));
        positions.chain(suites).collect()
    }

    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        Ok(Box::new(Validation::open(self.clone(), context, data)?))
    }
}

/// Positions of a task.
const BLOCK: usize = 250;

/// Role of the held-out positions.
const POSITIONS: &str = "positions of validation";

/// The phase.
#[derive(Debug)]
pub struct Validation {
    keys: ValidationKeys,
    games: GamePlan,
    against: Option<ParamSet>,
    files: Vec<DataFile>,
    positions: Vec<Epd>,
    /// The suites' positions, in the order of the keys.
    suites: Vec<Vec<Problem>>,
    /// How many there are of each, known without the data too.
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    positions: usize,
    suites: Vec<usize>,
}

impl Validation {
    /// With its data, or (`data` being false) without.
    ///
    /// # Errors
    /// A file is refused.
    pub fn open(
        keys: ValidationKeys,
        context: &PhaseContext<'_>,
        data: bool,
    ) -> Result<Validation, RunError> {
        let seed = keys.seed.get() as u64;
        let mut files = Vec::new();
        let mut against = None;
        if !keys.against.is_empty() {
            let paths: Vec<_> = keys.against.iter().collect();
            let (params, of_params) = context.player("parameters against", &paths)?;
            against = Some(params);
            files.extend(of_params);
        }
        let mut validation = Validation {
            games: GamePlan::closed(&keys.games, seed)?,
            against,
            files: Vec::new(),
            positions: Vec::new(),
            suites: Vec::new(),
            counts: Counts::default(),
            keys,
        };
        let keys = &validation.keys;
        if !data {
            let recorded = context.recorded_files();
            let count = |role: &str| with_role(&recorded, role).map_or(0, |file| file.count);
            let suites = 1..=keys.suites.len();
            validation.counts = Counts {
                positions: count(POSITIONS),
                suites: suites.map(|number| count(&suite_role(number))).collect(),
            };
            validation.files = recorded;
            return Ok(validation);
        }
        let (games, book) = GamePlan::open(&keys.games, seed, context)?;
        games.has_openings_for(keys.sprt.pairs.get() as u64)?;
        files.extend(book);
        let mut load =
            |role: &str, of, path, count, part: SuitePart| -> Result<Vec<Epd>, RunError> {
                let suite = Suite::load(&context.path(role, of, Some(path)), count)?;
                let chosen = suite.problems.into_iter().enumerate();
                let chosen = chosen.filter(|(place, _)| part.has(*place));
                let problems: Vec<Epd> = chosen.map(|(_, problem)| problem).collect();
                if problems.is_empty() {
                    let expected = "two or more, to be parted";
                    return Err(SuiteError::count(&suite.path, 1, expected).into());
                }
                files.push(context.file(role, &suite.path, &suite.sha256, problems.len()));
                Ok(problems)
            };
        if let Some(held_out) = &keys.positions {
            let count = held_out.count.map(|count| count.get());
            validation.positions =
                load(POSITIONS, Role::Test, &held_out.file, count, SuitePart::All)?;
        }
        for (number, suite) in (1..).zip(&keys.suites) {
            let count = suite.count.map(|count| count.get());
            let problems = load(
                &suite_role(number),
                Role::UnseenSuite,
                &suite.file,
                count,
                suite.part,
            )?;
            let problems = problems.into_iter().map(|problem| vec![problem]);
            validation.suites.push(problems.collect());
        }
        validation.counts = Counts {
            positions: validation.positions.len(),
            suites: validation.suites.iter().map(Vec::len).collect(),
        };
        validation.games = games;
        validation.files = files;
        Ok(validation)
    }

    /// Who plays: the champion and the opponent, with the latter's name.
    fn players(&self, start: &Start) -> Result<([ParamSet; 2], String), RunError> {
        let champion = start.champions.first().ok_or(RunError::NoStart)?.clone();
        with_evaluation(&champion)?;
        if let Some(against) = &self.against {
            let names = self.keys.against.iter().map(|path| {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            });
            let name = names.collect::<Vec<_>>().join(" with ");
            return Ok(([champion, against.clone()], name));
        }
        let first = start.first.as_ref().ok_or(RunError::NoStart)?;
        let (search, whose) = match self.keys.opponent_search {
            OpponentSearch::Champion => (&champion.search, "the same search"),
            OpponentSearch::Own => (&first.search, "its own search"),
        };
        let opponent = ParamSet {
            eval: first.eval.clone(),
            search: search.clone(),
        };
        let name = format!("the first phase’s champion with {whose}");
        Ok(([champion, opponent], name))
    }

    /// Positions that each of some evaluations solves; `None` if the executor ends.
    fn solved(
        &self,
        executor: &mut Executor<'_>,
        name: &str,
        evaluations: &[EvalParams],
    ) -> Result<Option<Vec<u32>>, RunError> {
        let blocks = (0..self.counts.positions).step_by(BLOCK);
        let mut tasks = Vec::new();
        for (number, evaluation) in (1..).zip(evaluations) {
            let evaluation = Arc::new(evaluation.clone());
            for first in blocks.clone() {
                tasks.push(Choose {
                    key: format!("{name} {number} from position {}", first + 1),
                    evaluation: Arc::clone(&evaluation),
                    first,
                    count: BLOCK.min(self.counts.positions - first),
                });
            }
        }
        let spawn = || Ok(Chooser(&self.positions));
        let Some(answers) = executor.ask(&tasks, spawn)? else {
            return Ok(None);
        };
        let mut solved = vec![0; evaluations.len()];
        let per_player = blocks.len().max(1);
        for (number, answer) in answers.into_iter().enumerate() {
            if let Some(sum) = solved.get_mut(number / per_player) {
                *sum += answer;
            }
        }
        Ok(Some(solved))
    }

    /// Everything, one thing after the other; whether all is done.
    fn validate(
        &self,
        executor: &mut Executor<'_>,
        players: &[ParamSet; 2],
        evolved: &[Row],
        result: &mut ValidationResult,
    ) -> Result<bool, RunError> {
        if self.counts.positions > 0 {
            let evaluations = players.each_ref().map(|player| player.eval.clone());
            let Some(solved) = self.solved(executor, "positions player", &evaluations)? else {
                return Ok(false);
            };
            let solved = [solved.first(), solved.get(1)].map(|count| count.copied().unwrap_or(0));
            result.positions = Some((self.counts.positions, solved));
            let Some(sensitivity) = self.weights(executor, &players[0])? else {
                return Ok(false);
            };
            result.sensitivity = sensitivity;
        }
        for number in 0..self.keys.suites.len() {
            executor.say("solving a suite");
            let Some(suite) = self.suite(executor, number, players, evolved)? else {
                return Ok(false);
            };
            result.suites.push(suite);
        }
        // A player against itself is no evidence of anything.
        if result.is_of_equals() {
            return Ok(true);
        }
        executor.say("playing the match");
        // What came before says nothing of how long a look takes.
        executor.begin_part(1);
        self.play(executor, players, result)
    }
}

/// Role of the suite with this number, from 1.
fn suite_role(number: usize) -> String {
    format!("suite {number} of validation")
}

impl Phase for Validation {
    fn course(&self, start: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        executor.seeded(self.keys.seed.get() as u64);
        let (players, against) = self.players(start)?;
        let sprt = self.keys.sprt.test;
        let mut result = ValidationResult {
            champion: players[0].clone(),
            opponent: players[1].clone(),
            against,
            positions: None,
            sensitivity: Vec::new(),
            suites: Vec::new(),
            games: Pentanomial::default(),
            decisive: 0,
            repeated: 0,
            sprt,
            ratios: Vec::new(),
            rules: self.keys.games.text(),
            verdict: Verdict::NotProven,
            complete: false,
        };
        result.complete = self.validate(executor, &players, &start.evolved, &mut result)?;
        result.verdict = match result.is_of_equals() {
            true => Verdict::Same,
            false => Verdict::of(&result.games, &sprt),
        };
        if result.complete {
            executor.write("verdict.txt", format!("{}\n", result.text()))?;
        }
        Ok(PhaseOutcome {
            complete: result.complete,
            champions: Vec::new(),
            provenance: Vec::new(),
            summary: Box::new(result),
        })
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none()
            .with::<Choose, _>(|| Ok(Chooser(&self.positions)))
            .with::<Solve, _>(|| Ok(self.searching()))
            .with::<Match, _>(|| self.games.player())
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: None,
            layouts: Layouts::default(),
            generations: (self.keys.sprt.pairs.get() as u64).div_ceil(matches::BATCH),
        }
    }

    fn is_match(&self) -> bool {
        true
    }

    /// Plays some pairs of games: the time of all follows from theirs.
    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError> {
        let (players, _) = self.players(start)?;
        let champion = &players[0];
        let speed = speed(&self.games, &players, threads)?;
        let of_positions = self.time_of_positions(champion) / threads.max(1) as f64;
        let pairs = self.keys.sprt.pairs.get() as u64;
        let mut to_search = 0;
        for (suite, &count) in self.keys.suites.iter().zip(&self.counts.suites) {
            let changed = match suite.sensitivity {
                true => 2 * searches(champion, &start.evolved).len(),
                false => 0,
            };
            to_search += suite.rule().cap * (count * (2 + changed)) as u64;
        }
        let of_suites = speed.time_of_nodes(to_search as f64);
        let of_games = speed.time_of_games(2.0 * pairs as f64);
        let text = format!(
            "  {} held-out positions, {}\n  at most {pairs} pairs of games: \
             {}\n  {} games took {:.2} s each, {threads} at a time: on {} at most about \
             {} for all, {} for the suites, {} for the positions",
            self.counts.positions,
            match &self.counts.suites[..] {
                [] => "no suites".to_string(),
                counts => {
                    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
                    format!("suites of {} positions", counts.join(", "))
                }
            },
            self.keys.games.text(),
            speed.played,
            threads as f64 * speed.time_of_games(1.0),
            counted(threads, "thread"),
            duration(of_games),
            duration(of_suites),
            duration(of_positions),
        );
        Ok(Checked {
            text,
            seconds: of_games + of_suites + of_positions,
        })
    }

    fn warning(&self) -> Option<String> {
        self.games.warning()
    }
}
