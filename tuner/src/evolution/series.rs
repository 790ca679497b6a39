//! Logarithm and exponential from operations whose result IEEE 754 prescribes to the last bit: those of
//! the standard library are the platform's, which differ in the last bits from one machine to another.

/// The square root of 2, where the parts of the logarithm meet.
const SQRT_2: f64 = std::f64::consts::SQRT_2;
/// Terms of the logarithm's series: the first left out is below 10⁻¹⁸ of the first.
const TERMS: u32 = 12;
/// Beyond this the exponential is as good as none, or more than a number can be.
const MOST_EXPONENT: f64 = 700.0;

/// The natural logarithm of a positive normal number, to 10⁻¹⁵ of it or of 1; for others it is not a number.
///
/// ln x = ln m + e ln 2 with m near 1, and ln m = 2 artanh s with s = (m - 1) / (m + 1).
pub fn ln(number: f64) -> f64 {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    const EXPONENT_OF_1: i64 = f64::MAX_EXP as i64 - 1;
    if !number.is_normal() || number < 0.0 {
        return f64::NAN;
    }
    let bits = number.to_bits();
    let mut exponent = (bits >> FRACTION_BITS) as i64 - EXPONENT_OF_1;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let mut near_1 = f64::from_bits(fraction | (EXPONENT_OF_1 as u64) << FRACTION_BITS);
    if near_1 > SQRT_2 {
        near_1 /= 2.0;
        exponent += 1;
    }
    let s = (near_1 - 1.0) / (near_1 + 1.0);
    let square = s * s;
    let series = (0..TERMS).rev().fold(0.0, |sum, term| {
        sum * square + 1.0 / f64::from(2 * term + 1)
    });
    2.0 * s * series + exponent as f64 * std::f64::consts::LN_2
}

/// The exponential, to 10⁻¹² of it; of what is beyond ±700, that of ±700.
///
/// The argument is halved until it is small, and what its Taylor series comes to is squared as often.
pub fn exp(number: f64) -> f64 {
    let mut small = number.clamp(-MOST_EXPONENT, MOST_EXPONENT);
    let mut halvings = 0;
    while small.abs() > 0.5 {
        small /= 2.0;
        halvings += 1;
    }
    // The first term left out is below 10⁻¹⁸.
    let series = (1..16)
        .rev()
        .fold(1.0, |sum, term| 1.0 + sum * small / f64::from(term));
    (0..halvings).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Step sizes and weights are as wrong as these are, and the standard library's are known to be right.
    fn agrees(ours: f64, std: f64) -> bool {
        (ours - std).abs() <= 1e-12 * std.abs()
    }

    #[test]
    fn what_is_known_exactly() {
        assert_eq!((ln(1.0), exp(0.0)), (0.0, 1.0));
        assert_eq!(ln(2.0), std::f64::consts::LN_2);
        assert!(agrees(exp(1.0), std::f64::consts::E));
    }

    #[test]
    fn what_has_no_logarithm_gets_none_and_nothing_is_infinite() {
        for number in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0] {
            assert!(ln(number).is_nan(), "{number}");
        }
        assert_eq!(exp(f64::INFINITY), exp(MOST_EXPONENT));
        assert!(exp(MOST_EXPONENT).is_finite() && exp(-f64::INFINITY) > 0.0);
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn as_the_standard_librarys(exponent in -1000..1000_i32, fraction in 1.0..2.0_f64, number in -700.0..700.0_f64, small in -1e-3..1e-3_f64) {
            let positive = fraction * 2_f64.powi(exponent);
            prop_assert!(agrees(ln(positive), positive.ln()), "ln {}", positive);
            // Near 1 the logarithm is near 0, where what is lost would show the most.
            prop_assert!(agrees(ln(1.0 + small), (1.0 + small).ln()), "ln 1 + {}", small);
            for number in [number, small] {
                prop_assert!(agrees(exp(number), number.exp()), "exp {}", number);
            }
        }
    }
}
