//! What positions cost, with searches that can be followed.

use super::*;
use std::slice::from_ref;

const RULES: [Found; 5] = [
    Found::First,
    Found::Iterations(1),
    Found::Iterations(2),
    Found::Iterations(4),
    Found::Last,
];

fn rule(found: Found, cap: u64) -> Rule {
    Rule {
        cap,
        found,
        hash: 1,
    }
}

/// Every 250th of the sample's positions, two of them with `am` in the place of `bm`, two with
/// two best moves.
fn problems() -> Vec<Epd> {
    let text = include_str!("../../../data/sample-train.epd");
    let lines = text.lines().step_by(250).take(20);
    let mut problems: Vec<Epd> = lines.map(|line| Epd::parse(line).unwrap()).collect();
    for problem in &mut problems[..2] {
        problem.avoid = std::mem::take(&mut problem.best);
    }
    for problem in &mut problems[2..4] {
        problem.best.push(problem.position.legal_moves()[0]);
    }
    problems
}

/// What the root told in a search that nobody ended: `Ok` a best move with its nodes, `Err` the
/// end of an iteration.
fn events(problem: &Epd, cap: u64) -> Vec<Result<(Move, u64), ()>> {
    let mut events = Vec::new();
    let mut searcher = Searcher::new(ParamSet::default(), 1).unwrap();
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &NoClock,
    };
    let game = Game::new(problem.position);
    let mut completed = 0;
    searcher.search(
        &game,
        &Limits::nodes(cap),
        control,
        &mut |event| match event {
            Event::BestMove { mv, nodes } => events.push(Ok((mv, nodes))),
            Event::Info(_) => {
                events.push(Err(()));
                completed += 1;
            }
            Event::Bound(_) | Event::CurrentMove { .. } => {}
        },
    );
    assert!(completed > 2);
    events
}

/// The definition of [`Found`] by looking at the whole list of events for every stretch in
/// which the best move is one of the suite's.
fn expected(problem: &Epd, events: &[Result<(Move, u64), ()>], found: Found) -> Option<u64> {
    let solves =
        |event: &Result<(Move, u64), ()>| event.ok().map(|(mv, _)| problem.is_solved_by(mv));
    let mut at = 0;
    while let Some(start) = (at..events.len()).find(|&i| solves(&events[i]) == Some(true)) {
        let end = (start..events.len()).find(|&i| solves(&events[i]) == Some(false));
        let stretch = &events[start..end.unwrap_or(events.len())];
        let iterations = stretch.iter().filter(|event| event.is_err()).count();
        let holds = match found {
            Found::First => true,
            Found::Iterations(wanted) => iterations >= wanted as usize || end.is_none(),
            Found::Last | Found::Worth => end.is_none(),
        };
        if holds {
            return events[start].ok().map(|(_, nodes)| nodes);
        }
        at = end?;
    }
    None
}

#[test]
fn each_rule_finds_what_its_definition_says() {
    const CAP: u64 = 30_000;
    let mut verdicts = Vec::new();
    for problem in problems() {
        let events = events(&problem, CAP);
        let mut row = Vec::new();
        for found in RULES {
            let mut solver = Solver::new(rule(found, CAP), ParamSet::default()).unwrap();
            let cost = solver.cost(from_ref(&problem));
            let expected = expected(&problem, &events, found);
            assert_eq!(cost.solved, expected.is_some(), "{found}");
            assert_eq!(cost.nodes, expected.unwrap_or(CAP), "{found}");
            assert!(cost.nodes <= cost.searched || !cost.solved);
            match found {
                Found::First if cost.solved => assert_eq!(cost.searched, cost.nodes),
                _ => assert!(cost.searched <= CAP),
            }
            row.push(cost.nodes);
        }
        verdicts.push(row);
    }
    // The rules differ on these positions, and a stricter one never costs less.
    assert!(verdicts.iter().all(|row| row.is_sorted()), "{verdicts:?}");
    for other in 1..RULES.len() {
        assert!(verdicts.iter().any(|row| row[other] != row[0]));
    }
    assert!(verdicts.iter().any(|row| row[0] == CAP));
}

