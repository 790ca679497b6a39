//! Searches that may not answer yet: pondering, `infinite`, and what else bounds a search.

use crate::gui::{Engine, PATIENCE, assert_well_formed, first_moves, value};
use engine::position::{Game, Position};
use std::time::{Duration, Instant};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MATED: &str = "6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1";
/// One that turns out to be worse again and again.
const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

/// That no best move has been told for a while.
fn assert_silent(engine: &mut Engine, milliseconds: u64) -> Vec<String> {
    std::thread::sleep(Duration::from_millis(milliseconds));
    let lines = engine.ask("");
    let told = lines.iter().any(|line| line.starts_with("bestmove"));
    assert!(!told, "{lines:#?}");
    lines
}

#[test]
fn the_clock_starts_with_ponderhit() {
    let mut engine = Engine::start();
    // The process has started before anything is measured.
    engine.ask("position startpos moves e2e4 e7e5");
    engine.send("go ponder movetime 400");
    assert_silent(&mut engine, 600);
    let hit = Instant::now();
    engine.send("ponderhit");
    let lines = engine.read_until("bestmove");
    assert!(
        hit.elapsed() > Duration::from_millis(300),
        "{:?}",
        hit.elapsed()
    );
    assert!(
        hit.elapsed() < Duration::from_secs(10),
        "{:?}",
        hit.elapsed()
    );
    // Time as told is that of the whole search.
    let time: u64 = value(&lines[lines.len() - 2], "time")
        .unwrap()
        .parse()
        .unwrap();
    assert!(time > 700, "{time}");
    // With clocks it is the same: a whole second was gone already.
    engine.send("go ponder wtime 1000 btime 1000 winc 0 binc 0");
    assert_silent(&mut engine, 1100);
    engine.send("ponderhit");
    engine.read_until("bestmove");
    assert!(engine.finish().is_empty());
}

#[test]
fn a_ponder_search_that_has_ended_waits_for_its_hit() {
    let mut engine = Engine::start();
    for (fen, go) in [
        (MATE_IN_ONE, "go ponder wtime 1000 btime 1000"),
        (MATE_IN_ONE, "go wtime 1000 ponder btime 1000 depth 2"),
        (MATE_IN_ONE, "go ponder nodes 10"),
        // A single legal move, and none.
        (
            "7k/8/8/8/8/8/r7/1r4BK w - - 0 1",
            "go ponder wtime 1000 btime 1000",
        ),
        (STALEMATE, "go ponder wtime 1000 btime 1000"),
        (MATED, "go ponder movetime 50"),
        // These wait for `stop` alone.
        (STALEMATE, "go infinite"),
        (MATED, "go infinite"),
        (MATE_IN_ONE, "go infinite"),
    ] {
        let ends = match go.contains("ponder") {
            true => &["ponderhit", "stop"][..],
            false => &["stop"][..],
        };
        for end in ends {
            engine.send(&format!("position fen {fen}"));
            engine.send(go);
            let mut lines = assert_silent(&mut engine, 100);
            engine.send(end);
            lines.extend(engine.read_until("bestmove"));
            if !lines.last().unwrap().ends_with("(none)") {
                assert_well_formed(&lines, &game(fen));
            }
        }
    }
    // Neither of these is for a search that does not ponder.
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("ponderhit");
    assert_silent(&mut engine, 100);
    engine.send("stop");
    engine.read_until("bestmove");
    assert_eq!(engine.ask("ponderhit"), [""; 0]);
    assert_eq!(engine.ask("stop"), [""; 0]);
    // A hit that comes at once, and one for a search that still waits for another.
    engine.send_bytes(b"go ponder movetime 20\nponderhit\n");
    engine.read_until("bestmove");
    engine.send_bytes(b"go movetime 100\ngo ponder movetime 20\nponderhit\n");
    engine.read_until("bestmove");
    engine.read_until("bestmove");
    engine.send_bytes(b"go ponder movetime 20\ngo movetime 20\nponderhit\n");
    engine.read_until("bestmove");
    engine.read_until("bestmove");
    assert!(engine.finish().is_empty());
}

