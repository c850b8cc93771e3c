//! All keys in one table, which drives both displays, the help and the documents.

use std::fmt;

/// What a key does.
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
    /// Starts or ends recording an animation.
    Record,
    Help,
    Quit,
}

impl Action {
    /// Whether holding the key down repeats the action.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Slower | Self::Faster)
    }
}

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A character, in lower case.
    Char(char),
    Left,
    Right,
    Up,
    Down,
    Enter,
    Escape,
    F1,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(' ') => f.write_str("Space"),
            Self::Char(letter) => write!(f, "{}", letter.to_ascii_uppercase()),
            Self::Left => f.write_str("Left"),
            Self::Right => f.write_str("Right"),
            Self::Up => f.write_str("Up"),
            Self::Down => f.write_str("Down"),
            Self::Enter => f.write_str("Enter"),
            Self::Escape => f.write_str("Esc"),
            Self::F1 => f.write_str("F1"),
        }
    }
}

/// One line of the table.
struct Control {
    /// The keys, beginning with the one that is shown first.
    keys: &'static [Key],
    action: Action,
    meaning: &'static str,
    /// Whether it works in the terminal too. A terminal has no picture to save.
    in_terminal: bool,
}

/// Every key; those of the machine come first.
const CONTROLS: [Control; 17] = [
    both(&[Key::Left], Action::Machine(0), "machine: left"),
    both(&[Key::Right], Action::Machine(1), "machine: right"),
    both(&[Key::Up], Action::Machine(2), "machine: up"),
    both(&[Key::Down], Action::Machine(3), "machine: down"),
    both(&[Key::Char('a')], Action::Machine(4), "machine: A"),
    both(&[Key::Char('b')], Action::Machine(5), "machine: B"),
    both(&[Key::Enter], Action::Machine(6), "machine: start"),
    both(&[Key::Char(' ')], Action::Pause, "pause, go on"),
    both(&[Key::Char('s'), Key::Char('.')], Action::Step, "one cycle"),
    both(&[Key::Char('-')], Action::Slower, "slower"),
    both(&[Key::Char('+'), Key::Char('=')], Action::Faster, "faster"),
    both(&[Key::Char('f')], Action::FullSpeed, "full speed, and back"),
    both(&[Key::Char('r')], Action::Reset, "reset"),
    window(&[Key::Char('p')], Action::Screenshot, "save a picture"),
    window(&[Key::Char('g')], Action::Record, "record a GIF, and stop"),
    both(&[Key::Char('h'), Key::F1], Action::Help, "this help"),
    both(&[Key::Char('q'), Key::Escape], Action::Quit, "quit"),
];

const fn both(keys: &'static [Key], action: Action, meaning: &'static str) -> Control {
    Control { keys, action, meaning, in_terminal: true }
}

const fn window(keys: &'static [Key], action: Action, meaning: &'static str) -> Control {
    Control { keys, action, meaning, in_terminal: false }
}

impl Control {
    fn keys(&self) -> String {
        self.keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// What `key` does.
pub(crate) fn action(key: Key) -> Option<Action> {
    CONTROLS.iter().find(|control| control.keys.contains(&key)).map(|control| control.action)
}

/// The bit of a key of the machine at [`KEYS`](gray1_isa::memory_map::KEYS); 0 for any other key.
pub(crate) fn machine_bit(key: Key) -> u8 {
    if let Some(Action::Machine(bit)) = action(key) { 1 << bit } else { 0 }
}

/// The keys and their meanings for the help, with the four arrows in one line.
pub(crate) fn help(terminal: bool) -> Vec<(String, &'static str)> {
    let mut lines = vec![("Mouse".to_owned(), "press an LED"), ("Arrows".to_owned(), "machine: arrows")];
    let controls = CONTROLS
        .iter()
        .filter(|control| control.in_terminal || !terminal)
        .filter(|control| !matches!(control.action, Action::Machine(0..=3)));
    lines.extend(controls.map(|control| (control.keys(), control.meaning)));
    lines
}

/// The table for the documents, in Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| key | what it does | where |\n|---|---|---|\n");
    for control in &CONTROLS {
        let displays = if control.in_terminal { "window, terminal" } else { "window" };
        text.push_str(&format!("| {} | {} | {displays} |\n", control.keys(), control.meaning));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::memory_map::KEY_NAMES;

    #[test]
    fn no_key_does_two_things() {
        let keys: Vec<Key> = CONTROLS.iter().flat_map(|control| control.keys).copied().collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{key}");
        }
    }

    #[test]
    fn every_key_of_the_machine_has_its_bit() {
        for (bit, name) in KEY_NAMES.iter().enumerate() {
            let control =
                CONTROLS.iter().find(|control| control.action == Action::Machine(bit as u8)).unwrap();
            assert_eq!(control.meaning.to_lowercase(), format!("machine: {name}"));
            assert_eq!(machine_bit(control.keys[0]), 1 << bit);
        }
        assert_eq!(machine_bit(Key::Char('q')), 0);
    }

    #[test]
    fn the_tables_for_people_hold_every_control() {
        assert_eq!(help(false).len(), CONTROLS.len() - 4 + 2);
        assert_eq!(help(true).len(), help(false).len() - 2);
        assert_eq!(markdown().lines().count(), CONTROLS.len() + 2);
    }
}
