//! From trees of genetic programming to programs that play endgames: the engine's language as a table of signatures.

use crate::base::files::sha256;
use crate::evolution::genetic_programming::Individual;
use crate::evolution::genetic_programming::signatures::{Signature, Signatures};
use engine::nearest::nearest;
use engine::program::{Expression, Kind, PRIMITIVES, Primitive, Program, Tree};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// The kinds of values, by their numbers in signatures.
const KINDS: [Kind; 3] = [Kind::Boolean, Kind::Float, Kind::Query];

/// What trees are made of, as evolution sees it and as the engine does.
#[derive(Clone, Debug)]
pub struct Language {
    /// As evolution sees it.
    pub signatures: Signatures,
    /// For each signature, the places in the engine's table of what it stands for: a primitive, or all of a cell.
    nodes: Vec<Vec<u16>>,
}

impl Language {
    /// The paper's language with these terminals of ours; or, if the second list names some, the functions and constants
    /// with those terminals alone; without the terminals and constants of the third. Functions of which no argument can
    /// be given are left out: where no terminal is Boolean, nothing can be decided, and a tree is a terminal or a
    /// constant.
    ///
    /// Cells are expressions made by hand that evolution takes for terminals and never takes apart (2005 §5.3).
    ///
    /// # Errors
    /// A name that none has, one that is wanted and not wanted, or no tree is left at all.
    pub fn new(
        with: &[String],
        only: &[String],
        without: &[String],
        cells: &[Expression],
    ) -> Result<Language, String> {
        let with = places(
            "with",
            with,
            "terminal beyond the paper's",
            Primitive::is_ours,
        )?;
        let only = places("only", only, "terminal", Primitive::is_terminal)?;
        let what = "terminal or constant";
        let without = places("without", without, what, |one| !one.is_function())?;
        let mut wanted = with.iter().chain(&only);
        if let Some(&both) = wanted.find(|one| without.contains(one)) {
            let name = PRIMITIVES[usize::from(both)].name;
            return Err(format!(
                "without: {name} is named by with or only, too, expected one of them"
            ));
        }
        let is_kept = |place: &u16| {
            let primitive = &PRIMITIVES[usize::from(*place)];
            let is_wanted = match primitive.is_terminal() {
                true if !only.is_empty() => only.contains(place),
                _ => !primitive.is_ours(),
            };
            (is_wanted || with.contains(place)) && !without.contains(place)
        };
        let kept = (0..PRIMITIVES.len() as u16).filter(is_kept);
        let primitives = completable(kept.collect(), cells);
        let number = |kind: &Kind| KINDS.iter().position(|one| one == kind).unwrap_or(0) as u8;
        let of_primitive = |&place: &u16| {
            let primitive = &PRIMITIVES[usize::from(place)];
            Signature {
                result: number(&primitive.result),
                arguments: primitive.arguments.iter().map(number).collect(),
                is_constant: primitive.constant().is_some(),
            }
        };
        let of_cell = |cell: &Expression| Signature {
            result: number(&cell.kind),
            arguments: Vec::new(),
            is_constant: false,
        };
        let of_primitives = primitives.iter().map(of_primitive);
        let fits = KINDS.map(|wanted| KINDS.map(|given| wanted.accepts(given)).to_vec());
        let signatures = Signatures::new(
            of_primitives.chain(cells.iter().map(of_cell)).collect(),
            fits.to_vec(),
            // What a tree's value is: see `engine::program`.
            number(&Kind::Float),
        );
        let signatures = signatures.map_err(|error| {
            let kinds = "kind 0 is Boolean, 1 Float, 2 Query";
            format!("only and without: {error} ({kinds})")
        })?;
        let cells = cells.iter().map(|cell| cell.nodes.clone());
        let nodes = primitives.into_iter().map(|place| vec![place]);
        Ok(Language {
            signatures,
            nodes: nodes.chain(cells).collect(),
        })
    }

    /// The program of an individual; the individual's trees are complete trees of the language, or else there is none.
    pub fn program(&self, individual: &Individual) -> Option<Program> {
        let tree = |nodes: &Vec<u16>| -> Option<Tree> {
            let places = |&node: &u16| Some(self.nodes.get(usize::from(node))?.as_slice());
            let nodes: Option<Vec<&[u16]>> = nodes.iter().map(places).collect();
            Tree::new(nodes?.concat()).ok()
        };
        let trees: Option<Vec<Tree>> = individual.trees.iter().map(tree).collect();
        let trees: [Tree; 3] = trees?.try_into().ok()?;
        Some(Program::new(Vec::new(), String::new(), trees))
    }
}

