//! A program with its history and its breakpoints: the basis of every front end.

use crate::breakpoint::Breakpoint;
use crate::error::{DebugError, check_interrupt};
use crate::history::History;
use crate::position::Position;
use crate::routines::CallStack;
use crate::source::Source;
use crate::target::{Match, Search};
use crate::trigger::{Direction, Hit, Trigger};
use gray1_machine::board::{Board, Change};
use gray1_machine::{ChipsEngine, Noise, Script};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why [`Debugger::seek`] stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The target was found here.
    Target,
    /// These breakpoints were hit.
    Breakpoints(Vec<Hit>),
    /// The machine has halted.
    Halted,
    /// A backward search has reached the beginning of the run and found nothing.
    Beginning,
    /// The end position was reached.
    Limit,
}

/// A run being debugged.
pub struct Debugger {
    pub(crate) history: History,
    source: Arc<Source>,
    board: Board,
    /// The original board, if cells have been changed.
    unburned: Option<Box<Board>>,
    breakpoints: Vec<Breakpoint>,
    last_number: usize,
}

impl Debugger {
    /// Debugs a machine, which must be at the start of a cycle and must have been built from this board and program.
    pub fn new(
        machine: ChipsEngine,
        board: Board,
        source: Source,
        script: Script,
    ) -> Result<Debugger, DebugError> {
        Debugger::with_history(History::new(machine, script)?, board, source)
    }

    /// Debugs a machine with this history, board and program.
    pub fn with_history(mut history: History, board: Board, source: Source) -> Result<Debugger, DebugError> {
        if history.machine().netlist() != board.netlist() {
            return Err(DebugError::OtherBoard);
        }
        if !history.machine().runs(source.image()) {
            return Err(DebugError::OtherProgram);
        }
        history.set_program(source.image());
        Ok(Debugger {
            history,
            source: Arc::new(source),
            board,
            unburned: None,
            breakpoints: Vec::new(),
            last_number: 0,
        })
    }

    /// The history of the run.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The history, to move through it or to change it.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// The machine.
    pub fn machine(&self) -> &ChipsEngine {
        self.history.machine()
    }

    /// The program, to be shared with a thread that shows it while the machine runs.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Changes burned cells of a ROM; `None` restores the original contents of all ROMs. The run begins again on that
    /// board, and goes to its former position, or to the halt.
    pub fn burn(&mut self, change: Option<&Change>, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let to = self.position();
        self.begin_anew(change)?;
        self.history.go(to, interrupt)
    }

    /// Changes cells as [`Debugger::burn`] does, but leaves the run at its beginning.
    pub fn begin_anew(&mut self, change: Option<&Change>) -> Result<(), DebugError> {
        let mut board = match (change, &self.unburned) {
            (None, Some(unburned)) => (**unburned).clone(),
            _ => self.board.clone(),
        };
        if let Some(change) = change {
            board.change(change)?;
        }
        self.history.rebuild(ChipsEngine::power_up(&board, self.source.image(), Noise::Zeros)?)?;
        let before = std::mem::replace(&mut self.board, board);
        self.unburned.get_or_insert_with(|| Box::new(before));
        Ok(())
    }

    /// The position of the machine.
    pub fn position(&self) -> Position {
        self.history.position()
    }

    /// The call stack.
    pub fn call_stack(&self) -> CallStack {
        self.source.routines().call_stack(self.machine())
    }

    /// The calling instructions of the call stack, the innermost first.
    pub fn callers(&self) -> Vec<u16> {
        self.call_stack().0.into_iter().rev().collect()
    }

    /// All breakpoints, in the order they were added.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// The breakpoint with this number.
    pub fn breakpoint(&self, number: usize) -> Option<&Breakpoint> {
        self.breakpoints.iter().find(|breakpoint| breakpoint.number == number)
    }

    /// Adds a breakpoint and returns its number.
    pub fn add_breakpoint(&mut self, mut breakpoint: Breakpoint) -> usize {
        self.last_number += 1;
        breakpoint.number = self.last_number;
        self.breakpoints.push(breakpoint);
        self.last_number
    }

