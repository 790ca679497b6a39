//! What the options do.

use crate::gui::{Engine, assert_well_formed, first_moves, value};
use engine::position::{Game, Position};
use std::process::Command;
use tests::syzygy;

/// As a GUI starts it that can pass arguments, or a person in a shell.
#[test]
fn a_session_may_begin_with_parameter_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let first = file(
        "first one.toml",
        "format = 1\n[eval]\nknight_value = 333\nrook_value = 444\n",
    );
    let second = file("second.toml", "format = 1\n[eval]\nknight_value = 334\n");
    let begin = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyas"));
        command.args(words);
        command
    };
    let shows = |engine: &mut Engine, name: &str, number: &str| {
        let lines = engine.ask("params");
        let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some(number), "{line}");
    };
    let words = ["--params", &first, "--tune", "--params", &second];
    let mut engine = Engine::spawn(&mut begin(&words));
    let told = engine.ask("uci");
    let from = format!("info string parameters from {first} and {second}");
    assert!(told[0].starts_with(&from), "{told:#?}");
    // What a GUI or a tuner takes for the default is what is loaded.
    let default = format!("option name ParamsFile type string default {first};{second}");
    assert!(told.contains(&default), "{told:#?}");
    let knight = "option name knight_value type spin default 334 ";
    assert!(told.iter().any(|line| line.starts_with(knight)));
    shows(&mut engine, "knight_value", "334");
    shows(&mut engine, "rook_value", "444");
    engine.ask("setoption name ParamsFile value <empty>");
    let compiled = engine::eval::params::EvalParams::default().knight_value;
    shows(&mut engine, "knight_value", &compiled.to_string());
    engine.ask(&format!("setoption name ParamsFile value {first};{second}"));
    shows(&mut engine, "knight_value", "334");
    engine.send("position startpos");
    assert_well_formed(&engine.go("go depth 3"), &Game::new(Position::startpos()));

    let joined = format!("{first};{second}");
    let mut engine = Engine::spawn(&mut begin(&["--params", &joined]));
    shows(&mut engine, "knight_value", "334");
    shows(&mut engine, "rook_value", "444");

    // Nothing is played with other parameters than those that were named.
    let bad = file("bad.toml", "format = 1\n[eval]\nknight_value = 99999\n");
    for (name, says) in [
        (bad.as_str(), "line 3: eval.knight_value: is 99999"),
        ("/nowhere/at/all.toml", "/nowhere/at/all.toml"),
    ] {
        let output = begin(&["--params", &first, "--params", name])
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.starts_with("eyas: ") && told.contains(says), "{told}");
        assert!(output.stdout.is_empty(), "{:?}", output.stdout);
    }
}

/// Scripts of match managers and tuners keep the names that a row had in older versions.
#[test]
fn a_row_is_set_by_a_name_that_it_had() {
    let mut engine = Engine::start();
    for (name, value) in [
        ("late_move_base", 77),
        ("LMR_Base", 78),
        ("bare_king_use", 0),
    ] {
        let told = engine.ask(&format!("setoption name {name} value {value}"));
        assert!(told.is_empty(), "{name}: {told:?}");
        let row = if name.contains("king") {
            "mop_up_use"
        } else {
            "lmr_base"
        };
        let lines = engine.ask("params");
        let line = lines.iter().find(|line| line.starts_with(row)).unwrap();
        assert_eq!(
            line.split_whitespace().nth(1),
            Some(value.to_string().as_str())
        );
    }
}

