//! The interface to a run that is needed to follow its causes.

use crate::levels::Levels;
use gray1_isa::memory_map::RAM_BYTES;

/// A moment of a run, in phases since reset: the board has settled after this many.
pub type Moment = u128;

/// A run whose past can be examined.
pub trait Past {
    /// The error if it could not be.
    type Error;

    /// Where the run begins.
    fn start(&self) -> Moment;

    /// The levels at a moment.
    fn levels(&mut self, at: Moment) -> Result<Levels, Self::Error>;

    /// The bytes of RAM at a moment.
    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], Self::Error>;

    /// The latest moment, this one or an earlier one but later than the start, for which the function returns true,
    /// given the levels a phase before and the levels at that moment.
    fn latest(
        &mut self,
        until: Moment,
        is_wanted: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, Self::Error>;
}
