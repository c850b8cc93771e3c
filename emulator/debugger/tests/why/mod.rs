//! Chains of causes of random programs, checked against the tables and against the run, step by step.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

mod support;

use gray1_debugger::why::{ChainLimits, Circuit, Effect, Mechanism, Past, Step, Tracer};
use gray1_isa::Image;
use gray1_machine::Netlist;
use gray1_machine::board::Board;
use gray1_machine::netlist::Pin;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::sync::Arc;
use support::{Bench, Recording, image, no_control};

/// The number of phases in a run.
const LENGTH: usize = 400;

/// Returns the output of a step's data line for these lines of its chip.
fn gives(circuit: &Circuit, step: &Step, lines: u32) -> bool {
    let lookup = step.lookup.unwrap();
    circuit.cell(lookup.chip, lines).unwrap() >> lookup.line & 1 == 1
}

/// Returns the lines that a step names, as a mask.
fn named(step: &Step) -> u32 {
    step.reasons.iter().filter_map(|reason| reason.line).fold(0, |mask, line| mask | 1 << line)
}

/// Checks a lookup against the table: the named lines determine the bit, none of them is superfluous, and a line is
/// decisive if it changes the bit alone.
fn check_lookup(circuit: &Circuit, step: &Step) {
    let lookup = step.lookup.unwrap();
    let name = &circuit.netlist().chips[lookup.chip].name;
    assert_eq!(circuit.cell(lookup.chip, lookup.address), Some(lookup.cell), "{name}");
    assert_eq!(lookup.cell >> lookup.line & 1 == 1, step.level, "{name}");
    let count = circuit.netlist().chips[lookup.chip].reads.len();
    let named = named(step);
    // Whether these lines alone determine the bit.
    let is_fixed = |lines: u32| {
        let free = !lines & ((1 << count) - 1);
        let mut other = free;
        loop {
            if gives(circuit, step, lookup.address ^ other) != step.level {
                return false;
            }
            if other == 0 {
                return true;
            }
            other = (other - 1) & free;
        }
    };
    assert!(is_fixed(named), "{name}: {step:?}");
    for reason in &step.reasons {
        let line = reason.line.unwrap();
        assert_eq!(lookup.address >> line & 1 == 1, reason.level, "{name}: {step:?}");
        assert!(!is_fixed(named & !(1 << line)), "{name}: without line {line}, {step:?}");
        let flipped = gives(circuit, step, lookup.address ^ 1 << line);
        assert_eq!(flipped != step.level, reason.is_decisive, "{name}: line {line}, {step:?}");
    }
    for line in (0..count).filter(|line| named >> line & 1 == 0) {
        assert_eq!(
            gives(circuit, step, lookup.address ^ 1 << line),
            step.level,
            "{name}: line {line}, {step:?}"
        );
    }
}

/// Checks a step and its reasons against the recording, and each reason against the step that explains it.
fn check_run(run: &mut Recording, steps: &[Step], index: usize) {
    let step = &steps[index];
    let level = |run: &mut Recording, effect, moment| match effect {
        Effect::Net(net) => run.levels(moment).unwrap().level(net),
        Effect::Cell(chip, address, line) => run.bit(chip, address, line, moment),
    };
    for moment in step.moment..=step.until {
        assert_eq!(level(run, step.effect, moment), step.level, "{step:?} at {moment}");
    }
    for reason in step.reasons.iter().chain(&step.keepers) {
        assert_eq!(level(run, reason.effect, reason.moment), reason.level, "{reason:?} of {step:?}");
        let Some(cause) = reason.step else { continue };
        assert!(cause > index, "a cause comes after its effect");
        let cause = &steps[cause];
        assert_eq!((cause.effect, cause.level), (reason.effect, reason.level));
        assert!((cause.moment..=cause.until).contains(&reason.moment), "{reason:?} of {step:?} by {cause:?}");
    }
}

