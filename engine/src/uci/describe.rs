//! What the session prints, as text: protocol lines by way of `vampirc-uci`'s types and writer,
//! boards and tables for people. Pure.

use crate::bench;
use crate::eval::params::{EvalParams, is_of_endgame};
use crate::eval::{FULL_PHASE, Weights, endgame_phase, evaluate, features};
use crate::params::{ParamSet, ParamTable, longest_name};
use crate::position::Position;
use crate::search::{Info, Outcome, with_bare_king};
use crate::tt::Bound;
use crate::types::{Color, Move, Piece, Square};
use crate::wdl::{self, Chances};
use std::fmt::Write as _;
use std::time::Duration;
use vampirc_uci::{UciInfoAttribute, UciMessage, UciMove, UciPiece, UciSquare};

fn square(square: Square) -> UciSquare {
    UciSquare {
        file: char::from(b'a' + square.file()),
        rank: square.rank() + 1,
    }
}

fn uci_move(mv: Move) -> UciMove {
    UciMove {
        from: square(mv.from()),
        to: square(mv.to()),
        promotion: mv.promotion().map(|piece| match piece {
            Piece::Knight => UciPiece::Knight,
            Piece::Bishop => UciPiece::Bishop,
            Piece::Rook => UciPiece::Rook,
            _ => UciPiece::Queen,
        }),
    }
}

/// A line and its score, or which bound of that is known; with a position, its chances are told too.
pub fn info(info: &Info, elapsed: Duration, wdl: Option<&Position>) -> String {
    let small = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    let mate = info.score.mate_moves();
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let seconds = elapsed.as_secs_f64().max(1e-6);
    // The crate has no attributes for these, or wants other types for them.
    let other = |name: &str, value: String| UciInfoAttribute::Any(name.to_string(), value);
    let chances = wdl.map(|position| {
        let Chances { win, draw, loss } = wdl::MODEL.chances(info.score, position);
        other("wdl", format!("{win} {draw} {loss}"))
    });
    let mut attributes = vec![
        UciInfoAttribute::Depth(small(info.depth)),
        UciInfoAttribute::SelDepth(small(info.seldepth)),
        UciInfoAttribute::MultiPv(u16::try_from(info.multi_pv.max(1)).unwrap_or(u16::MAX)),
        UciInfoAttribute::Score {
            cp: mate.is_none().then_some(info.score.centipawns()),
            // Mates lie within MAX_PLY, so their moves fit the crate's eight bits.
            mate: mate.and_then(|moves| i8::try_from(moves).ok()),
            lower_bound: (info.bound == Bound::Lower).then_some(true),
            upper_bound: (info.bound == Bound::Upper).then_some(true),
        },
    ];
    attributes.extend(chances);
    attributes.extend([
        UciInfoAttribute::Nodes(info.nodes),
        UciInfoAttribute::Nps((info.nodes as f64 / seconds) as u64),
        UciInfoAttribute::HashFull(u16::try_from(info.hashfull).unwrap_or(1000)),
        UciInfoAttribute::TbHits(info.table_hits),
        other("time", milliseconds.to_string()),
        UciInfoAttribute::Pv(info.pv.iter().copied().map(uci_move).collect()),
    ]);
    UciMessage::Info(attributes).to_string()
}

/// Which root move is being searched.
pub fn current_move(mv: Move, number: usize, depth: usize) -> String {
    // The crate spells the last one `currmovenum`, which no GUI understands.
    UciMessage::Info(vec![
        UciInfoAttribute::Depth(u8::try_from(depth).unwrap_or(u8::MAX)),
        UciInfoAttribute::CurrMove(uci_move(mv)),
        UciInfoAttribute::Any("currmovenumber".to_string(), number.to_string()),
    ])
    .to_string()
}

/// What is to be said of a position in which the game is over, so that no score of a search can be.
pub fn no_move(outcome: &Outcome) -> String {
    let mate = outcome.score.is_mate().then_some(0);
    UciMessage::Info(vec![
        UciInfoAttribute::Depth(0),
        UciInfoAttribute::Score {
            cp: mate.is_none().then_some(0),
            mate,
            lower_bound: None,
            upper_bound: None,
        },
    ])
    .to_string()
}

/// The last line of a search.
pub fn best_move(outcome: &Outcome) -> String {
    match outcome.best {
        // The crate has no message without a move.
        None => "bestmove (none)".to_string(),
        Some(best) => UciMessage::BestMove {
            best_move: uci_move(best),
            ponder: outcome.ponder.map(uci_move),
        }
        .to_string(),
    }
}

