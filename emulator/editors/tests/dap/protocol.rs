//! Habits of real editors that the protocol does not suggest: unexpected requests, and messages taken literally.

use crate::dap::client::Client;
use serde_json::{Value, json};

/// An editor shows an error marked for the user in a popup, so only requests of the user may be marked.
#[test]
fn only_what_a_user_asked_for_is_shown_to_the_user() {
    let mut client = Client::at_entry("count.g1");
    let mut is_shown = |command: &str, arguments: Value| {
        let response = client.request(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        response["body"]["error"]["showUser"].as_bool().unwrap()
    };
    for context in ["watch", "hover", "variables", "clipboard", "repl"] {
        let sta = json!({ "expression": "sta 5 6", "context": context });
        assert!(!is_shown("evaluate", sta), "{context}");
    }
    assert!(!is_shown("setVariable", json!({ "variablesReference": 1, "name": "a", "value": "256" })));
    assert!(is_shown("launch", json!({ "program": "/p/count.g1" })));
    assert!(is_shown("goto", json!({ "targetId": -1 })));
}

#[test]
fn unknown_threads_are_refused() {
    let mut client = Client::at_entry("count.g1");
    for command in ["stackTrace", "next", "continue", "pause"] {
        let reason = client.refused(command, json!({ "threadId": 77 }));
        assert_eq!(reason, "there is no thread 77: the machine is thread 1", "{command}");
        let reason = client.refused(command, json!({ "threadId": "one" }));
        assert!(reason.contains("`threadId`"), "{command}: {reason}");
    }
}

/// After a refusal an editor closes the connection, and later messages are not read.
#[test]
fn all_errors_of_the_assembler_come_before_the_refusal() {
    let mut client = Client::new();
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("bad.g1", "lda m\nlda k\n")]);
    client.ask("initialize", Value::Null);
    let response = client.request("launch", json!({ "program": "/p/bad.g1" }));
    assert_eq!(response["success"], false);
    let heard = client.heard.iter().map(Value::to_string).collect::<Vec<_>>();
    assert!(heard[0].contains("bad.g1:1:5") && heard[0].contains("bad.g1:2:5"), "{heard:?}");
    assert!(heard[1].contains("\"response\""), "{heard:?}");
}

#[test]
fn an_event_without_a_body_has_none() {
    let mut client = Client::at_entry("count.g1");
    client.events.clear();
    client.ask("terminate", Value::Null);
    let terminated = client.events.iter().find(|event| event["event"] == "terminated").unwrap();
    assert_eq!(terminated.get("body"), None);
}

/// Helix does not say that a line comes from the console.
#[test]
fn a_line_without_a_context_was_typed_into_the_console() {
    let mut client = Client::at_entry("count.g1");
    let body = client.ask("evaluate", json!({ "expression": "step 3 cycles" }));
    assert!(body["result"].as_str().unwrap().starts_with("cycle 3 "), "{body}");
    client.ask("evaluate", json!({ "expression": "back" }));
    assert_eq!(client.value("cycle"), "2");
}

#[test]
fn completions_are_for_the_line_that_is_meant() {
    let mut client = Client::at_entry("count.g1");
    let two = json!({ "text": "print n\nprint li", "line": 2, "column": 9 });
    let body = client.ask("completions", two);
    assert_eq!(body["targets"], json!([{ "label": "list", "type": "variable", "start": 7, "length": 2 }]));
    let none = client.ask("completions", json!({ "text": "print n", "line": 5, "column": 9 }));
    assert!(none["targets"].as_array().unwrap().len() > 10, "an empty line can become anything");
}

#[test]
fn hit_counts_are_those_that_editors_offer() {
    let cases = [
        ("2", vec![2, 1]),
        (">= 2", vec![2, 1]),
        ("> 2", vec![1]),
        ("== 2", vec![2]),
        ("=2", vec![2]),
        ("< 2", vec![3]),
        ("<= 2", vec![3, 2]),
        ("% 2", vec![2]),
        ("% 0", vec![]),
    ];
    for (count, stops) in cases {
        let mut client = Client::at_entry("count.g1");
        let lines = json!([{ "line": 8, "hitCondition": count }]);
        let body = client
            .ask("setBreakpoints", json!({ "source": { "path": "/p/count.g1" }, "breakpoints": lines }));
        assert_eq!(body["breakpoints"][0]["verified"], true, "{count}: {body}");
        let mut found = Vec::new();
        while client.go("continue") == "breakpoint" {
            found.push(client.value("n").parse::<i64>().unwrap());
        }
        assert_eq!(found, stops, "{count}");
    }
}

#[test]
fn what_cannot_be_watched_is_not_verified() {
    let mut client = Client::at_entry("count.g1");
    let mut is_verified = |id: &str, access: Value| {
        let wanted = json!({ "breakpoints": [{ "dataId": id, "accessType": access }] });
        client.ask("setDataBreakpoints", wanted)["breakpoints"][0]["verified"] == true
    };
    assert!(is_verified("ram:0:0", json!("read")) && is_verified("ram:0:0", json!("write")));
    assert!(is_verified("ram:0:0", Value::Null) && is_verified("net:A7", json!("write")));
    assert!(!is_verified("ram:0:0", json!("bogus")) && !is_verified("net:A7", json!("read")));
    let body =
        client.ask("dataBreakpointInfo", json!({ "name": "list", "variablesReference": 2, "bytes": 2 }));
    assert_eq!(body["dataId"], "ram:1:2", "so many bytes as were asked for: {body}");
}

#[test]
fn a_function_breakpoint_is_any_location() {
    let mut client = Client::at_entry("count.g1");
    let names = json!([{ "name": "loop+2" }, { "name": "send.g1:3" }, { "name": "n" }, { "name": "lop" }]);
    let body = client.ask("setFunctionBreakpoints", json!({ "breakpoints": names }));
    let verified: Vec<bool> =
        body["breakpoints"].as_array().unwrap().iter().map(|one| one["verified"] == true).collect();
    assert_eq!(verified, [true, true, false, false], "{body}");
    assert!(body["breakpoints"][3]["message"].as_str().unwrap().contains("did you mean `loop`"), "{body}");
    assert_eq!(client.go("continue"), "function breakpoint");
    assert_eq!(client.value("pc"), "3");
}

/// Operands are disassembled with the names of the program.
#[test]
fn disassembly_names_operands() {
    let mut client = Client::new();
    let text = "second = list+1\nCOUNT = -3\nOTHER = 253\n.ram list, 3\nstart: lda #1\n sta RED+3\n sta second\n jmp start+1\n\
                add #COUNT\n add #253 ; COUNT\n nor #COUNT + OTHER - 253\n sta list + 1\n lda #-COUNT\n";
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("operands.g1", text)]);
    client.ask("initialize", Value::Null);
    client.ask("launch", json!({ "program": "/p/operands.g1", "stopOnEntry": true }));
    client.ask("configurationDone", Value::Null);
    let body = client.ask("disassemble", json!({ "memoryReference": "0x001", "instructionCount": 9 }));
    let shown: Vec<&str> = body["instructions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["instruction"].as_str().unwrap())
        .collect();
    let jumps = ["STA RED[3]", "STA second", "JMP start+1"];
    // A constant is shown by its name if the line names it and no other name has this value.
    let constants = ["ADD #COUNT", "ADD #$FD", "NOR #$FD", "STA list[1]", "LDA #$03"];
    assert_eq!(shown, [&jumps[..], &constants, &["JMP $009"]].concat());
}
