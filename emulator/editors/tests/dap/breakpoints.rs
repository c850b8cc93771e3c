//! Breakpoints of every kind, and when they are hit.

use crate::dap::client::{COUNT, Client, SEND};
use serde_json::{Value, json};

#[test]
fn every_kind_of_breakpoint_stops() {
    let mut client = Client::at_entry("count.g1");
    let lines = |list: Value| json!({ "source": { "path": "/p/count.g1" }, "breakpoints": list });
    let shown = |body: Value| body["breakpoints"].clone();
    // A breakpoint on a line without an instruction moves to the next line with one.
    let body = client.ask("setBreakpoints", lines(json!([{ "line": 2 }, { "line": 99 }])));
    assert_eq!(shown(body.clone())[0], json!({ "id": 1, "verified": true, "line": 4 }));
    assert_eq!(body["breakpoints"][1]["verified"], false);
    let bad = json!([{ "line": 8, "condition": "m == 1" }, { "line": 8, "hitCondition": "often" }]);
    let body = client.ask("setBreakpoints", lines(bad));
    assert!(body["breakpoints"][0]["message"].as_str().unwrap().contains("no name `m`"), "{body}");
    assert!(body["breakpoints"][1]["message"].as_str().unwrap().contains("not a hit count"), "{body}");

    type Case = (&'static str, Value, &'static str, &'static str, &'static str);
    let cases: [Case; 13] = [
        ("setBreakpoints", lines(json!([{ "line": 8 }])), "breakpoint", "loop count.g1:8", "3"),
        (
            "setBreakpoints",
            lines(json!([{ "line": 8, "condition": "n = 2" }])),
            "breakpoint",
            "loop count.g1:8",
            "2",
        ),
        (
            "setBreakpoints",
            lines(json!([{ "line": 8, "hitCondition": "3" }])),
            "breakpoint",
            "loop count.g1:8",
            "1",
        ),
        (
            "setBreakpoints",
            lines(json!([{ "line": 8, "hitCondition": "> 1" }])),
            "breakpoint",
            "loop count.g1:8",
            "2",
        ),
        (
            "setBreakpoints",
            lines(json!([{ "line": 8, "hitCondition": ">= 2" }])),
            "breakpoint",
            "loop count.g1:8",
            "2",
        ),
        (
            "setBreakpoints",
            lines(json!([{ "line": 8, "logMessage": "n={n}" }])),
            "halt",
            "halt count.g1:12",
            "0",
        ),
        (
            "setBreakpoints",
            json!({ "source": { "path": "/p/send.g1" }, "breakpoints": [{ "line": 6 }] }),
            "breakpoint",
            "send send.g1:6 < loop count.g1:6",
            "3",
        ),
        (
            "setFunctionBreakpoints",
            json!({ "breakpoints": [{ "name": "halt" }] }),
            "function breakpoint",
            "halt count.g1:12",
            "0",
        ),
        (
            "setInstructionBreakpoints",
            json!({ "breakpoints": [{ "instructionReference": "0x002", "offset": 1 }] }),
            "instruction breakpoint",
            "digit send.g1:3 < send send.g1:6 < loop count.g1:6",
            "3",
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "ram:0:0", "accessType": "write", "condition": "n == 2" }] }),
            "data breakpoint",
            "loop count.g1:9",
            "2",
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "ram:0:0", "accessType": "read" }] }),
            "data breakpoint",
            "loop count.g1:6",
            "3",
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "net:A7" }] }),
            "halt",
            "halt count.g1:12",
            "0",
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "net:WE" }] }),
            "data breakpoint",
            "count.g1 count.g1:5",
            "3",
        ),
    ];
    for (command, arguments, reason, stack, n) in cases {
        let mut client = Client::at_entry("count.g1");
        let body = client.ask(command, arguments.clone());
        assert_eq!(body["breakpoints"][0]["verified"], true, "{arguments}: {body}");
        assert_eq!(client.go("continue"), reason, "{arguments}");
        assert_eq!((client.stack().as_str(), client.value("n").as_str()), (stack, n), "{arguments}");
        if reason != "halt" {
            assert_eq!(client.stopped()["hitBreakpointIds"], json!([1]), "{arguments}");
        }
        if command == "setBreakpoints" && reason == "halt" {
            assert_eq!(client.told("console"), "n=3\nn=2\nn=1\n");
        }
        // Backwards it is hit at the same place as forwards.
        let here = client.value("cycle");
        if reason != "halt" {
            client.ask("next", json!({ "granularity": "instruction" }));
            assert_eq!(client.go("reverseContinue"), reason, "{arguments}");
            assert_eq!(client.value("cycle"), here, "{arguments}");
        }
    }
}

#[test]
fn log_points_speak_between_the_bytes_of_the_program() {
    let mut client = Client::at_entry("count.g1");
    let log = json!([{ "line": 8, "logMessage": "{n}!" }]);
    client.ask("setBreakpoints", json!({ "source": { "path": "/p/count.g1" }, "breakpoints": log }));
    assert_eq!(client.go("continue"), "halt");
    let said = client.events.iter().filter_map(|event| event["body"]["output"].as_str());
    assert_eq!(said.collect::<String>(), "33!\n22!\n11!\n");
}

#[test]
fn breakpoints_sent_again_keep_their_hits_and_a_restart_finds_their_lines_anew() {
    let mut client = Client::at_entry("count.g1");
    let both = json!([{ "line": 8, "hitCondition": "2" }, { "line": 12 }]);
    let one = json!([{ "line": 8, "hitCondition": "2" }]);
    let lines = |list: &Value| json!({ "source": { "path": "/p/count.g1" }, "breakpoints": list });
    client.ask("setBreakpoints", lines(&both));
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "net:A7" }] }));
    assert_eq!(client.go("continue"), "breakpoint");
    assert_eq!(client.ask("setBreakpoints", lines(&one))["breakpoints"][0]["id"], 1);
    assert_eq!(client.go("continue"), "breakpoint", "the second hit and all behind it");
    assert_eq!(client.value("n"), "1");

    let longer = COUNT.replace("loop:", "; one line more\nloop:");
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([
        ("count.g1".to_owned(), longer),
        ("send.g1".to_owned(), SEND.to_owned()),
    ]);
    client.events.clear();
    client.ask("restart", Value::Null);
    assert_eq!(client.stopped()["reason"], "entry");
    let changed: Vec<&Value> = client
        .events
        .iter()
        .filter(|event| event["event"] == "breakpoint")
        .map(|event| &event["body"])
        .collect();
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert_eq!(changed[0]["reason"], "changed");
    assert_eq!(client.go("continue"), "breakpoint");
    assert_eq!(client.stack(), "loop count.g1:8");
    assert_eq!(client.told("stdout"), "32", "a new run tells its output anew");

    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("count.g1", "lda m\n")]);
    assert!(client.refused("restart", Value::Null).contains("count.g1:1:5"));
    assert_eq!(client.stack(), "loop count.g1:8", "the old program is still there");
}

#[test]
fn a_breakpoint_at_the_first_instruction_is_met_at_once() {
    let mut client = Client::new();
    client.ask("initialize", Value::Null);
    client.ask("launch", json!({ "program": "/p/count.g1" }));
    let lines = json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [{ "line": 4 }] });
    client.ask("setBreakpoints", lines);
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stopped()["hitBreakpointIds"], json!([1]));
    assert_eq!(client.value("cycle"), "0");
}
