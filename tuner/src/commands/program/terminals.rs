//! What single terminals are worth to a player (2005 §5.1): each alone, and what strong players lose without it.

use super::subject::load;
use crate::base::room::{self, cores};
use crate::base::usage::Usage;
use crate::encoding::programs::Player;
use crate::error::RunError;
use crate::fitness::endgames::{Board, Encounter, Opponent, Rules, Tally, starts};
use anyhow::{Context as _, bail};
use clap::Args;
use engine::program::{Ending, Kind, PRIMITIVES, Primitive, Program, Tree, named};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Args)]
pub struct TerminalsArgs {
    /// Strong programs (*.sexp): what they lose on average if they are told random values of a terminal is its S_DIS.
    programs: Vec<PathBuf>,
    /// The ending.
    #[arg(long, value_name = "ENDING")]
    ending: String,
    /// A program to play against. With --engine-nodes, scores are the mean of both.
    #[arg(long, value_name = "SEXP")]
    against: Option<PathBuf>,
    /// Play against Eyas with so many nodes a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    engine_nodes: Option<u64>,
    /// Games against each opponent, an even number; each start is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = super::even)]
    games: u32,
    /// Moves of each side after which a game is judged by material.
    #[arg(long, value_name = "N", default_value_t = super::MOVES, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: u32,
    /// Seed of starts, of draws between equal moves and of random values.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Matches from the same starts.
struct Matches {
    endings: [Ending; 1],
    rules: Rules,
    rival: Option<Program>,
    nodes: Option<u64>,
    starts: usize,
    seed: u64,
}

impl Matches {
    /// All games of a player, who can't see one terminal or sees all, against those who play.
    fn games(&self, player: &Player, hidden: Option<u16>) -> Result<Tally, RunError> {
        let starts = starts(self.seed, 0, self.starts, 1);
        let rival = self.rival.is_some().then_some(Opponent::Rival);
        let engine = self.nodes.map(|_| Opponent::Engine);
        let opponents: Vec<Opponent> = rival.into_iter().chain(engine).collect();
        let numbered = starts.chunks(5).enumerate();
        let tasks = numbered.flat_map(|(number, some)| {
            opponents.iter().map(move |opponent| Encounter {
                key: String::new(),
                player: player.clone(),
                opponent: opponent.clone(),
                starts: some.to_vec(),
                seed: self.seed ^ number as u64,
            })
        });
        let tasks: Vec<Encounter> = tasks.collect();
        let board = || {
            let board = Board::new(&self.endings, self.rules, self.rival.as_ref());
            let board = board.with_engine(self.nodes);
            match hidden {
                Some(terminal) => board.with_hidden(terminal),
                None => board,
            }
        };
        let tallies = tasks.par_iter().map_init(board, Board::play);
        let tallies = tallies.collect::<Result<Vec<Tally>, _>>()?;
        let mut games = Tally::default();
        tallies.iter().for_each(|some| games.add(some));
        Ok(games)
    }
}

/// A program that scores positions by one terminal: a number by itself, a Boolean as more if it is true.
fn alone(terminal: &Primitive, ending: &Ending) -> anyhow::Result<Player> {
    let nodes = match terminal.result {
        Kind::Boolean => vec!["If3", terminal.name, "1000/2", "2/1000"],
        Kind::Float | Kind::Query => vec![terminal.name],
    };
    let nodes: Option<Vec<u16>> = nodes.into_iter().map(named).collect();
    let tree = Tree::new(nodes.context("the language has no such names")?)?;
    let trees = [tree.clone(), tree.clone(), tree];
    let program = Program::new(vec![*ending], String::new(), trees);
    Ok(Player(Arc::new(program)))
}

/// What is known of a terminal.
struct Row {
    name: &'static str,
    /// Points of the terminal alone.
    single: f64,
    /// What the strong programs lose without it, on average; with the number of those that ask it.
    loss: Option<(f64, usize)>,
}

/// Plays all matches, and says what came out.
///
/// # Errors
/// A program or the ending is refused, or nobody is there to play against.
pub fn run(args: &TerminalsArgs) -> anyhow::Result<String> {
    let ending: Ending = args.ending.parse().context("--ending")?;
    if args.against.is_none() && args.engine_nodes.is_none() {
        bail!(Usage(
            "nobody to play against, expected --against, --engine-nodes or both".into()
        ));
    }
    let loaded = |path: &PathBuf| -> anyhow::Result<Program> {
        let program = load(path)?;
        if !program.endings.contains(&ending) {
            let own: Vec<String> = program.endings.iter().map(Ending::to_string).collect();
            let (path, own) = (path.display(), own.join(", "));
            bail!("{path}: a program for {own}, expected one for {ending}");
        }
        Ok(program)
    };
    let strong = args.programs.iter().map(loaded);
    let strong = strong.collect::<anyhow::Result<Vec<Program>>>()?;
    let matches = Matches {
        rival: args.against.as_ref().map(loaded).transpose()?,
        endings: [ending],
        rules: Rules {
            moves: args.moves,
            mate: 1,
            advantage: 1,
            draw: 0,
        },
        nodes: args.engine_nodes,
        starts: args.games as usize / 2,
        seed: args.seed,
    };
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    pool.install(|| measure(&matches, strong, &ending))
}

fn measure(matches: &Matches, strong: Vec<Program>, ending: &Ending) -> anyhow::Result<String> {
    let random = Player::random().context("the language has no constant")?;
    let random = matches.games(&random, None)?;
    let mut players = Vec::new();
    for program in strong {
        let player = Player(Arc::new(program));
        let score = matches.games(&player, None)?.score();
        players.push((player, score));
    }
    let mut rows = Vec::new();
    for (place, terminal) in (0..).zip(PRIMITIVES) {
        if !terminal.is_terminal() {
            continue;
        }
        let single = matches.games(&alone(terminal, ending)?, None)?.score();
        let (mut lost, mut asking) = (0.0, 0);
        for (player, score) in &players {
            let trees = player.0.trees();
            if trees.iter().any(|tree| tree.nodes().contains(&place)) {
                lost += score - matches.games(player, Some(place))?.score();
                asking += 1;
            }
        }
        rows.push(Row {
            name: terminal.name,
            single,
            loss: (!players.is_empty()).then(|| (lost / players.len() as f64, asking)),
        });
    }
    let worth = |row: &Row| row.single + row.loss.map_or(0.0, |(loss, _)| loss);
    rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    Ok(said(&rows, &random, &players))
}

fn said(rows: &[Row], random: &Tally, players: &[(Player, f64)]) -> String {
    let (score, reach) = super::score_text(random);
    let mut text = format!(
        "{} games each, scores from 0 to 1; random moves {score} ({reach})",
        random.games()
    );
    if !players.is_empty() {
        let scores: Vec<String> = players
            .iter()
            .map(|(_, score)| format!("{score:.3}"))
            .collect();
        let _ = write!(text, "; the programs {}", scores.join(", "));
    }
    let names = rows.iter().map(|row| row.name).chain(["terminal"]);
    let width = names.map(str::len).max().unwrap_or(0);
    let _ = write!(
        text,
        "\n{:width$}  points  S_SINGLE   S_DIS  asked by",
        "terminal"
    );
    for row in rows {
        let name = row.name;
        let above = row.single - random.score();
        let _ = write!(text, "\n{name:width$}   {:.3}    {above:+.3}", row.single);
        if let Some((loss, asking)) = row.loss {
            let _ = write!(text, "  {loss:+.3}  {asking} of {}", players.len());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers stand alone, what is true or false decides between two constants; both in all three trees.
    #[test]
    fn a_terminal_alone_is_a_tree_that_likes_more_of_it() {
        let ending: Ending = "KRKR".parse().unwrap();
        let text = |name: &str| {
            let place = named(name).unwrap();
            let player = alone(&PRIMITIVES[usize::from(place)], &ending).unwrap();
            player.0.trees().map(|tree| tree.to_text(0, 100)).join(" ")
        };
        let number = "EvaluateMaterial EvaluateMaterial EvaluateMaterial";
        assert_eq!(text("MaterialValue"), number);
        let truth = "(If3 IsMate 1000/2 2/1000)";
        assert_eq!(text("IsMate"), [truth; 3].join(" "));
        assert!(text("-1000*MateInOne").starts_with("-1000*MateInOne "));
    }

    #[test]
    fn a_row_is_a_score_above_that_of_random_moves() {
        let random = Tally {
            mates: [0, 80],
            draws: 20,
            ..Tally::default()
        };
        let row = |name, single, loss| Row { name, single, loss };
        let rows = [
            row("IsMate", 0.25, Some((0.05, 1))),
            row("IsDraw", 0.05, None),
        ];
        let players = [
            (Player::random().unwrap(), 0.4),
            (Player::random().unwrap(), 0.5),
        ];
        let text = said(&rows, &random, &players);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("100 games each"), "{text}");
        assert!(
            lines[0].ends_with("random moves 0.100 ± 0.039 (95 %); the programs 0.400, 0.500"),
            "{text}"
        );
        assert_eq!(lines[2], "IsMate     0.250    +0.150  +0.050  1 of 2");
        assert_eq!(lines[3], "IsDraw     0.050    -0.050");
    }
}
