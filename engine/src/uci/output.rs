//! What the session prints: the only place in the library that writes to stdout.

use std::io::{ErrorKind, Result, Write};
use std::thread;
use std::time::Duration;

/// Time until a pipe that does not wait is asked again.
pub(super) const RETRY: Duration = Duration::from_millis(2);

/// Writes a line, or several, and flushes. An error means that nobody listens any more; the end of
/// input follows.
pub(super) fn say(text: &str) {
    let line = format!("{}\n", text.trim_end());
    let _ = write_whole(&mut std::io::stdout().lock(), line.as_bytes());
}

/// Characters of a line for people at most.
const LONGEST_NOTE: usize = 2000;

/// Tells a person something, line by line, in a way that GUIs understand. What is quoted from files
/// and other programs can neither begin a line of its own nor move a terminal's cursor.
pub(super) fn note(text: &str) {
    for line in text.lines() {
        say(&format!("info string {}", plain(line)));
    }
}

/// A line without control characters, cut off where it gets too long.
fn plain(line: &str) -> String {
    let mut rest = line.chars();
    let shown = rest.by_ref().take(LONGEST_NOTE);
    let mut plain: String = shown
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if rest.next().is_some() {
        plain.push('…');
    }
    plain
}

/// Writes all and flushes, also to a pipe that whoever started the engine has made one that does not
/// wait.
fn write_whole(out: &mut impl Write, mut bytes: &[u8]) -> Result<()> {
    loop {
        let written = match bytes {
            [] => out.flush().map(|()| None),
            bytes => out.write(bytes).map(Some),
        };
        match written {
            Ok(None) => return Ok(()),
            Ok(Some(0)) => return Err(ErrorKind::WriteZero.into()),
            Ok(Some(count)) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that takes three bytes every second time.
    #[derive(Default)]
    struct Full(Vec<u8>, bool);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.1 = !self.1;
            match self.1 {
                true => Err(ErrorKind::WouldBlock.into()),
                false => self.0.write(&bytes[..bytes.len().min(3)]),
            }
        }

        fn flush(&mut self) -> Result<()> {
            self.1 = !self.1;
            match self.1 {
                true => Err(ErrorKind::WouldBlock.into()),
                false => Ok(()),
            }
        }
    }

    #[test]
    fn notes_are_lines_of_moderate_length() {
        assert_eq!(
            plain("a \rbestmove e2e4\u{1b}[2J é"),
            "a  bestmove e2e4 [2J é"
        );
        let long = "é".repeat(LONGEST_NOTE);
        assert_eq!(plain(&long), long);
        assert_eq!(plain(&format!("{long}x")), format!("{long}…"));
    }

    #[test]
    fn nothing_is_lost_on_a_pipe_that_is_full() {
        let mut pipe = Full::default();
        write_whole(&mut pipe, b"bestmove e2e4\n").unwrap();
        assert_eq!(pipe.0, b"bestmove e2e4\n");
    }
}
