//! The reasons why a fault is not found, derived from the tables and from running both machines in parallel.

use crate::faults::circuit::Circuit;
use crate::faults::effect::Effect;
use crate::faults::fault::Fault;
use crate::faults::machine::Machine;
use crate::faults::opens::OpenTarget;
use crate::faults::outcome::{Outcome, Watch};
use crate::faults::reference::Reference;
use crate::kit::Role;
use gray1_machine::PHASES;
use gray1_machine::wires::Bit;
use std::collections::BTreeSet;

/// Maximum number of nets listed.
const NAMED: usize = 4;

/// The differences of a machine at the end of any phase.
#[derive(Default)]
struct Differences {
    nets: BTreeSet<usize>,
    has_ram: bool,
    /// Whether there is still a difference at the end of the run, and whether that is in any line.
    is_left: bool,
    has_lines_left: bool,
}

impl Reference<'_> {
    /// The reason why a fault was not found.
    pub(crate) fn reason(&self, fault: Fault, outcome: &Outcome, watch: Watch) -> String {
        match fault {
            Fault::Stuck { pin, level } if !outcome.acts => {
                let (is_at, circuit) = (u8::from(level), self.circuit);
                if !self.pin_is_at(pin, !level) {
                    format!("it is always at {is_at} in this run")
                } else if circuit.is_ignored(pin) {
                    "the chip gives the same whatever it is".to_owned()
                } else {
                    format!(
                        "whenever it is at {}, the chip would give the same with it at {is_at}",
                        1 - is_at
                    )
                }
            }
            Fault::Bridge { .. } if !outcome.acts => {
                "both are always at the same level in this run".to_owned()
            }
            Fault::Cell { .. } => self.unseen(fault, watch),
            _ if !outcome.acts => "nothing that happens in this run would be different".to_owned(),
            Fault::Open { open, .. } if matches!(self.circuit.opens[open].what, OpenTarget::Light(_)) => {
                "the LED is only lit while nobody looks at it, or the LEDs are not watched".to_owned()
            }
            _ => self.unseen(fault, watch),
        }
    }

    /// Describes the differences that a fault causes although the watched outputs do not reveal it.
    fn unseen(&self, fault: Fault, watch: Watch) -> String {
        let Differences { nets, has_ram, has_lines_left, .. } = self.wrong(fault);
        let circuit = self.circuit;
        let own = match fault {
            Fault::Cell { chip, bit, .. } => Some(circuit.netlist.chips[chip].data[bit as usize]),
            _ => None,
        };
        let is_own = nets.iter().copied().eq(own);
        let names: Vec<&str> =
            nets.iter().take(NAMED).map(|&net| circuit.netlist.nets[net].name.as_str()).collect();
        let are = match nets.len() {
            0 if has_ram => return "only cells of RAM are wrong, and nothing reads them".to_owned(),
            0 => {
                return "all lines are right by the end of each phase: it only matters in passing, or during a reset"
                    .to_owned();
            }
            _ if is_own => "the line is wrong".to_owned(),
            1 => format!("{} is wrong", names[0]),
            2..=NAMED => format!("{} are wrong", names.join(" ")),
            more => format!("{} and {} other lines are wrong", names.join(" "), more - NAMED),
        };
        let panel = &circuit.pack.panel;
        let is_of = |lines: &[Bit], net: &usize| lines.contains(&circuit.pack.nets[*net]);
        if nets.iter().any(|net| is_of(panel.counter.bits(), net)) {
            return "the counter takes another way, and what is sent and shown is the same".to_owned();
        }
        let is_shown = |net: &usize| panel.display.iter().any(|row| is_of(row.latch.bits(), net));
        let why = if nets.iter().all(|net| is_of(panel.port.latch.bits(), net)) {
            "but not while a byte is sent"
        } else if nets.iter().all(is_shown) && watch == Watch::Port {
            "and the LEDs are not watched"
        } else if nets.iter().all(is_shown) {
            "but not when somebody looks at the LEDs: while a byte is sent, and at the end"
        } else if is_own && !has_ram {
            "and no chip that reads it gives anything else for that"
        } else {
            "and nothing that is watched depends on that"
        };
        format!("{are}{}, {why}", if has_lines_left { ", even at the end" } else { " for a while" })
    }

    /// Runs both machines wherever they may differ, and collects the differences.
    fn wrong(&self, fault: Fault) -> Differences {
        let circuit = self.circuit;
        let [mut right, mut other] =
            [Vec::new(), Effect::all(circuit, fault)].map(|effects| Machine::new(circuit, effects));
        let (acts, mut wrong) = (self.acts(fault), Differences::default());
        for (segment, mark) in self.marks.iter().enumerate() {
            if !wrong.is_left {
                if acts >> segment & 1 == 0 {
                    continue;
                }
                for machine in [&mut right, &mut other] {
                    self.begin(machine, segment);
                }
            }
            while right.cycle < mark.cycle && !self.is_stopped() {
                let inputs = self.conditions.script.inputs_at(right.cycle);
                for machine in [&mut right, &mut other] {
                    machine.press(inputs, &mut ());
                    machine.cycle += 1;
                }
                for _ in 0..PHASES {
                    right.edge(&mut ());
                    other.edge(&mut ());
                    let (levels, others) = (&right.state.levels, &other.state.levels);
                    if levels != others {
                        let differs =
                            |line: &Bit| (levels[line.bank] ^ others[line.bank]) >> line.bit & 1 == 1;
                        let nets = circuit.pack.nets.iter().enumerate();
                        wrong.nets.extend(nets.filter(|(_, line)| differs(line)).map(|(net, _)| net));
                    }
                }
                if right.has_written | other.has_written {
                    wrong.has_ram |= right.state.ram != other.state.ram;
                    (right.has_written, other.has_written) = (false, false);
                }
            }
            wrong.has_lines_left = right.state.levels != other.state.levels;
            wrong.is_left = wrong.has_lines_left || right.state.ram != other.state.ram;
        }
        wrong
    }
}

impl Circuit {
    /// Whether the output of a chip does not depend on a pin.
    fn is_ignored(&self, pin: usize) -> bool {
        let pin = &self.pins[pin];
        let (Role::Line(line), Some(cells)) = (pin.role, self.rom(self.bank_of(pin.chip))) else {
            return false;
        };
        (0..cells.len()).all(|address| cells[address] == cells[address ^ 1 << line])
    }
}
