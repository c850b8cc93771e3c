//! A board ready to be looked up: every net a bit of some driver's output, every chip a table.
//!
//! A *driver* is a group of input lines, a chip, or chips side by side: those that share all their address lines
//! are looked up together, in one table with their cells beside each other. All levels of the board are an array
//! with one number a driver, and which drivers are to be looked up is a set of bits in one machine word.

use super::wires::{Data, Levels, Pin, Port, Wire, gather, wires};
use crate::board::{Board, Chip, Lines};
use crate::burn::{Burn, Cells};
use gray1_isa::Image;
use std::collections::HashMap;

/// The most drivers that a circuit has.
pub(super) const DRIVERS: usize = 64;

/// A board with its ROMs burned.
pub(super) struct Circuit {
    /// The drivers: groups of inputs first, then chips, in the order in which a change travels.
    pub drivers: Vec<Driver>,
    /// How many of the drivers are groups of inputs.
    pub inputs: usize,
    /// The contents of all memory chips, one behind the other, RAM last.
    pub cells: Vec<Data>,
    /// Where RAM begins in `cells`.
    pub ram: usize,
    nets: HashMap<String, Pin>,
    buses: HashMap<String, Port>,
}

/// Chips side by side, or a group of inputs: then it has no chips, no wires and no cells.
#[derive(Default)]
pub(super) struct Driver {
    pub chips: Vec<Seat>,
    /// Where its cells begin.
    pub offset: usize,
    /// Its address lines; for a RAM, data inputs and write enable behind them.
    pub lines: Vec<Pin>,
    /// How many lines of a RAM select a cell; the lines of a ROM all do.
    pub ram_address: Option<usize>,
    /// The lines, as few runs of neighbours as possible.
    pub wires: Vec<Wire>,
    /// For each bit of its output, the drivers that read it.
    pub listeners: Listeners,
}

/// For each bit of a driver's output, the drivers to look up when it changes.
pub(super) type Listeners = [u64; Data::BITS as usize];

/// A chip among those of a driver.
pub(super) struct Seat {
    pub name: String,
    /// The place of its lowest data line in what the driver gives.
    pub shift: u32,
    /// Which byte of the program it holds, if it is a program chip.
    pub program_byte: Option<usize>,
}

impl Circuit {
    /// Burns the ROMs of a board, the program among them.
    pub fn build(board: &Board, image: &Image) -> Circuit {
        let mut circuit = Circuit {
            drivers: Vec::new(),
            inputs: board.inputs.len(),
            cells: Vec::new(),
            ram: 0,
            nets: HashMap::new(),
            buses: HashMap::new(),
        };
        for group in &board.inputs {
            circuit.drivers.push(Driver::default());
            circuit.connect(&group.nets, 0);
        }
        let groups = side_by_side(board);
        for chips in &groups {
            circuit.seat(chips);
        }
        for (reader, chips) in (board.inputs.len()..).zip(&groups) {
            circuit.wire(reader, chips);
        }
        circuit.burn(&groups, image);
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

    /// The names of all nets and buses.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nets.keys().chain(self.buses.keys()).map(String::as_str)
    }

    /// The port of lines that the board's checks have found to exist.
    pub fn port(&self, lines: &Lines) -> Port {
        Port::new(lines.names().iter().filter_map(|name| self.net(name)).collect())
    }

    /// The driver that a chip belongs to, and its seat there.
    pub fn chip(&self, name: &str) -> Option<(usize, &Seat)> {
        self.drivers
            .iter()
            .enumerate()
            .find_map(|(number, driver)| Some((number, driver.chips.iter().find(|seat| seat.name == name)?)))
    }

    /// All drivers that are chips, as a set.
    pub fn all_chips(&self) -> u64 {
        (self.inputs..self.drivers.len()).map(|chip| 1 << chip).sum()
    }

    /// Connects lines to the newest driver, the first of them to this bit.
    fn connect(&mut self, data: &Lines, shift: u32) {
        let driver = self.drivers.len() - 1;
        for (bit, net) in (shift..).zip(data.names()) {
            self.nets.insert(net.clone(), Pin { driver, bit });
        }
    }

    /// Makes a driver of chips side by side.
    fn seat(&mut self, chips: &[&Chip]) {
        self.drivers.push(Driver::default());
        let mut shift = 0;
        let mut seats = Vec::new();
        for chip in chips {
            self.connect(chip.data(), shift);
            let program_byte = match chip {
                Chip::Rom { burn, .. } => match burn.contents().map(|contents| contents.cells) {
                    Some(Cells::Program(byte)) => Some(byte),
                    _ => None,
                },
                Chip::Ram { .. } => None,
            };
            seats.push(Seat { name: chip.name().to_owned(), shift, program_byte });
            shift += chip.data().len() as u32;
        }
        if let Some(driver) = self.drivers.last_mut() {
            driver.chips = seats;
        }
    }

    /// Finds the address lines of a driver; of RAM, the data inputs of all chips and their one write enable too.
    fn wire(&mut self, reader: usize, chips: &[&Chip]) {
        let mut names: Vec<&String> = chips[0].address().names().iter().collect();
        for chip in chips {
            if let Chip::Ram { input, .. } = chip {
                names.extend(input.names());
            }
        }
        if let Chip::Ram { write, .. } = chips[0] {
            names.extend(write.names());
        }
        let lines: Vec<Pin> = names.into_iter().filter_map(|net| self.net(net)).collect();
        for pin in &lines {
            self.drivers[pin.driver].listeners[pin.bit as usize] |= 1 << reader;
        }
        self.drivers[reader].wires = wires(&lines);
        self.drivers[reader].lines = lines;
    }

