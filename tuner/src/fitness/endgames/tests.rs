//! Games of programs against each other, by hand-worked positions and counts.

use super::*;
use engine::program::Candidates;
use std::sync::Arc;

const RULES: Rules = Rules {
    moves: 3,
    mate: 6,
    advantage: 3,
    draw: 1,
};

/// A program of one tree in all three places.
fn program(tree: &str) -> Program {
    let text = format!(
        "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
    );
    Program::parse(&text).unwrap()
}

fn ended(players: [&str; 2], fen: &str, first_is_white: bool, rules: &Rules) -> (End, u64) {
    let [one, other] = players.map(program);
    let begin = Position::from_fen(fen).unwrap();
    let mut choose = |who: usize, position: &Position, seed| {
        choose([&one, &other][who], &mut Candidates::new(position), seed)
    };
    play(&mut choose, first_is_white, begin, rules, 1)
}

/// Whoever looks for mate finds it in one: Qb8 or Ra8 with the black king on h8 behind its pawns.
#[test]
fn a_mate_in_one_is_played_and_counted_for_who_plays_it() {
    let mate = "(If3 IsMate 1000/2 2/1000)";
    let fen = "7k/6pp/8/8/8/8/8/R6K w - - 0 1";
    assert_eq!(
        ended([mate, "2/1000"], fen, true, &RULES),
        (End::Mate(Color::White), 1)
    );
    assert_eq!(
        ended(["2/1000", mate], fen, false, &RULES),
        (End::Mate(Color::White), 1)
    );
    // It is mate already, and stalemate.
    let mated = "R6k/6pp/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(
        ended([mate, mate], mated, true, &RULES),
        (End::Mate(Color::White), 0)
    );
    let stale = "7k/5Q2/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(ended([mate, mate], stale, true, &RULES), (End::Draw, 0));
}

/// After three moves of each side: pawns up are an advantage whoever has them, nothing up is a draw. All pawns are
/// blocked and the kings far away, so nothing else can happen, whatever is played.
#[test]
fn a_game_without_end_is_judged_by_material() {
    let draw = "2/1000";
    let fen = "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1";
    assert_eq!(ended([draw, draw], fen, true, &RULES), (End::Draw, 6));
    let up = "4k3/8/8/p7/P7/P7/P7/4K3 w - - 0 1";
    let (end, plies) = ended([draw, draw], up, false, &RULES);
    assert_eq!((end, plies), (End::Advantage(Color::White), 6));
    let none = Rules { moves: 0, ..RULES };
    let black = "r3k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        ended([draw, draw], black, true, &none),
        (End::Advantage(Color::Black), 0)
    );
}

/// 2 mates, 1 advantage and 3 draws against 1 mate: 2·6 + 3 + 3 and 6 + 3 points; a score of (3 + 1.5) / 7.
#[test]
fn points_and_scores_are_those_worked_out_by_hand() {
    let mut tally = Tally {
        mates: [2, 0],
        advantages: [1, 0],
        draws: 2,
        plies: 10,
    };
    tally.add(&Tally {
        mates: [0, 1],
        draws: 1,
        plies: 5,
        ..Tally::default()
    });
    assert_eq!(tally.games(), 7);
    assert_eq!([0, 1].map(|side| tally.points(side, &RULES)), [18, 9]);
    assert!((tally.score() - 4.5 / 7.0).abs() < 1e-12);
    assert_eq!(tally.turned().points(0, &RULES), 9);
    // 3 of 1, 3 of ½, 1 of 0 about 4.5/7: squares 3·0.1276, 3·0.0204 and 0.4133 add up to 0.8571.
    assert!((tally.error() - 0.857_142_857_f64.sqrt() / 7.0).abs() < 1e-9);
    assert_eq!(Tally::default().score(), 0.0);
}

#[test]
fn everybody_plays_equally_many_peers_and_each_pair_once() {
    for (count, peers) in [(3, 2), (80, 6), (7, 6), (10, 4)] {
        let order: Vec<usize> = (0..count).rev().collect();
        let pairs = pairs(&order, peers);
        assert_eq!(pairs.len(), count * peers / 2);
        let mut met = std::collections::BTreeSet::new();
        for [one, other] in &pairs {
            assert_ne!(one, other);
            assert!(
                met.insert((one.min(other), one.max(other))),
                "{count} {peers}"
            );
        }
        for who in 0..count {
            let games = pairs.iter().filter(|pair| pair.contains(&who));
            assert_eq!(games.count(), peers, "{count} {peers}");
        }
    }
}

#[test]
fn endings_take_turns_and_no_start_comes_again() {
    let first = starts(7, 0, 6, 4);
    let turns: Vec<usize> = first.iter().map(|start| start.ending).collect();
    assert_eq!(turns, [0, 1, 2, 3, 0, 1]);
    let later = starts(7, 6, 6, 4);
    assert_eq!(later[0].ending, 2);
    assert!(first.iter().all(|start| !later.contains(start)));
    assert_eq!(starts(7, 3, 3, 4), first[3..]);
    assert_ne!(starts(8, 0, 6, 4), first);
}

/// The same task has the same answer on any worker, whatever that one has played before; the two players'
/// places can be exchanged, and colours are.
#[test]
fn an_encounter_is_a_function_of_its_task() {
    let endings: [Ending; 2] = ["KRKR", "KQKQ"].map(|name| name.parse().unwrap());
    let player = |tree| Player(Arc::new(program(tree)));
    let mate = player("(If3 IsMate 1000/2 EvaluateMaterial)");
    let task = |first: &Player, second: &Player| Encounter {
        key: "k".into(),
        player: first.clone(),
        opponent: Opponent::Peer(second.clone()),
        starts: starts(3, 0, 20, 2),
        seed: 5,
    };
    let rules = Rules { moves: 30, ..RULES };
    let other = player("NumMyPiecesNotAttacked");
    let mut board = Board::new(&endings, rules, None);
    let found = board.answer(&task(&mate, &other)).unwrap();
    assert_eq!(found.games(), 40);
    assert!(found.plies > 100 && found.draws < 40, "{found:?}");
    let again = Board::new(&endings, rules, None)
        .answer(&task(&mate, &other))
        .unwrap();
    assert_eq!(found, again);
    assert_eq!(board.answer(&task(&mate, &other)).unwrap(), found);
    // Random moves are a program too; without a rival there is nothing to be won against it.
    let mut against = task(&mate, &other);
    against.opponent = Opponent::Random;
    assert!(board.answer(&against).unwrap().score() > 0.5);
    against.opponent = Opponent::Rival;
    assert_eq!(board.answer(&against).unwrap(), against.worst());
    assert!(against.fits(&against.worst()) && !against.fits(&Tally::default()));
    let text = serde_json::to_string(&task(&mate, &other)).unwrap();
    let sent: Encounter = serde_json::from_str(&text).unwrap();
    assert_eq!(board.answer(&sent).unwrap(), found);
    assert_eq!(sent.digest(), task(&mate, &other).digest());
    assert_ne!(sent.digest(), task(&other, &mate).digest());
}
