//! Lessons: positions of endings with every move that keeps what they are worth, and how many of these moves programs
//! find. Games against peers don't punish what no peer sees; a lesson does.
//!
//! A lesson counts as often as it has legal moves that lose value, as in [`super::perfect_play::Kept`]. Where several
//! moves seem equal to a program, it has the part of these that keep the value, in whole numbers of [`PARTS`].

use crate::encoding::programs::Player;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::epd::{Epd, fields};
use engine::epd_lines::{EpdLineError, EpdLines};
use engine::position::Position;
use engine::program::{Candidates, Ending, Standing, best_moves};
use engine::source::SourceError;
use engine::types::Move;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// A move is counted in so many parts, rounded down: all parts up to tenths are whole.
pub const PARTS: u64 = 2_520;

/// Lessons of a file at most.
pub const MOST: usize = 100_000;

/// Lessons of which a worker keeps what their moves come to: some 10 kB each.
const KEPT: usize = 6_000;

/// A position can't have more moves.
const MOST_MOVES: u64 = 256;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    position: Position,
    keeping: Vec<Move>,
    losing: u64,
}

/// Why lessons are refused.
#[derive(Debug, Error)]
pub enum LessonsError {
    /// The file can't be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A line is no lesson.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: LessonProblem,
    },
    /// There are none, or too many.
    #[error("{}: has {found} positions, expected 1 to {MOST}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// How many there are, as far as they were counted.
        found: usize,
    },
}

/// A position stands twice among the lessons of a phase: it would count twice, or be tried on who has learnt it.
#[derive(Debug, Error)]
#[error(
    "{times} lessons have a position of another one of the phase, the first is {first}; expected different ones, the held-out ones too"
)]
pub struct Repeated {
    /// How many.
    pub times: usize,
    /// The first of them, as EPD.
    pub first: String,
}

/// Why a line is no lesson.
#[derive(Debug, Error)]
pub enum LessonProblem {
    /// No EPD.
    #[error(transparent)]
    Epd(#[from] EpdLineError),
    /// Not of these endings.
    #[error("a position of {found}, expected one of {expected} or what captures leave of it")]
    Ending {
        /// Its ending.
        found: Ending,
        /// Those of the phase.
        expected: String,
    },
    /// Nothing to find.
    #[error("has no bm, expected every move that keeps the value")]
    NoMoves,
    /// Nothing to know.
    #[error("bm has all legal moves, expected at least one that loses value and so is not in it")]
    AllKeep,
}

impl Lesson {
    /// That of a position of these endings.
    ///
    /// # Errors
    /// It is none.
    pub fn new(epd: &Epd, endings: &[Ending]) -> Result<Lesson, LessonProblem> {
        let position = epd.position;
        if !endings.iter().any(|ending| ending.covers(&position)) {
            let names: Vec<String> = endings.iter().map(Ending::to_string).collect();
            return Err(LessonProblem::Ending {
                found: Ending::of(&position),
                expected: names.join(", "),
            });
        }
        if epd.best.is_empty() {
            return Err(LessonProblem::NoMoves);
        }
        let moves = position.legal_moves();
        let losing = moves.iter().filter(|mv| !epd.best.contains(mv)).count();
        match losing {
            0 => Err(LessonProblem::AllKeep),
            _ => Ok(Lesson {
                position,
                keeping: epd.best.clone(),
                losing: losing as u64,
            }),
        }
    }

    /// All lessons of a file.
    ///
    /// # Errors
    /// The file can't be read, or the first line that is none.
    pub fn load(path: &Path, endings: &[Ending]) -> Result<Vec<Lesson>, LessonsError> {
        let mut lines = EpdLines::open(path)?;
        let mut lessons = Vec::new();
        while let Some((line, read)) = lines.next_position() {
            let lesson = read.map_err(LessonProblem::from);
            let lesson = lesson.and_then(|epd| Lesson::new(&epd, endings));
            lessons.push(lesson.map_err(|problem| LessonsError::Line {
                path: path.to_path_buf(),
                line,
                problem,
            })?);
            if lessons.len() > MOST {
                break;
            }
        }
        match lessons.len() {
            1..=MOST => Ok(lessons),
            found => Err(LessonsError::Count {
                path: path.to_path_buf(),
                found,
            }),
        }
    }

    /// How often it counts.
    pub fn weight(&self) -> u64 {
        self.losing
    }