#[test]
fn a_bad_parameter_file_leaves_the_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let eval = file("eval.toml", "format = 1\n[eval]\nknight_value = 333\n");
    let search = file("search.toml", "format = 1\n[search]\nnull_move_use = 1\n");
    let bad = file("bad.toml", "format = 1\n[eval]\nknight_value = 99999\n");

    let mut engine = Engine::start();
    let shows = |engine: &mut Engine, name: &str, number: &str| {
        let lines = engine.ask("params");
        let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some(number), "{line}");
    };
    engine.ask(&format!("setoption name ParamsFile value {eval};{search}"));
    shows(&mut engine, "knight_value", "333");
    shows(&mut engine, "null_move_use", "1");
    shows(&mut engine, "check_extension", "0");
    let spaced = file("two words.toml", "format = 1\n[eval]\nknight_value = 335\n");
    for value in [
        format!("\"{spaced}\";{search}"),
        format!("\"{spaced};{search}\""),
    ] {
        engine.ask("setoption name ParamsFile value");
        engine.ask(&format!("setoption name ParamsFile value {value}"));
        shows(&mut engine, "knight_value", "335");
        shows(&mut engine, "check_extension", "0");
    }
    engine.ask(&format!("setoption name ParamsFile value {eval};{search}"));
    let told = engine.ask(&format!("setoption name ParamsFile value {bad}"));
    assert!(
        told[0].contains("line 3") && told[0].contains("knight_value"),
        "{told:?}"
    );
    shows(&mut engine, "knight_value", "333");
    // What is no parameter file is quoted on lines of its own, and no longer than it must be.
    let long = file("long.toml", &"a".repeat(700_000));
    let huge = file("huge.toml", &"a".repeat((1 << 20) + 1));
    let odd = file(
        "odd.toml",
        "format = 1\n[eval]\nknight_value = \"\rbestmove e2e4\u{1b}[2J\"\n",
    );
    for (name, says) in [
        (long, "long.toml"),
        (huge, "more than 1 MiB"),
        (odd, "odd.toml"),
    ] {
        let told = engine.ask(&format!("setoption name ParamsFile value {name}"));
        assert!(told[0].contains(says), "{}", told[0]);
        assert_eq!(
            told.last().unwrap(),
            "info string the parameters stay as they are"
        );
        for line in told {
            let is_plain = !line.chars().any(char::is_control);
            assert!(line.starts_with("info string ") && is_plain && line.len() < 2100);
        }
    }
    shows(&mut engine, "knight_value", "333");
    engine.ask("setoption name ParamsFile value <empty>");
    shows(&mut engine, "check_extension", "4");
}

/// Some GUIs start an engine in a folder of their own.
#[test]
fn files_and_folders_are_sought_beside_the_executable_too() {
    // Nothing may be started from the system's temporary folder where that is mounted so.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let executable = folder.join(format!("eyas{}", std::env::consts::EXE_SUFFIX));
    // Unlike a copy a link is never open for writing, in which state the system starts nothing.
    let built = env!("CARGO_BIN_EXE_eyas");
    std::fs::hard_link(built, &executable)
        .or_else(|_| std::fs::copy(built, &executable).map(drop))
        .unwrap();
    let write = |folder: &std::path::Path, name: &str, value: i32| {
        let text = format!("format = 1\n[eval]\nknight_value = {value}\n");
        std::fs::write(folder.join(name), text).unwrap();
    };
    write(folder, "beside.toml", 301);
    write(folder, "both.toml", 302);
    write(&elsewhere, "both.toml", 303);
    let mut command = Command::new(&executable);
    let mut engine = Engine::spawn(command.current_dir(&elsewhere));
    for (file, wanted) in [("beside.toml", "301"), ("both.toml", "303")] {
        engine.ask(&format!("setoption name ParamsFile value {file}"));
        let lines = engine.ask("params");
        let line = lines.iter().find(|line| line.starts_with("knight_value"));
        let words: Vec<&str> = line.unwrap().split_whitespace().collect();
        assert_eq!(words[1], wanted, "{file}");
    }
    let tables = folder.join("tables");
    std::fs::create_dir(&tables).unwrap();
    std::fs::write(tables.join("KQvK.rtbw"), syzygy::results("KQvK", 2)).unwrap();
    std::fs::write(tables.join("KQvK.rtbz"), syzygy::distances("KQvK")).unwrap();
    let told = engine.ask("setoption name SyzygyPath value tables");
    assert_eq!(told, ["info string 2 tables of up to 3 pieces"]);
    engine.finish();
}

