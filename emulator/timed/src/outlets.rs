//! The outlets: what the port and the rows of the display show.

/// The outlets of a board.
pub struct Outlets {
    /// Those that have closed since this was last emptied, with the byte they show.
    pub shown: Vec<(usize, u8)>,
    strobes: Vec<Strobe>,
}

/// The enable of an outlet.
struct Strobe {
    /// When it last rose.
    opened: u64,
    /// How long its latch takes to follow.
    needed: u64,
}

impl Outlets {
    /// Outlets whose latches take so long to follow.
    pub fn new(needed: impl Iterator<Item = u64>) -> Outlets {
        Outlets { shown: Vec::new(), strobes: needed.map(|needed| Strobe { opened: 0, needed }).collect() }
    }

    /// All of them have stood as they are since this time.
    pub fn settle(&mut self, now: u64) {
        self.shown.clear();
        self.strobes.iter_mut().for_each(|strobe| strobe.opened = now);
    }

    /// An outlet opens or closes. Its byte is shown when it closes, if its latch has had the time to follow.
    pub fn strobe(&mut self, now: u64, outlet: usize, is_open: bool, byte: u8) {
        let strobe = &mut self.strobes[outlet];
        if is_open {
            strobe.opened = now;
        } else if now - strobe.opened >= strobe.needed {
            self.shown.push((outlet, byte));
        }
    }
}
