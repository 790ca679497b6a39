//! Lines from stdin, whatever comes: no line makes memory grow without bound, and bytes that are
//! no UTF-8 become replacement characters.

use std::io::{BufRead, ErrorKind};

/// Longest line in bytes. The longest game in moves of five bytes needs a thirtieth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line longer than [`LONGEST_LINE`], which was thrown away.
    TooLong,
    /// There is nothing more.
    End,
}

/// Reads the next line.
pub fn read(source: &mut impl BufRead) -> Input {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let buffer = match source.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return Input::End,
        };
        if buffer.is_empty() && line.is_empty() && !too_long {
            return Input::End;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= line.len() + part.len() > LONGEST_LINE;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let done = end.is_some() || buffer.is_empty();
        let used = end.map_or(buffer.len(), |end| end + 1);
        source.consume(used);
        if done {
            break;
        }
    }
    if too_long {
        Input::TooLong
    } else {
        Input::Line(String::from_utf8_lossy(&line).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_of_any_kind_are_read() {
        let mut bytes = b"uci\r\n\xff\xfe isready\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
        bytes.extend(b"\n\nquit");
        let mut source = BufReader::with_capacity(100, &bytes[..]);
        assert_eq!(read(&mut source), Input::Line("uci\r".into()));
        assert_eq!(
            read(&mut source),
            Input::Line("\u{fffd}\u{fffd} isready".into())
        );
        assert_eq!(read(&mut source), Input::TooLong);
        assert_eq!(read(&mut source), Input::Line(String::new()));
        assert_eq!(read(&mut source), Input::Line("quit".into()));
        assert_eq!(read(&mut source), Input::End);
    }
}
