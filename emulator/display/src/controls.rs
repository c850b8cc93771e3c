//! What can be pressed, in one table: it drives both displays, the help overlay and the documents.

use std::fmt;

use gray1_isa::memory_map::KEY_NAMES;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Holds a key of the machine: the number of its bit.
    Machine(u8),
    /// Stops or goes on.
    Pause,
    /// Runs one cycle, and pauses.
    Step,
    /// One step down the speed ladder.
    Slower,
    /// One step up.
    Faster,
    /// As fast as it goes; again: back to the speed before.
    FullSpeed,
    /// The machine's reset button.
    Reset,
    /// Saves the picture as a PNG file.
    Screenshot,
    /// Starts or ends recording a GIF animation.
    Record,
    /// Shows or hides the keys.
    Help,
    /// Closes the display.
    Quit,
}

impl Action {
    /// Whether holding the key repeats it.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Slower | Self::Faster)
    }
}

/// A key of the keyboard, as the person sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character, lower case.
    Char(char),
    /// Arrow.
    Left,
    /// Arrow.
    Right,
    /// Arrow.
    Up,
    /// Arrow.
    Down,
    /// Enter or Return.
    Enter,
    /// Escape.
    Escape,
    /// Function key 1.
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

/// Where a key works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the window and in the terminal.
    Both,
    /// In the window only: a terminal has no picture to save.
    Window,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// The keys that do it, the one to show first.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// In a few words, for the person.
    pub meaning: &'static str,
    /// Where.
    pub place: Place,
}

/// Every key, the machine's first.
pub const CONTROLS: [Control; 17] = [
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

/// What `key` does.
pub fn action(key: Key) -> Option<Action> {
    CONTROLS.iter().find(|control| control.keys.contains(&key)).map(|control| control.action)
}

/// The table as the help overlay shows it: keys and meaning, the four arrows in one line.
pub fn help(terminal: bool) -> Vec<(String, &'static str)> {
    let mut lines = vec![("Mouse".to_owned(), "press an LED"), ("Arrows".to_owned(), "machine: arrows")];
    lines.extend(
        CONTROLS
            .iter()
            .filter(|control| !terminal || control.place == Place::Both)
            .filter(|control| !matches!(control.action, Action::Machine(0..=3)))
            .map(|control| (keys_text(control.keys), control.meaning)),
    );
    lines
}

/// The table for the documents, in Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| key | what it does | where |\n|---|---|---|\n");
    for control in &CONTROLS {
        let place = if control.place == Place::Both { "window, terminal" } else { "window" };
        let keys = keys_text(control.keys);
        text.push_str(&format!("| {keys} | {} | {place} |\n", control.meaning));
    }
    text
}

/// The bit of a machine key at [`KEYS`](gray1_isa::memory_map::KEYS), when `key` is one.
pub fn machine_bit(key: Key) -> u8 {
    match action(key) {
        Some(Action::Machine(bit)) if usize::from(bit) < KEY_NAMES.len() => 1 << bit,
        _ => 0,
    }
}

fn keys_text(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

const fn both(keys: &'static [Key], action: Action, meaning: &'static str) -> Control {
    Control { keys, action, meaning, place: Place::Both }
}

const fn window(keys: &'static [Key], action: Action, meaning: &'static str) -> Control {
    Control { keys, action, meaning, place: Place::Window }
}

#[cfg(test)]
mod tests {
    use super::*;

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
