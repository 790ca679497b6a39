use super::*;
use engine::program::Program;
use std::sync::Arc;

/// The rook on d4 is attacked and takes the other: of 17 moves it alone wins.
const TAKES: &str = "3r3k/8/8/8/3R4/8/8/K7 w - - bm Rxd8+;";

/// Rd2 walks into the rook, Rg7 and Rg8 into the king; the other 14 of 17 moves keep the draw.
const QUIET: &str =
    "3r3k/8/8/8/8/8/6R1/K7 w - - bm Ra2 Rb2 Rc2 Re2 Rf2 Rg1 Rg3 Rg4 Rg5 Rg6 Rh2+ Ka2 Kb1 Kb2;";

/// Who is ahead keeps the win by all moves but Rg7 and Rg8, 2 of 17; another tree is asked.
const AHEAD: &str = "7k/8/8/8/8/8/6R1/K7 w - - bm Ra2 Rb2 Rc2 Rd2 Re2 Rf2 Rh2+ Rg1 Rg3 Rg4 Rg5 Rg6 \
                     Ka2 Kb1 Kb2;";

fn endings() -> Vec<Ending> {
    vec!["KRKR".parse().unwrap()]
}

fn lesson(line: &str) -> Result<Lesson, String> {
    let epd = Epd::parse(line).unwrap();
    Lesson::new(&epd, &endings()).map_err(|error| error.to_string())
}

fn school() -> School {
    let all = [TAKES, QUIET, AHEAD].map(|line| lesson(line).unwrap());
    School::new(all.to_vec(), all[..1].to_vec())
}

fn player(advantage: &str, even: &str) -> Player {
    let text = format!(
        "(program (version 1) (endings KRKR) (advantage {advantage}) (even {even}) (disadvantage 2/1000))"
    );
    Player(Arc::new(Program::parse(&text).unwrap()))
}

fn exam(part: Part, lessons: &[u32], players: &[Player]) -> Exam {
    Exam {
        key: "k".into(),
        part,
        lessons: lessons.to_vec(),
        players: players.to_vec(),
    }
}

/// The first lesson is held out and learnt from: who has learnt it is not tried by it.
#[test]
fn a_lesson_that_stands_twice_is_told() {
    let repeated = school().differ().unwrap_err();
    assert_eq!(repeated.times, 1);
    assert_eq!(repeated.first, TAKES.split(" bm").next().unwrap());
    let [takes, quiet] = [TAKES, QUIET].map(|line| lesson(line).unwrap());
    School::new(vec![takes], vec![quiet]).differ().unwrap();
}

/// Who plays any move has 1 of 17 and 14 of 17, of the weights 16 and 3; who takes what it can has the first whole.
#[test]
fn marks_are_those_worked_out_by_hand() {
    let school = school();
    let any = player("2/1000", "2/1000");
    let takes = player("2/1000", "(If3 IsMaterialIncrease 1000/2 2/1000)");
    let safe = player("(If3 MyPieceCannotBeCaptured 2/1000 -1000/2)", "2/1000");
    let players = [any, takes, safe];
    let mut teacher = school.teacher();
    let marks = teacher
        .answer(&exam(Part::Train, &[0, 1], &players))
        .unwrap();
    let quiet = PARTS * 3 * 14 / 17;
    assert_eq!(marks.weight, 16 + 3);
    assert_eq!(
        marks.parts,
        [
            PARTS * 16 / 17 + quiet,
            PARTS * 16 + quiet,
            PARTS * 16 / 17 + quiet
        ]
    );
    // The third knows the lesson of who is ahead.
    let ahead = teacher.answer(&exam(Part::Train, &[2], &players)).unwrap();
    let any = PARTS * 2 * 15 / 17;
    assert_eq!((ahead.weight, ahead.parts), (2, vec![any, any, PARTS * 2]));
    // The only lesson to be tried on is the first.
    let tried = teacher.answer(&exam(Part::Test, &[0], &players)).unwrap();
    assert_eq!(
        tried
            .shares()
            .map(|share| share.of(100))
            .collect::<Vec<_>>(),
        [5, 100, 5]
    );
    assert_eq!(
        Share {
            parts: 0,
            weight: 0
        }
        .of(9),
        0
    );
    assert_eq!(
        Share {
            parts: PARTS,
            weight: 2
        }
        .part(),
        0.5
    );
}

