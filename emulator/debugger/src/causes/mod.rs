//! The causes of a level, and what it influences: a chain of lookups (chip, address, cell), each with its instruction.

mod question;
mod recall;
mod text;

pub use question::Question;

use crate::debugger::Debugger;
use crate::error::{DebugError, check_interrupt, ensure};
use crate::position::Position;
use gray1_causes::{Circuit, Effect, Follower, Influence, Past, Reach, Step};
use gray1_isa::from_gray;
use gray1_machine::PHASES;
use gray1_machine::netlist::{ChipId, Netlist};
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
/// The default number of cycles for which an influence is followed.
pub const USUAL_CYCLES: u64 = 1_000;
/// At most this many lookups of a cell are tried.
const MAX_LOOKUPS: usize = 1_000;
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

/// The influence of some levels.
pub struct Outlook {
    /// The question, and the steps that it is a cause of, from cause to effect.
    pub answer: Answer,
    /// The bits whose level is still caused by it at the end.
    pub left: Vec<Effect>,
    /// The position up to which the influence was followed.
    pub until: Position,
    /// Whether it was not followed to the end, because there were too many steps.
    pub is_cut_short: bool,
}

impl Debugger {
    /// Finds the causes of the levels that something has at the current position.
    pub fn why(
        &mut self,
        question: Question,
        depth: Depth,
        interrupt: &AtomicBool,
    ) -> Result<Answer, DebugError> {
        if question.cell.is_some() {
            let message =
                "a cell is burned, so nothing in the run causes it; `forward` asks what it influences";
            return Err(DebugError::input(0, message));
        }
        let at = self.position();
        let netlist = self.machine().netlist().clone();
        let circuit = Circuit::new(&netlist, self.source().image());
        let control = control(&netlist);
        let Depth { steps: depth, follows_control } = depth;
        let reach = Reach { depth, steps: MAX_STEPS, follows_control };
        let (running, chain) = self.history.aside(|history| {
            let mut recall = Recall::new(history, at.phases(), interrupt);
            let mut follower = Follower::new(&circuit, &control, &mut recall);
            let chain = follower.chain(&question.effects, at.phases(), reach)?;
            Ok::<_, DebugError>((running(&netlist, &mut recall, &chain.steps)?, chain))
        })?;
        Ok(Answer { question, at, steps: chain.steps, running, further: chain.further })
    }

    /// Finds what the levels at the current position influence within this many cycles. For a cell, that begins with
    /// the next lookup whose result is taken by a latch.
    pub fn influence(
        &mut self,
        question: Question,
        cycles: u64,
        follows_control: bool,
        interrupt: &AtomicBool,
    ) -> Result<Outlook, DebugError> {
        let (now, known) = (self.position(), self.history().end());
        let end = Position { cycle: now.cycle.saturating_add(cycles), ..now };
        let starts = match question.cell {
            Some((chip, cell)) => self.lookups(chip, cell, end, interrupt)?,
            None => vec![now],
        };
        let unseen = format!("{} is not looked up within {cycles} cycles", question.title);
        ensure(!starts.is_empty(), 0, unseen)?;
        let netlist = self.machine().netlist().clone();
        let circuit = Circuit::new(&netlist, self.source().image());
        let control = control(&netlist);
        let found = self.history.aside(|history| {
            history.go(end, interrupt)?;
            let end = history.position().phases();
            let mut recall = Recall::new(history, end, interrupt);
            let mut follower = Follower::new(&circuit, &control, &mut recall);
            let mut found = (now, Influence::default());
            for at in starts {
                let moments = [at.phases(), end];
                let influence = follower.influence(&question.effects, moments, MAX_STEPS, follows_control)?;
                // A level that does not last until the next phase has not been taken by any latch.
                let is_taken = !influence.left.is_empty() || influence.until > at.phases() + 1;
                found = (at, influence);
                if is_taken {
                    break;
                }
            }
            let running = running(&netlist, &mut recall, &found.1.steps)?;
            Ok::<_, DebugError>((found, running))
        });
        self.history.set_end(known);
        let ((at, Influence { steps, left, until, is_cut_short }), running) = found?;
        let answer = Answer { question, at, steps, running, further: 0 };
        Ok(Outlook { answer, left, until: Position::after_phases(until), is_cut_short })
    }

    /// The next positions, from here on, at which a chip looks up a cell.
    fn lookups(
        &mut self,
        chip: ChipId,
        cell: u32,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Vec<Position>, DebugError> {
        self.history.aside(|history| {
            let mut found = Vec::new();
            loop {
                if history.machine().look_at(chip).0 == cell {
                    found.push(history.position());
                }
                if history.position() >= end || history.is_halted() || found.len() == MAX_LOOKUPS {
                    return Ok(found);
                }
                check_interrupt(interrupt)?;
                history.phase()?;
            }
        })
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
