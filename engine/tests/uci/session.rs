//! Order and answers of a session: what waits for what, and who is heard when.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use engine::types::Move;
use std::time::Duration;

#[test]
fn greeting_names_the_engine_and_its_options() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    assert!(lines[0].starts_with("id name Eyas "));
    assert!(lines[1].starts_with("id author "));
    // To the letter: some GUIs tell upper case from lower.
    let options: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .map(|option| option.split(" default ").next().unwrap_or(option))
        .collect();
    assert_eq!(
        options,
        [
            "Hash type spin",
            "Clear Hash type button",
            "Threads type spin",
            "Ponder type check",
            "MultiPV type spin",
            "Move Overhead type spin",
            "UCI_ShowWDL type check",
            "UCI_AnalyseMode type check",
            "UCI_LimitStrength type check",
            "UCI_Elo type spin",
            "SyzygyPath type string",
            "SyzygyProbeDepth type spin",
            "Syzygy50MoveRule type check",
            "SyzygyProbeLimit type spin",
            "OwnBook type check",
            "Book File type string",
            "Best Book Move type check",
            "EndgameProgram type string",
            "EndgameProgramDepth type spin",
            "ParamsFile type string",
        ]
    );
    assert_eq!(engine.ask("ucinewgame"), [""; 0]);
    assert_eq!(engine.ask("register later"), [""; 0]);
    assert!(engine.finish().is_empty());
}

/// Arena tries both protocols, and takes whatever comes before it has asked for an answer.
#[test]
fn nothing_is_told_before_it_is_asked_for() {
    let mut engine = Engine::start();
    assert_eq!(engine.next_line(Duration::from_millis(200)), None);
    engine.send("xboard");
    engine.send("uci");
    let lines = engine.read_until("uciok");
    let (first, greeting) = lines.split_first().unwrap();
    assert!(first.starts_with("info string unknown command \"xboard\""));
    assert!(greeting[0].starts_with("id name Eyas "));
    assert!(engine.finish().is_empty());
}

#[test]
fn a_person_is_helped() {
    let mut engine = Engine::start();
    let told = engine.ask("help");
    assert!(told[0].starts_with("Eyas is a chess engine"), "{told:#?}");
    let commands = told.iter().filter_map(|line| line.strip_prefix("  "));
    let commands: Vec<&str> = commands
        .map(|line| line.split("  ").next().unwrap_or(line))
        .collect();
    for command in ["d", "eval", "params", "quit", "go perft 5"] {
        assert!(commands.contains(&command), "{commands:?}");
    }
    let counted = engine.ask("perft 3");
    assert!(
        counted.iter().any(|line| line.contains("8902")),
        "{counted:#?}"
    );
    engine.send("debug on");
    let lines = engine.go("go wtime 1000 btime 1000 nodes 100");
    assert!(lines[0].starts_with("info string budget "), "{lines:#?}");
    // Also while it thinks.
    engine.send("go infinite");
    engine.send("debug off");
    assert_eq!(engine.ask("uci").last().unwrap(), "uciok");
    let lines = engine.go("stop");
    assert!(!lines.iter().any(|line| line.starts_with("info string")));
    let lines = engine.go("go wtime 1000 btime 1000 nodes 100");
    assert!(!lines.iter().any(|line| line.starts_with("info string")));
    assert!(engine.finish().is_empty());
}

/// The four searches of fastchess' compliance test, and some more.
#[test]
fn short_clocks_get_a_move_and_an_exact_score() {
    let mut engine = Engine::start();
    let white = Game::new(Position::startpos());
    let mut black = white.clone();
    assert!(black.play(Move::parse_uci("e2e4").unwrap()));
    for (moves, game) in [("", &white), (" moves e2e4", &black)] {
        for go in [
            "go wtime 100",
            "go btime 100",
            "go wtime 100 winc 100 btime 100 binc 100",
            "go btime 100 binc 100 wtime 100 winc 100",
            "go wtime 1 btime 1",
            "go wtime -500 btime -500",
            "go wtime 0 btime 0 movestogo 1",
            "go movetime 1",
            "go movetime 30",
            "go depth 1",
            "go depth 0",
            "go nodes 1",
            "go nodes 0",
            "go nodes 1001",
            "go movestogo 0 wtime 50 btime 50",
            "go mate 1 depth 3",
            "go wtime 99999999999999999999 btime 5 depth 2 searchmoves",
        ] {
            engine.send(&format!("position startpos{moves}"));
            engine.send("isready");
            engine.read_until("readyok");
            let lines = engine.go(go);
            assert_well_formed(&lines, game);
        }
    }
    assert!(engine.finish().is_empty());
}

#[test]
fn same_nodes_same_answer() {
    let mut engine = Engine::start();
    for nodes in [1, 999, 12_345] {
        let mut answers = Vec::new();
        for _ in 0..2 {
            engine.send("ucinewgame");
            engine.send("position startpos moves d2d4 g8f6");
            let lines = engine.go(&format!("go nodes {nodes}"));
            let last = lines[lines.len() - 2].clone();
            assert_eq!(value(&last, "nodes"), Some(nodes.to_string().as_str()));
            answers.push((
                value(&last, "nodes").map(String::from),
                lines.last().cloned(),
            ));
        }
        assert_eq!(answers[0], answers[1]);
    }
}

