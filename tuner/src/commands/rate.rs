//! `tuner rate`: ratings of several players from all their games.

use crate::base::ratings::{Model, NoRatings, Pairing, ratings};
use crate::base::statistics::counted;
use crate::base::usage::number;
use crate::data::pgn::games::{result_of_tag, unescaped};
use crate::data::pgn::reader::{End, Reader};
use anyhow::{Context as _, bail};
use engine::movetext::ResultText;
use engine::source::{Source, decoded};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Rate several players by all their games.
///
/// Maximum likelihood with draws and an advantage of White, the model and the prior of Bayeselo. Names and results
/// alone count: what the moves are, or whether they can be played, does not matter.
#[derive(Clone, Debug, clap::Args)]
pub struct RateArgs {
    /// Files of games (PGN, plain or packed with gzip or zstd).
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Give this player this rating, for example --anchor "Stockfish=2400" [default: the mean of all is 0].
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<(String, f64)>,
    /// Elo that White is ahead.
    #[arg(long, value_name = "ELO", default_value_t = Model::default().advantage, value_parser = elo,
          allow_negative_numbers = true)]
    advantage: f64,
    /// Elo that a draw is wide.
    #[arg(long, value_name = "ELO", default_value_t = Model::default().draw, value_parser = width)]
    draw: f64,
    /// Draws that each player is thought to have played besides; without any, who has won all games has no rating.
    #[arg(long, value_name = "N", default_value_t = Model::default().prior, value_parser = width)]
    prior: f64,
    /// Print comma-separated values.
    #[arg(long)]
    csv: bool,
}

fn elo(text: &str) -> Result<f64, String> {
    let holds = |number: f64| number.abs() <= 10_000.0;
    number(text, holds, "a number from -10000 to 10000")
}

fn width(text: &str) -> Result<f64, String> {
    let holds = |number| (0.0..=1000.0).contains(&number);
    number(text, holds, "a number from 0 to 1000")
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=');
    let (name, rating) = parts.ok_or("expected a name, = and a rating")?;
    Ok((name.to_string(), elo(rating)?))
}

/// What is known of the games of all files.
#[derive(Debug, Default)]
struct Table {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// White's wins, draws and losses by White and Black.
    results: BTreeMap<(usize, usize), [f64; 3]>,
    /// Games without a result, or without two names; "?" is none (PGN standard, 8.1.1).
    left_out: u64,
    /// Games whose tag and moves end with different results.
    contradictory: u64,
}

impl Table {
    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        let number = *self.numbers.entry(name.to_string()).or_insert(next);
        if number == next {
            self.names.push(name.to_string());
        }
        number
    }

    fn add(&mut self, [white, black]: [&str; 2], result: ResultText) {
        let result = match result {
            ResultText::White => 0,
            ResultText::Draw => 1,
            ResultText::Black => 2,
            ResultText::Unknown => 3,
        };
        let is_unknown = |name: &str| ["", "?"].contains(&name);
        if result == 3 || is_unknown(white) || is_unknown(black) || white == black {
            self.left_out += 1;
            return;
        }
        let pair = (self.number(white), self.number(black));
        self.results.entry(pair).or_default()[result] += 1.0;
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let source = Source::open(path)?;
        let mut reader = Reader::new(source);
        loop {
            let (mut names, mut told) = ([const { String::new() }; 2], ResultText::Unknown);
            let text = |value: &[u8]| decoded(&unescaped(value)).trim().to_string();
            let next = reader.next_game(|name, value| match name {
                b"White" => names[0] = text(value),
                b"Black" => names[1] = text(value),
                b"Result" => told = result_of_tag(value),
                _ => {}
            });
            // Moves that can't be read don't matter here, so long as a tag has the result.
            let ended = next.and_then(|next| match next {
                None => Ok(None),
                Some(_) => reader.check_rest().map(|_| Some(reader.end())),
            });
            let line = reader.line();
            let ended = ended.with_context(|| format!("{}: line {line}", path.display()))?;
            let played = match ended {
                None => return Ok(()),
                Some(Some(End::Result(played))) => played,
                Some(_) => ResultText::Unknown,
            };
            let names = names.each_ref().map(String::as_str);
            match (told, played) {
                (ResultText::Unknown, result) | (result, ResultText::Unknown) => {
                    self.add(names, result);
                }
                (told, played) if told == played => self.add(names, told),
                _ => self.contradictory += 1,
            }
        }
    }
}

