//! Markup: text becomes [`Html`] only through escaping or a template of ours. Imports nothing.

use std::fmt::{Display, Formatter};

/// Markup that is safe to put in a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Any text, escaped; also safe within a quoted attribute.
    pub fn text(text: impl Display) -> Html {
        let mut escaped = String::new();
        for character in text.to_string().chars() {
            match character {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '"' => escaped.push_str("&quot;"),
                '\'' => escaped.push_str("&#39;"),
                other => escaped.push(other),
            }
        }
        Html(escaped)
    }

    /// Markup made here, whose foreign parts the caller has escaped.
    pub fn markup(markup: String) -> Html {
        Html(markup)
    }
}

impl Display for Html {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

/// A table whose first column names its rows; the other columns are numbers unless told.
#[derive(Default)]
pub struct Table {
    /// Says what the table shows.
    pub caption: Html,
    /// Column heads.
    pub head: Vec<Html>,
    /// Rows with their class, as long as the head.
    pub body: Vec<(&'static str, Vec<Html>)>,
    /// Class of the table: `text` aligns all columns left.
    pub class: &'static str,
}

impl Table {
    /// A table of texts.
    pub fn of_texts<R: IntoIterator<Item: Display>>(
        caption: impl Display,
        head: impl IntoIterator<Item: Display>,
        rows: impl IntoIterator<Item = R>,
        class: &'static str,
    ) -> Table {
        let row = |cells: R| ("", cells.into_iter().map(Html::text).collect());
        Table {
            caption: Html::text(caption),
            head: head.into_iter().map(Html::text).collect(),
            body: rows.into_iter().map(row).collect(),
            class,
        }
    }

    /// Where the numbers come from: names and values.
    pub fn of_provenance(provenance: &[(String, String)]) -> Table {
        let rows = provenance.iter().map(|(name, value)| [name, value]);
        let caption = "Where the numbers come from";
        Table::of_texts(caption, ["What", "Value"], rows, "text")
    }

    /// The table, in a box that scrolls sideways where the page is too narrow, also by keyboard.
    pub fn html(&self) -> Html {
        // A narrow page shows three columns.
        let hint = match self.head.len() > 3 {
            true => "<p class=\"hint\">More columns on the right: scroll sideways →</p>\n",
            false => "",
        };
        let mut text = format!(
            "{hint}<div class=\"scroll\" tabindex=\"0\"><table class=\"{}\">\n<caption>{}</caption>\n\
             <thead><tr>",
            self.class, self.caption
        );
        for head in &self.head {
            text.push_str(&format!("<th scope=\"col\">{head}</th>"));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for (class, cells) in &self.body {
            text.push_str(&match *class {
                "" => "<tr>".to_string(),
                class => format!("<tr class=\"{class}\">"),
            });
            for (index, cell) in cells.iter().enumerate() {
                text.push_str(&match index {
                    0 => format!("<th scope=\"row\">{cell}</th>"),
                    _ => format!("<td>{cell}</td>"),
                });
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody></table></div>\n");
        Html(text)
    }
}
