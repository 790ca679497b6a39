//! Endgame programs: the language, its trees and their files, and both interpreters.

use super::{master, of_tree, shipped};
use engine::position::Position;
use engine::program::{
    Cache, Candidates, Kind, LazyTerminals, MAX_DEPTH, MAX_NODES, PRIMITIVES, Program, Tree,
    best_moves, choose, digest, naive, named, start,
};
use engine::types::Move;
use proptest::prelude::*;
use std::collections::HashSet;

#[test]
fn names_mean_one_primitive_each() {
    let mut names = HashSet::new();
    for (place, primitive) in PRIMITIVES.iter().enumerate() {
        for name in std::iter::once(&primitive.name).chain(primitive.aliases) {
            assert!(names.insert(*name), "{name} twice");
            assert_eq!(named(name).map(usize::from), Some(place));
        }
    }
    // Table 1: F=If3(B, F, F); the others are Boolean.
    let if3 = &PRIMITIVES[usize::from(named("If3").unwrap())];
    assert_eq!(if3.result, Kind::Float);
    assert_eq!(if3.arguments, [Kind::Boolean, Kind::Float, Kind::Float]);
    // The twelve constants: 1000 by 2, 3, 4, their negatives and inverses, each exactly once.
    let constants: Vec<f64> = PRIMITIVES.iter().filter_map(|p| p.constant()).collect();
    for divisor in [2.0, 3.0, 4.0] {
        for value in [1000.0 / divisor, divisor / 1000.0] {
            for value in [value, -value] {
                let found = constants.iter().filter(|constant| **constant == value);
                assert_eq!(found.count(), 1, "{value}");
            }
        }
    }
    assert_eq!(constants.len(), 12);
}

#[test]
fn a_query_stands_for_both() {
    let fits = |place: Kind, value: Kind| place.accepts(value);
    assert!(fits(Kind::Boolean, Kind::Query) && fits(Kind::Float, Kind::Query));
    assert!(!fits(Kind::Boolean, Kind::Float) && !fits(Kind::Float, Kind::Boolean));
    // As the printed tree has it: a condition here, a value there.
    Tree::parse("(If3 -1000*MateInOne OppKingInCheckPieceBehind -1000*MateInOne)").unwrap();
}

/// The functions of Table 1 on constants and terminals whose values are known: after Ra8 Black is mated, so
/// IsMate is 1 and IsStalemate 0; the rook is 5 ahead.
#[test]
fn functions_have_the_values_of_table_1() {
    let position = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    let mv = Move::parse_uci("a1a8").unwrap();
    for (condition, is_true) in [
        ("IsMate", true),
        ("IsStalemate", false),
        ("(Not IsMate)", false),
        ("(Not IsStalemate)", true),
        ("(Or2 IsStalemate IsMate)", true),
        ("(Or2 IsMate IsStalemate)", true),
        ("(Or2 IsDraw IsStalemate)", false),
        ("(Or3 IsDraw IsStalemate IsMate)", true),
        ("(Or3 IsDraw IsStalemate IsMateInOne)", false),
        ("(And2 IsMate IsOppKingInCheck)", true),
        ("(And2 IsMate IsStalemate)", false),
        ("(And3 IsMate IsOppKingInCheck IsOppKingStuck)", true),
        ("(And3 IsMate IsOppKingInCheck IsDraw)", false),
        ("(And3 IsDraw IsOppKingInCheck IsMate)", false),
        ("(Smaller IsStalemate IsMate)", true),
        ("(Smaller IsMate IsStalemate)", false),
        ("(Smaller IsMate IsMate)", false),
    ] {
        let tree = Tree::parse(&format!("(If3 {condition} EvaluateMaterial -1000/4)")).unwrap();
        let value = if is_true { 5.0 } else { -250.0 };
        let mut terminals = LazyTerminals::after(&position, mv);
        assert_eq!(tree.evaluate(&mut terminals), value, "{condition}");
        assert_eq!(naive::evaluate(&tree, &position, mv), value, "{condition}");
    }
}

/// The witness hears of what was evaluated and of nothing else: an Or2 is settled by its first true argument,
/// and one branch of an If3 is not looked at.
#[test]
fn a_witness_sees_what_decided() {
    let position = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    let tree = Tree::parse("(If3 (Or2 IsMate IsDraw) 1000/2 -1000/2)").unwrap();
    let mut seen = Vec::new();
    let mut terminals = LazyTerminals::after(&position, Move::parse_uci("a1a8").unwrap());
    tree.evaluate_with(&mut terminals, &mut |at, value| seen.push((at, value)));
    // Places in prefix order: 0 If3, 1 Or2, 2 IsMate, 3 IsDraw, 4 1000/2, 5 -1000/2.
    assert_eq!(seen, [(2, 1.0), (1, 1.0), (4, 500.0), (0, 500.0)]);
}

