//! The interface to the run whose causes are followed.

use crate::levels::Levels;
use gray1_isa::memory_map::RAM_BYTES;

/// A moment of a run: the number of phases since reset after which the board has settled.
pub type Moment = u128;

/// A run whose past can be examined.
pub trait Past {
    /// The error if the past cannot be examined.
    type Error;

    /// The beginning of the run.
    fn start(&self) -> Moment;

    /// The levels at a moment.
    fn levels(&mut self, at: Moment) -> Result<Levels, Self::Error>;

    /// The bytes of RAM at a moment.
    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], Self::Error>;

    /// The latest moment after the start and up to `until` for which the function returns true, given the levels one
    /// phase before and at that moment.
    fn latest(
        &mut self,
        until: Moment,
        is_wanted: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, Self::Error>;
}
