//! Random edits of a text, and random messages of the Language Server Protocol.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

/// Texts to insert, both likely and unlikely.
#[rustfmt::skip]
pub const TYPED: [&str; 23] = [
    "", "\n", " ", "x", "#", ";", "{k}", "\"", ".endfor\n", ".for k, 0, 3\n", ".macro m p\n", ".endmacro\n", ":",
    "1", "lda  ", "😀", "ä", "(", "= 3\n", ".include \"lib/all.g1\"\n", "\u{feff}", "\0", "m x, y\n",
];

/// Generates a change: its position, the number of removed characters, and the inserted text.
pub fn change() -> impl Strategy<Value = (Index, usize, &'static str)> {
    (any::<Index>(), prop_oneof![3 => 0..3usize, 1 => 0..80usize], select(&TYPED[..]))
}

/// Encodes a change for the protocol, with positions in UTF-16.
pub fn event(text: &str, (at, length, new): &(Index, usize, &str)) -> Value {
    let starts = text.char_indices().map(|(start, _)| start).chain([text.len()]);
    let starts: Vec<usize> = starts.collect();
    let start = starts[at.index(starts.len())];
    let end = text[start..].char_indices().nth(*length).map_or(text.len(), |(end, _)| start + end);
    let position = |offset: usize| {
        let line = text[..offset].matches('\n').count();
        let begin = text[..offset].rfind('\n').map_or(0, |end| end + 1);
        json!({ "line": line, "character": text[begin..offset].encode_utf16().count() })
    };
    json!({ "range": { "start": position(start), "end": position(end) }, "text": new })
}

/// Applies the edits of a server's answer to a text.
pub fn edited(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap_or_default() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let units = position["character"].as_u64().unwrap_or_default() as usize;
        let mut seen = 0;
        let within = text[start..].find(|c: char| {
            let is_there = seen >= units;
            seen += c.len_utf16();
            is_there
        });
        within.map_or(text.len(), |within| start + within)
    };
    let mut changes: Vec<(usize, usize, &str)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap_or_default())
        })
        .collect();
    changes.sort_by_key(|&(start, end, _)| (start, end));
    let mut result = String::new();
    let mut at = 0;
    for (start, end, new) in changes {
        assert!(start >= at, "edits do not overlap");
        result += &text[at..start];
        result += new;
        at = end;
    }
    result + &text[at..]
}

/// Makes the URI of a file.
pub fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Generates messages that resemble the protocol; some are invalid.
pub fn message() -> impl Strategy<Value = Value> {
    let methods: Vec<&str> = "initialize initialized shutdown exit workspace/symbol textDocument/didOpen \
        textDocument/didChange textDocument/didClose textDocument/hover textDocument/rename \
        textDocument/completion textDocument/formatting textDocument/rangeFormatting \
        textDocument/codeAction textDocument/inlayHint textDocument/foldingRange \
        textDocument/semanticTokens/range workspace/didChangeWatchedFiles $/cancelRequest x"
        .split(' ')
        .collect();
    let id = prop_oneof![
        4 => any::<i32>().prop_map(|id| json!(id)),
        1 => Just(json!("text")),
        1 => Just(Value::Null),
        1 => Just(json!({})),
    ];
    let position = (any::<u8>(), any::<i64>())
        .prop_map(|(line, character)| json!({ "line": line, "character": character }));
    let params = (
        prop_oneof![Just("/home/main.g1"), Just("/home/none.g1"), Just("")],
        position.clone(),
        position,
        junk(),
    )
        .prop_map(|(path, start, end, junk)| {
            let change = json!({ "range": { "start": start, "end": end }, "text": junk.to_string() });
            json!({
                "textDocument": { "uri": uri(path), "languageId": "gray1", "version": 1, "text": "x = 1\n" },
                "position": start,
                "positions": [start, end],
                "range": { "start": end, "end": start },
                "contentChanges": [change, { "text": "lda #x" }],
                "context": { "diagnostics": [], "includeDeclaration": junk },
                "newName": junk.to_string(),
                "query": "x",
                "options": { "tabSize": 8, "insertSpaces": true },
                "changes": [{ "uri": uri(path), "type": 1 }],
            })
        });
    let params = prop_oneof![4 => params, 1 => junk()];
    let request = (id.clone(), select(methods.clone()), params.clone()).prop_map(
        |(id, method, params)| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
    );
    let notice = (select(methods), params)
        .prop_map(|(method, params)| json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    let answer = id.prop_map(|id| json!({ "jsonrpc": "2.0", "id": id, "result": null }));
    prop_oneof![4 => request, 3 => notice, 1 => answer, 1 => junk()]
}

fn junk() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~ä]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map("[a-z]{1,8}", inner, 0..4)
                .prop_map(|map| Value::from(map.into_iter().collect::<serde_json::Map<_, _>>())),
        ]
    })
}
