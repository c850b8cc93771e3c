//! Sets of instructions, by sequence number: the places where something can happen.
//!
//! A set takes half a kilobyte, so that every checkpoint can have one.

use gray1_isa::PROGRAM_WORDS;

/// A set of instructions of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct InstructionSet([u64; PROGRAM_WORDS / 64]);

impl InstructionSet {
    pub const NONE: InstructionSet = InstructionSet([0; PROGRAM_WORDS / 64]);
    pub const ALL: InstructionSet = InstructionSet([u64::MAX; PROGRAM_WORDS / 64]);

    /// The instructions for which a function of their sequence numbers returns true.
    pub fn of(is_in: impl Fn(u16) -> bool) -> InstructionSet {
        (0..PROGRAM_WORDS as u16).filter(|&sequence| is_in(sequence)).collect()
    }

    #[inline(always)]
    pub fn add(&mut self, sequence: u16) {
        let sequence = usize::from(sequence) % PROGRAM_WORDS;
        self.0[sequence / 64] |= 1 << (sequence % 64);
    }

    #[inline(always)]
    pub fn has(&self, sequence: u16) -> bool {
        let sequence = usize::from(sequence) % PROGRAM_WORDS;
        self.0[sequence / 64] >> (sequence % 64) & 1 != 0
    }

    pub fn extend(&mut self, other: &InstructionSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether an instruction is in both.
    pub fn meets(&self, other: &InstructionSet) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| word & other != 0)
    }

    /// The instructions after these in the order of the program.
    pub fn followers(&self) -> InstructionSet {
        InstructionSet::of(|sequence| self.has(sequence.wrapping_sub(1)))
    }

    /// A flag for each instruction, as the engines take them.
    pub fn flags(&self) -> Box<[bool; PROGRAM_WORDS]> {
        let mut flags = Box::new([false; PROGRAM_WORDS]);
        (0..).zip(flags.iter_mut()).for_each(|(sequence, flag)| *flag = self.has(sequence));
        flags
    }
}

impl FromIterator<u16> for InstructionSet {
    fn from_iter<I: IntoIterator<Item = u16>>(sequences: I) -> InstructionSet {
        let mut set = InstructionSet::NONE;
        sequences.into_iter().for_each(|sequence| set.add(sequence));
        set
    }
}
