//! `gray1 asm`, `dis` and `fmt`: output formats, round trips, and that an error leaves no files.

use crate::support::{Folder, GRAY1, HI};
use std::fs;
use test_support::terminal::Shell;

#[test]
fn an_image_is_written_beside_its_source() {
    let folder = Folder::with(HI);
    assert_eq!(folder.gray1("asm p.g1").succeeds().stdout, "");
    let image = fs::read(folder.path("p.bin")).unwrap();
    assert_eq!(image.len(), 8192);
    assert_eq!(image[..4], [0x68, 0x10, 0xF0, 0x2F]); // LDA #'h', STA OUT
    let piped = folder.start("asm p.g1 -o -").output();
    assert_eq!(piped.stdout, image);
}

#[test]
fn a_source_is_never_overwritten() {
    let folder = Folder::with(HI);
    folder.gray1("asm p.g1 -o p.g1").fails(2, &["would overwrite"]);
    folder.write("s.bin", HI);
    folder.gray1("asm s.bin").fails(2, &["would overwrite"]);
    assert_eq!((folder.read("p.g1"), folder.read("s.bin")), (HI.to_owned(), HI.to_owned()));
}

#[test]
fn two_chips_make_two_files() {
    let folder = Folder::with(HI);
    folder.gray1("asm p.g1 --format prom -o out").succeeds();
    folder.gray1("asm p.g1 --format hex -o out").succeeds();
    folder.gray1("asm p.g1 --format prom").succeeds();
    assert_eq!(
        folder.names(),
        [
            "out.progh.bin",
            "out.progh.hex",
            "out.progl.bin",
            "out.progl.hex",
            "p.g1",
            "p.progh.bin",
            "p.progl.bin"
        ]
    );
    let low = fs::read(folder.path("out.progl.bin")).unwrap();
    assert_eq!(low.len(), 4096);
    assert_eq!(low[0], 0x68); // the Gray codes of words 0, 1 and 2 are 0, 1 and 3
    assert_eq!((low[1], low[3]), (0xF0, 0x69));
    let hex = folder.read("out.progl.hex");
    assert!(hex.lines().all(|line| line.starts_with(':')) && hex.ends_with(":00000001FF\n"), "{hex}");
}

