//! One reader of moves: all ways in which games and positions come in agree with each other and, where
//! it is right, with pgn-reader, which passes over what it does not know; however the moves are written.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::epd::{Epd, fields};
use engine::position::Position;
use engine::san::to_san;
use engine::source::Source;
use engine::types::{Move, Piece};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::io::Cursor;
use std::ops::ControlFlow;
use tuner::data::openings::Openings;
use tuner::data::pgn::{Games, SkipReason};

/// The moves of each game as coordinates, or why it is skipped.
fn games(text: &str) -> Vec<Result<Vec<String>, SkipReason>> {
    let source = Source::from_reader("f.pgn", Cursor::new(text.as_bytes().to_vec())).unwrap();
    let mut games = Games::new(source, None);
    let mut all = Vec::new();
    while let Some(game) = games.next_game().unwrap() {
        let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
        let moves = game.map(|game| game.moves.iter().map(uci).collect());
        all.push(moves.map_err(|skipped| skipped.reason));
    }
    all
}

/// The moves of the games that can be opened with, in no certain order, and how many can't.
fn openings(text: &str) -> (Vec<Vec<String>>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.pgn");
    std::fs::write(&path, text).unwrap();
    let Ok(book) = Openings::load(&path, 1000) else {
        return (Vec::new(), 1);
    };
    let drawn = (0..book.count() as u64).map(|number| book.draw(1, number).moves);
    let mut moves: Vec<_> = drawn
        .map(|moves| moves.iter().map(Move::to_string).collect())
        .collect();
    moves.sort();
    (moves, book.refused)
}

/// What pgn-reader makes of a text of decisive games.
#[derive(Default)]
struct Peer {
    position: Chess,
    moves: Vec<String>,
}

