//! The plans of all cells, made before the first run.

use super::cells::{Cell, Design};
use super::results::CellResult;
use crate::base::statistics::counted;
use crate::error::RunError;
use crate::exec::executor::Executor;
use crate::exec::journal::Header;
use crate::phases::options::Options;
use crate::phases::profile::Profile;
use crate::run::beginning::Beginning;
use crate::run::courses::courses;
use crate::run::plan::{Plan, Planned, Sources, plan};
use std::path::Path;

/// The plan of a cell with its data.
pub fn planned(design: &Design, cell: &Cell, options: &Options) -> Result<Plan, RunError> {
    let name = design.profile.file_stem().unwrap_or_default();
    let folder = design.profile.parent().unwrap_or(Path::new(""));
    let sources = Sources {
        profile: (
            Profile::parse(&design.profile, &cell.text)?,
            cell.text.clone(),
        ),
        name: &name.to_string_lossy(),
        folder,
        only: None,
        header: None,
        command: Vec::new(),
        start: Beginning::default(),
    };
    plan(sources, options, true).map_err(|error| error.with_base(folder, &[]))
}

/// The options of a cell's run on so many threads.
pub fn quietly(threads: usize) -> Options {
    Options {
        threads: Some(threads),
        quiet: true,
        ..Options::default()
    }
}

/// What is known of all cells before the first run.
#[derive(Debug, Default)]
pub struct Data {
    /// The header that each cell would be started with.
    pub headers: Vec<Header>,
    /// What is wrong and keeps nothing from running, in lines.
    pub warnings: Vec<String>,
}

impl Data {
    /// Whether two cells have the same files, those that are held out or all others.
    pub fn is_same(&self, one: usize, other: usize, is_held_out: bool) -> bool {
        let of = |cell: usize| {
            let header = self.headers.get(cell);
            let files = header.into_iter().flat_map(|header| &header.files);
            files
                .filter(|file| file.role.starts_with("held-out") == is_held_out)
                .map(|file| (&file.phase, &file.role, &file.sha256, file.count))
                .collect::<Vec<_>>()
        };
        of(one) == of(other)
    }
}

/// Plans all cells: whatever is wrong with one is told before the first run.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn data_of_cells(design: &Design) -> Result<Data, RunError> {
    let mut data = Data::default();
    // Each warning, with the cells that have it.
    let mut warnings: Vec<(String, Vec<&str>)> = Vec::new();
    for cell in &design.cells {
        let told = |error: RunError| {
            RunError::refused(&design.path, format!("cell {}: {error}", cell.name))
        };
        let planned = planned(design, cell, &quietly(1)).map_err(told)?;
        // Without any answers it goes as far as it can begin.
        let nothing = courses(
            &planned,
            &mut Executor::replay(Vec::new()),
            None,
            &mut |_| Ok(()),
        );
        let nothing = nothing.map_err(told)?;
        if CellResult::of(&planned, &nothing, &design.phase, Path::new("")).is_none() {
            let problem = format!(
                "phase {} of the profile is of a kind whose runs can't be compared; expected a phase of kind grandmaster or endgames",
                design.phase
            );
            return Err(RunError::refused(&design.path, problem));
        }
        let of_phases = planned.phases.iter();
        let of_phases = of_phases.filter_map(|Planned { name, phase, .. }| {
            Some(format!("{name}: {}", phase.warning()?))
        });
        for warning in planned.warnings.iter().cloned().chain(of_phases) {
            match warnings.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, cells)) => cells.push(&cell.name),
                None => warnings.push((warning, vec![&cell.name])),
            }
        }
        data.headers.push(planned.header);
    }
    let line = |(warning, cells): (String, Vec<&str>)| match cells[..] {
        [first, ..] if cells.len() < design.cells.len() => {
            let cells = counted(cells.len(), "cell");
            format!("WARNING: {warning} (in {cells}, {first} the first)")
        }
        _ => format!("WARNING: {warning}"),
    };
    data.warnings = warnings.into_iter().map(line).collect();
    Ok(data)
}
