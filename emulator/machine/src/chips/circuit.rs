//! A board ready to be looked up: every net a bit of some driver's output, every chip a table.
//!
//! A *driver* is a chip or a group of input lines. Its output is one byte, so all levels of the board are an
//! array of bytes, and which chips are to be looked up is a set of bits in one machine word.

use crate::board::{Board, Chip, Lines};
use crate::burn::Cells;
use gray1_isa::Image;
use std::collections::HashMap;

/// The most drivers that a circuit has.
pub(super) const DRIVERS: usize = 64;
/// What every driver of the board gives. There is room for any number that fits a byte, so that looking a
/// driver up by such a number needs no check.
pub(super) type Levels = [u8; 256];
/// All lines at 0.
pub(super) const LOW: Levels = [0; 256];

/// A board with its ROMs burned.
pub(super) struct Circuit {
    /// The drivers: groups of inputs first, then chips in the order in which a change travels.
    pub drivers: Vec<Driver>,
    /// How many of the drivers are groups of inputs.
    pub inputs: usize,
    /// The contents of all memory chips, one behind the other, RAM last.
    pub cells: Vec<u8>,
    /// Where RAM begins in `cells`.
    pub ram: usize,
    nets: HashMap<String, Pin>,
    buses: HashMap<String, Port>,
}

/// A chip, or a group of inputs: then it has no wires and no cells.
#[derive(Default)]
pub(super) struct Driver {
    pub name: String,
    /// Where its cells begin.
    pub offset: usize,
    /// Its address lines; for a RAM, data inputs and write enable behind them.
    pub lines: Vec<Pin>,
    /// How many lines of a RAM select a cell; the lines of a ROM all do.
    pub ram_address: Option<usize>,
    /// Which byte of the program it holds, if it is a program chip.
    pub program_byte: Option<usize>,
    /// The lines, as few runs of neighbours as possible.
    pub wires: Vec<Wire>,
    /// For each bit of its output, the chips that read it.
    pub listeners: [u64; 8],
}

/// One net: a bit of a driver's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub driver: usize,
    pub bit: u32,
}

/// A run of address lines that are neighbours at their driver too: rotated into place with one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wire {
    pub driver: u8,
    pub rotation: u8,
    pub mask: u32,
}

/// A group of nets that is read, or forced, as one number.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pins: Vec<Pin>,
    wires: Vec<Wire>,
}

impl Circuit {
    /// Burns the ROMs of a board, the program among them.
    pub fn build(board: &Board, image: &Image) -> Circuit {
        let order = travel_order(board);
        let mut circuit = Circuit {
            drivers: Vec::new(),
            inputs: board.inputs.len(),
            cells: Vec::new(),
            ram: 0,
            nets: HashMap::new(),
            buses: HashMap::new(),
        };
        for group in &board.inputs {
            circuit.drive(group.nets.names().join(" "), &group.nets);
        }
        for &chip in &order {
            circuit.drive(board.chips[chip].name().to_owned(), board.chips[chip].data());
        }
        circuit.wire(board, &order);
        circuit.fill(board, &order, image);
        for (name, lines) in &board.buses {
            let port = circuit.port(lines);
            circuit.buses.insert(name.clone(), port);
        }
        circuit
    }

    /// The driver and bit of a net.
    pub fn net(&self, name: &str) -> Option<Pin> {
        self.nets.get(name).copied()
    }

    /// A bus, or a single net, by name.
    pub fn bus(&self, name: &str) -> Option<Port> {
        self.buses.get(name).cloned().or_else(|| Some(Port::new(vec![self.net(name)?])))
    }

    /// The port of lines that the board's checks have found to exist.
    pub fn port(&self, lines: &Lines) -> Port {
        Port::new(lines.names().iter().filter_map(|name| self.net(name)).collect())
    }

    /// The driver of a name.
    pub fn driver(&self, name: &str) -> Option<usize> {
        self.drivers.iter().position(|driver| driver.name == name)
    }

    /// All chips, as a set.
    pub fn all_chips(&self) -> u64 {
        (self.inputs..self.drivers.len()).map(|chip| 1 << chip).sum()
    }

    fn drive(&mut self, name: String, data: &Lines) {
        let driver = self.drivers.len();
        for (bit, net) in (0..).zip(data.names()) {
            self.nets.insert(net.clone(), Pin { driver, bit });
        }
        self.drivers.push(Driver { name, ..Driver::default() });
    }

    fn wire(&mut self, board: &Board, order: &[usize]) {
        for (place, &chip) in order.iter().enumerate() {
            let reader = self.inputs + place;
            let lines: Vec<Pin> = board.chips[chip].reads().filter_map(|net| self.net(net)).collect();
            for pin in &lines {
                self.drivers[pin.driver].listeners[pin.bit as usize] |= 1 << reader;
            }
            self.drivers[reader].wires = wires(&lines);
            self.drivers[reader].lines = lines;
        }
    }

    /// Burns each table once, however many chips hold it; RAM comes last.
    fn fill(&mut self, board: &Board, order: &[usize], image: &Image) {
        let mut burned = HashMap::new();
        for (place, &chip) in order.iter().enumerate() {
            if let Chip::Rom { burn, .. } = &board.chips[chip] {
                let offset = *burned.entry(burn).or_insert_with(|| {
                    let offset = self.cells.len();
                    self.cells.extend(burn.table(image));
                    offset
                });
                let driver = &mut self.drivers[self.inputs + place];
                driver.offset = offset;
                driver.program_byte = match burn.contents().map(|contents| contents.cells) {
                    Some(Cells::Program(byte)) => Some(byte),
                    _ => None,
                };
            }
        }
        self.ram = self.cells.len();
        for (place, &chip) in order.iter().enumerate() {
            if let Chip::Ram { address, .. } = &board.chips[chip] {
                let driver = &mut self.drivers[self.inputs + place];
                driver.offset = self.cells.len();
                driver.ram_address = Some(address.len());
                self.cells.resize(self.cells.len() + (1 << address.len()), 0);
            }
        }
    }
}

