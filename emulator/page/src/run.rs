//! The program that is loaded, and its run: moving through it, and describing where it is.

use crate::Refusal;
use crate::check::root_line;
use crate::observation::Observation;
use crate::protocol::{
    Answer, CurrentInstruction, Engine, Frame, Goal, Moment, Options, Point, PointStatus, Program, RunPlace,
    Stop, Way,
};
use gray1_debugger::{
    Access, Breakpoint, Counts, DebugError, Debugger, Direction, Hit, LineDepth, PointOptions, Position,
    Scanner, Source, StopReason, Trigger, leds,
};
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, KEYS, OUT, PADCOL, PADROW, RED};
use gray1_isa::{Opcode, Operand};
use gray1_machine::board::{Board, Change};
use gray1_machine::{ChipsEngine, Engine as _, Inputs, Noise, Script, State, program_mark};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Nothing here is interrupted: each request has a limit of cycles.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// The number of the latest bytes of output in a moment.
const OUTPUT_SHOWN: usize = 2_000;
/// The maximum number of cycles of a request, and the last cycle: a number in JavaScript can represent it.
pub const LAST_CYCLE: u64 = 1 << 52;
/// At least this many cycles of the past are repeated at once, however few are allowed.
const MIN_REPEATED: u64 = 5_000;

/// A program and its run.
pub struct Run {
    pub debugger: Debugger,
    pub observation: Observation,
    /// The program as it was given.
    pub program: Program,
    /// The file name of the program, without its ending.
    pub name: String,
    /// The numbers of the breakpoints, in the order of the page; `None` for a breakpoint with an error.
    points: Vec<Option<usize>>,
    engine: Engine,
    /// The execution counts, once they have been requested.
    counts: Option<Counts>,
}

