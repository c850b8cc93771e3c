//! Definitions, references and renaming.

use crate::lsp::editor::{Editor, edited, place, range, uri};
use gray1_assembler::Options;
use gray1_editors::lsp::Settings;
use serde_json::{Value, json};

const PROGRAM: &str = "\
size ?= 2
.ram  x
.macro jump to
  .here: jc   .here
        jmp  to
.endmacro
first:
.here: lda  #size
      jz   .here
      jump .here
second:
.here: sta  x
.for  x2, 0, 2
  .here: add #x2
        jc   .here
.endfor
      jmp  .here
";

fn places(answer: &Value) -> Vec<String> {
    let places = answer.as_array().into_iter().flatten();
    places.map(|place| range(place.get("range").unwrap_or(&Value::Null))).collect()
}

fn references(editor: &mut Editor, source: &str, wanted: &str) -> Vec<String> {
    let context = json!({ "includeDeclaration": true });
    let document = json!({ "uri": uri("/home/main.g1") });
    let params = json!({ "textDocument": document, "position": place(source, wanted), "context": context });
    places(&editor.ask("textDocument/references", params).expect("an answer"))
}

#[test]
fn local_labels_are_told_apart() {
    let mut editor = Editor::with(PROGRAM);
    for (wanted, found) in [
        (".here#1", &["3:2-3:7", "3:14-3:19"][..]),
        (".here#3", &["7:0-7:5", "8:11-8:16", "9:11-9:16"]),
        (".here#6", &["11:0-11:5", "16:11-16:16"]),
        (".here#7", &["13:2-13:7", "14:13-14:18"]),
        ("x2", &["12:6-12:8", "13:14-13:16"]),
        ("x\n", &["1:6-1:7", "11:12-11:13"]),
        ("to\n", &["2:12-2:14", "4:13-4:15"]),
        ("jump", &["2:7-2:11", "9:6-9:10"]),
    ] {
        assert_eq!(references(&mut editor, PROGRAM, wanted), found, "{wanted}");
    }
}

#[test]
fn definitions_are_found_in_other_files_and_in_the_library() {
    let mut editor = Editor::new(&[("/home/parts/more.g1", "limit = 3\n.function twice(v) = 2 * v\n")]);
    let source = ".include \"parts/more.g1\"\nstart: lda #twice(limit)\n      sub #1\n      jmp start\n.include \"lib/all.g1\"\n";
    editor.open("/home/main.g1", source);
    for (wanted, file, found) in [
        ("limit", "/home/parts/more.g1", "0:0-0:5"),
        ("twice", "/home/parts/more.g1", "1:10-1:15"),
        ("start#2", "/home/main.g1", "1:0-1:5"),
        ("parts", "/home/parts/more.g1", "0:0-0:0"),
    ] {
        let answer = editor.ask_at("definition", &place(source, wanted)).expect("an answer");
        assert_eq!(
            (answer[0]["uri"].as_str(), places(&answer)),
            (Some(&uri(file)[..]), vec![found.to_owned()])
        );
    }
    let answer = editor.ask_at("definition", &place(source, "sub")).expect("an answer");
    assert_eq!(answer[0]["uri"], "file:///cache/lib/arithmetic.g1");
}

#[test]
fn a_pasted_name_leads_to_what_it_makes() {
    let source = "\
.ram  row0
.ram  row1
.for  k, 0, 2
  try{k}: lda row{k}
        jz   try{1 - k}
.endfor
start: jmp  try0
";
    let mut editor = Editor::with(source);
    let answer = editor.ask_at("definition", &place(source, "row{k}")).expect("an answer");
    assert_eq!(places(&answer), ["0:6-0:10", "1:6-1:10"]);
    let answer = editor.ask_at("definition", &place(source, "try0")).expect("an answer");
    assert_eq!(places(&answer), ["3:2-3:8"]);
    assert_eq!(references(&mut editor, source, "row1"), ["1:6-1:10", "3:14-3:20"]);
    // Within the braces it is the counter.
    assert_eq!(references(&mut editor, source, "k}: "), ["2:6-2:7", "3:6-3:7", "3:18-3:19", "4:21-4:22"]);
    let error = rename(&mut editor, &place(source, "row1"), "line1").expect_err("a reason");
    assert_eq!(error["message"], "`row1` is pasted together at /home/main.g1:4:15, by `row{k}`");
}

fn rename(editor: &mut Editor, position: &Value, new_name: &str) -> Result<Value, Value> {
    let document = json!({ "uri": uri("/home/main.g1") });
    editor.ask(
        "textDocument/rename",
        json!({ "textDocument": document, "position": position, "newName": new_name }),
    )
}

