//! One case of a cycle: a level for each variable, the effect according to the instruction set, and the effect on the
//! board.

use super::comparison::{Cycle, Difference, What};
use super::program::Path;
use crate::cycle::Repair;
use crate::mismatch::{Cell, Program};
use crate::phase::write_line;
use crate::runs::{outlet_address, reads};
use gray1_isa::memory_map::INPUTS;
use gray1_isa::{Word, from_gray};
use gray1_machine::Inputs;
use gray1_machine::board::Board;
use gray1_machine::logic::{Function, Variable};
use gray1_machine::netlist::{Holds, NetId};
use std::collections::HashMap;

/// One case: a cycle with a level for each variable.
pub(super) struct Case<'a, 'b> {
    pub cycle: &'a Cycle<'b>,
    pub levels: HashMap<Variable, bool>,
}

impl Case<'_, '_> {
    fn level(&self, function: Function) -> bool {
        self.number(&[function]) == 1
    }

    /// Returns the number on some lines, lowest first.
    fn number(&self, lines: &[Function]) -> u32 {
        let level = |variable| self.levels.get(&variable).copied().unwrap_or_default();
        self.cycle.board.diagrams.number(lines, level)
    }

    fn word(&self) -> Word {
        Word(self.number(&self.cycle.before.word) as u16)
    }

    fn pc(&self) -> u16 {
        from_gray(self.number(&self.cycle.before.counter) as u16)
    }

    pub fn in_words(&self) -> String {
        let (word, before) = (self.word(), &self.cycle.before);
        let (a, c) = (self.number(&before.accumulator), u8::from(self.level(before.carry)));
        let mut words = format!("{word} at {:03X} with A = {a:02X}, C = {c}", self.pc());
        if reads(self.word()) && word.x() < INPUTS {
            words += &format!(", RAM[{:03X}] = {:02X}", word.x(), self.number(&before.byte));
        } else if reads(self.word()) {
            let [column, row, keys] =
                [&before.pad_column, &before.pad_row, &before.keys].map(|lines| self.number(lines));
            words += &format!(", pad column {column:02X}, pad row {row:02X}, keys {keys:02X}");
        }
        words
    }

    fn registers(&self, counter: &[Function], accumulator: &[Function], carry: Function) -> String {
        let (pc, a) = (from_gray(self.number(counter) as u16), self.number(accumulator));
        format!("PC = {pc:03X}, A = {a:02X}, C = {}", u8::from(self.level(carry)))
    }

    /// Returns the nets that are wrong, the expected effect, and the effect on the board.
    pub fn compared(&self, wrong: &Difference) -> (Vec<NetId>, String, String) {
        let Cycle { before, after, board, .. } = self.cycle;
        let panel = &board.netlist.panel;
        let x = self.word().x();
        let lines = |nets: &[NetId], wanted: &[Function]| {
            let wrong = nets
                .iter()
                .zip(wanted)
                .filter(|(net, wanted)| self.level(board.levels[**net]) != self.level(**wanted));
            wrong.map(|(&net, _)| net).collect::<Vec<_>>()
        };
        let name = |nets: &[NetId]| board.netlist.nets[nets[0]].name.clone();
        let expected = || self.registers(&after.counter, &after.accumulator, after.carry);
        let got = || {
            let carry = board.levels[panel.carry[0]];
            self.registers(&board.on(&panel.counter), &board.on(&panel.accumulator), carry)
        };
        match wrong.what {
            What::Accumulator => (lines(&panel.accumulator, &after.accumulator), expected(), got()),
            What::Carry => (panel.carry.clone(), expected(), got()),
            What::Counter => (lines(&panel.counter, &after.counter), expected(), got()),
            What::Target => {
                let words = |lines: &[Function]| format!("the target is {:03X}", self.number(lines));
                let nets = lines(&panel.target, &after.target);
                (nets, words(&after.target), words(&board.on(&panel.target)))
            }
            What::Jumped => {
                let words = |level: bool| if level { "it jumps" } else { "it does not jump" }.to_owned();
                let jumped = self.level(after.jumped);
                (panel.jump_master.clone(), words(jumped), words(!jumped))
            }
            What::Shown(index) => {
                let Some(outlet) = panel.outlets().nth(index) else { return Default::default() };
                let wanted = self.number(&after.outlets[index]) as u8;
                let shown = outlet.shown(self.number(&board.on(&outlet.latch)) as u8);
                let nets = (0..).zip(&outlet.latch).filter(|(bit, _)| (wanted ^ shown) >> bit & 1 == 1);
                let words = |byte: u8| format!("{} and its row show {byte:02X}", name(&outlet.latch));
                (nets.map(|(_, &net)| net).collect(), words(wanted), words(shown))
            }
            What::Strobe(index) => self.strobe(wrong, index),
            What::Store => {
                let phase = self.cycle.phase_of(wrong.lookups.saturating_sub(1));
                let expected = match phase == 1 && self.level(after.stores) {
                    true => format!("RAM[{x:03X}] takes {:02X} in phase 1", self.number(&before.accumulator)),
                    false => format!("RAM takes nothing in phase {phase}"),
                };
                (
                    vec![write_line(&board.netlist.chips[panel.memory[0]])],
                    expected,
                    self.written(wrong.lookups),
                )
            }
        }
    }

