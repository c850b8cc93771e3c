//! The causes of a level: a chain of lookups (chip, address, cell), each with its instruction.

mod question;
mod recall;
mod rows;
mod text;

pub use question::Question;
pub use rows::CauseRow;

use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::position::Position;
use crate::why::{ChainLimits, Circuit, Effect, Past, Step, Tracer};
use gray1_isa::from_gray;
use gray1_machine::PHASES;
use gray1_machine::netlist::Netlist;
use recall::Recall;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The depth to which causes are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Steps from the effect.
    pub steps: usize,
    /// Whether to follow the program word and the clock too, which are the reasons why these instructions ran.
    pub follows_control: bool,
}

/// The default number of steps from the effect: enough for the instruction and those that computed its operands.
pub const USUAL_DEPTH: usize = 16;
/// A chain has at most this many steps in total.
const MAX_STEPS: usize = 20_000;

/// The answer to a question: the causes of some levels.
pub struct Answer {
    /// The question.
    pub question: Question,
    /// The position to which the question refers.
    pub at: Position,
    /// The steps, from effect to cause.
    pub steps: Vec<Step>,
    /// For each step the sequence number of the instruction that was running.
    pub running: Vec<u16>,
    /// The number of causes that lie beyond the requested depth.
    pub further: usize,
}

impl Answer {
    /// The steps grouped by lookup: adjacent steps for the bits of one cell.
    pub fn lookups(&self) -> Vec<Range<usize>> {
        let is_same = |one: &Step, next: &Step| {
            let cell = |step: &Step| step.lookup.map(|lookup| (lookup.chip, lookup.address));
            cell(one).is_some()
                && (cell(one), one.moment, one.until, one.how)
                    == (cell(next), next.moment, next.until, next.how)
        };
        let mut first = 0;
        let lookups = self.steps.chunk_by(is_same).map(|steps| {
            first += steps.len();
            first - steps.len()..first
        });
        lookups.collect()
    }
}

impl Debugger {
    /// Finds the causes of the levels that something has at the current position.
    pub fn why(
        &mut self,
        question: Question,
        depth: Depth,
        interrupt: &AtomicBool,
    ) -> Result<Answer, DebugError> {
        let at = self.position();
        let netlist = self.machine().netlist().clone();
        let circuit = Circuit::new(&netlist, self.source().image());
        let control = control(&netlist);
        let Depth { steps: depth, follows_control } = depth;
        let limits = ChainLimits { depth, steps: MAX_STEPS, follows_control };
        let (running, chain) = self.history.aside(|history| {
            let mut recall = Recall::new(history, at.phases(), interrupt);
            let mut tracer = Tracer::new(&circuit, &control, &mut recall);
            let chain = tracer.chain(&question.effects, at.phases(), limits)?;
            Ok::<_, DebugError>((running(&netlist, &mut recall, &chain.steps)?, chain))
        })?;
        Ok(Answer { question, at, steps: chain.steps, running, further: chain.further })
    }

    /// The name of a bit: a net, or a bit of a byte of RAM.
    pub fn effect_name(&self, effect: Effect) -> String {
        let netlist = self.machine().netlist();
        match effect {
            Effect::Net(net) => netlist.nets[net].name.clone(),
            Effect::Cell(chip, address, line) => {
                let before = netlist.panel.memory.iter().take_while(|&&other| other != chip);
                let bit = before.map(|&chip| netlist.chips[chip].data.len()).sum::<usize>() + line;
                format!("{}.{bit}", self.source().ram_name(address as u16))
            }
        }
    }
}

/// For each step the sequence number of the instruction that was running.
fn running(netlist: &Netlist, recall: &mut Recall, steps: &[Step]) -> Result<Vec<u16>, DebugError> {
    let starts = steps.iter().map(|step| step.moment - step.moment % PHASES as u128);
    starts.map(|start| Ok(from_gray(recall.levels(start)?.number(&netlist.panel.counter) as u16))).collect()
}

/// The control nets: the program word, and all outputs of the chips that generate the clock.
fn control(netlist: &Netlist) -> Vec<bool> {
    let clock = netlist.panel.sequence.iter().filter_map(|&net| netlist.nets[net].driver);
    let clock = clock.flat_map(|pin| netlist.chips[pin.chip].data.iter().copied());
    let mut is_control = vec![false; netlist.nets.len()];
    netlist.panel.word.iter().copied().chain(clock).for_each(|net| is_control[net] = true);
    is_control
}
