//! Playing a machine at its pace: what the window and the terminal have in common.
//!
//! A frame runs the cycles that are due, for no longer than it can spare, so that even an endless program at full speed
//! never delays a key press. Time is passed in: the tests own the clock.

use std::time::Duration;

use gray1_machine::{Failure, Pace, Speed};

use crate::controls::Action;
use crate::error::DisplayError;
use crate::player::Player;

/// A faster machine is not held: its LEDs could not be followed anyway.
const HELD_UP_TO: u64 = 20_000;
/// A line that a held machine sends is noticed after this many cycles.
const STEP: u64 = 4;
/// The real speed is measured over at least this long.
const MEASURE: Duration = Duration::from_millis(400);

/// A machine being played.
pub struct Playback {
    pace: Pace,
    is_paused: bool,
    /// The time a frame may spend running the machine; the rest is for drawing and for other programs.
    budget: Duration,
    /// The speed to return to from full speed.
    before_full: Speed,
    /// How long the machine pauses after each line that it sends, and when the current pause ends.
    hold: Duration,
    held_until: Duration,
    reached: Option<u64>,
    measured_from: Duration,
    measured: u64,
}

impl Playback {
    /// Starts to play at `now`, in frames of this length; `hold` is how long to pause after each line sent.
    pub fn new(speed: Speed, hold: Duration, frame: Duration, now: Duration) -> Self {
        Self {
            pace: Pace::new(speed, now),
            is_paused: false,
            budget: frame * 2 / 3,
            before_full: speed,
            hold,
            held_until: Duration::ZERO,
            reached: None,
            measured_from: now,
            measured: 0,
        }
    }

    /// Whether the user has paused the machine.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The speed the machine should have.
    pub fn speed(&self) -> Speed {
        self.pace.speed()
    }

    /// The actual speed of the machine in cycles per second, if it is less than the speed that was set, or if none was.
    pub fn reached(&self) -> Option<u64> {
        let reached = self.reached?;
        match self.pace.speed() {
            Speed::Max => Some(reached),
            Speed::Hz(hz) => (reached < hz / 20 * 19).then_some(reached),
        }
    }

    /// Does what a key asks for, as far as it concerns the machine and its pace.
    ///
    /// # Errors
    /// If the machine fails in a single step.
    pub fn act(
        &mut self,
        action: Action,
        player: &mut dyn Player,
        now: Duration,
    ) -> Result<(), DisplayError> {
        match action {
            Action::Pause | Action::Step if player.stop().is_some() => {}
            Action::Pause if self.is_paused => self.resume(now),
            Action::Step if self.is_paused => {
                player.advance(1, self.budget)?;
                self.is_paused = player.stop().is_none();
            }
            Action::Pause | Action::Step => self.is_paused = true,
            Action::Slower => {
                let reached = self.reached().unwrap_or(u64::MAX);
                self.set_speed(self.speed().slower(reached), now);
            }
            Action::Faster => self.set_speed(self.speed().faster(), now),
            Action::FullSpeed => match self.speed() {
                Speed::Max => self.set_speed(self.before_full, now),
                Speed::Hz(_) => {
                    self.before_full = self.speed();
                    self.set_speed(Speed::Max, now);
                }
            },
            Action::Reset => {
                player.reset();
                if !self.is_paused {
                    self.resume(now);
                }
            }
            Action::Machine(_)
            | Action::Screenshot
            | Action::Record
            | Action::Shapes
            | Action::Ending
            | Action::Help
            | Action::Quit => {}
        }
        Ok(())
    }

