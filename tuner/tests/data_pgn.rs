//! Reading games: what is kept, what is skipped and why, and what damaged files do.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::source::{Source, SourceError};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::{self, Cursor, Read, Write};
use tuner::data::pgn::{Games, PgnError, SkipReason};

const MOVES: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3#";

fn game(tags: &str, movetext: &str) -> String {
    format!("[White \"A, B\"]\n[Black \"C\"]\n{tags}\n{movetext}\n\n")
}

fn won(movetext: &str) -> String {
    game("[Result \"0-1\"]\n", movetext)
}

fn source(bytes: impl Into<Vec<u8>>) -> Source {
    Source::from_reader("f.pgn", Cursor::new(bytes.into())).unwrap()
}

/// The plies of a kept game, or the reason why it is skipped, for every game of a text.
fn read(text: impl Into<Vec<u8>>) -> Vec<Result<usize, SkipReason>> {
    let mut games = Games::new(source(text), None);
    let mut all = Vec::new();
    while let Some(game) = games.next_game().unwrap() {
        all.push(
            game.map(|game| game.moves.len())
                .map_err(|skipped| skipped.reason),
        );
    }
    all
}

fn read_one(text: &str) -> Result<usize, SkipReason> {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

#[test]
fn sound_games_are_kept() {
    assert_eq!(read_one(&won(&format!("{MOVES} 0-1"))), Ok(14));
    // No tags but the result behind the moves; comments, side lines, glyphs, escapes, CRLF.
    let noisy = "\u{feff}1. e4! {good [%clk 1:00]} (1. d4 d5 (1... Nf6)) e5 $1 ; rest\n% skip\n2.Nf3 \
                 Nc6 3.Bc4 ?! Nd4 1-0";
    assert_eq!(read_one(noisy), Ok(6));
    assert_eq!(
        read_one(&won(&format!("{MOVES} 0-1")).replace('\n', "\r\n")),
        Ok(14)
    );
    assert_eq!(read_one(&won(&format!("{MOVES} *"))), Ok(14));
    assert_eq!(read(won(&format!("{MOVES} 0-1")).repeat(3)).len(), 3);
    let castled = won("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O 0-1");
    assert_eq!(read_one(&castled), Ok(8));
}

#[test]
fn other_games_are_skipped_by_reason() {
    use SkipReason::*;
    for (tags, movetext, reason) in [
        ("[Result \"1/2-1/2\"]\n", "1. e4 1/2-1/2", Draw),
        ("", "1. e4 1/2-1/2", Draw),
        ("[Result \"*\"]\n", "1. e4 *", NoResult),
        ("[Result \"won\"]\n", "1. e4 *", NoResult),
        ("", "1. e4", NoResult),
        ("", "", NoResult),
        ("[Result \"1-0\"]\n", "1. e4 0-1", ResultsDiffer),
        ("[Result \"1-0\"]\n", "1. e4 1/2-1/2", ResultsDiffer),
        ("[Result \"1-0\"]\n", "1. e4 e5 2. N", NoMove),
        ("[Result \"1-0\"]\n", "", Unfinished),
        ("[Result \"1-0\"]\n", "1. e5 1-0", IllegalMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 2. Ke3 1-0", IllegalMove),
        ("[Result \"1-0\"]\n", "1. e4 -- 2. d4 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 rubbish 2. d4 d5 1-0", NoMove),
        // The last word, where no next move would tell that it is lost.
        ("[Result \"1-0\"]\n", "1. e4 rubbish 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 2. Sf3 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 2. Pf3 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 2. Кf3 1-0", NoMove),
        // A blank in a knight's move leaves a novelty and a pawn's move.
        ("[Result \"1-0\"]\n", "1. e4 e5 2. N f3 Nc6 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 N f6 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 } 2. d4 1-0", NoMove),
        ("[Result \"1-0\"]\n", "1. e4 e5 ) 2. d4 1-0", Syntax),
        ("[Result \"1-0\"]\n", "2. e4 e5 3. d4 1-0", NoBeginning),
        (
            "[Result \"1-0\"]\n[Variant \"Atomic\"]\n",
            "1. e4 1-0",
            Variant,
        ),
        (
            "[Result \"1-0\"]\n[Variant \"Chess960\"]\n",
            "1. e4 1-0",
            Variant,
        ),
        ("[Result \"1-0\"]\n[FEN \"\"]\n", "1. e4 1-0", BadFen),
        (
            "[Result \"1-0\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
            "1. e4 1-0",
            BadFen,
        ),
        ("[Result \"1-0\"]\n[FEN \"♔♔♔\"]\n", "1. e4 1-0", BadFen),
        (
            "[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/9/4K3 w - - 0 1\"]\n",
            "1. e4 1-0",
            BadFen,
        ),
        // Nine queens beside eight pawns: no game comes to that.
        (
            "[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/QQ6/PPPPPPPP/QQ2K3 w - - 0 1\"]\n",
            "1. e4 1-0",
            BadFen,
        ),
        (
            "[Result \"1-0\"]\n[Event \"no end\n",
            "1. e4 e5 1-0",
            Unfinished,
        ),
    ] {
        let text = game(tags, movetext);
        if reason == Unfinished && tags.contains("no end") {
            // The tag ends with its line.
            assert_eq!(read_one(&text), Ok(2), "{text}");
            continue;
        }
        assert_eq!(read_one(&text), Err(reason), "{text}");
    }
    // An open comment ends before the tags of the next game.
    let open = format!("{}{}", won("1. e4 {no end"), won("1. e4 e5 0-1"));
    assert_eq!(read(open), [Err(Syntax), Ok(2)]);
    // What comes after a damaged game is read again.
    let after = format!("{}{}", won("1. e4 Kd4 0-1"), won("1. e4 e5 0-1"));
    assert_eq!(read(after), [Err(IllegalMove), Ok(2)]);
}

#[test]
fn a_result_may_stand_in_the_tag_alone() {
    let tag = "[Result \"0-1\"]\n";
    let without = || game(tag, MOVES);
    assert_eq!(read(without().repeat(3)), [Ok(14); 3]);
    // The blanks of a tag may be those of a web page.
    for tag in [
        "[Result\u{a0}\"0-1\"]\n",
        "[\u{a0}result \t\u{a0}\"0-1\"]\n",
    ] {
        assert_eq!(read_one(&game(tag, MOVES)), Ok(14), "{tag:?}");
    }
    // A file that was cut in the middle of a word, of a comment or of a variation has lost more.
    let cut = |movetext: &str| read_one(&format!("{tag}\n{movetext}"));
    assert_eq!(cut("1. e4 e5 2. O"), Err(SkipReason::NoMove));
    assert_eq!(cut("1. e4 e5 2. Nf3"), Err(SkipReason::Unfinished));
    assert_eq!(cut("1. e4 e5 2. Nf3 "), Ok(3));
    assert_eq!(cut("1. e4 e5 2. Nf3 {good}"), Ok(3));
    assert_eq!(cut("1. e4 e5 2. Nf3 {goo"), Err(SkipReason::Syntax));
    assert_eq!(cut("1. e4 e5 2. Nf3 (2. f4 ex"), Err(SkipReason::Syntax));
    // Nothing comes after a mate.
    assert_eq!(cut(MOVES), Ok(14));
    // Games without tags are told apart by an empty line and the number 1.
    let two = "1. e4 e5 0-1 1. d4 d5 0-1\n\n1. c4 c5\n\n2. Nf3 d6\n\n1. f4 0-1";
    assert_eq!(read(two), [Ok(2), Ok(2), Err(SkipReason::NoResult), Ok(1)]);
    // What is said of a result is no game, and neither is a result by itself.
    let said = format!(
        "{} White resigned (on time)\n\n*\n",
        &won(&format!("{MOVES} 0-1")).trim()
    );
    assert_eq!(read(said.repeat(2)), [Ok(14); 2]);
}

/// Each of these is found in people's files; the plies are those of the moves that are meant.
#[test]
fn what_peoples_files_have_is_read() {
    for movetext in [
        "1.e4 e5 2.♘f3 ♞c6 3.♗b5",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5",
        "e2e4 e7e5 g1f3 b8c6 f1b5",
        "1.\u{a0}e4\u{a0}e5\u{a0}2.\u{a0}Nf3\u{a0}Nc6\u{a0}3.\u{a0}Bb5\u{a0}",
        "1.\u{200b}e4\u{200b}e5\u{200b}2.\u{200b}N\u{2060}f3\u{200b}Nc6\u{200b}3.\u{feff}Bb5",
        "1.e4$1e5$2 2.Nf3!$3 Nc6?! N 3.Bb5 D",
        "1. e4 += e5 ∞ 2. Nf3 □ Nc6± 3. Bb5+-",
        "1. e4 (1. d4 -- 2. Z0 Sf3 (2. x)) e5 2. Nf3 ; (\n% 2. Sf3\nNc6 {} 3. Bb5",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5",
        "1) e4",
    ] {
        let expected = match movetext {
            "1) e4" => Err(SkipReason::Syntax),
            _ => Ok(5),
        };
        for end in ["\n", "\r", "\r\n"] {
            let text = won(&format!("{movetext} 0-1")).replace('\n', end);
            assert_eq!(read_one(&text), expected, "{text:?}");
        }
    }
    for (result, reason) in [
        ("0–1", Ok(1)),
        ("0:1", Ok(1)),
        ("½-½", Err(SkipReason::Draw)),
        ("½–½", Err(SkipReason::Draw)),
        ("1/2", Err(SkipReason::Draw)),
        ("0.5-0.5", Err(SkipReason::Draw)),
        ("0 - 1", Err(SkipReason::NoMove)),
    ] {
        assert_eq!(read_one(&format!("1. e4 {result}\n")), reason, "{result}");
    }
    // Latin-1: a no-break space, a fraction, a dagger of Windows.
    let latin1 = [
        &b"1.\xa0e4 e5 2. Ke2\x86 \xbd-\xbd\n"[..],
        b"1. e4\xa0e5 1-0\n",
    ]
    .concat();
    assert_eq!(read(latin1), [Err(SkipReason::Draw), Ok(2)]);
    // Quotes in a tag hide neither it nor those behind it.
    let tags = "[Event \"The \"Big\" Cup\"] [Site \"C:\\\"]\n[Round \"1\"][Date \"x\"]\n[Result \"0-1\"]\n";
    let mut games = Games::new(source(game(tags, "1. e4")), None);
    let found = games.next_game().unwrap().unwrap().unwrap();
    assert_eq!(found.tags.heading(), "A, B-C, The 'Big' Cup, x, R 1");
    // Remarks in brackets are no tags, unless moves stand behind them.
    let remark = |line: &str| read(game(&format!("[Result \"0-1\"]\n{line}\n"), "1. e4"))[0];
    assert_eq!(remark("[x]"), Ok(1));
    assert_eq!(remark("[ a remark ] "), Ok(1));
    assert_eq!(remark("[x] 1. d4 d5"), Err(SkipReason::NoMove));
    assert_eq!(remark("[x] 1. d4 d5 [y]"), Err(SkipReason::NoMove));
    // Games without moves are games too.
    let empty = "[Event \"a\"]\n[Result \"0-1\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n";
    assert_eq!(read(empty), [Err(SkipReason::Unfinished), Ok(1)]);
}

#[test]
fn what_is_no_move_is_named() {
    let text = won("1. e4 e5\n2. Sf3 Sc6 0-1");
    let mut games = Games::new(source(won("1. e4 0-1") + &text), None);
    games.next_game().unwrap();
    let skipped = games.next_game().unwrap().unwrap().err().unwrap();
    let said = games.describe(&skipped);
    assert_eq!(
        said,
        "f.pgn: line 7: game 2 with a token that is no move: on line 12, \"Sf3\" is no move \
         (foreign piece letters?)"
    );
}

/// What says that a game is none from the usual start must not get lost: its moves would be of another.
#[test]
fn what_says_where_a_game_begins_is_read_or_named() {
    use SkipReason::{NoBeginning, Syntax, Variant};
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let one = |tag: &str| {
        read_one(&game(
            &format!("[Result \"1-0\"]\n{tag}\n"),
            "1. e4 e5 2. f4 1-0",
        ))
    };
    for tag in [
        "[FEN FEN]",
        "[\u{200b}FEN \"FEN\"]",
        "[FEN 'FEN']",
        "[FEN: \"FEN\"]",
        "[FEN=\"FEN\"]",
        "[SetUp 1]",
        "[Variant Atomic]",
        "[Variant: \"Atomic\"]",
    ] {
        assert_eq!(
            one(&tag.replace("FEN]", &format!("{fen}]"))),
            Err(Syntax),
            "{tag}"
        );
    }
    assert_eq!(one("[a remark]"), Ok(3));
    assert_eq!(one("[variant \"Atomic\"]"), Err(Variant));
    let start = |tags: &str| {
        let text = game(&format!("[Result \"1-0\"]\n{tags}\n"), "1. e4 e5 2. f4 1-0");
        let mut games = Games::new(source(text), None);
        let game = games.next_game().unwrap().unwrap().unwrap();
        game.start_fen.clone()
    };
    for tags in [
        "[fen \"FEN\"]",
        "[FEN\u{a0}\"FEN\"]",
        "[Annotator \"A\\\"] [FEN \"FEN\"]",
        "[Annotator \"A\\\"][FEN \"FEN\"]",
        "[Annotator \"A] [FEN \"FEN\"]",
        "[Annotator \"] [FEN \"FEN\"]",
        "[Annotator \"A \"b\" c\"] [FEN \"FEN\"]",
    ] {
        let found = start(&tags.replace("FEN\"", &format!("{fen}\"")));
        assert_eq!(found.as_deref(), Some(fen), "{tags}");
    }
    // Moves without numbers behind a result are no game from the start.
    for text in ["1. e4 e5* Nf3 Nc6 1-0", "1. e4 e5 1-0 Nf3 Nc6 1-0"] {
        assert_eq!(read(won(text)).last(), Some(&Err(NoBeginning)), "{text}");
    }
    // A comment without an end takes no game behind it, however that begins.
    for head in [
        "[White \"C\"]\n[Result \"1-0\"]",
        " [Event \"T\"]\n[Result \"1-0\"]",
        "[Event\t\"T\"]\n[Result \"1-0\"]",
    ] {
        let text = format!("{}{head}\n\n1. d4 {{c}} d5 2. c4 1-0\n", won("1. e4 {cut"));
        assert_eq!(read(text), [Err(Syntax), Ok(3)], "{head}");
    }
}

#[test]
fn ratings_are_asked_for() {
    let rated = |white: &str, black: &str| {
        let tags = format!("[Result \"0-1\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
        let mut games = Games::new(source(game(&tags, "1. e4 e5 0-1")), Some(2600));
        let game = games.next_game().unwrap().unwrap();
        game.map(|game| game.moves.len())
            .map_err(|skipped| skipped.reason)
    };
    assert_eq!(rated("2600", " 2700 "), Ok(2));
    assert_eq!(rated("2599", "2700"), Err(SkipReason::LowElo));
    for none in ["", "?", "-", "0", "99999999999999999999", "26OO"] {
        assert_eq!(rated("2700", none), Err(SkipReason::Unrated), "{none}");
    }
}

#[test]
fn games_may_start_from_a_fen() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 20";
    let tags = format!("[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    let mut games = Games::new(source(game(&tags, "20... Rxa1+ 21. Kd2 Rhxh1 0-1")), None);
    let game = games.next_game().unwrap().unwrap().unwrap();
    assert_eq!(game.start_fen.as_deref(), Some(fen));
    assert_eq!(game.first_ply(), 39);
    assert_eq!(game.turn_at(0), shakmaty::Color::Black);
}

#[test]
fn the_id_depends_on_players_and_moves_alone() {
    let id = |text: &str| {
        let mut games = Games::new(source(text), None);
        games.next_game().unwrap().unwrap().unwrap().id()
    };
    let one =
        "[White \"Müller, Karl\"]\n[Black \"O'Neil,J\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0";
    let other = "[Event \"x\"]\n[White \"MÜLLER,K\"]\n[Black \"oneil\"]\n[WhiteElo \"2700\"]\n\n\
                 1. e4 {x} e5 (1... c5) 2. Ng1f3! 1-0";
    assert_eq!(id(one), id(other));
    // Worked out with `printf 'müller|oneil|e2e4 e7e5 g1f3' | sha256sum`.
    assert_eq!(id(one).digits(), "4aad61e3cc86");
    let mut latin1 = one.replace('ü', "#").into_bytes();
    let at = latin1.iter().position(|byte| *byte == b'#').unwrap();
    latin1[at] = 0xfc;
    let mut games = Games::new(source(latin1), None);
    let game = games.next_game().unwrap().unwrap().unwrap();
    assert!(game.tags.is_latin1());
    assert_eq!(game.id(), id(one));
    assert_eq!(game.tags.heading(), "Müller, Karl-O'Neil,J, ?, ?, R ?");
    assert_ne!(id(one), id(&one.replace("Nf3", "Nc3")));
    assert_ne!(id(one), id(&one.replace("Neil", "Neal")));
}

#[test]
fn damage_is_located() {
    let text = format!(
        "{}{}",
        won("1. e4\ne5 0-1").repeat(1000),
        won("1. e4 Kd4 0-1")
    );
    let mut games = Games::new(source(text), None);
    loop {
        let skipped = games.next_game().unwrap().unwrap().err();
        if let Some(skipped) = skipped {
            let detail = "on line 7005, Kd4 can't be played after 1 plies";
            assert_eq!(skipped.detail, detail);
            assert_eq!((games.number(), games.line()), (1001, 7001));
            break;
        }
    }
}

#[test]
fn a_comment_without_an_end_hides_no_game() {
    let event = "[Event \"E\"]\n";
    let sound = || event.to_string() + &won(&format!("{MOVES} 0-1"));
    let broken = |result: &str| {
        let tags = format!("[Result \"{result}\"]\n");
        event.to_string() + &game(&tags, "1. e4 {a comment without an end 1/2-1/2")
    };
    // Games that begin where another ends, on the same line, are not hidden.
    let text = sound().repeat(5).replace("0-1\n\n[", "0-1 [");
    assert_eq!(read(text + &sound()), [Ok(14); 6]);

    // The comment ends with its game, and no other is lost.
    for (result, reason) in [("1/2-1/2", SkipReason::Draw), ("0-1", SkipReason::Syntax)] {
        let commented = event.to_string() + &won(&format!("{{a comment}} {MOVES} 0-1"));
        let text = [sound(), broken(result), sound(), commented, sound()].concat();
        for end in ["\n", "\r", "\r\n", "\n\u{feff}"] {
            let found = read(text.replace('\n', end));
            assert_eq!(
                found,
                [Ok(14), Err(reason), Ok(14), Ok(14), Ok(14)],
                "{end:?}"
            );
        }

        let text = [sound(), broken(result), sound(), sound()].concat();
        let mut games = Games::new(source(text), None);
        let mut all = Vec::new();
        while let Some(game) = games.next_game().unwrap() {
            let is_sound = game.is_ok();
            all.push((is_sound, games.number(), games.line()));
        }
        let expected = [(true, 1, 1), (false, 2, 8), (true, 3, 15), (true, 4, 22)];
        assert_eq!(all, expected);
    }
}

#[test]
fn a_game_with_a_broken_tag_is_one_game() {
    let sound = won(&format!("{MOVES} 0-1"));
    let long = format!("[Annotator \"{}\"]\n", "x".repeat(1 << 20));
    // Where the long tag stands, and what follows it, makes no difference.
    for result in ["0-1", "1/2-1/2"] {
        let tags = format!("[White \"A\"]\n[Result \"{result}\"]\n");
        for head in [
            format!("{long}{tags}"),
            format!("{tags}{long}"),
            format!("{long}{tags}{long}"),
            tags.replacen('\n', &format!("\n{long}"), 1),
            format!("{tags}{long}[Black \"B\"]\n"),
        ] {
            let broken = format!("{head}\n{MOVES} {result}\n\n");
            for line_end in ["\n", "\r\n"] {
                let text = [&*sound, &broken, &sound].concat();
                let found = read(text.replace('\n', line_end));
                assert_eq!(found, [Ok(14), Err(SkipReason::Syntax), Ok(14)], "{tags}");
            }
        }
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Games that differ, so that compression leaves something to cut off.
fn many_games() -> String {
    (0..3000)
        .map(|n| {
            game(
                &format!("[Result \"0-1\"]\n[Event \"{:x}\"]\n", n * 7919 % 65_537),
                MOVES,
            )
        })
        .collect::<String>()
        .replace("Nf3#", "Nf3# 0-1")
}

fn last_error(bytes: Vec<u8>) -> Result<u64, PgnError> {
    let mut games = Games::new(source(bytes), None);
    while games.next_game()?.is_some() {}
    Ok(games.number())
}

#[test]
fn compressed_files_are_told_by_their_bytes() {
    let text = many_games().into_bytes();
    let zstd = zstd::encode_all(&text[..], 3).unwrap();
    let two_members = [gzip(&text), gzip(&text)].concat();
    let two_frames = [zstd.clone(), zstd.clone()].concat();
    assert_eq!(last_error(text.clone()).unwrap(), 3000);
    assert_eq!(last_error(gzip(&text)).unwrap(), 3000);
    assert_eq!(last_error(two_members).unwrap(), 6000);
    assert_eq!(last_error(zstd).unwrap(), 3000);
    assert_eq!(last_error(two_frames).unwrap(), 6000);
}

#[test]
fn truncated_or_damaged_archives_are_errors() {
    let text = many_games().into_bytes();
    for packed in [gzip(&text), zstd::encode_all(&text[..], 3).unwrap()] {
        for cut in [packed.len() / 2, packed.len() - 1] {
            let error = last_error(packed[..cut].to_vec()).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("f.pgn: line "), "{message}");
            assert!(error.game > 1 && error.line > 1, "{message}");
        }
        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 32].fill(0x55);
        // A checksum or the decoder may find it, or the games are hurt: nothing may panic.
        let _ = last_error(damaged);
    }
}

#[test]
fn files_that_are_none_are_named() {
    let missing = Source::open("no/such.pgn").err().unwrap();
    assert!(
        missing.to_string().starts_with("no/such.pgn: "),
        "{missing}"
    );
    for empty in [Vec::new(), gzip(b"")] {
        let error = Source::from_reader("e.pgn", Cursor::new(empty))
            .err()
            .unwrap();
        assert!(matches!(error, SourceError::Empty(_)));
        assert_eq!(error.to_string(), "e.pgn: the file is empty");
    }
    let utf16: Vec<u8> = "\u{feff}[Event \"x\"]"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = Source::from_reader("u.pgn", Cursor::new(utf16))
        .err()
        .unwrap();
    assert!(error.to_string().contains("UTF-16"), "{error}");
    // Bytes that are no UTF-8 spoil only the game they are in.
    let mut text = format!("{}{}", won("1. e4 @@@ 0-1"), won("1. e4 e5 0-1")).into_bytes();
    for byte in &mut text {
        if *byte == b'@' {
            *byte = 0xff;
        }
    }
    assert_eq!(read(text), [Err(SkipReason::NoMove), Ok(2)]);
}

/// Endless text without a line end: `head`, then `body` again and again, `length` bytes in all.
fn endless(head: &str, body: &str, length: u64) -> impl Read + Send + use<> {
    struct Cycle(Vec<u8>, usize);
    impl Read for Cycle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1];
                self.1 = (self.1 + 1) % self.0.len();
            }
            Ok(buffer.len())
        }
    }
    let head = Cursor::new(head.as_bytes().to_vec());
    head.chain(Cycle(body.as_bytes().to_vec(), 0)).take(length)
}

