//! Messages on the wire: a header that says how long the message is, an empty line, the message in JSON.
//!
//! ```text
//!   Content-Length: 77\r\n
//!   \r\n
//!   {"seq":1,"type":"request", …
//! ```

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// A longer message is refused: none that an editor has to send comes near.
const LONGEST: u64 = 16 << 20;
/// A longer line of a header is refused.
const LONGEST_LINE: u64 = 1024;
/// A header of more lines is refused.
const MOST_LINES: usize = 16;

/// Reads the text of the next message; `None` where the stream ends between two messages. An error means that
/// nobody knows where the next one begins.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut length = None;
    for number in 0..MOST_LINES {
        let Some(line) = line(input)? else {
            return if number == 0 { Ok(None) } else { Err(ended()) };
        };
        if line.is_empty() {
            let length = length.ok_or("a message without `Content-Length`")?;
            return body(input, length).map(Some);
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| format!("expected `Content-Length: N`, not `{}`", line.escape_debug()))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse().ok().filter(|&length| length <= LONGEST);
            length = Some(number.ok_or_else(|| {
                format!("a message has at most {LONGEST} bytes: `{}`", line.escape_debug())
            })?);
        }
    }
    Err(format!("the header of a message has more than {MOST_LINES} lines"))
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())
}

/// A line of the header without its end; `None` where the stream has ended.
fn line(input: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(|error| error.to_string())?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    match text.strip_suffix('\n') {
        Some(line) => Ok(Some(line.strip_suffix('\r').unwrap_or(line).to_owned())),
        None if bytes.len() as u64 == LONGEST_LINE => Err("a header that does not end".to_owned()),
        None => Err(ended()),
    }
}

fn body(input: &mut impl Read, length: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if (bytes.len() as u64) < length { Err(ended()) } else { Ok(bytes) }
}

fn ended() -> String {
    "the stream ends within a message".to_owned()
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
                (Err(message), Err(expected)) => assert!(message.contains(expected), "{text}: {message}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
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
        assert_eq!(read(&mut stream), Ok(None));
    }
}
