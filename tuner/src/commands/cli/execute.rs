//! What the commands do and print.

use super::*;
use std::path::Path;

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    /// Whatever keeps it from being done.
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Run(args) => run(args),
            Command::Resume(args) => resume(args),
            Command::Check(args) => check(args),
            Command::Report(args) => report(&args.folder),
            Command::Score(args) => score(&args),
            Command::Bench(args) => bench(&args),
            Command::Positions(args) => positions::run(&args).map(|()| ExitCode::SUCCESS),
            Command::Games(args) => play::run(&args),
            Command::Mine(args) => mine::run(&args),
            Command::Label(args) => label::run(&args),
            Command::Status(args) => said(&status::status(&args.folder)?),
            Command::Compare(args) => compare(&args),
            Command::Keys(args) => keys(&args),
            Command::Experiment(args) => run_experiment(&args),
            Command::Rate(args) => said(&for_stdout(&rate::rate(&args)?)),
            Command::Program(args) => said(&program::program(&args)?),
            Command::Export(args) => export(&args),
            #[cfg(feature = "redis")]
            Command::Worker(args) if args.print_systemd => said(&worker::unit(&args)?),
            #[cfg(feature = "redis")]
            Command::Worker(args) => {
                worker::worker(&args, &on_signals()?)?;
                Ok(ExitCode::SUCCESS)
            }
            Command::Task(args) => {
                task::task(&args.folder, &args.data.options(false))?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// A flag that signals raise.
fn on_signals() -> anyhow::Result<Stop> {
    Stop::on_signals().context("cannot catch signals")
}

/// Whether output failed because its reader has gone.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes
        .into_iter()
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// A line on stdout.
fn print(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("cannot write to stdout")
}

/// The same, and all is done.
fn said(text: &str) -> anyhow::Result<ExitCode> {
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let stop = on_signals()?;
    let options = args.work.options()?;
    let order = args.part.order(args.profile, args.out);
    conclude(&lifecycle::start(&order, &options, &stop)?)
}

fn resume(args: ResumeArgs) -> anyhow::Result<ExitCode> {
    let stop = on_signals()?;
    let options = args.work.options()?;
    conclude(&lifecycle::resume(&args.folder, &options, &stop)?)
}

fn conclude(ended: &Ended) -> anyhow::Result<ExitCode> {
    if ended.outcome.complete {
        return said(&for_stdout(&ending(ended)));
    }
    // Whether or not anybody reads it: the terminal may have gone.
    let _ = print(&for_stdout(&ending(ended)));
    note(&format!(
        "Interrupted; every finished task is saved. To go on:\n  {}",
        shell::resume(&ended.folder)
    ));
    Ok(ExitCode::from(INTERRUPTED))
}

fn check(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let order = args.part.order(args.profile, None);
    said(&check::check(&order, &args.data.options(false))?)
}

fn compare(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let stop = on_signals()?;
    let comparison = compare::compare(args, &stop)?;
    print(&comparison.text)?;
    if let Some(error) = comparison.error {
        return Err(error);
    }
    if comparison.complete {
        return Ok(ExitCode::SUCCESS);
    }
    note("interrupted");
    Ok(ExitCode::from(INTERRUPTED))
}

fn run_experiment(args: &ExperimentArgs) -> anyhow::Result<ExitCode> {
    let stop = on_signals()?;
    match experiment::experiment(args, &stop)? {
        Some(text) => said(&for_stdout(&text)),
        None => Ok(ExitCode::from(INTERRUPTED)),
    }
}

fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let loaded = ParamSet::load(&args.params)?;
    let text = export::export(&loaded, &args.params, args.form, args.layout.as_deref());
    said(text.map_err(anyhow::Error::msg)?.trim_end())
}

fn keys(args: &KeysArgs) -> anyhow::Result<ExitCode> {
    let text = declared().reference(args.name.as_deref());
    said(text.map_err(anyhow::Error::msg)?.trim_end())
}

