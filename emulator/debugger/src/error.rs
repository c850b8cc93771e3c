//! Why a command of the debugger failed.

use gray1_assembler::ArithmeticError;
use gray1_machine::Unsettled;
use gray1_machine::board::ChangeError;
use thiserror::Error;

/// Why a command was not carried out, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DebugError {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The board does not settle.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// Something cannot be burned.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// An expression mentions a net where there are none.
    #[error("there are nets on a board only")]
    NoBoard,
    /// An expression has no value.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    /// An expression mentions a byte that does not exist.
    #[error("{0} is not an address: they are 0 to 4095")]
    Address(i64),
    /// An expression mentions a byte beyond those of a name.
    #[error("there is no byte {index} after `{name}`: there are {room} in all, counted from 0")]
    Element {
        /// The name.
        name: String,
        /// Which of its bytes, from 0.
        index: i64,
        /// How many there are.
        room: u16,
    },
    /// The text of a command or an expression is wrong.
    #[error("{message}")]
    Input {
        /// The byte of the text where it goes wrong.
        offset: usize,
        /// What is wrong, and what would be correct.
        message: String,
    },
}

impl DebugError {
    /// The column that the error is about, in characters from 1.
    pub fn column(&self, line: &str) -> usize {
        match self {
            DebugError::Input { offset, .. } => {
                line.char_indices().take_while(|(at, _)| at < offset).count() + 1
            }
            _ => 1,
        }
    }

    /// An error in the text at this byte.
    pub(crate) fn input(offset: usize, message: impl Into<String>) -> DebugError {
        DebugError::Input { offset, message: message.into() }
    }
}

/// The value, or an error in the text at this byte.
pub(crate) fn require<T>(
    value: Option<T>,
    offset: usize,
    message: impl Into<String>,
) -> Result<T, DebugError> {
    value.ok_or_else(|| DebugError::input(offset, message))
}

/// The end of an error message: the name that was probably meant.
pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