#[test]
fn several_lines_are_told_and_are_different() {
    let mut engine = Engine::start();
    engine.ask("setoption name MultiPV value 3");
    engine.send("position startpos");
    let lines = engine.go("go depth 6");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
    let scored: Vec<&String> = lines.iter().filter(|l| l.contains(" score ")).collect();
    let last = &scored[scored.len() - 3..];
    let mut moves = Vec::new();
    let mut scores = Vec::new();
    for (line, place) in last.iter().zip(["1", "2", "3"]) {
        assert_eq!(value(line, "multipv"), Some(place));
        assert_eq!(value(line, "depth"), Some("6"));
        moves.push(first_moves(line)[0].to_string());
        scores.push(value(line, "cp").unwrap().parse::<i64>().unwrap());
    }
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 3);
    // No more lines than moves.
    let fen = "7k/8/8/8/8/8/r7/1r4BK w - - 0 1";
    engine.ask("setoption name MultiPV value 218");
    engine.send(&format!("position fen {fen}"));
    let lines = engine.go("go depth 3");
    assert!(
        !lines.iter().any(|line| line.contains("multipv 2 ")),
        "{lines:?}"
    );
    for (position, go) in [
        ("position startpos", "go depth 3"),
        ("position startpos moves e2e4", "go movetime 20"),
        ("position startpos", "go nodes 500"),
        ("position startpos", "go wtime 100 btime 100"),
    ] {
        engine.send(position);
        let mut game = Game::new(Position::startpos());
        if position.ends_with("e2e4") {
            assert!(game.play(engine::types::Move::parse_uci("e2e4").unwrap()));
        }
        assert_well_formed(&engine.go(go), &game);
    }
}

#[test]
fn chances_are_told_if_they_are_wanted() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    assert!(
        !engine
            .go("go depth 3")
            .iter()
            .any(|line| line.contains(" wdl "))
    );
    engine.ask("setoption name UCI_ShowWDL value true");
    for position in ["startpos", "fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"] {
        engine.send(&format!("position {position}"));
        for line in engine
            .go("go depth 3")
            .iter()
            .filter(|l| l.contains(" score "))
        {
            let chances: Vec<u32> = line
                .split(' ')
                .skip_while(|word| *word != "wdl")
                .skip(1)
                .take(3)
                .map(|word| word.parse().unwrap())
                .collect();
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
            assert!(
                !line.contains(" mate ") || chances == [1000, 0, 0],
                "{line}"
            );
        }
    }
}

#[test]
fn a_limited_strength_is_weaker_and_repeats_itself() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_LimitStrength value true");
    let mut surprising = 0;
    for elo in [600, 1200, 2150] {
        engine.ask(&format!("setoption name UCI_Elo value {elo}"));
        for moves in ["", " moves e2e4", " moves d2d4 d7d5", " moves c2c4"] {
            engine.send(&format!("position startpos{moves}"));
            let mut game = Game::new(Position::startpos());
            for text in moves.split(' ').skip(2) {
                assert!(game.play(engine::types::Move::parse_uci(text).unwrap()));
            }
            let mut answers = Vec::new();
            // The weaker player thinks in one thread, however many there are.
            for threads in [1, 2, 2] {
                engine.ask(&format!("setoption name Threads value {threads}"));
                engine.send("ucinewgame");
                let lines = engine.go("go wtime 36000000 btime 36000000");
                assert_well_formed(&lines, &game);
                let scored: Vec<&String> = lines.iter().filter(|l| l.contains(" pv ")).collect();
                let nodes: u64 = value(scored[scored.len() - 1], "nodes")
                    .unwrap()
                    .parse()
                    .unwrap();
                assert!(nodes <= if elo == 600 { 2_000 } else { 100_000 }, "{nodes}");
                let before = scored
                    .len()
                    .checked_sub(2)
                    .map(|at| first_moves(scored[at])[0]);
                let best = value(lines.last().unwrap(), "bestmove").unwrap();
                surprising += usize::from(before.is_some_and(|before| before != best));
                answers.push(best.to_string());
            }
            answers.dedup();
            assert_eq!(answers.len(), 1, "{elo}{moves}: {answers:?}");
        }
    }
    assert!(surprising > 0, "noise never changed the move");
    engine.ask("setoption name Threads value 1");
    // Analysis is at full strength.
    engine.ask("setoption name UCI_Elo value 600");
    engine.ask("setoption name UCI_AnalyseMode value true");
    engine.send("position startpos");
    let lines = engine.go("go nodes 5000");
    assert_eq!(value(&lines[lines.len() - 2], "nodes"), Some("5000"));
}

