//! A difference, and an explanation for it: a line that is always wrong.

use super::samples::{Capture, Sample};

/// Maximum number of samples compared to decide whether a line is explained.
const MAX_COMPARED: usize = 4_096;

/// A sample that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file.
    pub line: usize,
    /// The cycle and the phase.
    pub position: (u64, u8),
    /// The sequence number of the instruction that runs then.
    pub instruction: u16,
    /// The levels that were seen, as far as they are known, and those expected.
    pub got: u128,
    #[allow(missing_docs)]
    pub known: u128,
    #[allow(missing_docs)]
    pub wanted: u128,
    /// Whether the levels stay the same although they should change.
    pub stays: bool,
}

impl Difference {
    /// The lines that are wrong.
    pub fn lines(&self) -> u128 {
        (self.got ^ self.wanted) & self.known
    }
}

/// A line that is wrong while the machine continues correctly, so the fault is in the probe or behind it. Lines are
/// numbered by their index in the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Probe {
    /// It never moves.
    Stuck { line: usize, level: bool },
    /// It is always the opposite.
    Inverted { line: usize },
    /// Two lines are swapped.
    Swapped { line: usize, other: usize },
    /// It always has the level that another line should have.
    Doubled { line: usize, other: usize },
    /// It is sometimes wrong.
    Differs { line: usize },
}

impl Probe {
    /// All faults that lines of a capture could have.
    pub fn all(capture: &Capture) -> impl Iterator<Item = Probe> {
        let lines = capture.nets.len();
        let levels = |line: usize| capture.samples.iter().map(move |sample| sample.levels >> line & 1 == 1);
        let stuck = (0..lines).filter_map(move |line| {
            let level = levels(line).next()?;
            levels(line).all(|other| other == level).then_some(Probe::Stuck { line, level })
        });
        let pairs = (0..lines).flat_map(move |line| (0..lines).map(move |other| (line, other)));
        let swapped = pairs.clone().filter(|(line, other)| line < other);
        let swapped = swapped.map(|(line, other)| Probe::Swapped { line, other });
        let same = move |line, other| levels(line).take(MAX_COMPARED).eq(levels(other).take(MAX_COMPARED));
        let doubled = pairs.filter(move |&(line, other)| line != other && same(line, other));
        let doubled = doubled.map(|(line, other)| Probe::Doubled { line, other });
        let inverted = (0..lines).map(|line| Probe::Inverted { line });
        let differs = (0..lines).map(|line| Probe::Differs { line });
        stuck.chain(inverted).chain(swapped).chain(doubled).chain(differs)
    }

    /// The lines that are wrong.
    pub fn lines(self) -> u128 {
        match self {
            Probe::Swapped { line, other } => 1 << line | 1 << other,
            Probe::Stuck { line, .. }
            | Probe::Inverted { line }
            | Probe::Doubled { line, .. }
            | Probe::Differs { line } => 1 << line,
        }
    }

    /// The lines whose levels are still usable.
    pub fn mask(self) -> u128 {
        match self {
            Probe::Inverted { .. } | Probe::Swapped { .. } => u128::MAX,
            Probe::Stuck { .. } | Probe::Doubled { .. } | Probe::Differs { .. } => !self.lines(),
        }
    }

    /// A sample with this fault corrected.
    pub fn undone(self, sample: &Sample) -> Sample {
        let exchanged = |bits: u128, line: usize, other: usize| {
            let differ = (bits >> line ^ bits >> other) & 1;
            bits ^ differ << line ^ differ << other
        };
        let mut sample = *sample;
        match self {
            Probe::Inverted { line } => sample.levels ^= 1 << line,
            Probe::Swapped { line, other } => {
                sample.levels = exchanged(sample.levels, line, other);
                sample.known = exchanged(sample.known, line, other);
            }
            _ => {}
        }
        sample
    }
}
