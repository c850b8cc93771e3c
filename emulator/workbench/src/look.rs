//! What the machine looks like at one moment: plain data, taken with one look and drawn at leisure.

use gray1_debugger::{Debugger, Output, Position};
use gray1_isa::Word;
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, RAM_BYTES, RED};
use gray1_machine::board::{Board, Chip};
use gray1_machine::burn::Field;
use gray1_machine::{ChipsEngine, Engine, Probe, Registers};

/// Of the program's output, so many of the newest bytes are shown.
const OUTPUT_SHOWN: usize = 16 << 10;

/// The machine at one moment.
#[derive(Clone, Default)]
pub struct Look {
    /// When that is.
    pub position: Position,
    /// Where the run begins.
    pub start: Position,
    /// The latest position known.
    pub end: Position,
    /// Whether the machine has halted here.
    pub is_halted: bool,
    /// The instruction that this cycle runs.
    pub running: u16,
    /// Its word.
    pub word: Word,
    /// The registers.
    pub registers: Registers,
    /// What a program would read at each address.
    pub ram: Vec<u8>,
    /// The rows of the display: eight green, eight red.
    pub display: [u8; 2 * DISPLAY_SIZE],
    /// The newest output.
    pub output: Vec<u8>,
    /// How many bytes have been sent.
    pub sent: u64,
    /// The board.
    pub wires: Wires,
    /// The board a phase ago, if somebody looked.
    pub wires_before: Option<Wires>,
}

/// The levels of a board.
#[derive(Clone, Default, PartialEq)]
pub struct Wires {
    /// For each chip, the cell it looks up and what it gives.
    pub chips: Vec<(u32, u16)>,
    /// For each net, its level.
    pub nets: Vec<u16>,
}

/// A chip as the board's pane describes it.
pub struct Card {
    /// Its name.
    pub name: String,
    /// Part and contents.
    pub kind: String,
    /// Why it is there.
    pub about: String,
    /// Address and data as fields, if it has contents that are described.
    pub fields: Option<(&'static [Field], &'static [Field])>,
    /// Address and data lines.
    pub width: (usize, usize),
    /// The nets it reads, and those it drives.
    pub nets: (Vec<usize>, Vec<usize>),
}

/// Who looks at the machine.
#[derive(Clone)]
pub struct Eyes {
    chips: usize,
    nets: Vec<Probe>,
}

impl Eyes {
    /// Eyes for a board; and what is written on it: its chips, and the names of its nets.
    pub fn new(board: &Board, machine: &ChipsEngine) -> (Eyes, Vec<Card>, Vec<String>) {
        let mut names: Vec<String> = Vec::new();
        let mut number = |name: &String| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            })
        };
        let mut cards = Vec::new();
        for chip in &board.chips {
            let contents = match chip {
                Chip::Rom { burn, .. } => burn.contents(),
                Chip::Ram { .. } => None,
            };
            let burned = match chip {
                Chip::Rom { burn, .. } if contents.is_some() => format!("{burn:?}"),
                Chip::Rom { .. } => "cells of its own".to_owned(),
                Chip::Ram { .. } => "RAM".to_owned(),
            };
            cards.push(Card {
                name: chip.name().to_owned(),
                kind: format!("{} {burned}", chip.part()),
                about: contents.map_or(String::new(), |contents| one_line(contents.about)),
                fields: contents.map(|contents| (contents.address, contents.data)),
                width: (chip.address().len(), chip.data().len()),
                nets: (
                    chip.reads().map(&mut number).collect(),
                    chip.data().names().iter().map(&mut number).collect(),
                ),
            });
        }
        let nets = names.iter().filter_map(|name| machine.probe(name)).collect();
        (Eyes { chips: board.chips.len(), nets }, cards, names)
    }

    /// Looks at the board.
    pub fn wires(&self, machine: &ChipsEngine) -> Wires {
        Wires {
            chips: (0..self.chips).map(|chip| machine.look_at(chip)).collect(),
            nets: self.nets.iter().map(|probe| machine.read(probe)).collect(),
        }
    }

    /// Looks at the machine; the board a phase ago is not looked at.
    pub fn look(&self, machine: &ChipsEngine, output: &Output, sent: u64) -> Look {
        let position = Position::of(machine);
        let (bytes, _) = output.until(sent);
        let row = |row: usize| {
            let plane = if row < DISPLAY_SIZE { GREEN } else { RED - DISPLAY_SIZE as u16 };
            machine.ram(plane + row as u16)
        };
        Look {
            position,
            start: position,
            end: position,
            is_halted: machine.halted() && position.phase == 0,
            running: machine.running(),
            word: machine.word(),
            registers: machine.registers(),
            ram: (0..RAM_BYTES as u16).map(|address| machine.reads(address)).collect(),
            display: std::array::from_fn(row),
            output: bytes[bytes.len().saturating_sub(OUTPUT_SHOWN)..].to_vec(),
            sent,
            wires: self.wires(machine),
            wires_before: None,
        }
    }

    /// Looks at where a debugger is, and at the board as it was a phase ago.
    pub fn look_around(&self, debugger: &mut Debugger) -> Look {
        let history = debugger.history();
        let (output, sent) = history.output();
        let (start, end) = (history.start(), history.end());
        let mut look = Look { start, end, ..self.look(history.machine(), output, sent) };
        if look.position > start {
            let ago = Position::after_phases(look.position.phases() - 1);
            let seen =
                debugger.history_mut().peek(ago, |machine| (Position::of(machine), self.wires(machine)));
            look.wires_before = seen.ok().filter(|(position, _)| *position == ago).map(|(_, wires)| wires);
        }
        look
    }
}

/// A description without its line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
