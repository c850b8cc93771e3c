//! The picture of a halted machine: the LEDs as they are, or as they were with the last result.

use std::time::Duration;

use gray1_machine::Stop;

use crate::exposure::Light;
use crate::output::Moment;
use crate::session::Session;

/// The choice between the two.
pub(crate) struct Ending {
    /// A machine that is not held has no results to look at.
    has_results: bool,
    shows_leds: bool,
}

/// The last result of a machine that has halted, if its LEDs no longer show it.
#[derive(Clone, Copy)]
pub(crate) struct LastResult {
    pub moment: Moment,
    /// Whether it is to be shown instead of the LEDs as they are.
    pub is_shown: bool,
}

impl Ending {
    /// The last result is shown first.
    pub fn new(hold: Duration) -> Self {
        Self { has_results: !hold.is_zero(), shows_leds: false }
    }

    /// Chooses the other one, if the machine has halted.
    pub fn toggle(&mut self, session: &Session) {
        self.shows_leds ^= has_halted(session);
    }

    /// The last result, if it differs from what the LEDs show now.
    pub fn last_result(&self, session: &Session, now: &Light) -> Option<LastResult> {
        let moment = session.output().last_result().filter(|_| self.has_results && has_halted(session))?;
        (moment.light() != *now).then_some(LastResult { moment, is_shown: !self.shows_leds })
    }
}

impl LastResult {
    /// The light that is shown where the LEDs show `now`.
    pub fn light(last: Option<&Self>, now: Light) -> Light {
        last.filter(|last| last.is_shown).map_or(now, |last| last.moment.light())
    }
}

fn has_halted(session: &Session) -> bool {
    session.stop() == Some(Stop::Halted)
}
