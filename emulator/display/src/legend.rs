//! The meaning of a program's LEDs, and the keys that it reads, from the comment at its beginning:
//!
//! ```text
//! The display
//!   red                  the queens on the board
//!   green, rows above    squares beside a queen that are still to be tried, later
//!
//! The keys
//!   arrows               turn
//! ```

use crate::exposure::Led;
use gray1_text::wrap;

/// The lines before the entries.
const HEADINGS: [&str; 2] = ["The display", "The keys"];
const COLOURS: [(&str, Led); 3] = [
    ("red", Led { green: 0.0, red: 1.0 }),
    ("green", Led { green: 1.0, red: 0.0 }),
    ("amber", Led { green: 1.0, red: 1.0 }),
];

/// A line of text; its first characters stand out, in the colour of an LED or brightly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LegendLine {
    pub text: String,
    /// The number of characters that stand out.
    pub bright: usize,
    /// The LED whose colour they have.
    pub led: Option<Led>,
}

impl LegendLine {
    /// A line in which nothing stands out.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// The legend of a program in lines of this many characters; empty if its description has none.
pub fn legend(about: &str, columns: usize) -> Vec<LegendLine> {
    let mut entries: Vec<(LegendLine, String)> = Vec::new();
    let paragraphs = about.split("\n\n").filter_map(|paragraph| {
        let (heading, entries) = paragraph.trim_start_matches('\n').split_once('\n')?;
        Some((HEADINGS.iter().position(|known| *known == heading.trim())?, entries))
    });
    for (line, has_colours) in paragraphs.flat_map(|(at, text)| text.lines().map(move |line| (line, at == 0)))
    {
        let led = |term: &str| COLOURS.iter().find(|(name, _)| term.starts_with(name)).map(|(_, led)| *led);
        match term(line).map(|(term, meaning)| (term, led(term).filter(|_| has_colours), meaning)) {
            Some((term, led, meaning)) if led.is_some() || !has_colours => {
                let first = LegendLine { text: term.to_owned(), bright: term.chars().count(), led };
                entries.push((first, meaning.to_owned()));
            }
            _ => {
                if let Some((_, meaning)) = entries.last_mut().filter(|_| line.starts_with("    ")) {
                    meaning.push(' ');
                    meaning.push_str(line.trim());
                }
            }
        }
    }
    let lines = entries.into_iter().flat_map(|(first, meaning)| {
        let text = format!("{}: {meaning}", first.text);
        let rows = wrap(&text, columns).into_iter().enumerate();
        rows.map(move |(row, text)| match row {
            0 => LegendLine { bright: first.bright.min(text.chars().count()), text, led: first.led },
            _ => LegendLine::plain(text),
        })
        .collect::<Vec<_>>()
    });
    lines.collect()
}

/// An indented line that explains a term: the term, and what stands two spaces or more after it.
pub fn term(line: &str) -> Option<(&str, &str)> {
    let (term, meaning) = line.trim().split_once("  ")?;
    line.starts_with(' ').then_some((term, meaning.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = "Queens.\n\nThe display\n  red                  the queens on the board\n  \
                         green, rows above    squares beside a queen that are still to be\n                       \
                         tried, later\n\nThe output is lines.";

    #[test]
    fn a_legend_is_what_a_program_says_about_its_colours() {
        let lines = legend(ABOUT, 40);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let expected = [
            "red: the queens on the board",
            "green, rows above: squares beside a",
            "queen that are still to be tried, later",
        ];
        assert_eq!(texts, expected);
        assert_eq!(lines.iter().map(|line| line.bright).collect::<Vec<_>>(), [3, 17, 0]);
        assert_eq!(lines[1].led, Some(Led { green: 1.0, red: 0.0 }));
    }

    #[test]
    fn a_legend_has_the_keys_that_the_program_reads() {
        let lines = legend("Snake.\n\nThe keys\n  arrows  turn\n  Enter   starts\n\nThe end.", 40);
        let texts: Vec<(&str, usize)> = lines.iter().map(|line| (line.text.as_str(), line.bright)).collect();
        assert_eq!(texts, [("arrows: turn", 6), ("Enter: starts", 5)]);
    }

    #[test]
    fn a_program_without_a_legend_has_none() {
        for about in
            ["", "Snake: eat the red apples.", "The display\n\n  red  no", "The display is memory.\n  red  x"]
        {
            assert!(legend(about, 40).is_empty(), "{about:?}");
        }
        for columns in 0..50 {
            assert!(legend(ABOUT, columns).iter().all(|line| line.text.chars().count() <= columns));
        }
    }
}
