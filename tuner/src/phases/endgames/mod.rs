//! The kind `endgames`: programs that play endgames, evolved by genetic programming and games against each other
//! (A. Hauptman and M. Sipper, "Emergence of complex strategies in the evolution of chess endgame players", 2005).
//!
//! | file | job |
//! |---|---|
//! | `mod` | keys, data, course, files of champions |
//! | `objective` | games and lessons of a generation, and how strong its best is |
//! | `notes` | what is told of a generation |
//! | `lessons` | positions to learn from: files, samples, points |
//! | `champion` | the best of a run, and what it is judged by |
//! | `lineage` | where a champion comes from |
//! | `summary` | what there is to report |
//!
//! Where the paper is silent: a generation's starts are the same for all of it. Of its best, those that are measured
//! against the rival and Eyas (or random moves, without either) play for nobody's fitness; the best of these by that
//! score is its run's champion, the later of equals, and plays a last match from starts that nobody has seen.

mod champion;
mod lessons;
mod lineage;
mod notes;
mod objective;
mod summary;

use super::context::{PhaseContext, Role};
use super::kind::Kind;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::sample::{Checked, LEAST, sample};
use super::start::Start;
use crate::base::files::sha256_of_file;
use crate::base::names::{BEST_PROGRAM_NAME, CHAMPIONS_NAME, PROGRAM};
use crate::base::progress::duration;
use crate::base::statistics::{counted, thousands};
use crate::config::endgames::EndgamesKeys;
use crate::drive::population::{Encoded, Population};
use crate::drive::{Schedule, drive};
use crate::encoding::files::Layouts;
use crate::encoding::programs::{Language, Player};
use crate::error::RunError;
use crate::evolution::genetic_programming::tree::Bounds;
use crate::evolution::genetic_programming::{GeneticProgramming, Individual, Origin, Settings};
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker as _;
use crate::fitness::endgames::{Board, Encounter, Opponent, Rules, pairs, starts};
use crate::fitness::lessons::Exam;
use champion::Champion;
use engine::program::{Ending, Program, start};
use lessons::Lessons;
use objective::Games;
use std::sync::Arc;
use summary::EndgamesSummary;

/// The registry's line.
pub const KIND: Kind = Kind::of::<EndgamesKeys>(
    "endgames",
    "Evolves programs that play endgames by one ply, by games against each other (2005), by lessons from perfect play, or by both.",
)
.flat();

/// Role of the file of whom the best play.
const RIVAL: &str = "rival";

impl Keys for EndgamesKeys {
    fn check(&self) -> Result<(), String> {
        language(self)?;
        EndgamesKeys::check(self)
    }

    fn begins_at_random(&self) -> bool {
        true
    }

    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        Ok(Box::new(Endgames::open(self.clone(), context, data)?))
    }
}

/// What programs are made of.
fn language(keys: &EndgamesKeys) -> Result<Language, String> {
    Language::new(&keys.with, &keys.only, &keys.without, &keys.expressions())
}

/// Somebody who plays, and where it comes from.
#[derive(Clone, Debug)]
pub struct Candidate {
    player: Player,
    origin: Origin,
}

/// The phase.
#[derive(Debug)]
struct Endgames {
    keys: EndgamesKeys,
    endings: Vec<Ending>,
    language: Language,
    /// Who plays random moves.
    random: Player,
    schedule: Schedule,
    rules: Rules,
    /// Whom the best play, if the profile names somebody and its file has been read.
    rival: Option<Program>,
    /// What is learnt beside games, if the profile has it.
    lessons: Option<Lessons>,
    files: Vec<DataFile>,
    /// What a champion's file says of its profile.
    profile: String,
}

