//! Records the lookups of the run without a fault, so that runs with a fault can skip the segments in which the fault
//! makes no difference.

use crate::faults::circuit::{Circuit, End};
use crate::faults::effect::Segments;
use crate::faults::machine::Onlooker;
use gray1_machine::wires::{Bit, Data, Levels};

/// Maximum number of segments: there is one bit for each.
pub(crate) const MAX_SEGMENTS: usize = Segments::BITS as usize;

/// The lookups of a run, by segment.
pub(crate) struct LookupLog {
    segment: usize,
    /// For each cell of each ROM, the last segment in which it was read, counted from 1.
    last: Vec<Vec<u8>>,
    /// The cells that were read in each segment: bank, address, segment.
    cells: Vec<(u8, u32, u8)>,
    /// For each bank and line that it reads, the segments with a lookup while the line is 0, and 1. ROMs use `cells`
    /// instead.
    lines: Vec<[[Segments; 2]; 32]>,
    /// For each bank and line that it drives, the segments in which it is 0, and 1 at some time.
    data: Vec<[[Segments; 2]; Data::BITS as usize]>,
    /// For each pair of adjacent nets, the segments in which they differ at some time.
    differ: Vec<Segments>,
    /// For each bank, the pairs that include one of its lines.
    pairs: Vec<Vec<(usize, Bit, Bit)>>,
}

impl LookupLog {
    pub fn of(circuit: &Circuit) -> LookupLog {
        let count = circuit.pack.banks.len();
        let mut pairs = vec![Vec::new(); count];
        for (pair, neighbours) in circuit.neighbours.iter().enumerate() {
            if let [End::Net(one), End::Net(other)] = neighbours.ends {
                let (one, other) = (circuit.pack.nets[one], circuit.pack.nets[other]);
                for bank in [one.bank, other.bank] {
                    pairs[bank].push((pair, one, other));
                }
            }
        }
        let cells = |bank: usize| vec![0; circuit.rom(bank).map_or(0, <[Data]>::len)];
        LookupLog {
            segment: 0,
            last: (0..count).map(cells).collect(),
            cells: Vec::new(),
            lines: vec![[[0; 2]; 32]; count],
            data: vec![[[0; 2]; Data::BITS as usize]; count],
            differ: vec![0; circuit.neighbours.len()],
            pairs,
        }
    }

    /// Begins a segment, with these levels.
    pub fn begin(&mut self, segment: usize, levels: &Levels) {
        self.segment = segment;
        for bank in 0..self.data.len() {
            self.mark(bank, levels);
        }
    }

    /// Ends the recording. After that it can be queried.
    pub fn finish(&mut self) {
        self.cells.sort_unstable();
        self.last.clear();
    }

    /// The cells that were read, sorted by bank and address.
    pub fn cells(&self) -> Vec<(usize, u32)> {
        let mut cells: Vec<_> =
            self.cells.iter().map(|&(bank, address, _)| (usize::from(bank), address)).collect();
        cells.dedup();
        cells
    }

    /// The segments in which a ROM is looked up at an address that the function accepts.
    pub fn looked_at(&self, bank: usize, is_such: impl Fn(u32) -> bool) -> Segments {
        let from = self.cells.partition_point(|&(other, ..)| usize::from(other) < bank);
        let to = self.cells.partition_point(|&(other, ..)| usize::from(other) <= bank);
        let such = self.cells[from..to].iter().filter(|&&(_, address, _)| is_such(address));
        such.fold(0, |set, &(.., segment)| set | 1 << segment)
    }

    /// The segments in which a bank that is not a ROM is looked up while a line that it reads has a level.
    pub fn looked_with(&self, bank: usize, line: usize, level: bool) -> Segments {
        self.lines[bank][line][usize::from(level)]
    }

    /// The segments in which a line has a level.
    pub fn at(&self, line: Bit, level: bool) -> Segments {
        self.data[line.bank][line.bit as usize][usize::from(level)]
    }

    /// The segments in which two adjacent nets differ.
    pub fn differ(&self, ends: [Bit; 2]) -> Segments {
        let pair = self.pairs[ends[0].bank].iter().find(|(_, one, other)| [*one, *other] == ends);
        pair.map_or(0, |(pair, ..)| self.differ[*pair])
    }

    fn mark_lines(&mut self, bank: usize, lines: u32) {
        for (line, when) in self.lines[bank].iter_mut().enumerate() {
            when[(lines >> line & 1) as usize] |= 1 << self.segment;
        }
    }

    fn mark(&mut self, bank: usize, levels: &Levels) {
        for (line, when) in self.data[bank].iter_mut().enumerate() {
            when[usize::from(levels[bank] >> line & 1)] |= 1 << self.segment;
        }
        for &(pair, one, other) in &self.pairs[bank] {
            let [one, other] = [one, other].map(|line| levels[line.bank] >> line.bit & 1);
            self.differ[pair] |= Segments::from(one ^ other) << self.segment;
        }
    }
}

impl Onlooker for LookupLog {
    #[inline(always)]
    fn looked(&mut self, bank: usize, lines: u32) {
        if let Some(last) = self.last[bank].get_mut(lines as usize)
            && usize::from(*last) != self.segment + 1
        {
            *last = self.segment as u8 + 1;
            self.cells.push((bank as u8, lines, self.segment as u8));
        } else if self.last[bank].is_empty() {
            self.mark_lines(bank, lines);
        }
    }

    #[inline(always)]
    fn changed(&mut self, bank: usize, levels: &Levels) {
        self.mark(bank, levels);
    }
}
