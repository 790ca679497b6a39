//! A whole night in miniature: all phases in one folder, killed and resumed, with its report.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, NIGHT, assert_same, dither, files_of};
use engine::epd::Epd;
use engine::params::{ParamSet, Table, layout};
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tuner::base::files::sha256_of_file;
use tuner::fitness::search_cost::{Rule, Solver, hash_for};
use tuner::phases::options::Options;
use tuner::run::order::Order;

/// The night with a suite on which search parameters can show what they are worth.
fn sensitive() -> String {
    let suite = "count = 6\npart = \"even\"\ncap = 300";
    assert!(NIGHT.contains(suite));
    let sensitive = "count = 20\npart = \"even\"\ncap = 2000\nsensitivity = true";
    NIGHT.replace(suite, sensitive)
}

#[test]
fn a_night_in_miniature() {
    let bench = Bench::new(40).profile(&sensitive());
    let check = bench.tuner(&["check", bench.folder("small.toml").to_str().unwrap()]);
    let said = check.success();
    for phase in ["grandmaster", "coevolution", "ecm", "validation"] {
        assert!(said.contains(&format!("Phase {phase}")), "{said}");
    }
    assert!(
        said.contains("for all, ") && said.contains(" for the suites"),
        "{said}"
    );
    // Of all phases together, once.
    assert_eq!(said.matches("\nTotal: about ").count(), 1, "{said}");
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "2"]).success();
    assert!(said.contains("the champion is "), "{said}");
    let status = |folder: &Path| bench.tuner(&["status", folder.to_str().unwrap()]).success();
    assert!(status(&whole).contains("complete"), "{}", status(&whole));

    let killed = bench.folder("killed");
    let kills = if tests::is_long() { 10 } else { 2 };
    bench.killed(&killed, &whole, kills, |kill| {
        dither(kill, 737);
        if kill == kills + 1 {
            // Asking takes no lock.
            let said = status(&killed);
            assert!(said.contains("under way, last written 0:00:"), "{said}");
            assert!(said.contains(" of the next "), "{said}");
        }
    });
    is_stopped_in_the_second_phase(&bench, &whole);
    // Of the user's files only those go that a killed process would have left.
    let (own, left) = ("grandmaster/notes.tmp", "grandmaster/best.toml.Ab12Cd.tmp");
    for file in [own, left] {
        std::fs::write(killed.join(file), "").unwrap();
    }
    bench.resume(&killed, &["--threads", "2"]).success();
    assert!(killed.join(own).exists() && !killed.join(left).exists());
    std::fs::remove_file(killed.join(own)).unwrap();
    assert_same(&whole, &killed);
    bench.killed_reporting(&killed, &whole);
    bench.resume(&killed, &[]).success();
    assert_same(&whole, &killed);
    for file in [
        "best.toml",
        "report.html",
        "timing.csv",
        "grandmaster/history.csv",
        "grandmaster/champions/run-03.toml",
        "coevolution/games/generation-002.pgn",
        "coevolution/best.toml",
        "ecm/history.csv",
        "validation/verdict.txt",
        "validation/games/match-001.pgn",
        "figures/elo-coevolution.svg",
    ] {
        assert!(whole.join(file).is_file(), "{file} is missing");
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for words in [
        "class=\"lede verdict",
        "Elo of the elite",
        "Lost at",
        "Nodes at 1½",
        "Figure 4",
        "Wall time",
        "<th scope=\"col\">In 3 nodes</th>",
        // The halves of one file are told apart.
        ", 3 positions, the odd half, ",
        ", 3 positions, the even half, ",
        "class=\"parameters drift\"",
        // From random bits, in one run: nothing before, no spread.
        "class=\"parameters fresh\"",
        "pairs with 0, ½, 1, 1½, 2 points: [",
    ] {
        assert!(page.contains(words), "{words}");
    }
    says_what_search_parameters_are_worth(&whole, &page, &bench.folder("test.epd"));
    validates_from_other_openings(&whole);
    assert!(!page.contains("<script") && !page.contains("src=\"http"));
    // Every link leads somewhere.
    for target in page.split("<a href=\"").skip(1) {
        let target = target.split('"').next().unwrap();
        assert!(whole.join(target).is_file(), "{target}");
    }
    let best = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    assert!(
        best.contains("[eval]") && best.contains("[search]"),
        "{best}"
    );
    says_where_all_of_it_comes_from(&whole);

    let tactics = bench.folder("tactics");
    let from = whole.join("coevolution");
    let more = ["--phase", "ecm", "--from", from.to_str().unwrap()];
    bench.run(&tactics, &more).success();
    let history = |run: &Path| std::fs::read_to_string(run.join("ecm/history.csv")).unwrap();
    assert_eq!(history(&whole), history(&tactics));
    // The first phase's best, from which the evolution of its champions has gone on.
    let best = std::fs::read_to_string(tactics.join("best.toml")).unwrap();
    let best: toml::Table = best.parse().unwrap();
    let before = |key: &str| best["provenance"][key].as_array().unwrap().clone();
    assert_eq!(before("before_it").len(), 1);
    assert!(before("before_it")[0].as_str().unwrap().starts_with("run-"));
    assert_eq!(before("before_it_sha256").len(), 1);

    // A phase alone, that evolves nothing, says what it found as well.
    let alone = bench.folder("alone");
    let from = ["--phase", "validation", "--from", whole.to_str().unwrap()];
    let said = bench.run(&alone, &from).success();
    assert!(said.contains("the champion is "), "{said}");
    // It plays against the first phase's champion, as in the night.
    for file in ["verdict.txt", "history.csv", "games/match-001.pgn"] {
        let file = format!("validation/{file}");
        let read = |folder: &Path| std::fs::read_to_string(folder.join(&file)).unwrap();
        assert_eq!(read(&whole), read(&alone), "{file}");
    }
    assert!(
        said.contains("Report:") && !said.contains("best.toml"),
        "{said}"
    );
    let page = std::fs::read_to_string(alone.join("report.html")).unwrap();
    assert!(!page.contains("href=\"best.toml\""));
}

