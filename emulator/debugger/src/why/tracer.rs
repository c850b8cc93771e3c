//! Explains a single step: when a bit got its level, and because of which lines.

use crate::why::circuit::{Circuit, DataLine};
use crate::why::function::Function;
use crate::why::levels::Levels;
use crate::why::past::{Moment, Past};
use crate::why::phase::{Origin, Phase};
use crate::why::step::{Effect, Lookup, Mechanism, Reason, Step};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::netlist::{ChipId, NetId, Pin};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximum number of cached phases.
const MAX_CACHED_PHASES: usize = 10_000;

/// Traces causes through a run.
pub struct Tracer<'a, P: Past> {
    pub(crate) circuit: &'a Circuit,
    /// Whether each net is a control net: the program word or the clock. Of several sufficient sets of reasons, the one with
    /// the most control nets is chosen.
    pub(crate) control: &'a [bool],
    past: &'a mut P,
    phases: HashMap<Moment, Rc<PhaseRecord>>,
    /// The moment when a cell was last written, by chip, address and the moment of the question.
    written: HashMap<(ChipId, u32, Moment), Moment>,
    ram: Option<(Moment, Box<[u8; RAM_BYTES]>)>,
}

/// A phase, and the levels around it.
pub(crate) struct PhaseRecord {
    pub phase: Phase,
    before: Option<Levels>,
    pub after: Levels,
}