#[test]
fn names_are_changed_everywhere_or_not_at_all() {
    let mut editor = Editor::with(PROGRAM);
    let renamed = |editor: &mut Editor, wanted: &str, new_name: &str| {
        let answer = rename(editor, &place(PROGRAM, wanted), new_name);
        answer.map(|edit| edited(PROGRAM, &edit["changes"][&uri("/home/main.g1")]))
    };
    assert_eq!(renamed(&mut editor, "size", "width"), Ok(PROGRAM.replace("size", "width")));
    assert_eq!(renamed(&mut editor, "x2", "k"), Ok(PROGRAM.replace("x2", "k")));
    let again = PROGRAM.replacen(".here", ".there", 2);
    assert_eq!(renamed(&mut editor, ".here", "there"), Ok(again));
    for (wanted, new_name, reason) in [
        ("size", "lda", "`lda` cannot be a name here"),
        ("size", "2x", "`2x` cannot be a name here"),
        ("size", "", "`` cannot be a name here"),
        ("size", ".size", "`.size` cannot be a name here"),
        ("size", "x", "`x` already has a meaning here"),
        ("x2", "x", "`x` already has a meaning here"),
        ("x\n", "to", "`to` already has a meaning here"),
        ("lda", "y", "there is no name of the program here"),
        ("jump", "return", "`return` cannot be a name here"),
        ("jump", "Call", "`Call` cannot be a name here"),
        ("jump", "read_table", "`read_table` cannot be a name here"),
        ("x\n", "a", "`a` cannot be a name here"),
        ("x\n", "A", "`A` cannot be a name here"),
    ] {
        let error = renamed(&mut editor, wanted, new_name).expect_err("a reason");
        assert_eq!(error["message"], reason, "{wanted} to {new_name}");
    }
    let source = "start: sub #1\n      sta OUT\n.include \"lib/all.g1\"\n";
    editor.open("/home/main.g1", source);
    for (wanted, reason) in [
        ("sub", "`sub` belongs to the library"),
        ("OUT", "`OUT` is built in, or defined outside of the program"),
    ] {
        let error = editor.ask_at("prepareRename", &place(source, wanted)).expect_err("a reason");
        assert_eq!(error["message"], reason);
    }
    assert_eq!(
        editor.ask_at("prepareRename", &place(source, "start")).map(|found| range(&found)),
        Ok("0:0-0:5".into())
    );
}

/// A parameter or a counter in the braces of a name that a statement defines.
#[test]
fn names_in_braces_of_definitions_are_changed_too() {
    for (source, braces) in [
        (
            ".macro mk \"old\"\n.macro m_{old}\n lda #1\n.endmacro\n.endmacro\n mk apples\n m_apples\n",
            "{old}",
        ),
        (".macro mk old\n.macro m_{old} p, q\n lda #p+q\n.endmacro\n.endmacro\n mk 5\n m_5 1, 2\n", "{old}"),
        (".macro mk old\n.function f_{old}(x) = x + old\n.endmacro\n mk 5\n lda #f_5(2)\n", "{old}"),
        (".for old, 0, 2\n.macro m_{old} p\n lda #p\n.endmacro\n.endfor\n m_1 3\n", "{old}"),
        (".for old, 0, 2\n.repeat 3, j{old}\n lda #j{old}\n.endrepeat\n.endfor\n", "{old}"),
    ] {
        let mut editor = Editor::with(source);
        for wanted in ["old", braces] {
            let mut position = place(source, wanted);
            position["character"] =
                (position["character"].as_u64().unwrap() + u64::from(wanted == braces)).into();
            let edit = rename(&mut editor, &position, "new").expect("it is renamed");
            let renamed = edited(source, &edit["changes"][&uri("/home/main.g1")]);
            assert_eq!(renamed, source.replace("old", "new"), "{wanted}");
        }
    }
}

