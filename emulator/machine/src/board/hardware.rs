//! The hardware of a board: the parts to buy with their pins, including those besides the memory chips.
//!
//! No engine needs this part of a board file. A board file without it is assembled like `built.ron`. The crate `gray1-hardware`
//! derives from it and the netlist which net is on which pin.

use super::Chip;
use super::lines::Lines;
use super::pins::Pins;
use super::place::Fault;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashSet};

/// The hardware of a board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    /// The parts, by the name under which they are ordered.
    pub parts: BTreeMap<String, Component>,
    /// The part for each use.
    pub uses: Uses,
    /// The circuit boards, and the chips on each. Chips that are not listed are on the first one.
    pub boards: Vec<Pcb>,
    /// The number of boards, counted from the last, that are not built.
    #[serde(skip)]
    pub left_out: usize,
    /// The frequency of the oscillator in kilohertz at which a new machine is brought up, and measured.
    #[serde(default = "first_clock")]
    pub clock: u32,
    /// The stages of bringing up a new machine.
    #[serde(default)]
    pub bring_up: Vec<Stage>,
}

fn first_clock() -> u32 {
    400
}

/// A part that is bought.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its value for the bill of materials: a word or a number.
    pub value: String,
    /// Its package.
    pub package: String,
    /// A note, for instance about a second source or a pitfall.
    pub note: String,
    /// Its pins; none for parts without connections of their own, such as sockets.
    #[serde(default)]
    pub pins: Pins,
    /// Pins that are always connected to the same supply rail, by name.
    #[serde(default)]
    pub tied: BTreeMap<String, String>,
    /// Its supply current in milliamperes: typical and maximum.
    #[serde(default)]
    pub current: (u32, u32),
}

