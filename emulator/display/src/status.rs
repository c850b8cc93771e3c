//! The line under the matrix: state, cycle, speed, and the last line of output, as far as they fit.

use gray1_isa::grouped;
use gray1_machine::{Speed, Stop};

use crate::playback::Playback;
use crate::player::Player;

/// The contents of the status line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// From the left; the most important part comes first.
    pub left: Vec<String>,
    /// At the right end: the last line of output, or a message for the user.
    pub right: String,
}

impl Status {
    /// The status of a machine being played. A `message` replaces its output.
    pub(crate) fn of(playback: &Playback, player: &dyn Player, message: Option<&str>) -> Self {
        let state = match player.stop() {
            None if playback.is_paused() => "paused",
            None => "running",
            Some(Stop::Halted) => "halted",
            Some(_) => "stopped",
        };
        let speed = match (playback.speed(), playback.reached().map(Speed::Hz)) {
            (Speed::Max, Some(reached)) => format!("max {reached}"),
            (_, Some(reached)) => reached.to_string(),
            (speed, None) => speed.to_string(),
        };
        let right = message.map_or_else(|| printable(player.last_output_line()), str::to_owned);
        Self { left: vec![state.to_owned(), grouped(player.cycle()), speed], right }
    }

    /// The line, exactly `columns` wide. Parts that do not fit are left out, the least important first.
    pub fn line(&self, columns: usize) -> String {
        const GAP: usize = 2;
        let gap = |text: &str| if text.is_empty() { 0 } else { GAP };
        let mut line = String::new();
        for part in &self.left {
            if line.len() + gap(&line) + part.len() > columns {
                break;
            }
            line.push_str(&" ".repeat(gap(&line)));
            line.push_str(part);
        }
        let room = columns.saturating_sub(line.len() + gap(&line));
        let right = if self.right.chars().count() <= room { self.right.as_str() } else { "" };
        let fill = columns - line.len() - right.chars().count();
        format!("{line}{}{right}", " ".repeat(fill))
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
