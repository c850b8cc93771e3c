//! Whether it is known that the order of lookups makes no difference on a board: only then may an engine leave lookups
//! out, or run ahead of them.
//!
//! It is known for the two built-in boards. For any other it has to be proved, by a crate above this one: a [`Judge`] is
//! asked once, when a run is so long that the answer is worth its time.

use crate::netlist::Netlist;
use std::sync::{Arc, OnceLock};

/// Proves that the order of lookups makes no difference on a board. Returns false if it does, or if that is not certain.
pub type Judge = fn(&Netlist) -> bool;

/// A judge is asked after this many cycles. They take longer by the general rule than the answer.
const ASKED_AFTER: u64 = 1_500_000;

/// What is known about the order of lookups on a board. Its machines and their copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    judge: Option<Judge>,
    verdict: Arc<OnceLock<bool>>,
}

impl Order {
    /// What this judge will say.
    pub fn judged_by(judge: Judge) -> Order {
        Order { judge: Some(judge), verdict: Arc::default() }
    }

    /// The order of another board, with the same judge.
    pub fn of_another(&self) -> Order {
        Order { judge: self.judge, verdict: Arc::default() }
    }

    /// That the order makes no difference is known already.
    pub fn proved() -> Order {
        Order { judge: None, verdict: Arc::new(OnceLock::from(true)) }
    }

    /// Whether the order makes no difference, if that is known after so many cycles; otherwise the number of cycles after
    /// which it will be.
    pub fn makes_no_difference(&self, netlist: &Netlist, ran: u64) -> Result<bool, u64> {
        if let Some(verdict) = self.verdict.get() {
            return Ok(*verdict);
        }
        let is_proved = match self.judge {
            _ if netlist.is_built_in() => true,
            None => false,
            Some(_) if ran < ASKED_AFTER => return Err(ASKED_AFTER - ran),
            Some(judge) => judge(netlist),
        };
        Ok(*self.verdict.get_or_init(|| is_proved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::{ChipsEngine, Engine, Noise};
    use gray1_isa::{Image, Opcode, Word};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_judge_is_asked_once_and_only_in_long_runs() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        fn judge(_: &Netlist) -> bool {
            ASKED.fetch_add(1, Ordering::Relaxed);
            true
        }
        let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
        let mut board = Board::gray1();
        board.equip(judge, |_| None);
        board.change(&"ALUL:0x2AA=0x0B".parse().unwrap()).unwrap();
        let mut engine = ChipsEngine::power_up(&board, &image, Noise::Zeros).unwrap();
        engine.run(ASKED_AFTER - 10, &mut ()).unwrap();
        assert_eq!(ASKED.load(Ordering::Relaxed), 0);
        engine.run(100, &mut ()).unwrap();
        for mut other in [engine.clone(), ChipsEngine::power_up(&board, &image, Noise::Ones).unwrap()] {
            other.run(100_000_000, &mut ()).unwrap(); // it would take half a minute by the general rule
        }
        assert_eq!(ASKED.load(Ordering::Relaxed), 1);
        board.change(&"ALUL:0x2AA=0x0C".parse().unwrap()).unwrap();
        let mut changed = ChipsEngine::power_up(&board, &image, Noise::Zeros).unwrap();
        changed.run(ASKED_AFTER + 100, &mut ()).unwrap();
        assert_eq!(ASKED.load(Ordering::Relaxed), 2);
        // The built-in boards are known.
        let mut right = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).unwrap();
        right.run(100_000_000, &mut ()).unwrap();
    }
}
