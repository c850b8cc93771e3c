//! Engines under test, and recorders of their output.

pub use gray1_machine::Seen;

use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, IsaEngine, Noise, OutputSink, PlainEngine};

/// Records only the bytes sent to the port, for programs that store to the display a hundred million times.
#[derive(Default)]
pub struct Sent(pub Vec<u8>);

impl OutputSink for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// Makes a chips engine on the reference board.
pub fn chips(image: &Image, noise: Noise) -> ChipsEngine {
    ChipsEngine::power_up(&Board::gray1(), image, noise).expect("the board settles")
}

/// Makes a plain engine on the reference board.
pub fn plain(image: &Image, noise: Noise) -> PlainEngine {
    PlainEngine::power_up(&Board::gray1(), image, noise).expect("the board settles")
}

/// Makes all engines that never fail, with the same program and the same noise: chips, isa and, where supported, the
/// compiled chips engine. The timed engine can fail, so it is not included.
pub fn engines(image: &Image, noise: Noise) -> Vec<(&'static str, Box<dyn Engine>)> {
    let mut engines: Vec<(&str, Box<dyn Engine>)> =
        vec![("chips", Box::new(chips(image, noise))), ("isa", Box::new(IsaEngine::power_up(image, noise)))];
    if gray1_native::IS_SUPPORTED {
        let mut translated = chips(image, noise);
        translated.compile_eagerly(gray1_native::translate);
        engines.push(("chips as machine code", Box::new(translated)));
    }
    engines
}
