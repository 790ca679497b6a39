//! The section of a phase that has none of its own: words, figures and lists.

use super::figures::Figure;
use super::html::Html;

/// What it says.
#[derive(Clone, Debug)]
pub struct PlainSection {
    /// Its heading.
    pub title: String,
    /// What came out in a few words, if anything has yet.
    pub result: Option<String>,
    /// What came out, and what that means.
    pub paragraphs: Vec<String>,
    /// Figures with their captions.
    pub figures: Vec<(Figure, String)>,
    /// Texts whose lines and spaces mean something, such as trees, with their headings.
    pub texts: Vec<(String, String)>,
}

/// The section.
pub fn section(plain: &PlainSection) -> String {
    let figures: String = (plain.figures.iter())
        .map(|(figure, caption)| figure.captioned(caption))
        .collect();
    let paragraphs = plain.paragraphs.iter();
    let paragraphs: String = paragraphs
        .map(|text| format!("<p>{}</p>\n", Html::text(text)))
        .collect();
    let text = |(heading, text): &(String, String)| {
        let (heading, text) = (Html::text(heading), Html::text(text));
        format!("<details open><summary>{heading}</summary>\n<pre>{text}</pre></details>\n")
    };
    let texts: String = plain.texts.iter().map(text).collect();
    let title = Html::text(&plain.title);
    format!("<section>\n<h2>{title}</h2>\n{figures}{paragraphs}{texts}</section>\n")
}
