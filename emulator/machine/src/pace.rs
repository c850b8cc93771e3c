//! The speed of a run: a speed, the number of cycles due at that speed, and the number of cycles to run at a
//! time.
//!
//! Nothing here reads a clock: the caller passes the time. Cycles are counted in integer billionths of a cycle, so
//! nothing is lost to rounding, and a run of a day is exact to the cycle. After a stall (a closed laptop, a suspended
//! process) the machine does not run faster to catch up, except for at most [`MAX_STALL`].

use gray1_text::{HERTZ, quantity};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest gap between two calls of [`Pace::due`] whose cycles are run later.
pub const MAX_STALL: Duration = Duration::from_millis(500);

const PER_SECOND: u128 = 1_000_000_000;
/// The highest finite step of the speed ladder.
const LADDER_TOP: u64 = 100_000_000;
/// The intended length of a slice.
const SLICE: Duration = Duration::from_millis(2);
/// The first slice, while nothing is known about the speed of the engine.
const FIRST_SLICE: u64 = 1_000;

/// The speed of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Machine cycles a second; 0 is taken as 1.
    Hz(u64),
    /// As fast as the engine goes.
    Max,
}

impl Speed {
    /// The next step up the ladder of 1, 2, 5, 10 ... cycles a second, whose last step is [`Speed::Max`].
    pub fn faster(self) -> Self {
        match self {
            Self::Hz(hz) => ladder().find(|step| *step > hz).map_or(Self::Max, Self::Hz),
            Self::Max => Self::Max,
        }
    }

    /// The next step down. Steps above `reached`, the speed that the engine really reaches (or `u64::MAX`), are
    /// skipped: they would make no difference.
    pub fn slower(self, reached: u64) -> Self {
        let now = match self {
            Self::Hz(hz) => hz.min(reached),
            Self::Max => reached,
        };
        Self::Hz(ladder().take_while(|step| *step < now).last().unwrap_or(1))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Hz(hz) = *self else { return f.write_str("max") };
        let (unit, name) = match hz {
            0..1_000 => (1, "Hz"),
            1_000..1_000_000 => (1_000, "kHz"),
            1_000_000..1_000_000_000 => (1_000_000, "MHz"),
            _ => (1_000_000_000, "GHz"),
        };
        let (whole, tenths) = (hz / unit, hz % unit * 10 / unit);
        if whole < 100 && tenths > 0 {
            write!(f, "{whole}.{tenths} {name}")
        } else {
            write!(f, "{whole} {name}")
        }
    }
}

/// The text is not a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a speed is a number of cycles per second, such as 500, 8k, 1.5MHz or 1e6, or `max`")]
pub struct SpeedError;

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        match text {
            "max" => Ok(Self::Max),
            _ => quantity(text, &HERTZ).filter(|hz| *hz > 0).map(Self::Hz).ok_or(SpeedError),
        }
    }
}

/// Turns time into cycles.
#[derive(Clone, Debug)]
pub struct Pace {
    speed: Speed,
    last: Duration,
    owed: u64,
    /// The fraction of a cycle that is due beyond whole cycles, in billionths.
    fraction: u128,
}

impl Pace {
    /// A pace that starts at time `now`.
    pub fn new(speed: Speed, now: Duration) -> Self {
        Self { speed, last: now, owed: 0, fraction: 0 }
    }

    /// The speed to keep.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Changes the speed. Cycles that were due before are dropped, so that no burst at the old speed follows.
    pub fn set_speed(&mut self, speed: Speed) {
        *self = Self::new(speed, self.last);
    }

    /// The number of cycles that have to run to be on time at `now`; `u64::MAX` at full speed.
    pub fn due(&mut self, now: Duration) -> u64 {
        let passed = now.saturating_sub(self.last).min(MAX_STALL);
        self.last = self.last.max(now);
        let Speed::Hz(hz) = self.speed else { return u64::MAX };
        let hz = u128::from(hz.max(1));
        let cycles = hz * passed.as_nanos() + self.fraction;
        self.fraction = cycles % PER_SECOND;
        // An engine that cannot reach the speed must not accumulate due cycles.
        let most = hz * MAX_STALL.as_nanos() / PER_SECOND + 1;
        let owed = (u128::from(self.owed) + cycles / PER_SECOND).min(most);
        self.owed = u64::try_from(owed).unwrap_or(u64::MAX);
        self.owed
    }

    /// Subtracts cycles that have run from those that are due.
    pub fn ran(&mut self, cycles: u64) {
        self.owed = self.owed.saturating_sub(cycles);
    }

    /// Lets the time until `now` pass without making cycles due: a pause.
    pub fn skip(&mut self, now: Duration) {
        self.last = self.last.max(now);
        self.owed = 0;
    }
}

/// The number of cycles to run before the clock, the keys and the signals are checked again: as many as take about two
/// milliseconds, whatever the engine.
#[derive(Clone, Copy, Debug)]
pub struct Slice(u64);

impl Slice {
    /// The next slice of the cycles that are due.
    pub fn of(self, due: u64) -> u64 {
        due.min(self.0)
    }

    /// Adjusts the slice to the time that this many cycles took.
    pub fn took(&mut self, cycles: u64, time: Duration) {
        if time > SLICE * 2 {
            self.0 = (self.0 / 2).max(1);
        } else if time < SLICE / 2 && cycles >= self.0 {
            self.0 = self.0.saturating_mul(2);
        }
    }
}

impl Default for Slice {
    fn default() -> Self {
        Self(FIRST_SLICE)
    }
}

