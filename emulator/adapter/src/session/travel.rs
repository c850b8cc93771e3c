//! Going through the run, and stopping.
//!
//! A way forwards is gone in stretches, so that output appears while the program runs and requests are answered in
//! between. Backwards the whole way is one stretch, which `pause` interrupts.

use super::{Program, Session, Stage};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::{DebugError, Direction, Edit, Frame, Hit, LineDepth, Position, StopReason, Target};
use gray1_isa::PROGRAM_WORDS;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A way under way.
pub(super) struct Way {
    direction: Direction,
    target: Target,
    /// The calls and rounds that had been entered where it began.
    entered: Vec<Frame>,
    /// Cycles of the next stretch.
    stretch: u64,
}

/// The cycles of the first stretch, and of the longest.
const FIRST_STRETCH: u64 = 1 << 14;
const LONGEST_STRETCH: u64 = 1 << 21;
/// A stretch should take about this long.
const PACE: Duration = Duration::from_millis(30);

const HALTED: &str = "The machine has halted";

#[derive(Deserialize)]
struct Steps {
    #[serde(default)]
    granularity: Granularity,
}

#[derive(Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Granularity {
    #[default]
    Statement,
    Line,
    Instruction,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Goto {
    target_id: i64,
}

pub(super) fn resume(session: &mut Session, _: &Value) -> Answer {
    if session.parts()?.0.is_halted() {
        session.finish();
    } else {
        session.go(Direction::Forward, Target::Breakpoints);
    }
    Ok(json!({ "allThreadsContinued": true }))
}

pub(super) fn reverse(session: &mut Session, _: &Value) -> Answer {
    session.go(Direction::Backward, Target::Breakpoints);
    Ok(Value::Null)
}

pub(super) fn next(session: &mut Session, values: &Value) -> Answer {
    let depth = session.parts()?.0.depth;
    session.step(values, Direction::Forward, Target::Line(LineDepth::AtMost(depth)))
}

/// At the first instruction of a call one stands in front of it, and the way in is no way for the machine.
pub(super) fn step_in(session: &mut Session, values: &Value) -> Answer {
    let program = session.parts()?.0;
    if let Some(deeper) = program.deeper()
        && !is_by_instruction(values)?
    {
        return session.enter(deeper);
    }
    session.step(values, Direction::Forward, Target::Line(LineDepth::Innermost))
}

pub(super) fn step_out(session: &mut Session, _: &Value) -> Answer {
    let program = session.parts()?.0;
    let target = Target::Leave { sequence: program.place(), depth: program.depth };
    session.step(&Value::Null, Direction::Forward, target)
}

pub(super) fn step_back(session: &mut Session, values: &Value) -> Answer {
    let program = session.parts()?.0;
    let depth = program.depth;
    if let Some(shallower) = program.shallower()
        && !is_by_instruction(values)?
    {
        return session.enter(shallower);
    }
    session.step(values, Direction::Backward, Target::Line(LineDepth::AtMost(depth)))
}

/// Who asks a machine to pause that stands already has been told why it does.
pub(super) fn pause(session: &mut Session, _: &Value) -> Answer {
    if session.is_running() {
        session.stop("pause", "Paused");
    }
    Ok(Value::Null)
}

pub(super) fn goto(session: &mut Session, values: &Value) -> Answer {
    let Goto { target_id } = arguments(values)?;
    let place = u16::try_from(target_id).ok().filter(|&place| usize::from(place) < PROGRAM_WORDS);
    let place = place.ok_or("there is no such place to go to: ask `gotoTargets`")?;
    let program = session.parts()?.0;
    if program.place() == place && program.debugger().position().phase == 0 {
        session.stop("goto", "Paused here already");
        return Ok(Value::Null);
    }
    session.edit(&[Edit::Pc(place)])?;
    Ok(Value::Null)
}

fn is_by_instruction(values: &Value) -> Result<bool, Refusal> {
    Ok(arguments::<Steps>(values)?.granularity == Granularity::Instruction)
}

impl Session {
    /// Goes on with the way: one stretch of it, or all.
    pub fn run_on(&mut self) {
        let Session { stage: Stage::Running(way), program: Some(program), outbox, interrupt, .. } = self
        else {
            return;
        };
        let began = Instant::now();
        let debugger = program.debugger_mut();
        let end = Position::start_of(debugger.position().cycle.saturating_add(way.stretch));
        let mut said = Vec::new();
        let mut say = |sent, text| said.push((sent, text));
        let result = debugger.seek(way.direction, &way.target, end, interrupt, &mut say);
        way.keep_pace(began.elapsed());
        for (sent, text) in said {
            program.tell_output_until(sent, outbox, true);
            outbox.event("output", json!({ "category": "console", "output": text + "\n" }));
        }
        program.tell_output(outbox, false);
        match result {
            // Why it was interrupted lies in the mailbox.
            Ok(StopReason::Limit) | Err(DebugError::Interrupted) => {}
            Ok(arrival) => self.arrive(arrival),
            Err(fault) => self.stop("exception", &fault.to_string()),
        }
    }

    /// Stands still, and tells why.
    pub(super) fn stop(&mut self, reason: &str, description: &str) {
        self.stop_at(reason, description, &[]);
    }

