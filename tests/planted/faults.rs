//! The faults that are planted: typical mistakes in soldering, wiring and burning chips, drawn at random.

use crate::machine::Machine;
use gray1_machine::Random;
use gray1_machine::board::Board;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// The kinds of faults, with the number of each.
pub const KINDS: [(Kind, usize); 9] = [
    (Kind::Open, 12),
    (Kind::Stuck, 8),
    (Kind::Bridge, 12),
    (Kind::Swap, 8),
    (Kind::Chip, 8),
    (Kind::PullDown, 4),
    (Kind::Filter, 4),
    (Kind::Cable, 4),
    (Kind::Cell, 6),
];

/// A kind of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An address pin is not soldered: its chip sees 0, 1, or what the pin beside it has.
    Open,
    /// An output is stuck.
    Stuck,
    /// Two pins beside each other are joined.
    Bridge,
    /// The wires of two address pins or of two data pins are exchanged.
    Swap,
    /// A wrong or a blank chip is in a socket, or two chips are exchanged.
    Chip,
    /// An input has no pull-down resistor.
    PullDown,
    /// The resistor of a filter is open.
    Filter,
    /// A conductor of a cable is broken.
    Cable,
    /// A bit of a cell is wrong, in a part of the chip that its socket selects.
    Cell,
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Open => "open address pin",
            Kind::Stuck => "output stuck",
            Kind::Bridge => "neighbours bridged",
            Kind::Swap => "swapped wires",
            Kind::Chip => "wrong chip",
            Kind::PullDown => "pull-down missing",
            Kind::Filter => "filter resistor open",
            Kind::Cable => "cable",
            Kind::Cell => "bad cell",
        })
    }
}

/// A machine with a fault, and the places that a diagnosis must name.
pub struct Planted {
    pub text: String,
    pub machine: Machine,
    /// Pins, by chip and number. A diagnosis must name one of the pins, nets or chips.
    pub pins: Vec<(String, u64)>,
    /// Nets.
    pub nets: Vec<String>,
    /// Chips.
    pub chips: Vec<String>,
}

/// A pin of the table of wires.
#[derive(Clone, Debug)]
pub struct Wire {
    net: String,
    chip: String,
    pin: u64,
    name: String,
}

/// A pack, from which faults are drawn.
pub struct Workshop {
    machine: Machine,
    wires: Vec<Wire>,
    /// The images of the sockets.
    images: BTreeMap<String, Vec<u8>>,
    /// The board on which each chip is.
    boards: BTreeMap<String, usize>,
}

