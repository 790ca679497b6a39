//! The 33 terms of 2013 Table 1: what each counts, worked out by hand from the text of §3.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used)]

use engine::eval::params::{CORE, EvalParams, FIRST_2013, term};
use engine::eval::{TermSet, Weights, evaluate, features};
use engine::params::{ParamSet, ParamTable as _, layout};
use engine::position::Position;
use proptest::prelude::*;

/// The counts of these rows, own minus opponent's.
fn counts<const N: usize>(fen: &str, rows: [usize; N]) -> [i32; N] {
    let counts = features(&Position::from_fen(fen).unwrap());
    rows.map(|row| counts[row])
}

fn count(fen: &str, row: usize) -> i32 {
    counts(fen, [row])[0]
}

#[test]
fn material() {
    let one_of_each = Position::from_fen("4k3/8/8/8/8/8/P7/RNBQK3 b - - 0 1").unwrap();
    assert_eq!(TermSet::Of2013.counts(&one_of_each)[..5], [-1; 5]);
    assert_eq!(TermSet::Of2013.rows()[..5], [0, 1, 2, 3, 4]);
}

#[test]
fn pawns() {
    // d3 stands behind d5; none has a neighbour.
    let pawns = "4k3/8/8/3P4/8/3P4/P7/4K3 w - - 0 1";
    assert_eq!(count(pawns, term::pawn_doubled_2013), 1);
    assert_eq!(count(pawns, term::pawn_isolated_2013), 3);
    // d3 can't go to d4, which e5 attacks and c4, who has gone by, can't defend. e5 can't go to e4 either, but has
    // no neighbour at all.
    let backward = "4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1";
    assert_eq!(count(backward, term::pawn_backward_2013), 1);
    // c7 stops b2, which stops c7; nobody stops a2.
    let passed = "4k3/2p5/8/8/8/8/PP6/4K3 w - - 0 1";
    assert_eq!(count(passed, term::pawn_passed_2013), 1);
    // c5, f5 and d4, not c3, against e5.
    let central = "4k3/8/8/2P1pP2/3P4/2P5/8/4K3 w - - 0 1";
    assert_eq!(count(central, term::pawn_central_2013), 3 - 1);
    let all = "4k3/8/8/2PPPP2/2PPPP2/8/8/4K3 w - - 0 1";
    assert_eq!(count(all, term::pawn_central_2013), 8);
    // f6, which the paper prints, is not in the centre.
    let f6 = "4k3/8/5P2/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(count(f6, term::pawn_central_2013), 0);
}

#[test]
fn knights() {
    // c3 defends d4, nobody a1.
    let supported = "4k3/8/8/8/3N4/2P5/8/N3K3 w - - 0 1";
    assert_eq!(count(supported, term::knight_supported_2013), 1);
    // e7 can come to e5 and evict d4, but never e4.
    let base = "4k3/4p3/8/8/3NN3/8/8/4K3 w - - 0 1";
    assert_eq!(count(base, term::knight_operations_base_2013), 1);
    // a1 on the edge, b7 next to it, c4 two and e5 three squares from it.
    let rings = [
        term::knight_periphery_0_2013,
        term::knight_periphery_1_2013,
        term::knight_periphery_2_2013,
        term::knight_periphery_3_2013,
    ];
    let four = "4k3/1N6/8/4N3/2N5/8/8/N3K3 w - - 0 1";
    assert_eq!(counts(four, rings), [1, 1, 1, 1]);
    let corner = "4k2n/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(counts(corner, rings), [-1, 0, 0, 0]);
}

/// a1 is behind a2 on a closed file, b1 on one with b7 alone, d1 on an open one, g6 ahead of g2 on a closed one;
/// h1, on a file with h2 alone, has no row.
#[test]
fn rooks() {
    let columns = [
        term::rook_open_column_2013,
        term::rook_semi_open_column_2013,
        term::rook_closed_column_behind_2013,
        term::rook_closed_column_ahead_2013,
    ];
    let rooks = "4k3/pp4p1/6R1/8/8/8/P5PP/RR1R1K1R w - - 0 1";
    assert_eq!(counts(rooks, columns), [1, 1, 1, 1]);
    let alone = "4k3/8/8/8/8/8/7P/4K2R w - - 0 1";
    assert_eq!(counts(alone, columns), [0, 0, 0, 0]);
    // Between two own pawns it is behind one of them.
    let between = "4k3/p7/8/P7/R7/P7/8/4K3 w - - 0 1";
    assert_eq!(counts(between, columns), [0, 0, 1, 0]);
    let seventh = "4k3/1R6/8/8/8/8/r7/4K3 w - - 0 1";
    assert_eq!(count(seventh, term::rook_seven_rank_2013), 0);
    let seventh = "4k3/1R6/8/8/r7/8/8/4K3 w - - 0 1";
    assert_eq!(count(seventh, term::rook_seven_rank_2013), 1);
}

