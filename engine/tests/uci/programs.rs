//! Endgame programs in a session.

use crate::gui::{Engine, assert_well_formed, value};
use engine::position::{Game, Position};
use engine::program::{Candidates, Program, choose};
use std::path::PathBuf;

fn shipped(name: &str) -> PathBuf {
    tests::workspace().join("programs").join(name)
}

/// Rook against rook, White to move; nothing hangs.
const KRKR: &str = "8/8/4r3/4k3/8/2R5/8/5K2 w - - 0 1";

fn best(engine: &mut Engine, fen: &str, go: &str) -> (String, Vec<String>) {
    engine.send(&format!("position fen {fen}"));
    let lines = engine.go(go);
    let best = value(lines.last().unwrap(), "bestmove")
        .unwrap()
        .to_string();
    (best, lines)
}

/// The file of the program that has moved.
fn mover(lines: &[String]) -> Option<&str> {
    let told = lines
        .iter()
        .find_map(|line| line.strip_prefix("info string endgame program "))?;
    told.split_once(" moves ").map(|(name, _)| name)
}

fn moved_by_program(lines: &[String]) -> bool {
    mover(lines).is_some()
}

#[test]
fn a_program_chooses_in_its_endings_alone() {
    let path = shipped("master.sexp");
    let mut engine = Engine::start();
    assert!(!moved_by_program(&best(&mut engine, KRKR, "go depth 3").1));
    let told = engine.ask(&format!(
        "setoption name EndgameProgram value {}",
        path.display()
    ));
    assert!(
        told[0].ends_with("master.sexp: KRKR KRRKRR KQKQ KQRKQR"),
        "{told:?}"
    );
    let position = Position::from_fen(KRKR).unwrap();
    let program = Program::load(&path).unwrap();
    let chosen = choose(&program, &mut Candidates::new(&position), 0).unwrap();
    let (mv, lines) = best(&mut engine, KRKR, "go wtime 60000 btime 60000");
    assert_eq!(mv, chosen.to_string());
    assert!(moved_by_program(&lines), "{lines:?}");
    assert_well_formed(&lines, &Game::new(position));
    // A rook has been taken: the program plays on.
    let lone = "8/8/8/4k3/8/2R5/8/5K2 w - - 0 1";
    assert!(moved_by_program(&best(&mut engine, lone, "go depth 3").1));
    // Other material, and analysis, are the search's.
    let pawn = "8/8/4r3/4k3/8/2R5/P7/5K2 w - - 0 1";
    assert!(!moved_by_program(&best(&mut engine, pawn, "go depth 3").1));
    assert!(!moved_by_program(
        &best(&mut engine, KRKR, "go depth 3 searchmoves f1e1").1
    ));
    engine.ask("setoption name UCI_AnalyseMode value true");
    assert!(!moved_by_program(&best(&mut engine, KRKR, "go depth 3").1));
    engine.ask("setoption name UCI_AnalyseMode value false");
    engine.ask("setoption name EndgameProgram value <empty>");
    assert!(!moved_by_program(&best(&mut engine, KRKR, "go depth 3").1));
}

/// A depth that would take hours ends by its clock, by `stop` and at the end of the nodes.
#[test]
fn a_deep_look_is_stopped() {
    let mut engine = Engine::start();
    engine.ask(&format!(
        "setoption name EndgameProgram value {}",
        shipped("gpec190.sexp").display()
    ));
    engine.ask("setoption name EndgameProgramDepth value 16");
    for go in ["go movetime 100", "go nodes 3000", "go depth 2"] {
        assert!(moved_by_program(&best(&mut engine, KRKR, go).1), "{go}");
    }
    engine.send(&format!("position fen {KRKR}"));
    engine.send("go ponder wtime 600000 btime 600000");
    assert!(engine.ask("").is_empty());
    let lines = engine.go("stop");
    assert!(moved_by_program(&lines), "{lines:?}");
}

/// What can't be read is told with its place, and the option stays what it was.
#[test]
fn a_file_that_is_no_program_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.sexp");
    let text = std::fs::read_to_string(shipped("master.sexp")).unwrap();
    std::fs::write(&broken, text.replacen("IsMate ", "IsMates ", 1)).unwrap();
    let mut engine = Engine::start();
    let good = shipped("master.sexp");
    engine.ask(&format!(
        "setoption name EndgameProgram value {}",
        good.display()
    ));
    for (value, said) in [
        (
            format!("{}", broken.display()),
            "broken.sexp: line 10, column 10: expected a Boolean, found \"IsMates\"",
        ),
        (
            format!("{};{}", good.display(), broken.display()),
            "did you mean IsMate?",
        ),
        (
            format!("{}", folder.path().join("none.sexp").display()),
            "none.sexp",
        ),
        (format!("{}", folder.path().display()), "is no file"),
    ] {
        let told = engine.ask(&format!("setoption name EndgameProgram value {value}"));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("info string EndgameProgram: "),
            "{told:?}"
        );
        assert!(
            told[0].contains(said) && told[0].ends_with("nothing changed"),
            "{told:?}"
        );
    }
    assert!(moved_by_program(&best(&mut engine, KRKR, "go depth 1").1));
    let told = engine.ask(&format!(
        "setoption name EndgameProgram value {};{}",
        shipped("gpec190.sexp").display(),
        good.display()
    ));
    assert_eq!(told.len(), 2, "{told:?}");
}

/// Of several the one for just this material moves, whichever comes first; else the first of those whose ending may
/// have come to it.
#[test]
fn of_several_the_nearest_moves() {
    let folder = tempfile::tempdir().unwrap();
    let lone = folder.path().join("lone.sexp");
    let text = std::fs::read_to_string(shipped("master.sexp")).unwrap();
    std::fs::write(&lone, text.replacen("KRKR KRRKRR KQKQ KQRKQR", "KRK", 1)).unwrap();
    let mut engine = Engine::start();
    let files = [shipped("gpec190.sexp"), shipped("master.sexp"), lone];
    let files: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    engine.ask(&format!(
        "setoption name EndgameProgram value {}",
        files.join("; ")
    ));
    for (fen, file) in [
        (KRKR, Some("gpec190.sexp")),
        ("8/8/8/4k3/8/2R5/8/5K2 w - - 0 1", Some("lone.sexp")),
        ("8/8/8/4k3/8/2RR4/8/5K2 w - - 0 1", Some("gpec190.sexp")),
        ("8/8/8/4k3/8/8/2B5/5K2 w - - 0 1", None),
    ] {
        let (_, lines) = best(&mut engine, fen, "go depth 1");
        assert_eq!(mover(&lines), file, "{fen}");
    }
}
