//! `tuner label --depth`: what one expert or a crowd of them says of positions as they are, by a search of
//! so many plies.
//!
//! After David-Tabibi, Koppel and Netanyahu, *Expert-driven genetic algorithms for simulating evaluation
//! functions* (2011): the expert's score of a position is that of a search of 2 plies. Here
//! the work has two steps. Each expert is asked in turn, and what it says goes at once to a file of its
//! own ([`super::cache`]); so a stop, a kill or a breakdown loses nothing. Then the scores are combined
//! ([`super::combine`]) and the EPD file is written from its beginning.

use super::cache::{Cache, Expert, Said};
use super::combine::{Combine, LeftOut, disagree, scores_of};
use super::expert::{ExpertArgs, stem, take};
use super::growing::Growing;
use super::leaf::unclocked;
use crate::base::progress::{bar, note};
use crate::base::stop::Stop;
use crate::base::usage::Usage;
use crate::base::workers;
use crate::data::suite::{Need, Suite};
use crate::play::failure_budget::{FailureBudget, Told, ending, twice};
use crate::play::limit::Limit;
use crate::play::player::{PlayError, Player as _};
use crate::play::settings::Settings;
use crate::play::uci::{EngineSpec, UciEngine, split_command};
use anyhow::{Result, ensure};
use engine::epd;
use engine::position::Position;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Greatest score where nobody says, in centipawns.
const MAX_SCORE: i32 = 1_500;

/// Positions as they are, scored by a search of so many plies.
#[derive(Clone, Debug, clap::Args)]
pub struct CrowdArgs {
    /// Score each position as it is (captures and checks too) by a search of so many plies.
    #[arg(long, value_name = "N", conflicts_with_all = ["moves", "leaves", "nodes", "plies", "seed"],
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// Leave out positions that an expert scores beyond this, either way, in centipawns
    /// [default: 1500].
    #[arg(long, value_name = "CP", requires = "depth",
          value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub max_score: Option<i32>,
    /// What several engines' scores come to, in whole centipawns, a half rounded away from zero
    /// [default: mean; with --weight weights].
    #[arg(long, value_enum, value_name = "HOW", requires = "depth")]
    pub combine: Option<Combine>,
    /// Weight of an engine, a whole number; once for each, in their order.
    #[arg(long = "weight", value_name = "W", requires = "depth",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub weights: Vec<u32>,
    /// Leave out positions that engines score with different signs; without it they are kept and
    /// counted.
    #[arg(long, requires = "depth")]
    pub agree: bool,
    /// File of what each engine has said, so that no other run asks it again [default: --out with
    /// `.cache.jsonl` behind it].
    #[arg(long, value_name = "FILE", requires = "depth")]
    pub cache: Option<PathBuf>,
}

impl CrowdArgs {
    fn max_score(&self) -> i32 {
        self.max_score.unwrap_or(MAX_SCORE)
    }

    /// How scores are combined.
    ///
    /// # Errors
    /// Weights that are not one for each engine, or that would not count.
    fn combine(&self, engines: usize) -> Result<Combine> {
        let given = self.weights.len();
        let combine = self.combine.unwrap_or(match given {
            0 => Combine::Mean,
            _ => Combine::Weights,
        });
        let expected = match combine {
            Combine::Weights => engines,
            Combine::Mean | Combine::Median => 0,
        };
        ensure!(
            given == expected,
            Usage(format!(
                "--weight is given {given} times, expected {expected}: once for each --engine with \
                 --combine weights, else not at all"
            ))
        );
        Ok(combine)
    }
}

/// What the command is given.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// Positions to be scored.
    pub positions: &'a Path,
    /// The engines, and the file.
    pub expert: &'a ExpertArgs,
    /// How they score, and what their scores come to.
    pub crowd: &'a CrowdArgs,
    /// What the file's first line begins with.
    pub mark: &'a str,
}

/// The command with all that it needs to know.
struct Crowd<'a> {
    args: Order<'a>,
    limit: Limit,
    combine: Combine,
    experts: Vec<Expert>,
    /// The positions without clocks, as text.
    positions: Vec<(Position, String)>,
}

