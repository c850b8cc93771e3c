//! What a viewer shows of a board, and the signals behind it.
//!
//! ```text
//!   gray1                OSC RST S[1:0] PH1 PC[11:0] W[15:0] A[7:0] …      buses, and nets that are in none
//!   ├── program          cycle phase pc instruction                        no nets: for whoever reads
//!   ├── SEQ              address[2:0] data[3:0]   OSC S[1:0] PH1 PH2       each chip: the cell it looks up, what the
//!   ├── PCL              address[14:0] data[6:0]  PC[5:0] TG[5:0] …        cell holds, and its lines by name
//!   └── …
//! ```

use gray1_machine::board::{Board, Chip, Lines};
use std::collections::{HashMap, HashSet};

/// The letters that an instruction takes at most: `JMP 4095+1`.
const INSTRUCTION_LETTERS: usize = 10;

/// Scopes and variables in the order of a file's header, and what they show.
pub(crate) struct Tree {
    /// How many nets there are. They are numbered: the inputs first, then the data lines of each chip.
    pub nets: usize,
    pub signals: Vec<Signal>,
    pub items: Vec<Item>,
}

/// A value that changes over time.
pub(crate) enum Signal {
    /// The levels of these nets, lowest first.
    Nets(Vec<usize>),
    /// A number of so many bits that is on no net.
    Number(usize),
}

pub(crate) enum Item {
    /// Opens a scope; a chip has a part.
    Scope {
        name: String,
        part: String,
    },
    Variable(Variable),
    /// Closes the newest scope.
    Up,
}

/// A name under which a signal is shown.
pub(crate) struct Variable {
    pub name: String,
    /// The numbers of its highest and lowest line, if it has more than one.
    pub range: Option<(usize, usize)>,
    pub kind: Kind,
    /// The index of its signal.
    pub signal: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Wire,
    /// Driven from outside the scope.
    Input,
    /// Driven by the chip of the scope.
    Output,
    /// Shown in decimal.
    Integer,
}

/// The signals that are no nets.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub cycle: usize,
    pub phase: usize,
    pub pc: usize,
    pub instruction: usize,
}

impl Signal {
    /// How many bits it has.
    pub fn width(&self) -> usize {
        match self {
            Signal::Nets(nets) => nets.len(),
            Signal::Number(bits) => *bits,
        }
    }
}

/// A tree that grows.
struct Builder<'a> {
    tree: Tree,
    numbers: HashMap<&'a str, usize>,
    /// For each net, a bus that it is in, and its place there.
    buses: HashMap<&'a str, (&'a str, usize)>,
    /// Signals found so far, by their nets.
    known: HashMap<Vec<usize>, usize>,
}

/// The tree of a board.
pub(crate) fn tree(board: &Board) -> (Tree, Program) {
    let inputs = board.inputs.iter().map(|group| &group.nets);
    let driven = inputs.chain(board.chips.iter().map(Chip::data)).flat_map(Lines::names);
    let numbers: HashMap<&str, usize> = driven.map(String::as_str).zip(0..).collect();
    let mut builder = Builder {
        tree: Tree { nets: numbers.len(), signals: Vec::new(), items: Vec::new() },
        numbers,
        buses: HashMap::new(),
        known: HashMap::new(),
    };
    for (bus, lines) in &board.buses {
        for (place, net) in lines.names().iter().enumerate() {
            builder.buses.entry(net).or_insert((bus, place));
        }
    }
    builder.open("gray1", "");
    builder.board(board);
    let program = builder.program();
    for chip in &board.chips {
        builder.chip(chip);
    }
    builder.tree.items.push(Item::Up);
    (builder.tree, program)
}

impl<'a> Builder<'a> {
    /// Buses, and nets that are in none, in the order of the board.
    fn board(&mut self, board: &'a Board) {
        let mut shown = HashSet::new();
        for net in board.inputs.iter().chain(&board.nets).flat_map(|group| group.nets.names()) {
            let buses: Vec<_> = board.buses.iter().filter(|(_, lines)| lines.names().contains(net)).collect();
            if buses.is_empty() {
                self.line(net, Kind::Wire);
            }
            for (bus, lines) in buses {
                if shown.insert(bus) {
                    self.vector(bus, lines.names(), Kind::Wire);
                }
            }
        }
    }

