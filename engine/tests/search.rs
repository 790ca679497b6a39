//! The search as a library: reproducible, legal, and bounded for any parameters whatever.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::bench::POSITIONS;
use engine::eval::params::EvalParams;
use engine::params::{ParamSet, ParamTable, layout};
use engine::position::{Game, Outcome as Ending, Position};
use engine::score::Score;
use engine::search::params::SearchParams;
use engine::search::{
    Budget, Clock, Control, Event, Info, Limits, MAX_PLY, NoClock, Outcome, Searcher,
};
use engine::see::{CLASSIC_VALUES, see, see_ge};
use engine::tt::Bound;
use engine::types::{Bitboard, Move};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn searcher() -> Searcher {
    Searcher::new(ParamSet::default(), 1).unwrap()
}

/// The variation is legal and nothing follows the end of the game.
fn assert_legal(start: &Game, outcome: &Outcome) {
    let mut game = start.clone();
    assert_eq!(outcome.pv.first().copied(), outcome.best);
    for (i, &mv) in outcome.pv.iter().enumerate() {
        if i > 0 {
            let ending = game.outcome();
            assert_eq!(
                ending,
                None,
                "{:?} in {}",
                outcome.pv,
                start.position().to_fen()
            );
        }
        assert!(game.play(mv), "{mv} in {:?}", outcome.pv);
    }
    assert!(outcome.pv.len() < MAX_PLY && outcome.seldepth < MAX_PLY);
    if let (Some(_), Some(mate)) = (outcome.best, outcome.score.mate_moves()) {
        let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
        assert_eq!(outcome.pv.len(), plies, "{outcome:?}");
        assert_eq!(game.outcome(), Some(Ending::Checkmate));
    }
}

#[test]
fn same_nodes_same_move() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let mut reused = searcher();
    for nodes in [1, 2, 3, 777, 10_001, 65_537] {
        let first = searcher().search_quietly(&game, &Limits::nodes(nodes));
        reused.clear();
        let second = reused.search_quietly(&game, &Limits::nodes(nodes));
        assert_eq!(first, second);
        assert_eq!(first.nodes, nodes);
        assert_legal(&game, &first);
    }
}

#[test]
fn many_searchers_at_once_do_not_disturb_each_other() {
    let game = game(engine::position::START_FEN);
    let alone = searcher().search_quietly(&game, &Limits::nodes(20_000));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| searcher().search_quietly(&game, &Limits::nodes(20_000))))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

#[test]
fn mates_are_found() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            1,
        ),
        ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", -1),
        ("8/8/8/8/8/2k5/7r/K7 w - - 0 1", -3),
    ];
    for (fen, mate) in mates {
        let game = game(fen);
        let outcome = searcher().search_quietly(&game, &Limits::depth(9));
        assert_eq!(outcome.score.mate_moves(), Some(mate), "{fen}");
        assert_legal(&game, &outcome);
    }
}

/// Threads share what they find, and the answer is as legal as that of one.
#[test]
fn several_threads_find_the_mate() {
    let game = game("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    let mut searcher = searcher();
    searcher.set_threads(4);
    let outcome = searcher.search_quietly(&game, &Limits::depth(6));
    assert_eq!(outcome.score.mate_moves(), Some(1));
    assert_legal(&game, &outcome);
}

/// The best lines differ in their first move and are sorted.
#[test]
fn several_lines_are_sorted() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let limits = Limits {
        multi_pv: 4,
        ..Limits::depth(6)
    };
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    let mut lines: Vec<Info> = Vec::new();
    searcher().search(&game, &limits, control, &mut |event| {
        if let Event::Info(info) = event {
            lines.push(info.clone());
        }
    });
    let last = &lines[lines.len() - 4..];
    for (place, pair) in last.windows(2).enumerate() {
        assert_eq!(pair[0].multi_pv, place + 1);
        assert!(pair[0].score >= pair[1].score);
        assert!(
            last[..=place]
                .iter()
                .all(|line| line.pv[0] != pair[1].pv[0])
        );
    }
}