/// Scores positions as they are. Whether the file is finished.
///
/// # Errors
/// Bad arguments, positions or a file that can't be read or continued, an engine out of order.
pub fn label(args: Order<'_>, depth: u32, stop: &Stop) -> Result<bool> {
    let out = &args.expert.out;
    let cache = args.crowd.cache.clone().unwrap_or_else(|| {
        let mut name = out.clone().into_os_string();
        name.push(".cache.jsonl");
        name.into()
    });
    for (one, other) in [
        (out.as_path(), args.positions),
        (&cache, args.positions),
        (&cache, out),
    ] {
        ensure!(one != other, "{} is named twice", one.display());
    }
    let limit = Limit::Depth(depth);
    let combine = args.crowd.combine(args.expert.engines.len())?;
    let suite = Suite::load_with(Need::Position, args.positions, None)?;
    // All are started before the first is asked: a wrong name should not cost an hour.
    let mut engines = Vec::new();
    for place in 0..args.expert.engines.len() {
        let engine = UciEngine::start(&spec(args, place), stop)?;
        engine.tell_remarks();
        engines.push(engine);
    }
    let settings = settings(args, &engines, limit, combine, &suite.sha256);
    let named = engines.iter().zip(&args.expert.engines);
    let experts = named.map(|(engine, command)| Expert::of(engine, command, limit));
    // An EPD that is written has no clocks, so neither has the position that is asked about.
    let bare = suite.problems.iter().map(|one| {
        let position = unclocked(&one.position).unwrap_or(one.position);
        (position, epd::fields(&position))
    });
    let crowd = Crowd {
        args,
        limit,
        combine,
        experts: experts.collect(),
        positions: bare.collect(),
    };
    drop(engines);
    // First, for a cache that is refused is to leave no empty file.
    let first = !out.exists();
    let opened = first.then(|| Cache::open(&cache, &crowd.experts));
    let opened = opened.transpose()?;
    let mut file = Growing::open(out, args.mark, &settings)?;
    if file.comment.as_deref().is_some_and(is_end) {
        note(&format!(
            "{}: {} positions, finished already",
            out.display(),
            file.found.len()
        ));
        return Ok(true);
    }
    let mut cache = match opened {
        Some(cache) => cache,
        None => Cache::open(&cache, &crowd.experts)?,
    };
    for place in 0..crowd.experts.len() {
        let asked = crowd.ask(place, &mut cache, stop);
        // Whatever has ended it, what was said is kept.
        cache.finish()?;
        if !asked? {
            return Ok(false);
        }
    }
    let (lines, counts) = crowd.lines(&cache);
    file.give_up_all();
    file.begin()?;
    file.write(&format!("{}{}\n", lines.concat(), counts.end(args)))?;
    file.finish()?;
    note(&format!(
        "{} positions in {}, of {} that were looked at",
        lines.len(),
        out.display(),
        crowd.positions.len()
    ));
    counts.tell(args);
    Ok(true)
}

/// An engine of the crowd; it plays no games, so a number of nodes a move is not needed.
fn spec(args: Order<'_>, place: usize) -> EngineSpec {
    args.expert.spec_of(place, 1)
}

/// All that decides what the file looks like.
fn settings(
    args: Order<'_>,
    engines: &[UciEngine],
    limit: Limit,
    combine: Combine,
    sha256: &str,
) -> Settings {
    let mut settings = Settings::default();
    let several = engines.len() > 1;
    for (place, (engine, command)) in engines.iter().zip(&args.expert.engines).enumerate() {
        let name = |what: &str| match several {
            true => format!("{what} {}", place + 1),
            false => what.to_string(),
        };
        settings.push(&name("engine"), engine.name());
        // Not the program's path: a file that was begun elsewhere may be continued here.
        let words = split_command(command).unwrap_or_default();
        let arguments = words.iter().skip(1).map(|word| word.to_string_lossy());
        let arguments = arguments.collect::<Vec<_>>().join(" ");
        if !arguments.is_empty() {
            settings.push(&name("arguments"), arguments);
        }
        settings.push(&name("options"), engine.options_text());
        if let Some(weight) = args.crowd.weights.get(place).filter(|_| several) {
            settings.push(&name("weight"), weight);
        }
    }
    settings.push(&format!("sha256 of {}", stem(args.positions)), sha256);
    settings.push("of", "positions as they are");
    match limit {
        Limit::Depth(plies) => settings.push("depth", plies),
        Limit::Nodes(nodes) => settings.push("nodes", nodes),
    }
    settings.push("max score", args.crowd.max_score());
    if several {
        settings.push("combine", combine.name());
        let kept = if args.crowd.agree { "left out" } else { "kept" };
        settings.push("scores of both signs", kept);
    }
    settings
}

