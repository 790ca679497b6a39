//! What `tuner check` measures: samples of a phase's work, large enough that two of them agree, from
//! which the time of all the work follows.

use crate::base::progress::duration;
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::workers;
use crate::error::RunError;
use crate::fitness::coevolution::Colours;
use crate::phases::games::GamePlan;
use crate::play::record::GameRecord;
use engine::params::ParamSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A sample takes so long at least: what disturbs it for a moment then changes little.
pub const LEAST: Duration = Duration::from_secs(2);

/// Pairs of games of a sample at least on each thread: some games are three times as long as others.
const LEAST_PAIRS: usize = 4;

/// What a check of a phase has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// For the user, without a line break at the end.
    pub text: String,
    /// Wall time of the whole phase on the threads that will run, in seconds: what it takes if nothing
    /// repeats and no match ends early.
    pub seconds: f64,
}

impl Checked {
    /// Of a phase without data, which takes no time.
    pub fn nothing() -> Checked {
        Checked {
            text: String::new(),
            seconds: 0.0,
        }
    }
}

/// What is said of the time of all runs.
pub fn estimate_text(seconds: f64, threads: usize) -> String {
    let (time, threads) = (duration(seconds), counted(threads, "thread"));
    format!("Estimated time of all runs: about {time} on {threads}, less where individuals repeat")
}

/// Some work, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Work in a unit of the phase's own.
    pub work: f64,
    /// Seconds.
    pub seconds: f64,
}

impl Sample {
    /// Seconds that so much work takes.
    pub fn time_of(&self, work: f64) -> f64 {
        match self.work > 0.0 {
            true => work * self.seconds / self.work,
            false => 0.0,
        }
    }
}

/// Rounds of work, each of which says how much it was, until there are so many of them and they have
/// taken so long together. The rounds have numbers, from 0: the same rounds come every time.
///
/// # Errors
/// The first of a round.
pub fn sample<E>(
    least: Duration,
    rounds: usize,
    mut round: impl FnMut(usize) -> Result<f64, E>,
) -> Result<Sample, E> {
    let begun = Instant::now();
    let mut work = 0.0;
    for number in 0.. {
        work += round(number)?;
        if number + 1 >= rounds && begun.elapsed() >= least {
            break;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Sample { work, seconds })
}

/// How fast games go on all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speed {
    /// Games a second.
    pub games: f64,
    /// Nodes a second.
    pub nodes: f64,
    /// Games that were played to find out.
    pub played: f64,
}

impl Speed {
    /// Seconds that so many games take.
    pub fn time_of_games(&self, games: f64) -> f64 {
        games / self.games.max(f64::MIN_POSITIVE)
    }

    /// Seconds that searches of so many nodes take.
    pub fn time_of_nodes(&self, nodes: f64) -> f64 {
        nodes / self.nodes.max(f64::MIN_POSITIVE)
    }
}

/// Lets neighbours among the players play on all threads, each opening with both colours.
///
/// # Errors
/// A player can't be had, or no balanced opening is found.
pub fn speed(plan: &GamePlan, players: &[ParamSet], threads: usize) -> Result<Speed, RunError> {
    let mut speed = Speed::default();
    let pairs = players.len().saturating_sub(1);
    if pairs == 0 {
        return Ok(speed);
    }
    workers::in_batches(
        threads,
        0..threads,
        &Stop::default(),
        || Ok(plan.player()?),
        |player, thread| {
            let mut nodes = 0;
            let games = sample(LEAST, LEAST_PAIRS, |round| {
                let number = round * threads + thread;
                let first = number % pairs;
                let two = [&players[first], &players[first + 1]];
                let games = player.0.play(two, number as u64, Colours::Both)?;
                nodes += games.iter().map(GameRecord::nodes).sum::<u64>();
                Ok::<_, RunError>(games.len() as f64)
            })?;
            Ok::<_, RunError>((games, nodes))
        },
        |done| {
            for (games, nodes) in done {
                // Threads end at different moments, so each has a speed of its own.
                speed.games += games.work / games.seconds;
                speed.nodes += nodes as f64 / games.seconds;
                speed.played += games.work;
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_large_enough_and_the_rest_follows_from_it() {
        let mut rounds = Vec::new();
        let least = Duration::from_millis(50);
        let taken = sample(least, 3, |number| {
            rounds.push(number);
            std::thread::sleep(Duration::from_millis(20));
            Ok::<_, ()>(10.0)
        });
        let taken = taken.unwrap();
        assert!(rounds.len() >= 3 && rounds.iter().copied().eq(0..rounds.len()));
        assert_eq!(taken.work, 10.0 * rounds.len() as f64);
        assert!(taken.seconds >= 0.05, "{taken:?}");
        // However quick the rounds are, there are as many as were asked for.
        let quick = sample(Duration::ZERO, 5, |_| Ok::<_, ()>(1.0)).unwrap();
        assert_eq!(quick.work, 5.0);
        assert_eq!(sample(least, 1, |_| Err::<f64, _>("no")), Err("no"));

        let known = Sample {
            work: 200.0,
            seconds: 2.5,
        };
        assert_eq!(known.time_of(80_000.0), 1000.0);
        assert_eq!(Sample::default().time_of(7.0), 0.0);
        let speed = Speed {
            games: 4.0,
            nodes: 2e6,
            played: 16.0,
        };
        assert_eq!(speed.time_of_games(1000.0), 250.0);
        assert_eq!(speed.time_of_nodes(1e9), 500.0);
    }
}
