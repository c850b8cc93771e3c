//! Three cycles of a program as a waveform on standard output:
//! `cargo run -p gray1-display --example three_cycles > three.vcd`

use gray1_display::waves::ChipsRecorder;
use gray1_isa::{Image, Opcode, Word, memory_map::OUT};
use gray1_machine::{ChipsEngine, Noise, board::Board};
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::gray1();
    let load = Word::constant(Opcode::Lda, 42);
    let send = Word::new(Opcode::Sta, false, OUT);
    let image = Image::from_words([load, send, Word::jump(Opcode::Jmp, 2)]);
    let mut engine = ChipsEngine::power_up(&board, &image, Noise::Zeros)?;

    let file = Vec::new(); // a file works as well
    let mut recorder = ChipsRecorder::begin(&board, 0..=2, file)?;
    recorder.run(&mut engine, 3, &mut ())?;
    stdout().write_all(&recorder.finish()?)?;
    Ok(())
}
