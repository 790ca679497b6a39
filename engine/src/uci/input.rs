//! Lines from stdin, whatever comes: no line makes memory grow without bound.

use std::io::{BufRead, ErrorKind};
use std::thread;

/// Longest line in bytes. The longest game in moves of five bytes needs a thirtieth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end, which need not be UTF-8.
    Line(Vec<u8>),
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
            // Whoever started the engine has made the pipe one that does not wait; then this does.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(super::output::RETRY);
                continue;
            }
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
        Input::Line(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read, Result};

    /// A pipe that does not wait, and has a byte every second time.
    struct Hasty<'a>(&'a [u8], bool);

    impl Read for Hasty<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn a_pipe_that_does_not_wait_is_waited_for() {
        let mut source = BufReader::new(Hasty(b"uci\nquit", false));
        assert_eq!(read(&mut source), Input::Line("uci".into()));
        assert_eq!(read(&mut source), Input::Line("quit".into()));
        assert_eq!(read(&mut source), Input::End);
    }

    #[test]
    fn lines_of_any_kind_are_read() {
        let mut bytes = b"uci\r\n\xff\xfe isready\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
        bytes.extend(b"\n\nquit");
        let mut source = BufReader::with_capacity(100, &bytes[..]);
        assert_eq!(read(&mut source), Input::Line("uci\r".into()));
        assert_eq!(read(&mut source), Input::Line(b"\xff\xfe isready".into()));
        assert_eq!(read(&mut source), Input::TooLong);
        assert_eq!(read(&mut source), Input::Line(Vec::new()));
        assert_eq!(read(&mut source), Input::Line("quit".into()));
        assert_eq!(read(&mut source), Input::End);
    }
}
