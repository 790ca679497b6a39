//! Coevolution from outside: what it leaves, and that it leaves the same however often it is
//! killed.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, assert_same, dither, journal_lines};
use engine::eval::params::EvalParams;
use engine::params::{ParamSet, ParamTable, Table};
use engine::search::params::SearchParams;
use std::collections::HashSet;
use std::path::Path;

const PROFILE: &str = r#"
format = 1
[[phase]]
kind = "coevolution"
layout = "eval-2014"
population = ["one.toml", "two.toml", "three.toml"]
seed = 5
[phase.evolution]
population = 4
generations = 5
crossover_rate = 0.75
mutation_rate = 0.01
selection = "rank"
confirmation_pairs = 2
gauge_pairs = 2
[phase.games]
nodes = 150
each = 2
max_moves = 60
"#;

/// The same with a compact population.
fn compact() -> String {
    let (before, after) = PROFILE.split_once("[phase.evolution]").unwrap();
    let (_, games) = after.split_once("[phase.games]").unwrap();
    let keys = "population = 20\ngenerations = 5\nduels = 6\ngauge_every = 2\ngauge_pairs = 2\n";
    format!("{before}[phase.compact]\n{keys}[phase.games]{games}")
}

/// The same phase twice, the second one called `longer`, changed, and from the champions before.
fn twice(profile: &str, change: impl Fn(String) -> String) -> String {
    let phase = profile.replace("\nformat = 1\n", "");
    let longer = phase
        .replace(
            "population = [\"one.toml\", \"two.toml\", \"three.toml\"]\n",
            "",
        )
        .replace(
            "kind = \"coevolution\"",
            "kind = \"coevolution\"\nname = \"longer\"",
        );
    format!("format = 1\n{phase}\n{}", change(longer))
}

/// The second phase by itself, from the first one's files, does what it did in the whole run.
fn is_the_same_alone(bench: &Bench, whole: &Path) {
    let alone = bench.folder("alone");
    let from = whole.join("coevolution");
    let more = ["--phase", "longer", "--from", from.to_str().unwrap()];
    bench.run(&alone, &more).success();
    let history = |folder: &Path| std::fs::read_to_string(folder.join("longer/history.csv"));
    assert_eq!(history(whole).unwrap(), history(&alone).unwrap());
}

/// Three individuals, each with other weights.
fn bench(profile: &str) -> Bench {
    let bench = Bench::new(2).profile(profile);
    for (number, name) in (1..).zip(["one", "two", "three"]) {
        let mut params = ParamSet::missing();
        for (row, spec) in EvalParams::SPECS.iter().enumerate().take(35) {
            let value = spec.default * number / 3;
            params
                .eval
                .set(row, value.clamp(0, *spec.range.end()).min(63));
        }
        params.eval.pawn_value = 100;
        params.eval.knight_value = 300;
        params.eval.bishop_value = 300 + 20 * number;
        params.eval.rook_value = 500;
        params.eval.queen_value = 700 + 100 * number;
        let text = params.to_toml(&["eval-2014"], &[], &[Table::Eval]);
        std::fs::write(bench.folder(&format!("{name}.toml")), text).unwrap();
    }
    bench
}

fn table(folder: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join("coevolution/history.csv")).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_string).collect())
        .collect()
}

#[test]
fn games_parameters_and_history_survive_kills_and_threads() {
    let bench = bench(PROFILE);
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let rows = table(&whole);
    assert_eq!(rows.len(), 5);
    assert!(journal_lines(&whole) > 30);
    for (generation, row) in rows.iter().enumerate() {
        let pgn = whole.join(format!("coevolution/games/generation-{generation:03}.pgn"));
        let pgn = std::fs::read_to_string(pgn).unwrap();
        let games: u64 = row[6].parse().unwrap();
        assert_eq!(pgn.matches("[Event ").count() as u64, games);
        assert!(
            pgn.contains("150 nodes a move") && pgn.contains("resign 900,4"),
            "{pgn}"
        );
    }
    let best = whole.join("best.toml");
    assert_eq!(ParamSet::load(&[&best]).unwrap().layouts, ["eval-2014"]);

    survives(&bench, &whole);
}

