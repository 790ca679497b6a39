//! Intervals and tests, with values worked out by hand.

use super::*;

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() < tolerance
}

#[test]
fn mean_and_spread() {
    assert_eq!(mean_and_deviation(&[2, 4, 4, 4, 5, 5, 7, 9]), (5.0, 2.0));
    assert_eq!(mean_and_deviation(&[7]), (7.0, 0.0));
    assert_eq!(mean_and_deviation(&[]), (0.0, 0.0));
    assert_eq!(mean_and_deviation(&[u32::MAX; 9]).1, 0.0);
}

#[test]
fn wilson_intervals() {
    // R: prop.test(81, 263, correct = FALSE), as in Newcombe (1998), table I.
    let (low, high) = wilson(81, 263);
    assert!(close(low, 0.2553, 5e-5) && close(high, 0.3662, 5e-5));
    let (low, high) = wilson(1, 29);
    assert!(close(low, 0.0061, 5e-5) && close(high, 0.1718, 5e-5));
    let (low, high) = wilson(0, 20);
    assert!(low == 0.0 && close(high, 0.1611, 5e-5));
    // The paper's 1,521 of 5,000 held-out positions carry 1.3 points each way.
    let (low, high) = wilson(1521, 5000);
    assert!(close(high - low, 0.0255, 1e-4));
    assert_eq!(wilson(0, 0), (0.0, 1.0));
}

#[test]
fn elo_of_scores() {
    // 2014 Table IV and V: 60.0 % is +70.4, 60.5 % +74.1, 44.5 % −38.4.
    assert!(close(elo(0.6), 70.4, 0.05));
    assert!(close(elo(0.605), 74.1, 0.05));
    assert!(close(elo(0.445), -38.4, 0.05));
    assert_eq!(elo(0.5), 0.0);
}

/// The values that fastchess' own tests have (app/tests/elo_test.cpp, sprt_test.cpp).
#[test]
fn pentanomial_elo_and_sprt_as_published() {
    let of = |counts| Pentanomial { counts };
    let elo = |counts: [u64; 5]| {
        let Difference { elo, interval } = of(counts).elo().unwrap();
        let (low, high) = interval.unwrap();
        (elo, (high - low) / 2.0)
    };
    for (counts, value, error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ] {
        let found = elo(counts);
        let share = |a: f64, b: f64| (a / b - 1.0).abs();
        assert!(
            share(found.0, value) < 0.005 && share(found.1, error) < 0.005,
            "{found:?}"
        );
    }
    assert!(of([34, 54, 63, 64, 75]).superiority().unwrap() > 0.999_9);
    let even = of([332, 433, 498, 333, 334]).superiority().unwrap();
    assert!(close(even, 0.0505, 1e-3));
    for (counts, elo0, elo1, expected) in [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
    ] {
        let ratio = of(counts).log_likelihood_ratio(elo0, elo1);
        assert!(close(ratio, expected, 0.02), "{ratio}");
    }
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 20.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let (low, high) = sprt.bounds();
    assert!(close(low, -2.944, 1e-3) && close(high, 2.944, 1e-3));
    assert_eq!(sprt.decide(&of([0; 5])), Decision::Open);
    assert_eq!(sprt.decide(&of([1, 10, 40, 60, 30])), Decision::Better);
    assert_eq!(sprt.decide(&of([60, 60, 60, 40, 20])), Decision::NotBetter);
    assert_eq!(of([0, 0, 0, 0, 9]).elo(), None);
    assert_eq!(of([0; 5]).elo(), None);
    // Pairs that are all alike don't say how much chance there is in them.
    let even = of([0, 0, 9, 0, 0]);
    assert_eq!(even.elo().unwrap().short_text(), "+0 Elo");
    assert!(even.elo_text().contains("without an interval"));
    assert_eq!(even.superiority(), None);
    // Nor do few pairs, though two won out of two look like much.
    assert_eq!(of([0, 0, 0, 1, 1]).superiority(), None);
    // A score that may as well be 1 has no upper bound.
    let nearly_all = of([0, 0, 1, 1, 14]).elo().unwrap();
    let (low, high) = nearly_all.interval.unwrap();
    assert!(low > 250.0 && high.is_infinite() && high > 0.0);
    assert_eq!(
        nearly_all.short_text(),
        format!("+523 Elo ({low:+.0} to +inf)")
    );
    // Student's intervals by hand: of two pairs 3/4 ± 12.706 · 1/4, of four 5/8 ± 3.182 · 0.0722.
    let (low, high) = of([0, 0, 1, 0, 1]).elo().unwrap().interval.unwrap();
    assert!(low == f64::NEG_INFINITY && high == f64::INFINITY);
    let (low, high) = of([0, 0, 2, 2, 0]).elo().unwrap().interval.unwrap();
    assert!(close(expected_score(low), 0.3953, 1e-3), "{low}");
    assert!(close(expected_score(high), 0.8547, 1e-3), "{high}");
    assert_eq!(
        of([0, 1, 9, 2, 0]).elo().unwrap().short_text(),
        "+14 ± 57 Elo"
    );
}

#[test]
fn who_is_better_beyond_chance() {
    // Two-sided sign tests as in tables: 0 of 5 is 0.0625, 0 of 6 0.03125, 1 of 8 0.0703.
    assert!(close(sign_test(5, 0), 0.0625, 1e-9) && close(sign_test(0, 6), 0.031_25, 1e-9));
    assert!(close(sign_test(1, 7), 0.070_312_5, 1e-9) && close(sign_test(4, 4), 1.0, 1e-9));
    let of = |counts| Pentanomial { counts }.standing();
    assert_eq!(of([0, 0, 0, 2, 3]), Ordering::Equal);
    assert_eq!(of([0, 0, 9, 3, 3]), Ordering::Greater);
    assert_eq!(of([3, 3, 9, 0, 0]), Ordering::Less);
    // From here on the interval.
    assert_eq!(of([1, 4, 10, 12, 3]), Ordering::Greater);
    assert_eq!(of([2, 6, 13, 6, 3]), Ordering::Equal);
    assert_eq!(of([0, 0, 0, 0, 2000]), Ordering::Greater);
    assert_eq!(of([0; 5]), Ordering::Equal);
}

#[test]
fn normal_distribution() {
    for (x, below) in [
        (0.0, 0.5),
        (1.0, 0.841_345),
        (-1.96, 0.024_998),
        (3.0, 0.998_650),
    ] {
        assert!(close(normal_below(x), below, 1e-6), "{x}");
    }
}

#[test]
fn summary_of_few_values() {
    assert_eq!(Summary::of([]), None);
    let one = Summary::of([3.0]).unwrap();
    assert_eq!((one.mean, one.deviation), (3.0, None));
    let three = Summary::of([1.0, 2.0, 3.0]).unwrap();
    assert_eq!((three.mean, three.deviation), (2.0, Some(1.0)));
    assert_eq!(three.text(), "2.0 ± 1.0");
    assert_eq!(Summary::of([1500.0, 1502.0]).unwrap().counts(), "1,501 ± 1");
}

#[test]
fn thousands_are_set_off() {
    for (number, text) in [
        (0_u32, "0"),
        (999, "999"),
        (1000, "1,000"),
        (u32::MAX, "4,294,967,295"),
    ] {
        assert_eq!(thousands(number), text);
    }
}

#[test]
fn one_is_no_plural() {
    let said = [0, 1, 2, 1500].map(|number| counted(number, "game"));
    assert_eq!(said, ["0 games", "1 game", "2 games", "1,500 games"]);
}
