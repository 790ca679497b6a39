//! Proves mates, and composes some that are a zugzwang, for `tests/data/suites`.
//!
//!     cargo run --release -p engine --example mates -- prove MOST < FENS
//!     cargo run --release -p engine --example mates -- compose SEED TRIES MOST
//!
//! `prove` prints for each line of stdin the FEN, the number of moves (at most MOST) of the shortest mate
//! of the side to move, all moves that begin one, and two marks, with semicolons between: `k` if all of these
//! moves are quiet (no capture, promotion or check), `c` if after each of them some reply that puts the mate
//! off longest leaves quiet moves alone to mate in time, unless at once. A position without such a mate is left out.
//!
//! `compose` draws positions in which Black, to move, is in zugzwang: every move gets mated, and if it were
//! White's turn there would be no mate in time. Then it takes back a quiet move of White; the position before it is printed in
//! the same form if that move is the only one that mates in time, in three moves or more.

#![allow(clippy::print_stdout)] // What is found goes to a file.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Setup,
    Square,
};
use std::io::BufRead as _;
use tests::mates::{Prover, after, earlier, is_quiet, legal};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["prove", most] => prove(most.parse()?),
        ["compose", seed, tries, most] => compose(seed.parse()?, tries.parse()?, most.parse()?),
        _ => Err("expected `prove MOST` or `compose SEED TRIES MOST`".into()),
    }
}

fn prove(most: u32) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let fen: Fen = line?.parse()?;
        let position: Chess = fen.into_position(CastlingMode::Standard)?;
        let mut prover = Prover::default();
        if let Some((moves, keys)) = prover.shortest(&position, most) {
            report(&mut prover, &position, moves, &keys);
        }
    }
    Ok(())
}

fn report(prover: &mut Prover, position: &Chess, moves: u32, keys: &[Move]) {
    let mut marks = String::new();
    if keys.iter().all(|&mv| is_quiet(position, mv)) {
        marks.push('k');
    }
    let goes_on_quietly = |&mv: &Move| goes_on_quietly(prover, &after(position, mv), moves - 1);
    if moves > 2 && keys.iter().all(goes_on_quietly) {
        marks.push('c');
    }
    let uci = |mv: &Move| mv.to_uci(CastlingMode::Standard).to_string();
    let keys: Vec<String> = keys.iter().map(uci).collect();
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    println!("{fen};{moves};{};{marks}", keys.join(" "));
}

/// Whether a side that is mated in so many moves has a reply after which no capture, promotion or check
/// begins the mate.
fn goes_on_quietly(prover: &mut Prover, position: &Chess, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|reply| {
        let child = after(position, reply);
        let keys = prover.shortest(&child, moves);
        keys.is_some_and(|(needed, keys)| {
            needed == moves && keys.iter().all(|&mv| is_quiet(&child, mv))
        })
    })
}

/// Men beside the king.
const WHITE: [&str; 14] = [
    "N", "B", "R", "NN", "BN", "NP", "BP", "RP", "RN", "RB", "NPP", "BPP", "PP", "BNP",
];
const BLACK: [&str; 20] = [
    "N", "B", "R", "Q", "NP", "BP", "RP", "QP", "NPP", "BPP", "RPP", "BN", "BNP", "RB", "RBP",
    "BBP", "NNP", "QB", "RN", "BPPP",
];

struct Composer {
    rng: Xoshiro256PlusPlus,
}

impl Composer {
    fn below(&mut self, count: usize) -> usize {
        (self.rng.next_u64() % count as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// An empty square not farther from another than this; none if eight tries find none.
    fn near(&mut self, setup: &Setup, square: Square, distance: u32) -> Option<Square> {
        let mut along = |at: u32| {
            let low = at.saturating_sub(distance);
            let count = (at + distance).min(7) - low + 1;
            low + self.below(count as usize) as u32
        };
        (0..8)
            .map(|_| {
                Square::new(8 * along(u32::from(square.rank())) + along(u32::from(square.file())))
            })
            .find(|&found| !setup.board.occupied().contains(found))
    }

    /// Black's king in the left half of White's first rank or close to it, White's king near, the rest
    /// near or anywhere.
    fn draw(&mut self) -> Option<Setup> {
        let mut setup = Setup::empty();
        setup.turn = Color::Black;
        let rank = usize::from(self.below(6) == 0);
        let black_king = Square::new((8 * rank + self.below(4)) as u32);
        setup.board.set_piece_at(black_king, Color::Black.king());
        let white_king = self.near(&setup, black_king, 3)?;
        setup.board.set_piece_at(white_king, Color::White.king());
        let men = [
            (Color::White, self.one_of(&WHITE)),
            (Color::Black, self.one_of(&BLACK)),
        ];
        for (color, men) in men {
            for letter in men.chars() {
                let role = Role::from_char(letter)?;
                let distance = self.one_of(&[1, 2, 3, 7]);
                let square = self.near(&setup, black_king, distance)?;
                if role == Role::Pawn && Bitboard::BACKRANKS.contains(square) {
                    return None;
                }
                setup.board.set_piece_at(square, Piece { color, role });
            }
        }
        Some(setup)
    }
}

fn compose(seed: u64, tries: u64, most: u32) -> Result<()> {
    let mut composer = Composer {
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    };
    for _ in 0..tries {
        let Some(setup) = composer.draw() else {
            continue;
        };
        let Some(position) = legal(&setup) else {
            continue;
        };
        let replies = position.legal_moves();
        let by_piece = |mv: &Move| !matches!(mv.role(), Role::King | Role::Pawn);
        let by_king = replies.iter().filter(|mv| mv.role() == Role::King).count();
        if position.is_check() || replies.len() > 8 || by_king > 1 || !replies.iter().any(by_piece)
        {
            continue;
        }
        let mut prover = Prover::default();
        let Ok(passed) = position.clone().swap_turn() else {
            continue;
        };
        if prover.is_won(&passed, 2) {
            continue;
        }
        let Some(moves) = (2..most).find(|&moves| prover.is_lost(&position, moves)) else {
            continue;
        };
        if prover.is_lost(&position, 1) || prover.is_won(&passed, moves + 1) {
            continue;
        }
        let mut before = earlier(&setup);
        before.retain(|(root, _)| !root.is_check());
        if before.is_empty() {
            continue;
        }
        let (root, key) = &before[composer.below(before.len())];
        if prover.shortest(root, moves + 1) == Some((moves + 1, vec![*key])) {
            report(&mut prover, root, moves + 1, &[*key]);
        }
    }
    Ok(())
}
