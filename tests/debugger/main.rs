//! The commands of the debugger: each script beside this file has its expected output in a file `.expected`, which
//! `UPDATE=1` rewrites.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use test_support::golden;
use test_support::process::{Process, Signal};

#[test]
fn scripts_print_the_expected_output() {
    let mut scripts: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("there is a folder of scripts")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "script"))
        .collect();
    scripts.sort();
    let mut faults = Vec::new();
    for script in &scripts {
        let name = script.file_name().expect("it has a name").to_string_lossy();
        let printed = debug(&["count.g1", "--batch", &name], "");
        let expected = script.with_extension("expected");
        if !golden::agrees(&expected, &printed) {
            faults.push(format!("{name} prints:\n{printed}"));
        }
    }
    println!("{} scripts", scripts.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(!scripts.is_empty());
}

#[test]
fn standard_input_is_a_script_or_a_dialogue() {
    let script = "until output\nexpect output \"3\"\nexpect 0\nshow output\n";
    let printed = debug(&["count.g1", "--batch", "-"], script);
    assert!(
        printed.contains("standard input:3:8: expected 0, which is false at cycle 4 phase 1"),
        "{printed}"
    );
    assert!(printed.ends_with("exit code 1\n"), "{printed}");
    let printed = debug(&["count.g1"], script);
    assert!(printed.contains("3\n") && printed.contains("expected 0, which is false"), "{printed}");
    assert!(printed.ends_with("exit code 0\n"), "{printed}");
}

/// Each command gives a line of JSON, up to the first that fails. The text includes the messages of logpoints.
#[test]
fn scripts_can_have_json_replies() {
    let script = "; nothing\n\nbreak loop log \"n is {n}\"\nuntil output ; the first\nset n = 1\nuntil n == 7\nwhere\n";
    let printed = debug(&["count.g1", "--batch", "-", "--format", "json"], script);
    let answers: Vec<Value> = printed.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    let commands: Vec<_> =
        answers.iter().map(|answer| (&answer["number"], &answer["input"], &answer["ok"])).collect();
    assert_eq!(
        json!(commands),
        json!([
            [3, "break loop log \"n is {n}\"", true],
            [4, "until output ; the first", true],
            [5, "set n = 1", true],
            [6, "until n == 7", false],
        ])
    );
    let text = answers[1]["text"].as_str().expect("a text");
    assert!(text.starts_with("n is 3\ncycle 4 phase 1 "), "{text}");
    assert_eq!(answers[1]["error"], Value::Null);
    assert!(
        printed.ends_with("standard input:6:1: `until n == 7` did not reach its target\nexit code 1\n"),
        "{printed}"
    );
    let printed = debug(&["count.g1", "--batch", "-", "--format", "json"], "prit n\n");
    let answer: Value = serde_json::from_str(printed.lines().next().expect("an answer")).expect("JSON");
    assert_eq!(answer["error"], "there is no command `prit`; did you mean `print`?");
    let printed = debug(&["count.g1", "--format", "json"], "");
    assert!(printed.ends_with("exit code 2\n"), "{printed}");
}

#[test]
fn ctrl_c_ends_a_command_and_not_the_dialogue() {
    let mut child = start(&["endless.g1"]);
    let mut stdin = child.stdin.take().expect("it has an input");
    let mut stdout = BufReader::new(child.stdout.take().expect("it has an output"));
    let mut line = String::new();
    writeln!(stdin, "where\nrun").expect("it reads");
    stdout.read_line(&mut line).expect("it answers");
    assert!(line.starts_with("cycle 0 "), "{line}");
    sleep(Duration::from_millis(300));
    child.interrupt();
    writeln!(stdin, "expect cycle > 1000\nback 3 cycles\nprint cycle > 1000").expect("it still reads");
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it answers");
    assert!(rest.ends_with("cycle > 1000 = 1 ($01)\n"), "{rest}");
    let output = child.output();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted\n");
    assert!(output.status.success());
}

/// A command from a file can be interrupted like one that is typed.
#[test]
fn ctrl_c_ends_a_file_of_commands() {
    let mut child = start(&["endless.g1"]);
    let mut stdin = child.stdin.take().expect("it has an input");
    let mut stdout = BufReader::new(child.stdout.take().expect("it has an output"));
    let mut line = String::new();
    writeln!(stdin, "source files/endless.commands").expect("it reads");
    stdout.read_line(&mut line).expect("it answers");
    assert!(line.starts_with("cycle 0 "), "the output of earlier commands is printed at once: {line}");
    child.interrupt();
    writeln!(stdin, "print 7").expect("it still reads");
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it answers");
    assert!(rest.ends_with("7 = 7 ($07)\n") && !rest.contains("8 ($08)"), "{rest}");
    assert_eq!(String::from_utf8_lossy(&child.output().stderr), "interrupted\n");
}

