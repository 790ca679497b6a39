//! Sessions of valid and broken commands in any order, with searches between; and very many short
//! searches at constant memory.

use crate::gui::{Engine, PATIENCE};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::time::Instant;

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

const POSITIONS: &[&str] = &[
    "startpos",
    "startpos moves e2e4",
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/8/8/8/8/2k5/8/KQ6 w - - 99 80",
    "fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen R6k/6pp/8/8/8/8/8/K7 b - - 0 1",
    "fen k7/8/8/8/8/8/8/K7 w - -",
    "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen",
    "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
    "fen rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3 moves e5f6 zzzz",
    "startpos moves e2e5",
    "",
];

const SEARCHES: &[&str] = &[
    "depth 1",
    "depth 3",
    "nodes 1",
    "nodes 500",
    "movetime 1",
    "movetime 5",
    "infinite",
    "",
    "ponder wtime 10 btime 10",
    "wtime 10 btime 10",
    "wtime 50 winc 1",
    "btime -5 wtime -5",
    "mate 1 nodes 300",
    "depth 2 searchmoves e2e4 d2d4 a7a8q",
    "wtime 20 btime 20 movestogo 1",
    "nodes 99999999999999999999999 depth 1",
    "ponder depth 2",
    "infinite ponder wtime 1",
    "movetime -1",
    "depth",
    "wtime x btime 5",
    "mate 3 depth 3",
];

const OPTIONS: &[&str] = &[
    "Hash value 1",
    "Hash value 2",
    "Hash value abc",
    "Hash value",
    "Hash value 99999999999",
    "Threads value 2",
    "Threads value 1",
    "Threads value -3",
    "MultiPV value 3",
    "MultiPV value 1",
    "MultiPV value 500",
    "Clear Hash",
    "Ponder value true",
    "Ponder value maybe",
    "Move Overhead value 0",
    "UCI_ShowWDL value true",
    "UCI_AnalyseMode value true",
    "UCI_AnalyseMode value false",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 1000",
    "UCI_Elo value 99999",
    "SyzygyPath value /",
    "SyzygyPath value <empty>",
    "SyzygyProbeLimit value 3",
    "OwnBook value true",
    "Book File value /dev/null",
    "Book File value /etc/passwd",
    "ParamsFile value nothing.toml",
    "ParamsFile value",
    "UCI_Chess960 value true",
    "NalimovPath value c:\\x y",
    "",
    "value",
];

const OTHERS: &[&str] = &[
    "isready",
    "uci",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "params",
    "debug on",
    "debug off",
    "register later",
    "go perft 2",
    "perft 1",
    "help",
    "bench 1",
    "xyzzy",
    "",
    "\t \r",
    "joho isready",
    "position",
    "setoption",
    "\0\u{1}\u{7f}",
    "é ü 漢字",
    "quit_not",
];

/// One line, and whether it asks for a search.
fn line(dice: &mut Dice) -> (Vec<u8>, bool) {
    match dice.below(12) {
        0..=2 => (
            format!("position {}", dice.pick(POSITIONS)).into_bytes(),
            false,
        ),
        3..=5 => (format!("go {}", dice.pick(SEARCHES)).into_bytes(), true),
        6..=7 => (
            format!("setoption name {}", dice.pick(OPTIONS)).into_bytes(),
            false,
        ),
        8 => {
            // Bytes of any kind, but no command among them.
            let count = dice.below(60);
            let bytes = (0..count).map(|_| dice.below(256) as u8 | 0x80);
            (bytes.collect(), false)
        }
        _ => (dice.pick(OTHERS).to_string().into_bytes(), false),
    }
}