impl Run {
    /// Powers a machine up.
    pub fn new(
        program: Program,
        source: Source,
        options: &Options,
        state: Option<&str>,
    ) -> Result<Run, Refusal> {
        let mut board = match options.board.as_str() {
            "" => Board::gray1(),
            text => Board::parse(text, "board.ron")?,
        };
        for cell in &options.cells {
            let change = Change::from_str(cell)?;
            board.change(&change).map_err(|error| format!("{cell}: {error}"))?;
        }
        let noise = match options.ram.as_str() {
            "" => Noise::Random(1),
            text => Noise::from_str(text).map_err(|error| format!("RAM at power-up: {error}"))?,
        };
        let script = match options.input.as_str() {
            "" => Script::default(),
            text => Script::from_ron(text).map_err(|error| format!("the input script: {error}"))?,
        };
        let image = source.image();
        let mut machine = ChipsEngine::power_up(&board, image, noise)?;
        if let Some(text) = state {
            let state =
                State::from_ron(text, &program_mark(image)).map_err(|error| format!("the state: {error}"))?;
            if state.cycle > LAST_CYCLE {
                return Err(format!("the state: cycle {} is later than a page can count", state.cycle).into());
            }
            machine.set_state(&state)?;
        }
        let mut debugger = Debugger::new(machine, board, source, script)?;
        debugger.history_mut().set_scouted(options.engine == Engine::Isa);
        let observation = Observation::new(debugger.machine());
        let name = program.name.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".g1").or_else(|| name.strip_suffix(".bin")).unwrap_or(name).to_owned();
        let mut run = Run {
            debugger,
            observation,
            program,
            name,
            points: Vec::new(),
            engine: options.engine,
            counts: None,
        };
        run.attend();
        Ok(run)
    }

    /// Connects the observer that records light and output.
    fn attend(&mut self) {
        self.debugger.history_mut().set_witness(Box::new(self.observation.clone()));
    }

    /// Moves the machine, by at most this many cycles.
    pub fn go(&mut self, way: Way, goal: Goal, cycles: u64) -> Result<Answer, Refusal> {
        let cycles = cycles.clamp(1, LAST_CYCLE);
        let now = self.debugger.position();
        let target = match (goal, way) {
            (Goal::Phase, Way::Forward) => {
                return self.seek(Position::after_phases(now.phases() + 1), cycles, false);
            }
            // A step back is made at once, since a second request would be for a step from where the first one has ended.
            (Goal::Phase, Way::Back) => return self.seek(now.before_phases(1), LAST_CYCLE, false),
            (Goal::Instruction, Way::Forward) => return self.seek(now.after_cycles(1), cycles, false),
            (Goal::Instruction, Way::Back) => return self.seek(now.before_cycles(1), LAST_CYCLE, false),
            (Goal::Line, _) => Some(Trigger::Line(LineDepth::Innermost)),
            (Goal::Statement, _) => Some(Trigger::Line(LineDepth::Statement)),
            (Goal::Output, _) => Some(Trigger::Ram(OUT, OUT, Access::Write)),
            (Goal::Display, _) => Some(Trigger::Ram(GREEN, RED + DISPLAY_SIZE as u16 - 1, Access::Change)),
            (Goal::Solution | Goal::Point, _) => None,
        };
        let end_of_line = match goal {
            Goal::Solution => Some(self.add_end_of_line()?),
            _ => None,
        };
        let result = self.travel(way, target.as_ref(), cycles);
        if let Some(number) = end_of_line {
            self.debugger.remove_breakpoints(Some(number));
        }
        let (stop, hits) = match result? {
            StopReason::Target => (Stop::Goal, Vec::new()),
            StopReason::Breakpoints(hits) => {
                let is_goal = hits.iter().any(|hit| Some(hit.breakpoint) == end_of_line);
                (if is_goal { Stop::Goal } else { Stop::Point }, hits)
            }
            StopReason::Halted => (Stop::Halted, Vec::new()),
            StopReason::Beginning => (Stop::Beginning, Vec::new()),
            StopReason::Limit => (Stop::Limit, Vec::new()),
        };
        Ok(self.moved(stop, &hits))
    }

    fn travel(&mut self, way: Way, target: Option<&Trigger>, cycles: u64) -> Result<StopReason, DebugError> {
        if way == Way::Back {
            self.observation.end(self.debugger.machine(), false);
            return self.debugger.seek_within(Direction::Backward, target, cycles, &NEVER, &mut |_, _| ());
        }
        let cycles = cycles.min(LAST_CYCLE.saturating_sub(self.debugger.position().cycle));
        self.observation.begin(self.debugger.machine());
        let is_plain = target.is_none() && self.debugger.breakpoints().is_empty();
        let result = if is_plain && self.engine == Engine::Isa {
            self.leap(cycles)
        } else {
            self.debugger.seek_within(Direction::Forward, target, cycles, &NEVER, &mut |_, _| ())
        };
        self.observation.end(self.debugger.machine(), matches!(result, Ok(StopReason::Limit)));
        result
    }

    /// Runs without examining any position on the way.
    fn leap(&mut self, cycles: u64) -> Result<StopReason, DebugError> {
        self.debugger.leap(self.debugger.position().cycle.saturating_add(cycles), &NEVER)?;
        let is_halted = self.debugger.history().is_halted();
        Ok(if is_halted { StopReason::Halted } else { StopReason::Limit })
    }

    /// A breakpoint where a line of output is complete.
    fn add_end_of_line(&mut self) -> Result<usize, Refusal> {
        let trigger = Trigger::Ram(OUT, OUT, Access::Write);
        let condition = Some(self.debugger.expression("a == 10")?);
        Ok(self.debugger.add_breakpoint(Breakpoint { condition, ..Breakpoint::new("end of line", trigger) }))
    }

    /// Goes to a position, past all breakpoints, by at most this many cycles; with `is_ahead`, the engine `isa`
    /// runs what is not known yet.
    pub fn seek(&mut self, to: Position, cycles: u64, is_ahead: bool) -> Result<Answer, Refusal> {
        let cycles = cycles.clamp(1, LAST_CYCLE);
        let history = self.debugger.history_mut();
        let (now, start, end) = (history.position(), history.start(), history.end());
        let to = to.max(start).min(Position::start_of(LAST_CYCLE));
        self.observation.end(history.machine(), false);
        let known = to.min(end);
        let mut reachable = history.within_reach(known, cycles.max(MIN_REPEATED));
        history.go(reachable, &NEVER)?;
        if reachable == known && known < to {
            reachable = to.min(end.after_cycles(cycles));
            if is_ahead || self.engine == Engine::Isa {
                self.debugger.history_mut().set_scouted(true);
                let result = self.debugger.leap(reachable.cycle, &NEVER);
                self.debugger.history_mut().set_scouted(self.engine == Engine::Isa);
                result?;
            }
            self.debugger.history_mut().go(reachable, &NEVER)?;
        }
        let stop = match self.debugger.position() {
            here if here < reachable => Stop::Halted,
            here if here < to => Stop::Limit,
            here if here == start && now == start => Stop::Beginning,
            _ => Stop::Goal,
        };
        Ok(self.moved(stop, &[]))
    }

    /// Counts how often instructions have been run, by repeating at most this many cycles. Returns also their source.
    pub fn counts(&mut self, cycles: u64) -> Result<(&Counts, &Source), Refusal> {
        let mut counts = self.counts.take().unwrap_or_else(|| self.debugger.counts());
        self.debugger.count_on(&mut counts, cycles)?;
        Ok((self.counts.insert(counts), self.debugger.source()))
    }

    /// Another future begins here.
    fn forked(&mut self) {
        self.observation.forget_after(self.debugger.position());
        if let Some(counts) = &mut self.counts {
            self.debugger.recount(counts);
        }
    }

    fn moved(&self, stop: Stop, hits: &[Hit]) -> Answer {
        let moment = self.moment();
        let text = match stop {
            Stop::Halted => moment.place.stuck.clone().unwrap_or_default(),
            _ => {
                let hits = hits.iter().map(|hit| self.debugger.describe_hit(hit));
                hits.collect::<Vec<_>>().join(", ")
            }
        };
        let is_hit = |number: &Option<usize>| hits.iter().any(|hit| Some(hit.breakpoint) == *number);
        let points = self.points.iter().enumerate().filter(|(_, number)| is_hit(number));
        Answer::Moved { stop, text, points: points.map(|(index, _)| index).collect(), moment }
    }

    /// The state of the machine.
    pub fn moment(&self) -> Moment {
        let (debugger, history) = (&self.debugger, self.debugger.history());
        let (machine, source) = (debugger.machine(), debugger.source());
        let (position, registers, running) = (debugger.position(), machine.registers(), machine.running());
        let (output, sent) = history.output();
        let bytes = output.until(sent).0;
        let inputs = self.inputs();
        let (pressed, edited) = history.by_hand();
        let hits = |number: &Option<usize>| debugger.breakpoint((*number)?).map(|point| point.hits);
        let is_halted = history.is_halted();
        Moment {
            place: RunPlace {
                cycle: position.cycle,
                phase: position.phase,
                start: history.start().cycle,
                end: history.end().cycle,
                halted: is_halted,
                stuck: is_halted.then(|| debugger.stuck()).flatten(),
            },
            step: current_instruction(source, running, registers.pc),
            a: registers.a,
            c: registers.c,
            leds: leds(machine),
            sent,
            output: characters(&bytes[bytes.len().saturating_sub(OUTPUT_SHOWN)..]),
            pad: inputs.pad,
            keys: inputs.keys,
            pressed,
            edited,
            hits: self.points.iter().map(|number| hits(number).unwrap_or(0)).collect(),
            lines: self.observation.lines(),
        }
    }

    /// The inputs that the machine sees.
    fn inputs(&self) -> Inputs {
        let machine = self.debugger.machine();
        let bit = |address| machine.reads(address).checked_ilog2().map(|bit| bit as u8);
        Inputs { pad: bit(PADROW).zip(bit(PADCOL)), keys: machine.reads(KEYS) }
    }

    /// Holds a pad and keys from here on.
    pub fn press(&mut self, pad: Option<(u8, u8)>, keys: u8) -> Result<(), Refusal> {
        if pad.is_some_and(|(row, column)| row.max(column) >= DISPLAY_SIZE as u8) {
            return Err("a pad has a row and a column, 0 to 7".into());
        }
        let inputs = Inputs { pad, keys };
        if self.debugger.history().pressed() != inputs {
            self.debugger.history_mut().press(inputs)?;
            self.forked();
        }
        Ok(())
    }

    /// Changes a register or a byte of RAM.
    pub fn edit(&mut self, what: &str, value: &str) -> Result<(), Refusal> {
        let edit = self.debugger.parser().edit(&mut Scanner::new(what), &mut Scanner::new(value))?;
        self.debugger.history_mut().edit(edit)?;
        self.forked();
        Ok(())
    }

    /// Burns something else into cells; the run begins again.
    pub fn burn(&mut self, change: Option<&str>) -> Result<(), Refusal> {
        let change = change.map(Change::from_str).transpose()?;
        self.debugger.begin_anew(change.as_ref())?;
        self.observation = Observation::new(self.debugger.machine());
        self.counts = None;
        self.attend();
        Ok(())
    }

    /// Replaces all breakpoints.
    pub fn set_points(&mut self, points: &[Point]) -> Vec<PointStatus> {
        self.debugger.remove_breakpoints(None);
        self.points.clear();
        let set = points.iter().map(|point| match self.breakpoint(point) {
            Ok(breakpoint) => {
                let first = match &breakpoint.trigger {
                    Trigger::Instructions(sequences) => sequences.first(),
                    _ => None,
                };
                let line = first.and_then(|first| root_line(self.debugger.source(), *first));
                self.points.push(Some(self.debugger.add_breakpoint(breakpoint)));
                PointStatus { error: None, line }
            }
            Err(Refusal(error)) => {
                self.points.push(None);
                PointStatus { error: Some(error), line: None }
            }
        });
        set.collect()
    }

    fn breakpoint(&self, point: &Point) -> Result<Breakpoint, Refusal> {
        let parser = self.debugger.parser();
        let (text, is_watched) = match (&point.at, &point.watch) {
            (Some(at), None) => (at, false),
            (None, Some(watch)) => (watch, true),
            _ => return Err("a breakpoint has either `at` or `watch`".into()),
        };
        let read = || {
            let mut scanner = Scanner::new(text);
            let trigger = match is_watched {
                true => parser.changing(&mut scanner)?,
                false => Trigger::Instructions(parser.location(&mut scanner)?),
            };
            scanner.end()?;
            let mut breakpoint = Breakpoint::new(text, trigger);
            let (condition, hit_condition) = (point.condition.clone(), point.hits.clone());
            let options = PointOptions { condition, hit_condition, ..PointOptions::default() };
            self.debugger.restrict(&mut breakpoint, &options)?;
            Ok(breakpoint)
        };
        read().map_err(|error: DebugError| Refusal(error.to_string()))
    }
}

/// Describes the instruction that is run, while the counter is at `pc`.
fn current_instruction(source: &Source, running: u16, pc: u16) -> CurrentInstruction {
    let word = source.image().word(running);
    let named = |address: u16| (address, source.ram_name(address));
    let is_store = word.opcode() == Opcode::Sta;
    let is_load = !is_store && word.opcode().row().operand == Operand::Value && !word.m();
    CurrentInstruction {
        running,
        pc,
        instruction: source.instruction(running),
        word: format!("{:04x}", word.0),
        frames: frames(source, running),
        reads: is_load.then(|| named(word.x())),
        stores: is_store.then(|| named(word.x())),
    }
}

/// The lines that led to an instruction, the outermost first.
pub fn frames(source: &Source, sequence: u16) -> Vec<Frame> {
    let frame = |frame: &gray1_debugger::Frame| Frame {
        file: frame.file.clone(),
        is_root: source.root() == Some(&*frame.file),
        line: frame.line,
    };
    source.frames(sequence).iter().map(frame).collect()
}

/// Bytes as a text that has a character for each.
pub fn characters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
