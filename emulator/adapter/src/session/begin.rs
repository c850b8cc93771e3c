//! How a session begins and ends: initialize, launch, restart, goodbye.

use super::breakpoints::Breakpoints;
use super::client::Client;
use super::{Program, Session, Stage};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::Dialogue;
use serde::Deserialize;
use serde_json::{Value, json};

/// What a launch asks for. What is not said is as with `gray1 debug`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The program: a source or an image.
    pub program: String,
    /// `chips`, or `fast`.
    pub engine: Option<String>,
    /// What RAM holds at power-up.
    pub ram: Option<String>,
    /// A file of pads and keys.
    pub input: Option<String>,
    /// A file with the state to go on from.
    pub state_in: Option<String>,
    /// A file with another board.
    pub board: Option<String>,
    /// Constants for the assembler, each `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Whether to stand before the first instruction.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Whether to run without breakpoints.
    #[serde(default)]
    pub no_debug: bool,
}

/// What this debugger can do.
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
        "supportsBreakpointLocationsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsValueFormattingOptions": true,
        "supportsClipboardContext": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": [".", "["],
        "supportsLoadedSourcesRequest": true,
        "supportsDisassembleRequest": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsCancelRequest": true,
        "exceptionBreakpointFilters": [],
    })
}

pub(super) fn initialize(session: &mut Session, values: &Value) -> Answer {
    if !matches!(session.stage, Stage::Silent) {
        return Err("`initialize` comes once, and first".into());
    }
    let client: Client = arguments(values)?;
    if client.path_format != "path" {
        return Err("this debugger names files by paths: `pathFormat` must be `path`".into());
    }
    session.client = client;
    session.stage = Stage::Introduced;
    Ok(capabilities())
}

pub(super) fn launch(session: &mut Session, values: &Value) -> Answer {
    if !matches!(session.stage, Stage::Introduced) {
        return Err("a program has been launched already: `restart` begins again".into());
    }
    let launch: Launch = arguments(values)?;
    let dialogue = load(session, &launch)?;
    let breakpoints = Breakpoints::default();
    session.program = Some(Program { launch, dialogue, breakpoints, told: 0, depth: 0 });
    session.stage = Stage::Preparing;
    session.outbox.event("initialized", Value::Null);
    session.outbox.event("thread", json!({ "reason": "started", "threadId": 1 }));
    Ok(Value::Null)
}

pub(super) fn attach(_: &mut Session, _: &Value) -> Answer {
    Err("no Gray-1 is running that one could attach to: write a configuration with the request `launch`"
        .into())
}

pub(super) fn configuration_done(session: &mut Session, _: &Value) -> Answer {
    if !matches!(session.stage, Stage::Preparing) {
        return Err("`configurationDone` comes once, behind `launch`".into());
    }
    session.set_out()?;
    Ok(Value::Null)
}

pub(super) fn restart(session: &mut Session, values: &Value) -> Answer {
    if matches!(session.stage, Stage::Preparing) {
        return Err("`configurationDone` comes first".into());
    }
    let launch = match &values["arguments"] {
        Value::Null => session.parts()?.0.launch.clone(),
        changed => arguments(changed)?,
    };
    let dialogue = load(session, &launch)?;
    let program = session.parts()?.0;
    (program.dialogue, program.launch, program.told) = (dialogue, launch, 0);
    session.renew_breakpoints()?;
    session.outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
    session.set_out()?;
    Ok(Value::Null)
}

pub(super) fn terminate(session: &mut Session, _: &Value) -> Answer {
    session.stage = Stage::Ended;
    session.outbox.event("terminated", Value::Null);
    Ok(Value::Null)
}

pub(super) fn disconnect(session: &mut Session, _: &Value) -> Answer {
    session.stage = Stage::Over;
    Ok(Value::Null)
}

/// By now it has had its effect, or there was nothing to take back.
pub(super) fn cancel(_: &mut Session, _: &Value) -> Answer {
    Ok(Value::Null)
}

fn load(session: &mut Session, launch: &Launch) -> Result<Dialogue, Refusal> {
    let mut said = Vec::new();
    let debugger = session.world.load(launch, &mut |text| said.push(text));
    said.iter().for_each(|text| session.say("stderr", text));
    Ok(Dialogue::new(debugger?))
}

impl Session {
    /// Lets a loaded program begin.
    fn set_out(&mut self) -> Result<(), Refusal> {
        let launch = &self.parts()?.0.launch;
        if launch.stop_on_entry && !launch.no_debug {
            self.stop("entry", "Paused before the first instruction");
            return Ok(());
        }
        self.run_from_here()
    }
}