/// Kills and threads change nothing, and a report needs nothing but the run's folder.
fn survives(bench: &Bench, whole: &Path) {
    let killed = bench.folder("killed");
    let kills = if tests::is_long() { 40 } else { 6 };
    bench.killed(&killed, whole, kills, |kill| dither(kill, 1737));
    bench.resume(&killed, &["--threads", "1"]).success();
    assert_same(whole, &killed);

    // The individuals lie in the run's folder.
    for name in ["one", "two", "three"] {
        std::fs::remove_file(bench.folder(&format!("{name}.toml"))).unwrap();
    }
    std::fs::remove_dir_all(killed.join("coevolution")).unwrap();
    std::fs::remove_file(killed.join("best.toml")).unwrap();
    bench.tuner(&["report", killed.to_str().unwrap()]).success();
    assert_same(whole, &killed);
    bench.resume(&killed, &[]).success();
}

/// The paper's own rules: four games of each pair, each from an opening of its own, and the best score
/// makes the elite.
#[test]
fn the_papers_rules_survive_kills_and_threads() {
    let profile = PROFILE
        .replace("confirmation_pairs = 2", "elite = \"best\"")
        .replace("each = 2", "each = 4\nopenings = \"paper\"");
    let bench = bench(&profile);
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let pgn = whole.join("coevolution/games/generation-000.pgn");
    let pgn = std::fs::read_to_string(pgn).unwrap();
    let openings: Vec<String> = pgn
        .split("[Event ")
        .skip(1)
        .map(|game| {
            let (_, moves) = game.split_once("1. ").unwrap();
            let words = moves.split_whitespace();
            words.take_while(|word| *word != "5.").collect()
        })
        .collect();
    let distinct: HashSet<&String> = openings.iter().collect();
    // Six pairs of individuals, and the elite's two pairs of games with the first one.
    assert_eq!((openings.len(), distinct.len()), (6 * 4 + 4, 6 * 4 + 2));
    // Who moves says what it thinks, and of how many nodes.
    assert!(pgn.contains(" 150n} "), "{pgn}");
    for row in table(&whole) {
        // Whoever has the best score is the elite: no challenge is played.
        assert_eq!(row[10], "", "{row:?}");
    }
    survives(&bench, &whole);
}

/// The tournament of 2013 (§5.4): evolutionary programming with a memory by games at a depth, half as many for each as there
/// are players, against opponents drawn at random, each game from an opening of its own.
#[test]
fn the_tournament_of_2013_survives_kills_and_threads() {
    let (head, games) = PROFILE.split_once("[phase.evolution]").unwrap();
    let (_, games) = games.split_once("[phase.games]").unwrap();
    let games = games.replace("nodes = 150", "depth = 2\nopenings = \"paper\"");
    let games = games.replace("each = 2", "each = 1");
    let evolution = "method = \"evolutionary-programming\"\npopulation = 6\ngenerations = 4\nrounds = 3\n\
        history = 0.5\nelite = \"best\"\ngauge_pairs = 0\n";
    let bench = bench(&format!(
        "{head}[phase.evolution]\n{evolution}[phase.games]{games}"
    ));
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let rows = table(&whole);
    assert_eq!(rows.len(), 4);
    for (generation, row) in rows.iter().enumerate() {
        let pgn = whole.join(format!("coevolution/games/generation-{generation:03}.pgn"));
        let pgn = std::fs::read_to_string(pgn).unwrap();
        assert!(pgn.contains("2 plies a move"), "{pgn}");
        // Everybody plays one game in each of three rounds; the colours are drawn.
        let mut games = [0; 6];
        for tag in pgn.lines() {
            let player = ["[White \"", "[Black \""]
                .iter()
                .find_map(|side| tag.strip_prefix(side));
            if let Some((_, number)) =
                player.and_then(|name| name.trim_end_matches("\"]").split_once("no. "))
            {
                games[number.parse::<usize>().unwrap() - 1] += 1;
            }
        }
        assert_eq!((row[6].as_str(), games), ("9", [3; 6]));
        // Each move was searched two plies deep, where there was more than one and no mate in sight.
        let depths = pgn.matches("/2 ").count();
        assert!(depths > 100, "{depths}");
        assert!(!pgn.contains("/3 ") && !pgn.contains("/4 "), "{pgn}");
    }
    survives(&bench, &whole);
}

