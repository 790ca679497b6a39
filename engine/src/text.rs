//! Bytes that should be text.

/// The text. Lines that all end with a CR alone, as on old Macs, end with LF in it.
///
/// # Errors
/// Says which line is no UTF-8.
pub fn text_of(mut bytes: Vec<u8>) -> Result<String, String> {
    if !bytes.contains(&b'\n') {
        bytes
            .iter_mut()
            .filter(|byte| **byte == b'\r')
            .for_each(|byte| *byte = b'\n');
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(valid);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        format!("line {line} is no UTF-8, expected text")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_is_no_text_is_named() {
        assert_eq!(text_of(b"a\nb\n".to_vec()), Ok("a\nb\n".to_string()));
        assert_eq!(text_of(b"a\rb\r".to_vec()), Ok("a\nb\n".to_string()));
        assert_eq!(text_of(b"a\r\nb".to_vec()), Ok("a\r\nb".to_string()));
        for (bytes, line) in [
            (&b"\xff\n"[..], 1),
            (b"a\n\n\xc3\n\xff", 3),
            (b"a\r\xff", 2),
        ] {
            let said = format!("line {line} is no UTF-8, expected text");
            assert_eq!(text_of(bytes.to_vec()), Err(said));
        }
    }
}
