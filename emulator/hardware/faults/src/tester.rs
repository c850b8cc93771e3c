//! Simulates the person who runs the self-test: presses the pads and keys that it asks for. Also the output of a
//! correct machine.

use crate::reference::SLICE;
use gray1_isa::Image;
use gray1_isa::memory_map::{DISPLAY_SIZE, KEY_NAMES};
use gray1_machine::{Driver, Engine, FastEngine, Inputs, Noise, Outside, Script, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The number of cycles between a request and a press, and the duration of a press. People take longer, which makes no
/// difference to the program.
const REACTION: u64 = 20;
const PRESS: u64 = 40;
/// The maximum number of cycles that a program may wait for presses that never come.
const PATIENCE: u64 = 100_000_000;

/// The LEDs that the stores of the program have set.
#[derive(Default)]
struct Display([u8; 2 * DISPLAY_SIZE]);

impl Outside for Display {
    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        if let Some(shown) = self.0.get_mut(row) {
            *shown = leds;
        }
    }
}

impl Display {
    /// The input that the LEDs ask for: one amber LED is a pad; two in a column, at the top and the bottom, are a key.
    fn request(&self) -> Option<Inputs> {
        let (green, red) = self.0.split_at(DISPLAY_SIZE);
        let lit: Vec<(usize, u8)> = (0..).zip(green.iter().copied()).filter(|(_, leds)| *leds != 0).collect();
        let is_one = |leds: u8| leds.count_ones() == 1;
        match *lit {
            _ if green != red => None,
            [(row, leds)] if is_one(leds) => {
                Some(Inputs { pad: Some((row as u8, leds.trailing_zeros() as u8)), keys: 0 })
            }
            [(0, top), (row, bottom)] if row == DISPLAY_SIZE - 1 && top == bottom && is_one(top) => {
                let is_key = (top.trailing_zeros() as usize) < KEY_NAMES.len();
                is_key.then_some(Inputs { pad: None, keys: top })
            }
            _ => None,
        }
    }
}

/// The presses of a person who follows the requests of a program on its LEDs, on a machine without a fault. If `stop`
/// is set, the script is incomplete.
pub fn presses(program: &Image, noise: Noise, most_cycles: u64, stop: &AtomicBool) -> Script {
    let mut engine = FastEngine::power_up(program, noise);
    let (mut display, mut changes) = (Display::default(), Vec::new());
    let (mut asked, mut since) = (None, 0);
    while engine.cycle() < most_cycles && !engine.halted() {
        if engine.cycle().is_multiple_of(SLICE) && stop.load(Ordering::Relaxed) {
            break;
        }
        let request = display.request();
        if request != asked {
            (asked, since) = (request, engine.cycle());
        }
        let waited = engine.cycle() - since;
        let change = match asked {
            Some(inputs) if waited == REACTION => Some(inputs),
            Some(_) if waited == REACTION + PRESS => Some(Inputs::default()),
            _ => None,
        };
        // The fast engine always settles.
        if let Some(inputs) = change {
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

impl Outside for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// The bytes that a correct machine sends until it halts. `None` if it does not halt, or if `stop` is set.
pub fn sent(program: &Image, noise: Noise, script: &Script, stop: &AtomicBool) -> Option<Vec<u8>> {
    let mut engine = FastEngine::power_up(program, noise);
    let mut sent = Sent::default();
    let mut driver = Driver::new(&mut engine, stop, &|| Duration::ZERO);
    driver.script = script.clone();
    driver.run(PATIENCE, Duration::MAX, &mut sent).ok()?;
    (driver.stop() == Some(Stop::Halted)).then_some(sent.0)
}
