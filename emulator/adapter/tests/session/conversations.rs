//! What a client hears: tables of requests in process, over programs in memory.

use crate::client::{COUNT, Client, SEND};
use gray1_adapter::{Incoming, Session};
use serde_json::{Value, json};

#[test]
fn steps_show_the_nest_as_deep_as_it_has_been_entered() {
    let mut client = Client::at_entry("count.g1");
    let way = [
        ("next", "count.g1 count.g1:5"),
        ("next", "loop count.g1:6"),
        ("next", "loop count.g1:7"),
        ("stepBack", "loop count.g1:6"),
        // In front of two calls: two steps lead in, and the machine does not move.
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
fn every_kind_of_breakpoint_stops() {
    let mut client = Client::at_entry("count.g1");
    let lines = |list: Value| json!({ "source": { "path": "/p/count.g1" }, "breakpoints": list });
    let shown = |body: Value| body["breakpoints"].clone();
    // A line that makes no instruction gives way to the next that does.
    let body = client.ask("setBreakpoints", lines(json!([{ "line": 2 }, { "line": 99 }])));
    assert_eq!(shown(body.clone())[0], json!({ "id": 1, "verified": true, "line": 4 }));
    assert_eq!(body["breakpoints"][1]["verified"], false);
    let bad = json!([{ "line": 8, "condition": "m == 1" }, { "line": 8, "hitCondition": "often" }]);
    let body = client.ask("setBreakpoints", lines(bad));
    assert!(body["breakpoints"][0]["message"].as_str().unwrap().contains("no name `m`"), "{body}");
    assert!(body["breakpoints"][1]["message"].as_str().unwrap().contains("no hit count"), "{body}");

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
        // Backwards it is met where it is met forwards.
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
fn what_is_shown_can_be_changed() {
    let mut client = Client::at_entry("count.g1");
    let scopes = client.ask("scopes", json!({ "frameId": 1 }));
    let names: Vec<&str> =
        scopes["scopes"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Registers", "RAM", "Display", "Nets", "Chips"]);
    // Every part of everything can be shown, and what is named can be evaluated to what is shown.
    let mut count = 0;
    let mut holders: Vec<i64> = (1..=5).collect();
    while let Some(holder) = holders.pop() {
        let body = client.ask("variables", json!({ "variablesReference": holder, "count": 500 }));
        for variable in body["variables"].as_array().unwrap() {
            count += 1;
            match variable["variablesReference"].as_i64() {
                Some(0) => {}
                parts => holders.extend(parts),
            }
            if let Some(name) = variable["evaluateName"].as_str() {
                let value = variable["value"].as_str().unwrap();
                let value = if name == "pc" { value.split(',').next().unwrap() } else { value };
                assert_eq!(client.value(name), value, "{name}");
            }
        }
    }
    assert!(count > 1000, "{count} variables");
    let page = client.ask("variables", json!({ "variablesReference": 0x10000, "start": 16, "count": 2 }));
    let names: Vec<&Value> = page["variables"].as_array().unwrap().iter().map(|v| &v["name"]).collect();
    assert_eq!(names, ["[$010]", "[$011]"]);

    let cases = [
        (1, "a", "$33", Ok("51 ($33)")),
        (1, "c", "1", Ok("1")),
        (2, "n", "50 ($32)", Ok("50 ($32)")),
        (2, "n", "n + 1", Ok("51 ($33)")),
        (2, "OUT", "'A'", Ok("65 ($41)")),
        (0x10000, "[$001]", "9", Ok("9")),
        (1, "cycle", "5", Err("cannot be changed")),
        (4, "WE", "1", Err("cannot be changed")),
        (3, "row 0", "1", Err("is not a byte")),
        (2, "KEYS", "1", Err("`keys` change it")),
        (2, "n", "256", Err("does not fit")),
        (2, "n", "", Err("expected")),
        (99, "n", "1", Err("variablesReference")),
    ];
    for (reference, name, value, expected) in cases {
        let arguments = json!({ "variablesReference": reference, "name": name, "value": value });
        match expected {
            Ok(shown) => assert_eq!(client.ask("setVariable", arguments)["value"], shown, "{name} = {value}"),
            Err(part) => {
                let message = client.refused("setVariable", arguments);
                assert!(message.contains(part), "{name} = {value}: {message}");
            }
        }
    }
    assert_eq!(client.value("list"), "09 00 00");
    assert_eq!(client.ask("setExpression", json!({ "expression": "list[1]", "value": "7" }))["value"], "7");
    assert_eq!(client.value("list[1]"), "7");
    assert!(
        client.refused("setExpression", json!({ "expression": "net.A", "value": "7" })).contains("cannot")
    );
    let hex = json!({ "expression": "n", "format": { "hex": true } });
    assert_eq!(client.ask("evaluate", hex)["result"], "$33");
}

#[test]
fn an_edit_in_the_past_forks_the_run_and_its_output() {
    let mut client = Client::at_entry("count.g1");
    assert_eq!(client.go("continue"), "halt");
    client.ask(
        "setBreakpoints",
        json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [{ "line": 9 }] }),
    );
    assert_eq!(client.go("reverseContinue"), "breakpoint");
    assert_eq!(client.go("reverseContinue"), "breakpoint");
    assert_eq!(client.value("a"), "1");
    client.events.clear();
    client.ask("setVariable", json!({ "variablesReference": 1, "name": "a", "value": "2" }));
    assert!(client.told("console").contains("the history forks"), "{:?}", client.events);
    assert!(client.saw("invalidated") && !client.saw("stopped"));
    client.ask("setBreakpoints", json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [] }));
    assert_eq!(client.go("continue"), "halt");
    assert_eq!(client.told("stdout"), "21", "what was told of the old future is told of the new one");

    // A place to go to is an edit too.
    let targets = client.ask("gotoTargets", json!({ "source": { "path": "/p/count.g1" }, "line": 6 }));
    assert_eq!(targets["targets"][0]["label"], "loop");
    client.events.clear();
    client.ask("goto", json!({ "threadId": 1, "targetId": targets["targets"][0]["id"] }));
    assert_eq!(client.stopped()["reason"], "goto");
    assert_eq!(client.stack(), "loop count.g1:6");
}