/// A limit that spares the first iteration is kept from the second on.
#[test]
fn the_first_iteration_may_be_spared_a_limit() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let outcome = |most, nodes| {
        let limits = Limits {
            multi_pv: 4,
            nodes,
            nodes_after_first: Some(most),
            ..Limits::default()
        };
        searcher().search_quietly(&game, &limits)
    };
    let first = outcome(1, None);
    assert_eq!(first.depth, 1);
    assert!(first.nodes > 100, "{}", first.nodes);
    assert_eq!(outcome(first.nodes, None).nodes, first.nodes);
    for most in first.nodes + 1..first.nodes + 50 {
        assert_eq!(outcome(most, None).nodes, most);
    }
    // Other limits count as always.
    assert_eq!(outcome(1, Some(10)).nodes, 10);
    assert_eq!(outcome(5_000, Some(1_000)).nodes, 1_000);
}

/// Wherever a search breaks off, what it told last are different moves, each searched, and the best
/// of the deepest comes first.
#[test]
fn several_lines_stay_different_when_a_search_breaks_off() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    for nodes in (1..400).chain((400..20_000).step_by(389)) {
        let limits = Limits {
            multi_pv: 5,
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut last: Vec<Info> = Vec::new();
        searcher().search(&game, &limits, control, &mut |event| {
            if let Event::Info(info) = event {
                last.truncate(info.multi_pv - 1);
                last.push(info.clone());
            }
        });
        for (place, info) in last.iter().enumerate() {
            assert!(info.depth > 0, "{nodes} nodes: {last:?}");
            let others = last[..place].iter();
            let is_new = others.clone().all(|other| other.pv[0] != info.pv[0]);
            assert!(is_new, "{nodes} nodes: {last:?}");
        }
        let order = |info: &Info| std::cmp::Reverse((info.depth, info.score));
        assert!(last.is_sorted_by_key(order), "{nodes} nodes: {last:?}");
    }
}

/// The papers' file plays as the papers describe: every row that came later is off.
#[test]
fn the_papers_file_has_nothing_else_on() {
    let path = tests::workspace().join("params/paper-2014.toml");
    let loaded = ParamSet::load(&[path]).unwrap();
    let later = SearchParams::SPECS.iter().enumerate();
    let later =
        later.filter(|(_, spec)| !spec.genes.iter().any(|(name, _)| *name == "search-2014"));
    // What the papers' search has without a parameter of its own, and the clock.
    let theirs = [
        "table_use",
        "killer_use",
        "see_order_use",
        "null_move_depth",
        "internal_deepening_depth",
        "internal_deepening_reduction",
        "lmp_not_improving",
        "extension_reach",
        "history_bonus_square",
        "history_bonus_linear",
        "history_bonus_limit",
    ];
    for (row, spec) in later {
        let is_theirs = theirs.contains(&spec.name) || spec.name.starts_with("time_");
        let wanted = if is_theirs { spec.missing } else { 0 };
        assert_eq!(loaded.params.search.get(row), wanted, "{}", spec.name);
    }
}

/// With every row off the search is exhaustive: it finds even what a null move overlooks.
#[test]
fn a_plain_search_sees_zugzwang() {
    let game = game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let params = ParamSet {
        search: SearchParams::missing(),
        ..ParamSet::default()
    };
    let mut plain = Searcher::new(params, 1).unwrap();
    let outcome = plain.search_quietly(&game, &Limits::depth(4));
    assert_eq!(outcome.score.mate_moves(), Some(2));
    assert_legal(&game, &outcome);
}

