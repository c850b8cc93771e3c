//! The comparison of two runs: where their visible stores differ, and where their ends do.

use crate::contracts::levels::{Byte, Outcome};
use crate::contracts::lockstep::{Lockstep, Pauses, Rule, States};
use crate::contracts::scene::Scene;
use crate::contracts::segment::{Pause, WRITTEN};
use gray1_isa::Word;
use gray1_machine::logic::{FALSE, Function, TRUE};

impl Lockstep<'_, '_> {
    /// Returns where two visible stores differ.
    pub(super) fn differ_in_stores(&mut self, words: [Word; 2], states: &States) -> Outcome<Function> {
        let condition = states[0].condition;
        if words[0].x() != words[1].x() {
            return Ok(condition);
        }
        let mut differ = self.scene.levels.differ_anywhere(&states[0].a, &states[1].a)?;
        if self.rule == (Rule::Same { cycles: true }) && states[0].cycles != states[1].cycles {
            let levels = &mut self.scene.levels;
            let [one, other] = states.each_ref().map(|state| state.cycles.above(0, levels));
            let later = levels.differ_in_number(&one?, &other?)?;
            differ = levels.or(differ, later)?;
        }
        self.scene.levels.and(condition, differ)
    }

    /// Returns where two runs with different noise differ at their end: one has not halted, or a byte that one of them has
    /// written differs.
    pub(super) fn differ_at_the_end(&mut self, pauses: Pauses, states: &States) -> Outcome<Function> {
        let condition = states[0].condition;
        if pauses != [Pause::Halted; 2] {
            return Ok(if pauses == [Pause::Silent; 2] { FALSE } else { condition });
        }
        let mut all = FALSE;
        for (&address, [written, ..]) in states[0].ram.range(WRITTEN..) {
            let other = states[1].ram.get(&address).map_or(TRUE, |[other, ..]| *other);
            let written = self.scene.levels.or(*written, other)?;
            let [one, other] =
                [self.byte(0, address - WRITTEN, states)?, self.byte(1, address - WRITTEN, states)?];
            let differ = self.scene.levels.differ_anywhere(&one, &other)?;
            let differ = self.scene.levels.and(differ, written)?;
            all = self.scene.levels.or(all, differ)?;
        }
        self.scene.levels.and(condition, all)
    }

    /// Returns a byte of RAM of one run.
    fn byte(&mut self, side: usize, address: u16, states: &States) -> Outcome<Byte> {
        match states[side].ram.get(&address) {
            Some(&byte) => Ok(byte),
            None => self.entry_byte(side, address),
        }
    }

    pub(super) fn entry_byte(&mut self, side: usize, address: u16) -> Outcome<Byte> {
        let Scene { levels, variables, entry, .. } = &mut self.scene;
        let entry = if side == 0 { entry } else { &mut self.second };
        entry.byte(address, variables, levels)
    }
}
