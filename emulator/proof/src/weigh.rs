//! A fault that the tables allow refutes a claim only if it makes a difference in a run; otherwise the claim is left
//! undecided.

use crate::claim::Claim;
use crate::clock::Clock;
use crate::instructions::Observer;
use crate::prover::Prover;
use crate::report::{ClaimReport, Counterexample, Intent, Verdict};
use crate::rom::{names, used};
use crate::text::summary;
use crate::trial::{self, Target, Trial};
use crate::undecided::Undecided;
use gray1_machine::Noise;
use gray1_machine::board::Board;
use gray1_machine::netlist::Netlist;

/// Keeps those faults of loops, rings and the clock that make a difference in some run, and leaves the claim undecided
/// because of the others. `instructions` examines that claim.
pub(crate) fn weigh(prover: &Prover, instructions: impl FnOnce() -> ClaimReport, report: &mut ClaimReport) {
    let Prover { board, stop, .. } = *prover;
    let netlist = &**board.netlist();
    let (used, panel) = (used(netlist), &netlist.panel);
    let registers = [&panel.accumulator, &panel.carry].map(|nets| names(netlist, nets.clone()).join(" "));
    let is_used = |name: &str| netlist.chip(name).is_some_and(|chip| used[chip]);
    let is_certain = |fault: &Counterexample| match fault {
        // A cell unlike its neighbours, which a run comes by.
        Counterexample::Loop(fault) if fault.intent == Intent::Neither => {
            fault.reached.is_some() && is_used(&fault.chip)
        }
        Counterexample::Loop(_) | Counterexample::Ring(_) | Counterexample::Clock { .. } => false,
        // Presses are no part of the runs with delays.
        Counterexample::Writing(_) => report.claim == Claim::Reset,
        Counterexample::Reset(fault) => !registers.contains(&fault.what),
        _ => true,
    };
    if report.counterexamples.iter().any(is_certain) || report.counterexamples.is_empty() {
        return;
    }
    let targets = targets(netlist, &report.counterexamples);
    let trial = Trial { board, targets: &targets, strobes: &[], button: None, stop };
    if is_passed(board, &report.counterexamples)
        || prover.is_wrong_outside()
        || trial.shows()
        || prover.instructions(instructions).verdict == Verdict::Refuted
        || is_pressed_to_harm(prover, report.claim)
    {
        return;
    }
    let (certain, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut report.counterexamples).into_iter().partition(is_certain);
    report.counterexamples = certain;
    report.leave_harmless(others.iter().map(harmless));
}

/// Returns the reason why a fault that makes no difference in any run leaves a claim undecided.
pub(crate) fn harmless(fault: &Counterexample) -> Undecided {
    Undecided::Harmless { fault: summary(fault), runs: trial::RUNS }
}

/// Whether a program shows a fault while registers go from one byte of the address between to the other.
fn is_passed(board: &Board, faults: &[Counterexample]) -> bool {
    let mut observer = Observer::power_up(board, Noise::Zeros);
    faults.iter().any(|fault| match (fault, &mut observer) {
        (Counterexample::Loop(fault), Some(observer)) => {
            observer.passes([fault.between as u8, (fault.between >> 8) as u8])
        }
        _ => false,
    })
}

/// Whether a press does harm, if the claim is about resets, or more than the clock reads the line of the button.
fn is_pressed_to_harm(prover: &Prover, claim: Claim) -> bool {
    let netlist = prover.board.netlist();
    let reset = netlist.panel.reset[0];
    let clock = Clock::find(netlist, &prover.limits).ok();
    let clock =
        clock.filter(|clock| claim == Claim::Reset || clock.readers_outside(netlist, reset).next().is_some());
    clock.is_some_and(|clock| prover.harm(&clock.chips).is_some())
}

/// Finds the lines that have to be fast or slow for these faults to occur.
fn targets(netlist: &Netlist, faults: &[Counterexample]) -> Vec<Target> {
    let mut targets = Vec::new();
    for fault in faults {
        match fault {
            Counterexample::Loop(fault) => {
                let early = fault.from ^ fault.between;
                let chips = [&fault.chip].into_iter().chain(&fault.also);
                let chips = chips.filter_map(|name| netlist.chip(name));
                targets.extend(chips.map(|chip| Target {
                    chip,
                    early,
                    late: (fault.from ^ fault.to) & !early,
                }));
            }
            Counterexample::Writing(fault) => {
                let Some(chip) = netlist.chip(&fault.chip) else { continue };
                let reads = &netlist.chips[chip].reads;
                let write = 1 << (reads.len() - 1);
                let line = reads.iter().position(|&net| netlist.nets[net].name == fault.line);
                let line = line.map_or(0, |line| 1 << line);
                targets.push(Target { chip, early: line, late: write });
                targets.push(Target { chip, early: write, late: line });
            }
            _ => {}
        }
    }
    targets
}
