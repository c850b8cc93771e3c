//! The fifth claim: the button may be pressed and released at any moment, and the machine then starts at 0.
//!
//! [`crate::button`] finds what the rest of the board sees of that: phases in which a reset begins, in which it
//! lasts, and in which it ends.
//!
//! - **Nothing is lost.** In all of these phases, the lines of the clock that stand still keep the write lines of RAM and
//!   the enables of the outlets at 0, whatever else moves, and the latches of the outlets depend on nothing that can move.
//!   A phase in which no reset begins is one of a machine that runs.
//! - **The start.** While the reset lasts, the board is run for all states at once (see [`crate::cycle`]), from every
//!   state of rest, since nothing is known about the state after a press. After the shortest resets, the counter, A, C
//!   and the next TICK are 0. The claims about loops and order are examined for these phases as for the others.

use crate::button::Reset;
use crate::claim::RESET_CYCLES;
use crate::clock::Clock;
use crate::cycle::{self, Start, SymbolicBoard, live, unless_stopped};
use crate::fault::ResetFault;
use crate::inputs::pass_on;
use crate::limits::Limits;
use crate::phase::{Phase, outward_strobes};
use crate::rom::{listed, names};
use crate::undecided::Undecided;
use gray1_machine::PHASES;
use gray1_machine::logic::{FALSE, Function};
use gray1_machine::netlist::{NetId, Netlist};
use gray1_machine::tables::{Known, Tables};
use std::sync::atomic::AtomicBool;

/// The result of a reset from all states.
pub(crate) struct ResetRun {
    pub faults: Vec<ResetFault>,
    /// Resets that are not long enough, if the button bounces.
    pub too_short: Vec<Reset>,
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

/// Holds the reset line, and releases it as in each of these resets, the shortest of their kind.
pub(crate) fn run(
    netlist: &Netlist,
    phases: &ResetPhases,
    resets: &[Reset],
    limits: &Limits,
    stop: &AtomicBool,
) -> cycle::Result<ResetRun> {
    let start = Start::find(netlist, &phases.held[1].start, limits, None)?;
    let (board, cut, rests) = (start.board, start.cut, start.rests);
    let mut machine = Machine { board, cut, rests, faults: vec![] };
    let (mut faults, mut too_short) = (Vec::new(), Vec::new());
    let most = resets.iter().map(|reset| reset.phases).max().unwrap_or(0).max(RESET_CYCLES * PHASES);
    for count in 0..=most {
        unless_stopped(stop)?;
        for reset in resets.iter().filter(|reset| reset.phases == count) {
            let ended = machine.ended(phases, reset.phase)?;
            match (ended.is_empty(), reset.is_long) {
                (true, _) => {}
                (false, true) => faults.extend(ended),
                (false, false) => too_short.push(*reset),
            }
        }
        if count == RESET_CYCLES * PHASES {
            machine.registers(&format!("after {RESET_CYCLES} cycles of reset"))?;
        }
        if count < most {
            machine.phase(&phases.held[(count + 1) % PHASES], false, "while the line is held")?;
        }
    }
    faults.splice(0..0, machine.faults);
    Ok(ResetRun { faults, too_short, free: start.free })
}

/// Finds strobes and latches that move, or may be 1, in these phases of a reset, so that something may be stored, shown
/// or sent.
pub(crate) fn restless_outlets<'a>(
    netlist: &Netlist,
    clock: &Clock,
    phases: impl Iterator<Item = &'a Phase>,
) -> Vec<Undecided> {
    let mut tables = Tables::new(netlist);
    let strobes = outward_strobes(netlist);
    let shown: Vec<NetId> = netlist.panel.outlets().flat_map(|outlet| outlet.latch.clone()).collect();
    let found = phases.filter_map(|phase| {
        let mut known: Known = vec![None; netlist.nets.len()];
        for &net in clock.nets.iter().filter(|&&net| net != netlist.panel.reset[0] && !phase.moves(net)) {
            known[net] = phase.start[net];
        }
        tables.follow(&mut known);
        // The first of the other nets to move would have to be moved by a net that moves.
        let is_input = |net: NetId| netlist.nets[net].driver.is_none() && known[net].is_none();
        let mut moves: Vec<bool> = (0..netlist.nets.len()).map(is_input).collect();
        pass_on(netlist, &mut tables, &known, &mut moves, |_, net| known[net].is_none());
        let mut wrong: Vec<NetId> =
            strobes.iter().copied().filter(|&net| known[net] != Some(false)).collect();
        if wrong.is_empty() {
            wrong = shown.iter().copied().filter(|&net| moves[net]).collect();
        }
        let nets = names(netlist, listed(netlist, wrong));
        (!nets.is_empty()).then(|| Undecided::ResetOpens { phase: phase.name.clone(), nets })
    });
    found.collect()
}

/// Returns the indices of this many phases after a given one.
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
    /// Returns the faults if the reset ends in the phase that comes next, which has this number.
    fn ended(&self, phases: &ResetPhases, number: usize) -> cycle::Result<Vec<ResetFault>> {
        let mut machine = Machine { faults: vec![], ..self.clone() };
        let when = format!("when the reset ends in phase {number}");
        let Some((_, release)) = phases.releases.iter().find(|(of, _)| *of == number) else {
            return Ok(vec![]);
        };
        // The masters take what the first instruction gives in phase 1.
        if number == 1 || number == 2 {
            machine.registers(&when)?;
            return Ok(machine.faults);
        }
        machine.phase(release, true, &when)?;
        for after in following(number, (PHASES - number) % PHASES) {
            machine.phase(&phases.running[after], false, &when)?;
        }
        machine.registers(&when)?;
        Ok(machine.faults)
    }

    /// Runs a phase, in which the line may be released. Records stores and bytes that are shown or sent.
    fn phase(&mut self, phase: &Phase, lets_go: bool, when: &str) -> cycle::Result<()> {
        let netlist = self.board.netlist;
        let panel = &netlist.panel;
        let mut lines = vec![panel.oscillator[0]];
        lines.extend(lets_go.then_some(panel.reset[0]));
        let live = live(netlist, phase, &self.cut);
        let seen = self.board.lookups.len();
        self.board.flip(&lines, &live)?;
        let strobes = outward_strobes(netlist);
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

    /// Records registers of the instruction set that are not 0.
    fn registers(&mut self, when: &str) -> cycle::Result<()> {
        let panel = &self.board.netlist.panel;
        let numbers = [&panel.counter, &panel.accumulator, &panel.carry, &panel.tick_master];
        numbers.into_iter().try_for_each(|nets| self.zero(when, nets, &self.board.on(nets)))
    }

    /// Records a state in which lines are not 0.
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