/// Whatever a worker has been asked before, in parts or at once, by itself or after a panic.
#[test]
fn an_exam_is_a_function_of_its_task() {
    let school = school();
    let players = [
        player("NumMovesMyKing", "NumMyPiecesNotAttacked"),
        player("NumMovesMyKing", "MyKingDistEdges"),
        player("MyKingDistEdges", "NumMyPiecesNotAttacked"),
    ];
    let whole = exam(Part::Train, &[0, 1, 2], &players);
    let marks = school.teacher().answer(&whole).unwrap();
    assert!(whole.fits(&marks) && whole.fits(&whole.worst()));
    let mut teacher = school.teacher();
    assert!(
        teacher.known[0].iter().all(Option::is_some),
        "what is known is kept"
    );
    assert_eq!(teacher.answer(&whole).unwrap(), marks);
    assert_eq!(teacher.answer_again(&whole).unwrap().0, marks);
    for parts in [2, 3] {
        let parts = whole.split(parts);
        let answers = parts.iter().map(|part| teacher.answer(part).unwrap());
        assert_eq!(whole.merge(&answers.collect::<Vec<_>>()), marks);
    }
    assert!(whole.split(1).is_empty() && whole.split(4).is_empty());
    let text = serde_json::to_string(&whole).unwrap();
    let sent: Exam = serde_json::from_str(&text).unwrap();
    assert_eq!(sent.digest(), whole.digest());
    assert_eq!(teacher.answer(&sent).unwrap(), marks);
    let other = exam(Part::Train, &[0, 2, 1], &players);
    assert_ne!(other.digest(), whole.digest());
    let more = Marks {
        parts: vec![PARTS * marks.weight + 1; 3],
        ..marks
    };
    assert!(!whole.fits(&more) && !whole.fits(&Marks::none(2)));
}

#[test]
fn lessons_that_are_not_there_are_refused() {
    let school = school();
    let mut teacher = school.teacher();
    let mut refused = |part, lessons: &[u32]| {
        let answer = teacher.answer(&exam(part, lessons, &[player("2/1000", "2/1000")]));
        answer.unwrap_err().to_string()
    };
    assert_eq!(refused(Part::Train, &[3]), "there is no lesson 3");
    assert_eq!(refused(Part::Test, &[1]), "there is no lesson 1");
    assert_eq!(
        refused(Part::Train, &[0; 4]),
        "4 lessons, expected 3 at most"
    );
}

#[test]
fn a_line_that_is_no_lesson_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l.epd");
    let said = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let read = Lesson::load(&path, &endings());
        read.map(|all| all.len()).map_err(|error| error.to_string())
    };
    assert_eq!(said(&format!("# two\n{TAKES}\n\n{QUIET}\n")), Ok(2));
    for (line, expected) in [
        ("3r3k/8/8/8/3R4/8/8/K7 w - - bm Re5;", "bm: "),
        (
            "3r3k/8/8/8/3R4/8/8/K7 w - -",
            "has no bm, expected every move",
        ),
        (
            "3q2k1/8/8/8/3Q4/8/8/K7 w - - bm Qxd8+;",
            "a position of KQKQ, expected one of KRKR or",
        ),
        (
            "7k/8/8/8/8/8/8/K7 w - - bm Ka2 Kb1 Kb2;",
            "bm has all legal moves",
        ),
    ] {
        let said = said(&format!("{TAKES}\n{line}\n")).unwrap_err();
        assert!(
            said.contains("l.epd: line 2: ") && said.contains(expected),
            "{said}"
        );
    }
    assert!(
        said("# none\n")
            .unwrap_err()
            .contains("has 0 positions, expected 1 to")
    );
}
