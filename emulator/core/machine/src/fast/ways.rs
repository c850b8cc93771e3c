//! The ways that the conditional jumps of a run went: one bit for each.

/// Which conditional jumps of a run were taken, in order.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Complete groups of [`Ways::GROUP`] jumps, the first in the highest of their bits.
    groups: Vec<u64>,
    /// The jumps of the last group, below a bit that is 1.
    last: u64,
}

impl Default for Ways {
    fn default() -> Ways {
        Ways { groups: Vec::new(), last: 1 }
    }
}

impl Ways {
    /// The number of jumps in a complete group.
    pub const GROUP: u32 = u64::BITS - 1;

    /// The jumps in groups: their number, and a bit for each, 1 if it was taken. The last jump is in the lowest bit.
    pub fn groups(&self) -> impl Iterator<Item = (u32, u64)> {
        let last = self.last.ilog2();
        let complete = self.groups.iter().map(|&bits| (Ways::GROUP, bits));
        complete.chain([(last, self.last ^ 1 << last)])
    }

    /// Records whether the next jump is taken.
    pub(super) fn note(&mut self, is_taken: bool) {
        self.last = self.last << 1 | u64::from(is_taken);
        if self.last >> Ways::GROUP == 1 {
            self.groups.push(self.last ^ 1 << Ways::GROUP);
            self.last = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_kept_in_order() {
        for count in [0u32, 1, 62, 63, 64, 200] {
            let taken = |number: u32| number.is_multiple_of(3);
            let mut ways = Ways::default();
            (0..count).for_each(|number| ways.note(taken(number)));
            let bits =
                ways.groups().flat_map(|(length, bits)| (0..length).rev().map(move |at| bits >> at & 1 == 1));
            assert_eq!(bits.collect::<Vec<_>>(), (0..count).map(taken).collect::<Vec<_>>());
        }
    }
}
