//! Random programs, and runs of them that are recorded phase by phase.

use gray1_causes::{Levels, Moment, Past};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Engine, Netlist, Noise};
use proptest::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

/// A word that likes to use a few bytes, the display and the port, and to jump not too far.
fn word() -> impl Strategy<Value = Word> {
    let address = prop_oneof![0u16..4, 0xFE0u16..0xFE2, Just(0xFF0), Just(0xFFA)];
    let data = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let jump = prop_oneof![Just(Opcode::Jmp), Just(Opcode::Jc), Just(Opcode::Jz)];
    prop_oneof![
        3 => (data.clone(), any::<u8>()).prop_map(|(opcode, value)| Word::constant(opcode, value)),
        3 => (data, address.clone()).prop_map(|(opcode, x)| Word::new(opcode, false, x)),
        4 => address.prop_map(|x| Word::new(Opcode::Sta, false, x)),
        1 => (jump, 0u16..90).prop_map(|(opcode, to)| Word::jump(opcode, to)),
    ]
}

/// A program of that, some of it where the upper half of the counter steps.
pub fn image() -> impl Strategy<Value = Image> {
    proptest::collection::vec(word(), 80).prop_map(|mut words| {
        words.push(Word::jump(Opcode::Jmp, 0));
        Image::from_words(words)
    })
}

/// A run that is remembered whole.
pub struct Recorded {
    netlist: Arc<Netlist>,
    levels: Vec<Levels>,
    ram: Vec<[u8; RAM_BYTES]>,
}

impl Recorded {
    pub fn of(board: &Board, image: &Image, phases: usize) -> Recorded {
        let mut machine = ChipsEngine::power_up(board, image, Noise::Random(7)).unwrap();
        let mut run = Recorded { netlist: Arc::clone(board.netlist()), levels: Vec::new(), ram: Vec::new() };
        for _ in 0..=phases {
            run.levels.push(Levels::of(&machine));
            run.ram.push(std::array::from_fn(|address| machine.ram(address as u16)));
            if machine.halted() {
                break;
            }
            machine.phase(&mut ()).unwrap();
        }
        run
    }

    /// The last moment.
    pub fn last(&self) -> Moment {
        self.levels.len() as Moment - 1
    }

    /// A bit of a cell.
    pub fn bit(&self, chip: ChipId, address: u32, line: usize, at: Moment) -> bool {
        let before = self.netlist.panel.memory.iter().take_while(|&&other| other != chip);
        let shift = before.map(|&chip| self.netlist.chips[chip].data.len()).sum::<usize>() + line;
        self.ram[at as usize][address as usize] >> shift & 1 == 1
    }
}

impl Past for Recorded {
    type Error = Infallible;

    fn start(&self) -> Moment {
        0
    }

    fn levels(&mut self, at: Moment) -> Result<Levels, Infallible> {
        Ok(self.levels[at as usize])
    }

    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], Infallible> {
        Ok(self.ram[at as usize])
    }

    fn latest(
        &mut self,
        until: Moment,
        is_wanted: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, Infallible> {
        let found = (1..=until as usize).rev().find(|&at| is_wanted(&self.levels[at - 1], &self.levels[at]));
        Ok(found.map(|at| at as Moment))
    }
}

/// Every net is followed.
pub fn no_control(netlist: &Netlist) -> Vec<bool> {
    vec![false; netlist.nets.len()]
}
