//! The parameters that evolved, one row each: value, default, place in the range, meaning, and what is
//! known of its way. Imports the other parts of the report.

use super::html::{Html, Table};

/// Parameters of one table.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Which table.
    pub title: &'static str,
    /// Its rows that evolved.
    pub rows: Vec<Parameter>,
    /// Heads of the columns that say what the rows are worth; none if that was not measured.
    pub measures: &'static [&'static str],
    /// What these columns mean.
    pub note: String,
}

/// One parameter of the best set.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    /// Name of the row.
    pub name: String,
    /// What it means, as its declaration says.
    pub doc: String,
    /// Its value.
    pub value: i32,
    /// The value that the engine has without a file.
    pub default: i32,
    /// Least and greatest value that the row accepts.
    pub range: (i32, i32),
    /// The value that a phase began with that did not begin with random bits.
    pub before: Option<i32>,
    /// Least and greatest value among the champions of the runs, or in the last population of games.
    pub spread: Option<(i32, i32)>,
    /// What it is worth, by the measures; empty if that is not known.
    pub worth: Vec<String>,
}

impl Parameter {
    /// Where a value lies between the ends of the range, in per cent.
    fn place(&self, value: i32) -> f64 {
        let (low, high) = self.range;
        let span = (f64::from(high) - f64::from(low)).max(1.0);
        (100.0 * (f64::from(value) - f64::from(low)) / span).clamp(0.0, 100.0)
    }

    /// The range as a bar: a thick mark for the value, a thin one for the default.
    fn bar(&self) -> Html {
        let (low, high) = self.range;
        let (value, default) = (self.place(self.value), self.place(self.default));
        Html::markup(format!(
            "<span class=\"range\"><span>{low}</span><span class=\"bar\" role=\"img\" \
             aria-label=\"{value:.0} % of the range, default {default:.0} %\">\
             <i style=\"left:{default:.1}%\"></i><b style=\"left:{value:.1}%\"></b></span>\
             <span>{high}</span></span>"
        ))
    }
}

/// The sections of all tables that have rows.
pub fn sections(tables: &[Parameters]) -> String {
    let filled = tables.iter().filter(|table| !table.rows.is_empty());
    filled.map(section).collect()
}

fn section(table: &Parameters) -> String {
    let dash = || "–".to_string();
    // What evolved from random bits in one run has neither a beginning nor a spread.
    let has_before = table.rows.iter().any(|row| row.before.is_some());
    let has_spread = table.rows.iter().any(|row| row.spread.is_some());
    let mut head = vec!["Parameter", "Value", "Default", "Place in its range"];
    head.extend(has_before.then_some("Before"));
    head.extend(has_before.then_some("Change"));
    head.extend(has_spread.then_some("Spread"));
    head.extend(table.measures);
    let row = |row: &Parameter| {
        let mut cells = vec![
            Html::markup(format!(
                "<code>{}</code><small>{}</small>",
                Html::text(&row.name).to_string().replace('_', "_<wbr>"),
                Html::text(one_line(&row.doc))
            )),
            Html::text(row.value),
            Html::text(row.default),
            row.bar(),
        ];
        let mut push = |text: Option<String>| cells.push(Html::text(text.unwrap_or_else(dash)));
        if has_before {
            push(row.before.map(|before| before.to_string()));
            let change = |before: i32| i64::from(row.value) - i64::from(before);
            push(row.before.map(|before| format!("{:+}", change(before))));
        }
        if has_spread {
            push(row.spread.map(|(low, high)| match low == high {
                true => low.to_string(),
                false => format!("{low} to {high}"),
            }));
        }
        for measure in 0..table.measures.len() {
            push(row.worth.get(measure).cloned());
        }
        ("", cells)
    };
    let mut caption = "In the bar the thick mark is the value and the thin one the default, which \
                       the engine plays with when it has no file."
        .to_string();
    if has_before {
        caption += " Before: what the phase began with.";
    }
    if has_spread {
        caption += " Spread: the champions of all runs, or the last population of games.";
    }
    let html = Table {
        caption: Html::text(caption),
        head: head.iter().map(Html::text).collect(),
        body: table.rows.iter().map(row).collect(),
        class: if has_before {
            "parameters drift"
        } else {
            "parameters fresh"
        },
    };
    let note = match table.note.is_empty() {
        true => String::new(),
        false => format!("<p class=\"note\">{}</p>\n", Html::text(&table.note)),
    };
    format!(
        "<section>\n<h2>{}</h2>\n{}{note}</section>\n",
        Html::text(table.title),
        html.html()
    )
}

/// A declaration's comment without its line breaks.
fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_where_the_value_lies() {
        let parameter = |value, range| Parameter {
            value,
            range,
            ..Parameter::default()
        };
        assert_eq!(parameter(16, (0, 64)).place(16), 25.0);
        assert_eq!(parameter(0, (-50, 50)).place(0), 50.0);
        // Neither a value outside nor a range of one value breaks the bar.
        assert_eq!(parameter(99, (0, 64)).place(99), 100.0);
        assert_eq!(parameter(3, (3, 3)).place(3), 0.0);
        assert_eq!(parameter(0, (i32::MIN, i32::MAX)).place(i32::MAX), 100.0);
    }
}
