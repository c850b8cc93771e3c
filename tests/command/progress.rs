//! Every long command shows its progress on a terminal, can be interrupted, and then leaves no partial files.

use crate::support::{COUNTS, ENDLESS, Folder, GRAY1};
use test_support::terminal::Shell;

/// Long commands, and a part of their progress lines.
const LONG: &[(&str, &str)] = &[
    ("run p.g1 --display none", "cycles"),
    ("run p.g1 --display none --max-cycles 900000000000", "of 900,000,000,000 cycles"),
    ("run p.g1 --display none --trace t.csv", "cycles"),
    ("run p.g1 --record r.gif", "cycles"),
    ("run p.g1 --display none --wave w.vcd", "cycles"),
    ("run p.g1 --display none --engine timed --transients off --delays best", "cycles"),
    ("compare long.g1", "runs"),
    ("debug p.g1 --batch run.script", "cycles, "),
];

#[test]
fn long_commands_show_progress_and_can_be_interrupted() {
    for (line, said) in LONG {
        let folder = Folder::with(ENDLESS);
        folder.write("run.script", "run\n");
        folder.write("long.g1", COUNTS);
        let command = format!("cd {}; {GRAY1} {line}; echo code $?", folder.path("").display());
        let Some(mut shell) = Shell::start(&command, "xterm") else { return };
        shell.until(line, |screen| screen.contents().contains(said));
        shell.keys("\x03");
        shell.ends_restored("code 130");
        let contents = shell.terminal.screen().contents();
        assert!(!contents.contains("━"), "{line}: the progress line must be erased: {contents}");
        let files = folder.names();
        let drafts = files.iter().filter(|name| name.ends_with(".tmp") || name.ends_with(".svg")).count();
        assert_eq!(drafts, 0, "{line}: {files:?}");
    }
}

/// The output of the program is not mixed with the status line of the run.
#[test]
fn the_output_of_a_program_keeps_its_lines() {
    let source = "lda #'a'\nsta OUT\nlda #0\nsta x\nwait: lda x\nadd #1\nsta x\njz done\njmp wait\n\
                  done: lda #'b'\nsta OUT\nlda #10\nsta OUT\nagain: lda #0\n\
                  jmp again\n.ram x\n";
    let folder = Folder::with(source);
    let command =
        format!("cd {}; {GRAY1} run p.g1 --display none --hz 600; echo code $?", folder.path("").display());
    let Some(mut shell) = Shell::start(&command, "xterm") else { return };
    shell.until("the progress and both letters", |screen| {
        let contents = screen.contents();
        contents.contains(" cycles, ") && contents.lines().any(|line| line == "ab")
    });
    shell.keys("\x03");
    shell.ends_restored("code 130");
    let text = String::from_utf8_lossy(&shell.all).into_owned();
    let between = &text[text.find('a').unwrap_or(0)..];
    assert!(text.contains("b\r\n") && !between.contains("a\r"), "{text}");
    assert!(shell.terminal.screen().contents().contains("ab\ncode 130"), "{text}");
}
