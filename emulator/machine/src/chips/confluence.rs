//! Decides whether the board of a machine is confluent.
//!
//! The test of a board that is not built in runs once, when a run is so long that the answer is worth its time.

use crate::board::netlist::Netlist;
use crate::board::{Confluence, is_built_in};

/// The test runs after this many cycles. They take longer by the general rule than the test.
const TESTED_AFTER: u64 = 1_500_000;

/// Whether a board is confluent. The error is the number of cycles to run before the test is worth its time.
pub(super) fn is_confluent(confluence: &Confluence, netlist: &Netlist, ran: u64) -> Result<bool, u64> {
    if let Some(verdict) = confluence.verdict.get() {
        return Ok(*verdict);
    }
    let is_proved = match confluence.test {
        _ if is_built_in(netlist) => true,
        None => false,
        Some(_) if ran < TESTED_AFTER => return Err(TESTED_AFTER - ran),
        Some(test) => test(netlist),
    };
    Ok(*confluence.verdict.get_or_init(|| is_proved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::{ChipsEngine, Engine, Noise};
    use gray1_isa::{Image, Opcode, Word};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_test_runs_once_and_only_in_long_runs() {
        static TESTS: AtomicUsize = AtomicUsize::new(0);
        fn test(_: &Netlist) -> bool {
            TESTS.fetch_add(1, Ordering::Relaxed);
            true
        }
        let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
        let mut board = Board::gray1();
        board.set_accelerators(test, |_| None);
        board.change(&"ALUL:0x2AA=0x0B".parse().unwrap()).unwrap();
        let mut engine = ChipsEngine::power_up(&board, &image, Noise::Zeros).unwrap();
        engine.run(TESTED_AFTER - 10, &mut ()).unwrap();
        assert_eq!(TESTS.load(Ordering::Relaxed), 0);
        engine.run(100, &mut ()).unwrap();
        for mut other in [engine.clone(), ChipsEngine::power_up(&board, &image, Noise::Ones).unwrap()] {
            other.run(100_000_000, &mut ()).unwrap(); // it would take half a minute by the general rule
        }
        assert_eq!(TESTS.load(Ordering::Relaxed), 1);
        board.change(&"ALUL:0x2AA=0x0C".parse().unwrap()).unwrap();
        let mut changed = ChipsEngine::power_up(&board, &image, Noise::Zeros).unwrap();
        changed.run(TESTED_AFTER + 100, &mut ()).unwrap();
        assert_eq!(TESTS.load(Ordering::Relaxed), 2);
        // The built-in boards are known.
        let mut right = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).unwrap();
        right.run(100_000_000, &mut ()).unwrap();
    }
}
