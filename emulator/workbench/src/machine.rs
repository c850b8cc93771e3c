//! The data about the machine that is drawn, all read at one moment.

use gray1_debugger::{Debugger, Output, Position, leds, levels};
use gray1_isa::Word;
use gray1_isa::memory_map::{DISPLAY_SIZE, RAM_BYTES};
use gray1_machine::{ChipsEngine, Engine, Registers};

/// The number of bytes of output that are kept.
const OUTPUT_SHOWN: usize = 16 << 10;

/// The machine at one position of its run.
#[derive(Clone, Default)]
pub struct MachineData {
    pub position: Position,
    pub start: Position,
    /// The latest position known.
    pub end: Position,
    pub is_halted: bool,
    /// The sequence number of the instruction being run.
    pub running: u16,
    pub word: Word,
    pub registers: Registers,
    /// The byte that a program would read at each address.
    pub ram: Vec<u8>,
    /// The rows of the display: eight green, eight red.
    pub display: [u8; 2 * DISPLAY_SIZE],
    /// The latest output.
    pub output: Vec<u8>,
    /// The total number of bytes sent.
    pub sent: u64,
    /// The level of each net.
    pub levels: Vec<bool>,
    /// The levels one phase ago, or the current levels if the former are not known.
    pub levels_before: Vec<bool>,
    /// The routines that the machine is in, the innermost first, each but the first with the line of its call.
    pub routines: Vec<String>,
}

impl MachineData {
    /// Reads a machine while it runs.
    pub fn read(machine: &ChipsEngine, output: &Output, sent: u64) -> MachineData {
        let position = Position::of(machine);
        let (bytes, _) = output.until(sent);
        let levels = levels(machine);
        MachineData {
            position,
            start: position,
            end: position,
            is_halted: machine.halted() && position.phase == 0,
            running: machine.running(),
            word: machine.word(),
            registers: machine.registers(),
            ram: (0..RAM_BYTES as u16).map(|address| machine.reads(address)).collect(),
            display: leds(machine),
            output: bytes[bytes.len().saturating_sub(OUTPUT_SHOWN)..].to_vec(),
            sent,
            levels_before: levels.clone(),
            levels,
            routines: Vec::new(),
        }
    }

    /// Reads the machine at the position of a debugger, and the levels one phase ago.
    pub fn read_debugger(debugger: &mut Debugger) -> MachineData {
        let history = debugger.history_mut();
        let (start, end) = (history.start(), history.end());
        let [levels_before, levels] = history.levels();
        let (output, sent) = history.output();
        let data = MachineData::read(history.machine(), output, sent);
        MachineData { start, end, levels, levels_before, routines: routines(debugger), ..data }
    }
}

/// Describes the call stack.
fn routines(debugger: &Debugger) -> Vec<String> {
    let running = debugger.machine().running();
    let own = debugger.source().routine(running).map(str::to_owned);
    let callers = debugger
        .calls()
        .map(|(line, routine)| routine.map_or(format!("line {line}"), |routine| format!("{routine}:{line}")));
    own.into_iter().chain(callers).collect()
}
