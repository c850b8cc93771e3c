//! What a client can see of the machine, and what it can change.

use crate::dap::client::Client;
use serde_json::{Value, json};

#[test]
fn what_is_shown_can_be_changed() {
    let mut client = Client::at_entry("count.g1");
    let scopes = client.ask("scopes", json!({ "frameId": 1 }));
    let names: Vec<&str> =
        scopes["scopes"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Registers", "RAM", "Display", "Nets", "Chips"]);
    // A frame that does not exist has no locals.
    let nowhere = client.ask("scopes", json!({ "frameId": i64::MAX }));
    assert_eq!(nowhere["scopes"].as_array().unwrap().len(), names.len());
    // Every variable in every container can be shown, and its expression evaluates to the value shown.
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
    let named = client.ask("variables", json!({ "variablesReference": 2 }))["variables"].clone();
    assert_eq!((&named[0]["name"], &named[1]["name"]), (&json!("n"), &json!("list")), "names come first");
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
    assert!(client.told("console").contains("forgotten: "), "{:?}", client.events);
    assert!(client.saw("invalidated") && !client.saw("stopped"));
    client.ask("setBreakpoints", json!({ "source": { "path": "/p/count.g1" }, "breakpoints": [] }));
    assert_eq!(client.go("continue"), "halt");
    assert_eq!(client.told("stdout"), "21", "what was told of the old future is told of the new one");

    // Going to a location is an edit, too.
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
        ("set n = 9", "the cycle was completed first", true),
        ("goto start", "cycle 0 ", true),
        ("wher", "cycle 0 ", false),
        ("frobnicate", "there is no command", false),
        ("run 5 6", "unexpected", false),
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
    assert_eq!(labels, ["where", "who", "why", "when"]);
}

#[test]
fn the_program_is_disassembled() {
    let mut client = Client::at_entry("count.g1");
    assert!(
        client
            .refused("disassemble", json!({ "memoryReference": "here", "instructionCount": 1 }))
            .contains("not an address")
    );
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

/// The frame of a call has the names around the call, and none of the routine.
#[test]
fn a_caller_has_its_own_locals() {
    let mut client = Client::new();
    let text = ".ram n\n.macro twice v\n lda v\n add v\n.endmacro\n.for row, 2, 4\n call bump\n.endfor\nhalt: jmp halt\n\
                .routine bump\n twice n\n.endroutine\n";
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("calls.g1", text)]);
    client.ask("initialize", Value::Null);
    client.ask("launch", json!({ "program": "/p/calls.g1", "stopOnEntry": true }));
    client.ask("configurationDone", Value::Null);
    client.go("stepIn");
    client.go("stepIn");
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    let lines: Vec<i64> =
        frames.as_array().unwrap().iter().filter_map(|frame| frame["line"].as_i64()).collect();
    assert_eq!(lines, [3, 11, 7]);
    let mut value = |name: &str, frame: usize| {
        let arguments = json!({ "expression": name, "frameId": frames[frame]["id"], "context": "watch" });
        client.request("evaluate", arguments)["body"]["result"].clone()
    };
    assert_eq!([value("v", 0), value("row", 2)], [json!("0"), json!("2")]);
    assert_eq!([value("v", 2), value("row", 0)], [Value::Null, Value::Null]);
    let scopes = client.ask("scopes", json!({ "frameId": frames[2]["id"] }))["scopes"].clone();
    let locals = json!({ "variablesReference": scopes[0]["variablesReference"] });
    assert_eq!(client.ask("variables", locals)["variables"][0]["name"], "row");
}

/// A program with a macro in a macro in a loop, each with names of its own.
const NESTED: &str = "\
.ram list, 3
.macro inner of, count
.again:
      lda of
      add #count
.endmacro
.macro outer to
      inner to, 7
      sta to
.endmacro
start:
.local: lda #1
.repeat 3, row
      outer list+row
.endrepeat
halt: jmp halt
";

