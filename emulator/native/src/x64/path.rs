//! Translates one trace, instruction by instruction, in the order in which they run.

use super::registers::Cached;
use super::value::{Carry, Operand, Place, Value};
use super::{A, Counts, Exit, Translator};
use crate::ahead::{overwritten, reads};
use crate::traces::{Step, Trace};
use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use gray1_isa::Opcode;
use gray1_isa::memory_map::{GREEN, OUT};
use gray1_machine::FastEngine;

/// A trace that is being translated.
pub struct Path<'a> {
    pub on: &'a mut Translator,
    pub steps: &'a [Step],
    pub a: Value,
    pub carry: Carry,
    pub cache: Vec<Cached>,
    /// The register whose byte the zero flag is about.
    pub zero: Option<u8>,
    counts: Counts,
}

impl Path<'_> {
    /// Translates a whole trace; `behind` is the entry of the one whose code stands behind it.
    pub fn translate(on: &mut Translator, trace: &Trace, behind: Option<u16>) {
        let (steps, total) = (&trace.steps[..], trace.steps.len() as i32);
        let fail = on.ops.new_dynamic_label();
        let a = Value::Register { number: A, inverted: false };
        let carry = Carry { place: Place::Register, known: None };
        let to = steps[0].at;
        on.exits.push((fail, Exit { a, carry, unused: steps.len(), counts: [0; 8], to, leaves: true }));
        if let Some(entry) = on.labels[usize::from(to)] {
            dynasm!(on.ops ; .arch x64 ; =>entry ; sub r8d, total ; jb =>fail);
        }
        let mut path = Path { on, steps, a, carry, cache: Vec::new(), zero: None, counts: [0; 8] };
        for at in 0..steps.len() {
            if path.step(at) {
                return;
            }
        }
        let exit = path.exit(steps.len(), trace.next);
        path.on.leave(exit, behind);
    }

    /// Translates one instruction. Whether the trace ends with it.
    fn step(&mut self, at: usize) -> bool {
        self.cache.retain(|cached| reads(self.steps, at, cached.place));
        let Step { at: sequence, word } = self.steps[at];
        let opcode = word.opcode();
        match opcode {
            Opcode::Lda => {
                let operand = self.operand(at);
                self.a = self.load(operand, at);
            }
            Opcode::Sta => self.store(at),
            Opcode::Add => self.add(at),
            Opcode::Nor => self.nor(at),
            Opcode::Shr => self.shift(at),
            Opcode::Jmp | Opcode::Jc | Opcode::Jz => {
                let landing = word.landing().unwrap_or_default();
                // A jump to itself halts, which is not for this engine to say.
                let is_halt = landing == sequence;
                if is_halt {
                    if self.jump(opcode, at, at, landing, true) {
                        return true;
                    }
                    self.counts[opcode as usize] += 1;
                } else {
                    self.counts[opcode as usize] += 1;
                    return opcode != Opcode::Jmp && self.jump(opcode, at, at + 1, landing, false);
                }
                return false;
            }
        }
        self.counts[opcode as usize] += 1;
        false
    }

    /// A jump out of the trace, of which so many words have been run. Whether it is always taken.
    fn jump(&mut self, opcode: Opcode, at: usize, done: usize, to: u16, leaves: bool) -> bool {
        let mut exit = self.exit(done, to);
        exit.leaves = leaves;
        let taken = match (opcode, self.carry.known, self.a) {
            (Opcode::Jc, Some(is_set), _) => is_set,
            (Opcode::Jz, _, Value::Constant(a)) => a == 0,
            (Opcode::Jmp, ..) => true,
            _ => {
                self.branch(opcode, at, exit);
                return false;
            }
        };
        if taken {
            self.on.leave(exit, None);
        }
        taken
    }

    /// A jump of which nothing is known.
    fn branch(&mut self, opcode: Opcode, at: usize, mut exit: Exit) {
        let label = self.on.ops.new_dynamic_label();
        let ops = &mut self.on.ops;
        if opcode == Opcode::Jc {
            exit.carry.known = Some(true);
            match self.carry.place {
                Place::Flag => dynasm!(ops ; .arch x64 ; jb =>label),
                _ => dynasm!(ops ; .arch x64 ; test r9d, r9d ; jnz =>label),
            }
            if self.carry.place != Place::Flag {
                self.zero = None;
            }
            self.carry.known = Some(false);
        } else if let Value::Register { number, inverted } = self.a {
            if self.zero != Some(number) || inverted {
                self.clobber(at);
                exit.carry = self.carry;
                match inverted {
                    true => dynasm!(self.on.ops ; .arch x64 ; cmp Rb(number), -1),
                    false => dynasm!(self.on.ops ; .arch x64 ; test Rb(number), Rb(number)),
                }
                self.zero = Some(number).filter(|_| !inverted);
            }
            dynasm!(self.on.ops ; .arch x64 ; jz =>label);
            if inverted {
                exit.a = Value::Constant(0);
            }
        }
        self.on.exits.push((label, exit));
    }

    /// The way out behind so many words.
    fn exit(&self, done: usize, to: u16) -> Exit {
        Exit {
            a: self.a,
            carry: self.carry,
            unused: self.steps.len() - done,
            counts: self.counts,
            to,
            leaves: false,
        }
    }

    fn store(&mut self, at: usize) {
        let word = self.steps[at].word;
        let place = FastEngine::stored_at(word.x()) as i32;
        self.cache.retain(|cached| cached.place != place);
        let is_outside = (GREEN..=OUT).contains(&word.x());
        let is_dead = overwritten(self.steps, at + 1, place);
        if (is_outside || !is_dead)
            && let Value::Register { number, inverted: true } = self.a
        {
            self.invert(number);
        }
        let ops = &mut self.on.ops;
        if !is_dead {
            match self.a {
                Value::Constant(byte) => dynasm!(ops ; .arch x64 ; mov BYTE [rdi + place], byte as i8),
                Value::Register { number, .. } => dynasm!(ops ; .arch x64 ; mov [rdi + place], Rb(number)),
            }
        }
        if is_outside {
            let ahead = (self.steps.len() - at) as i32;
            dynasm!(ops
                ; .arch x64
                ; mov [r10], r8d
                ; mov DWORD [r10 + 4], ahead << 16 | i32::from(word.x())
            );
            match self.a {
                Value::Constant(byte) => dynasm!(ops ; .arch x64 ; mov BYTE [r10 + 7], byte as i8),
                Value::Register { number, .. } => dynasm!(ops ; .arch x64 ; mov [r10 + 7], Rb(number)),
            }
            dynasm!(ops ; .arch x64 ; lea r10, [r10 + 8]);
        }
        if reads(self.steps, at + 1, place) {
            self.cache.push(Cached { place, value: self.a, is_unsaved: is_dead });
        }
    }

    fn add(&mut self, at: usize) {
        let operand = self.operand(at);
        let (mut left, mut right) = (self.a, operand);
        if let Value::Constant(a) = left {
            if let Operand::Value(Value::Constant(b)) = right {
                let (sum, carry) = a.overflowing_add(b);
                self.a = Value::Constant(sum);
                self.carry = Carry { place: Place::Nowhere, known: Some(carry) };
                return;
            }
            right = Operand::Value(left);
            left = self.load(operand, at);
        }
        if let Operand::Value(Value::Constant(0)) = right {
            self.a = left;
            self.carry = Carry { place: Place::Nowhere, known: Some(false) };
            return;
        }
        if let (Value::Register { number, inverted: true }, Operand::Value(value)) = (left, &mut right)
            && value.is_inverted()
        {
            // Both are: one is made plain.
            self.invert(number);
            left = left.opposite();
            if value.register() == Some(number) {
                *value = value.opposite();
            }
        }
        if let Operand::Value(value) = right
            && value.is_inverted()
        {
            (left, right) = (value, Operand::Value(left));
        }
        // ~a + b is ~(a - b), with the carry where a - b borrows.
        let (number, inverted) = self.own(left, right, at);
        self.clobber(at);
        let ops = &mut self.on.ops;
        match (inverted, right) {
            (false, Operand::Value(Value::Constant(byte))) => {
                dynasm!(ops ; .arch x64 ; add Rb(number), byte as i8)
            }
            (true, Operand::Value(Value::Constant(byte))) => {
                dynasm!(ops ; .arch x64 ; sub Rb(number), byte as i8)
            }
            (false, Operand::Value(Value::Register { number: other, .. })) => {
                dynasm!(ops ; .arch x64 ; add Rb(number), Rb(other))
            }
            (true, Operand::Value(Value::Register { number: other, .. })) => {
                dynasm!(ops ; .arch x64 ; sub Rb(number), Rb(other))
            }
            (false, Operand::Memory(place)) => dynasm!(ops ; .arch x64 ; add Rb(number), [rdi + place]),
            (true, Operand::Memory(place)) => dynasm!(ops ; .arch x64 ; sub Rb(number), [rdi + place]),
        }
        self.result(number, inverted);
        self.carry = Carry { place: Place::Flag, known: None };
    }

    fn nor(&mut self, at: usize) {
        let operand = self.operand(at);
        let (mut left, mut right) = (self.a, operand);
        if let Value::Constant(a) = left {
            if let Operand::Value(Value::Constant(b)) = right {
                self.a = Value::Constant(!(a | b));
                return;
            }
            right = Operand::Value(left);
            left = self.load(operand, at);
        }
        match right {
            Operand::Value(Value::Constant(0)) => return self.a = left.opposite(),
            Operand::Value(Value::Constant(0xFF)) => return self.a = Value::Constant(0),
            // A byte and its opposite.
            Operand::Value(value) if value == left.opposite() => return self.a = Value::Constant(0),
            _ => {}
        }
        let (number, inverted) = self.own(left, right, at);
        self.clobber(at);
        let ops = &mut self.on.ops;
        if let Operand::Value(Value::Constant(byte)) = right {
            match inverted {
                false => dynasm!(ops ; .arch x64 ; or Rb(number), byte as i8),
                true => dynasm!(ops ; .arch x64 ; and Rb(number), !byte as i8),
            }
            return self.result(number, !inverted);
        }
        // With both inverted the bytes in the registers are combined by AND; otherwise by OR, with the opposite as result.
        let both = match right {
            Operand::Value(value) => value.is_inverted(),
            Operand::Memory(_) => false,
        };
        if inverted != both {
            dynasm!(ops ; .arch x64 ; not Rb(number));
        }
        match (both, right) {
            (true, Operand::Value(Value::Register { number: other, .. })) => {
                dynasm!(ops ; .arch x64 ; and Rb(number), Rb(other))
            }
            (_, Operand::Value(Value::Register { number: other, .. })) => {
                dynasm!(ops ; .arch x64 ; or Rb(number), Rb(other))
            }
            (_, Operand::Memory(place)) => dynasm!(ops ; .arch x64 ; or Rb(number), [rdi + place]),
            (_, Operand::Value(Value::Constant(_))) => {}
        }
        self.result(number, !both);
    }

    fn shift(&mut self, at: usize) {
        let operand = self.operand(at);
        if let Operand::Value(Value::Constant(byte)) = operand {
            self.a = Value::Constant(byte >> 1);
            self.carry = Carry { place: Place::Nowhere, known: Some(byte & 1 == 1) };
            return;
        }
        let value = self.load(operand, at);
        let (number, inverted) = self.own(value, Operand::Value(value), at);
        if inverted {
            dynasm!(self.on.ops ; .arch x64 ; not Rb(number));
        }
        dynasm!(self.on.ops ; .arch x64 ; shr Rb(number), 1);
        self.result(number, false);
        self.carry = Carry { place: Place::Flag, known: None };
    }
}
