//! Lines for the user to paste into a shell.

use std::path::Path;

/// A text as one word of a shell's line.
pub fn word(text: &str) -> String {
    if cfg!(windows) {
        // Windows has several shells, which agree on double quotes alone.
        return match text.contains([' ', '\t', '&', '(', ')', ';', ',']) {
            true => format!("\"{text}\""),
            false => text.to_string(),
        };
    }
    // Refused is a zero byte alone, which no command line can hold.
    shlex::try_quote(text).map_or_else(|_| text.to_string(), Into::into)
}

/// The command that goes on with the run in a folder, by the name that this program was called by:
/// after `make evolve` it is in no folder of `PATH`.
pub fn resume(folder: &Path) -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let called = called.to_string_lossy();
    let is_tuner = Path::new(called.as_ref())
        .file_stem()
        .is_some_and(|name| name == "tuner");
    let program = if is_tuner { called.as_ref() } else { "tuner" };
    let folder = folder.display().to_string();
    format!("{} resume {}", word(program), word(&folder))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_with_blanks_are_one_word() {
        assert_eq!(resume(Path::new("runs/a-1")), "tuner resume runs/a-1");
        assert_eq!(resume(Path::new("my runs/a")), "tuner resume 'my runs/a'");
    }
}
