//! Stands in for `x64` on processors for which programs cannot be translated.

use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::{Outside, Parts};
use std::io;

/// A translated program. It has no values, since `new` always fails.
pub enum Code {}

impl Code {
    pub fn new(_: &Image, _: &[bool; PROGRAM_WORDS]) -> io::Result<Code> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn run(&mut self, _: Parts, _: u64, _: &mut dyn Outside) -> u64 {
        match *self {}
    }
}