#[test]
fn listings_and_symbols_go_to_standard_output() {
    let folder = Folder::with(HI);
    let listing = folder.gray1("asm p.g1 --format listing").succeeds().stdout;
    assert!(listing.contains("1068") && listing.contains("halt"), "{listing}");
    let symbols = folder.gray1("asm p.g1 --format symbols").succeeds().stdout;
    assert!(symbols.contains("\"halt\""), "{symbols}");
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn disassembled_images_assemble_to_the_same_image() {
    let folder = Folder::with(HI);
    folder.gray1("asm p.g1").succeeds();
    folder.gray1("dis p.bin -o q.g1").succeeds();
    folder.gray1("asm q.g1").succeeds();
    assert_eq!(fs::read(folder.path("p.bin")).unwrap(), fs::read(folder.path("q.bin")).unwrap());
}

#[test]
fn every_error_is_shown_and_nothing_is_written() {
    let folder = Folder::with("lda nothing\nsta #5\n.include \"absent.g1\"\n");
    let outcome = folder.gray1("asm p.g1").fails(1, &["p.g1:2:5", "p.g1:3:1", "not assembled"]);
    assert!(!outcome.stderr.contains('\u{1b}'), "no colour where there is no terminal");
    assert_eq!(folder.names(), ["p.g1"]);
    let folder = Folder::with("\tlda nothing\n sta #5\n");
    folder.gray1("asm p.g1").fails(1, &["p.g1:1:6", "p.g1:2:6", "2 errors"]);
}

#[test]
fn constants_and_warnings_come_from_the_command_line() {
    let folder = Folder::with("n ?= 3\n lda #n\n sta OUT\nh: jmp h\n");
    for (define, byte) in [("n=7", 7), ("n=0x1F", 0x1F), ("n=-1", 0xFF)] {
        let output = folder.start(&["run", "p.g1", "-D", define, "--display", "none"]).output();
        assert_eq!(output.stdout, [byte]);
    }
    folder.write("w.g1", "unused = 3\nh: jmp h\n");
    let warned = folder.gray1("asm w.g1").succeeds();
    assert!(warned.stderr.contains("unused-name"), "{}", warned.stderr);
    let allowed = folder.gray1("asm w.g1 --allow unused-name").succeeds();
    assert_eq!(allowed.stderr, "");
    folder.gray1("asm w.g1 --deny unused-name").fails(1, &["unused"]);
    folder.gray1("asm w.g1 --allow everything").fails(2, &["unused-name"]);
}

#[test]
fn fmt_changes_layout_only_and_checks_it() {
    let folder = Folder::with("start:lda   #1 ; one\n sta OUT\nhalt:  jmp halt\n");
    folder.gray1("asm p.g1 -o before").succeeds();
    folder.gray1("fmt --check p.g1").fails(1, &["p.g1"]);
    folder.gray1("fmt p.g1").succeeds();
    folder.gray1("fmt --check p.g1").succeeds();
    folder.gray1("asm p.g1 -o after").succeeds();
    assert_eq!(fs::read(folder.path("before")).unwrap(), fs::read(folder.path("after")).unwrap());
    let piped = folder.gray1_with_input(&["fmt", "-"], b"halt:jmp halt").succeeds().stdout;
    assert!(piped.contains("jmp  halt"), "{piped}");
    folder.write("bad.g1", "lda (\n");
    folder.gray1("fmt bad.g1").fails(1, &["bad.g1:1:"]);
    assert_eq!(folder.read("bad.g1"), "lda (\n");
}

#[test]
fn asm_prints_a_summary_only_on_a_terminal() {
    let folder = Folder::with(".ram x, 3\n      sta x\nhalt: jmp halt\nunused = 1\n");
    let outcome = folder.gray1("asm p.g1").succeeds();
    assert!(!outcome.stderr.contains("RAM bytes"), "{}", outcome.stderr);
    let command = format!("cd {}; {GRAY1} asm p.g1", folder.path("").display());
    if let Some(mut shell) = Shell::start(&command, "xterm") {
        shell.until("the summary", |screen| {
            screen.contents().contains("p.g1: 2 words, 3 RAM bytes, 1 warning")
        });
    }
    let outcome = folder.gray1("asm p.g1 --deny all").fails(1, &["error[unused-name]", "1 error"]);
    assert!(!outcome.stderr.contains("words"), "{}", outcome.stderr);
}

#[test]
fn warnings_are_denied_and_allowed() {
    let folder = Folder::with(".allow unused-name\nunused = 1\n      jmp halt\nhalt: jmp halt\n");
    folder.gray1("asm p.g1 --deny all").fails(1, &["error[jump-to-next]", "1 error"]);
    folder.gray1("asm p.g1 --deny all --allow jump-to-next").succeeds();
    folder.gray1("asm p.g1 --deny unused-name").fails(1, &["error[unused-name]"]);
    folder.gray1("asm p.g1 --deny nothing").fails(2, &["the warnings are"]);
}

#[test]
fn messages_can_be_json() {
    let folder = Folder::with("limit = 3\n.macro m\n      lda  #300\n.endmacro\n      m\n      lda  limt\n");
    let outcome = folder.gray1("asm p.g1 --message-format json").fails(1, &[]);
    let lines: Vec<serde_json::Value> =
        outcome.stderr.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{}", outcome.stderr);
    assert_eq!(lines[1]["code"], "unknown-name");
    assert_eq!(lines[1]["help"], "did you mean `limit`?");
    assert_eq!(
        (&lines[1]["line"], &lines[1]["column"], &lines[1]["end_column"]),
        (&6.into(), &12.into(), &16.into())
    );
    let related = &lines[0]["related"][0];
    assert_eq!(
        (related["message"].as_str(), related["line"].as_u64()),
        (Some("in this call of `m`"), Some(5))
    );
    folder.write("p.g1", "unused = 1\nhalt: jmp halt\n");
    let outcome = folder.gray1("asm p.g1 --message-format json").succeeds();
    let warning: serde_json::Value = serde_json::from_str(&outcome.stderr).expect("one object");
    assert_eq!((&warning["level"], &warning["code"]), (&"warning".into(), &"unused-name".into()));
}

#[test]
fn included_files_are_searched_in_folders() {
    let folder = Folder::with(".include \"lib/compare.g1\"\n.include \"own.g1\"\nhalt: jmp halt\n");
    folder.gray1("asm p.g1").fails(1, &["error[cannot-include]", "own.g1"]);
    fs::create_dir(folder.path("with space")).unwrap();
    folder.write("with space/own.g1", ".assert 1\n");
    folder.gray1(&["run", "p.g1", "-I", "with space"]).succeeds();
    fs::create_dir_all(folder.path("copy/lib")).unwrap();
    folder.write("copy/lib/compare.g1", ".error \"changed\"\n");
    folder
        .gray1(&["asm", "p.g1", "-I", "with space", "-I", "copy"])
        .fails(1, &["copy/lib/compare.g1:1:1", "changed"]);
    folder.gray1("asm").fails(2, &["<FILE>"]);
}

#[test]
fn errors_are_explained() {
    let folder = Folder::new();
    let page = folder.gray1("explain unknown-name").succeeds().stdout;
    assert!(page.starts_with("error[unknown-name]\n\n") && page.contains("unknown name `limit`"), "{page}");
    let list = folder.gray1("explain").succeeds().stdout;
    assert!(list.contains("\n  unknown-name ") && list.contains("\n  forgotten-hash "), "{list}");
    folder.gray1("explain unknown-nmae").fails(2, &["did you mean `unknown-name`?"]);
}
