//! What a program sends, of one that runs long: it changes the display a hundred million times.

use gray1_machine::Outside;

#[derive(Default)]
pub struct Port(pub Vec<u8>);

impl Outside for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}