/// Defines the uses of parts in one place: the struct, and the pins that each use needs.
macro_rules! uses {
    ($($(#[$doc:meta])* $use:ident: $pins:literal),*; $($(#[$other_doc:meta])* $other:ident: $other_pins:literal,)*) => {
        /// The part for each use, by its name in the list of parts.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)]
        pub struct Uses {
            $($(#[$doc])* pub $use: String,)*
            /// The socket for each package.
            pub sockets: BTreeMap<String, String>,
            $($(#[$other_doc])* pub $other: String,)*
        }

        impl Uses {
            /// Each use with its name, its part, and the pins that it needs.
            fn all(&self) -> impl Iterator<Item = (&'static str, &String, Vec<String>)> {
                let first = [$((stringify!($use), &self.$use, pins($pins))),*];
                first.into_iter().chain([$((stringify!($other), &self.$other, pins($other_pins))),*])
            }
        }
    };
}

uses! {
    /// Every ROM: `A0` and so on are address pins, `D0` and so on are data pins.
    rom: "A0-16 D0-7",
    /// Every RAM: its data pins are inputs while `WE#` is low.
    ram: "A0-11 D0-7 WE#",
    /// The ROM that drives the data pins of a RAM while it is written, through resistors as in filters: each of its cells
    /// holds its own address, and its outputs are high-impedance while `OE#` is high.
    buffer: "A0-7";

    /// Eight separate resistors (`1A` and `1B` to `8A` and `8B`), for filters.
    filter_resistors: "1A 1B 2A 2B 3A 3B 4A 4B 5A 5B 6A 6B 7A 7B 8A 8B",
    /// A capacitor (`1` and `2`) on each filtered line.
    filter_capacitor: "1 2",
    /// A capacitor beside each chip.
    decoupling: "",
    /// A capacitor beside the supply of each board.
    bulk: "",
    /// The terminal for five volts: where they come in, and at both ends of each wire that takes them to another board.
    supply: "",
    /// Between the terminal where five volts come in and everything else: a fuse (`1` and `2`).
    fuse: "1 2",
    /// A diode (`K` and `A`) that conducts if the supply is reversed or too high, until the fuse opens.
    clamp: "K A",
    /// An LED (`K` and `A`) that shows the five volts of a board, and its resistor (`1` and `2`).
    lamp: "K A",
    lamp_resistor: "1 2",
    /// The wire that takes five volts from one board to another.
    supply_wire: "",
    /// LEDs (`K` and `A`).
    green: "K A",
    red: "K A",
    /// Eight separate resistors, for LEDs.
    led_resistors: "1A 1B 2A 2B 3A 3B 4A 4B 5A 5B 6A 6B 7A 7B 8A 8B",
    /// The oscillator, with the clock on its pin `OUT`.
    oscillator: "OUT",
    /// Pins for a clock from outside (`P1`, and ground on `P2`).
    clock_input: "P1 P2",
    /// Three pairs of pins (`P1` to `P6`) and the jumper on one of them: oscillator, clock from outside, or button.
    clock_select: "P1 P2 P3 P4 P5 P6",
    jumper: "",
    /// The part that debounces a button on its pin `RST`, and holds it low for a time after power-on.
    supervisor: "RST",
    /// A PNP transistor (`E`, `B`, `C`) that makes reset high of that, and the resistor (`1` and `2`) at its base.
    transistor: "E B C",
    base_resistor: "1 2",
    /// Pins for an analyser: signals on odd ones, ground on even ones (`P1` and so on).
    probe: "P1 P2",
    /// Reset, pads and keys (`1` and `2`).
    button: "1 2",
    /// A diode (`K` and `A`): two for each pad.
    diode: "K A",
    /// Resistors (`R1` and so on) that pull inputs low.
    pull_downs: "R1",
    /// The connector of the output port (`P1` and so on).
    port: "P1",
    /// Connectors between boards (`P1` and so on), and the cable between two of them.
    connector: "P1",
    cable: "",
}

/// A board and the chips on it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pcb {
    /// Its name.
    pub name: String,
    /// The names of the chips on it.
    pub chips: Lines,
    /// The nets that can be clipped to an analyser, for each of its connectors.
    #[serde(default)]
    pub probes: Vec<Lines>,
    /// The sheets of its schematic. Chips that are not listed follow on further sheets.
    #[serde(default)]
    pub sheets: Vec<Sheet>,
}

/// A sheet of a schematic, with chips that have a common function.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Their function.
    pub name: String,
    /// Their names.
    pub chips: Lines,
}

/// A stage of bringing up a new machine: chips to insert, and what to measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its title.
    pub title: String,
    /// Instructions, and possible pitfalls.
    pub about: String,
    /// The chips to insert.
    pub insert: Lines,
    /// Nets to hold at 0 meanwhile, because no chip drives them yet.
    #[serde(default)]
    pub low: Lines,
    /// Inputs to hold at 1 meanwhile.
    #[serde(default)]
    pub high: Lines,
    /// The measurement.
    pub watch: Watch,
}

/// The measurement of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Watch {
    /// The levels in each phase of a cycle, while reset is held.
    Phases,
    /// The number of rises of each net while the counter goes through all its states, without reset.
    Turn,
    /// The first cycles after reset, one by one; the number of cycles.
    Run(usize),
}

impl Hardware {
    /// The circuit boards that are built.
    pub fn built(&self) -> &[Pcb] {
        &self.boards[..self.boards.len() - self.left_out]
    }

    /// Whether a chip is on a circuit board that is not built.
    pub fn leaves_out(&self, chip: &str) -> bool {
        self.boards[self.built().len()..]
            .iter()
            .any(|board| board.chips.names().iter().any(|name| name == chip))
    }

    /// Leaves out the last circuit board, and the stages of bringing up that are only about its chips.
    pub(super) fn leave_out_last(&mut self) {
        self.left_out = 1;
        let stages = std::mem::take(&mut self.bring_up).into_iter();
        let is_built = |stage: &Stage| stage.insert.names().iter().any(|chip| !self.leaves_out(chip));
        self.bring_up = stages.filter(is_built).collect();
    }
}

/// The maximum of [`Watch::Run`], because every cycle is simulated for every fault.
const MAX_CYCLES: usize = 4_096;
/// The maximum supply current of a part in milliamperes, so that sums over all parts cannot overflow.
const MAX_CURRENT: u32 = 100_000;
/// The maximum of [`Hardware::clock`].
const MAX_CLOCK: u32 = 100_000;

/// The names of pins, with ranges as in the names of nets.
fn pins(words: &str) -> Vec<String> {
    let names = |word: &str| match Lines::try_from(word.to_owned()) {
        Ok(lines) => lines.names().to_vec(),
        Err(_) => vec![word.to_owned()],
    };
    words.split(' ').flat_map(names).collect()
}

/// Deserializes the field `hardware`, which is written without `Some`.
pub(super) fn read<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Hardware>, D::Error> {
    Hardware::deserialize(reader).map(Some)
}

/// Checks the hardware of a board with these chips and nets.
pub(super) fn check(hardware: &Hardware, all_chips: &[Chip], nets: &HashSet<&str>) -> Result<(), Fault> {
    check_parts(hardware)?;
    Fault::unless((1..=MAX_CLOCK).contains(&hardware.clock), ["hardware", "clock:"], || {
        format!("hardware: a clock of {} kHz: write 1 to {MAX_CLOCK} kHz", hardware.clock)
    })?;
    let is_chip = |name: &String| all_chips.iter().any(|chip| chip.name() == name);
    let mut placed = HashSet::new();
    for Pcb { name: panel, chips, probes, .. } in &hardware.boards {
        let mut probed = probes.iter().flat_map(Lines::names);
        Fault::of(probed.find(|net| !nets.contains(net.as_str())), |net| {
            let message = format!("hardware: board {panel}: probes: net {net} is not declared");
            Fault::new(["hardware", "boards", panel, net], message)
        })?;
        for name in chips.names() {
            let trail = ["hardware", "boards", panel, name];
            Fault::unless(is_chip(name), trail, || {
                format!("hardware: board {panel}: there is no chip {name}")
            })?;
            Fault::unless(placed.insert(name), trail, || {
                format!("hardware: board {panel}: chip {name} is on a board already")
            })?;
        }
    }
    for stage in &hardware.bring_up {
        let fault = |name: &str, message: String| {
            Fault::new(["hardware", "bring_up", &stage.title, name], format!("bring_up: {message}"))
        };
        Fault::of(stage.insert.names().iter().find(|name| !is_chip(name)), |name| {
            fault(name, format!("there is no chip {name}"))
        })?;
        let mut held = stage.low.names().iter().chain(stage.high.names());
        Fault::of(held.find(|name| !nets.contains(name.as_str())), |name| {
            fault(name, format!("net {name} is not declared"))
        })?;
        let cycles = match stage.watch {
            Watch::Run(cycles) => cycles,
            Watch::Phases | Watch::Turn => 0,
        };
        Fault::of((cycles > MAX_CYCLES).then(|| cycles.to_string()), |cycles| {
            fault(&cycles, format!("Run({cycles}): at most {MAX_CYCLES} cycles are watched"))
        })?;
    }
    Ok(())
}

fn check_parts(hardware: &Hardware) -> Result<(), Fault> {
    let fault = |trail: &[&str], message: String| {
        Fault::new(["hardware"].into_iter().chain(trail.iter().copied()), message)
    };
    for (name, part) in &hardware.parts {
        let most = part.current.0.max(part.current.1);
        Fault::of((most > MAX_CURRENT).then_some(most), |most| {
            let message =
                format!("part {name}: takes {most} mA, but no part takes more than {MAX_CURRENT} mA");
            fault(&["parts", name, "current"], message)
        })?;
        let is_rail = |rail: &str| ["VCC", "GND"].contains(&rail);
        Fault::of(part.tied.values().find(|rail| !is_rail(rail)), |rail| {
            let message = format!("part {name}: a pin is tied to {rail}, but the rails are VCC and GND");
            fault(&["parts", name, "tied"], message)
        })?;
        Fault::of(part.tied.keys().find(|pin| !part.pins.has(pin)), |pin| {
            let message = format!("part {name}: pin {pin} is tied, but is not one of its pins");
            fault(&["parts", name, "tied"], message)
        })?;
    }
    for (kind, name, pins) in hardware.uses.all() {
        let Some(part) = hardware.parts.get(name) else {
            let message = format!("hardware: {kind} is {name}, which is not in `parts`");
            return Err(fault(&["uses", kind], message));
        };
        let is_free = |pin: &&String| part.pins.has(pin) && !part.tied.contains_key(*pin);
        Fault::of(pins.iter().find(|pin| !is_free(pin)), |pin| {
            let message = format!("part {name}: as {kind} it needs a pin {pin} that is not tied");
            fault(&["parts", name], message)
        })?;
    }
    let mut sockets = hardware.uses.sockets.values();
    Fault::of(sockets.find(|name| !hardware.parts.contains_key(*name)), |name| {
        fault(&["uses", "sockets"], format!("hardware: socket {name} is not in `parts`"))
    })?;
    Fault::unless(!hardware.boards.is_empty(), ["hardware", "boards"], || {
        "hardware: there must be a board".to_owned()
    })
}
