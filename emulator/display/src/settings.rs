//! The user's settings of a display.

use std::time::Duration;

use gray1_machine::Speed;

/// The settings of a display.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The speed to begin with.
    pub speed: Speed,
    /// Whether LEDs show their colour by a shape too.
    pub shapes: bool,
    /// The pause after each line that the machine sends, if it is slow enough for this to be visible. If it
    /// pauses at all, its last result is shown when it has halted.
    pub hold: Duration,
    /// The description of the program for the help; an indented line begins a new line there.
    pub about: String,
}

impl Settings {
    /// A machine of this speed; shapes are shown if the environment asks for no colours.
    pub fn new(speed: Speed) -> Self {
        let shapes = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { speed, shapes, hold: Duration::ZERO, about: String::new() }
    }
}
