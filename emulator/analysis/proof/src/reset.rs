//! The fifth claim: a reset can begin in any state, and the machine then starts at 0, whenever the reset line is
//! released.
//!
//! While the line is held the board is run for all states at once (see [`crate::cycle`]), for the documented number of
//! cycles. Then it is released in each phase in which that can make a difference (see [`crate::clock`]), and the board
//! is run to the beginning of the first instruction. The claims about loops and order are examined for these phases as
//! for the others.

use crate::cycle::{self, Start, SymbolicBoard, live, unless_stopped};
use crate::limits::Limits;
use crate::phase::{Phase, write_line};
use crate::rom::names;
use gray1_logic::{FALSE, Function};
use gray1_machine::PHASES;
use gray1_machine::netlist::{NetId, Netlist};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// Cycles for which RST has to be 1.
pub const RESET_CYCLES: usize = 3;

/// A net that is wrong after a reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResetFault {
    /// When it is wrong.
    pub when: String,
    /// The net that should be 0.
    pub what: String,
    /// Its level in one case.
    pub got: String,
}

/// The result of a reset from all states.
pub(crate) struct ResetRun {
    pub faults: Vec<ResetFault>,
    /// The nets that can be anything when the reset begins.
    pub free: Vec<NetId>,
}

/// The phases of a reset.
pub(crate) struct ResetPhases<'a> {
    /// The phases of a cycle while the line is held.
    pub held: &'a [Phase],
    /// Those in which a reset can end, by number.
    pub releases: Vec<(usize, &'a Phase)>,
    /// The phases of a cycle without reset.
    pub running: &'a [Phase],
}

/// Holds the reset line, and releases it in each way.
pub(crate) fn run(
    netlist: &Netlist,
    phases: &ResetPhases,
    limits: &Limits,
    stop: &AtomicBool,
) -> cycle::Result<ResetRun> {
    let start = Start::find(netlist, &phases.held[1].start, limits, None)?;
    let (board, cut, rests) = (start.board, start.cut, start.rests);
    let mut machine = Machine { board, cut, rests, faults: vec![] };
    for number in following(0, RESET_CYCLES * PHASES) {
        unless_stopped(stop)?;
        machine.phase(&phases.held[number], false, "while the line is held")?;
    }
    machine.registers(&format!("after {RESET_CYCLES} cycles of reset"))?;
    let mut faults = std::mem::take(&mut machine.faults);
    for &(number, release) in &phases.releases {
        let mut machine = machine.clone();
        let when = format!("when the reset ends in phase {number}");
        // The machine is at the end of phase 0.
        for before in following(0, (number + PHASES - 1) % PHASES) {
            machine.phase(&phases.held[before], false, &when)?;
        }
        machine.phase(release, true, &when)?;
        for after in following(number, (PHASES - number) % PHASES) {
            machine.phase(&phases.running[after], false, &when)?;
        }
        machine.registers(&when)?;
        faults.append(&mut machine.faults);
    }
    Ok(ResetRun { faults, free: start.free })
}

/// The indices of this many phases after a given one.
fn following(phase: usize, count: usize) -> impl Iterator<Item = usize> {
    (phase + 1..=phase + count).map(|phase| phase % PHASES)
}

#[derive(Clone)]
struct Machine<'a> {
    board: SymbolicBoard<'a>,
    cut: Vec<NetId>,
    rests: Function,
    faults: Vec<ResetFault>,
}

impl Machine<'_> {
    /// Runs a phase, in which the line may be released. Nothing may be stored, shown or sent.
    fn phase(&mut self, phase: &Phase, lets_go: bool, when: &str) -> cycle::Result<()> {
        let netlist = self.board.netlist;
        let panel = &netlist.panel;
        let mut lines = vec![panel.oscillator[0]];
        lines.extend(lets_go.then_some(panel.reset[0]));
        let live = live(netlist, phase, &self.cut);
        let seen = self.board.lookups.len();
        self.board.flip(&lines, &live)?;
        let rams = panel.memory.iter().map(|&ram| write_line(&netlist.chips[ram]));
        let strobes: Vec<NetId> = rams.chain(panel.outlets().map(|outlet| outlet.enable[0])).collect();
        let mut levels: Vec<(NetId, Function)> =
            strobes.iter().map(|&net| (net, self.board.levels[net])).collect();
        for lookup in &self.board.lookups[seen..] {
            let data = netlist.chips[lookup.chip].data.iter().zip(&lookup.data);
            levels.extend(data.filter(|(net, _)| strobes.contains(net)).map(|(&net, &level)| (net, level)));
        }
        for (net, level) in levels {
            self.zero(when, &[net], &[level])?;
        }
        Ok(())
    }

    /// The registers of the instruction set must be 0.
    fn registers(&mut self, when: &str) -> cycle::Result<()> {
        let panel = &self.board.netlist.panel;
        let numbers = [&panel.counter, &panel.accumulator, &panel.carry, &panel.tick_master];
        numbers.into_iter().try_for_each(|nets| self.zero(when, nets, &self.board.on(nets)))
    }

    /// Records states in which lines are not 0.
    fn zero(&mut self, when: &str, nets: &[NetId], levels: &[Function]) -> cycle::Result<()> {
        let diagrams = &mut self.board.diagrams;
        let any = levels.iter().try_fold(FALSE, |any, &level| diagrams.or(any, level))?;
        let states = diagrams.and(any, self.rests)?;
        let names = names(self.board.netlist, nets.iter().copied()).join(" ");
        // The first one is enough.
        if states != FALSE && !self.faults.iter().any(|fault| fault.when == when) {
            let witness = diagrams.witness(states);
            let level =
                |level| u8::from(diagrams.value(level, |variable| witness.contains(&(variable, true))));
            let got =
                levels.iter().map(|&function| level(function).to_string()).collect::<Vec<_>>().join(" ");
            self.faults.push(ResetFault { when: when.to_owned(), what: names, got });
        }
        Ok(())
    }
}
