//! What a run has used up to the current position: instructions, and the cells of each chip.

use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::history::History;
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::{ChipsEngine, Engine};
use std::sync::atomic::{AtomicBool, Ordering};

impl Debugger {
    /// How often each instruction has run, by sequence number.
    pub fn execution_counts(&mut self, interrupt: &AtomicBool) -> Result<Vec<u64>, DebugError> {
        let mut counts = vec![0; PROGRAM_WORDS];
        let end = self.position();
        repeat_run(self.history_mut(), |history| {
            let mut count = |machine: &ChipsEngine| {
                if machine.cycle() < end.cycle {
                    counts[usize::from(machine.running()) % PROGRAM_WORDS] += 1;
                }
                false
            };
            count(history.machine());
            history.run(end.cycle, interrupt, count).map(|_| ())
        })?;
        Ok(counts)
    }

    /// For each chip, in the order of the board, which of its cells were looked up at the end of some phase.
    pub fn cells_read(&mut self, interrupt: &AtomicBool) -> Result<Vec<Vec<bool>>, DebugError> {
        let chips = &self.board().chips;
        let mut cells: Vec<_> = chips.iter().map(|chip| vec![false; 1 << chip.address().len()]).collect();
        let end = self.position();
        repeat_run(self.history_mut(), |history| {
            loop {
                for (chip, cells) in cells.iter_mut().enumerate() {
                    cells[history.machine().look_at(chip).0 as usize] = true;
                }
                if history.position() >= end {
                    return Ok(());
                }
                if interrupt.load(Ordering::Relaxed) {
                    return Err(DebugError::Interrupted);
                }
                history.phase()?;
            }
        })?;
        Ok(cells)
    }
}

/// Repeats the run from its beginning, and comes back to the current position whatever happens.
pub(crate) fn repeat_run(
    history: &mut History,
    run: impl FnOnce(&mut History) -> Result<(), DebugError>,
) -> Result<(), DebugError> {
    let here = history.checkpoint();
    history.rewind(0);
    let result = run(history);
    history.restore(&here);
    result
}
