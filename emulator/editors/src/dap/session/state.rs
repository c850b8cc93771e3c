//! The state of a session, and its stages.

use super::client::Client;
use super::job::Job;
use super::launch::Launch;
use super::program::Program;
use crate::dap::message::{Outbox, Refusal};
use gray1_debugger::{Debugger, Frame, ScriptReader, Trigger};
use gray1_machine::Slice;
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The environment of a session: programs, and the names of files.
pub trait Host {
    /// Loads a program and builds a machine for it. `log` receives the reports of the assembler; loading may be given
    /// up once `is_stopped` returns true.
    fn load(
        &mut self,
        launch: &Launch,
        log: &mut dyn FnMut(String),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Debugger, Box<dyn Error>>;

    /// The reader with which commands of the debug console read files, if they may.
    fn reader(&self) -> Option<ScriptReader> {
        None
    }

    /// The path by which a client can open a file of the program.
    fn full_path(&self, path: &str) -> String;

    /// The canonical path of a file.
    fn canonical_path(&self, path: &str) -> String;
}

/// A session with one client.
pub struct Session {
    pub(super) host: Box<dyn Host>,
    pub(super) interrupt: Arc<AtomicBool>,
    pub(super) client: Client,
    pub(super) outbox: Outbox,
    pub(super) stage: Stage,
    pub(super) program: Option<Program>,
}

/// The stage of a session.
pub(super) enum Stage {
    /// Nothing has been received yet.
    Uninitialized,
    /// After `initialize`.
    Initialized,
    /// After `launch`: the client sets its breakpoints.
    Configuring,
    /// The machine is stopped.
    Stopped,
    /// The machine is running.
    Running(Run),
    /// A job is running, and owns the program.
    Busy(Box<Job>),
    /// The program has ended.
    Terminated,
    /// After `disconnect`.
    Disconnected,
}

/// The target of a run. The run is divided into slices, so that output appears and requests are answered in between.
pub(super) struct Run {
    pub target: Option<Trigger>,
    /// The expansions that had been entered where the run began.
    pub entered: Vec<Frame>,
    pub slice: Slice,
}

/// The precondition of a request.
#[derive(Clone, Copy)]
pub(super) enum Needs {
    Nothing,
    /// `initialize`.
    Initialize,
    /// A program.
    Program,
    /// A program that is stopped.
    Stop,
}

impl Session {
    /// A new session. The flag interrupts long work.
    pub fn new(host: Box<dyn Host>, interrupt: Arc<AtomicBool>) -> Session {
        let (client, outbox) = Default::default();
        Session { host, interrupt, client, outbox, stage: Stage::Uninitialized, program: None }
    }

    /// Whether the machine is running: then [`Session::run_on`] continues the run.
    pub fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running(_) | Stage::Busy(_))
    }

    /// Whether the client has disconnected.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Disconnected)
    }

    /// Takes out the messages to be sent.
    pub fn outgoing(&mut self) -> Vec<Value> {
        self.outbox.take()
    }

    /// Tells the user of an error that does not belong to a request.
    pub fn report(&mut self, error: &dyn Display) {
        self.say("stderr", &format!("gray1 dap: {error}"));
    }

    /// Checks the precondition of a request; a refusal names the request that has to come first.
    pub(super) fn check(&self, needs: Needs) -> Result<(), Refusal> {
        let reason = match (&self.stage, needs) {
            (_, Needs::Nothing) => return Ok(()),
            (Stage::Uninitialized, _) => "`initialize` comes first",
            (Stage::Terminated | Stage::Disconnected, _) => {
                "the program has ended: `disconnect`, then begin another session"
            }
            (_, Needs::Initialize) => return Ok(()),
            (Stage::Initialized, _) => "there is no program yet: `launch` comes first",
            (_, Needs::Program) | (Stage::Stopped, Needs::Stop) => return Ok(()),
            (Stage::Configuring, Needs::Stop) => "`configurationDone` comes first",
            (Stage::Running(_) | Stage::Busy(_), Needs::Stop) => "the machine is running: `pause` it first",
        };
        Err(reason.into())
    }

    /// The program, the outbox, and the client.
    pub(super) fn loaded(&mut self) -> Result<(&mut Program, &mut Outbox, &Client), Refusal> {
        let program = self.program.as_mut().ok_or("there is no program yet")?;
        Ok((program, &mut self.outbox, &self.client))
    }

    /// The debugger of the program.
    pub(super) fn debugger(&mut self) -> Result<&mut Debugger, Refusal> {
        Ok(self.loaded()?.0.dialogue.debugger_mut())
    }

    /// Shows a line to the user.
    pub(super) fn say(&mut self, category: &str, text: &str) {
        let text = format!("{}\n", text.trim_end());
        self.outbox.event("output", json!({ "category": category, "output": text }));
    }
}
