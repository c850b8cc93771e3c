//! The machine code so far: the exits of its trees, and the constants behind it.

use super::tables::Kind;
use super::trace_state::{Counts, Exit};
use super::value::{BIT, BYTE, Value};
use crate::uses::Needs;
use dynasmrt::x64::Assembler;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use gray1_machine::evaluated::Functions;
use std::collections::BTreeMap;

/// The beginning of a tree.
#[derive(Clone, Copy)]
pub struct Entry {
    pub label: DynamicLabel,
    pub needs: Needs,
}

/// The code so far, and the data that its trees share.
pub struct Translator<'a> {
    pub ops: Assembler,
    /// The entries, by node.
    pub heads: Vec<Option<Entry>>,
    pub out: DynamicLabel,
    /// The constants that are added to the counters, placed after the code.
    pub counts: BTreeMap<Counts, DynamicLabel>,
    /// The maps that are looked up, by number, likewise.
    pub maps: BTreeMap<u16, DynamicLabel>,
    pub functions: &'a Functions,
    /// The maps that are computed instead of looked up.
    pub kinds: Vec<Kind>,
}

impl Translator<'_> {
    /// Continues at an entry if enough cycles are left; otherwise leaves the code.
    pub fn leave(&mut self, Exit { now, ran, to, halts }: Exit, homes: [u16; 2]) {
        let entry = self.heads[to as usize].filter(|_| !halts);
        // Values that the entry does not need are put in their places only when the code is left.
        let Needs([needs_byte, needs_bit]) = entry.map_or(Needs::ALL, |entry| entry.needs);
        let [byte, bit] = homes.map(|home| now.value(home));
        // The flag does not last, and the register of the byte may be that of the bit.
        let is_bit_first = needs_bit || !matches!(bit, Value::Constant(_));
        let is_home = matches!(bit, Value::Constant(byte) if now.home_bit == Some(byte));
        if is_bit_first && !is_home {
            self.home_bit(bit);
        }
        if needs_byte {
            self.home(BYTE, byte);
        }
        let ops = &mut self.ops;
        if now.counts != [0; 8] {
            let counts = *self.counts.entry(now.counts).or_insert_with(|| ops.new_dynamic_label());
            dynasm!(ops ; .arch x64 ; paddw xmm0, [=>counts]);
        }
        if now.stores != 0 {
            dynasm!(ops ; .arch x64 ; add r10, 8 * now.stores);
        }
        dynasm!(ops ; .arch x64 ; sub r8d, BYTE ran as i8);
        if let Some(Entry { label, .. }) = entry {
            dynasm!(ops ; .arch x64 ; jae =>label);
        }
        if !is_bit_first && !is_home {
            self.home_bit(bit);
        }
        if !needs_byte {
            self.home(BYTE, byte);
        }
        dynasm!(self.ops ; .arch x64 ; mov ecx, to as i32 ; jmp =>self.out);
    }

    /// Moves the bit to its home.
    pub fn home_bit(&mut self, bit: Value) {
        match bit {
            Value::Flag => dynasm!(self.ops ; .arch x64 ; setb r9b),
            bit => self.home(BIT, bit),
        }
    }

    /// Moves a value to a register.
    pub fn home(&mut self, to: u8, value: Value) {
        match value {
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov Rd(to), i32::from(byte)),
            Value::Register { number, inverted } => {
                if number != to {
                    dynasm!(self.ops ; .arch x64 ; mov Rd(to), Rd(number));
                }
                if inverted {
                    dynasm!(self.ops ; .arch x64 ; not Rb(to));
                }
            }
            Value::Flag => {}
        }
    }

    /// Writes the tables of the code, behind it.
    pub fn write_constants(&mut self) {
        dynasm!(self.ops ; .arch x64 ; .align 16);
        for (counts, label) in &self.counts {
            dynasm!(self.ops ; .arch x64 ; =>*label);
            for count in counts {
                self.ops.push_u16(*count);
            }
        }
        for (&map, label) in &self.maps {
            dynasm!(self.ops ; .arch x64 ; =>*label);
            self.ops.extend(&self.functions.maps[usize::from(map)]);
        }
    }
}
