//! The bench of the lessons: a board with one ROM between switches and lamps.
//!
//! A truth table is burned into the ROM. The board runs on the same engines as the Gray-1: the chips engine, and the
//! timed engine with a random delay for each line.

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

/// The number of switches.
pub const SWITCHES: usize = 7;
/// The number of lamps.
pub const LAMPS: usize = 6;
/// Half a clock period, long enough for the bench to settle.
const HALF_PERIOD: u64 = 1_000 * NANOSECOND;

const NEVER_RESTS: &str = "the table never comes to rest: each row that is read leads to another address. A stable state \
                           needs a row that gives its own address.";

/// Makes a bench with these rows in its ROM. Their leftmost `inputs` columns are the switches. If the lamps are fed
/// back, the remaining columns are the lamps.
pub fn board(rows: &Rows, inputs: usize, is_fed_back: bool) -> Result<Board, Refusal> {
    let mut board = Board::parse(include_str!("bench.ron"), "bench.ron")?;
    let fed_back = if is_fed_back { rows.outputs() } else { 0 };
    board.burn("ROM", |address| {
        let lines = (0..inputs).chain(SWITCHES..SWITCHES + fed_back);
        rows.lamps(lines.fold(0, |row, line| row << 1 | address as usize >> line & 1))
    });
    Ok(board)
}

/// A bench on the chips engine.
pub struct Bench(ChipsEngine);

impl Bench {
    /// Powers up a bench with all switches at 0.
    pub fn new(board: &Board) -> Result<Bench, Refusal> {
        // A table that never rests with all switches at 0 fails during reset.
        let engine = ChipsEngine::power_up(board, &Image::blank(), Noise::Zeros);
        Ok(engine.map(Bench).map_err(|_| format!("With all switches at 0, {NEVER_RESTS}"))?)
    }

    /// Sets the switches. Returns the levels of the lamps once the board has settled.
    pub fn press(&mut self, keys: u8) -> Result<u16, Refusal> {
        self.0.press(Inputs { pad: None, keys }).map_err(|_| NEVER_RESTS.to_owned())?;
        Ok(self.0.net("Q").unwrap_or_default())
    }
}

/// A bench on the timed engine.
pub struct TimedBench {
    engine: TimedEngine,
    /// The successive levels of the lamps since the switches were last set.
    history: Rc<RefCell<Vec<u16>>>,
}

impl TimedBench {
    /// Prepares the data that all benches with this board share.
    pub fn prepare(board: &Board) -> Result<Arc<TimedBoard>, Refusal> {
        Ok(Arc::new(TimedBoard::new(board, &Image::blank(), Noise::Zeros)?))
    }

    /// Powers up a bench; `seed` selects the random delays.
    pub fn new(board: &Arc<TimedBoard>, seed: u64) -> TimedBench {
        let delays = Delays::Random(seed);
        let conditions = Conditions { half_period: HALF_PERIOD, delays, transients: None, capacitor: 0 };
        let mut engine = TimedEngine::on(board, &conditions);
        let lines: Vec<NetId> = engine.netlist().bus("Q").unwrap_or_default();
        let history = Rc::new(RefCell::new(Vec::new()));
        let (recorded, mut lamps) = (Rc::clone(&history), 0);
        engine.watch(move |_, net, level| {
            if let Some(line) = lines.iter().position(|line| *line == net) {
                lamps = lamps & !(1 << line) | u16::from(level) << line;
                recorded.borrow_mut().push(lamps);
            }
        });
        TimedBench { engine, history }
    }

    /// Sets the switches. Returns the successive levels of the lamps until the board has settled.
    pub fn press(&mut self, keys: u8) -> Result<Vec<u16>, Refusal> {
        self.history.borrow_mut().clear();
        self.engine.press(Inputs { pad: None, keys })?;
        Ok(self.history.take())
    }
}
