//! Every component of the machine, and the net on each of its pins. `bom.csv` and `wires.csv` are made from it.
//!
//! The board file lists the chips and their wiring; its `hardware` lists the parts. This module derives the rest: tied
//! pins, filters, LEDs, buttons, connectors.

mod connectors;
mod fittings;
mod item;
mod outside;
mod role;

use gray1_machine::board::{Board, Chip, Component, Hardware, Lines};
use gray1_machine::netlist::{self, NetId};
pub use item::{Item, Pin, RAILS};
pub use role::Role;
use std::collections::{BTreeMap, HashSet};
use thiserror::Error;

const VCC: &str = RAILS[0];
const GND: &str = RAILS[1];
/// Number of data pins of a RAM and of the buffer beside it.
const BYTE: usize = 8;
/// Maximum number of lines of one kind (address or data) that a part has.
const MAX_LINES: usize = 20;

/// The machine, component by component.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The components in the order in which they are listed: board by board.
    pub items: Vec<Item>,
    /// The names of the boards.
    pub boards: Vec<String>,
    /// The parts it is assembled from.
    pub hardware: Hardware,
    /// The buffers beside RAM.
    pub buffers: Vec<Buffer>,
    /// The nets of the board file in its order, then those that are only in the assembly.
    pub nets: Vec<String>,
}

/// A ROM whose cells hold their own address. It drives the data lines of a RAM while the RAM is written.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its name.
    pub reference: String,
    /// The RAM.
    pub ram: String,
    /// The nets on its address pins and on its data pins, which are on the other side of resistors.
    pub nets: [Vec<String>; 2],
}

/// Why a board cannot be put together from the parts of its `hardware`.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AssemblyError {
    /// The part is too small.
    #[error("chip {chip}: {part} has no pin {pin}")]
    Pin {
        /// The chip.
        chip: String,
        /// Its part.
        part: String,
        /// The missing pin.
        pin: String,
    },
    /// The available RAM chips are written while a line is low.
    #[error(
        "RAM {chip}: {net} writes while it is 1, and RAM chips that are sold are written while a line is 0; its chip needs a \
         data line that is always the opposite of {net}, such as WEN"
    )]
    Write {
        /// The chip.
        chip: String,
        /// Its write line.
        net: String,
    },
    /// A net that has the name of a rail, and would be connected to it.
    #[error("net {0} has the name of a supply: rename it")]
    Rail(String),
}

/// Derives an assembly.
struct Assembler<'a> {
    board: &'a Board,
    hardware: &'a Hardware,
    assembly: Assembly,
    /// All names of components that are taken.
    taken: HashSet<String>,
    /// The number of components so far for each letter.
    counts: BTreeMap<&'static str, usize>,
}

impl Assembly {
    /// The assembly of a board. A board file without `hardware` takes that of the board of `gray1 build`.
    pub fn new(board: &Board) -> Result<Assembly, AssemblyError> {
        let standard;
        let hardware = match &board.hardware {
            Some(hardware) => hardware,
            None => {
                standard = Board::built().hardware;
                match &standard {
                    Some(hardware) => hardware,
                    None => unreachable!("the board of `gray1 build` says how it is put together"),
                }
            }
        };
        Assembler::new(board, hardware)?.assemble()
    }

    /// These chips, each RAM followed by its buffer.
    pub fn with_buffers<'a>(&'a self, chips: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let with = |chip| {
            let buffers = self.buffers.iter().filter(move |buffer| buffer.ram == chip);
            std::iter::once(chip).chain(buffers.map(|buffer| buffer.reference.as_str()))
        };
        chips.into_iter().flat_map(with).map(str::to_owned).collect()
    }

    /// Every pin that carries a line of a memory chip: those of its package, then those of the buffer beside it.
    pub fn pins_of<'a>(&'a self, chip: &'a netlist::Chip) -> impl Iterator<Item = (&'a Item, &'a Pin, Role)> {
        let packages = self.with_buffers([chip.name.as_str()]);
        let items = self.items.iter().filter(move |item| packages.contains(&item.reference));
        items.flat_map(|item| item.pins.iter().map(move |pin| (item, pin))).filter_map(|(item, pin)| {
            Some((
                item,
                pin,
                if item.reference == chip.name {
                    Role::of(chip, &pin.name)
                } else {
                    Role::of_buffer(chip, &pin.name)
                }?,
            ))
        })
    }

    /// The component of this name.
    pub fn item(&self, reference: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.reference == reference)
    }

    /// The cables and the wires between boards, each with the connectors or terminals at its ends.
    pub fn cables(&self) -> impl Iterator<Item = [&Item; 3]> {
        // A cable is listed after its ends.
        let cables = self.items.windows(3).filter(|items| items[2].board.is_none());
        cables.map(|items| [&items[2], &items[0], &items[1]])
    }

    /// The socket of an item, if it has one.
    pub fn socket(&self, item: &Item) -> Option<&str> {
        self.hardware.uses.sockets.get(&self.part(item).package).map(String::as_str)
    }

    /// The part of an item.
    pub fn part(&self, item: &Item) -> &Component {
        &self.hardware.parts[&item.part]
    }
}

