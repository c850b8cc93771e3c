//! The board in the form in which `flow` looks chips up fastest: small numbers, all ROM cells in one array, and
//! what the netlist does not know: how chips behave in time.

use crate::conditions::NANOSECOND;
use gray1_isa::Image;
use gray1_machine::board::{Outlet, Timing};
use gray1_machine::burn::Burn;
use gray1_machine::netlist::{Holds, NetId, Netlist};

/// A board with a program.
pub struct Circuit {
    pub nets: Vec<Net>,
    pub chips: Vec<Chip>,
    /// What all ROMs hold, one after the other; chips with the same table share it.
    pub cells: Vec<u8>,
    /// Each outlet: the port, then the rows of the display.
    pub outlets: Vec<Outlet<Vec<NetId>>>,
}

/// A wire of the board.
pub struct Net {
    /// The chip that drives it; `None` for an input of the board.
    pub driver: Option<u16>,
    /// The data line of that chip, as a mask.
    pub bit: u8,
    /// The outlet whose latch it opens.
    pub opens: Option<u8>,
    /// The chips that read it, each with its address line as a mask.
    pub readers: Vec<(u16, u32)>,
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
        let chips = netlist.chips.iter().zip(timings).map(|(chip, timing)| {
            let transients = u64::from(timing.transients.in_a_billion) * chip.data.len() as u64;
            Chip {
                source: match chip.holds {
                    Holds::Table(table) => Source::Rom { offset: tables[table] },
                    Holds::Program { byte } => Source::Rom { offset: program[byte] },
                    Holds::Ram { address } => Source::Ram { address },
                },
                first: chip.data[0],
                lines: chip.data.len(),
                inertia: u64::from(timing.inertia) * NANOSECOND,
                transient_below: u64::MAX / 1_000_000_000 * transients,
                half_longer: u64::from(timing.transients.half_longer) * NANOSECOND,
            }
        });
        let chips = chips.collect();
        let nets = netlist.nets.iter().map(|net| Net {
            driver: net.driver.map(|pin| pin.chip as u16),
            bit: net.driver.map_or(0, |pin| 1 << pin.line),
            opens: None,
            readers: net.readers.iter().map(|pin| (pin.chip as u16, 1 << pin.line)).collect(),
        });
        let mut nets: Vec<Net> = nets.collect();
        for (outlet, lines) in (0..).zip(netlist.panel.outlets()) {
            nets[lines.enable[0]].opens = Some(outlet);
        }
        let outlets = netlist.panel.outlets().cloned().collect();
        Circuit { nets, chips, cells, outlets }
    }
}