/// The places of primitives that a key names, by their names or aliases.
fn places(
    key: &str,
    names: &[String],
    what: &str,
    counts: fn(&Primitive) -> bool,
) -> Result<Vec<u16>, String> {
    let of = |one: &Primitive, name: &str| {
        let mut all = std::iter::once(&one.name).chain(one.aliases);
        all.any(|own| own.eq_ignore_ascii_case(name))
    };
    let place = |name: &String| {
        let found = PRIMITIVES
            .iter()
            .position(|one| counts(one) && of(one, name));
        found.map(|place| place as u16).ok_or_else(|| {
            let known = PRIMITIVES.iter().filter(|one| counts(one));
            let known: Vec<&str> = known.map(|one| one.name).collect();
            let hint = match (nearest(name, known.iter().copied()), known.len()) {
                (Some(hint), _) => format!("; did you mean {hint}?"),
                (None, ..=8) => format!(", expected {}", known.join(" or ")),
                (None, _) => String::new(),
            };
            format!("{key}: there is no {what} {name:?}{hint}")
        })
    };
    names.iter().map(place).collect()
}

/// Those of some primitives that a finite tree can have: all arguments can be given by others of them or by cells.
fn completable(mut primitives: Vec<u16>, cells: &[Expression]) -> Vec<u16> {
    let of = |place: u16| &PRIMITIVES[usize::from(place)];
    let of_cells: Vec<Kind> = cells.iter().map(|cell| cell.kind).collect();
    let mut given = of_cells.clone();
    loop {
        let is_complete = |place: &u16| {
            let arguments = of(*place).arguments;
            let can_be = |wanted: &Kind| given.iter().any(|&one| wanted.accepts(one));
            arguments.iter().all(can_be)
        };
        let complete: Vec<u16> = primitives.iter().copied().filter(is_complete).collect();
        let results = complete.iter().map(|&place| of(place).result);
        let now: Vec<Kind> = of_cells.iter().copied().chain(results).collect();
        if now.len() == given.len() {
            primitives = complete;
            return primitives;
        }
        given = now;
    }
}

/// A program that plays, shared in this process, and as another process gets it: the trees alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Player(pub Arc<Program>);

impl Player {
    /// Who scores all positions the same, and so plays any legal move with the same probability.
    pub fn random() -> Option<Player> {
        let constant = PRIMITIVES.iter().position(|one| one.constant().is_some())?;
        let tree = || Tree::new(vec![constant as u16]).ok();
        let trees = [tree()?, tree()?, tree()?];
        Some(Player(Arc::new(Program::new(
            Vec::new(),
            String::new(),
            trees,
        ))))
    }

    /// Its trees by the names of their nodes, which outlive their places in a table.
    pub fn names(&self) -> String {
        let tree = |tree: &Tree| {
            let names = tree.nodes().iter();
            let names = names.filter_map(|&node| PRIMITIVES.get(usize::from(node)));
            names.map(|one| one.name).collect::<Vec<_>>().join(" ")
        };
        self.0.trees().map(tree).join("\n")
    }

