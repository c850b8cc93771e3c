//! One printed board: its components, the sheets of its schematic on which they are, and the names of its nets in
//! KiCad.

use crate::kicad::expression::plain;
use crate::kicad::packages::{Packages, packages};
use crate::kit::{Assembly, Item, RAILS};
use gray1_machine::board::Board;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Chip,
    Oscillator,
    /// Independent resistors, eight in a package.
    Resistors,
    /// Resistors that have one end in common.
    PullDowns,
    Capacitor,
    Bulk,
    Led,
    /// An LED that shows that there are five volts.
    Lamp,
    Diode,
    /// A diode beside the fuse.
    Clamp,
    Fuse,
    /// A single resistor.
    Resistor,
    Button,
    /// A supervisor or a transistor: three pins in a row.
    ThreePins,
    Header,
    /// Pins without a box: a jumper, a clock from outside, an analyser.
    Pins,
    Supply,
}

/// A board.
pub struct Circuit<'a> {
    pub board: &'a Board,
    pub assembly: &'a Assembly,
    /// Its name.
    pub name: &'a str,
    /// The prefix of the names of its files.
    pub stem: String,
    /// The components soldered to it, in the order of the parts list.
    pub parts: Vec<Part<'a>>,
    /// The sheets of its schematic.
    pub sheets: Vec<String>,
    /// The sheets on which a net is.
    nets: BTreeMap<&'a str, BTreeSet<usize>>,
    /// Lines that are drawn as buses.
    pub buses: Vec<Bus>,
    /// The footprints of packages.
    pub packages: Packages,
}

/// A component and the sheet that it is on.
pub struct Part<'a> {
    pub item: &'a Item,
    pub kind: Kind,
    pub sheet: usize,
}

/// Lines that are drawn as one, such as `PC[0..11]`: the name before the numbers, and the numbers.
pub struct Bus {
    pub name: String,
    members: Vec<String>,
    /// Whether it goes from one sheet to another.
    pub is_shared: bool,
}

/// The sheets of pads, of connectors and supply, of clock and reset, and of the pins for an analyser.
const PAD: &str = "Pad";
const OUTSIDE: &str = "Connectors and supply";
const CLOCK: &str = "Clock and reset";
const PROBES: &str = "Analyser";

impl Part<'_> {
    /// The net on a pin, by its name; an empty name if there is none.
    pub fn net(&self, pin: &str) -> &str {
        self.item.net(pin).unwrap_or_default()
    }
}