/// The limit on cycles and `quit` also apply within a file of commands.
#[test]
fn limits_and_quit_apply_within_command_files() {
    let endless = ["endless.g1", "--batch", "-", "--max-cycles", "1000"];
    let printed = debug(&endless, "source files/endless.commands\nprint 1\n");
    assert!(printed.contains("cycle 1000 ") && printed.ends_with("exit code 3\n"), "{printed}");
    assert!(!printed.contains("= 1"), "{printed}");
    let printed = debug(&["count.g1"], "source files/quit.commands\nprint 1\n");
    assert_eq!(printed, "5 = 5 ($05)\nexit code 0\n");
    let printed = debug(&["count.g1", "--batch", "-", "--format", "json"], "source files/in_vain.commands\n");
    let answer: Value = serde_json::from_str(printed.lines().next().expect("an answer")).expect("JSON");
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["error"], "files/in_vain.commands:2:1: `until n == 300` did not reach its target");
}

/// A command that does not get to its target says so in JSON, too.
#[test]
fn missed_targets_are_errors_in_json() {
    let error = |options: &[&str], command: &str| {
        let arguments = [options, &["--batch", "-", "--format", "json"]].concat();
        let printed = debug(&arguments, &format!("{command}\n"));
        let answer: Value = serde_json::from_str(printed.lines().next().expect("an answer")).expect("JSON");
        assert_eq!(answer["ok"], false);
        answer["error"].clone()
    };
    assert_eq!(error(&["count.g1"], "until n == 300"), "`until n == 300` did not reach its target");
    let limit = "`until a == 300` stopped at the limit of cycles before its target";
    assert_eq!(error(&["endless.g1", "--max-cycles", "1000"], "until a == 300"), limit);
}

#[test]
fn every_command_has_help() {
    let printed = debug(&["count.g1"], "help\n");
    let names: Vec<&str> =
        printed.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert!(names.len() > 20, "{printed}");
    for name in names {
        let help = debug(&["count.g1"], &format!("help {name}\n"));
        assert!(help.starts_with(name), "{help}");
    }
}

/// The output of the debugger, followed by its errors and its exit code.
fn debug(arguments: &[&str], input: &str) -> String {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("it has an input");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    format!("{}{}exit code {code}\n", text(&output.stdout), text(&output.stderr))
}

fn start(arguments: &[&str]) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("debug").args(arguments).current_dir(folder());
    Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debugger")
}

#[test]
fn signals_end_an_idle_dialogue() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut child = start(&["count.g1"]);
        let mut stdin = child.stdin.take().expect("it has an input");
        let mut stdout = BufReader::new(child.stdout.take().expect("it has an output"));
        writeln!(stdin, "where").expect("it reads");
        stdout.read_line(&mut String::new()).expect("it answers");
        child.signal(signal);
        assert_eq!(child.wait().code(), Some(128 + signal.as_raw()), "{signal:?}");
    }
}

#[test]
fn invalid_utf8_is_a_failed_command() {
    let mut child = start(&["count.g1"]);
    let mut stdin = child.stdin.take().expect("it has an input");
    stdin.write_all(b"wh\xFFre\nwhere\n").expect("it reads");
    drop(stdin);
    let mut printed = String::new();
    child.stdout.take().expect("it has an output").read_to_string(&mut printed).expect("it answers");
    assert!(child.wait().success() && printed.starts_with("cycle 0 "), "{printed}");
}

/// A script fails if a position that it searches for does not exist, and ends at its limit if the search is endless.
#[test]
fn scripts_with_unreachable_targets_fail() {
    for line in ["until n == 300", "until output\nback until n == 300", "to halt\nto loop"] {
        let printed = debug(&["count.g1", "--batch", "-"], &format!("{line}\n"));
        assert!(printed.ends_with("did not reach its target\nexit code 1\n"), "{line}: {printed}");
    }
    for line in ["until n == 300", "run", "step 5000", "goto cycle 70000", "step 3000 cycles"] {
        let printed =
            debug(&["endless.g1", "--batch", "-", "--max-cycles", "1000"], &format!("{line}\nprint 1\n"));
        assert!(printed.contains("cycle 1000 ") && printed.ends_with("exit code 3\n"), "{line}: {printed}");
    }
    let line = "run 400\ngoto cycle 900\nreverse\ngoto cycle 1000\n";
    let printed = debug(&["endless.g1", "--batch", "-", "--max-cycles", "1000"], line);
    assert!(printed.ends_with("exit code 0\n"), "{printed}");
}

/// The messages of a logpoint are printed while the command runs. If their reader closes the pipe, the debugger ends.
#[test]
fn logpoint_messages_are_printed_immediately() {
    for arguments in [&["endless.g1"][..], &["endless.g1", "--batch", "-"]] {
        let mut child = start(arguments);
        let mut stdin = child.stdin.take().expect("it has an input");
        stdin.write_all(b"break at 0 log \"here {cycle}\"\nrun\n").expect("it reads");
        drop(stdin);
        let mut stdout = BufReader::new(child.stdout.take().expect("it has an output")).lines();
        assert!(stdout.nth(10_000).expect("it goes on").expect("it is text").starts_with("here "));
        drop(stdout);
        assert_eq!(child.wait().code(), Some(0), "{arguments:?}");
    }
}
