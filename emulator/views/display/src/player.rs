//! What a display needs of a machine.

use std::time::Duration;

use gray1_machine::{Failure, Speed, Stop};

use crate::exposure::Light;
use crate::output::Output;

/// A push-button under an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// 0 is the top row.
    pub row: u8,
    /// 0 is the leftmost column.
    pub column: u8,
}

/// A machine that can be shown.
///
/// The displays know no engine: they show the light, report what is pressed, and ask for cycles.
pub trait Player {
    /// Runs up to `cycles` machine cycles, for no longer than about `time`. Returns how many were run: fewer if the run
    /// stopped, and none after that until a reset.
    ///
    /// # Errors
    /// If the machine fails. The display closes and returns the error.
    fn advance(&mut self, cycles: u64, time: Duration) -> Result<u64, Failure>;

    /// Why the run has stopped, if it has.
    fn stop(&self) -> Option<Stop>;

    /// Presses the reset button. Cycles count from 0 again, and so does the [`Exposure`](crate::Exposure), with what
    /// the display holds: a reset does not touch RAM.
    fn reset(&mut self);

    /// From now on `pad` is pressed and the `keys` are held, one bit each in the order of
    /// [`KEY_NAMES`](gray1_isa::memory_map::KEY_NAMES). Called every frame, even when nothing has changed.
    fn press(&mut self, pad: Option<Pad>, keys: u8);

    /// The light since the last call, or what the display shows now if no cycle has passed since.
    fn take_light(&mut self) -> Light;

    /// Cycles executed since reset.
    fn cycle(&self) -> u64;

    /// What the program has sent since reset.
    fn output(&self) -> &Output;
}

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
