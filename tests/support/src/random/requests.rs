//! Random requests of the Debug Adapter Protocol, about a program `count.g1` with the bytes `n` and `list`.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Names, numbers, commands and conditions that a text of a request can be.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "n", "list", "list[1]", "[1]", "a", "pc", "net.WE", "0x002", "-1", "loop", "repl", "hover", "read",
    "instruction", "line", "ram:0:3", "net:TICK", "AQID", "é{", "set n = 3", "goto start", "step 3 phases",
    "watch n", "delete", "count", "n = 2", "> 2", "indexed", "", "1 ($01)", "quit", "back", "help x",
];

/// Generates a value that some argument of some request can have.
fn value() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..20).prop_map(Value::from),
        select(vec![i64::MIN, i64::MAX, 0x10000, 0x10001, 0x20000, 0x20003, 4095, 4096])
            .prop_map(Value::from),
        select(TEXTS).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    prop_oneof![
        4 => plain.clone(),
        1 => Just(json!({ "path": "/p/count.g1" })),
        1 => Just(json!({ "hex": true })),
        1 => prop::collection::vec(breakpoint(), 0..3).prop_map(Value::from),
        1 => prop::collection::vec(plain, 0..3).prop_map(Value::from),
    ]
}

fn breakpoint() -> impl Strategy<Value = Value> {
    (0i64..14, select(vec!["", "n == 2", "n ==", "2", "{n}", "{"]), 0..5usize).prop_map(
        |(line, term, which)| {
            let key = ["condition", "hitCondition", "logMessage", "accessType", "offset"][which];
            json!({
                "line": line, "name": "loop", "instructionReference": "0x003", "dataId": "ram:0:0", key: term,
            })
        },
    )
}

/// Generates a request, usually with a valid command and some valid arguments.
pub fn request(known: Vec<String>) -> impl Strategy<Value = (String, Value)> {
    let travel =
        select(vec!["continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "evaluate"]);
    let command = prop_oneof![
        6 => select(known),
        4 => travel.prop_map(str::to_owned),
        1 => "[a-zA-Z]{0,8}",
    ];
    let keys = "source breakpoints line endLine threadId frameId variablesReference name value expression \
        context memoryReference offset instructionOffset instructionCount count data allowPartial \
        targetId granularity start filter format text column startFrame levels requestId arguments bytes \
        asAddress";
    let arguments = prop::collection::vec((select(keys.split(' ').collect::<Vec<_>>()), value()), 0..6)
        .prop_map(|pairs| {
            let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value));
            Value::Object(pairs.collect::<Map<_, _>>())
        });
    (command, prop_oneof![8 => arguments, 1 => value()])
}