/// The paper's printed tree, counted by hand and by another program: 159 nodes, 16 levels, 14 terminals.
#[test]
fn the_printed_tree_is_read_and_plays() {
    let program = Program::load(&shipped("gpec190.sexp")).unwrap();
    let tree = &program.advantage;
    assert_eq!((tree.nodes().len(), tree.depth()), (159, 16));
    let terminals: HashSet<u16> = tree.nodes().iter().copied().collect();
    let is_terminal = |&&node: &&u16| PRIMITIVES[usize::from(node)].is_terminal();
    assert_eq!(terminals.iter().filter(is_terminal).count(), 14);
    assert_eq!(program.trees(), [tree; 3]);
    // With the parenthesis that is too many, the Or3 has three arguments and a fourth.
    let text = std::fs::read_to_string(shipped("gpec190.sexp")).unwrap();
    let broken = text.replacen("NotMyKingInCheck)", ") NotMyKingInCheck)", 1);
    assert!(Program::parse(&broken).is_err());
    // It plays a game: every move is legal, and an advantage is not refused (the rook hangs).
    for (number, ending) in program.endings.iter().enumerate() {
        let mut position = start(ending, number as u64).unwrap();
        for ply in 0..60 {
            let Some(mv) = choose(&program, &mut Candidates::new(&position), ply) else {
                break;
            };
            assert!(position.is_legal(mv));
            position = position.play(mv);
        }
    }
}

#[test]
fn shipped_programs_read_back() {
    let files = tests::files("programs", "sexp");
    assert!(files.len() >= 2);
    for path in files {
        let program = Program::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(program.fits());
        let again = Program::parse(&program.to_string()).unwrap();
        assert_eq!(again, program, "{}", path.display());
    }
}

#[test]
fn a_program_is_written_with_its_header() {
    let mut program = of_tree("(If3 (Not IsMate) #NotMovesOppKing 1000/2)");
    program.provenance = "a \"quoted\" \\ text".to_string();
    let tree = "(If3 (Not IsMate) NumNotMovesOppKing 1000/2)";
    let digest = program.functions.clone().unwrap();
    let text = format!(
        "(program\n  (version 1)\n  (functions {digest})\n  (endings KRKR)\n  \
         (provenance \"a \\\"quoted\\\" \\\\ text\")\n  (advantage\n    {tree})\n  \
         (even\n    {tree})\n  (disadvantage\n    {tree}))\n"
    );
    assert_eq!(program.to_string(), text);
    assert_eq!(Program::parse(&text).unwrap(), program);
    // Made for other primitives: it is read, and says so.
    let other = Program::parse(&text.replace(&digest, "0123456789abcdef")).unwrap();
    assert!(program.fits() && !other.fits());
}

/// The set of the programs that came first, by its digest as they have it, is that of whatever asks nothing newer.
#[test]
fn programs_of_before_fit_the_set_that_has_grown() {
    let papers = "bd5a8a307630954d";
    let old = of_tree("(If3 NotMyPieceAttacked 1000/2 2/1000)");
    let new = of_tree("(If3 OppCannotCheckAndWin 1000/2 2/1000)");
    let digest_of = |program: &Program| digest(program.even.nodes().iter().copied());
    assert_eq!(digest_of(&old), papers);
    assert_ne!(digest_of(&new), papers);
    let written = |program: Program| {
        let trees = [program.advantage, program.even, program.disadvantage];
        Program::new(program.endings, String::new(), trees).to_string()
    };
    assert!(written(old).contains(papers));
    let text = written(new);
    assert!(!text.contains(papers));
    assert!(Program::parse(&text).unwrap().fits());
}

