//! What the session prints: the only place in the library that writes to stdout.

use std::io::Write;

/// Writes a line, or several, and flushes. An error means that nobody listens any more; the end of
/// input follows.
pub(super) fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{}", text.trim_end());
    let _ = stdout.flush();
}

/// Tells a person something, line by line, in a way that GUIs understand.
pub(super) fn note(text: &str) {
    for line in text.lines() {
        say(&format!("info string {line}"));
    }
}
