//! The board as the proofs see it: nets with numbers, and chips that are tables, RAM, or the program.
//!
//! The program can be any, so a program chip is a table of which nothing is known. Nothing here knows what a chip
//! is for, with one exception that the board file states itself: which lines are the sequencer and the counter.

use gray1_isa::Image;
use gray1_machine::board::{Board, Chip as BoardChip};
use gray1_machine::burn::Cells;
use std::collections::HashMap;
use std::rc::Rc;

/// The number of a net.
pub(crate) type Net = usize;

/// Nets and chips, by number.
pub(crate) struct Wiring {
    pub nets: Vec<String>,
    pub chips: Vec<Chip>,
    /// The chip that drives each net, and the data line it does it with; nothing for what comes from outside.
    pub drivers: Vec<Option<(usize, u32)>>,
    pub oscillator: Net,
    pub reset: Net,
    /// Other lines from outside: pads and keys.
    pub fingers: Vec<Net>,
    /// The state of the sequencer.
    pub sequence: Vec<Net>,
}

/// A chip.
pub(crate) struct Chip {
    pub name: String,
    /// The net on each address line; for a RAM, data inputs and the write line behind them.
    pub lines: Vec<Net>,
    /// The net on each data line.
    pub data: Vec<Net>,
    pub holds: Holds,
    /// Its storage loops: an address line, and the data line that drives it.
    pub own: Vec<(u32, u32)>,
    /// Whether its loops step on, as those of the sequencer and the counter do.
    pub counts: bool,
}

/// What a chip holds.
#[derive(Clone)]
pub(crate) enum Holds {
    /// A table, shared by chips that hold the same.
    Table(Rc<[u8]>),
    /// Some program.
    Program,
    /// A RAM, with so many lines that select a cell.
    Ram { address: usize },
}

impl Wiring {
    /// The wiring of a board.
    pub fn of(board: &Board) -> Wiring {
        let mut wiring = Wiring {
            nets: Vec::new(),
            chips: Vec::new(),
            drivers: Vec::new(),
            oscillator: 0,
            reset: 0,
            fingers: Vec::new(),
            sequence: Vec::new(),
        };
        let mut numbers: HashMap<&str, Net> = HashMap::new();
        for name in board.inputs.iter().chain(&board.nets).flat_map(|group| group.nets.names()) {
            numbers.insert(name, wiring.nets.len());
            wiring.nets.push(name.clone());
        }
        let find = |names: &[String]| -> Vec<Net> {
            names.iter().filter_map(|name| numbers.get(name.as_str()).copied()).collect()
        };
        wiring.drivers = vec![None; wiring.nets.len()];
        let panel = &board.panel;
        wiring.sequence = find(panel.sequence.names());
        wiring.oscillator = find(panel.oscillator.names())[0];
        wiring.reset = find(panel.reset.names())[0];
        let outside = board.inputs.iter().flat_map(|group| find(group.nets.names()));
        wiring.fingers = outside.filter(|&net| net != wiring.oscillator && net != wiring.reset).collect();
        let steps: Vec<Net> =
            find(panel.sequence.names()).into_iter().chain(find(panel.counter.names())).collect();
        let mut tables: HashMap<Vec<u8>, Rc<[u8]>> = HashMap::new();
        for chip in &board.chips {
            let lines = find(&chip.reads().cloned().collect::<Vec<_>>());
            let data = find(chip.data().names());
            for (bit, &net) in (0..).zip(&data) {
                wiring.drivers[net] = Some((wiring.chips.len(), bit));
            }
            let own = (0..)
                .zip(&lines)
                .filter_map(|(line, net)| Some((line, data.iter().position(|mine| mine == net)? as u32)))
                .collect();
            let counts = data.iter().any(|net| steps.contains(net));
            let holds = holds(chip, &mut tables);
            wiring.chips.push(Chip { name: chip.name().to_owned(), lines, data, holds, own, counts });
        }
        wiring
    }

    /// The names of nets, one behind the other.
    pub fn names(&self, nets: impl IntoIterator<Item = Net>) -> Vec<String> {
        nets.into_iter().map(|net| self.nets[net].clone()).collect()
    }
}

fn holds(chip: &BoardChip, tables: &mut HashMap<Vec<u8>, Rc<[u8]>>) -> Holds {
    match chip {
        BoardChip::Ram { address, .. } => Holds::Ram { address: address.len() },
        BoardChip::Rom { burn, .. } => match burn.contents().map(|contents| contents.cells) {
            Some(Cells::Program(_)) => Holds::Program,
            _ => {
                let cells = burn.table(&Image::blank());
                Holds::Table(tables.entry(cells.clone()).or_insert_with(|| Rc::from(cells)).clone())
            }
        },
    }
}

impl Chip {
    /// Its table, if it is one that is known.
    pub fn table(&self) -> Option<&[u8]> {
        match &self.holds {
            Holds::Table(cells) => Some(cells),
            _ => None,
        }
    }

    /// Whether another chip holds the same.
    pub fn same_contents(&self, other: &Chip) -> bool {
        match (&self.holds, &other.holds) {
            (Holds::Table(one), Holds::Table(other)) => Rc::ptr_eq(one, other),
            (Holds::Ram { address }, Holds::Ram { address: other }) => address == other,
            (Holds::Program, Holds::Program) => true,
            _ => false,
        }
    }

    /// The address lines of its own loops, as a mask.
    pub fn own_lines(&self) -> u32 {
        self.own.iter().fold(0, |mask, (line, _)| mask | 1 << line)
    }

    /// What its own loops would become, in their places of the address, when it gives these data.
    pub fn turned(&self, data: u8) -> u32 {
        self.own.iter().fold(0, |address, (line, bit)| address | u32::from(data >> bit & 1) << line)
    }

    /// Whether an address holds itself.
    pub fn rests(&self, address: u32, data: u8) -> bool {
        address & self.own_lines() == self.turned(data)
    }
}

/// All values of the lines of a mask, the others at 0.
pub(crate) fn values(mask: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0u32);
    std::iter::from_fn(move || {
        let value = next?;
        next = (value != mask).then(|| (value | !mask).wrapping_add(1) & mask);
        Some(value)
    })
}
