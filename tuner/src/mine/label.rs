//! `tuner label`: what an expert engine says of positions, as EPD with `ce`, for the phase of kind
//! `expert`; or of each of their moves, for the phase of kind `ecm` with `found = "worth"`.

use super::crowd::{self, CrowdArgs, Order};
use super::expert::{self, ExpertArgs, nodes, stem, take};
use super::growing::Growing;
use super::leaf::{Leaves, unclocked};
use crate::base::progress::{bar, note};
use crate::base::stop::Stop;
use crate::base::usage::Usage;
use crate::base::workers;
use crate::data::suite::{MAX_SCORE, Need, Suite};
use crate::encoding::rows::digest_of;
use crate::evolution::rng::Random;
use crate::play::failure_budget::{FailureBudget, Told, ending, twice};
use crate::play::player::PlayError;
use crate::play::said::Line;
use crate::play::settings::Settings;
use crate::play::uci::UciEngine;
use anyhow::{Context as _, Result, ensure};
use engine::epd::{self, Epd};
use engine::params::ParamSet;
use engine::position::Position;
use engine::san::to_san;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// What the file's first line begins with.
const MARK: &str = "# tuner label: ";

/// Let an expert engine score positions, or all their moves.
///
/// Writes EPD with `ce`, or with --moves `c8`: centipawns for the side to move.
///
/// From each position up to --plies random moves are played first, so that some side has lost
/// something: of masters' games alone no evaluation learns what a queen is worth. Then the engine
/// plays one move or two, as often the one as the other: right after a random move it would seem good
/// to be to move, and after a single one of the engine bad. What it says of the position then is
/// written. Left out are positions in check, those whose best move captures or promotes (their worth
/// is in the search, not in the evaluation), and those with a mate.
///
/// With --leaves, Eyas searches each position for a random number of nodes, --leaves at most, and
/// where its search is then is scored twice, with either side to move: such positions are what an
/// evaluation is asked for. Left out are those of which either score would be.
///
/// With --moves, the positions are taken as they are, but for those with a single move. The engine
/// looks at all moves at once (MultiPV) with --nodes for all together; `c9` has the moves, `c8` what
/// each is worth, `bm` the best. With --follow, its best move and the reply that it expects lead to
/// the next position, and so on.
///
/// With --depth, every position is scored as it is, captures and checks too, by a search of so many
/// plies. Left out, and counted, are mates and scores beyond --max-score. Here --engine may be given
/// more than once: such a crowd says what --combine makes of its scores, and leaves out what any of
/// its engines would. What each has said is kept in --cache, so that neither a second run nor another
/// crowd asks it again. A file that exists already is continued; at
/// fixed nodes, an engine that plays reproducibly makes the same file on any number of threads.
#[derive(Clone, Debug, clap::Args)]
pub struct LabelArgs {
    /// EPD file of positions, from `tuner positions` for example.
    #[arg(long, value_name = "EPD")]
    pub positions: PathBuf,
    /// The engine and the file.
    #[command(flatten)]
    pub expert: ExpertArgs,
    /// What each move of a position is worth, instead of the position.
    #[arg(long)]
    pub moves: bool,
    /// So many more positions behind each, along the engine's best lines.
    #[arg(long, value_name = "N", requires = "moves",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub follow: Option<u32>,
    /// A position of Eyas's own search from there, of so many nodes at most, with either side to
    /// move.
    #[arg(long, value_name = "N", conflicts_with_all = ["moves", "plies"],
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub leaves: Option<u64>,
    /// Nodes that the engine thinks of a position [default: 1500; with --moves 100000].
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub nodes: Option<u64>,
    /// Random moves before a position, none to so many, evenly [default: 2].
    #[arg(long, value_name = "N", conflicts_with = "moves",
          value_parser = clap::value_parser!(u32).range(0..=100))]
    pub plies: Option<u32>,
    /// Seed of the random moves, or numbers of nodes [default: 1].
    #[arg(long, conflicts_with = "moves")]
    pub seed: Option<u64>,
    /// Positions as they are.
    #[command(flatten)]
    pub crowd: CrowdArgs,
}

