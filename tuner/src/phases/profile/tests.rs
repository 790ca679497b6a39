//! Profiles: the shipped ones, and what is refused.

use super::*;
use crate::config::coevolution::{Breeding, CoevolutionKeys, Elite};
use crate::config::ecm::EcmKeys;
use crate::config::evolution::{Fitness, Method};
use crate::config::games::OpeningsKey;
use crate::config::grandmaster::GrandmasterKeys;
use crate::evolution::rng::Probability;
use crate::evolution::selection::Selection;
use engine::one_ply::Quiescence;
use proptest::prelude::*;
use std::any::Any;

/// A profile of one phase.
const SMOKE: &str = include_str!("../../../profiles/smoke.toml");
const PAPER: &str = include_str!("../../../profiles/paper-2014.toml");

/// The keys of a phase, whose kind is known.
fn keys_of<K: Any>(profile: &Profile, number: usize) -> &K {
    let keys = profile.phases[number].keys.as_ref() as &dyn Any;
    keys.downcast_ref().unwrap()
}

fn parse(text: &str) -> Result<Profile, String> {
    Profile::parse(Path::new("p.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn the_papers_profile_has_the_papers_sizes() {
    let profile = parse(PAPER).unwrap();
    let phase: &GrandmasterKeys = keys_of(&profile, 0);
    let evolution = &phase.evolution;
    let settings = evolution.method.ga().unwrap();
    assert_eq!(settings.population, 100);
    assert_eq!(evolution.generations, 200);
    assert_eq!(settings.elitism, 1);
    assert_eq!(settings.crossover_rate, Probability::new(0.75));
    assert_eq!(settings.mutation_rate, Probability::new(0.005));
    assert_eq!(settings.selection, Selection::Roulette);
    assert_eq!(evolution.fitness, Fitness::Squared);
    assert_eq!(phase.runs.seeds.len(), 10);
    assert_eq!(phase.positions.count.map(Whole::get), Some(5000));
    assert_eq!(phase.positions.test_count.map(Whole::get), Some(5000));
    let bits: u32 = phase.layout.genes.iter().map(|gene| gene.bits).sum();
    assert_eq!(bits, 224);
    assert_eq!(Quiescence::from(phase.quiescence), Quiescence::default());
}

#[test]
fn the_papers_coevolution_has_the_papers_sizes() {
    let profile = parse(PAPER).unwrap();
    let kinds: Vec<&str> = profile.phases.iter().map(|phase| phase.kind.name).collect();
    assert_eq!(kinds, ["grandmaster", "coevolution", "ecm", "validation"]);
    let phase: &CoevolutionKeys = keys_of(&profile, 1);
    let Breeding::Generational(evolution) = &phase.breeding else {
        panic!("the genetic algorithm is another");
    };
    assert_eq!(evolution.population.map(Whole::get), Some(10));
    assert_eq!(evolution.generations(), 50);
    assert_eq!(evolution.elite, Elite::Best);
    // Nobody plays a confirmation.
    assert_eq!(phase.breeding.most_pairs(), phase.breeding.gauge_pairs());
    let Ok(Method::Ga(settings)) = evolution.method(10) else {
        panic!("the method is another");
    };
    assert_eq!(settings.selection, Selection::Rank);
    assert_eq!(settings.crossover_rate, Probability::new(0.75));
    assert_eq!(settings.mutation_rate, Probability::new(0.005));
    assert_eq!(phase.games.each(), 4);
    assert_eq!(phase.games.openings, OpeningsKey::Paper);
    // Nothing selective.
    assert!(phase.fixed.is_empty());
    parse(include_str!("../../../profiles/night.toml")).unwrap();
}

#[test]
fn the_papers_search_phase_has_the_papers_sizes() {
    let alone = include_str!("../../../profiles/ecm-2014.toml");
    for (text, number) in [(alone, 0), (PAPER, 2)] {
        let profile = parse(text).unwrap();
        let phase: &EcmKeys = keys_of(&profile, number);
        let settings = phase.evolution.method.ga().unwrap();
        assert_eq!((settings.population, phase.evolution.generations), (10, 50));
        assert_eq!(settings.elitism, 1);
        assert_eq!(settings.crossover_rate, Probability::new(0.75));
        assert_eq!(settings.mutation_rate, Probability::new(0.05));
        assert_eq!(settings.selection, Selection::Roulette);
        let bits: u32 = phase.layout.genes.iter().map(|gene| gene.bits).sum();
        assert_eq!(bits, 70);
        let rule = crate::fitness::search_cost::Rule::from(phase.search);
        assert_eq!(rule, crate::fitness::search_cost::Rule::default());
    }
}

#[test]
fn all_shipped_profiles_are_read() {
    let profiles = ::tests::files("tuner/profiles", "toml");
    assert!(!profiles.is_empty());
    for path in profiles {
        Profile::load(&path).unwrap();
    }
}

/// Replaces a line of the smoke profile and returns the error.
fn error(line: &str, by: &str) -> String {
    assert!(SMOKE.contains(line), "{line}");
    parse(&SMOKE.replacen(line, by, 1)).unwrap_err()
}

/// The error names the file, the line in question and each of these words.
fn names(error: &str, words: &[&str]) {
    assert!(error.starts_with("p.toml: line "), "{error}");
    ::tests::says(error, words);
}

#[test]
fn bad_values_are_named_with_line_and_range() {
    parse(SMOKE).unwrap();
    let unknown = error("elitism = 1", "elitsm = 1");
    names(
        &unknown,
        &["elitsm", "unknown field", "did you mean `elitism`?"],
    );
    let elsewhere = error("elitism = 1", "elitism = 1\nnodes = 1");
    names(&elsewhere, &["`nodes` is a key of [games]"]);
    let one = error("count = 2\nseed = 1", "seeds = 1");
    names(&one, &["seeds = 1", "expected a list in brackets: [1]"]);
    let text = error("count = 2\nseed = 1", "seeds = \"one\"");
    names(&text, &["expected a list in brackets: [\"one\"]"]);
    // Never the same word again.
    let table = error("[evolution]", "[games]\nnodes = 1\n\n[evolution]");
    names(
        &table,
        &["`[games]` is a table of phases of kind coevolution, endgames, validation"],
    );
    assert!(!table.contains("did you mean"), "{table}");
    let range = error("elitism = 1", "elitism = -1");
    names(&range, &["elitism = -1", "`-1`", "from 0 to 100000"]);
    let fraction = error("elitism = 1", "elitism = 1.5");
    names(&fraction, &["1.5", "a whole number"]);
    let kind = error("elitism = 1", "elitism = \"one\"");
    names(&kind, &["string \"one\"", "a whole number"]);
    let rate = error("crossover_rate = 0.75", "crossover_rate = 75");
    names(&rate, &["crossover_rate = 75", "from 0.0 to 1.0"]);
    let nan = error("crossover_rate = 0.75", "crossover_rate = nan");
    names(&nan, &["from 0.0 to 1.0"]);
    let missing = error("elitism = 1", "");
    names(&missing, &["[evolution]", "missing field `elitism`"]);
    let format = error("format = 1", "format = 2");
    names(&format, &["format = 2", "expected 1"]);
    let plies = error("max_plies = 6", "max_plies = 31");
    names(&plies, &["max_plies = 31", "from 0 to 30"]);
    let layout = error("eval-2014", "search-2014");
    names(&layout, &["\"search-2014\"", "eval-2014, eval-2011"]);
    let decay = error("layout =", "decay = 101\nlayout =");
    names(&decay, &["decay = 101", "101 is not from 0 to 100"]);
    let phase = error("\"grandmaster\"", "\"grandmother\"");
    names(&phase, &["grandmother", "did you mean `grandmaster`?"]);
    let elite = error("elitism = 1", "elitism = 5000");
    names(
        &elite,
        &[
            "| elitism = 5000",
            "elitism is 5000",
            "less than the population",
        ],
    );
    let paper = |line: &str, by: &str| parse(&PAPER.replace(line, by)).unwrap_err();
    for (keys, said) in [
        ("hours = 0", "found 0, expected a number above 0"),
        ("hours = \"x\"", "expected a number"),
        ("threads = 0", "a whole number from 1 to 1024"),
    ] {
        let hours = paper("format = 1", &format!("format = 1\n{keys}"));
        names(&hours, &[keys, said]);
    }
    for (keys, said) in [
        ("share = 0", "found 0, expected a number above 0"),
        ("name = \"A b\"", "\"A b\" can't be a phase's name"),
    ] {
        let phase = paper("kind = \"ecm\"", &format!("kind = \"ecm\"\n{keys}"));
        names(&phase, &[keys, said]);
    }
    let twice = paper("kind = \"ecm\"", "kind = \"ecm\"\nname = \"coevolution\"");
    names(
        &twice,
        &["[[phase]]", "two phases are called \"coevolution\""],
    );
    let beside = paper("format = 1", "format = 1\nhour = 8");
    names(
        &beside,
        &["hour = 8", "unknown key `hour`", "did you mean `hours`?"],
    );
    for (keys, said) in [
        ("elo0 = 10.0\nelo1 = 10", "elo0 is 10 and elo1 is 10"),
        ("elo0 = nan", "elo0 below elo1"),
        ("alpha = 0.5", "alpha is 0.5"),
        ("beta = 0.0", "beta is 0"),
        ("gamma = 1", "unknown field `gamma`"),
    ] {
        let sprt = paper("[phase.sprt]", &format!("[phase.sprt]\n{keys}"));
        let line = keys.lines().next().unwrap();
        names(&sprt, &[&format!("| {line}"), said]);
    }
    let syntax = error("format = 1", "format =");
    assert!(
        syntax.starts_with("p.toml: TOML parse error at line "),
        "{syntax}"
    );
}

/// Of keys that are refused together, or by what is known of the whole phase, the first is shown; what no key is to
/// blame for has no place.
#[test]
fn keys_that_do_not_go_together_are_shown() {
    let endgames = include_str!("../../../profiles/endgames-2005.toml");
    let changed = |line: &str, by: &str| {
        assert!(endgames.contains(line), "{line}");
        parse(&endgames.replacen(line, by, 1)).unwrap_err()
    };
    let ending = endgames.lines().find(|line| line.starts_with("endings = "));
    let ending = ending.unwrap();
    for (line, said) in [
        ("endings = []", "leaves nothing to play"),
        ("endings = [\"KRKR\", \"KRKR\"]", "KRKR is there twice"),
    ] {
        names(&changed(ending, line), &[&format!("| {line}"), said]);
    }
    for line in ["only = [\"Nope\"]", "with = [\"IsMate\"]"] {
        let error = changed(ending, &format!("{ending}\n{line}"));
        names(&error, &[&format!("| {line}")]);
    }
    let method = error("[evolution]", "[evolution]\nmethod = \"cma-es\"");
    names(
        &method,
        &[
            "| crossover_rate = ",
            "expected it to be left out, or another method",
        ],
    );
    let infinite = error("format = 1", "format = 1\nhours = inf");
    names(&infinite, &["| hours = inf", "expected a finite number"]);
    let number = parse("format = 1\nphase = \"grandmaster\"\nevolution = 3\n").unwrap_err();
    assert!(!number.contains("struct"), "{number}");
    let none = parse("format = 1\nphase = \"grandmaster\"\n").unwrap_err();
    assert!(none.starts_with("p.toml: missing field `"), "{none}");
}

/// A key without a meaning is one whose declaration has no comment; a link to an item of the
/// program helps no reader of a profile.
#[test]
fn each_key_and_word_has_a_meaning_for_readers_of_profiles() {
    let all = declared().meanings();
    assert!(all.len() > 60, "{}", all.len());
    for (key, meaning) in all {
        assert!(meaning.ends_with('.'), "{key}: {meaning:?}");
        assert!(!meaning.contains("::"), "{key}: {meaning:?}");
    }
}

/// What the page says comes from the types: a range, a default, a word.
#[test]
fn ranges_defaults_and_words_are_those_of_the_declarations() {
    let of = |name: &str| declared().reference(Some(name)).unwrap();
    let elitism = of("elitism");
    assert!(elitism.contains("a whole number from 0 to 100000; optional"));
    ::tests::says(&elitism, &["*grandmaster, expert, expert-2011, ecm*: "]);
    let expert = declared().reference(Some("expert")).unwrap();
    assert!(expert.contains("`\"eval-full\"`; required") && !expert.contains("search-2014"));
    assert!(of("spread").contains("a probability from 0.0 to 1.0; default `0.05`"));
    assert!(of("resign").contains("default `\"900,4\"`"));
    assert!(of("elite").contains("default `\"re-evaluated\"`"));
    assert!(of("quiescence").contains("`max_plies = 10`, `moves = \"see\"`"));
    assert!(of("hours").contains("a number above 0; optional"));
    assert!(of("sprt").contains("default `10.0`"));
    let layout = of("layout");
    assert!(layout.contains("`\"eval-2014\"`") && layout.contains("`\"search-2014\"`"));
}

#[test]
fn a_kind_a_table_and_a_key_are_found_and_a_wrong_name_gets_the_nearest() {
    let ecm = declared().reference(Some("ecm")).unwrap();
    assert!(ecm.contains("### `suite.train`") && !ecm.contains("### `games.nodes`"));
    let table = declared().reference(Some("[phase.games]")).unwrap();
    assert!(table.contains("### `games.nodes`") && !table.contains("### `suite.train`"));
    let error = declared().reference(Some("elitsm")).unwrap_err();
    assert!(error.contains("did you mean `elitism`?"), "{error}");
}

proptest! {
    #![proptest_config(::tests::cases(1000))]

    #[test]
    fn no_change_of_a_profile_panics(
        at in any::<prop::sample::Index>(),
        length in 0..8_usize,
        text in ".{0,8}",
    ) {
        let mut letters: Vec<char> = SMOKE.chars().collect();
        let start = at.index(letters.len());
        let end = letters.len().min(start + length);
        letters.splice(start..end, text.chars());
        if let Err(error) = parse(&letters.into_iter().collect::<String>()) {
            prop_assert!(error.starts_with("p.toml: "), "{}", error);
        }
    }
}