/// Games by a real clock can't be repeated, and that is said; a run of them goes on all the same.
#[test]
fn games_by_the_clock_go_on_and_say_that_they_cannot_be_repeated() {
    let profile = PROFILE
        .replace("generations = 5", "generations = 2")
        .replace("nodes = 150", "seconds = 0.05\nincrement = 0.001");
    let bench = bench(&profile);
    let said = bench.tuner(&["check", bench.folder("small.toml").to_str().unwrap()]);
    assert!(
        said.success()
            .contains("games by the clock are not the same twice")
    );
    let out = bench.folder("out");
    bench.killed_at(&out, 3);
    let saved = std::fs::read(out.join("journal.jsonl")).unwrap();
    bench.resume(&out, &[]).success();
    // What was played stays what it was.
    let whole = std::fs::read(out.join("journal.jsonl")).unwrap();
    let lines = saved.iter().rposition(|byte| *byte == b'\n').unwrap();
    assert!(whole.starts_with(&saved[..=lines]));
    assert_eq!(table(&out).len(), 2);
    let pgn = std::fs::read_to_string(out.join("coevolution/games/generation-000.pgn"));
    assert!(pgn.unwrap().contains("not repeatable"));
}

#[test]
fn a_compact_population_survives_kills_and_threads() {
    let bench = bench(&compact());
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let rows = table(&whole);
    let spread: Vec<f64> = rows.iter().map(|row| row[4].parse().unwrap()).collect();
    assert!(spread.is_sorted_by(|before, after| before >= after) && spread[4] < 100.0);
    for (generation, row) in rows.iter().enumerate() {
        // Six duels of two games, and four games with the first champion now and then.
        let is_gauged = generation % 2 == 0;
        let (games, gauged) = if is_gauged { ("16", "2") } else { ("12", "0") };
        assert_eq!((&row[2][..], &row[6][..]), (games, gauged));
        let pgn = whole.join(format!("coevolution/games/generation-{generation:03}.pgn"));
        let pgn = std::fs::read_to_string(pgn).unwrap_or_default();
        assert_eq!(
            pgn.matches("[Event ").count(),
            if is_gauged { 4 } else { 0 }
        );
    }
    let evidence = std::fs::read_to_string(whole.join("coevolution/evidence.csv")).unwrap();
    let of_rows = evidence.lines().skip(1);
    let of_rows: Vec<f64> = of_rows
        .map(|line| line.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    let mean = of_rows.iter().map(|one| one * one).sum::<f64>() / of_rows.len() as f64;
    let told: f64 = rows.last().unwrap()[5].parse().unwrap();
    assert!((mean - told).abs() < 0.02, "{mean} {told}");
    let first = ParamSet::load(&[bench.folder("one.toml")]).unwrap().params;
    let mean = ParamSet::load(&[whole.join("best.toml")]).unwrap().params;
    assert_ne!(mean.eval, first.eval);
    survives(&bench, &whole);
}

/// Where nodes make the seconds, rows of the clock evolve and nothing depends on the machine.
#[test]
fn the_clock_evolves_by_nodes_and_survives_kills_and_threads() {
    let founders = "population = [\"one.toml\", \"two.toml\", \"three.toml\"]\n";
    let profile = compact()
        .replace("layout = \"eval-2014\"", "layout = \"time\"")
        .replace(founders, "fixed = [\"one.toml\"]\n")
        .replace(
            "population = 20\n",
            "population = 20\ninitial = \"random\"\n",
        )
        .replace(
            "nodes = 150",
            "seconds = 0.5\nincrement = 0.005\nspeed = 20000",
        );
    let bench = bench(&profile);
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let load = |file| ParamSet::load(&[file]).unwrap().params.search;
    let (given, found) = (
        load(bench.folder("one.toml")),
        load(whole.join("best.toml")),
    );
    let changed: Vec<&str> = (SearchParams::SPECS.iter().enumerate())
        .filter(|(row, _)| given.get(*row) != found.get(*row))
        .map(|(_, spec)| spec.name)
        .collect();
    let of_the_clock = changed.iter().all(|name| name.starts_with("time_"));
    assert!(changed.len() >= 10 && of_the_clock, "{changed:?}");
    survives(&bench, &whole);
}

/// Games that are kept change nothing else, and a kill loses none.
#[test]
fn a_compact_population_keeps_its_games_if_asked() {
    let bench = bench(&compact());
    let forgotten = bench.folder("forgotten");
    bench.run(&forgotten, &[]).success();
    let profile = compact().replace("[phase.compact]", "[phase.compact]\nkeep_games = true");
    std::fs::write(bench.folder("small.toml"), profile).unwrap();
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    assert_eq!(table(&whole), table(&forgotten));
    for generation in 0..5 {
        let duels = format!("coevolution/games/duels-{generation:03}.pgn");
        let pgn = std::fs::read_to_string(whole.join(&duels)).unwrap();
        assert_eq!(pgn.matches("[Event ").count(), 12);
        let name = format!("[White \"generation {generation} duel 1 one\"]");
        assert!(pgn.contains(&name), "{pgn}");
        assert!(!forgotten.join(&duels).exists());
    }
    let report = |run: &Path| std::fs::read_to_string(run.join("report.html")).unwrap();
    let link = "<a href=\"coevolution/games/\">coevolution: games of all duels</a>";
    assert!(report(&whole).contains(link));
    assert!(!report(&forgotten).contains("games of all duels"));
    survives(&bench, &whole);
}

#[test]
fn a_second_compact_population_goes_on_from_the_mean() {
    let bench = bench(&twice(&compact(), |longer| longer));
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let champions = std::fs::read_dir(whole.join("coevolution/champions")).unwrap();
    assert_eq!(champions.count(), 1);
    let mean = |phase: &str| {
        let file = whole.join(phase).join("champions/elite.toml");
        ParamSet::load(&[file]).unwrap().params.eval
    };
    is_the_same_alone(&bench, &whole);
    assert_ne!(mean("coevolution"), mean("longer"));
    let pgn = std::fs::read_to_string(whole.join("longer/games/generation-000.pgn")).unwrap();
    assert!(pgn.contains("first champion"));
    let report = std::fs::read_to_string(whole.join("report.html")).unwrap();
    assert!(report.contains("Games: longer"));
}

#[test]
fn equal_genomes_and_games_without_a_winner() {
    // Nobody can win in one move each.
    let profile = PROFILE
        .replace("\"two.toml\", \"three.toml\"", "\"one.toml\"")
        .replace("max_moves = 60", "max_moves = 6")
        .replace("mutation_rate = 0.01", "mutation_rate = 0.0");
    let bench = bench(&profile);
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    for row in table(&out) {
        // Everybody has half of the points, and no game had to be played for it.
        assert_eq!(row[2..6], ["50.00", "50.00", "50.00", "0.00"]);
        assert_eq!(row[6..12], ["0", "0", "1", "0", "", "0"]);
    }

    let profile = PROFILE.replace("max_moves = 60", "max_moves = 6");
    std::fs::write(bench.folder("small.toml"), profile).unwrap();
    let drawn = bench.folder("drawn");
    bench.run(&drawn, &[]).success();
    for row in table(&drawn) {
        assert_eq!(row[2..6], ["50.00", "50.00", "50.00", "0.00"]);
        assert_eq!((&row[7][..], &row[11][..]), ("0", "0"));
        assert!(row[6].parse::<u32>().unwrap() > 0);
    }
}

#[test]
fn phases_run_by_themselves_from_champions_of_others() {
    let with_start = PROFILE.replace(
        "population = [\"one.toml\", \"two.toml\", \"three.toml\"]\n",
        "",
    );
    let bench = bench(&with_start);
    let error = bench.run(&bench.folder("none"), &[]).failure();
    assert!(error.contains("begins with parameters"), "{error}");

    let champions = bench.folder("earlier/champions");
    std::fs::create_dir_all(&champions).unwrap();
    for name in ["one", "two", "three"] {
        let file = format!("{name}.toml");
        std::fs::copy(bench.folder(&file), champions.join(file)).unwrap();
    }
    let from = bench.folder("earlier");
    std::fs::copy(bench.folder("two.toml"), from.join("best.toml")).unwrap();
    let out = bench.folder("out");
    let more = ["--phase", "coevolution", "--from", from.to_str().unwrap()];
    bench.run(&out, &more).success();
    std::fs::remove_dir_all(&from).unwrap();
    // The best of them is the first, whatever its name.
    let begun = |number: u32| {
        let file = format!("start/coevolution-parameters-to-begin-with-{number}.toml");
        ParamSet::load(&[out.join(file)])
            .unwrap()
            .params
            .eval
            .queen_value
    };
    assert_eq!([1, 2, 3].map(begun), [900, 800, 1000]);
    bench.resume(&out, &[]).success();
    bench.tuner(&["report", out.to_str().unwrap()]).success();

    let error = bench
        .run(&bench.folder("x"), &["--phase", "evolution"])
        .failure();
    assert!(
        error.contains("no phase \"evolution\", only coevolution"),
        "{error}"
    );
}

/// Twins that draw all their games teach nothing, and that must not go unsaid.
#[test]
fn a_population_of_equals_and_games_without_a_winner_are_told() {
    let profile = PROFILE
        .replace(
            "\"one.toml\", \"two.toml\", \"three.toml\"",
            "\"one.toml\", \"one.toml\", \"one.toml\", \"one.toml\"",
        )
        .replace("max_moves = 60", "max_moves = 1");
    let bench = bench(&profile);
    let out = bench.folder("out");
    let ended = bench.run(&out, &[]);
    let warnings = String::from_utf8_lossy(&ended.0.stderr).into_owned();
    let equal = "coevolution: all 4 individuals of the initial population are equal";
    assert!(
        warnings.contains(&format!("warning: {equal}")),
        "{warnings}"
    );
    let said = ended.success();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    for text in [&said, &page] {
        assert!(text.contains(equal), "{text}");
        assert!(text.contains("games was decisive"), "{text}");
    }
}

/// The same where individuals differ, of a compact population, and of a match.
#[test]
fn drawn_games_alone_are_told_of_duels_and_of_a_match() {
    let validation = "\n[[phase]]\nkind = \"validation\"\nagainst = [\"three.toml\"]\nseed = 1\n\
                      [phase.games]\nnodes = 50\nmax_moves = 1\n[phase.sprt]\npairs = 4\n";
    let profile = compact().replace("max_moves = 60", "max_moves = 1") + validation;
    let bench = bench(&profile);
    let out = bench.folder("out");
    let said = bench.run(&out, &[]).success();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    for text in [&said, &page] {
        for phase in ["coevolution", "validation"] {
            let told = format!("{phase}: none of the ");
            let words = text.split(&told).nth(1);
            assert!(
                words.is_some_and(|rest| rest.contains("games was decisive")),
                "{text}"
            );
        }
    }
}

#[test]
fn a_second_coevolution_goes_on_from_everybody() {
    let bench = bench(&twice(PROFILE, |longer| {
        longer.replace("nodes = 150", "nodes = 300")
    }));
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let champions = whole.join("coevolution/champions");
    let values = |name: &str| ParamSet::load(&[champions.join(name)]).unwrap().params;
    assert_ne!(values("elite.toml"), values("individual-02.toml"));
    let distinct = &table(&whole)[4][8];
    let files = std::fs::read_dir(&champions).unwrap().count();
    assert_eq!(*distinct, files.to_string());

    is_the_same_alone(&bench, &whole);
}

/// Its file is said to hold the search, not to want one; and without games there is no link to any.
#[test]
fn an_evolved_search_is_played_with() {
    let profile = compact()
        .replace("layout = \"eval-2014\"", "layout = \"search-2014\"")
        .replace("gauge_pairs = 2", "gauge_pairs = 0");
    let bench = bench(&profile);
    let out = bench.folder("out");
    let said = bench.run(&out, &[]).success();
    let best = out.join("best.toml");
    let value = format!("option ParamsFile to\n  {}\n", best.display());
    assert!(said.contains(&value), "{said}");
    let loaded = ParamSet::load(&[best]).unwrap();
    assert!(loaded.layouts.contains(&"search-2014".to_string()));
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!page.contains(".pgn\""), "{page}");
}