impl LabelArgs {
    /// All that decides what the file looks like.
    fn settings(&self, engine: &UciEngine, sha256: &str) -> Settings {
        let mut settings = expert::heading(engine);
        let name = format!("sha256 of {}", stem(&self.positions));
        settings.push(&name, sha256);
        settings.push("nodes", self.nodes());
        if self.moves {
            settings.push("of", "moves");
            if let Some(more) = self.follow {
                settings.push("follow", more);
            }
            return settings;
        }
        match self.leaves {
            Some(nodes) => {
                settings.push("leaves of", nodes);
                settings.push("parameters", digest_of([&ParamSet::default()]));
            }
            None => {
                settings.push("plies", self.plies());
                settings.push("moves of the engine", "1-2");
            }
        }
        settings.push("seed", self.seed());
        settings
    }

    fn nodes(&self) -> u64 {
        self.nodes
            .unwrap_or(if self.moves { 100_000 } else { 1_500 })
    }

    fn plies(&self) -> u32 {
        self.plies.unwrap_or(2)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The chance of the position with this number in the file.
    fn random(&self, number: usize) -> Random {
        Random::new(self.seed().rotate_left(32) ^ number as u64)
    }

    /// The position after random moves that its number decides, and how many the engine is to play
    /// from there; `None` if the game is over by then.
    fn walk(&self, number: usize, position: &Position) -> Option<(Position, u32)> {
        let mut rng = self.random(number);
        let plies = rng.below(u128::from(self.plies()) + 1);
        let mut position = *position;
        for _ in 0..plies {
            let moves = position.legal_moves();
            let drawn = rng.below(moves.len() as u128) as usize;
            position = position.play(*moves.get(drawn)?);
        }
        let goes_on = !position.legal_moves().is_empty();
        goes_on.then(|| (position, 1 + rng.below(2) as u32))
    }
}

/// Who is asked.
struct Asked {
    expert: Option<UciEngine>,
    leaves: Option<Leaves>,
}

impl Asked {
    fn hire(args: &LabelArgs) -> Result<Asked> {
        Ok(Asked {
            expert: None,
            leaves: args.leaves.map(Leaves::new).transpose()?,
        })
    }
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
    args.expert.check()?;
    if let Some(depth) = args.crowd.depth {
        let order = Order {
            positions: &args.positions,
            expert: &args.expert,
            crowd: &args.crowd,
            mark: MARK,
        };
        return crowd::label(order, depth, stop);
    }
    let engines = args.expert.engines.len();
    ensure!(
        engines == 1,
        Usage(format!(
            "--engine is given {engines} times: a crowd of engines needs --depth"
        ))
    );
    let shown = args.expert.out.display();
    ensure!(args.positions != args.expert.out, "{shown} is named twice");
    let suite = Suite::load_with(Need::Position, &args.positions, None)?;
    let engine = UciEngine::start(&args.expert.spec(args.nodes()), stop)?;
    engine.tell_remarks();
    let settings = args.settings(&engine, &suite.sha256);
    if args.moves {
        need_all_moves(&engine, &suite.problems)?;
    }
    drop(engine);
    let mut file = Growing::open(&args.expert.out, MARK, &settings)?;
    let behind = |file: &Growing| file.last_number(0, "FILE.NUMBER");
    let mut from = behind(&file)?;
    if args.leaves.is_some() || args.follow.is_some() {
        // A kill may have torn what belongs together, so the last position's lines are made again.
        let last = from;
        while from > 0 && from == last {
            file.give_up_last();
            from = behind(&file)?;
        }
    }
    let mut written = file.found.len();
    if from > 0 {
        note(&format!("{shown}: goes on behind position {from}"));
    }
    file.begin()?;
    let problems = &suite.problems;
    let template = "{bar:30} position {pos}/{len}, {elapsed}, {eta} left";
    let bar = bar(template, problems.len() as u64);
    let mut asked = from.min(problems.len());
    let mut budget = FailureBudget::new(from > 0);
    let mut left_out = [0; LeftOut::ALL.len()];
    workers::in_order(
        args.expert.threads(),
        asked..problems.len(),
        stop,
        || Asked::hire(args),
        |who: &mut Asked, at: usize| Ok(ask(args, at, &problems[at], who, stop)),
        |told: Told<Labels>| {
            ending(stop, || {
                let (lines, warning) = take(told, &mut budget)?;
                asked += 1;
                if let Some(warning) = warning {
                    bar.suspend(|| note(&format!("warning: position {asked} {warning}")));
                }
                let labels = lines.unwrap_or_default();
                file.write(&labels.lines.concat())?;
                written += labels.lines.len();
                if let Some(why) = labels.left_out {
                    left_out[why as usize] += 1;
                }
                bar.set_position(asked as u64);
                Ok(ControlFlow::Continue(()))
            })
        },
    )?;
    bar.finish_and_clear();
    file.finish()?;
    note(&format!(
        "{written} positions in {shown}, of {asked} that were looked at"
    ));
    for (why, count) in LeftOut::ALL.into_iter().zip(left_out) {
        if let Some(why) = why.text(args.nodes()).filter(|_| count > 0) {
            note(&format!("{count} of them left out{why}"));
        }
    }
    Ok(asked == problems.len())
}

/// Refuses an engine that can't show all moves of each position at once.
fn need_all_moves(engine: &UciEngine, problems: &[Epd]) -> Result<()> {
    let counts = problems.iter().map(|one| one.position.legal_moves().len());
    let Some((most, number)) = counts.zip(1..).max() else {
        return Ok(());
    };
    let able = engine.need_lines(most);
    able.with_context(|| format!("--moves: position {number} has {most} moves"))
}

/// What a position comes to.
#[derive(Default)]
struct Labels {
    /// Lines of the file.
    lines: Vec<String>,
    /// Why there are none, or fewer.
    left_out: Option<LeftOut>,
}

/// Why a position is left out, or not followed to the end.
#[derive(Clone, Copy)]
enum LeftOut {
    /// It is no matter of evaluation, as expected of some.
    Unfit,
    /// The engine has not thought about its only move.
    OnlyMove,
    /// The engine's nodes did not get it through all moves once.
    FewNodes,
    /// It has more moves than the engine shows at once.
    ManyMoves,
}

impl LeftOut {
    const ALL: [LeftOut; 4] = [
        LeftOut::Unfit,
        LeftOut::OnlyMove,
        LeftOut::FewNodes,
        LeftOut::ManyMoves,
    ];

