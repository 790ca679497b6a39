//! Whole games: legal and in time.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use engine::types::Move;
use std::time::Instant;

/// Two processes play each other, and neither ever loses on time or plays an illegal move.
#[test]
fn fast_games_are_legal_and_in_time() {
    const START: i64 = 1500;
    const INCREMENT: i64 = 20;
    let mut players = [Engine::start(), Engine::start()];
    let openings = ["e2e4", "d2d4 g8f6"];
    let games = if tests::is_long() { 100 } else { 2 };
    for opening in openings.into_iter().cycle().take(games) {
        let mut game = Game::new(Position::startpos());
        let mut moves: Vec<String> = opening.split(' ').map(String::from).collect();
        for text in &moves {
            assert!(game.play(Move::parse_uci(text).unwrap()));
        }
        let (mut clocks, mut late) = ([START; 2], 0);
        for player in &mut players {
            player.ask("ucinewgame");
        }
        while game.outcome().is_none() && moves.len() < 300 {
            let side = game.position().side_to_move().index();
            let player = &mut players[side];
            player.ask(&format!("position startpos moves {}", moves.join(" ")));
            let start = Instant::now();
            let lines = player.go(&format!(
                "go wtime {} btime {} winc {INCREMENT} binc {INCREMENT}",
                clocks[0], clocks[1]
            ));
            clocks[side] -= start.elapsed().as_millis() as i64;
            // A busy test machine may lose a second between two processes now and then; the engine may
            // not.
            assert!(clocks[side] > -1000, "{clocks:?} after {}", moves.len());
            late += usize::from(clocks[side] < 0);
            clocks[side] = clocks[side].max(50) + INCREMENT;
            assert_well_formed(&lines, &game);
            let best = value(lines.last().unwrap(), "bestmove")
                .unwrap()
                .to_string();
            assert!(game.play(Move::parse_uci(&best).unwrap()), "{best}");
            moves.push(best);
        }
        assert!(late * 20 < moves.len(), "late {late} times");
    }
}
