//! A session: requests in, responses and events out. One table, [`COMMANDS`], leads from the name of a request to what
//! it does and says when it may be asked.
//!
//! ```text
//!   begin         initialize, launch, restart, the end
//!   travel        continue, steps, pause, and stopping
//!   breakpoints   all kinds of them; points: what they become
//!   nest          how deep in calls and rounds one stands
//!   output        what the program sends, told once
//!   stack         where the machine is: frames, sources, places to go to
//!   variables     registers, RAM, nets, chips; parts: what these show
//!   evaluate      expressions, and the commands of the dialogue
//!   memory        RAM as bytes, the program as instructions
//!   change        changing the machine, and telling the client that it has to look again
//!   client        what the client has said of itself
//! ```

mod begin;
mod breakpoints;
mod change;
mod client;
mod evaluate;
mod memory;
mod nest;
mod output;
mod parts;
mod points;
mod stack;
mod travel;
mod variables;

use crate::message::{Answer, Incoming, Outbox, Refusal, Request};
pub use begin::Launch;
use breakpoints::Breakpoints;
use client::Client;
use gray1_debugger::{Debugger, Dialogue};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use travel::Way;

/// Where programs come from, and what files are called.
pub trait World {
    /// Loads a program and builds a machine for it. `say` is given what the assembler has to say. An error is for
    /// people: what is wrong, where, and what to do.
    fn load(&mut self, launch: &Launch, say: &mut dyn FnMut(String)) -> Result<Debugger, String>;

    /// The path by which a client can open a file of the program.
    fn full_path(&self, path: &str) -> String;

    /// The one name of a file, however its path is written.
    fn file(&self, path: &str) -> String;
}

/// A conversation with one client.
pub struct Session {
    world: Box<dyn World>,
    interrupt: Arc<AtomicBool>,
    client: Client,
    outbox: Outbox,
    stage: Stage,
    program: Option<Program>,
}

/// How far a session has come.
enum Stage {
    /// Nothing has been said yet.
    Silent,
    /// The client has introduced itself.
    Introduced,
    /// There is a program; the client sets its breakpoints.
    Preparing,
    /// The machine stands.
    Standing,
    /// The machine is on its way.
    Running(Way),
    /// The program has ended.
    Ended,
    /// The client has said goodbye.
    Over,
}

/// What is debugged.
struct Program {
    launch: Launch,
    dialogue: Dialogue,
    breakpoints: Breakpoints,
    /// Bytes of output that the client has been told of.
    told: u64,
    /// How many lines of the nest that the instruction is in are shown, from the outermost.
    depth: usize,
}

/// When a request may be asked.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Always,
    /// Behind `initialize`.
    Introduced,
    /// While there is a program.
    Loaded,
    /// While the machine stands.
    Standing,
}

struct Command {
    name: &'static str,
    when: When,
    run: fn(&mut Session, &Value) -> Answer,
}

const fn command(name: &'static str, when: When, run: fn(&mut Session, &Value) -> Answer) -> Command {
    Command { name, when, run }
}

/// All requests that are answered.
const COMMANDS: [Command; 37] = [
    command("initialize", When::Always, begin::initialize),
    command("launch", When::Introduced, begin::launch),
    command("attach", When::Introduced, begin::attach),
    command("configurationDone", When::Loaded, begin::configuration_done),
    command("restart", When::Loaded, begin::restart),
    command("terminate", When::Loaded, begin::terminate),
    command("disconnect", When::Always, begin::disconnect),
    command("cancel", When::Always, begin::cancel),
    command("setBreakpoints", When::Loaded, breakpoints::set_in_source),
    command("setFunctionBreakpoints", When::Loaded, breakpoints::set_at_labels),
    command("setInstructionBreakpoints", When::Loaded, breakpoints::set_at_instructions),
    command("setDataBreakpoints", When::Loaded, breakpoints::set_at_data),
    command("setExceptionBreakpoints", When::Loaded, breakpoints::set_at_exceptions),
    command("dataBreakpointInfo", When::Loaded, breakpoints::data_info),
    command("breakpointLocations", When::Loaded, breakpoints::locations),
    command("continue", When::Standing, travel::resume),
    command("reverseContinue", When::Standing, travel::reverse),
    command("next", When::Standing, travel::next),
    command("stepIn", When::Standing, travel::step_in),
    command("stepOut", When::Standing, travel::step_out),
    command("stepBack", When::Standing, travel::step_back),
    command("pause", When::Loaded, travel::pause),
    command("gotoTargets", When::Loaded, stack::goto_targets),
    command("goto", When::Standing, travel::goto),
    command("threads", When::Loaded, stack::threads),
    command("stackTrace", When::Standing, stack::trace),
    command("source", When::Loaded, stack::source),
    command("loadedSources", When::Loaded, stack::loaded_sources),
    command("scopes", When::Standing, variables::scopes),
    command("variables", When::Standing, variables::variables),
    command("setVariable", When::Standing, variables::set_variable),
    command("setExpression", When::Standing, variables::set_expression),
    command("evaluate", When::Loaded, evaluate::evaluate),
    command("completions", When::Loaded, evaluate::completions),
    command("disassemble", When::Standing, memory::disassemble),
    command("readMemory", When::Standing, memory::read),
    command("writeMemory", When::Standing, memory::write),
];

