//! The bench: one ROM between switches and lamps, a board like any other.
//!
//! A table is burned into it, and the engines that run the Gray-1 run it: the chips engine, and the timed engine where
//! each line has a delay of its own.

use crate::Refusal;
use crate::rows::Rows;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedBoard, TimedEngine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Switches that the bench has.
pub const SWITCHES: usize = 7;
/// Lamps that it has.
pub const LAMPS: usize = 6;
/// Long enough for every line of the bench to come to rest.
const HALF_PERIOD: u64 = 1_000 * NANOSECOND;

const NEVER_RESTS: &str = "the table never comes to rest: what it gives makes another address, and what stands there \
                           makes another one again. A state that is to stay must stand at its own address.";

/// The bench with these rows in its ROM. Their leftmost columns are the switches; the others, if the lamps are fed
/// back, are the lamps.
pub fn board(rows: &Rows, inputs: usize, is_fed_back: bool) -> Result<Board, Refusal> {
    let mut board = Board::parse(include_str!("bench.ron"), "bench.ron")?;
    let fed_back = if is_fed_back { rows.outputs() } else { 0 };
    board.burn("ROM", |address| {
        let lines = (0..inputs).chain(SWITCHES..SWITCHES + fed_back);
        rows.lamps(lines.fold(0, |row, line| row << 1 | address as usize >> line & 1))
    });
    Ok(board)
}

/// The bench, switched on.
pub struct Bench(ChipsEngine);

impl Bench {
    /// With all switches at 0.
    pub fn new(board: &Board) -> Result<Bench, Refusal> {
        // A table that never rests with all switches at 0 does not even get through its reset.
        let engine = ChipsEngine::power_up(board, &Image::blank(), Noise::Zeros);
        Ok(engine.map(Bench).map_err(|_| format!("With all switches at 0, {NEVER_RESTS}"))?)
    }

    /// Moves the switches, and looks at the lamps.
    pub fn press(&mut self, keys: u8) -> Result<u16, Refusal> {
        self.0.press(Inputs { pad: None, keys }).map_err(|_| NEVER_RESTS.to_owned())?;
        Ok(self.0.net("Q").unwrap_or_default())
    }
}

/// A bench with delays.
pub struct TimedBench {
    engine: TimedEngine,
    /// The sequence of what the lamps have shown since the switches were moved.
    seen: Rc<RefCell<Vec<u16>>>,
}

impl TimedBench {
    /// The data shared by all benches with this board.
    pub fn prepare(board: &Board) -> Result<Arc<TimedBoard>, Refusal> {
        Ok(Arc::new(TimedBoard::new(board, &Image::blank(), Noise::Zeros)?))
    }

    /// The bench of this seed.
    pub fn new(board: &Arc<TimedBoard>, seed: u64) -> TimedBench {
        let delays = Delays::Random(seed);
        let conditions = Conditions { half_period: HALF_PERIOD, delays, transients: None, capacitor: 0 };
        let mut engine = TimedEngine::on(board, &conditions);
        let lines: Vec<NetId> = engine.netlist().bus("Q").unwrap_or_default();
        let seen = Rc::new(RefCell::new(Vec::new()));
        let (shown, mut lamps) = (Rc::clone(&seen), 0);
        engine.watch(move |_, net, level| {
            if let Some(line) = lines.iter().position(|line| *line == net) {
                lamps = lamps & !(1 << line) | u16::from(level) << line;
                shown.borrow_mut().push(lamps);
            }
        });
        TimedBench { engine, seen }
    }

    /// Moves the switches; returns the sequence of what the lamps show from then on, until it is time to look.
    pub fn press(&mut self, keys: u8) -> Result<Vec<u16>, Refusal> {
        self.seen.borrow_mut().clear();
        self.engine.press(Inputs { pad: None, keys })?;
        Ok(self.seen.take())
    }
}
