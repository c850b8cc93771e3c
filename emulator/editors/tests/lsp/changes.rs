//! Random edits and requests: after many small changes the server gives the same answers as for the whole text, nothing
//! panics, and every request is answered once.

use crate::lsp::editor::{Editor, uri};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::sync::LazyLock;
use test_support::random::messages::{change, edited, event, message};

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

/// All answers of a server about a text.
fn known(editor: &mut Editor) -> Vec<Value> {
    let methods = ["semanticTokens/full", "documentSymbol"];
    let mut known: Vec<Value> = methods.iter().map(|method| editor.ask_about(method)).collect();
    known.push(json!(editor.diagnostics.get(&uri("/home/main.g1"))));
    known
}

const QUESTIONS: [&str; 5] = ["hover", "definition", "completion", "signatureHelp", "prepareRename"];

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
            ] {
                let answer = editor.ask(&format!("textDocument/{method}"), params);
                prop_assert!(answer.is_ok(), "{}: {:?}", method, answer);
            }
            // These may be rejected.
            let params = json!({ "textDocument": document, "position": position, "newName": "zz" });
            let _ = editor.ask("textDocument/rename", params);
        }
        // Formatting a formatted text changes nothing.
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
