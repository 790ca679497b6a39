//! Text → whole numbers, however long; pure.

/// A whole number of any length, clamped to the target's range; `None` if the text is none.
pub(super) fn clamped<T: Clamp>(text: &str) -> Option<T> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude = digits.iter().fold(0i128, |sum, digit| {
        (sum * 10 + i128::from(digit - b'0')).min(i128::from(u64::MAX))
    });
    Some(T::clamp_from(if negative { -magnitude } else { magnitude }))
}

/// A number that takes the nearest value in its range.
pub(super) trait Clamp: Sized {
    fn clamp_from(value: i128) -> Self;
}

macro_rules! clamp {
    ($($number:ty),*) => {$(
        impl Clamp for $number {
            fn clamp_from(value: i128) -> $number {
                value.clamp(<$number>::MIN as i128, <$number>::MAX as i128) as $number
            }
        }
    )*};
}
clamp!(i64, u64, u32, usize);