    /// Runs the cycles that are due, as far as the time of a frame allows.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn frame(&mut self, player: &mut dyn Player, now: Duration) -> Result<(), DisplayError> {
        let is_held = now < self.held_until;
        if !self.is_paused && !is_held && player.stop().is_none() {
            self.measure(now);
            let due = self.pace.due(now);
            let is_slow = matches!(self.speed(), Speed::Hz(..=HELD_UP_TO)) && !self.hold.is_zero();
            let ran = if is_slow {
                let lines = player.output().lines;
                let ran = run_to_line(player, due, self.budget)?;
                if player.output().lines > lines {
                    self.held_until = now + self.hold;
                }
                ran
            } else {
                player.advance(due, self.budget)?
            };
            self.pace.ran(ran);
            self.measured += ran;
        }
        if self.is_paused || is_held || player.stop().is_some() {
            self.pace.skip(now);
            self.restart_measuring(now);
        }
        Ok(())
    }

    fn measure(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.measured_from);
        if passed >= MEASURE {
            let hz = u128::from(self.measured) * 1_000_000_000 / passed.as_nanos().max(1);
            self.restart_measuring(now);
            self.reached = Some(u64::try_from(hz).unwrap_or(u64::MAX));
        }
    }

    fn restart_measuring(&mut self, now: Duration) {
        self.reached = None;
        self.measured = 0;
        self.measured_from = now;
    }

    fn resume(&mut self, now: Duration) {
        self.pace.skip(now);
        self.is_paused = false;
        self.restart_measuring(now);
    }

    fn set_speed(&mut self, speed: Speed, now: Duration) {
        self.pace.set_speed(speed);
        self.restart_measuring(now);
    }
}

