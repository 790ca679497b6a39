//! Binary-reflected Gray code (F. Gray, US patent 2,632,058, 1953): neighbouring numbers differ
//! in one bit, so one mutation can always reach the next higher and the next lower value.

/// The code word of a number.
pub const fn encode(number: u32) -> u32 {
    number ^ (number >> 1)
}

/// The number of a code word.
pub const fn decode(code: u32) -> u32 {
    let mut number = code;
    let mut shift = 1;
    while shift < u32::BITS {
        number ^= number >> shift;
        shift *= 2;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn table_of_three_bits() {
        let table = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
        for (number, code) in (0..).zip(table) {
            assert_eq!(encode(number), code);
            assert_eq!(decode(code), number);
        }
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn round_trip(number: u32) {
            prop_assert_eq!(decode(encode(number)), number);
            prop_assert_eq!(encode(decode(number)), number);
        }

        #[test]
        fn neighbours_differ_in_one_bit(number in 0..u32::MAX) {
            prop_assert_eq!((encode(number) ^ encode(number + 1)).count_ones(), 1);
        }
    }
}
