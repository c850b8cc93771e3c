//! Messages on a stream in the format of the Debug Adapter Protocol and the Language Server Protocol: a header with the
//! length of the message, an empty line, and the message as JSON. They wait in a [`Queue`] until they are answered.
//!
//! ```text
//!   Content-Length: 77\r\n
//!   \r\n
//!   {"seq":1,"type":"request", …
//! ```

mod queue;

pub use queue::{Delivery, Queue, Watch};

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};
use thiserror::Error;

/// Limits for input, far above what an editor sends: bytes of a message, bytes of a line of the header, and lines of
/// the header.
const MAX_LENGTH: u64 = 16 << 20;
const MAX_LINE: u64 = 1024;
const MAX_LINES: usize = 16;

/// Why a stream cannot be read further: it is not known where the next message begins.
#[derive(Debug, Error)]
pub enum WireError {
    /// The stream itself failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The stream ended too early.
    #[error("the stream ends within a message")]
    Ended,
    /// The header does not give the length.
    #[error("a message without `Content-Length`")]
    NoLength,
    /// The header has a line without a colon.
    #[error("expected `Content-Length: N`, not `{}`", .0.escape_debug())]
    Header(String),
    /// The length is not a number, or too large.
    #[error("a message has at most {MAX_LENGTH} bytes: `{}`", .0.escape_debug())]
    Length(String),
    /// The header has a line that is too long.
    #[error("a header that does not end")]
    LongLine,
    /// The header has too many lines.
    #[error("the header of a message has more than {MAX_LINES} lines")]
    ManyLines,
}

/// Reads the text of the next message; `None` if the stream ends before it.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, WireError> {
    let mut length = None;
    for number in 0..MAX_LINES {
        let Some(line) = line(input)? else {
            return if number == 0 { Ok(None) } else { Err(WireError::Ended) };
        };
        if line.is_empty() {
            return body(input, length.ok_or(WireError::NoLength)?).map(Some);
        }
        let Some((name, value)) = line.split_once(':') else { return Err(WireError::Header(line)) };
        if name.trim().eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok().filter(|&length| length <= MAX_LENGTH);
            if length.is_none() {
                return Err(WireError::Length(line));
            }
        }
    }
    Err(WireError::ManyLines)
}

/// Parses a message. Half of a surrogate pair, which an editor written in JavaScript can send, is not a character. It
/// is replaced by U+FFFD, which has the same length in UTF-16.
pub fn parse(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(text)
        .or_else(|error| serde_json::from_slice(&without_halves(text)).map_err(|_| error))
}

fn without_halves(text: &[u8]) -> Vec<u8> {
    const ESCAPE: usize = r"\uXXXX".len();
    let unit = |at: usize| {
        let escape = std::str::from_utf8(text.get(at..at + ESCAPE)?).ok()?;
        u16::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let mut whole = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (length, is_half) = match (unit(at), text[at]) {
            (Some(0xD800..0xDC00), _) if unit(at + ESCAPE).is_some_and(|next| next & 0xFC00 == 0xDC00) => {
                (2 * ESCAPE, false)
            }
            (Some(unit), _) => (ESCAPE, unit & 0xF800 == 0xD800),
            // An escaped character does not begin another escape.
            (None, b'\\') => (2, false),
            (None, _) => (1, false),
        };
        let end = (at + length).min(text.len());
        whole.extend_from_slice(if is_half { br"\ufffd" } else { &text[at..end] });
        at = end;
    }
    whole
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())
}

/// Writes messages and flushes them. Returns `false` if the other end no longer reads.
pub fn write_all(output: &mut impl Write, messages: &[Value]) -> io::Result<bool> {
    match messages.iter().try_for_each(|message| write(output, message)).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}

/// A line of the header without its end; `None` if the stream has ended.
fn line(input: &mut impl BufRead) -> Result<Option<String>, WireError> {
    let mut bytes = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    match text.strip_suffix('\n') {
        Some(line) => Ok(Some(line.strip_suffix('\r').unwrap_or(line).to_owned())),
        None if bytes.len() as u64 == MAX_LINE => Err(WireError::LongLine),
        None => Err(WireError::Ended),
    }
}

fn body(input: &mut impl Read, length: u64) -> Result<Vec<u8>, WireError> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(WireError::Ended) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_or_refused() {
        let huge = format!("Content-Length: {}\r\n\r\n", u64::MAX);
        let lines = "X: 1\r\n".repeat(20);
        let endless = "x".repeat(2000);
        let cases: [(&str, Result<Option<&str>, &str>); 13] = [
            ("", Ok(None)),
            ("Content-Length: 2\r\n\r\n{}", Ok(Some("{}"))),
            ("content-length:2\nContent-Type: json\n\n{} ", Ok(Some("{}"))),
            ("Content-Length: 0\r\n\r\n", Ok(Some(""))),
            ("Content-Length: 3\r\n\r\n{}", Err("within a message")),
            ("Content-Length: 3\r\n", Err("within a message")),
            ("Content-Len", Err("within a message")),
            ("\r\n{}", Err("without `Content-Length`")),
            ("{\"seq\"}\n", Err("expected `Content-Length: N`")),
            ("Content-Length: -1\r\n\r\n", Err("at most 16777216 bytes")),
            (&huge, Err("at most 16777216 bytes")),
            (&lines, Err("more than 16 lines")),
            (&endless, Err("does not end")),
        ];
        for (text, expected) in cases {
            match (read(&mut text.as_bytes()), expected) {
                (Ok(read), Ok(expected)) => {
                    assert_eq!(read.as_deref(), expected.map(str::as_bytes), "{text}");
                }
                (Err(error), Err(expected)) => {
                    assert!(error.to_string().contains(expected), "{text}: {error}");
                }
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }

    #[test]
    fn halves_of_surrogate_pairs_become_replacement_characters() {
        for (text, expected) in [
            (r#""\ud83d\ude00""#, Some("😀")),
            (r#""a\ud83d""#, Some("a\u{fffd}")),
            (r#""\ude00\ud83d\ude00\uD83D\ud83d\ude00""#, Some("\u{fffd}😀\u{fffd}😀")),
            (r#""\\ud83d\ude00""#, Some("\\ud83d\u{fffd}")),
            (r#""\ud83d"#, None),
            (r#""\ud8"#, None),
            ("\\", None),
        ] {
            let parsed = parse(text.as_bytes()).ok();
            assert_eq!(parsed.as_ref().and_then(Value::as_str), expected, "{text}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut stream = Vec::new();
        let messages = [serde_json::json!({ "text": "ü\r\n" }), serde_json::json!([])];
        messages.iter().for_each(|message| write(&mut stream, message).unwrap());
        let mut stream = stream.as_slice();
        for message in messages {
            assert_eq!(read(&mut stream).unwrap().unwrap(), message.to_string().as_bytes());
        }
        assert!(matches!(read(&mut stream), Ok(None)));
    }
}
