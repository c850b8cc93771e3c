//! The shipped programs: `gray1 examples` lists and writes them, and every command that takes a program finds them by
//! name.

use crate::support::{Folder, HI};
use std::fs;
use std::path::Path;

/// Reads the text of a shipped program.
fn program(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file)).unwrap()
}

#[test]
fn examples_are_listed_and_written_without_overwriting() {
    let folder = Folder::new();
    let list = folder.gray1("examples").succeeds().stdout;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 26 && names[0] == "first", "{list}");
    folder.gray1("examples new/here").succeeds();
    for name in &names {
        let file = format!("{name}.g1");
        assert_eq!(folder.read(&format!("new/here/{file}")), program(&file), "{file}");
    }
    let count = fs::read_dir(folder.path("new/here")).unwrap().count();
    assert_eq!(count, names.len());

    folder.gray1("examples some queens snake.g1").succeeds();
    assert_eq!(fs::read_dir(folder.path("some")).unwrap().count(), 2);
    folder.write("some/queens.g1", "; mine\n");
    folder.gray1("examples some").fails(1, &["some/queens.g1: cannot write: the file already exists"]);
    assert_eq!(fs::read_dir(folder.path("some")).unwrap().count(), 2, "all or none");
    assert_eq!(folder.read("some/queens.g1"), "; mine\n");
    folder.gray1("examples other quens").fails(2, &["is it `queens`?"]);
    folder.gray1("examples some/queens.g1").fails(1, &["some/queens.g1: cannot write"]);
    folder.gray1("examples queens").fails(2, &["`gray1 examples DIR queens` writes it"]);
    folder.gray1("examples -").fails(2, &["`-` is not a folder"]);
    assert_eq!(folder.names(), ["new", "some"]);
}

#[test]
fn every_command_finds_a_program_by_its_name() {
    let folder = Folder::new();
    let words = program("first.g1");
    folder.write("page.html", "<script type=\"application/json\" id=\"program\">{}</script>");
    folder.write("b.txt", "step\n");
    let cases: [(&[&str], i32); 11] = [
        (&["run", "first", "--engine", "isa"], 0),
        (&["run", "first", "--max-cycles", "1"], 3),
        (&["asm", "first"], 0),
        (&["asm", "first", "--format", "prom"], 0),
        (&["debug", "first", "--batch", "b.txt"], 0),
        (&["compare", "queens", "queens-bits"], 0),
        (&["chips", "PROGL", "--at", "0", "--program", "first"], 0),
        (&["tree", "queens", "--max-cycles", "20000"], 3),
        (&["why", "first", "--cycle", "2", "red", "0,0"], 0),
        (&["page", "first", "--page", "page.html", "-o", "first.html"], 0),
        (&["faults", "first", "--count", "1"], 0),
    ];
    for (arguments, code) in cases {
        folder.gray1(arguments).ends_with(code);
    }
    assert!(folder.path("first.bin").is_file() && folder.path("first.progl.bin").is_file());
    assert!(folder.read("first.html").contains("\"name\":\"first.g1\""));
    assert!(folder.read("first.html").contains(words.lines().next().unwrap()));
    fs::remove_file(folder.path("first.bin")).unwrap();
    folder.gray1("dis first").fails(1, &["gray1:first.g1: this is a source, not an image"]);
    folder.gray1("build --compare PCL b.txt --program first").fails(1, &["b.txt"]);
}

#[test]
fn files_take_precedence_over_shipped_programs() {
    let folder = Folder::new();
    let greets = |name: &str| folder.gray1(&["run", name]).succeeds().stdout == "hi\n";
    folder.write("first.g1", HI);
    assert!(greets("first") && greets("first.g1"), "the extension is optional");
    folder.write("first", "lda nothing\n");
    folder.gray1("run first").fails(1, &["first:1:5"]);
    // A folder of that name is ignored. A shipped program uses the built-in library, not a local copy.
    fs::create_dir_all(folder.path("primes/lib")).unwrap();
    fs::create_dir(folder.path("lib")).unwrap();
    folder.write("lib/all.g1", "not a library\n");
    folder.gray1("run primes --engine isa").succeeds();
}

#[test]
fn misspelt_names_get_suggestions() {
    let folder = Folder::new();
    let cases = [
        (
            "quens",
            "quens: cannot read: No such file or directory (os error 2); did you mean `queens`, a shipped program?",
        ),
        ("queen.g1", "did you mean `queens`, a shipped program?"),
        ("programs/queens.g1", "did you mean `queens`, a shipped program?"),
        ("zzzzzzz", "; `gray1 examples` lists the shipped programs"),
    ];
    for (name, message) in cases {
        folder.gray1(&["run", name]).fails(1, &[message]);
    }
    // A name with an extension refers to a file. A shipped program does not replace a missing file.
    folder
        .gray1("asm first.g1")
        .fails(1, &["first.g1: cannot read", "did you mean `first`, a shipped program?"]);
    assert_eq!(folder.names().len(), 0);
    let outcome = folder.gray1("run zzzzzzz.g1");
    assert!(!outcome.stderr.contains("shipped"));
}
