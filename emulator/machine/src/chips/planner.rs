//! Makes a plan: it derives the constant levels of each phase from the clock, and watches the program to see which
//! banks it usually needs.

use super::lookups::{Lookups, PackedLevels};
use super::plan::{PhasePlan, Plan};
use super::step::{Kind, Row, Step, banks};
use crate::engine::{PHASES, Unsettled};
use crate::pack::BANKS;
use crate::plain::PlainEngine;
use crate::tables::{Known, Tables};
use crate::wires::Data;
use std::sync::Arc;

/// The number of cycles for which the program is watched.
const WATCHED_CYCLES: u32 = 600;
/// A bank is among the usual steps if its lookup was needed in more than one of 2 phases, and in the detour if in more
/// than one of 16. Banks that the detour may change are added to it if they were needed in more than one of 60. An
/// unneeded lookup costs much less than settling by the general rule.
const USUAL: u32 = 2;
const RARE: u32 = 16;
const SELDOM: u32 = 60;

/// For each bank, the number of phases in which it was looked up at least once, and at least twice.
type Counts = [[u32; 2]; BANKS];

/// Makes a plan for the board and the program of this engine, which must be at the beginning of a cycle. It must be
/// proved for this board that the order of lookups makes no difference. There is no plan for a board that has no clock
/// of its own, or that has a phase without [`Lookups`].
pub(super) fn plan(engine: &PlainEngine) -> Result<Option<Plan>, Unsettled> {
    let (netlist, pack) = (&*engine.netlist, &*engine.pack);
    let Some(clocks) = clocks(engine)? else { return Ok(None) };
    let mut tables = Tables::new(netlist);
    let known = clocks.clone().map(|mut known| {
        tables.follow(&mut known);
        known
    });
    let lookups = (0..PHASES).map(|phase| {
        let before = &known[(phase + PHASES - 1) % PHASES];
        Lookups::new(netlist, pack, &mut tables, before, &known[phase])
    });
    let Some(lookups) = lookups.collect::<Option<Vec<_>>>() else { return Ok(None) };
    let counts = watch(engine, &lookups)?;
    let oscillator = pack.panel.oscillator.bits()[0];
    let oscillator = (oscillator.bank as u8, 1 << oscillator.bit);
    let phases = lookups.into_iter().zip(&counts).enumerate().map(|(number, (lookups, counts))| {
        let [mut usual, mut detour] = steps(&lookups, counts);
        watch_lines(&lookups, &mut usual);
        watch_lines(&lookups, &mut detour);
        let detour_banks = banks(&detour);
        let (usual, detour) = (Row::new(usual), Row::new(detour));
        PhasePlan { number, oscillator, usual, detour, detour_banks, lookups }
    });
    let phases = phases.collect::<Vec<_>>().try_into();
    let clock = clocks.map(|known| {
        let PackedLevels { mask, value } = PackedLevels::new(pack, &known);
        let banks = (0..BANKS).filter(|&bank| mask[bank] != 0);
        banks.map(|bank| (bank, mask[bank], value[bank])).collect()
    });
    Ok(phases.ok().map(|phases| Plan { phases, clock }))
}

