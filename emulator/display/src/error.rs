//! Errors of displays.

/// The reason why a display did not open, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum DisplayError {
    /// No X server can be reached, or it has no suitable screen.
    #[cfg(not(target_family = "wasm"))]
    #[error("no window can be opened: {0}")]
    Window(#[from] minifb::Error),
    /// Neither standard output nor standard error is a terminal.
    #[error("there is no terminal to draw in")]
    NoTerminal,
    /// The terminal cannot be read or written.
    #[error("the terminal: {0}")]
    Terminal(#[from] std::io::Error),
    /// The animation cannot be written.
    #[error("the animation: {0}")]
    Animation(#[from] gif::EncodingError),
    /// The machine failed.
    #[error(transparent)]
    Machine(#[from] gray1_machine::Failure),
}
