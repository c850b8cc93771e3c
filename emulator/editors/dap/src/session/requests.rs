//! All requests in one table, [`COMMANDS`]: the function of each, and when it may be sent.

use super::state::{Needs, Session, Stage};
use super::{breakpoints, evaluate, execution, lifecycle, memory, stack, variables};
use crate::message::{Answer, Incoming, Refusal, Request, argument};
use serde_json::Value;

type Run = fn(&mut Session, &Value) -> Answer;

struct Command {
    name: &'static str,
    needs: Needs,
    run: Run,
}

const fn command(name: &'static str, needs: Needs, run: Run) -> Command {
    Command { name, needs, run }
}

const COMMANDS: [Command; 37] = [
    command("initialize", Needs::Nothing, lifecycle::initialize),
    command("launch", Needs::Initialize, lifecycle::launch),
    command("attach", Needs::Initialize, lifecycle::attach),
    command("configurationDone", Needs::Program, lifecycle::configuration_done),
    command("restart", Needs::Program, lifecycle::restart),
    command("terminate", Needs::Program, lifecycle::terminate),
    command("disconnect", Needs::Nothing, lifecycle::disconnect),
    command("cancel", Needs::Nothing, lifecycle::cancel),
    command("setBreakpoints", Needs::Program, breakpoints::set_on_lines),
    command("setFunctionBreakpoints", Needs::Program, breakpoints::set_on_labels),
    command("setInstructionBreakpoints", Needs::Program, breakpoints::set_on_instructions),
    command("setDataBreakpoints", Needs::Program, breakpoints::set_on_data),
    command("setExceptionBreakpoints", Needs::Program, breakpoints::set_on_exceptions),
    command("dataBreakpointInfo", Needs::Program, breakpoints::data_info),
    command("breakpointLocations", Needs::Program, breakpoints::locations),
    command("continue", Needs::Stop, execution::resume),
    command("reverseContinue", Needs::Stop, execution::reverse),
    command("next", Needs::Stop, execution::next),
    command("stepIn", Needs::Stop, execution::step_in),
    command("stepOut", Needs::Stop, execution::step_out),
    command("stepBack", Needs::Stop, execution::step_back),
    command("pause", Needs::Program, execution::pause),
    command("gotoTargets", Needs::Program, stack::goto_targets),
    command("goto", Needs::Stop, execution::goto),
    command("threads", Needs::Program, stack::threads),
    command("stackTrace", Needs::Stop, stack::trace),
    command("source", Needs::Program, stack::source),
    command("loadedSources", Needs::Program, stack::loaded_sources),
    command("scopes", Needs::Stop, variables::scopes),
    command("variables", Needs::Stop, variables::variables),
    command("setVariable", Needs::Stop, variables::set_variable),
    command("setExpression", Needs::Stop, variables::set_expression),
    command("evaluate", Needs::Program, evaluate::evaluate),
    command("completions", Needs::Program, evaluate::completions),
    command("disassemble", Needs::Stop, memory::disassemble),
    command("readMemory", Needs::Stop, memory::read),
    command("writeMemory", Needs::Stop, memory::write),
];

/// The machine is the only thread.
fn check_thread(values: &Value) -> Result<(), Refusal> {
    match argument(values, "threadId")? {
        None | Some(1) => Ok(()),
        Some(other) => Err(format!("there is no thread {other}: the machine is thread 1").into()),
    }
}

impl Session {
    /// The names of all requests that are answered.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        COMMANDS.iter().map(|command| command.name)
    }

    /// Answers a message.
    pub fn receive(&mut self, message: Incoming) {
        match message {
            Incoming::Request(request) => {
                let command = COMMANDS.iter().find(|command| command.name == request.command);
                let needs = command.map_or(Needs::Nothing, |command| command.needs);
                if let Some(request) = self.consider_job(request, needs) {
                    self.carry_out(request);
                }
            }
            Incoming::Cancelled(request) => {
                self.outbox.respond(&request, Err(Refusal("cancelled".to_owned())));
            }
            Incoming::Invalid(what) => self.report(&what),
        }
    }

    /// Answers a request, or leaves the answer to the job that the request has started.
    pub(super) fn carry_out(&mut self, request: Request) {
        self.outbox.begin();
        let answer = self.answer(&request);
        match &mut self.stage {
            Stage::Busy(job) if job.wants_request() => {
                job.answer_later(request);
                self.outbox.release();
            }
            _ => self.outbox.respond(&request, answer),
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let name = request.command.as_str();
        let command = COMMANDS.iter().find(|command| command.name == name);
        let command = command.ok_or_else(|| format!("`{name}` is not a request that this debugger knows"))?;
        self.check(command.needs)?;
        check_thread(&request.arguments)?;
        (command.run)(self, &request.arguments)
    }
}
