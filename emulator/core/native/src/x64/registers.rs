//! Allocates registers to A and to bytes of RAM while a trace is translated.

use super::path::Path;
use super::value::{Operand, Place, Value};
use super::{A, POOL};
use crate::ahead::needs_carry;
use dynasmrt::{DynasmApi, dynasm};
use gray1_isa::Opcode;

/// A byte of RAM that is also in a register, or whose value is known.
#[derive(Clone, Copy)]
pub struct Cached {
    pub place: i32,
    pub value: Value,
    /// Whether it has not been stored, because another store follows.
    pub is_unsaved: bool,
    /// The last word of the trace that reads it.
    pub until: usize,
}

impl Path<'_> {
    /// The operand of an instruction. A byte that is needed again is loaded into a register.
    pub fn operand(&mut self, at: usize) -> Operand {
        let word = self.steps[at].word;
        if word.m() {
            return Operand::Value(Value::Constant(word.x() as u8));
        }
        let place = i32::from(word.x());
        if let Some(cached) = self.now.cache.iter().find(|cached| cached.place == place) {
            return Operand::Value(cached.value);
        }
        let until = self.ahead.until[at];
        if until == at {
            return Operand::Memory(place);
        }
        let value = self.load(Operand::Memory(place), at);
        self.now.cache.push(Cached { place, value, is_unsaved: false, until });
        Operand::Value(value)
    }

    /// An operand as a value that can be in A.
    pub fn load(&mut self, operand: Operand, at: usize) -> Value {
        match operand {
            Operand::Value(value) => value,
            Operand::Memory(place) => {
                // Only ADD and NOR still need A.
                if !matches!(self.steps[at].word.opcode(), Opcode::Add | Opcode::Nor) {
                    self.now.a = Value::Constant(0);
                }
                let number = self.free(&[]);
                dynasm!(self.on.ops ; .arch x64 ; movzx Rd(number), BYTE [rdi + place]);
                Value::Register { number, inverted: false }
            }
        }
    }

    /// A register that contains this byte and may be overwritten, and whether the byte is inverted in it.
    pub fn own(&mut self, value: Value, other: Operand, at: usize) -> (u8, bool) {
        let Value::Register { number, inverted } = value else { return (A, false) };
        let is_shared = |cached: &Cached| cached.value.register() == Some(number) && cached.until > at;
        if !self.now.cache.iter().any(is_shared) {
            return (number, inverted);
        }
        let other = match other {
            Operand::Value(value) => value.register(),
            Operand::Memory(_) => None,
        };
        let copy = self.free(&[Some(number), other]);
        dynasm!(self.on.ops ; .arch x64 ; mov Rd(copy), Rd(number));
        (copy, inverted)
    }

    /// A free register that is not one of `keep`; a byte is moved out of a register if necessary.
    pub fn free(&mut self, keep: &[Option<u8>]) -> u8 {
        let is_kept = |number: u8| self.now.a.register() == Some(number) || keep.contains(&Some(number));
        let is_cached =
            |number: u8| self.now.cache.iter().any(|cached| cached.value.register() == Some(number));
        let mut candidates = POOL.into_iter().filter(|&number| !is_kept(number));
        let first = candidates.clone().next().unwrap_or(A);
        let number = candidates.find(|&number| !is_cached(number)).unwrap_or(first);
        let ops = &mut self.on.ops;
        for cached in self.now.cache.extract_if(.., |cached| cached.value.register() == Some(number)) {
            if cached.is_unsaved {
                if cached.value.is_inverted() {
                    dynasm!(ops ; .arch x64 ; not Rb(number));
                }
                dynasm!(ops ; .arch x64 ; mov [rdi + cached.place], Rb(number));
                if cached.value.is_inverted() {
                    dynasm!(ops ; .arch x64 ; not Rb(number));
                }
            }
        }
        self.now.zero = self.now.zero.filter(|&zero| zero != number);
        number
    }

    /// Inverts a register, and updates all values that are in it.
    pub fn invert(&mut self, number: u8) {
        dynasm!(self.on.ops ; .arch x64 ; not Rb(number));
        self.now.zero = self.now.zero.filter(|&zero| zero != number);
        let values = self.now.cache.iter_mut().map(|cached| &mut cached.value).chain([&mut self.now.a]);
        for value in values.filter(|value| value.register() == Some(number)) {
            *value = value.opposite();
        }
    }

    /// Saves the carry, if it is needed, before an instruction that changes the processor's flags.
    pub fn clobber(&mut self, at: usize) {
        self.now.zero = None;
        if self.now.carry.place == Place::Flag {
            self.now.carry.place = Place::Nowhere;
            if self.now.carry.known.is_none() && needs_carry(self.steps, at) {
                dynasm!(self.on.ops ; .arch x64 ; setb r9b);
                self.now.carry.place = Place::Register;
            }
        }
    }

    /// Makes a register the new A, after the processor has computed it.
    pub fn result(&mut self, number: u8, inverted: bool) {
        self.now.cache.retain(|cached| cached.value.register() != Some(number));
        self.now.a = Value::Register { number, inverted };
        self.now.zero = Some(number);
    }
}
