//! The interface of the engine for debuggers, recorders and proofs: reading any net, chip or byte of RAM, changing the
//! program, and returning to a snapshot.

use super::PlainEngine;
use crate::board::netlist::{ChipId, Holds, NetId, Netlist};
use crate::pack::{Bits, Pack, put_table};
use crate::wires::{Data, Levels, Port, gather};
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW};
use gray1_isa::{Image, from_gray};
use std::sync::Arc;

/// A handle for reading a net or a bus of one board quickly.
#[derive(Clone, Debug)]
pub struct Probe(Port);

/// All levels and RAM cells of the board between two phases, and the position in the run. It is small and cheap to
/// compare. The counts of [`Engine::executed`](crate::Engine::executed) are not part of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    levels: Levels,
    ram: Vec<Data>,
    phase: usize,
    cycle: u64,
    counter_before: u16,
    halted: bool,
}

impl PlainEngine {
    /// The sequence number of the instruction of this cycle. It is the same in all phases.
    #[inline]
    pub fn running(&self) -> u16 {
        from_gray(self.counter_before)
    }

    /// A byte of RAM. Only the lowest 12 bits of the address are used.
    pub fn ram(&self, address: u16) -> u8 {
        let (mut byte, mut shift) = (0, 0);
        for &Bits { offset, bit, count } in &self.pack.panel.memory {
            byte |= (self.cells[offset + usize::from(address & 0xFFF)] >> bit & ((1 << count) - 1)) << shift;
            shift += count;
        }
        byte as u8
    }

    /// Reads an address as a program does: RAM, or an input in its place.
    pub fn reads(&self, address: u16) -> u8 {
        match address & 0xFFF {
            PADCOL => self.pack.panel.pad_column.read(&self.levels) as u8,
            PADROW => self.pack.panel.pad_row.read(&self.levels) as u8,
            KEYS => self.pack.panel.keys.read(&self.levels) as u8,
            address if address >= INPUTS => 0,
            address => self.ram(address),
        }
    }

    /// The netlist of the board.
    pub fn netlist(&self) -> &Arc<Netlist> {
        &self.netlist
    }

    /// Whether the program chips hold this program.
    pub fn runs(&self, program: &Image) -> bool {
        let (pack, cells) = Pack::new(&self.netlist, program);
        self.cells[..pack.ram] == cells[..pack.ram]
    }

    /// The level of a net.
    pub fn level(&self, net: NetId) -> bool {
        self.pack.level(&self.levels, net)
    }

    /// A probe for the net or bus with this name.
    pub fn probe(&self, name: &str) -> Option<Probe> {
        self.netlist.bus(name).map(|nets| Probe(self.pack.port(&nets)))
    }

    /// A probe for all data lines of a chip.
    pub fn probe_chip(&self, chip: ChipId) -> Probe {
        Probe(self.pack.port(&self.netlist.chips[chip].data))
    }

    /// The current value at a probe of this board.
    pub fn read(&self, probe: &Probe) -> u16 {
        probe.0.read(&self.levels)
    }

    /// The level of a net, or the number on a bus, by name.
    pub fn net(&self, name: &str) -> Option<u16> {
        Some(self.read(&self.probe(name)?))
    }

    /// Forces a net or a bus to a level, as noise at power-up would; [`PlainEngine::reset`] has to follow. Returns
    /// false if there is no such net.
    pub fn force(&mut self, name: &str, value: u16) -> bool {
        match self.probe(name) {
            Some(Probe(port)) => port.force(&mut self.levels, value),
            None => return false,
        }
        true
    }

    /// The address at which a chip looks up now, and its output.
    pub fn look_at(&self, chip: ChipId) -> (u32, u16) {
        let bank = &self.pack.banks[self.pack.chips[chip].bank];
        let address = gather(&bank.wires, &self.levels);
        let cell = bank.ram_address.map_or(address, |lines| address & ((1 << lines) - 1));
        (cell, self.gives(chip))
    }

    /// The current output of a chip, one bit for each data line.
    pub fn gives(&self, chip: ChipId) -> u16 {
        let bit = self.pack.chips[chip];
        let lines: Data = (1 << self.netlist.chips[chip].data.len()) - 1;
        self.levels[bit.bank] >> bit.bit & lines
    }

    /// Replaces the program chips.
    pub(crate) fn change_program(&mut self, image: &Image) {
        let proms = image.to_proms();
        for (chip, bit) in self.netlist.chips.iter().zip(&self.pack.chips) {
            if let Holds::Program { byte } = chip.holds {
                put_table(&mut self.cells[self.pack.banks[bit.bank].offset..], &proms[byte], bit.bit);
            }
        }
    }

    /// A snapshot of the board.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            levels: self.levels,
            ram: self.cells[self.pack.ram..].to_vec(),
            phase: self.phase,
            cycle: self.cycle,
            counter_before: self.counter_before,
            halted: self.halted,
        }
    }

    /// Restores a snapshot of the same board and program.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.levels = snapshot.levels;
        self.cells[self.pack.ram..].copy_from_slice(&snapshot.ram);
        self.phase = snapshot.phase;
        self.cycle = snapshot.cycle;
        self.counter_before = snapshot.counter_before;
        self.halted = snapshot.halted;
    }
}

impl Snapshot {
    /// The cycle it was taken in.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The bytes of memory that it takes.
    pub fn size(&self) -> usize {
        size_of::<Snapshot>() + size_of_val(&self.ram[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::Engine;
    use crate::state::{Inputs, Noise};
    use gray1_isa::{Image, Opcode, Word};

    #[test]
    fn probes_show_what_names_do() {
        let words = [Word::constant(Opcode::Lda, 7), Word::new(Opcode::Sta, false, 5)];
        let board = Board::gray1();
        let mut engine = PlainEngine::power_up(&board, &Image::from_words(words), Noise::Random(4)).unwrap();
        let names: Vec<String> = engine.netlist().names().map(str::to_owned).collect();
        assert!(names.len() > 200, "{} names", names.len());
        for _ in 0..12 {
            for name in &names {
                assert_eq!(engine.probe(name).map(|probe| engine.read(&probe)), engine.net(name), "{name}");
            }
            for (id, chip) in board.chips.iter().enumerate() {
                let number = |nets: &[String]| {
                    nets.iter().rev().fold(0, |sum, net| sum << 1 | u32::from(engine.net(net).unwrap()))
                };
                let seen = (number(chip.address().names()), number(chip.data().names()) as u16);
                assert_eq!(engine.look_at(id), seen, "{}", chip.name());
            }
            let state = engine.state();
            assert!((0..4096).all(|address| engine.ram(address) == state.ram[usize::from(address)]));
            engine.phase(&mut ()).unwrap();
        }
    }

    #[test]
    fn inputs_are_read_in_place_of_ram() {
        let board = Board::gray1();
        let words = (0xFF0..0x1000).map(|address| Word::new(Opcode::Lda, false, address));
        let mut engine = PlainEngine::power_up(&board, &Image::from_words(words), Noise::Ones).unwrap();
        engine.press(Inputs { pad: Some((2, 3)), keys: 0b101 }).unwrap();
        for address in 0xFF0..0x1000 {
            assert_eq!(Some(u16::from(engine.reads(address))), engine.net("D"), "{address:03X}");
            engine.run(1, &mut ()).unwrap();
        }
    }
}
