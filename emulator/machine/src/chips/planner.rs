//! How a plan is made: what is constant in each phase, which lines matter while it is, and which banks a program
//! is seen to need.
//!
//! Two facts make plans short, both read off the tables (see [`Tables`]): what is constant in a phase since the
//! sequencer alone decides it, and which lines do not matter while it is. RAM and the program, which can be changed
//! while a plan is in use, are taken to hold anything.

use super::pack::{BANKS, Bank, Pack, Readers};
use super::plan::{Affected, Lookup, MORE_WIRES, PhasePlan, Plan, Step, WIRES};
use super::settle::settle;
use super::{ChipsEngine, PHASES};
use crate::engine::Unsettled;
use crate::netlist::{NetId, Netlist};
use crate::tables::{Known, Tables};
use crate::wires::{Bit, Data, wires_at};
use std::sync::Arc;

/// Cycles that are watched to see which banks have to be looked up.
const WATCHED_CYCLES: u32 = 600;
/// A lookup is planned if it was needed in one phase of this many, and planned as usual if in every second: an
/// unneeded lookup costs far less than settling by the general rule.
const RARE: u32 = 16;
const USUAL: u32 = 2;

/// For each bank, in how many phases it was looked up once, and in how many twice.
type Counts = [[u32; 2]; BANKS];

/// Plans for the board and the program of this engine, which is at the beginning of a cycle. There is no plan for
/// a board that has no clock of its own, or chips with very scattered lines.
pub(super) fn plan(engine: &ChipsEngine) -> Result<Option<Plan>, Unsettled> {
    let (netlist, pack) = (&*engine.netlist, &*engine.pack);
    let Some(clocks) = clocks(engine)? else { return Ok(None) };
    let mut tables = Tables::new(netlist);
    let known = clocks.clone().map(|mut known| {
        tables.follow(&mut known);
        known
    });
    let affected = std::array::from_fn(|phase| {
        affected(netlist, pack, &mut tables, &known[(phase + PHASES - 1) % PHASES], &known[phase])
    });
    let counts = watch(engine, &affected)?;
    let mut phases = Vec::new();
    for (number, affected) in affected.into_iter().enumerate() {
        let known = Packed::new(pack, &known[number]);
        let Some([usual, detour]) = steps(pack, &known, &affected, &counts[number]) else {
            return Ok(None);
        };
        let oscillator = engine.pack.panel.oscillator.bits()[0];
        phases.push(PhasePlan { number, oscillator, detour_banks: banks(&detour), usual, detour, affected });
    }
    let Packed { mask, value } = Packed::new(pack, &clocks[0]);
    let clock = (0..BANKS).filter(|&bank| mask[bank] != 0);
    let clock = clock.map(|bank| (bank, mask[bank], value[bank])).collect();
    Ok(phases.try_into().ok().map(|phases| Plan { phases, clock }))
}

/// What is known of the levels, bank by bank.
struct Packed {
    mask: [Data; BANKS],
    value: [Data; BANKS],
}

impl Packed {
    fn new(pack: &Pack, known: &Known) -> Packed {
        let mut packed = Packed { mask: [0; BANKS], value: [0; BANKS] };
        for (bit, level) in pack.nets.iter().zip(known) {
            if let Some(level) = level {
                packed.mask[bit.bank] |= 1 << bit.bit;
                packed.value[bit.bank] |= Data::from(*level) << bit.bit;
            }
        }
        packed
    }
}

/// What is known in each phase from the clock alone: the chips that read nothing but the oscillator, the reset
/// line, each other's data or their own. `None` if they do not return to where they began.
fn clocks(engine: &ChipsEngine) -> Result<Option<[Known; PHASES]>, Unsettled> {
    let netlist = &*engine.netlist;
    let mut clock = vec![false; netlist.nets.len()];
    for &net in netlist.panel.oscillator.iter().chain(&netlist.panel.reset) {
        clock[net] = true;
    }
    for _ in 0..netlist.chips.len() {
        for chip in &netlist.chips {
            if chip.reads.iter().all(|net| clock[*net] || chip.data.contains(net)) {
                chip.data.iter().for_each(|&net| clock[net] = true);
            }
        }
    }
    let mut engine = engine.clone();
    let read = |engine: &ChipsEngine| -> Known {
        clock.iter().enumerate().map(|(net, is_clock)| is_clock.then(|| engine.level(net))).collect()
    };
    let mut known = std::array::from_fn(|_| Known::new());
    for phase in [1, 2, 3, 0] {
        engine.phase(&mut ())?;
        known[phase] = read(&engine);
    }
    engine.phase(&mut ())?;
    Ok((read(&engine) == known[1]).then_some(known))
}

/// The banks to look up for each line that changes: those to which it matters. A line that is known in this phase
/// may have had another level in the phase before; then it matters to chips that do not keep what they give.
fn affected(
    netlist: &Netlist,
    pack: &Pack,
    tables: &mut Tables<'_>,
    before: &Known,
    known: &Known,
) -> Affected {
    let none = || vec![Readers::default(); pack.banks.len()];
    let mut affected = Affected { always: none(), again: none() };
    for (id, chip) in netlist.chips.iter().enumerate() {
        let bank = pack.chips[id].bank;
        let facts = tables.facts(id, known);
        let keeps = tables.changes(id, before, known) == 0;
        for (&net, &moves) in chip.reads.iter().zip(&facts.moves) {
            let Bit { bank: driver, bit } = pack.nets[net];
            let is_known = known[net].is_some();
            if moves != 0 || is_known && !keeps {
                affected.always[driver][bit as usize] |= 1 << bank;
            } else if is_known {
                affected.again[driver][bit as usize] |= 1 << bank;
            }
        }
    }
    affected
}

