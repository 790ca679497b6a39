//! Ratings of several players from all their games by maximum likelihood, as Bayeselo gives them.
//!
//! The model (R. Coulom, "Bayesian Elo rating", 2005; draws: P. Rao and L. Kupper, JASA 62, 1967): with a difference
//! of d Elo, White's advantage included, White wins with probability f(d - e) and Black with f(-d - e), where
//! f(x) = 1 / (1 + 10^(-x/400)) and e is how many Elo a draw is wide; everything else is a draw. A prior of a few
//! draws keeps a player that has won everything from an infinite rating.
//!
//! The likelihood is concave, and Newton's method finds its maximum. Intervals are those of a normal distribution
//! with the curvature there, relative to the mean of all players.

/// Elo by which f becomes ten times as likely.
const SPREAD: f64 = 400.0;

/// The same as a natural logarithm for each Elo.
const RATE: f64 = std::f64::consts::LN_10 / SPREAD;

/// Games between two players, White first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairing {
    /// The player with White.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
    /// White's wins, draws and losses; halves are allowed, for games whose colours are unknown.
    pub results: [f64; 3],
}

/// What the model takes for granted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Elo that White is ahead by moving first.
    pub advantage: f64,
    /// Elo that a draw is wide: half of the Elo in which draws are the likeliest result.
    pub draw: f64,
    /// Draws that each player is thought to have played, shared out among its opponents.
    pub prior: f64,
}

impl Default for Model {
    /// Bayeselo's.
    fn default() -> Model {
        Model {
            advantage: 32.8,
            draw: 97.3,
            prior: 2.0,
        }
    }
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo, so that the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub interval: f64,
}

/// Why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRatings {
    /// These two have not met, and none of their opponents' opponents link them.
    Apart(usize, usize),
    /// Some have scored nothing against the others, or everything, and no prior bounds their ratings.
    Unbounded,
}

/// The ratings of so many players, in their order.
///
/// # Errors
/// Two of them have no games in common, not even by way of others; or without a prior the likelihood has no maximum.
pub fn ratings(
    players: usize,
    pairings: &[Pairing],
    model: Model,
) -> Result<Vec<Rating>, NoRatings> {
    let games = with_prior(players, pairings, model.prior);
    connected(players, &games)?;
    let mut elo = vec![0.0; players];
    let mut is_found = false;
    for _ in 0..200 {
        let (gradient, curvature) = derivatives(&elo, &games, model);
        let step = Factor::of(curvature).solved(gradient);
        // Far from the maximum the curvature of here says little of there.
        let longest = step
            .iter()
            .fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let part = (SPREAD / longest.max(SPREAD)).min(1.0);
        for (elo, step) in elo.iter_mut().zip(&step) {
            *elo += part * step;
        }
        is_found = longest < 1e-6;
        if longest < 1e-9 || elo.iter().any(|elo| !elo.is_finite()) {
            break;
        }
    }
    if !is_found || elo.iter().any(|elo| !elo.is_finite()) {
        return Err(NoRatings::Unbounded);
    }
    let (_, curvature) = derivatives(&elo, &games, model);
    // What the constant in the curvature adds to each variance.
    let constant = (players as f64 * RATE).powi(-2);
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    // As Bayeselo tells it: near 0 a difference means the score that it means without draws.
    let x = 10_f64.powf(-model.draw / SPREAD);
    let scale = 4.0 * x / ((1.0 + x) * (1.0 + x));
    let variances = Factor::of(curvature).inverse_diagonal();
    let ratings = elo.iter().zip(variances).map(|(elo, variance)| Rating {
        elo: scale * (elo - mean),
        interval: scale * 1.959_964 * (variance - constant).max(0.0).sqrt(),
    });
    Ok(ratings.collect())
}

/// The games with each player's prior draws: a quarter of them with each colour for either side of a pair, in
/// proportion to the games of the pair.
fn with_prior(players: usize, pairings: &[Pairing], prior: f64) -> Vec<Pairing> {
    let count = |pairing: &Pairing| pairing.results.iter().sum::<f64>();
    let mut all = vec![0.0; players];
    for pairing in pairings {
        for player in [pairing.white, pairing.black] {
            all[player] += count(pairing);
        }
    }
    let mut games = pairings.to_vec();
    for pairing in pairings.iter().filter(|pairing| count(pairing) > 0.0) {
        let share = |player: usize| 0.25 * prior * count(pairing) / all[player];
        let draws = share(pairing.white) + share(pairing.black);
        for (white, black) in [
            (pairing.white, pairing.black),
            (pairing.black, pairing.white),
        ] {
            games.push(Pairing {
                white,
                black,
                results: [0.0, draws, 0.0],
            });
        }
    }
    games
}

