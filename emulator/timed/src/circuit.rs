//! The board as the flow of levels sees it: nets by number, chips as tables, and who hears of which net.

use crate::conditions::ConditionsError;
use gray1_isa::Image;
use gray1_machine::board::{self, Board, Lines, Timing};
use gray1_machine::burn::Burn;
use std::collections::HashMap;

/// A net: the inputs of the board first, then the data lines of each chip, one chip behind the other.
pub type Net = usize;

/// A board with its ROMs burned.
#[derive(Clone)]
pub struct Circuit {
    /// The names of the nets.
    pub nets: Vec<String>,
    /// The chip that drives each net; `None` for those driven from outside.
    pub driver: Vec<Option<usize>>,
    pub chips: Vec<Chip>,
    /// What all ROMs hold, one behind the other; chips with the same contents share them.
    pub cells: Vec<u8>,
    /// The chips that hear of each net, with the bit of their address that it moves.
    pub listeners: Vec<Vec<(u16, u32)>>,
    pub panel: Panel,
    numbers: HashMap<String, Net>,
}

/// A memory chip.
#[derive(Clone)]
pub struct Chip {
    pub name: String,
    pub part: String,
    pub timing: Timing,
    /// Its address lines, lowest first; for a RAM, its data inputs and its write enable above them.
    pub reads: Vec<Net>,
    /// Its first data line; the others follow.
    pub first: Net,
    pub lines: usize,
    pub kind: Kind,
    /// Whether it holds the program.
    pub is_program: bool,
}

/// What a chip looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table, from here on among the cells.
    Rom { offset: usize },
    /// RAM with so many address lines; the number among the RAMs.
    Ram { address: u32, number: usize },
}

/// Where the world and a programmer meet the nets.
#[derive(Clone)]
pub struct Panel {
    pub oscillator: Net,
    pub reset: Net,
    pub pad_column: Vec<Net>,
    pub pad_row: Vec<Net>,
    pub keys: Vec<Net>,
    pub sequence: Vec<Net>,
    pub counter: Vec<Net>,
    pub word: Vec<Net>,
    pub target: Vec<Net>,
    pub accumulator: Vec<Net>,
    pub carry: Net,
    pub jump_master: Net,
    /// For each RAM that together hold a byte, lowest bits first: its number, and how many bits.
    pub memory: Vec<(usize, usize)>,
    /// The latch and the enable of each outlet: the port, then the rows of the display.
    pub outlets: Vec<(Vec<Net>, Net)>,
}

impl Circuit {
    /// Wires a board; its parts must have timing data.
    pub fn build(board: &Board, image: &Image) -> Result<Circuit, ConditionsError> {
        let mut nets: Vec<String> =
            board.inputs.iter().flat_map(|group| group.nets.names()).cloned().collect();
        let mut driver = vec![None; nets.len()];
        for (number, chip) in board.chips.iter().enumerate() {
            nets.extend(chip.data().names().iter().cloned());
            driver.resize(nets.len(), Some(number));
        }
        let numbers: HashMap<String, Net> = nets.iter().cloned().zip(0..).collect();
        let (cells, kinds) = burn(board, image);
        let mut chips = Vec::new();
        let mut listeners = vec![Vec::new(); nets.len()];
        for (chip, kind) in board.chips.iter().zip(kinds) {
            let timing = board.timing_of(chip).ok_or_else(|| ConditionsError::NoTiming {
                chip: chip.name().to_owned(),
                part: chip.part().to_owned(),
            })?;
            let reads: Vec<Net> = chip.reads().map(|net| numbers[net]).collect();
            for (line, &net) in reads.iter().enumerate() {
                listeners[net].push((chips.len() as u16, 1 << line));
            }
            chips.push(Chip {
                name: chip.name().to_owned(),
                part: chip.part().to_owned(),
                timing: *timing,
                reads,
                first: numbers[&chip.data().names()[0]],
                lines: chip.data().len(),
                kind,
                is_program: matches!(
                    chip,
                    board::Chip::Rom { burn: Burn::ProgramLow | Burn::ProgramHigh, .. }
                ),
            });
        }
        let panel = Panel::find(board, &chips, &numbers);
        Ok(Circuit { nets, driver, chips, cells, listeners, panel, numbers })
    }

    /// The number of a net.
    pub fn net(&self, name: &str) -> Option<Net> {
        self.numbers.get(name).copied()
    }

    /// Whether there is a capacitor on this net: on each data line of each chip that holds itself.
    pub fn has_capacitor(&self, net: Net) -> bool {
        self.driver[net].is_some_and(|chip| self.chips[chip].holds_itself())
    }

    /// Whether the chip that drives this net reads it: it is part of a storage loop.
    pub fn is_loop(&self, net: Net) -> bool {
        self.driver[net].is_some_and(|chip| self.chips[chip].reads.contains(&net))
    }
}

impl Chip {
    /// The nets it drives.
    pub fn gives(&self) -> std::ops::Range<Net> {
        self.first..self.first + self.lines
    }

    /// Whether it reads one of its own lines.
    pub fn holds_itself(&self) -> bool {
        self.reads.iter().any(|net| self.gives().contains(net))
    }
}

impl Panel {
    fn find(board: &Board, chips: &[Chip], numbers: &HashMap<String, Net>) -> Panel {
        let nets = |lines: &Lines| lines.names().iter().map(|name| numbers[name]).collect::<Vec<Net>>();
        let one = |lines: &Lines| numbers[&lines.names()[0]];
        let panel = &board.panel;
        let memory = panel.memory.iter().filter_map(|name| {
            let chip = chips.iter().find(|chip| chip.name == *name)?;
            match chip.kind {
                Kind::Ram { number, .. } => Some((number, chip.lines)),
                Kind::Rom { .. } => None,
            }
        });
        Panel {
            oscillator: one(&panel.oscillator),
            reset: one(&panel.reset),
            pad_column: nets(&panel.pad_column),
            pad_row: nets(&panel.pad_row),
            keys: nets(&panel.keys),
            sequence: nets(&panel.sequence),
            counter: nets(&panel.counter),
            word: nets(&panel.word),
            target: nets(&panel.target),
            accumulator: nets(&panel.accumulator),
            carry: one(&panel.carry),
            jump_master: one(&panel.jump_master),
            memory: memory.collect(),
            outlets: panel.outlets().map(|outlet| (nets(&outlet.latch), one(&outlet.enable))).collect(),
        }
    }
}

/// The cells of all ROMs, each table once, and where each chip finds its own.
fn burn(board: &Board, image: &Image) -> (Vec<u8>, Vec<Kind>) {
    let mut cells = Vec::new();
    let mut burned = HashMap::new();
    let mut rams = 0;
    let kinds = board.chips.iter().map(|chip| match chip {
        board::Chip::Rom { burn, .. } => Kind::Rom {
            offset: *burned.entry(burn).or_insert_with(|| {
                let offset = cells.len();
                cells.extend(burn.table(image));
                offset
            }),
        },
        board::Chip::Ram { address, .. } => {
            rams += 1;
            Kind::Ram { address: address.len() as u32, number: rams - 1 }
        }
    });
    let kinds = kinds.collect();
    (cells, kinds)
}
