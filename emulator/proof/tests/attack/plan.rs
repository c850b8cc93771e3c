//! A board as a list of chips that is easy to change, and its board file.

use gray1_machine::board::{Board, Chip as BoardChip};

const GRAY1: &str = include_str!("../../../machine/src/board/gray1.ron");

/// A chip: what is burned into it, and the nets on its lines.
#[derive(Clone, Debug)]
pub struct Chip {
    pub name: String,
    pub burn: Burn,
    pub address: Vec<String>,
    /// The data inputs and the write line of a RAM.
    pub input: Vec<String>,
    pub write: Vec<String>,
    pub data: Vec<String>,
}

/// The contents of a chip.
#[derive(Clone, Debug, PartialEq)]
pub enum Burn {
    /// A name of the board file.
    Named(String),
    Cells(Vec<u8>),
    Ram,
}

/// A board that is to be changed.
#[derive(Clone, Debug)]
pub struct Plan {
    pub chips: Vec<Chip>,
    /// Nets that the Gray-1 does not have.
    pub nets: Vec<String>,
}

impl Plan {
    /// The Gray-1 as it is.
    pub fn gray1() -> Plan {
        let names = |lines: &gray1_machine::board::Lines| lines.names().to_vec();
        let chip = |chip: &BoardChip| {
            let (burn, input, write) = match chip {
                BoardChip::Rom { burn, .. } => (Burn::Named(format!("{burn:?}")), vec![], vec![]),
                BoardChip::Ram { input, write, .. } => (Burn::Ram, names(input), names(write)),
            };
            let (address, data) = (names(chip.address()), names(chip.data()));
            Chip { name: chip.name().to_owned(), burn, address, input, write, data }
        };
        Plan { chips: Board::gray1().chips.iter().map(chip).collect(), nets: vec![] }
    }

    /// The board file.
    pub fn source(&self) -> String {
        let (before, rest) = GRAY1.split_once("    chips: [\n").expect("there are chips");
        let after = rest.split_once("    ],\n").expect("the chips end").1;
        let chips: String = self.chips.iter().map(Chip::text).collect();
        let larger = [
            ("        \"4Kx4\":   Ram", "        \"27C080\": Rom(address: 20, data: 8, about: \"EPROM\"),\n"),
            (
                "        \"4Kx4\":      (acc",
                "        \"27C080\": (access: (60, 150), inertia: 4, resistance: 100),\n",
            ),
        ];
        let mut before = before.replace("nets: \"ZL\", ", &format!("nets: \"ZL {}\", ", self.nets.join(" ")));
        for (place, more) in larger {
            before = before.replace(place, &format!("{more}{place}"));
        }
        format!("{before}    chips: [\n{chips}    ],\n{after}")
    }

    /// The board, if it can be built.
    pub fn board(&self) -> Option<Board> {
        Board::parse(&self.source(), "attack.ron").ok()
    }

    /// The cells of a chip, if it is a ROM that does not hold the program.
    pub fn cells(&self, index: usize) -> Option<Vec<u8>> {
        let chip = &self.chips[index];
        match &chip.burn {
            Burn::Cells(cells) => Some(cells.clone()),
            Burn::Ram => None,
            Burn::Named(_) => {
                let gray1 = Board::gray1();
                let same =
                    |other: &&BoardChip| matches!(&chip.burn, Burn::Named(name) if *name == other.burned());
                let twin = gray1.chips.iter().find(same)?;
                let netlist = gray1.netlist();
                Some(netlist.table(netlist.chip(twin.name())?)?.to_vec())
            }
        }
    }

    /// The index of a chip.
    pub fn chip(&self, name: &str) -> usize {
        self.chips.iter().position(|chip| chip.name == name).expect("a chip of the board")
    }

    /// Every net, inputs included.
    pub fn all_nets(&self) -> Vec<String> {
        let panel = &Board::gray1().panel;
        let inputs = [&panel.oscillator, &panel.reset, &panel.pad_column, &panel.pad_row, &panel.keys];
        let inputs = inputs.into_iter().flat_map(|lines| lines.names().to_vec());
        inputs.chain(self.chips.iter().flat_map(|chip| chip.data.clone())).collect()
    }

    /// A new net.
    pub fn net(&mut self) -> String {
        self.nets.push(format!("NEW{}", self.nets.len()));
        self.nets[self.nets.len() - 1].clone()
    }

    /// Adds a ROM.
    pub fn add(&mut self, address: Vec<String>, data: Vec<String>, cell: impl Fn(u32) -> u8) {
        let cells = (0..1 << address.len()).map(cell).collect();
        let name = format!("EXTRA{}", self.chips.len());
        let (burn, input, write) = (Burn::Cells(cells), vec![], vec![]);
        self.chips.push(Chip { name, burn, address, input, write, data });
    }
}

impl Chip {
    /// The nets that it reads, for change.
    pub fn reads(&mut self) -> impl Iterator<Item = &mut String> {
        self.address.iter_mut().chain(&mut self.input).chain(&mut self.write)
    }

    fn text(&self) -> String {
        let Chip { name, address, input, write, data, .. } = self;
        let [address, input, write, data] = [address, input, write, data].map(|nets| nets.join(" "));
        match &self.burn {
            Burn::Ram => format!(
                "Ram(name: \"{name}\", part: \"4Kx4\", address: \"{address}\", input: \"{input}\", \
                 write: \"{write}\", data: \"{data}\"),\n"
            ),
            burn => {
                let burn = match burn {
                    Burn::Cells(cells) => {
                        format!("Cells([{}])", cells.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
                    }
                    Burn::Named(burn) => burn.clone(),
                    Burn::Ram => String::new(),
                };
                format!(
                    "Rom(name: \"{name}\", part: \"27C080\", burn: {burn}, address: \"{address}\", data: \"{data}\"),\n"
                )
            }
        }
    }
}
