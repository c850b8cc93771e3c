//! The session on a clock of its own.

use super::*;
use gray1_isa::Word;
use gray1_machine::{Noise, Registers, State, Unsettled};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

const FRAME: Duration = Duration::from_millis(16);

/// Runs at a speed of its own on a clock of its own, and halts at a given cycle.
struct Machine<'a> {
    clock: &'a Cell<Duration>,
    nanoseconds_per_cycle: u64,
    cycle: u64,
    halts_at: u64,
    /// Sends a line at fixed intervals, in cycles.
    line_every: u64,
}

impl Engine for Machine<'_> {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        let ran = cycles.min(self.halts_at - self.cycle);
        let before = self.cycle;
        self.cycle += ran;
        if self.cycle / self.line_every > before / self.line_every {
            outside.output(self.cycle, b'\n');
        }
        let took = Duration::from_nanos(ran.saturating_mul(self.nanoseconds_per_cycle));
        self.clock.set(self.clock.get() + took);
        Ok(ran)
    }
    fn cycle(&self) -> u64 {
        self.cycle
    }
    fn halted(&self) -> bool {
        self.cycle == self.halts_at
    }
    fn registers(&self) -> Registers {
        Registers::default()
    }
    fn word(&self) -> Word {
        Word::default()
    }
    fn executed(&self) -> [u64; 8] {
        [0; 8]
    }
    fn press(&mut self, _: Inputs) -> Result<(), Unsettled> {
        Ok(())
    }
    fn state(&self) -> State {
        State { cycle: self.cycle, ..State::after_reset(Noise::Zeros) }
    }
    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        self.cycle = state.cycle;
        Ok(())
    }
}

fn machine(clock: &Cell<Duration>, nanoseconds_per_cycle: u64, halts_at: u64) -> Machine<'_> {
    Machine { clock, nanoseconds_per_cycle, cycle: 0, halts_at, line_every: u64::MAX }
}

/// Lets a machine be played.
fn with_session<T>(
    mut machine: Machine<'_>,
    (speed, hold): (Speed, Duration),
    test: impl FnOnce(&mut Session, &Cell<Duration>) -> T,
) -> T {
    let (clock, never) = (machine.clock, AtomicBool::new(false));
    let now = || clock.get();
    let mut session = Session::new(Driver::new(&mut machine, &never, &now));
    session.play(speed, hold, FRAME);
    test(&mut session, clock)
}

/// Plays frames of 16 ms for `time` and returns the longest.
fn play(session: &mut Session, clock: &Cell<Duration>, time: Duration) -> Duration {
    let end = clock.get() + time;
    let mut longest = Duration::ZERO;
    while clock.get() < end {
        let start = clock.get();
        session.frame().unwrap();
        longest = longest.max(clock.get() - start);
        clock.set((start + FRAME).max(clock.get()));
    }
    longest
}

#[test]
fn full_speed_keeps_frames_short_for_any_engine() {
    for nanoseconds in [1, 10, 300, 20_000] {
        let clock = Cell::new(Duration::ZERO);
        let at_full_speed = (Speed::Max, Duration::ZERO);
        with_session(machine(&clock, nanoseconds, u64::MAX), at_full_speed, |session, clock| {
            play(session, clock, Duration::from_millis(500));
            let longest = play(session, clock, Duration::from_secs(1));
            assert!(longest < FRAME, "{nanoseconds} ns a cycle: {longest:?}");
            let full = 1_500_000_000 / nanoseconds;
            assert!(session.cycle() > full / 2, "only {} of {full} cycles", session.cycle());
            let reached = session.reached().unwrap();
            assert!(reached > 500_000_000 / nanoseconds, "{reached}");
        });
    }
}

#[test]
fn a_speed_is_kept_to_the_cycle() {
    let clock = Cell::new(Duration::ZERO);
    with_session(machine(&clock, 100, u64::MAX), (Speed::Hz(7_500), Duration::ZERO), |session, clock| {
        play(session, clock, Duration::from_secs(16));
        let now = clock.get();
        session.frame().unwrap();
        assert_eq!(u128::from(session.cycle()), 7_500 * now.as_micros() / 1_000_000);
        assert_eq!(session.reached(), None);
    });
}

#[test]
fn a_speed_out_of_reach_is_told() {
    let clock = Cell::new(Duration::ZERO);
    with_session(
        machine(&clock, 1_000, u64::MAX),
        (Speed::Hz(50_000_000), Duration::ZERO),
        |session, clock| {
            play(session, clock, Duration::from_secs(2));
            assert!(session.reached().unwrap() < 1_000_000);
            session.act(Action::Slower).unwrap();
            assert_eq!(session.speed(), Speed::Hz(500_000));
        },
    );
}

#[test]
fn a_line_that_is_sent_is_held_to_be_seen_unless_nothing_could_be_followed() {
    let hold = Duration::from_millis(200);
    let played = |speed, hold| {
        let clock = Cell::new(Duration::ZERO);
        let machine = Machine { line_every: 1_000, ..machine(&clock, 100, u64::MAX) };
        with_session(machine, (speed, hold), |session, clock| {
            play(session, clock, Duration::from_secs(10));
            (session.cycle(), session.output().lines)
        })
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
    with_session(machine(&clock, 100, 1_000), (Speed::Hz(1_000), Duration::ZERO), |session, clock| {
        play(session, clock, Duration::from_millis(160));
        let at = session.cycle();
        session.act(Action::Step).unwrap();
        assert_eq!((session.is_paused(), session.cycle()), (true, at), "the first step only pauses");
        session.act(Action::Step).unwrap();
        assert_eq!(session.cycle(), at + 1);
        play(session, clock, Duration::from_secs(5));
        assert_eq!(session.cycle(), at + 1);
        session.act(Action::Pause).unwrap();
        play(session, clock, Duration::from_secs(2));
        assert_eq!((session.is_paused(), session.stop()), (false, Some(Stop::Halted)));
        session.act(Action::Pause).unwrap();
        assert!(!session.is_paused());
        session.act(Action::Reset).unwrap();
        assert_eq!((session.is_paused(), session.stop(), session.cycle()), (false, None, 0));
    });
}

#[test]
fn full_speed_and_back() {
    let clock = Cell::new(Duration::ZERO);
    with_session(machine(&clock, 100, u64::MAX), (Speed::Hz(7_500), Duration::ZERO), |session, _| {
        session.act(Action::FullSpeed).unwrap();
        assert_eq!(session.speed(), Speed::Max);
        session.act(Action::FullSpeed).unwrap();
        assert_eq!(session.speed(), Speed::Hz(7_500));
    });
}
