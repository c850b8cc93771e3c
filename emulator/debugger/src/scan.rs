//! The letters of a command: words, numbers, names, texts, each with its place for messages.

use crate::fault::Fault;

/// A line of text, and how far it has been read.
#[derive(Clone)]
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// The beginning of a line.
    pub fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0 }
    }

    /// How many bytes have been read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The whole line.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips space.
    pub fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether nothing but space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.space();
        self.rest().is_empty()
    }

    /// Takes these letters if they come next, space before them or not.
    pub fn take(&mut self, letters: &str) -> bool {
        let before = self.at;
        self.space();
        if self.rest().starts_with(letters) {
            self.at += letters.len();
            return true;
        }
        self.at = before;
        false
    }

    /// Takes a word if it comes next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let before = self.at;
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if self.word() == Some(word) && is_whole(self.rest()) {
            return true;
        }
        self.at = before;
        false
    }

    /// The next word: letters only.
    pub fn word(&mut self) -> Option<&'a str> {
        self.space();
        self.while_true(|c| c.is_ascii_alphabetic())
    }

    /// The next name, with the dots of local labels and of `net.`.
    pub fn name(&mut self) -> Option<&'a str> {
        self.space();
        if !self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '.') {
            return None;
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let end = rest[..end.unwrap_or(rest.len())].find("..").or(end).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    /// The next number as the assembler writes them, without a sign.
    pub fn number(&mut self) -> Result<Option<i64>, Fault> {
        self.space();
        let at = self.at;
        let rest = self.rest();
        if let Some(letter) = rest.strip_prefix('\'') {
            let mut letters = letter.chars();
            return match (letters.next(), letters.next()) {
                (Some(letter), Some('\'')) => {
                    self.at += 2 + letter.len_utf8();
                    Ok(Some(i64::from(u32::from(letter))))
                }
                _ => Err(Fault::text(at, "expected a letter between `'`")),
            };
        }
        let prefixes = [("0x", 16), ("$", 16), ("0b", 2), ("%", 2), ("", 10)];
        let prefix = prefixes.into_iter().find(|(prefix, _)| rest.starts_with(prefix));
        let Some((prefix, radix)) = prefix else { return Ok(None) };
        if !rest[prefix.len()..].starts_with(|c: char| c.is_digit(radix)) {
            return if prefix.is_empty() { Ok(None) } else { Err(Fault::text(at, "expected a number")) };
        }
        self.at += prefix.len();
        let digits = self.while_true(|c| c.is_ascii_alphanumeric() || c == '_').unwrap_or("");
        let number = i64::from_str_radix(&digits.replace('_', ""), radix);
        number.map(Some).map_err(|_| Fault::text(at, format!("`{prefix}{digits}` is not a number")))
    }

    /// A text between quotation marks, with `\n`, `\t`, `\"` and `\\`.
    pub fn string(&mut self) -> Result<String, Fault> {
        self.space();
        let at = self.at;
        let mut text = String::new();
        let mut letters = self.rest().char_indices();
        if letters.next().map(|(_, c)| c) != Some('"') {
            return Err(Fault::text(at, "expected a text in quotation marks"));
        }
        while let Some((place, c)) = letters.next() {
            text.push(match c {
                '"' => {
                    self.at += place + 1;
                    return Ok(text);
                }
                '\\' => match letters.next().map(|(_, c)| c) {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(c @ ('"' | '\\')) => c,
                    _ => return Err(Fault::text(at + place, "expected `\\n`, `\\t`, `\\\"` or `\\\\`")),
                },
                c => c,
            });
        }
        Err(Fault::text(at, "the text does not end: there is no second `\"`"))
    }

    /// Takes these letters, or says that they were expected.
    pub fn expect(&mut self, letters: &str) -> Result<(), Fault> {
        if self.take(letters) {
            return Ok(());
        }
        self.space();
        Err(Fault::text(self.at, format!("expected `{letters}`")))
    }

    /// Makes sure that nothing is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(Fault::text(self.at, format!("`{}` is too much here", self.rest().trim_end())))
    }

    fn while_true(&mut self, accepts: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c| !accepts(c)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }
}