/// Peak resident memory of this process, in MiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[test]
fn a_huge_single_line_takes_no_memory() {
    let length = if tests::is_long() { 1 << 30 } else { 32 << 20 };
    let before = peak_memory();
    for (head, body, reason) in [
        ("", "x", SkipReason::NoMove),
        ("", "[", SkipReason::NoMove),
        ("[Event \"", "x", SkipReason::Syntax),
        ("[Event \"", "\\\"", SkipReason::Syntax),
        ("1. e4 {", "x", SkipReason::Syntax),
        ("1. e4 $", "1", SkipReason::NoMove),
        ("1. e4 ; ", "x", SkipReason::NoResult),
        ("1. e4 ", "(", SkipReason::Syntax),
        ("1. e4 ", "e", SkipReason::NoMove),
        ("1. e4 ", "1.", SkipReason::NoMove),
        ("", "1. Nf3 Nf6 2. Ng1 Ng8 ", SkipReason::TooLong),
        ("1. e4 1-0 ", "1. Nf3 Nf6 2. Ng1 Ng8 ", SkipReason::TooShort),
    ] {
        let bytes = endless(head, body, length);
        let mut games = Games::new(Source::from_reader("huge", bytes).unwrap(), None);
        let first = games.next_game().unwrap().unwrap();
        match first {
            Err(skipped) => assert_eq!(skipped.reason, reason, "{head}{body}"),
            Ok(game) => assert_eq!(game.moves.len(), 1, "{head}{body}"),
        }
        while games.next_game().unwrap().is_some() {}
        assert!(
            games.number() <= 2,
            "{head}{body}: {} games",
            games.number()
        );
    }
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(
            after < before + 24,
            "{before} MiB before, {after} MiB after"
        );
    }
}

