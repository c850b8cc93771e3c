//! The fourth claim: a line that opens a latch, writes to RAM or signals a byte sent changes only as its phase allows.
//!
//! A *strobe* is the line that does so. For a register it is not a line of the board but a function that its table
//! defines: whether a bit takes a new value instead of holding. A strobe may rise once in one phase and fall once in
//! another; it must not move at any other time, not even for a moment. The strobes of RAM and of everything that leaves
//! the machine may be 1 at the end of phase 1 and of no other phase.

use crate::clock::Motion;
use crate::explain::Explain;
use crate::motion::effect;
use crate::phase::{Phase, write_line};
use crate::register::Register;
use crate::report::{Counterexample, StrobeRow, StrobeTrouble};
use crate::rom::{Rom, used};
use crate::trial::{OPEN, Strobe};
use gray1_machine::PHASES;
use gray1_machine::logic::values;
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// The behaviour of a strobe in a phase.
struct Behaviour {
    motion: Motion,
    /// Whether it may be 1 when the phase begins, and when it ends.
    begins: bool,
    ends: bool,
    /// A line that makes it move.
    line: Option<NetId>,
}

/// Returns every strobe of a board in the phases of a cycle, and those that violate the claim by the tables.
pub(crate) fn strobes(
    explain: &Explain,
    clock: &[ChipId],
) -> (Vec<StrobeRow>, Vec<(Strobe, Counterexample)>) {
    let netlist = explain.netlist;
    let mut check = StrobeCheck { explain, rows: vec![], faults: vec![] };
    let rams = netlist.chips.iter().filter(|chip| chip.is_ram());
    let mut lines: Vec<NetId> = rams.map(write_line).collect();
    lines.extend(netlist.panel.outlets().map(|outlet| outlet.enable[0]));
    for (index, &net) in lines.iter().enumerate() {
        if !lines[..index].contains(&net) {
            let name = netlist.nets[net].name.clone();
            check.check(name, true, || Strobe::Line(net), |phase| of_line(phase, net));
        }
    }
    // A chip on which nothing depends opens nothing.
    let used = used(netlist);
    for (id, chip) in netlist.chips.iter().enumerate().filter(|(id, _)| used[*id] && !clock.contains(id)) {
        let Some(rom) = Rom::of(netlist, id).filter(|rom| rom.registers() != 0) else { continue };
        let openings = openings(netlist, rom);
        for (bits, lines, open) in &openings {
            let name = match openings.len() {
                1 => chip.name.clone(),
                _ => format!("{} for {}", chip.name, bits.join(" ")),
            };
            let strobe = || Strobe::Register(id, opens(rom, *lines));
            check.check(name, false, strobe, |phase| of_register(phase, rom, open));
        }
    }
    (check.rows, check.faults)
}

/// The results so far.
struct StrobeCheck<'a> {
    explain: &'a Explain<'a>,
    rows: Vec<StrobeRow>,
    faults: Vec<(Strobe, Counterexample)>,
}

impl StrobeCheck<'_> {
    /// Judges a strobe by its behaviour in each phase. One that goes outward must be 0 at the end of all phases but one.
    fn check(
        &mut self,
        name: String,
        is_outward: bool,
        strobe: impl FnOnce() -> Strobe,
        behaviour: impl Fn(&Phase) -> Behaviour,
    ) {
        let phases = &self.explain.phases[..PHASES];
        let all: Vec<Behaviour> = phases.iter().map(behaviour).collect();
        let moving = |phase: usize| all[phase].motion != Motion::Stable;
        let wrong = |phase: usize| {
            let is = &all[phase];
            if is.motion == Motion::Glitches {
                Some(StrobeTrouble::Often)
            } else if is_outward && phase != OPEN && is.ends {
                Some(StrobeTrouble::Open)
            } else if moving(phase) && (0..phase).filter(|&phase| moving(phase)).count() == 2 {
                Some(StrobeTrouble::ManyPhases)
            } else {
                None
            }
        };
        let found = (0..all.len()).find_map(|phase| Some((phase, wrong(phase)?)));
        let first =
            |is: fn(&Behaviour) -> bool| (0..all.len()).find(|&phase| moving(phase) && is(&all[phase]));
        let (rises, falls) = (first(|is| is.ends), first(|is| is.begins));
        self.rows.push(StrobeRow { strobe: name.clone(), rises, falls, proved: found.is_none() });
        if let Some((phase, why)) = found {
            let because = all[phase].line.map_or(vec![], |line| self.explain.because(&phases[phase], line));
            self.faults.push((strobe(), Counterexample::Strobe { strobe: name, phase, why, because }));
        }
    }
}

