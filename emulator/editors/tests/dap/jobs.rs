//! Long work does not delay requests that do not need the machine.

use crate::dap::client::Client;
use gray1_editors::dap::{Incoming, Request};
use serde_json::{Value, json};

/// A client of a program that never ends, in the middle of its run.
fn endless() -> Client {
    let mut client = Client::at_entry("endless.g1");
    client.ask("evaluate", json!({ "expression": "goto cycle 100000", "context": "repl" }));
    client.events.clear();
    client
}

/// Sends a request and returns the messages that arrive without a delay.
fn send(client: &mut Client, seq: i64, command: &str, arguments: Value) -> Vec<Value> {
    client.session.receive(Incoming::Request(Request { seq, command: command.to_owned(), arguments }));
    client.session.outgoing()
}

/// The messages up to the response to a request.
fn until_response(client: &mut Client, seq: i64) -> Vec<Value> {
    let mut heard = Vec::new();
    while !heard.iter().any(|message: &Value| message["request_seq"] == seq) {
        assert!(client.session.is_running(), "no response to {seq}: {heard:?}");
        client.session.run_on();
        heard.extend(client.session.outgoing());
    }
    heard
}

fn has_event(heard: &[Value], event: &str) -> bool {
    heard.iter().any(|message| message["event"] == event)
}

#[test]
fn a_long_command_of_the_console_leaves_the_session_responsive() {
    for (line, ending, answer) in [
        ("until cycle < 0", ("pause", json!({ "threadId": 1 })), "interrupted"),
        ("back until cycle < 0", ("terminate", Value::Null), ""),
    ] {
        let mut client = endless();
        let typed = json!({ "expression": line, "context": "repl" });
        let heard = send(&mut client, 1000, "evaluate", typed);
        if line.starts_with("back") && !client.session.is_running() {
            continue; // on a fast computer it is done already
        }
        assert!(has_event(&heard, "continued") && heard.len() == 1, "{line}: {heard:?}");
        let heard = send(&mut client, 1001, "threads", Value::Null);
        assert_eq!(heard[0]["success"], true, "{heard:?}");
        let heard = send(&mut client, 1002, "stackTrace", json!({ "threadId": 1 }));
        assert!(heard[0]["message"].as_str().unwrap().contains("`pause`"), "{heard:?}");
        // A request that needs the program waits for it, and is not lost.
        let points = json!({ "breakpoints": [{ "name": "loop" }] });
        assert_eq!(send(&mut client, 1003, "setFunctionBreakpoints", points), [] as [Value; 0]);
        let mut heard = send(&mut client, 1004, ending.0, ending.1);
        if client.session.is_running() {
            heard.extend(until_response(&mut client, 1000));
        }
        let response = heard.iter().find(|message| message["request_seq"] == 1000).unwrap();
        assert!(response["message"].as_str().unwrap_or("").contains(answer), "{line}: {response}");
        assert!(has_event(&heard, "stopped"), "{line}: {heard:?}");
        for seq in [1003, 1004] {
            let response = heard.iter().find(|message| message["request_seq"] == seq).unwrap();
            assert_eq!(response["success"], true, "{line}: {response}");
        }
    }
}

#[test]
fn a_search_backwards_can_be_paused() {
    let mut client = endless();
    client.ask("evaluate", json!({ "expression": "goto cycle 20000000", "context": "repl" }));
    let before = client.value("cycle");
    let heard = send(&mut client, 1000, "reverseContinue", json!({ "threadId": 1 }));
    assert_eq!(heard[0]["success"], true);
    let heard = send(&mut client, 1001, "threads", Value::Null);
    assert_eq!(heard[0]["success"], true);
    let heard = send(&mut client, 1002, "pause", json!({ "threadId": 1 }));
    assert!(has_event(&heard, "stopped"), "{heard:?}");
    assert!(!client.session.is_running());
    let now = client.value("cycle");
    assert!(now == before || now == "0", "{now}: it is where it was, or at the beginning already");
}

/// The messages of a logpoint arrive while the command runs, not at its end.
#[test]
fn messages_of_a_long_command_come_as_they_are_logged() {
    let mut client = endless();
    client.ask("evaluate", json!({ "expression": "break loop log \"here {cycle}\"", "context": "repl" }));
    let mut heard = send(&mut client, 1000, "evaluate", json!({ "expression": "run", "context": "repl" }));
    while heard.iter().filter(|message| message["event"] == "output").count() < 5000 {
        client.session.run_on();
        heard.extend(client.session.outgoing());
    }
    heard.extend(send(&mut client, 1001, "pause", json!({ "threadId": 1 })));
    let response = heard.iter().find(|message| message["request_seq"] == 1000).unwrap();
    assert_eq!(response["message"], "interrupted");
}