/// `N nodes M nps`, as match frameworks read it from a benchmark.
pub fn speed(nodes: u64, elapsed: Duration) -> String {
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
    format!("{nodes} nodes {speed:.0} nps")
}

/// How well the search of a benchmark worked.
pub fn statistics(report: &bench::Report) -> String {
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / (whole.max(1)) as f64;
    let stats = &report.stats;
    format!(
        "positions found in the table: {:.1} % of {}\n\
         cut-offs by the first move:   {:.1} % of {}\n\
         branching factor:             {:.2}",
        percent(stats.hits, stats.probes),
        stats.probes,
        percent(stats.first_cutoffs, stats.cutoffs),
        stats.cutoffs,
        report.branching_factor(),
    )
}

/// A board with its FEN and key.
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    const RULE: &str = "  +---+---+---+---+---+---+---+---+\n";
    for rank in (0..8).rev() {
        text.push_str(RULE);
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..8 {
            let letter = match position.piece_at(Square::at(file, rank)) {
                None => ' ',
                Some((Color::White, piece)) => piece.letter(),
                Some((Color::Black, piece)) => piece.letter().to_ascii_lowercase(),
            };
            let _ = write!(text, "| {letter} ");
        }
        text.push_str("|\n");
    }
    text.push_str(RULE);
    text.push_str("    a   b   c   d   e   f   g   h\n\n");
    let _ = writeln!(text, "FEN: {}", position.to_fen());
    let _ = writeln!(text, "Key: {:016X}", position.key());
    let checkers: Vec<String> = position.checkers().map(|sq| sq.to_string()).collect();
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    text
}

