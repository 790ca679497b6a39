//! The match of a comparison.

use super::*;
use crate::base::files::refuse_other;
use crate::base::lock::{OwnFile, open_alone};
use crate::base::progress::note;
use crate::fitness::coevolution::OpeningsSeen;
use crate::play::record::GameRecord;
use std::fs::File;
use std::io::Write as _;

/// The file for the games.
pub(super) struct GameFile<'a> {
    path: &'a Path,
    file: File,
    /// Nobody else may write it meanwhile, if it is no pipe or device.
    _lock: Option<OwnFile>,
}

impl GameFile<'_> {
    /// Opens it, and leaves what is in it: until the first game something else may be refused.
    /// Games of an earlier comparison may go, anything else that is there may not.
    pub(super) fn open(path: &Path) -> Result<GameFile<'_>, FileError> {
        let event = format!("[Event \"{EVENT}\"]");
        let mut is_used = false;
        refuse_other(path, "games of a comparison", |head| {
            is_used = true;
            head.starts_with(event.as_bytes())
        })?;
        let mut options = File::options();
        let opened = options.write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(FileError::of("write", path))?;
        let lock = path.is_file().then(|| open_alone(path)).transpose()?;
        if is_used {
            let path = path.display();
            note(&format!(
                "{path}: the games of an earlier comparison will be replaced"
            ));
        }
        Ok(GameFile {
            path,
            file,
            _lock: lock,
        })
    }

    /// Adds games, the first ones in place of what was in it.
    pub(super) fn add(&mut self, games: &str, is_first: bool) -> Result<(), FileError> {
        let emptied = if is_first {
            self.file.set_len(0)
        } else {
            Ok(())
        };
        let written = emptied.and_then(|()| self.file.write_all(games.as_bytes()));
        written.map_err(FileError::of("write", self.path))
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

    pub(super) fn text(&self, one: &str, several: &str) -> String {
        let what = if self.count == 1 { one } else { several };
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

/// What has come of the pairs of games so far. Each pair is kept as PGN before the next one counts.
pub(super) struct Tally<'a> {
    pub(super) args: &'a CompareArgs,
    pub(super) plan: &'a GamePlan,
    players: [Arc<ParamSet>; 2],
    sprt: Sprt,
    played: u64,
    results: Pentanomial,
    seen: OpeningsSeen,
    troubles: Troubles,
    decided: Option<(Decision, u64)>,
    pgn: Option<GameFile<'a>>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(
        args: &'a CompareArgs,
        plan: &'a GamePlan,
        players: [&ParamSet; 2],
        pgn: Option<GameFile<'a>>,
    ) -> Tally<'a> {
        Tally {
            args,
            plan,
            players: players.map(|player| Arc::new(player.clone())),
            sprt: Sprt {
                elo0: args.elo0,
                elo1: args.elo1,
                alpha: 0.05,
                beta: 0.05,
            },
            played: 0,
            results: Pentanomial::default(),
            seen: plan.openings_seen(),
            troubles: Troubles::default(),
            decided: None,
            pgn,
        }
    }

    /// Forgets all games.
    #[cfg(feature = "redis")]
    pub(super) fn restart(&mut self) {
        self.played = 0;
        self.results = Pentanomial::default();
        self.seen = self.plan.openings_seen();
        self.troubles = Troubles::default();
        self.decided = None;
    }

    /// The pair of games with this number.
    pub(super) fn pair(&self, number: u64) -> Match {
        Match {
            key: format!("pair {}", number + 1),
            players: self.players.clone(),
            names: [self.args.first.clone(), self.args.second.clone()],
            opening: number,
            colours: Colours::Both,
            is_repeatable: self.plan.is_repeatable(),
        }
    }

    /// The games of the next pair count; whether it goes on.
    pub(super) fn add(
        &mut self,
        (games, trouble): (Vec<GameRecord>, Option<String>),
    ) -> Result<ControlFlow<()>, RunError> {
        self.troubles.add(trouble);
        if self.seen.is_new(&games) {
            self.results.extend(pentanomial([&games]));
        }
        let pair = self.pair(self.played);
        if let Some(file) = &mut self.pgn {
            let text = self.plan.pgn(EVENT, 2 * self.played, &[(pair, games)]);
            file.add(&text, self.played == 0)?;
        }
        self.played += 1;
        let decision = self.sprt.decide(&self.results);
        if decision != Decision::Open && self.decided.is_none() {
            self.decided = Some((decision, self.results.pairs()));
        }
        Ok(match self.decided {
            Some(_) if !self.args.all => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// How the match stands when it has ended.
    pub(super) fn standing(self, ended: Result<(), RunError>) -> Standing {
        let Tally { args, plan, .. } = self;
        let (results, sprt) = (self.results, self.sprt);
        let error = ended.err();
        let is_decided = self.decided.is_some() && !args.all;
        let is_over = error.is_none() && (is_decided || self.played == args.pairs);
        if results.pairs() == 0 {
            return Standing {
                text: self.troubles.text("pair of games", "pairs of games"),
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
        line("test (SPRT)", &test_text(&results, &sprt, self.decided));
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
        if let Some(warning) = repeated_text(self.seen.repeated()) {
            let _ = writeln!(text, "  WARNING: {warning}");
        }
        text += &self.troubles.text("pair of games", "pairs of games");
        Standing {
            text,
            is_over,
            error,
        }
    }
}

/// The match, on threads of this process.
pub(super) fn play(mut tally: Tally<'_>, stop: &Stop) -> Standing {
    let (plan, players) = (tally.plan, tally.players.clone());
    let players = players.each_ref().map(AsRef::as_ref);
    let pairs = usize::try_from(tally.args.pairs).unwrap_or(usize::MAX);
    let ended = workers::in_order(
        threads(tally.args),
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
        |played| tally.add(played),
    );
    tally.standing(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two comparisons that wrote to one file would mix their games.
    #[test]
    fn a_file_of_games_has_one_writer_and_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut first = GameFile::open(&path).unwrap();
        first.add("[Event \"Comparison\"]\n", true).unwrap();
        let second = GameFile::open(&path).err().unwrap().to_string();
        assert!(second.contains("another run is writing to it"), "{second}");
        drop(first);
        assert!(GameFile::open(&path).is_ok());
        std::fs::write(&path, "[Event \"Mine\"]\n").unwrap();
        let other = GameFile::open(&path).err().unwrap().to_string();
        ::tests::says(&other, &["something else than games of a comparison"]);
    }
}