/// Watches the program run, settled by the general rule.
fn watch(engine: &ChipsEngine, affected: &[Affected; PHASES]) -> Result<[Counts; PHASES], Unsettled> {
    let mut engine = engine.clone();
    let pack = Arc::clone(&engine.pack);
    let oscillator = pack.panel.oscillator.bits()[0];
    let mut counts = [[[0; 2]; BANKS]; PHASES];
    for _ in 0..WATCHED_CYCLES {
        for phase in [1, 2, 3, 0] {
            engine.levels[oscillator.bank] ^= 1 << oscillator.bit;
            let mut times = [0u32; BANKS];
            let ChipsEngine { levels, cells, .. } = &mut engine;
            let affected = |bank, changed, seen| affected[phase].by(bank, changed, seen);
            settle(&pack, affected, levels, cells, pack.readers(oscillator), |bank| times[bank] += 1)
                .map_err(|unsettled| engine.unsettled(unsettled))?;
            for (count, times) in counts[phase].iter_mut().zip(times) {
                count[0] += u32::from(times >= 1);
                count[1] += u32::from(times >= 2);
            }
        }
    }
    Ok(counts)
}

/// The usual steps of a phase and its detour; `None` if a bank has too many wires.
fn steps(pack: &Pack, known: &Packed, affected: &Affected, counts: &Counts) -> Option<[Vec<Step>; 2]> {
    let often = |bank: usize, time: usize, share: u32| counts[bank][time] * share > WATCHED_CYCLES;
    let mut usual = Vec::new();
    let mut detour = Vec::new();
    for (number, bank) in pack.banks.iter().enumerate().skip(pack.inputs) {
        let step = step(pack, number, bank, known)?;
        // A bank whose lines are all known needs one lookup, however often its own lines change.
        let times = if step.wires[0].mask == 0 || matches!(step.lookup, Lookup::Ram { .. }) { 1 } else { 2 };
        for time in (0..times).filter(|&time| often(number, time, RARE)) {
            let steps = if often(number, time, USUAL) { &mut usual } else { &mut detour };
            let lookup = if time == 0 { step.lookup } else { Lookup::Again };
            steps.push(Step { lookup, ..step.clone() });
        }
    }
    watch_steps(known, affected, &mut usual);
    watch_steps(known, affected, &mut detour);
    Some([usual, detour])
}

fn step(pack: &Pack, number: usize, bank: &Bank, known: &Packed) -> Option<Step> {
    let mut lines: Vec<Bit> = bank.reads.iter().map(|&net: &NetId| pack.nets[net]).collect();
    let level = |bit: &Bit| {
        (known.mask[bit.bank] >> bit.bit & 1 == 1).then(|| u32::from(known.value[bit.bank] >> bit.bit & 1))
    };
    let fixed = (0..).zip(&lines).fold(0, |fixed, (line, bit)| fixed | level(bit).unwrap_or(0) << line);
    let mut lookup = Lookup::Table;
    if let Some(address) = bank.ram_address {
        let write = lines.len() - 1;
        if level(&lines[write]) == Some(0) {
            lines.truncate(address); // it is only read: a table like any other
        } else if fixed != 0 {
            return None; // a RAM that the clock itself writes is left to the general rule
        } else {
            lookup = Lookup::Ram { first_input: address as u8, inputs: (write - address) as u8 };
        }
    }
    let free: Vec<_> = lines.iter().copied().zip(0..).filter(|(bit, _)| level(bit).is_none()).collect();
    let wires = wires_at(&free);
    if wires.len() > WIRES + MORE_WIRES {
        return None;
    }
    let wire = |index: usize| wires.get(index).copied().unwrap_or_default();
    Some(Step {
        bank: number as u8,
        lookup,
        watched: 0,
        cells: bank.offset as u32 + (fixed & ((1 << lines.len()) - 1)),
        wires: std::array::from_fn(wire),
        more_count: wires.len().saturating_sub(WIRES) as u8,
        more_wires: std::array::from_fn(|index| wire(WIRES + index)),
    })
}

/// Marks the data lines of each step that some bank would have to see, unless it is looked up later in these
/// steps, or is looked up in them with the level that the line has at the end of the phase.
fn watch_steps(known: &Packed, affected: &Affected, steps: &mut [Step]) {
    let planned = banks(steps);
    for index in 0..steps.len() {
        let later = banks(&steps[index + 1..]);
        let bank = usize::from(steps[index].bank);
        steps[index].watched = (0..Data::BITS).fold(0, |watched, bit| {
            let sees = if known.mask[bank] >> bit & 1 == 1 { planned } else { later };
            watched | Data::from(affected.always[bank][bit as usize] & !sees != 0) << bit
        });
    }
}

/// The banks of these steps.
fn banks(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |set, step| set | 1 << step.bank)
}