/// Runs this many cycles, but no further than to the end of a line that is sent.
pub(crate) fn run_to_line(player: &mut dyn Player, due: u64, time: Duration) -> Result<u64, Failure> {
    let (lines, mut ran) = (player.output().lines, 0);
    while ran < due && player.stop().is_none() && player.output().lines == lines {
        ran += player.advance(STEP.min(due - ran), time)?;
    }
    Ok(ran)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposure::Light;
    use crate::output::{Moment, Output};
    use crate::player::Pad;
    use gray1_machine::Stop;
    use std::cell::Cell;

    const FRAME: Duration = Duration::from_millis(16);

    /// Runs at a speed of its own on a clock of its own, and halts at a given cycle.
    struct Engine<'a> {
        clock: &'a Cell<Duration>,
        nanoseconds_per_cycle: u64,
        cycle: u64,
        halts_at: u64,
        /// Sends a line at fixed intervals, in cycles.
        line_every: u64,
        output: Output,
    }

    impl Player for Engine<'_> {
        fn advance(&mut self, cycles: u64, time: Duration) -> Result<u64, Failure> {
            let possible = time.as_nanos() as u64 / self.nanoseconds_per_cycle;
            let ran = cycles.min(self.halts_at - self.cycle).min(possible);
            let before = self.cycle;
            self.cycle += ran;
            if self.cycle / self.line_every > before / self.line_every {
                self.output.push(b'\n', Moment::default);
            }
            let took = Duration::from_nanos(ran.saturating_mul(self.nanoseconds_per_cycle));
            self.clock.set(self.clock.get() + took);
            Ok(ran)
        }
        fn stop(&self) -> Option<Stop> {
            (self.cycle == self.halts_at).then_some(Stop::Halted)
        }
        fn reset(&mut self) {
            self.cycle = 0;
        }
        fn press(&mut self, _: Option<Pad>, _: u8) {}
        fn take_light(&mut self) -> Light {
            Light::default()
        }
        fn cycle(&self) -> u64 {
            self.cycle
        }
        fn output(&self) -> &Output {
            &self.output
        }
    }

    fn engine(clock: &Cell<Duration>, nanoseconds_per_cycle: u64, halts_at: u64) -> Engine<'_> {
        let output = Output::default();
        Engine { clock, nanoseconds_per_cycle, cycle: 0, halts_at, line_every: u64::MAX, output }
    }

    /// Plays frames of 16 ms for `time` and returns the longest.
    fn play(playback: &mut Playback, player: &mut Engine<'_>, time: Duration) -> Duration {
        let clock = player.clock;
        let end = clock.get() + time;
        let mut longest = Duration::ZERO;
        while clock.get() < end {
            let start = clock.get();
            playback.frame(player, start).unwrap();
            longest = longest.max(clock.get() - start);
            clock.set((start + FRAME).max(clock.get()));
        }
        longest
    }

    #[test]
    fn full_speed_keeps_frames_short_for_any_engine() {
        for nanoseconds in [1, 10, 300, 20_000] {
            let clock = Cell::new(Duration::ZERO);
            let mut player = engine(&clock, nanoseconds, u64::MAX);
            let mut playback = Playback::new(Speed::Max, Duration::ZERO, FRAME, Duration::ZERO);
            play(&mut playback, &mut player, Duration::from_millis(500));
            let longest = play(&mut playback, &mut player, Duration::from_secs(1));
            assert!(longest < FRAME, "{nanoseconds} ns a cycle: {longest:?}");
            let full = 1_500_000_000 / nanoseconds;
            assert!(player.cycle > full / 2, "only {} of {full} cycles", player.cycle);
            let reached = playback.reached().unwrap();
            assert!(reached > 500_000_000 / nanoseconds, "{reached}");
        }
    }

    #[test]
    fn a_speed_is_kept_to_the_cycle() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 100, u64::MAX);
        let mut playback = Playback::new(Speed::Hz(7_500), Duration::ZERO, FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_secs(16));
        playback.frame(&mut player, clock.get()).unwrap();
        assert_eq!(u128::from(player.cycle), 7_500 * clock.get().as_micros() / 1_000_000);
        assert_eq!(playback.reached(), None);
    }

    #[test]
    fn a_speed_out_of_reach_is_told() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 1_000, u64::MAX);
        let mut playback = Playback::new(Speed::Hz(50_000_000), Duration::ZERO, FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_secs(2));
        assert!(playback.reached().unwrap() < 1_000_000);
        playback.act(Action::Slower, &mut player, clock.get()).unwrap();
        assert_eq!(playback.speed(), Speed::Hz(500_000));
    }

    #[test]
    fn a_line_that_is_sent_is_held_to_be_seen_unless_nothing_could_be_followed() {
        let hold = Duration::from_millis(200);
        let played = |speed, hold| {
            let clock = Cell::new(Duration::ZERO);
            let mut player = Engine { line_every: 1_000, ..engine(&clock, 100, u64::MAX) };
            let mut playback = Playback::new(speed, hold, FRAME, Duration::ZERO);
            play(&mut playback, &mut player, Duration::from_secs(10));
            (player.cycle, player.output.lines)
        };
        let (free, lines) = played(Speed::Hz(5_000), Duration::ZERO);
        assert_eq!((free / 100, lines), (499, 49));
        // A line takes 200 ms, and is then held for 200 ms.
        let (held, lines) = played(Speed::Hz(5_000), hold);
        assert!((24..=25).contains(&lines) && held < 26_000, "{held} cycles, {lines} lines");
        assert_eq!(played(Speed::Hz(50_000), hold), played(Speed::Hz(50_000), Duration::ZERO));
    }

    #[test]
    fn pause_step_and_reset() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 100, 1_000);
        let mut playback = Playback::new(Speed::Hz(1_000), Duration::ZERO, FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_millis(160));
        let at = player.cycle;
        playback.act(Action::Step, &mut player, clock.get()).unwrap();
        assert_eq!((playback.is_paused(), player.cycle), (true, at), "the first step only pauses");
        playback.act(Action::Step, &mut player, clock.get()).unwrap();
        assert_eq!(player.cycle, at + 1);
        play(&mut playback, &mut player, Duration::from_secs(5));
        assert_eq!(player.cycle, at + 1);
        playback.act(Action::Pause, &mut player, clock.get()).unwrap();
        play(&mut playback, &mut player, Duration::from_secs(2));
        assert_eq!((playback.is_paused(), player.stop()), (false, Some(Stop::Halted)));
        playback.act(Action::Pause, &mut player, clock.get()).unwrap();
        assert!(!playback.is_paused());
        playback.act(Action::Reset, &mut player, clock.get()).unwrap();
        assert_eq!((playback.is_paused(), player.stop(), player.cycle), (false, None, 0));
    }

    #[test]
    fn full_speed_and_back() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 100, u64::MAX);
        let mut playback = Playback::new(Speed::Hz(7_500), Duration::ZERO, FRAME, Duration::ZERO);
        playback.act(Action::FullSpeed, &mut player, Duration::ZERO).unwrap();
        assert_eq!(playback.speed(), Speed::Max);
        playback.act(Action::FullSpeed, &mut player, Duration::ZERO).unwrap();
        assert_eq!(playback.speed(), Speed::Hz(7_500));
    }
}