#[test]
fn moves() {
    // a3 and c3, not d2, where a pawn stands.
    let knight = "4k3/8/8/8/8/8/3P4/1N2K3 w - - 0 1";
    assert_eq!(count(knight, term::knight_mobility_2013), 2);
    // a1, a3, c1, c3 and d4, which it takes.
    let bishop = "4k3/8/8/8/3p4/8/1B6/4K3 w - - 0 1";
    assert_eq!(count(bishop, term::bishop_mobility_2013), 5);
    // a2, b1, c1 and d1.
    let rook = "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1";
    assert_eq!(count(rook, term::rook_mobility_2013), 4);
    // b1, c1 and d1.
    let queen = "4k3/8/8/8/8/8/PP6/Q3K3 w - - 0 1";
    assert_eq!(count(queen, term::queen_mobility_2013), 3);
    // d2, e2 and f2: the rook sees f1 through the king. Black's has all five.
    let king = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
    assert_eq!(count(king, term::king_mobility_2013), 3 - 5);
}

#[test]
fn kings() {
    // The queen sees g7 and g8, the knight g7; the rook nothing beside Black's king. Beside White's the rook sees d1
    // and the queen f1.
    let pieces = "7k/8/4N3/8/8/8/8/R3K1Q1 w - - 0 1";
    assert_eq!(count(pieces, term::king_attacking_material_2013), 9 + 3);
    assert_eq!(count(pieces, term::king_defending_material_2013), 5 + 9);
    let castling = |fen| count(fen, term::king_castling_2013);
    assert_eq!(castling("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1"), 1);
    // A rook on a1 has not castled, one on d8 has; nor has one on h1.
    assert_eq!(castling("6k1/8/8/8/8/8/8/R1K5 w - - 0 1"), -1);
    assert_eq!(castling("2kr4/8/8/8/8/8/8/6KR w - - 0 1"), -1);
    assert_eq!(castling("4k3/8/8/8/8/8/6K1/8 w - - 0 1"), 0);
    // f2 and g2 are beside g1, h3 is not.
    let pawns = "4k3/8/8/8/8/7P/5PP1/6K1 w - - 0 1";
    assert_eq!(count(pawns, term::king_pawns_2013), 2);
}

#[test]
fn bishops() {
    let rows = [term::bishop_ahead_2013, term::bishop_pawns_mobility_2013];
    // As in Figure 1: a pawn before the bishop on b6, which can't move.
    let figure = "4k3/8/1b6/2p5/2P5/8/8/4K3 b - - 0 1";
    assert_eq!(counts(figure, rows), [1, 0]);
    // d2 has a step, but no double one.
    let step = "4k3/8/8/8/3n4/8/3P4/2B1K3 w - - 0 1";
    assert_eq!(counts(step, rows), [1, 1]);
    // Both steps, and c3 to take.
    let takes = "4k3/8/8/8/8/2n5/3P4/2B1K3 w - - 0 1";
    assert_eq!(counts(takes, rows), [1, 3]);
    // A pawn behind the bishop does not stand in its way.
    let behind = "4k3/8/8/8/3B4/2P5/8/4K3 w - - 0 1";
    assert_eq!(counts(behind, rows), [0, 0]);
    let pair = "2b1k3/8/8/8/8/8/8/2B1KB2 w - - 0 1";
    assert_eq!(count(pair, term::bishop_pair_2013), 1);
}

