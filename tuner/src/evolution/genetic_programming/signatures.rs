//! The language as evolution sees it: what each primitive gives and what it takes, and how small a tree can be that
//! gives a kind of value.

use std::fmt;

/// A kind of value, by its number.
pub type Kind = u8;

/// What is known of a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The kind of value that it gives.
    pub result: Kind,
    /// The kinds that it takes, in order; none makes it a terminal.
    pub arguments: Vec<Kind>,
    /// Whether it is a constant, of which all together are drawn as one terminal (an ephemeral random constant).
    pub is_constant: bool,
}

/// A table of primitives from which no wanted kind is out of reach.
#[derive(Clone, Debug)]
pub struct Signatures {
    primitives: Vec<Signature>,
    /// The kind that a whole tree gives.
    root: Kind,
    /// By kind wanted and kind given: whether the one will do for the other.
    fits: Vec<Vec<bool>>,
    /// By kind wanted: functions, terminals that are no constants, constants.
    choices: Vec<[Vec<u16>; 3]>,
    /// By depth and kind wanted: nodes of the smallest tree of no more levels; deeper ones are not smaller.
    least: Vec<Vec<Option<usize>>>,
}

/// Why a table is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Every tree that gives this kind would have to go on without end.
    Endless(Kind),
    /// There is no such kind.
    Unknown(Kind),
    /// More primitives than a tree can name.
    TooMany(usize),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Endless(kind) => write!(
                f,
                "no tree that gives kind {kind} can be completed: every primitive for it needs others without end"
            ),
            Refused::Unknown(kind) => write!(f, "there is no kind {kind}"),
            Refused::TooMany(count) => {
                write!(f, "{count} primitives, expected {} at most", u16::MAX)
            }
        }
    }
}

impl Signatures {
    /// A table. `fits[wanted][given]` says whether a kind will do where another is wanted; `root` is what a whole
    /// tree has to give.
    ///
    /// # Errors
    /// A kind that the root or an argument wants can't be given by any finite tree.
    pub fn new(
        primitives: Vec<Signature>,
        fits: Vec<Vec<bool>>,
        root: Kind,
    ) -> Result<Signatures, Refused> {
        if primitives.len() > usize::from(u16::MAX) {
            return Err(Refused::TooMany(primitives.len()));
        }
        let named = primitives.iter();
        let named = named.flat_map(|one| one.arguments.iter().chain([&one.result]));
        let named: Vec<Kind> = named.chain([&root]).copied().collect();
        let kinds = fits.len();
        let is_square = fits.iter().all(|row| row.len() == kinds);
        let unknown = |kind: &&Kind| !is_square || usize::from(**kind) >= kinds;
        if let Some(&kind) = named.iter().find(unknown) {
            return Err(Refused::Unknown(kind));
        }
        let choices = fits.iter().map(|wanted| {
            let mut choices = [Vec::new(), Vec::new(), Vec::new()];
            for (index, one) in (0..).zip(&primitives) {
                if wanted[usize::from(one.result)] {
                    let group = match (one.arguments.is_empty(), one.is_constant) {
                        (false, _) => 0,
                        (true, false) => 1,
                        (true, true) => 2,
                    };
                    choices[group].push(index);
                }
            }
            choices
        });
        let mut table = Signatures {
            root,
            choices: choices.collect(),
            least: vec![vec![None; kinds]],
            fits,
            primitives,
        };
        // On a way from its root down, the smallest tree wants no kind twice: the inner one would do for the outer.
        for depth in 1..=kinds as u32 {
            let row = (0..kinds as u8).map(|wanted| {
                let all = table.choices[usize::from(wanted)].iter().flatten();
                all.filter_map(|&one| table.least_of(one, depth)).min()
            });
            let row = row.collect();
            table.least.push(row);
        }
        let arguments = table.primitives.iter().flat_map(|one| &one.arguments);
        let mut wanted = arguments.chain([&root]).copied();
        let endless = wanted.find(|&kind| table.least(kind, u32::MAX).is_none());
        drop(wanted);
        match endless {
            Some(kind) => Err(Refused::Endless(kind)),
            None => Ok(table),
        }
    }

    /// The kind that a whole tree gives.
    pub fn root(&self) -> Kind {
        self.root
    }

    /// Number of primitives.
    pub fn len(&self) -> usize {
        self.primitives.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.primitives.is_empty()
    }

    /// A primitive's signature, if there is such a primitive.
    pub fn get(&self, primitive: u16) -> Option<&Signature> {
        self.primitives.get(usize::from(primitive))
    }

    /// The kinds that a primitive takes.
    pub fn arguments(&self, primitive: u16) -> &[Kind] {
        self.get(primitive).map_or(&[], |one| &one.arguments)
    }

    /// Whether a primitive is a constant.
    pub fn is_constant(&self, primitive: u16) -> bool {
        self.get(primitive).is_some_and(|one| one.is_constant)
    }

    /// Whether what a primitive gives will do where a kind is wanted.
    pub fn fits(&self, wanted: Kind, primitive: u16) -> bool {
        let given = self.get(primitive).map(|one| usize::from(one.result));
        let row = self.fits.get(usize::from(wanted));
        given.is_some_and(|given| row.is_some_and(|row| row.get(given) == Some(&true)))
    }

