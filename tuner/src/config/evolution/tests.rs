//! Which keys a method has, and what seeds a profile gives.

use super::*;

#[test]
fn seeds() {
    let runs = |keys: &str| toml::from_str::<RunsKeys>(keys).map_err(|e| e.to_string());
    let seeds = |keys: &str| runs(keys).and_then(Runs::try_from).map(|runs| runs.seeds);
    assert_eq!(seeds("seeds = [5, 3]").unwrap(), [5, 3]);
    assert_eq!(seeds("count = 3\nseed = 1").unwrap(), run_seeds(1, 3));
    assert!(seeds("count = 3").unwrap_err().contains("either"));
    assert!(seeds("seeds = []").unwrap_err().contains("0 seeds"));
    ::tests::says(
        &seeds("seeds = [1, 2, 1]").unwrap_err(),
        &["seed 1 is there twice"],
    );
    ::tests::says(
        &seeds("seeds = [9007199254740992]").unwrap_err(),
        &["to 9007199254740991"],
    );
}

fn method(keys: &str) -> Result<Method, String> {
    let keys = format!("population = 20\ngenerations = 3\nfitness = \"linear\"\n{keys}");
    let keys: Result<EvolutionKeys, _> = toml::from_str(&keys);
    let keys = keys.map_err(|error| error.to_string())?;
    Evolution::try_from(keys).map(|evolution| evolution.method)
}

/// Each method needs keys of its own, and one that would change nothing is an error and not silence.
#[test]
fn a_method_has_its_own_keys_and_no_others() {
    let ga = "crossover_rate = 0.5\nmutation_rate = 0.1\nelitism = 1\nselection = \"rank\"";
    let Ok(Method::Ga(settings)) = method(ga) else {
        panic!("the default is another");
    };
    assert_eq!((settings.population, settings.elitism), (20, 1));
    assert_eq!(
        (settings.crossover, settings.exclude_worst),
        (Crossover::Uniform, false)
    );
    let of_2011 = format!("{ga}\ncrossover = \"single-point\"\nexclude_worst = true");
    let Ok(Method::Ga(settings)) = method(&of_2011) else {
        panic!("no genetic algorithm");
    };
    assert_eq!(
        (settings.crossover, settings.exclude_worst),
        (Crossover::SinglePoint, true)
    );
    assert_eq!(
        method("elitism = 1").unwrap_err(),
        "missing field `crossover_rate`"
    );
    let described = |keys: &str| method(keys).map(|method| format!("{method:?}"));
    let cma_es = described("method = \"cma-es\"").unwrap();
    assert_eq!(cma_es, "CmaEs { population: 20, spread: 0.3 }");
    let random = method("method = \"random-search\"").unwrap();
    assert!(matches!(
        random,
        Method::Plain {
            population: 20,
            elitism: 1,
            ..
        }
    ));
    let compact = described("method = \"compact\"\nduels = 7").unwrap();
    assert_eq!(compact, "Compact { population: 20, duels: 7 }");
    assert_eq!(
        described("method = \"compact\"").unwrap_err(),
        "missing field `duels`"
    );
    for (name, key) in [
        ("cma-es", "crossover_rate = 0.5"),
        ("cma-es", "elitism = 2"),
        ("random-search", "spread = 0.1"),
        ("compact", "duels = 3\nselection = \"rank\""),
        ("cma-es", "crossover = \"single-point\""),
        ("random-search", "exclude_worst = true"),
        ("ga", "duels = 3"),
    ] {
        let error = method(&format!("method = \"{name}\"\n{key}")).unwrap_err();
        let said = format!("changes nothing with method = \"{name}\"");
        assert!(error.contains(&said), "{error}");
    }
    ::tests::says(
        &method("method = \"annealing\"").unwrap_err(),
        &["unknown variant"],
    );
}

/// Six individuals leave CMA-ES four that are drawn, of which it learns from two.
#[test]
fn cma_es_needs_individuals_to_learn_from() {
    let of = |population| {
        let given = EvolutionKeys {
            method: MethodKey::CmaEs,
            population: Whole(population),
            ..EvolutionKeys::default()
        };
        given.checked()
    };
    assert!(of(6).is_ok());
    ::tests::says(
        &of(5).unwrap_err(),
        &["population is 5, expected 6 or more"],
    );
}