/// However weak, it looks at every move once.
#[test]
fn a_limited_strength_sees_a_mate_in_one() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_LimitStrength value true");
    engine.ask("setoption name UCI_Elo value 800");
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/7Q/q4PPK/1r6 w - - 0 1", "h3c8"),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
            "h5f7",
        ),
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go movetime 10000");
        assert_eq!(value(lines.last().unwrap(), "bestmove"), Some(mate));
    }
}

#[test]
fn a_table_that_the_machine_cannot_give_is_refused() {
    let mut engine = Engine::start();
    let told = engine.ask("setoption name Hash value 1048576");
    // Elsewhere the table is given back first, and how much there is stays unknown.
    let (kept, reason) = match cfg!(target_os = "linux") {
        true => ("stays as it is", " MB of free memory"),
        false => ("the table has 64 MB now", " of 1048576 MB"),
    };
    assert!(
        told[0].starts_with("info string ") && told[0].ends_with(kept),
        "{told:?}"
    );
    engine.send("bench 1 1048576");
    let told = engine.next_line(crate::gui::PATIENCE).unwrap();
    assert!(told.ends_with(reason), "{told}");
    for value in ["1", "3", "64", "1"] {
        assert_eq!(
            engine.ask(&format!("setoption name Hash value {value}")),
            [""; 0]
        );
        engine.send("position startpos");
        engine.go("go nodes 300");
    }
}

/// Whatever is wanted of a process that may have little, it goes on with what it has.
#[cfg(target_os = "linux")]
#[test]
fn what_a_limit_on_addresses_does_not_leave_is_refused() {
    let mut engine = limited(400_000);
    let mut refused = 0;
    for value in [16, 100, 150, 200, 250, 300, 350, 400, 1000] {
        let told = engine.ask(&format!("setoption name Hash value {value}"));
        let is_refused = told
            .iter()
            .any(|line| line.ends_with("the table stays as it is"));
        assert!(is_refused || told.is_empty(), "{told:?}");
        refused += usize::from(is_refused);
        engine.send("position startpos");
        assert_well_formed(&engine.go("go nodes 300"), &Game::new(Position::startpos()));
    }
    assert!((2..9).contains(&refused), "{refused}");
    let told = engine.ask("setoption name Threads value 256");
    assert!(told[0].ends_with("it stays at 1"), "{told:?}");
    engine.go("go nodes 300");
    assert!(engine.finish().is_empty());
}

/// The engine with at most so many kilobytes of addresses.
#[cfg(target_os = "linux")]
fn limited(kilobytes: usize) -> Engine {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_eyas")]);
    Engine::spawn(&mut command)
}

