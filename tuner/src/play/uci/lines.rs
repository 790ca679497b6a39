//! The lines of an engine, and the words of a command.

use super::*;

/// Reads a stream in a thread of its own until it ends or nobody listens any more.
pub(super) fn forward_lines(
    stream: impl Read + Send + 'static,
    recent: Recent,
    to: Option<Sender<String>>,
) -> std::io::Result<()> {
    let forward = move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        let mut begins = true;
        loop {
            bytes.clear();
            match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            // What follows in a line is not taken for another one.
            let is_rest = !std::mem::replace(&mut begins, bytes.ends_with(b"\n"));
            if is_rest {
                continue;
            }
            let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
            let shown: String = line.chars().take(200).collect();
            {
                let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
                if recent.len() == KEPT_LINES {
                    recent.pop_front();
                }
                recent.push_back(shown);
            }
            if let Some(sender) = &to
                && sender.send(line).is_err()
            {
                return;
            }
        }
    };
    room::spawn(SMALL_STACK, forward).map(drop)
}

/// Splits a command at white space; single or double quotes keep a word together. Names of files need
/// be no text.
///
/// # Errors
/// A quote that is not closed.
pub fn split_command(text: &OsStr) -> Result<Vec<OsString>, String> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote: Option<u8> = None;
    for &byte in text.as_encoded_bytes() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => word.get_or_insert_default().push(byte),
            None if byte == b'"' || byte == b'\'' => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            None if byte.is_ascii_whitespace() => words.extend(word.take().map(name_of)),
            None => word.get_or_insert_default().push(byte),
        }
    }
    match quote {
        Some(open) => Err(format!(
            "has a quote {} that is never closed",
            char::from(open)
        )),
        None => {
            words.extend(word.map(name_of));
            Ok(words)
        }
    }
}

/// A word of a command, as the system has it.
pub(super) fn name_of(bytes: Vec<u8>) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    String::from_utf8_lossy(&bytes).into_owned().into()
}