/// A position with worths that differ from move to move, by no rule of chess.
fn weighed(problem: Epd) -> Epd {
    let legal = problem.position.legal_moves();
    let text = |each: &dyn Fn(usize) -> String| {
        let words: Vec<String> = (0..legal.len()).map(each).collect();
        words.join(" ")
    };
    let line = format!(
        "{} c8 \"{}\"; c9 \"{}\";",
        engine::epd::fields(&problem.position),
        text(&|at| worth(at, legal.len()).to_string()),
        text(&|at| legal[at].to_string()),
    );
    Epd {
        best: problem.best,
        avoid: problem.avoid,
        ..Epd::parse(&line).unwrap()
    }
}

fn worth(place: usize, moves: usize) -> i32 {
    40 * (place as i32 * 7 % moves as i32) - 300
}

/// The definition of [`Found::Worth`], by summing over every single node.
#[test]
fn losses_are_those_of_the_best_moves_of_each_node() {
    const CAP: u64 = 5_000;
    let mut total = 0;
    for problem in problems().into_iter().map(weighed) {
        let legal = problem.position.legal_moves();
        let mut solver = Solver::new(rule(Found::Worth, CAP), ParamSet::default()).unwrap();
        let cost = solver.cost(from_ref(&problem));

        let chance_of = |mv: Move| {
            let place = legal.iter().position(|&other| other == mv).unwrap();
            1.0 / (1.0 + f64::exp(-f64::from(worth(place, legal.len())) / 170.0))
        };
        let best = legal.iter().map(|&mv| chance_of(mv)).fold(0.0, f64::max);
        let events = events(&problem, CAP);
        let moves: Vec<(Move, u64)> = events.into_iter().flatten().collect();
        let mut expected = 0.0;
        for node in CAP / 2..CAP {
            let known = moves.iter().rev().find(|(_, since)| *since <= node);
            let (mv, _) = known.unwrap_or(&moves[0]);
            expected += best - chance_of(*mv);
        }
        let difference = (cost.nodes as f64 - expected).abs();
        assert!(difference <= 2.0, "{} {expected}", cost.nodes);
        let (last, _) = moves.last().unwrap();
        assert_eq!(cost.solved, problem.is_solved_by(*last));
        assert!(cost.searched <= CAP);
        total += cost.nodes;
    }
    assert!(total > 0);
}

/// A game's turns are searched with what the searches before have left, other positions are not.
#[test]
fn turns_of_a_game_are_searched_one_after_the_other() {
    const CAP: u64 = 4_000;
    let mut turns = Vec::new();
    for problem in problems().into_iter().skip(4).take(6) {
        let mut position = problem.position;
        for _ in 0..3 {
            let id = problem.id.clone();
            turns.push(weighed(Epd {
                id,
                position,
                best: Vec::new(),
                ..problem.clone()
            }));
            for _ in 0..2 {
                position = position.play(position.legal_moves()[0]);
            }
        }
    }
    let stretches = Found::Worth.problems(turns.clone());
    assert_eq!(stretches.iter().map(Vec::len).collect::<Vec<_>>(), [3; 6]);
    assert_eq!(Found::Last.problems(turns.clone()).len(), turns.len());
    let places =
        |turns: &[Epd]| -> Vec<Position> { turns.iter().map(|turn| turn.position).collect() };
    assert_eq!(places(&stretches.concat()), places(&turns));

    let mut solver = Solver::new(rule(Found::Worth, CAP), ParamSet::default()).unwrap();
    let mut others = 0;
    for stretch in &stretches {
        let cost = solver.cost(stretch);
        let mut searcher = Searcher::new(ParamSet::default(), 1).unwrap();
        let mut lost = 0;
        for turn in stretch {
            let mut losses = Losses::new(turn, CAP / 2);
            let control = Control {
                stop: &AtomicBool::new(false),
                clock: &NoClock,
            };
            let game = Game::new(turn.position);
            searcher.search(&game, &Limits::nodes(CAP), control, &mut |event| {
                if let Event::BestMove { mv, nodes } = event {
                    losses.change(mv, nodes);
                }
            });
            lost += losses.until(CAP);
        }
        assert_eq!(cost.nodes, lost / 3);
        let alone = stretch.iter().map(|turn| solver.cost(from_ref(turn)).nodes);
        others += usize::from(alone.sum::<u64>() / 3 != cost.nodes);
    }
    assert!(others > 0);
}

