//! Records what a run looks up and when, so that the runs of machines with a fault can leave out the stretches in which
//! the fault makes no difference.

use crate::circuit::{Circuit, Contents, End};
use crate::machine::Onlooker;
use gray1_machine::wires::{Bit, Data, Levels};

/// Maximum number of stretches: one bit each.
pub(crate) const STRETCHES: usize = Stretches::BITS as usize;

/// A set of stretches.
pub(crate) type Stretches = u128;

/// What was looked up, and in which stretches.
pub(crate) struct Seen {
    stretch: usize,
    /// For each ROM and cell: the last stretch in which it was read, counted from 1.
    last: Vec<Vec<u8>>,
    /// The cells that were read, once for each stretch: bank, address, stretch.
    cells: Vec<(u8, u32, u8)>,
    /// For each bank and line that it reads: when it is looked up with the line at 0, and at 1. ROMs have `cells` instead.
    lines: Vec<[[Stretches; 2]; 32]>,
    /// For each bank and line that it drives: when it is at 0, and at 1.
    data: Vec<[[Stretches; 2]; Data::BITS as usize]>,
    /// For each pair of nets that are neighbours: when they differ.
    differ: Vec<Stretches>,
    /// The pairs with a line of a bank.
    pairs: Vec<Vec<(usize, Bit, Bit)>>,
}

impl Seen {
    pub fn of(circuit: &Circuit) -> Seen {
        let count = circuit.banks.len();
        let mut pairs = vec![Vec::new(); count];
        for (pair, neighbours) in circuit.neighbours.iter().enumerate() {
            if let [End::Net(one), End::Net(other)] = neighbours.ends {
                let (one, other) = (circuit.nets[one], circuit.nets[other]);
                for bank in [one.bank, other.bank] {
                    pairs[bank].push((pair, one, other));
                }
            }
        }
        let cells = |bank: usize| match circuit.banks[bank].holds {
            Contents::Rom { table } => vec![0; circuit.tables[table].len()],
            _ => Vec::new(),
        };
        Seen {
            stretch: 0,
            last: (0..count).map(cells).collect(),
            cells: Vec::new(),
            lines: vec![[[0; 2]; 32]; count],
            data: vec![[[0; 2]; Data::BITS as usize]; count],
            differ: vec![0; circuit.neighbours.len()],
            pairs,
        }
    }

    /// Begins another stretch, with these levels.
    pub fn begin(&mut self, stretch: usize, levels: &Levels) {
        self.stretch = stretch;
        for bank in 0..self.data.len() {
            self.mark(bank, levels);
        }
    }

    /// Ends the recording: from here on it is only read.
    pub fn finish(&mut self) {
        self.cells.sort_unstable();
        self.last.clear();
    }

    /// The cells that were read, as bank and address, in this order.
    pub fn cells(&self) -> Vec<(usize, u32)> {
        let mut cells: Vec<_> =
            self.cells.iter().map(|&(bank, address, _)| (usize::from(bank), address)).collect();
        cells.dedup();
        cells
    }

    /// When a ROM is looked up at such an address.
    pub fn looked_at(&self, bank: usize, is_such: impl Fn(u32) -> bool) -> Stretches {
        let from = self.cells.partition_point(|&(other, ..)| usize::from(other) < bank);
        let to = self.cells.partition_point(|&(other, ..)| usize::from(other) <= bank);
        let such = self.cells[from..to].iter().filter(|&&(_, address, _)| is_such(address));
        such.fold(0, |set, &(.., stretch)| set | 1 << stretch)
    }

    /// When a bank that is not a ROM is looked up while a line that it reads is at a level.
    pub fn looked_with(&self, bank: usize, line: usize, level: bool) -> Stretches {
        self.lines[bank][line][usize::from(level)]
    }

    /// When a line is at a level.
    pub fn at(&self, line: Bit, level: bool) -> Stretches {
        self.data[line.bank][line.bit as usize][usize::from(level)]
    }

    /// When the two nets of a pair of neighbours differ.
    pub fn differ(&self, pair: usize) -> Stretches {
        self.differ[pair]
    }

    fn mark_lines(&mut self, bank: usize, lines: u32) {
        for (line, when) in self.lines[bank].iter_mut().enumerate() {
            when[(lines >> line & 1) as usize] |= 1 << self.stretch;
        }
    }

    fn mark(&mut self, bank: usize, levels: &Levels) {
        for (line, when) in self.data[bank].iter_mut().enumerate() {
            when[usize::from(levels[bank] >> line & 1)] |= 1 << self.stretch;
        }
        for &(pair, one, other) in &self.pairs[bank] {
            let [one, other] = [one, other].map(|line| levels[line.bank] >> line.bit & 1);
            self.differ[pair] |= Stretches::from(one ^ other) << self.stretch;
        }
    }
}

impl Onlooker for Seen {
    #[inline(always)]
    fn looked(&mut self, bank: usize, lines: u32) {
        if let Some(last) = self.last[bank].get_mut(lines as usize)
            && usize::from(*last) != self.stretch + 1
        {
            *last = self.stretch as u8 + 1;
            self.cells.push((bank as u8, lines, self.stretch as u8));
        } else if self.last[bank].is_empty() {
            self.mark_lines(bank, lines);
        }
    }

    #[inline(always)]
    fn changed(&mut self, bank: usize, levels: &Levels) {
        self.mark(bank, levels);
    }
}