impl<'a, P: Past> Tracer<'a, P> {
    /// Creates a tracer for a run of this circuit. `control` has a flag for each net: whether it is a control net.
    pub fn new(circuit: &'a Circuit, control: &'a [bool], past: &'a mut P) -> Tracer<'a, P> {
        Tracer { circuit, control, past, phases: HashMap::new(), written: HashMap::new(), ram: None }
    }

    /// Finds the moment when a bit got the level that it has at `at`.
    pub(crate) fn origin(&mut self, effect: Effect, at: Moment) -> Result<Moment, P::Error> {
        let (circuit, start) = (self.circuit, self.past.start());
        match effect {
            Effect::Net(net) => {
                if at <= start || self.record(at)?.phase.origin(net) != Origin::Held {
                    return Ok(at);
                }
                let found =
                    self.past.latest(at - 1, &mut |before, after| is_new(circuit, net, before, after))?;
                Ok(found.unwrap_or(start))
            }
            Effect::Cell(chip, address, _) => {
                if let Some(&written) = self.written.get(&(chip, address, at)) {
                    return Ok(written);
                }
                let reads = &circuit.netlist().chips[chip].reads;
                let select = circuit.netlist().chips[chip].address();
                let write = reads[reads.len() - 1];
                let found = self
                    .past
                    .latest(at, &mut |_, after| after.level(write) && after.number(select) == address)?;
                let written = found.unwrap_or(start);
                self.written.insert((chip, address, at), written);
                Ok(written)
            }
        }
    }

    /// Explains the step in which a bit got its level.
    pub(crate) fn step(
        &mut self,
        effect: Effect,
        moment: Moment,
        until: Moment,
        depth: usize,
    ) -> Result<Step, P::Error> {
        let mut step = match effect {
            Effect::Net(net) => self.net_step(net, moment)?,
            Effect::Cell(chip, address, line) => self.cell_step(chip, address, line, moment, until)?,
        };
        (step.until, step.depth) = (until, depth);
        if until > moment {
            step.keepers = self.keepers(effect, until)?;
        }
        Ok(step)
    }

    fn net_step(&mut self, net: NetId, moment: Moment) -> Result<Step, P::Error> {
        let record = self.record(moment)?;
        let circuit = self.circuit;
        let origin = record.phase.origin(net);
        let mut step = Step::new(Effect::Net(net), record.after.level(net), moment, Mechanism::Given);
        let Some(pin) = circuit.driver(net) else {
            return Ok(Step { how: Mechanism::OutputSink, ..step });
        };
        let lines =
            if let Origin::Step(lines) = origin { lines } else { circuit.lines_of(pin.chip, &record.after) };
        step.lookup = Some(self.lookup(pin, lines, &record.after));
        match origin {
            Origin::OutputSink => {}
            Origin::Held => step.how = Mechanism::Found, // it has been held since the run began
            Origin::Changed => step.how = Mechanism::Changed,
            Origin::Fixed => step.reasons = self.reasons(net, pin, lines, moment)?,
            Origin::Step(_) => {
                step.how = Mechanism::Stepped;
                step.reasons = self.reasons(net, pin, lines, moment)?;
            }
        }
        Ok(step)
    }

    /// Explains the step in which a cell of RAM got its bit: the cell was written, or changed by the user, or has its bit
    /// from before the run.
    fn cell_step(
        &mut self,
        chip: ChipId,
        address: u32,
        line: usize,
        moment: Moment,
        until: Moment,
    ) -> Result<Step, P::Error> {
        let pin = Pin { chip, line };
        let cell = self.ram_cells(chip, until)?[address as usize];
        let effect = Effect::Cell(chip, address, line);
        let mut step = Step::new(effect, cell >> line & 1 == 1, moment, Mechanism::Found);
        step.lookup = Some(Lookup { chip, line, address, cell });
        if moment == self.past.start() {
            return Ok(step);
        }
        let record = self.record(moment)?;
        let circuit = self.circuit;
        let reads = &circuit.netlist().chips[chip].reads;
        let select = circuit.netlist().chips[chip].address().len();
        if record.after.level(reads[select + line]) != step.level {
            return Ok(Step { how: Mechanism::Changed, moment: until, ..step });
        }
        let [old, cell] = [self.ram_cells(chip, moment - 1)?, self.ram_cells(chip, moment)?]
            .map(|cells| cells[address as usize]);
        let is_new = (old ^ cell) >> line & 1 == 1;
        step.lookup = Some(Lookup { chip, line, address, cell });
        step.how = Mechanism::Written;
        let lines = [select + line, reads.len() - 1].into_iter().chain(0..select);
        step.reasons = lines
            .map(|line| Reason {
                is_decisive: is_new || line == select + pin.line,
                ..reason(line, reads[line], &record.after, moment)
            })
            .collect();
        Ok(step)
    }

    /// Returns the lines that determine the level of a net, given the levels that its chip reads.
    fn reasons(&mut self, net: NetId, pin: Pin, lines: u32, moment: Moment) -> Result<Vec<Reason>, P::Error> {
        let record = self.record(moment)?;
        let circuit = self.circuit;
        let reads = &circuit.netlist().chips[pin.chip].reads;
        let rank = record.phase.rank(net);
        let is_late = |line: usize| record.phase.rank(reads[line]) >= rank;
        let late = mask(reads.len(), is_late);
        let plain = mask(reads.len(), |line| self.control[reads[line]]);
        let at = |line: usize, is_decisive| match &record.before {
            Some(before) if is_late(line) => {
                Reason { is_decisive, ..reason(line, reads[line], before, moment - 1) }
            }
            _ => Reason { is_decisive, ..reason(line, reads[line], &record.after, moment) },
        };
        let (address, line) = match circuit.line(pin) {
            DataLine::Rom(function) => {
                let set = function.reasons(lines, late, plain);
                return Ok(reasons_for(set, |line| at(line, function.is_sensitive_to(lines, line))).collect());
            }
            DataLine::Ram { address, line } => (address, line),
        };
        let (input, write) = (address + line, reads.len() - 1);
        if lines >> write & 1 == 1 {
            let stored = self.ram_cells(pin.chip, moment - 1)?;
            let old = stored[(lines & ((1 << address) - 1)) as usize] >> line & 1;
            let is_new = u32::from(old) != lines >> input & 1;
            return Ok(vec![at(input, true), at(write, is_new)]);
        }
        let cells = self.ram_cells(pin.chip, moment)?;
        let select = lines & ((1 << address) - 1);
        let level = cells[select as usize] >> line & 1 == 1;
        let content = Reason {
            line: None,
            effect: Effect::Cell(pin.chip, select, line),
            level,
            moment,
            is_decisive: true,
            step: None,
        };
        let closed = at(write, (lines >> input & 1 == 1) != level);
        let function = &Function::all(&cells, line + 1)[line];
        let set = function.reasons(select, late, plain);
        let select = reasons_for(set, |line| at(line, function.is_sensitive_to(select, line)));
        Ok([content, closed].into_iter().chain(select).collect())
    }

    /// Returns the lines that have kept a held level until this moment, besides the loop itself.
    pub(crate) fn keepers(&mut self, effect: Effect, until: Moment) -> Result<Vec<Reason>, P::Error> {
        let Effect::Net(net) = effect else { return Ok(Vec::new()) };
        let record = self.record(until)?;
        let Some(pin) = self.circuit.driver(net).filter(|_| record.phase.origin(net) == Origin::Held) else {
            return Ok(Vec::new());
        };
        let lines = self.circuit.lines_of(pin.chip, &record.after);
        let mut reasons = self.reasons(net, pin, lines, until)?;
        reasons.retain(|reason| reason.moment == until);
        Ok(reasons)
    }

    fn lookup(&self, pin: Pin, lines: u32, after: &Levels) -> Lookup {
        let netlist = self.circuit.netlist();
        let Pin { chip, line } = pin;
        let address = lines & ((1 << netlist.chips[chip].address().len()) - 1);
        let gives = after.number(&netlist.chips[chip].data) as u8;
        Lookup { chip, line, address, cell: self.circuit.cell(chip, address).unwrap_or(gives) }
    }

    /// Returns the cells of a RAM.
    fn ram_cells(&mut self, chip: ChipId, at: Moment) -> Result<Vec<u8>, P::Error> {
        let bytes = match &self.ram {
            Some((moment, bytes)) if *moment == at => bytes,
            _ => &self.ram.insert((at, Box::new(self.past.ram(at)?))).1,
        };
        let netlist = self.circuit.netlist();
        let width = |chip: ChipId| netlist.chips[chip].data.len();
        let before: usize =
            netlist.panel.memory.iter().take_while(|&&other| other != chip).map(|&chip| width(chip)).sum();
        let mask = ((1u16 << width(chip)) - 1) as u8;
        Ok(bytes.iter().map(|byte| byte.checked_shr(before as u32).unwrap_or(0) & mask).collect())
    }

    /// Returns the rank of a step among the steps of its moment.
    pub(crate) fn rank(&mut self, step: &Step) -> Result<u16, P::Error> {
        match step.effect {
            Effect::Net(net) => Ok(self.record(step.moment)?.phase.rank(net)),
            // A cell takes the levels that the lines have at the end of the phase; a value from before the run has no
            // cause.
            Effect::Cell(..) => Ok(if step.how == Mechanism::Written { u16::MAX } else { 0 }),
        }
    }

    pub(crate) fn record(&mut self, moment: Moment) -> Result<Rc<PhaseRecord>, P::Error> {
        if let Some(record) = self.phases.get(&moment) {
            return Ok(Rc::clone(record));
        }
        let is_first = moment <= self.past.start();
        let before = if is_first { None } else { Some(self.past.levels(moment - 1)?) };
        let after = self.past.levels(moment)?;
        let phase = Phase::new(self.circuit, before.as_ref(), &after);
        let record = Rc::new(PhaseRecord { phase, before, after });
        if self.phases.len() >= MAX_CACHED_PHASES {
            self.phases.clear();
        }
        self.phases.insert(moment, Rc::clone(&record));
        Ok(record)
    }
}

/// Whether a net that a loop can hold got its level in this phase.
fn is_new(circuit: &Circuit, net: NetId, before: &Levels, after: &Levels) -> bool {
    let Some(pin) = circuit.driver(net) else { return true };
    let reads = &circuit.netlist().chips[pin.chip].reads;
    if before.level(net) == after.level(net) {
        let lines = after.number(reads);
        let own = reads.iter().position(|&read| read == net);
        let can_be = match (circuit.line(pin), own) {
            (DataLine::Rom(function), Some(own)) => function.open_lines(lines, !(1 << own)) == 0,
            // In a loop of several chips only the order decides. A net of the loop that is set to the level that it
            // already had counts as new, too.
            _ => true,
        };
        if !can_be {
            return false;
        }
    }
    Phase::new(circuit, Some(before), after).origin(net) != Origin::Held
}

/// Returns the reasons for a set of lines.
fn reasons_for(set: u32, reason: impl Fn(usize) -> Reason) -> impl Iterator<Item = Reason> {
    (0..u32::BITS as usize).filter(move |line| set >> line & 1 == 1).map(reason)
}

/// Returns the set of lines for which the function returns true.
fn mask(lines: usize, is_in: impl Fn(usize) -> bool) -> u32 {
    (0..lines).fold(0, |mask, line| mask | u32::from(is_in(line)) << line)
}

fn reason(line: usize, net: NetId, levels: &Levels, moment: Moment) -> Reason {
    let level = levels.level(net);
    Reason { line: Some(line), effect: Effect::Net(net), level, moment, is_decisive: false, step: None }
}