/// Rows that don't evolve stay what `fixed` says, whether the layout has them or not.
#[test]
fn only_the_rows_that_are_named_evolve() {
    let profile = compact()
        .replace(
            "layout = \"eval-2014\"",
            "layout = \"search-2014\"\nfixed = [\"fixed.toml\"]\n\
             rows = [\"null_move_reduction\", \"futility_*\"]",
        )
        .replace(
            "population = 20\n",
            "population = 20\ninitial = \"random\"\n",
        );
    let bench = bench(&profile);
    let given = ParamSet {
        eval: ParamSet::load(&[bench.folder("one.toml")])
            .unwrap()
            .params
            .eval,
        ..ParamSet::default()
    };
    let text = given.to_toml(&["search-full"], &[], &[Table::Eval, Table::Search]);
    std::fs::write(bench.folder("fixed.toml"), text).unwrap();
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let found = ParamSet::load(&[out.join("best.toml")]).unwrap().params;
    assert_eq!(found.eval, given.eval);
    let changed: Vec<&str> = (SearchParams::SPECS.iter().enumerate())
        .filter(|(row, _)| found.search.get(*row) != given.search.get(*row))
        .map(|(_, spec)| spec.name)
        .collect();
    assert!(changed.len() >= 2, "{changed:?}");
    let may_change = |name: &&str| *name == "null_move_reduction" || name.starts_with("futility_");
    assert!(changed.iter().all(may_change), "{changed:?}");
}

