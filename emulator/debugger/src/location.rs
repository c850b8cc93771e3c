//! Locations in the program and bytes of RAM, as a user names them.

use crate::error::{DebugError, require};
use crate::expression::Parser;
use crate::scanner::Scanner;
use crate::source::Name;
use gray1_isa::PROGRAM_WORDS;

impl Parser<'_> {
    /// A location in the program, as sequence numbers: a line (`12`, `lib.g1:12`), a label (`loop+2`), or `at` and a
    /// sequence number.
    pub fn location(&self, scanner: &mut Scanner) -> Result<Vec<u16>, DebugError> {
        let offset = scanner.offset();
        let source = self.source;
        let word = scanner.rest().split_whitespace().next().unwrap_or("").to_owned();
        let (file, digits) = match word.rsplit_once(':') {
            Some((file, digits)) => (source.find_file(file), digits),
            None => (source.root(), word.as_str()),
        };
        if let Ok(line) = digits.parse::<usize>() {
            let unknown = "no such source file; `at N` is the instruction with sequence number N";
            let file = require(file, offset, unknown)?;
            let starts = source.line_starts(file, line);
            let first = starts.first();
            require(first, offset, format!("line {line} of {file} makes no instruction"))?;
            scanner.take(&word);
            return Ok(starts);
        }
        scanner.take_word("at");
        let value = self.expression(scanner)?.value(self.machine)?;
        let sequence = u16::try_from(value).ok().filter(|&number| usize::from(number) < PROGRAM_WORDS);
        let invalid = format!("{value} is not a sequence number: they are 0 to 4095");
        Ok(vec![require(sequence, offset, invalid)?])
    }

    /// Bytes of RAM: a name for all of its bytes, an address, or the first and the last with `..` between them.
    pub fn range(&self, scanner: &mut Scanner) -> Result<(u16, u16), DebugError> {
        let mut name_only = scanner.clone();
        let name = name_only.name().and_then(|name| self.source.name(name));
        let first = self.address(scanner)?;
        if scanner.take("..") {
            let offset = scanner.offset();
            let last = self.address(scanner)?;
            let range = (first <= last).then_some((first, last));
            return require(range, offset, "the last byte comes before the first");
        }
        match name {
            Some(Name::Ram(_, size)) if name_only.offset() == scanner.offset() => {
                Ok((first, first + size - 1))
            }
            _ => Ok((first, first)),
        }
    }
}
