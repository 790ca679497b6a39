//! SHA-256 of files, for provenance. Imports nothing of this crate.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// SHA-256 of a file's bytes as they are on disk (compressed if they are), in 64 hex digits.
///
/// # Errors
/// The file can't be read; the message names it.
pub fn sha256_hex(path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref();
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut file = File::open(path).map_err(named)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(length) => hasher.update(&block[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(named(error)),
        }
    }
}

/// SHA-256 of a text, in 64 hex digits.
pub fn sha256_of_text(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_vector_holds() {
        // FIPS 180-2, B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of_text("abc"), expected);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        std::fs::write(&file, "abc").unwrap();
        assert_eq!(sha256_hex(&file).unwrap(), expected);
        let missing = sha256_hex(folder.path().join("none")).unwrap_err();
        assert!(missing.to_string().contains("none: "), "{missing}");
    }
}
