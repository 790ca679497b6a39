//! Syzygy tables, at the root and inside the search. Made-up tables show who asks them and what
//! comes of it; real ones, if `EYAS_SYZYGY` names a folder that has those of up to four pieces,
//! that it is true. Without them those tests say that they are skipped.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::params::ParamSet;
use engine::position::{Game, Outcome, Position};
use engine::score::Score;
use engine::search::{Control, Event, Limits, NoClock, Outcome as Found, Searcher};
use engine::tablebase::{MOST_PIECES, Probing, Tablebase, Verdict};
use engine::types::{Color, Move};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tests::syzygy::{self, Tables, real_tables};

fn open(folder: &Path) -> Tablebase {
    Tablebase::open(&[folder.to_path_buf()]).unwrap()
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

#[test]
fn tables_are_read_from_both_sides() {
    let made = Tables::of(&[("KQvK", 2), ("KRvK", 1), ("KPvK", 0)], false);
    made.write("notes.txt", b"no table");
    let tables = open(made.path());
    assert_eq!((tables.max_pieces(), tables.files()), (3, 3));
    let says = |fen: &str| tables.probe(game(fen).position(), MOST_PIECES);
    for (fen, verdict) in [
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", Verdict::Win),
        ("8/8/8/8/8/2k5/8/KQ6 b - - 0 1", Verdict::Loss),
        ("8/8/8/8/8/2K5/8/kq6 b - - 0 1", Verdict::Win),
        ("8/8/8/8/8/2K5/8/kq6 w - - 0 1", Verdict::Loss),
        ("8/8/8/8/8/2k5/8/KR6 w - - 0 1", Verdict::CursedWin),
        ("8/8/8/8/8/2k5/8/KR6 b - - 0 1", Verdict::BlessedLoss),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Verdict::Draw),
        // What a table says of a position in which it can be taken does not count.
        ("8/8/8/8/8/K1k5/1Q6/8 b - - 0 1", Verdict::Loss),
        ("K7/8/8/8/8/2k5/1Q6/8 b - - 0 1", Verdict::Draw),
    ] {
        assert_eq!(says(fen), Some(verdict), "{fen}");
        assert_eq!(tables.probe(game(fen).position(), 2), None, "{fen}");
    }
    // Tables know neither castling nor what they have no file for, and in a search the clock has
    // to be at zero.
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/8/2k5/8/8/8/KB6 w - - 0 1",
        "8/8/8/2k5/8/8/8/KQN5 w - - 0 1",
        "8/8/8/8/8/2k5/8/KQ6 w - - 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(says(fen), None, "{fen}");
    }
    assert_eq!(tables.take_faults(), [""; 0]);
}

/// By a table that calls everything won, the moves that hold the win are those that don't hang the
/// queen; by one that calls everything drawn all do.
#[test]
fn root_moves_are_those_that_keep_the_result() {
    let root = |result, with_distances, fen: &str| {
        let made = Tables::of(&[("KQvK", result)], with_distances);
        open(made.path()).root_moves(&game(fen), MOST_PIECES, true)
    };
    let fen = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
    let all = game(fen).position().legal_moves().to_vec();
    let hanging = ["b1b3", "b1b4", "b1c2", "b1d3"];
    for with_distances in [false, true] {
        let probe = root(2, with_distances, fen).unwrap();
        assert_eq!(probe.verdict, Verdict::Win);
        assert_eq!(probe.makes_progress, with_distances);
        assert_eq!(probe.hits, all.len() as u64);
        let kept = |mv: &&Move| !hanging.contains(&mv.to_string().as_str());
        let kept: Vec<Move> = all.iter().filter(kept).copied().collect();
        assert_eq!(probe.moves, kept);
        assert!(kept.len() == all.len() - hanging.len());
        let probe = root(0, with_distances, fen).unwrap();
        assert_eq!((probe.verdict, probe.moves), (Verdict::Draw, all.clone()));
        assert_eq!(
            root(2, with_distances, "8/8/8/8/8/2k5/8/KR6 w - - 0 1"),
            None
        );
    }
}

