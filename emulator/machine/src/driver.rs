//! Running an engine until something stops it: the one loop that all runs use.
//!
//! ```text
//!   pace: the cycles that are due ──┐                     ┌── a halt, the limit, an interruption
//!                                   ▼                     │
//!                                Driver ── Engine::run ───┤
//!                                   ▲                     └── the time for this call is over
//!   input script, inputs held ──────┘
//! ```

use crate::engine::{Engine, Failure, OutputSink};
use crate::pace::Slice;
use crate::script::Script;
use crate::state::{Inputs, Noise, State};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program halted.
    Halted,
    /// The run reached its limit of cycles.
    Limit,
    /// The user closed the display, or the reader of the output has gone.
    Quit,
    /// The interrupt flag was set, by a signal, Ctrl-C or the caller.
    Interrupted,
}

/// An observer of a machine.
pub type Observer<'a> = Box<dyn FnMut(&dyn Engine) -> Result<(), Failure> + 'a>;

/// A run in progress.
pub struct Driver<'a> {
    engine: &'a mut dyn Engine,
    interrupt: &'a AtomicBool,
    clock: &'a dyn Fn() -> Duration,
    slice: Slice,
    /// The inputs pressed at given cycles.
    pub script: Script,
    /// The inputs that a user holds down in addition to those of the script.
    pub held: Inputs,
    /// The cycles that may still be run.
    pub left: u64,
    /// Called with the engine before each cycle; for instance to write a trace.
    pub each_cycle: Option<Observer<'a>>,
}

impl<'a> Driver<'a> {
    /// A run of this engine without inputs and without limit. `interrupt` stops it from any thread; `clock` says how
    /// much time has passed, and only decides how often the interrupt flag is checked.
    pub fn new(
        engine: &'a mut dyn Engine,
        interrupt: &'a AtomicBool,
        clock: &'a dyn Fn() -> Duration,
    ) -> Driver<'a> {
        Driver {
            engine,
            interrupt,
            clock,
            slice: Slice::default(),
            script: Script::default(),
            held: Inputs::default(),
            left: u64::MAX,
            each_cycle: None,
        }
    }

    /// The machine.
    pub fn engine(&self) -> &dyn Engine {
        self.engine
    }

    /// The reason why the run has stopped, if it has.
    pub fn stop(&self) -> Option<Stop> {
        if self.engine.halted() {
            Some(Stop::Halted)
        } else if self.left == 0 {
            Some(Stop::Limit)
        } else {
            self.is_interrupted().then_some(Stop::Interrupted)
        }
    }

    /// Whether the interrupt flag is set.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The time, by the clock of this run.
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Runs up to `cycles` cycles, for no longer than `time`, until something stops the run. Returns how many were
    /// run.
    pub fn run(&mut self, cycles: u64, time: Duration, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        let start = self.now();
        let (mut now, mut ran) = (start, 0);
        while ran < cycles && self.stop().is_none() && now.saturating_sub(start) < time {
            let cycle = self.engine.cycle();
            self.engine.press(self.script.inputs_at(cycle).and(self.held))?;
            let stretch = self.script.next_change(cycle).map_or(u64::MAX, |change| change - cycle);
            let slice = self.slice.of(cycles - ran).min(self.left).min(stretch);
            let slice = match &mut self.each_cycle {
                Some(observe) => {
                    observe(self.engine)?;
                    1
                }
                None => slice,
            };
            let done = self.engine.run(slice, outside)?;
            ran += done;
            self.left -= done;
            let before = std::mem::replace(&mut now, (self.clock)());
            self.slice.took(done, now.saturating_sub(before));
        }
        Ok(ran)
    }

    /// Runs until something stops it.
    pub fn finish(&mut self, outside: &mut dyn OutputSink) -> Result<Stop, Failure> {
        loop {
            if let Some(stop) = self.stop() {
                return Ok(stop);
            }
            self.run(u64::MAX, Duration::MAX, outside)?;
        }
    }

    /// Presses the reset button. RAM keeps its contents; the script starts again, the limit does not.
    pub fn reset(&mut self) {
        let ram = self.engine.state().ram;
        // A board that settled at power-up settles again; if it does not, the next cycle reports it.
        let _ = self.engine.set_state(&State { ram, ..State::after_reset(Noise::Zeros) });
    }
}

