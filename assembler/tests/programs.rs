//! Assembles every program under `tests/programs/`: its words, errors and warnings must be those in its comments.
//!
//! - `; = 1005 2FE0` on a line: the line makes these words, in this order (including those of macro calls on it).
//! - `; error: text` and `; warning[name]: text`: a diagnostic points to this line, and its message contains the text.
//!   There must be no other diagnostics.
//! - `name.expected` beside `name.g1`: the diagnostics as they are rendered; `name.listing`, `name.symbols`,
//!   `name.hex`, `name.formatted`: these outputs. `UPDATE=1` rewrites them.
//!
//! Files in folders are for `.include`.

use gray1_assembler::{
    Assembly, Diagnostic, Loaded, Loader, Options, Severity, Warning, assemble, beside, disassemble, format,
    intel_hex,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use test_support::golden;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

struct Folder;

impl Loader for Folder {
    fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
        let path = beside(from, path);
        let bytes = std::fs::read(folder().join(&path));
        let bytes = bytes.map_err(|error| std::io::Error::new(error.kind(), "no such file"))?;
        Ok(Loaded { path, bytes })
    }
}

fn programs() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder of test programs");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".g1")).collect();
    names.sort();
    names
}

fn options() -> Options {
    let constants = vec![("PREDEFINED".to_owned(), 7)];
    // Most of the programs do not use that constant.
    Options { constants, silenced: vec![Warning::UnusedDefinition], ..Options::default() }
}

fn assemble_file(name: &str) -> Assembly {
    assemble(&Folder, name, &options())
}

/// The expectations in the comments of a program, by line.
#[derive(Default)]
struct Expectations {
    words: BTreeMap<usize, String>,
    diagnostics: Vec<(usize, String)>,
}

fn expectations(source: &str) -> Expectations {
    let mut expected = Expectations::default();
    for (number, line) in (1..).zip(source.lines()) {
        for comment in line.split("; ").skip(1) {
            let comment = comment.trim();
            if let Some(words) = comment.strip_prefix("= ") {
                expected.words.insert(number, words.to_owned());
            } else if comment.starts_with("error: ") || comment.starts_with("warning[") {
                expected.diagnostics.push((number, comment.to_owned()));
            }
        }
    }
    expected
}

fn summary(diagnostic: &Diagnostic) -> String {
    match diagnostic.severity {
        Severity::Error => format!("error: {}", diagnostic.message),
        Severity::Warning(warning) => format!("warning[{}]: {}", warning.name(), diagnostic.message),
    }
}

/// Compares with the golden file of this extension, if there is one.
fn check_golden(name: &str, extension: &str, found: &str) -> bool {
    let path = folder().join(name).with_extension(extension);
    if path.exists() {
        assert!(golden::agrees(&path, found), "{name}, {extension}:\n{found}");
        return true;
    }
    false
}

fn check(name: &str) -> usize {
    let source = String::from_utf8_lossy(&std::fs::read(folder().join(name)).expect("a source")).into_owned();
    let expected = expectations(&source);
    let assembly = assemble_file(name);
    let sources = &assembly.report.sources;
    let rendered = assembly.report.render(false);

    let mut golden = 0;
    if let Ok(formatted) = format(name, source.as_bytes()) {
        golden += usize::from(check_golden(name, "formatted", &formatted));
    }
    if let Some(program) = &assembly.program {
        golden += usize::from(check_golden(name, "listing", &program.listing(sources)));
        golden += usize::from(check_golden(name, "symbols", &program.symbol_file(sources)));
        golden += usize::from(check_golden(name, "hex", &intel_hex(&program.image).concat()));
    }
    if check_golden(name, "expected", &rendered) {
        return golden + 1;
    }

    let mut missing = expected.diagnostics.clone();
    let mut unexpected = Vec::new();
    for diagnostic in &assembly.report.diagnostics {
        let line = diagnostic.span.map_or(0, |span| sources.position(span).line);
        let found = summary(diagnostic);
        let place = missing.iter().position(|(at, text)| *at == line && found.starts_with(text.as_str()));
        match place {
            Some(place) => drop(missing.swap_remove(place)),
            None => unexpected.push(format!("{line}: {found}")),
        }
    }
    let all_as_expected = missing.is_empty() && unexpected.is_empty();
    assert!(all_as_expected, "{name}: expected in vain: {missing:#?}\nunexpected: {unexpected:#?}");

    let Some(program) = &assembly.program else {
        assert!(!expected.diagnostics.is_empty(), "{name} does not assemble, and no comment says so");
        return expected.diagnostics.len();
    };
    let mut words: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for word in &program.words {
        let outermost = program.chain(word).last().map_or(word.span, |caller| caller.span);
        let bits = program.image.word(word.sequence).0;
        words.entry(sources.position(outermost).line).or_default().push(format!("{bits:04X}"));
    }
    let mut wrong = Vec::new();
    for (line, text) in &expected.words {
        let found = words.get(line).map(|words| words.join(" ")).unwrap_or_default();
        if found != *text {
            wrong.push(format!("{name}:{line}: expected {text}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    golden + expected.words.len() + expected.diagnostics.len()
}

#[test]
fn every_program_does_what_its_comments_say() {
    let programs = programs();
    assert!(!programs.is_empty());
    for name in programs {
        assert!(check(&name) > 0, "{name}: nothing is expected of it");
    }
}

#[test]
fn formatting_changes_no_image() {
    for name in programs() {
        let source = std::fs::read(folder().join(&name)).expect("a source");
        let Ok(once) = format(&name, &source) else { continue };
        let twice = format(&name, once.as_bytes()).expect("what was formatted can be formatted");
        assert_eq!(once, twice, "{name}");
        let before = assemble_file(&name).program;
        let after = assemble(&Replaced(&name, &once), &name, &options());
        assert_eq!(before.map(|program| program.image), after.program.map(|program| program.image), "{name}");
    }
}

/// The folder with one file replaced.
struct Replaced<'a>(&'a str, &'a str);

impl Loader for Replaced<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
        let mut loaded = Folder.load(path, from)?;
        if loaded.path == self.0 {
            loaded.bytes = self.1.as_bytes().to_vec();
        }
        Ok(loaded)
    }
}

#[test]
fn disassembling_changes_no_image() {
    for name in programs() {
        let Some(program) = assemble_file(&name).program else { continue };
        let source = disassemble(&program.image);
        let files = gray1_assembler::MemoryLoader::new([("again.g1", source)]);
        let again = assemble(&files, "again.g1", &Options::default());
        let again = again.program.unwrap_or_else(|| panic!("{name}: {}", again.report.render(false)));
        assert_eq!(again.image, program.image, "{name}");
    }
}
