//! The board as a machine with a fault runs it: each chip with a table of its own, and every pin of its packages.
//!
//! It adds to the netlist the properties of the assembled hardware: the two ports of RAM have separate pins, the write
//! pin of RAM may have the inverse of the line in the netlist, and pins have neighbours.

use gray1_isa::Image;
use gray1_kit::{Assembly, AssemblyError, Item, RAILS, Role};
use gray1_machine::Netlist;
use gray1_machine::board::{Board, Panel};
use gray1_machine::netlist::{Chip, ChipId, Holds, NetId};
use gray1_machine::wires::{Bit, Data, Port, Wire, wires};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A board and a program.
pub struct Circuit {
    /// The netlist of the board.
    pub netlist: Arc<Netlist>,
    /// Every pin of a memory chip that is connected to a net.
    pub pins: Vec<Pin>,
    /// Adjacent pins that are on different nets; each pair of nets once.
    pub neighbours: Vec<Neighbours>,
    /// Groups of inputs first, then chips, in the order in which a change propagates.
    pub(crate) banks: Vec<Bank>,
    /// How many banks are groups of inputs.
    pub(crate) inputs: usize,
    /// Where each net is.
    pub(crate) nets: Vec<Bit>,
    pub(crate) panel: Panel<Port, usize>,
    pub(crate) tables: Vec<Vec<u8>>,
    /// The number of cells of all RAM chips together.
    pub(crate) ram_cells: usize,
}

/// A pin of a memory chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The chip.
    pub chip: ChipId,
    /// Its number on the package.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The net on it.
    pub net: NetId,
    pub(crate) role: Role,
}

/// Two adjacent pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// The chip.
    pub chip: ChipId,
    /// The numbers of both pins.
    pub numbers: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// What they are connected to.
    pub ends: [End; 2],
}

/// What a pin is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// A net.
    Net(NetId),
    /// A supply rail, with its level.
    Rail(bool),
}

/// A chip; or a group of inputs, which reads nothing.
pub(crate) struct Bank {
    pub chip: Option<ChipId>,
    pub wires: Vec<Wire>,
    pub holds: Contents,
    /// For each bit of its data, the banks that read it.
    pub readers: [u64; Data::BITS as usize],
}

#[derive(Clone, Copy)]
pub(crate) enum Contents {
    Outside,
    Rom { table: usize },
    Ram { first: usize, address: usize, inputs: usize, is_low: bool },
}

impl Circuit {
    /// A board with this program, assembled as by `gray1 build`.
    pub fn new(board: &Board, image: &Image) -> Result<Circuit, AssemblyError> {
        let netlist = Arc::clone(board.netlist());
        let assemblies = Assembly::all(board)?;
        let items: BTreeMap<&str, &Item> = match assemblies.first() {
            Some(assembly) => assembly.items.iter().map(|item| (item.reference.as_str(), item)).collect(),
            None => BTreeMap::new(),
        };
        let inputs = netlist.inputs.len();
        let order = netlist.travel_order();
        let mut banks: Vec<Bank> = (0..inputs + order.len()).map(|_| Bank::outside()).collect();
        let mut nets = vec![Bit { bank: 0, bit: 0 }; netlist.nets.len()];
        let driven = netlist.inputs.iter().map(|group| group.clone().collect::<Vec<NetId>>());
        for (bank, group) in driven.chain(order.iter().map(|&id| netlist.chips[id].data.clone())).enumerate()
        {
            for (bit, net) in (0..).zip(group) {
                nets[net] = Bit { bank, bit };
            }
        }
        let mut tables = netlist.tables.clone();
        let program = tables.len();
        tables.extend(image.to_proms());
        let mut ram_cells = 0;
        for (bank, &id) in (inputs..).zip(&order) {
            let chip = &netlist.chips[id];
            let mut reads = chip.reads.clone();
            let holds = match chip.holds {
                Holds::Table(table) => Contents::Rom { table },
                Holds::Program { byte } => Contents::Rom { table: program + byte },
                Holds::Ram { address } => {
                    let (write, first) = (reads.len() - 1, ram_cells);
                    let net = items.get(chip.name.as_str()).and_then(|item| write_net(&netlist, chip, item));
                    let is_low = net.is_some_and(|net| net != reads[write]);
                    reads[write] = net.unwrap_or(reads[write]);
                    ram_cells += 1 << address;
                    Contents::Ram { first, address, inputs: write - address, is_low }
                }
            };
            let lines: Vec<Bit> = reads.iter().map(|&net| nets[net]).collect();
            for line in &lines {
                banks[line.bank].readers[line.bit as usize] |= 1 << bank;
            }
            (banks[bank].chip, banks[bank].wires, banks[bank].holds) = (Some(id), wires(&lines), holds);
        }
        let port = |lines: &Vec<NetId>| Port::new(lines.iter().map(|&net| nets[net]).collect());
        let panel =
            netlist.panel.map(port, |chip| inputs + order.iter().position(|id| id == chip).unwrap_or(0));
        let (pins, neighbours) = packages(&netlist, &items);
        Ok(Circuit { pins, neighbours, banks, inputs, nets, panel, tables, ram_cells, netlist })
    }

