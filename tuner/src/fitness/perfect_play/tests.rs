use super::*;
use ::tests::syzygy::{Tables, real_tables};
use engine::program::Ending;
use engine::program::Program;

/// The rook on d4 is attacked and takes the other: 14 moves of it and 3 of the king, of which Rxd8 alone wins.
const TAKES: &str = "3r3k/8/8/8/3R4/8/8/K7 w - - 0 1";

/// Rd2 walks into the rook, Rg7 and Rg8 into the king; the other 14 of 17 moves keep the draw.
const QUIET: &str = "3r3k/8/8/8/8/8/6R1/K7 w - - 0 1";

/// Rc8 mates.
const MATES: &str = "6k1/8/6K1/8/8/8/1r6/2R5 w - - 0 1";

/// Tables by which every position with both rooks is drawn and every one with a single rook is won. Readers look at
/// captures first, so what hangs is seen, and that is all there is to see in the positions above.
fn made_up() -> (Tables, Tablebase) {
    let made = Tables::of(&[("KRvK", 2), ("KRvKR", 0)], true);
    let tables = Tablebase::open(&[made.path().to_path_buf()]).unwrap();
    (made, tables)
}

fn at(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn program(tree: &str) -> Subject {
    let text = format!(
        "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
    );
    Subject::Program(Box::new(Program::parse(&text).unwrap()), 1)
}

fn kept(perfect: Perfect, subject: &Subject) -> Kept {
    let mut kept = Kept::default();
    for position in [TAKES, QUIET].map(at) {
        kept.add(&perfect.moves(&position).unwrap(), &subject.best(&position));
    }
    kept
}

/// One of 17 moves and 14 of 17: random moves keep (1/17 + 14/17) / 2; the weights are 16 and 3.
fn is_as_by_hand(perfect: Perfect) {
    let keeping = |fen| -> Vec<String> {
        let moves = perfect.moves(&at(fen)).unwrap();
        let keeping = moves.iter().filter(|(_, keeps)| *keeps);
        keeping.map(|(mv, _)| mv.to_string()).collect()
    };
    assert_eq!(keeping(TAKES), ["d4d8"]);
    let quiet = keeping(QUIET);
    assert_eq!(quiet.len(), 14, "{quiet:?}");
    for losing in ["g2d2", "g2g7", "g2g8"] {
        assert!(!quiet.iter().any(|mv| mv == losing), "{losing}");
    }
    let random = kept(perfect, &Subject::Random);
    assert_eq!((random.positions, random.weight), (2, 19));
    assert!((random.share() - 15.0 / 34.0).abs() < 1e-12);
    assert!((random.weighted_share() - (16.0 + 3.0 * 14.0) / 17.0 / 19.0).abs() < 1e-12);
    // Who takes what can be taken, and else plays anything.
    let greedy = kept(perfect, &program("(If3 IsMaterialIncrease 1000/2 2/1000)"));
    assert!((greedy.share() - 31.0 / 34.0).abs() < 1e-12);
    assert!((greedy.weighted_share() - (16.0 + 3.0 * 14.0 / 17.0) / 19.0).abs() < 1e-12);
    let engine = Subject::engine(true, 1);
    assert_eq!(kept(perfect, &engine).share(), 1.0);
}

#[test]
fn moves_and_weights_are_those_worked_out_by_hand() {
    let (_made, tables) = made_up();
    is_as_by_hand(Perfect(&tables));
    assert_eq!(Kept::default().share(), 1.0);
}

#[test]
fn real_tables_say_the_same() {
    let Some(folder) = real_tables("real_tables_say_the_same") else {
        return;
    };
    let tables = Tablebase::open(&[folder]).unwrap();
    let perfect = Perfect(&tables);
    is_as_by_hand(perfect);
    assert_eq!(perfect.value(&at(MATES)).unwrap(), Verdict::Win);
    assert_eq!(perfect.value(&at(QUIET)).unwrap(), Verdict::Draw);
    // King and rook from these kings' squares take 31 half moves at most, so best defence lasts longer than 3.
    let lone = at("3R3k/8/8/8/8/8/8/K7 b - - 0 1");
    let reply = perfect.defence(&lone, 1).unwrap().unwrap();
    assert!(tables.distance(&lone.play(reply)).unwrap() > 3);
}

/// A mate ends a game; what takes the rook is ahead after one move and still wins; what doesn't has thrown it away.
#[test]
fn wins_are_converted_or_thrown_away() {
    let (_made, tables) = made_up();
    let ended = |tree, fen| convert(&program(tree), Perfect(&tables), &at(fen), (1, 1)).unwrap();
    assert_eq!(ended("(If3 IsMate 1000/2 2/1000)", MATES), Won::Mate);
    assert_eq!(ended("(If3 IsMate -1000/2 2/1000)", MATES), Won::Lost);
    let takes = "(If3 IsMaterialIncrease 1000/2 2/1000)";
    assert_eq!(ended(takes, TAKES), Won::Ahead);
    let declines = "(If3 IsMaterialIncrease -1000/2 2/1000)";
    assert_eq!(ended(declines, TAKES), Won::Lost);
}

/// Whoever keeps its rook from being taken holds; whoever offers it does not, on move or after the opponent's.
#[test]
fn a_drawn_start_is_held_by_who_offers_nothing() {
    let (_made, tables) = made_up();
    let perfect = Perfect(&tables);
    let safe = program("(If3 MyPieceCannotBeCaptured 1000/2 2/1000)");
    let offers = program("(If3 MyPieceCannotBeCaptured 2/1000 1000/2)");
    for begins in [true, false] {
        let held = |subject, moves| hold(subject, perfect, &at(QUIET), begins, (moves, 1)).unwrap();
        assert!(held(&safe, 20), "{begins}");
        assert!(!held(&offers, 1), "{begins}");
    }
}

/// By the definition, over all moves of a position: none that keeps the value leaves a greater part of losing replies.
#[test]
fn the_opponent_sets_the_hardest_task() {
    let (_made, tables) = made_up();
    let perfect = Perfect(&tables);
    let position = at(QUIET);
    let part = |mv| {
        let replies = perfect.moves(&position.play(mv)).unwrap();
        let lose = replies.iter().filter(|(_, keeps)| !keeps).count();
        lose as f64 / replies.len() as f64
    };
    let chosen = perfect.trap(&position, 3).unwrap().unwrap();
    let moves = perfect.moves(&position).unwrap();
    let keeping: Vec<Move> = moves
        .iter()
        .filter(|(_, keeps)| *keeps)
        .map(|(mv, _)| *mv)
        .collect();
    assert!(keeping.contains(&chosen));
    assert!(keeping.iter().all(|&mv| part(mv) <= part(chosen)));
    assert!(keeping.iter().any(|&mv| part(mv) < part(chosen)));
}

#[test]
fn a_judgement_is_the_same_on_any_number_of_threads() {
    let (_made, tables) = made_up();
    let ending: Ending = "KRKR".parse().unwrap();
    let subject = program("(If3 IsMate 1000/2 NumMyPiecesNotAttacked)");
    let panel = met(&subject, &ending, &mut HashSet::new(), 60, (20, 7)).unwrap();
    let distinct: HashSet<String> = panel.iter().map(Position::to_fen).collect();
    assert_eq!(distinct.len(), 60);
    assert!(panel.iter().all(|position| ending.is_of(position)));
    let trial = Trial {
        moves: 10,
        starts: 20,
        seed: 1,
    };
    let judged = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| judge(&subject, Perfect(&tables), (&ending, &panel), &trial).unwrap())
    };
    let one = judged(1);
    assert_eq!(one, judged(3));
    assert_eq!((one.kept.positions, one.draws.0), (60, 20));
    assert!(one.draws.1 < 20 && one.kept.share() < 1.0, "{one:?}");
}

#[test]
fn what_the_tables_do_not_know_is_told() {
    let (made, tables) = made_up();
    let perfect = Perfect(&tables);
    let told = |fen| perfect.value(&at(fen)).unwrap_err().to_string();
    let other = told("3q3k/8/8/8/8/8/6Q1/K7 w - - 0 1");
    assert!(
        other.contains("is missing") && other.contains("3q3k"),
        "{other}"
    );
    let many = told("rr5k/8/8/8/8/8/1RR5/7K w - - 0 1");
    assert!(many.contains("it has 6 men, and they go up to 4"), "{many}");
    // Without distances nobody knows how to hold out.
    std::fs::remove_file(made.path().join("KRvK.rtbz")).unwrap();
    let fresh = Tablebase::open(&[made.path().to_path_buf()]).unwrap();
    let take = program("(If3 IsMaterialIncrease 1000/2 2/1000)");
    let error = convert(&take, Perfect(&fresh), &at(TAKES), (1, 1)).unwrap_err();
    assert!(error.to_string().contains(".rtbz"), "{error}");
}
