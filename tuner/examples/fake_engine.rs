//! The engine that the tests of `tuner games` and `tuner mine` start: it speaks UCI on stdin and
//! stdout, plays at random or for material, and misbehaves on demand.
//!
//! Modes, one of which `mode=` names: `ok`; `crash:N`, `hang:N`, `illegal:N`, `none:N`, `flood:N`
//! do so at the N-th search; `once:FILE` crashes unless FILE exists, `hates:MOVE` in every game that begins with MOVE; `slow` thinks for 3 ms;
//! `silent` never says a word; `noise` prints bytes that are no text; `multi` has the option
//! MultiPV, and so have `again:FILE`, which crashes unless FILE exists, and `dreads:BOARD`, which does at this board, and
//! `few:N`, where it ends at N. `late:N` says nothing for N milliseconds, `forced` tells nothing of a move that is the only
//! one, `mute` of none, `spaces` has white space of all kinds between its words and more behind them, `small` has a hash
//! table of 8 MB at most. `pids=FILE` notes the process.
//!
//! Beside the mode: `name=NAME` is what mode `ok` calls itself; `says=FILE` has lines of a board and what
//! is said of it (`cp 31`, `mate -2`, or nothing at all); `calls=FILE` notes each search's board;
//! `dies=BOARD,BOARD` ends at these boards unless the file of `unless=FILE` is there.

#![allow(
    clippy::unwrap_used,
    reason = "whatever surprises this engine is a test's fault"
)]

use engine::position::{Game, Position};
use engine::types::{Move, Piece};
use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The value of an argument of this process.
fn argument(name: &str) -> Option<String> {
    let mut args = std::env::args_os();
    args.find_map(|arg| arg.to_str()?.strip_prefix(name).map(str::to_string))
}

fn main() {
    let mode = argument("mode=").unwrap();
    if let Some(path) = argument("pids=") {
        let mut options = fs::File::options();
        let mut file = options.append(true).create(true).open(path).unwrap();
        file.write_all(format!("{}\n", std::process::id()).as_bytes())
            .unwrap();
    }
    let (mode, detail) = mode.split_once(':').unwrap_or((mode.as_str(), ""));
    if mode == "late" {
        sleep(Duration::from_millis(detail.parse().unwrap()));
    }
    let mut game = Game::new(Position::startpos());
    let (mut searches, mut lines) = (0, 1);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            _ if mode == "silent" => {}
            Some("uci") if matches!(mode, "multi" | "again" | "dreads" | "spaces") => {
                say(b"id name Fake\noption name MultiPV type spin default 1\nuciok");
            }
            Some("uci") if mode == "few" => {
                let option = format!("option name MultiPV type spin default 1 min 1 max {detail}");
                say(format!("id name Fake\n{option}\nuciok").as_bytes());
            }
            Some("uci") if mode == "small" => {
                say(b"id name Fake\noption name Hash type spin default 1 min 1 max 8\nuciok");
            }
            Some("setoption") if words[2] == "Hash" => {
                assert!(mode != "small" || words[4].parse::<u32>().unwrap() <= 8);
            }
            Some("setoption") if words[2] == "MultiPV" => lines = words[4].parse().unwrap(),
            Some("setoption") if words[2] == "Style" => say(b"info string hears of an option"),
            Some("uci") => {
                let name = argument("name=").unwrap_or("Fake {1.0}".to_string());
                say(format!("id name {name}\noption name Clear Hash type button").as_bytes());
                say(b"option name Style type combo default Solid var Solid var Risky\nuciok");
            }
            Some("isready") => say(b"readyok"),
            Some("quit") => break,
            Some("position") if words.len() > 2 && dies_at(words[2]) => std::process::exit(7),
            Some("position") if mode == "dreads" && words[2] == detail => std::process::exit(6),
            Some("position") if words[1] == "fen" => {
                game = Game::new(Position::from_fen(&words[2..].join(" ")).unwrap());
            }
            Some("position") if mode == "hates" && words.get(3) == Some(&detail) => {
                std::process::exit(5);
            }
            Some("position") => {
                game = Game::new(Position::startpos());
                for word in words.iter().skip(3) {
                    assert!(game.play(Move::parse_uci(word).unwrap()));
                }
            }
            Some("go") => {
                searches += 1;
                misbehave(mode, detail, searches);
                let nodes: u64 = words[2].parse().unwrap();
                let ranked = ranked(game.position(), nodes);
                let fen = game.position().to_fen();
                let board = fen.split(' ').next().unwrap();
                note(board);
                let said = said_of(board);
                let is_mute = mode == "mute"
                    || mode == "forced" && ranked.len() == 1
                    || said.as_deref() == Some("");
                let told = if is_mute { 0 } else { lines };
                for (number, (mv, score)) in (1..=told).zip(&ranked) {
                    let score = said.clone().unwrap_or(format!("cp {score}"));
                    let info = format!("info depth 1 multipv {number} score {score}");
                    say(format!("{info} nodes {nodes} pv {mv}").as_bytes());
                }
                say(format!("bestmove {}", ranked[0].0).as_bytes());
            }
            _ => {}
        }
    }
}

