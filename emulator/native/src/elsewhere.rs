//! Stands in for `x64` on processors for which programs cannot be translated.

use gray1_machine::OutputSink;
use gray1_machine::evaluated::{Code, Graph, Running};
use std::io;

/// A translated program. It has no values, since `new` always fails.
pub enum CompiledGraph {}

impl CompiledGraph {
    pub fn new(_: &Graph) -> io::Result<CompiledGraph> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Code for CompiledGraph {
    fn begins_at(&self, _: u32) -> bool {
        match *self {}
    }

    fn run(&mut self, _: Running, _: u32, _: u64, _: &mut dyn OutputSink) -> (u64, u32) {
        match *self {}
    }
}
