//! What a validation has come to, and in one word.

use crate::base::statistics::{Decision, Difference, Pentanomial, Sprt, thousands};
use crate::fitness::coevolution::repeated_text;
use engine::params::{ParamSet, Row};
use std::cmp::Ordering;
use std::fmt;

/// What there is to report of a validation. Pairs of numbers are the champion's and the opponent's.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationResult {
    /// The champion.
    pub champion: ParamSet,
    /// The opponent.
    pub opponent: ParamSet,
    /// The opponent in words.
    pub against: String,
    /// Held-out positions, and those that each solves.
    pub positions: Option<(usize, [u32; 2])>,
    /// Positions that the champion solves with each weight changed, none where that leaves it as it
    /// is.
    pub sensitivity: Vec<Sensitivity<Option<u32>>>,
    /// The suites.
    pub suites: Vec<SuiteResult>,
    /// The match, for the champion.
    pub games: Pentanomial,
    /// Games of it that somebody won.
    pub decisive: u64,
    /// Pairs of it whose opening had come before, which count nowhere.
    pub repeated: u64,
    /// The test.
    pub sprt: Sprt,
    /// Its log-likelihood ratio after each look.
    pub ratios: Vec<f64>,
    /// How the games were played, in words.
    pub rules: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether all is done.
    pub complete: bool,
}

/// A suite.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteResult {
    /// The file's name.
    pub name: String,
    /// Number of its positions.
    pub positions: usize,
    /// Nodes that a position costs at most.
    pub cap: u64,
    /// What each makes of it.
    pub results: [Solved; 2],
    /// What the champion makes of it with each search parameter changed; none where that
    /// doesn't change its value.
    pub sensitivity: Vec<Sensitivity<Option<Solved>>>,
}

/// What a parameter is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity<T> {
    /// The parameter.
    pub row: Row,
    /// What comes out with half of it, and with one and a half times it.
    pub changed: [T; 2],
}

/// What somebody makes of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Positions solved.
    pub positions: u32,
    /// Nodes that all positions cost.
    pub nodes: u64,
}

/// What the validation has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The champion is stronger.
    Better,
    /// Nothing is shown.
    NotProven,
    /// The opponent is stronger.
    Worse,
    /// Both are the same, and no match is played.
    Same,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Better => "better",
            Verdict::NotProven => "not proven",
            Verdict::Worse => "worse",
            Verdict::Same => "nothing to compare",
        })
    }
}

impl Verdict {
    /// Of these results under a test.
    pub fn of(results: &Pentanomial, sprt: &Sprt) -> Verdict {
        match (sprt.decide(results), results.standing()) {
            // That it is not much worse than the opponent can be accepted too.
            (Decision::Better, _) if sprt.elo0 >= 0.0 => Verdict::Better,
            (_, Ordering::Greater) => Verdict::Better,
            (_, Ordering::Less) => Verdict::Worse,
            (_, Ordering::Equal) => Verdict::NotProven,
        }
    }
}

impl ValidationResult {
    /// Whether the champion is the opponent as well.
    pub fn is_of_equals(&self) -> bool {
        self.champion == self.opponent
    }

    /// Whether there is anything to tell.
    pub fn is_known(&self) -> bool {
        match self.verdict {
            Verdict::Same => self.complete,
            _ => self.games.pairs() > 0,
        }
    }

    /// The verdict as a short sentence: `Better than old.toml.`
    pub fn headline(&self) -> String {
        let verdict = match self.verdict {
            Verdict::Better => "Better than",
            Verdict::Worse => "Worse than",
            Verdict::NotProven => "Not proven better than",
            Verdict::Same => "The same parameters as",
        };
        let so_far = if self.complete { "" } else { ", so far" };
        format!("{verdict} {}{so_far}.", self.against)
    }

    /// Whether the test has ended the match: the difference is then measured too large, as a rule.
    pub fn is_early(&self) -> bool {
        self.complete && self.sprt.decide(&self.games) != Decision::Open
    }

    /// The difference, and its interval and number of games; empty if no match is played.
    pub fn amount(&self) -> (String, String) {
        let games = &self.games;
        if self.verdict == Verdict::Same || games.pairs() == 0 {
            return (String::new(), String::new());
        }
        let (difference, interval) = match games.elo() {
            Some(Difference { elo, interval }) => (
                format!("{elo:+.0} Elo"),
                match interval {
                    Some((low, high)) if low.is_infinite() && high.is_infinite() => {
                        "too few games for an interval, ".to_string()
                    }
                    Some((low, high)) if high.is_infinite() => {
                        format!("with 95 % confidence at least {low:+.0}, ")
                    }
                    Some((low, high)) if low.is_infinite() => {
                        format!("with 95 % confidence at most {high:+.0}, ")
                    }
                    Some((low, high)) => format!("95 % interval {low:+.0} to {high:+.0}, "),
                    None => "without an interval, for all pairs have the same score, ".to_string(),
                },
            ),
            None => (games.elo_text(), String::new()),
        };
        let count = thousands(2 * games.pairs());
        (difference, format!("{interval}in {count} games"))
    }

