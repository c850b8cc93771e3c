//! The settings of a launch configuration.

use serde::Deserialize;

/// The arguments of `launch`. The defaults are those of `gray1 debug`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The program: a source or an image.
    pub program: String,
    /// The contents of RAM at power-up.
    pub ram: Option<String>,
    /// A file of inputs.
    pub input: Option<String>,
    /// A file with the state to continue from.
    pub state_in: Option<String>,
    /// A file with another board.
    pub board: Option<String>,
    /// Constants for the assembler, each `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Whether to stop before the first instruction.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Whether to run without breakpoints.
    #[serde(default)]
    pub no_debug: bool,
}