/// The levels that are known in each phase from the clock alone: those of the chips that read nothing but the
/// oscillator, the reset line, each other and themselves. `None` if they do not repeat after a cycle.
fn clocks(engine: &PlainEngine) -> Result<Option<[Known; PHASES]>, Unsettled> {
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
    let read = |engine: &PlainEngine| -> Known {
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

/// Runs the program by the general rule, and counts the lookups.
fn watch(engine: &PlainEngine, lookups: &[Lookups]) -> Result<[Counts; PHASES], Unsettled> {
    let mut engine = engine.clone();
    let pack = Arc::clone(&engine.pack);
    let oscillator = pack.panel.oscillator.bits()[0];
    let mut counts = [[[0; 2]; BANKS]; PHASES];
    for _ in 0..WATCHED_CYCLES {
        for phase in [1, 2, 3, 0] {
            engine.levels[oscillator.bank] ^= 1 << oscillator.bit;
            let mut times = [0u32; BANKS];
            let PlainEngine { levels, cells, .. } = &mut engine;
            lookups[phase]
                .settle(levels, cells, pack.readers(oscillator), |bank| times[bank] += 1)
                .map_err(|unsettled| engine.unsettled(unsettled))?;
            for (count, times) in counts[phase].iter_mut().zip(times) {
                count[0] += u32::from(times >= 1);
                count[1] += u32::from(times >= 2);
            }
        }
    }
    Ok(counts)
}

/// The usual steps and the detour of a phase.
fn steps(lookups: &Lookups, counts: &Counts) -> [Vec<Step>; 2] {
    let often =
        |time: usize, share: u32| (0..BANKS).filter(move |&bank| counts[bank][time] * share > WATCHED_CYCLES);
    let set = |time, share| often(time, share).fold(0, |set, bank| set | 1 << bank);
    let (usual, rare, seldom) = (set(0, USUAL), set(0, RARE) & !set(0, USUAL), set(0, SELDOM));
    // A second lookup at a constant address has the same result.
    let fixed = ones(set(1, RARE)).filter(|&bank| lookups.step(bank).kind == Kind::Table(0));
    let mut detour = rare | set(1, RARE) & !fixed.fold(0, |set, bank| set | 1 << bank);
    for _ in &lookups.steps {
        detour |= ones(detour).fold(0, |after, bank| after | lookups.after(bank)) & seldom;
    }
    let steps = |order: &[usize]| order.iter().map(|&bank| lookups.step(bank).clone()).collect();
    [steps(&ones(usual).collect::<Vec<_>>()), steps(&in_order(lookups, detour, rare))]
}

/// Sorts banks so that each comes after those that change it. In a cycle, a bank of `begin` comes first.
fn in_order(lookups: &Lookups, mut left: u64, begin: u64) -> Vec<usize> {
    let mut order = Vec::new();
    while left != 0 {
        let is_changed =
            |bank: usize| ones(left & !(1 << bank)).any(|other| lookups.after(other) >> bank & 1 == 1);
        let unchanged = ones(left).find(|&bank| !is_changed(bank));
        let bank = unchanged.or(ones(left & begin).next()).unwrap_or(left.trailing_zeros() as usize);
        order.push(bank);
        left &= !(1 << bank);
    }
    order
}

/// The banks of a set.
fn ones(set: u64) -> impl Iterator<Item = usize> {
    (0..BANKS).filter(move |bank| set >> bank & 1 == 1)
}

/// Sets the watched data lines of each step: those that are read by a bank which these steps do not look up later. If
/// the level of the line is constant in this phase, an earlier lookup of that bank is enough too.
fn watch_lines(lookups: &Lookups, steps: &mut [Step]) {
    let planned = banks(steps);
    for index in 0..steps.len() {
        let later = banks(&steps[index + 1..]);
        let bank = usize::from(steps[index].bank);
        steps[index].watched = (0..Data::BITS).fold(0, |watched, bit| {
            let sees = if lookups.known[bank] >> bit & 1 == 1 { planned } else { later };
            watched | Data::from(lookups.affected[bank][bit as usize] & !sees != 0) << bit
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::state::Noise;
    use gray1_isa::{Image, Opcode, Word};

    #[test]
    fn the_usual_rows_are_those_that_are_written_down() {
        let words = [
            Word::ram(Opcode::Lda, 5),
            Word::constant(Opcode::Add, 77),
            Word::ram(Opcode::Sta, 5),
            Word::jump(Opcode::Jmp, 0),
        ];
        for board in [Board::gray1(), Board::built()] {
            let engine = PlainEngine::power_up(&board, &Image::from_words(words), Noise::Zeros).unwrap();
            let plan = plan(&engine).unwrap().expect("a plan");
            assert!(plan.phases.iter().all(|phase| phase.usual.is_written_down()));
        }
    }
}