#[test]
fn the_console_knows_expressions_and_every_command() {
    let mut client = Client::at_entry("count.g1");
    let mut say = |line: &str| {
        client.events.clear();
        let response = client.request("evaluate", json!({ "expression": line, "context": "repl" }));
        let said =
            if response["success"] == true { &response["body"]["result"] } else { &response["message"] };
        (said.as_str().unwrap().to_owned(), client.saw("stopped"))
    };
    let cases = [
        ("n", "0", false),
        ("n + 2 * 8", "16 ($10)", false),
        ("print n", "n = 0 ($00)", false),
        ("halt", "10 ($0A)", false),
        ("until output", "cycle 4 phase 1  pc=004 loop+2", true),
        ("who wrote n", "cycle 1 phase 1", false),
        ("set n = 9", "this cycle has been run to its end first", true),
        ("goto start", "cycle 0 ", true),
        ("wher", "cycle 0 ", false),
        ("frobnicate", "there is no command", false),
        ("run 5 6", "too much", false),
        ("break loop", "point 1", false),
        ("run", "point 1: loop", true),
    ];
    for (line, part, moved) in cases {
        let (said, stopped) = say(line);
        assert!(said.contains(part), "{line}: {said}");
        assert_eq!(stopped, moved, "{line}");
    }
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "halt" }] }));
    client.events.clear();
    client.ask("evaluate", json!({ "expression": "delete", "context": "repl" }));
    assert!(client.saw("breakpoint"), "the client hears that its breakpoint has gone");
    client.ask("evaluate", json!({ "expression": "quit", "context": "repl" }));
    assert!(client.saw("terminated"));

    let mut client = Client::at_entry("count.g1");
    let body = client.ask("completions", json!({ "text": "print li", "column": 9 }));
    assert_eq!(body["targets"], json!([{ "label": "list", "type": "variable", "start": 7, "length": 2 }]));
    let body = client.ask("completions", json!({ "text": "wh", "column": 3 }));
    let labels: Vec<&Value> =
        body["targets"].as_array().unwrap().iter().map(|target| &target["label"]).collect();
    assert_eq!(labels, ["where", "who", "when"]);
}

