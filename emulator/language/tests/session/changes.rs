//! Whatever is typed or sent: what the server knows after many small changes is what it knows of the whole text, nothing
//! panics, and every request is answered once.

use crate::editor::{Editor, edited, uri};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// All programs, by their names.
static PROGRAMS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let folder = std::fs::read_dir(test_support::programs::folder()).expect("there are programs");
    let mut sources: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "g1"));
    sources.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a program"))
    };
    sources.iter().map(read).collect()
});

/// What people type, and what they do not.
const TYPED: [&str; 23] = [
    "",
    "\n",
    " ",
    "x",
    "#",
    ";",
    "{k}",
    "\"",
    ".endfor\n",
    ".for k, 0, 3\n",
    ".macro m p\n",
    ".endmacro\n",
    ":",
    "1",
    "lda  ",
    "😀",
    "ä",
    "(",
    "= 3\n",
    ".include \"lib/all.g1\"\n",
    "\u{feff}",
    "\0",
    "m x, y\n",
];

/// A change: from where, how many characters go, and what comes.
fn change() -> impl Strategy<Value = (Index, usize, &'static str)> {
    (any::<Index>(), prop_oneof![3 => 0..3usize, 1 => 0..80usize], select(&TYPED[..]))
}

/// The change as the protocol has it, in UTF-16.
fn event(text: &str, (at, length, new): &(Index, usize, &str)) -> Value {
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

/// What a server tells about a text.
fn known(editor: &mut Editor) -> Vec<Value> {
    let methods = ["semanticTokens/full", "documentSymbol", "foldingRange"];
    let mut known: Vec<Value> = methods.iter().map(|method| editor.ask_about(method)).collect();
    known.push(json!(editor.diagnostics.get(&uri("/home/main.g1"))));
    known
}

const QUESTIONS: [&str; 6] =
    ["hover", "definition", "documentHighlight", "completion", "signatureHelp", "prepareRename"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn many_changes_are_the_same_as_the_whole_text(
        program in any::<Index>(),
        changes in vec(change(), 1..12),
    ) {
        let (_, text) = &PROGRAMS[program.index(PROGRAMS.len())];
        let mut text = text.clone();
        let mut editor = Editor::with(&text);
        for (version, change) in changes.iter().enumerate() {
            let event = event(&text, change);
            let edit = json!([{ "range": event["range"], "newText": event["text"] }]);
            text = edited(&text, &edit);
            let document = json!({ "uri": uri("/home/main.g1"), "version": version + 2 });
            let params = json!({ "textDocument": document, "contentChanges": [event] });
            editor.tell("textDocument/didChange", params);
        }
        let mut other = Editor::with(&text);
        prop_assert_eq!(known(&mut editor), known(&mut other));
    }

    #[test]
    fn every_place_of_a_mangled_program_can_be_asked_about(
        program in any::<Index>(),
        changes in vec(change(), 1..6),
        places in vec(any::<Index>(), 1..12),
    ) {
        let (_, text) = &PROGRAMS[program.index(PROGRAMS.len())];
        let mut text = text.clone();
        for change in &changes {
            let event = event(&text, change);
            text = edited(&text, &json!([{ "range": event["range"], "newText": event["text"] }]));
        }
        let mut editor = Editor::with(&text);
        let document = json!({ "uri": uri("/home/main.g1") });
        for place in places {
            let line = place.index(text.lines().count().max(1) + 2);
            let position = json!({ "line": line, "character": place.index(40) });
            for question in QUESTIONS {
                let answer = editor.ask_at(question, &position);
                // A name may be one that cannot be changed.
                prop_assert!(answer.is_ok() || question == "prepareRename", "{}: {:?}", question, answer);
            }
            let range = json!({ "start": position, "end": { "line": line + 3, "character": 0 } });
            for (method, params) in [
                ("references", json!({ "textDocument": document, "position": position, "context": { "includeDeclaration": true } })),
                ("codeAction", json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } })),
                ("inlayHint", json!({ "textDocument": document, "range": range })),
                ("selectionRange", json!({ "textDocument": document, "positions": [position] })),
            ] {
                let answer = editor.ask(&format!("textDocument/{method}"), params);
                prop_assert!(answer.is_ok(), "{}: {:?}", method, answer);
            }
            // These may be refused.
            let params = json!({ "textDocument": document, "position": position, "newName": "zz" });
            let _ = editor.ask("textDocument/rename", params);
        }
        // What is formatted is formatted.
        let options = json!({ "tabSize": 8, "insertSpaces": true });
        let params = json!({ "textDocument": document, "options": options });
        if let Ok(edits) = editor.ask("textDocument/formatting", params) {
            let formatted = gray1_assembler::format("main.g1", text.trim_start_matches('\u{feff}').as_bytes());
            prop_assert_eq!(edited(&text, &edits).replace('\r', ""), formatted.expect("it can be").replace('\r', ""));
        }
    }

    #[test]
    fn whatever_is_sent_requests_are_answered_once(messages in vec(message(), 1..24)) {
        let mut editor = Editor::with("limit = 3\nstart: jmp start\n");
        for message in messages {
            let is_over = editor.server.is_over().is_some();
            let is_notice = message.get("id").is_none() && message["method"].is_string();
            let is_answer = message.get("method").is_none() && message.get("result").is_some();
            let answers = editor.send(message.clone());
            if !is_notice && !is_answer && !is_over {
                prop_assert_eq!(answers.len(), 1, "{}", message);
            }
            prop_assert!(answers.len() <= 1, "{}", message);
        }
    }
}

/// Messages that look like those of the protocol, more or less.
fn message() -> impl Strategy<Value = Value> {
    let methods = vec![
        "initialize",
        "initialized",
        "shutdown",
        "exit",
        "workspace/symbol",
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/hover",
        "textDocument/rename",
        "textDocument/completion",
        "textDocument/formatting",
        "textDocument/rangeFormatting",
        "textDocument/codeAction",
        "textDocument/inlayHint",
        "textDocument/selectionRange",
        "textDocument/semanticTokens/range",
        "workspace/didChangeWatchedFiles",
        "$/cancelRequest",
        "x",
    ];
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