/// The table of ratings, best first.
///
/// # Errors
/// A file can't be read, there are no games, two players are not linked by games, or nobody has the name
/// of the anchor.
pub fn rate(args: &RateArgs) -> anyhow::Result<String> {
    let mut table = Table::default();
    for path in &args.games {
        table.read(path)?;
    }
    let model = Model {
        advantage: args.advantage,
        draw: args.draw,
        prior: args.prior,
    };
    text(&table, model, args.anchor.as_ref(), args.csv)
}

fn text(
    table: &Table,
    model: Model,
    anchor: Option<&(String, f64)>,
    csv: bool,
) -> anyhow::Result<String> {
    let names = &table.names;
    if names.is_empty() {
        bail!(
            "there are no games between two players of different names with a result; found {}. Expected games in PGN",
            counted(
                (table.left_out + table.contradictory) as usize,
                "other game"
            )
        );
    }
    let pairings = table.results.iter();
    let pairings = pairings.map(|(&(white, black), &results)| Pairing {
        white,
        black,
        results,
    });
    let pairings: Vec<Pairing> = pairings.collect();
    let found = ratings(names.len(), &pairings, model);
    let found = found.map_err(|reason| match reason {
        NoRatings::Apart(one, other) => anyhow::anyhow!(
            "{:?} and {:?} are not linked by games, not even by way of others, so nothing says how they compare",
            names[one],
            names[other]
        ),
        NoRatings::Unbounded => anyhow::anyhow!(
            "some players have won or lost all games against the others, so nothing bounds their ratings; \
             expected --prior above {}",
            model.prior
        ),
    })?;
    let offset = match anchor {
        None => 0.0,
        Some((name, elo)) => {
            let at = names.iter().position(|known| known == name);
            let at = at.with_context(|| {
                format!(
                    "nobody is called {name:?}, expected one of {}",
                    names.join(", ")
                )
            })?;
            elo - found[at].elo
        }
    };
    let mut totals = vec![[0.0; 3]; names.len()];
    for pairing in &pairings {
        let [wins, draws, losses] = pairing.results;
        for (player, results) in [
            (pairing.white, [wins, draws, losses]),
            (pairing.black, [losses, draws, wins]),
        ] {
            for (total, more) in totals[player].iter_mut().zip(results) {
                *total += more;
            }
        }
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&one, &other| found[other].elo.total_cmp(&found[one].elo));
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    let mut said = match csv {
        true => "rank,player,elo,interval_95,games,score_percent,draws_percent\n".to_string(),
        false => format!(
            "rank  {:width$}    elo    ±  games  score  draws\n",
            "player"
        ),
    };
    for (rank, player) in (1..).zip(order) {
        let [wins, draws, losses] = totals[player];
        let games = wins + draws + losses;
        let percent = |part: f64| 100.0 * part / games.max(1.0);
        let (elo, interval) = (found[player].elo + offset, found[player].interval);
        let (score, drawn) = (percent(wins + draws / 2.0), percent(draws));
        let name = &names[player];
        let _ = match csv {
            true => {
                let name = name.replace('"', "\"\"");
                let elo = (elo * 10.0).round() / 10.0 + 0.0;
                writeln!(
                    said,
                    "{rank},\"{name}\",{elo:.1},{interval:.1},{games},{score:.1},{drawn:.1}"
                )
            }
            false => writeln!(
                said,
                "{rank:>4}  {name:width$} {:>6.0} {interval:>4.0} {games:>6} {score:>4.0} % {drawn:>4.0} %",
                // Not "-0".
                elo.round() + 0.0
            ),
        };
    }
    for (count, why) in [
        (table.left_out, "no result or not two different names"),
        (
            table.contradictory,
            "one result in the tag and another after the moves",
        ),
    ] {
        if !csv && count > 0 {
            let _ = writeln!(said, "left out: games with {why}: {count}");
        }
    }
    Ok(said.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(games: &[[&str; 3]]) -> Table {
        let mut table = Table::default();
        for &[white, black, result] in games {
            table.add([white, black], result_of_tag(result.as_bytes()));
        }
        table
    }

    /// Müller and Möller in Latin-1 are two, and a name in UTF-8 is the same player; a result may stand in the tag, with
    /// any dash, or after the moves alone, and where both are there they have to agree.
    #[test]
    fn names_and_results_are_read_as_by_every_other_command() {
        let folder = tempfile::tempdir().unwrap();
        let game = |white: &[u8], tag: &str, end: &str| {
            let head = [b"[Event \"?\"]\n[White \"", white, b"\"]\n[Black \"X\"]\n"].concat();
            [head, format!("{tag}\n1. e4 e5 {end}\n\n").into()].concat()
        };
        let games = [
            game(b"M\xfcller", "[Result \"1-0\"]\n", "1-0"),
            game("Müller".as_bytes(), "[Result \"1–0\"]\n", "*"),
            game(b"M\xf6ller", "", "0-1"),
            game(b"M\xf6ller", "[Result \"1-0\"]\n", "0-1"),
            game(b"X", "[Result \"1-0\"]\n", "1-0"),
        ];
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, games.concat()).unwrap();
        let mut table = Table::default();
        table.read(&path).unwrap();
        assert_eq!(table.names, ["Müller", "X", "Möller"]);
        let results: Vec<_> = table.results.into_iter().collect();
        assert_eq!(
            results,
            [((0, 1), [2.0, 0.0, 0.0]), ((2, 1), [0.0, 0.0, 1.0])]
        );
        assert_eq!((table.left_out, table.contradictory), (1, 1));
    }

    #[test]
    fn the_best_comes_first_and_the_anchor_has_its_rating() {
        let games = [
            ["A", "B", "1-0"],
            ["B", "A", "1/2-1/2"],
            ["B", "C", "1-0"],
            ["C", "B", "*"],
            ["C", "", "1-0"],
            ["?", "C", "1-0"],
        ];
        let table = table(&games);
        let anchor = ("B".to_string(), 2400.0);
        let said = text(&table, Model::default(), Some(&anchor), false).unwrap();
        let rows: Vec<Vec<&str>> = said
            .lines()
            .map(|row| row.split_whitespace().collect())
            .collect();
        assert_eq!((rows[1][1], rows[2][1], rows[3][1]), ("A", "B", "C"));
        assert_eq!(rows[2][2], "2400");
        // Two games of A, one won and one drawn.
        assert_eq!(rows[1][4..], ["2", "75", "%", "50", "%"]);
        assert!(said.ends_with("left out: games with no result or not two different names: 3"));
    }

    #[test]
    fn what_can_not_be_rated_is_said() {
        let said = |games: &[[&str; 3]], anchor: Option<(String, f64)>| {
            let text = text(&table(games), Model::default(), anchor.as_ref(), true);
            text.unwrap_err().to_string()
        };
        let none = said(&[["A", "B", "*"]], None);
        ::tests::says(&none, &["no games between two players", "found 1 other"]);
        let apart = said(&[["A", "B", "1-0"], ["C", "D", "1-0"]], None);
        assert!(apart.contains("\"A\" and \"C\" are not linked"), "{apart}");
        let unbounded = Model {
            prior: 0.0,
            ..Model::default()
        };
        let all_won = text(&table(&[["A", "B", "1-0"]]), unbounded, None, true);
        let all_won = all_won.unwrap_err().to_string();
        assert!(all_won.contains("expected --prior above 0"), "{all_won}");
        let nobody = said(&[["A", "B", "1-0"]], Some(("C".into(), 0.0)));
        ::tests::says(&nobody, &["nobody is called \"C\", expected one of A, B"]);
    }
}
