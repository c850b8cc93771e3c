//! A planned lookup (a step), and rows of steps.
//!
//! Some lines of a bank are constant in a phase or do not matter, so a step gathers only the others. The number of
//! wires for that differs from step to step, and a branch on it is often mispredicted. So rows with the shapes that
//! occur on the built-in boards have specialised code without such branches, and all others are looked up in a loop.
//! The results are the same.

use crate::pack::Readers;
use crate::settle::readers_of;
use crate::wires::{Data, Levels, Wire, gather};

/// The maximum number of wires of a step.
pub(super) const WIRES: usize = 6;

/// One lookup.
#[derive(Clone)]
pub(super) struct Step {
    /// The wires; `kind` has their number.
    pub wires: [Wire; WIRES],
    /// The offset of the cells that the constant lines of this phase select.
    pub cells: u32,
    /// The data lines whose change is not handled by the rest of the plan.
    pub watched: Data,
    pub bank: u8,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A ROM, or a RAM that is known not to be written, with this number of wires.
    Table(u8),
    /// A RAM that may be written: which of its lines is the first data input, and how many there are.
    Ram { first_input: u8, inputs: u8 },
}

/// Steps that are looked up one after the other.
#[derive(Default)]
pub(super) struct Row {
    steps: Vec<Step>,
    shape: Shape,
}

/// Generates specialised code for rows whose steps have these numbers of wires.
macro_rules! shapes {
    ($($shape:ident: $($step:ident $wires:literal),+;)*) => {
        #[derive(Clone, Copy, Default)]
        enum Shape {
            $($shape,)*
            #[default]
            Other,
        }

        impl Shape {
            fn of(steps: &[Step]) -> Shape {
                let kinds: Vec<Kind> = steps.iter().map(|step| step.kind).collect();
                $(if kinds == [$(Kind::Table($wires)),+] {
                    return Shape::$shape;
                })*
                Shape::Other
            }
        }

        impl Row {
            /// Looks up the steps. Returns the banks that still have to be looked up because a watched line has
            /// changed.
            #[inline(always)]
            pub fn run(&self, affected: &[Readers], levels: &mut Levels, cells: &mut [Data]) -> u64 {
                match (self.shape, &self.steps[..]) {
                    $((Shape::$shape, [$($step),+]) => {
                        0 $(| $step.give(gather(&$step.wires[..$wires], levels), affected, levels, cells))+
                    })*
                    (_, []) => 0,
                    (_, steps) => one_by_one(steps, affected, levels, cells),
                }
            }
        }
    };
}

shapes! {
    Close: a 0, b 1;
    Open: a 0, b 3, c 1, d 1, e 2, f 1;
    Gap: a 0, b 0;
    Fetch: a 0, b 1, c 5, d 1, e 2, f 1, g 1, h 3, i 3, j 3, k 5;
    Refetch: a 4, b 5, c 2, d 1, e 1, f 3, g 3, h 3, i 5;
}

/// Looks up a row of any shape.
#[inline(never)]
fn one_by_one(steps: &[Step], affected: &[Readers], levels: &mut Levels, cells: &mut [Data]) -> u64 {
    let mut dirty = 0;
    for step in steps {
        let lines = step.lines(levels, cells);
        dirty |= step.give(lines, affected, levels, cells);
    }
    dirty
}

impl Row {
    pub fn new(steps: Vec<Step>) -> Row {
        Row { shape: Shape::of(&steps), steps }
    }

    #[cfg(test)]
    pub fn is_written_down(&self) -> bool {
        !matches!(self.shape, Shape::Other)
    }
}

impl Step {
    /// The output of the bank.
    #[inline(always)]
    pub fn look_up(&self, levels: &Levels, cells: &mut [Data]) -> Data {
        cells[(self.cells + self.lines(levels, cells)) as usize]
    }

    /// The index of the cell that the levels select. A RAM that is being written takes its input first.
    #[inline(always)]
    fn lines(&self, levels: &Levels, cells: &mut [Data]) -> u32 {
        let gathered = |wires: usize| gather(&self.wires[..wires], levels);
        match self.kind {
            Kind::Table(0) => 0,
            Kind::Table(1) => gathered(1),
            Kind::Table(2) => gathered(2),
            Kind::Table(3) => gathered(3),
            Kind::Table(4) => gathered(4),
            Kind::Table(5) => gathered(5),
            Kind::Table(_) => gathered(WIRES),
            Kind::Ram { first_input, inputs } => self.write(gathered(WIRES), first_input, inputs, cells),
        }
    }

    /// The index of the cell of a RAM, which is written if the line above the data inputs is 1.
    #[inline(never)]
    fn write(&self, lines: u32, first_input: u8, inputs: u8, cells: &mut [Data]) -> u32 {
        let cell = lines & ((1 << first_input) - 1);
        let above = lines >> first_input;
        if above >> inputs == 1 {
            cells[(self.cells + cell) as usize] = (above & ((1 << inputs) - 1)) as Data;
        }
        cell
    }

    /// Sets the output of the bank to the cell that these lines select. Returns the banks that have to be looked up
    /// because a watched line has changed.
    #[inline(always)]
    pub fn give(&self, lines: u32, affected: &[Readers], levels: &mut Levels, cells: &[Data]) -> u64 {
        let bank = usize::from(self.bank);
        let data = cells[(self.cells + lines) as usize];
        let changed = (levels[bank] ^ data) & self.watched;
        levels[bank] = data;
        if changed == 0 { 0 } else { readers_of(&affected[bank], changed) }
    }
}

/// The banks of these steps.
pub(super) fn banks(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |set, step| set | 1 << step.bank)
}
