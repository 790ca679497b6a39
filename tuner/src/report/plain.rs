//! The section of a phase that has none of its own: words and perhaps a figure.

use super::figures::Figure;
use super::html::Html;

/// What it says.
#[derive(Clone, Debug)]
pub struct PlainSection {
    /// Its heading.
    pub title: String,
    /// What came out, and what that means.
    pub paragraphs: Vec<String>,
    /// A figure with its caption.
    pub figure: Option<(Figure, String)>,
}

/// The section.
pub fn section(plain: &PlainSection) -> String {
    let figure = plain
        .figure
        .as_ref()
        .map_or(String::new(), |(figure, caption)| {
            let caption = Html::text(caption);
            format!(
                "<figure class=\"wide\">{}<figcaption>{caption}</figcaption></figure>\n",
                figure.inline()
            )
        });
    let paragraphs = plain.paragraphs.iter();
    let paragraphs: String = paragraphs
        .map(|text| format!("<p>{}</p>\n", Html::text(text)))
        .collect();
    let title = Html::text(&plain.title);
    format!("<section>\n<h2>{title}</h2>\n{figure}{paragraphs}</section>\n")
}
