//! Playing a machine at its pace: what the window and the terminal have in common.
//!
//! A frame asks the pace what is due and runs it in slices of a few milliseconds, so that an endless program
//! at full speed never keeps a key press waiting. Time comes from outside: the tests own the clock.

use std::time::Duration;

use crate::controls::Action;
use crate::pace::{Due, Pace, Speed};
use crate::player::{Ending, Player, Stop};

/// A slice between two looks at the clock aims at this.
const SLICE: Duration = Duration::from_millis(2);
/// The first slice, before anything is known of the engine's speed.
const FIRST_SLICE: u64 = 1_000;
/// The real speed is measured over at least this long.
const MEASURE: Duration = Duration::from_millis(400);

/// What the machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Running at its pace.
    Running,
    /// Paused by the person.
    Paused,
    /// The program halted.
    Halted,
    /// The run came to its limit.
    Limit,
}

/// A machine being played.
pub struct Playback {
    pace: Pace,
    state: State,
    slice: u64,
    /// The time a frame may spend running the machine; the rest is for drawing and for other programs.
    budget: Duration,
    /// The speed to come back to from full speed.
    before_full: Speed,
    reached: Option<u64>,
    measured_from: Duration,
    measured: u64,
}

impl Playback {
    /// Starts to play at `now`, in frames of this length.
    pub fn new(speed: Speed, frame: Duration, now: Duration) -> Self {
        Self {
            pace: Pace::new(speed, now),
            state: State::Running,
            slice: FIRST_SLICE,
            budget: frame * 2 / 3,
            before_full: speed,
            reached: None,
            measured_from: now,
            measured: 0,
        }
    }

    /// What the machine is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// The speed it should have.
    pub fn speed(&self) -> Speed {
        self.pace.speed()
    }

    /// The speed it really has, cycles a second, when that is not the speed it should have.
    pub fn reached(&self) -> Option<u64> {
        let reached = self.reached.filter(|_| self.state == State::Running)?;
        match self.pace.speed() {
            Speed::Max => Some(reached),
            Speed::Hz(hz) => (reached < hz / 20 * 19).then_some(reached),
        }
    }

    /// What closing the display now means.
    pub fn ending(&self) -> Ending {
        match self.state {
            State::Halted => Ending::Halted,
            State::Limit => Ending::Limit,
            State::Running | State::Paused => Ending::Quit,
        }
    }

