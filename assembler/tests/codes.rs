//! Every error and warning has a page in `assembler/diagnostics.md`, whose example gives it and nothing else.

use gray1_assembler::{
    Code, Diagnostic, ErrorCode, Loaded, Loader, MemoryLoader, Options, Warning, assemble,
};
use std::collections::BTreeSet;

fn found(loader: &dyn Loader, options: &Options) -> BTreeSet<&'static str> {
    let diagnostics = assemble(loader, "example.g1", options).report.diagnostics;
    diagnostics.iter().map(|diagnostic: &Diagnostic| diagnostic.code.name()).collect()
}

fn found_in(source: &[u8]) -> BTreeSet<&'static str> {
    found(&MemoryLoader::new([("example.g1", source)]), &Options::default())
}

/// A loader that asks to stop at once.
struct Stopping;

impl Loader for Stopping {
    fn load(&self, path: &str, _: Option<&str>) -> std::io::Result<Loaded> {
        Ok(Loaded { path: path.to_owned(), bytes: b"halt: jmp halt\n".to_vec() })
    }

    fn is_stopped(&self) -> bool {
        true
    }
}

/// Errors and warnings without an example in the document.
fn without_example(code: Code) -> BTreeSet<&'static str> {
    let constants = |name: &str| Options { constants: vec![(name.to_owned(), 1)], ..Options::default() };
    let program = MemoryLoader::new([("example.g1", "halt: jmp halt\n")]);
    match code {
        Code::Error(ErrorCode::NotUtf8) => found_in(b"\xFF"),
        Code::Error(ErrorCode::FileTooLarge) => found_in(&vec![b'\n'; 33 << 20]),
        Code::Error(ErrorCode::CannotRead) => found(&MemoryLoader::default(), &Options::default()),
        Code::Error(ErrorCode::BadDefinition) => found(&program, &constants("lda")),
        Code::Error(ErrorCode::Stopped) => found(&Stopping, &Options::default()),
        Code::Error(ErrorCode::TooManyErrors) => {
            let mut found = found_in("      lda #300\n".repeat(1_200).as_bytes());
            found.remove("constant-range");
            found
        }
        Code::Warning(Warning::UnusedDefinition) => found(&program, &constants("extra")),
        _ => panic!("{} has no example", code.name()),
    }
}

#[test]
fn every_code_has_a_page_whose_example_gives_it_and_nothing_else() {
    let (mut without, mut wrong) = (0, Vec::new());
    for code in Code::all() {
        let page = code.page();
        assert!(page.len() > 80, "{}: {page:?}", code.name());
        assert!(!page.contains('#') || page.contains("```") || page.contains("`#"), "{page}");
        let found = match code.example() {
            Some(source) => found_in(source.as_bytes()),
            None => {
                without += 1;
                without_example(code)
            }
        };
        if found != BTreeSet::from([code.name()]) {
            wrong.push((code.name(), found));
        }
        if code.summary().len() > 160 {
            wrong.push((code.name(), BTreeSet::from(["a long summary"])));
        }
        assert_eq!(Code::from_name(code.name()), Some(code));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(without, 7);
}

#[test]
fn the_document_has_no_page_without_a_code() {
    let document = include_str!("../diagnostics.md");
    let headings: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let unique: BTreeSet<&str> = headings.iter().copied().collect();
    assert_eq!(unique, Code::all().map(Code::name).collect());
    assert_eq!(unique.len(), headings.len());
}
