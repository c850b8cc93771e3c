//! The outlets: the port and the rows of the display.

/// The outlets of a board.
pub struct Outlets {
    /// Those that have closed since this was last emptied, with the bytes that they show.
    pub shown: Vec<(usize, u8)>,
    strobes: Vec<Strobe>,
}

/// The enable of an outlet.
struct Strobe {
    /// The time at which it last rose.
    opened: u64,
    /// The time that its latch needs to follow its input.
    needed: u64,
}

impl Outlets {
    /// Outlets whose latches need these times to follow their inputs.
    pub fn new(needed: impl Iterator<Item = u64>) -> Outlets {
        Outlets { shown: Vec::new(), strobes: needed.map(|needed| Strobe { opened: 0, needed }).collect() }
    }

    /// Puts all of them at rest since this time.
    pub fn settle(&mut self, now: u64) {
        self.shown.clear();
        self.strobes.iter_mut().for_each(|strobe| strobe.opened = now);
    }

    /// An outlet opens or closes. When it closes, its byte is shown if it was open for long enough.
    pub fn strobe(&mut self, now: u64, outlet: usize, is_open: bool, byte: u8) {
        let strobe = &mut self.strobes[outlet];
        if is_open {
            strobe.opened = now;
        } else if now - strobe.opened >= strobe.needed {
            self.shown.push((outlet, byte));
        }
    }
}