    /// Removes the breakpoint with this number, or all; returns how many were removed.
    pub fn remove_breakpoints(&mut self, number: Option<usize>) -> usize {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|breakpoint| number.is_some_and(|number| number != breakpoint.number));
        before - self.breakpoints.len()
    }

    /// Removes the temporary breakpoints among these hits.
    pub fn remove_temporary(&mut self, hits: &[Hit]) {
        let is_over =
            |known: &Breakpoint| known.is_temporary && hits.iter().any(|hit| hit.breakpoint == known.number);
        self.breakpoints.retain(|known| !is_over(known));
    }

    /// Goes to a target, if one is given, or to the first breakpoint on the way. Forwards it goes no further than `end`.
    /// `log` receives the messages of logpoints, each with the number of output bytes sent before it.
    pub fn seek(
        &mut self,
        direction: Direction,
        target: Option<&Trigger>,
        end: Position,
        interrupt: &AtomicBool,
        log: &mut dyn FnMut(u64, String),
    ) -> Result<StopReason, DebugError> {
        let end = if direction == Direction::Forward { end } else { Position::default() };
        self.seek_times(1, direction, target, end, interrupt, log)
    }

    /// Goes to a target as [`Debugger::seek`] does, but searches only this many cycles; backwards, up to the checkpoint
    /// before that. So a long search can be made in parts: after [`StopReason::Limit`], the same call continues it.
    pub fn seek_within(
        &mut self,
        direction: Direction,
        target: Option<&Trigger>,
        cycles: u64,
        interrupt: &AtomicBool,
        log: &mut dyn FnMut(u64, String),
    ) -> Result<StopReason, DebugError> {
        let now = self.position().cycle;
        let end = match direction {
            Direction::Forward => now.saturating_add(cycles),
            Direction::Backward => now.saturating_sub(cycles),
        };
        self.seek_times(1, direction, target, Position::start_of(end), interrupt, log)
    }

    /// Goes to a target this many times, unless something else stops it earlier, and no further than `end` in either
    /// direction. Backwards, one search finds many targets.
    pub fn seek_times(
        &mut self,
        mut count: u64,
        direction: Direction,
        target: Option<&Trigger>,
        end: Position,
        interrupt: &AtomicBool,
        log: &mut dyn FnMut(u64, String),
    ) -> Result<StopReason, DebugError> {
        while count > 0 {
            let is_forward = direction == Direction::Forward;
            let here = (!is_forward).then(|| self.history.checkpoint());
            let search = Search::new(target, &self.breakpoints, &self.source);
            let within = if is_forward { self.position()..end } else { end..self.position() };
            let finds = match is_forward {
                true => self
                    .history
                    .search_forward(search, end, interrupt)
                    .map(|found| found.into_iter().collect()),
                false => self.history.search_backward(search, within, count, interrupt),
            };
            if let (Err(_), Some(here)) = (&finds, here) {
                self.history.restore(&here);
            }
            let finds = finds?;
            if finds.is_empty() {
                if is_forward {
                    let is_halted = self.history.is_halted();
                    return Ok(if is_halted { StopReason::Halted } else { StopReason::Limit });
                }
                if self.position() <= self.history.start() {
                    return Ok(StopReason::Beginning);
                }
                // A find at the first position of a stretch is reported by the search of the stretch before.
                self.history.phase()?;
                return Ok(StopReason::Limit);
            }
            let last = finds.len() - 1;
            for (number, found) in finds.into_iter().enumerate() {
                count -= u64::from(found.is_target);
                if number < last && found.hits.is_empty() {
                    continue;
                }
                self.history.go(found.position, &AtomicBool::new(false))?;
                let stops = self.count_hits(found.hits, log)?;
                if !stops.is_empty() {
                    return Ok(StopReason::Breakpoints(stops));
                }
                if number < last {
                    check_interrupt(interrupt)?;
                }
            }
        }
        Ok(StopReason::Target)
    }

    /// The breakpoints that are hit at the current position, before the machine has run at all.
    pub fn breakpoints_here(&mut self, log: &mut dyn FnMut(u64, String)) -> Result<Vec<Hit>, DebugError> {
        let mut search = Search::new(None, &self.breakpoints, &self.source);
        search.start(None);
        let found = search.check(self.history.machine())?;
        self.count_hits(found.map_or(Vec::new(), |found| found.hits), log)
    }

    /// Finds a target without going there: forwards the next one up to `limit`, backwards the last one before `limit`.
    pub fn find(
        &mut self,
        direction: Direction,
        target: &Trigger,
        limit: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        let search = Search::new(Some(target), &[], &self.source);
        self.history.aside(|history| match direction {
            Direction::Forward => history.search_forward(search, limit, interrupt),
            Direction::Backward => {
                let finds = history.search_backward(search, Position::default()..limit, 1, interrupt)?;
                Ok(finds.into_iter().next())
            }
        })
    }

    /// Counts hits, logs the messages of logpoints, and returns the hits to stop at.
    fn count_hits(
        &mut self,
        hits: Vec<Hit>,
        log: &mut dyn FnMut(u64, String),
    ) -> Result<Vec<Hit>, DebugError> {
        let (_, sent) = self.history.output();
        let mut stops = Vec::new();
        for hit in hits {
            let known = self.breakpoints.iter_mut().find(|known| known.number == hit.breakpoint);
            let Some(breakpoint) = known else { continue };
            breakpoint.hits += 1;
            if !breakpoint.counts.includes(breakpoint.hits) {
                continue;
            }
            match &breakpoint.log {
                Some(message) => log(sent, message.fill(self.history.machine())?),
                None => stops.push(hit),
            }
        }
        Ok(stops)
    }

    /// If the machine has stopped for another reason than a halt of its program, that reason.
    pub fn stuck(&self) -> Option<String> {
        self.machine().clone().check_halt().err().map(|failure| failure.to_string())
    }

    /// The title of a breakpoint that was hit, and the change that it has seen: `n change: n: 03 -> 32`.
    pub fn describe_hit(&self, hit: &Hit) -> String {
        let title = self.breakpoint(hit.breakpoint).map_or("", |breakpoint| &breakpoint.title);
        let change = self.describe_change(hit).map_or(String::new(), |change| format!(": {change}"));
        format!("{title}{change}")
    }

    /// The change of the watched byte or net: `n: 03 -> 32`.
    pub fn describe_change(&self, hit: &Hit) -> Option<String> {
        let change = hit.change?;
        let (name, width) = match &self.breakpoint(hit.breakpoint)?.trigger {
            Trigger::Net(name, _) => (name.clone(), 1),
            _ => (self.source.ram_name(change.address), 2),
        };
        Some(match change.old == change.new {
            true => format!("{name}: {:0width$X}", change.new),
            false => format!("{name}: {:0width$X} -> {:0width$X}", change.old, change.new),
        })
    }
}
