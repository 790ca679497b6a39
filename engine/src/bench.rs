//! The benchmark: fixed positions, fixed depth, so the same node count on every run and machine.
//!
//! The count is the signature of the search: a change of it means that play has changed.

use crate::free_memory::{self, Room};
use crate::params::ParamSet;
use crate::position::{Game, Position};
use crate::search::{Control, Event, Limits, Outcome, Searcher, Stats};
use crate::tt::TableError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How the benchmark is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Depth in plies.
    pub depth: usize,
    /// Size of the table in megabytes.
    pub hash: usize,
    /// Threads; with more than one the count is not the same every time.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: 11,
            hash: 16,
            threads: 1,
        }
    }
}

/// Openings, middlegames and endgames: the Bratko-Kopec test (Kopec and Bratko, 1982), and
/// endings with pawns, rooks and minor pieces, a mate and a stalemate.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/5p2/8/2k3P1/p3K3/8/1P6/8 b - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "4k3/3q1r2/1N2r1b1/3ppN2/2nPP3/1B1R2n1/2R1Q3/3K4 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "7k/7P/6K1/8/3B4/8/8/8 b - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
];

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Moves made.
    pub nodes: u64,
    /// Time of the searches alone: a table is cleared before every position, which takes as long
    /// as many thousands of nodes, and in games hardly ever happens.
    pub searching: Duration,
    /// How well the search worked.
    pub stats: Stats,
    /// Moves made until an iteration was complete, summed over the positions; the first is that of
    /// depth 1.
    pub nodes_by_depth: Vec<u64>,
}

impl Report {
    /// The factor by which the nodes grow from one iteration to the next, in the later half.
    pub fn branching_factor(&self) -> f64 {
        let depth = self.nodes_by_depth.len();
        let early = depth / 2;
        match (self.nodes_by_depth.get(early), self.nodes_by_depth.last()) {
            (Some(&early_nodes), Some(&nodes)) if early_nodes > 0 && depth > early + 1 => {
                (nodes as f64 / early_nodes as f64).powf(1.0 / (depth - 1 - early) as f64)
            }
            _ => 1.0,
        }
    }

    fn add(&mut self, outcome: &Outcome) {
        self.nodes += outcome.nodes;
        self.stats.probes += outcome.stats.probes;
        self.stats.hits += outcome.stats.hits;
        self.stats.cutoffs += outcome.stats.cutoffs;
        self.stats.first_cutoffs += outcome.stats.first_cutoffs;
    }

    /// An iteration of a position is complete.
    fn note(&mut self, depth: usize, nodes: u64) {
        if self.nodes_by_depth.len() < depth {
            self.nodes_by_depth.resize(depth, 0);
        }
        if let Some(sum) = self.nodes_by_depth.get_mut(depth.wrapping_sub(1)) {
            *sum += nodes;
        }
    }
}

/// Searches every position, each with an empty table. If stopped early, it reports what was searched by then.
///
/// # Errors
/// If there is no memory for the table, or no room for the threads.
pub fn run(
    params: &ParamSet,
    settings: &Settings,
    control: Control<'_>,
) -> Result<Report, TableError> {
    free_memory::check(settings.hash, settings.threads)?;
    let mut searcher = Searcher::new(params.clone(), settings.hash)?;
    searcher.look_for_room(Room::look);
    searcher.set_threads(settings.threads);
    let limits = Limits::depth(settings.depth);
    let mut report = Report::default();
    for fen in POSITIONS {
        if control.stop.load(Ordering::Relaxed) {
            break;
        }
        // A test sees to it that all of them are legal.
        if let Ok(position) = Position::from_fen(fen) {
            searcher.clear();
            let game = Game::new(position);
            let mut last = 0;
            let start = Instant::now();
            let outcome = searcher.search(&game, &limits, control, &mut |event| {
                if let Event::Info(info) = event
                    && info.depth > last
                {
                    last = info.depth;
                    report.note(info.depth, info.nodes);
                }
            });
            report.searching += start.elapsed();
            // With fewer it would be another benchmark.
            if searcher.threads_without_room() > 0 {
                return Err(TableError {
                    megabytes: settings.hash,
                    threads: settings.threads,
                    free: None,
                });
            }
            report.add(&outcome);
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branching_factor_is_a_mean_of_the_later_half() {
        let report = Report {
            nodes_by_depth: vec![10, 77, 100, 200, 400],
            ..Report::default()
        };
        assert!((report.branching_factor() - 2.0).abs() < 1e-9);
        assert!((Report::default().branching_factor() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn positions_are_legal() {
        for fen in POSITIONS {
            if let Err(error) = Position::from_fen(fen) {
                panic!("{fen}: {error}");
            }
        }
    }
}