impl Endgames {
    fn open(
        keys: EndgamesKeys,
        context: &PhaseContext<'_>,
        data: bool,
    ) -> Result<Endgames, RunError> {
        let endings: Vec<Ending> = keys.endings.iter().map(|key| key.0).collect();
        let (mut rival, mut files) = (None, context.recorded_files());
        if data {
            for ending in &endings {
                start(ending, 0).map_err(|error| RunError::Games(error.to_string()))?;
            }
            files = Vec::new();
            if let Some(written) = &keys.gauge.rival {
                let path = context.path(RIVAL, Role::Other, Some(written));
                let sha256 = sha256_of_file(&path)?;
                let program = Program::load(&path);
                let program = program.map_err(|error| RunError::Games(error.to_string()))?;
                let strange = endings.iter().find(|one| !program.endings.contains(one));
                if let Some(ending) = strange {
                    let own: Vec<String> = program.endings.iter().map(Ending::to_string).collect();
                    return Err(RunError::Games(format!(
                        "{}: a program for {}, expected one for {ending}",
                        path.display(),
                        own.join(", ")
                    )));
                }
                files.push(context.file(RIVAL, &path, &sha256, 1));
                rival = Some(program);
            }
        }
        let lessons = keys.lessons.as_ref();
        let lessons = lessons.map(|keys| Lessons::open(keys, context, &endings, data, &mut files));
        let games = &keys.games;
        Ok(Endgames {
            lessons: lessons.transpose()?,
            language: language(&keys).map_err(RunError::Games)?,
            random: Player::random()
                .ok_or_else(|| RunError::Games("the language has no constant".into()))?,
            schedule: Schedule {
                seeds: keys.runs.seeds.clone(),
                generations: keys.evolution.generations.get() as u32,
            },
            rules: Rules {
                moves: games.moves.get() as u32,
                mate: games.mate.get() as u32,
                advantage: games.advantage.get() as u32,
                draw: games.draw.get() as u32,
            },
            profile: format!("{}, SHA-256 {}", context.profile, context.profile_sha256),
            endings,
            rival,
            files,
            keys,
        })
    }

    /// Whether the best play somebody, even if its file has not been read.
    fn has_rival(&self) -> bool {
        self.keys.gauge.rival.is_some()
    }

    fn board(&self) -> Board<'_> {
        let nodes = self.keys.gauge.engine_nodes.map(|nodes| nodes.get() as u64);
        Board::new(&self.endings, self.rules, self.rival.as_ref()).with_engine(nodes)
    }

    /// The lessons, if there are some that the best are tried on.
    fn tested(&self) -> Option<&Lessons> {
        self.lessons.as_ref().filter(|lessons| lessons.has_test())
    }

    /// Whom the best of generations play.
    fn gauges(&self) -> [bool; 3] {
        [
            true,
            self.has_rival(),
            self.keys.gauge.engine_nodes.is_some(),
        ]
    }

    /// Generation 0 of a run.
    fn population(&self, seed: u64) -> Box<dyn Population<Candidate = Candidate> + '_> {
        let keys = &self.keys.evolution;
        let large = Bounds {
            depth: keys.max_depth.get() as u32,
            nodes: keys.max_nodes.get(),
        };
        let small = Bounds {
            depth: keys.disadvantage_depth.get() as u32,
            nodes: keys.disadvantage_nodes.get(),
        };
        let settings = Settings {
            population: keys.population.get(),
            bounds: vec![large, large, small],
            first_depths: (
                keys.initial_depth[0].get() as u32,
                keys.initial_depth[1].get() as u32,
            ),
            crossover: keys.crossover_rate.0,
            mutation: keys.mutation_rate.0,
            tournament: keys.tournament.get(),
            elitism: keys.elitism.get(),
            parsimony: keys.parsimony,
        };
        let algorithm = GeneticProgramming::new(self.language.signatures.clone(), settings, seed);
        let decode = |individual: &Individual| {
            let program = self.language.program(individual);
            // Whatever evolution makes is a program; who were none would play at random.
            let player = program.map(|program| Player(Arc::new(program)));
            Candidate {
                player: player.unwrap_or_else(|| self.random.clone()),
                origin: individual.origin,
            }
        };
        Box::new(Encoded::new(algorithm, decode))
    }

    /// Games of a generation, without those of its best.
    fn games_of_generation(&self) -> usize {
        let games = &self.keys.games;
        let pairs = self.keys.evolution.population.get() * games.peers.get() / 2;
        let against_rival = self.keys.evolution.population.get() * games.rival_starts.get();
        2 * (pairs * games.starts.get() + against_rival)
    }

    /// A champion as a program's file.
    fn text(&self, champion: &Champion) -> String {
        let program = Program {
            endings: self.endings.clone(),
            provenance: format!(
                "{PROGRAM}; profile {}; run {}, seed {}, generation {}; {}",
                self.profile,
                champion.run,
                champion.seed,
                champion.generation,
                champion.scores_text(&self.rival_name())
            ),
            ..Program::clone(&champion.player.0)
        };
        program.to_string()
    }

    /// What the rival is called.
    fn rival_name(&self) -> String {
        let file = self.files.iter().find(|file| file.role == RIVAL);
        file.map_or_else(|| RIVAL.to_string(), DataFile::name)
    }
}

