//! Opening books and endgame tables in a session.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use tests::syzygy::{self, Tables};

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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my book.bin");
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
}

#[test]
fn bad_books_are_told_and_survived() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
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
        (folder.display().to_string(), "s a directory"),
        (
            folder.join("none.bin").display().to_string(),
            "(os error 2)",
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
}

#[test]
fn missing_tables_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
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
}

/// A session with a made-up table of king and queen against king, which says the same of all
/// positions: 2 that White wins, 0 that it is a draw.
fn engine_with_table(result: i8) -> (Engine, Tables) {
    let made = Tables::of(&[("KQvK", result)], true);
    let mut engine = Engine::start();
    let told = engine.ask(&set_tables(&made));
    assert_eq!(told, ["info string 2 tables of up to 3 pieces"]);
    (engine, made)
}

fn set_tables(made: &Tables) -> String {
    format!("setoption name SyzygyPath value {}", made.path().display())
}

/// The last line with a score after searching a position, and the best move.
fn search(engine: &mut Engine, fen: &str, go: &str) -> (String, String) {
    engine.send(&format!("position fen {fen}"));
    let lines = engine.go(go);
    assert_well_formed(&lines, &Game::new(Position::from_fen(fen).unwrap()));
    let scored = lines.iter().rev().find(|line| line.contains(" score "));
    let best = value(lines.last().unwrap(), "bestmove").unwrap();
    (scored.unwrap().clone(), best.to_string())
}

/// A root that a table has. The search alone would see neither the draw nor, so early, the win.
const THREE: &str = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";

/// A root with one piece more, which the queen takes.
const FOUR: &str = "8/8/8/4k3/8/8/1p6/KQ6 w - - 0 1";

#[test]
fn tables_are_asked_at_the_root() {
    let position = Position::from_fen(THREE).unwrap();
    let moves = position.legal_moves().iter().count().to_string();
    for (result, score) in [(2, "20000"), (0, "0")] {
        let (mut engine, _made) = engine_with_table(result);
        let (line, best) = search(&mut engine, THREE, "go depth 2");
        assert_eq!(value(&line, "cp"), Some(score), "{line}");
        assert_eq!(value(&line, "tbhits"), Some(moves.as_str()), "{line}");
        if result > 0 {
            assert!(!["b1b3", "b1b4", "b1c2", "b1d3"].contains(&best.as_str()));
        }
        // Who looks at several lines sees what the search thinks of them.
        engine.ask("setoption name MultiPV value 2");
        let (line, _) = search(&mut engine, THREE, "go depth 2");
        assert_ne!(value(&line, "cp"), Some(score), "{line}");
        // A weaker player does not know tables.
        engine.ask("setoption name MultiPV value 1");
        engine.ask("setoption name UCI_LimitStrength value true");
        let (line, _) = search(&mut engine, THREE, "go depth 2");
        assert_eq!(value(&line, "tbhits"), Some("0"), "{line}");
    }
}

#[test]
fn tables_are_asked_inside_the_search() {
    let (mut engine, _made) = engine_with_table(2);
    let go = "go depth 3 searchmoves b1b2";
    let (line, _) = search(&mut engine, FOUR, go);
    assert_eq!(value(&line, "cp"), Some("19999"), "{line}");
    assert_ne!(value(&line, "tbhits"), Some("0"), "{line}");
    // As Stockfish reads the options: a limit that the tables reach makes the depth count.
    for (limit, depth, asks) in [(7, 100, true), (3, 100, false), (3, 1, true), (0, 1, false)] {
        engine.ask("ucinewgame");
        engine.ask(&format!("setoption name SyzygyProbeLimit value {limit}"));
        engine.ask(&format!("setoption name SyzygyProbeDepth value {depth}"));
        let (line, _) = search(&mut engine, FOUR, go);
        let is_won = value(&line, "cp") == Some("19999");
        let has_hits = value(&line, "tbhits") != Some("0");
        assert_eq!([is_won, has_hits], [asks; 2], "{limit} {depth}: {line}");
    }
    // A table that says otherwise is believed, too; without any the queen is worth something.
    let (mut engine, _made) = engine_with_table(0);
    let (line, _) = search(&mut engine, FOUR, go);
    assert_eq!(value(&line, "cp"), Some("0"), "{line}");
    engine.ask("setoption name SyzygyPath value <empty>");
    engine.ask("ucinewgame");
    let (line, _) = search(&mut engine, FOUR, go);
    let score: i32 = value(&line, "cp").unwrap().parse().unwrap();
    assert!((300..10_000).contains(&score), "{line}");
}

/// By this table White wins, but for the fifty-move rule.
#[test]
fn the_fifty_move_rule_may_be_switched_off() {
    let (mut engine, _made) = engine_with_table(1);
    let go = "go depth 3 searchmoves b1b2";
    for (rule, root, inside) in [("true", "0", "2"), ("false", "20000", "19999")] {
        engine.ask(&format!("setoption name Syzygy50MoveRule value {rule}"));
        engine.ask("ucinewgame");
        let (line, _) = search(&mut engine, THREE, "go depth 2");
        assert_eq!(value(&line, "cp"), Some(root), "{line}");
        let (line, _) = search(&mut engine, FOUR, go);
        assert_eq!(value(&line, "cp"), Some(inside), "{line}");
    }
}

