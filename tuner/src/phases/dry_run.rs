//! What `tuner check` tries of phase 1: a generation in miniature, and how long a disk takes.

use super::context::with_role;
use super::positions::basis::Basis;
use super::positions::data::{TEST, TRAIN};
use super::sample::{Checked, LEAST, estimate_text, sample};
use crate::base::files::synced;
use crate::base::room;
use crate::base::statistics::mean_and_deviation;
use crate::data::suite::Suite;
use crate::error::RunError;
use crate::fitness::grandmaster::TreeCache;
use engine::epd::{Epd, fields};
use engine::eval::TermSet;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

/// Positions of the miniature generation at most.
const MINIATURE: usize = 2000;
/// Individuals of a miniature generation at most.
pub const INDIVIDUALS: usize = 200;
/// Positions and individuals that the engine's own search checks.
const CHECKED: (usize, usize) = (50, 3);

/// A generation of random individuals on the first training positions.
struct Miniature {
    individuals: usize,
    positions: usize,
    best: u32,
    mean: f64,
    /// Wall time of building the positions' trees, and of what they grow by when first walked.
    building: f64,
    /// Wall time of scoring the individuals.
    scoring: f64,
}

/// Seconds that so many generations take to write what they have found, each for itself and down to
/// the disk: with small generations that is most of the time.
pub fn seconds_to_write(generations: u64) -> f64 {
    const WRITES: u32 = 10;
    let measured = || -> io::Result<f64> {
        // Without a name: nothing is left of it.
        let mut file = tempfile::tempfile_in(".")?;
        let begun = Instant::now();
        for _ in 0..WRITES {
            file.write_all(&[b'\n'; 256])?;
            synced(Path::new("."), file.sync_data())?;
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(WRITES))
    };
    measured().unwrap_or(0.0) * generations as f64
}

/// What is tried.
pub struct Subject<'a> {
    /// What decides its course, and its data files.
    pub basis: &'a Basis,
    /// What its evaluation counts.
    pub terms: TermSet,
    /// The quiescence at the leaves.
    pub quiescence: Quiescence,
    /// The training positions.
    pub train: &'a Suite,
    /// The held-out positions.
    pub test: Option<&'a Suite>,
    /// The threads that evaluate.
    pub pool: &'a rayon::ThreadPool,
}

/// Runs a miniature generation of phase 1.
///
/// # Errors
/// Fast evaluation disagrees with the engine's own search.
pub fn check_moves(subject: &Subject<'_>) -> Result<Checked, RunError> {
    let mini = subject.pool.install(|| miniature(subject))?;
    // It is measured once, for two measurements would differ.
    let seconds = estimate(subject, &mini);
    let file = |role: &str| {
        let file = with_role(&subject.basis.files, role)?;
        let (name, count, sha256) = (file.name(), file.count, &file.sha256);
        Some(format!("{name}: {count} positions, SHA-256 {sha256}"))
    };
    let mut text = subject.basis.settings.text(&subject.basis.layout) + "\n";
    if let Some(train) = file(TRAIN) {
        text += &format!("  training: {train}\n");
    }
    text += &match file(TEST) {
        Some(test) => format!("  held out: {test}\n"),
        None => "  held out: none, so nothing will tell over-fitting\n".to_string(),
    };
    let shared = shared_positions(subject);
    if shared > 0 {
        text +=
            &format!("  WARNING: {shared} of the held-out positions are training positions too\n");
    }
    text += &format!(
        "Miniature generation: {} random individuals on {} positions, best {}, mean {:.1}\n  \
         agrees with the engine's own 1-ply search\n{}",
        mini.individuals,
        mini.positions,
        mini.best,
        mini.mean,
        estimate_text(seconds, subject.pool.current_num_threads())
    );
    Ok(Checked { text, seconds })
}