    /// Does what a key asks for, as far as it concerns the machine and its pace.
    ///
    /// # Errors
    /// What the machine fails with, when a single step fails.
    pub fn act(
        &mut self,
        action: Action,
        player: &mut dyn Player,
        now: Duration,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        match action {
            Action::Pause => match self.state {
                State::Running => self.state = State::Paused,
                State::Paused => self.go_on(now),
                State::Halted | State::Limit => {}
            },
            Action::Step => match self.state {
                State::Running => self.state = State::Paused,
                State::Paused => self.run(player, 1).map(drop)?,
                State::Halted | State::Limit => {}
            },
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
                match self.state {
                    State::Paused => {}
                    _ => self.go_on(now),
                }
            }
            Action::Machine(_) | Action::Screenshot | Action::Record | Action::Help | Action::Quit => {}
        }
        Ok(())
    }

    /// Runs what is due, as far as the time of a frame allows. `clock` tells the time.
    ///
    /// # Errors
    /// What the machine fails with.
    pub fn frame(
        &mut self,
        player: &mut dyn Player,
        clock: &mut dyn FnMut() -> Duration,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let start = clock();
        if self.state != State::Running {
            self.pace.skip(start);
            return Ok(());
        }
        let due = self.pace.due(start);
        let mut left = match due {
            Due::Cycles(cycles) => cycles,
            Due::Unlimited => u64::MAX,
        };
        let mut now = start;
        while left > 0 && self.state == State::Running && now.saturating_sub(start) < self.budget {
            let asked = left.min(self.slice);
            let ran = self.run(player, asked)?;
            left -= ran.min(left);
            self.pace.ran(ran);
            let before = std::mem::replace(&mut now, clock());
            self.calibrate(asked, now.saturating_sub(before));
        }
        self.measure(now);
        Ok(())
    }

    fn run(
        &mut self,
        player: &mut dyn Player,
        cycles: u64,
    ) -> Result<u64, Box<dyn std::error::Error + Send + Sync>> {
        let progress = player.advance(cycles);
        self.measured += progress.ran;
        match progress.stop {
            None => {}
            Some(Stop::Halted) => self.state = State::Halted,
            Some(Stop::Limit) => self.state = State::Limit,
            Some(Stop::Failed(error)) => return Err(error),
        }
        Ok(progress.ran)
    }

    fn calibrate(&mut self, asked: u64, took: Duration) {
        if asked == self.slice && took < SLICE / 2 {
            self.slice = self.slice.saturating_mul(2);
        } else if took > SLICE * 2 {
            self.slice = (self.slice / 2).max(1);
        }
    }

    fn measure(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.measured_from);
        if passed >= MEASURE {
            let hz = u128::from(self.measured) * 1_000_000_000 / passed.as_nanos().max(1);
            self.reached = Some(u64::try_from(hz).unwrap_or(u64::MAX));
            self.restart_measuring(now);
        }
    }

    fn restart_measuring(&mut self, now: Duration) {
        self.measured = 0;
        self.measured_from = now;
    }

    fn go_on(&mut self, now: Duration) {
        self.pace.skip(now);
        self.state = State::Running;
        self.reached = None;
        self.restart_measuring(now);
    }

    fn set_speed(&mut self, speed: Speed, now: Duration) {
        self.pace.set_speed(speed);
        self.reached = None;
        self.restart_measuring(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposure::Light;
    use crate::player::{Pad, Progress};
    use std::cell::Cell;

    const FRAME: Duration = Duration::from_millis(16);

    /// Runs at a speed of its own on a clock of its own, and halts at a given cycle.
    struct Engine<'a> {
        clock: &'a Cell<Duration>,
        nanoseconds_per_cycle: u64,
        cycle: u64,
        halts_at: u64,
    }

    impl Player for Engine<'_> {
        fn advance(&mut self, cycles: u64) -> Progress {
            let ran = cycles.min(self.halts_at - self.cycle);
            self.cycle += ran;
            let took = Duration::from_nanos(ran.saturating_mul(self.nanoseconds_per_cycle));
            self.clock.set(self.clock.get() + took);
            Progress { ran, stop: (self.cycle == self.halts_at).then_some(Stop::Halted) }
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
        fn last_output_line(&self) -> &str {
            ""
        }
    }

    fn engine(clock: &Cell<Duration>, nanoseconds_per_cycle: u64, halts_at: u64) -> Engine<'_> {
        Engine { clock, nanoseconds_per_cycle, cycle: 0, halts_at }
    }

    /// Plays frames of 16 ms for `time` and returns the longest.
    fn play(playback: &mut Playback, player: &mut Engine<'_>, time: Duration) -> Duration {
        let clock = player.clock;
        let end = clock.get() + time;
        let mut longest = Duration::ZERO;
        while clock.get() < end {
            let start = clock.get();
            playback.frame(player, &mut || clock.get()).unwrap();
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
            let mut playback = Playback::new(Speed::Max, FRAME, Duration::ZERO);
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
        let mut playback = Playback::new(Speed::Hz(7_500), FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_secs(16));
        playback.frame(&mut player, &mut || clock.get()).unwrap();
        assert_eq!(u128::from(player.cycle), 7_500 * clock.get().as_micros() / 1_000_000);
        assert_eq!(playback.reached(), None);
    }

    #[test]
    fn a_speed_out_of_reach_is_told() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 1_000, u64::MAX);
        let mut playback = Playback::new(Speed::Hz(50_000_000), FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_secs(2));
        assert!(playback.reached().unwrap() < 1_000_000);
        playback.act(Action::Slower, &mut player, clock.get()).unwrap();
        assert_eq!(playback.speed(), Speed::Hz(500_000));
    }

    #[test]
    fn pause_step_and_reset() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 100, 1_000);
        let mut playback = Playback::new(Speed::Hz(1_000), FRAME, Duration::ZERO);
        play(&mut playback, &mut player, Duration::from_millis(160));
        let at = player.cycle;
        playback.act(Action::Step, &mut player, clock.get()).unwrap();
        assert_eq!((playback.state(), player.cycle), (State::Paused, at), "the first step only stops");
        playback.act(Action::Step, &mut player, clock.get()).unwrap();
        assert_eq!(player.cycle, at + 1);
        play(&mut playback, &mut player, Duration::from_secs(5));
        assert_eq!(player.cycle, at + 1);
        assert_eq!(playback.ending(), Ending::Quit);
        playback.act(Action::Pause, &mut player, clock.get()).unwrap();
        play(&mut playback, &mut player, Duration::from_secs(2));
        assert_eq!((playback.state(), player.cycle), (State::Halted, 1_000));
        assert_eq!(playback.ending(), Ending::Halted);
        playback.act(Action::Pause, &mut player, clock.get()).unwrap();
        assert_eq!(playback.state(), State::Halted);
        playback.act(Action::Reset, &mut player, clock.get()).unwrap();
        assert_eq!((playback.state(), player.cycle), (State::Running, 0));
    }

    #[test]
    fn full_speed_and_back() {
        let clock = Cell::new(Duration::ZERO);
        let mut player = engine(&clock, 100, u64::MAX);
        let mut playback = Playback::new(Speed::Hz(7_500), FRAME, Duration::ZERO);
        playback.act(Action::FullSpeed, &mut player, Duration::ZERO).unwrap();
        assert_eq!(playback.speed(), Speed::Max);
        playback.act(Action::FullSpeed, &mut player, Duration::ZERO).unwrap();
        assert_eq!(playback.speed(), Speed::Hz(7_500));
    }
}