/// Refuses players that no chain of games links.
fn connected(players: usize, games: &[Pairing]) -> Result<(), NoRatings> {
    let mut group: Vec<usize> = (0..players).collect();
    let root = |group: &[usize], mut player: usize| {
        while group[player] != player {
            player = group[player];
        }
        player
    };
    for game in games
        .iter()
        .filter(|game| game.results.iter().sum::<f64>() > 0.0)
    {
        let (one, other) = (root(&group, game.white), root(&group, game.black));
        group[one.max(other)] = one.min(other);
    }
    match (0..players).find(|&player| root(&group, player) != 0) {
        None => Ok(()),
        Some(player) => Err(NoRatings::Apart(0, player)),
    }
}

/// First derivatives of the logarithm of the likelihood, and the negative second ones; to the latter a constant is
/// added everywhere, which keeps the mean where it is. Of the second ones, row after row, as far as the diagonal.
fn derivatives(elo: &[f64], games: &[Pairing], model: Model) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = elo.len();
    let chance = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / SPREAD));
    let mut first = vec![0.0; players];
    let rows = (1..=players).map(|length| vec![RATE * RATE; length]);
    let mut second: Vec<Vec<f64>> = rows.collect();
    for &Pairing {
        white,
        black,
        results: [wins, draws, losses],
    } in games
    {
        let difference = elo[white] - elo[black] + model.advantage;
        let (wins_by, loses_by) = (
            chance(difference - model.draw),
            chance(-difference - model.draw),
        );
        // A draw is as likely as a win times a loss, but for a constant.
        let (up, down) = (wins + draws, losses + draws);
        let slope = RATE * (up * (1.0 - wins_by) - down * (1.0 - loses_by));
        let bend = up * wins_by * (1.0 - wins_by) + down * loses_by * (1.0 - loses_by);
        let bend = RATE * RATE * bend;
        first[white] += slope;
        first[black] -= slope;
        second[white][white] += bend;
        second[black][black] += bend;
        second[white.max(black)][white.min(black)] -= bend;
    }
    (first, second)
}

/// A positive matrix as a triangle times its mirror image (Cholesky): rows as far as the diagonal. Not numbers if the
/// matrix is not positive.
struct Factor(Vec<Vec<f64>>);

impl Factor {
    fn of(mut rows: Vec<Vec<f64>>) -> Factor {
        for at in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(at);
            let Some(row) = rest.first_mut() else { break };
            for (column, other) in done.iter().enumerate() {
                let (before, own) = row.split_at_mut(column);
                own[0] = (own[0] - dot(before, other)) / other[column];
            }
            row[at] = (row[at] - dot(&row[..at], &row[..at])).sqrt();
        }
        Factor(rows)
    }

    /// The solution of the matrix' system of linear equations with this right side.
    fn solved(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (at, row) in self.0.iter().enumerate() {
            right[at] = (right[at] - dot(&right[..at], row)) / row[at];
        }
        for (at, row) in self.0.iter().enumerate().rev() {
            right[at] /= row[at];
            let found = right[at];
            for (value, factor) in right[..at].iter_mut().zip(row) {
                *value -= factor * found;
            }
        }
        right
    }

    /// The diagonal of the matrix' inverse: sums of squares of the columns of the triangle's inverse.
    fn inverse_diagonal(&self) -> Vec<f64> {
        let column = |first: usize| {
            let mut found: Vec<f64> = Vec::with_capacity(self.0.len() - first);
            for (at, row) in self.0.iter().enumerate().skip(first) {
                let unit = if at == first { 1.0 } else { 0.0 };
                found.push((unit - dot(&found, &row[first..])) / row[at]);
            }
            dot(&found, &found)
        };
        (0..self.0.len()).map(column).collect()
    }
}