/// Parameters and counters have a value in one frame, and are looked up in the frame that is asked about.
#[test]
fn each_frame_has_its_locals() {
    let mut client = Client::new();
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("nested.g1", NESTED)]);
    client.ask("initialize", json!({ "supportsMemoryReferences": true }));
    client.ask("launch", json!({ "program": "/p/nested.g1", "stopOnEntry": true }));
    client.ask("configurationDone", Value::Null);
    client.ask("evaluate", json!({ "expression": "step 5 cycles", "context": "repl" }));
    while client.stack().matches('<').count() < 3 {
        client.go("stepIn");
    }
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    let mut found = Vec::new();
    for frame in frames.as_array().unwrap() {
        let scopes = client.ask("scopes", json!({ "frameId": frame["id"] }))["scopes"].clone();
        let Some(locals) = scopes.as_array().unwrap().iter().find(|scope| scope["name"] == "Locals") else {
            continue;
        };
        let reference = locals["variablesReference"].clone();
        let body = client.ask("variables", json!({ "variablesReference": reference }));
        let shown: Vec<String> = body["variables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{}={}", one["name"], one["value"]).replace('"', ""))
            .collect();
        found.push(format!("{}: {}", frame["name"].as_str().unwrap(), shown.join(" ")));
    }
    let expected =
        ["inner: of=0, list[1] count=7", "outer: to=0, list[1]", "the iteration with row = 1: row=1"];
    assert_eq!(found, expected);
    // Watches and hovers say which frame they mean; the console means the one that is shown.
    let inner = frames[0]["id"].clone();
    let outermost = frames[3]["id"].clone();
    let ask = |client: &mut Client, name: &str, frame: &Value| {
        client.request("evaluate", json!({ "expression": name, "frameId": frame, "context": "watch" }))
    };
    assert_eq!(ask(&mut client, "count + of", &inner)["body"]["result"], "7");
    assert_eq!(ask(&mut client, "count", &frames[1]["id"])["success"], false);
    assert_eq!(ask(&mut client, "row", &frames[2]["id"])["body"]["result"], "1");
    // A macro cannot use the names around its call, but an expression of the user can.
    assert_eq!(ask(&mut client, "row + count", &inner)["body"]["result"], "8");
    assert_eq!(ask(&mut client, "row", &outermost)["success"], false);
    assert_eq!(client.ask("evaluate", json!({ "expression": "of + 5" }))["result"], "5");
    let body = client.ask("setExpression", json!({ "expression": "of", "value": "9", "frameId": inner }));
    assert_eq!(body["value"], "9");
    assert_eq!(client.value("list[1]"), "9");
    assert!(
        client.refused("setExpression", json!({ "expression": "count", "value": "9" })).contains("cannot")
    );
}

/// The built-in library is not on a disk: its text is requested by number.
#[test]
fn the_source_of_the_built_in_library_can_be_asked_for() {
    let program = "      lda  #3\n      not\nhalt: jmp halt\n.include \"lib/logic.g1\"\n";
    let mut client = Client::new();
    *client.shelf.borrow_mut() = gray1_assembler::MemoryLoader::new([("main.g1", program)]);
    client.ask("initialize", Value::Null);
    client.ask("launch", json!({ "program": "/p/main.g1", "stopOnEntry": true }));
    client.ask("configurationDone", Value::Null);
    client.ask("evaluate", json!({ "expression": "step", "context": "repl" }));
    client.go("stepIn");
    let source = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0]["source"].clone();
    assert_eq!((&source["name"], &source["path"]), (&"logic.g1".into(), &Value::Null), "{source}");
    for asked in [json!({ "source": source }), json!({ "sourceReference": source["sourceReference"] })] {
        let text = client.ask("source", asked)["content"].clone();
        assert!(text.as_str().is_some_and(|text| text.contains(".macro xor v")), "{text}");
    }
}

/// An accumulator that cannot hold 1 changes between 1 and 2: the board does not settle, which stops the machine.
#[test]
fn an_exception_is_explained() {
    let mut client = Client::new();
    client.ask("initialize", json!({}));
    let launch = json!({ "program": "/p/count.g1", "board": "A:0x00101=2 A:0x00201=1", "stopOnEntry": true });
    client.ask("launch", launch);
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stopped()["reason"], "entry");
    client.ask("continue", json!({ "threadId": 1 }));
    let stopped = client.stopped();
    assert_eq!(stopped["reason"], "exception");
    assert!(stopped["text"].as_str().unwrap().contains("does not settle"), "{stopped}");
}
