//! The outcome of a command, which determines the exit code.

use gray1_machine::Stop;

/// The outcome of a command that did not return an error.
pub enum Ending {
    Done,
    MaxCycles,
    Interrupted,
    Refuted,
    /// A source has errors, which have been reported already; no summary is printed.
    NotAssembled,
}

impl From<Stop> for Ending {
    fn from(stop: Stop) -> Ending {
        match stop {
            Stop::Halted | Stop::Quit => Ending::Done,
            Stop::Limit => Ending::MaxCycles,
            Stop::Interrupted => Ending::Interrupted,
        }
    }
}