/// The static evaluation, what the search makes of it, how much of an endgame the position is, and
/// the terms; those that contribute nothing only if `all` are asked for.
pub fn evaluation(position: &Position, params: &ParamSet, all: bool) -> String {
    let weights = &params.eval;
    let counts = features(position);
    let width = longest_name();
    let side = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let total = evaluate(position, &Weights::from(weights));
    let mut text = format!("total: {} centipawns for {side}, to move\n", total.value());
    let known = with_bare_king(&params.search, position, total);
    if known != total {
        let _ = writeln!(text, "{} with what is known of this ending", known.value());
    }
    let phase = FULL_PHASE - endgame_phase(position);
    let _ = writeln!(
        text,
        "phase: {phase} of {FULL_PHASE} ({FULL_PHASE} with all pieces, 0 with kings and pawns alone)\n"
    );
    let _ = writeln!(
        text,
        "{:<width$} {:>7} {:>7} {:>13}",
        "term (own minus opponent's)", "count", "weight", "contribution"
    );
    let mut left_out = 0;
    for (row, spec) in EvalParams::SPECS.iter().enumerate() {
        let weight = weights.get(row);
        if !all && (counts[row] == 0 || weight == 0) {
            left_out += 1;
            continue;
        }
        // Of an endgame row counts as much as the position is an endgame.
        let is_of_endgame = is_of_endgame(row);
        let parts = if is_of_endgame { FULL_PHASE } else { 1 };
        let count = f64::from(counts[row]) / f64::from(parts);
        let digits = usize::from(is_of_endgame);
        // Adding zero makes of a zero that is negative, which would be told as such, one that is not.
        let contribution = (count * f64::from(weight) * 10.0).round() / 10.0 + 0.0;
        let _ = writeln!(
            text,
            "{:<width$} {count:>7.digits$} {weight:>7} {contribution:>13.digits$}",
            spec.name,
        );
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\n{left_out} terms that contribute nothing here are left out; eval --all shows them"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::search::Stats;
    use vampirc_uci::parse_one;

    #[test]
    fn what_is_printed_reads_back() {
        let position = Position::startpos();
        let pv: Vec<Move> = position.legal_moves().iter().copied().take(2).collect();
        for score in [
            Score::cp(-31),
            Score::table_win(4),
            Score::mate_in(5),
            Score::mated_in(126),
        ] {
            let line = info(
                &Info {
                    depth: 127,
                    seldepth: 127,
                    multi_pv: 3,
                    score,
                    bound: Bound::Exact,
                    nodes: 123_456_789_012,
                    hashfull: 1000,
                    table_hits: 7,
                    pv: pv.clone(),
                },
                Duration::from_micros(1_234_567),
                None,
            );
            let UciMessage::Info(attributes) = parse_one(&line) else {
                panic!("{line}");
            };
            let wanted: Vec<UciMove> = pv.iter().copied().map(uci_move).collect();
            assert!(attributes.contains(&UciInfoAttribute::Pv(wanted)), "{line}");
            assert!(attributes.contains(&UciInfoAttribute::Depth(127)), "{line}");
            assert!(line.contains(&format!("score {score} ")), "{line}");
            for part in [" time 1234 ", " multipv 3 ", " tbhits 7 "] {
                assert!(line.contains(part), "{part} in {line}");
            }
        }
    }

    /// The terms of an evaluation with what they contribute.
    fn rows_of(text: &str) -> Vec<(String, f64)> {
        let of_row = |row: &str| {
            let mut words = row.split_whitespace();
            let name = words.next().unwrap().to_string();
            (name, words.nth(2).unwrap().parse().unwrap())
        };
        let rows = text.lines().skip_while(|line| !line.starts_with("term "));
        let rows = rows.skip(1).take_while(|line| !line.is_empty());
        rows.map(of_row).collect()
    }

    #[test]
    fn total_and_phase_come_first() {
        for (fen, phase) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                24,
            ),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 0),
            ("4k3/4r3/8/8/8/8/4PN2/4K3 b - - 0 1", 3),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let text = evaluation(&position, &ParamSet::default(), false);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0].starts_with("total: "), "{text}");
            let told = lines.iter().position(|line| line.starts_with("phase: "));
            assert!(told.is_some_and(|line| line <= 2), "{text}");
            assert!(text.contains(&format!("\nphase: {phase} of 24 ")), "{text}");
        }
    }

    #[test]
    fn what_the_terms_contribute_adds_up_to_the_total() {
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 0 9",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let sum_of = |text: &str| {
                let parts = rows_of(text).into_iter().map(|(_, part)| part);
                parts.sum::<f64>()
            };
            let text = evaluation(&position, &ParamSet::default(), false);
            let whole = evaluation(&position, &ParamSet::default(), true);
            let sum = sum_of(&text);
            assert!(!whole.contains(" -0.0"), "{whole}");
            // What is left out contributes nothing, and is counted.
            assert_eq!(sum, sum_of(&whole));
            assert_eq!(rows_of(&whole).len(), EvalParams::SPECS.len());
            let left_out = EvalParams::SPECS.len() - rows_of(&text).len();
            assert!(left_out > 0 && !whole.contains("left out"), "{whole}");
            let told = format!("\n{left_out} terms that contribute nothing");
            assert!(text.contains(&told), "{text}");
            let total = text.lines().find_map(|line| line.strip_prefix("total: "));
            let total = total.and_then(|total| total.split(' ').next()).unwrap();
            let total: f64 = total.parse().unwrap();
            // Rows of the endgame are rounded to a tenth, the total to a whole.
            assert!((sum - total).abs() < 5.0, "{sum} {total}\n{text}");
        }
    }

    #[test]
    fn what_is_known_of_an_ending_is_told() {
        let told = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            let text = evaluation(&position, &ParamSet::default(), false);
            text.lines().nth(1).unwrap().to_string()
        };
        let knights = told("8/8/8/4k3/8/8/8/K1NN4 w - - 0 1");
        assert_eq!(knights, "0 with what is known of this ending");
        let pawns = told("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(pawns.starts_with("phase: "), "{pawns}");
    }

    /// The crate can't read these, but GUIs can.
    #[test]
    fn bounds_and_chances_stand_behind_the_score() {
        let position = Position::startpos();
        let mate = |bound| Info {
            depth: 3,
            seldepth: 4,
            multi_pv: 0,
            score: Score::mate_in(3),
            bound,
            nodes: 5,
            hashfull: 0,
            table_hits: 0,
            pv: Vec::new(),
        };
        for (bound, told) in [
            (Bound::Exact, ""),
            (Bound::Lower, " lowerbound"),
            (Bound::Upper, " upperbound"),
        ] {
            let line = info(&mate(bound), Duration::ZERO, Some(&position));
            let wanted = format!(" multipv 1 score mate 2{told} wdl 1000 0 0 nodes 5 ");
            assert!(line.contains(&wanted), "{line}");
        }
    }

    #[test]
    fn current_moves_are_spelt_as_the_protocol_does() {
        let line = current_move(Move::parse_uci("e2e4").unwrap(), 3, 12);
        assert_eq!(line, "info depth 12 currmove e2e4 currmovenumber 3");
    }

    #[test]
    fn promotions_read_back() {
        let outcome = Outcome {
            best: Move::parse_uci("a7a8n"),
            ponder: Move::parse_uci("h2h1q"),
            score: Score::DRAW,
            depth: 1,
            seldepth: 1,
            nodes: 1,
            pv: Vec::new(),
            broken_off_at: None,
            stats: Stats::default(),
        };
        let line = best_move(&outcome);
        assert_eq!(line, "bestmove a7a8n ponder h2h1q");
        assert!(matches!(parse_one(&line), UciMessage::BestMove { .. }));
    }
}
