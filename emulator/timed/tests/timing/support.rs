//! Boards, programs and conditions to test with.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Engine, Inputs, Noise};
use gray1_timed::{Conditions, Delays, Paths, TimedBoard, TimedEngine, stress};
use std::sync::{Arc, OnceLock};

/// One nanofarad.
pub const NANOFARAD: u64 = 1_000;

/// The timing analysis of the reference board.
pub fn paths() -> &'static Paths {
    static PATHS: OnceLock<Paths> = OnceLock::new();
    PATHS.get_or_init(|| Paths::find(&Board::gray1(), false).unwrap())
}

pub fn assembled(source: &str) -> Image {
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}

pub fn queens() -> &'static Arc<TimedBoard> {
    static BOARD: OnceLock<Arc<TimedBoard>> = OnceLock::new();
    BOARD.get_or_init(|| timed_board(&assembled(include_str!("../../../../programs/queens.g1"))))
}

pub fn timed_board(image: &Image) -> Arc<TimedBoard> {
    Arc::new(TimedBoard::new(&Board::gray1(), image, Noise::Random(1)).unwrap())
}

/// The program with the longest paths, and its inputs.
pub fn stressed() -> &'static (Arc<TimedBoard>, Inputs) {
    static BOARD: OnceLock<(Arc<TimedBoard>, Inputs)> = OnceLock::new();
    BOARD.get_or_init(|| {
        let (image, inputs) = stress();
        (timed_board(&image), inputs)
    })
}

/// Conditions at this percentage of the highest safe frequency, without transients.
pub fn at(percent: u64, delays: Delays, capacitor: u64) -> Conditions {
    let half_period = paths().half_period(capacitor) * 100 / percent;
    Conditions { half_period, delays, transients: None, capacitor }
}

/// Runs the program with the longest paths for this number of cycles, following every change.
pub fn stress_for(cycles: u64, conditions: &Conditions) -> TimedEngine {
    let (board, inputs) = stressed();
    let mut engine = TimedEngine::on(board, conditions);
    engine.set_sleep(false);
    engine.press(*inputs).unwrap();
    let _ = engine.run(cycles, &mut ()); // callers check whether it has failed
    engine
}
