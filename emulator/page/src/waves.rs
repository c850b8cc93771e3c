//! Nets over the last cycles.

use crate::protocol::{Wave, Waves};
use gray1_debugger::{DebugError, Debugger, Position};
use gray1_machine::{ChipsEngine, PHASES, Probe};

/// More cycles are not shown at once.
const MOST_CYCLES: u64 = 256;
/// More nets are not shown at once.
const MOST_NETS: usize = 256;

/// These nets and buses over so many cycles up to now.
pub fn waves(debugger: &mut Debugger, names: &[String], cycles: u64) -> Result<Waves, String> {
    if names.len() > MOST_NETS {
        return Err(format!("at most {MOST_NETS} nets are shown at once"));
    }
    let netlist = debugger.board().netlist().clone();
    let probe = |name: &String| {
        let (nets, probe) = netlist.bus(name).zip(debugger.machine().probe(name))?;
        Some((nets.len(), probe))
    };
    let probes = names.iter().map(|name| probe(name).ok_or_else(|| format!("the board has no net {name}")));
    let probes: Vec<(usize, Probe)> = probes.collect::<Result<_, String>>()?;
    let now = debugger.position();
    let first = Position::start_of(now.cycle.saturating_sub(cycles.min(MOST_CYCLES)));
    let first = first.max(debugger.history().start());
    let mut phases = 0;
    let mut running = Vec::new();
    let mut changes: Vec<Vec<(usize, u16)>> = vec![Vec::new(); probes.len()];
    let look = |machine: &ChipsEngine| {
        if machine.phase_number() == 0 || phases == 0 {
            running.push((Position::of(machine).cycle, machine.running()));
        }
        for (changes, (_, probe)) in changes.iter_mut().zip(&probes) {
            let value = machine.read(probe);
            if changes.last().is_none_or(|(_, last)| *last != value) {
                changes.push((phases, value));
            }
        }
        phases += 1;
    };
    debugger.history_mut().watch(first, now, look).map_err(|error: DebugError| error.to_string())?;
    let instructions =
        running.into_iter().map(|(cycle, sequence)| (cycle, debugger.source().instruction(sequence)));
    let nets = names.iter().zip(&probes).zip(changes);
    Ok(Waves {
        first: first.cycle * PHASES as u64,
        phases,
        instructions: instructions.collect(),
        nets: nets
            .map(|((name, (width, _)), changes)| Wave { name: name.clone(), width: *width, changes })
            .collect(),
    })
}
