//! Tables of requests with the messages that a client receives, in process, with programs in memory.

use crate::dap::client::Client;
use gray1_editors::dap::{Incoming, Session};
use serde_json::{Value, json};

#[test]
fn steps_show_the_nest_as_deep_as_it_has_been_entered() {
    let mut client = Client::at_entry("count.g1");
    let way = [
        ("next", "count.g1 count.g1:5"),
        ("next", "loop count.g1:6"),
        ("next", "loop count.g1:7"),
        ("stepBack", "loop count.g1:6"),
        // Before two nested calls: two steps enter them, and the machine does not move.
        ("stepIn", "send send.g1:6 < loop count.g1:6"),
        ("stepIn", "digit send.g1:2 < send send.g1:6 < loop count.g1:6"),
        ("stepBack", "send send.g1:6 < loop count.g1:6"),
        ("next", "send send.g1:7 < loop count.g1:6"),
        ("stepBack", "send send.g1:6 < loop count.g1:6"),
        ("stepIn", "digit send.g1:2 < send send.g1:6 < loop count.g1:6"),
        ("stepIn", "digit send.g1:3 < send send.g1:6 < loop count.g1:6"),
        ("stepOut", "send send.g1:7 < loop count.g1:6"),
        ("stepOut", "loop count.g1:7"),
    ];
    for (number, (command, stack)) in way.into_iter().enumerate() {
        assert_eq!(client.go(command), "step", "{number}: {command}");
        assert_eq!(client.stack(), stack, "{number}: {command}");
    }
    let page = client.ask("stackTrace", json!({ "threadId": 1, "startFrame": 1, "levels": 1 }));
    assert_eq!(page["totalFrames"], 1);
    assert_eq!(page["stackFrames"], json!([]));
}

#[test]
fn routines_are_frames_to_step_over_and_out_of_in_both_directions() {
    let mut client = Client::at_entry("calls.g1");
    let way = [
        ("next", "calls.g1 calls.g1:3"),
        ("next", "calls.g1 calls.g1:4"),
        ("next", "calls.g1 calls.g1:5"),
        ("stepBack", "calls.g1 calls.g1:4"),
        ("stepIn", "outer calls.g1:8 < calls.g1 calls.g1:4"),
        ("next", "outer calls.g1:9 < calls.g1 calls.g1:4"),
        ("stepIn", "inner calls.g1:13 < outer calls.g1:9 < calls.g1 calls.g1:4"),
        ("stepOut", "outer calls.g1:10 < calls.g1 calls.g1:4"),
        ("stepBack", "outer calls.g1:9 < calls.g1 calls.g1:4"),
        ("next", "outer calls.g1:10 < calls.g1 calls.g1:4"),
        ("stepOut", "calls.g1 calls.g1:5"),
        ("next", "halt calls.g1:6"),
    ];
    for (number, (command, stack)) in way.into_iter().enumerate() {
        assert_eq!(client.go(command), "step", "{number}: {command}");
        assert_eq!(client.stack(), stack, "{number}: {command}");
    }
    // A frame of a call has scopes, but no parameters of its own.
    client.go("stepBack");
    client.go("stepIn");
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    assert_eq!(frames.as_array().map(Vec::len), Some(2));
    let scopes = client.ask("scopes", json!({ "frameId": frames[1]["id"] }));
    assert_eq!(scopes["scopes"][0]["name"], "Registers");
}

#[test]
fn instructions_are_steps_too() {
    let mut client = Client::at_entry("count.g1");
    for (command, cycle) in [("next", "1"), ("stepIn", "2"), ("stepIn", "3"), ("stepBack", "2")] {
        client.ask(command, json!({ "threadId": 1, "granularity": "instruction" }));
        assert_eq!(client.stopped()["reason"], "step");
        assert_eq!(client.value("cycle"), cycle);
    }
    for _ in 0..2 {
        client.ask("stepBack", json!({ "threadId": 1, "granularity": "instruction" }));
    }
    assert_eq!(client.stopped()["reason"], "step");
    client.ask("stepBack", json!({ "threadId": 1, "granularity": "instruction" }));
    assert_eq!(client.stopped()["reason"], "entry");
}

