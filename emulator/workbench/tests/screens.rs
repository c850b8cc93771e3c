//! Golden screens: programs and keys, and the resulting screens in the folder `screens`.
//!
//! `UPDATE=1 cargo test -p gray1-workbench --test it screens` writes the current screens; check them before you commit
//! them.

use crate::support;
use ratatui_core::style::Modifier;
use std::path::{Path, PathBuf};
use support::{Bench, theme};
use test_support::golden;

/// Counts n down from 3 and sends it; with a macro that calls another, and a loop.
const COUNT: &str = include_str!("count.g1");

/// Names, each with the size of the screen and the keys.
const SCREENS: [(&str, u16, u16, &str); 22] = [
    ("begin", 80, 24, ""),
    ("begin_wide", 120, 40, ""),
    ("stepped", 80, 24, "nnnns"),
    ("in_a_macro", 80, 24, "nnnnsp"),
    ("macro_stays_folded", 80, 24, "*nnnnss"),
    ("unfolded_by_hand", 80, 24, "/send n<Enter>+"),
    ("words", 80, 24, "nnm"),
    ("board", 80, 24, "nnip2"),
    ("board_chip", 80, 24, "nnip2<Down><Down>"),
    ("board_alone", 120, 40, "nnip2z<PgDn>"),
    ("ram", 80, 24, "nnnnnn4"),
    ("ram_bytes", 80, 24, "nn4a<PgDn>"),
    ("output", 80, 24, "r6"),
    ("halted_wide", 120, 40, "r"),
    ("scrubbed", 80, 24, "r<Shift-Left><Shift-Left><Left>"),
    ("points", 80, 24, "/send n<Enter>b:watch n if n == 2<Enter>:break done log \"at {n}\"<Enter>rr7"),
    ("point_in_a_round", 80, 24, ":break 15<Enter>:break at 2<Enter>"),
    ("asked", 80, 24, "r=n+1<Enter>kn<Enter>:show ram<Enter>8"),
    ("mistake", 80, 24, ":prit n<Enter>:goto<Enter>Z"),
    ("completion", 80, 24, ":w<Tab>"),
    ("help", 80, 24, "?"),
    ("help_on_a_key", 120, 40, "?k"),
];

#[test]
fn screens_look_as_they_did() {
    let mut faults = Vec::new();
    for (name, width, height, keys) in SCREENS {
        let mut bench = Bench::new("count.g1", COUNT, width, height);
        bench.keys(keys);
        compare(name, &bench.text(), &mut faults);
    }
    let mut bench = Bench::new("count.g1", COUNT, 80, 24);
    bench.theme = theme(false);
    bench.keys("nnnnsp");
    assert!(bench.text().is_ascii(), "{}", bench.text());
    compare("ascii", &bench.text(), &mut faults);
    let mut bench = Bench::of(gray1_debugger::Source::of_image(gray1_isa::Image::blank()), 80, 24);
    bench.keys("p");
    compare("image", &bench.text(), &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let files = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(files, SCREENS.len() + 2, "there is a golden file without a test");
}

#[test]
fn the_line_of_the_machine_is_marked_without_colours() {
    let mut bench = Bench::new("count.g1", COUNT, 80, 24);
    bench.theme = theme(false);
    bench.keys("n");
    let buffer = bench.buffer();
    let reversed = |row: u16| buffer[(10, row)].modifier.contains(Modifier::REVERSED);
    let rows: Vec<u16> = (1..20).filter(|row| reversed(*row)).collect();
    assert_eq!(rows.len(), 1);
    assert!(bench.text().lines().nth(usize::from(rows[0])).unwrap().contains("sta  n"));
}

/// A quotation mark in a character or in a comment does not open a text, and a `;` in quotes does not begin a comment.
#[test]
fn comments_begin_where_the_assembler_says() {
    let source = "      lda  #'\\'' ; quote\n      lda  #';' ; it's\nhalt: jmp  halt\n";
    let mut bench = Bench::new("quotes.g1", source, 80, 24);
    for scrolled in 0..3 {
        let buffer = bench.buffer();
        let dim: Vec<String> = (2..4)
            .map(|row| {
                let cells = (8..46).map(|column| &buffer[(column, row)]);
                cells.filter(|cell| cell.modifier.contains(Modifier::DIM)).map(|cell| cell.symbol()).collect()
            })
            .collect();
        assert_eq!(dim, ["; quote", "; it's"], "{scrolled}: {}", bench.text());
        bench.keys(">");
    }
}

/// Whatever characters a program sends or contains, the columns stay aligned.
#[test]
fn control_bytes_and_wide_letters_do_not_break_the_screen() {
    let source = "\
; \u{1b}[2J tab\there \u{202e}backwards\u{200b} 日本語 e\u{301} \u{7}
      lda  #27
      sta  OUT
      lda  #'['
      sta  OUT
      lda  #0xFF
      sta  OUT
      lda  #9
      sta  OUT
halt: jmp  halt
";
    let mut bench = Bench::new("odd \u{1b}name.g1", source, 80, 24);
    bench.keys("r6<Tab>");
    let text = bench.text();
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    assert!(text.contains("·[2J tab") && text.contains("日 本 語") && text.contains("·[·"), "{text}");
    assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{301}']), "{text:?}");
}

#[test]
fn a_huge_source_is_drawn_quickly_and_its_long_lines_are_cut() {
    let mut source = "nothing_at_all: lda #1\n".to_owned();
    source += &format!("; {}\n", "long ".repeat(100_000));
    source += &"; a comment\n".repeat(100_000);
    source += "halt: jmp halt\n";
    let mut bench = Bench::new("huge.g1", &source, 80, 24);
    bench.keys("r");
    assert!(bench.text().contains("100003 ►"), "{}", bench.text());
    for _ in 0..500 {
        bench.keys("<Up>");
        bench.buffer();
    }
    bench.keys("/long<Enter>>>>>");
    assert!(bench.text().contains("ong long long"), "{}", bench.text());
}

fn compare(name: &str, screen: &str, faults: &mut Vec<String>) {
    let path = folder().join(format!("{name}.txt"));
    if !golden::agrees(path, screen) {
        faults.push(format!("{name} looks like this:\n{screen}"));
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens")
}
