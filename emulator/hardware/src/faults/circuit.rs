//! The board of a machine with a fault: each chip has a separate table, and every pin of its package is listed.
//!
//! It adds to the netlist the properties of the assembled hardware: the write pin of RAM may have the inverse of the line
//! in the netlist, and pins have neighbours.

use crate::faults::opens::{Open, opens};
use crate::kit::{Assembly, AssemblyError, RAILS, Role, sockets};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::netlist::{Chip, ChipId, NetId};
use gray1_machine::pack::{Bank, Pack};
use gray1_machine::settle::readers_of;
use gray1_machine::wires::Data;
use gray1_machine::{Netlist, Noise};
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
    /// Every resistor and every conductor of a cable that leads a net.
    pub opens: Vec<Open>,
    /// The contents that a ROM may have: each of the board once, and those of a blank one.
    pub(crate) contents: Vec<Contents>,
    pub(crate) image: Image,
    /// The board with a bank for each chip.
    pub(crate) pack: Pack,
    /// The cells of all chips at power-up.
    cells: Vec<Data>,
    /// The banks that are written while their write line is 0, as a set.
    pub(crate) written_at_0: u64,
}

/// A pin of a memory chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The chip.
    pub chip: ChipId,
    /// Its package: that of the chip, or of the buffer beside a RAM.
    pub package: String,
    /// Its number on the package.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The net on it.
    pub net: NetId,
    pub(crate) role: Role,
}

/// The contents of a ROM.
pub(crate) struct Contents {
    /// The first chip of the board that has them; `None` for a blank chip.
    pub of: Option<ChipId>,
    /// All chips of the board that have them.
    chips: Vec<ChipId>,
    /// All cells of the part.
    cells: Vec<u8>,
}

/// Two adjacent pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Their package.
    pub package: String,
    /// The numbers of both pins.
    pub numbers: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// The nets or rails on them.
    pub ends: [End; 2],
}

/// The net or rail on a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// A net.
    Net(NetId),
    /// A supply rail, with its level.
    Rail(bool),
}

impl Circuit {
    /// A board with this program, assembled as by `gray1 build`.
    pub fn new(board: &Board, image: &Image) -> Result<Circuit, AssemblyError> {
        let netlist = Arc::clone(board.netlist());
        let assembly = &Assembly::new(board)?;
        // The net on a write pin may be the inverse of the line in the netlist.
        let mut wired = Netlist::clone(&netlist);
        let mut inverted: Vec<ChipId> = Vec::new();
        for (id, chip) in wired.chips.iter_mut().enumerate().filter(|(_, chip)| chip.is_ram()) {
            let net = write_net(&netlist, chip, assembly);
            if let (Some(write), Some(net)) = (chip.reads.last_mut(), net)
                && std::mem::replace(write, net) != net
            {
                inverted.push(id);
            }
        }
        let banks = netlist.travel_order().into_iter().map(|id| vec![id]).collect();
        let (pack, cells) = Pack::of(&wired, image, banks);
        let written_at_0 = inverted.iter().fold(0, |set, &id| set | 1 << pack.chips[id].bank);
        let (pins, neighbours) = packages(&wired, assembly);
        let opens = opens(&wired, assembly);
        let contents = contents(board, image);
        let image = image.clone();
        Ok(Circuit { netlist, pins, neighbours, opens, contents, image, pack, cells, written_at_0 })
    }

    /// The index of the contents of a ROM.
    pub(crate) fn burned(&self, chip: ChipId) -> Option<usize> {
        self.contents.iter().position(|contents| contents.chips.contains(&chip))
    }

    /// A cell of these contents in the socket of a chip: the data lines that the socket uses.
    #[inline(always)]
    pub(crate) fn cell_of(&self, chip: ChipId, contents: usize, address: usize) -> Data {
        let lines = self.netlist.chips[chip].data.len();
        Data::from(self.contents[contents].cells[address]) & ((1 << lines) - 1)
    }

    /// The bank of a chip.
    pub(crate) fn bank_of(&self, chip: ChipId) -> usize {
        self.pack.chips[chip].bank
    }

