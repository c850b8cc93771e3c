//! Beginning and end of a session: initialize, launch, restart, terminate, disconnect.

use super::client::Client;
use super::launch::Launch;
use super::program::Program;
use super::state::{Session, Stage};
use crate::dap::message::{Answer, Refusal, arguments};
use gray1_debugger::Dialogue;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Loading a program can be interrupted only after this time. So a client that sends all its requests at once,
/// including `disconnect`, still gets its program if loading is quick.
const PATIENCE: Duration = Duration::from_secs(1);

/// The capabilities of this debugger.
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsDataBreakpointBytes": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsClipboardContext": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": [".", "["],
        "supportsLoadedSourcesRequest": true,
        "supportsDisassembleRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "exceptionBreakpointFilters": [],
    })
}

pub(super) fn initialize(session: &mut Session, values: &Value) -> Answer {
    if !matches!(session.stage, Stage::Uninitialized) {
        return Err("`initialize` comes once, and first".into());
    }
    let client: Client = arguments(values)?;
    client.check()?;
    session.client = client;
    session.stage = Stage::Initialized;
    Ok(capabilities())
}

pub(super) fn launch(session: &mut Session, values: &Value) -> Answer {
    if !matches!(session.stage, Stage::Initialized) {
        return Err("a program has been launched already: `restart` launches it again".into());
    }
    let launch: Launch = arguments(values)?;
    let dialogue = load(session, &launch)?;
    let breakpoints = Vec::new();
    session.program = Some(Program { launch, dialogue, breakpoints, last_id: 0, sent: 0, depth: 0 });
    session.stage = Stage::Configuring;
    session.outbox.event("initialized", Value::Null);
    session.outbox.event("thread", json!({ "reason": "started", "threadId": 1 }));
    Ok(Value::Null)
}

pub(super) fn attach(_: &mut Session, _: &Value) -> Answer {
    Err("there is no running Gray-1 to attach to: use a configuration with the request `launch`".into())
}

pub(super) fn configuration_done(session: &mut Session, _: &Value) -> Answer {
    if !matches!(session.stage, Stage::Configuring) {
        return Err("`configurationDone` comes once, after `launch`".into());
    }
    session.begin()?;
    Ok(Value::Null)
}

pub(super) fn restart(session: &mut Session, values: &Value) -> Answer {
    if matches!(session.stage, Stage::Configuring) {
        return Err("`configurationDone` comes first".into());
    }
    let launch = match &values["arguments"] {
        Value::Null => session.loaded()?.0.launch.clone(),
        changed => arguments(changed)?,
    };
    let dialogue = load(session, &launch)?;
    let program = session.loaded()?.0;
    (program.dialogue, program.launch, program.sent) = (dialogue, launch, 0);
    session.renew_breakpoints()?;
    session.outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
    session.begin()?;
    Ok(Value::Null)
}

pub(super) fn terminate(session: &mut Session, _: &Value) -> Answer {
    session.stage = Stage::Terminated;
    session.outbox.event("terminated", Value::Null);
    Ok(Value::Null)
}

pub(super) fn disconnect(session: &mut Session, _: &Value) -> Answer {
    session.stage = Stage::Disconnected;
    Ok(Value::Null)
}

fn load(session: &mut Session, launch: &Launch) -> Result<Dialogue, Refusal> {
    let mut logged = Vec::new();
    let begin = Instant::now();
    let is_stopped = || begin.elapsed() > PATIENCE && session.interrupt.load(Ordering::Relaxed);
    let debugger = session.host.load(launch, &mut |text| logged.push(text), &is_stopped);
    if debugger.is_err() && is_stopped() {
        return Err("cancelled".into());
    }
    logged.iter().for_each(|text| session.say("stderr", text));
    let mut dialogue = Dialogue::new(debugger?);
    if let Some(reader) = session.host.reader() {
        dialogue.set_reader(reader, None);
    }
    Ok(dialogue)
}

impl Session {
    /// Begins the run of a loaded program.
    fn begin(&mut self) -> Result<(), Refusal> {
        let launch = &self.loaded()?.0.launch;
        if launch.stop_on_entry && !launch.no_debug {
            self.stop("entry", "Paused before the first instruction");
            return Ok(());
        }
        self.run_from_start()
    }
}
