//! What is told of a generation of a coevolution: its line in the table, and the progress display.

use super::Generation;
use crate::base::progress::{News, Step};
use crate::base::statistics::{Pentanomial, mean_and_deviation};

/// First line of the table of generations, where everybody plays everybody.
pub const TOURNAMENT_HEADING: &str = "run,generation,best_percent,elite_percent,worst_percent,\
     standard_deviation,games,decisive,distinct_phenotypes,challenge,challenge_percent,new_elite,\
     gauge_pairs,gauge_percent,nodes\n";

/// The same of duels.
pub const DUELS_HEADING: &str =
    "run,generation,games,decisive,spread,evidence,gauge_pairs,gauge_percent,nodes\n";

/// What is known of a generation's tournament beside what is reported.
pub struct Score<'a> {
    /// Points of each individual in half points.
    pub points: &'a [u32],
    /// Points that an individual could have.
    pub possible: u32,
    /// The elite.
    pub elite: usize,
    /// Different phenotypes.
    pub distinct: usize,
    /// The challenger's games with the elite, if there was one.
    pub challenge: Option<Pentanomial>,
}

fn percent(results: &Pentanomial) -> String {
    format!("{:.2}", 100.0 * results.score())
}

/// The gauge games' score, nothing if there were none.
fn gauge_percent(done: &Generation) -> String {
    match done.gauge.pairs() {
        0 => String::new(),
        _ => percent(&done.gauge),
    }
}

/// What is said of a generation in which everybody has played everybody.
pub fn of_tournament(done: &Generation, score: &Score<'_>, generations: u32) -> News<'static> {
    let possible = f64::from(score.possible.max(1));
    let of = |points: u32| 100.0 * f64::from(points) / possible;
    let best = score.points.iter().copied().max().unwrap_or(0);
    let worst = score.points.iter().copied().min().unwrap_or(0);
    let of_elite = score.points.get(score.elite).copied().unwrap_or(0);
    let (_, deviation) = mean_and_deviation(score.points);
    let row = format!(
        "1,{},{:.2},{:.2},{:.2},{:.2},{},{},{},{},{},{},{},{},{}\n",
        done.generation,
        of(best),
        of(of_elite),
        of(worst),
        100.0 * deviation / possible,
        done.games[0],
        done.games[1],
        score.distinct,
        score.challenge.map_or(0, |results| results.pairs()),
        score.challenge.as_ref().map_or(String::new(), percent),
        u8::from(done.new_elite),
        done.gauge.pairs(),
        gauge_percent(done),
        done.nodes,
    );
    let elo = done.gauge.elo();
    let elo = elo.map_or(String::new(), |gauge| {
        format!(", elite {}", gauge.short_text())
    });
    News {
        step: Step::Generation,
        run: (1, 1),
        generation: (done.generation, generations),
        row,
        json: serde_json::json!({
            "best": of(best),
            "elite": of(of_elite),
            "distinct": score.distinct,
            "games": done.games[0],
            "decisive": done.games[1],
            "new_elite": done.new_elite,
            "gauge": done.gauge.counts,
        }),
        facts: vec![
            format!("best {:.0} %{elo}", of(best)),
            format!("{} games", done.games[0]),
        ],
        work: (done.nodes, "nodes"),
    }
}

/// What is said of a generation of duels, whose population has so much of its spread left in per cent, and
/// of which they have said so much.
pub fn of_duels(
    done: &Generation,
    (spread, evidence): (f64, f64),
    generations: u32,
) -> News<'static> {
    let elo = done.gauge.elo();
    let elo = elo.map(|gauge| format!("mean {}", gauge.short_text()));
    News {
        step: Step::Generation,
        run: (1, 1),
        generation: (done.generation, generations),
        row: format!(
            "1,{},{},{},{spread:.2},{evidence:.3},{},{},{}\n",
            done.generation,
            done.games[0],
            done.games[1],
            done.gauge.pairs(),
            gauge_percent(done),
            done.nodes,
        ),
        json: serde_json::json!({
            "spread": spread,
            "evidence": evidence,
            "games": done.games[0],
            "decisive": done.games[1],
            "gauge": done.gauge.counts,
        }),
        facts: elo
            .into_iter()
            .chain([
                format!("evidence {evidence:.1}"),
                format!("spread {spread:.0} %"),
                format!("{} games", done.games[0]),
            ])
            .collect(),
        work: (done.nodes, "nodes"),
    }
}