/// A phase that is not told of a search goes on with the one before.
#[test]
fn other_rows_of_the_search_stay_what_the_phase_before_made_of_them() {
    let profile = compact().replace(
        "layout = \"eval-2014\"",
        "layout = \"search-2014\"\nfixed = [\"one.toml\"]\nrows = [\"null_move_*\"]",
    );
    let profile = profile.replace(
        "population = 20\n",
        "population = 20\ninitial = \"random\"\n",
    );
    let bench = bench(&twice(&profile, |longer| {
        longer.replace("null_move_*", "futility_*")
    }));
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let search = |phase: &str| {
        let file = out.join(phase).join("champions/elite.toml");
        ParamSet::load(&[file]).unwrap().params.search
    };
    let (before, after) = (search("coevolution"), search("longer"));
    assert_ne!(before, SearchParams::missing());
    let changed: Vec<&str> = (SearchParams::SPECS.iter().enumerate())
        .filter(|(row, _)| before.get(*row) != after.get(*row))
        .map(|(_, spec)| spec.name)
        .collect();
    let may_change = |name: &&str| name.starts_with("futility_");
    assert!(
        !changed.is_empty() && changed.iter().all(may_change),
        "{changed:?}"
    );
    let text = std::fs::read_to_string(out.join("best.toml")).unwrap();
    assert!(text.contains("rows = \"futility_depth futility_"), "{text}");
}

