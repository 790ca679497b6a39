//! Opening books and endgame tables in a session.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use std::path::PathBuf;

/// A folder for a test's files.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("eyas-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// An entry of a book: a position's key, a move in the format's bits, its weight.
fn entry(key: u64, mv: u16, weight: u16) -> Vec<u8> {
    let mut bytes = key.to_be_bytes().to_vec();
    bytes.extend(mv.to_be_bytes());
    bytes.extend(weight.to_be_bytes());
    bytes.extend([0; 4]);
    bytes
}

/// Keys that the format's description gives: the initial position, and that after e2e4.
const START: u64 = 0x463b_9618_1691_fc9c;
const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
const A2A3: u16 = 2 << 3 | 1 << 9;
const H2H3: u16 = 7 | 2 << 3 | 7 << 6 | 1 << 9;
const A7A6: u16 = 5 << 3 | 6 << 9;

#[test]
fn book_moves_are_played_in_games_alone() {
    let folder = folder("book");
    let path = folder.join("my book.bin");
    let entries = [
        entry(START, A2A3, 1),
        entry(START, H2H3, 9),
        entry(AFTER_E4, A7A6, 1),
    ];
    std::fs::write(&path, entries.concat()).unwrap();
    let mut engine = Engine::start();
    let best = |engine: &mut Engine, position: &str, go: &str| {
        engine.send(position);
        let lines = engine.go(go);
        let best = value(lines.last().unwrap(), "bestmove")
            .unwrap()
            .to_string();
        (best, lines)
    };
    let start = "position startpos";
    let told = engine.ask(&format!(
        "setoption name Book File value {}",
        path.display()
    ));
    assert!(told[0].ends_with("with 3 entries"), "{told:?}");
    // Without OwnBook the file is not used.
    assert_ne!(best(&mut engine, start, "go depth 3").0, "h2h3");
    engine.ask("setoption name OwnBook value true");
    let (mv, lines) = best(&mut engine, start, "go wtime 60000 btime 60000");
    assert_eq!(mv, "h2h3");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
    assert_eq!(
        best(
            &mut engine,
            "position startpos moves e2e4",
            "go movetime 50"
        )
        .0,
        "a7a6"
    );
    assert_ne!(
        best(&mut engine, "position startpos moves d2d4", "go nodes 50").0,
        "a7a6"
    );
    assert_ne!(
        best(&mut engine, start, "go depth 3 searchmoves e2e4").0,
        "h2h3"
    );
    engine.send_bytes(b"go infinite\nstop\n");
    assert!(
        !engine
            .read_until("bestmove")
            .last()
            .unwrap()
            .ends_with("h2h3")
    );
    engine.ask("setoption name UCI_AnalyseMode value true");
    assert_ne!(best(&mut engine, start, "go depth 3").0, "h2h3");
    engine.ask("setoption name UCI_AnalyseMode value false");
    // By chance both come, in proportion to nine to one.
    engine.ask("setoption name Best Book Move value false");
    let moves: Vec<String> = (0..100)
        .map(|_| best(&mut engine, start, "go wtime 1000 btime 1000").0)
        .collect();
    let often = moves.iter().filter(|mv| *mv == "h2h3").count();
    let seldom = moves.iter().filter(|mv| *mv == "a2a3").count();
    assert_eq!(often + seldom, 100);
    assert!(often > 70 && seldom > 0, "{often} to {seldom}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn bad_books_are_told_and_survived() {
    let folder = folder("bad-book");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let mut engine = Engine::start();
    engine.ask("setoption name OwnBook value true");
    for (path, reason) in [
        (file("empty.bin", b""), "expected a Polyglot book"),
        (
            file("short.bin", b"no book at all"),
            "expected a Polyglot book",
        ),
        (folder.display().to_string(), "directory"),
        (
            folder.join("none.bin").display().to_string(),
            "No such file",
        ),
    ] {
        let told = engine.ask(&format!("setoption name Book File value {path}"));
        assert!(told[0].starts_with("info string Book File"), "{told:?}");
        assert!(told[0].contains(reason), "{told:?}");
    }
    // Sixteen times anything is a book, of moves that are illegal.
    let rubbish = file("rubbish.bin", &[0x46; 1600]);
    engine.ask(&format!("setoption name Book File value {rubbish}"));
    let illegal = file("illegal.bin", &entry(START, 0xffff, 7));
    engine.ask(&format!("setoption name Book File value {illegal}"));
    engine.send("position startpos");
    let lines = engine.go("go depth 2");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
    // A book that shrinks under our feet is closed.
    let shrinking = file("shrinking.bin", &entry(START, A2A3, 1).repeat(9));
    engine.ask(&format!("setoption name Book File value {shrinking}"));
    file("shrinking.bin", b"");
    let lines = engine.go("go depth 2");
    assert!(lines[0].contains("not used any more"), "{lines:?}");
    engine.ask("setoption name Book File value <empty>");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_tables_are_told() {
    let folder = folder("no-tables");
    let mut engine = Engine::start();
    for path in [folder.display().to_string(), "/nowhere/at/all".to_string()] {
        let told = engine.ask(&format!("setoption name SyzygyPath value {path}"));
        assert!(told[0].starts_with("info string SyzygyPath: "), "{told:?}");
    }
    // A file of a table's name that is none, of a size that none has and of one that may be.
    for bytes in [1, 16, 80] {
        for name in ["KQvK.rtbw", "KQvK.rtbz"] {
            std::fs::write(folder.join(name), vec![7; bytes]).unwrap();
        }
        engine.ask(&format!(
            "setoption name SyzygyPath value {}",
            folder.display()
        ));
        let fen = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go depth 3");
        assert_well_formed(&lines, &Game::new(Position::from_fen(fen).unwrap()));
    }
    assert_eq!(
        engine.ask("setoption name SyzygyPath value <empty>"),
        [""; 0]
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// With real tables, if `EYAS_SYZYGY` names a folder that has those of four pieces.
#[test]
fn tables_choose_the_moves_that_keep_the_result() {
    let Some(path) = std::env::var_os("EYAS_SYZYGY") else {
        return;
    };
    let mut engine = Engine::start();
    let told = engine.ask(&format!(
        "setoption name SyzygyPath value {}",
        path.display()
    ));
    assert!(told[0].contains(" tables of up to "), "{told:?}");
    // Only one move holds the draw; only one wins.
    for (fen, wanted) in [
        ("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1", None),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some("e6d6 e6f6")),
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go nodes 2000");
        let scored = lines.iter().rev().find(|line| line.contains(" score "));
        match (scored, wanted) {
            (Some(line), Some(moves)) => {
                assert_ne!(value(line, "tbhits"), Some("0"), "{line}");
                let best = value(lines.last().unwrap(), "bestmove").unwrap();
                assert!(moves.contains(best), "{fen}: {best}");
            }
            (_, None) => assert_eq!(lines.last().unwrap(), "bestmove (none)"),
            _ => panic!("{lines:?}"),
        }
    }
}
