//! What the user has chosen about a display.

use std::time::Duration;

use gray1_machine::Speed;

/// How a machine is shown.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The speed to begin with.
    pub speed: Speed,
    /// Whether LEDs show their colour by a shape too.
    pub shapes: bool,
    /// How long the machine pauses after each line that it sends, if it is slow enough for this to be visible. If it
    /// pauses at all, its last result is shown when it has halted.
    pub hold: Duration,
    /// What the help says about the program; an indented line begins a new line there.
    pub about: String,
}

impl Settings {
    /// A machine of this speed; shapes are shown if the environment asks for no colours.
    pub fn new(speed: Speed) -> Self {
        let shapes = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { speed, shapes, hold: Duration::ZERO, about: String::new() }
    }
}
