//! All requests in one table, [`COMMANDS`]: the function of each, and when it may be sent.

use super::state::{Needs, Session, Stage};
use super::{breakpoints, evaluate, execution, instructions, lifecycle, stack, variables};
use crate::dap::message::{Answer, Incoming, Refusal, Request, argument};
use serde_json::Value;

type Run = fn(&mut Session, &Value) -> Answer;

/// The name of each request, what it needs, and its function.
const COMMANDS: [(&str, Needs, Run); 33] = [
    ("initialize", Needs::Nothing, lifecycle::initialize),
    ("launch", Needs::Initialize, lifecycle::launch),
    ("attach", Needs::Initialize, lifecycle::attach),
    ("configurationDone", Needs::Program, lifecycle::configuration_done),
    ("restart", Needs::Program, lifecycle::restart),
    ("terminate", Needs::Program, lifecycle::terminate),
    ("disconnect", Needs::Nothing, lifecycle::disconnect),
    ("setBreakpoints", Needs::Program, breakpoints::set_on_lines),
    ("setFunctionBreakpoints", Needs::Program, breakpoints::set_on_labels),
    ("setInstructionBreakpoints", Needs::Program, breakpoints::set_on_instructions),
    ("setDataBreakpoints", Needs::Program, breakpoints::set_on_data),
    ("setExceptionBreakpoints", Needs::Program, breakpoints::set_on_exceptions),
    ("dataBreakpointInfo", Needs::Program, breakpoints::data_info),
    ("continue", Needs::Stop, execution::resume),
    ("reverseContinue", Needs::Stop, execution::reverse),
    ("next", Needs::Stop, execution::next),
    ("stepIn", Needs::Stop, execution::step_in),
    ("stepOut", Needs::Stop, execution::step_out),
    ("stepBack", Needs::Stop, execution::step_back),
    ("pause", Needs::Program, execution::pause),
    ("gotoTargets", Needs::Program, stack::goto_targets),
    ("goto", Needs::Stop, execution::goto),
    ("threads", Needs::Program, stack::threads),
    ("stackTrace", Needs::Stop, stack::trace),
    ("source", Needs::Program, stack::source),
    ("loadedSources", Needs::Program, stack::loaded_sources),
    ("scopes", Needs::Stop, variables::scopes),
    ("variables", Needs::Stop, variables::variables),
    ("setVariable", Needs::Stop, variables::set_variable),
    ("setExpression", Needs::Stop, variables::set_expression),
    ("evaluate", Needs::Program, evaluate::evaluate),
    ("completions", Needs::Program, evaluate::completions),
    ("disassemble", Needs::Stop, instructions::disassemble),
];

fn command(name: &str) -> Option<&'static (&'static str, Needs, Run)> {
    COMMANDS.iter().find(|(known, ..)| *known == name)
}

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
        COMMANDS.iter().map(|(name, ..)| *name)
    }

    /// Answers a message.
    pub fn receive(&mut self, message: Incoming) {
        match message {
            Incoming::Request(request) => {
                let needs = command(&request.command).map_or(Needs::Nothing, |(_, needs, _)| *needs);
                if let Some(request) = self.consider_job(request, needs) {
                    self.carry_out(request);
                }
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
                job.request = Some(request); // answered when the job is done
                self.outbox.release();
            }
            _ => self.outbox.respond(&request, answer),
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let name = request.command.as_str();
        let known = command(name);
        let (_, needs, run) =
            known.ok_or_else(|| format!("`{name}` is not a request that this debugger knows"))?;
        self.check(*needs)?;
        check_thread(&request.arguments)?;
        run(self, &request.arguments)
    }
}