/// The table of distances says that White's win takes another move or two; the clock may not.
#[test]
fn wins_count_by_the_clock_unless_the_fifty_move_rule_is_off() {
    let root = |result, clock: u32, fifty_moves| {
        let made = Tables::of(&[("KRvK", result)], true);
        let game = game(&format!("8/8/8/2k5/8/8/8/KR6 w - - {clock} 120"));
        let probe = open(made.path()).root_moves(&game, MOST_PIECES, fifty_moves);
        probe.unwrap().verdict
    };
    assert_eq!(root(2, 90, true), Verdict::Win);
    assert_eq!(root(2, 98, true), Verdict::CursedWin);
    assert_eq!(root(2, 98, false), Verdict::Win);
    // Here every move but a mate or a capture completes the fifty.
    assert_eq!(root(2, 99, true), Verdict::Draw);
    assert_eq!(root(2, 99, false), Verdict::Win);
    assert_eq!(root(1, 0, true), Verdict::CursedWin);
    assert_eq!(root(1, 0, false), Verdict::Win);
}

/// Searches with tables; the second number counts what they knew.
fn search(position: &Position, endgames: Option<Probing>, limits: &Limits) -> (Found, u64) {
    let mut searcher = Searcher::new(ParamSet::default(), 1).unwrap();
    searcher.set_endgames(endgames);
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    let mut hits = 0;
    let game = Game::new(*position);
    let found = searcher.search(&game, limits, control, &mut |event| {
        if let Event::Info(info) = event {
            hits = info.table_hits;
        }
    });
    (found, hits)
}

fn probing(tables: &Arc<Tablebase>) -> Probing {
    Probing {
        tables: Arc::clone(tables),
        depth: 1,
        limit: MOST_PIECES,
        fifty_moves: true,
    }
}

/// White to take the pawn with the queen, after which a table for three pieces is asked.
const TAKES: &str = "8/8/8/4k3/8/8/1p6/KQ6 w - - 0 1";

fn takes(endgames: Option<Probing>) -> (Found, u64) {
    let limits = Limits {
        moves: vec![Move::parse_uci("b1b2").unwrap()],
        ..Limits::depth(3)
    };
    search(game(TAKES).position(), endgames, &limits)
}

#[test]
fn a_search_takes_the_word_of_tables() {
    let (found, hits) = takes(None);
    assert!(hits == 0 && found.score > Score::cp(300) && !found.score.is_decided());
    let nearly = Score::cp(2);
    let (won, lost) = (Score::table_win(1), Score::table_loss(1));
    // Tables that lie, too: nobody but a table says that the queen loses.
    for (result, by_the_rule, without) in [
        (2, won, won),
        (1, nearly, won),
        (0, Score::DRAW, Score::DRAW),
        (-1, -nearly, lost),
        (-2, lost, lost),
    ] {
        let made = Tables::of(&[("KQvK", result)], false);
        let tables = Arc::new(open(made.path()));
        for (fifty_moves, score) in [(true, by_the_rule), (false, without)] {
            let (found, hits) = takes(Some(Probing {
                fifty_moves,
                ..probing(&tables)
            }));
            assert!(hits > 0, "{result}");
            assert_eq!(found.score, score, "{result} {fifty_moves}");
        }
    }
}

/// Of positions with as many pieces as the limit, only those are looked up that are searched so
/// deep; of smaller ones all; and none, if there are more.
#[test]
fn what_is_asked_depends_on_pieces_and_depth() {
    let made = Tables::of(&[("KQvK", 2)], false);
    let tables = Arc::new(open(made.path()));
    for (limit, depth, asks) in [
        (MOST_PIECES, 100, true),
        (4, 100, true),
        (3, 100, false),
        (3, 2, true),
        (3, 1, true),
        (2, 1, false),
        (0, 1, false),
    ] {
        let (found, hits) = takes(Some(Probing {
            limit,
            depth,
            ..probing(&tables)
        }));
        assert_eq!(hits > 0, asks, "{limit} {depth}");
        assert_eq!(found.score.is_decided(), asks, "{limit} {depth}");
    }
}

