//! The quiet line under the matrix: cycle, speed, state, and the last line of output, cut to what fits.

use gray1_isa::grouped;

use crate::playback::Playback;
use crate::player::Player;
use gray1_machine::{Speed, Stop};

/// What the status line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// From the left, the most important first.
    pub left: Vec<String>,
    /// At the right end: the last line of output, or a message for the person.
    pub right: String,
}

impl Status {
    /// The status of a machine being played; a `message` takes the place of its output.
    pub fn of(playback: &Playback, player: &dyn Player, message: Option<&str>) -> Self {
        let state = match player.stop() {
            None if playback.is_paused() => "paused",
            None => "running",
            Some(Stop::Halted) => "halted",
            Some(_) => "stopped",
        };
        let mut speed = playback.speed().to_string();
        if let Some(reached) = playback.reached() {
            let reached = Speed::Hz(reached);
            speed =
                if playback.speed() == Speed::Max { format!("max {reached}") } else { reached.to_string() };
        }
        let right = match message {
            Some(message) => message.to_owned(),
            None => printable(player.last_output_line()),
        };
        Self { left: vec![state.to_owned(), grouped(player.cycle()), speed], right }
    }

    /// The line, exactly `columns` wide; what does not fit is left out whole, the least important first.
    pub fn line(&self, columns: usize) -> String {
        const GAP: usize = 2;
        let mut left = String::new();
        for (index, part) in self.left.iter().enumerate() {
            let gap = if index == 0 { 0 } else { GAP };
            if left.len() + gap + part.len() > columns {
                break;
            }
            left.push_str(&" ".repeat(gap));
            left.push_str(part);
        }
        let room = columns.saturating_sub(left.len() + if left.is_empty() { 0 } else { GAP });
        let right = if self.right.chars().count() <= room { self.right.as_str() } else { "" };
        let fill = columns.saturating_sub(left.len() + right.chars().count());
        format!("{left}{}{right}", " ".repeat(fill))
    }
}

fn printable(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, ' '..='~') { letter } else { '.' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> Status {
        Status { left: vec!["running".into(), "1,234".into(), "7.5 kHz".into()], right: "15863724".into() }
    }

    #[test]
    fn the_line_drops_what_does_not_fit() {
        assert_eq!(status().line(40), "running  1,234  7.5 kHz         15863724");
        assert_eq!(status().line(24), "running  1,234  7.5 kHz ");
        assert_eq!(status().line(20), "running  1,234      ");
        assert_eq!(status().line(7), "running");
        assert_eq!(status().line(3), "   ");
        assert_eq!(status().line(0), "");
    }

    #[test]
    fn every_width_is_exact() {
        for columns in 0..100 {
            assert_eq!(status().line(columns).len(), columns);
        }
    }

    #[test]
    fn control_characters_are_shown_as_dots() {
        assert_eq!(printable("a\u{1b}[2Jé"), "a.[2J.");
    }
}
