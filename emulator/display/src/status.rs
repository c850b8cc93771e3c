//! The text under the matrix: state, speed, cycle, the last line of output, and a key that helps, as far as they fit.

use gray1_machine::{Speed, Stop};
use gray1_text::grouped;

use crate::ending::LastResult;
use crate::output::Output;
use crate::session::Session;

/// The contents of the status line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// From the left; the most important part comes first.
    pub left: Vec<String>,
    /// At the right end: the last line of output, or a message for the user.
    pub right: String,
    /// A key that the user needs next.
    pub hint: String,
}

impl Status {
    /// The status of a machine being played, or of one that has halted and may have a last result to look at. A
    /// `message` replaces its output.
    pub(crate) fn of(session: &Session, last: Option<&LastResult>, message: Option<&str>) -> Self {
        let speed = match (session.speed(), session.reached().map(Speed::Hz)) {
            (Speed::Max, Some(reached)) => format!("max {reached}"),
            (_, Some(reached)) => reached.to_string(),
            (speed, None) => speed.to_string(),
        };
        let cycles = format!("{} cycles", grouped(session.cycle()));
        let (left, hint) = match session.stop() {
            None if session.is_paused() => (vec!["paused".to_owned(), speed, cycles], "H: keys"),
            None => (vec!["running".to_owned(), speed, cycles], "H: keys"),
            Some(Stop::Halted) => {
                let (what, hint) = match last {
                    None => (sent(session.output()), "Q: close"),
                    Some(LastResult { moment, is_shown: true }) => {
                        (format!("LEDs at {}", grouped(moment.cycle)), "L: now  Q: close")
                    }
                    Some(_) => (sent(session.output()), "L: last  Q: close"),
                };
                (vec!["halted".to_owned(), cycles, what], hint)
            }
            Some(_) => (vec!["stopped".to_owned(), cycles, sent(session.output())], "Q: close"),
        };
        let right = message.map_or_else(|| printable(&session.output().line), str::to_owned);
        Self { left, right, hint: hint.to_owned() }
    }

    /// All in one line, exactly `columns` wide. Parts that do not fit are left out, the hint first.
    pub fn line(&self, columns: usize) -> String {
        let all = [&self.left[..], std::slice::from_ref(&self.hint)].concat();
        let line = line(&all, &self.right, columns);
        if line.ends_with(&self.right) { line } else { self::line(&self.left, &self.right, columns) }
    }

    /// The status in two lines. The second ends with the hint; parts that do not fit beside it are left out.
    pub fn rows(&self, columns: usize) -> [String; 2] {
        let (upper, lower) = self.left.split_at(self.left.len().min(2));
        let second = line(lower, &self.hint, columns);
        let second = if second.ends_with(&self.hint) { second } else { line(&[], &self.hint, columns) };
        [line(upper, &self.right, columns), second]
    }
}

/// Parts from the left and one at the right end, as far as they fit, exactly `columns` wide.
fn line(left: &[String], right: &str, columns: usize) -> String {
    const GAP: usize = 2;
    let gap = |text: &str| if text.is_empty() { 0 } else { GAP };
    let mut line = String::new();
    for part in left {
        if line.len() + gap(&line) + part.len() > columns {
            break;
        }
        line.push_str(&" ".repeat(gap(&line)));
        line.push_str(part);
    }
    let room = columns.saturating_sub(line.len() + gap(&line));
    let right = if right.chars().count() <= room { right } else { "" };
    let fill = columns - line.len() - right.chars().count();
    format!("{line}{}{right}", " ".repeat(fill))
}

/// The amount of output: lines, if the program sends lines.
fn sent(output: &Output) -> String {
    match (output.bytes, output.lines) {
        (0, _) => "nothing sent".to_owned(),
        (1, 0) => "1 byte sent".to_owned(),
        (_, 1) => "1 line sent".to_owned(),
        (bytes, 0) => format!("{} bytes sent", grouped(bytes)),
        (_, lines) => format!("{} lines sent", grouped(lines)),
    }
}

fn printable(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, ' '..='~') { letter } else { '.' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Moment;

    fn status() -> Status {
        let left = ["running", "7.5 kHz", "1,234 cycles"].map(str::to_owned);
        Status { left: left.into(), right: "15863724".into(), hint: "H: keys".into() }
    }

    #[test]
    fn the_line_drops_what_does_not_fit() {
        assert_eq!(status().line(50), "running  7.5 kHz  1,234 cycles  H: keys   15863724");
        assert_eq!(status().line(42), "running  7.5 kHz  1,234 cycles    15863724");
        assert_eq!(status().line(32), "running  7.5 kHz  1,234 cycles  ");
        assert_eq!(status().line(20), "running  7.5 kHz    ");
        assert_eq!(status().line(7), "running");
        assert_eq!(status().line(3), "   ");
        assert_eq!(status().line(0), "");
    }

    #[test]
    fn two_lines_have_room_for_all() {
        assert_eq!(status().rows(26), ["running  7.5 kHz  15863724", "1,234 cycles       H: keys"]);
        assert_eq!(status().rows(10), ["running   ", "   H: keys"]);
        assert_eq!(status().rows(17)[1], "          H: keys");
    }

    #[test]
    fn what_was_sent_is_counted_in_lines_if_there_are_any() {
        let told = |text: &str| {
            let mut output = Output::default();
            text.bytes().for_each(|byte| output.push(byte, Moment::default));
            sent(&output)
        };
        let cases = ["", "a", "ab", "a\n", "a\nb\nc"].map(told);
        assert_eq!(cases, ["nothing sent", "1 byte sent", "2 bytes sent", "1 line sent", "2 lines sent"]);
    }

    #[test]
    fn every_width_is_exact() {
        for columns in 0..100 {
            assert_eq!(status().line(columns).len(), columns);
            assert!(status().rows(columns).iter().all(|row| row.len() == columns));
        }
    }

    #[test]
    fn control_characters_are_shown_as_dots() {
        assert_eq!(printable("a\u{1b}[2Jé"), "a.[2J.");
    }
}