/// What a run that was killed has left before anybody resumes it.
fn is_stopped_in_the_second_phase(bench: &Bench, whole: &Path) {
    let stopped = bench.folder("stopped");
    // Twelve of the first phase, and more than a generation of the second.
    bench.killed_at(&stopped, 25);
    let status = || {
        bench
            .tuner(&["status", stopped.to_str().unwrap()])
            .success()
    };
    assert!(
        status().contains("Run of profile small: stopped"),
        "{}",
        status()
    );
    // What is done and how good it is, what is under way and for how long, and what is to come.
    for words in [
        "grandmaster: complete, best solves ",
        "coevolution: generation ",
        " of 3, ",
        " left\n",
        "ecm: to come",
    ] {
        assert!(status().contains(words), "{words}: {}", status());
    }
    // After a restart of the machine another process may have the number of the one that was killed.
    if Path::new("/proc/locks").exists() {
        std::fs::write(stopped.join("lock"), std::process::id().to_string()).unwrap();
        assert!(status().contains("stopped"), "{}", status());
    }
    // Nor does a clock that was put forward or back mislead anybody.
    let journal = OpenOptions::new()
        .append(true)
        .open(stopped.join("journal.jsonl"));
    let journal = journal.unwrap();
    let day = Duration::from_secs(24 * 3600);
    for written in [SystemTime::now() + day, SystemTime::now() - day] {
        journal.set_modified(written).unwrap();
        assert!(status().contains("stopped"), "{}", status());
    }
    // The best so far is there for whoever wants it.
    let file = "grandmaster/best.toml";
    let best = |folder: &Path| std::fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(best(&stopped), best(whole));
    let so_far = ParamSet::load(&[stopped.join("coevolution/best.toml")]).unwrap();
    assert_eq!(so_far.layouts, ["eval-2014"]);
    bench.resume(&stopped, &[]).success();
    assert_same(whole, &stopped);
}

