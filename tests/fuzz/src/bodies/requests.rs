//! Sessions of the Debug Adapter Protocol: each line is a JSON request, which gets one response. A refusal gives a
//! reason, and no answer is too long.

use super::machines::{COUNT, debugger, source};
use super::{MAX_ANSWER, drawn, text};
use gray1_debugger::Debugger;
use gray1_editors::dap::{Host, Incoming, Launch, Request, Session};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use test_support::random::requests::request;

/// The limit on the requests of a case. More would make it slow and find nothing new.
const MAX_REQUESTS: usize = 60;

/// A host that loads the same program for every path.
struct OneProgram;

impl Host for OneProgram {
    fn load(
        &mut self,
        _: &Launch,
        _: &mut dyn FnMut(String),
        _: &dyn Fn() -> bool,
    ) -> Result<Debugger, Box<dyn Error>> {
        Ok(debugger(source("count.g1", COUNT)))
    }

    fn full_path(&self, path: &str) -> String {
        format!("/p/{path}")
    }

    fn canonical_path(&self, path: &str) -> String {
        path.trim_start_matches("/p/").to_owned()
    }
}

fn line(command: &str, arguments: &Value) -> String {
    json!({ "command": command, "arguments": arguments }).to_string()
}

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let known = Session::commands().map(str::to_owned).collect();
    let requests = (prop::bool::weighted(0.9), prop::collection::vec(request(known), 1..40));
    let (begins, requests) = drawn(runner, &requests);
    let mut lines = Vec::new();
    if begins {
        lines.push(line("initialize", &json!({})));
        lines.push(line("launch", &json!({ "program": "/p/count.g1", "stopOnEntry": true })));
        lines.push(line("configurationDone", &Value::Null));
    }
    lines.extend(requests.iter().map(|(command, arguments)| line(command, arguments)));
    lines.join("\n").into_bytes()
}

pub fn check(case: &[u8]) {
    let mut session = Session::new(Box::new(OneProgram), Arc::new(AtomicBool::new(false)));
    for (seq, text) in (1..).zip(text(case).lines().take(MAX_REQUESTS)) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        let Some(command) = message["command"].as_str().map(str::to_owned) else { continue };
        let arguments = message["arguments"].clone();
        session.receive(Incoming::Request(Request { seq, command: command.clone(), arguments }));
        let mut heard = session.outgoing();
        while session.is_running() {
            session.run_on();
            heard.extend(session.outgoing());
        }
        let length: usize = heard.iter().map(|message| message.to_string().len()).sum();
        assert!(length < MAX_ANSWER, "{length} bytes in answer to {text}");
        let responses: Vec<&Value> = heard
            .iter()
            .filter(|message| message["type"] == "response" && message["request_seq"] == seq)
            .collect();
        let [response] = responses.as_slice() else { panic!("{} responses to {text}", responses.len()) };
        assert_eq!(response["command"], json!(command));
        let says_why =
            response["success"] == true || response["message"].as_str().is_some_and(|why| !why.is_empty());
        assert!(says_why, "{response}");
    }
}
