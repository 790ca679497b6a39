//! Input of any kind: told, survived.

use crate::gui::Engine;

#[test]
fn illegal_positions_and_moves_are_told() {
    let mut engine = Engine::start();
    let told = engine.ask("position startpos moves e2e4 e7e5 e4e5 d7d5");
    assert!(
        told[0].starts_with("info string illegal move \"e4e5\""),
        "{told:?}"
    );
    engine.send("position startpos");
    let told = engine.go("go depth 1 searchmoves e7e5 a1a8");
    let none = "info string none of the searchmoves is legal here; all moves are searched";
    assert_eq!(told[0], none);
    let told = engine.go("go depth 1 searchmoves e7e5 e2e4");
    assert_eq!(told.last().map(String::as_str), Some("bestmove e2e4"));
    engine.ask("position startpos moves e2e4 e7e5 e4e5 d7d5");
    let shown = engine.ask("d");
    let fen = "FEN: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert!(shown.contains(&fen.to_string()), "{shown:#?}");
    for bad in [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen not a fen at all moves e2e4",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999999999 1",
    ] {
        let told = engine.ask(bad);
        assert!(
            told[0].starts_with("info string position refused"),
            "{bad}: {told:?}"
        );
    }
    assert!(engine.ask("d").contains(&fen.to_string()));
    // What is passed over is told.
    let told = engine.ask("position startpos e2e4");
    assert!(told[0].contains("passed over: e2e4;"), "{told:?}");
    let told = engine.ask("position fen 4k3/8/8/8/8/8/8/4K3 w - - x y");
    assert!(
        told[0].starts_with("info string dropped from the position: ")
            && told[0].contains("\"x y\""),
        "{told:?}"
    );
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K3\tw  -   - moves\te1e2\r");
    assert!(
        engine
            .ask("d")
            .iter()
            .any(|line| line == "FEN: 4k3/8/8/8/8/8/4K3/8 b - - 1 1")
    );
}

/// Some programs write castling as the king taking its own rook. The answer is in the protocol's form.
#[test]
fn castling_may_be_written_as_taking_the_own_rook() {
    let mut engine = Engine::start();
    let mut fen_after = |moves: &str| {
        let told = engine.ask(&format!(
            "position fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 moves {moves}"
        ));
        let shown = engine.ask("d");
        let fen = shown.iter().find_map(|line| line.strip_prefix("FEN: "));
        (told.len(), fen.unwrap().to_string())
    };
    for (written, standard) in [
        ("e1h1 e8a8", "e1g1 e8c8"),
        ("e1a1 e8h8", "e1c1 e8g8"),
        ("a2a3 e8h8 e1h1", "a2a3 e8g8 e1g1"),
    ] {
        let (told, fen) = fen_after(written);
        assert_eq!((told, &fen), (0, &fen_after(standard).1), "{written}");
    }
    // What is no legal castling stays illegal.
    let start = fen_after("").1;
    for illegal in ["e1h8", "e1h1q", "a1e1", "h1e1", "e8h8", "e1e8"] {
        assert_eq!(fen_after(illegal), (1, start.clone()), "{illegal}");
    }
    assert_eq!(fen_after("h1g1 a7a6 e1g1").0, 1);
    let moves = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7";
    engine.ask(&format!("position startpos moves {moves}"));
    let lines = engine.go("go depth 2 searchmoves e1h1");
    assert!(
        lines.last().unwrap().starts_with("bestmove e1g1"),
        "{lines:?}"
    );
    assert!(lines.iter().all(|line| !line.contains("e1h1")), "{lines:?}");
    // The rights are gone.
    engine.ask(&format!(
        "position startpos moves {moves} e1f1 a7a6 f1e1 a6a5"
    ));
    let lines = engine.go("go depth 1 searchmoves e1h1");
    assert!(
        lines[0].contains("none of the searchmoves is legal"),
        "{lines:?}"
    );
}

#[test]
fn nothing_on_stdin_ends_the_session() {
    let mut engine = Engine::start();
    let mut long = vec![b'x'; 5 << 20];
    long.push(b'\n');
    engine.send_bytes(&long);
    engine.send_bytes(b"position startpos moves \xff\xfe e2e4\n\x00\x01\x02\n\xc3\x28\n");
    for line in [
        "setoption",
        "setoption name Hash value abc",
        "setoption name OwnBook value true",
        "setoption name Hash value 99999999999999999999999999",
        "setoption name hash value 4",
        "setoption name CLEAR hash",
        "setoption name Threads value 64",
        "setoption name Move Overhead value -1",
        "setoption name ParamsFile value /nowhere/at/all.toml",
        "ponderhit",
        "register later",
        "joho debug on",
        "debug off",
        "params",
        "eval",
        "help",
    ] {
        engine.ask(line);
    }
    // A search may outlast the answer to `isready`: wait for its move.
    for line in [
        "go depth 18446744073709551616 nodes 20",
        "go depth 256 nodes 20",
        "go movestogo 256 wtime 10 btime 10 ",
        "go nodes -1",
    ] {
        engine.go(line);
    }
    engine.send("isready");
    engine.read_until("readyok");
    assert!(engine.finish().is_empty());
}

/// Lines that have to wait for a search are kept up to a bound. What would wait for `stop` is stopped
/// then, for nothing is read until there is room.
#[test]
fn a_flood_ends_the_search_that_it_waits_for() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    let mut line = b"position startpos moves".to_vec();
    line.extend(b" a".repeat(500_000));
    line.push(b'\n');
    for _ in 0..5 {
        engine.send_bytes(&line);
    }
    engine.read_until("info string too many commands wait for this to end, so it is stopped");
    engine.read_until("bestmove");
    let told = engine.ask("d").join("\n");
    assert!(told.contains("illegal move"), "{told}");
    // One that comes out of the full queue is heard of, too.
    engine.send("go infinite");
    engine.send_bytes(&[&line[..], b"go infinite\n", &line, &line, &line, &line].concat());
    engine.read_until("bestmove");
    engine.ask("");
    engine.send("stop");
    engine.read_until("bestmove");
    // With nothing waiting any more there is room again.
    engine.send("go infinite");
    engine.send_bytes(&line);
    engine.send("stop");
    engine.read_until("bestmove");
    assert!(engine.ask("d").join("\n").contains("illegal move"));
    // So there is for whoever never waits: each search begins when nothing else waits.
    engine.send("go infinite");
    for _ in 0..6 {
        let step = [b"stop\n", &line[..], b"go infinite\n"].concat();
        engine.send_bytes(&step);
        let told = engine.read_until("bestmove").join("\n");
        assert!(!told.contains("too many commands"), "{told}");
    }
    engine.send("stop");
    engine.read_until("bestmove");
    assert!(engine.finish().is_empty());
}
