//! Translates one tree, instruction by instruction, trace by trace.

use super::registers::Cached;
use super::value::{Carry, Operand, Place, Value};
use super::{A, Counts, Entry, Translator};
use crate::ahead::Ahead;
use crate::traces::{Forest, Step, Trace};
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use gray1_isa::Opcode;
use gray1_isa::memory_map::{GREEN, OUT};
use gray1_machine::FastEngine;

/// The translation of a tree, at a point in one of its traces.
pub struct Path<'a> {
    pub on: &'a mut Translator,
    forest: &'a Forest,
    pub steps: &'a [Step],
    pub ahead: Ahead,
    /// Number of words of the tree before this trace.
    before: usize,
    pub now: Known,
    /// Ways out of its traces that have not been translated yet.
    open: Vec<(DynamicLabel, Exit)>,
}

/// What is known before an instruction.
#[derive(Clone)]
pub struct Known {
    pub a: Value,
    pub carry: Carry,
    pub cache: Vec<Cached>,
    /// The register whose byte set the processor's zero flag.
    pub zero: Option<u8>,
    /// The instructions run since the entry.
    pub counts: Counts,
    /// Number of stores recorded since the entry.
    pub stores: i32,
}

/// A way out of a trace.
#[derive(Clone)]
pub struct Exit {
    pub now: Known,
    /// Number of cycles since the entry.
    pub ran: usize,
    pub to: u16,
    /// Whether the next word is a jump to itself, which the fast engine runs.
    pub halts: bool,
}

impl<'a> Path<'a> {
    /// Translates a whole tree, given the trace that it begins with.
    pub fn translate(on: &'a mut Translator, forest: &'a Forest, root: &'a Trace) {
        if let Some(Entry { label, .. }) = on.heads[usize::from(root.steps[0].at)] {
            dynasm!(on.ops ; .arch x64 ; =>label);
        }
        let now = Known {
            a: Value::Register { number: A, inverted: false },
            carry: Carry { place: Place::Register, known: None },
            cache: Vec::new(),
            zero: None,
            counts: [0; 8],
            stores: 0,
        };
        let mut path =
            Path { on, forest, steps: &[], ahead: Ahead::default(), before: 0, now, open: Vec::new() };
        path.trace(root);
        while let Some((label, exit)) = path.open.pop() {
            dynasm!(path.on.ops ; .arch x64 ; =>label);
            path.go(exit);
        }
    }

    /// Translates one trace.
    fn trace(&mut self, trace: &'a Trace) {
        (self.steps, self.ahead, self.before) = (&trace.steps, Ahead::of(&trace.steps), trace.before);
        let from_the_start = &self.ahead.from_the_start;
        self.now.cache.retain_mut(|cached| {
            let until = from_the_start.get(&cached.place);
            cached.until = until.copied().unwrap_or_default();
            until.is_some()
        });
        for at in 0..self.steps.len() {
            if self.step(at) {
                return;
            }
        }
        let exit = self.exit(self.steps.len(), trace.next);
        self.go(exit);
    }

    /// Continues in another trace of this tree, or at an entry.
    fn go(&mut self, exit: Exit) {
        match self.forest.branch(exit.to).filter(|_| !exit.halts) {
            Some(branch) => {
                self.now = exit.now;
                self.trace(branch);
            }
            None => self.on.leave(exit),
        }
    }

    /// Translates one instruction. Returns whether the trace ends with it.
    fn step(&mut self, at: usize) -> bool {
        self.now.cache.retain(|cached| cached.until >= at);
        let Step { at: sequence, word } = self.steps[at];
        let opcode = word.opcode();
        match opcode {
            Opcode::Lda => {
                let operand = self.operand(at);
                self.now.a = self.load(operand, at);
            }
            Opcode::Sta => self.store(at),
            Opcode::Add => self.add(at),
            Opcode::Nor => self.nor(at),
            Opcode::Shr => self.shift(at),
            Opcode::Jmp | Opcode::Jc | Opcode::Jz => {
                let landing = word.landing().unwrap_or_default();
                // A jump to itself halts, which is left to the fast engine.
                let is_halt = landing == sequence;
                if is_halt {
                    if self.jump(opcode, at, at, landing, true) {
                        return true;
                    }
                    self.now.counts[opcode as usize] += 1;
                } else {
                    self.now.counts[opcode as usize] += 1;
                    return opcode != Opcode::Jmp && self.jump(opcode, at, at + 1, landing, false);
                }
                return false;
            }
        }
        self.now.counts[opcode as usize] += 1;
        false
    }

    /// Translates a jump out of the trace after `done` of its words. Returns whether it is always taken.
    fn jump(&mut self, opcode: Opcode, at: usize, done: usize, to: u16, halts: bool) -> bool {
        let mut exit = self.exit(done, to);
        exit.halts = halts;
        let taken = match (opcode, self.now.carry.known, self.now.a) {
            (Opcode::Jc, Some(is_set), _) => is_set,
            (Opcode::Jz, _, Value::Constant(a)) => a == 0,
            (Opcode::Jmp, ..) => true,
            _ => {
                self.branch(opcode, at, exit);
                return false;
            }
        };
        if taken {
            self.go(exit);
        }
        taken
    }

