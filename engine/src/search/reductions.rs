//! Late-move reductions: moves far down a good order are first searched less deep
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).

use super::params::SearchParams;
use crate::depth::Depth;

const SIZE: usize = 64;

/// Reductions in quarter plies by remaining plies and move number, worked out once for a set of
/// parameters.
pub struct Reductions([[i16; SIZE]; SIZE]);

impl Reductions {
    /// The table of these parameters.
    pub fn new(params: &SearchParams) -> Box<Reductions> {
        let mut table = Box::new(Reductions([[0; SIZE]; SIZE]));
        if params.lmr_divisor == 0 {
            return table;
        }
        let base = f64::from(params.lmr_base) / 100.0;
        let scale = 100.0 / f64::from(params.lmr_divisor);
        for (row, of_plies) in table.0.iter_mut().zip(LOGARITHMS).skip(1) {
            for (reduction, of_number) in row.iter_mut().zip(LOGARITHMS).skip(1) {
                let plain = base + of_plies * of_number * scale;
                // No line is so long that more would make a difference.
                *reduction = (4.0 * plain).clamp(0.0, 400.0) as i16;
            }
        }
        table
    }

    /// By how much the move with this number is reduced before anything else is known of it.
    #[inline]
    pub fn get(&self, depth: Depth, number: usize) -> i32 {
        let plies = depth.whole_plies().clamp(0, SIZE as i32 - 1);
        i32::from(self.0[plies as usize][number.min(SIZE - 1)])
    }
}

/// The natural logarithms of small numbers; that of 0 is not needed. The compiler sums a series for
/// each, to the same bits for every machine: a library's `ln` may differ in the last place, and
/// with it the node count.
const LOGARITHMS: [f64; SIZE] = {
    let mut logarithms = [0.0; SIZE];
    let mut n = 2;
    while n < SIZE {
        // ln n - ln (n - 1) = 2 artanh(1 / (2n - 1)).
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut sum) = (x, 0.0);
        let mut odd = 1;
        while odd < 40 {
            sum += power / odd as f64;
            power *= x * x;
            odd += 2;
        }
        logarithms[n] = logarithms[n - 1] + 2.0 * sum;
        n += 1;
    }
    logarithms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for n in [1usize, 2, 3, 10, 63] {
            assert!((LOGARITHMS[n] - (n as f64).ln()).abs() < 1e-12);
        }
    }

    #[test]
    fn reductions_grow_and_can_be_turned_off() {
        let mut params = SearchParams::default();
        let table = Reductions::new(&params);
        let at = |plies, number| table.get(Depth::plies(plies), number);
        assert!(at(3, 3) < at(12, 3) && at(12, 3) < at(12, 30));
        params.lmr_divisor = 0;
        assert_eq!(Reductions::new(&params).get(Depth::plies(20), 40), 0);
    }
}
