//! The effect of one cycle by the definition of the instruction set, as functions of the state in which it begins.
//!
//! The board is compared with it, so nothing here is derived from a ROM or an engine.

use gray1_isa::memory_map::{GREEN, INPUTS, KEYS, OUT, PADCOL, PADROW};
use gray1_isa::{Domain, INSTRUCTIONS, Opcode, step};
use gray1_machine::logic::{Diagrams, FALSE, Function, Result, TRUE, TooLarge, shifted_right};

/// The programmer's state before a cycle, lowest lines first.
pub(crate) struct Before {
    pub word: Vec<Function>,
    pub counter: Vec<Function>,
    pub accumulator: Vec<Function>,
    pub carry: Function,
    /// The byte of RAM at the address in the word.
    pub byte: Vec<Function>,
    pub pad_column: Vec<Function>,
    pub pad_row: Vec<Function>,
    pub keys: Vec<Function>,
    /// The port and the rows of the display.
    pub outlets: Vec<Vec<Function>>,
}

/// The state after the cycle.
pub(crate) struct After {
    pub counter: Vec<Function>,
    pub accumulator: Vec<Function>,
    pub carry: Function,
    /// The operand field, which is the target of a jump.
    pub target: Vec<Function>,
    pub jumped: Function,
    /// Whether the accumulator is stored at the address in the word.
    pub stores: Function,
    /// Whether the port and the rows take the stored byte, and what they show then.
    pub taken: Vec<Function>,
    pub outlets: Vec<Vec<Function>>,
}

impl After {
    pub fn of(before: &Before, diagrams: &mut Diagrams) -> Result<After> {
        let mut set = InstructionSet { before, diagrams };
        let (accumulator, carry, jumped) = set.execute()?;
        let stores = set.opcode(Opcode::Sta)?;
        let (mut taken, mut outlets) = (vec![], vec![]);
        for (address, shown) in std::iter::once(OUT).chain(GREEN..).zip(&before.outlets) {
            let here = set.address_is(address)?;
            let takes = set.diagrams.and(stores, here)?;
            taken.push(takes);
            outlets.push(set.diagrams.choose_each(takes, &before.accumulator, shown)?);
        }
        let counter = set.counter(jumped)?;
        let target = before.word[..12].to_vec();
        Ok(After { counter, accumulator, carry, target, jumped, stores, taken, outlets })
    }
}

struct InstructionSet<'a> {
    before: &'a Before,
    diagrams: &'a mut Diagrams,
}

impl InstructionSet<'_> {
    fn opcode(&mut self, opcode: Opcode) -> Result<Function> {
        self.diagrams.is(&self.before.word[13..], opcode as u16)
    }

    fn address_is(&mut self, address: u16) -> Result<Function> {
        self.diagrams.is(&self.before.word[..12], address)
    }

    /// Returns the constant in the word, or the byte at the address in it: RAM, or an input.
    fn operand(&mut self) -> Result<Vec<Function>> {
        let before = self.before;
        let zeros = vec![FALSE; 8];
        let keys: Vec<Function> = before.keys.iter().copied().chain([FALSE]).collect();
        let mut input = zeros;
        for (address, byte) in [(PADCOL, &before.pad_column), (PADROW, &before.pad_row), (KEYS, &keys)] {
            let here = self.address_is(address)?;
            input = self.diagrams.choose_each(here, byte, &input)?;
        }
        // The inputs are the last eight addresses.
        let high = &before.word[INPUTS.trailing_zeros() as usize..12];
        let is_input = self.diagrams.is(high, INPUTS >> INPUTS.trailing_zeros())?;
        let read = self.diagrams.choose_each(is_input, &input, &before.byte)?;
        self.diagrams.choose_each(before.word[12], &before.word[..8], &read)
    }

    /// Computes A and C after the cycle, and whether the counter takes the target.
    fn execute(&mut self) -> Result<(Vec<Function>, Function, Function)> {
        let before = self.before;
        let byte = |lines: &[Function]| std::array::from_fn(|bit| lines[bit]);
        let operand = byte(&self.operand()?);
        let (mut accumulator, mut carry, mut jumped) = (before.accumulator.clone(), before.carry, FALSE);
        for row in &INSTRUCTIONS {
            let runs = self.opcode(row.opcode)?;
            let (mut a, mut c) = (byte(&before.accumulator), before.carry);
            let mut values = Values { diagrams: self.diagrams, operand };
            let condition = step(row.opcode, &mut a, &mut c, &mut values)?;
            accumulator = self.diagrams.choose_each(runs, &a, &accumulator)?;
            carry = self.diagrams.choose(runs, c, carry)?;
            let jumps = self.diagrams.and(runs, condition.unwrap_or(FALSE))?;
            jumped = self.diagrams.or(jumped, jumps)?;
        }
        Ok((accumulator, carry, jumped))
    }

    /// Returns the counter after the cycle: the next number, or the target, or the number after it if M is not its
    /// parity.
    fn counter(&mut self, jumped: Function) -> Result<Vec<Function>> {
        let before = self.before;
        let next = self.successor(&before.counter)?;
        let target = &before.word[..12];
        let beyond = self.successor(target)?;
        let parity = self.diagrams.parity(target)?;
        let wrong = self.diagrams.differ(parity, before.word[12])?;
        let landing = self.diagrams.choose_each(wrong, &beyond, target)?;
        self.diagrams.choose_each(jumped, &landing, &next)
    }

    /// Returns the Gray code of the next number: decode, add one, encode.
    fn successor(&mut self, code: &[Function]) -> Result<Vec<Function>> {
        let mut number = code.to_vec();
        for bit in (0..code.len() - 1).rev() {
            number[bit] = self.diagrams.differ(number[bit], number[bit + 1])?;
        }
        let mut carry = TRUE;
        for line in &mut number {
            let sum = self.diagrams.differ(*line, carry)?;
            carry = self.diagrams.and(*line, carry)?;
            *line = sum;
        }
        let pairs = number.iter().zip(number[1..].iter().chain([&FALSE]));
        pairs.map(|(&line, &above)| self.diagrams.differ(line, above)).collect()
    }
}