impl<'a> Assembler<'a> {
    fn new(board: &'a Board, hardware: &'a Hardware) -> Result<Assembler<'a>, AssemblyError> {
        let netlist = board.netlist();
        let name = |net: &NetId| netlist.nets[*net].name.clone();
        let nets: Vec<String> = netlist.listing.iter().map(name).collect();
        if let Some(net) = nets.iter().find(|net| RAILS.contains(&net.as_str())) {
            return Err(AssemblyError::Rail(net.clone()));
        }
        let taken = board.chips.iter().map(|chip| chip.name().to_owned()).collect();
        let boards = hardware.boards.iter().map(|board| board.name.clone()).collect();
        let (items, buffers) = (Vec::new(), Vec::new());
        let assembly = Assembly { items, boards, hardware: hardware.clone(), nets, buffers };
        Ok(Assembler { board, hardware, assembly, taken, counts: BTreeMap::new() })
    }

    fn assemble(mut self) -> Result<Assembly, AssemblyError> {
        for number in 0..self.hardware.boards.len() {
            let chips: Vec<&Chip> =
                self.board.chips.iter().filter(|chip| self.board_of(chip.name()) == number).collect();
            for chip in &chips {
                self.chip(chip, number)?;
            }
            for chip in &chips {
                self.filters(chip, number)?;
            }
            self.lights(number)?;
            self.inputs(number)?;
            self.port(number)?;
            self.supply(number)?;
            self.probes(number)?;
        }
        self.connectors()?;
        self.supply_wires()?;
        self.leave_out();
        Ok(self.assembly)
    }

    /// Removes the boards that are not built, and the cables to them. The connectors at the other ends stay, for later.
    fn leave_out(&mut self) {
        let built = self.hardware.built().len();
        let items = &self.assembly.items;
        let is_there = |item: &Item| item.board.is_none_or(|board| board < built);
        // A cable follows its ends.
        let stays = |(at, item): (usize, &Item)| {
            is_there(item) && (item.board.is_some() || items[at.saturating_sub(2)..at].iter().all(is_there))
        };
        let stay: Vec<bool> = items.iter().enumerate().map(stays).collect();
        let mut stay = stay.into_iter();
        self.assembly.items.retain(|_| stay.next().unwrap_or(true));
        self.assembly.boards.truncate(built);
    }

    /// The number of the board that a chip is on.
    fn board_of(&self, chip: &str) -> usize {
        let holds = |names: &[String]| names.iter().any(|name| name == chip);
        self.hardware.boards.iter().position(|board| holds(board.chips.names())).unwrap_or(0)
    }

    /// Adds a memory chip; beside a RAM, also the buffer.
    fn chip(&mut self, chip: &Chip, number: usize) -> Result<(), AssemblyError> {
        let own: Vec<String> = chip.data().names().iter().map(|net| self.on_pin(net)).collect();
        let name = chip.name();
        match chip {
            Chip::Rom { address, .. } => {
                let nets = [grounded(address), on("D", &own)].concat();
                self.memory(name.to_owned(), &self.hardware.uses.rom, number, nets)
            }
            Chip::Ram { address, input, write, .. } => {
                let write = &write.names()[0];
                let netlist = self.board.netlist();
                let low = netlist.net(write).and_then(|net| netlist.opposite(net));
                let low =
                    low.ok_or_else(|| AssemblyError::Write { chip: name.to_owned(), net: write.clone() })?;
                let low = netlist.nets[low].name.clone();
                let write = ("WE#".to_owned(), low.clone());
                // While the RAM is written, its unused data pins are inputs too: the buffer holds them at 0.
                let mut data = own;
                for line in data.len()..BYTE {
                    data.push(self.unlike(format!("{name}_D{line}")));
                }
                let nets = [grounded(address), on("D", &data), vec![write]].concat();
                self.memory(name.to_owned(), &self.hardware.uses.ram, number, nets)?;
                let mut reference = format!("{name}BUF");
                while !self.taken.insert(reference.clone()) {
                    reference.push('_');
                }
                // When one begins to drive the lines, the other may still do so for some nanoseconds: resistors
                // limit the current.
                let lines = chip.data().names();
                let mut driven = data;
                for (front, net) in driven.iter_mut().zip(lines) {
                    *front = self.unlike(format!("{net}_BUF"));
                }
                let resistors = network(driven.iter().cloned().zip(lines.iter().cloned()));
                let enable = ("OE#".to_owned(), low);
                let nets = [grounded(input), on("D", &driven), vec![enable]].concat();
                self.memory(reference.clone(), &self.hardware.uses.buffer, number, nets)?;
                self.add("RN", &self.hardware.uses.filter_resistors, Some(number), &resistors)?;
                driven.truncate(lines.len());
                let nets = [input.names().to_vec(), driven];
                self.assembly.buffers.push(Buffer { reference, ram: name.to_owned(), nets });
                Ok(())
            }
        }
    }

    /// Adds a memory chip with these nets, its socket, and the capacitor beside it.
    fn memory(
        &mut self,
        reference: String,
        part: &str,
        number: usize,
        mut nets: Vec<(String, String)>,
    ) -> Result<(), AssemblyError> {
        let (uses, component) = (&self.hardware.uses, &self.hardware.parts[part]);
        nets.retain(|(pin, net)| net != GND || component.pins.has(pin));
        self.place(reference, part, Some(number), &nets)?;
        if let Some(socket) = uses.sockets.get(&component.package) {
            self.add("XS", socket, Some(number), &[])?;
        }
        self.add("C", &uses.decoupling, Some(number), &[])?;
        Ok(())
    }

    /// The net on the pin of the chip that drives this net. It is another net if there is a filter between them.
    fn on_pin(&self, net: &str) -> String {
        if self.is_filtered(net) { self.unlike(format!("{net}_PIN")) } else { net.to_owned() }
    }

    /// A name for a net that is only in the assembly: `name`, changed if the board file already has such a net.
    fn unlike(&self, mut name: String) -> String {
        while self.board.netlist().net(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// Whether there is a filter between this net and the chip that drives it.
    fn is_filtered(&self, net: &str) -> bool {
        let netlist = self.board.netlist();
        netlist.net(net).is_some_and(|net| netlist.nets[net].has_filter)
    }

    /// Adds a component with the next number of its letter; returns its name.
    fn add(
        &mut self,
        letter: &'static str,
        part: &str,
        board: Option<usize>,
        nets: &[(String, String)],
    ) -> Result<String, AssemblyError> {
        let count = self.counts.entry(letter).or_default();
        let reference = loop {
            *count += 1;
            let reference = format!("{letter}{count}");
            if self.taken.insert(reference.clone()) {
                break reference;
            }
        };
        self.place(reference.clone(), part, board, nets)?;
        Ok(reference)
    }

    /// Adds a component with these nets on these pins.
    fn place(
        &mut self,
        reference: String,
        part: &str,
        board: Option<usize>,
        nets: &[(String, String)],
    ) -> Result<(), AssemblyError> {
        let component = &self.hardware.parts[part];
        if let Some((pin, _)) = nets.iter().find(|(pin, _)| !component.pins.has(pin)) {
            let (part, pin) = (part.to_owned(), pin.clone());
            return Err(AssemblyError::Pin { chip: reference, part, pin });
        }
        let net = |name: &str| {
            let joined = nets.iter().find(|(pin, _)| pin == name).map(|(_, net)| net);
            joined.or_else(|| component.tied.get(name)).cloned()
        };
        let pins = component.pins.iter().map(|(number, name)| Pin {
            number,
            name: name.unwrap_or("NC").to_owned(),
            net: name.and_then(net),
        });
        let pins: Vec<Pin> = pins.collect();
        for net in pins.iter().filter_map(|pin| pin.net.as_ref()) {
            if !RAILS.contains(&net.as_str()) && !self.assembly.nets.contains(net) {
                self.assembly.nets.push(net.clone());
            }
        }
        self.assembly.items.push(Item { reference, part: part.to_owned(), board, pins });
        Ok(())
    }
}

/// Assigns lines to pins, the lowest to pin 0.
fn on(letter: &str, lines: &[String]) -> Vec<(String, String)> {
    (0..).zip(lines).map(|(line, net)| (format!("{letter}{line}"), net.clone())).collect()
}

/// Assigns lines to address pins, and ground to the unused ones, which must not float.
fn grounded(lines: &Lines) -> Vec<(String, String)> {
    on("A", &[lines.names(), &vec![GND.to_owned(); MAX_LINES - lines.len()]].concat())
}

/// Assigns the nets on both ends of each resistor to the pins of a network.
fn network(resistors: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let pairs = (1..).zip(resistors);
    pairs.flat_map(|(pair, (one, other))| [(format!("{pair}A"), one), (format!("{pair}B"), other)]).collect()
}