    /// What somebody gets of `weight` times [`PARTS`] to whom these moves seem best and equal.
    fn marks(&self, best: &[Move]) -> u64 {
        let keeping = best.iter().filter(|mv| self.keeping.contains(mv)).count();
        PARTS * self.losing * keeping as u64 / best.len().max(1) as u64
    }
}

/// Which of a phase's lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Those that programs learn from.
    Train,
    /// Those that only the best are tried on.
    Test,
}

/// What programs get in some lessons.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exam {
    /// The task's name.
    pub key: String,
    /// Which lessons.
    pub part: Part,
    /// Their numbers, from 0.
    pub lessons: Vec<u32>,
    /// Who is asked.
    pub players: Vec<Player>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The sum of how often the lessons count.
    pub weight: u64,
    /// Of each program: that sum in [`PARTS`], of a lesson that it half knows half as much.
    pub parts: Vec<u64>,
}

impl Marks {
    /// Of nobody yet in nothing yet.
    pub fn none(players: usize) -> Marks {
        Marks {
            weight: 0,
            parts: vec![0; players],
        }
    }

    /// Adds other lessons of the same programs.
    pub fn add(&mut self, more: &Marks) {
        self.weight = self.weight.saturating_add(more.weight);
        for (sum, parts) in self.parts.iter_mut().zip(&more.parts) {
            *sum = sum.saturating_add(*parts);
        }
    }

    /// Of each program.
    pub fn shares(&self) -> impl Iterator<Item = Share> {
        let weight = self.weight;
        let share = move |&parts: &u64| Share { parts, weight };
        self.parts.iter().map(share)
    }
}

/// How much of some lessons somebody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// See [`Marks`].
    pub parts: u64,
    /// See there.
    pub weight: u64,
}

impl Share {
    /// The same part of some points, rounded down; of no lessons none.
    pub fn of(&self, points: u64) -> u64 {
        let all = u128::from(PARTS) * u128::from(self.weight);
        let won = u128::from(points) * u128::from(self.parts);
        won.checked_div(all).map_or(0, |won| won as u64)
    }

    /// From 0 to 1.
    pub fn part(&self) -> f64 {
        self.parts as f64 / (PARTS * self.weight).max(1) as f64
    }
}

impl Task for Exam {
    const KIND: &'static str = "exam";
    type Answer = Marks;

    fn key(&self) -> String {
        self.key.clone()
    }

    /// Lessons are of the phase's files, whose content the journal's header has.
    fn digest(&self) -> String {
        let players: Vec<String> = self.players.iter().map(Player::names).collect();
        let text = format!(
            "{:?}\n{:?}\n{}",
            self.part,
            self.lessons,
            players.join("\n")
        );
        crate::base::files::sha256(text.as_bytes())
    }

    fn fits(&self, marks: &Marks) -> bool {
        let is_possible = |&parts: &u64| parts <= PARTS * marks.weight;
        marks.weight <= MOST_MOVES * self.lessons.len() as u64
            && marks.parts.len() == self.players.len()
            && marks.parts.iter().all(is_possible)
    }

    /// These lessons count for nobody.
    fn worst(&self) -> Marks {
        Marks::none(self.players.len())
    }

    fn describe(&self) -> String {
        let players = self.players.iter().map(|player| player.0.to_string());
        let players: Vec<String> = players.collect();
        format!(
            "{:?}, lessons {:?}\n{}",
            self.part,
            self.lessons,
            players.concat()
        )
    }

    /// Parts of the lessons, as even as may be.
    fn split(&self, parts: usize) -> Vec<Exam> {
        let all = self.lessons.len();
        if parts < 2 || all < parts {
            return Vec::new();
        }
        let part = |part: usize| Exam {
            lessons: self.lessons[all * part / parts..all * (part + 1) / parts].to_vec(),
            ..self.clone()
        };
        (0..parts).map(part).collect()
    }

    fn merge(&self, parts: &[Marks]) -> Marks {
        let mut all = self.worst();
        parts.iter().for_each(|part| all.add(part));
        all
    }
}

/// Lessons with what is known of them.
type Known = Vec<Option<Candidates>>;

/// The lessons of a phase, and what workers that have ended knew of them.
#[derive(Debug, Default)]
pub struct School {
    train: Vec<Lesson>,
    test: Vec<Lesson>,
    known: Mutex<Vec<[Known; 2]>>,
}

impl School {
    /// With lessons to learn from, and others to be tried on.
    pub fn new(train: Vec<Lesson>, test: Vec<Lesson>) -> School {
        School {
            train,
            test,
            known: Mutex::default(),
        }
    }