/// One session; comes back with the number of its searches.
fn session(seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut engine = Engine::start();
    let mut searches = 0;
    let mut printed = Vec::new();
    for _ in 0..5 + dice.below(40) {
        let (mut bytes, is_search) = line(&mut dice);
        bytes.extend(dice.pick(&["\n", "\r\n"]).as_bytes());
        engine.send_bytes(&bytes);
        searches += usize::from(is_search);
        // An endless search holds up what comes behind it.
        if is_search && dice.below(3) > 0 {
            engine.send("stop");
        }
        if dice.below(8) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(dice.below(5) as u64));
        }
        printed.extend(engine.printed());
    }
    match dice.below(3) {
        // Everything is heard to the end and answered.
        0 => {
            engine.send("stop\nxyzzy at last\nposition startpos\nd\nisready");
            printed.extend(engine.read_until("FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
        }
        1 => engine.send("quit"),
        _ => {}
    }
    printed.extend(engine.finish());
    let answers = printed
        .iter()
        .filter(|line| line.starts_with("bestmove "))
        .count();
    assert_eq!(answers, searches, "seed {seed}: {printed:#?}");
    let failed = printed
        .iter()
        .any(|line| line.contains("the search has failed"));
    assert!(!failed, "seed {seed}: {printed:#?}");
    searches
}

#[test]
fn no_session_hangs_or_dies() {
    let sessions = if tests::is_long() { 10_000 } else { 40 };
    let start = Instant::now();
    let searches: usize = (0..sessions).map(session).sum();
    println!(
        "{sessions} sessions, {searches} searches, {:?}",
        start.elapsed()
    );
    assert!(searches > sessions as usize);
}

/// Kilobytes of memory that a process has.
#[cfg(target_os = "linux")]
fn memory(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn very_many_searches_take_no_more_memory() {
    let searches = if tests::is_long() { 100_000 } else { 600 };
    let mut dice = Dice::new(7);
    let mut engine = Engine::start();
    let mut early = 0;
    for number in 0..searches {
        match dice.below(10) {
            0 => engine.send("ucinewgame"),
            1 => engine.send(&format!("setoption name Hash value {}", 1 + dice.below(8))),
            2 => engine.send(&format!("setoption name {}", dice.pick(OPTIONS))),
            3..=5 => engine.send(&format!("position {}", dice.pick(POSITIONS))),
            _ => {}
        }
        let go = dice.pick(&[
            "nodes 200",
            "depth 2",
            "movetime 1",
            "nodes 900",
            "infinite",
        ]);
        engine.send(&format!("go {go}\nstop"));
        engine.read_until("bestmove");
        if number == searches / 5 || number + 1 == searches {
            // The same settings at both measurements, and a search that has ended: how much of its
            // table it has touched would depend on the moment.
            engine.ask("setoption name Threads value 1");
            engine.ask("setoption name UCI_LimitStrength value false");
            engine.ask("setoption name Hash value 8");
            engine.send("position startpos");
            engine.go("go nodes 100000");
            let used = memory(engine.process());
            if early == 0 {
                early = used;
            } else {
                println!("{searches} searches: {early} kB, then {used} kB");
                // The allocator keeps room for every thread that there was: in 30,000 searches it
                // grew by 10 and by 4 MB, and after the first half no more.
                assert!(used < early + 20_000, "{early} kB, then {used} kB");
            }
        }
    }
    engine.finish();
}

/// Lines of the protocol's words in any order, each search stopped, and a live session after all.
#[test]
fn no_sequence_of_words_ends_the_session() {
    let words = [
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "a7a8q",
        "0000",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "movestogo",
        "searchmoves",
        "ponder",
        "infinite",
        "mate",
        "1",
        "0",
        "-1",
        "256",
        "99999999999999999999",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "ParamsFile",
        "é",
        "Clear",
        "ucinewgame",
        "isready",
        "uci",
        "d",
        "eval",
        "params",
        "debug",
        "on",
        "ponderhit",
        "stop",
        "4k3/8/8/8/8/8/8/4K2R",
        "8/8/8/8/8/8/8/8",
        "w",
        "b",
        "K",
        "-",
        "\t",
        "\r",
        "\0",
    ];
    let firsts = [
        "position startpos",
        "position fen",
        "go",
        "setoption name",
        "",
    ];
    let mut dice = Dice::new(2014);
    let mut engine = Engine::start();
    for _ in 0..if tests::is_long() { 200 } else { 2 } {
        let mut text = String::new();
        for _ in 0..500 {
            // Most lines begin with a command, or few would be understood.
            text.push_str(dice.pick(&firsts));
            for _ in 0..dice.below(8) {
                text += &format!(" {}", dice.pick(&words));
            }
            text += "\nstop\n";
        }
        engine.send(&text);
        engine.send("position startpos\ngo nodes 10\nd\nstop");
        engine.read_until("FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
    let start = Instant::now();
    engine.finish();
    assert!(start.elapsed() < PATIENCE);
}