    /// Burns each table once, however many drivers hold it; RAM comes last.
    fn burn(&mut self, groups: &[Vec<&Chip>], image: &Image) {
        let mut burned: HashMap<Vec<&Burn>, usize> = HashMap::new();
        for (place, chips) in groups.iter().enumerate() {
            let contents: Vec<&Burn> = chips
                .iter()
                .filter_map(|chip| match chip {
                    Chip::Rom { burn, .. } => Some(burn),
                    Chip::Ram { .. } => None,
                })
                .collect();
            if contents.is_empty() {
                continue;
            }
            let driver = &mut self.drivers[self.inputs + place];
            let cells = &mut self.cells;
            driver.offset = *burned.entry(contents).or_insert_with_key(|contents| {
                let offset = cells.len();
                for (burn, seat) in contents.iter().zip(&driver.chips) {
                    let table = burn.table(image);
                    cells.resize(offset + table.len(), 0);
                    for (cell, byte) in cells[offset..].iter_mut().zip(table) {
                        *cell |= Data::from(byte) << seat.shift;
                    }
                }
                offset
            });
        }
        self.ram = self.cells.len();
        for (place, chips) in groups.iter().enumerate() {
            if let Chip::Ram { address, .. } = chips[0] {
                let driver = &mut self.drivers[self.inputs + place];
                driver.offset = self.cells.len();
                driver.ram_address = Some(address.len());
                self.cells.resize(self.cells.len() + (1 << address.len()), 0);
            }
        }
    }
}

impl Driver {
    /// Whether one of its chips is a program chip.
    pub fn is_program(&self) -> bool {
        self.chips.iter().any(|seat| seat.program_byte.is_some())
    }

    /// Whether it reads its own output; `own` is its number.
    pub fn holds_itself(&self, own: usize) -> bool {
        self.lines.iter().any(|pin| pin.driver == own)
    }

    /// The address (for a RAM with data inputs and write enable above it) that its lines carry.
    pub fn address(&self, levels: &Levels) -> u32 {
        gather(&self.wires, levels)
    }
}

/// The chips, those side by side that share all their address lines (and whose data lines fit one number), in the
/// order in which a change travels.
fn side_by_side(board: &Board) -> Vec<Vec<&Chip>> {
    let mut groups: Vec<Vec<&Chip>> = Vec::new();
    for chip in travel_order(board).into_iter().map(|chip| &board.chips[chip]) {
        let shares = |other: &Chip| match (chip, other) {
            (Chip::Rom { address, .. }, Chip::Rom { address: other, .. }) => address == other,
            (Chip::Ram { address, write, .. }, Chip::Ram { address: other, write: other_write, .. }) => {
                (address, write) == (other, other_write)
            }
            _ => false,
        };
        let width = |group: &[&Chip]| group.iter().map(|chip| chip.data().len()).sum::<usize>();
        let fits =
            |group: &Vec<&Chip>| shares(group[0]) && width(group) + chip.data().len() <= Data::BITS as usize;
        match groups.iter_mut().find(|group| fits(group)) {
            Some(group) => group.push(chip),
            None => groups.push(vec![chip]),
        }
    }
    // As the board file lists them, the low bits of a bus first: then the bus needs one wire.
    for group in &mut groups {
        group.sort_by_key(|chip| board.chips.iter().position(|other| other.name() == chip.name()));
    }
    groups
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
        let place = |name: &str| circuit.chip(name).unwrap().0;
        for path in [
            ["SEQ", "FLAGS", "PCL", "PROGL"],
            ["PROGL", "RAML", "DMUX", "XMUX"],
            ["PROGH", "XMUX", "ALUL", "ALUH"],
        ] {
            assert!(path.is_sorted_by_key(|name| place(name)), "{path:?}");
        }
    }

    #[test]
    fn chips_with_the_same_address_lines_stand_side_by_side() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let seats = |name| {
            let (driver, _) = circuit.chip(name).unwrap();
            circuit.drivers[driver].chips.iter().map(|seat| (&*seat.name, seat.shift)).collect::<Vec<_>>()
        };
        assert_eq!(seats("RAMH"), [("RAML", 0), ("RAMH", 4)]);
        assert_eq!(seats("PROGL"), [("PROGL", 0), ("PROGH", 8)]);
        assert_eq!(seats("TGL"), [("TGL", 0)]);
        assert_eq!(circuit.drivers.iter().map(|driver| driver.chips.len()).sum::<usize>(), 39);
    }

    #[test]
    fn neighbours_share_a_wire() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let wires_of = |name| circuit.drivers[circuit.chip(name).unwrap().0].wires.len();
        assert_eq!(["T", "PROGL", "ALUL"].map(wires_of), [4, 2, 4]);
    }

    #[test]
    fn ports_read_what_was_forced() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let mut levels = crate::chips::wires::LOW;
        let counter = circuit.bus("PC").unwrap();
        counter.force(&mut levels, 0xABC);
        assert_eq!(counter.read(&levels), 0xABC);
        assert_eq!(circuit.bus("PC11").unwrap().read(&levels), 1);
        assert!(circuit.bus("NOSUCH").is_none());
    }
}
