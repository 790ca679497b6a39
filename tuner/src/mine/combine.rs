//! One score of several experts': their mean, median or weighted mean, in whole centipawns.

use super::cache::Said;

/// How the scores of several experts become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Combine {
    /// Their sum by their number.
    Mean,
    /// The middle one; of an even number, the mean of the two in the middle.
    Median,
    /// The mean with each expert's --weight.
    Weights,
}

impl Combine {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Combine::Mean => "mean",
            Combine::Median => "median",
            Combine::Weights => "weights",
        }
    }

    /// One score of several, in whole centipawns; a half is rounded away from zero, so that the other
    /// side's score is the same with the other sign. `weights` has one for each score and counts for
    /// [`Combine::Weights`] alone. `None` of none.
    pub fn of(self, scores: &[i32], weights: &[u32]) -> Option<i32> {
        let (sum, parts): (i64, i64) = match self {
            Combine::Mean => (
                scores.iter().map(|&score| i64::from(score)).sum(),
                i64::try_from(scores.len()).ok()?,
            ),
            Combine::Median => {
                let mut sorted = scores.to_vec();
                sorted.sort_unstable();
                let upper = *sorted.get(sorted.len() / 2)?;
                let lower = sorted[(sorted.len() - 1) / 2];
                (i64::from(lower) + i64::from(upper), 2)
            }
            Combine::Weights => {
                let weighted = scores.iter().zip(weights);
                (
                    weighted.map(|(&s, &w)| i64::from(s) * i64::from(w)).sum(),
                    weights.iter().map(|&weight| i64::from(weight)).sum(),
                )
            }
        };
        if parts == 0 {
            return None;
        }
        let rounded = (2 * sum.abs() + parts) / (2 * parts);
        i32::try_from(rounded * sum.signum()).ok()
    }
}

/// Why a position has no score. Of several reasons the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The game is over.
    Over,
    /// An expert broke down over it twice.
    Failed,
    /// An expert told no score, of an only move.
    NoScore,
    /// An expert sees a mate.
    Mate,
    /// An expert's score is beyond the greatest.
    Beyond,
    /// Some see the one side ahead, some the other.
    Disagree,
}

impl LeftOut {
    /// All of them.
    pub const ALL: [LeftOut; 6] = [
        LeftOut::Over,
        LeftOut::Failed,
        LeftOut::NoScore,
        LeftOut::Mate,
        LeftOut::Beyond,
        LeftOut::Disagree,
    ];

    /// What is left out, behind its number.
    pub fn text(self, max_score: i32) -> String {
        match self {
            LeftOut::Over => "where the game is over".to_string(),
            LeftOut::Failed => "over which an expert broke down".to_string(),
            LeftOut::NoScore => "with an only move and no score".to_string(),
            LeftOut::Mate => "with a mate".to_string(),
            LeftOut::Beyond => format!("beyond {max_score} cp"),
            LeftOut::Disagree => "with scores of both signs".to_string(),
        }
    }
}

/// The scores that all experts tell, or why there are none. What one of them alone would leave out, a
/// crowd leaves out too.
pub fn scores_of(said: &[Option<Said>], max_score: i32) -> Result<Vec<i32>, LeftOut> {
    let told: Option<Vec<Said>> = said.iter().copied().collect();
    let told = told.ok_or(LeftOut::Failed)?;
    if told.contains(&Said::Nothing) {
        return Err(LeftOut::NoScore);
    }
    let scores: Option<Vec<i32>> = told.iter().map(|said| said.centipawns()).collect();
    let scores = scores.ok_or(LeftOut::Mate)?;
    match scores
        .iter()
        .all(|score| (-max_score..=max_score).contains(score))
    {
        true => Ok(scores),
        false => Err(LeftOut::Beyond),
    }
}

/// Whether some see the one side ahead and some the other. Who sees neither disagrees with nobody.
pub fn disagree(scores: &[i32]) -> bool {
    scores.iter().any(|&score| score > 0) && scores.iter().any(|&score| score < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_experts_by_hand() {
        let scores = [30, -10, 41];
        // 61 / 3 = 20.33; the middle one; (2·30 − 10 + 41) / 4 = 22.75.
        assert_eq!(Combine::Mean.of(&scores, &[]), Some(20));
        assert_eq!(Combine::Median.of(&scores, &[]), Some(30));
        assert_eq!(Combine::Weights.of(&scores, &[2, 1, 1]), Some(23));
        assert_eq!(Combine::Weights.of(&scores, &[0, 1, 0]), Some(-10));
    }

    #[test]
    fn halves_go_away_from_zero() {
        for (scores, expected) in [([1, 2], 2), ([-1, -2], -2), ([0, 1], 1), ([-1, 1], 0)] {
            assert_eq!(Combine::Mean.of(&scores, &[]), Some(expected), "{scores:?}");
            assert_eq!(Combine::Median.of(&scores, &[]), Some(expected));
        }
        // The middle two of four: (2 + 5) / 2 = 3.5.
        assert_eq!(Combine::Median.of(&[900, 5, -7, 2], &[]), Some(4));
        assert_eq!(Combine::Median.of(&[-900, -5, 7, -2], &[]), Some(-4));
        // 10 / 4 = 2.5, and 9 / 4 = 2.25.
        assert_eq!(Combine::Weights.of(&[1, 7], &[3, 1]), Some(3));
        assert_eq!(Combine::Weights.of(&[1, 6], &[3, 1]), Some(2));
        assert_eq!(Combine::Mean.of(&[i32::MAX, i32::MAX], &[]), Some(i32::MAX));
        assert_eq!(Combine::Mean.of(&[], &[]), None);
        assert_eq!(Combine::Median.of(&[], &[]), None);
    }

    #[test]
    fn what_one_leaves_out_all_leave_out() {
        let scores = |said: &[Option<Said>]| scores_of(said, 1500);
        let (low, high) = (Some(Said::Cp(-1500)), Some(Said::Cp(1500)));
        assert_eq!(scores(&[low, high]), Ok(vec![-1500, 1500]));
        assert_eq!(scores(&[low, Some(Said::Cp(1501))]), Err(LeftOut::Beyond));
        assert_eq!(scores(&[Some(Said::Cp(-1501))]), Err(LeftOut::Beyond));
        let mate = Some(Said::Mate(-3));
        assert_eq!(scores(&[mate, Some(Said::Cp(9999))]), Err(LeftOut::Mate));
        assert_eq!(scores(&[mate, Some(Said::Nothing)]), Err(LeftOut::NoScore));
        assert_eq!(scores(&[None, mate]), Err(LeftOut::Failed));
        assert!(disagree(&[1, 0, -1]) && !disagree(&[0, 5, 0]) && !disagree(&[-1, 0]));
    }
}