impl Crowd<'_> {
    /// Has an expert score the positions of which it has said nothing yet. Whether it has come to the end.
    fn ask(&self, place: usize, cache: &mut Cache, stop: &Stop) -> Result<bool> {
        let Some(expert) = self.experts.get(place) else {
            return Ok(true);
        };
        let mut met = HashSet::new();
        let missing: Vec<usize> = (0..self.positions.len())
            .filter(|&at| {
                let (position, fields) = &self.positions[at];
                position.has_legal_move()
                    && cache.get(expert, fields).is_none()
                    && met.insert(fields.as_str())
            })
            .collect();
        let playable = self
            .positions
            .iter()
            .filter(|(one, _)| one.has_legal_move());
        let known = playable
            .filter(|(_, fields)| cache.get(expert, fields).is_some())
            .count();
        if known > 0 {
            note(&format!(
                "{}: {known} scores are known, {} are asked for",
                expert.engine,
                missing.len()
            ));
        }
        let template = "{bar:30} {msg}, position {pos}/{len}, {elapsed}, {eta} left";
        let bar = bar(template, missing.len() as u64);
        bar.set_message(expert.engine.clone());
        let mut budget = FailureBudget::new(known > 0);
        let (mut asked, mut kept) = (0, known);
        let told = workers::in_order(
            self.args.expert.threads(),
            0..missing.len(),
            stop,
            || anyhow::Ok(None),
            |engine: &mut Option<UciEngine>, number: usize| {
                let start = || UciEngine::start(&spec(self.args, place), stop);
                let (position, _) = &self.positions[missing[number]];
                Ok(twice(engine, start, |engine| self.said(position, engine)))
            },
            |told: Told<Said>| {
                ending(stop, || {
                    let (said, warning) = take(told, &mut budget)?;
                    let at = missing[asked];
                    asked += 1;
                    if let Some(warning) = warning {
                        let number = at + 1;
                        bar.suspend(|| note(&format!("warning: position {number} {warning}")));
                    }
                    if let Some(said) = said {
                        cache.add(expert, &self.positions[at].1, said)?;
                        kept += 1;
                    }
                    bar.set_position(asked as u64);
                    Ok(ControlFlow::Continue(()))
                })
            },
        );
        told.map_err(|error| match kept {
            0 => error,
            _ => error.context(format!("what {} has said so far is kept", expert.engine)),
        })?;
        bar.finish_and_clear();
        Ok(asked == missing.len())
    }

    /// What an engine says of a position.
    fn said(&self, position: &Position, engine: &mut UciEngine) -> Result<Said, PlayError> {
        let told = engine.analyse(position, self.limit, 1)?;
        Ok(told.lines.first().map_or(Said::Nothing, |line| {
            let score = line.score;
            let cp = Said::Cp(score.value());
            score.mate_moves().map_or(cp, Said::Mate)
        }))
    }

    /// The lines of the file, and what is not among them.
    fn lines(&self, cache: &Cache) -> (Vec<String>, Counts) {
        let stem = stem(self.args.positions);
        let mut counts = Counts {
            positions: self.positions.len(),
            ..Counts::default()
        };
        let mut lines = Vec::new();
        for (number, (position, fields)) in (1..).zip(&self.positions) {
            match self.score(cache, position, fields, &mut counts) {
                Ok(score) => lines.push(format!("{fields} ce {score}; id \"{stem}.{number}\";\n")),
                Err(why) => counts.left_out[why as usize] += 1,
            }
        }
        counts.written = lines.len();
        (lines, counts)
    }

    fn score(
        &self,
        cache: &Cache,
        position: &Position,
        fields: &str,
        counts: &mut Counts,
    ) -> Result<i32, LeftOut> {
        if !position.has_legal_move() {
            return Err(LeftOut::Over);
        }
        let said = self.experts.iter().map(|expert| cache.get(expert, fields));
        let said: Vec<Option<Said>> = said.collect();
        let scores = scores_of(&said, self.args.crowd.max_score())?;
        if disagree(&scores) {
            if self.args.crowd.agree {
                return Err(LeftOut::Disagree);
            }
            counts.disagree += 1;
        }
        let score = self.combine.of(&scores, &self.args.crowd.weights);
        score.ok_or(LeftOut::NoScore)
    }
}

/// What has become of the positions.
#[derive(Default)]
struct Counts {
    positions: usize,
    written: usize,
    left_out: [usize; LeftOut::ALL.len()],
    /// Of those written, those with scores of both signs.
    disagree: usize,
}

/// What the file's last line begins with, once nothing is left to be asked.
const END: &str = "# end: ";

fn is_end(comment: &str) -> bool {
    comment.starts_with(END)
}

impl Counts {
    /// What there is to say of those that are left out, and of those whose scores differ in sign.
    fn texts(&self, args: Order<'_>) -> Vec<String> {
        let max_score = args.crowd.max_score();
        let counted = LeftOut::ALL.into_iter().zip(self.left_out);
        let counted = counted.filter(|(_, count)| *count > 0);
        let mut texts: Vec<String> = counted
            .map(|(why, count)| format!("{count} left out {}", why.text(max_score)))
            .collect();
        if self.disagree > 0 {
            texts.push(format!("{} kept with scores of both signs", self.disagree));
        }
        texts
    }

    /// The file's last line. Where an expert broke down, the same command asks it again, and then this is
    /// not the end.
    fn end(&self, args: Order<'_>) -> String {
        let mark = match self.left_out[LeftOut::Failed as usize] {
            0 => END,
            _ => "# not finished: ",
        };
        let counts = format!("{} of {} positions", self.written, self.positions);
        let texts = self.texts(args).into_iter();
        let all: Vec<String> = std::iter::once(counts).chain(texts).collect();
        format!("{mark}{}", all.join("; "))
    }

    fn tell(&self, args: Order<'_>) {
        for text in self.texts(args) {
            note(&text);
        }
        if self.left_out[LeftOut::Failed as usize] > 0 {
            note("the same command asks again about those that an expert broke down over");
        }
    }
}