    /// Compares the enable of an outlet likewise.
    fn strobe(&self, wrong: &Difference, index: usize) -> (Vec<NetId>, String, String) {
        let netlist = self.cycle.board.netlist;
        let Some(outlet) = netlist.panel.outlets().nth(index) else { return Default::default() };
        let phase = self.cycle.phase_of(wrong.lookups.saturating_sub(1));
        let taken = phase == 1 && self.level(self.cycle.after.taken[index]);
        let (address, line) = (outlet_address(index), &netlist.nets[outlet.enable[0]].name);
        let words = |taken: bool| {
            let (what, level) = (if taken { "A" } else { "nothing" }, u8::from(taken));
            format!("the latch at {address:03X} takes {what} in phase {phase}: {line} = {level}")
        };
        (outlet.enable.clone(), words(taken), words(!taken))
    }

    /// Describes the stores of the RAM chips up to this lookup.
    fn written(&self, until: usize) -> String {
        let mut taken = Vec::new();
        for lookup in &self.cycle.board.lookups[..until] {
            let Holds::Ram { address } = self.cycle.board.netlist.chips[lookup.chip].holds else { continue };
            let write = lookup.reads.len() - 1;
            if self.level(lookup.reads[write]) {
                let name = &self.cycle.board.netlist.chips[lookup.chip].name;
                let (at, input) = (&lookup.reads[..address], &lookup.reads[address..write]);
                taken.push(format!("{name}[{:03X}] takes {:X}", self.number(at), self.number(input)));
            }
        }
        taken.dedup();
        if taken.is_empty() { "RAM takes nothing".to_owned() } else { taken.join(", ") }
    }

    /// Returns the lookups that lead to a wrong level, the last first. Each is followed by that of the line which alone
    /// determines its level.
    pub fn chain(&self, nets: &[NetId], until: usize) -> Vec<(Cell, Option<Repair>)> {
        let Cycle { board, .. } = self.cycle;
        let netlist = board.netlist;
        let mut chain = Vec::new();
        let (mut net, mut until) = (nets.first().copied(), until);
        while let Some((pin, index)) = net.and_then(|net| {
            let pin = netlist.nets[net].driver?;
            Some((pin, board.lookups[..until].iter().rposition(|lookup| lookup.chip == pin.chip)?))
        }) {
            let (chip, lookup) = (&netlist.chips[pin.chip], &board.lookups[index]);
            let (address, data) = (self.number(&lookup.reads), self.number(&lookup.data) as u8);
            let line = netlist.nets[chip.data[pin.line]].name.clone();
            let Holds::Table(table) = chip.holds else { break };
            let repair = Repair { table, address, bit: pin.line };
            chain.push((Cell { chip: chip.name.clone(), address, data, line }, Some(repair)));
            let level = |address: u32| netlist.tables[table][address as usize] >> pin.line & 1;
            let decides = |line: &usize| level(address) != level(address ^ 1 << line);
            let seen = |line: &usize| {
                let driver = netlist.nets[chip.reads[*line]].driver;
                driver.is_some_and(|pin| board.lookups[..index].iter().any(|lookup| lookup.chip == pin.chip))
            };
            let next = (0..chip.reads.len()).filter(decides).find(seen);
            net = next.map(|line| chip.reads[line]);
            until = index;
        }
        chain
    }

    /// Returns a program that leads to this case, if the chips engine confirms the fault.
    pub fn program(&self, board: &Board) -> Option<Program> {
        let (before, word, pc) = (&self.cycle.before, self.word(), self.pc());
        let mut stores = vec![(word.x(), self.number(&before.byte) as u8)];
        let shown = before.outlets.iter().map(|shown| self.number(shown) as u8);
        stores.extend((0..).map(outlet_address).zip(shown));
        let (a, c) = (self.number(&before.accumulator) as u8, self.level(before.carry));
        Path { stores, a, c, words: vec![(pc, word)] }.program(board, self.pressed()?)
    }

    /// Returns the pads and keys, if it is possible to hold down this combination.
    fn pressed(&self) -> Option<Inputs> {
        let before = &self.cycle.before;
        let [column, row] = [&before.pad_column, &before.pad_row].map(|lines| self.number(lines));
        let pad = match (column.count_ones(), row.count_ones()) {
            (1, 1) => Some((row.ilog2() as u8, column.ilog2() as u8)),
            (0, 0) => None,
            _ if !reads(self.word()) => None,
            _ => return None,
        };
        Some(Inputs { pad, keys: self.number(&before.keys) as u8 })
    }
}