    /// What there is to say of those with so many nodes, if anything is.
    fn text(self, nodes: u64) -> Option<String> {
        let text = match self {
            LeftOut::Unfit => return None,
            LeftOut::OnlyMove => ": the engine told no score of their only move".to_string(),
            LeftOut::FewNodes => format!(
                " or not followed to the end: --nodes {nodes} did not get the engine through all their \
                 moves once"
            ),
            LeftOut::ManyMoves => {
                " or not followed to the end: the engine's MultiPV ends below the number of their moves"
                    .to_string()
            }
        };
        Some(text)
    }
}

/// Asks about a position: the lines that it comes to.
fn ask(args: &LabelArgs, at: usize, problem: &Epd, asked: &mut Asked, stop: &Stop) -> Told<Labels> {
    // An EPD that is written has no clocks, so neither has the position that is asked about.
    let from = &unclocked(&problem.position).unwrap_or(problem.position);
    let draw = |leaves: &mut Leaves| leaves.draw(from, &mut args.random(at));
    let leaf = asked.leaves.as_mut().map(draw);
    let start = || UciEngine::start(&args.expert.spec(args.nodes()), stop);
    let said = |engine: &mut UciEngine| -> Result<Labels, PlayError> {
        if args.moves {
            return weighed(args, from, engine);
        }
        let positions: Vec<Position> = match leaf {
            Some(leaf) => leaf.into_iter().flatten().collect(),
            None => walked(args, at, from, engine)?.into_iter().collect(),
        };
        let mut labels = Labels::default();
        for position in &positions {
            match judged(args, position, engine)? {
                Ok(line) => labels.lines.push(line),
                // Of two that belong together neither is written without the other.
                Err(why) => {
                    return Ok(Labels {
                        lines: Vec::new(),
                        left_out: Some(why),
                    });
                }
            }
        }
        Ok(labels)
    };
    let stem = stem(&args.positions);
    let id = |said: String| format!("{said} id \"{stem}.{}\";\n", at + 1);
    twice(&mut asked.expert, start, |engine| {
        let said = said(engine)?;
        Ok(Labels {
            lines: said.lines.into_iter().map(id).collect(),
            ..said
        })
    })
}

/// What the engine says of each move of a position, and of those that it is followed to.
fn weighed(args: &LabelArgs, from: &Position, engine: &mut UciEngine) -> Result<Labels, PlayError> {
    let mut position = *from;
    let mut labels = Labels::default();
    for _ in 0..=args.follow.unwrap_or(0) {
        let moves = position.legal_moves().len();
        if moves < 2 {
            break;
        }
        if engine.need_lines(moves).is_err() {
            labels.left_out = Some(LeftOut::ManyMoves);
            break;
        }
        let mut said = engine.analyse(&position, args.nodes(), moves)?.moves;
        if said.len() < moves {
            labels.left_out = Some(LeftOut::FewNodes);
            break;
        }
        said.sort_by_key(|line| (-worth(line), line.mv.to_string()));
        labels.lines.push(worths(&position, &said));
        let Some(next) = said.first().and_then(|best| behind(&position, best)) else {
            break;
        };
        position = next;
    }
    Ok(labels)
}

/// The position behind a line's first two moves.
fn behind(position: &Position, line: &Line) -> Option<Position> {
    let answering = position.play(line.mv);
    let reply = line.reply.filter(|&reply| answering.is_legal(reply))?;
    // An EPD has no clocks, so it is judged without them.
    unclocked(&answering.play(reply))
}

/// What a line is worth; every mate is worth the same.
fn worth(line: &Line) -> i32 {
    line.score.value().clamp(-MAX_SCORE, MAX_SCORE)
}

/// A position with the worths of its moves, the best of which come first.
fn worths(position: &Position, said: &[Line]) -> String {
    let most = said.first().map(worth);
    let best = said.iter().take_while(|line| Some(worth(line)) == most);
    let best: Vec<String> = best.map(|line| to_san(position, line.mv)).collect();
    let of = |each: &dyn Fn(&Line) -> String| {
        let words: Vec<String> = said.iter().map(each).collect();
        words.join(" ")
    };
    format!(
        "{} bm {}; c8 \"{}\"; c9 \"{}\";",
        epd::fields(position),
        best.join(" "),
        of(&|line| worth(line).to_string()),
        of(&|line| line.mv.to_string()),
    )
}

/// The position after random moves and some of the engine, unless the game is over by then.
fn walked(
    args: &LabelArgs,
    number: usize,
    from: &Position,
    engine: &mut UciEngine,
) -> Result<Option<Position>, PlayError> {
    let Some((mut position, moves)) = args.walk(number, from) else {
        return Ok(None);
    };
    for _ in 0..moves {
        let best = engine.best_move(&position, args.nodes())?;
        position = position.play(best);
        if !position.has_legal_move() {
            return Ok(None);
        }
    }
    // An EPD has no clocks, so the position is judged without them.
    Ok(unclocked(&position))
}

/// What the engine says of a position, unless that is no matter of evaluation.
fn judged(
    args: &LabelArgs,
    position: &Position,
    engine: &mut UciEngine,
) -> Result<Result<String, LeftOut>, PlayError> {
    if position.in_check() {
        return Ok(Err(LeftOut::Unfit));
    }
    let said = engine.analyse(position, args.nodes(), 1)?;
    let quiet = !position.is_capture(said.best) && said.best.promotion().is_none();
    // What phase `expert` would refuse is no score: some engines say 99999 for a table's win.
    let is_score = |line: &&Line| {
        !line.score.is_mate() && (-MAX_SCORE..=MAX_SCORE).contains(&line.score.value())
    };
    let Some(line) = said.lines.first() else {
        return Ok(Err(LeftOut::OnlyMove));
    };
    let line = Some(line).filter(is_score).filter(|_| quiet);
    let fields = epd::fields(position);
    let said = line.map(|line| format!("{fields} ce {};", line.score.value()));
    Ok(said.ok_or(LeftOut::Unfit))
}
