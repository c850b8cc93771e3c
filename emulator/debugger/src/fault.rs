//! What can go wrong while a run is gone through.

use gray1_assembler::ArithmeticError;
use gray1_machine::Unsettled;
use thiserror::Error;

/// Why a command of the debugger was not carried out, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The person has had enough.
    #[error("interrupted")]
    Interrupted,
    /// The board does not come to rest.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// An expression has no value.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    /// What was written is not understood: where in the text, and why.
    #[error("{message}")]
    Text {
        /// The first byte that is to blame.
        at: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
}

impl Fault {
    /// A fault of the text at this byte.
    pub fn text(at: usize, message: impl Into<String>) -> Fault {
        Fault::Text { at, message: message.into() }
    }
}

/// What a message says of a name that was most likely meant.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
