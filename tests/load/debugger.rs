//! `gray1 debug` with an endless program and a logpoint in its loop: in the dialogue, and on the full screen.

use crate::load::{Load, Memory};
use crate::runs::{COUNT, number, on_terminal};
use crate::streams;
use gray1_text::grouped;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use test_support::folder::Folder;
use test_support::process::Process;

/// The logpoint whose messages [`streams::messages`] reads.
const LOG: &str = "break at loop log \"at {cycle} {a}\"";

fn debug(folder: &Folder) -> Command {
    let path = folder.path().join("program.g1");
    fs::write(&path, COUNT).expect("a source in the folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("debug").arg(path).args(["--ram", "zero"]);
    command
}

/// Ctrl-C ends the run but not the dialogue, which still knows where the machine is and can step back.
#[test]
fn a_dialogue_logs_every_iteration() {
    let folder = Folder::create();
    let mut command = debug(&folder);
    let mut process =
        Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    let stdout = BufReader::new(process.stdout.take().expect("piped"));
    let messages = thread::spawn(|| streams::messages(stdout));
    let mut stderr = BufReader::new(process.stderr.take().expect("piped"));
    let mut stdin = process.stdin.take().expect("piped");
    writeln!(stdin, "{LOG}\nrun").expect("the debugger reads");
    let mut load = Load::begin("debug, logpoint", process.id());
    load.run_to_end();
    let mut told = String::new();
    load.end(|| {
        process.interrupt();
        stderr.read_line(&mut told).expect("the debugger reports the interruption");
    });
    assert_eq!(told, "interrupted\n");
    writeln!(stdin, "print cycle\nback 1000 cycles\nprint cycle").expect("the debugger still reads");
    drop(stdin);
    assert!(process.wait().success());
    let (last, rest) = messages.join().expect("messages without a gap");
    let cycles: Vec<u64> = rest.iter().filter_map(|line| line.strip_prefix("cycle = ")).map(number).collect();
    assert!(
        matches!(cycles[..], [end, back] if (last..=last + 2).contains(&end) && back + 1_000 == end),
        "{last}, {rest:?}"
    );
    load.report(Memory::HISTORY, &format!("{} messages", grouped(last / 2 + 1)));
}

#[test]
fn a_screen_logs_every_iteration() {
    let folder = Folder::create();
    let Some((mut shell, process)) = on_terminal(&folder, &debug(&folder), "") else { return };
    shell.keys(&format!(":{LOG}\r"));
    shell.until("a logpoint", |screen| screen.contents().contains("point 1"));
    shell.keys("r");
    shell.until("a run", |screen| screen.contents().contains("Esc stop"));
    let mut load = Load::begin("debug on a screen, logpoint", process);
    let cycle_of = |contents: &str| contents.split_once("cycle ").map_or(0, |(_, rest)| number(rest));
    let mut cycle = 0;
    while load.is_running() {
        shell.until("a later cycle", |screen| cycle_of(&screen.contents()) > cycle);
        cycle = cycle_of(&shell.terminal.screen().contents());
        shell.all.clear();
    }
    load.end(|| {
        shell.keys("\x03");
        shell.until("the end of the run", |screen| screen.contents().contains("stopped"));
    });
    let end = cycle_of(&shell.terminal.screen().contents());
    shell.keys("q");
    shell.until("its end", |screen| screen.contents().contains("exit 0"));
    load.report(Memory::HISTORY, &format!("{} cycles", grouped(end)));
}
