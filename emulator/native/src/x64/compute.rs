//! Translates the functions of a cycle.

use super::path::Path;
use super::tables::Kind;
use super::value::{Operand, Value};
use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use gray1_machine::evaluated::{Function, Node, Two};

/// The carry of a sum: known, or in the processor's flag.
type Carry = Option<bool>;

/// The computation of the bit in a register together with a byte.
#[derive(Clone, Copy, PartialEq)]
enum Pair {
    /// As the carry of this sum.
    Sum(u16, Other),
    /// As the lowest bit of this byte, which is shifted.
    Shift(u16),
}

#[derive(Clone, Copy, PartialEq)]
enum Other {
    Place(u16),
    Constant(u8),
}

impl Path<'_, '_> {
    /// Computes all that a cycle shows and changes, in this order.
    pub fn compute_all(&mut self, at: usize, node: &Node) {
        let [byte, bit] = self.graph.homes;
        let paired =
            node.changes.iter().find(|change| change.0 == bit).and_then(|change| self.carry_of(change.1));
        let partner =
            node.changes.iter().position(|change| paired.is_some() && self.sum_of(change.1) == paired);
        let is_paired =
            |index: usize| paired.is_some() && (node.changes[index].0 == bit || partner == Some(index));
        let others: Vec<usize> = (0..node.changes.len()).filter(|&index| !is_paired(index)).collect();
        let count = node.outlets.len() + others.len() + usize::from(paired.is_some());
        // A value that has been computed already depends on a byte that the cycle changes.
        self.is_single = count == 1 && self.held.is_empty();
        if let (false, true) = self.uses.touches(at, byte) {
            self.now.set(byte, Value::Constant(0)); // it is only overwritten
        }
        for &(address, function) in &node.outlets {
            let value = self.compute(at, function);
            self.pending.push((address, value));
        }
        for index in others {
            let (place, function) = node.changes[index];
            let value = self.compute(at, function);
            self.pending.push((place, value));
        }
        let Some(pair) = paired else { return };
        self.is_single &= partner.is_some();
        let (value, carry) = match pair {
            Pair::Sum(left, right) => {
                let left = self.operand(at, left);
                let right = match right {
                    Other::Place(place) => self.operand(at, place),
                    Other::Constant(byte) => Operand::Value(Value::Constant(byte)),
                };
                self.sum(at, left, right)
            }
            Pair::Shift(place) => self.shift(at, place),
        };
        if let Some(partner) = partner {
            self.pending.push((node.changes[partner].0, value));
        }
        self.pending.push((bit, carry.map_or(Value::Flag, |carry| Value::Constant(carry.into()))));
    }

