//! What a display needs of a machine, and what it tells when it is done.
//!
//! The displays know no engine: whoever runs a machine implements [`Player`] and hands it to
//! [`window`](crate::window) or [`terminal`](crate::terminal), which do the rest.

use crate::exposure::Light;

/// A push-button under an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// 0 is the top row.
    pub row: u8,
    /// 0 is the leftmost column.
    pub column: u8,
}

/// A machine that can be shown.
pub trait Player {
    /// Runs up to `cycles` machine cycles, fewer when the run stops before. Once it has stopped, further
    /// calls run nothing and report the same stop, until a reset.
    fn advance(&mut self, cycles: u64) -> Progress;

    /// Presses the reset button. The cycles begin again at 0, and so does the [`Exposure`](crate::Exposure),
    /// with what the display holds: reset does not touch RAM.
    fn reset(&mut self);

    /// From now on, `pad` is being pressed and the bits of `keys` are held, in the order of
    /// [`KEY_NAMES`](gray1_isa::memory_map::KEY_NAMES). Called every frame, mostly with what it was before.
    fn press(&mut self, pad: Option<Pad>, keys: u8);

    /// The light since the last call, or what the display shows when no cycle passed in between.
    fn take_light(&mut self) -> Light;

    /// Cycles executed since reset.
    fn cycle(&self) -> u64;

    /// The last line the program sent to the output port (the one being written, once it has a character),
    /// without its line feed. Anything that is not printable ASCII is shown as a dot.
    fn last_output_line(&self) -> &str;
}

/// How far [`Player::advance`] came.
#[derive(Debug)]
pub struct Progress {
    /// Cycles run by this call.
    pub ran: u64,
    /// Why it cannot go on, when it cannot.
    pub stop: Option<Stop>,
}

/// Why a machine does not go on.
#[derive(Debug)]
pub enum Stop {
    /// The program halted.
    Halted,
    /// The run came to the limit it was given.
    Limit,
    /// Something went wrong; the display closes and passes it on.
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

/// Why a display was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program had halted.
    Halted,
    /// The run had come to its limit.
    Limit,
    /// The person closed it while the program was running.
    Quit,
    /// A signal, Ctrl-C, or the caller's interrupt flag.
    Interrupted,
}
