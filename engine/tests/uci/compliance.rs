//! The forty steps of fastchess' compliance test (`fastchess --compliance`), in its order.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use engine::types::Move;

/// A session whose steps are counted, so that a failure names its number.
struct Steps {
    engine: Engine,
    done: usize,
}

impl Steps {
    fn step(&mut self, what: &str, holds: bool) {
        self.done += 1;
        assert!(holds, "step {}: {what}", self.done);
    }

    /// A line to which nothing is answered.
    fn send(&mut self, line: &str) {
        let told = self.engine.ask(line);
        self.step(line, told.is_empty());
    }

    fn is_ready(&mut self) {
        let told = self.engine.ask("");
        self.step("isready", told.is_empty());
    }

    /// A search: it is sent and answered, the answer being last; comes back with its last scored
    /// line.
    fn search(&mut self, go: &str, game: &Game) -> String {
        self.step(go, true);
        let lines = self.engine.go(go);
        let answered = value(&lines[lines.len() - 1], "bestmove").is_some();
        let is_last = self.engine.ask("").is_empty();
        self.step("a best move, and nothing after it", answered && is_last);
        assert_well_formed(&lines, game);
        let mut infos = lines.into_iter().rev();
        infos.find(|line| line.contains(" score ")).unwrap()
    }

    /// Its format: integers, and an exact score.
    fn format(&mut self, info: &str) {
        let is_integer = |key| value(info, key).is_some_and(|text| text.parse::<i64>().is_ok());
        let integers = is_integer("time") && is_integer("nps");
        let score = is_integer("cp") || is_integer("mate");
        let exact = !info.contains("lowerbound") && !info.contains("upperbound");
        self.step(
            "the format",
            info.starts_with("info depth ") && integers && score && exact,
        );
    }

    fn search_with_all_steps(&mut self, go: &str, game: &Game) -> String {
        let info = self.search(go, game);
        self.step("an info line", info.starts_with("info "));
        self.format(&info);
        self.step("a score", info.contains(" score "));
        info
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
    steps.is_ready();
    for key in ["id name ", "id author "] {
        let named = |line: &String| line.len() > key.len() && line.starts_with(key);
        steps.step(key, greeting.iter().any(named));
    }
    steps.send("ucinewgame");
    steps.send("position startpos");
    steps.is_ready();
    steps.send(&format!("position fen {FEN}"));
    steps.is_ready();
    let mut game = Game::new(Position::from_fen(FEN).unwrap());
    steps.search_with_all_steps("go wtime 100", &game);

    steps.send("position startpos moves e2e4");
    game = Game::new(Position::startpos());
    assert!(game.play(Move::parse_uci("e2e4").unwrap()));
    steps.search_with_all_steps("go btime 100", &game);
    steps.search_with_all_steps("go wtime 100 winc 100 btime 100 binc 100", &game);
    let info = steps.search_with_all_steps("go btime 100 binc 100 wtime 100 winc 100", &game);
    steps.step("a variation", value(&info, "pv").is_some());

    steps.send("ucinewgame");
    steps.send("position startpos");
    let info = steps.search("go wtime 100", &Game::new(Position::startpos()));
    steps.format(&info);
    steps.send("position startpos moves e2e4 e7e5");
    assert!(game.play(Move::parse_uci("e7e5").unwrap()));
    let info = steps.search("go wtime 100 btime 100", &game);
    steps.format(&info);
    assert_eq!(steps.done, 40);
    assert!(steps.engine.finish().is_empty());
}
