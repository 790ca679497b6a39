//! `tuner label`: what an expert engine says of positions, as EPD with `ce`, for the phase of kind
//! `expert`.

use super::expert::{self, ExpertArgs, nodes, note, progress, stem, twice};
use super::growing::Growing;
use crate::data::suite::{Need, Suite};
use crate::evolution::rng::Random;
use crate::play::player::PlayError;
use crate::play::settings::Settings;
use crate::play::uci::UciEngine;
use crate::stop::Stop;
use crate::workers;
use anyhow::{Context as _, Result, ensure};
use engine::epd::Epd;
use engine::position::Position;
use engine::score::Score;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// What the file's first line begins with.
const MARK: &str = "# tuner label: ";

/// Has an expert engine say what positions are worth: EPD with `ce`, centipawns for the side to
/// move.
///
/// From each position up to --plies random moves are played first, so that some side has lost
/// something: of masters' games alone no evaluation learns what a queen is worth. Then the engine
/// plays one move, or whoever comes after a random move would seem to have the better position
/// because it is his turn; what it says of the position after that is written. Left out are
/// positions in check, those whose best move captures or promotes (their worth is in the search,
/// not in the evaluation), and those with a mate. A file that exists already is continued; at
/// fixed nodes, an engine that plays reproducibly makes the same file on any number of threads.
#[derive(Clone, Debug, clap::Args)]
pub struct LabelArgs {
    /// EPD file of positions, from `tuner positions` for example.
    #[arg(long, value_name = "EPD")]
    pub positions: PathBuf,
    /// The engine and the file.
    #[command(flatten)]
    pub expert: ExpertArgs,
    /// Nodes that the engine thinks of a position.
    #[arg(long, value_name = "N", default_value_t = 1_500, value_parser = nodes)]
    pub nodes: u64,
    /// Random moves before a position, none to so many, evenly.
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(0..=100))]
    pub plies: u32,
    /// Seed of the random moves.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl LabelArgs {
    /// All that decides what the file looks like.
    fn settings(&self, engine: &UciEngine, sha256: &str) -> Settings {
        let mut settings = expert::heading(engine);
        let name = format!("sha256 of {}", stem(&self.positions));
        settings.push(&name, sha256);
        settings.push("nodes", self.nodes);
        settings.push("plies", self.plies);
        settings.push("seed", self.seed);
        settings
    }

    /// The position after random moves that its number in the file decides; `None` if the game is
    /// over by then.
    fn walk(&self, number: usize, position: &Position) -> Option<Position> {
        let mut rng = Random::new(self.seed.rotate_left(32) ^ number as u64);
        let plies = rng.below(u128::from(self.plies) + 1);
        let mut position = *position;
        for _ in 0..plies {
            let moves = position.legal_moves();
            let drawn = rng.below(moves.len() as u128) as usize;
            position = position.play(*moves.get(drawn)?);
        }
        let goes_on = !position.legal_moves().is_empty();
        goes_on.then_some(position)
    }
}

/// The line of a position, if there is one, and what the engine did that had to be restarted.
struct Labelled {
    line: Option<String>,
    broken: Option<String>,
}

/// Runs the command. The exit code is 130 if the user has stopped it.
///
/// # Errors
/// Bad arguments, positions or a file that can't be read or continued, an engine out of order.
pub fn run(args: &LabelArgs) -> Result<ExitCode> {
    expert::run(|stop| label(args, stop))
}

/// Whether the file is finished.
fn label(args: &LabelArgs, stop: &Stop) -> Result<bool> {
    let shown = args.expert.out.display();
    ensure!(args.positions != args.expert.out, "{shown} is named twice");
    let suite = Suite::load_with(Need::Position, &args.positions, None)?;
    let engine = UciEngine::start(&args.expert.spec(args.nodes), stop)?;
    let settings = args.settings(&engine, &suite.sha256);
    drop(engine);
    let mut file = Growing::open(&args.expert.out, MARK, &settings)?;
    let from = next(&file.found).with_context(|| format!("{shown}: can't be continued"))?;
    let mut written = file.found.len();
    if from > 0 {
        note(&format!("{shown}: goes on behind position {from}"));
    }
    file.begin()?;
    let problems = &suite.problems;
    let template = "{bar:30} position {pos}/{len}, {elapsed}, {eta} left";
    let bar = progress(template, problems.len());
    let mut asked = from.min(problems.len());
    workers::in_order(
        args.expert.threads(),
        asked..problems.len(),
        stop,
        || Ok(None),
        |engine: &mut Option<UciEngine>, at: usize| Ok(ask(args, at, &problems[at], engine, stop)?),
        |labelled: Labelled| {
            asked += 1;
            if let Some(failure) = &labelled.broken {
                bar.suspend(|| {
                    note(&format!(
                        "warning: position {asked} was asked again after: {failure}"
                    ));
                });
            }
            if let Some(line) = &labelled.line {
                file.write(line)?;
                written += 1;
            }
            bar.set_position(asked as u64);
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        },
    )?;
    bar.finish_and_clear();
    file.finish()?;
    note(&format!(
        "{written} positions in {shown}, of {asked} that were looked at"
    ));
    Ok(asked == problems.len())
}

/// The place behind the last position that a file has an answer for.
fn next(found: &[Epd]) -> Result<usize> {
    let Some(last) = found.last() else {
        return Ok(0);
    };
    let number = last.id.as_deref().and_then(|id| id.rsplit('.').next());
    let number = number.and_then(|number| number.parse().ok());
    number.context("the id of its last position is not FILE.NUMBER")
}

/// Asks the engine about a position.
fn ask(
    args: &LabelArgs,
    at: usize,
    problem: &Epd,
    engine: &mut Option<UciEngine>,
    stop: &Stop,
) -> Result<Labelled, PlayError> {
    let nothing = Labelled {
        line: None,
        broken: None,
    };
    let Some(position) = args.walk(at, &problem.position) else {
        return Ok(nothing);
    };
    let (said, broken) = twice(engine, &args.expert.spec(args.nodes), stop, |engine| {
        judged(args, &position, engine)
    })?;
    let line = said.map(|(fields, score)| {
        let stem = stem(&args.positions);
        format!("{fields} ce {}; id \"{stem}.{}\";\n", score.value(), at + 1)
    });
    Ok(Labelled { line, broken })
}

/// The four fields of the position after the engine's move, and what the engine says of it, unless
/// that is no matter of evaluation.
fn judged(
    args: &LabelArgs,
    position: &Position,
    engine: &mut UciEngine,
) -> Result<Option<(String, Score)>, PlayError> {
    let before = engine.analyse(position, args.nodes, 1)?;
    let position = position.play(before.best);
    if position.in_check() || position.legal_moves().is_empty() {
        return Ok(None);
    }
    // An EPD has no clocks, so the position is judged without them.
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let fields = fields.join(" ");
    let Ok(position) = Position::from_fen(&format!("{fields} 0 1")) else {
        return Ok(None);
    };
    let said = engine.analyse(&position, args.nodes, 1)?;
    let quiet = !position.is_capture(said.best) && said.best.promotion().is_none();
    let line = said.lines.first().filter(|line| !line.score.is_mate());
    Ok(line.filter(|_| quiet).map(|line| (fields, line.score)))
}
