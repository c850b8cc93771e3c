//! A machine with a custom ROM: a multiplexer that inverts every byte a program loads.
//!
//!     cargo run -p gray1-machine --example own_rom

use gray1_isa::memory_map::OUT;
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Driver, Noise, OutputSink, Stop};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Records the output of the program.
#[derive(Default)]
struct Sent(Vec<u8>);

impl OutputSink for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut board = Board::gray1();
    // DMUX chooses between the byte of RAM (lines 0 to 7) and an input byte.
    assert!(board.burn("DMUX", |address| !(address as u8)));
    let program = [Word::ram(Opcode::Lda, 0x123), Word::ram(Opcode::Sta, OUT), Word::jump(Opcode::Jmp, 2)];
    let mut engine = ChipsEngine::power_up(&board, &Image::from_words(program), Noise::Ones)?;

    let (never, start, mut sent) = (AtomicBool::new(false), Instant::now(), Sent::default());
    let clock = || start.elapsed();
    let stop = Driver::new(&mut engine, &never, &clock).finish(&mut sent)?;
    println!("RAM held FF, the program sent {:02X?} and stopped: {stop:?}", sent.0);
    assert_eq!((stop, sent.0), (Stop::Halted, vec![0x00]));
    Ok(())
}