impl Session {
    /// A session that has not begun. The flag ends whatever takes long.
    pub fn new(world: Box<dyn World>, interrupt: Arc<AtomicBool>) -> Session {
        let (client, outbox) = Default::default();
        Session { world, interrupt, client, outbox, stage: Stage::Silent, program: None }
    }

    /// The names of all requests that are answered.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        COMMANDS.iter().map(|command| command.name)
    }

    /// Whether the machine is on its way: [`Session::run_on`] goes on with it.
    pub fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running(_))
    }

    /// Whether the client has said goodbye.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// What has to be sent.
    pub fn outgoing(&mut self) -> Vec<Value> {
        self.outbox.take()
    }

    /// Answers a message.
    pub fn receive(&mut self, message: Incoming) {
        match message {
            Incoming::Request(request) => {
                self.outbox.begin();
                let answer = self.answer(&request);
                self.outbox.respond(&request, answer);
            }
            Incoming::Cancelled(request) => {
                self.outbox.respond(&request, Err(Refusal("cancelled".to_owned())));
            }
            Incoming::Nonsense(what) => self.complain(&what),
        }
    }

    /// Tells the client of a fault that no request can be answered with.
    pub fn complain(&mut self, what: &str) {
        self.say("stderr", &format!("gray1 dap: {what}"));
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let name = request.command.as_str();
        let command = COMMANDS
            .iter()
            .find(|command| command.name == name)
            .ok_or_else(|| format!("`{name}` is not a request that this debugger knows"))?;
        self.may(command.when)?;
        (command.run)(self, &request.arguments)
    }

    /// Whether something may be asked now; if not, what has to come first.
    fn may(&self, when: When) -> Result<(), Refusal> {
        let reason = match (&self.stage, when) {
            (_, When::Always) => return Ok(()),
            (Stage::Silent, _) => "`initialize` comes first",
            (Stage::Ended | Stage::Over, _) => {
                "the program has ended: `disconnect`, then begin another session"
            }
            (_, When::Introduced) => return Ok(()),
            (Stage::Introduced, _) => "there is no program yet: `launch` comes first",
            (_, When::Loaded) => return Ok(()),
            (Stage::Preparing, When::Standing) => "`configurationDone` comes first",
            (Stage::Running(_), When::Standing) => "the machine is running: `pause` it first",
            (Stage::Standing, When::Standing) => return Ok(()),
        };
        Err(reason.into())
    }

    /// The program, and what goes with talking about it.
    fn parts(&mut self) -> Result<(&mut Program, &mut Outbox, &Client), Refusal> {
        let program = self.program.as_mut().ok_or("there is no program yet")?;
        Ok((program, &mut self.outbox, &self.client))
    }

    /// Says a line to the person in front of the editor.
    fn say(&mut self, category: &str, text: &str) {
        let text = format!("{}\n", text.trim_end());
        self.outbox.event("output", json!({ "category": category, "output": text }));
    }
}

impl Program {
    fn debugger(&self) -> &Debugger {
        self.dialogue.debugger()
    }

    fn debugger_mut(&mut self) -> &mut Debugger {
        self.dialogue.debugger_mut()
    }
}
