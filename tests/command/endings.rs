//! Endless programs, Ctrl-C, and a reader that goes away.

use crate::compare::sends;
use crate::support::{ENDLESS, Folder};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Long enough for a busy machine, far too short for a hang.
const PATIENCE: Duration = Duration::from_secs(20);

const SIGINT: u32 = 2;

pub fn wait(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("the command did not end");
}

/// Sends Ctrl-C, once the command listens to it.
pub fn interrupt(child: &Child) {
    let start = Instant::now();
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("");
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught >> (SIGINT - 1) & 1 == 1)
    };
    while !listens() {
        assert!(start.elapsed() < PATIENCE, "it does not listen");
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn ctrl_c_ends_an_endless_program_with_its_files_whole() {
    let folder = Folder::with(ENDLESS);
    for engine in ["chips", "fast", "timed"] {
        let arguments =
            ["run", "p.g1", "--engine", engine, "--state-out", "s.ron", "--stats", "--display", "none"];
        let mut child =
            folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Output comes while the program runs, not when it ends.
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "hi\n");
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130), "{engine}");
        let mut stderr = String::new();
        child.stderr.unwrap().read_to_string(&mut stderr).unwrap();
        assert!(stderr.contains("cycles a second"), "{stderr}");
        assert!(folder.read("s.ron").ends_with(")\n"), "the state is whole");
        folder.gray1(&["run", "p.g1", "--state-in", "s.ron", "--max-cycles", "5"]).ends_with(3);
    }
}

#[test]
fn ctrl_c_ends_a_traced_run_and_a_recording() {
    let folder = Folder::with(ENDLESS);
    for option in [["--trace", "t.csv"], ["--record", "r.gif"]] {
        let arguments = [&["run", "p.g1", "--state-out", "s.ron"], &option[..]].concat();
        let mut child =
            folder.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130), "{option:?}");
    }
    assert!(folder.read("t.csv").ends_with('\n'));
    assert!(std::fs::read(folder.path("r.gif")).unwrap().ends_with(b";"));
    assert_eq!(folder.names(), ["p.g1", "r.gif", "s.ron", "t.csv"]);
}

#[test]
fn ctrl_c_keeps_the_programs_that_were_compared_so_far() {
    let folder = Folder::with(ENDLESS);
    folder.write("quick.g1", sends("2413\n3142\n2\n"));
    let interrupted = |arguments: &[&str]| {
        let before = folder.names().len();
        let mut child =
            folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while folder.names().len() == before {
            assert!(start.elapsed() < PATIENCE, "it does not begin");
            std::thread::sleep(Duration::from_millis(5)); // until there is a draft of the chart: then it listens
        }
        std::thread::sleep(Duration::from_millis(500));
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130), "{arguments:?}");
        let (mut stdout, mut stderr) = (String::new(), String::new());
        child.stdout.unwrap().read_to_string(&mut stdout).unwrap();
        child.stderr.unwrap().read_to_string(&mut stderr).unwrap();
        assert!(stderr.starts_with("gray1: interrupted; not finished: p"), "{stderr}");
        assert!(!stderr.contains("quick"), "{stderr}");
        stdout
    };
    for engine in ["chips", "fast"] {
        let chart = format!("{engine}.svg");
        let stdout = interrupted(&["compare", "quick.g1", "p.g1", "--plot", &chart, "--engine", engine]);
        assert!(stdout.lines().count() == 2 && stdout.contains("\nquick "), "{stdout}");
        assert!(folder.read(&chart).ends_with("</svg>\n"), "the chart is whole");
    }
    assert_eq!(interrupted(&["compare", "p.g1", "--plot", "nothing.svg"]), "");
    // Endless programs in front do not keep the others waiting, however few cores there are.
    let stdout = interrupted(&["compare", "p.g1", "p.g1", "p.g1", "p.g1", "quick.g1", "--plot", "last.svg"]);
    assert!(stdout.contains("\nquick "), "{stdout}");
    assert_eq!(
        folder.names(),
        ["chips.svg", "fast.svg", "last.svg", "p.g1", "quick.g1"],
        "there is nothing to draw"
    );
}

#[test]
fn ctrl_c_ends_a_count_of_lives_and_a_map() {
    let folder = Folder::with(ENDLESS);
    let counting = ["survive", "p.g1", "--max-cycles", "1000000000000000", "--plot", "s.svg"];
    for arguments in [&counting[..], &["timing", "--plot", "m.svg"]] {
        let mut child =
            folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130), "{arguments:?}");
    }
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn a_closed_pipe_ends_a_run_quietly() {
    let folder = Folder::with("again: lda #'x'\n sta OUT\n jmp again\n");
    for engine in ["chips", "fast"] {
        let arguments = ["run", "p.g1", "--engine", engine, "--display", "none"];
        let mut child =
            folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap(); // and drop the reading end
        assert_eq!(wait(&mut child), Some(0), "{engine}");
        let mut stderr = String::new();
        child.stderr.unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(stderr, "", "{engine}");
    }
}

#[test]
fn a_closed_pipe_is_no_error_for_text_either() {
    let folder = Folder::with("h: jmp h\n");
    folder.write("quick.g1", sends("1\n1\n"));
    for arguments in [
        &["chips"][..],
        &["compare", "quick.g1"],
        &["asm", "p.g1", "--format", "listing"],
        &["asm", "p.g1", "-o", "-"],
    ] {
        let mut child =
            folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(wait(&mut child), Some(0), "{arguments:?}");
    }
}

#[test]
fn an_error_that_nobody_hears_is_still_an_error() {
    let folder = Folder::with("h: jmp h\n");
    for (arguments, code) in [
        (&["run", "nowhere.g1"][..], 1),
        (&["run", "p.g1", "--display", "none", "--stats"], 0),
        (&["fmt", "--check", "p.g1"], 1),
        (&["timing", "--no-such-option"], 2),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = folder.command(arguments).stdout(Stdio::null()).stderr(writer).spawn().unwrap();
        assert_eq!(wait(&mut child), Some(code), "{arguments:?}");
    }
}
