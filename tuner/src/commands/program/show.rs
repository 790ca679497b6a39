//! The trees of a program with how often each node decides, as text and as a picture.

use super::usage::{Count, Counts};
use crate::base::statistics::{counted, thousands};
use engine::program::{PRIMITIVES, Program, Tree};
use std::fmt::Write as _;

/// Names of the trees, in their order.
const TREES: [&str; 3] = ["advantage", "even", "disadvantage"];

/// How the title of a picture begins.
pub const TITLE: &str = "A program's trees";

/// A node of a tree as a line.
struct Line {
    name: &'static str,
    level: usize,
    /// The line of the function that it is an argument of.
    above: Option<usize>,
}

/// The nodes of a tree in its order.
fn lines(tree: &Tree) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (at, &node) in tree.nodes().iter().enumerate() {
        // Its function is the last one before it whose tree reaches as far.
        let above = (0..at)
            .rev()
            .find(|&before| before + tree.subtree(before).len() > at);
        lines.push(Line {
            name: PRIMITIVES.get(usize::from(node)).map_or("", |one| one.name),
            level: above.map_or(0, |above| lines[above].level + 1),
            above,
        });
    }
    lines
}

/// What is said of a node, in percent of what is asked or played.
fn said(count: Count, moves: u64) -> String {
    let part = |of: u64, all: u64| 100.0 * of as f64 / all.max(1) as f64;
    if count.asked == 0 {
        return "never asked".to_string();
    }
    let mut text = format!(
        "asked {}, not 0 in {:.1} %",
        thousands(count.asked),
        part(count.holds, count.asked)
    );
    if count.decided > 0 {
        let _ = write!(text, ", decides {:.1} %", part(count.decided, moves));
    }
    text
}

/// What stands above a tree.
fn heading(name: &str, tree: &Tree, counts: &Counts) -> String {
    format!(
        "{name}: {}, {}, {} moves played",
        counted(tree.nodes().len(), "node"),
        counted(tree.depth(), "level"),
        thousands(counts.moves)
    )
}

/// All three trees, a line a node.
pub fn text(program: &Program, used: &[Counts; 3]) -> String {
    let endings: Vec<String> = program.endings.iter().map(ToString::to_string).collect();
    let mut text = format!("endings {}\n", endings.join(", "));
    if !program.provenance.is_empty() {
        let _ = writeln!(text, "{}", program.provenance);
    }
    let was_played = used.iter().any(|counts| counts.moves > 0);
    for ((name, tree), counts) in TREES.iter().zip(program.trees()).zip(used) {
        let _ = writeln!(text, "\n{}", heading(name, tree, counts));
        for (line, count) in lines(tree).iter().zip(&counts.nodes) {
            let written = format!("{}{}", "  ".repeat(line.level + 1), line.name);
            match was_played {
                true => {
                    let _ = writeln!(text, "{written:<48} {}", said(*count, counts.moves));
                }
                false => {
                    let _ = writeln!(text, "{written}");
                }
            }
        }
    }
    text
}

/// The same as a picture: a row a node, faint where it is seldom asked, with a bar for how often it decides.
pub fn svg(program: &Program, used: &[Counts; 3]) -> String {
    const ROW: usize = 18;
    const STEP: usize = 16;
    const BAR: f64 = 120.0;
    let mut body = String::new();
    let (mut y, mut width) = (ROW, 0);
    for ((name, tree), counts) in TREES.iter().zip(program.trees()).zip(used) {
        let heading = heading(name, tree, counts);
        let _ = writeln!(
            body,
            "<text x=\"140\" y=\"{y}\" font-weight=\"bold\">{heading}</text>"
        );
        y += ROW;
        let first = y;
        let asked = counts.nodes.first().map_or(0, |root| root.asked);
        for (at, (line, count)) in lines(tree).iter().zip(&counts.nodes).enumerate() {
            let x = 140 + STEP * line.level;
            width = width.max(x + 8 * line.name.len());
            let y = first + ROW * at;
            if let Some(above) = line.above {
                let (left, top) = (x - STEP + 5, first + ROW * above + 4);
                let _ = writeln!(
                    body,
                    "<path d=\"M{left} {top}V{}H{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.4\"/>",
                    y - 4,
                    x - 2
                );
            }
            let part = |of: u64, all: u64| of as f64 / all.max(1) as f64;
            let opacity = match asked {
                0 => 1.0,
                _ => 0.35 + 0.65 * part(count.asked, asked).min(1.0),
            };
            let bar = BAR * part(count.decided, counts.moves);
            let _ = writeln!(
                body,
                "<g><title>{}</title><rect x=\"{:.1}\" y=\"{}\" width=\"{bar:.1}\" height=\"10\" fill=\"#0072B2\"/>\
                 <text x=\"{x}\" y=\"{y}\" fill-opacity=\"{opacity:.2}\">{}</text></g>",
                said(*count, counts.moves),
                130.0 - bar,
                y - 10,
                line.name
            );
        }
        y = first + ROW * (tree.nodes().len() + 1);
    }
    let width = width.max(480) + 10;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{y}\" viewBox=\"0 0 {width} {y}\" \
         font-family=\"monospace\" font-size=\"13\" fill=\"currentColor\">\n<title>{TITLE}: bars say which \
         part of the moves played each node decides</title>\n{body}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::usage::of_games;
    use super::*;

    #[test]
    fn levels_and_counts_stand_beside_the_nodes() {
        let tree = "(If3 (And2 IsMate IsMyFork) 1000/2 (If3 IsMate 1000/3 2/1000))";
        let text_of = format!(
            "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
        );
        let program = Program::parse(&text_of).unwrap();
        let levels: Vec<usize> = lines(&program.even).iter().map(|line| line.level).collect();
        assert_eq!(levels, [0, 1, 2, 2, 1, 1, 2, 2, 2]);
        let used = of_games(&program, 4, 1).unwrap();
        let said = text(&program, &used);
        assert!(said.contains("even: 9 nodes, 3 levels, "), "{said}");
        assert!(said.contains("\n    And2"), "{said}");
        assert!(said.contains(", decides 100.0 %"), "{said}");
        let picture = svg(&program, &used);
        assert_eq!(picture.matches("<text").count(), 3 + 27);
        assert!(picture.ends_with("</svg>\n"));
        let none = of_games(&program, 0, 1).unwrap();
        assert!(!text(&program, &none).contains("asked"));
    }
}