fn miniature(subject: &Subject<'_>) -> Result<Miniature, RunError> {
    let (quiescence, settings) = (subject.quiescence, &subject.basis.settings);
    let all = &subject.train.problems;
    // From all over the file: its beginning may be of openings, or of one source.
    let problems = all.iter().step_by(all.len().div_ceil(MINIATURE).max(1));
    let problems: &[Epd] = &problems.cloned().collect::<Vec<_>>();
    let individuals = settings.first_individuals(INDIVIDUALS)?;

    let start = Instant::now();
    let terms = subject.terms;
    let cache = TreeCache::build(problems, &quiescence, terms);
    let built = Instant::now();
    let solved = cache.solved(&individuals);
    let grown = Instant::now();
    // The first walk mostly makes the trees grow, which a run does once.
    let mut again = Vec::new();
    let scoring = sample(LEAST, 1, |_| {
        again = cache.solved(&individuals);
        Ok::<_, RunError>(1.0)
    })?;
    let scoring = scoring.time_of(1.0);
    cache.has_room()?;
    room::ask(0)?;
    debug_assert_eq!(solved, again);
    let fast = |problem: &Epd, individuals: &[EvalParams]| {
        TreeCache::build(std::slice::from_ref(problem), &quiescence, terms).solved(individuals)
    };
    if let Some(fen) = disagreement(problems, &individuals, &quiescence, fast) {
        return Err(RunError::Disagreement { fen });
    }
    let (mean, _) = mean_and_deviation(&solved);
    Ok(Miniature {
        individuals: individuals.len(),
        positions: problems.len(),
        best: solved.iter().copied().max().unwrap_or(0),
        mean,
        building: (built - start).as_secs_f64()
            + ((grown - built).as_secs_f64() - scoring).max(0.0),
        scoring,
    })
}

/// The first position where a fast evaluation and the engine's own search disagree.
fn disagreement(
    problems: &[Epd],
    individuals: &[EvalParams],
    quiescence: &Quiescence,
    fast: impl Fn(&Epd, &[EvalParams]) -> Vec<u32>,
) -> Option<String> {
    let individuals = &individuals[..individuals.len().min(CHECKED.1)];
    problems.iter().take(CHECKED.0).find_map(|problem| {
        let solved = fast(problem, individuals);
        let agree = individuals.iter().zip(solved).all(|(weights, solved)| {
            let chosen = choose_one_ply(&problem.position, weights, quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv)) == (solved == 1)
        });
        (!agree).then(|| problem.position.to_fen())
    })
}

/// Held-out positions that are training positions too, clocks aside.
fn shared_positions(subject: &Subject<'_>) -> usize {
    let key = |problem: &Epd| fields(&problem.position);
    let Some(test) = subject.test else { return 0 };
    let train: HashSet<String> = subject.train.problems.iter().map(key).collect();
    let shared = test
        .problems
        .iter()
        .filter(|problem| train.contains(&key(problem)));
    shared.count()
}

/// Wall time of the whole phase in seconds, from that of the miniature generation, without what
/// is saved where individuals repeat.
fn estimate(subject: &Subject<'_>, mini: &Miniature) -> f64 {
    let settings = &subject.basis.settings;
    let count = |role| with_role(&subject.basis.files, role).map_or(0.0, |file| file.count as f64);
    let valued: usize = (0..settings.schedule.generations)
        .map(|generation| settings.positions_of(generation))
        .sum();
    let runs = settings.schedule.seeds.len() as f64;
    let searches = runs * settings.method.individuals() as f64 * valued as f64;
    seconds_to_write(settings.schedule.all_generations())
        + mini.scoring * searches / (mini.individuals * mini.positions).max(1) as f64
        + mini.building * (count(TRAIN) + count(TEST)) / mini.positions.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::params::ParamSet;

    #[test]
    fn a_fast_evaluation_that_errs_is_found_out() {
        let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;";
        let problems = [Epd::parse(mate).unwrap()];
        let quiescence = Quiescence::default();
        let individuals = [EvalParams::default(), ParamSet::default().eval];
        let found = |fast: &dyn Fn() -> Vec<u32>| {
            disagreement(&problems, &individuals, &quiescence, |_, _| fast())
        };
        let cache = TreeCache::build(&problems, &quiescence, TermSet::Of2014);
        assert_eq!(found(&|| cache.solved(&individuals)), None);
        assert!(found(&|| vec![2, 2]).is_some_and(|fen| fen.starts_with("6k1/5ppp/")));
    }
}