impl Visitor for Peer {
    type Tags = ();
    type Movetext = ();
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>> {
        *self = Peer::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Vec<String>> {
        if name == b"FEN" {
            let fen: shakmaty::fen::Fen = value.decode_utf8_lossy().parse().unwrap();
            self.position = fen.into_position(CastlingMode::Standard).unwrap();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<String>> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<Vec<String>> {
        let mv = san.san.to_move(&self.position).unwrap();
        self.position.play_unchecked(mv);
        self.moves
            .push(mv.to_uci(CastlingMode::Standard).to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<Vec<String>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (): ()) -> Vec<String> {
        std::mem::take(&mut self.moves)
    }
}

#[test]
fn the_sample_games_are_read_alike_by_all() {
    let text = tests::workspace().join("tuner/data/sample-games.pgn");
    let text = std::fs::read_to_string(text).unwrap();
    // Some hundred games are enough; the whole file is read at every start of the tuner's own tests.
    let head = text
        .match_indices("[Event ")
        .nth(150)
        .map_or(text.len(), |(at, _)| at);
    let text = &text[..head];
    let mut reader = Reader::new(Cursor::new(text.as_bytes()));
    let peer: Vec<_> = reader
        .read_games(&mut Peer::default())
        .map(Result::unwrap)
        .collect();
    let ours = games(text);
    assert!(peer.len() > 100 && ours.len() == peer.len());
    let mut sound = 0;
    for (ours, peer) in ours.iter().zip(&peer) {
        match ours {
            Ok(moves) => assert_eq!(moves, peer),
            Err(reason) => assert!(!reason.is_damage(), "{reason:?}"),
        }
        sound += usize::from(ours.is_ok());
    }
    assert!(sound > 50);
    let (mut all, refused) = openings(text);
    assert!(refused < 150, "games that end in mate are no openings");
    let mut peer = peer;
    peer.sort();
    all.retain(|moves| peer.binary_search(moves).is_err());
    assert!(all.is_empty(), "{all:?}");
}

/// A random game as coordinates.
fn random_game(seed: u64) -> Vec<(Position, Move)> {
    let text = format!("[Result \"1-0\"]\n\n{}1-0\n", tests::random_moves(seed, 60));
    let moves = games(&text).remove(0).unwrap();
    let mut position = Position::startpos();
    let play = |mv: String| {
        let before = position;
        let mv = Move::parse_uci(&mv).unwrap();
        position = position.play(mv);
        (before, mv)
    };
    moves.into_iter().map(play).collect()
}

/// A move in one of the notations that people's files have.
fn written(position: &Position, mv: Move, style: usize) -> String {
    let san = to_san(position, mv);
    let bare = san.trim_end_matches(['+', '#']).to_string();
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let sign = if position.is_capture(mv) { "x" } else { "-" };
    let promotion = mv.promotion().map(|piece| piece.letter());
    let figurine = |san: &str| {
        let figures = [('K', '♔'), ('Q', '♛'), ('R', '♖'), ('B', '♝'), ('N', '♘')];
        figures
            .into_iter()
            .fold(san.to_string(), |san, (letter, figure)| {
                san.replace(letter, &figure.to_string())
            })
    };
    match style % 14 {
        0 => san,
        1 => bare,
        2 if position.is_castling(mv) => bare.replace('O', "0"),
        3 if position.is_castling(mv) => bare.replace('O', "o"),
        4 if position.is_castling(mv) => bare.replace('-', "–"),
        5 => mv.to_string(),
        2 | 6 => format!("{from}{sign}{to}") + &promotion.map_or(String::new(), String::from),
        3 | 7 if !position.is_castling(mv) => {
            let piece = Some(position.moved(mv)).filter(|piece| *piece != Piece::Pawn);
            let letter = piece.map_or(String::new(), |piece| piece.letter().to_string());
            let end = promotion.map_or(String::new(), |letter| format!("/{letter}"));
            format!("{letter}{from}{sign}{to}{end}")
        }
        8 => figurine(&bare) + "++",
        9 => bare.replace('=', "") + "†",
        10 => format!("{bare}!?$14"),
        11 => match promotion {
            Some(letter) => bare.replace(&format!("={letter}"), &format!("({letter})")),
            None => bare + "±",
        },
        12 => bare.replace('x', ":") + " +-",
        _ => format!("{san} {{a (comment}} (side -- line Sf3 {{)}}) e.p."),
    }
}

fn movetext(game: &[(Position, Move)], styles: &[usize], insert: Option<(usize, &str)>) -> String {
    let mut text = String::new();
    for (ply, ((position, mv), style)) in game.iter().zip(styles.iter().cycle()).enumerate() {
        if let Some((at, token)) = insert
            && at == ply
        {
            text += &format!(" {token} ");
        }
        let blank = [" ", "\n", "\u{a0}", "\r\n", "\t", "  "][style % 6];
        if ply % 2 == 0 {
            text += &format!("{}.{}", 1 + ply / 2, ["", " ", "\u{a0}"][style % 3]);
        } else if style % 5 == 0 {
            text += &format!("{}...", 1 + ply / 2);
        }
        text += &format!("{}{blank}", written(position, *mv, *style));
    }
    format!("[Event \"\"x\"\"]\n[Result \"0-1\"]\n\n{text}0–1\n\n")
}

proptest! {
    #![proptest_config(tests::cases(120))]

    #[test]
    fn a_game_is_the_same_in_any_notation(
        seed in 0_u64..40,
        styles in prop::collection::vec(0_usize..1000, 1..40),
    ) {
        let game = random_game(seed);
        let text = movetext(&game, &styles, None);
        let moves: Vec<String> = game.iter().map(|(_, mv)| mv.to_string()).collect();
        prop_assert_eq!(games(&text), vec![Ok(moves.clone())], "{}", text);
        let is_over = game.last().is_some_and(|(at, mv)| !at.play(*mv).has_legal_move());
        prop_assert_eq!(openings(&text), if is_over { (vec![], 1) } else { (vec![moves], 0) });
        // The same move as the solution of a position.
        let (position, mv) = game[styles[0] % game.len()];
        let solution = written(&position, mv, styles[0]);
        if !solution.contains([' ', '$']) {
            let line = format!("{} bm {solution}; id \"x\";", fields(&position));
            prop_assert_eq!(Epd::parse(&line).unwrap().best, vec![mv], "{}", line);
        }
    }

    /// Nothing that is no move may be passed over, wherever it stands.
    #[test]
    fn no_position_comes_from_behind_what_is_no_move(
        seed in 0_u64..40,
        styles in prop::collection::vec(0_usize..1000, 1..20),
        at in any::<prop::sample::Index>(),
        token in "[A-Za-z0-9<>,:&@_'/|\"^\u{410}-\u{44f}-]{1,8}",
    ) {
        let folded = engine::san::fold(&token);
        let is_word = engine::movetext::classify(folded.as_bytes()).is_some();
        let game = random_game(seed);
        let at = at.index(game.len());
        let text = movetext(&game, &styles, Some((at, &token)));
        for game in games(&text) {
            prop_assert!(is_word || game.is_err(), "{}", text);
        }
        if !is_word {
            prop_assert_eq!(openings(&text).0.len(), 0, "{}", text);
        }
    }
}
