//! Simulates the person who runs the self-test and presses the pads and keys that it requests. Also computes the output
//! of a correct machine.

use gray1_isa::Image;
use gray1_isa::memory_map::{DISPLAY_SIZE, KEY_NAMES};
use gray1_machine::{Driver, Engine, Inputs, IsaEngine, Noise, OutputSink, Script, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The number of cycles between a request and a press, and the duration of a press. People take longer, which makes no
/// difference to the program.
const REACTION: u64 = 20;
const PRESS: u64 = 40;
/// The maximum number of cycles that a program may wait for presses that never come.
const PATIENCE: u64 = 100_000_000;
/// The stop flag is checked once in this many cycles.
pub(crate) const SLICE: u64 = 4096;

/// The LEDs that the stores of the program have set: 16 rows of eight, green first, the top row lowest.
#[derive(Default)]
struct Display(u128);

impl OutputSink for Display {
    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        if row < 2 * DISPLAY_SIZE {
            self.0 = self.0 & !(0xFF << (8 * row)) | u128::from(leds) << (8 * row);
        }
    }
}

/// The input that the LEDs ask for: one amber LED is a pad; two in a column, at the top and the bottom, are a key.
fn request(leds: u128) -> Option<Inputs> {
    let (green, red) = (leds as u64, (leds >> 64) as u64);
    if green != red {
        return None;
    }
    let rows = green.to_le_bytes();
    let (first, last) = (green.trailing_zeros(), green.leading_zeros());
    match green.count_ones() {
        1 => Some(Inputs { pad: Some(((first / 8) as u8, (first % 8) as u8)), keys: 0 }),
        2 if rows[0] == rows[DISPLAY_SIZE - 1] && first < 8 && last < 8 => {
            ((first as usize) < KEY_NAMES.len()).then_some(Inputs { pad: None, keys: rows[0] })
        }
        _ => None,
    }
}

/// A person who looks at the LEDs, and presses what they ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operator {
    asked: Option<Inputs>,
    since: u64,
}

impl Operator {
    /// The inputs that are pressed from this cycle on; `None` if they do not change.
    pub fn look(&mut self, leds: u128, cycle: u64) -> Option<Inputs> {
        let request = request(leds);
        if request != self.asked {
            (self.asked, self.since) = (request, cycle);
        }
        match (self.asked?, cycle - self.since) {
            (inputs, REACTION) => Some(inputs),
            (_, waited) if waited == REACTION + PRESS => Some(Inputs::default()),
            _ => None,
        }
    }

    /// The next cycle after this one at which something is pressed or released, if the LEDs do not change.
    pub fn next(&self, cycle: u64) -> Option<u64> {
        let changes = [REACTION, REACTION + PRESS].map(|after| self.since + after);
        changes.into_iter().find(|&at| self.asked.is_some() && at > cycle)
    }
}

/// The presses of a person who follows the requests of a program on its LEDs, on a machine without a fault. If `stop`
/// is set, the script is incomplete.
pub fn presses(program: &Image, noise: Noise, max_cycles: u64, stop: &AtomicBool) -> Script {
    let mut engine = IsaEngine::power_up(program, noise);
    let (mut display, mut changes) = (Display::default(), Vec::new());
    let mut operator = Operator::default();
    while engine.cycle() < max_cycles && !engine.halted() {
        if engine.cycle().is_multiple_of(SLICE) && stop.load(Ordering::Relaxed) {
            break;
        }
        // The fast engine always settles.
        if let Some(inputs) = operator.look(display.0, engine.cycle()) {
            changes.push((engine.cycle(), inputs));
            let _ = engine.press(inputs);
        }
        let _ = engine.run(1, &mut display);
    }
    Script::of(changes)
}

/// The bytes of the port.
#[derive(Default)]
struct Sent(Vec<u8>);

impl OutputSink for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// The bytes that a correct machine sends until it halts. `None` if it does not halt, or if `stop` is set.
pub fn sent(program: &Image, noise: Noise, script: &Script, stop: &AtomicBool) -> Option<Vec<u8>> {
    let mut engine = IsaEngine::power_up(program, noise);
    let mut sent = Sent::default();
    let mut driver = Driver::new(&mut engine, stop, &|| Duration::ZERO);
    driver.script = script.clone();
    driver.run(PATIENCE, Duration::MAX, &mut sent).ok()?;
    (driver.stop() == Some(Stop::Halted)).then_some(sent.0)
}
