//! A record of what leaves a machine.

use crate::engine::OutputSink;
use serde::{Deserialize, Serialize};

/// The output of a machine: bytes sent, and stores to the display.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Seen {
    /// The cycles and bytes of the port.
    pub output: Vec<(u64, u8)>,
    /// The cycles, rows and LEDs of stores to the display.
    pub display: Vec<(u64, usize, u8)>,
}

impl OutputSink for Seen {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.output.push((cycle, byte));
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.display.push((cycle, row, leds));
    }
}

impl Seen {
    /// The bytes sent to the port.
    pub fn bytes(&self) -> Vec<u8> {
        self.output.iter().map(|&(_, byte)| byte).collect()
    }
}
