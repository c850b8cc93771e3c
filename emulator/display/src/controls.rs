//! All keys in one table, which drives both displays, the help and the documents. Window and terminal translate their
//! own names of keys; letters are in lower case.

use std::fmt;

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Holds a key of the machine, given by the number of its bit.
    Machine(u8),
    Pause,
    /// Runs one cycle, and pauses.
    Step,
    Slower,
    Faster,
    /// Runs at full speed, or returns to the speed before.
    FullSpeed,
    Reset,
    Screenshot,
    /// Shows shapes besides colours, or colours alone.
    Shapes,
    /// When the machine has halted, shows the last result, or the LEDs as they are.
    Ending,
    Help,
    Quit,
}

/// A key as both displays know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyName {
    Left,
    Right,
    Up,
    Down,
    Enter,
    Esc,
    F1,
    Char(char),
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(' ') => f.write_str("Space"),
            Self::Char(letter) => letter.to_uppercase().fmt(f),
            key => write!(f, "{key:?}"),
        }
    }
}

impl Action {
    /// The line to which a key scrolls the help: the arrows move it by one line.
    pub fn scrolls(self, from: usize, end: usize) -> Option<usize> {
        match self {
            Self::Machine(2) => Some(from.saturating_sub(1)),
            Self::Machine(3) => Some((from + 1).min(end)),
            _ => None,
        }
    }

    /// Whether holding the key down repeats the action.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Slower | Self::Faster | Self::Machine(_))
    }

    /// Whether the terminal has it too. A terminal has no picture to save, and shows nothing after the halt.
    fn is_in_terminal(self) -> bool {
        !matches!(self, Self::Screenshot | Self::Ending)
    }
}

/// Every key: the keys that do the same, beginning with the one that is shown first; what they do; and what that means.
/// The keys of the machine come first.
const CONTROLS: [(&[KeyName], Action, &str); 18] = [
    (&[KeyName::Left], Action::Machine(0), "machine: left"),
    (&[KeyName::Right], Action::Machine(1), "machine: right"),
    (&[KeyName::Up], Action::Machine(2), "machine: up"),
    (&[KeyName::Down], Action::Machine(3), "machine: down"),
    (&[KeyName::Char('a')], Action::Machine(4), "machine: A"),
    (&[KeyName::Char('b')], Action::Machine(5), "machine: B"),
    (&[KeyName::Enter], Action::Machine(6), "machine: start"),
    (&[KeyName::Char(' ')], Action::Pause, "pause, go on"),
    (&[KeyName::Char('s'), KeyName::Char('.')], Action::Step, "one cycle"),
    (&[KeyName::Char('-')], Action::Slower, "slower"),
    (&[KeyName::Char('+'), KeyName::Char('=')], Action::Faster, "faster"),
    (&[KeyName::Char('f')], Action::FullSpeed, "full speed, and back"),
    (&[KeyName::Char('r')], Action::Reset, "reset"),
    (&[KeyName::Char('p')], Action::Screenshot, "save a picture"),
    (&[KeyName::Char('c')], Action::Shapes, "shapes besides colours"),
    (&[KeyName::Char('l')], Action::Ending, "last result, LEDs now"),
    (&[KeyName::Char('h'), KeyName::F1], Action::Help, "this help"),
    (&[KeyName::Char('q'), KeyName::Esc], Action::Quit, "quit"),
];

/// Finds the action of a key.
pub(crate) fn action(key: KeyName) -> Option<Action> {
    CONTROLS.iter().find(|(keys, ..)| keys.contains(&key)).map(|(_, action, _)| *action)
}

/// The bit of a key of the machine at [`KEYS`](gray1_isa::memory_map::KEYS); 0 for any other key.
pub(crate) fn machine_bit(key: KeyName) -> u8 {
    if let Some(Action::Machine(bit)) = action(key) { 1 << bit } else { 0 }
}

/// The keys and their meanings for the help, with the four arrows in one line.
pub fn help(terminal: bool) -> Vec<(String, &'static str)> {
    let mut lines = vec![("Mouse".to_owned(), "press an LED"), ("Arrows".to_owned(), "machine: arrows")];
    let controls = CONTROLS
        .iter()
        .filter(|(_, action, _)| action.is_in_terminal() || !terminal)
        .filter(|(_, action, _)| !matches!(action, Action::Machine(0..=3)));
    lines.extend(controls.map(|(keys, _, meaning)| (names(keys), *meaning)));
    lines
}

/// The table for the documents, in Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| key | what it does | where |\n|---|---|---|\n");
    for (keys, action, meaning) in CONTROLS {
        let displays = if action.is_in_terminal() { "window, terminal" } else { "window" };
        text.push_str(&format!("| {} | {meaning} | {displays} |\n", names(keys)));
    }
    text
}

fn names(keys: &[KeyName]) -> String {
    keys.iter().map(KeyName::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::memory_map::KEY_NAMES;

    #[test]
    fn no_key_does_two_things() {
        let keys: Vec<KeyName> = CONTROLS.iter().flat_map(|(keys, ..)| *keys).copied().collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{key}");
        }
    }

    #[test]
    fn every_key_of_the_machine_has_its_bit() {
        for (bit, name) in KEY_NAMES.iter().enumerate() {
            let (keys, _, meaning) =
                CONTROLS.iter().find(|(_, action, _)| *action == Action::Machine(bit as u8)).unwrap();
            assert_eq!(meaning.to_lowercase(), format!("machine: {name}"));
            assert_eq!(machine_bit(keys[0]), 1 << bit);
        }
        assert_eq!(machine_bit(KeyName::Char('q')), 0);
    }

    #[test]
    fn the_tables_for_people_hold_every_control() {
        assert_eq!(help(false).len(), CONTROLS.len() - 4 + 2);
        assert_eq!(help(true).len(), help(false).len() - 2);
        assert_eq!(markdown().lines().count(), CONTROLS.len() + 2);
    }
}