/// A file of which the end is missing is told of when it is first needed, and once; one that can't be
/// a table, or a folder that is none, when they are named. The rest is used.
#[test]
fn damaged_tables_are_told() {
    let (mut engine, made) = engine_with_table(2);
    let whole = syzygy::results("KPvK", 2);
    made.write("KPvK.rtbw", &whole[..16]);
    engine.ask(&set_tables(&made));
    for tells in [true, false] {
        engine.send("position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        let lines = engine.go("go depth 2");
        let told = lines.iter().filter(|line| line.starts_with("info string"));
        let told: Vec<&String> = told.collect();
        assert_eq!(told.len(), usize::from(tells), "{told:?}");
        assert!(told.iter().all(|line| line.contains("KPvK.rtbw")));
    }
    made.write("KPvK.rtbw", &whole[..79]);
    let separator = if cfg!(windows) { ";" } else { ":" };
    let told = engine.ask(&format!("{}{separator}nowhere", set_tables(&made)));
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("info string SyzygyPath: the folder nowhere can't be read: "));
    assert!(told[1].ends_with("KPvK.rtbw can't be used: no Syzygy table has 79 bytes"));
    assert_eq!(told[2], "info string 2 tables of up to 3 pieces");
    let (line, _) = search(&mut engine, THREE, "go depth 2");
    assert_eq!(value(&line, "cp"), Some("20000"), "{line}");
    // With nothing to use all stays as it is.
    for path in [separator.repeat(3), format!("nowhere{separator}nor here")] {
        let told = engine.ask(&format!("setoption name SyzygyPath value {path}"));
        let last = told.last().unwrap();
        assert!(last.ends_with("; nothing changed"), "{told:?}");
        assert!(last.contains(path.split(separator).next().unwrap()));
        assert!(
            told.iter()
                .all(|line| line.starts_with("info string SyzygyPath: "))
        );
        engine.ask("ucinewgame");
        let (line, _) = search(&mut engine, THREE, "go depth 2");
        assert_eq!(value(&line, "cp"), Some("20000"), "{line}");
    }
    let told = engine.ask(&format!(
        "setoption name SyzygyPath value {}",
        separator.repeat(3)
    ));
    assert!(
        told[0].contains(&format!("\"{}\"", separator.repeat(3))),
        "{told:?}"
    );
}

/// On Unix the name of a file is any bytes.
#[cfg(unix)]
#[test]
fn files_are_opened_whose_names_are_no_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    // As a system that writes Latin-1 has it; the last byte alone would be a no-break space.
    let named = folder.path().join(OsStr::from_bytes(b"caf\xe9 \xa0"));
    if std::fs::create_dir(&named).is_err() {
        return; // A file system that has none but UTF-8.
    }
    std::fs::write(named.join("KQvK.rtbw"), syzygy::results("KQvK", 2)).unwrap();
    std::fs::write(named.join("KQvK.rtbz"), syzygy::distances("KQvK")).unwrap();
    std::fs::write(named.join("b.bin"), entry(START, A2A3, 1)).unwrap();
    let params = "format = 1\n[eval]\nknight_value = 333\n";
    std::fs::write(named.join("p.toml"), params).unwrap();
    let mut engine = Engine::start();
    let mut set = |name: &str, file: &str| {
        let line = format!("setoption name {name} value ").into_bytes();
        let path = named.join(file);
        let path = path
            .as_os_str()
            .as_bytes()
            .strip_suffix(b"/")
            .unwrap_or(path.as_os_str().as_bytes());
        engine.send_bytes(&[&line[..], path, b"\n"].concat());
        engine.ask("")
    };
    assert_eq!(
        set("SyzygyPath", ""),
        ["info string 2 tables of up to 3 pieces"]
    );
    assert!(set("Book File", "b.bin")[0].ends_with("caf\u{fffd} \u{fffd}/b.bin with 1 entries"));
    assert!(set("ParamsFile", "p.toml")[0].starts_with("info string parameters from "));
    let told = set("Book File", "c.bin");
    assert!(
        told[0].contains("caf\u{fffd}") && told[0].ends_with("; nothing changed"),
        "{told:?}"
    );
    let lines = engine.ask("params");
    let line = lines.iter().find(|line| line.starts_with("knight_value"));
    assert!(line.unwrap().ends_with(" 333"), "{line:?}");
}

/// A move that is entered twice counts with both weights.
#[test]
fn the_weights_of_a_move_in_a_book_are_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.bin");
    let entries = [
        entry(START, A2A3, 40_000),
        entry(START, H2H3, 60_000),
        entry(START, A2A3, 40_000),
    ];
    std::fs::write(&path, entries.concat()).unwrap();
    let mut engine = Engine::start();
    engine.ask("setoption name OwnBook value true");
    engine.ask(&format!(
        "setoption name Book File value {}",
        path.display()
    ));
    engine.send("position startpos");
    let lines = engine.go("go depth 1");
    assert_eq!(value(lines.last().unwrap(), "bestmove"), Some("a2a3"));
}

/// With real tables, if there are any.
#[test]
fn tables_choose_the_moves_that_keep_the_result() {
    let name = "tables_choose_the_moves_that_keep_the_result";
    let Some(folder) = syzygy::real_tables(name) else {
        return;
    };
    let mut engine = Engine::start();
    let path = folder.display();
    let told = engine.ask(&format!("setoption name SyzygyPath value {path}"));
    assert!(told[0].contains(" tables of up to "), "{told:?}");
    // Two moves win; any does not lose.
    let fen = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let (line, best) = search(&mut engine, fen, "go nodes 2000");
    assert!(["e6d6", "e6f6"].contains(&best.as_str()), "{line}: {best}");
    assert_eq!(value(&line, "tbhits"), Some("4"), "{line}");
    let is_won = line.contains(" score cp 20000 ") || line.contains(" score mate ");
    assert!(is_won, "{line}");
    let fen = "4k3/8/8/4P3/4K3/8/8/8 b - - 0 1";
    let (line, _) = search(&mut engine, fen, "go nodes 2000");
    assert_eq!(value(&line, "cp"), Some("0"), "{line}");
}
