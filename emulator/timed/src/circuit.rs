//! The board in the form in which `flow` looks chips up fastest: small numbers, all ROM cells in one array, and
//! what the netlist does not know: how chips behave in time.

use crate::conditions::NANOSECOND;
use crate::idle::Idle;
use gray1_isa::Image;
use gray1_machine::board::{Outlet, Timing};
use gray1_machine::burn::Burn;
use gray1_machine::netlist::{Holds, NetId, Netlist};
use std::ops::Range;

/// A board with a program.
pub struct Circuit {
    pub nets: Vec<Net>,
    pub chips: Vec<Chip>,
    /// For each net, the chips that read it, one net after the other.
    pub readers: Vec<Reader>,
    /// What all ROMs hold, one after the other; chips with the same table share it.
    pub cells: Vec<u8>,
    /// Each outlet: the port, then the rows of the display.
    pub outlets: Vec<Outlet<Vec<NetId>>>,
}

/// A wire of the board.
pub struct Net {
    /// What drives it: a chip, or after the last of these a group of inputs of the board.
    pub driver: u8,
    /// The line of that, as a mask.
    pub bit: u8,
    /// The outlet whose latch it opens.
    pub opens: Option<u8>,
    /// The chips that read it, among all readers.
    pub readers: Range<u32>,
    /// How many of these can show transients.
    pub noisy: u64,
}

/// A chip that reads a net.
#[derive(Clone, Copy)]
pub struct Reader {
    pub chip: u8,
    /// Its address line, as a mask.
    pub line: u32,
}

/// A memory chip. Times are picoseconds.
pub struct Chip {
    pub source: Source,
    /// The net on its lowest data line; the others follow.
    pub first: NetId,
    /// How many data lines it has.
    pub lines: usize,
    /// What a RAM takes must stand for this time.
    pub inertia: u64,
    /// A lookup for which a number below this is drawn causes a transient.
    pub transient_below: u64,
    /// Half of its transients are longer than this.
    pub half_longer: u64,
    /// When its lines do not matter.
    pub idle: Idle,
}

/// Where a chip's data come from.
#[derive(Clone, Copy)]
pub enum Source {
    /// A table that begins at this offset among the cells.
    Rom { offset: usize },
    /// A RAM with so many address lines.
    Ram { address: usize },
}

impl Circuit {
    pub fn new(netlist: &Netlist, timings: &[Timing], image: &Image) -> Circuit {
        let mut cells = Vec::new();
        let mut add = |table: &[u8]| {
            cells.extend_from_slice(table);
            cells.len() - table.len()
        };
        let tables: Vec<usize> = netlist.tables.iter().map(|table| add(table)).collect();
        let program = [Burn::ProgramLow, Burn::ProgramHigh].map(|burn| add(&burn.wired(12, 8, image)));
        let idle: Vec<Idle> = netlist.tables.iter().map(|table| Idle::of(table)).collect();
        let chips = netlist.chips.iter().zip(timings).map(|(chip, timing)| {
            let transients = u64::from(timing.transients.in_a_billion) * chip.data.len() as u64;
            Chip {
                source: match chip.holds {
                    Holds::Table(table) => Source::Rom { offset: tables[table] },
                    Holds::Program { byte } => Source::Rom { offset: program[byte] },
                    Holds::Ram { address } => Source::Ram { address },
                },
                idle: match chip.holds {
                    Holds::Table(table) => idle[table].clone(),
                    Holds::Program { .. } | Holds::Ram { .. } => Idle::default(),
                },
                first: chip.data[0],
                lines: chip.data.len(),
                inertia: u64::from(timing.inertia) * NANOSECOND,
                transient_below: u64::MAX / 1_000_000_000 * transients,
                half_longer: u64::from(timing.transients.half_longer) * NANOSECOND,
            }
        });
        let chips: Vec<Chip> = chips.collect();
        let mut readers = Vec::new();
        let nets = netlist.nets.iter().map(|net| {
            let first = readers.len() as u32;
            readers
                .extend(net.readers.iter().map(|pin| Reader { chip: pin.chip as u8, line: 1 << pin.line }));
            Net {
                driver: net.driver.map_or(0, |pin| pin.chip as u8),
                bit: net.driver.map_or(0, |pin| 1 << pin.line),
                opens: None,
                readers: first..readers.len() as u32,
                noisy: net.readers.iter().filter(|pin| chips[pin.chip].transient_below != 0).count() as u64,
            }
        });
        let mut nets: Vec<Net> = nets.collect();
        for (group, inputs) in (netlist.chips.len()..).zip(&netlist.inputs) {
            for (line, net) in nets[inputs.clone()].iter_mut().enumerate() {
                (net.driver, net.bit) = (group as u8, 1 << line);
            }
        }
        for (outlet, lines) in (0..).zip(netlist.panel.outlets()) {
            nets[lines.enable[0]].opens = Some(outlet);
        }
        let outlets = netlist.panel.outlets().cloned().collect();
        Circuit { nets, chips, readers, cells, outlets }
    }
}
