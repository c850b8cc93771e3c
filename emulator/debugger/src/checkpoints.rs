//! Positions from which a run can be repeated, and the set of instructions that ran between each and the next.
//!
//! The program is ROM and there is no indirect addressing, so the set of instructions that a stretch has run (half a
//! kilobyte) determines which bytes of RAM it has accessed. A backward search skips a stretch if that set shows that
//! there is nothing to find.

use crate::instructions::InstructionSet;
use crate::position::Position;
use gray1_machine::Snapshot;

/// A position from which the run can be continued.
pub(crate) struct Checkpoint {
    pub snapshot: Snapshot,
    /// The number of output bytes up to there.
    pub sent: u64,
}

/// Checkpoints at the start of cycles, in ascending order. The first is the beginning of the run and is never dropped.
pub(crate) struct Checkpoints {
    stretches: Vec<Stretch>,
    spacing: u64,
}

/// A checkpoint, and the instructions that ran from there to the next one.
struct Stretch {
    start: Checkpoint,
    /// Includes the instruction at its end. It may also include instructions that only an abandoned future has run.
    ran: InstructionSet,
}

impl Checkpoints {
    /// An empty list; checkpoints are to be taken this many cycles apart.
    pub fn new(spacing: u64) -> Checkpoints {
        Checkpoints { stretches: Vec::new(), spacing }
    }

    pub fn len(&self) -> usize {
        self.stretches.len()
    }

    /// The bytes of memory that the checkpoints take.
    pub fn size(&self) -> usize {
        let first = self.stretches.first();
        first.map_or(0, |first| {
            self.len() * (first.start.snapshot.size() + size_of::<(u64, InstructionSet)>())
        })
    }

    pub fn get(&self, index: usize) -> &Checkpoint {
        &self.stretches[index].start
    }

    /// The positions of all checkpoints.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position> {
        self.stretches.iter().map(|stretch| stretch.start.position())
    }

    /// The last checkpoint up to a position; the first if there is none.
    pub fn before(&self, position: Position) -> usize {
        let after = self.stretches.partition_point(|stretch| stretch.start.position() <= position);
        after.saturating_sub(1)
    }

    /// Whether a checkpoint should be taken at the start of this cycle.
    pub fn is_due(&self, cycle: u64) -> bool {
        let last = self.stretches.last();
        last.is_none_or(|last| cycle > last.start.snapshot.cycle() && cycle.is_multiple_of(self.spacing))
    }

    /// The next cycle at whose start a checkpoint should be taken.
    pub fn next_due(&self, now: u64) -> u64 {
        (now / self.spacing).saturating_add(1).saturating_mul(self.spacing)
    }

    /// Adds a checkpoint, which must be later than all others.
    pub fn push(&mut self, start: Checkpoint) {
        self.stretches.push(Stretch { start, ran: InstructionSet::NONE });
    }

    /// Replaces the last checkpoint if it is at the position of this snapshot, because the machine was edited there.
    pub fn renew(&mut self, snapshot: Snapshot) {
        let now = Position::start_of(snapshot.cycle());
        let stretch = &mut self.stretches[..];
        if let Some(same) = stretch.last_mut().filter(|last| last.start.position() == now) {
            same.start.snapshot = snapshot;
        }
    }

    /// Drops every second checkpoint, and doubles the distance of future ones.
    pub fn thin_out(&mut self) {
        self.spacing *= 2;
        let spacing = self.spacing;
        self.stretches.dedup_by(|later, earlier| {
            let is_dropped = !later.start.snapshot.cycle().is_multiple_of(spacing);
            if is_dropped {
                earlier.ran.extend(&later.ran);
            }
            is_dropped
        });
    }

    /// Drops all checkpoints after a position.
    pub fn forget_after(&mut self, position: Position) {
        self.stretches.retain(|stretch| stretch.start.position() <= position);
    }

    /// The instructions that ran between a checkpoint and the next one.
    pub fn ran(&self, index: usize) -> &InstructionSet {
        &self.stretches[index].ran
    }

    /// The instructions of the stretch that contains the start of a cycle, to be added to.
    pub fn ran_from(&mut self, cycle: u64) -> &mut InstructionSet {
        let index = self.before(Position::start_of(cycle));
        &mut self.stretches[index].ran
    }

    /// Notes that any instruction may have run between the starts of two cycles.
    pub fn ran_all(&mut self, from: u64, to: u64) {
        let first = self.before(Position::start_of(from));
        let after = self.stretches.partition_point(|stretch| stretch.start.snapshot.cycle() < to);
        self.stretches[first..after].iter_mut().for_each(|stretch| stretch.ran = InstructionSet::ALL);
    }

    /// Notes which instruction runs in a cycle. At a checkpoint it belongs to the stretch before as well.
    pub fn ran_at(&mut self, cycle: u64, sequence: u16) {
        let index = self.before(Position::start_of(cycle));
        self.stretches[index].ran.add(sequence);
        if index > 0 && self.stretches[index].start.snapshot.cycle() == cycle {
            self.stretches[index - 1].ran.add(sequence);
        }
    }
}

impl Checkpoint {
    /// Checkpoints in a list are at the start of a cycle.
    pub fn position(&self) -> Position {
        Position::start_of(self.snapshot.cycle())
    }
}