/// Files of which parts are missing or wrong give wrong answers or none, and never a panic.
#[test]
fn damaged_tables_do_no_harm() {
    let positions = [
        ("KQvK", "8/8/8/2k5/8/8/8/KQ6 w - - 0 1"),
        ("KPvK", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"),
        ("KRvK", "8/8/8/3k4/8/8/8/K6R b - - 0 1"),
        ("KBvK", "8/8/8/3k4/8/8/8/K6B b - - 0 1"),
    ];
    let real = real_tables("damaged_tables_do_no_harm, with real tables");
    let mut wholes = Vec::new();
    for (material, _) in positions {
        for (extension, made) in [
            ("rtbw", syzygy::results(material, 2)),
            ("rtbz", syzygy::distances(material)),
        ] {
            let name = format!("{material}.{extension}");
            let real = real.as_ref();
            let real = real.map(|folder| std::fs::read(folder.join(&name)).unwrap());
            let versions: Vec<Vec<u8>> = [made].into_iter().chain(real).collect();
            wholes.push((name, versions));
        }
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let made = Tables::new();
    let mut faults = 0;
    for _ in 0..if tests::is_long() { 1000 } else { 100 } {
        for (name, versions) in &wholes {
            let mut bytes = versions[below(versions.len())].clone();
            match below(3) {
                // A size that a table may have.
                0 => bytes.truncate(16 + 64 * below(bytes.len() / 64)),
                // The header alone, or anything behind the magic number.
                kind => {
                    let most = [64, bytes.len() - 4][kind - 1];
                    for _ in 0..1 + below(20) {
                        bytes[4 + below(most)] = below(256) as u8;
                    }
                }
            }
            made.write(name, &bytes);
        }
        let tables = open(made.path());
        for (_, fen) in positions {
            let game = game(fen);
            let _ = tables.probe(game.position(), MOST_PIECES);
            let _ = tables.root_moves(&game, MOST_PIECES, true);
        }
        faults += tables.take_faults().len();
    }
    assert!(faults > 50, "{faults}");
}

/// A table of which nothing is right but size and beginning.
fn overwritten(mut table: Vec<u8>) -> Vec<u8> {
    table[5..].fill(0xff);
    table
}

/// A table that looks well until it is read is told of once, by its name, and not asked again; others
/// are.
#[test]
fn a_table_that_proves_damaged_is_told_of_and_left_alone() {
    let pawn = game("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let queen = game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1");
    let rook = game("8/8/8/8/8/2k5/8/KR6 w - - 0 1");
    let made = Tables::of(&[("KQvK", 2)], true);
    let whole = syzygy::results("KPvK", 2);
    // The end is missing, at a size that a table may have; and what stands behind the beginning is
    // wrong.
    made.write("KPvK.rtbw", &whole[..16]);
    made.write("KRvK.rtbw", &overwritten(syzygy::results("KRvK", 2)));
    made.write("KRvK.rtbz", &syzygy::distances("KRvK"));
    let tables = open(made.path());
    assert_eq!((tables.files(), tables.take_faults().len()), (5, 0));
    let says = |game: &Game| tables.probe(game.position(), MOST_PIECES);
    assert_eq!(
        [&pawn, &rook, &queen].map(says),
        [None, None, Some(Verdict::Win)]
    );
    let told = tables.take_faults();
    let sentence = |name: &str| {
        format!("the endgame table {name} can't be read: it is damaged; the search does without it")
    };
    assert_eq!(told, ["KPvK.rtbw", "KRvK.rtbw"].map(sentence));
    // Not even when it is whole again.
    made.write("KPvK.rtbw", &whole);
    assert_eq!([&pawn, &queen].map(says), [None, Some(Verdict::Win)]);
    assert_eq!(tables.root_moves(&pawn, MOST_PIECES, true), None);
    assert_eq!(tables.take_faults(), [""; 0]);
    assert_eq!(
        open(made.path()).probe(pawn.position(), MOST_PIECES),
        Some(Verdict::Win)
    );
}

/// Distances that prove damaged leave the results.
#[test]
fn a_table_of_distances_that_proves_damaged_leaves_the_results() {
    let made = Tables::of(&[("KQvK", 2)], false);
    made.write("KQvK.rtbz", &overwritten(syzygy::distances("KQvK")));
    let tables = open(made.path());
    let root = tables.root_moves(&game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1"), MOST_PIECES, true);
    let root = root.unwrap();
    assert_eq!((root.verdict, root.makes_progress), (Verdict::Win, false));
    let told = tables.take_faults();
    assert!(told.len() == 1 && told[0].contains("KQvK.rtbz"), "{told:?}");
}

/// Whatever is wrong with a part is said, and all that is sound is used.
#[test]
fn bad_parts_are_named_and_the_rest_is_used() {
    let made = Tables::of(&[("KQvK", 2), ("KRvK", 2)], true);
    let queen = game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1");
    let sound = open(made.path());
    assert_eq!((sound.files(), sound.remarks()), (4, &[][..]));
    let whole = syzygy::results("KPvK", 2);
    let of_another_kind = syzygy::distances("KPvK");
    let folder = made.path().join("KPvK.rtbw");
    for (bytes, why) in [
        (Some(&b""[..]), "it is empty"),
        (Some(&whole[..79]), "no Syzygy table has 79 bytes"),
        (Some(&[7; 80]), "it is no Syzygy table (.rtbw)"),
        (Some(&of_another_kind), "it is no Syzygy table (.rtbw)"),
        (None, "it is no file"),
    ] {
        let _ = std::fs::remove_file(&folder);
        match bytes {
            Some(bytes) => made.write("KPvK.rtbw", bytes),
            None => std::fs::create_dir(&folder).unwrap(),
        }
        // What belongs to it is of no use then, and no fault of its own.
        made.write("KPvK.rtbz", &of_another_kind);
        let tables = open(made.path());
        assert_eq!((tables.files(), tables.max_pieces()), (4, 3), "{why}");
        let sentence = format!("{} can't be used: {why}", folder.display());
        assert_eq!(tables.remarks(), [sentence]);
        assert_eq!(
            tables.probe(queen.position(), MOST_PIECES),
            Some(Verdict::Win)
        );
    }
    // Alone, it leaves nothing.
    let alone = Tables::new();
    alone.write("KPvK.rtbw", &whole[..79]);
    let told = Tablebase::open(&[alone.path().to_path_buf()])
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("KPvK.rtbw can't be used") && told.contains("no tables"),
        "{told}"
    );
}

#[test]
fn tables_without_their_other_half_are_named() {
    let made = Tables::of(&[("KQvK", 2)], true);
    made.write("KRvK.rtbw", &syzygy::results("KRvK", 2));
    made.write("KBvKNPP.rtbz", &syzygy::distances("KBvKNP"));
    let tables = open(made.path());
    // A table of which only the distances are there is not one for six pieces.
    assert_eq!((tables.files(), tables.max_pieces()), (3, 3));
    let said = [
        "KBvKNPP.rtbz without .rtbw files are not used",
        "KRvK.rtbw without .rtbz files: results are used, distances are not known",
    ];
    assert_eq!(tables.remarks(), said);
    // Halves may lie in different folders.
    let others = Tables::new();
    others.write("KRvK.rtbz", &syzygy::distances("KRvK"));
    let folders = [made.path(), others.path()].map(Path::to_path_buf);
    let tables = Tablebase::open(&folders).unwrap();
    assert_eq!(
        (tables.files(), tables.remarks()),
        (4, &[said[0].to_string()][..])
    );
}

#[test]
fn folders_that_have_nothing_are_named() {
    let made = Tables::of(&[("KQvK", 2)], true);
    let missing = made.path().join("missing");
    let file = made.path().join("KQvK.rtbw");
    let empty = made.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let folders = [&missing, made.path(), &file, &empty].map(Path::to_path_buf);
    let tables = Tablebase::open(&folders).unwrap();
    let remarks = tables.remarks();
    assert_eq!((tables.files(), remarks.len()), (2, 3), "{remarks:?}");
    for (remark, folder) in remarks.iter().zip([&missing, &file]) {
        let sentence = format!("the folder {} can't be read: ", folder.display());
        assert!(remark.starts_with(&sentence), "{remark}");
    }
    assert_eq!(
        remarks[2],
        format!("the folder {} has no Syzygy tables", empty.display())
    );
    let told = Tablebase::open(&[missing, file]).unwrap_err().to_string();
    assert_eq!(told.lines().count(), 3, "{told}");
}

/// Of very many bad files a few are named.
#[test]
fn many_bad_files_are_counted() {
    let made = Tables::of(&[("KQvK", 2)], true);
    for one in ["QQ", "QR", "QB", "QN", "RR", "RB", "RN", "BB"] {
        made.write(&format!("K{one}vK.rtbw"), b"cut off");
    }
    let tables = open(made.path());
    let remarks = tables.remarks();
    assert_eq!((tables.files(), remarks.len()), (2, 5), "{remarks:?}");
    assert!(remarks[0].contains("KBBvK.rtbw"), "{remarks:?}");
    assert_eq!(remarks[4], "4 more files can't be used");
}

// From here on with real tables.

/// Results are those of the books, at the root and in a search.
fn assert_known(tables: &Tablebase, results: &[(&str, Verdict)]) {
    for (fen, verdict) in results {
        let game = game(fen);
        let found = tables.probe(game.position(), MOST_PIECES);
        assert_eq!(found, Some(*verdict), "{fen}");
        let root = tables.root_moves(&game, MOST_PIECES, true).unwrap();
        assert_eq!(root.verdict, *verdict, "{fen}");
        assert!(root.makes_progress);
        let moves = game.position().legal_moves().iter().count();
        assert_eq!(root.hits, moves as u64);
        // Fewer pieces than it takes, and nothing is asked.
        assert_eq!(tables.root_moves(&game, 2, true), None);
        assert_eq!(tables.probe(game.position(), 2), None);
    }
}

#[test]
fn known_results_are_known() {
    let Some(folder) = real_tables("known_results_are_known") else {
        return;
    };
    let tables = open(&folder);
    assert!(tables.max_pieces() >= 4 && tables.files() > 60);
    let results = [
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", Verdict::Win),
        ("8/8/8/8/8/2k5/8/KQ6 b - - 0 1", Verdict::Loss),
        ("8/8/8/8/3k4/8/8/KN6 w - - 0 1", Verdict::Draw),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Verdict::Loss),
        ("4k3/8/8/4P3/4K3/8/8/8 b - - 0 1", Verdict::Draw),
        ("8/8/8/8/8/p1k5/8/K7 b - - 0 1", Verdict::Draw),
        ("8/8/8/2k5/8/8/8/KBN5 w - - 0 1", Verdict::Win),
        ("8/8/8/2k5/8/8/8/KNN5 w - - 0 1", Verdict::Draw),
        ("8/8/8/3k4/8/8/8/KQ5r w - - 0 1", Verdict::Win),
    ];
    assert_known(&tables, &results);
}

/// The search proves what lies behind a capture or a pawn move, long before it sees a mate.
#[test]
fn a_search_knows_what_tables_know() {
    let Some(folder) = real_tables("a_search_knows_what_tables_know") else {
        return;
    };
    let tables = Arc::new(open(&folder));
    for fen in [
        // Three moves of the king win, the pawn's do not.
        "8/4k3/8/8/4K3/8/4P3/8 w - - 0 1",
        // Whatever Black does.
        "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let wins = tables.probe(&position, 3) != Some(Verdict::Loss);
        let (found, hits) = search(&position, Some(probing(&tables)), &Limits::depth(7));
        let score = found.score;
        assert!(hits > 0 && score.is_decided(), "{fen}: {score}");
        assert_eq!(score > Score::DRAW, wins, "{fen}");
        let (found, hits) = search(&position, None, &Limits::depth(7));
        let score = found.score;
        assert!(hits == 0 && !score.is_decided(), "{fen}: {score}");
    }
}

/// What a search takes for proved that may ask about three pieces is true by the tables: wins are
/// wins and losses losses. It may not ask about its root.
fn assert_proofs(tables: &Arc<Tablebase>, sets: &[&str], count: usize) {
    let mut proved = [0; 2];
    for position in random_positions(sets, count) {
        let endgames = Probing {
            limit: 3,
            ..probing(tables)
        };
        let (found, _) = search(&position, Some(endgames), &Limits::depth(7));
        if found.best.is_some() && found.score.is_decided() {
            let wins = found.score > Score::DRAW;
            let says = [Verdict::Loss, Verdict::Win][usize::from(wins)];
            let truth = tables.probe(&position, MOST_PIECES);
            assert_eq!(Some(says), truth, "{}: {}", position.to_fen(), found.score);
            proved[usize::from(wins)] += 1;
        }
    }
    let [losses, wins] = proved;
    assert!(losses > count / 20 && wins > count / 20, "{losses} {wins}");
}

#[test]
fn what_a_search_proves_is_true() {
    let Some(folder) = real_tables("what_a_search_proves_is_true") else {
        return;
    };
    let tables = Arc::new(open(&folder));
    assert_proofs(&tables, &["KPk", "Kkp"], 200);
    let sets = ["KPkp", "KPPk", "KRkp", "KQkp", "KBPk", "KNkp"];
    assert_proofs(&tables, &sets, 400);
}

/// Every line that is told can be played, whatever tables say in between.
fn assert_lines_are_legal(tables: &Arc<Tablebase>, positions: &[Position]) {
    let mut told = 0;
    for &position in positions {
        let mut searcher = Searcher::new(ParamSet::default(), 1).unwrap();
        searcher.set_endgames(Some(probing(tables)));
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        let start = Game::new(position);
        searcher.search(&start, &Limits::nodes(2000), control, &mut |event| {
            if let Event::Info(info) = event {
                let mut game = start.clone();
                for mv in info.pv.clone() {
                    assert!(game.play(mv), "{}: {:?}", position.to_fen(), info.pv);
                    told += 1;
                }
            }
        });
    }
    assert!(told > positions.len(), "{told}");
}

#[test]
fn lines_are_legal_whatever_tables_say() {
    let results = [
        ("KQvK", 2),
        ("KPvK", 2),
        ("KBvK", 0),
        ("KPvKP", 0),
        ("KBPvK", 2),
        ("KBvKP", 0),
        ("KQvKP", 2),
        ("KQvKB", 2),
    ];
    let made = Tables::of(&results, false);
    let count = if tests::is_long() { 10_000 } else { 300 };
    let mut positions = random_positions(&["KBPkp", "KPPkp", "KPkpp"], count);
    // Here the line once went on with what an earlier search had left behind.
    let stale = "5k2/8/7K/8/4P2p/5B2/8/8 w - - 0 1";
    positions.push(Position::from_fen(stale).unwrap());
    assert_lines_are_legal(&Arc::new(open(made.path())), &positions);
}

#[test]
fn lines_are_legal_with_real_tables() {
    let Some(folder) = real_tables("lines_are_legal_with_real_tables") else {
        return;
    };
    let sets = ["KPPkp", "KBPkp", "KRPkr", "KPPkpp", "KQPkq", "KRBkr"];
    assert_lines_are_legal(&Arc::new(open(&folder)), &random_positions(&sets, 3_000));
}

/// Legal positions of these pieces, White's in capitals, with the clock at zero.
fn random_positions(sets: &[&str], count: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut squares = [b'1'; 64];
        for &piece in sets[below(sets.len())].as_bytes() {
            squares[below(64)] = piece;
        }
        let ranks = squares
            .chunks(8)
            .map(|rank| std::str::from_utf8(rank).unwrap());
        let mut board = ranks.collect::<Vec<_>>().join("/");
        for run in (2..=8).rev() {
            board = board.replace(&"1".repeat(run), &run.to_string());
        }
        let turn = ["w", "b"][below(2)];
        // A piece that has landed on another one has taken its place.
        if let Ok(position) = Position::from_fen(&format!("{board} {turn} - - 0 1"))
            && position.has_legal_move()
            && position.by_color(Color::White).count() + position.by_color(Color::Black).count()
                >= 3
        {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn the_only_moves_are_found() {
    let Some(folder) = real_tables("the_only_moves_are_found") else {
        return;
    };
    let tables = open(&folder);
    for (fen, moves) in [
        // In front of the pawn, or not.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", &["e6d6", "e6f6"][..]),
        // The clock runs out: only a mate at once wins.
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", &["a1a8"]),
    ] {
        let root = tables.root_moves(&game(fen), MOST_PIECES, true).unwrap();
        let mut found: Vec<String> = root.moves.iter().map(ToString::to_string).collect();
        found.sort();
        assert_eq!(root.verdict, Verdict::Win, "{fen}");
        assert_eq!(found, moves, "{fen}");
    }
}

/// Whoever plays any of the moves that are left wins what is won, within fifty moves, against any
/// defence.
#[test]
fn won_games_are_won_by_any_choice() {
    let Some(folder) = real_tables("won_games_are_won_by_any_choice") else {
        return;
    };
    let tables = open(&folder);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut longest = 0;
    for fen in [
        "8/8/8/2k5/8/8/8/KQ6 w - - 0 1",
        "8/8/8/2k5/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",
        "8/8/8/3k4/8/8/8/KQ5r w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
    ] {
        for _ in 0..if tests::is_long() { 50 } else { 3 } {
            let mut game = game(fen);
            let mut plies = 0;
            while game.outcome().is_none() {
                let moves = if plies % 2 == 0 {
                    let root = tables.root_moves(&game, MOST_PIECES, true).unwrap();
                    assert_eq!(root.verdict, Verdict::Win, "{}", game.position().to_fen());
                    root.moves
                } else {
                    game.position().legal_moves().to_vec()
                };
                assert!(game.play(moves[below(moves.len())]));
                plies += 1;
            }
            assert_eq!(game.outcome(), Some(Outcome::Checkmate), "{fen}");
            longest = longest.max(plies);
        }
    }
    println!("longest win: {longest} plies");
}