impl Workshop {
    pub fn new(machine: Machine, wires: &str, images: BTreeMap<String, Vec<u8>>) -> Workshop {
        let wires = wires.lines().skip(1).map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            let [net, chip, pin, name] = cells[..] else { panic!("{row}") };
            Wire {
                net: net.to_owned(),
                chip: chip.to_owned(),
                pin: pin.parse().unwrap(),
                name: name.to_owned(),
            }
        });
        let hardware = Board::built().hardware.unwrap();
        let boards = hardware.boards.iter().enumerate();
        let boards = boards
            .flat_map(|(number, board)| board.chips.names().iter().map(move |chip| (chip.clone(), number)))
            .collect();
        Workshop { machine, wires: wires.collect(), images, boards }
    }

    /// A fault of a kind.
    pub fn plant(&self, kind: Kind, random: &mut Random) -> Planted {
        match kind {
            Kind::Open => self.open_pin(random),
            Kind::Stuck => self.stuck(random),
            Kind::Bridge => self.bridge(random),
            Kind::Swap => self.swap(random),
            Kind::Chip => self.wrong_chip(random),
            Kind::PullDown => self.pull_down(random),
            Kind::Filter => self.filter(random),
            Kind::Cable => self.cable(random),
            Kind::Cell => self.cell(random),
        }
    }

    /// The pins of memory chips that have a net of the netlist, or a rail.
    fn pins(&self, is_right: impl Fn(&Wire) -> bool) -> Vec<&Wire> {
        let is_chip = |wire: &&Wire| self.boards.contains_key(&wire.chip) && !wire.net.is_empty();
        self.wires.iter().filter(is_chip).filter(|wire| is_right(wire)).collect()
    }

    fn planted(&self, text: String) -> Planted {
        Planted { text, machine: self.machine.clone(), pins: vec![], nets: vec![], chips: vec![] }
    }

    fn open_pin(&self, random: &mut Random) -> Planted {
        let is_open =
            |wire: &Wire| wire.port().is_some_and(|(port, _)| port != "data") && !is_rail(&wire.net);
        let pin = one(&self.pins(is_open), random);
        let beside = self.pins(|wire| wire.chip == pin.chip && wire.pin + 1 == pin.pin);
        let level = match (random.between(0, 2), beside.first()) {
            (0, _) => "1'b0".to_owned(),
            (1, Some(beside)) => beside.level(),
            _ => "1'b1".to_owned(),
        };
        let mut planted = self.planted(format!("{pin} open, sees {level}"));
        let (port, line) = pin.port().unwrap();
        let mut lines = planted.machine.lines(&pin.chip, port);
        lines[line] = level;
        planted.machine.set_lines(&pin.chip, port, &lines);
        Planted { pins: vec![pin.place()], nets: vec![pin.net()], ..planted }
    }

    fn stuck(&self, random: &mut Random) -> Planted {
        let pin = one(&self.pins(|wire| wire.port().is_some_and(|(port, _)| port == "data")), random);
        let level = random.between(0, 1);
        let mut planted = self.planted(format!("{pin} stuck at {level}"));
        planted.machine.drive(&pin.net(), |_| format!("1'b{level}"));
        Planted { pins: vec![pin.place()], nets: vec![pin.net()], ..planted }
    }

    fn bridge(&self, random: &mut Random) -> Planted {
        loop {
            let pin = one(&self.pins(|_| true), random);
            let beside = self.pins(|wire| wire.chip == pin.chip && wire.pin == pin.pin + 1);
            let Some(&other) = beside.first() else { continue };
            let package = self.pins(|wire| wire.chip == pin.chip).iter().map(|wire| wire.pin).max().unwrap();
            let is_turn = pin.pin * 2 == package;
            let is_same = pin.net() == other.net() || is_rail(&pin.net) && is_rail(&other.net);
            if is_turn || is_same {
                continue;
            }
            let mut planted = self.planted(format!("{pin} joined to {other}"));
            let [one, two] = [pin, other].map(Wire::net);
            match (is_rail(&one), is_rail(&two)) {
                (true, _) => planted.machine.drive(&two, |_| pin.level()),
                (_, true) => planted.machine.drive(&one, |_| other.level()),
                _ => {
                    // Chips take more current than they give. A button gives all that there is, its resistor nothing.
                    let is_pressed = |net: &str| is_input(net) && net != "OSC" && net != "RSTIN";
                    let with = if is_pressed(&one) || is_pressed(&two) { "|" } else { "&" };
                    let joined = format!("{one}$own {with} {two}$own");
                    for net in [&one, &two] {
                        planted.machine.drive(net, |_| joined.clone());
                    }
                }
            }
            let nets = [one, two].into_iter().filter(|net| !is_rail(net)).collect();
            return Planted { pins: vec![pin.place(), other.place()], nets, ..planted };
        }
    }

    fn swap(&self, random: &mut Random) -> Planted {
        loop {
            let pin = one(&self.pins(|wire| wire.port().is_some() && !is_rail(&wire.net)), random);
            let (port, line) = pin.port().unwrap();
            let is_other = |wire: &Wire| {
                wire.chip == pin.chip && wire.pin > pin.pin && wire.pin < pin.pin + 3 && !is_rail(&wire.net)
            };
            let is_like = |wire: &Wire| wire.port().is_some_and(|(other, _)| other == port);
            let others = self.pins(|wire| is_other(wire) && is_like(wire));
            if others.is_empty() {
                continue;
            }
            let other = one(&others, random);
            let mut planted = self.planted(format!("{pin} swapped with {other}"));
            let mut lines = planted.machine.lines(&pin.chip, port);
            lines.swap(line, other.port().unwrap().1);
            planted.machine.set_lines(&pin.chip, port, &lines);
            return Planted {
                pins: vec![pin.place(), other.place()],
                nets: vec![pin.net(), other.net()],
                ..planted
            };
        }
    }

    fn wrong_chip(&self, random: &mut Random) -> Planted {
        let sockets: Vec<&String> = self.images.keys().collect();
        loop {
            let [socket, other] = [one(&sockets, random), one(&sockets, random)].map(|name| name.as_str());
            if self.images[socket] == self.images[other] {
                continue;
            }
            let image = |chip: &str| format!("images/{chip}.mem");
            let is_exchanged = random.between(0, 1) == 1;
            let text = match is_exchanged {
                true => format!("{socket} and {other} exchanged"),
                false => format!("{socket} holds what {other} should"),
            };
            let mut planted = self.planted(text);
            planted.machine.replace(socket, &image(socket), &image(other));
            if is_exchanged {
                planted.machine.replace(other, &image(other), &image(socket));
            }
            return Planted { chips: vec![socket.to_owned()], ..planted };
        }
    }

    fn pull_down(&self, random: &mut Random) -> Planted {
        let inputs: BTreeSet<&String> = self.wires.iter().map(|wire| &wire.net).collect();
        let is_pad = |net: &&&String| net.starts_with("PAD") || net.starts_with("KEYS");
        let inputs: Vec<&String> =
            inputs.iter().filter(|net| is_pad(net) && is_input(net)).copied().collect();
        let net = one(&inputs, random);
        let keeps = random.between(0, 1) == 1;
        let then = if keeps { "keeps its level" } else { "is at 1" };
        let mut planted = self.planted(format!("{net} without pull-down {then}"));
        planted.machine.drive(net, |own| match keeps {
            true => format!("{own} | ({net} === 1'b1)"),
            false => "1'b1".to_owned(),
        });
        Planted { nets: vec![net.clone()], ..planted }
    }

    fn filter(&self, random: &mut Random) -> Planted {
        let is_filter = |wire: &&Wire| {
            let pin = format!("{}_PIN", wire.net);
            wire.chip.starts_with("RN")
                && self.wires.iter().any(|other| other.chip == wire.chip && other.net == pin)
        };
        let filters: Vec<&Wire> = self.wires.iter().filter(is_filter).collect();
        let filter = one(&filters, random);
        let level = random.between(0, 1);
        let mut planted =
            self.planted(format!("filter of {} ({}) open, {level} behind it", filter.net, filter.chip));
        // The LED is in front of it.
        match filter.net.split_once('_') {
            Some((row, _)) => {
                let lines = planted.machine.lines(row, "address");
                let behind = |line: String| if line == filter.net { format!("1'b{level}") } else { line };
                let lines: Vec<String> = lines.into_iter().map(behind).collect();
                planted.machine.set_lines(row, "address", &lines);
            }
            None => planted.machine.drive(&filter.net, |_| format!("1'b{level}")),
        }
        Planted { nets: vec![filter.net.clone()], ..planted }
    }

    fn cable(&self, random: &mut Random) -> Planted {
        type Reader = (String, &'static str, usize);
        // The far readers of each net that leaves a board.
        let mut far: BTreeMap<(String, usize), Vec<Reader>> = BTreeMap::new();
        for wire in self.pins(|wire| !is_rail(&wire.net)) {
            let Some((port, line)) = wire.port().filter(|(port, _)| *port != "data") else { continue };
            let is_home =
                |pin: &&Wire| pin.net() == wire.net() && pin.port().is_some_and(|(port, _)| port == "data");
            let Some(home) = self.pins(|_| true).into_iter().find(is_home) else { continue };
            let board = self.boards[&wire.chip];
            if board != self.boards[&home.chip] {
                far.entry((wire.net(), board)).or_default().push((wire.chip.clone(), port, line));
            }
        }
        let conductors: Vec<_> = far.into_iter().collect();
        let ((net, board), readers) = one(&conductors, random);
        let level = random.between(0, 1);
        let mut planted =
            self.planted(format!("{net} broken in the cable to board {board}, which sees {level}"));
        for (chip, port, line) in readers {
            let mut lines = planted.machine.lines(&chip, port);
            lines[line] = format!("1'b{level}");
            planted.machine.set_lines(&chip, port, &lines);
        }
        Planted { nets: vec![net], ..planted }
    }

    fn cell(&self, random: &mut Random) -> Planted {
        let sockets: Vec<&String> = self.images.keys().collect();
        let socket = one(&sockets, random);
        let lines =
            self.machine.lines(socket, "address").iter().filter(|line| !line.ends_with("'b0")).count();
        let [address, bit] = [random.between(0, (1 << lines) - 1), random.between(0, 7)];
        let mut planted = self.planted(format!("{socket} cell {address:05x}, D{bit} wrong"));
        planted.machine.invert_bit(socket, address, bit);
        Planted { chips: vec![socket.clone()], ..planted }
    }
}

