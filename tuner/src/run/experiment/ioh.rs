//! Logs as IOHprofiler has them (C. Doerr et al., arXiv:1810.05281; the format of IOHexperimenter 0.3.5): for
//! each cell, an algorithm there, a folder with a JSON file and a table of the improvements of each run,
//! which `iohinspector`, IOHanalyzer and others read.

use super::cells::Design;
use super::results::{CellResult, ends};
use crate::base::files::{FileError, create_folder, write_atomically};
use crate::phases::measured::MeasuredRun;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Name of the folder.
pub const IOH_NAME: &str = "ioh";

/// Evaluations and share of the full score, in per cent, of each improvement of a run. What is known
/// before the first generation has ended is nothing; readers tell runs apart by their first evaluation.
fn improvements(result: &CellResult, run: &MeasuredRun) -> Vec<(u64, f64)> {
    let mut best = None;
    let mut course = vec![(1, 0.0)];
    for point in &run.course {
        if best.is_none_or(|best| point.best > best) {
            best = Some(point.best);
            course.push((point.evaluations, result.percent(point.best as f64)));
        }
    }
    course
}

/// Writes the logs into the folder `ioh` of an experiment's.
///
/// # Errors
/// A file can't be written.
pub fn write(folder: &Path, design: &Design, results: &[CellResult]) -> Result<(), FileError> {
    let function = &design.phase;
    for (cell, result) in design.cells.iter().zip(results) {
        let own = folder.join(IOH_NAME).join(cell.folder());
        let data = format!("data_f1_{function}");
        create_folder(&own.join(&data))?;
        let table = format!("{data}/IOHprofiler_f1_DIM{}.dat", result.genes);
        let mut text = String::new();
        let mut runs = Vec::new();
        for (instance, run) in (1..).zip(&result.measured.runs) {
            text += "evaluations raw_y\n";
            let course = improvements(result, run);
            let evaluations_of_run = ends(run)[1].evaluations;
            let best = course.last().copied().unwrap_or((0, 0.0));
            for (evaluations, share) in &course {
                let _ = writeln!(text, "{evaluations} {share:.10}");
            }
            // The last row says how long the run went on.
            if best.0 < evaluations_of_run {
                let _ = writeln!(text, "{evaluations_of_run} {:.10}", best.1);
            }
            runs.push(json!({
                "instance": instance,
                "evals": evaluations_of_run,
                // Weights are in the files of the champions; readers insist on a place for them.
                "best": { "evals": best.0, "y": best.1, "x": [] },
            }));
        }
        let about = json!({
            "version": "0.3.5",
            "suite": "eyas",
            "function_id": 1,
            "function_name": function,
            "maximization": true,
            "algorithm": { "name": cell.name, "info": design.experiment.profile.display().to_string() },
            "attributes": ["evaluations", "raw_y"],
            "scenarios": [{ "dimension": result.genes, "path": table, "runs": runs }],
        });
        write_atomically(&own.join(&table), text.as_bytes())?;
        let name = format!("IOHprofiler_f1_{function}.json");
        write_atomically(&own.join(name), format!("{about:#}\n").as_bytes())?;
    }
    Ok(())
}
