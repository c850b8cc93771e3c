//! Allocates registers to bytes while a trace is translated.

use super::path::Path;
use super::trace_state::Cached;
use super::value::{BIT, Operand, POOL, Value};
use dynasmrt::{DynasmApi, dynasm};
use gray1_machine::evaluated::constant;

impl Path<'_, '_> {
    /// The byte at a place. One that is needed again is loaded into a register.
    pub fn operand(&mut self, at: usize, place: u16) -> Operand {
        if let Some(byte) = constant(place) {
            return Operand::Value(Value::Constant(byte));
        }
        if let Some(cached) = self.now.cache.iter().find(|cached| cached.place == place) {
            return match cached.value {
                Value::Flag => Operand::Value(self.settle_flag()),
                value => Operand::Value(value),
            };
        }
        let until = self.uses.read_until(at, place);
        if until == at {
            return Operand::Memory(place.into());
        }
        let value = self.load(Operand::Memory(place.into()));
        self.now.cache.push(Cached { place, value, is_unsaved: false, until });
        Operand::Value(value)
    }

    /// An operand as a value. Its register is held.
    pub fn load(&mut self, operand: Operand) -> Value {
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Memory(place) => {
                let number = self.free();
                dynasm!(self.on.ops ; .arch x64 ; movzx Rd(number), BYTE [rdi + place]);
                Value::of(number)
            }
        };
        self.held.extend(value.register());
        value
    }

    /// A register that contains this byte and may be overwritten in this cycle, and whether the byte is inverted in it.
    pub fn own(&mut self, at: usize, value: Value) -> (u8, bool) {
        let Value::Register { number, inverted } = value else { return self.copied(value) };
        if !self.may_overwrite(at, number) { self.copied(value) } else { (number, inverted) }
    }

    /// Whether nothing else is in a register that this cycle or a later one needs.
    pub fn may_overwrite(&self, at: usize, number: u8) -> bool {
        let is_shared = |cached: &Cached| {
            cached.value.register() == Some(number)
                && cached.until > at
                && !self.uses.touches(at, cached.place).1
        };
        let is_pending = self.pending.iter().any(|(_, value)| value.register() == Some(number));
        self.is_single && number != BIT && !is_pending && !self.now.cache.iter().any(is_shared)
    }

    /// Copies a value into a free register; also returns whether it is inverted there.
    fn copied(&mut self, value: Value) -> (u8, bool) {
        self.held.extend(value.register());
        let copy = self.free();
        self.held.push(copy);
        match value {
            Value::Register { number, .. } => dynasm!(self.on.ops ; .arch x64 ; mov Rd(copy), Rd(number)),
            Value::Constant(byte) => dynasm!(self.on.ops ; .arch x64 ; mov Rd(copy), i32::from(byte)),
            Value::Flag => {}
        }
        (copy, value.is_inverted())
    }

    /// A copy of a value that changes of its place leave alone.
    pub fn copy(&mut self, value: Value) -> Value {
        match value {
            Value::Constant(_) => value,
            _ => {
                let (number, inverted) = self.copied(value);
                Value::Register { number, inverted }
            }
        }
    }

    /// A free register; a byte is moved out of one if necessary.
    pub fn free(&mut self) -> u8 {
        let homes = self.graph.homes.map(|home| self.now.value(home).register());
        let pending = |number| self.pending.iter().any(|(_, value)| value.register() == Some(number));
        let is_kept =
            |number: u8| homes.contains(&Some(number)) || self.held.contains(&number) || pending(number);
        let is_cached =
            |number: u8| self.now.cache.iter().any(|cached| cached.value.register() == Some(number));
        let mut candidates = POOL.into_iter().filter(|&number| !is_kept(number));
        // A cycle that is translated holds fewer registers than there are.
        let first = candidates.clone().next().unwrap_or(POOL[0]);
        let number = candidates.find(|&number| !is_cached(number)).unwrap_or(first);
        let ops = &mut self.on.ops;
        for cached in self.now.cache.extract_if(.., |cached| cached.value.register() == Some(number)) {
            if cached.is_unsaved {
                let place = i32::from(cached.place);
                if cached.value.is_inverted() {
                    dynasm!(ops ; .arch x64 ; not Rb(number));
                }
                dynasm!(ops ; .arch x64 ; mov [rdi + place], Rb(number));
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
        let cached = self.now.cache.iter_mut().map(|cached| &mut cached.value);
        let values = cached.chain(self.pending.iter_mut().map(|(_, value)| value));
        for value in values.filter(|value| value.register() == Some(number)) {
            *value = value.opposite();
        }
    }

    /// Moves the bit out of the flag to its home.
    pub fn settle_flag(&mut self) -> Value {
        let bit = self.graph.homes[1];
        if self.now.value(bit) == Value::Flag {
            dynasm!(self.on.ops ; .arch x64 ; setb r9b);
            self.now.set(bit, Value::of(BIT));
            self.now.home_bit = None;
        }
        self.now.value(bit)
    }

    /// Saves the bit in the flag, if it is needed, before an instruction that changes the processor's flags.
    pub fn clobber(&mut self, at: usize) {
        self.now.zero = None;
        let bit = self.graph.homes[1];
        if self.now.value(bit) == Value::Flag {
            match self.uses.needs(at, bit) {
                true => drop(self.settle_flag()),
                false => self.now.set(bit, Value::Constant(0)), // it is overwritten before it is read
            }
        }
    }

    /// Records that the processor has computed a new value in a register.
    pub fn result(&mut self, number: u8, inverted: bool) -> Value {
        let homes = self.graph.homes;
        self.now.cache.retain_mut(|cached| {
            let is_gone = cached.value.register() == Some(number);
            if is_gone && homes.contains(&cached.place) {
                cached.value = Value::Constant(0); // this cycle overwrites it
            }
            !is_gone || homes.contains(&cached.place)
        });
        self.now.zero = Some(number);
        self.held.push(number);
        Value::Register { number, inverted }
    }
}