#[test]
fn memory_is_read_and_written_and_the_program_disassembled() {
    let mut client = Client::at_entry("count.g1");
    let write = |reference: &str, offset: i64, data: &str, partial: bool| json!({ "memoryReference": reference, "offset": offset, "data": data, "allowPartial": partial });
    let read = |reference: &str, offset: i64, count: i64| json!({ "memoryReference": reference, "offset": offset, "count": count });
    assert_eq!(client.ask("writeMemory", write("0x001", 0, "AQID", false))["bytesWritten"], 3);
    let cases = [
        (read("0x001", 0, 3), "AQID", 0),
        (read("1", 1, 1), "Ag==", 0),
        (read("0xffe", 0, 4), "AAA=", 2),
        (read("0x000", -1, 2), "", 2),
        (read("0xfffffffffff", i64::MAX, i64::MAX), "", 4096),
        (read("0x000", 0, -5), "", 0),
    ];
    for (arguments, data, unreadable) in cases {
        let body = client.ask("readMemory", arguments.clone());
        assert_eq!(
            (&body["data"], &body["unreadableBytes"]),
            (&json!(data), &json!(unreadable)),
            "{arguments}"
        );
    }
    assert!(client.refused("writeMemory", write("0xff7", 0, "AQID", false)).contains("inputs"));
    assert_eq!(client.ask("writeMemory", write("0xff7", 0, "AQID", true))["bytesWritten"], 1);
    assert!(client.refused("writeMemory", write("0x000", 0, "?", false)).contains("base64"));
    assert!(client.refused("readMemory", read("here", 0, 1)).contains("not an address"));

    let arguments = json!({ "memoryReference": "0x002", "instructionOffset": -3, "instructionCount": 5 });
    let body = client.ask("disassemble", arguments);
    let shown: Vec<String> = body["instructions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {}", one["address"], one["instruction"], one["symbol"]).replace('"', ""))
        .collect();
    let expected =
        ["-1 outside of the program null", "0x000 LDA #$03 null", "0x001 STA n null", "0x002 LDA n loop"];
    assert_eq!(shown[..4], expected);
    assert_eq!(body["instructions"][4]["location"]["path"], "/p/send.g1");
    assert_eq!(body["instructions"][4]["line"], 3);
}

#[test]
fn an_image_has_instructions_and_no_lines() {
    let mut client = Client::at_entry("image");
    assert_eq!(client.stack(), "at 0 -:0");
    assert_eq!(client.ask("loadedSources", Value::Null)["sources"], json!([]));
    assert_eq!(client.go("next"), "halt");
}

#[test]
fn a_client_that_counts_from_0_is_understood() {
    let mut client = Client::new();
    client.ask("initialize", json!({ "linesStartAt1": false, "columnsStartAt1": false }));
    client.ask("launch", json!({ "program": "/p/count.g1" }));
    let lines = json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [{ "line": 7 }] });
    assert_eq!(client.ask("setBreakpoints", lines)["breakpoints"][0]["line"], 7);
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stopped()["reason"], "breakpoint");
    let frame = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0].clone();
    assert_eq!((&frame["line"], &frame["column"]), (&json!(7), &json!(0)));
    let wanted = json!({ "source": { "path": "/p/count.g1" }, "line": 0, "endLine": 100 });
    let found = client.ask("breakpointLocations", wanted)["breakpoints"].clone();
    assert_eq!(found, json!([3, 4, 5, 6, 7, 8, 9, 10, 11].map(|line| json!({ "line": line }))));
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
    for command in Session::commands().filter(|name| !["initialize", "disconnect", "cancel"].contains(name)) {
        assert!(client.refused(command, Value::Null).contains("`initialize` comes first"), "{command}");
    }
    assert!(count > 30, "{count} requests");
    assert!(client.refused("initialize", json!({ "pathFormat": "uri" })).contains("must be `path`"));
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
        ("launch", endless, "`restart` begins again"),
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
        ("goto", json!({ "targetId": 5000 }), "no such place"),
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