/// A thread takes a stack and what `malloc` sets aside for it. Threads, tables and tools that have no
/// room are refused in words, and it searches with what is there, again and again.
#[cfg(target_os = "linux")]
#[test]
fn nothing_aborts_where_addresses_are_few() {
    let mut refused = 0;
    for kilobytes in [
        80_000, 120_000, 200_000, 300_000, 450_000, 700_000, 1_100_000,
    ] {
        let mut engine = limited(kilobytes);
        for (threads, hash) in [(2, 1), (8, 32), (64, 64), (3, 200), (1, 16), (5, 1)] {
            let said = engine.ask(&format!(
                "setoption name Threads value {threads}\nsetoption name Hash value {hash}"
            ));
            for line in &said {
                let is_kept =
                    line.contains("; it stays at ") || line.ends_with("; the table stays as it is");
                let is_start = line.contains("there is no memory for a table of 64 MB");
                assert!(is_kept || is_start, "{kilobytes}: {line}");
                refused += usize::from(is_kept);
            }
            for go in ["go nodes 3000", "go depth 6", "go movetime 5"] {
                engine.send("position startpos");
                let lines = engine.go(go);
                let is_told = |line: &String| line.starts_with("info string ");
                let lines: Vec<String> = lines.into_iter().filter(|line| !is_told(line)).collect();
                assert_well_formed(&lines, &Game::new(Position::startpos()));
            }
        }
        engine.ask("setoption name MultiPV value 30");
        engine.go("go depth 3");
        for tool in ["bench 1 1 1", "bench 1 64 64", "go perft 2"] {
            engine.send(tool);
            assert!(engine.next_line(crate::gui::PATIENCE).is_some());
            engine.send("stop\nisready");
            engine.read_until("readyok");
        }
        engine.finish();
    }
    assert!((10..84).contains(&refused), "{refused}");
}

#[test]
fn threads_come_and_go() {
    let mut engine = Engine::start();
    for threads in [2, 5, 1, 3] {
        assert_eq!(
            engine.ask(&format!("setoption name Threads value {threads}")),
            [""; 0]
        );
        engine.send("position startpos");
        for go in [
            "go movetime 30",
            "go depth 5",
            "go wtime 100 btime 100",
            "go nodes 3000",
        ] {
            assert_well_formed(&engine.go(go), &Game::new(Position::startpos()));
        }
        engine.send_bytes(b"go infinite\nstop\n");
        engine.read_until("bestmove");
    }
    assert!(engine.finish().is_empty());
}

/// The answering thread has searched the moves itself, however soon it is stopped and whatever the
/// others have begun: it sees the mate in one.
#[test]
fn threads_that_are_stopped_at_once_have_searched() {
    let mut engine = Engine::start();
    engine.ask("setoption name Threads value 4");
    engine.send("position fen 6k1/5ppp/8/8/8/8/1Q3PPP/3R2K1 w - - 0 1");
    for go in [
        "go infinite\nstop\n",
        "go depth 1\n",
        "go wtime 20 btime 20\n",
    ]
    .repeat(40)
    {
        engine.ask("ucinewgame");
        engine.send_bytes(go.as_bytes());
        let lines = engine.read_until("bestmove");
        let info = lines.iter().rfind(|line| line.starts_with("info depth"));
        let info = info.unwrap_or_else(|| panic!("{go}: {lines:?}"));
        assert_eq!(value(info, "mate"), Some("1"), "{go}: {lines:?}");
    }
    assert!(engine.finish().is_empty());
}

#[test]
fn tools_answer_and_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send("bench 1 1 2");
    assert!(
        engine
            .next_line(crate::gui::PATIENCE)
            .unwrap()
            .ends_with(" nps")
    );
    engine.send("bench 100");
    engine.send("isready\nstop");
    let line = engine.next_line(crate::gui::PATIENCE);
    assert_eq!(line.as_deref(), Some("readyok"));
    // The nodes until then are no benchmark's.
    let line = engine.next_line(crate::gui::PATIENCE);
    assert_eq!(line.as_deref(), Some("info string stopped"));
    // Years of counting; `isready` has to wait for its end.
    engine.send("go perft 20");
    engine.send("isready");
    assert_eq!(
        engine.next_line(std::time::Duration::from_millis(300)),
        None
    );
    engine.send("stop");
    assert!(
        engine
            .read_until("readyok")
            .contains(&"info string stopped".to_string())
    );
    assert!(engine.finish().is_empty());
}
