//! Running the machine, and stopping it.

use super::job::Outcome;
use super::program::Program;
use super::state::{Run, Session, Stage};
use crate::dap::message::{Answer, Refusal, argument};
use gray1_debugger::{
    DebugError, Direction, Edit, Frame, Hit, Position, StopReason, Trigger, sequence_number,
};
use gray1_machine::Slice;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const HALTED: &str = "The machine has halted";

pub(super) fn resume(session: &mut Session, _: &Value) -> Answer {
    if session.loaded()?.0.is_halted() {
        session.finish();
    } else {
        session.go(Direction::Forward, None);
    }
    Ok(json!({ "allThreadsContinued": true }))
}

pub(super) fn reverse(session: &mut Session, _: &Value) -> Answer {
    session.go(Direction::Backward, None);
    Ok(Value::Null)
}

pub(super) fn next(session: &mut Session, values: &Value) -> Answer {
    let target = session.loaded()?.0.over();
    session.step(values, Direction::Forward, target)
}

pub(super) fn step_in(session: &mut Session, values: &Value) -> Answer {
    let program = session.loaded()?.0;
    match (program.deeper(), program.debugger().enter(program.depth)) {
        (Some(deeper), _) if !is_by_instruction(values) => session.show_depth(deeper),
        (_, target) => session.step(values, Direction::Forward, target),
    }
}

pub(super) fn step_out(session: &mut Session, _: &Value) -> Answer {
    let program = session.loaded()?.0;
    let target = program.debugger().leave(program.depth);
    session.step(&Value::Null, Direction::Forward, target)
}

pub(super) fn step_back(session: &mut Session, values: &Value) -> Answer {
    let program = session.loaded()?.0;
    match (program.shallower(), program.over()) {
        (Some(shallower), _) if !is_by_instruction(values) => session.show_depth(shallower),
        (_, target) => session.step(values, Direction::Backward, target),
    }
}

/// Does nothing if the machine has already stopped: the client knows why.
pub(super) fn pause(session: &mut Session, _: &Value) -> Answer {
    if session.is_running() {
        session.stop("pause", "Paused");
    }
    Ok(Value::Null)
}

pub(super) fn goto(session: &mut Session, values: &Value) -> Answer {
    let target: i64 = argument(values, "targetId")?;
    let sequence = sequence_number(target).ok_or("there is no such target: ask `gotoTargets`")?;
    let program = session.loaded()?.0;
    if program.sequence() == sequence && program.debugger().position().phase == 0 {
        session.stop("goto", "Paused here already");
    } else {
        session.edit(Edit::Pc(sequence))?;
    }
    Ok(Value::Null)
}

fn is_by_instruction(values: &Value) -> bool {
    values["granularity"] == "instruction"
}

impl Session {
    /// Continues the run: by one slice, or to its end.
    pub fn run_on(&mut self) {
        let Session { stage: Stage::Running(run), program: Some(program), outbox, interrupt, .. } = self
        else {
            return self.attend_to_job();
        };
        let started = Instant::now();
        let debugger = program.debugger_mut();
        let start = debugger.position().cycle;
        let end = Position::start_of(start.saturating_add(run.slice.of(u64::MAX)));
        let mut logged = Vec::new();
        let mut log = |sent, message| logged.push((sent, message));
        let result = debugger.seek(Direction::Forward, run.target.as_ref(), end, interrupt, &mut log);
        run.slice.took(debugger.position().cycle.saturating_sub(start), started.elapsed());
        for (sent, message) in logged {
            program.send_output_until(sent, outbox, true);
            outbox.event("output", json!({ "category": "console", "output": message + "\n" }));
        }
        program.send_output(outbox, false);
        match result {
            // The request that interrupted the run is in the mailbox, and is handled next.
            Ok(StopReason::Limit) | Err(DebugError::Interrupted) => {}
            Ok(reason) => {
                let entered = std::mem::take(&mut run.entered);
                self.arrive(&reason, &entered);
            }
            Err(error) => self.stop("exception", &error.to_string()),
        }
    }

    /// Runs from the beginning, unless a breakpoint is there.
    pub(super) fn run_from_start(&mut self) -> Result<(), Refusal> {
        let mut logged = Vec::new();
        let hits = self.debugger()?.breakpoints_here(&mut |_, message| logged.push(message))?;
        logged.iter().for_each(|message| self.say("console", message));
        if hits.is_empty() {
            self.go(Direction::Forward, None);
        } else {
            self.arrive(&StopReason::Breakpoints(hits), &[]);
        }
        Ok(())
    }

    fn go(&mut self, direction: Direction, target: Option<Trigger>) {
        let entered = self.program.as_ref().map_or_else(Vec::new, Program::entered);
        if direction == Direction::Forward {
            self.stage = Stage::Running(Run { target, entered, slice: Slice::default() });
            return;
        }
        self.begin_job(None, move |program, link| {
            let mut log = |_, message: String| link.log(&message);
            let debugger = program.debugger_mut();
            let result =
                debugger.seek(direction, target.as_ref(), Position::NEVER, &link.interrupt, &mut log);
            Outcome::Arrived(result, entered)
        });
    }