fn ladder() -> impl Iterator<Item = u64> {
    (0..).map(|step| [1, 2, 5][step % 3] * 10u64.pow(step as u32 / 3)).take_while(|hz| *hz <= LADDER_TOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ladder_goes_from_one_hertz_to_no_limit_and_back() {
        let mut speed = Speed::Hz(1);
        let mut names = vec![speed.to_string()];
        while speed != Speed::Max {
            speed = speed.faster();
            names.push(speed.to_string());
        }
        assert_eq!(names.len(), 26);
        assert_eq!(names[..8], ["1 Hz", "2 Hz", "5 Hz", "10 Hz", "20 Hz", "50 Hz", "100 Hz", "200 Hz"]);
        assert_eq!(names[23..], ["50 MHz", "100 MHz", "max"]);
        for _ in 0..25 {
            speed = speed.slower(u64::MAX);
        }
        assert_eq!(speed, Speed::Hz(1));
        assert_eq!(speed.slower(u64::MAX), Speed::Hz(1));
    }

    #[test]
    fn slower_than_a_speed_that_is_not_reached_is_slower_than_what_is_reached() {
        assert_eq!(Speed::Max.slower(3_400_000), Speed::Hz(2_000_000));
        assert_eq!(Speed::Hz(100_000_000).slower(3_400_000), Speed::Hz(2_000_000));
        assert_eq!(Speed::Hz(7_500).slower(u64::MAX), Speed::Hz(5_000));
        assert_eq!(Speed::Hz(7_500).faster(), Speed::Hz(10_000));
    }

    #[test]
    fn speeds_read_well() {
        for (hz, text) in [(1, "1 Hz"), (7_500, "7.5 kHz"), (999_999, "999 kHz"), (3_400_000, "3.4 MHz")] {
            assert_eq!(Speed::Hz(hz).to_string(), text);
        }
        assert_eq!(Speed::Hz(u64::MAX).to_string(), "18446744073 GHz");
    }

    #[test]
    fn speeds_are_read() {
        assert_eq!("max".parse(), Ok(Speed::Max));
        assert_eq!("7500".parse(), Ok(Speed::Hz(7_500)));
        for (text, hz) in [("8k", 8_000), ("500Hz", 500), ("1.5MHz", 1_500_000), ("1e6", 1_000_000)] {
            assert_eq!(text.parse(), Ok(Speed::Hz(hz)), "{text}");
        }
        for text in ["0", "-1", "", "fast", "1.5", "Hz", "18446744073709551616"] {
            assert_eq!(text.parse::<Speed>(), Err(SpeedError), "{text}");
        }
    }

    #[test]
    fn a_pause_makes_nothing_due() {
        let mut pace = Pace::new(Speed::Hz(1000), Duration::ZERO);
        pace.skip(Duration::from_secs(60));
        assert_eq!(pace.due(Duration::from_millis(60_010)), 10);
    }

    #[test]
    fn a_stall_is_made_good_only_so_far() {
        let mut pace = Pace::new(Speed::Hz(1000), Duration::ZERO);
        assert_eq!(pace.due(Duration::from_secs(3600)), 500);
        assert_eq!(pace.due(Duration::from_secs(7200)), 501, "the backlog is limited");
    }

    #[test]
    fn a_speed_change_leaves_no_burst_of_the_old_speed() {
        let mut pace = Pace::new(Speed::Hz(1_000_000), Duration::ZERO);
        pace.due(Duration::from_millis(100));
        pace.set_speed(Speed::Hz(10));
        assert_eq!(pace.due(Duration::from_millis(200)), 1);
    }

    #[test]
    fn slices_come_to_take_about_two_milliseconds_on_any_engine() {
        for nanoseconds in [1, 300, 20_000, 10_000_000] {
            let mut slice = Slice::default();
            let times = (0..40).map(|_| {
                let cycles = slice.of(u64::MAX);
                let time = Duration::from_nanos(cycles * nanoseconds);
                slice.took(cycles, time);
                time
            });
            let last = times.last().expect("forty times");
            assert!(last <= SLICE * 2 || last.as_nanos() == u128::from(nanoseconds), "{last:?}");
            assert!(last >= SLICE / 2, "{last:?}");
        }
        let mut slice = Slice::default();
        slice.took(slice.of(10), Duration::ZERO);
        assert_eq!(slice.of(u64::MAX), FIRST_SLICE, "a part of a slice says nothing about a whole one");
    }

    proptest! {
        #[test]
        fn no_drift_whatever_the_frames(
            hz in prop_oneof![1u64..100, 1u64..10_000_000, Just(u64::MAX)],
            frames in prop::collection::vec(0u64..500_000_000, 1..200),
        ) {
            let mut pace = Pace::new(Speed::Hz(hz), Duration::ZERO);
            let (mut now, mut ran) = (0u64, 0u128);
            for frame in frames {
                now += frame;
                let due = pace.due(Duration::from_nanos(now));
                pace.ran(due);
                ran += u128::from(due);
                prop_assert_eq!(ran, u128::from(hz) * u128::from(now) / PER_SECOND);
            }
        }

        #[test]
        fn time_that_stands_or_goes_back_gives_nothing(hz in any::<u64>(), now in any::<u32>(), back in any::<u32>()) {
            let now = Duration::from_nanos(u64::from(now));
            let mut pace = Pace::new(Speed::Hz(hz), now);
            prop_assert_eq!(pace.due(now.saturating_sub(Duration::from_nanos(u64::from(back)))), 0);
        }
    }
}