#[test]
fn a_search_without_end_waits_for_stop() {
    let mut engine = Engine::start();
    // Mate in one: nothing is left to search, and yet no answer may come before it is asked for.
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    for go in ["go infinite", "go", "go ponder wtime 10 btime 10"] {
        engine.send(go);
        std::thread::sleep(Duration::from_millis(200));
        let lines = engine.ask("");
        assert!(
            !lines.iter().any(|l| l.starts_with("bestmove")),
            "{go}: {lines:#?}"
        );
        engine.send("stop");
        // That waits for long, but not for ever.
        assert_eq!(
            engine.read_until("bestmove").last().unwrap(),
            "bestmove d1d8"
        );
    }
    // Neither does whoever leaves have to say it.
    for go in ["go infinite", "go ponder"] {
        let mut leaving = Engine::start();
        leaving.send("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
        leaving.send(go);
        std::thread::sleep(Duration::from_millis(50));
        let rest = leaving.finish();
        assert_eq!(rest.last().unwrap(), "bestmove d1d8", "{go}");
    }
    // Idle stops do nothing; a search that is stopped at once still answers.
    assert_eq!(engine.ask("stop"), [""; 0]);
    engine.send("position startpos");
    engine.send_bytes(b"go infinite\nstop\n");
    let lines = engine.read_until("bestmove");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
    // Each stop is for the search before it, also for one that has not begun.
    engine.send_bytes(&b"go infinite\nstop\n".repeat(5));
    for _ in 0..5 {
        engine.read_until("bestmove");
    }
}

#[test]
fn readiness_and_order_are_kept_during_a_search() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos\ngo infinite\nisready\n");
    assert!(
        !engine
            .read_until("readyok")
            .iter()
            .any(|l| l.starts_with("bestmove"))
    );
    // What comes during a search is done after it: one bestmove a go, in order.
    engine.send_bytes(
        b"position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 2\nsetoption name Hash value 2\n\
          position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 2\nd\nstop\n",
    );
    engine.read_until("bestmove");
    assert_eq!(
        engine.read_until("bestmove").last().unwrap(),
        "bestmove d1d8"
    );
    let lines = engine.read_until("bestmove");
    assert!(
        lines.ends_with(&["info depth 0 score cp 0".into(), "bestmove (none)".into()]),
        "{lines:?}"
    );
    engine.read_until("FEN: 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    engine.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let lines = engine.go("go depth 2");
    assert!(
        lines.ends_with(&["info depth 0 score mate 0".into(), "bestmove (none)".into()]),
        "{lines:?}"
    );
}

#[test]
fn quitting_during_a_search_tells_the_move_first() {
    for end in [
        &b"quit\n"[..],
        b"",
        b"go depth 3\nquit\n",
        b"go infinite\nquit\n",
    ] {
        let mut engine = Engine::start();
        engine.send_bytes(b"position startpos\ngo infinite\nisready\n");
        engine.read_until("readyok");
        engine.send_bytes(end);
        let rest = engine.finish();
        let moves = rest.iter().filter(|l| l.starts_with("bestmove")).count();
        assert_eq!(moves, if end.starts_with(b"go") { 2 } else { 1 });
        assert!(rest.last().unwrap().starts_with("bestmove"), "{rest:#?}");
    }
}

/// A file of searches, piped into the engine: they are all made, and as they were asked for.
#[test]
fn searches_before_the_end_of_input_are_made_whole() {
    for end in ["", "quit\n"] {
        let mut engine = Engine::start();
        let searches: String = (1..=6)
            .map(|moves| {
                let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"][..moves].join(" ");
                format!("position startpos moves {moves}\ngo nodes 20000\n")
            })
            .collect();
        engine.send_bytes(format!("{searches}go infinite\n{end}").as_bytes());
        let rest = engine.finish();
        let moves = rest.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!(moves.count(), 7);
        let whole = rest.iter().filter(|line| line.contains(" nodes 20000 "));
        assert_eq!(whole.count(), 6, "{rest:#?}");
    }
}

/// Nothing is read while there is no room, and nothing is lost.
#[test]
fn many_searches_at_once_are_all_answered_in_their_order() {
    let mut engine = Engine::start();
    let games = [("e2e4", "nodes 1"), ("d2d4", "nodes 2")];
    let pair = games.map(|(mv, limit)| {
        format!("position startpos moves {mv}\ngo {limit} searchmoves a7a6\nd\n")
    });
    let pair = pair.concat();
    engine.send_bytes(pair.repeat(1500).as_bytes());
    let rest = engine.finish();
    let count = |words: &str| rest.iter().filter(|line| line.contains(words)).count();
    assert_eq!(count("bestmove a7a6"), 3000);
    assert_eq!(count("too many"), 0);
    let boards: Vec<&String> = rest
        .iter()
        .filter(|line| line.contains(" b KQkq "))
        .collect();
    assert_eq!(boards.len(), 3000);
    assert!(
        boards
            .chunks(2)
            .all(|two| two[0].contains("4P3") && two[1].contains("3P4"))
    );
}

#[test]
fn perft_divides_before_anything_else() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos\ngo perft 3\nquit\n");
    let rest = engine.finish();
    assert_eq!(rest.len(), 22);
    assert!(rest.contains(&"e2e4: 600".to_string()));
    assert_eq!(rest.last().unwrap(), "Nodes searched: 8902");
}

/// A search that had to wait for a count holds up no answer once it has begun.
#[test]
fn a_search_behind_a_count_holds_up_no_answer() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos\ngo perft 4\ngo infinite\nisready\n");
    engine.read_until("readyok");
    engine.send("stop");
    engine.read_until("bestmove");
    assert!(engine.finish().is_empty());
}
