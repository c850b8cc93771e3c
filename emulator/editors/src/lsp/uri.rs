//! Conversion between paths, which the assembler uses to name files, and URIs, which editors use.

use std::fmt::Write;

/// The prefix of file URIs.
const FILE: &str = "file://";

/// The path that a URI names. Other URIs, such as the URI of an unsaved buffer, are used unchanged.
pub fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix(FILE) else { return uri.to_owned() };
    // The part before the first slash is a host: empty, or this computer.
    let path = rest.find('/').map_or(rest, |slash| &rest[slash..]);
    let path = decoded(path);
    // `/c:/programs` on Windows.
    match path.as_bytes() {
        [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    }
}

/// The URI of a path.
pub fn uri(path: &str) -> String {
    let has_scheme = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme {
        return path.to_owned();
    }
    let path = path.replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut uri = format!("{FILE}{slash}");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                uri.push(byte.into());
            }
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    uri
}

fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..2).filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let (byte, rest) = match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (byte, &part[2..]),
            None => (b'%', part),
        };
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_and_uris_are_the_same() {
        for (uri, path) in [
            ("file:///home/me/a%20b.g1", "/home/me/a b.g1"),
            ("file:///%C3%BC/%25.g1", "/ü/%.g1"),
            ("file:///c:/x.g1", "c:/x.g1"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ] {
            assert_eq!(super::path(uri), path);
            assert_eq!(super::uri(path), uri);
        }
        for (uri, path) in [
            ("file:///c%3A/x", "c:/x"),
            ("file:///a%2", "/a%2"),
            ("file:///%zz%ff", "/%zz\u{fffd}"),
            ("file://h/x", "/x"),
        ] {
            assert_eq!(super::path(uri), path);
        }
    }
}