#[test]
fn a_missed_ponder_move_is_stopped_and_the_game_goes_on() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 5000 btime 5000");
    assert_silent(&mut engine, 50);
    engine.send_bytes(b"stop\nposition startpos moves e2e4 c7c5\ngo wtime 300 btime 300\n");
    engine.read_until("bestmove");
    let lines = engine.read_until("bestmove");
    let mut after = Game::new(Position::startpos());
    for text in ["e2e4", "c7c5"] {
        assert!(after.play(engine::types::Move::parse_uci(text).unwrap()));
    }
    assert_well_formed(&lines, &after);
}

#[test]
fn root_moves_may_be_restricted() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    for (go, allowed) in [
        ("go searchmoves a2a3 h2h4 depth 4", &["a2a3", "h2h4"][..]),
        ("go depth 4 searchmoves a2a3", &["a2a3"]),
        ("go depth 2 searchmoves a2a3 e7e5 xyz", &["a2a3"]),
        ("go searchmoves xyz h2h4 ?! depth 3", &["h2h4"]),
    ] {
        let lines = engine.go(go);
        let best = value(lines.last().unwrap(), "bestmove").unwrap();
        assert!(allowed.contains(&best), "{go}: {best}");
        assert_well_formed(&lines, &Game::new(Position::startpos()));
    }
    // If none of them is legal, all are looked at.
    let lines = engine.go("go depth 2 searchmoves e7e5");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
}

#[test]
fn mates_are_found_and_the_search_ends_with_them() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    let lines = engine.go("go mate 2");
    let scored = lines
        .iter()
        .rev()
        .find(|line| line.contains(" score "))
        .unwrap();
    assert_eq!(value(scored, "mate"), Some("2"), "{scored}");
    assert_eq!(first_moves(scored).len(), 3);
    assert_well_formed(&lines, &game(MATE_IN_TWO));
}

/// After three seconds the moves are told one by one, and not before.
#[test]
fn current_moves_are_told_in_long_searches_alone() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let lines = engine.go("go movetime 1000");
    assert!(!lines.iter().any(|line| line.contains("currmove")));
    // So many lines that each iteration begins with every move.
    engine.ask("setoption name MultiPV value 20");
    let lines = engine.go("go movetime 4500");
    let told: Vec<&String> = lines.iter().filter(|l| l.contains("currmove ")).collect();
    assert!(!told.is_empty(), "{lines:#?}");
    for line in told {
        let number = value(line, "currmovenumber").unwrap();
        assert!(
            (1..=20).contains(&number.parse::<usize>().unwrap()),
            "{line}"
        );
    }
}

/// After three seconds a score that is more or less than expected is told before the iteration ends.
#[test]
fn bounds_are_told_in_long_searches_and_an_exact_score_at_the_end() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {SHARP}"));
    engine.send("go infinite");
    let mut lines = Vec::new();
    while !lines
        .last()
        .is_some_and(|line: &String| line.contains("bound "))
    {
        lines.push(engine.next_line(PATIENCE).unwrap());
    }
    engine.send("stop");
    lines.extend(engine.read_until("bestmove"));
    assert_well_formed(&lines, &game(SHARP));
}

/// An engine that waits costs nothing.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_engine_takes_no_time_of_the_processor() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {MATE_IN_ONE}"));
    engine.go("go depth 3");
    // A search that has ended and waits for `stop` is idle as well.
    engine.send("go infinite depth 3");
    assert_silent(&mut engine, 300);
    let ticks = |engine: &Engine| -> u64 {
        let path = format!("/proc/{}/stat", engine.process());
        let text = std::fs::read_to_string(path).unwrap();
        let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let before = ticks(&engine);
    std::thread::sleep(Duration::from_secs(2));
    // Two hundred ticks are two seconds.
    let used = ticks(&engine) - before;
    assert!(used <= 4, "{used} ticks");
}
