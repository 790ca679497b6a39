//! Books, and the lines that are drawn from them.

use super::*;
use engine::types::Move;

fn load(name: &str, text: &[u8], plies: u32) -> Result<Openings, OpeningsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    Openings::load(&path, plies)
}

/// An entry of a Polyglot book: the key of the start, or after 1. e4.
fn entry(key: u64, from: (u16, u16), to: (u16, u16), weight: u16) -> Vec<u8> {
    let mv = to.0 | to.1 << 3 | from.0 << 6 | from.1 << 9;
    let numbers = [
        &key.to_be_bytes()[..],
        &mv.to_be_bytes(),
        &weight.to_be_bytes(),
    ];
    [numbers.concat(), vec![0; 4]].concat()
}

#[test]
fn walks_follow_a_polyglot_book_by_its_weights() {
    const START: u64 = 0x463b_9618_1691_fc9c;
    const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
    let entries = [
        // What is entered several times counts with the sum.
        entry(START, (4, 1), (4, 3), 1),
        entry(START, (3, 1), (3, 3), 1),
        entry(START, (4, 1), (4, 3), 2),
        // A pawn that goes three squares, one that can't, and a move without weight.
        entry(START, (0, 1), (0, 4), 9),
        entry(AFTER_E4, (4, 6), (4, 4), 1),
        entry(AFTER_E4, (4, 6), (4, 2), 9),
        entry(AFTER_E4, (2, 6), (2, 4), 0),
    ];
    let book = load("b.bin", &entries.concat(), 2).unwrap();
    assert_eq!((book.count(), book.refused, book.lines()), (7, 2, None));
    let why = book.first_refused.clone().unwrap();
    assert!(why.contains("illegal move for rnbqkbnr/pppppppp"), "{why}");
    assert!(book.left_out().unwrap().starts_with("2 lines"));
    let mut counts = [0; 2];
    for number in 0..400 {
        let moves = book.draw(5, number).moves;
        assert_eq!(moves, book.draw(5, number).moves);
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        let words: Vec<&str> = moves.iter().map(String::as_str).collect();
        match words[..] {
            ["e2e4", "e7e5"] => counts[0] += 1,
            ["d2d4"] => counts[1] += 1,
            _ => panic!("{moves:?}"),
        }
    }
    assert!((270..330).contains(&counts[0]), "{counts:?}");
    // What no walk comes to is not looked at.
    assert_eq!(load("b.bin", &entries.concat(), 1).unwrap().refused, 1);

    let empty = load("b.bin", &entry(START, (0, 1), (0, 4), 9), 2).unwrap_err();
    ::tests::says(
        &empty.to_string(),
        &["no opening that can be played: an illegal"],
    );
    assert!(load("b.bin", &entries.concat()[1..], 2).is_err());
}

#[test]
fn illegal_lines_of_a_book_are_counted_and_left_out() {
    let pgn = "[Event \"a\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! Nc6 $1 1/2-1/2\n\n\
               [Event \"b\"]\n\n1. e4 e5 2. Ke3 d5 *\n\n\
               [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1.e4 Kd7 1-0\n";
    let book = load("b.pgn", pgn.as_bytes(), 3).unwrap();
    assert_eq!((book.count(), book.refused), (2, 1));
    let why = book.first_refused.clone().unwrap();
    assert!(why.contains("line 7") && why.contains("Ke3"), "{why}");
    let drawn: Vec<Opening> = (0..2).map(|number| book.draw(1, number)).collect();
    let lengths: Vec<usize> = drawn.iter().map(|opening| opening.moves.len()).collect();
    assert!(lengths == [3, 2] || lengths == [2, 3], "{lengths:?}");
    assert_eq!(book.draw(1, 2), drawn[0]);

    // Another game than chess is none, whatever its moves.
    let variants = format!("{pgn}\n[Event \"d\"]\n[Variant \"Atomic\"]\n\n1. d4 d5 *\n");
    let book = load("b.pgn", variants.as_bytes(), 3).unwrap();
    assert_eq!((book.count(), book.refused), (2, 2));

    // Of openings that lead to the same position one is enough.
    let again = format!("{pgn}\n[Event \"d\"]\n\n1. Nf3 Nc6 2. e4 e5 *\n");
    let both = load("b.pgn", again.as_bytes(), 4).unwrap();
    assert_eq!((both.count(), both.refused), (2, 1));

    // A result ends a game without any tags, and the file may begin with a mark of its order of
    // bytes.
    let plain = "\u{feff}1. e4 ! e5 * 1. d4\n% not a move\nd5 2. c4 *\n\n1. c4 1/2-1/2";
    let book = load("b.pgn", plain.as_bytes(), 8).unwrap();
    assert_eq!((book.count(), book.refused), (3, 0), "{book:?}");
    let placed = "\u{feff}4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    assert_eq!(load("b.epd", placed.as_bytes(), 8).unwrap().count(), 1);

    // Capitals make no other file of it, nor do blanks and remarks that some writers leave out or add.
    let remarks = "1. e4$1 a6$2 2. e5 d5?! 3. exd6 e.p. $14 *\n";
    let book = load("B.PGN", remarks.as_bytes(), 8).unwrap();
    assert_eq!((book.count(), book.refused), (1, 0), "{book:?}");
    assert_eq!(book.draw(1, 0).moves.len(), 5);

    // A position is an opening too, as is the start where no moves are wanted.
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]";
    let text = format!("[Event \"a\"]\n{fen}\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n");
    for (plies, length) in [(8, 1), (0, 0)] {
        let book = load("b.pgn", text.as_bytes(), plies).unwrap();
        assert_eq!((book.count(), book.refused), (2, 0));
        let drawn = [book.draw(1, 0), book.draw(1, 1)];
        let longest = drawn.iter().map(|opening| opening.moves.len()).max();
        assert_eq!(longest, Some(length));
    }

    // What is never closed ends with its game, not with the file.
    for open in ["(1... c5 2. Nf3", "{good"] {
        let pgn = pgn.replace("Ke3", open);
        let book = load("b.pgn", pgn.as_bytes(), 3).unwrap();
        assert_eq!((book.count(), book.refused), (2, 1), "{open}");
        let why = book.first_refused.unwrap();
        assert!(why.contains("line 7") && why.contains("no end"), "{why}");
    }

    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nnonsense\n";
    let book = load("b.epd", epd.as_bytes(), 8).unwrap();
    assert_eq!((book.count(), book.refused), (1, 1));
    let none = load("b.epd", b"nonsense\n", 8).unwrap_err().to_string();
    ::tests::says(&none, &["no opening that can be played: line 1"]);
    let book = load("b.bin", &[1; 15], 8).unwrap_err().to_string();
    assert!(book.contains("15 bytes"), "{book}");
    assert!(load("b.bin", &[1; 16], 8).is_err());
}

#[test]
fn the_shuffled_order_has_every_place_once() {
    for count in [1, 2, 3, 7, 64, 1000] {
        let mut all: Vec<u64> = (0..count).map(|place| shuffled(place, count, 5)).collect();
        if count == 1000 {
            assert!(!all.is_sorted());
        }
        all.sort_unstable();
        assert_eq!(all, (0..count).collect::<Vec<_>>());
    }
}