/// The values of one instruction. Stores are compared by their address and the accumulator.
struct Values<'a> {
    diagrams: &'a mut Diagrams,
    operand: [Function; 8],
}

impl Domain for Values<'_> {
    type Byte = [Function; 8];
    type Bit = Function;
    type Error = TooLarge;

    fn operand(&mut self) -> Result<[Function; 8]> {
        Ok(self.operand)
    }

    fn store(&mut self, _: [Function; 8]) -> Result<()> {
        Ok(())
    }

    fn add(&mut self, one: [Function; 8], other: [Function; 8]) -> Result<([Function; 8], Function)> {
        self.diagrams.add(one, other)
    }

    fn nor(&mut self, one: [Function; 8], other: [Function; 8]) -> Result<[Function; 8]> {
        self.diagrams.nor(one, other)
    }

    fn shift(&mut self, byte: [Function; 8]) -> ([Function; 8], Function) {
        shifted_right(byte)
    }

    fn is_zero(&mut self, byte: [Function; 8]) -> Result<Function> {
        self.diagrams.is(&byte, 0)
    }

    fn always(&self) -> Function {
        TRUE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::{Image, Word, from_gray, gray};
    use gray1_machine::logic::Variable;
    use gray1_machine::{Engine, Inputs, IsaEngine, Noise};

    /// Compares it with the engine isa on random states, words and inputs.
    #[test]
    fn the_definition_is_that_of_the_fast_engine() {
        let mut diagrams = Diagrams::new(1 << 22);
        let mut next: Variable = 0;
        let mut lines = |count: usize| -> Vec<Function> {
            let new = (0..count).map(|bit| diagrams.variable(next + bit as Variable).expect("few nodes"));
            let new = new.collect();
            next += count as Variable;
            new
        };
        let before = Before {
            word: lines(16).into_iter().rev().collect(),
            accumulator: lines(8),
            byte: lines(8),
            carry: lines(1)[0],
            counter: lines(12),
            pad_column: lines(8),
            pad_row: lines(8),
            keys: lines(7),
            outlets: (0..17).map(|_| lines(8)).collect(),
        };
        let after = After::of(&before, &mut diagrams).expect("few nodes");
        let mut random = 1u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for case in 0..4000 {
            let mut levels: Vec<bool> = (0..next).map(|_| draw(2) == 1).collect();
            let pad = (draw(3) > 0).then(|| (draw(8) as u8, draw(8) as u8));
            for bit in 0..8 {
                levels[45 + usize::from(bit)] = pad.is_some_and(|(_, column)| column == bit);
                levels[53 + usize::from(bit)] = pad.is_some_and(|(row, _)| row == bit);
            }
            // Every other word concerns inputs and outlets, which random words would rarely use.
            if case % 2 == 0 {
                levels[4..11].fill(true);
            }
            let level = |function: Function| diagrams.value(function, |variable| levels[variable as usize]);
            let number =
                |lines: &[Function]| diagrams.number(lines, |variable| levels[variable as usize]) as u16;
            let (word, pc) = (Word(number(&before.word)), from_gray(number(&before.counter)));
            let mut image = Image::blank();
            image.set_word(pc, word);
            let mut engine = IsaEngine::power_up(&image, Noise::Zeros);
            let mut state = engine.state();
            (state.pc, state.a, state.c) = (pc, number(&before.accumulator) as u8, level(before.carry));
            state.ram[usize::from(word.x())] = number(&before.byte) as u8;
            engine.set_state(&state).expect("it settles");
            engine.press(Inputs { pad, keys: number(&before.keys) as u8 }).expect("it settles");
            engine.run(1, &mut ()).expect("it runs");
            let got = engine.state();
            assert_eq!(number(&after.counter), gray(got.pc), "{word} at {pc:03X}");
            assert_eq!(number(&after.accumulator), u16::from(got.a), "{word}");
            assert_eq!(level(after.carry), got.c, "{word}");
            assert_eq!((number(&after.target), level(after.jumped)), (got.target, got.jumped), "{word}");
            assert_eq!(level(after.stores), word.opcode() == Opcode::Sta, "{word}");
            let is_stored = got.ram[usize::from(word.x())] == state.a;
            assert!(is_stored || !level(after.stores), "{word}");
        }
    }
}