/// With a thousand nodes a move, against the defence that as many find.
#[test]
fn a_bare_king_is_mated_within_fifty_moves() {
    for fen in [
        "8/8/3k4/8/8/4R3/8/K7 w - - 0 1",
        "7K/8/8/2k5/8/8/1R6/8 w - - 0 1",
        "K7/8/8/8/4k3/8/8/7R w - - 0 1",
        "8/5k2/8/8/R7/8/8/2K5 w - - 0 1",
        "r7/8/8/3K4/8/8/8/7k b - - 0 1",
        "8/8/4k3/8/8/8/1Q6/K7 w - - 0 1",
        "8/8/8/3k4/8/7Q/8/K7 w - - 0 1",
        "k7/8/8/4K3/8/8/8/1q6 b - - 0 1",
        "7K/8/8/3k4/8/8/1B6/1B6 w - - 0 1",
        // A piece besides, against a queen.
        "8/8/8/3kb3/8/7Q/8/K7 w - - 0 1",
        "k7/8/8/4KN2/8/8/8/1q6 b - - 0 1",
    ] {
        let mut game = game(fen);
        let mut searcher = searcher();
        while game.outcome().is_none() {
            let best = searcher.search_quietly(&game, &Limits::nodes(1_000)).best;
            assert!(game.play(best.unwrap()));
        }
        let end = game.position().to_fen();
        assert_eq!(game.outcome(), Some(Ending::Checkmate), "{fen}: {end}");
    }
}

/// Every line that is reported on the way is legal and, if it announces mate, ends in mate.
#[test]
fn every_reported_line_is_legal() {
    let positions = [
        "1k2b3/1pp5/p3Q3/2NpP3/P2P1P2/2b5/2P1K3/8 w - - 7 57",
        "8/1r3p1k/3pb1p1/4p3/8/P6P/8/1KQ1q3 w - - 4 51",
        "r4B1k/2p1PQpp/1pP5/pP2Rp2/8/6P1/5P1P/6K1 b - - 0 33",
        "8/8/8/8/8/2k5/7r/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2Q w - - 90 80",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 b - - 0 1",
        "8/5k2/8/8/2q5/8/1K6/8 b - - 0 1",
        "5rk1/1b3p1p/pp3Qp1/3q4/8/1P6/P4PPP/4R1K1 w - - 0 1",
        "k7/8/1K6/8/8/8/8/6RR w - - 0 1",
    ];
    for fen in positions {
        let game = game(fen);
        let mut infos = Vec::new();
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        let limits = Limits::nodes(60_000);
        let outcome = searcher().search(&game, &limits, control, &mut |event| {
            if let Event::Info(info) = event {
                infos.push(info.clone());
            }
        });
        assert_legal(&game, &outcome);
        for info in infos {
            let so_far = Outcome {
                best: info.pv.first().copied(),
                score: info.score,
                seldepth: info.seldepth,
                pv: info.pv,
                ..outcome.clone()
            };
            assert_legal(&game, &so_far);
        }
    }
}