/// The sum of the products of two rows, as far as the shorter one goes: eight sums side by side, which is what
/// processors are fast at.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    let length = one.len().min(other.len());
    let (ones, others) = (
        one[..length].chunks_exact(8),
        other[..length].chunks_exact(8),
    );
    let rest = ones.remainder().iter().zip(others.remainder());
    let rest: f64 = rest.map(|(one, other)| one * other).sum();
    let mut sums = [0.0; 8];
    for (ones, others) in ones.zip(others) {
        for ((sum, one), other) in sums.iter_mut().zip(ones).zip(others) {
            *sum += one * other;
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of a match whose colours are unknown.
    fn matches(games: &[(usize, usize, [f64; 3])]) -> Vec<Pairing> {
        let of = |&(one, other, [wins, draws, losses]): &(usize, usize, [f64; 3])| {
            let half = |results: [f64; 3]| results.map(|count| count / 2.0);
            [
                Pairing {
                    white: one,
                    black: other,
                    results: half([wins, draws, losses]),
                },
                Pairing {
                    white: other,
                    black: one,
                    results: half([losses, draws, wins]),
                },
            ]
        };
        games.iter().flat_map(of).collect()
    }

    /// Tables 11 to 13 of the 2013 paper: 103-97-0, 195-5-0 and 186-14-0 are 2341, 2186 and 1685 there.
    #[test]
    fn three_players_have_the_paper_s_ratings() {
        let games = [
            (0, 1, [103.0, 97.0, 0.0]),
            (0, 2, [195.0, 5.0, 0.0]),
            (1, 2, [186.0, 14.0, 0.0]),
        ];
        let found = ratings(3, &matches(&games), Model::default()).unwrap();
        let differences = [found[0].elo - found[1].elo, found[1].elo - found[2].elo];
        let paper = [2341.0 - 2186.0, 2186.0 - 1685.0];
        for (found, paper) in differences.iter().zip(paper) {
            assert!((found - paper).abs() < 1.0, "{differences:?}");
        }
        let mean: f64 = found.iter().map(|rating| rating.elo).sum();
        assert!(mean.abs() < 1e-6);
    }

    /// Without draws and prior, 75 of 100 points are 400 log10(3) = 190.8 Elo, and the interval is that of a
    /// proportion: each of the two has half of the difference's.
    #[test]
    fn two_players_differ_by_what_their_score_says() {
        let plain = Model {
            advantage: 0.0,
            draw: 0.0,
            prior: 0.0,
        };
        let found = ratings(2, &matches(&[(0, 1, [75.0, 0.0, 25.0])]), plain).unwrap();
        let difference = found[0].elo - found[1].elo;
        assert!((difference - 190.848).abs() < 0.01, "{difference}");
        // 1.96 * 400 / ln 10 / sqrt(100 * 0.75 * 0.25) is 78.6 for the difference.
        assert!((found[0].interval - 39.3).abs() < 0.1, "{found:?}");
        let more = ratings(2, &matches(&[(0, 1, [300.0, 0.0, 100.0])]), plain).unwrap();
        assert!((more[0].interval - found[0].interval / 2.0).abs() < 0.01);
    }

    #[test]
    fn who_wins_all_games_has_a_finite_rating() {
        let found = ratings(2, &matches(&[(0, 1, [50.0, 0.0, 0.0])]), Model::default()).unwrap();
        assert!((200.0..2000.0).contains(&found[0].elo), "{found:?}");
    }

    #[test]
    fn players_that_nothing_links_have_no_ratings() {
        let games = matches(&[(0, 1, [1.0, 1.0, 0.0]), (2, 3, [1.0, 1.0, 0.0])]);
        assert_eq!(
            ratings(4, &games, Model::default()),
            Err(NoRatings::Apart(0, 2))
        );
        assert_eq!(ratings(0, &[], Model::default()), Ok(Vec::new()));
    }

    /// (4 2 0, 2 5 3, 0 3 6) has the determinant 60; the inverse by cofactors.
    #[test]
    fn a_factor_solves_and_inverts() {
        let rows = vec![vec![4.0], vec![2.0, 5.0], vec![0.0, 3.0, 6.0]];
        let factor = Factor::of(rows);
        let near = |found: Vec<f64>, expected: [f64; 3]| {
            let mut pairs = found.iter().zip(expected);
            assert!(
                pairs.all(|(one, other)| (one - other).abs() < 1e-12),
                "{found:?}"
            );
        };
        near(factor.solved(vec![60.0, 0.0, 0.0]), [21.0, -12.0, 6.0]);
        near(factor.solved(vec![0.0, 60.0, 60.0]), [-6.0, 12.0, 4.0]);
        near(factor.inverse_diagonal(), [0.35, 0.4, 16.0 / 60.0]);
        let numbers: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(dot(&numbers, &numbers), 2870.0);
        assert_eq!(dot(&numbers, &numbers[..9]), 285.0);
    }
}