#[test]
fn a_renamed_program_is_the_same_program() {
    use gray1_assembler::{Loaded, Loader, assemble};
    struct Programs(String);
    impl Loader for Programs {
        fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
            match from {
                None => Ok(Loaded { path: path.to_owned(), bytes: self.0.clone().into_bytes() }),
                Some(_) => Err(std::io::ErrorKind::NotFound.into()),
            }
        }
    }
    let image = |text: &str| {
        let program = assemble(&Programs(text.to_owned()), "main.g1", &Options::default()).program;
        program.map(|program| program.image.to_bytes())
    };
    let mut renames = 0;
    for name in ["queens.g1", "board.g1", "snake.g1", "calculator.g1", "life.g1"] {
        let path = test_support::programs::folder().join(name);
        let text = std::fs::read_to_string(path).expect("a program");
        let before = image(&text).expect("it has no errors");
        let mut editor = Editor::with(&text);
        let symbols = editor.ask_about("documentSymbol");
        for symbol in symbols.as_array().expect("symbols") {
            let new_name = if symbol["name"].as_str().is_some_and(|name| name.starts_with('.')) {
                ".zz_new"
            } else {
                "zz_new"
            };
            if let Ok(edit) = rename(&mut editor, &symbol["selectionRange"]["start"], new_name) {
                let after = edited(&text, &edit["changes"][&uri("/home/main.g1")]);
                assert!(image(&after).as_ref() == Some(&before), "{name}: {symbol}");
                renames += 1;
            }
        }
    }
    assert!(renames > 200, "{renames}");
}

#[test]
fn places_are_right_behind_umlauts_and_emoji() {
    let source = "; ä😀\n.macro say text\n.endmacro\n.ram  n\nhalt: say \"ö😀\" ; 😀\n      lda  #len(\"ä😀\")+limit\n limit = 3 ; ü\n      jmp halt\n";
    let mut editor = Editor::with(source);
    let answer = editor.ask_at("definition", &json!({ "line": 5, "character": 24 })).expect("an answer");
    assert_eq!(places(&answer), ["6:1-6:6"]);
    let context = json!({ "includeDeclaration": false });
    let document = json!({ "uri": uri("/home/main.g1") });
    let position = json!({ "line": 6, "character": 1 });
    let params = json!({ "textDocument": document, "position": position, "context": context });
    let answer = editor.ask("textDocument/references", params).expect("an answer");
    assert_eq!(places(&answer), ["5:23-5:28"]);
}

#[test]
fn a_name_is_changed_in_the_whole_program_that_is_open() {
    let mut editor = Editor::new(&[]);
    // The one in the middle comes first by its name.
    for (path, text) in [
        ("/home/main.g1", ".include \"b.g1\"\nstart: lda #limit\n      jmp start\n"),
        ("/home/b.g1", ".include \"c.g1\"\n"),
        ("/home/c.g1", "limit = 3\n"),
    ] {
        editor.open(path, text);
    }
    let position = json!({ "line": 0, "character": 0 });
    let params =
        json!({ "textDocument": { "uri": uri("/home/c.g1") }, "position": position, "newName": "most" });
    let edit = editor.ask("textDocument/rename", params).expect("an edit");
    assert_eq!(places(&edit["changes"][&uri("/home/c.g1")]), ["0:0-0:5"]);
    assert_eq!(places(&edit["changes"][&uri("/home/main.g1")]), ["1:12-1:17"]);
}

/// A file that two open programs include.
#[test]
fn a_name_is_changed_in_every_program_that_shares_it() {
    let files = [
        ("/home/a.g1", "size = 3\n.include \"shared.g1\"\nstart: lda #size\n      jmp start\n"),
        (
            "/home/b.g1",
            "size = 4\nmost = 9\n.include \"shared.g1\"\nstart: lda #size+most\n      jmp start\n",
        ),
        ("/home/shared.g1", ".macro load\n      lda #size\n.endmacro\n      load\n"),
    ];
    let mut editor = Editor::new(&[]);
    for (path, text) in files {
        editor.open(path, text);
    }
    let mut ask = |method: &str, path: &str, line: u32, character: u32, new_name: &str| {
        let position = json!({ "line": line, "character": character });
        let context = json!({ "includeDeclaration": true });
        let document = json!({ "uri": uri(path) });
        editor.ask(
            &format!("textDocument/{method}"),
            json!({ "textDocument": document, "position": position, "newName": new_name, "context": context }),
        )
    };
    let everywhere = [
        ("/home/a.g1", &["0:0-0:4", "2:12-2:16"][..]),
        ("/home/b.g1", &["0:0-0:4", "3:12-3:16"]),
        ("/home/shared.g1", &["1:11-1:15"]),
    ];
    // From the file in the middle, and from one of the programs.
    for (path, line, character) in [("/home/shared.g1", 1, 11), ("/home/b.g1", 0, 0), ("/home/a.g1", 2, 12)] {
        let edit = ask("rename", path, line, character, "width").expect("an edit");
        for (path, expected) in everywhere {
            assert_eq!(places(&edit["changes"][&uri(path)]), expected, "{path}");
        }
        let found = ask("references", path, line, character, "").expect("an answer");
        assert_eq!(found.as_array().map(Vec::len), Some(5), "{found}");
    }
    // A name that is taken in one of the programs is rejected.
    let error = ask("rename", "/home/a.g1", 0, 0, "most").expect_err("a reason");
    assert_eq!(error["message"], "`most` already has a meaning here");
    let edit = ask("rename", "/home/b.g1", 1, 0, "least").expect("an edit");
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(1), "{edit}");
}