    /// The verdict with its reasons, in a sentence or two.
    pub fn text(&self) -> String {
        if self.verdict == Verdict::Same {
            return format!(
                "The champion and {} have the same parameters: there is nothing to compare, and no \
                 match is played.",
                self.against
            );
        }
        let games = &self.games;
        let elo = games.elo_text();
        let test = match self.sprt.decide(games) {
            Decision::Better => "accepts",
            Decision::NotBetter => "rejects",
            Decision::Open => "leaves open",
        };
        let ratio = self.ratios.last().copied().unwrap_or(0.0);
        format!(
            "Against {}, the champion is {}{}: {elo} in {} games (pairs with 0, ½, 1, 1½, 2 points: \
             {}); the test of {:+} against {:+} Elo {test} the gain (LLR {ratio:.2}).{}",
            self.against,
            self.verdict,
            if self.complete { "" } else { " so far" },
            2 * games.pairs(),
            games.text(),
            self.sprt.elo1,
            self.sprt.elo0,
            repeated_text(self.repeated).map_or(String::new(), |text| format!(" {text}")),
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The usual test.
    pub(crate) const SPRT: Sprt = Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };

    /// A match against `x.toml` that has ended so.
    pub(crate) fn result(counts: [u64; 5], verdict: Verdict) -> ValidationResult {
        ValidationResult {
            champion: ParamSet::missing(),
            opponent: ParamSet::missing(),
            against: "x.toml".into(),
            positions: None,
            sensitivity: Vec::new(),
            suites: Vec::new(),
            games: Pentanomial { counts },
            decisive: 0,
            repeated: 0,
            sprt: SPRT,
            ratios: Vec::new(),
            rules: String::new(),
            verdict,
            complete: true,
        }
    }

    /// What stands first in a report, and whether the difference beside it may be taken at its word.
    #[test]
    fn the_headline_says_against_whom_and_whether_the_test_ended_the_match() {
        let mut won = result([20, 30, 280, 50, 620], Verdict::Better);
        assert_eq!(won.headline(), "Better than x.toml.");
        assert!(won.is_early());
        won.complete = false;
        assert_eq!(won.headline(), "Better than x.toml, so far.");
        assert!(!won.is_early());
        let open = result([1, 2, 4, 2, 1], Verdict::NotProven);
        assert_eq!(open.headline(), "Not proven better than x.toml.");
        assert!(!open.is_early());
    }

    /// Pairs that are all alike say nothing of how much chance there is in them.
    #[test]
    fn no_interval_of_pairs_that_are_all_alike() {
        let text = |counts, verdict| {
            let result = result(counts, verdict);
            result.text()
        };
        let alike = text([0, 0, 20, 0, 0], Verdict::NotProven);
        assert!(alike.contains("+0.0 Elo without an interval"), "{alike}");
        let mixed = text([0, 1, 20, 1, 0], Verdict::NotProven);
        assert!(mixed.contains("95 % interval"), "{mixed}");
        let same = text([0; 5], Verdict::Same);
        assert!(
            same.contains("nothing to compare") && !same.contains("Elo"),
            "{same}"
        );
    }

    /// The difference with its interval and the number of games; an end without a bound is no number.
    #[test]
    fn the_amount_has_interval_and_games() {
        let amount = |counts| {
            let result = result(counts, Verdict::NotProven);
            let (difference, games) = result.amount();
            format!("{difference}, {games}")
        };
        assert_eq!(
            amount([7, 4, 22, 2, 13]),
            "+36 Elo, 95 % interval -29 to +104, in 96 games"
        );
        assert_eq!(amount([0; 5]), ", ");
        let alike = amount([0, 0, 20, 0, 0]);
        assert!(alike.starts_with("+0 Elo, without an interval"), "{alike}");
        for counts in [
            [0, 0, 0, 1, 3],
            [3, 1, 0, 0, 0],
            [1, 0, 0, 0, 1],
            [0, 0, 0, 0, 9],
        ] {
            assert!(!amount(counts).contains("inf"), "{}", amount(counts));
        }
        assert!(amount([0, 0, 0, 1, 3]).contains("at least"));
    }

    #[test]
    fn verdicts_in_words() {
        let of = |counts| Verdict::of(&Pentanomial { counts }, &SPRT);
        assert_eq!(of([0; 5]), Verdict::NotProven);
        assert_eq!(of([5, 20, 50, 60, 40]), Verdict::Better);
        assert_eq!(of([40, 60, 50, 20, 5]), Verdict::Worse);
        assert_eq!(of([10, 20, 40, 20, 10]), Verdict::NotProven);
        assert_eq!(of([0, 0, 0, 0, 1]), Verdict::NotProven);
        assert_eq!(of([0, 0, 0, 1, 0]), Verdict::NotProven);
        assert_eq!(of([0, 1, 0, 0, 0]), Verdict::NotProven);
        assert_eq!(of([0, 0, 0, 2, 2]), Verdict::NotProven);
        assert_eq!(of([0, 0, 3, 2, 4]), Verdict::Better);
        assert_eq!(of([0, 0, 0, 0, 40]), Verdict::Better);
        assert_eq!(of([40, 0, 0, 0, 0]), Verdict::Worse);
        // A long draw rejects the gain and still is no proof of a loss.
        assert_eq!(of([0, 0, 4000, 0, 0]), Verdict::NotProven);
        assert_eq!(Verdict::NotProven.to_string(), "not proven");
        // Who is not much worse is not better.
        let not_worse = Sprt {
            elo0: -30.0,
            elo1: 0.0,
            ..SPRT
        };
        let equal = Pentanomial {
            counts: [0, 0, 4000, 0, 0],
        };
        assert_eq!(not_worse.decide(&equal), Decision::Better);
        assert_eq!(Verdict::of(&equal, &not_worse), Verdict::NotProven);
    }
}