/// Line, column, what was expected and what is there.
#[test]
fn errors_say_where_and_what() {
    let whole = of_tree("(If3 IsMate 1000/2 EvaluateMaterial)").to_string();
    let with = |from: &str, to: &str| whole.replacen(from, to, 1);
    let deep = "(Not ".repeat(100_000);
    for (text, place, said) in [
        (
            String::new(),
            (1, 1),
            "expected \"(program\", found the end",
        ),
        (
            "(programme".into(),
            (1, 2),
            "expected \"program\", found \"programme\"",
        ),
        (
            with("version 1", "version 2"),
            (2, 12),
            "expected the version 1, found \"2\"",
        ),
        (with("IsMate", "IsMat"), (6, 10), "did you mean IsMate?"),
        (
            with("IsMate", "MyKingDistEdges"),
            (6, 10),
            "expected a Boolean here, MyKingDistEdges is Float",
        ),
        (
            with("1000/2", "IsMate"),
            (6, 17),
            "expected a Float here, IsMate is Boolean",
        ),
        (
            with("1000/2 EvaluateMaterial", "1000/2"),
            (6, 23),
            "expected a Float, found \")\"",
        ),
        (
            with("EvaluateMaterial)", "EvaluateMaterial 1000/2)"),
            (6, 41),
            "expected \")\" after the 3 arguments of If3, found \"1000/2\"",
        ),
        (
            with("(If3 IsMate", "(IsMate IsMate"),
            (6, 6),
            "expected a function after \"(\", found IsMate",
        ),
        (
            with("(If3 IsMate", "(If3 Not"),
            (6, 10),
            "expected \"(\" before the function Not",
        ),
        (
            with("KRKR", "KRKX"),
            (4, 12),
            "expected an ending such as KRKR or KQRKQR, found \"KRKX\"",
        ),
        (
            with("KRKR", ""),
            (4, 12),
            "expected an ending such as KRKR, found \")\"",
        ),
        (
            with("(version 1)", "(version 1) (version 1)"),
            (2, 16),
            "expected the part version once",
        ),
        (
            with("(endings KRKR)", "(endings KRKR KQKQ KRKR)"),
            (4, 22),
            "expected KRKR once, it is here again",
        ),
        (
            with("(endings KRKR)", "(endings KK)"),
            (4, 12),
            "nobody can mate with this",
        ),
        (
            with("(even", "(level"),
            (7, 4),
            "expected one of functions, provenance, version",
        ),
        (
            whole.clone() + "x",
            (11, 1),
            "expected nothing after the program, found \"x\"",
        ),
        (
            with("(version 1)", "(provenance \"a\n"),
            (2, 15),
            "expected a closing quotation mark",
        ),
        (
            format!("(program (even {deep}"),
            (1, 17),
            "expected a Float here, Not is Boolean",
        ),
        (
            format!("(program (even (If3 {deep}"),
            (1, 337),
            "expected at most 64 levels",
        ),
    ] {
        let error = Program::parse(&text).unwrap_err();
        let short: String = text.chars().take(300).collect();
        assert!(error.why.contains(said), "{short}\n{error}");
        assert_eq!((error.line, error.column), place, "{short}\n{error}");
    }
    let missing = Program::parse("(program (version 1) (endings KRKR))").unwrap_err();
    assert!(
        missing.why.contains("expected a part (advantage …)"),
        "{missing}"
    );
}

/// A byte-order mark and line ends of any kind change nothing; a comment ends with its line.
#[test]
fn files_of_any_editor_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sexp");
    let text = std::fs::read_to_string(shipped("master.sexp")).unwrap();
    assert!(text.contains(';'));
    for text in [
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        text.replacen('\n', "\r", 2),
    ] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(Program::load(&path).unwrap(), master());
    }
}

#[test]
fn files_that_are_no_programs_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sexp");
    for (bytes, said) in [
        (&b"(program (even x"[..], "line 1, column 16: "),
        (b"(program\n\xff", "line 2 is no UTF-8"),
        (
            &[b';'; (1 << 20) + 1],
            "expected a program of at most 1048576 bytes",
        ),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = Program::load(&path).unwrap_err().to_string();
        assert!(
            error.contains("a.sexp: ") && error.contains(said),
            "{error}"
        );
    }
    assert!(Program::load(&folder.path().join("none")).is_err());
    assert!(Program::load(folder.path()).is_err());
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let node = |name: &str| named(name).unwrap();
    let (if3, mate, material) = (node("If3"), node("IsMate"), node("EvaluateMaterial"));
    let tree = Tree::new(vec![if3, mate, material, material]).unwrap();
    assert_eq!(
        (tree.depth(), tree.subtree(0).len(), tree.subtree(1).len()),
        (2, 4, 1)
    );
    assert_eq!(tree.arguments(0).collect::<Vec<_>>(), [1, 2, 3]);
    for (nodes, at) in [
        (vec![], 0),
        (vec![mate], 0),
        (vec![if3, material, material, material], 1),
        (vec![if3, mate, material], 3),
        (vec![material, material], 1),
        (vec![if3, mate, u16::MAX, material], 2),
        (vec![material; MAX_NODES + 1], MAX_NODES),
    ] {
        assert_eq!(Tree::new(nodes.clone()).unwrap_err().at, at, "{nodes:?}");
    }
    // The deepest tree that is one, and one level more.
    let nested = |levels: usize| {
        let mut nodes = vec![node("Not"); levels - 2];
        nodes.insert(0, if3);
        nodes.extend([mate, material, material]);
        Tree::new(nodes)
    };
    assert_eq!(nested(MAX_DEPTH).unwrap().depth(), MAX_DEPTH);
    assert!(nested(MAX_DEPTH + 1).is_err());
    // A branch for another.
    let other = tree.replaced(2, tree.nodes()).unwrap();
    assert_eq!(
        other.to_string(),
        "(If3 IsMate (If3 IsMate EvaluateMaterial EvaluateMaterial) EvaluateMaterial)"
    );
    assert!(tree.replaced(1, &[material]).is_err());
}

