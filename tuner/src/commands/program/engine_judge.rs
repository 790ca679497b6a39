//! `tuner program judge --engine`: what a strong engine says of a player's moves, where tables are too large: those of
//! six men take gigabytes.
//!
//! A position is won, drawn or lost by the engine's score with so many nodes; a move keeps the value if the position
//! after it is still the same. Both are searched afresh, so the same figures come out on any number of threads.

use crate::base::progress::bar;
use crate::base::room::cores;
use crate::base::statistics::{rate_text, thousands};
use crate::base::stop::Stop;
use crate::base::workers;
use crate::fitness::endgame_players::Subject;
use crate::fitness::perfect_play::ended;
use crate::mine::expert::nodes;
use crate::play::player::{PlayError, Player as _};
use crate::play::uci::{EngineSpec, STARTUP_SECONDS, UciEngine};
use anyhow::{Context as _, bail};
use clap::Args;
use engine::mixing::scramble;
use engine::position::Position;
use engine::score::Score;
use engine::tablebase::Verdict;
use engine::types::Move;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::time::Duration;

/// Longest wait for one search: 20 s, and a second more for each 10,000 nodes, a speed that any engine reaches.
const PATIENCE: Duration = Duration::from_secs(20);
const NODES_A_SECOND: u64 = 10_000;

/// The engine that judges, and how.
#[derive(Clone, Debug, Default, Args)]
pub struct EngineArgs {
    /// A strong UCI engine with its arguments, where there are no tables: it judges moves alone.
    #[arg(long, value_name = "CMD")]
    engine: Option<OsString>,
    /// Nodes of each of its searches.
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = nodes, requires = "engine")]
    nodes: u64,
    /// Centipawns from which it calls a position won.
    #[arg(long, value_name = "CP", default_value_t = 150, requires = "engine",
          value_parser = clap::value_parser!(i32).range(1..=10_000))]
    won: i32,
    /// Engines at a time [default: one a core].
    #[arg(long, value_name = "N", requires = "engine", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Longest wait for the engine's start, in seconds.
    #[arg(long, value_name = "S", default_value_t = STARTUP_SECONDS, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    startup_timeout: u64,
}

/// What a position is worth before a move and after it, to the player who moves.
type Values = (Verdict, Verdict);

impl EngineArgs {
    /// Whether there is an engine.
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// Judges a player's moves in each of some positions, in text.
    ///
    /// # Errors
    /// The engine is out of order, or Ctrl-C: then with what was found so far.
    pub fn judge(
        &self,
        subject: &Subject,
        positions: &[Position],
        seed: u64,
    ) -> anyhow::Result<String> {
        let stop = Stop::on_signals().context("can't watch for Ctrl-C")?;
        let spec = EngineSpec {
            command: self.engine.clone().unwrap_or_default(),
            options: Vec::new(),
            nodes: self.nodes,
            startup_timeout: Duration::from_secs(self.startup_timeout),
            move_timeout: PATIENCE + Duration::from_secs(self.nodes / NODES_A_SECOND),
        };
        let name = OnceLock::new();
        let bar = bar(
            "{bar:30} position {pos}/{len}, {elapsed}, {eta} left",
            positions.len() as u64,
        );
        let mut all: Vec<Values> = Vec::new();
        let searched = workers::in_order(
            self.concurrency.map_or_else(cores, usize::from),
            0..positions.len(),
            &stop,
            || {
                let engine = UciEngine::start(&spec, &stop)?;
                name.get_or_init(|| engine.name().to_string());
                Ok(engine)
            },
            |engine, at| {
                let position = &positions[at];
                let chosen = subject.choose(position, scramble(seed ^ scramble(at as u64)));
                chosen.map_or(Ok((Verdict::Draw, Verdict::Draw)), |mv| {
                    self.values(engine, position, mv)
                })
            },
            |values| -> Result<_, PlayError> {
                all.push(values);
                bar.inc(1);
                Ok(ControlFlow::Continue(()))
            },
        );
        bar.finish_and_clear();
        match searched {
            Err(PlayError::Interrupted) => (),
            other => other?,
        }
        let text = format!(
            "{}\nby {}, {} nodes a search, won from {} centipawns on",
            said(&all),
            name.get().map_or("", String::as_str),
            thousands(self.nodes),
            self.won
        );
        if all.is_empty() && !positions.is_empty() {
            bail!("stopped before the first position was judged");
        }
        if all.len() < positions.len() {
            bail!(
                "stopped after {} of {} positions, of which:\n{text}",
                all.len(),
                positions.len()
            );
        }
        Ok(text)
    }

    /// What a position is worth to the side to move, and what after its move.
    fn values(
        &self,
        engine: &mut UciEngine,
        before: &Position,
        mv: Move,
    ) -> Result<Values, PlayError> {
        let mut searched = |position: &Position| -> Result<_, PlayError> {
            let found = engine.analyse(position, self.nodes, 1)?;
            let score = found.lines.first().map(|line| line.score);
            Ok((found.best, self.value(score.unwrap_or(Score::DRAW))))
        };
        let (best, value) = searched(before)?;
        if best == mv {
            return Ok((value, value));
        }
        let after = before.play(mv);
        let reply = match ended(&after) {
            Some(verdict) => verdict,
            None => searched(&after)?.1,
        };
        // What seems better after the move than before it was misjudged before: the move keeps the value.
        Ok((value, reply.reversed().min(value)))
    }

    fn value(&self, score: Score) -> Verdict {
        match score.value() {
            worth if worth >= self.won => Verdict::Win,
            worth if worth <= -self.won => Verdict::Loss,
            _ => Verdict::Draw,
        }
    }
}

/// Values in two lines.
fn said(all: &[Values]) -> String {
    let kept = all.iter().filter(|(before, after)| after == before).count();
    let count = |which: Values| all.iter().filter(|&&values| values == which).count();
    let of = |value| all.iter().filter(|(before, _)| *before == value).count();
    let [win, draw, loss] = [Verdict::Win, Verdict::Draw, Verdict::Loss];
    format!(
        "moves that keep the value: {}\nof {} won positions {} became drawn and {} lost, of {} drawn ones {} lost",
        rate_text(kept as u32, all.len()),
        of(win),
        count((win, draw)),
        count((win, loss)),
        of(draw),
        count((draw, loss)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of five moves one gives a win away and one a draw: three of five keep the value.
    #[test]
    fn values_are_told_in_two_lines() {
        let [win, draw, loss] = [Verdict::Win, Verdict::Draw, Verdict::Loss];
        let text = said(&[
            (win, win),
            (win, draw),
            (draw, draw),
            (draw, loss),
            (loss, loss),
        ]);
        assert!(text.contains("3 of 5 (60.0 %"), "{text}");
        assert!(
            text.ends_with("of 2 won positions 1 became drawn and 0 lost, of 2 drawn ones 1 lost"),
            "{text}"
        );
    }

    #[test]
    fn a_position_is_won_from_so_many_centipawns_on() {
        let args = EngineArgs {
            won: 150,
            ..EngineArgs::default()
        };
        let values = [149, 150, -149, -150, 0].map(|worth| args.value(Score::cp(worth)));
        let [win, draw, loss] = [Verdict::Win, Verdict::Draw, Verdict::Loss];
        assert_eq!(values, [draw, win, draw, loss, draw]);
        assert_eq!(args.value(Score::mate_in(5)), win);
    }
}
