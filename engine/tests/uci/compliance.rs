//! The forty steps of fastchess' compliance test, in its order, in one session.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use engine::types::Move;

/// Counts the steps, so that a failure names its number.
struct Steps {
    engine: Engine,
    done: usize,
}

impl Steps {
    fn step(&mut self, what: &str, holds: bool) {
        self.done += 1;
        assert!(holds, "step {}: {what}", self.done);
    }

    fn is_ready(&mut self) -> bool {
        self.engine.send("isready");
        self.engine.read_until("readyok") == ["readyok"]
    }

    /// A search with six steps: it answers, the answer is last, it tells something, that is
    /// well-formed, has integers, and an exact score.
    fn search(&mut self, position: &str, go: &str, game: &Game) {
        self.engine.send(position);
        let lines = self.engine.go(go);
        self.step(
            &format!("{go}: a best move"),
            value(&lines[lines.len() - 1], "bestmove").is_some(),
        );
        let late = self.engine.ask("");
        self.step(&format!("{go}: the best move is last"), late.is_empty());
        let info = lines.iter().rev().find(|line| line.contains(" score "));
        self.step(&format!("{go}: an info line"), info.is_some());
        let info = info.unwrap();
        self.step(
            &format!("{go}: it is well-formed"),
            info.starts_with("info depth "),
        );
        let is_integer = |key| value(info, key).is_some_and(|text| text.parse::<i64>().is_ok());
        let integers =
            ["time", "nps"].into_iter().all(is_integer) && (is_integer("cp") || is_integer("mate"));
        self.step(&format!("{go}: integers"), integers);
        let exact = !info.contains("lowerbound") && !info.contains("upperbound");
        self.step(&format!("{go}: an exact score"), exact);
        assert_well_formed(&lines, game);
    }
}

#[test]
fn all_forty_steps_hold() {
    const FEN: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
    let mut steps = Steps {
        engine: Engine::start(),
        done: 0,
    };
    steps.engine.send("uci");
    let greeting = steps.engine.read_until("uciok");
    steps.step("the engine starts", !greeting.is_empty());
    let ready = steps.is_ready();
    steps.step("isready", ready);
    let named = |key: &str| {
        greeting
            .iter()
            .any(|line| line.len() > key.len() && line.starts_with(key))
    };
    steps.step("id name", named("id name "));
    steps.step("id author", named("id author "));
    for (what, line) in [
        ("ucinewgame", "ucinewgame".to_string()),
        ("the initial position", "position startpos".to_string()),
        ("a FEN", format!("position fen {FEN}")),
    ] {
        let told = steps.engine.ask(line.trim());
        steps.step(what, told.is_empty());
        let ready = steps.is_ready();
        steps.step("isready", ready);
    }
    let white = Game::new(Position::startpos());
    let mut black = white.clone();
    assert!(black.play(Move::parse_uci("e2e4").unwrap()));
    steps.search("position startpos", "go wtime 100", &white);
    steps.search("position startpos moves e2e4", "go btime 100", &black);
    let both = "go wtime 100 winc 100 btime 100 binc 100";
    steps.search("position startpos", both, &white);
    let other_order = "go btime 100 binc 100 wtime 100 winc 100";
    steps.search("position startpos moves e2e4", other_order, &black);
    // A short game, each move within its clock.
    let mut game = white;
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..5 {
        steps.engine.send("isready");
        steps.engine.read_until("readyok");
        let sent = format!("position startpos moves {}", moves.join(" "));
        steps.engine.send(sent.trim_end_matches(" moves "));
        let lines = steps.engine.go("go wtime 100 btime 100 winc 100 binc 100");
        assert_well_formed(&lines, &game);
        let best = value(lines.last().unwrap(), "bestmove")
            .unwrap()
            .to_string();
        let legal = game.play(Move::parse_uci(&best).unwrap());
        steps.step("a legal move of the game", legal);
        moves.push(best);
    }
    steps.engine.send("quit");
    let rest = steps.engine.finish();
    assert!(rest.is_empty(), "step 40: nothing after the last best move");
    assert_eq!(steps.done + 1, 40);
}
