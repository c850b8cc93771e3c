//! The errors of the debugger.

use gray1_assembler::ArithmeticError;
use gray1_machine::Unsettled;
use gray1_machine::board::ChangeError;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// The error of a command that was not executed, or not completed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DebugError {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The nets of the board do not settle.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// The machine was built from another board than the one given with it.
    #[error("the machine was built from another board")]
    OtherBoard,
    /// The machine runs another program than the one given with it.
    #[error("the machine runs another program")]
    OtherProgram,
    /// A change to burned cells is not possible.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// An expression mentions a net, but is evaluated on the engine `isa`, which has none.
    #[error("nets have levels on the chips engine only")]
    NoBoard,
    /// An expression has no value.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    /// An expression mentions a byte that does not exist.
    #[error("{0} is not an address: they are 0 to 4095")]
    Address(i64),
    /// An expression mentions a byte after the last one of a name.
    #[error("there is no byte {index} after `{name}`: there are {room} in all, counted from 0")]
    Element {
        /// The name.
        name: String,
        /// The index of the byte, from 0.
        index: i64,
        /// The number of bytes of the name.
        room: u16,
    },
    /// The text of a command or an expression is wrong.
    #[error("{message}")]
    Input {
        /// The offset of the error in the text, in bytes.
        offset: usize,
        /// The error and its remedy.
        message: String,
    },
}

impl DebugError {
    /// The column of the error, in characters from 1.
    pub fn column(&self, line: &str) -> usize {
        match self {
            DebugError::Input { offset, .. } => {
                line.char_indices().take_while(|(at, _)| at < offset).count() + 1
            }
            _ => 1,
        }
    }

    /// An error at this offset in the text.
    pub(crate) fn input(offset: usize, message: impl Into<String>) -> DebugError {
        DebugError::Input { offset, message: message.into() }
    }
}

/// The value, or an error at this offset in the text.
pub(crate) fn require<T>(
    value: Option<T>,
    offset: usize,
    message: impl Into<String>,
) -> Result<T, DebugError> {
    value.ok_or_else(|| DebugError::input(offset, message))
}

/// Fails with an error at this offset in the text unless a condition holds.
pub(crate) fn ensure(holds: bool, offset: usize, message: impl Into<String>) -> Result<(), DebugError> {
    require(holds.then_some(()), offset, message)
}

/// Fails if the user has interrupted the command.
pub(crate) fn check_interrupt(interrupt: &AtomicBool) -> Result<(), DebugError> {
    if interrupt.load(Ordering::Relaxed) { Err(DebugError::Interrupted) } else { Ok(()) }
}

/// The end of an error message: the name that was probably meant.
pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
