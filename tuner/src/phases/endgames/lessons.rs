//! Lessons of a phase: its files, which of them a generation gets, and the points of that.

use crate::base::files::sha256_of_file;
use crate::base::statistics::thousands;
use crate::config::endgames::LessonsKeys;
use crate::encoding::programs::Player;
use crate::error::RunError;
use crate::evolution::rng::Random;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker as _;
use crate::fitness::lessons::{Exam, Lesson, MOST, Marks, Part, School, Share};
use crate::phases::context::{PhaseContext, Role};
use crate::phases::sample::{LEAST, sample};
use engine::program::Ending;
use std::path::PathBuf;

/// Roles of the files, before their numbers.
const TRAIN: &str = "lessons";
const TEST: &str = "held-out lessons";

/// Lessons of a task: those of a generation are for all threads.
const TOGETHER: usize = 128;

/// Programs of a task: tasks of large populations go to other machines, too.
const ASKED: usize = 256;

/// See the module.
#[derive(Debug)]
pub struct Lessons {
    school: School,
    /// How many there are to learn from, and to be tried on.
    counts: [usize; 2],
    sample: usize,
    points: u64,
}

impl Lessons {
    /// Reads the files, and adds them to those of the phase; without `data` it only counts what the journal has.
    ///
    /// # Errors
    /// A file is refused.
    pub fn open(
        keys: &LessonsKeys,
        context: &PhaseContext<'_>,
        endings: &[Ending],
        data: bool,
        files: &mut Vec<DataFile>,
    ) -> Result<Lessons, RunError> {
        let mut of = |role: &str, written: &[PathBuf]| -> Result<(Vec<Lesson>, usize), RunError> {
            let (mut all, mut count) = (Vec::new(), 0);
            for (number, written) in (1..).zip(written) {
                let role = format!("{role} {number}");
                if data {
                    let path = context.path(&role, Role::Other, Some(written));
                    let sha256 = sha256_of_file(&path)?;
                    let lessons = Lesson::load(&path, endings);
                    let lessons = lessons.map_err(|error| RunError::Games(error.to_string()))?;
                    files.push(context.file(&role, &path, &sha256, lessons.len()));
                    count += lessons.len();
                    all.extend(lessons);
                } else {
                    let known = files.iter().find(|file| file.role == role);
                    count += known.map_or(0, |file| file.count.min(MOST));
                }
            }
            Ok((all, count))
        };
        let (train, taught) = of(TRAIN, &keys.train)?;
        let (test, tried) = of(TEST, &keys.test)?;
        let school = School::new(train, test);
        let differ = school.differ();
        differ.map_err(|error| RunError::Games(format!("[lessons]: {error}")))?;
        let sample = keys.sample.map_or(taught, |sample| sample.get());
        Ok(Lessons {
            school,
            counts: [taught, tried],
            sample: sample.min(taught),
            points: keys.points.get() as u64,
        })
    }

    /// The lessons themselves.
    pub fn school(&self) -> &School {
        &self.school
    }

    /// How many a generation gets.
    pub fn sample(&self) -> usize {
        self.sample
    }

    /// The numbers of a generation's lessons: all, or so many different ones as this seed draws.
    pub fn drawn(&self, seed: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.counts[0] as u32).collect();
        if self.sample < all.len() {
            let mut rng = Random::new(seed);
            for at in 0..self.sample {
                let left = (all.len() - at) as u128;
                all.swap(at, at + rng.below(left) as usize);
            }
            all.truncate(self.sample);
            // In the file's order.
            all.sort_unstable();
        }
        all
    }

    /// How well programs know these lessons, by tasks with names that begin with this key.
    ///
    /// # Errors
    /// Those of the executor.
    pub fn ask(
        &self,
        executor: &mut Executor<'_>,
        key: &str,
        (part, lessons): (Part, &[u32]),
        players: &[Player],
    ) -> Result<Option<Vec<Share>>, RunError> {
        let mut tasks = Vec::new();
        for some in players.chunks(ASKED) {
            for lessons in lessons.chunks(TOGETHER) {
                tasks.push(Exam {
                    key: format!("{key} lessons {}", tasks.len() + 1),
                    part,
                    lessons: lessons.to_vec(),
                    players: some.to_vec(),
                });
            }
        }
        let spawn = || Ok(self.school.teacher());
        let Some(answers) = executor.ask(&tasks, spawn)? else {
            return Ok(None);
        };
        let mut shares = Vec::new();
        let blocks = lessons.len().div_ceil(TOGETHER).max(1);
        for (some, answers) in players.chunks(ASKED).zip(answers.chunks(blocks)) {
            let mut marks = Marks::none(some.len());
            answers.iter().for_each(|one| marks.add(one));
            shares.extend(marks.shares());
        }
        Ok(Some(shares))
    }

    /// Points of somebody who has this share.
    pub fn points(&self, share: &Share) -> u64 {
        share.of(self.points)
    }

    /// How well somebody knows the held-out lessons.
    ///
    /// # Errors
    /// Those of the executor.
    pub fn test(
        &self,
        executor: &mut Executor<'_>,
        key: &str,
        player: &Player,
    ) -> Result<Option<Share>, RunError> {
        let all: Vec<u32> = (0..self.counts[1] as u32).collect();
        let players = std::slice::from_ref(player);
        let shares = self.ask(executor, key, (Part::Test, &all), players)?;
        Ok(shares.and_then(|shares| shares.first().copied()))
    }

    /// What is said of the lessons of a generation, and the seconds that one thread takes for them, once it knows them.
    ///
    /// # Errors
    /// Those of whoever asks.
    pub fn timed(&self, players: &[Player]) -> Result<(String, f64), RunError> {
        let lessons = self.drawn(0);
        let exam = |_| Exam {
            key: String::new(),
            part: Part::Train,
            lessons: lessons.clone(),
            players: players.to_vec(),
        };
        let mut teacher = self.school.teacher();
        teacher.answer(&exam(0))?;
        let asked = sample(LEAST, 1, |number| {
            teacher.answer(&exam(number))?;
            Ok::<_, RunError>(1.0)
        })?;
        let said = format!(
            ", {} of {} lessons each time",
            thousands(lessons.len() as u64),
            thousands(self.counts[0] as u64)
        );
        Ok((said, asked.time_of(1.0)))
    }

    /// Whether there are lessons that the best are tried on.
    pub fn has_test(&self) -> bool {
        self.counts[1] > 0
    }
}