    /// Translates a jump whose condition is not known.
    fn branch(&mut self, opcode: Opcode, at: usize, mut exit: Exit) {
        let label = self.on.ops.new_dynamic_label();
        let ops = &mut self.on.ops;
        if opcode == Opcode::Jc {
            exit.now.carry.known = Some(true);
            match self.now.carry.place {
                Place::Flag => dynasm!(ops ; .arch x64 ; jb =>label),
                _ => dynasm!(ops ; .arch x64 ; test r9d, r9d ; jnz =>label),
            }
            if self.now.carry.place != Place::Flag {
                (self.now.zero, exit.now.zero) = (None, None);
            }
            self.now.carry.known = Some(false);
        } else if let Value::Register { number, inverted } = self.now.a {
            if self.now.zero != Some(number) || inverted {
                self.clobber(at);
                (exit.now.carry, exit.now.zero) = (self.now.carry, None);
                match inverted {
                    true => dynasm!(self.on.ops ; .arch x64 ; cmp Rb(number), -1),
                    false => dynasm!(self.on.ops ; .arch x64 ; test Rb(number), Rb(number)),
                }
                self.now.zero = Some(number).filter(|_| !inverted);
            }
            dynasm!(self.on.ops ; .arch x64 ; jz =>label);
            exit.now.a = Value::Constant(0);
        }
        self.open.push((label, exit));
    }

    /// The way out after `done` words.
    fn exit(&self, done: usize, to: u16) -> Exit {
        Exit { now: self.now.clone(), ran: self.before + done, to, halts: false }
    }

    fn store(&mut self, at: usize) {
        let word = self.steps[at].word;
        let place = FastEngine::stored_at(word.x()) as i32;
        self.now.cache.retain(|cached| cached.place != place);
        let is_outside = (GREEN..=OUT).contains(&word.x());
        let is_dead = self.ahead.is_overwritten[at];
        if (is_outside || !is_dead)
            && let Value::Register { number, inverted: true } = self.now.a
        {
            self.invert(number);
        }
        let ops = &mut self.on.ops;
        if !is_dead {
            match self.now.a {
                Value::Constant(byte) => dynasm!(ops ; .arch x64 ; mov BYTE [rdi + place], byte as i8),
                Value::Register { number, .. } => dynasm!(ops ; .arch x64 ; mov [rdi + place], Rb(number)),
            }
        }
        if is_outside {
            let (element, since) = (8 * self.now.stores, (self.before + at) as i32);
            let what = since << 16 | i32::from(word.x());
            dynasm!(ops ; .arch x64 ; mov [r10 + element], r8d);
            match self.now.a {
                Value::Constant(byte) => {
                    dynasm!(ops ; .arch x64 ; mov DWORD [r10 + element + 4], i32::from(byte) << 24 | what)
                }
                Value::Register { number, .. } => dynasm!(ops
                    ; .arch x64
                    ; mov DWORD [r10 + element + 4], what
                    ; mov [r10 + element + 7], Rb(number)
                ),
            }
            self.now.stores += 1;
        }
        let until = self.ahead.until[at];
        if until > at {
            self.now.cache.push(Cached { place, value: self.now.a, is_unsaved: is_dead, until });
        }
    }

    fn add(&mut self, at: usize) {
        let operand = self.operand(at);
        let (mut left, mut right) = (self.now.a, operand);
        if let Value::Constant(a) = left {
            if let Operand::Value(Value::Constant(b)) = right {
                let (sum, carry) = a.overflowing_add(b);
                self.now.a = Value::Constant(sum);
                self.now.carry = Carry { place: Place::Nowhere, known: Some(carry) };
                return;
            }
            right = Operand::Value(left);
            left = self.load(operand, at);
        }
        if let Operand::Value(Value::Constant(0)) = right {
            self.now.a = left;
            self.now.carry = Carry { place: Place::Nowhere, known: Some(false) };
            return;
        }
        if let (Value::Register { number, inverted: true }, Operand::Value(value)) = (left, &mut right)
            && value.is_inverted()
        {
            // Both are inverted, so one is inverted back.
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
        self.now.carry = Carry { place: Place::Flag, known: None };
    }

    fn nor(&mut self, at: usize) {
        let operand = self.operand(at);
        let (mut left, mut right) = (self.now.a, operand);
        if let Value::Constant(a) = left {
            if let Operand::Value(Value::Constant(b)) = right {
                self.now.a = Value::Constant(!(a | b));
                return;
            }
            right = Operand::Value(left);
            left = self.load(operand, at);
        }
        match right {
            Operand::Value(Value::Constant(0)) => return self.now.a = left.opposite(),
            Operand::Value(Value::Constant(0xFF)) => return self.now.a = Value::Constant(0),
            // A NOR of a byte with its inverse is 0.
            Operand::Value(value) if value == left.opposite() => return self.now.a = Value::Constant(0),
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
        // If both are inverted, the registers are combined by AND; otherwise by OR, and the result is inverted.
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
            self.now.a = Value::Constant(byte >> 1);
            self.now.carry = Carry { place: Place::Nowhere, known: Some(byte & 1 == 1) };
            return;
        }
        let value = self.load(operand, at);
        let (number, inverted) = self.own(value, Operand::Value(value), at);
        if inverted {
            dynasm!(self.on.ops ; .arch x64 ; not Rb(number));
        }
        dynasm!(self.on.ops ; .arch x64 ; shr Rb(number), 1);
        self.result(number, false);
        self.now.carry = Carry { place: Place::Flag, known: None };
    }
}
