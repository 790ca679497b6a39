//! `tuner rate`: ratings of several players from all their games.

use crate::base::ratings::{Model, NoRatings, Pairing, ratings};
use crate::data::pgn::reader::Reader;
use anyhow::{Context as _, bail};
use engine::source::Source;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Rate several players by all their games.
///
/// Maximum likelihood with draws and an advantage of White, the model and the prior of Bayeselo.
#[derive(Clone, Debug, clap::Args)]
pub struct RateArgs {
    /// Files of games (PGN, plain or packed with gzip or zstd).
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Give this player this rating, for example --anchor "Stockfish=2400" [default: the mean of all is 0].
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<(String, f64)>,
    /// Elo that White is ahead.
    #[arg(long, value_name = "ELO", default_value_t = Model::default().advantage, value_parser = elo)]
    advantage: f64,
    /// Elo that a draw is wide.
    #[arg(long, value_name = "ELO", default_value_t = Model::default().draw, value_parser = width)]
    draw: f64,
    /// Draws that each player is thought to have played besides.
    #[arg(long, value_name = "N", default_value_t = Model::default().prior, value_parser = width)]
    prior: f64,
    /// Print comma-separated values.
    #[arg(long)]
    csv: bool,
}

fn elo(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| number.abs() <= 10_000.0);
    number.ok_or_else(|| "expected a number from -10000 to 10000".into())
}

fn width(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1000".into())
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
    /// Games without a result, or without one of two names.
    left_out: u64,
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

    fn add(&mut self, [white, black, result]: [&str; 3]) {
        let result = match result {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => 3,
        };
        if result == 3 || white.is_empty() || black.is_empty() || white == black {
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
            let mut tags = [const { String::new() }; 3];
            let next = reader.next_game(|name, value| {
                let names: [&[u8]; 3] = [b"White", b"Black", b"Result"];
                if let Some(place) = names.iter().position(|known| *known == name) {
                    tags[place] = String::from_utf8_lossy(value).trim().to_string();
                }
            });
            let line = reader.line();
            let next = next.with_context(|| format!("{}: line {line}", path.display()))?;
            match next {
                None => return Ok(()),
                Some(_) => self.add(tags.each_ref().map(String::as_str)),
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
            "there are no games with two names and a result ({} without), expected some",
            table.left_out
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
    let found = found.map_err(|NoRatings::Apart(one, other)| {
        anyhow::anyhow!(
            "{:?} and {:?} are not linked by games, not even by way of others, so nothing says how they compare",
            names[one],
            names[other]
        )
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
                writeln!(
                    said,
                    "{rank},\"{name}\",{elo:.1},{interval:.1},{games},{score:.1},{drawn:.1}"
                )
            }
            false => writeln!(
                said,
                "{rank:>4}  {name:width$} {elo:>6.0} {interval:>4.0} {games:>6} {score:>4.0} % {drawn:>4.0} %"
            ),
        };
    }
    if !csv && table.left_out > 0 {
        let _ = writeln!(
            said,
            "{} games have no result or not two names, and are left out",
            table.left_out
        );
    }
    Ok(said.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(games: &[[&str; 3]]) -> Table {
        let mut table = Table::default();
        for game in games {
            table.add(*game);
        }
        table
    }

    #[test]
    fn the_best_comes_first_and_the_anchor_has_its_rating() {
        let games = [
            ["A", "B", "1-0"],
            ["B", "A", "1/2-1/2"],
            ["B", "C", "1-0"],
            ["C", "B", "*"],
            ["C", "", "1-0"],
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
        assert!(said.ends_with("2 games have no result or not two names, and are left out"));
    }

    #[test]
    fn what_can_not_be_rated_is_said() {
        let said = |games: &[[&str; 3]], anchor: Option<(String, f64)>| {
            let text = text(&table(games), Model::default(), anchor.as_ref(), true);
            text.unwrap_err().to_string()
        };
        assert!(said(&[["A", "B", "*"]], None).contains("no games with two names and a result (1"));
        let apart = said(&[["A", "B", "1-0"], ["C", "D", "1-0"]], None);
        assert!(apart.contains("\"A\" and \"C\" are not linked"), "{apart}");
        let nobody = said(&[["A", "B", "1-0"]], Some(("C".into(), 0.0)));
        assert!(
            nobody.contains("nobody is called \"C\", expected one of A, B"),
            "{nobody}"
        );
    }
}