    fn step(&mut self, values: &Value, direction: Direction, target: Trigger) -> Answer {
        if direction == Direction::Forward && self.loaded()?.0.is_halted() {
            self.stop_halted();
        } else if is_by_instruction(values) {
            self.step_instruction(direction)?;
        } else {
            self.go(direction, Some(target));
        }
        Ok(Value::Null)
    }

    /// Goes to the start of the next cycle, or of the one before.
    fn step_instruction(&mut self, direction: Direction) -> Result<(), Refusal> {
        let history = self.debugger()?.history_mut();
        let (now, start) = (history.position(), history.start());
        let to = match direction {
            Direction::Forward => now.after_cycles(1),
            Direction::Backward if now == start => {
                self.arrive(&StopReason::Beginning, &[]);
                return Ok(());
            }
            Direction::Backward => now.before_cycles(1),
        };
        match history.go(to, &AtomicBool::new(false)) {
            Ok(()) => self.arrive(&StopReason::Target, &[]),
            Err(error) => self.stop("exception", &error.to_string()),
        }
        Ok(())
    }

    /// Shows more or fewer of the lines that lead to the instruction, without running an instruction.
    fn show_depth(&mut self, depth: usize) -> Answer {
        self.stop("step", "Paused on step");
        self.loaded()?.0.depth = depth;
        Ok(Value::Null)
    }

    pub(super) fn arrive(&mut self, reason: &StopReason, entered: &[Frame]) {
        let program = self.program.as_ref();
        let is_halted = program.is_some_and(Program::is_halted);
        match reason {
            StopReason::Halted if program.is_some_and(|program| program.launch.no_debug) => self.finish(),
            StopReason::Halted => self.stop_halted(),
            StopReason::Target if is_halted => self.stop_halted(),
            StopReason::Beginning => self.stop("entry", "This is the beginning of the run"),
            StopReason::Breakpoints(hits) => self.stop_at_breakpoints(hits),
            StopReason::Target | StopReason::Limit => self.stop_after_step(entered),
        }
    }

    fn stop_halted(&mut self) {
        let stuck = self.program.as_ref().and_then(|program| program.debugger().stuck());
        self.stop("halt", &stuck.map_or(HALTED.to_owned(), |why| format!("{HALTED}: {why}")));
    }

    /// Stops after a step. Calls that it has not left are still entered.
    fn stop_after_step(&mut self, entered: &[Frame]) {
        self.stop("step", "Paused on step");
        if let Some(program) = &mut self.program {
            let frames = program.frames();
            let same = frames.iter().zip(entered).take_while(|(frame, before)| frame == before).count();
            program.depth = program.depth.max((same + 1).min(frames.len()));
        }
    }

    fn stop_at_breakpoints(&mut self, hits: &[Hit]) {
        let Some(program) = &self.program else { return };
        let known = program.breakpoints_hit(hits);
        let reason = known.first().map_or("breakpoint", |breakpoint| breakpoint.location.stop_reason());
        let ids: Vec<i64> = known.iter().map(|breakpoint| breakpoint.id).collect();
        // At a breakpoint on a line, the expansions inside that line have not been entered.
        let lines = known.iter().filter_map(|breakpoint| breakpoint.line.as_ref());
        let depth_of = |(file, line): &(String, usize)| {
            program.frames().iter().position(|frame| frame.file == *file && frame.line == *line)
        };
        let depth = lines.filter_map(depth_of).min();
        let changes = hits.iter().filter_map(|hit| program.debugger().describe_change(hit));
        let changes: Vec<String> = changes.collect();
        let description = match changes.is_empty() {
            true => format!("Paused on {reason}"),
            false => format!("Paused on {reason}: {}", changes.join(", ")),
        };
        self.stop_with(reason, &description, &ids);
        if let Some(program) = &mut self.program {
            program.debugger_mut().remove_temporary(hits);
            program.depth = depth.map_or(program.depth, |depth| depth + 1);
        }
    }

    /// Stops, and tells the client why.
    pub(super) fn stop(&mut self, reason: &str, description: &str) {
        self.stop_with(reason, description, &[]);
    }

    fn stop_with(&mut self, reason: &str, description: &str, breakpoints: &[i64]) {
        self.stage = Stage::Stopped;
        if let Some(program) = &mut self.program {
            program.send_output(&mut self.outbox, true);
            program.depth = program.debugger().line_depth();
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
        if !breakpoints.is_empty() {
            body["hitBreakpointIds"] = breakpoints.into();
        }
        self.outbox.event("stopped", body);
    }

    /// Ends the session because the program has ended.
    pub(super) fn finish(&mut self) {
        if let Some(program) = &mut self.program {
            program.send_output(&mut self.outbox, true);
        }
        self.stage = Stage::Terminated;
        self.outbox.event("exited", json!({ "exitCode": 0 }));
        self.outbox.event("terminated", Value::Null);
    }
}