    /// That no position stands twice.
    ///
    /// # Errors
    /// One does.
    pub fn differ(&self) -> Result<(), Repeated> {
        let mut known = HashSet::new();
        let all = self.train.iter().chain(&self.test);
        let positions = all.map(|lesson| fields(&lesson.position));
        let repeated: Vec<String> = positions
            .filter(|position| !known.insert(position.clone()))
            .collect();
        match repeated.first() {
            None => Ok(()),
            Some(first) => Err(Repeated {
                times: repeated.len(),
                first: first.clone(),
            }),
        }
    }

    /// Who answers.
    pub fn teacher(&self) -> Teacher<'_> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Teacher {
            school: self,
            known: known.pop().unwrap_or_default(),
            place: None,
        }
    }
}

/// Asks programs, on one thread. What a move comes to is found out once for all programs of all generations.
#[derive(Debug)]
pub struct Teacher<'a> {
    school: &'a School,
    known: [Known; 2],
    place: Option<Position>,
}

impl Drop for Teacher<'_> {
    fn drop(&mut self) {
        let known = self.school.known.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.push(std::mem::take(&mut self.known));
    }
}

impl Worker<Exam> for Teacher<'_> {
    fn answer(&mut self, task: &Exam) -> Result<Marks, WorkError> {
        let (lessons, known) = match (task.part, &mut self.known) {
            (Part::Train, [known, _]) => (&self.school.train, known),
            (Part::Test, [_, known]) => (&self.school.test, known),
        };
        if task.lessons.len() > lessons.len() {
            let (found, most) = (task.lessons.len(), lessons.len());
            return Err(format!("{found} lessons, expected {most} at most").into());
        }
        known.resize_with(lessons.len().min(KEPT), || None);
        let [advantage, even, disadvantage] =
            [Standing::Advantage, Standing::Even, Standing::Disadvantage]
                .map(|standing| Alike::of(&task.players, standing));
        let mut marks = task.worst();
        let mut best = Vec::new();
        for &number in &task.lessons {
            let lesson = lessons.get(number as usize);
            let lesson = lesson.ok_or_else(|| format!("there is no lesson {number}"))?;
            self.place = Some(lesson.position);
            let mut fresh = None;
            let kept = known.get_mut(number as usize).unwrap_or(&mut fresh);
            let candidates = kept.get_or_insert_with(|| Candidates::new(&lesson.position));
            let alike = match candidates.standing() {
                Standing::Advantage => &advantage,
                Standing::Even => &even,
                Standing::Disadvantage => &disadvantage,
            };
            let own = alike.first.iter().map(|player| {
                best_moves(&player.0, candidates, &mut best);
                lesson.marks(&best)
            });
            let own: Vec<u64> = own.collect();
            marks.weight += lesson.weight();
            for (sum, &place) in marks.parts.iter_mut().zip(&alike.places) {
                *sum += own[place];
            }
        }
        Ok(marks)
    }

    /// One by one: whoever panics gets nothing, and the others what they know.
    fn answer_again(&mut self, task: &Exam) -> Result<(Marks, String), WorkError> {
        let (mut all, mut said) = (task.worst(), "done again, one by one".to_string());
        for (number, player) in task.players.iter().enumerate() {
            let alone = Exam {
                players: vec![player.clone()],
                ..task.clone()
            };
            match catch_unwind(AssertUnwindSafe(|| self.answer(&alone))) {
                Ok(marks) => {
                    let marks = marks?;
                    all.weight = marks.weight;
                    all.parts[number] = marks.parts.first().copied().unwrap_or(0);
                }
                Err(_) => {
                    let place = Worker::<Exam>::place(self);
                    said += &format!("\nprogram {number}: gets nothing, in position: {place}");
                }
            }
        }
        Ok((all, said))
    }

    fn place(&self) -> String {
        self.place.map_or(String::new(), |place| place.to_fen())
    }
}

/// Programs with the same tree for a standing choose the same.
struct Alike<'a> {
    /// The first of each kind.
    first: Vec<&'a Player>,
    /// The place among these of each.
    places: Vec<usize>,
}

impl<'a> Alike<'a> {
    fn of(players: &'a [Player], standing: Standing) -> Alike<'a> {
        let mut known = HashMap::new();
        let mut first = Vec::new();
        let place = |player: &'a Player| {
            let tree = player.0.tree(standing).nodes();
            *known.entry(tree).or_insert_with(|| {
                first.push(player);
                first.len() - 1
            })
        };
        let places = players.iter().map(place).collect();
        Alike { first, places }
    }
}

#[cfg(test)]
mod tests;
