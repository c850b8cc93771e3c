//! The board in a form in which `flow` can look up chips quickly: small numbers, and all ROM cells in one array. It
//! also has the timing of the chips, which is not in the netlist.

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
    /// The chips that read each net, concatenated.
    pub readers: Vec<Reader>,
    /// The contents of all ROMs, concatenated; chips with the same table share it.
    pub cells: Vec<u8>,
    /// Each outlet: the port, then the rows of the display.
    pub outlets: Vec<Outlet<Vec<NetId>>>,
}

/// A wire of the board.
pub struct Net {
    /// Its driver: the number of a chip or, above those, of a group of inputs of the board.
    pub driver: u8,
    /// The line of the driver, as a mask.
    pub bit: u8,
    /// The outlet whose latch is opened by this net.
    pub opens: Option<u8>,
    /// The chips that read it, as a range of all readers.
    pub readers: Range<u32>,
}

/// A chip that reads a net.
#[derive(Clone, Copy)]
pub struct Reader {
    pub chip: u8,
    /// Its address line, as a mask.
    pub line: u32,
}

/// A memory chip. Times are in picoseconds.
pub struct Chip {
    pub source: Source,
    /// The net on its lowest data line; the others follow.
    pub first: NetId,
    /// The number of its data lines.
    pub lines: usize,
    /// The time for which a RAM needs stable inputs to store them.
    pub inertia: u64,
    /// A lookup causes a transient if its random number is below this.
    pub transient_below: u64,
    /// Half of its transients are longer than this.
    pub half_longer: u64,
    /// Which of its lines do not matter, and when.
    pub idle: Idle,
}

/// The source of a chip's data.
#[derive(Clone, Copy)]
pub enum Source {
    /// A table that begins at this offset among the cells.
    Rom { offset: usize },
    /// A RAM with this number of address lines.
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
