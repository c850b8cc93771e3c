//! The calls of routines and macros: how many, how long they took, and when the first and the longest began.

use crate::Refusal;
use crate::check::assembled;
use crate::protocol::{Answer, CallCount, Program};
use gray1_debugger::Debugger;
use gray1_debugger::profile::{Kind, Layout, Profile, Recorder, RoutineCount};
use std::sync::Arc;

/// At most this many cycles are repeated: a second of work or two.
const MAX_CYCLES: u64 = 2_000_000;

/// The calls of a run of this program up to now.
pub fn calls(debugger: &mut Debugger, program: &Program) -> Result<Answer, Refusal> {
    let assembly = assembled(program);
    let layout = match &assembly.program {
        Some(program) => Layout::of_program(program, &assembly.report.sources),
        None => Layout::of_image(debugger.source().image()),
    };
    let (start, layout) = (debugger.history().start().cycle, Arc::new(layout));
    let mut recorder: Option<Recorder> = None;
    debugger.each_instruction(MAX_CYCLES, |running| match &mut recorder {
        Some(recorder) => recorder.step(running),
        none => *none = Some(Recorder::new(layout.clone(), start, running)),
    })?;
    let Some(recorder) = recorder else { return Ok(Answer::Calls { cycle: start, routines: Vec::new() }) };
    let profile = Profile::of(&recorder);
    let root = debugger.source().root();
    let called = profile.routines.iter().filter(|routine| routine.kind != Kind::Program);
    let routines = called.map(|routine| count(routine, root)).collect();
    Ok(Answer::Calls { cycle: start + profile.cycles, routines })
}

fn count(routine: &RoutineCount, root: Option<&str>) -> CallCount {
    let place = routine.source.as_ref().and_then(|source| source.rsplit_once(':'));
    let line = place.filter(|(file, _)| Some(*file) == root).and_then(|(_, line)| line.parse().ok());
    let RoutineCount { name, calls, least, mean, most, first, longest, .. } = routine.clone();
    CallCount { name, line, calls, least, mean, most, first, longest }
}