/// Whether this board is one to end at.
fn dies_at(board: &str) -> bool {
    let boards = argument("dies=").unwrap_or_default();
    boards.split(',').any(|one| one == board)
        && !argument("unless=").is_some_and(|path| Path::new(&path).exists())
}

/// Notes a search.
fn note(board: &str) {
    if let Some(path) = argument("calls=") {
        let mut options = fs::File::options();
        let mut file = options.append(true).create(true).open(path).unwrap();
        file.write_all(format!("{board}\n").as_bytes()).unwrap();
    }
}

/// What is to be said of a board, if anything is told of it.
fn said_of(board: &str) -> Option<String> {
    let text = fs::read_to_string(argument("says=")?).unwrap();
    let mut lines = text.lines();
    lines.find_map(|line| Some(line.strip_prefix(board)?.trim().to_string()))
}

fn say(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    if argument("mode=").as_deref() == Some("spaces") {
        let text = str::from_utf8(text).unwrap();
        for line in text.lines() {
            let spaced = line.replace(' ', " \t  ");
            let more = if line.starts_with("bestmove") {
                "and so on"
            } else {
                ""
            };
            write!(out, " \t {spaced}\t{more} \r\n").unwrap();
        }
        return out.flush().unwrap();
    }
    out.write_all(text).unwrap();
    out.write_all(b"\n").unwrap();
    out.flush().unwrap();
}

fn misbehave(mode: &str, detail: &str, searches: u32) {
    let due = detail.parse() == Ok(searches);
    match mode {
        "crash" if due => {
            eprintln!("boom: this is the end");
            std::process::exit(3);
        }
        "once" | "again" if !Path::new(detail).exists() => {
            fs::write(detail, "").unwrap();
            std::process::exit(4);
        }
        "hang" if due => sleep(Duration::from_secs(600)),
        "illegal" if due => say(b"bestmove e1e8"),
        "none" if due => say(b"bestmove (none)"),
        "flood" if due => loop {
            say(b"info string on and on and on");
        },
        "noise" => say(b"\xff\xfe\x00 bestmov\xe9\ninfo score\ninfo depth 1 score cp x"),
        "slow" => sleep(Duration::from_millis(3)),
        _ => {}
    }
}

/// Pieces of the side to move less those of the other, in centipawns.
fn material(position: &Position) -> i32 {
    let us = position.side_to_move();
    let values = [100, 300, 300, 500, 900, 0];
    let balance = |piece| position.pieces(us, piece).count() - position.pieces(!us, piece).count();
    let kinds = Piece::ALL.iter().zip(values);
    kinds.map(|(&piece, value)| value * balance(piece)).sum()
}

/// All moves with their scores, best first. With 100 nodes or more the move that wins most material
/// in two plies is best, otherwise any.
fn ranked(position: &Position, nodes: u64) -> Vec<(Move, i32)> {
    let mut moves: Vec<Move> = position.legal_moves().to_vec();
    moves.sort_by_key(|mv| u64::from(mv.to_bits()).wrapping_mul(position.key() | 1));
    if nodes < 100 {
        let score = material(position);
        return moves.into_iter().map(|mv| (mv, score)).collect();
    }
    let worth = |mv: &Move| {
        let next = position.play(*mv);
        let replies = next.legal_moves();
        let worst = replies.iter().map(|&r| material(&next.play(r))).min();
        // No reply is mate or stalemate.
        worst.unwrap_or(if next.in_check() { 5000 } else { 0 })
    };
    // Of equals the last comes first, as the games of the tests always had it.
    let mut ranked: Vec<(Move, i32)> = moves.iter().map(|mv| (*mv, worth(mv))).rev().collect();
    ranked.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
    ranked
}
