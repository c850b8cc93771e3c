//! A board without a CPU while it runs: switches are set, and the board settles by the general rule.

use crate::board::Board;
use crate::board::netlist::{NetId, Netlist};
use crate::pack::Pack;
use crate::state::Noise;
use crate::wires::{Data, Levels};
use gray1_isa::Image;
use std::sync::Arc;
use thiserror::Error;

/// A board without a CPU, switched on.
///
/// ```
/// use gray1_machine::board::Board;
/// use gray1_machine::{BenchRun, Noise};
///
/// let board = Board::parse_any(
///     r#"Board(
///         name: "an alarm",
///         parts: {"27C64": Rom(address: 13, data: 8, about: "EPROM")},
///         inputs: [(nets: "SET RESET", about: "buttons")],
///         chips: [Rom(name: "ALARM", part: "27C64", burn: Formula(["Q = !RESET & (SET | Q)"]), address: "SET RESET Q", data: "Q")],
///         bench: (switches: "SET RESET", lamps: "Q"),
///     )"#,
///     "alarm.ron",
/// )?;
/// let net = |name| board.netlist().net(name).unwrap();
/// let mut run = BenchRun::switch_on(&board, Noise::Zeros)?;
/// run.set(&[(net("SET"), true)])?;
/// run.set(&[(net("SET"), false)])?;
/// assert!(run.level(net("Q"))); // it remembers
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct BenchRun {
    netlist: Arc<Netlist>,
    pack: Arc<Pack>,
    levels: Levels,
    cells: Vec<Data>,
}

/// A board without a CPU does not settle.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("it never comes to rest: {} keep changing", chips.join(", "))]
pub struct Unstable {
    /// The chips that keep changing each other, or themselves.
    pub chips: Vec<String>,
}

impl BenchRun {
    /// All switches are at 0, and chips that hold something hold noise.
    pub fn switch_on(board: &Board, noise: Noise) -> Result<BenchRun, Unstable> {
        let netlist = Arc::clone(board.netlist());
        let (pack, mut cells) = Pack::new(&netlist, &Image::blank());
        let (levels, ram) = (pack.wake(&netlist, noise), noise.ram());
        for bank in &pack.banks {
            let Some(address) = bank.ram_address else { continue };
            let width: usize = bank.chips.iter().map(|&chip| netlist.chips[chip].data.len()).sum();
            let mask = Data::MAX >> (Data::BITS as usize - width);
            let stored = cells[bank.offset..].iter_mut().take(1 << address).zip(ram.iter().cycle());
            stored.for_each(|(cell, &byte)| *cell = (Data::from(byte) * 0x101) & mask);
        }
        let mut run = BenchRun { pack: Arc::new(pack), netlist, levels, cells };
        run.settle(run.pack.all_chips())?;
        Ok(run)
    }

    /// Sets inputs, all at once, and lets the board settle.
    pub fn set(&mut self, inputs: &[(NetId, bool)]) -> Result<(), Unstable> {
        let mut dirty = 0;
        for &(net, level) in inputs {
            if self.level(net) != level {
                let bit = self.pack.nets[net];
                self.levels[bit.bank] ^= 1 << bit.bit;
                dirty |= self.pack.readers(bit);
            }
        }
        self.settle(dirty)
    }

    /// Puts the board into a state of rest, by the levels of all nets.
    pub fn resume(&mut self, levels: &[bool]) {
        for (bit, &level) in self.pack.nets.iter().zip(levels) {
            let data = &mut self.levels[bit.bank];
            *data = *data & !(1 << bit.bit) | Data::from(level) << bit.bit;
        }
    }

    /// The level of a net.
    pub fn level(&self, net: NetId) -> bool {
        self.pack.level(&self.levels, net)
    }

    /// The levels of all nets, by number.
    pub fn levels(&self) -> Vec<bool> {
        (0..self.netlist.nets.len()).map(|net| self.level(net)).collect()
    }

    fn settle(&mut self, dirty: u64) -> Result<(), Unstable> {
        let BenchRun { pack, levels, cells, netlist } = self;
        pack.settle(levels, cells, dirty)
            .map_err(|unsettled| Unstable { chips: pack.names_of(netlist, unsettled) })
    }
}