fn of_line(phase: &Phase, net: NetId) -> Behaviour {
    let [begins, ends] = [&phase.start, &phase.end].map(|known| known[net] != Some(false));
    Behaviour { motion: phase.motion[net], begins, ends, line: Some(net) }
}

/// Returns the behaviour of the strobe of a register in a phase. `open` says for each address whether a new value is
/// taken.
fn of_register(phase: &Phase, rom: Rom, open: &[u8]) -> Behaviour {
    let mut is = Behaviour { motion: Motion::Stable, begins: false, ends: false, line: None };
    for scenario in phase.scenarios(rom.chip) {
        // Nothing feeds this function back: it does not depend on the register itself.
        let effect = effect(rom, open, |_| 0, scenario, phase.limits.causes);
        let motion = effect.motion(0);
        if motion > is.motion {
            is.motion = motion;
            is.line = rom.chip.reads.get(effect.cares.trailing_zeros() as usize).copied();
        }
        for address in scenario.addresses(rom.chip.reads.len()) {
            let is_open = open[address as usize] == 1;
            is.begins |= is_open && scenario.begins(address);
            is.ends |= is_open && scenario.ends(address);
        }
    }
    is
}

/// Returns the distinct ways in which the bits of a register open: these bits and their lines, and by address whether
/// they take a new value.
fn openings<'a>(netlist: &'a Netlist, rom: Rom) -> Vec<(Vec<&'a str>, u32, Vec<u8>)> {
    let register = Register::of(rom);
    let own = rom.chip.own.iter().filter(|(line, _)| rom.registers() >> line & 1 == 1);
    let mut distinct: Vec<(Vec<&str>, u32, Vec<u8>)> = Vec::new();
    for &(line, bit) in own {
        let net = &*netlist.nets[rom.chip.data[bit]].name;
        let is_open = |address: u32| u8::from(register.must_hold(address, 0) >> line & 1 == 0);
        let open: Vec<u8> = (0..rom.cells.len() as u32).map(is_open).collect();
        match distinct.iter_mut().find(|(_, _, other)| *other == open) {
            Some((nets, lines, _)) => {
                nets.push(net);
                *lines |= 1 << line;
            }
            None => distinct.push((vec![net], 1 << line, open)),
        }
    }
    distinct
}

/// Whether a register in a run opens at an address, by address: one of these lines does not keep its level there, or at
/// most addresses with the same levels on the other lines. A wrong cell counts only where it is looked up.
fn opens(rom: Rom, lines: u32) -> Vec<u8> {
    let own = rom.registers();
    let keeps = |address: u32| !(rom.next(address) ^ address) & lines;
    let mut holds = vec![0; rom.cells.len()];
    for others in values((rom.cells.len() as u32 - 1) & !own) {
        for line in values(lines).filter(|line| line.is_power_of_two()) {
            let count = values(own).filter(|mine| keeps(others | mine) & line != 0).count();
            holds[others as usize] |= if 4 * count >= 3 << own.count_ones() { line } else { 0 };
        }
    }
    let open = |address: u32| keeps(address) & holds[(address & !own) as usize] != lines;
    (0..rom.cells.len() as u32).map(|address| u8::from(open(address))).collect()
}