    /// The pair of which a function is the bit.
    fn carry_of(&self, function: Function) -> Option<Pair> {
        match function {
            Function::Two(Two::Carry, [a, b]) => Some(Pair::Sum(a, Other::Place(b))),
            Function::Map(map, place) => match self.on.kinds[usize::from(map)] {
                Kind::Carry(byte) => Some(Pair::Sum(place, Other::Constant(byte))),
                Kind::And(1) => Some(Pair::Shift(place)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The pair of which a function is the byte.
    fn sum_of(&self, function: Function) -> Option<Pair> {
        match function {
            Function::Two(Two::Sum, [a, b]) => Some(Pair::Sum(a, Other::Place(b))),
            Function::Map(map, place) => match self.on.kinds[usize::from(map)] {
                Kind::Add(byte) => Some(Pair::Sum(place, Other::Constant(byte))),
                Kind::Shift => Some(Pair::Shift(place)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a function.
    pub fn compute(&mut self, at: usize, function: Function) -> Value {
        let value = match function {
            Function::Copy(place) => {
                let operand = self.operand(at, place);
                self.load(operand)
            }
            Function::Map(map, place) => self.map(at, map, place),
            Function::Two(two, [a, b]) => {
                let a = self.operand(at, a);
                self.held.extend(a.register());
                let b = self.operand(at, b);
                self.two(at, two, a, b)
            }
            Function::Table(table, places) => self.table(at, table, places),
        };
        self.held.extend(value.register());
        value
    }

    fn map(&mut self, at: usize, map: u16, place: u16) -> Value {
        let operand = self.operand(at, place);
        if let Operand::Value(Value::Constant(byte)) = operand {
            return Value::Constant(self.graph.functions.maps[usize::from(map)][usize::from(byte)]);
        }
        let with = |byte| Operand::Value(Value::Constant(byte));
        match self.on.kinds[usize::from(map)] {
            Kind::Constant(byte) => Value::Constant(byte),
            Kind::Or(byte) => self.two(at, Two::Or, operand, with(byte)),
            Kind::And(byte) => self.two(at, Two::And, operand, with(byte)),
            Kind::Xor(byte) => self.two(at, Two::Xor, operand, with(byte)),
            Kind::Nor(byte) => self.two(at, Two::Nor, operand, with(byte)),
            Kind::Add(byte) => self.two(at, Two::Sum, operand, with(byte)),
            Kind::Carry(byte) => self.two(at, Two::Carry, operand, with(byte)),
            Kind::Shift => self.shift(at, place).0,
            Kind::Table => self.look_up(map, operand),
        }
    }

    fn two(&mut self, at: usize, two: Two, a: Operand, b: Operand) -> Value {
        match two {
            Two::Nor => self.nor(at, a, b),
            Two::Or => self.nor(at, a, b).opposite(),
            Two::And => {
                let [a, b] = [a, b].map(|operand| Operand::Value(self.load(operand).opposite()));
                self.nor(at, a, b)
            }
            Two::Xor => self.xor(at, a, b),
            Two::Sum => self.sum(at, a, b).0,
            Two::Carry => {
                self.is_single = false;
                match self.sum(at, a, b) {
                    (_, Some(carry)) => Value::Constant(carry.into()),
                    (Value::Register { number, .. }, None) => {
                        dynasm!(self.on.ops ; .arch x64 ; setb Rb(number) ; movzx Rd(number), Rb(number));
                        self.result(number, false);
                        self.now.zero = None;
                        Value::of(number)
                    }
                    (value, None) => value,
                }
            }
        }
    }

    /// The operands of a symmetric function: what may be overwritten comes first, of two the byte that has a home, and a
    /// constant or a byte in memory last. The first one is a register, unless both are constants.
    fn in_order(&mut self, at: usize, a: Operand, b: Operand) -> (Value, Operand) {
        let home = self.now.value(self.graph.homes[0]).register();
        let rank = |operand: Operand| match operand {
            Operand::Value(Value::Constant(_) | Value::Flag) => (3, false),
            Operand::Memory(_) => (2, false),
            Operand::Value(Value::Register { number, .. }) => {
                (u8::from(!self.may_overwrite(at, number)), home != Some(number))
            }
        };
        let (first, second) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
        self.held.extend(second.register());
        (self.load(first), second)
    }

    /// The sum and its carry.
    fn sum(&mut self, at: usize, a: Operand, b: Operand) -> (Value, Carry) {
        let (mut left, mut right) = self.in_order(at, a, b);
        match (left, right) {
            (Value::Constant(a), Operand::Value(Value::Constant(b))) => {
                let (sum, carry) = a.overflowing_add(b);
                return (Value::Constant(sum), Some(carry));
            }
            (_, Operand::Value(Value::Constant(0))) => return (left, Some(false)),
            _ => {}
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
        let (number, inverted) = self.own(at, left);
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
            (_, Operand::Value(Value::Flag)) => {}
        }
        (self.result(number, inverted), None)
    }

    fn nor(&mut self, at: usize, a: Operand, b: Operand) -> Value {
        let (left, right) = self.in_order(at, a, b);
        match (left, right) {
            (Value::Constant(a), Operand::Value(Value::Constant(b))) => return Value::Constant(!(a | b)),
            (_, Operand::Value(Value::Constant(0))) => return left.opposite(),
            (_, Operand::Value(Value::Constant(0xFF))) => return Value::Constant(0),
            // A NOR of a byte with its inverse is 0.
            (_, Operand::Value(value)) if value == left.opposite() => return Value::Constant(0),
            _ => {}
        }
        let (number, inverted) = self.own(at, left);
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
            (_, Operand::Value(_)) => {}
        }
        self.result(number, !both)
    }

    fn xor(&mut self, at: usize, a: Operand, b: Operand) -> Value {
        let (left, right) = self.in_order(at, a, b);
        match (left, right) {
            (Value::Constant(a), Operand::Value(Value::Constant(b))) => return Value::Constant(a ^ b),
            (_, Operand::Value(Value::Constant(0))) => return left,
            (_, Operand::Value(Value::Constant(0xFF))) => return left.opposite(),
            _ => {}
        }
        let (number, inverted) = self.own(at, left);
        self.clobber(at);
        let ops = &mut self.on.ops;
        let other = match right {
            Operand::Value(Value::Constant(byte)) => {
                dynasm!(ops ; .arch x64 ; xor Rb(number), byte as i8);
                false
            }
            Operand::Value(Value::Register { number: other, inverted }) => {
                dynasm!(ops ; .arch x64 ; xor Rb(number), Rb(other));
                inverted
            }
            Operand::Memory(place) => {
                dynasm!(ops ; .arch x64 ; xor Rb(number), [rdi + place]);
                false
            }
            Operand::Value(Value::Flag) => false,
        };
        self.result(number, inverted != other)
    }

    /// A byte shifted to the right by one bit, and that bit.
    fn shift(&mut self, at: usize, place: u16) -> (Value, Carry) {
        let operand = self.operand(at, place);
        let value = self.load(operand);
        if let Value::Constant(byte) = value {
            return (Value::Constant(byte >> 1), Some(byte & 1 == 1));
        }
        let (number, inverted) = self.own(at, value);
        self.clobber(at);
        if inverted {
            dynasm!(self.on.ops ; .arch x64 ; not Rb(number));
        }
        dynasm!(self.on.ops ; .arch x64 ; shr Rb(number), 1);
        (self.result(number, false), None)
    }

    /// Loads the entry of a table for a byte.
    fn look_up(&mut self, map: u16, operand: Operand) -> Value {
        let value = self.load(operand);
        let (index, table) = (self.take(), self.take());
        self.widen(index, value);
        let ops = &mut self.on.ops;
        let label = *self.on.maps.entry(map).or_insert_with(|| ops.new_dynamic_label());
        dynasm!(ops
            ; .arch x64
            ; lea Rq(table), [=>label]
            ; movzx Rd(index), BYTE [Rq(table) + Rq(index)]
        );
        Value::of(index)
    }

    /// Loads the entry of a large table for the bytes at two places and the lowest bit of a third.
    fn table(&mut self, at: usize, table: u16, places: [u16; 3]) -> Value {
        let [a, b, c] = places.map(|place| {
            let operand = self.operand(at, place);
            self.load(operand)
        });
        let (index, other) = (self.take(), self.take());
        self.clobber(at);
        self.widen(index, b);
        self.widen(other, a);
        dynasm!(self.on.ops ; .arch x64 ; shl Rd(index), 8 ; or Rd(index), Rd(other));
        if c != Value::Constant(0) {
            self.widen(other, c);
            dynasm!(self.on.ops ; .arch x64 ; and Rd(other), 1 ; shl Rd(other), 16 ; or Rd(index), Rd(other));
        }
        let cells = self.graph.functions.tables[usize::from(table)].as_ptr() as i64;
        dynasm!(self.on.ops
            ; .arch x64
            ; mov Rq(other), QWORD cells
            ; movzx Rd(index), BYTE [Rq(other) + Rq(index)]
        );
        Value::of(index)
    }

    /// A free register, which is held.
    fn take(&mut self) -> u8 {
        let number = self.free();
        self.held.push(number);
        number
    }

    /// Puts a value into a register, as a number. The flags stay as they are.
    fn widen(&mut self, to: u8, value: Value) {
        match value {
            Value::Constant(byte) => dynasm!(self.on.ops ; .arch x64 ; mov Rd(to), i32::from(byte)),
            Value::Register { number, inverted } => {
                dynasm!(self.on.ops ; .arch x64 ; movzx Rd(to), Rb(number));
                if inverted {
                    dynasm!(self.on.ops ; .arch x64 ; not Rb(to));
                }
            }
            Value::Flag => {}
        }
    }
}