#[test]
fn finished_games_have_no_move() {
    let mated = game("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    let outcome = searcher().search_quietly(&mated, &Limits::depth(3));
    assert_eq!((outcome.best, outcome.score), (None, Score::mated_in(0)));
    let stalemate = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let outcome = searcher().search_quietly(&stalemate, &Limits::depth(3));
    assert_eq!((outcome.best, outcome.score), (None, Score::DRAW));
}

#[test]
fn draws_are_seen() {
    // A bare king is saved by a move to where it has been.
    let score = |game: &Game| searcher().search_quietly(game, &Limits::depth(4)).score;
    let mut saved = game("7k/8/8/8/8/8/R7/6K1 w - - 0 1");
    assert!(saved.play(Move::parse_uci("a2a3").unwrap()));
    assert!(score(&saved) < Score::DRAW);
    for text in ["h8h7", "a3a2"] {
        assert!(saved.play(Move::parse_uci(text).unwrap()));
    }
    assert_eq!(score(&saved), Score::DRAW);
    // The move that completes fifty does not spoil a mate, and a draw ends the line.
    let mate = game("7k/8/5K2/8/8/8/8/R7 w - - 98 90");
    let outcome = searcher().search_quietly(&mate, &Limits::depth(5));
    assert_legal(&mate, &outcome);
    let mate_now = game("7k/8/6K1/8/8/8/8/R7 w - - 99 90");
    let outcome = searcher().search_quietly(&mate_now, &Limits::depth(3));
    assert_eq!(outcome.score.mate_moves(), Some(1));
    let bare = game("8/8/4k3/8/8/3NK3/8/8 w - - 0 1");
    let outcome = searcher().search_quietly(&bare, &Limits::depth(4));
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn restricted_roots_are_kept() {
    let game = game(engine::position::START_FEN);
    let limits = Limits {
        moves: vec![
            Move::parse_uci("a2a3").unwrap(),
            Move::parse_uci("e2e5").unwrap(),
        ],
        ..Limits::depth(3)
    };
    let outcome = searcher().search_quietly(&game, &limits);
    assert_eq!(outcome.best, Move::parse_uci("a2a3"));
}

#[test]
fn a_search_stops_when_told() {
    let game = game(engine::position::START_FEN);
    let stop = AtomicBool::new(false);
    let elapsed = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let control = Control {
                stop: &stop,
                clock: &NoClock,
            };
            let outcome = searcher().search(&game, &Limits::default(), control, &mut |_| {});
            assert!(outcome.best.is_some());
            Instant::now()
        });
        std::thread::sleep(Duration::from_millis(100));
        let told = Instant::now();
        stop.store(true, Relaxed);
        thread.join().unwrap() - told
    });
    // Twenty milliseconds are wanted, but a busy machine takes its own time; without the look at
    // `stop` the search would go on for hours.
    assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
}

