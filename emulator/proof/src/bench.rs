//! Claims about a board without a CPU, whose phases are the moves of its inputs, one at a time.
//!
//! Such a board can power up in any state of rest. So for the claim `order` every order of lines is explored from each
//! state of rest, and every fault found there can happen. The claim `loops` is examined chip by chip, as for other
//! boards; a fault that its tables allow refutes it only if order makes a difference.

use crate::claim::Claim;
use crate::clock::Clock;
use crate::examination::Examination;
use crate::motion::{Move, bench_phases};
use crate::moves::{Explorer, Levels, Trouble};
use crate::order::Openness;
use crate::prover::Prover;
use crate::report::{ClaimReport, ClockRow, Counterexample, Evidence, RingFault, RingRow, Verdict};
use crate::rom::{chip_names, listed};
use crate::text::summary;
use crate::undecided::Undecided;
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::sync::atomic::{AtomicBool, Ordering};

/// Proves that order makes no difference on a board without a CPU if its inputs move only in these ways, each time from
/// rest. The error is the reason why it cannot be proved.
pub fn order_in_moves(board: &Board, moves: &[Move]) -> Result<(), String> {
    let (netlist, prover) = (&**board.netlist(), &Prover::new(board));
    let phases = bench_phases(netlist, moves, &prover.limits);
    let examination = Examination { prover, netlist, clock: Clock::default(), phases };
    let mut report = ClaimReport::nothing(Claim::Order);
    examination.order_in(&examination.phases, &mut report);
    report.fault().map_or(Ok(()), Err)
}

/// Examines a claim about the board of this examination.
pub(crate) fn examine(examination: &Examination, report: &mut ClaimReport) {
    let (netlist, stop) = (examination.netlist, examination.prover.stop);
    match report.claim {
        Claim::Order => order(netlist, stop, report),
        Claim::Loops => {
            examination.examine(report);
            let mut explored = ClaimReport::nothing(Claim::Order);
            if !report.counterexamples.is_empty() {
                order(netlist, stop, &mut explored);
            }
            if explored.counterexamples.is_empty() {
                report.undecided.extend(explored.undecided);
                let harmless = std::mem::take(&mut report.counterexamples);
                report.leave_harmless(
                    harmless.iter().map(|fault| Undecided::NoOrder { fault: summary(fault) }),
                );
            }
        }
        Claim::Instructions | Claim::Strobes | Claim::Reset => report.leave(Undecided::NoCpu),
    }
}

/// Explores what follows when an input moves, for each input, and each state of rest.
fn order(netlist: &Netlist, stop: &AtomicBool, report: &mut ClaimReport) {
    let mut rings = Vec::new();
    let explorer = Explorer::new(netlist, &[]);
    let rests = explorer.as_ref().and_then(|explorer| Some((explorer, explorer.rests(&[])?)));
    let Some((explorer, rests)) = rests else {
        return report.leave(Undecided::NotExplored);
    };
    if !explorer.ring.chips.is_empty() && rests.is_empty() {
        return report.leave(Undecided::Unsettled { chips: chip_names(netlist, &explorer.ring.chips) });
    }
    for input in netlist.inputs.iter().cloned().flatten() {
        if !explorer.ring.pins.iter().any(|pin| pin.net == input) {
            continue;
        }
        let phase = format!("{} moves", netlist.nets[input].name);
        let mut row = RingRow::new(phase, chip_names(netlist, &explorer.ring.chips));
        for rest in &rests {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            match explorer.moved(rest, &[input]) {
                Ok(moved) => row.add(moved.counted),
                Err(Trouble::TooLarge) => report.leave(Undecided::NotExplored),
                Err(trouble) => {
                    row.verdict = Verdict::Refuted;
                    report.counterexamples.push(fault(netlist, explorer, (rest, &row), trouble));
                    break;
                }
            }
        }
        rings.push(row);
    }
    report.evidence = Evidence::Order { clock: ClockRow::default(), rings };
}

fn fault(
    netlist: &Netlist,
    explorer: &Explorer,
    (rest, row): (&Levels, &RingRow),
    trouble: Trouble,
) -> Counterexample {
    let pins = listed(netlist, explorer.ring.pins.iter().map(|pin| pin.net).collect());
    let start = pins.into_iter().map(|net| (net, rest[net])).collect();
    let nets = |order: Vec<(NetId, ChipId)>| order.into_iter().map(|(net, _)| net).collect();
    let openness = match trouble {
        Trouble::TwoEnds { orders, ends: [one, other] } => {
            let differ = netlist.listing.iter().copied().filter(|&net| one[net] != other[net]).collect();
            Openness::TwoEnds { start, orders: orders.map(nets), differ }
        }
        Trouble::Endless { order } => Openness::Endless { start, order: nets(order) },
        Trouble::TooLarge => Openness::Uncut { levels: start },
    };
    let (why, orders, differ) = openness.in_words(netlist);
    let (phase, chips) = (row.phase.clone(), row.chips.clone());
    Counterexample::Ring(Box::new(RingFault { phase, chips, why, orders, differ, ..RingFault::default() }))
}
