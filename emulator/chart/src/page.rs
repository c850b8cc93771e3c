//! The paper: elements of SVG, and how wide a text is on it.

use crate::palette::{FAINT, INK, PAPER};
use std::fmt::Write;

/// The width of every chart; its height is what its contents need.
pub const WIDTH: f64 = 860.0;
/// Between the contents and the edges.
pub const MARGIN: f64 = 24.0;
/// The size of most text.
pub const TEXT: f64 = 13.0;
/// The size of numbers at axes, and of notes.
pub const SMALL: f64 = 11.5;

/// What stands over and under a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// What the chart shows.
    pub title: String,
    /// More of it, in small letters; or nothing.
    pub subtitle: String,
    /// How it was measured, at the bottom; or nothing.
    pub footnote: String,
}

impl Heading {
    /// A title alone.
    pub fn titled(title: impl Into<String>) -> Heading {
        Heading { title: title.into(), ..Heading::default() }
    }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub struct Style {
    pub size: f64,
    pub colour: &'static str,
    pub bold: bool,
}

pub const PLAIN: Style = Style { size: TEXT, colour: INK, bold: false };
pub const BOLD: Style = Style { size: TEXT, colour: INK, bold: true };
pub const NOTE: Style = Style { size: SMALL, colour: FAINT, bold: false };

/// A page being drawn, from the top down.
pub struct Page {
    body: String,
    /// How far down it is used.
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

    /// Lines of text over the whole width, at the end of what is there.
    fn paragraph(&mut self, text: &str, style: Style) {
        for line in wrapped(text, style.size, WIDTH - 2.0 * MARGIN) {
            self.y += style.size * 1.35;
            self.text(MARGIN, self.y - style.size * 0.35, Anchor::Start, style, &line);
        }
    }

    /// A text on its base line.
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, style: Style, text: &str) {
        self.turned_text(x, y, anchor, style, text, None);
    }

    /// A text that reads from the bottom up.
    pub fn upward_text(&mut self, x: f64, y: f64, style: Style, text: &str) {
        self.turned_text(x, y, Anchor::Middle, style, text, Some((x, y)));
    }

    fn turned_text(
        &mut self,
        x: f64,
        y: f64,
        anchor: Anchor,
        style: Style,
        text: &str,
        turned: Option<(f64, f64)>,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if style.bold { " font-weight=\"600\"" } else { "" };
        let turn = turned.map_or(String::new(), |(x, y)| format!(" transform=\"rotate(-90 {x:.1} {y:.1})\""));
        // A text wipes away what lines lie under it.
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\"{weight} fill=\"{}\" text-anchor=\"{anchor}\" \
             stroke=\"{PAPER}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"{turn}>{}</text>",
            style.size,
            style.colour,
            escaped(text)
        );
    }

    /// A text with no paper of its own, for coloured ground.
    pub fn bare_text(&mut self, x: f64, y: f64, style: Style, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"middle\">{}</text>",
            style.size,
            style.colour,
            escaped(text)
        );
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, look: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" {look}/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A rectangle, with a name for whoever points at it.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), colour: &str, class: &str, name: &str) {
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\">\
             <title>{}</title></rect>",
            corner.0,
            corner.1,
            size.0,
            size.1,
            escaped(name)
        );
    }

    /// Lines from point to point; `look` is how they are drawn.
    pub fn path(&mut self, points: &[(f64, f64)], closed: bool, look: &str) {
        let mut steps = String::new();
        for (number, (x, y)) in points.iter().enumerate() {
            let _ = write!(steps, "{}{x:.1} {y:.1}", if number == 0 { "M" } else { " L" });
        }
        let end = if closed { " Z" } else { "" };
        let _ = writeln!(self.body, "<path d=\"{steps}{end}\" {look}/>");
    }

    /// An element written out.
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

/// How wide a text is, or a little less: a wide typeface is taken for granted, since which it will be is not known.
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

/// As much of a text as there is room for.
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

/// A text in lines.
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

/// A text as XML has it.
fn escaped(text: &str) -> String {
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