    /// What tells it from others.
    pub fn digest(&self) -> String {
        sha256(self.names().as_bytes())
    }
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.trees().map(Tree::nodes).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Player, D::Error> {
        let [advantage, even, disadvantage] = <[Vec<u16>; 3]>::deserialize(from)?;
        let tree = |nodes| Tree::new(nodes).map_err(D::Error::custom);
        let trees = [tree(advantage)?, tree(even)?, tree(disadvantage)?];
        Ok(Player(Arc::new(Program::new(
            Vec::new(),
            String::new(),
            trees,
        ))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::algorithm::Algorithm as _;
    use crate::evolution::genetic_programming::tree::Bounds;
    use crate::evolution::genetic_programming::{GeneticProgramming, Origin, Settings};

    /// What evolution calls feasible the engine takes, and hands on as it is.
    #[test]
    fn every_individual_is_a_program() {
        let language = Language::new(&[], &[], &["IsMate".into(), "1000/2".into()], &[]).unwrap();
        let ours = PRIMITIVES.iter().filter(|one| one.is_ours()).count();
        assert_eq!(language.signatures.len(), PRIMITIVES.len() - ours - 2);
        let bounds = Bounds {
            depth: 17,
            nodes: 200,
        };
        let settings = Settings {
            population: 200,
            bounds: vec![bounds; 3],
            first_depths: (1, 8),
            crossover: 0.5,
            mutation: 0.3,
            tournament: 2,
            elitism: 0,
            parsimony: false,
        };
        let mut all = GeneticProgramming::new(language.signatures.clone(), settings, 1);
        for _ in 0..10 {
            for individual in all.ask().individuals {
                let player = Player(Arc::new(language.program(&individual).unwrap()));
                let depths = player.0.trees().map(Tree::depth);
                assert!(depths.iter().all(|&depth| depth <= 17));
                let names = player.names();
                assert!(
                    !names
                        .split_whitespace()
                        .any(|name| name == "IsMate" || name == "1000/2")
                );
                let text = serde_json::to_string(&player).unwrap();
                let back: Player = serde_json::from_str(&text).unwrap();
                assert_eq!((back.names(), back.digest()), (names, player.digest()));
            }
            let fitness: Vec<u64> = (0..200).collect();
            all.tell(crate::evolution::algorithm::Feedback {
                fitness: &fitness,
                elite: None,
            });
        }
        assert!(serde_json::from_str::<Player>("[[0],[0],[0]]").is_err());
    }

    /// The language with these terminals of ours, of these alone, without these.
    fn language(with: &[&str], only: &[&str], without: &[&str]) -> Result<Language, String> {
        let [with, only, without] = [with, only, without]
            .map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>());
        Language::new(&with, &only, &without, &[])
    }

    #[test]
    fn what_is_left_out_must_be_there_and_not_be_needed() {
        let refused = |of: &[&str]| language(&[], &[], of).unwrap_err();
        assert!(refused(&["IsMat"]).contains("did you mean IsMate?"));
        assert!(refused(&["If3"]).contains("no terminal or constant"));
        let terminals = PRIMITIVES.iter().filter(|one| !one.is_function());
        let said = refused(&terminals.map(|one| one.name).collect::<Vec<_>>());
        assert!(said.contains("can be completed"), "{said}");
    }

    /// Worked out by hand: seven functions and twelve constants. With a Boolean all seven have arguments; with a number
    /// alone there is no condition, so none is left; a Query stands for both.
    #[test]
    fn a_few_terminals_bring_the_functions_that_they_complete() {
        let count = |only: &[&str], without: &[&str]| {
            language(&[], only, without).map(|language| language.signatures.len())
        };
        let ours = PRIMITIVES.iter().filter(|one| one.is_ours()).count();
        assert_eq!(count(&[], &[]), Ok(PRIMITIVES.len() - ours));
        assert_eq!(count(&["IsMate"], &[]), Ok(7 + 12 + 1));
        assert_eq!(count(&["EvaluateMaterial"], &[]), Ok(12 + 1));
        assert_eq!(count(&["-1000*MateInOne"], &[]), Ok(7 + 12 + 1));
        assert_eq!(
            count(&["EvaluateMaterial", "IsMate"], &["1000/2"]),
            Ok(7 + 11 + 2)
        );
        // The paper's other names, in any case.
        assert_eq!(count(&["materialvalue"], &[]), Ok(12 + 1));
        let refused = |only: &[&str], without: &[&str]| language(&[], only, without).unwrap_err();
        ::tests::says(
            &refused(&["IsMat"], &[]),
            &["only: there is no terminal \"IsMat\"; did you mean IsMate?"],
        );
        assert_eq!(count(&["OppCannotCheckAndWin"], &[]), Ok(7 + 12 + 1));
        assert!(refused(&["1000/2"], &[]).contains("no terminal \"1000/2\""));
        assert!(refused(&["IsMate"], &["IsMate"]).contains("IsMate is named by with or only"));
    }

    /// Worked out by hand: with a Boolean cell alone all seven functions can be completed, as with a Boolean terminal.
    /// A tree of the cell twice, `(Smaller cell cell)` below an `If3`, has the cell's three nodes in each place.
    #[test]
    fn a_cell_is_one_node_to_evolution_and_all_of_its_own_in_a_program() {
        let cell = Expression::parse("(And2 IsMate NotMyKingInCheck)").unwrap();
        assert_eq!((cell.kind, cell.depth), (Kind::Boolean, 2));
        let only = ["EvaluateMaterial".to_string()];
        let language = Language::new(&[], &only, &[], &[cell]).unwrap();
        assert_eq!(language.signatures.len(), 7 + 12 + 1 + 1);
        let place = |name: &str| {
            let wanted = vec![engine::program::named(name).unwrap()];
            let mut all = language.nodes.iter();
            all.position(|nodes| *nodes == wanted).unwrap() as u16
        };
        let (cell, material) = (20, place("EvaluateMaterial"));
        let tree = vec![
            place("If3"),
            place("Smaller"),
            cell,
            cell,
            material,
            material,
        ];
        let individual = Individual {
            trees: vec![tree; 3],
            origin: Origin::Random,
        };
        let program = language.program(&individual).unwrap();
        let cell = "(And2 IsMate NotMyKingInCheck)";
        let expected = format!("(If3 (Smaller {cell} {cell}) EvaluateMaterial EvaluateMaterial)");
        assert!(
            program
                .trees()
                .iter()
                .all(|tree| tree.to_string() == expected)
        );
    }

    /// What is ours is there if it is asked for, under whatever case, and only then; what is the paper's is no addition.
    #[test]
    fn terminals_of_ours_come_by_name() {
        let count =
            |with: &[&str]| language(with, &[], &[]).map(|language| language.signatures.len());
        let papers = count(&[]).unwrap();
        assert_eq!(count(&["opPCannotCheckAndWin"]), Ok(papers + 1));
        assert_eq!(
            count(&["OppCannotCheckAndWin", "IsPieceWonNext"]),
            Ok(papers + 2)
        );
        let said = count(&["IsMate"]).unwrap_err();
        ::tests::says(
            &said,
            &["\"IsMate\", expected OppCannotCheckAndWin or IsPieceWonNext"],
        );
    }
}