fn report(folder: &Path) -> anyhow::Result<ExitCode> {
    let (ended, is_under_way) = lifecycle::report(folder)?;
    if is_under_way {
        note("The run is under way: this is what it has come to so far.");
    } else if !ended.outcome.complete {
        note(&format!(
            "The run is not complete; it goes on with\n  {}",
            shell::resume(&ended.folder)
        ));
    }
    said(&for_stdout(&ending(&ended)))
}

fn bench(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let individuals = usize::from(args.individuals);
    let bench =
        crate::commands::bench::bench(&args.positions, individuals, &Quiescence::default())?;
    print(&bench.to_string())?;
    let suite = crate::commands::bench::bench_suite(&args.suite, args.cap)?;
    print(&suite.to_string())?;
    let games = crate::commands::bench_games::bench_games(args.nodes, args.pairs.into())?;
    print(&games.to_string())?;
    // A choice that differs from its definition makes every figure worthless.
    anyhow::ensure!(bench.disagreements == 0, "the fast evaluation is wrong");
    Ok(ExitCode::SUCCESS)
}

fn score(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let quiescence = args.quiescence.is_some() || args.max_plies.is_some();
    match (args.phase, args.ecm.given()) {
        (ScorePhase::Grandmaster, Some(option)) => {
            bail!(Usage(format!("{option} needs --phase ecm")))
        }
        (ScorePhase::Grandmaster, None) => score_grandmaster(args),
        (ScorePhase::Ecm, _) if quiescence => {
            bail!(Usage(
                "--quiescence and --max-plies need --phase grandmaster".into()
            ))
        }
        (ScorePhase::Ecm, _) => score_suite(args),
    }
}

/// On stdout the object, the list only if nothing but people read there.
fn print_list<T: ToString>(args: &ScoreArgs, list: &[T]) -> anyhow::Result<()> {
    for line in list.iter().filter(|_| args.verbose) {
        match args.json {
            true => note(&line.to_string()),
            false => print(&line.to_string())?,
        }
    }
    Ok(())
}

/// One line, however many rows a file leaves to other layouts.
fn note_missing(rows: &[&str]) {
    const NAMED: usize = 3;
    let names = rows[..rows.len().min(NAMED)].join(", ");
    let others = match rows.len() {
        0 => return,
        1..=NAMED => String::new(),
        count => format!(" and {} other rows", count - NAMED),
    };
    note(&format!(
        "note: no parameter file has {names}{others}: they count 0, or are off"
    ));
}

fn score_suite(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let settings = suite_score::Settings {
        params: args.params.clone(),
        positions: args.positions.clone(),
        rule: args.ecm.rule(),
        without: args.ecm.without.clone(),
        threads: args.ecm.threads.map_or_else(cores, usize::from),
    };
    let stop = on_signals()?;
    let Some(score) = suite_score::score(&settings, &stop)? else {
        note("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    };
    note_missing(&score.missing);
    for (number, problem) in (1..).zip(&score.problems) {
        if let Some(trouble) = &problem.trouble {
            let name = &problem.name;
            note(&format!(
                "warning: position {number} ({name}) panicked: {trouble}"
            ));
        }
    }
    print_list(args, &score.problems)?;
    let without = score.text_without();
    if args.json {
        print(&score.json())?;
        without.iter().for_each(|text| note(text));
    } else {
        print(&score.all.to_string())?;
        without.iter().try_for_each(|text| print(text))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn score_grandmaster(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let defaults = Quiescence::default();
    let quiescence = Quiescence {
        moves: args.quiescence.map_or(defaults.moves, Into::into),
        max_plies: args.max_plies.unwrap_or(defaults.max_plies),
        checks: defaults.checks,
    };
    let score = score::score(&args.params, &args.positions, &quiescence)?;
    note_missing(&score.missing);
    print_list(args, &score.choices)?;
    match args.json {
        true => said(&score.json()),
        false => said(&score.text()),
    }
}