    /// The cells of a bank if it is a ROM.
    #[inline(always)]
    pub(crate) fn rom(&self, bank: usize) -> Option<&[Data]> {
        let Bank { offset, reads, ram_address: None, .. } = &self.pack.banks[bank] else { return None };
        (!reads.is_empty()).then(|| &self.cells[*offset..offset + (1 << reads.len())])
    }

    /// The cells of all RAM chips at power-up.
    pub(crate) fn ram(&self, noise: Noise) -> Vec<Data> {
        let mut cells = self.cells[self.pack.ram..].to_vec();
        self.pack.fill_ram(&mut cells, &noise.ram());
        cells
    }

    /// All banks that depend on the output of these banks, directly or indirectly, including themselves, as a set.
    pub(crate) fn reached_by(&self, mut reached: u64) -> u64 {
        loop {
            let banks = self.pack.banks.iter().enumerate().filter(|(bank, _)| reached >> bank & 1 == 1);
            let more = banks.fold(reached, |set, (_, bank)| set | readers_of(&bank.readers, Data::MAX));
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }
}

/// The contents of all ROMs of a board, each once, and those of a blank one. None if the board cannot be burned.
fn contents(board: &Board, image: &Image) -> Vec<Contents> {
    let mut all: Vec<Contents> = Vec::new();
    for socket in sockets(board, image).unwrap_or_default() {
        let Some(chip) = board.netlist().chip(&socket.name) else { continue };
        match all.iter_mut().find(|contents| contents.cells == socket.image) {
            Some(contents) => contents.chips.push(chip),
            None => all.push(Contents { of: Some(chip), chips: vec![chip], cells: socket.image }),
        }
    }
    let blank = all.first().map(|first| vec![0xFF; first.cells.len()]);
    all.extend(blank.map(|cells| Contents { of: None, chips: Vec::new(), cells }));
    all
}

/// The net on the write pin of a RAM.
fn write_net(netlist: &Netlist, chip: &Chip, assembly: &Assembly) -> Option<NetId> {
    let (_, pin, _) = assembly.pins_of(chip).find(|(.., role)| role.is_write(chip))?;
    netlist.net(pin.net.as_deref()?)
}

/// The pins of all packages that are connected to nets of the board, and the pairs of adjacent pins. The chips of the
/// netlist read the nets that are on their pins.
fn packages(netlist: &Netlist, assembly: &Assembly) -> (Vec<Pin>, Vec<Neighbours>) {
    let (mut pins, mut neighbours, mut joined) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (id, chip) in netlist.chips.iter().enumerate() {
        for (item, pin, role) in assembly.pins_of(chip) {
            let is_signal = pin.net.as_deref().is_some_and(|net| !RAILS.contains(&net));
            if is_signal {
                let net = match role {
                    Role::Data(line) => chip.data[line],
                    Role::Line(line) => chip.reads[line],
                };
                let (package, number, name) = (item.reference.clone(), pin.number, pin.name.clone());
                pins.push(Pin { chip: id, package, number, name, net, role });
            }
        }
    }
    let net_of: BTreeMap<(&str, usize), NetId> =
        pins.iter().map(|pin| ((pin.package.as_str(), pin.number), pin.net)).collect();
    let packages = assembly.with_buffers(netlist.chips.iter().map(|chip| chip.name.as_str()));
    let items = packages.iter().filter_map(|package| assembly.item(package));
    for item in items {
        let ends = item.pins.iter().map(|pin| match pin.net.as_deref()? {
            rail if RAILS.contains(&rail) => Some(End::Rail(rail == RAILS[0])),
            _ => net_of.get(&(item.reference.as_str(), pin.number)).copied().map(End::Net),
        });
        let ends: Vec<Option<End>> = ends.collect();
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
                package: item.reference.clone(),
                numbers: [one.number, other.number],
                names: [one.name.clone(), other.name.clone()],
                ends: [a, b],
            });
        }
    }
    (pins, neighbours)
}