/// Table 1's numbers: 33 rows with the pawn as the unit, of which §5.1 takes the first 24, and their bounds.
#[test]
fn layouts_are_those_of_table_1() {
    let names = |name| -> Vec<&str> {
        let genes = layout(name).unwrap();
        let mut names: Vec<&str> = genes.iter().map(|gene| gene.spec().name).collect();
        names.sort_unstable();
        names
    };
    let of_rows = |count| {
        let rows = TermSet::Of2013.rows()[1..count].iter();
        let mut names: Vec<&str> = rows.map(|&row| EvalParams::SPECS[row].name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names("eval-2013"), of_rows(33));
    assert_eq!(names("eval-2013-24"), of_rows(24));
    let bounds = [
        (200, 400),
        (200, 400),
        (400, 600),
        (800, 1000),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 100),
        (-50, 100),
        (-50, 100),
        (-50, 100),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (-50, 50),
        (0, 100),
        (0, 100),
        (0, 100),
        (0, 100),
        (0, 100),
        (-50, 50),
        (-100, 0),
        (0, 100),
        (0, 100),
        (0, 100),
        (-100, 0),
        (0, 100),
        (0, 100),
    ];
    let genes = layout("eval-2013").unwrap();
    for (row, (low, high)) in TermSet::Of2013.rows()[1..].iter().zip(bounds) {
        let gene = genes.iter().find(|gene| gene.index == *row).unwrap();
        assert_eq!((gene.low, gene.high), (low, high), "{}", gene.spec().name);
        // A gene has room for its range, and for less than twice as much.
        let room = 1 << gene.bits;
        assert!((high - low + 1..=2 * (high - low)).contains(&room));
    }
}

/// A player of another evaluation misses nothing of this one, and one of this one all that it doesn't say.
#[test]
fn files_of_other_evaluations_miss_no_rows() {
    let other = "format = 1\n[eval]\nrook_value = 400\n";
    let loaded = ParamSet::parse([("other", other)]).unwrap();
    assert_eq!(loaded.missing_eval.len(), FIRST_2013 - 1);
    let own = "format = 1\n[eval]\nking_pawns_2013 = 4\n";
    let loaded = ParamSet::parse([("own", own)]).unwrap();
    assert_eq!(loaded.missing_eval.len(), term::COUNT - 1);
    // What is written of such a player has its own rows and the pawn, and none of another evaluation.
    let mut params = ParamSet::missing();
    params.eval.pawn_value = 100;
    params.eval.king_pawns_2013 = 4;
    let table = [engine::params::Table::Eval];
    let text = params.to_toml(&["eval-2013"], &[], &table);
    let rows = text
        .lines()
        .filter(|line| line.contains(" = ") && !line.starts_with('#'));
    assert_eq!(rows.count(), 2 + 33, "{text}");
    assert_eq!(
        ParamSet::parse([("again", &text[..])]).unwrap().params,
        params
    );
}

#[test]
fn a_row_belongs_to_a_set_of_terms() {
    let of = |rows: &[usize]| TermSet::of(rows.iter().copied());
    assert_eq!(of(&[0, CORE - 1]), Some(TermSet::Of2014));
    assert_eq!(of(&[0, term::king_pawns_2013]), Some(TermSet::Of2013));
    assert_eq!(of(&[CORE - 1, term::king_pawns_2013]), None);
    assert_eq!(of(&[CORE]), None);
}

proptest! {
    #![proptest_config(tests::cases(128))]

    /// Both sets are counted alone as they are among all terms, and the score is what they make.
    #[test]
    fn sets_are_parts_of_all_counts(
        choices in prop::collection::vec(any::<u16>(), 0..120),
        values in prop::collection::vec(any::<u32>(), 33),
    ) {
        let mut position = Position::startpos();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[usize::from(choice) % moves.len()]);
        }
        let all = features(&position);
        for terms in [TermSet::Of2014, TermSet::Of2013] {
            let counts = terms.counts(&position);
            for (&row, count) in terms.rows().iter().zip(counts) {
                prop_assert_eq!(all[row], count);
            }
            prop_assert!(counts[terms.rows().len()..].iter().all(|&count| count == 0));
        }
        let mut params = EvalParams::missing();
        let mut sum = 0;
        for (&row, value) in TermSet::Of2013.rows().iter().zip(values) {
            let range = &EvalParams::SPECS[row].range;
            params.set(row, range.start() + (value % (range.end() - range.start() + 1) as u32) as i32);
            sum += params.get(row) * all[row];
        }
        prop_assert_eq!(evaluate(&position, &Weights::from(&params)).value(), sum);
    }
}
