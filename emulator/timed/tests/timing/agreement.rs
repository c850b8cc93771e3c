//! The analysis and the simulation agree: with the worst delays the board works just below the frequency that is
//! computed as safe, and fails a little above it.

use crate::timing::support::{NANOFARAD, at, paths, stress_for, stressed};
use gray1_machine::{Engine, PHASES};
use gray1_timed::{Conditions, Delays, TimedEngine};
use std::cell::RefCell;
use std::rc::Rc;

/// More than two rounds of the program with the longest paths.
const CYCLES: u64 = 6_000;

/// Just above the computed frequency, a wrong pulse may still be too short to pass a filter; at this percentage it is
/// not. docs/timing.md has this figure.
const FAILS_AT: u64 = 105;

#[test]
fn worst_delays_work_at_99_percent_and_fail_at_105() {
    for capacitor in [0, 220, NANOFARAD] {
        let engine = stress_for(CYCLES, &at(99, Delays::Worst, capacitor));
        assert_eq!((engine.failure(), engine.cycle()), (None, CYCLES), "{capacitor} pF");
        for percent in [FAILS_AT, 110, 125, 150, 200, 400] {
            let engine = stress_for(CYCLES, &at(percent, Delays::Worst, capacitor));
            assert!(engine.failure().is_some(), "{capacitor} pF, {percent} %: it still works");
        }
    }
}

#[test]
fn a_larger_filter_needs_a_slower_clock_and_shifts_the_border() {
    let engine = stress_for(CYCLES, &at(100, Delays::Worst, 4 * NANOFARAD));
    assert_eq!(engine.failure(), None);
    let with_1_nanofarad = at(100, Delays::Worst, NANOFARAD);
    let too_much = Conditions { capacitor: 4 * NANOFARAD, ..with_1_nanofarad };
    assert!(stress_for(CYCLES, &too_much).failure().is_some());
}

#[test]
fn what_is_safe_for_the_worst_delays_is_safe_for_all() {
    for capacitor in [0, NANOFARAD] {
        for delays in (1..=12).map(Delays::Random).chain([Delays::Best]) {
            let engine = stress_for(CYCLES / 2, &at(100, delays, capacitor));
            assert_eq!(engine.failure(), None, "{delays:?}, {capacitor} pF");
        }
    }
}

/// After the computed settling time of a phase, nothing changes any more; and the program with the longest paths comes
/// close to that time.
#[test]
fn a_phase_has_settled_when_it_is_said_to_have() {
    for capacitor in [0, NANOFARAD] {
        let settling: Vec<u64> = paths().settling(capacitor).iter().map(|path| path.time).collect();
        let slowest = *settling.iter().max().unwrap();
        for delays in [Delays::Worst, Delays::Random(1), Delays::Random(2)] {
            let half_period = 2 * slowest;
            let (board, inputs) = stressed();
            let mut engine =
                TimedEngine::on(board, &Conditions { half_period, delays, transients: None, capacitor });
            engine.press(*inputs).unwrap();
            // The first edge is that of phase 1.
            let first = engine.now();
            let latest = Rc::new(RefCell::new([0; PHASES]));
            let seen = Rc::clone(&latest);
            engine.watch(move |time, _, _| {
                if let Some(since) = time.checked_sub(first) {
                    let phase = (1 + (since / half_period) as usize) % PHASES;
                    let latest = &mut seen.borrow_mut()[phase];
                    *latest = (*latest).max(since % half_period);
                }
            });
            engine.run(CYCLES, &mut ()).unwrap();
            engine.unwatch();
            for (phase, (latest, settles)) in latest.borrow().iter().zip(&settling).enumerate() {
                assert!(latest <= settles, "{delays:?}, phase {phase}: {latest} after {settles}");
                if delays == Delays::Worst && phase == 3 {
                    assert!(*latest > settles * 17 / 20, "phase {phase}: {latest} of {settles}");
                }
            }
        }
    }
}
