//! The files for editors: they are valid JSON, and the grammar contains the words of the assembler.

use gray1_assembler::DIRECTIVES;
use gray1_isa::INSTRUCTIONS;
use gray1_isa::memory_map::BUILT_IN_NAMES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn the_grammar_contains_the_assemblers_words() {
    let mnemonics = INSTRUCTIONS.iter().map(|row| row.mnemonic.to_lowercase()).collect();
    let directives =
        DIRECTIVES.iter().map(|directive| directive.trim_start_matches('.').to_owned()).collect();
    let names = BUILT_IN_NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let tables: [(&str, BTreeSet<String>); 3] = [
        ("keyword.mnemonic.gray1", mnemonics),
        ("keyword.control.directive.gray1", directives),
        ("support.constant.gray1", names),
    ];
    let grammar = json("syntaxes/gray1.tmLanguage.json");
    let patterns = grammar["patterns"].as_array().expect("the grammar has patterns");
    for (scope, words) in tables {
        let pattern = patterns.iter().find(|pattern| pattern["name"] == scope);
        let pattern = pattern.and_then(|pattern| pattern["match"].as_str()).expect(scope);
        // The words are the alternatives of the only capturing group.
        let listed = pattern.split('(').find(|group| group.contains('|') && !group.starts_with('?'));
        let listed = listed.and_then(|group| group.split(')').next()).expect(scope);
        let listed: BTreeSet<String> = listed.split('|').map(str::to_owned).collect();
        assert_eq!(listed, words, "{scope}");
    }
}

#[test]
fn the_extension_is_complete() {
    let manifest = json("package.json");
    // The file that the extension starts is bundled from this one when the extension is packaged.
    let source = "extension.js";
    assert_eq!(manifest["main"], format!("./dist/{source}"));
    assert!(manifest["scripts"]["bundle"].as_str().is_some_and(|script| script.contains(source)));
    let mut files = vec![Value::from(source)];
    let contributes = &manifest["contributes"];
    files.extend(list(&contributes["languages"]).iter().map(|language| language["configuration"].clone()));
    files.extend(list(&contributes["grammars"]).iter().map(|grammar| grammar["path"].clone()));
    files.extend(list(&contributes["snippets"]).iter().map(|snippets| snippets["path"].clone()));
    assert_eq!(files.len(), 4);
    for file in files {
        let file = file.as_str().expect("a file is named by its path");
        assert!(folder().join(file).exists(), "{file}");
        if file.ends_with(".json") {
            json(file);
        }
    }
    // The properties of a launch configuration are those that the server reads.
    let launch = &contributes["debuggers"][0]["configurationAttributes"]["launch"]["properties"];
    let offered: BTreeSet<&str> =
        launch.as_object().expect("there are properties").keys().map(String::as_str).collect();
    let read = ["board", "defines", "input", "program", "ram", "stateIn", "stopOnEntry"];
    assert_eq!(offered, BTreeSet::from(read));
    let document = std::fs::read_to_string(root().join("docs/command-line.md")).expect("it is there");
    let editors = std::fs::read_to_string(root().join("docs/editors/README.md")).expect("it is there");
    let block = editors.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let block: Value = block.and_then(|text| serde_json::from_str(text).ok()).expect("its example is JSON");
    let example = block["configurations"][0].as_object().expect("it has a configuration");
    for key in example.keys().filter(|key| !["type", "request", "name"].contains(&key.as_str())) {
        assert!(offered.contains(key.as_str()), "{key}");
    }
    for property in read {
        assert!(
            document.contains(&format!("| `{property}` |")),
            "docs/command-line.md does not tell of `{property}`"
        );
    }
}

fn json(file: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn folder() -> PathBuf {
    root().join("docs/editors/vscode")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