/// A parameter that changes nothing would evolve by chance alone, and nobody would notice.
#[test]
fn every_row_of_the_search_changes_it() {
    // In the middle of everybody's ranges all techniques are on; some rule others out.
    let mut middle = ParamSet::default();
    let genes = layout("search-full").unwrap();
    for gene in &genes {
        let range = &gene.spec().range;
        middle
            .search
            .set(gene.index, (range.start() + range.end() + 1) / 2);
    }
    middle.search.null_move_depth = 2;
    middle.search.null_move_reduction = 2;
    middle.search.null_move_adaptivity_depth = 6;
    middle.search.null_move_verification_depth = 4;
    middle.search.futility_depth = 3;
    middle.search.futility_threshold_1 = 150;
    middle.search.futility_threshold_2 = 150;
    middle.search.futility_threshold_3 = 150;
    middle.search.lmr_divisor = 200;
    middle.search.lmr_root_move_number = 3;
    middle.search.singular_depth = 5;
    middle.search.extension_reach = 3;
    let mut deepened = middle.clone();
    deepened.search.internal_reduction_depth = 0;
    deepened.search.internal_deepening_depth = 3;
    let bases = [ParamSet::default(), middle, deepened];
    let games = [
        "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
        "8/8/1p1k1p2/pPpPpPp1/P1P1P1P1/3K4/8/8 w - - 0 1",
        "3r1rk1/1p3pnp/p3pBp1/1qPpP3/1P1P2R1/P2Q3R/6PP/6K1 w - - 0 1",
        "2r3k1/1P3ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
        "8/8/8/3k4/8/8/8/K2BN3 w - - 0 1",
        "8/5ppk/2p4p/3b1p2/5P2/4P1P1/5K1P/1Q4R1 w - - 0 1",
    ]
    .map(game);
    let result = |params: &ParamSet, game: &Game| {
        let mut searcher = Searcher::new(params.clone(), 1).unwrap();
        searcher.search_quietly(game, &Limits::nodes(30_000))
    };
    let usual = bases
        .each_ref()
        .map(|base| games.each_ref().map(|game| result(base, game)));
    let mut idle = Vec::new();
    for gene in &genes {
        let range = &gene.spec().range;
        let changes = bases.iter().zip(&usual).any(|(base, usual)| {
            [*range.start(), *range.end()].into_iter().any(|value| {
                let mut params = base.clone();
                params.search.set(gene.index, value);
                let mut pairs = games.iter().zip(usual);
                pairs.any(|(game, usual)| result(&params, game) != *usual)
            })
        });
        if !changes {
            idle.push(gene.spec().name);
        }
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// A clock that goes on by a millisecond each time the search looks at it.
#[derive(Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn elapsed(&self, _nodes: u64) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

/// A clock for a search on the opponent's time: he takes hours, then plays the expected move, and no
/// time of one's own goes by.
struct Pondering {
    /// Nodes until then.
    until: u64,
    nodes: AtomicU64,
}

impl Clock for Pondering {
    fn elapsed(&self, nodes: u64) -> Duration {
        self.nodes.store(nodes, Relaxed);
        Duration::ZERO
    }

    fn with_pondering(&self, _nodes: u64) -> Duration {
        Duration::from_secs(7200)
    }

    fn ponders(&self) -> bool {
        self.nodes.load(Relaxed) < self.until
    }
}

/// It goes on while the opponent thinks, and what he thought for need not be thought again.
#[test]
fn an_answer_that_is_ready_comes_with_the_expected_move() {
    let limits = |may_answer_early| Limits {
        nodes: Some(300_000),
        time: Some(Budget {
            soft: Duration::from_secs(1),
            hard: Duration::from_secs(60),
            may_answer_early,
        }),
        ..Limits::default()
    };
    let game = Game::new(Position::startpos());
    let nodes = |may_answer_early| {
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &Pondering {
                until: 100_000,
                nodes: AtomicU64::new(0),
            },
        };
        let mut searcher = searcher();
        let outcome = searcher.search(&game, &limits(may_answer_early), control, &mut |_| {});
        assert_legal(&game, &outcome);
        outcome.nodes
    };
    assert!((100_000..105_000).contains(&nodes(true)));
    // Who asks for so much time gets it, from the expected move on.
    assert_eq!(nodes(false), 300_000);
}

#[test]
fn a_move_that_gets_all_the_effort_needs_less_time() {
    // Nodes that a move gets, for a quarter of a second that may be stretched.
    let nodes = |fen: &str, time_effort: i32, time_effort_even: i32| {
        let mut params = ParamSet::default();
        params.search.time_effort = time_effort;
        params.search.time_effort_even = time_effort_even;
        let limits = Limits {
            time: Some(Budget {
                soft: Duration::from_millis(250),
                hard: Duration::from_secs(20),
                may_answer_early: true,
            }),
            ..Limits::default()
        };
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &Ticks::default(),
        };
        let mut searcher = Searcher::new(params, 4).unwrap();
        let outcome = searcher.search(&game(fen), &limits, control, &mut |_| {});
        outcome.nodes as f64
    };
    // Many moves are as good as each other.
    let open = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4";
    // White has to take the queen back.
    let forced = "r1b1k2r/ppp2ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BqK2R w KQkq - 0 7";
    for fen in [open, forced] {
        let as_before = nodes(fen, 0, 70);
        assert_eq!(as_before, nodes(fen, 0, 0));
        assert!(nodes(fen, 255, 0) < as_before, "{fen}");
        // More time may not be enough for another iteration.
        assert!(nodes(fen, 255, 127) >= as_before, "{fen}");
    }
    assert!(nodes(open, 255, 127) > nodes(open, 0, 70));
    let kept = |fen| nodes(fen, 255, 60) / nodes(fen, 0, 60);
    assert!(kept(forced) < kept(open));
}

