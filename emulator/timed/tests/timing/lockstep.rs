//! The timed engine beside the chips engine on random programs, at frequencies that the parts allow.

use crate::timing::support::{NANOFARAD, paths};
use gray1_machine::board::Board;
use gray1_machine::{Engine, Noise, Script, State};
use gray1_timed::{Conditions, Delays, TimedEngine};
use proptest::prelude::*;
use test_support::engines::{Seen, chips};
use test_support::random::{program, script};

/// A frequency that the board's parts allow, with these capacitors and whatever delays.
fn safe(capacitor: u64, seed: u64) -> Conditions {
    let delays = match seed % 8 {
        0 => Delays::Worst,
        1 => Delays::Best,
        2 | 3 if capacitor >= NANOFARAD => Delays::Paths(seed),
        _ => Delays::Random(seed),
    };
    Conditions { half_period: paths().half_period(capacitor), delays, transients: None, capacitor }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_timed_engine_agrees_while_nothing_breaks(
        program in program(), script in script(), seed: u64, capacitor in prop::sample::select(vec![0, 100, 1_000, 5_000]),
    ) {
        let image = program.image();
        let script = Script::from_ron(&script).unwrap();
        let noise = Noise::Random(seed);
        let mut chips = chips(&image, noise);
        let mut timed = TimedEngine::power_up(&Board::gray1(), &image, noise, &safe(capacitor, seed)).unwrap();
        timed.set_sleep(false);
        let (mut seen_chips, mut seen_timed) = (Seen::default(), Seen::default());
        for _ in 0..150 {
            prop_assert_eq!(chips.word(), timed.word());
            script.run(&mut chips, 1, &mut seen_chips).unwrap();
            script.run(&mut timed, 1, &mut seen_timed).unwrap();
            prop_assert_eq!(timed.failure(), None);
            prop_assert_eq!(chips.state(), timed.state());
            prop_assert_eq!(&seen_chips, &seen_timed);
            if chips.halted() {
                break;
            }
        }
        prop_assert_eq!(chips.executed(), timed.executed());
        // From a saved state, the run is the same again.
        let state = State::from_ron(&chips.state().to_ron("p"), "p").unwrap();
        timed.set_state(&state).unwrap();
        script.run(&mut chips, 50, &mut ()).unwrap();
        script.run(&mut timed, 50, &mut ()).unwrap();
        prop_assert_eq!(timed.failure(), None);
        prop_assert_eq!(chips.state(), timed.state());
    }
}
