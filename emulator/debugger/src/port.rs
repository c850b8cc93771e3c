//! The port of a machine whose past can be repeated: its output is kept, and passed on to a witness.

use crate::output::Output;
use gray1_machine::OutputSink;

/// The receiver of output and display changes.
pub(crate) struct OutputPort {
    pub output: Output,
    /// Bytes sent up to the current position.
    pub sent: u64,
    pub witness: Option<Witness>,
}

/// Notified of all output and display changes of the machine; again, when a stretch is repeated.
pub type Witness = Box<dyn OutputSink + Send>;

impl OutputSink for OutputPort {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.output.keep(self.sent, byte);
        self.sent += 1;
        if let Some(witness) = &mut self.witness {
            witness.output(cycle, byte);
        }
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        if let Some(witness) = &mut self.witness {
            witness.display(cycle, row, leds);
        }
    }
}