#[test]
fn a_phase_alone_begins_as_in_the_night() {
    let (head, _) = NIGHT.split_once("\n[[phase]]\nkind = \"ecm\"").unwrap();
    let profile = head.replace("count = 3\nseed = 1", "count = 5\nseed = 3");
    assert_ne!(profile, head);
    let bench = Bench::new(40).profile(&profile);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let history = |folder: &Path| {
        let file = folder.join("coevolution/history.csv");
        std::fs::read_to_string(file).unwrap()
    };
    for (number, from) in ["", "grandmaster"].iter().enumerate() {
        let alone = bench.folder(&format!("alone-{number}"));
        let from = whole.join(from);
        let more = ["--phase", "coevolution", "--from", from.to_str().unwrap()];
        let said = bench.run(&alone, &more).warnings();
        assert_eq!(history(&whole), history(&alone), "{}", from.display());
        let names = said
            .lines()
            .find_map(|line| line.strip_prefix("Begins with "));
        let names: Vec<&str> = names.unwrap().split(", ").collect();
        assert_eq!(names.len(), 5, "{said}");
        // Not in the order of their names, or this would prove nothing.
        assert!(!names[1..].is_sorted(), "{names:?}");
        remembers_what_it_began_with(&alone, &names);
        let before = files_of(&alone);
        bench.resume(&alone, &[]).success();
        assert_eq!(before, files_of(&alone));
    }
    // The first phase's champion and what evolved are known from the end of the second as well.
    let coevolution = whole.join("coevolution");
    let order = Order {
        phase: Some("coevolution".into()),
        from: Some(coevolution),
        ..Order::of(&bench.folder("small.toml"))
    };
    let start = order.plan(&Options::default()).unwrap().start;
    let best = ParamSet::load(&[whole.join("grandmaster/best.toml")]).unwrap();
    assert_eq!(start.first, Some(best.params));
    // Without the champions' files there is nothing to begin with.
    std::fs::remove_file(whole.join("grandmaster/champions/run-02.toml")).unwrap();
    let more = ["--phase", "coevolution", "--from", whole.to_str().unwrap()];
    let error = bench.run(&bench.folder("none"), &more).failure();
    assert!(error.contains("lacks champions"), "{error}");
}

