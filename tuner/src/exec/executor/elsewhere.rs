//! Tasks done by other processes.

use super::*;

/// What another process has answered to a task.
pub(super) fn understood<T: Task>(task: &T, done: RawDone) -> Result<Done<T::Answer>, ExecError> {
    let answer = serde_json::from_str::<T::Answer>(done.answer.get()).ok();
    match answer.filter(|answer| task.fits(answer)) {
        Some(answer) => Ok(Done {
            answer,
            fault: done.fault,
        }),
        None => Err(ExecError::Work(
            format!(
                "{:?} has an answer that can't be one: {}",
                task.key(),
                done.answer
            )
            .into(),
        )),
    }
}

/// The answers to the parts of a task together; one alone is that to the whole.
pub(super) fn merged<T: Task>(task: &T, parts: Vec<Done<T::Answer>>) -> Done<T::Answer> {
    let mut answers = Vec::new();
    let mut faults = Vec::new();
    for done in parts {
        answers.push(done.answer);
        faults.extend(done.fault);
    }
    let fault = (!faults.is_empty()).then(|| faults.join("\n"));
    let answer = match answers.pop() {
        Some(only) if answers.is_empty() => only,
        last => {
            answers.extend(last);
            task.merge(&answers)
        }
    };
    Done { answer, fault }
}

impl Executor<'_> {
    /// Has tasks done by other processes; one that is large in parts, if there are too few for all of them.
    pub(super) fn work_elsewhere<T: Task>(
        &mut self,
        tasks: &[T],
    ) -> Result<Vec<T::Answer>, ExecError> {
        let mut answers = Vec::new();
        let Some(live) = &mut self.live else {
            return Ok(answers);
        };
        let (stop, Some(processes)) = (live.stop.clone(), live.processes.take()) else {
            return Ok(answers);
        };
        let request = |executor: &Self, task: &T| -> Result<Request, ExecError> {
            Ok(Request {
                phase: executor.phase.clone(),
                kind: T::KIND.to_string(),
                seed: executor.seed,
                task: raw(task)?,
            })
        };
        let mut answered = || {
            if tasks.len() < processes.count() {
                for (number, task) in tasks.iter().enumerate() {
                    let parts_of = task.split(processes.count());
                    let whole = match parts_of.is_empty() {
                        true => vec![request(self, task)?],
                        false => parts_of
                            .iter()
                            .map(|part| request(self, part))
                            .collect::<Result<_, _>>()?,
                    };
                    let done = processes.answer_parts(&whole, &stop)?;
                    if done.len() < whole.len() {
                        break;
                    }
                    let parts = done.into_iter().enumerate();
                    let parts =
                        parts.map(|(at, done)| understood(parts_of.get(at).unwrap_or(task), done));
                    let done = merged(task, parts.collect::<Result<_, _>>()?);
                    self.take_in(&tasks[number..], vec![done], &mut answers)?;
                }
                return Ok(());
            }
            let requests = tasks.iter().map(|task| request(self, task));
            let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
            processes.answer(&requests, &stop, |done| {
                let rest = &tasks[answers.len()..];
                let done = rest.iter().zip(done);
                let done = done.map(|(task, done)| understood(task, done));
                let done = done.collect::<Result<_, _>>()?;
                self.take_in(rest, done, &mut answers)?;
                if let Some(live) = &mut self.live {
                    live.progress.tasks(answers.len(), tasks.len());
                }
                Ok(())
            })
        };
        let ended = answered();
        if let Some(live) = &mut self.live {
            live.processes = Some(processes);
        }
        ended.map(|()| answers)
    }
}
