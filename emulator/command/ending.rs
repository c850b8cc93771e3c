//! How a command ends, for its exit code.

use gray1_machine::Stop;

/// How a command ended if it did not end with an error.
pub enum Ending {
    Done,
    MaxCycles,
    Interrupted,
    Refuted,
    /// A source has errors that have already been reported completely, so no summary is printed.
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
