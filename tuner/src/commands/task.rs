//! `tuner task`: answers the tasks of a run in a process of its own. Lines of JSON come on stdin and go to
//! stdout; not for people.

use crate::base::names::PROGRAM;
use crate::base::room;
use crate::error::RunError;
use crate::exec::answers::{Answers, Reply, Request};
use crate::exec::retry::keep_panics;
use crate::phases::options::Options;
use crate::run::plan::Planned;
use crate::run::replay::opened;
use anyhow::Context as _;
use engine::search::STACK_BYTES;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Mutex;
use std::thread;

/// Answers tasks until there are no more.
///
/// # Errors
/// The run's profile or data are refused, or nobody reads the answers.
pub fn task(folder: &Path, options: &Options) -> anyhow::Result<()> {
    let plan = opened(folder, options)?;
    let phases = plan.phases.as_slice();
    keep_panics();
    let ended = Mutex::new(Ok(()));
    // A search needs more stack than a main thread may have.
    thread::scope(|scope| {
        room::spawn_scoped(scope, STACK_BYTES, || {
            let answered = answer(io::stdin().lock(), io::stdout().lock(), answers_of(phases));
            if let Ok(mut ended) = ended.lock() {
                *ended = answered;
            }
        })
    })
    .context("cannot start a thread")?;
    let ended = ended
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    Ok(ended?)
}

/// Who answers the tasks of a run's phases, by their names.
pub(super) fn answers_of(phases: &[Planned]) -> Vec<(&str, Answers<'_>)> {
    let answers = phases
        .iter()
        .map(|planned| (planned.name.as_str(), planned.phase.answers()));
    answers.collect()
}

/// Says which program this is, and then answers line by line.
fn answer(
    tasks: impl BufRead,
    mut replies: impl Write,
    mut phases: Vec<(&str, Answers<'_>)>,
) -> io::Result<()> {
    writeln!(replies, "{PROGRAM}")?;
    replies.flush()?;
    for line in tasks.lines() {
        let reply = match reply(&line?, &mut phases) {
            Ok(reply) => reply,
            Err(said) => Reply::Failed(said),
        };
        serde_json::to_writer(&mut replies, &reply)?;
        writeln!(replies)?;
        replies.flush()?;
    }
    Ok(())
}

/// The answer to a task that is a line of JSON, or what is wrong with it, in words.
pub(super) fn reply(line: &str, phases: &mut [(&str, Answers<'_>)]) -> Result<Reply, String> {
    let request: Request =
        serde_json::from_str(line).map_err(|error| format!("this is no task: {error}"))?;
    let phase = phases.iter_mut().find(|(name, _)| *name == request.phase);
    let (_, answers) = phase.ok_or_else(|| format!("the run has no phase {:?}", request.phase))?;
    let done = answers.answer(&request);
    done.map(Reply::Done)
        .map_err(|error| RunError::from(error).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::error::WorkError;
    use crate::exec::task::{Task, Worker};
    use serde::{Deserialize, Serialize};

    /// A number to be doubled; thirteen panics.
    #[derive(Serialize, Deserialize)]
    struct Double(u32);

    impl Task for Double {
        const KIND: &'static str = "double";
        type Answer = u32;
        fn key(&self) -> String {
            format!("double {}", self.0)
        }
        fn digest(&self) -> String {
            String::new()
        }
        fn worst(&self) -> u32 {
            0
        }
        fn describe(&self) -> String {
            String::new()
        }
    }

    struct Doubler;

    impl Worker<Double> for Doubler {
        fn answer(&mut self, task: &Double) -> Result<u32, WorkError> {
            assert!(task.0 != 13, "unlucky");
            match task.0 {
                7 => Err("no sevens".into()),
                number => Ok(2 * number),
            }
        }
    }

    fn answers_to(lines: &str) -> Vec<String> {
        let mut replies = Vec::new();
        let answers = Answers::none().with::<Double, _>(|| Ok(Doubler));
        answer(lines.as_bytes(), &mut replies, vec![("games", answers)]).unwrap();
        let replies = String::from_utf8(replies).unwrap();
        let mut lines = replies.lines().map(str::to_string);
        assert_eq!(lines.next().as_deref(), Some(PROGRAM));
        lines.collect()
    }

    /// The journal's answer, the record of a panic, and what a worker says that gives up.
    #[test]
    fn a_line_is_answered_by_a_line() {
        keep_panics();
        let line = |number: u32| {
            format!("{{\"phase\":\"games\",\"kind\":\"double\",\"seed\":3,\"task\":{number}}}\n")
        };
        let replies = answers_to(&[line(4), line(13), line(7)].concat());
        assert_eq!(replies[0], r#"{"done":{"answer":8}}"#);
        assert!(
            replies[1].starts_with(r#"{"done":{"answer":0,"fault":"#),
            "{}",
            replies[1]
        );
        assert!(replies[1].contains("unlucky") && replies[1].contains("seed: 3"));
        assert_eq!(replies[2], r#"{"failed":"no sevens"}"#);
    }

    /// Whatever the lines are, there is an answer to each and no end.
    #[test]
    fn what_is_no_task_is_refused_in_words() {
        for (line, said) in [
            ("hello", "this is no task"),
            ("", "this is no task"),
            (
                r#"{"phase":"x","kind":"double","seed":1,"task":1}"#,
                "no phase",
            ),
            (
                r#"{"phase":"games","kind":"x","seed":1,"task":1}"#,
                "no tasks of kind",
            ),
            (
                r#"{"phase":"games","kind":"double","seed":1,"task":-1}"#,
                "can't be read",
            ),
            (
                r#"{"phase":"games","kind":"double","seed":1,"task":1,"path":"x"}"#,
                "no task",
            ),
        ] {
            let replies = answers_to(&format!("{line}\n"));
            assert!(
                replies[0].starts_with(r#"{"failed":"#),
                "{line}: {}",
                replies[0]
            );
            assert!(replies[0].contains(said), "{line}: {}", replies[0]);
        }
    }
}