/// Its best parameters name the files, by their content too, and only where there were any.
fn remembers_what_it_began_with(alone: &Path, names: &[&str]) {
    let text = std::fs::read_to_string(alone.join("best.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let said = |key: &str| -> Vec<String> {
        let list = table["provenance"][key].as_array().unwrap().iter();
        list.map(|name| name.as_str().unwrap().to_string())
            .collect()
    };
    let files = names.iter().map(|name| Path::new(name.trim()));
    let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_string();
    assert_eq!(
        said("begins_with"),
        files.clone().map(name).collect::<Vec<_>>()
    );
    let sums = files.map(|file| sha256_of_file(file).unwrap());
    assert_eq!(said("begins_with_sha256"), sums.collect::<Vec<_>>());
    assert!(!text.contains("before_it"), "{text}");
}

/// As in the run, whose phases know which rows evolved.
#[test]
fn a_validation_alone_knows_which_rows_evolved() {
    let bench = Bench::new(40).profile(NIGHT);
    let text = std::fs::read_to_string("../params/paper-2014.toml").unwrap();
    let part = text.replace(
        "[provenance]\n",
        "[provenance]\nrows = \"null_move_use check_extension\"\n",
    );
    assert_ne!(text, part);
    let evolved = |text: &str| -> Vec<&str> {
        let file = bench.folder("from.toml");
        std::fs::write(&file, text).unwrap();
        let order = Order {
            phase: Some("validation".into()),
            from: Some(file),
            ..Order::of(&bench.folder("small.toml"))
        };
        let start = order.plan(&Options::default()).unwrap().start;
        start.evolved.iter().map(|row| row.spec().name).collect()
    };
    assert!(evolved(&text).len() > 18);
    assert_eq!(evolved(&part), ["null_move_use", "check_extension"]);
}

/// Though the seed of both phases is the same: no opening of the match has taught the champion.
fn validates_from_other_openings(whole: &Path) {
    let openings = |folder: &str| -> HashSet<String> {
        let files = files_of(&whole.join(folder)).into_iter();
        let texts = files.map(|(_, bytes)| String::from_utf8(bytes).unwrap());
        let all = texts.collect::<String>();
        // Eight half moves, behind the tags and what the first game says of all.
        let opening = |game: &str| {
            let (_, moves) = game.split_once("1. ")?;
            moves
                .split_once(" 5. ")
                .map(|(opening, _)| opening.to_string())
        };
        all.split("[Event ").filter_map(opening).collect()
    };
    let (taught, tested) = (openings("coevolution/games"), openings("validation/games"));
    assert!(
        taught.len() > 4 && tested.len() > 4,
        "{taught:?} {tested:?}"
    );
    assert!(taught.is_disjoint(&tested), "{taught:?} {tested:?}");
}

/// The evaluation is the first phase's still, and what searches is the champion's on both sides.
#[test]
fn each_validation_has_its_verdict_and_a_champion_no_match_with_itself() {
    let (head, rest) = NIGHT
        .split_once("\n[[phase]]\nkind = \"coevolution\"")
        .unwrap();
    let (_, ecm) = rest.split_once("\n[[phase]]\nkind = \"ecm\"").unwrap();
    let (_, validation) = ecm.split_once("kind = \"validation\"").unwrap();
    let other = "kind = \"validation\"\nname = \"other\"\nagainst = [\"other.toml\"]";
    let profile = format!("{head}\n[[phase]]\nkind = \"ecm\"{ecm}\n[[phase]]\n{other}{validation}");
    let bench = Bench::new(40).profile(&profile);
    let text = ParamSet::default().to_toml(&[], &[], &[Table::Eval]);
    std::fs::write(bench.folder("other.toml"), text).unwrap();
    let out = bench.folder("out");
    let said = bench.run(&out, &[]).success();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    let verdict = std::fs::read_to_string(out.join("validation/verdict.txt")).unwrap();
    for text in [&said, &page, &verdict] {
        assert!(text.contains("there is nothing to compare"), "{text}");
    }
    assert!(!out.join("validation/games").exists());
    assert!(out.join("other/games/match-001.pgn").is_file());
    for start in ["validation: The same parameters as ", "other: "] {
        assert!(page.contains(start), "{start}");
    }
}

#[test]
fn what_a_phase_learns_from_is_not_called_unseen() {
    let bench = Bench::new(40).profile(NIGHT);
    let warnings = |profile: &str, phase: Option<&str>| {
        std::fs::write(bench.folder("small.toml"), profile).unwrap();
        let order = Order {
            phase: phase.map(str::to_string),
            ..Order::of(&bench.folder("small.toml"))
        };
        order.plan(&Options::default()).unwrap().warnings
    };
    assert_eq!(warnings(NIGHT, None), [""; 0]);
    // The suite's even half is new as long as the odd one is learnt from.
    let ecm = NIGHT.replace(
        "train = \"train.epd\"\ncount = 6",
        "train = \"test.epd\"\ncount = 6",
    );
    let ecm = ecm.replace(
        "[phase.positions]\nfile = \"test.epd\"\ncount = 12\nsensitivity = true\n",
        "",
    );
    assert_ne!(ecm, NIGHT);
    assert_eq!(warnings(&ecm, None), [""; 0]);
    let suite = ecm.replace("part = \"even\"", "part = \"odd\"");
    let said = "validation: positions of test.epd are those that ecm learns from";
    assert_eq!(warnings(&suite, None), [said]);
    // Neither do a copy's name or a phase run alone hide it.
    std::fs::copy(bench.folder("train.epd"), bench.folder("copy.epd")).unwrap();
    let (head, tail) = NIGHT
        .rsplit_once("file = \"test.epd\"\ncount = 12")
        .unwrap();
    let copied = |name: &str| format!("{head}file = \"{name}\"\ncount = 12{tail}");
    let said = |name: &str| {
        format!("validation: positions of {name} are those that grandmaster learns from")
    };
    assert!(warnings(&copied("copy.epd"), None).contains(&said("copy.epd")));
    let alone = warnings(&copied("train.epd"), Some("validation"));
    assert!(alone.contains(&said("train.epd")), "{alone:?}");

    std::fs::write(bench.folder("small.toml"), copied("copy.epd")).unwrap();
    let out = bench.folder("out");
    let told = bench.run(&out, &[]).warnings();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(told.contains(&said("copy.epd")), "{told}");
    assert!(page.contains(&said("copy.epd")) && !page.contains("What no phase has learnt from"));
}

/// The run's best says of every phase what the phase's own file says, data and seed among it.
fn says_where_all_of_it_comes_from(folder: &Path) {
    let provenance = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        table["provenance"].as_table().unwrap().clone()
    };
    let all = &provenance("best.toml")["phases"];
    for phase in ["grandmaster", "coevolution", "ecm"] {
        let mut said = provenance(&format!("{phase}/best.toml"));
        for key in ["program", "phase", "profile", "profile_sha256"] {
            assert!(said.remove(key).is_some(), "{key}");
        }
        assert!(said.contains_key("seed"));
        assert_eq!(all[phase].as_table(), Some(&said), "{phase}");
    }
}