    /// What a reader wants to know beside the nets.
    fn program(&mut self) -> Program {
        self.open("program", "");
        let program = Program {
            cycle: self.number("cycle", 64, Kind::Integer),
            phase: self.number("phase", 8, Kind::Integer),
            pc: self.number("pc", 16, Kind::Integer),
            instruction: self.number("instruction", 8 * INSTRUCTION_LETTERS, Kind::Wire),
        };
        self.tree.items.push(Item::Up);
        program
    }

    fn chip(&mut self, chip: &'a Chip) {
        self.open(chip.name(), chip.part());
        self.vector("address", chip.address().names(), Kind::Input);
        let mut reads = vec![chip.address()];
        if let Chip::Ram { input, write, .. } = chip {
            self.vector("input", input.names(), Kind::Input);
            self.vector("write", write.names(), Kind::Input);
            reads.extend([input, write]);
        }
        self.vector("data", chip.data().names(), Kind::Output);
        let mut shown = HashSet::new();
        for (lines, kind) in std::iter::once((chip.data(), Kind::Output))
            .chain(reads.into_iter().map(|lines| (lines, Kind::Input)))
        {
            for word in lines.as_written().split_whitespace() {
                if let (true, Ok(word)) = (shown.insert(word), Lines::try_from(word.to_owned())) {
                    self.word(word.names(), kind);
                }
            }
        }
        self.tree.items.push(Item::Up);
    }

    /// The lines of one word of a schematic, such as `RST` or `W13-15`.
    fn word(&mut self, names: &[String], kind: Kind) {
        let [first, .., last] = names else {
            return names.iter().for_each(|name| self.line(name, kind));
        };
        let (name, high, low) = match self.slice(names) {
            Some((bus, low)) => (bus, low + names.len() - 1, low),
            None => {
                let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
                let number = |name: &String| name[stem.len()..].parse().unwrap_or_default();
                (stem, number(last), number(first))
            }
        };
        let name = name.to_owned();
        self.variable(&name, Some((high, low)), names, kind);
    }

    /// The bus that these lines are neighbours in, and the place of the lowest.
    fn slice(&self, names: &[String]) -> Option<(&'a str, usize)> {
        let (bus, low) = *self.buses.get(names.first()?.as_str())?;
        let is_next = |(place, name): (usize, &String)| self.buses.get(name.as_str()) == Some(&(bus, place));
        (low..).zip(names).all(is_next).then_some((bus, low))
    }

    fn vector(&mut self, name: &str, nets: &[String], kind: Kind) {
        let range = (nets.len() > 1).then(|| (nets.len() - 1, 0));
        self.variable(name, range, nets, kind);
    }

    fn line(&mut self, net: &String, kind: Kind) {
        self.variable(net, None, std::slice::from_ref(net), kind);
    }

    fn variable(&mut self, name: &str, range: Option<(usize, usize)>, nets: &[String], kind: Kind) {
        let nets: Vec<usize> =
            nets.iter().filter_map(|net| self.numbers.get(net.as_str()).copied()).collect();
        let signals = &mut self.tree.signals;
        let signal = *self.known.entry(nets).or_insert_with_key(|nets| {
            signals.push(Signal::Nets(nets.clone()));
            signals.len() - 1
        });
        self.tree.items.push(Item::Variable(Variable { name: printable(name), range, kind, signal }));
    }

    fn number(&mut self, name: &str, bits: usize, kind: Kind) -> usize {
        let signal = self.tree.signals.len();
        self.tree.signals.push(Signal::Number(bits));
        let range = Some((bits - 1, 0));
        self.tree.items.push(Item::Variable(Variable { name: name.to_owned(), range, kind, signal }));
        signal
    }

    fn open(&mut self, name: &str, part: &str) {
        self.tree.items.push(Item::Scope { name: printable(name), part: printable(part) });
    }
}

/// A name as the formats take it: board files are free to call a chip anything.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
