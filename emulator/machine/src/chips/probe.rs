//! Looking at the board while it runs: any net, any chip, any byte of RAM, without a search by name each time.

use super::wires::{Data, Port, gather};
use super::{ChipsEngine, Snapshot};
use crate::engine::{Outside, Unsettled};
use gray1_isa::from_gray;
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW};

/// Clips on a net or a bus of one board.
#[derive(Clone, Debug)]
pub struct Probe(Port);

/// Clips on all lines of one chip.
#[derive(Clone, Debug)]
pub struct ChipProbe {
    driver: usize,
    shift: u32,
    mask: Data,
}

impl ChipsEngine {
    /// Runs as [`Engine::run`](crate::Engine::run) does, but only until `stop` says so at the beginning of a cycle that follows.
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<u64, Unsettled> {
        let start = self.cycle;
        let mut stopped = false;
        while self.cycle - start < cycles && !self.halted && !stopped {
            stopped = match self.plan.clone() {
                Some(plan) if self.phase == 0 => {
                    plan.run(self, cycles - (self.cycle - start), outside, &mut stop)?
                }
                _ => {
                    self.phase(outside)?;
                    self.phase == 0 && stop(self)
                }
            };
        }
        Ok(self.cycle - start)
    }

    /// The sequence number of the instruction that this cycle runs, the same in all its phases.
    #[inline]
    pub fn running(&self) -> u16 {
        from_gray(self.counter_before)
    }

    /// A byte of RAM; the lowest 12 bits of the address count.
    pub fn ram(&self, address: u16) -> u8 {
        let mut place = 0;
        let mut byte = 0;
        for &(offset, shift, bits) in &self.pins.memory {
            let cell = self.cells[offset + usize::from(address & 0xFFF)];
            byte |= (cell >> shift & ((1 << bits) - 1)) << place;
            place += bits;
        }
        byte as u8
    }

    /// What a program would read at an address: RAM, or an input in its place.
    pub fn reads(&self, address: u16) -> u8 {
        match address & 0xFFF {
            PADCOL => self.pins.pad_column.read(&self.levels) as u8,
            PADROW => self.pins.pad_row.read(&self.levels) as u8,
            KEYS => self.pins.keys.read(&self.levels) as u8,
            address if address >= INPUTS => 0,
            address => self.ram(address),
        }
    }

    /// Clips on a net or a bus of this name.
    pub fn probe(&self, name: &str) -> Option<Probe> {
        self.circuit.bus(name).map(Probe)
    }

    /// What a probe of this board shows now.
    pub fn read(&self, probe: &Probe) -> u16 {
        probe.0.read(&self.levels)
    }

    /// Clips on a chip of this name, and how many data lines it has.
    pub fn probe_chip(&self, name: &str, data_lines: usize) -> Option<ChipProbe> {
        let (driver, seat) = self.circuit.chip(name)?;
        Some(ChipProbe { driver, shift: seat.shift, mask: ((1u32 << data_lines) - 1) as Data })
    }

    /// The cell that a chip looks up now, and what the chip gives.
    pub fn look_at(&self, chip: &ChipProbe) -> (u32, u16) {
        let driver = &self.circuit.drivers[chip.driver];
        let address = gather(&driver.wires, &self.levels);
        let cell = driver.ram_address.map_or(address, |lines| address & ((1 << lines) - 1));
        (cell, self.gives(chip))
    }

    /// What a chip gives now, a bit a data line.
    pub fn gives(&self, chip: &ChipProbe) -> u16 {
        self.levels[chip.driver] >> chip.shift & chip.mask
    }

    /// All nets of the board by name, and all buses.
    pub fn net_names(&self) -> impl Iterator<Item = &str> {
        self.circuit.names()
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
        let mut engine = ChipsEngine::power_up(&board, &Image::from_words(words), Noise::Random(4)).unwrap();
        let names: Vec<String> = engine.net_names().map(str::to_owned).collect();
        assert!(names.len() > 200, "{} names", names.len());
        for _ in 0..12 {
            for name in &names {
                assert_eq!(engine.probe(name).map(|probe| engine.read(&probe)), engine.net(name), "{name}");
            }
            for chip in &board.chips {
                let probe = engine.probe_chip(chip.name(), chip.data().len()).unwrap();
                let number = |nets: &[String]| {
                    nets.iter().rev().fold(0, |sum, net| sum << 1 | u32::from(engine.net(net).unwrap()))
                };
                let seen = (number(chip.address().names()), number(chip.data().names()) as u16);
                assert_eq!(engine.look_at(&probe), seen, "{}", chip.name());
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
        let mut engine = ChipsEngine::power_up(&board, &Image::from_words(words), Noise::Ones).unwrap();
        engine.press(Inputs { pad: Some((2, 3)), keys: 0b101 }).unwrap();
        for address in 0xFF0..0x1000 {
            assert_eq!(Some(u16::from(engine.reads(address))), engine.net("D"), "{address:03X}");
            engine.run(1, &mut ()).unwrap();
        }
    }

    #[test]
    fn a_run_stops_where_it_is_told() {
        let words = (0..100).map(|value| Word::constant(Opcode::Lda, value));
        let image = Image::from_words(words);
        let mut engine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).unwrap();
        assert_eq!(engine.run_until(50, &mut (), |engine| engine.running() == 20), Ok(20));
        assert_eq!(engine.run_until(50, &mut (), |engine| engine.running() == 20), Ok(50));
        assert_eq!(engine.run_until(500, &mut (), |_| false), Ok(31));
        assert!(engine.halted());
    }
}