/// The numbers once more, by changing one row after the other and searching the suite.
fn says_what_search_parameters_are_worth(folder: &Path, page: &str, suite: &Path) {
    const CAP: u64 = 2000;
    let suite = std::fs::read_to_string(suite).unwrap();
    let problems = suite.lines().take(20).skip(1).step_by(2);
    let problems: Vec<Epd> = problems.map(|line| Epd::parse(line).unwrap()).collect();
    let searched = |params: &ParamSet| {
        let rule = Rule {
            cap: CAP,
            hash: hash_for(CAP),
            ..Rule::default()
        };
        let costs = problems.iter().map(|problem| {
            let mut solver = Solver::new(rule, params.clone()).unwrap();
            solver.cost(std::slice::from_ref(problem))
        });
        costs.fold((0, 0), |(nodes, solved), cost| {
            (nodes + cost.nodes, solved + i64::from(cost.solved))
        })
    };
    let champion = ParamSet::load(&[folder.join("best.toml")]).unwrap().params;
    let (nodes, solved) = searched(&champion);
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let (mut tasks, mut differing) = (0, 0);
    for gene in layout("search-2014").unwrap() {
        let (spec, value) = (gene.spec(), champion.get(&gene));
        let half = if value == 1 { 0 } else { (value + 1) / 2 };
        let more = (value + (value / 2).max(1)).min(*spec.range.end());
        let mut dearer = Vec::new();
        let mut lost = Vec::new();
        for other in [half, more] {
            let task = format!("suite 1 {} = {other} position", spec.name);
            let times = journal.matches(&task).count();
            if other == value {
                assert_eq!(times, 0, "{task}");
                dearer.push("<td>–</td>".to_string());
                lost.push("<td>–</td>".to_string());
                continue;
            }
            assert_eq!(times, problems.len(), "{task}");
            tasks += times;
            let mut changed = champion.clone();
            changed.set(&gene, other);
            let (after, still) = searched(&changed);
            differing += usize::from(after != nodes);
            let percent = (after as f64 - nodes as f64) / nodes as f64 * 100.0;
            dearer.push(format!("<td>{percent:+.1} %</td>"));
            lost.push(format!("<td>{}</td>", solved - still));
        }
        let name = format!("<code>{}</code>", spec.name.replace('_', "_<wbr>"));
        let row = page.split(&name).nth(1).unwrap();
        let (row, _) = row.split_once("</tr>").unwrap();
        let worth = dearer.concat() + &lost.concat();
        assert!(row.contains(&format!("</th><td>{value}</td>")), "{row}");
        assert!(row.trim_end().ends_with(&worth), "{row}: {worth}");
    }
    let changed = |line: &&str| line.contains("\"task\":\"suite 1 ") && line.contains(" = ");
    assert_eq!(journal.lines().filter(changed).count(), tasks);
    assert!(differing > 0, "no change of a parameter shows");
}