/// A search that is fixed brings no evaluation with it: that is still the first champion's.
#[test]
fn a_fixed_search_leaves_the_evaluation_of_the_champion() {
    let profile = compact().replace(
        "layout = \"eval-2014\"",
        "layout = \"search-2014\"\nfixed = [\"search.toml\"]\nrows = [\"null_move_*\"]",
    );
    let random = "population = 20\ninitial = \"random\"\n";
    let bench = bench(&profile.replace("population = 20\n", random));
    let given = ParamSet::default();
    let search = given.to_toml(&["search-full"], &[], &[Table::Search]);
    std::fs::write(bench.folder("search.toml"), search).unwrap();
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let found = ParamSet::load(&[out.join("best.toml")]).unwrap().params;
    let one = ParamSet::load(&[bench.folder("one.toml")]).unwrap().params;
    assert_eq!(found.eval, one.eval);
    assert_eq!(found.search.lmr_base, given.search.lmr_base);

    // Nobody plays without one.
    let (small, first) = (bench.folder("small.toml"), "\"one.toml\", ");
    let profile = profile.replace(first, "\"search.toml\", ");
    for text in [profile.clone(), PROFILE.replace(first, "\"search.toml\", ")] {
        std::fs::write(&small, &text).unwrap();
        for error in [
            bench.run(&bench.folder("none"), &[]).failure(),
            bench.tuner(&["check", small.to_str().unwrap()]).failure(),
        ] {
            let said = "no evaluation, so every position would be worth nothing";
            assert!(
                error.contains("phase coevolution: ") && error.contains(said),
                "{error}"
            );
        }
    }
}

