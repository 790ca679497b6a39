//! Lines for the user to paste into a shell.

use std::ffi::OsStr;
use std::fmt::Write as _;
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

/// A file's name as one word of a shell's line; one that is no text as bash, zsh and ksh write it.
pub fn file(name: &OsStr) -> String {
    if let Some(text) = name.to_str() {
        return word(text);
    }
    let mut quoted = String::from("$'");
    for &byte in name.as_encoded_bytes() {
        // Writing to a string can't fail.
        let _ = match byte {
            b' '..=b'~' if !b"'\\".contains(&byte) => write!(quoted, "{}", char::from(byte)),
            _ => write!(quoted, "\\{byte:03o}"),
        };
    }
    quoted + "'"
}

/// This program as one word, by the name that it was called by: after `make evolve` it is in no folder
/// of `PATH`.
pub fn tuner() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let is_tuner = Path::new(&called)
        .file_stem()
        .is_some_and(|name| name == "tuner");
    let program = if is_tuner {
        &called
    } else {
        OsStr::new("tuner")
    };
    file(program)
}

/// The command that goes on with the run in a folder.
pub fn resume(folder: &Path) -> String {
    format!("{} resume {}", tuner(), file(folder.as_os_str()))
}

/// The command that goes on with an experiment in a folder.
pub fn experiment(path: &Path, folder: &Path) -> String {
    let [path, folder] = [path, folder].map(|name| file(name.as_os_str()));
    format!("{} experiment {path} --out {folder}", tuner())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_with_blanks_are_one_word() {
        assert_eq!(resume(Path::new("runs/a-1")), "tuner resume runs/a-1");
        assert_eq!(resume(Path::new("my runs/a")), "tuner resume 'my runs/a'");
        use std::os::unix::ffi::OsStrExt as _;
        let latin = OsStr::from_bytes(b"it's caf\xe9\n");
        let quoted = file(latin);
        assert_eq!(quoted, r"$'it\047s caf\351\012'");
        // What a shell makes of it is the name.
        let script = format!("printf %s {quoted}");
        if let Ok(said) = std::process::Command::new("bash")
            .args(["-c", &script])
            .output()
        {
            assert_eq!(said.stdout, latin.as_bytes());
        }
    }
}
