//! The client's capabilities.

use crate::dap::message::Refusal;
use serde::Deserialize;

/// The arguments of `initialize`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Client {
    lines_start_at1: Option<bool>,
    columns_start_at1: Option<bool>,
    path_format: Option<String>,
    pub supports_invalidated_event: bool,
}

impl Client {
    /// Refuses a client that counts from 0 or names files by URIs: no editor is known to.
    pub fn check(&self) -> Result<(), Refusal> {
        if [self.lines_start_at1, self.columns_start_at1].contains(&Some(false)) {
            return Err("lines and columns are counted from 1".into());
        }
        if self.path_format.as_ref().is_some_and(|format| format != "path") {
            return Err("files are named by paths: `pathFormat` must be `path`".into());
        }
        Ok(())
    }
}

/// A line of the client, from 1.
pub(super) fn line(line: i64) -> usize {
    usize::try_from(line.max(1)).unwrap_or(usize::MAX)
}