#[test]
fn one_suite_at_most_says_what_parameters_are_worth() {
    let suite = "[[phase.suites]]\nfile = \"test.epd\"\nsensitivity = true\n[phase.games]";
    let profile = sensitive();
    let (head, tail) = profile.rsplit_once("[phase.games]").unwrap();
    let bench = Bench::new(4).profile(&[head, suite, tail].concat());
    let error = bench.run(&bench.folder("out"), &[]).failure();
    for words in [
        "small.toml: line ",
        "2 suites have `sensitivity = true`",
        "one at most",
    ] {
        assert!(error.contains(words), "{error}");
    }
}

/// Another suite to learn from is no suite that nobody has seen.
#[test]
fn suites_given_replace_what_is_learnt_from_with_its_rest_and_what_is_not() {
    let bench = Bench::new(40).profile(NIGHT);
    let profile = bench.folder("small.toml");
    for name in ["given.epd", "unseen.epd"] {
        std::fs::copy(bench.folder("test.epd"), bench.folder(name)).unwrap();
    }
    let suites = |held_out: Option<&str>| {
        let options = Options {
            suite: Some(bench.folder("given.epd")),
            held_out_suite: held_out.map(|name| bench.folder(name)),
            ..Options::default()
        };
        let plan = Order::of(&profile).plan(&options).unwrap();
        let file = |phase: &str| {
            let files = plan.header.files.iter();
            let mut suites = files.filter(|file| file.role.starts_with("suite"));
            let file = suites.find(|file| file.phase == phase).unwrap();
            file.path.file_name().unwrap().to_str().unwrap().to_string()
        };
        [file("ecm"), file("validation")]
    };
    assert_eq!(suites(None), ["given.epd", "test.epd"]);
    assert_eq!(suites(Some("unseen.epd")), ["given.epd", "unseen.epd"]);
    let one = NIGHT.replace(
        "file = \"test.epd\"\ncount = 6",
        "file = \"train.epd\"\ncount = 6",
    );
    assert_ne!(one, NIGHT);
    std::fs::write(&profile, one).unwrap();
    assert_eq!(suites(None), ["given.epd", "given.epd"]);
    assert_eq!(suites(Some("unseen.epd")), ["given.epd", "given.epd"]);
}

