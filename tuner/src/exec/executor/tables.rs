//! The files of a phase, which follow from the journal.

use super::*;

impl Executor<'_> {
    /// Writes all that waits for the end of the journal.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn flush(&mut self) -> Result<(), FileError> {
        for (path, text) in std::mem::take(&mut self.pending) {
            create_folder_of(&path)?;
            write_atomically(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// The same, unless files are written at the end alone.
    pub(super) fn flush_now(&mut self) -> Result<(), FileError> {
        match self.writes_now() {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Whether what follows from the journal is written as soon as it does.
    fn writes_now(&self) -> bool {
        let live = self.live.as_ref();
        live.is_some_and(|live| live.working && !live.is_lazy)
    }

    /// Writes a file of the phase's folder; what an earlier call wrote there is replaced.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&mut self, name: &str, text: String) -> Result<(), ExecError> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        self.pending.insert(folder.join(name), text);
        Ok(self.flush_now()?)
    }

    /// Writes a file that is written once: a resumed run that finds it there leaves it as it is.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write_once(
        &mut self,
        name: &str,
        text: impl FnOnce() -> String,
    ) -> Result<(), ExecError> {
        let Some(path) = self.folder.as_ref().map(|folder| folder.join(name)) else {
            return Ok(());
        };
        if self.live.is_none() || self.is_working() || !path.exists() {
            create_folder_of(&path)?;
            write_atomically(&path, text().as_bytes())?;
        }
        Ok(())
    }

    /// Adds to a table of the phase's folder, which begins with a heading.
    ///
    /// # Errors
    /// It can't be written.
    pub fn add(&mut self, name: &str, heading: &str, row: &str) -> Result<(), ExecError> {
        let Some(path) = self.folder.as_ref().map(|folder| folder.join(name)) else {
            return Ok(());
        };
        if !self.writes_now() {
            let text = self.pending.entry(path);
            text.or_insert_with(|| heading.to_string()).push_str(row);
        } else if path.exists() {
            append(&path, row)?;
        } else {
            create_folder_of(&path)?;
            append(&path, &format!("{heading}{row}"))?;
        }
        Ok(())
    }

    /// A generation has ended.
    ///
    /// # Errors
    /// A table can't be written.
    pub fn generation_done(&mut self, heading: &str, news: &News<'_>) -> Result<(), ExecError> {
        self.add(HISTORY_NAME, heading, &news.row)?;
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        if !live.working {
            live.timing.restart();
            live.progress.replayed(news);
            return Ok(());
        }
        let ((run, _), (generation, _)) = (news.run, news.generation);
        let timing = &mut live.timing;
        let seconds = timing.generation_done(&self.phase, run, generation, news.work)?;
        let ends = self.phase_ends;
        let time_left = ends.map(|ends| ends.saturating_duration_since(Instant::now()));
        live.progress.evaluated(news, seconds, time_left);
        Ok(())
    }
}
