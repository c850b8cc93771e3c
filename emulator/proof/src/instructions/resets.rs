//! Reset, from every state of the nets that hold the control of the machine.

use super::{Mismatch, machine};
use crate::undecided::Undecided;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Probe, Registers};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Other nets than the counter's are tried in all combinations if there are no more than this.
const MOST: usize = 12;

/// Why not all states can be tried, if that is so.
pub(super) fn too_many(board: &Board) -> Option<Undecided> {
    let nets = nets(board).len();
    (nets > MOST).then_some(Undecided::TooManyResets(nets))
}

/// Resets with each of these values in the counter, and all values of the other nets: the sequencer, the flags and
/// their masters, and the lines between the halves of the counter, which need not agree at power-up.
pub(super) fn resets(
    board: &Board,
    counters: Range<u16>,
    stop: &AtomicBool,
) -> Option<Result<u64, Mismatch>> {
    let nets = nets(board);
    let mut engine = match machine(board, &Image::blank(), Noise::Random(4)) {
        Ok(engine) => engine,
        Err(mismatch) => return Some(Err(mismatch)),
    };
    let probes: Vec<Probe> = nets.iter().filter_map(|net| engine.probe(net)).collect();
    let settled: Vec<u16> = probes.iter().map(|probe| engine.read(probe)).collect();
    let mut count = 0;
    for counter in counters {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        for control in 0..1u32 << nets.len() {
            for (bit, net) in board.panel.counter.names().iter().enumerate() {
                engine.force(net, counter >> bit & 1);
            }
            for (bit, net) in nets.iter().enumerate() {
                engine.force(net, (control >> bit & 1) as u16);
            }
            if let Err(mismatch) = reset(&mut engine, &probes, &settled, &nets, (counter, control)) {
                return Some(Err(mismatch));
            }
            count += 1;
        }
    }
    Some(Ok(count))
}

fn reset(
    engine: &mut ChipsEngine,
    probes: &[Probe],
    settled: &[u16],
    nets: &[String],
    (counter, control): (u16, u32),
) -> Result<(), Mismatch> {
    let levels = |level: &dyn Fn(usize) -> u16| {
        let levels = nets.iter().enumerate().map(|(place, net)| format!("{net}={}", level(place)));
        levels.collect::<Vec<_>>().join(" ")
    };
    let case = || {
        let before = levels(&|place| (control >> place & 1) as u16);
        format!("reset from counter {counter:03X}, {before}")
    };
    engine.reset().map_err(|unsettled| Mismatch::at(case(), unsettled))?;
    let after: Vec<u16> = probes.iter().map(|probe| engine.read(probe)).collect();
    let begin = (engine.cycle(), engine.phase_number(), engine.halted());
    if engine.registers() == Registers::default() && after == settled && begin == (0, 0, false) {
        return Ok(());
    }
    let Registers { pc, a, c } = engine.registers();
    let got = format!("PC = {pc:03X}, A = {a:02X}, C = {}, {}", u8::from(c), levels(&|place| after[place]));
    let wanted = format!("PC = 000, A = 00, C = 0, {}", levels(&|place| settled[place]));
    Err(Mismatch::new(case(), wanted, got))
}

/// The nets that hold the control of the machine, without the counter: the loops of the chips that drive the sequencer
/// and the flags, and the lines between the chips of the counter.
fn nets(board: &Board) -> Vec<String> {
    let panel = &board.panel;
    let counter = panel.counter.names();
    let roles = [&panel.sequence, &panel.carry, &panel.carry_master, &panel.jump_master, &panel.tick_master];
    let roles: Vec<&String> = roles.into_iter().flat_map(|lines| lines.names()).collect();
    let mut nets: Vec<String> = Vec::new();
    for chip in &board.chips {
        let drives = |nets: &[&String]| chip.data().names().iter().any(|net| nets.contains(&net));
        if drives(&roles) {
            let is_read = |net: &&String| chip.reads().any(|read| read == *net);
            nets.extend(chip.data().names().iter().filter(is_read).cloned());
        }
        if drives(&counter.iter().collect::<Vec<_>>()) {
            let others = board
                .chips
                .iter()
                .filter(|other| other.data().names().iter().any(|net| counter.contains(net)));
            let lines: Vec<&String> = others.flat_map(|other| other.reads()).collect();
            nets.extend(
                chip.data()
                    .names()
                    .iter()
                    .filter(|net| !counter.contains(net) && lines.contains(net))
                    .cloned(),
            );
        }
    }
    nets
}
