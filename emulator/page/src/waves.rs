//! Nets and bytes of RAM over the last cycles.

use crate::Refusal;
use crate::protocol::{Wave, Waves};
use gray1_debugger::{DebugError, Debugger, Position, Scanner};
use gray1_machine::{ChipsEngine, PHASES, Probe};

/// At most this many cycles are shown at once.
const MAX_CYCLES: u64 = 256;
/// At most this many nets and bytes are shown at once.
const MAX_WAVES: usize = 256;
/// The number of lines of a byte.
const BYTE: usize = 8;

/// The source of a wave.
enum Source {
    Net(Probe),
    Byte(u16),
    /// The program has no such byte.
    None,
}

/// These nets and buses, then these bytes of RAM, over this many cycles up to now.
pub fn waves(
    debugger: &mut Debugger,
    nets: &[String],
    bytes: &[String],
    cycles: u64,
) -> Result<Waves, Refusal> {
    if nets.len().saturating_add(bytes.len()) > MAX_WAVES {
        return Err(format!("at most {MAX_WAVES} nets and bytes are shown at once").into());
    }
    let netlist = debugger.board().netlist().clone();
    let mut sources = Vec::new();
    let mut waves = Vec::new();
    for name in nets {
        let net = netlist.bus(name).zip(debugger.machine().probe(name));
        let (lines, probe) = net.ok_or_else(|| format!("the board has no net {name}"))?;
        sources.push(Source::Net(probe));
        waves.push(Wave { name: name.clone(), width: lines.len(), changes: Vec::new(), fault: None });
    }
    for name in bytes {
        let address = address(debugger, name);
        let fault = address.as_ref().err().map(|Refusal(fault)| fault.clone());
        sources.push(address.map_or(Source::None, Source::Byte));
        waves.push(Wave { name: name.clone(), width: BYTE, changes: Vec::new(), fault });
    }
    let now = debugger.position();
    let first = Position::start_of(now.cycle.saturating_sub(cycles.min(MAX_CYCLES)));
    let first = first.max(debugger.history().start());
    let mut phases = 0;
    let mut running = Vec::new();
    let look = |machine: &ChipsEngine| {
        if machine.phase_number() == 0 || phases == 0 {
            running.push((Position::of(machine).cycle, machine.running()));
        }
        for (wave, source) in waves.iter_mut().zip(&sources) {
            let value = match source {
                Source::Net(probe) => machine.read(probe),
                Source::Byte(address) => machine.reads(*address).into(),
                Source::None => continue,
            };
            if wave.changes.last().is_none_or(|(_, last)| *last != value) {
                wave.changes.push((phases, value));
            }
        }
        phases += 1;
    };
    debugger.history_mut().watch(first, now, look).map_err(|error: DebugError| error.to_string())?;
    let instructions =
        running.into_iter().map(|(cycle, sequence)| (cycle, debugger.source().instruction(sequence)));
    let first = first.cycle * PHASES as u64;
    Ok(Waves { first, phases, instructions: instructions.collect(), waves })
}

/// The address of a byte, as the program calls it.
fn address(debugger: &Debugger, name: &str) -> Result<u16, Refusal> {
    let mut scanner = Scanner::new(name);
    let address = debugger.parser().address(&mut scanner)?;
    scanner.end()?;
    Ok(address)
}
