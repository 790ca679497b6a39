//! The match of a validation, which a sequential test ends.

use super::*;

/// Pairs of games between two looks at the results. Part of the course: not to be changed by the
/// number of threads.
pub(super) const BATCH: u64 = 16;

/// First line of the table of looks at the match.
const HEADING: &str = "run,generation,pairs,ll,ld,dd_wl,wd,ww,elo,elo_low,elo_high,llr\n";

/// What is said after a look at the match.
fn news(result: &ValidationResult, (look, looks): (u64, u64), nodes: u64) -> News<'static> {
    let games = &result.games;
    let elo = games.elo();
    let interval = elo.and_then(|elo| elo.interval);
    let cell = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.2}"));
    let ratio = result.ratios.last().copied().unwrap_or(0.0);
    let counts = games.counts.map(|count| count.to_string()).join(",");
    News {
        step: Step::Look,
        run: (1, 1),
        generation: (look as u32, looks as u32),
        row: format!(
            "1,{look},{},{counts},{},{},{},{ratio:.4}\n",
            games.pairs(),
            cell(elo.map(|elo| elo.elo)),
            cell(interval.map(|(low, _)| low)),
            cell(interval.map(|(_, high)| high)),
        ),
        json: serde_json::json!({
            "pairs": games.pairs(),
            "pentanomial": games.counts,
            "elo": elo.map(|elo| elo.elo),
            "llr": ratio,
        }),
        facts: vec![
            elo.map_or_else(|| games.elo_text(), |elo| elo.short_text()),
            format!("{} pairs", games.pairs()),
            format!("LLR {ratio:.2}"),
        ],
        work: (nodes, "nodes"),
    }
}

impl Validation {
    /// The match, as far as the executor answers; whether it has ended.
    pub(super) fn play(
        &self,
        executor: &mut Executor<'_>,
        players: &[ParamSet; 2],
        result: &mut ValidationResult,
    ) -> Result<bool, RunError> {
        let most = self.keys.sprt.pairs.get() as u64;
        let looks = most.div_ceil(BATCH);
        let mut seen = self.games.openings_seen();
        let shared = players.each_ref().map(|player| Arc::new(player.clone()));
        for look in 0..looks {
            let first = look * BATCH;
            let pair = |number: u64| Match {
                key: format!("match opening {}", number + 1),
                players: shared.clone(),
                names: ["champion".to_string(), result.against.clone()],
                opening: first_opening::VALIDATION + number,
                colours: Colours::Both,
                is_repeatable: self.games.is_repeatable(),
            };
            let tasks: Vec<Match> = (first..most.min(first + BATCH)).map(pair).collect();
            let Some(answers) = executor.ask(&tasks, || self.games.player())? else {
                return Ok(false);
            };
            let fresh: Vec<_> = answers.iter().filter(|games| seen.is_new(games)).collect();
            result.repeated = seen.repeated();
            result.games.extend(pentanomial(fresh.iter().copied()));
            let games = fresh.into_iter().flatten().map(GameRecord::result);
            let decisive = games.filter(|game| matches!(game, Some(GameResult::Win(_))));
            result.decisive += decisive.count() as u64;
            let nodes = answers.iter().flatten().map(GameRecord::nodes).sum();
            let played: Vec<_> = tasks.into_iter().zip(answers).collect();
            let name = format!("games/match-{:03}.pgn", look + 1);
            executor.write_once(&name, || self.games.pgn("Validation", 0, &played))?;
            let ratio = (result.games).log_likelihood_ratio(result.sprt.elo0, result.sprt.elo1);
            result.ratios.push(ratio);
            executor.generation_done(HEADING, &news(result, (look, looks), nodes))?;
            if result.sprt.decide(&result.games) != Decision::Open
                // After the last look there is nothing left to end.
                || (look + 1 < looks
                    && executor.time_is_up(&format!("match opening {}", first + BATCH))?)
            {
                break;
            }
        }
        Ok(true)
    }
}