    /// The functions, the terminals that are no constants and the constants that will do where a kind is wanted.
    pub fn choices(&self, wanted: Kind) -> &[Vec<u16>; 3] {
        const NONE: &[Vec<u16>; 3] = &[Vec::new(), Vec::new(), Vec::new()];
        self.choices.get(usize::from(wanted)).unwrap_or(NONE)
    }

    /// Nodes of the smallest tree for a kind that has so many levels at most.
    pub fn least(&self, wanted: Kind, depth: u32) -> Option<usize> {
        let row = self.least.len().saturating_sub(1).min(depth as usize);
        *self.least.get(row)?.get(usize::from(wanted))?
    }

    /// Nodes of the smallest tree with this primitive as its root that has so many levels at most.
    pub fn least_of(&self, primitive: u16, depth: u32) -> Option<usize> {
        let below = depth.checked_sub(1)?;
        let arguments = self.arguments(primitive).iter();
        let nodes = arguments.map(|&kind| self.least(kind, below));
        Some(1 + nodes.sum::<Option<usize>>()?)
    }

    /// Levels of the flattest tree for a kind.
    pub fn least_depth(&self, wanted: Kind) -> u32 {
        let mut depths = 1..self.least.len() as u32;
        let flattest = depths.find(|&depth| self.least(wanted, depth).is_some());
        flattest.unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn signature(result: Kind, arguments: &[Kind]) -> Signature {
        Signature {
            result,
            arguments: arguments.to_vec(),
            is_constant: false,
        }
    }

    /// Kinds are each for itself.
    fn strict(kinds: usize) -> Vec<Vec<bool>> {
        (0..kinds)
            .map(|row| (0..kinds).map(|column| row == column).collect())
            .collect()
    }

    /// 0 is a terminal of kind 0; a 1 needs two of kind 0; a 2 needs a 1 and a 0, or three of kind 0 through a
    /// deeper way. Worked out by hand: 1, 3 and 5 nodes on 1, 2 and 3 levels.
    #[test]
    fn the_smallest_trees_are_those_worked_out_by_hand() {
        let primitives = vec![
            signature(0, &[]),
            signature(1, &[0, 0]),
            signature(2, &[1, 0]),
            signature(2, &[1, 1]),
        ];
        let table = Signatures::new(primitives, strict(3), 2).unwrap();
        let least = |kind, depths: [u32; 5]| depths.map(|depth| table.least(kind, depth));
        let depths = [0, 1, 2, 3, 99];
        assert_eq!(least(0, depths), [None, Some(1), Some(1), Some(1), Some(1)]);
        assert_eq!(least(1, depths), [None, None, Some(3), Some(3), Some(3)]);
        assert_eq!(least(2, depths), [None, None, None, Some(5), Some(5)]);
        assert_eq!([0, 1, 2].map(|kind| table.least_depth(kind)), [1, 2, 3]);
        assert_eq!(table.least_of(3, 3), Some(7));
        assert_eq!(table.least_of(3, 2), None);
    }

    /// A chain of kinds that each need the next is completed at its last link only, on as many levels as kinds.
    #[test]
    fn a_chain_is_as_deep_as_there_are_kinds() {
        let mut primitives: Vec<Signature> =
            (0..5).map(|kind| signature(kind, &[kind + 1])).collect();
        primitives.push(signature(5, &[]));
        let table = Signatures::new(primitives, strict(6), 0).unwrap();
        assert_eq!(table.least_depth(0), 6);
        assert_eq!(table.least(0, 6), Some(6));
        assert_eq!(table.least(0, 5), None);
    }

    /// Users of other systems find out at the first tree that can't be completed, or never.
    #[test]
    fn a_kind_that_cannot_be_completed_is_refused() {
        // A Boolean is wanted, and nothing gives one but what wants one.
        let endless = vec![
            signature(0, &[]),
            signature(0, &[1, 0, 0]),
            signature(1, &[1]),
        ];
        let refused = Signatures::new(endless.clone(), strict(2), 0).unwrap_err();
        assert_eq!(refused, Refused::Endless(1));
        assert!(refused.to_string().contains("kind 1"));
        // A kind that fits both completes it.
        let both = [endless, vec![signature(2, &[])]].concat();
        let fits = vec![
            vec![true, false, true],
            vec![false, true, true],
            vec![false, false, true],
        ];
        let table = Signatures::new(both, fits, 0).unwrap();
        assert_eq!(table.least(1, 1), Some(1));
        // Nothing at all gives the root, and kinds that are none.
        assert_eq!(
            Signatures::new(vec![signature(0, &[])], strict(2), 1).unwrap_err(),
            Refused::Endless(1)
        );
        assert_eq!(
            Signatures::new(vec![signature(0, &[7])], strict(2), 0).unwrap_err(),
            Refused::Unknown(7)
        );
    }

    #[test]
    fn constants_are_apart_from_other_terminals() {
        let constant = Signature {
            is_constant: true,
            ..signature(0, &[])
        };
        let primitives = vec![constant, signature(0, &[]), signature(0, &[0])];
        let table = Signatures::new(primitives, strict(1), 0).unwrap();
        assert_eq!(table.choices(0), &[vec![2], vec![1], vec![0]]);
        assert!(table.fits(0, 0) && !table.fits(0, 3) && !table.fits(1, 0));
    }
}
