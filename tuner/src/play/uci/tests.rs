//! Commands that are taken apart.

use super::*;

#[test]
fn commands_are_split_like_a_shell_does() {
    let split = |text: &str| split_command(text.as_ref()).unwrap();
    assert_eq!(split("  eyas  --x 1 "), ["eyas", "--x", "1"]);
    assert_eq!(split("'/a b/c' \"\" d'e f'g"), ["/a b/c", "", "de fg"]);
    assert!(split("").is_empty());
    assert!(split_command("a 'b".as_ref()).is_err());
}
