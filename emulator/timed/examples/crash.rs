//! A program on a board without capacitors, until a transient breaks it:
//! `cargo run --release -p gray1-timed --example crash -- SEED`

use gray1_isa::{Image, Opcode, Word, memory_map::GREEN};
use gray1_machine::{Engine, Noise, board::Board};
use gray1_timed::{Conditions, Delays, Paths, TimedEngine};
use std::error::Error;

const NO_CAPACITOR: u64 = 0;
const CYCLES: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let board = Board::gray1();
    let half_period = Paths::find(&board, false)?.half_period(NO_CAPACITOR);
    println!("the board is safe up to {:.1} kHz", 1e9 / (2 * half_period) as f64);

    // Counts on the LEDs, forever.
    let count = Word::constant(Opcode::Add, 1);
    let show = Word::new(Opcode::Sta, false, GREEN);
    let image = Image::from_words([count, show, Word::jump(Opcode::Jmp, 0)]);
    let conditions = Conditions {
        half_period,
        delays: Delays::Random(seed),
        transients: Some(seed),
        capacitor: NO_CAPACITOR,
    };
    let mut engine = TimedEngine::power_up(&board, &image, Noise::Zeros, &conditions)?;
    match engine.run(CYCLES, &mut ()) {
        Ok(cycles) => println!("{cycles} cycles without an error"),
        Err(failure) => println!("{failure}"),
    }
    Ok(())
}
