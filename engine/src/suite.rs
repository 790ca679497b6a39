//! `eyas analyse`: a line a position on stderr, the sum last.

use crate::arguments::{Arguments, text};
use crate::{MOST_THREADS, number, parameters, print, tell};
use anyhow::{Context, bail};
use engine::analyse::{self, Answer, Settings};
use engine::epd::Epd;
use engine::san::to_san;
use engine::search::{Budget, Limits, MAX_DEPTH};
use engine::types::Move;
use engine::uci::options;
use std::path::Path;
use std::time::{Duration, Instant};

/// Reads the arguments, runs the suite and prints what comes out.
pub fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    let params = parameters(&mut arguments)?;
    let file = arguments.value("--epd")?;
    let json = arguments.flag("--json");
    let limits = limits(&mut arguments)?;
    let mut option =
        |name: &'static str, default: usize, most: usize| match arguments.value(name)? {
            Some(word) => number(&text(word), name, 1, most),
            None => Ok(default),
        };
    let settings = Settings {
        limits,
        hash: option("--hash", options::HASH.1 as usize, options::HASH.2 as usize)?,
        threads: option("--threads", 1, MOST_THREADS)?,
        jobs: option("--jobs", 1, MOST_THREADS)?,
    };
    let file = file.context("analyse needs --epd FILE")?;
    arguments.finish(0)?;
    let suite = analyse::load(Path::new(&file))?;

    let start = Instant::now();
    let (mut answered, mut solved, mut nodes) = (0, 0, 0u64);
    analyse::run(&suite, params.params(), &settings, |answer| {
        tell(&line(answer, &suite[answer.number], suite.len()));
        answered += 1;
        solved += usize::from(answer.solved);
        nodes += answer.nodes;
    })?;
    if answered < suite.len() {
        bail!("only {answered} of {} positions were searched", suite.len());
    }
    let seconds = start.elapsed().as_secs_f64();
    let positions = suite.len();
    let summary = format!("solved {solved}/{positions} in {seconds:.1} s, {nodes} nodes");
    if json {
        tell(&summary);
        print(&format!(
            "{{\"positions\": {positions}, \"solved\": {solved}}}"
        ))
    } else {
        print(&summary)
    }
}

/// Exactly one of the three limits.
fn limits(arguments: &mut Arguments) -> anyhow::Result<Limits> {
    const LONGEST: usize = 24 * 3600 * 1000;
    let mut take = |name: &'static str, most: usize| -> anyhow::Result<Option<usize>> {
        let word = arguments.value(name)?;
        word.map(|word| number(&text(word), name, 1, most))
            .transpose()
    };
    let movetime = take("--movetime", LONGEST)?;
    let nodes = take("--nodes", usize::MAX)?;
    let depth = take("--depth", MAX_DEPTH)?;
    Ok(match (movetime, nodes, depth) {
        (Some(milliseconds), None, None) => {
            let time = Duration::from_millis(milliseconds as u64);
            Limits {
                time: Some(Budget {
                    soft: time,
                    hard: time,
                    may_answer_early: false,
                }),
                ..Limits::default()
            }
        }
        (None, Some(nodes), None) => Limits::nodes(nodes as u64),
        (None, None, Some(depth)) => Limits::depth(depth),
        _ => bail!("analyse needs exactly one of --movetime MS, --nodes N, --depth D"),
    })
}

/// What became of a position.
fn line(answer: &Answer, epd: &Epd, positions: usize) -> String {
    let san = |&mv: &Move| to_san(&epd.position, mv);
    let best = answer.best.as_ref().map_or("none".to_string(), san);
    let list = |moves: &[Move]| moves.iter().map(san).collect::<Vec<_>>().join(" ");
    let mut expected = list(&epd.best);
    if !epd.avoid.is_empty() {
        expected = format!("{expected} not {}", list(&epd.avoid));
    }
    format!(
        "{:>4}/{positions} {:<16} {:<7} expected {:<12} {:<9} depth {:>2} {:<10} {:>6} ms {:>9} nodes",
        answer.number + 1,
        epd.id.as_deref().unwrap_or("-"),
        best,
        expected.trim(),
        if answer.solved { "solved" } else { "missed" },
        answer.depth,
        answer.score.to_string(),
        answer.time.as_millis(),
        answer.nodes,
    )
}