/// Reads a text to its end; game by game, so that a loop would show.
fn exhaust(bytes: Vec<u8>) {
    let length = bytes.len() as u64;
    let Ok(source) = Source::from_reader("p", Cursor::new(bytes)) else {
        return;
    };
    let mut games = Games::new(source, None);
    while let Ok(Some(game)) = games.next_game() {
        if let Ok(game) = game {
            let _ = (
                game.id().digits(),
                game.tags.heading(),
                game.position_at(game.moves.len()),
            );
        }
        assert!(games.number() <= 1 + length && games.line() <= 1 + length);
    }
}

proptest! {
    #![proptest_config(tests::cases(2000))]

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        exhaust(bytes);
    }

    #[test]
    fn no_pgn_like_text_panics(
        tokens in proptest::collection::vec(
            prop::sample::select(vec![
                "[", "]", "\"", "\\", "White", "FEN \"", "Result \"1-0\"", "[Result \"0-1\"]\n", "\n",
                "\n\n", "\r\n", "1.", "e4", "e5", "Nf3", "O-O", "0-0", "e8=Q", "{", "}", "(", ")",
                ";", "%", "$1", "!", "?", "*", "1-0", "0-1", "1/2-1/2", "½-½", "–", "\u{feff}", "é",
                " ", "--", "Z0", "@", "\0",
            ]),
            0..60,
        ),
    ) {
        exhaust(tokens.concat().into_bytes());
    }

    #[test]
    fn changed_games_do_not_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = won(&format!("{MOVES} 0-1")).repeat(2).into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(1 + cut.index(2 * bytes.len()));
        exhaust(bytes);
    }
}