impl Wire {
    /// The net of the netlist: behind the filter it is the same.
    fn net(&self) -> String {
        let net = self.net.trim_end_matches('_');
        net.strip_suffix("_PIN").unwrap_or(net).to_owned()
    }

    fn place(&self) -> (String, u64) {
        (self.chip.clone(), self.pin)
    }

    /// The port of the chip in Verilog, and the number of the line there.
    fn port(&self) -> Option<(&'static str, usize)> {
        let side = self.name.chars().last().filter(char::is_ascii_alphabetic);
        let line = self.name[1..].trim_end_matches(['L', 'R']).parse().ok()?;
        match (&self.name[..1], side) {
            ("A", Some('R')) => Some(("read", line)),
            ("A", _) => Some(("address", line)),
            ("D", Some('L')) => Some(("in", line)),
            ("D", _) => Some(("data", line)),
            _ => None,
        }
    }

    /// The level in Verilog.
    fn level(&self) -> String {
        match self.net.as_str() {
            "VCC" => "1'b1".to_owned(),
            "GND" => "1'b0".to_owned(),
            _ => self.net(),
        }
    }
}

impl Display for Wire {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} pin {} {} ({})", self.chip, self.pin, self.name, self.net())
    }
}

fn is_rail(net: &str) -> bool {
    ["VCC", "GND"].contains(&net)
}

fn is_input(net: &str) -> bool {
    Board::built().inputs.iter().any(|group| group.nets.names().iter().any(|name| name == net))
}

fn one<T: Clone>(all: &[T], random: &mut Random) -> T {
    all[random.between(0, all.len() as u64 - 1) as usize].clone()
}
