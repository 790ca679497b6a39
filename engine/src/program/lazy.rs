//! The terminals of a position, each computed at most once and only if some tree asks for it.

use super::primitives::{Operation, PRIMITIVES};
use super::view::View;
use crate::position::Position;
use crate::types::Move;

/// A position after a move, with the terminals that have been asked for so far. All programs of a population
/// may share it: what a terminal says does not depend on who asks.
#[derive(Clone, Debug)]
pub struct LazyTerminals {
    view: View,
    /// A bit for each primitive whose value is known.
    known: u64,
    values: [i16; PRIMITIVES.len()],
}

impl LazyTerminals {
    /// What comes of a legal move; nothing is computed yet.
    pub fn after(position: &Position, mv: Move) -> LazyTerminals {
        LazyTerminals::leaf(position, position, mv)
    }

    /// The same at the end of a search: terminals that compare with the original board (the paper's Table 3)
    /// compare with the one where the search began.
    pub fn leaf(original: &Position, position: &Position, mv: Move) -> LazyTerminals {
        LazyTerminals {
            view: View::after(original, position, mv),
            known: 0,
            values: [0; PRIMITIVES.len()],
        }
    }

    /// The position after the move.
    pub fn position(&self) -> &Position {
        self.view.position()
    }

    /// Gives a terminal this value whatever the position, for everybody who asks from now on: what a program plays
    /// like that can't see it (2005 §5.1, S_DIS). Constants and functions stay as they are.
    pub fn overrule(&mut self, terminal: u16, value: i16) {
        let place = usize::from(terminal);
        if PRIMITIVES.get(place).is_some_and(|one| one.is_terminal()) {
            self.known |= 1 << place;
            self.values[place] = value;
        }
    }

    /// The value of a terminal or a constant; 0 for a function or for no primitive at all.
    #[inline]
    pub fn value(&mut self, primitive: u16) -> f64 {
        let place = usize::from(primitive);
        let Some(value) = self.values.get(place) else {
            return 0.0;
        };
        if self.known >> place & 1 != 0 {
            return f64::from(*value);
        }
        self.find(place)
    }

    #[cold]
    fn find(&mut self, place: usize) -> f64 {
        let value = match PRIMITIVES[place].operation {
            Operation::Constant(value) => return value,
            Operation::Truth(of) => i16::from(of(&self.view)),
            Operation::Number(of) => of(&self.view),
            _ => 0,
        };
        self.known |= 1 << place;
        self.values[place] = value;
        f64::from(value)
    }
}