/// Checks a step on the running machine, with one line of the chip held at the other level for this phase: the effect is
/// different if the line is decisive, and the same if it is not named. A case does not count if the chip has changed its
/// other inputs by its other data lines. Returns the number of cases that count, and of the others.
fn check_machine(run: &mut Recording, image: &Image, step: &Step) -> [usize; 2] {
    let (Effect::Net(net), Some(lookup)) = (step.effect, step.lookup) else { return [0; 2] };
    let (chip, before) = (lookup.chip, step.moment - 1);
    let after = run.levels(step.moment).unwrap();
    let netlist = Arc::clone(run.netlist());
    let reads = &netlist.chips[chip].reads;
    let mut counts = [0; 2];
    for line in 0..reads.len() {
        let reason = step.reasons.iter().find(|reason| reason.line == Some(line));
        if reason.is_some_and(|reason| !reason.is_decisive) {
            continue;
        }
        let mut bench = Bench::at(run, image, before);
        // A counter that never sees the parity that it waits for counts on.
        let settles = bench.phase(Pin { chip, line }, !after.level(reads[line]));
        let is_same = |other: usize| {
            let read = reads[other];
            other == line || read == net || bench.levels[read] == after.level(read)
        };
        let is_known = settles && (0..reads.len()).all(is_same);
        counts[usize::from(!is_known)] += 1;
        if is_known {
            let is_changed = bench.levels[net] != step.level;
            assert_eq!(is_changed, reason.is_some(), "line {line} of {}, {step:?}", netlist.chips[chip].name);
        }
    }
    counts
}

fn is_rom(netlist: &Netlist, step: &Step) -> bool {
    step.lookup.is_some_and(|lookup| netlist.panel.memory.iter().all(|&memory| memory != lookup.chip))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// For any net at any moment, each step agrees with the tables and the run.
    #[test]
    fn every_step_agrees_with_the_tables(image in image(), net in 0usize..240, at in 4u128..LENGTH as u128) {
        let board = Board::gray1();
        let mut run = Recording::of(&board, &image, LENGTH);
        let circuit = Circuit::new(board.netlist(), &image);
        let control = no_control(board.netlist());
        let limits = ChainLimits { depth: 60, steps: 300, follows_control: true };
        let at = at.min(run.last());
        let chain = Tracer::new(&circuit, &control, &mut run).chain(&[Effect::Net(net)], at, limits).unwrap();
        prop_assert_eq!(chain.steps[0].effect, Effect::Net(net));
        for (index, step) in chain.steps.iter().enumerate() {
            prop_assert!(step.how != Mechanism::Changed, "{:?}", step);
            if is_rom(board.netlist(), step) && step.how != Mechanism::Found {
                check_lookup(&circuit, step);
            }
            check_run(&mut run, &chain.steps, index);
        }
    }
}

/// On the running machine, a line that is called a cause changes the effect, and a line that is not does not.
#[test]
fn causes_are_causes_on_the_machine() {
    let board = Board::gray1();
    let all = Cell::new([0; 2]);
    let cases = (image(), 0usize..240, 4u128..LENGTH as u128);
    // With its file, a failing case is kept beside it.
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(12) };
    let mut runner = TestRunner::new(config);
    let checked = runner.run(&cases, |(image, net, at)| {
        let mut run = Recording::of(&board, &image, LENGTH);
        let circuit = Circuit::new(board.netlist(), &image);
        let control = no_control(board.netlist());
        let limits = ChainLimits { depth: 60, steps: 60, follows_control: true };
        let at = at.min(run.last());
        let chain = Tracer::new(&circuit, &control, &mut run).chain(&[Effect::Net(net)], at, limits).unwrap();
        for step in chain.steps.iter().filter(|step| step.how == Mechanism::Given && step.moment > 0) {
            let counts = check_machine(&mut run, &image, step);
            all.set([0, 1].map(|index| all.get()[index] + counts[index]));
        }
        Ok(())
    });
    checked.unwrap();
    // In a single chain few lines may be known; in all together most are.
    let [known, unknown] = all.get();
    assert!(known > 0 && unknown <= known, "{unknown} of {} are not known", known + unknown);
}