/// Programs of the folder that are not open would be broken otherwise.
#[test]
fn a_name_is_changed_in_programs_of_the_folder_that_are_not_open() {
    let mut editor = Editor::new(&[
        ("/home/main.g1", ".include \"sub.g1\"\n lda #shared\nhalt: jmp halt\n"),
        ("/home/deep/other.g1", " lda #shared\nhalt: jmp halt\n.include \"../sub.g1\"\n"),
        ("/home/alone.g1", "shared = 5\n lda #shared\nhalt: jmp halt\n"),
        ("/home/sub.g1", "shared = 3\n"),
    ]);
    editor.open("/home/sub.g1", "shared = 3\n");
    let rename = |editor: &mut Editor, new_name: &str| {
        let document = json!({ "uri": uri("/home/sub.g1") });
        let position = json!({ "line": 0, "character": 0 });
        let params = json!({ "textDocument": document, "position": position, "newName": new_name });
        editor.ask("textDocument/rename", params)
    };
    let edit = rename(&mut editor, "common").expect("an edit");
    assert_eq!(places(&edit["changes"][&uri("/home/sub.g1")]), ["0:0-0:6"]);
    assert_eq!(places(&edit["changes"][&uri("/home/main.g1")]), ["1:6-1:12"]);
    assert_eq!(places(&edit["changes"][&uri("/home/deep/other.g1")]), ["0:6-0:12"]);
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(3), "{edit}");
    // A name that a program which is not open has already is rejected.
    assert!(rename(&mut editor, "halt").is_err());
}

#[test]
fn names_that_are_defined_outside_stay() {
    let options = Options { constants: vec![("n".to_owned(), 7)], ..Options::default() };
    let mut editor = Editor::of(&[], json!({}), Settings { options, ..Settings::default() });
    let source = "n ?= 4\nm ?= n\nstart: lda #m\n      jmp start\n";
    editor.open("/home/main.g1", source);
    for (wanted, new_name, reason) in [
        ("n", "k", "`n` is built in, or defined outside of the program"),
        ("m", "n", "`n` already has a meaning here"),
    ] {
        let error = rename(&mut editor, &place(source, wanted), new_name).expect_err("a reason");
        assert_eq!(error["message"], reason);
    }
    assert!(rename(&mut editor, &place(source, "m"), "k").is_ok());
}

/// An editor that takes versions gets them: of each buffer, and none of a file that is not open.
#[test]
fn edits_are_for_a_version() {
    let capabilities = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let mut editor = Editor::that_can(&[("/home/more.g1", ".routine inner\n.endroutine\n")], capabilities);
    editor.open("/home/main.g1", "");
    let text = "      call inner\nhalt: jmp  halt\n.include \"more.g1\"\n lda y\n";
    let changes = json!([{ "text": text }]);
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri("/home/main.g1"), "version": 7 }, "contentChanges": changes }),
    );
    let document = json!({ "uri": uri("/home/main.g1") });
    let params = json!({ "textDocument": document, "position": place(text, "inner"), "newName": "within" });
    let edit = editor.ask("textDocument/rename", params).expect("an answer");
    let versions = edit["documentChanges"].as_array().expect("changes").iter();
    let mut versions: Vec<(String, Value)> = versions
        .map(|change| (change["textDocument"]["uri"].to_string(), change["textDocument"]["version"].clone()))
        .collect();
    versions.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [("/home/main.g1", json!(7)), ("/home/more.g1", Value::Null)];
    assert_eq!(versions, expected.map(|(path, version)| (json!(uri(path)).to_string(), version)));
    assert!(edit.get("changes").is_none());
    let range = json!({ "start": place(text, "y\n"), "end": place(text, "y\n") });
    let params = json!({ "textDocument": { "uri": uri("/home/main.g1") }, "range": range, "context": { "diagnostics": [] } });
    let fixes = editor.ask("textDocument/codeAction", params).expect("an answer");
    let fixes = fixes.as_array().expect("fixes");
    assert!(!fixes.is_empty());
    for fix in fixes {
        assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"]["version"], 7, "{fix}");
    }
}
