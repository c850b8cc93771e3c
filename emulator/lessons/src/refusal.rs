//! The reason why a request is refused or an attempt at an exercise fails.

use std::fmt::Display;

/// The reason, as a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl<T: Display> From<T> for Refusal {
    fn from(reason: T) -> Refusal {
        Refusal(reason.to_string())
    }
}

impl Refusal {
    /// Adds the place to the reason.
    pub(crate) fn at(self, place: impl Display) -> Refusal {
        Refusal(format!("{place}: {}", self.0))
    }
}

/// Returns a refusal with a formatted reason.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err(crate::Refusal(format!($($text)*)))
    };
}
pub(crate) use refuse;