#[test]
fn other_rows_of_the_evaluation_are_those_that_are_fixed() {
    let founders = "population = [\"one.toml\", \"two.toml\", \"three.toml\"]\n";
    let profile = compact().replace(
        "population = 20\n",
        "population = 20\ninitial = \"random\"\n",
    );
    let rows = "rows = [\"knight_value\"]\n";
    let fixed = format!("fixed = [\"one.toml\"]\n{rows}");
    let bench = bench(&profile.replace(founders, &fixed));
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let load = |file| ParamSet::load(&[file]).unwrap().params.eval;
    let (given, found) = (load(bench.folder("one.toml")), load(out.join("best.toml")));
    let others = |row: &usize| EvalParams::SPECS[*row].name != "knight_value";
    for row in (0..EvalParams::SPECS.len()).filter(others) {
        assert_eq!(
            given.get(row),
            found.get(row),
            "{}",
            EvalParams::SPECS[row].name
        );
    }

    // What the others should be nobody has said.
    std::fs::write(bench.folder("small.toml"), profile.replace(founders, rows)).unwrap();
    let error = bench.run(&bench.folder("none"), &[]).failure();
    assert!(error.contains("coevolution"), "{error}");
}

#[test]
fn bad_books_and_keys_are_named() {
    let book = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. e4 e4 *\n\n\
                [Event \"c\"]\n\n1. e4 e5 2. Nf3 *\n";
    let profile = PROFILE.replace("[phase.games]\n", "[phase.games]\nbook = \"book.pgn\"\n");
    let bench = bench(&profile);
    let path = bench.folder("book.pgn");
    std::fs::write(&path, book).unwrap();
    let digest = tuner::base::files::sha256_of_file(&path).unwrap();
    let said = bench.tuner(&["check", bench.folder("small.toml").to_str().unwrap()]);
    let said = said.success();
    assert!(
        said.contains("book.pgn: left out 1 opening that can't be played"),
        "{said}"
    );
    assert!(said.contains("line 7"), "{said}");
    let out = bench.folder("out");
    let said = bench.run(&out, &[]).warnings();
    assert!(
        said.contains("warning: coevolution: ")
            && said.contains("book.pgn: left out 1 opening")
            && said.contains("2 pairs of games, but 1 different opening of"),
        "{said}"
    );
    let pgn = out.join("coevolution/games/generation-000.pgn");
    let pgn = std::fs::read_to_string(pgn).unwrap();
    assert!(
        pgn.contains("} 1. e4 e5 2. Nf3") || pgn.contains("}\n1. e4 e5 2. Nf3"),
        "{pgn}"
    );
    let best = std::fs::read_to_string(out.join("best.toml")).unwrap();
    let said = [
        "opening_book_file = \"book.pgn\"".to_string(),
        format!("opening_book_sha256 = \"{digest}\""),
    ];
    assert!(said.iter().all(|line| best.contains(line)), "{best}");
    bench.tuner(&["report", out.to_str().unwrap()]).success();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    for words in [
        "1 line left out for a move that can’t be played, 1 line left out for the position of another line",
        "2 pairs of games, but 1 different opening of",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let again = std::fs::read_to_string(out.join("best.toml")).unwrap();
    assert_eq!(again, best);
    std::fs::write(&path, "1. e4 e4 *\n").unwrap();
    let error = bench.resume(&out, &[]).failure();
    assert!(error.contains("book.pgn: has no opening"), "{error}");

    // Nobody differs, and nobody ever would.
    let alike = compact().replace("duels = 6", "duels = 6\nspread = 0");
    let alike = alike.replace("\"one.toml\", \"two.toml\", \"three.toml\"", "\"one.toml\"");
    std::fs::write(bench.folder("small.toml"), alike).unwrap();
    for error in [
        bench.run(&bench.folder("y"), &[]).failure(),
        bench
            .tuner(&["check", bench.folder("small.toml").to_str().unwrap()])
            .failure(),
    ] {
        assert!(
            error.contains("phase coevolution: [phase.compact] spread: ")
                && error.contains("expected a spread above 0"),
            "{error}"
        );
    }
    let both = compact().replace("duels = 6", "duels = 6\ninitial = \"random\"\nspread = 0.1");
    std::fs::write(bench.folder("small.toml"), both).unwrap();
    let error = bench.run(&bench.folder("y"), &[]).failure();
    assert!(error.contains("over its whole range"), "{error}");

    for (line, by, words) in [
        ("nodes = 150", "", "none of nodes, depth and seconds"),
        (
            "nodes = 150",
            "nodes = 150\ndepth = 2",
            "more than one of nodes, depth and seconds",
        ),
        (
            "nodes = 150",
            "depth = 2\nspeed = 20000",
            "a speed and no seconds",
        ),
        ("nodes = 150", "depth = 65", "a whole number from 1 to 64"),
        (
            "population = 4",
            "population = 5\nrounds = 2",
            "`population` with an even number",
        ),
        (
            "population = 4",
            "population = 4\nhistory = 0.1",
            "`history` changes nothing with method = \"ga\"",
        ),
        (
            "nodes = 150",
            "nodes = 150\nincrement = 0.1",
            "an increment and no seconds",
        ),
        (
            "nodes = 150",
            "nodes = 150\nspeed = 20000",
            "a speed and no seconds",
        ),
        (
            "nodes = 150",
            "seconds = 1\nspeed = 20",
            "1000 to 1000000000",
        ),
        (
            "nodes = 150",
            "nodes = 150\nresign = \"x\"",
            "expected CP,MOVES",
        ),
        (
            "selection = \"rank\"",
            "selection = \"rank\"\nelite = \"worst\"",
            "`re-evaluated`",
        ),
        (
            "selection = \"rank\"",
            "selection = \"rank\"\nelite = \"best\"",
            "nobody has to prove itself",
        ),
        (
            "[phase.evolution]",
            "[phase.compact]\npopulation = 9\ngenerations = 1\nduels = 1\n[phase.evolution]",
            "both or neither of [evolution] and [compact]",
        ),
        (
            "kind = \"coevolution\"",
            "kind = \"cooevolution\"",
            "unknown variant `cooevolution`",
        ),
        ("seed = 5", "sed = 5", "unknown field `sed`"),
        (
            "layout = \"eval-2014\"",
            "layout = \"eval-2015\"",
            "search-full",
        ),
        (
            "seed = 5",
            "seed = 5\nrows = [\"rook_*\", \"rock_value\"]",
            "has no row \"rock_value\"",
        ),
        (
            "seed = 5",
            "seed = 5\nrows = []",
            "leaves nothing to evolve",
        ),
        (
            "format = 1",
            "format = 1\nphases = 3",
            "unknown key `phases`",
        ),
    ] {
        std::fs::write(bench.folder("small.toml"), PROFILE.replace(line, by)).unwrap();
        let error = bench.run(&bench.folder("y"), &[]).failure();
        assert!(
            error.contains(words) && error.contains("small.toml: line "),
            "{words}: {error}"
        );
    }
}