/// Where the window was too narrow, the observer hears on which side of the last score the new one lies,
/// and the iteration goes on.
#[test]
fn scores_that_are_bounds_are_told_as_such() {
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    let told = |fen: &str, multi_pv: usize| {
        let game = game(fen);
        let limits = Limits {
            multi_pv,
            ..Limits::nodes(600_000)
        };
        let (mut lower, mut upper) = (0, 0);
        let mut exact: Option<Info> = None;
        let mut earlier = None;
        searcher().search(&game, &limits, control, &mut |event| match event {
            Event::Info(info) if info.bound == Bound::Exact => {
                exact = Some(info.clone());
                earlier = None;
            }
            Event::Bound(info) => {
                let exact = exact.as_ref().unwrap();
                assert_eq!(info.depth, exact.depth + 1);
                assert!(info.nodes >= 16_384 && info.nodes > exact.nodes);
                let mut game = game.clone();
                assert!(!info.pv.is_empty() && info.pv.iter().all(|&mv| game.play(mv)));
                let is_first = earlier.replace(info.bound).is_none();
                match info.bound {
                    Bound::Lower => lower += 1,
                    Bound::Upper => upper += 1,
                    Bound::Exact => panic!("{info:?}"),
                }
                match info.bound == Bound::Lower {
                    true if is_first => assert!(info.score > exact.score, "{info:?} {exact:?}"),
                    false if is_first => assert!(info.score < exact.score, "{info:?} {exact:?}"),
                    _ => {}
                }
            }
            _ => {}
        });
        (lower, upper)
    };
    let (mut lower, mut upper) = (0, 0);
    for fen in &POSITIONS[1..5] {
        let (more, less) = told(fen, 1);
        lower += more;
        upper += less;
        assert_eq!(told(fen, 2), (0, 0));
    }
    assert!(lower > 0 && upper > 0, "{lower} {upper}");
}

#[test]
fn a_search_that_ends_with_a_better_move_tells_how_much_better() {
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    let mut better = 0;
    for fen in POSITIONS.iter().take(24) {
        let (mut before, mut bound, mut last) = (None, None, None);
        let outcome = searcher().search_observed(
            &game(fen),
            &Limits::nodes(300_000),
            control,
            &mut |event| {
                match event {
                    Event::Info(info) if bound.is_none() => {
                        assert_eq!(info.bound, Bound::Exact);
                        before = Some(info.clone());
                    }
                    Event::Info(info) => last = Some(info.clone()),
                    Event::Bound(info)
                        if info.bound == Bound::Lower
                            && before
                                .as_ref()
                                .is_some_and(|before| before.pv[0] != info.pv[0]) =>
                    {
                        bound = Some(info.clone());
                        return ControlFlow::Break(());
                    }
                    _ => {}
                }
                ControlFlow::Continue(())
            },
        );
        let Some(bound) = bound else { continue };
        better += 1;
        assert_eq!((outcome.pv[0], outcome.score), (bound.pv[0], bound.score));
        assert_eq!(outcome.depth, bound.depth, "{fen}");
        let last = last.unwrap();
        assert_eq!((last.pv, last.score), (outcome.pv, outcome.score));
        assert_eq!(last.bound, Bound::Lower, "{fen}");
    }
    assert!(better > 0);
}

#[test]
fn a_search_that_is_stopped_at_once_has_an_exact_score() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut infos: Vec<Info> = Vec::new();
    let control = Control {
        stop: &AtomicBool::new(true),
        clock: &NoClock,
    };
    let outcome = searcher().search(&game, &Limits::default(), control, &mut |event| {
        if let Event::Info(info) = event {
            infos.push(info.clone());
        }
    });
    let depth_one = searcher().search_quietly(&game, &Limits::depth(1));
    assert_eq!(infos[0].score, depth_one.score);
    assert_eq!(infos[0].pv, depth_one.pv);
    assert!(outcome.best.is_some());
    assert_legal(&game, &outcome);
}