#[test]
fn data_that_has_moved_is_known_again_whichever_option_names_it() {
    let own = NIGHT
        .replace(
            "train = \"train.epd\"\ncount = 6",
            "train = \"suite.epd\"\ncount = 6",
        )
        .replace(
            "[[phase.suites]]\nfile = \"test.epd\"\n",
            "[[phase.suites]]\nfile = \"unseen.epd\"\ncap = 300\n\
             [[phase.suites]]\nfile = \"suite.epd\"\n",
        );
    assert!(own.matches("suite.epd").count() == 2 && own.contains("unseen.epd"));
    let bench = Bench::new(40).profile(&own);
    let lines = std::fs::read_to_string(bench.folder("test.epd")).unwrap();
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    std::fs::write(bench.folder("suite.epd"), lines[..8].concat()).unwrap();
    std::fs::write(bench.folder("unseen.epd"), lines[8..12].concat()).unwrap();
    let out = bench.folder("out");
    bench.run(&out, &[]).success();

    let moved = bench.folder("moved");
    std::fs::create_dir(&moved).unwrap();
    let mut options = Vec::new();
    for (option, name) in [
        ("--positions", "train.epd"),
        ("--test", "test.epd"),
        ("--suite", "suite.epd"),
        ("--held-out-suite", "unseen.epd"),
    ] {
        std::fs::rename(bench.folder(name), moved.join(name)).unwrap();
        options.extend([option.to_string(), moved.join(name).display().to_string()]);
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let before = files_of(&out);
    bench.resume(&out, &options).success();
    assert_eq!(before, files_of(&out));
    let said = bench.resume(&out, &options[..6]).failure();
    assert!(said.contains("unseen.epd"), "{said}");
    // Another suite is refused, and not taken for the one that it stands beside.
    std::fs::write(moved.join("unseen.epd"), lines[12..16].concat()).unwrap();
    let said = bench.resume(&out, &options).failure();
    assert!(said.contains("have changed"), "{said}");
}

/// What the phases begin with is not known before, but how many they are is.
#[test]
fn a_check_knows_as_much_as_a_run() {
    let bench = Bench::new(40).profile(NIGHT);
    let profile = bench.folder("small.toml");
    let check = |text: &str| {
        std::fs::write(&profile, text).unwrap();
        bench.tuner(&["check", profile.to_str().unwrap()])
    };
    let said = check(NIGHT).success();
    assert!(said.contains("3 generations of 3 individuals"), "{said}");
    let (head, rest) = NIGHT
        .split_once("[phase.evolution]\ngenerations = 3")
        .unwrap();
    let (_, tail) = rest.split_once("[phase.games]").unwrap();
    let compact = "[phase.compact]\npopulation = 9\ngenerations = 1\nduels = 1\nspread = 0\n";
    check(&format!("{head}{compact}[phase.games]{tail}")).success();

    let ecm = NIGHT
        .split("\n[[phase]]\n")
        .find(|phase| phase.contains("kind = \"ecm\""));
    let ecm = format!(
        "format = 1\n[[phase]]\nname = \"tactics\"\n{}",
        ecm.unwrap()
    );
    let champions = ecm
        .replace("layout =", "evaluation = \"eval.toml\"\nlayout =")
        .replace("population = 4", "population = 4\ninitial = \"champions\"");
    let eval = ParamSet::default().to_toml(&[], &[], &[Table::Eval]);
    std::fs::write(bench.folder("eval.toml"), eval).unwrap();
    for text in [ecm, champions.clone()] {
        let error = check(&text).failure();
        let out = bench.folder("none");
        assert_eq!(error, bench.run(&out, &[]).failure());
        let said = "phase tactics: begins with parameters, and there are none";
        assert!(error.contains(said), "{error}");
    }
    // A search is nothing to be better than, or to search with.
    let search = ParamSet::default().to_toml(&[], &[], &[Table::Search]);
    std::fs::write(bench.folder("eval.toml"), search).unwrap();
    let against = NIGHT.replace(
        "seed = 7\n[phase.positions]\nfile",
        "seed = 7\nagainst = [\"eval.toml\"]\n[phase.positions]\nfile",
    );
    assert_ne!(against, NIGHT);
    for (text, phase) in [(champions, "tactics"), (against, "validation")] {
        let error = check(&text).failure();
        let said = format!("phase {phase}: eval.toml has no evaluation, so");
        assert!(error.contains(&said), "{error}");
    }
}

#[test]
fn what_nothing_would_use_is_refused() {
    let bench = Bench::new(40).profile(NIGHT);
    let profile = bench.folder("small.toml");
    let refused = |order: &Order, options: &Options| {
        let error = order.plan(options).unwrap_err();
        error.to_string()
    };
    let suite = Options {
        suite: Some(bench.folder("test.epd")),
        ..Options::default()
    };
    let games = Order {
        phase: Some("coevolution".into()),
        ..Order::of(&profile)
    };
    let said = refused(&games, &suite);
    assert!(said.starts_with("--suite: "), "{said}");
    let champion = Order {
        from: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../params/grandmaster.toml")),
        ..Order::of(&profile)
    };
    let said = refused(&champion, &Options::default());
    assert!(said.starts_with("--from: grandmaster "), "{said}");

    // A match plays each opening of a book once, with both colours.
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    std::fs::write(bench.folder("book.epd"), book).unwrap();
    for (keys, why) in [
        ("book = \"book.epd\"", "20 pairs of games, but 1 different"),
        ("plies = 0", "20 pairs of games, but 1 different"),
        ("each = 2", "`each`"),
        ("openings = \"paper\"", "each opening with both colours"),
    ] {
        let (head, tail) = NIGHT.rsplit_once("max_moves = 30").unwrap();
        let text = format!("{head}max_moves = 30\n{keys}{tail}");
        std::fs::write(&profile, text).unwrap();
        let said = refused(&Order::of(&profile), &Options::default());
        assert!(said.contains(why), "{keys}: {said}");
    }
}

#[test]
fn hours_end_every_phase_cleanly_and_for_good() {
    let profile = NIGHT.replace("format = 1\n", "format = 1\nhours = 0.000001\n");
    let bench = Bench::new(40).profile(&profile);
    let out = bench.folder("out");
    let said = bench.run(&out, &[]).success();
    let cut = "the time of grandmaster, coevolution, ";
    assert!(said.contains(&format!("Hours: {cut}")), "{said}");
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains(cut) && report.contains("1 generations, ended by its hours"));
    let said = bench.tuner(&["status", out.to_str().unwrap()]).success();
    assert!(
        said.contains("coevolution: ended by the hours after generation 1 of "),
        "{said}"
    );
    // A phase goes on after its first run has been ended.
    let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let lines = journal.split_inclusive('\n');
    let first = 1 + lines
        .clone()
        .position(|line| line.contains("time is up"))
        .unwrap();
    let under_way = bench.folder("under-way");
    std::fs::create_dir(&under_way).unwrap();
    std::fs::copy(out.join("profile.toml"), under_way.join("profile.toml")).unwrap();
    let begun: String = lines.take(first).collect();
    std::fs::write(under_way.join("journal.jsonl"), begun).unwrap();
    let said = bench.tuner(&["status", under_way.to_str().unwrap()]);
    let said = said.success();
    assert!(said.contains("grandmaster: generation 1 of "), "{said}");
    let history = std::fs::read_to_string(out.join("grandmaster/history.csv")).unwrap();
    // Every run has one generation, coevolution and ecm as well.
    assert_eq!(history.lines().count(), 1 + 3);
    let history = std::fs::read_to_string(out.join("coevolution/history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 1);
    // Its champions have played: none of them is a child of a generation that did not.
    let evaluations = |phase: &str| -> Vec<_> {
        let files = std::fs::read_dir(out.join(phase).join("champions")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        paths
            .map(|path| ParamSet::load(&[path]).unwrap().params.eval)
            .collect()
    };
    let (founders, champions) = (evaluations("grandmaster"), evaluations("coevolution"));
    assert_eq!(founders.len(), champions.len());
    assert!(champions.iter().all(|champion| founders.contains(champion)));
    assert!(out.join("best.toml").is_file());
    let before = files_of(&out);
    bench.resume(&out, &[]).success();
    assert_eq!(before, files_of(&out));
}

#[test]
fn a_phase_without_a_beginning_is_refused_before_there_is_a_folder() {
    let bench = Bench::new(40).profile(NIGHT);
    let out = bench.folder("out");
    for phase in ["coevolution", "validation"] {
        bench.run(&out, &["--phase", phase]).failure();
        assert!(!out.exists(), "{phase}");
    }
    let empty = bench.folder("empty");
    std::fs::create_dir(&empty).unwrap();
    for (from, why) in [
        (bench.folder("nowhere"), "cannot read"),
        (empty, "has neither parameter files nor champions/"),
    ] {
        let more = ["--phase", "coevolution", "--from", from.to_str().unwrap()];
        let error = bench.run(&out, &more).failure();
        assert!(error.contains(why) && !out.exists(), "{error}");
    }
}
