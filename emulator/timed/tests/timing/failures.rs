//! A failure is reported with the first wrong net, the time, and the chain of causes.

use crate::timing::support::{NANOFARAD, assembled, at, stress_for, timed_board};
use gray1_machine::{Engine, Inputs};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedEngine};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn too_fast_a_clock_is_told_from_the_edge_on() {
    let engine = stress_for(10_000, &at(115, Delays::Worst, 0));
    let failure = engine.failure().expect("it is too fast");
    assert!(!failure.by_transient);
    assert_eq!(failure.net, "MC", "{failure}");
    let story = failure.to_string();
    for part in [
        "net MC is 0, it should be 1",
        "in phase 2 of cycle",
        "`SHR $FF9`",
        "outside: OSC",
        "FLAGS: LOAD falls",
        "PCL: TICKH",
    ] {
        assert!(story.contains(part), "`{part}` is missing in {story}");
    }
}

#[test]
fn a_clock_faster_than_the_sequencer_is_told_too() {
    let conditions = Conditions { half_period: 40 * NANOSECOND, ..at(100, Delays::Worst, NANOFARAD) };
    let engine = stress_for(100, &conditions);
    let failure = engine.failure().expect("it is much too fast");
    assert_eq!(failure.cycle, 0);
    assert!(failure.to_string().contains("should be"), "{failure}");
}

/// A machine that has failed does not run any further, and reports the same failure again.
#[test]
fn a_failure_is_the_end() {
    let mut engine = stress_for(10_000, &at(150, Delays::Worst, 0));
    let (story, cycle) = (engine.failure().cloned(), engine.cycle());
    assert!(story.is_some());
    assert!(engine.run(100, &mut ()).is_err());
    assert_eq!((engine.failure().cloned(), engine.cycle()), (story, cycle));
}

#[test]
fn a_watcher_sees_every_change_in_order() {
    let image = assembled("lda #0x55\nsta GREEN\nlda PADROW\nhalt: jmp halt\n");
    let mut engine = TimedEngine::on(&timed_board(&image), &at(90, Delays::Random(3), NANOFARAD));
    let notes = Rc::new(RefCell::new(Vec::new()));
    let shared = Rc::clone(&notes);
    engine.watch(move |time, net, level| shared.borrow_mut().push((time, net, level)));
    engine.press(Inputs { pad: Some((4, 4)), keys: 1 }).unwrap();
    engine.run(100, &mut ()).unwrap();
    let notes = notes.borrow();
    let names = &engine.netlist().nets;
    assert!(notes.is_sorted_by_key(|&(time, ..)| time));
    // First every net once; then only changes.
    let mut levels: Vec<Option<bool>> = vec![None; names.len()];
    for (place, &(_, net, level)) in notes.iter().enumerate() {
        assert_eq!(levels[net], (place >= names.len()).then_some(!level), "{}", names[net].name);
        levels[net] = Some(level);
    }
    let rises = |name: &str| {
        notes.iter().skip(names.len()).filter(|&&(_, net, level)| names[net].name == name && level).count()
    };
    assert_eq!((rises("GREEN0_0"), rises("OSC"), rises("PADROW4")), (1, 8, 1));
    assert!(engine.halted());
}