impl Phase for Endgames {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let spawn = || Ok(self.board());
        let mut games = Games::new(self, &spawn);
        let begin = &mut |seed| Ok(self.population(seed));
        let all = drive(&self.schedule, &mut games, executor, begin)?;
        let ended = games.champions;
        let complete = all && ended.len() == self.schedule.seeds.len();
        let best = Champion::best(&ended).or(games.leader.as_ref());
        if let Some(best) = best.filter(|_| !ended.is_empty()) {
            executor.write(BEST_PROGRAM_NAME, self.text(best))?;
        }
        let summary = EndgamesSummary {
            endings: self.endings.iter().map(Ending::to_string).collect(),
            rival: self.has_rival().then(|| self.rival_name()),
            population: self.keys.evolution.population.get() as u64,
            lessons: self.lessons.as_ref().map(|lessons| lessons.sample() as u64),
            full: [
                self.keys.gauge.starts.get(),
                self.keys.gauge.last_starts.get(),
            ]
            .map(|starts| full_score(starts, &self.gauges())),
            best: best.cloned(),
            champions: ended,
            runs: games.runs,
        };
        if let Some(figure) = summary.growth("growth").map_err(RunError::Report)? {
            executor.write("growth.svg", figure.file())?;
        }
        Ok(PhaseOutcome {
            complete,
            // Parameters begin with parameters: nothing begins with a program.
            champions: Vec::new(),
            provenance: Vec::new(),
            summary: Box::new(summary),
        })
    }

    fn answers(&self) -> Answers<'_> {
        let answers = Answers::none().with::<Encounter, _>(|| Ok(self.board()));
        match &self.lessons {
            Some(lessons) => answers.with::<Exam, _>(|| Ok(lessons.school().teacher())),
            None => answers,
        }
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: None,
            layouts: Layouts::default(),
            generations: self.schedule.all_generations(),
        }
    }

    /// Plays encounters of generation 0 for a while.
    fn check(&self, _: &Start, threads: usize) -> Result<Checked, RunError> {
        let seed = self.schedule.seeds.first().copied().unwrap_or(0);
        let individuals = self.population(seed).ask().individuals;
        let order: Vec<usize> = (0..individuals.len()).collect();
        let pairs = pairs(&order, 2);
        let mut board = self.board();
        let mut plies = 0;
        let played = sample(LEAST, 1, |number| {
            let [one, other] = pairs[number % pairs.len()];
            let count = self.keys.games.starts.get();
            let task = Encounter {
                key: String::new(),
                player: individuals[one].player.clone(),
                opponent: Opponent::Peer(individuals[other].player.clone()),
                starts: starts(seed, number as u64, count, self.endings.len()),
                seed,
            };
            let tally = board.answer(&task)?;
            plies += tally.plies;
            Ok::<_, RunError>(f64::from(tally.games()))
        })?;
        let generations = self.schedule.all_generations();
        let gauge = &self.keys.gauge;
        let rivals = self.gauges().iter().filter(|plays| **plays).count();
        let measured = generations / gauge.every.get() as u64 + 1;
        let gauged = measured * (gauge.starts.get() * 2 * rivals) as u64;
        let games = generations * self.games_of_generation() as u64 + gauged;
        let seconds = played.time_of(games as f64) / threads.max(1) as f64;
        let taught = self.lessons.as_ref().map(|lessons| {
            let players: Vec<Player> = individuals.iter().map(|one| one.player.clone()).collect();
            lessons.timed(&players)
        });
        let (lessons, a_generation) = taught.transpose()?.unwrap_or_default();
        let seconds = seconds + a_generation * generations as f64 / threads.max(1) as f64;
        let endings: Vec<String> = self.endings.iter().map(Ending::to_string).collect();
        let text = format!(
            "  endings: {}\n  {} of {} generations of {} programs, {} games each{lessons}\n  {} primitives; \
             trees of {} levels and {} nodes at most\nGames of generation 0: {:.1} moves, {:.2} ms each\nEstimated time of all \
             runs: about {} on {}; programs that are larger later take longer",
            endings.join(", "),
            counted(self.schedule.seeds.len(), "run"),
            self.schedule.generations,
            self.keys.evolution.population.get(),
            thousands(self.games_of_generation() as u64),
            self.language.signatures.len(),
            self.keys.evolution.max_depth.get(),
            self.keys.evolution.max_nodes.get(),
            plies as f64 / 2.0 / played.work.max(1.0),
            1e3 * played.time_of(1.0),
            duration(seconds),
            counted(threads, "thread"),
        );
        Ok(Checked { text, seconds })
    }
}

/// Name of a run's champion's file, without its ending.
fn champion_name(run: usize) -> String {
    format!("{CHAMPIONS_NAME}/run-{run:02}")
}

/// Half points that can be won in a match from so many starts against those who count (see [`champion::deciding`]).
fn full_score(starts: usize, [_, rival, engine]: &[bool; 3]) -> u64 {
    let opponents = (u64::from(*rival) + u64::from(*engine)).max(1);
    // Two games a start, two half points a game.
    4 * starts as u64 * opponents
}
