//! Where programs cannot be translated.

use gray1_isa::Image;
use gray1_machine::{Outside, Parts};
use std::io;

/// There is none.
pub enum Code {}

impl Code {
    pub fn new(_: &Image) -> io::Result<Code> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn run(&mut self, _: Parts, _: u64, _: &mut dyn Outside) -> u64 {
        match *self {}
    }
}