impl<'a> Circuit<'a> {
    /// The boards of an assembly.
    pub fn all(board: &'a Board, assembly: &'a Assembly) -> Vec<Circuit<'a>> {
        let mut stems = BTreeSet::new();
        let stem = |name: &str, number: usize| {
            let stem: String = plain(name).to_ascii_lowercase().replace('_', "");
            if stem.is_empty() { format!("board{number}") } else { stem }
        };
        let boards = assembly.boards.iter().enumerate();
        let circuits = boards.map(|(number, name)| {
            let mut stem = stem(name, number);
            while !stems.insert(stem.clone()) {
                stem.push('_');
            }
            Circuit::new(board, assembly, number, stem)
        });
        circuits.filter(|circuit| !circuit.parts.is_empty()).collect()
    }

    fn new(board: &'a Board, assembly: &'a Assembly, number: usize, stem: String) -> Circuit<'a> {
        let items = assembly.items.iter().filter(|item| item.board == Some(number) && !item.pins.is_empty());
        let items: Vec<&Item> = items.collect();
        let mut circuit = Circuit {
            board,
            assembly,
            name: &assembly.boards[number],
            stem,
            parts: Vec::new(),
            sheets: Vec::new(),
            nets: BTreeMap::new(),
            buses: Vec::new(),
            packages: packages(),
        };
        circuit.place(number, &items);
        for part in &circuit.parts {
            for net in part.item.nets() {
                circuit.nets.entry(net).or_default().insert(part.sheet);
            }
        }
        circuit.buses = board.buses.values().filter_map(|lines| circuit.bus(lines.names())).collect();
        circuit
    }

    /// Puts each component on a sheet: chips where the board file says, all others beside the chip that they belong to.
    fn place(&mut self, number: usize, items: &[&'a Item]) {
        let mut sheet_of = self.sheets_of_chips(number, items);
        let owners = self.owners(items);
        // Clock and reset are what has a net in common with a supervisor or with the jumper.
        let makes_clock = |item: &Item| {
            matches!(self.kind(item), Kind::ThreePins | Kind::Oscillator)
                || item.part == self.assembly.hardware.uses.clock_select
        };
        let clock: Vec<&str> =
            items.iter().filter(|item| makes_clock(item)).flat_map(|item| item.signals()).collect();
        let mut last_chip = "";
        for item in items {
            let kind = self.kind(item);
            let mut signals = item.signals().peekable();
            let belongs_to_chip = matches!(
                kind,
                Kind::Chip | Kind::Resistors | Kind::PullDowns | Kind::Header | Kind::Capacitor
            );
            let has_signals = signals.peek().is_some();
            let is_clock = !belongs_to_chip && has_signals && item.signals().all(|net| clock.contains(&net));
            let owner = match kind {
                _ if is_clock => None,
                Kind::Chip => {
                    last_chip = &item.reference;
                    Some(last_chip)
                }
                Kind::Capacitor if !has_signals => Some(last_chip),
                Kind::Supply | Kind::Bulk | Kind::Pins | Kind::Diode => None,
                Kind::Header if item.part != self.assembly.hardware.uses.port => None,
                Kind::Button if item.net("2").is_some_and(|net| !owners.contains_key(net)) => None,
                _ => signals.find_map(|net| owners.get(net).copied()),
            };
            let sheet = match (owner, kind) {
                (Some(chip), _) => {
                    *sheet_of.entry(chip).or_insert_with(|| self.sheet(self.unused(chip.to_owned())))
                }
                _ if is_clock => self.sheet(CLOCK.to_owned()),
                (_, Kind::Diode | Kind::Button) => self.sheet(PAD.to_owned()),
                (_, Kind::Pins) => self.sheet(PROBES.to_owned()),
                _ => self.sheet(OUTSIDE.to_owned()),
            };
            self.parts.push(Part { item, kind, sheet });
        }
    }

    /// Adds the sheets of the board file. Returns the sheet of each chip, and of the buffers beside RAM.
    fn sheets_of_chips(&mut self, number: usize, items: &[&Item]) -> HashMap<&'a str, usize> {
        let mut sheet_of: HashMap<&str, usize> = HashMap::new();
        let is_here = |chip: &str| items.iter().any(|item| item.reference == chip);
        for sheet in &self.assembly.hardware.boards[number].sheets {
            let chips = sheet.chips.names().iter().filter(|chip| is_here(chip));
            let chips: Vec<&String> = chips.collect();
            if !chips.is_empty() {
                let number = self.sheet(self.unused(plain(&sheet.name).replace('_', " ")));
                sheet_of.extend(chips.into_iter().map(|chip| (chip.as_str(), number)));
            }
        }
        for buffer in &self.assembly.buffers {
            if let Some(&sheet) = sheet_of.get(buffer.ram.as_str()) {
                sheet_of.insert(&buffer.reference, sheet);
            }
        }
        sheet_of
    }

    /// The number of the sheet of this name, which is added if there is none.
    fn sheet(&mut self, name: String) -> usize {
        self.sheets.iter().position(|sheet| *sheet == name).unwrap_or_else(|| {
            self.sheets.push(name);
            self.sheets.len() - 1
        })
    }

    /// Changes a name until no other sheet has it.
    fn unused(&self, mut name: String) -> String {
        while self.sheets.contains(&name) || [PAD, OUTSIDE, CLOCK, PROBES].contains(&name.as_str()) {
            name.push('-');
        }
        name
    }

    /// The chip that each net belongs to: the one that drives it, directly or through resistors, or for an input the
    /// first that reads it.
    fn owners(&self, items: &[&'a Item]) -> HashMap<&'a str, &'a str> {
        let netlist = self.board.netlist();
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for item in items.iter().filter(|item| self.kind(item) == Kind::Chip) {
            for net in item.signals() {
                let known = netlist.net(net).map(|net| &netlist.nets[net]);
                let driver = known.and_then(|net| net.driver).map(|pin| &netlist.chips[pin.chip].name);
                let is_input = known.is_some_and(|net| net.driver.is_none());
                if driver.is_none_or(|driver| *driver == item.reference) {
                    let owner = owners.entry(net).or_insert(&item.reference);
                    if !is_input {
                        *owner = &item.reference;
                    }
                }
            }
        }
        for item in items.iter().filter(|item| self.kind(item) == Kind::Resistors) {
            for (from, to) in pairs(item) {
                if let Some(&owner) = owners.get(from) {
                    owners.insert(to, owner);
                }
            }
        }
        owners
    }

    /// The kind of a component.
    fn kind(&self, item: &Item) -> Kind {
        let uses = &self.assembly.hardware.uses;
        let is = |part: &String| item.part == *part;
        let is_chip = self.board.chips.iter().any(|chip| chip.name() == item.reference);
        match () {
            () if is_chip
                || self.assembly.buffers.iter().any(|buffer| buffer.reference == item.reference) =>
            {
                Kind::Chip
            }
            () if is(&uses.oscillator) => Kind::Oscillator,
            () if is(&uses.filter_resistors) || is(&uses.led_resistors) => Kind::Resistors,
            () if is(&uses.pull_downs) => Kind::PullDowns,
            () if is(&uses.bulk) => Kind::Bulk,
            () if is(&uses.filter_capacitor) || is(&uses.decoupling) => Kind::Capacitor,
            () if is(&uses.green) || is(&uses.red) => Kind::Led,
            () if is(&uses.lamp) => Kind::Lamp,
            () if is(&uses.diode) => Kind::Diode,
            () if is(&uses.clamp) => Kind::Clamp,
            () if is(&uses.fuse) => Kind::Fuse,
            () if is(&uses.lamp_resistor) || is(&uses.base_resistor) => Kind::Resistor,
            () if is(&uses.button) => Kind::Button,
            () if is(&uses.supervisor) || is(&uses.transistor) => Kind::ThreePins,
            () if [&uses.clock_input, &uses.clock_select, &uses.probe].into_iter().any(is) => Kind::Pins,
            () if is(&uses.supply) => Kind::Supply,
            () => Kind::Header,
        }
    }

    /// Lines as a bus, if their names are one name followed by consecutive numbers.
    fn bus(&self, lines: &[String]) -> Option<Bus> {
        let digits = lines[0].chars().rev().take_while(char::is_ascii_digit).count();
        let (prefix, first) = lines[0].split_at(lines[0].len() - digits);
        let first: usize = first.parse().ok()?;
        let is_one = (first..).zip(lines).all(|(number, line)| *line == format!("{prefix}{number}"));
        let is_here = lines.iter().any(|line| self.nets.contains_key(line.as_str()));
        let is_shared =
            lines.iter().filter_map(|line| self.nets.get(line.as_str())).flatten().collect::<BTreeSet<_>>();
        (is_one && is_here && lines.len() > 1).then(|| Bus {
            name: format!("{prefix}[{first}..{}]", first + lines.len() - 1),
            members: lines.to_vec(),
            is_shared: is_shared.len() > 1,
        })
    }

    /// The connector or the terminal at the other end of the cable of a component.
    pub fn other_end(&self, item: &Item) -> Option<&'a Item> {
        let mut ends = self.assembly.cables().flat_map(|[_, one, other]| [(one, other), (other, one)]);
        ends.find_map(|(end, other)| (end.reference == item.reference).then_some(other))
    }

    /// Whether a net is in the board file, and not only in the assembly.
    pub fn is_line(&self, net: &str) -> bool {
        self.board.netlist().net(net).is_some()
    }

    /// Whether a network of resistors belongs to LEDs.
    pub fn lights(&self, network: &Part<'_>) -> bool {
        let is_led = |net| {
            let mut leds = self.parts.iter().filter(|part| part.kind == Kind::Led);
            leds.any(|led| [led.net("K"), led.net("A")].contains(&net))
        };
        pairs(network.item).any(|(_, net)| is_led(net))
    }

    /// The bus that a net is drawn in.
    pub fn bus_of(&self, net: &str) -> Option<&Bus> {
        self.buses.iter().find(|bus| bus.members.iter().any(|member| member == net))
    }

    /// Whether a net, or the bus that it is in, goes from one sheet to another.
    pub fn is_shared(&self, net: &str) -> bool {
        match self.bus_of(net) {
            Some(bus) => bus.is_shared,
            None => self.nets.get(net).is_some_and(|sheets| sheets.len() > 1),
        }
    }

    /// The inputs and outputs of a sheet: the names of nets and buses, and whether the sheet is their source.
    pub fn outlets(&self, sheet: usize) -> BTreeMap<&str, bool> {
        let mut outlets = BTreeMap::new();
        for (&net, sheets) in &self.nets {
            if !RAILS.contains(&net) && sheets.contains(&sheet) && self.is_shared(net) {
                let name = self.bus_of(net).map_or(net, |bus| &bus.name);
                *outlets.entry(name).or_default() |= self.source(net) == sheet;
            }
        }
        outlets
    }

    /// The sheet that a net comes from: that of its driver, or where it enters the board.
    fn source(&self, net: &str) -> usize {
        let netlist = self.board.netlist();
        let driver = netlist.net(net).and_then(|net| netlist.nets[net].driver);
        let driver = driver.map(|pin| netlist.chips[pin.chip].name.as_str());
        let gives = |part: &&Part<'_>| {
            Some(part.item.reference.as_str()) == driver
                || (matches!(
                    part.kind,
                    Kind::Oscillator | Kind::Button | Kind::Diode | Kind::ThreePins | Kind::Header
                ) && part.item.nets().any(|other| other == net))
        };
        let chips_first = |part: &&Part<'_>| part.kind != Kind::Chip;
        self.parts.iter().filter(gives).min_by_key(chips_first).map_or(0, |part| part.sheet)
    }

    /// The name of a net in KiCad: `/NET` if it is on several sheets, otherwise `/SHEET/NET`.
    pub fn net_name(&self, net: &str) -> String {
        if RAILS.contains(&net) {
            return net.to_owned();
        }
        let sheet = self.nets.get(net).and_then(|sheets| sheets.first());
        match sheet {
            Some(&sheet) if !self.is_shared(net) => format!("/{}/{net}", self.sheets[sheet]),
            _ => format!("/{net}"),
        }
    }
}

/// The nets on both ends of each resistor of a network that is used.
pub fn pairs(item: &Item) -> impl Iterator<Item = (&str, &str)> {
    item.resistors().filter_map(|[one, other]| Some((one.net.as_deref()?, other.net.as_deref()?)))
}