/// An observer ends the search at the very node at which it says so, and until then sees what it
/// would have seen of a search that nobody ends.
#[test]
fn an_observer_ends_the_search_at_once() {
    let game = game("r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let limits = Limits::nodes(50_000);
    let observe = |end: usize| {
        let mut changes = Vec::new();
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        let outcome = searcher().search_observed(&game, &limits, control, &mut |event| {
            if let Event::BestMove { mv, nodes } = event {
                changes.push((mv, nodes));
            }
            match changes.len() >= end {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        (changes, outcome)
    };
    let (all, whole) = observe(usize::MAX);
    assert_eq!(whole, searcher().search_quietly(&game, &limits));
    assert!(all.len() > 8, "{all:?}");
    for end in 1..=all.len() {
        let (changes, outcome) = observe(end);
        assert_eq!(changes, all[..end]);
        let (mv, nodes) = all[end - 1];
        assert_eq!((outcome.best, outcome.nodes), (Some(mv), nodes));
        assert_legal(&game, &outcome);
    }
}

fn random_game() -> impl Strategy<Value = Game> {
    prop::collection::vec(any::<u16>(), 0..120).prop_map(|choices| {
        let mut game = Game::new(Position::startpos());
        for choice in choices {
            let moves = game.position().legal_moves();
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play(moves[usize::from(choice) % moves.len()]);
        }
        game
    })
}

fn random_table<T: ParamTable + std::fmt::Debug>() -> impl Strategy<Value = T> {
    prop::collection::vec(any::<u32>(), T::SPECS.len()).prop_map(|values| {
        let mut table = T::missing();
        for (row, (spec, value)) in T::SPECS.iter().zip(values).enumerate() {
            let width = (spec.range.end() - spec.range.start() + 1) as u32;
            table.set(row, spec.range.start() + (value % width) as i32);
        }
        table
    })
}

#[test]
fn a_panic_does_not_wait_for_the_other_threads() {
    let (sender, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut searcher = searcher();
        searcher.set_threads(2);
        // The first thread panics in the middle of a search that has no end of its own.
        let search = std::panic::AssertUnwindSafe(|| {
            searcher.search(
                &game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"),
                &Limits::default(),
                Control {
                    stop: &AtomicBool::new(false),
                    clock: &NoClock,
                },
                &mut |event| match event {
                    Event::Info(info) if info.depth >= 3 => panic!("as the test wants it"),
                    _ => {}
                },
            )
        });
        let _ = sender.send(std::panic::catch_unwind(search).is_err());
    });
    assert_eq!(done.recv_timeout(Duration::from_secs(60)), Ok(true));
}

/// Also where the search ended with a move better than expected, of which no variation is known.
#[test]
fn an_answer_to_ponder_on_comes_from_the_table_if_from_nowhere_else() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let mut searcher = searcher();
    let mut short = 0;
    for nodes in (100..20_000).step_by(100) {
        searcher.clear();
        let outcome = searcher.search_quietly(&game, &Limits::nodes(nodes));
        if let ([first], Some(answer)) = (&outcome.pv[..], outcome.ponder) {
            short += 1;
            let after = game.position().play(*first);
            assert!(after.is_legal(answer), "{nodes}: {first} {answer}");
        }
    }
    assert!(short > 0);
}

/// Nothing that helpers have learnt outlives `clear`, even when they are gone by then.
#[test]
fn one_thread_after_several_searches_like_one_alone() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let alone = searcher().search_quietly(&game, &Limits::depth(10));
    let mut searcher = searcher();
    searcher.set_threads(3);
    searcher.search_quietly(&game, &Limits::depth(10));
    searcher.set_threads(1);
    searcher.clear();
    let again = searcher.search_quietly(&game, &Limits::depth(10));
    assert_eq!((again.nodes, again.pv), (alone.nodes, alone.pv));
}

/// A thread that another is ahead of must not end before the last iteration is searched.
#[test]
fn several_threads_reach_the_depth() {
    let game = Game::new(Position::startpos());
    let mut searcher = Searcher::new(ParamSet::default(), 1).unwrap();
    searcher.set_threads(3);
    for depth in [1, 2, 5, 8].repeat(5) {
        searcher.clear();
        let outcome = searcher.search_quietly(&game, &Limits::depth(depth));
        assert_eq!(outcome.depth, depth);
    }
}

/// Whatever the threads find first, what is told never goes back, and it counts what all have searched.
#[test]
fn several_threads_tell_ever_deeper_lines_and_all_nodes() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let alone = searcher().search_quietly(&game, &Limits::depth(4)).nodes;
    let mut searcher = searcher();
    searcher.set_threads(8);
    for _ in 0..40 {
        searcher.clear();
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        let mut told: Vec<Info> = Vec::new();
        let outcome = searcher.search(&game, &Limits::depth(4), control, &mut |event| {
            if let Event::Info(info) = event {
                told.push(info.clone());
            }
        });
        assert!(told.is_sorted_by_key(|info| info.depth), "{told:?}");
        let most = told.iter().map(|info| info.nodes).max();
        assert!(
            most.is_some_and(|most| (1..=outcome.nodes).contains(&most)),
            "{told:?}"
        );
        // What one thread finds another need not search, but somebody has to.
        assert!(outcome.nodes > alone / 2, "{} of {alone}", outcome.nodes);
    }
}

