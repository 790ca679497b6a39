//! Syzygy tables at the root. The files can't come with the project: the tests run if `EYAS_SYZYGY`
//! names a folder with those of up to four pieces, and say nothing otherwise. The source package of
//! python-chess has them (`pip download chess --no-binary :all: --no-deps`, `data/syzygy/regular`).

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::position::{Game, Outcome, Position};
use engine::tablebase::{MOST_PIECES, Tablebase, Verdict};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

fn tables() -> Option<Tablebase> {
    let path = std::env::var("EYAS_SYZYGY").ok()?;
    Some(Tablebase::open(&path).unwrap())
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

#[test]
fn known_results_are_known() {
    let Some(tables) = tables() else {
        return;
    };
    assert!(tables.max_pieces() >= 4 && tables.files() > 60);
    for (fen, verdict) in [
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", Verdict::Win),
        ("8/8/8/8/8/2k5/8/KQ6 b - - 0 1", Verdict::Loss),
        ("8/8/8/8/3k4/8/8/KN6 w - - 0 1", Verdict::Draw),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Verdict::Loss),
        ("4k3/8/8/4P3/4K3/8/8/8 b - - 0 1", Verdict::Draw),
        ("8/8/8/2k5/8/8/8/KBN5 w - - 0 1", Verdict::Win),
        ("8/8/8/2k5/8/8/8/KNN5 w - - 0 1", Verdict::Draw),
    ] {
        let game = game(fen);
        assert_eq!(
            tables.probe(game.position(), MOST_PIECES),
            Some(verdict),
            "{fen}"
        );
        let root = tables.root_moves(&game, MOST_PIECES).unwrap();
        assert_eq!(root.verdict, verdict, "{fen}");
        assert_eq!(
            root.hits,
            game.position().legal_moves().iter().count() as u64
        );
        // Fewer pieces than it takes, and nothing is asked.
        assert_eq!(tables.root_moves(&game, 2), None);
        assert_eq!(tables.probe(game.position(), 2), None);
    }
    // Tables know neither castling nor what they have no file for.
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(tables.root_moves(&game(fen), MOST_PIECES), None);
    }
    // In a search the clock has to be at zero.
    let clock = game("8/8/8/8/8/2k5/8/KQ6 w - - 1 1");
    assert_eq!(tables.probe(clock.position(), MOST_PIECES), None);
}

#[test]
fn the_only_moves_are_found() {
    let Some(tables) = tables() else {
        return;
    };
    for (fen, moves) in [
        // In front of the pawn, or not.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", &["e6d6", "e6f6"][..]),
        // The clock runs out: only a mate at once wins.
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", &["a1a8"]),
    ] {
        let root = tables.root_moves(&game(fen), MOST_PIECES).unwrap();
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
    let Some(tables) = tables() else {
        return;
    };
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
                    let root = tables.root_moves(&game, MOST_PIECES).unwrap();
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

/// Damaged files give wrong answers or none, and never a panic.
#[test]
fn damaged_tables_do_no_harm() {
    let Some(path) = std::env::var_os("EYAS_SYZYGY") else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("eyas-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let positions = [
        ("KQvK", "8/8/8/2k5/8/8/8/KQ6 w - - 0 1"),
        ("KPvK", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"),
        ("KBNvK", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"),
        ("KQvKR", "8/8/8/3k4/8/8/8/KQ5r w - - 0 1"),
    ];
    for _ in 0..if tests::is_long() { 500 } else { 25 } {
        for (name, _) in positions {
            for extension in ["rtbw", "rtbz"] {
                let file = format!("{name}.{extension}");
                let mut bytes = std::fs::read(std::path::Path::new(&path).join(&file)).unwrap();
                // The header alone, or anything behind the magic number.
                let most = [64, bytes.len() - 4][below(2)];
                for _ in 0..1 + below(20) {
                    bytes[4 + below(most)] = below(256) as u8;
                }
                std::fs::write(folder.join(&file), bytes).unwrap();
            }
        }
        let tables = Tablebase::open(&folder.display().to_string()).unwrap();
        for (_, fen) in positions {
            let game = game(fen);
            let _ = tables.probe(game.position(), MOST_PIECES);
            let _ = tables.root_moves(&game, MOST_PIECES);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