impl Script {
    /// Runs an engine for up to `cycles` cycles with the inputs of this script, without interruption.
    pub fn run(
        &self,
        engine: &mut dyn Engine,
        cycles: u64,
        outside: &mut dyn OutputSink,
    ) -> Result<u64, Failure> {
        let never = AtomicBool::new(false);
        let mut driver = Driver::new(engine, &never, &|| Duration::ZERO);
        driver.script = self.clone();
        driver.run(cycles, Duration::MAX, outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IsaEngine;
    use gray1_isa::memory_map::{KEYS, OUT};
    use gray1_isa::{Image, Opcode, Word};
    use std::cell::Cell;

    /// Sends the keys forever, three cycles each time.
    fn echo() -> IsaEngine {
        let words = [Word::ram(Opcode::Lda, KEYS), Word::ram(Opcode::Sta, OUT), Word::jump(Opcode::Jmp, 0)];
        IsaEngine::power_up(&Image::from_words(words), Noise::Zeros)
    }

    #[derive(Default)]
    struct Sent(Vec<(u64, u8)>);

    impl OutputSink for Sent {
        fn output(&mut self, cycle: u64, byte: u8) {
            self.0.push((cycle, byte));
        }
    }

    #[test]
    fn inputs_come_from_the_script_and_from_a_person() {
        let (mut engine, never) = (echo(), AtomicBool::new(false));
        let mut driver = Driver::new(&mut engine, &never, &|| Duration::ZERO);
        driver.script = Script::from_ron(r#"[(at: 3, keys: ["left"]), (at: 9, keys: [])]"#).unwrap();
        let mut sent = Sent::default();
        assert_eq!(driver.run(6, Duration::MAX, &mut sent).unwrap(), 6);
        driver.held.keys = 0b1000;
        driver.left = 6;
        assert_eq!(driver.finish(&mut sent).unwrap(), Stop::Limit);
        assert_eq!(sent.0, [(1, 0), (4, 1), (7, 0b1001), (10, 0b1000)]);
    }

    #[test]
    fn an_endless_program_ends_with_its_time_or_its_interruption() {
        let (mut engine, interrupt, now) = (echo(), AtomicBool::new(false), Cell::new(Duration::ZERO));
        let tick = || {
            now.set(now.get() + Duration::from_millis(1));
            interrupt.store(now.get() > Duration::from_secs(1), Ordering::Relaxed);
            now.get()
        };
        let mut driver = Driver::new(&mut engine, &interrupt, &tick);
        let ran = driver.run(u64::MAX, Duration::from_millis(10), &mut ()).unwrap();
        assert!(ran > 0 && driver.stop().is_none());
        assert_eq!(driver.finish(&mut ()).unwrap(), Stop::Interrupted);
        assert_eq!(driver.run(1, Duration::MAX, &mut ()).unwrap(), 0);
    }

    #[test]
    fn somebody_can_look_at_each_cycle() {
        let (mut engine, never, seen) = (echo(), AtomicBool::new(false), Cell::new(0));
        let mut driver = Driver::new(&mut engine, &never, &|| Duration::ZERO);
        driver.each_cycle = Some(Box::new(|engine| {
            assert_eq!(engine.cycle(), seen.get());
            seen.set(seen.get() + 1);
            Ok(())
        }));
        driver.left = 10;
        assert_eq!(driver.finish(&mut ()).unwrap(), Stop::Limit);
        drop(driver);
        assert_eq!(seen.get(), 10);
    }
}
