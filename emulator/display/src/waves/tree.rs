//! The tree that a viewer shows of a board, and the signals behind it.
//!
//! ```text
//!   gray1                OSC RST S[1:0] PH1 PC[11:0] W[15:0] A[7:0] …      buses, and nets that are in none
//!   ├── program          cycle phase pc instruction                        not nets, but useful to a reader
//!   ├── SEQ              address[2:0] data[3:0]   OSC S[1:0] PH1 PH2       each chip: its address, the contents of
//!   ├── PCL              address[14:0] data[6:0]  PC[5:0] TG[5:0] …        that cell, and its lines by name
//!   └── …
//! ```

use gray1_machine::board::{self, Board, Lines};
use gray1_machine::netlist::{Chip, Holds, NetId, Netlist};
use std::collections::{HashMap, HashSet};

/// The longest text of an instruction is `JMP 4095+1`.
const INSTRUCTION_CHARACTERS: usize = 10;

/// Scopes and variables in the order of a file's header, and the signals that they show.
pub(crate) struct Tree {
    pub signals: Vec<Signal>,
    pub items: Vec<Item>,
    pub program: ProgramSignals,
}

/// A value that changes over time.
pub(crate) enum Signal {
    /// The levels of these nets, lowest first.
    Nets(Vec<NetId>),
    /// A number of this many bits that is not on any net.
    Number(usize),
}

pub(crate) enum Item {
    /// Opens a scope.
    Scope { name: String },
    /// A name under which a signal is shown.
    Variable {
        /// If it has more than one line, with the numbers of the highest and the lowest: `PC [11:0]`.
        name: String,
        /// Set if it is shown in decimal.
        is_integer: bool,
        /// The index of its signal.
        signal: usize,
    },
    /// Closes the innermost scope.
    Up,
}

/// The indices of the signals that are not on nets.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProgramSignals {
    pub cycle: usize,
    pub phase: usize,
    pub pc: usize,
    pub instruction: usize,
}

impl Signal {
    /// Its number of bits.
    pub fn width(&self) -> usize {
        match self {
            Signal::Nets(nets) => nets.len(),
            Signal::Number(bits) => *bits,
        }
    }
}

/// A tree under construction.
struct Builder<'a> {
    netlist: &'a Netlist,
    buses: Vec<(&'a str, Vec<NetId>)>,
    tree: Tree,
    /// The signals of nets found so far.
    signals: HashMap<Vec<NetId>, usize>,
}

impl Tree {
    pub fn new(board: &Board) -> Tree {
        let netlist = board.netlist();
        let buses = board.buses.keys().filter_map(|name| Some((&**name, netlist.bus(name)?)));
        let mut builder = Builder {
            netlist,
            buses: buses.collect(),
            tree: Tree { signals: Vec::new(), items: Vec::new(), program: ProgramSignals::default() },
            signals: HashMap::new(),
        };
        builder.open("gray1");
        builder.board();
        builder.program();
        for (chip, described) in netlist.chips.iter().zip(&board.chips) {
            builder.chip(chip, described);
        }
        builder.close();
        builder.tree
    }
}

impl Builder<'_> {
    /// Buses, and nets that are in none, in the order of the board.
    fn board(&mut self) {
        let mut shown = HashSet::new();
        for &net in &self.netlist.listing {
            let is_around = |bus: &usize| self.buses[*bus].1.contains(&net);
            let buses: Vec<usize> = (0..self.buses.len()).filter(is_around).collect();
            if buses.is_empty() {
                self.line(net);
            }
            for bus in buses.into_iter().filter(|bus| shown.insert(*bus)) {
                let (name, nets) = self.buses[bus].clone();
                self.vector(name, &nets);
            }
        }
    }

    /// Values that are useful to a reader besides the nets.
    fn program(&mut self) {
        self.open("program");
        self.tree.program = ProgramSignals {
            cycle: self.number("cycle", 64, true),
            phase: self.number("phase", 8, true),
            pc: self.number("pc", 16, true),
            instruction: self.number("instruction", 8 * INSTRUCTION_CHARACTERS, false),
        };
        self.close();
    }

    /// A chip's address and data, and then its lines by the words with which the board file describes them.
    fn chip(&mut self, chip: &Chip, described: &board::Chip) {
        self.open(&chip.name);
        self.vector("address", chip.address());
        if let Holds::Ram { address } = chip.holds {
            let write = chip.reads.len() - 1;
            self.vector("input", &chip.reads[address..write]);
            self.vector("write", &chip.reads[write..]);
        }
        self.vector("data", &chip.data);
        let mut groups = vec![described.data(), described.address()];
        if let board::Chip::Ram { input, write, .. } = described {
            groups.extend([input, write]);
        }
        let mut shown = HashSet::new();
        for lines in groups {
            for word in lines.as_written().split_whitespace().filter(|word| shown.insert(*word)) {
                if let Ok(word) = Lines::try_from(word.to_owned()) {
                    self.word(word.names());
                }
            }
        }
        self.close();
    }

    /// The lines of one word of a board file, such as `RST` or `W13-15`.
    fn word(&mut self, names: &[String]) {
        let nets: Vec<NetId> = names.iter().filter_map(|name| self.netlist.net(name)).collect();
        let [first, .., last] = names else {
            return nets.into_iter().for_each(|net| self.line(net));
        };
        let (name, high, low) = match self.slice(&nets) {
            Some((bus, low)) => (bus, low + nets.len() - 1, low),
            None => {
                let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
                let number = |name: &String| name[stem.len()..].parse().unwrap_or_default();
                (stem, number(last), number(first))
            }
        };
        let name = range(name, high, low);
        self.variable(name, &nets);
    }

    /// The bus in which these nets are consecutive, and the index of the lowest. A net belongs to its first bus.
    fn slice(&self, nets: &[NetId]) -> Option<(&str, usize)> {
        let index = |net: NetId| {
            let mut buses = self.buses.iter();
            buses.find_map(|(name, bus)| Some((*name, bus.iter().position(|other| *other == net)?)))
        };
        let (bus, low) = index(*nets.first()?)?;
        let mut neighbours = (low..).zip(nets);
        neighbours.all(|(place, &net)| index(net) == Some((bus, place))).then_some((bus, low))
    }

    fn vector(&mut self, name: &str, nets: &[NetId]) {
        let name = if nets.len() > 1 { range(name, nets.len() - 1, 0) } else { printable(name) };
        self.variable(name, nets);
    }

    fn line(&mut self, net: NetId) {
        self.vector(&self.netlist.nets[net].name, &[net]);
    }

    fn variable(&mut self, name: String, nets: &[NetId]) {
        let signals = &mut self.tree.signals;
        let signal = *self.signals.entry(nets.to_vec()).or_insert_with_key(|nets| {
            signals.push(Signal::Nets(nets.clone()));
            signals.len() - 1
        });
        self.tree.items.push(Item::Variable { name, is_integer: false, signal });
    }

    fn number(&mut self, name: &str, bits: usize, is_integer: bool) -> usize {
        let signal = self.tree.signals.len();
        self.tree.signals.push(Signal::Number(bits));
        self.tree.items.push(Item::Variable { name: range(name, bits - 1, 0), is_integer, signal });
        signal
    }

    fn open(&mut self, name: &str) {
        self.tree.items.push(Item::Scope { name: printable(name) });
    }

    fn close(&mut self) {
        self.tree.items.push(Item::Up);
    }
}

/// The name of a variable with several lines.
fn range(name: &str, high: usize, low: usize) -> String {
    format!("{} [{high}:{low}]", printable(name))
}

/// A name that the format accepts, since board files may call a chip anything.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
