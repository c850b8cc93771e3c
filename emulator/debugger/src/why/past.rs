//! The interface to a run whose causes are traced.

use crate::why::levels::Levels;
use gray1_isa::memory_map::RAM_BYTES;

/// A moment of a run: the number of phases since reset after which the board has settled.
pub type Moment = u128;

/// A run whose past can be examined.
pub trait Past {
    /// The error for a past that cannot be examined.
    type Error;

    /// Returns the beginning of the run.
    fn start(&self) -> Moment;

    /// Returns the levels at a moment.
    fn levels(&mut self, at: Moment) -> Result<Levels, Self::Error>;

    /// Returns the bytes of RAM at a moment.
    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], Self::Error>;

    /// Finds the latest moment after the start and up to `until` for which the function returns true. It gets the levels one
    /// phase before the moment and at the moment.
    fn latest(
        &mut self,
        until: Moment,
        is_match: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, Self::Error>;
}
