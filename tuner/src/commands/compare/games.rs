//! The match of a comparison.

use super::*;

/// The file for the games.
pub(super) struct GameFile<'a>(&'a Path, File);

impl GameFile<'_> {
    /// Opens it, and leaves what is in it: until the first game something else may be refused.
    /// Games of an earlier comparison may go, anything else that is there may not.
    pub(super) fn open(path: &Path) -> Result<GameFile<'_>, FileError> {
        let opened = || -> io::Result<File> {
            if path.is_file() {
                let expected = format!("[Event \"{EVENT}\"]");
                let mut heading = Vec::new();
                let mut head = File::open(path)?.take(expected.len() as u64);
                head.read_to_end(&mut heading)?;
                if !heading.is_empty() && heading != expected.as_bytes() {
                    return Err(io::Error::other(
                        "it holds something else than games of a comparison, expected a new file",
                    ));
                }
            }
            let mut options = File::options();
            options.write(true).create(true).truncate(false).open(path)
        };
        Ok(GameFile(
            path,
            opened().map_err(FileError::of("write", path))?,
        ))
    }

    /// Adds games, the first ones in place of what was in it.
    pub(super) fn add(&mut self, games: &str, is_first: bool) -> Result<(), FileError> {
        let emptied = if is_first { self.1.set_len(0) } else { Ok(()) };
        let written = emptied.and_then(|()| self.1.write_all(games.as_bytes()));
        written.map_err(FileError::of("write", self.0))
    }
}

/// Tasks that broke down. They are tried again, and then scored worst or left out.
#[derive(Default)]
pub(super) struct Troubles {
    count: usize,
    first: Option<String>,
}

impl Troubles {
    pub(super) fn add(&mut self, trouble: Option<String>) {
        self.count += usize::from(trouble.is_some());
        self.first = self.first.take().or(trouble);
    }

    pub(super) fn text(&self, what: &str) -> String {
        let told =
            |first: &String| format!("  WARNING: {} {what} broke down: {first}\n", self.count);
        self.first.as_ref().map_or(String::new(), told)
    }
}

/// How a match stands.
pub(super) struct Standing {
    /// In a few lines, if a game was played.
    pub(super) text: String,
    /// Whether it came to its end.
    pub(super) is_over: bool,
    /// What ended it before that, if not the user.
    pub(super) error: Option<RunError>,
}

/// The match. Each pair of games is kept as PGN before the next one counts.
pub(super) fn play(
    args: &CompareArgs,
    plan: &GamePlan,
    players: [&ParamSet; 2],
    stop: &Stop,
    mut pgn: Option<GameFile<'_>>,
) -> Standing {
    let sprt = Sprt {
        elo0: args.elo0,
        elo1: args.elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    let shared = players.map(|player| Arc::new(player.clone()));
    let pair = |number: u64| Match {
        key: String::new(),
        players: shared.clone(),
        names: [args.first.clone(), args.second.clone()],
        opening: number,
        colours: Colours::Both,
        is_repeatable: plan.is_repeatable(),
    };
    let mut played = 0;
    let mut results = Pentanomial::default();
    let (mut seen, mut troubles) = (plan.openings_seen(), Troubles::default());
    let mut decided = None;
    let pairs = usize::try_from(args.pairs).unwrap_or(usize::MAX);
    let ended = workers::in_order(
        threads(args),
        0..pairs,
        stop,
        || Ok(Some(plan.player()?)),
        |player, number| {
            let Guarded { answer, trouble } = guarded(|| {
                // One that breaks down may be anything, and is not put back.
                let mut able = player.take().map_or_else(|| plan.player(), Ok)?;
                let games = able.0.play(players, number as u64, Colours::Both)?;
                *player = Some(able);
                Ok::<_, RunError>(games)
            });
            Ok((answer.transpose()?.unwrap_or_default(), trouble))
        },
        |(games, trouble)| {
            troubles.add(trouble);
            if seen.is_new(&games) {
                results.extend(pentanomial([&games]));
            }
            if let Some(file) = &mut pgn {
                let text = plan.pgn(EVENT, 2 * played, &[(pair(played), games)]);
                file.add(&text, played == 0)?;
            }
            played += 1;
            let decision = sprt.decide(&results);
            if decision != Decision::Open && decided.is_none() {
                decided = Some((decision, results.pairs()));
            }
            Ok::<_, RunError>(match decided {
                Some(_) if !args.all => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
        },
    );
    let error = ended.err();
    let is_decided = decided.is_some() && !args.all;
    let is_over = error.is_none() && (is_decided || played == args.pairs);
    if results.pairs() == 0 {
        return Standing {
            text: troubles.text("pair(s) of games"),
            is_over,
            error,
        };
    }
    let mut text = format!("Match, {}:\n", plan.text());
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12} {value}");
    };
    line("games", &(2 * results.pairs()).to_string());
    line(
        "pairs",
        &format!(
            "{} with 0, ½, 1, 1½, 2 points for the first",
            results.text()
        ),
    );
    line(
        "score",
        &format!("{:.1} % for the first", 100.0 * results.score()),
    );
    line("difference", &difference_of(&results));
    line("test (SPRT)", &test_text(&results, &sprt, decided));
    if let Some(probability) = results.superiority() {
        line(
            "superiority",
            &format!("{probability:.3} probability that the first is better"),
        );
    }
    line("verdict", verdict_text(&results, &sprt));
    if let Some(warning) = plan.warning() {
        let _ = writeln!(text, "  WARNING: {warning}");
    }
    if let Some(warning) = repeated_text(seen.repeated()) {
        let _ = writeln!(text, "  WARNING: {warning}");
    }
    text += &troubles.text("pair(s) of games");
    Standing {
        text,
        is_over,
        error,
    }
}
