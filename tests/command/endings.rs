//! Endless programs, Ctrl-C, and readers that close their end of a pipe.

use crate::compare::sends;
use crate::support::{COUNTS, ENDLESS, Folder};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;
use test_support::process::{Process, until};

#[test]
fn ctrl_c_ends_an_endless_program_with_its_files_whole() {
    let folder = Folder::with(ENDLESS);
    for engine in ["chips", "isa", "timed"] {
        let arguments =
            ["run", "p.g1", "--engine", engine, "--state-out", "s.ron", "--stats", "--display", "none"];
        let mut child = folder.start(&arguments);
        // Output is written while the program runs, not only at its end.
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "hi\n");
        child.interrupt();
        let output = child.output();
        assert_eq!(output.status.code(), Some(130), "{engine}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("cycles a second"), "{stderr}");
        assert!(folder.read("s.ron").ends_with(")\n"), "the state is complete");
        folder.gray1("run p.g1 --state-in s.ron --max-cycles 5").ends_with(3);
    }
}

#[cfg(unix)]
#[test]
fn unwritable_help_is_an_error() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in ["--help", "run --help", "--version"] {
        let folder = Folder::new();
        let outcome =
            Process::start(folder.command(arguments).stdout(full()).stderr(Stdio::piped())).output();
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("gray1: standard output: cannot write: "), "{stderr}");
    }
}

#[test]
fn ctrl_c_ends_a_traced_run_and_a_recording() {
    let folder = Folder::with(ENDLESS);
    for option in [["--trace", "t.csv"], ["--record", "r.gif"]] {
        let arguments = [&["run", "p.g1", "--state-out", "s.ron"], &option[..]].concat();
        let child = folder.start(&arguments);
        std::thread::sleep(Duration::from_millis(300));
        child.interrupt();
        assert_eq!(child.output().status.code(), Some(130), "{option:?}");
    }
    assert!(folder.read("t.csv").ends_with('\n'));
    assert!(std::fs::read(folder.path("r.gif")).unwrap().ends_with(b";"));
    assert_eq!(folder.names(), ["p.g1", "r.gif", "s.ron", "t.csv"]);
}

#[test]
fn ctrl_c_prints_the_finished_comparisons() {
    let folder = Folder::with(COUNTS);
    folder.write("quick.g1", sends("2413\n3142\n2\n"));
    // Interrupts after increasing times, until the quick program has been compared.
    let interrupted = |arguments: &[&str], row: &str| {
        let mut time = Duration::from_millis(10);
        until("a row of the table", || {
            let child = folder.start(arguments);
            std::thread::sleep(time);
            time *= 2;
            child.interrupt();
            let output = child.output();
            assert_eq!(output.status.code(), Some(130), "{arguments:?}");
            let [stdout, stderr] =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert!(stderr.starts_with("gray1: interrupted; not finished: "), "{stderr}");
            (stdout.contains(row) && !stderr.contains("quick")).then_some(stdout)
        })
    };
    let stdout = interrupted(&["compare", "quick.g1", "p.g1"], "\nquick ");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert_eq!(interrupted(&["compare", "p.g1"], ""), "");
    // Endless programs do not delay a later program, even with few cores.
    interrupted(&["compare", "p.g1", "p.g1", "p.g1", "p.g1", "quick.g1"], "\nquick ");
}

#[test]
fn a_closed_pipe_ends_a_run_quietly() {
    let folder = Folder::with("again: lda #'x'\n sta OUT\n jmp again\n");
    for engine in ["chips", "isa"] {
        let arguments = ["run", "p.g1", "--engine", engine, "--display", "none"];
        let mut child = folder.start(&arguments);
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap(); // and close the reading end
        let output = child.output();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{engine}");
    }
}

#[test]
fn a_closed_pipe_is_no_error_for_text_either() {
    let folder = Folder::with("h: jmp h\n");
    folder.write("quick.g1", sends("1\n1\n"));
    for arguments in ["chips", "compare quick.g1", "asm p.g1 --format listing", "asm p.g1 -o -"] {
        let mut child = folder.start(arguments);
        drop(child.stdout.take());
        assert_eq!(child.output().status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn unread_errors_still_set_the_exit_code() {
    let folder = Folder::with("h: jmp h\n");
    for (arguments, code) in [
        ("run nowhere.g1", 1),
        ("run p.g1 --display none --stats", 0),
        ("fmt --check p.g1", 1),
        ("timing --no-such-option", 2),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = Process::start(folder.command(arguments).stdout(Stdio::null()).stderr(writer));
        assert_eq!(child.output().status.code(), Some(code), "{arguments:?}");
    }
}