#[test]
fn the_cap_is_exact() {
    for problem in problems() {
        let cost = |cap| {
            let mut solver = Solver::new(rule(Found::First, cap), ParamSet::default()).unwrap();
            solver.cost(from_ref(&problem))
        };
        let free = cost(30_000);
        if !free.solved {
            assert_eq!(free.searched, 30_000);
            continue;
        }
        assert_eq!(cost(free.nodes), free);
        let short = cost(free.nodes - 1);
        assert!(!short.solved);
        assert_eq!(
            (short.nodes, short.searched),
            (free.nodes - 1, free.nodes - 1)
        );
    }
}

/// The only move is found at once. A tree that ends without the answer costs the cap,
/// though it is searched in fewer nodes.
#[test]
fn short_trees() {
    let cost = |line: &str| {
        let rule = rule(Found::First, 500_000);
        let mut solver = Solver::new(rule, ParamSet::default()).unwrap();
        solver.cost(&[Epd::parse(line).unwrap()])
    };
    let only = cost("7k/8/6KQ/8/8/8/8/8 b - - bm Kg8;");
    assert!(only.solved && only.nodes < 50 && only.searched == only.nodes);
    let forced = cost("7k/8/6KQ/8/8/8/8/8 b - - am Kg8;");
    assert_eq!((forced.nodes, forced.solved), (500_000, false));
    assert!(forced.searched < 500_000);
}

#[test]
fn costs_are_the_same_on_any_number_of_threads_and_from_any_start() {
    let problems = Found::First.problems(problems());
    let individuals = [
        ParamSet::default(),
        ParamSet::missing(),
        ParamSet {
            search: ParamSet::missing().search,
            ..ParamSet::default()
        },
    ];
    let answers = |threads, first| {
        let mut answers = Vec::new();
        let accept = |answer| -> Result<_, TableError> {
            answers.push(answer);
            Ok(ControlFlow::Continue(()))
        };
        let rule = rule(Found::Iterations(2), 3_000);
        let stop = Stop::default();
        costs(&individuals, &problems, rule, threads, first, &stop, accept).unwrap();
        answers
    };
    let alone = answers(1, 0);
    assert_eq!(alone.len(), individuals.len() * problems.len());
    for (number, answer) in alone.iter().enumerate() {
        assert_eq!(answer.individual * problems.len() + answer.problem, number);
        assert_eq!(answer.trouble, None);
    }
    for threads in [2, 5] {
        assert_eq!(answers(threads, 0), alone);
    }
    assert_eq!(answers(2, 33), alone[33..]);
    assert!(answers(2, alone.len()).is_empty());
    let nodes = |individual: usize| -> u64 {
        let own = alone
            .iter()
            .filter(|answer| answer.individual == individual);
        own.map(|answer| answer.cost.nodes).sum()
    };
    assert!(nodes(0) != nodes(1) && nodes(1) != nodes(2));
}

#[test]
fn rules_are_written_as_they_are_read() {
    for found in RULES {
        assert_eq!(found.to_string().parse(), Ok(found));
    }
    assert_eq!("worth".parse(), Ok(Found::Worth));
    assert_eq!(Found::Worth.to_string(), "worth");
    for text in ["", "0", "128", "-1", "First", "2.5"] {
        ::tests::says(&text.parse::<Found>().unwrap_err(), &["expected first"]);
    }
    #[derive(Deserialize)]
    struct Keys {
        found: Found,
    }
    let read = |text: &str| toml::from_str::<Keys>(text).map(|keys| keys.found);
    assert_eq!(read("found = \"last\"").unwrap(), Found::Last);
    assert_eq!(read("found = 3").unwrap(), Found::Iterations(3));
    let error = read("found = 3.5").unwrap_err().to_string();
    assert!(error.contains("expected first, last"), "{error}");
    let error = read("found = 0").unwrap_err().to_string();
    assert!(error.contains("from 1 to 127"), "{error}");
}