    /// Runs on from the beginning, or stays where a breakpoint is.
    pub(super) fn run_from_here(&mut self) -> Result<(), Refusal> {
        let mut said = Vec::new();
        let stops = self.parts()?.0.debugger_mut().breakpoints_here(&mut |_, text| said.push(text))?;
        said.iter().for_each(|text| self.say("console", text));
        if stops.is_empty() {
            self.go(Direction::Forward, Target::Breakpoints);
        } else {
            self.arrive(StopReason::Breakpoints(stops));
        }
        Ok(())
    }

    fn step(&mut self, values: &Value, direction: Direction, target: Target) -> Answer {
        let is_by_instruction = is_by_instruction(values)?;
        if direction == Direction::Forward && self.parts()?.0.is_halted() {
            self.stop("halt", HALTED);
        } else if is_by_instruction {
            self.step_instruction(direction)?;
        } else {
            self.go(direction, target);
        }
        Ok(Value::Null)
    }

    /// To the beginning of the cycle before or behind this position.
    fn step_instruction(&mut self, direction: Direction) -> Result<(), Refusal> {
        let (program, outbox, _) = self.parts()?;
        let history = program.debugger_mut().history_mut();
        let (now, start) = (history.position(), history.start());
        let cycle = match direction {
            Direction::Forward => now.cycle.saturating_add(1),
            Direction::Backward if now == start => {
                self.arrive(StopReason::Beginning);
                return Ok(());
            }
            Direction::Backward => now.cycle.saturating_sub(u64::from(now.phase == 0)),
        };
        let result = history.go(Position::start_of(cycle), &AtomicBool::new(false));
        let is_halted = history.is_halted();
        program.tell_output(outbox, true);
        match result {
            Ok(()) if is_halted => self.stop("halt", HALTED),
            Ok(()) => self.stop("step", "Paused on step"),
            Err(fault) => self.stop("exception", &fault.to_string()),
        }
        Ok(())
    }

    /// Shows more or less of the nest that the instruction is in, without going anywhere.
    fn enter(&mut self, depth: usize) -> Answer {
        self.stop("step", "Paused on step");
        self.parts()?.0.depth = depth;
        Ok(Value::Null)
    }

    fn go(&mut self, direction: Direction, target: Target) {
        let entered = self.program.as_ref().map_or_else(Vec::new, Program::entered);
        self.stage = Stage::Running(Way { direction, target, entered, stretch: FIRST_STRETCH });
    }

    fn arrive(&mut self, arrival: StopReason) {
        match arrival {
            StopReason::Halted if self.program.as_ref().is_some_and(|program| program.launch.no_debug) => {
                self.finish();
            }
            StopReason::Halted => self.stop("halt", HALTED),
            StopReason::Target if self.program.as_ref().is_some_and(Program::is_halted) => {
                self.stop("halt", HALTED);
            }
            StopReason::Beginning => self.stop("entry", "Nothing comes before: this is the beginning"),
            StopReason::Breakpoints(meetings) => self.stop_at_points(&meetings),
            StopReason::Target | StopReason::Limit => self.stop_within(),
        }
    }

    /// Stops behind a step; the calls that it has not left are still entered.
    fn stop_within(&mut self) {
        let entered = match &mut self.stage {
            Stage::Running(way) => std::mem::take(&mut way.entered),
            _ => Vec::new(),
        };
        self.stop("step", "Paused on step");
        if let Some(program) = &mut self.program {
            let frames = program.debugger().source().frames(program.place());
            let same = frames.iter().zip(&entered).take_while(|(frame, before)| frame == before).count();
            program.depth = program.depth.max((same + 1).min(frames.len()));
        }
    }

    fn stop_at_points(&mut self, meetings: &[Hit]) {
        let Some(program) = &self.program else { return };
        let (reason, ids) = program.breakpoints.met(meetings);
        let depth = program.breakpoints.depth(program.debugger(), meetings);
        let happenings = meetings.iter().filter_map(|meeting| program.debugger().describe_change(meeting));
        let happenings: Vec<String> = happenings.collect();
        let description = match happenings.is_empty() {
            true => format!("Paused on {reason}"),
            false => format!("Paused on {reason}: {}", happenings.join(", ")),
        };
        self.stop_at(reason, &description, &ids);
        if let (Some(program), Some(depth)) = (&mut self.program, depth) {
            program.depth = depth;
        }
    }

    fn stop_at(&mut self, reason: &str, description: &str, ids: &[i64]) {
        self.stage = Stage::Standing;
        if let Some(program) = &mut self.program {
            program.tell_output(&mut self.outbox, true);
            program.depth = program.least_depth();
        }
        let mut body = json!({
            "reason": reason,
            "description": description,
            "threadId": 1,
            "allThreadsStopped": true,
        });
        if reason == "exception" {
            body["text"] = description.into();
        }
        if !ids.is_empty() {
            body["hitBreakpointIds"] = ids.into();
        }
        self.outbox.event("stopped", body);
    }

    /// The program has done its work.
    pub(super) fn finish(&mut self) {
        if let Some(program) = &mut self.program {
            program.tell_output(&mut self.outbox, true);
        }
        self.stage = Stage::Ended;
        self.outbox.event("exited", json!({ "exitCode": 0 }));
        self.outbox.event("terminated", Value::Null);
    }
}

impl Way {
    /// Makes the next stretch longer or shorter.
    fn keep_pace(&mut self, took: Duration) {
        if took < PACE / 2 {
            self.stretch = (self.stretch * 2).min(LONGEST_STRETCH);
        } else if took > PACE * 2 {
            self.stretch = (self.stretch / 2).max(1);
        }
    }
}