#[test]
fn a_halt_is_a_stop_and_going_on_from_it_the_end() {
    let mut client = Client::at_entry("count.g1");
    assert_eq!(client.go("continue"), "halt");
    assert_eq!(client.told("stdout"), "321");
    assert_eq!(client.stopped()["description"], "The machine has halted");
    assert_eq!(client.go("next"), "halt");
    assert_eq!(client.go("reverseContinue"), "entry");
    assert_eq!(client.go("continue"), "halt");
    assert_eq!(client.told("stdout"), "", "nothing is told twice");
    client.events.clear();
    client.ask("continue", json!({ "threadId": 1 }));
    assert!(client.saw("exited") && client.saw("terminated"), "{:?}", client.events);
    assert!(client.refused("threads", Value::Null).contains("has ended"));
    client.ask("disconnect", Value::Null);
    assert!(client.session.is_over());
}

#[test]
fn an_image_has_instructions_and_no_lines() {
    let mut client = Client::at_entry("image");
    assert_eq!(client.stack(), "at 0 -:0");
    assert_eq!(client.ask("loadedSources", Value::Null)["sources"], json!([]));
    assert_eq!(client.go("next"), "halt");
}

#[test]
fn without_debugging_a_program_runs_to_its_end() {
    let mut client = Client::new();
    client.ask("initialize", Value::Null);
    client.ask("launch", json!({ "program": "/p/count.g1", "noDebug": true, "stopOnEntry": true }));
    let lines = json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [{ "line": 4 }] });
    assert_eq!(client.ask("setBreakpoints", lines)["breakpoints"][0]["verified"], false);
    client.ask("configurationDone", Value::Null);
    while client.session.is_running() {
        client.session.run_on();
        client.events.extend(client.session.outgoing());
    }
    assert!(client.saw("exited") && client.saw("terminated") && !client.saw("stopped"));
    assert_eq!(client.told("stdout"), "321");
}

#[test]
fn requests_come_in_their_order() {
    let mut client = Client::new();
    let count = Session::commands().count();
    for command in Session::commands().filter(|name| !["initialize", "disconnect"].contains(name)) {
        assert!(client.refused(command, Value::Null).contains("`initialize` comes first"), "{command}");
    }
    assert!(count > 30, "{count} requests");
    assert!(client.refused("initialize", json!({ "pathFormat": "uri" })).contains("must be `path`"));
    assert!(client.refused("initialize", json!({ "linesStartAt1": false })).contains("from 1"));
    client.ask("initialize", json!({}));
    let endless = json!({ "program": "/p/endless.g1" });
    let cases = [
        ("initialize", Value::Null, "comes once"),
        ("attach", Value::Null, "`launch`"),
        ("threads", Value::Null, "`launch` comes first"),
        ("launch", Value::Null, "missing field `program`"),
        ("launch", json!({ "program": 7 }), "expected a string"),
        ("launch", json!({ "program": "/p/none.g1" }), "none.g1"),
        ("launch", endless.clone(), ""),
        ("launch", endless, "`restart` launches it again"),
        ("continue", Value::Null, "`configurationDone` comes first"),
        ("restart", Value::Null, "`configurationDone` comes first"),
        ("setBreakpoints", json!({ "source": {}, "breakpoints": [] }), "`path`"),
        (
            "setBreakpoints",
            json!({ "source": { "path": "/p/endless.g1" }, "breakpoints": [{}] }),
            "missing field `line`",
        ),
        ("configurationDone", json!([]), ""),
        ("configurationDone", Value::Null, "comes once"),
        ("next", Value::Null, "`pause` it first"),
        ("evaluate", json!({ "expression": "cycle >= 0" }), ""),
        ("evaluate", json!({ "expression": "run", "context": "repl" }), "`pause` it first"),
        ("frobnicate", Value::Null, "not a request"),
        ("pause", Value::Null, ""),
        ("stackTrace", Value::Null, ""),
        ("goto", json!({ "targetId": 5000 }), "no such target"),
        ("terminate", Value::Null, ""),
        ("continue", Value::Null, "has ended"),
    ];
    for (command, arguments, part) in cases {
        let response = client.request(command, arguments.clone());
        assert_eq!(response["success"], part.is_empty(), "{command} {arguments}: {response}");
        let message = response["message"].as_str().unwrap_or("");
        assert!(message.contains(part), "{command} {arguments}: {message}");
        client.session.run_on();
    }
}

#[test]
fn what_is_no_request_is_complained_of() {
    let cases = [
        ("{", "not JSON"),
        ("[]", "not a request"),
        ("{\"type\":\"request\"}", "without a command"),
        ("{\"type\":\"response\",\"command\":\"x\"}", "not a request"),
    ];
    for (text, part) in cases {
        let mut client = Client::new();
        client.session.receive(Incoming::read(text.as_bytes()));
        let events = client.session.outgoing();
        let output = events[0]["body"]["output"].as_str().unwrap();
        assert!(events.len() == 1 && output.contains(part), "{text}: {output}");
    }
}
