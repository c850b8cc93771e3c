//! The page: elements of SVG, and the width of text.

use crate::palette::{FAINT, INK, PAPER};

/// The width of every chart; its height is what its contents need.
pub const WIDTH: f64 = 860.0;
/// The distance between the contents and the edges.
pub const MARGIN: f64 = 24.0;
/// The size of most text.
pub const TEXT: f64 = 13.0;
/// The size of numbers at axes, and of notes.
pub const SMALL: f64 = 11.5;

/// The text above and below a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// What the chart shows.
    pub title: String,
    /// More about it, in small letters; may be empty.
    pub subtitle: String,
    /// How it was measured, at the bottom; may be empty.
    pub footnote: String,
}

impl Heading {
    /// A title without a subtitle and a footnote.
    pub fn titled(title: impl Into<String>) -> Heading {
        Heading { title: title.into(), ..Heading::default() }
    }
}

/// Which point of a text is at its coordinates: the `text-anchor` of SVG.
pub const START: &str = "start";
pub const MIDDLE: &str = "middle";
pub const END: &str = "end";

/// How text looks.
#[derive(Clone, Copy)]
pub struct Style {
    pub size: f64,
    pub colour: &'static str,
    pub bold: bool,
}

/// A line one unit wide.
pub const THIN: &str = r#"stroke-width="1""#;

pub const PLAIN: Style = Style { size: TEXT, colour: INK, bold: false };
pub const BOLD: Style = Style { size: TEXT, colour: INK, bold: true };
pub const NOTE: Style = Style { size: SMALL, colour: FAINT, bold: false };

/// A page being drawn, from the top down.
pub struct Page {
    body: String,
    /// How far down the page is used.
    pub y: f64,
    heading: Heading,
}

impl Page {
    /// A page with its heading.
    pub fn new(heading: &Heading) -> Page {
        let mut page = Page { body: String::new(), y: MARGIN, heading: heading.clone() };
        page.paragraph(&heading.title, Style { size: 18.0, ..BOLD });
        page.paragraph(&heading.subtitle, Style { colour: FAINT, ..PLAIN });
        page.y += 10.0;
        page
    }

    /// Lines of text over the whole width, below what is there.
    fn paragraph(&mut self, text: &str, style: Style) {
        for line in wrapped(text, style.size, WIDTH - 2.0 * MARGIN) {
            self.y += style.size * 1.35;
            self.text(MARGIN, self.y - style.size * 0.35, START, style, &line);
        }
    }

    /// Text on its base line.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, style: Style, text: &str) {
        self.text_with(x, y, anchor, style, text, &halo());
    }

    /// Text on a coloured background.
    pub fn bare_text(&mut self, x: f64, y: f64, style: Style, text: &str) {
        self.text_with(x, y, MIDDLE, style, text, "");
    }

    fn text_with(&mut self, x: f64, y: f64, anchor: &str, style: Style, text: &str, attributes: &str) {
        let Style { size, colour, bold } = style;
        let weight = if bold { r#" font-weight="600""# } else { "" };
        self.element(&format!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}"{weight} fill="{colour}" text-anchor="{anchor}"{attributes}>{}</text>"#,
            escaped(text)
        ));
    }

    /// A straight line; `look` is how it is drawn.
    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str, look: &str) {
        let ends = format!(r#"x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}""#);
        self.element(&format!(r#"<line {ends} stroke="{colour}" {look}/>"#));
    }

    /// A rectangle, with a name that shows under the mouse.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), colour: &str, class: &str, name: &str) {
        let ((x, y), (width, height)) = (corner, size);
        let area = format!(r#"x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}""#);
        let title = escaped(name);
        self.element(&format!(
            r#"<rect class="{class}" {area} fill="{colour}"><title>{title}</title></rect>"#
        ));
    }

    /// A circle; `look` is how it is drawn.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, look: &str) {
        self.element(&format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" {look}/>"#));
    }

    /// An element of SVG.
    pub fn element(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// The finished page.
    pub fn svg(mut self) -> String {
        self.y += 6.0;
        let footnote = self.heading.footnote.clone();
        self.paragraph(&footnote, NOTE);
        let height = (self.y + MARGIN * 0.75).ceil();
        let title = escaped(&self.heading.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// Covers the lines around text.
fn halo() -> String {
    format!(r#" stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke""#)
}

/// The width of the widest of these texts.
pub fn widest(texts: impl IntoIterator<Item = impl AsRef<str>>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text.as_ref(), size)).fold(0.0, f64::max)
}

/// How wide text is at most: the typeface is not known, so a wide one is assumed.
pub fn width(text: &str, size: f64) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.40,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.96,
        'A'..='Z' | '+' | '=' | '<' | '>' | '×' | '−' | '→' => 0.76,
        _ if letter.is_ascii() => 0.62,
        _ => 0.75,
    };
    text.chars().map(letter).sum::<f64>() * size
}

/// Shortens a text to this width.
pub fn cut(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if width(&kept, size) + size > room {
            kept.pop();
            break;
        }
    }
    kept.trim_end().to_owned() + "…"
}

/// Breaks text into lines.
fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + size / 2.0 <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, size, room)),
        }
    }
    lines
}

/// Escapes text for XML; control characters become dots.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('·'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_wrapped_to_its_room() {
        assert_eq!(cut("short", 12.0, 100.0), "short");
        let long = "a much longer text than there is room for";
        let cut = cut(long, 12.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 100.0, "{cut}");
        let lines = wrapped(long, 12.0, 100.0);
        assert_eq!(lines.join(" "), long);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 12.0) <= 100.0), "{lines:?}");
        assert_eq!(wrapped("", 12.0, 100.0), Vec::<String>::new());
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\n"), "a&lt;b &amp; &quot;c&quot;·");
    }
}