proptest! {
    #![proptest_config(tests::cases(96))]

    /// ARCHITECTURE.md, invariant 7: any genome searches to its budget within MAX_PLY.
    #[test]
    fn any_parameters_search_to_their_budget(
        game in random_game(),
        eval in random_table::<EvalParams>(),
        search in random_table::<SearchParams>(),
        nodes in 1u64..20_000,
    ) {
        let mut searcher = Searcher::new(ParamSet { eval, search }, 1).unwrap();
        let outcome = searcher.search_quietly(&game, &Limits::nodes(nodes));
        prop_assert!(outcome.nodes <= nodes);
        prop_assert_eq!(outcome.best.is_some(), game.position().has_legal_move());
        assert_legal(&game, &outcome);
    }

    #[test]
    fn legality_agrees_with_the_generator(game in random_game()) {
        let position = game.position();
        let legal = position.legal_moves();
        for bits in 0..=0x7fff {
            let mv = Move::from_bits(bits);
            prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{} in {}", mv, position.to_fen());
        }
    }

    #[test]
    fn moves_are_known_before_they_are_played(game in random_game()) {
        let position = game.position();
        let squares = position.check_squares();
        for &mv in position.legal_moves().iter() {
            let (step, after) = (position.step(mv), position.play(mv));
            let name = format!("{mv} in {}", position.to_fen());
            prop_assert_eq!(position.gives_check(step.piece, mv, &squares), after.in_check(), "{}", name);
            prop_assert_eq!(step.key == after.key(), after.en_passant().is_none(), "{}", name);
            if after.in_check() && step.is_quiet() {
                let targets = squares.quiet_targets(position);
                prop_assert!(targets.contains(mv.to()), "{}", name);
            }
        }
    }

    #[test]
    fn moves_to_some_squares_are_those_of_all_that_end_there(game in random_game(), mask in any::<u64>()) {
        let position = game.position();
        let mut found = Vec::new();
        position.for_each_to(Bitboard(mask), |piece, mv| found.push((piece, mv)));
        let legal = position.legal_moves();
        let wanted = legal.iter().filter(|mv| Bitboard(mask).contains(mv.to()));
        let wanted: Vec<_> = wanted.map(|&mv| (position.moved(mv), mv)).collect();
        prop_assert_eq!(found, wanted, "{}", position.to_fen());
    }

    #[test]
    fn the_quick_exchange_test_agrees_with_the_full_one(game in random_game()) {
        let position = game.position();
        for &mv in position.legal_moves().iter() {
            let gain = see(position, mv, &CLASSIC_VALUES);
            for threshold in [gain - 1, gain, gain + 1, 0] {
                let enough = see_ge(position, mv, &CLASSIC_VALUES, threshold);
                prop_assert_eq!(enough, gain >= threshold, "{} in {}", mv, position.to_fen());
            }
        }
    }
}
