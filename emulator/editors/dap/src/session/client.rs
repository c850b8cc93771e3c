//! The client's capabilities: how it counts lines and columns, and which extensions it understands.

use serde::Deserialize;

/// The arguments of `initialize`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Client {
    lines_start_at1: Option<bool>,
    columns_start_at1: Option<bool>,
    pub path_format: Option<String>,
    pub supports_variable_type: bool,
    pub supports_memory_references: bool,
    pub supports_memory_event: bool,
    pub supports_invalidated_event: bool,
}

impl Client {
    /// Converts one of our lines, counted from 1, to the client's count.
    pub fn line(&self, line: usize) -> usize {
        line.saturating_sub(usize::from(!self.lines_start_at1.unwrap_or(true)))
    }

    /// Converts a line of the client to our count, from 1.
    pub fn our_line(&self, line: i64) -> usize {
        let line = line.saturating_add(i64::from(!self.lines_start_at1.unwrap_or(true)));
        usize::try_from(line.max(1)).unwrap_or(usize::MAX)
    }

    /// Converts one of our columns, counted from 0, to the client's count.
    pub fn column(&self, column: usize) -> usize {
        column + usize::from(self.columns_start_at1.unwrap_or(true))
    }

    /// Converts a column of the client to our count, from 0.
    pub fn our_column(&self, column: i64) -> usize {
        usize::try_from(column.saturating_sub(i64::from(self.columns_start_at1.unwrap_or(true)))).unwrap_or(0)
    }

    /// Converts a path to the client's format.
    pub fn path(&self, path: String) -> String {
        if !self.uses_uris() {
            return path;
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        let letter =
            |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        format!("file://{}", path.bytes().map(letter).collect::<String>())
    }

    /// Converts a path of the client to ours.
    pub fn our_path(&self, path: &str) -> String {
        let Some(uri) = path.strip_prefix("file://").filter(|_| self.uses_uris()) else {
            return path.to_owned();
        };
        let mut bytes = Vec::new();
        let mut rest = uri.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            let code =
                after.get(..2).filter(|_| byte == b'%').and_then(|code| std::str::from_utf8(code).ok());
            let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
            bytes.push(code.unwrap_or(byte));
            rest = if code.is_some() { &after[2..] } else { after };
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn uses_uris(&self) -> bool {
        self.path_format.as_deref() == Some("uri")
    }
}