    /// The bank of a chip.
    pub(crate) fn bank_of(&self, chip: ChipId) -> usize {
        self.nets[self.netlist.chips[chip].data[0]].bank
    }

    /// All banks that depend on the output of these banks, directly or indirectly, including themselves, as a set.
    pub(crate) fn reached_by(&self, mut reached: u64) -> u64 {
        loop {
            let banks = self.banks.iter().enumerate().filter(|(bank, _)| reached >> bank & 1 == 1);
            let more = banks.fold(reached, |set, (_, bank)| set | bank.readers_of(Data::MAX));
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// All banks that are chips, as a set.
    pub(crate) fn all_chips(&self) -> u64 {
        (self.inputs..self.banks.len()).map(|bank| 1 << bank).sum()
    }
}

impl Bank {
    fn outside() -> Bank {
        Bank { chip: None, wires: Vec::new(), holds: Contents::Outside, readers: [0; Data::BITS as usize] }
    }

    /// The banks that read any of these bits.
    #[inline(always)]
    pub fn readers_of(&self, mut changed: Data) -> u64 {
        let mut set = 0;
        while changed != 0 {
            set |= self.readers[changed.trailing_zeros() as usize];
            changed &= changed - 1;
        }
        set
    }
}

/// The net on the write pin of a RAM.
fn write_net(netlist: &Netlist, chip: &Chip, item: &Item) -> Option<NetId> {
    let is_write = |name: &str| Role::of(chip, name).is_some_and(|role| role.is_write(chip));
    netlist.net(item.pins.iter().find(|pin| is_write(&pin.name))?.net.as_deref()?)
}

/// The pins of all packages that are connected to nets of the board, and the pairs of adjacent pins.
fn packages(netlist: &Netlist, items: &BTreeMap<&str, &Item>) -> (Vec<Pin>, Vec<Neighbours>) {
    let (mut pins, mut neighbours, mut joined) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (id, chip) in netlist.chips.iter().enumerate() {
        let Some(item) = items.get(chip.name.as_str()) else { continue };
        let write = write_net(netlist, chip, item);
        let ends: Vec<Option<End>> = item
            .pins
            .iter()
            .map(|pin| match pin.net.as_deref()? {
                rail if RAILS.contains(&rail) => Some(End::Rail(rail == RAILS[0])),
                _ => {
                    let (role, net) = role(chip, &pin.name, write)?;
                    pins.push(Pin { chip: id, number: pin.number, name: pin.name.clone(), net, role });
                    Some(End::Net(net))
                }
            })
            .collect();
        for (pair, ends) in item.pins.windows(2).zip(ends.windows(2)) {
            let [(one, Some(a)), (other, Some(b))] = [(&pair[0], ends[0]), (&pair[1], ends[1])] else {
                continue;
            };
            // The last pin of one side is opposite to the first pin of the other side, not adjacent.
            let is_turn = one.number == item.pins.len() / 2;
            let is_supply = matches!((a, b), (End::Rail(_), End::Rail(_)));
            if is_turn || is_supply || a == b || !joined.insert((a.min(b), a.max(b))) {
                continue;
            }
            neighbours.push(Neighbours {
                chip: id,
                numbers: [one.number, other.number],
                names: [one.name.clone(), other.name.clone()],
                ends: [a, b],
            });
        }
    }
    (pins, neighbours)
}

/// The role of a pin with this name, and its net. The net of a write pin may be the inverse of the line in the netlist.
fn role(chip: &Chip, name: &str, write: Option<NetId>) -> Option<(Role, NetId)> {
    let role = Role::of(chip, name)?;
    let net = match role {
        Role::Data(line) => chip.data[line],
        Role::Line { line, .. } if role.is_write(chip) => write.unwrap_or(chip.reads[line]),
        Role::Line { line, .. } => chip.reads[line],
    };
    Some((role, net))
}