impl Driver {
    /// Whether it reads its own output; `own` is its number.
    pub fn holds_itself(&self, own: usize) -> bool {
        self.lines.iter().any(|pin| pin.driver == own)
    }

    /// The address (for a RAM with data inputs and write enable above it) that its lines carry.
    pub fn address(&self, levels: &Levels) -> u32 {
        gather(&self.wires, levels)
    }
}

impl Port {
    fn new(pins: Vec<Pin>) -> Port {
        let wires = wires(&pins);
        Port { pins, wires }
    }

    /// The number on the lines.
    #[inline(always)]
    pub fn read(&self, levels: &Levels) -> u16 {
        gather(&self.wires, levels) as u16
    }

    /// Forces the lines; the chips that drive them hold the value if it is theirs to hold.
    pub fn force(&self, levels: &mut Levels, value: u16) {
        for (position, pin) in self.pins.iter().enumerate() {
            let level = &mut levels[pin.driver];
            *level = *level & !(1 << pin.bit) | ((value >> position & 1) as u8) << pin.bit;
        }
    }

    /// The highest lines alone.
    pub fn top(&self, lines: usize) -> Port {
        Port::new(self.pins[self.pins.len() - lines..].to_vec())
    }

    /// The drivers behind the lines, as a set.
    pub fn drivers(&self) -> u64 {
        self.pins.iter().fold(0, |set, pin| set | 1 << pin.driver)
    }

    /// The nets, lowest first.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }
}

/// The number that runs of lines carry together.
#[inline(always)]
pub(super) fn gather(wires: &[Wire], levels: &Levels) -> u32 {
    wires.iter().fold(0, |address, wire| {
        let level = u32::from(levels[usize::from(wire.driver)]);
        address | level.rotate_left(u32::from(wire.rotation)) & wire.mask
    })
}

/// Joins neighbouring lines into wires.
pub(super) fn wires(lines: &[Pin]) -> Vec<Wire> {
    wires_at(&lines.iter().copied().zip(0..).collect::<Vec<_>>())
}

/// Joins lines, each at a given place of the address, into wires.
pub(super) fn wires_at(lines: &[(Pin, u32)]) -> Vec<Wire> {
    let mut wires: Vec<Wire> = Vec::new();
    for &(pin, place) in lines {
        let driver = pin.driver as u8;
        let rotation = ((place + 32 - pin.bit) % 32) as u8;
        match wires.iter_mut().find(|wire| wire.driver == driver && wire.rotation == rotation) {
            Some(wire) => wire.mask |= 1 << place,
            None => wires.push(Wire { driver, rotation, mask: 1 << place }),
        }
    }
    wires
}

/// The chips in the order in which a change travels: first those that hold themselves, as the board file lists
/// them, then the others, each behind what it reads.
fn travel_order(board: &Board) -> Vec<usize> {
    let driver_of: HashMap<&String, usize> = (0..)
        .zip(&board.chips)
        .flat_map(|(chip, driver)| driver.data().names().iter().map(move |net| (net, chip)))
        .collect();
    let holds = |chip: usize| board.chips[chip].feedback().next().is_some();
    let mut order: Vec<usize> = (0..board.chips.len()).filter(|&chip| holds(chip)).collect();
    let mut seen: Vec<bool> = (0..board.chips.len()).map(holds).collect();
    for start in 0..board.chips.len() {
        visit(start, board, &driver_of, &mut seen, &mut order);
    }
    order
}

/// Puts a chip behind all the chips it reads; boards have at most 64 chips, so this does not go deep.
fn visit(
    chip: usize,
    board: &Board,
    driver_of: &HashMap<&String, usize>,
    seen: &mut [bool],
    order: &mut Vec<usize>,
) {
    if std::mem::replace(&mut seen[chip], true) {
        return;
    }
    for net in board.chips[chip].reads() {
        if let Some(&driver) = driver_of.get(net) {
            visit(driver, board, driver_of, seen, order);
        }
    }
    order.push(chip);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_travels_forwards() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let place = |name: &str| circuit.driver(name).unwrap();
        for path in [
            ["SEQ", "FLAGS", "PCL", "PROGL"],
            ["PROGL", "RAML", "DMUX", "XMUX"],
            ["PROGH", "XMUX", "ALUL", "ALUH"],
        ] {
            assert!(path.is_sorted_by_key(|name| place(name)), "{path:?}");
        }
    }

    #[test]
    fn neighbours_share_a_wire() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let wires_of = |name| circuit.drivers[circuit.driver(name).unwrap()].wires.len();
        assert_eq!(["T", "PROGL", "ALUL"].map(wires_of), [4, 2, 4]);
    }

    #[test]
    fn ports_read_what_was_forced() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let mut levels = LOW;
        let counter = circuit.bus("PC").unwrap();
        counter.force(&mut levels, 0xABC);
        assert_eq!(counter.read(&levels), 0xABC);
        assert_eq!(circuit.bus("PC11").unwrap().read(&levels), 1);
        assert!(circuit.bus("NOSUCH").is_none());
    }
}