/// Nodes of a random tree that is one: each number chooses among what fits, and near the bounds among what has no
/// arguments.
fn grown(choices: &[u16], deepest: usize) -> Vec<u16> {
    let mut nodes = Vec::new();
    let mut open = vec![(Kind::Float, 1)];
    let mut choices = choices.iter().cycle();
    while let Some((kind, level)) = open.pop() {
        let is_leaf = level >= deepest || nodes.len() + open.len() > 200;
        let fits = |&place: &usize| {
            let primitive = &PRIMITIVES[place];
            kind.accepts(primitive.result) && (!is_leaf || !primitive.is_function())
        };
        let fitting: Vec<usize> = (0..PRIMITIVES.len()).filter(fits).collect();
        let choice = usize::from(*choices.next().unwrap());
        // Functions are a few among many terminals, so every other node is one where it may be.
        let functions: Vec<usize> = fitting
            .iter()
            .copied()
            .filter(|&p| PRIMITIVES[p].is_function())
            .collect();
        let from = if choice % 2 == 0 && !functions.is_empty() {
            &functions
        } else {
            &fitting
        };
        let node = from[choice / 2 % from.len()];
        nodes.push(node as u16);
        open.extend(
            PRIMITIVES[node]
                .arguments
                .iter()
                .rev()
                .map(|&kind| (kind, level + 1)),
        );
    }
    nodes
}

proptest! {
    #![proptest_config(tests::cases(40))]

    /// The fast interpreter, the cache and the slow interpreter choose alike, for any tree at any position.
    #[test]
    fn fast_and_slow_choose_alike(
        choices in proptest::collection::vec(any::<u16>(), 3..60),
        seed in any::<u64>(),
        ending in 0..4_usize,
    ) {
        let tree = Tree::new(grown(&choices, 9)).unwrap();
        prop_assert_eq!(&Tree::parse(&tree.to_text(7, 60)).unwrap(), &tree);
        let program = Program::new(Vec::new(), String::new(), [tree.clone(), tree.clone(), tree.clone()]);
        let name = ["KRKR", "KQKQ", "KRRKRR", "KQRKQR"][ending];
        let mut position = start(&name.parse().unwrap(), seed).unwrap();
        let mut cache = Cache::new(4);
        let mut best = Vec::new();
        for ply in 0..6 {
            let Some(mv) = naive::choose(&program, &position, ply) else { break };
            let candidates = cache.candidates(&position);
            prop_assert_eq!(choose(&program, candidates, ply), Some(mv));
            best_moves(&program, cache.candidates(&position), &mut best);
            prop_assert!(best.contains(&mv));
            for (mv, terminals) in Candidates::new(&position).moves() {
                let value = tree.evaluate(terminals);
                prop_assert!(value.is_finite() && value.abs() < 10_000.0);
                prop_assert_eq!(value, naive::evaluate(&tree, &position, *mv));
            }
            position = position.play(mv);
        }
    }
}

proptest! {
    #![proptest_config(tests::cases(2000))]

    /// No text panics: bytes at random, and a program with pieces cut out, doubled and overwritten.
    #[test]
    fn no_text_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        edits in proptest::collection::vec((any::<u16>(), 0..30_usize, "[ ()\"\\\\;a-zA-Z0-9*#/-]{0,4}"), 0..6),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Program::parse(&text);
        let _ = Tree::parse(&text);
        let mut text: Vec<char> = master().to_string().chars().collect();
        for (at, length, by) in edits {
            let at = usize::from(at) % text.len().max(1);
            let end = (at + length).min(text.len());
            text.splice(at..end, by.chars());
        }
        let text: String = text.iter().collect();
        match Program::parse(&text) {
            Ok(program) => prop_assert_eq!(Program::parse(&program.to_string()).unwrap(), program),
            Err(error) => prop_assert!(error.line >= 1 && error.column >= 1 && error.why.contains("expected")
                || error.why.contains("no side can have")),
        }
    }
}

/// The guide's table of the language is this one: `cargo run -p engine --example programs -- table` prints it.
#[test]
fn the_guide_has_the_table_of_the_language() {
    let path = tests::workspace().join("docs/guide/src/endgame-programs.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let head = "| name | also | type | value | paper |\n|---|---|---|---|---|\n";
    let (_, table) = page.split_once(head).unwrap();
    assert_eq!(table, engine::program::table());
}
