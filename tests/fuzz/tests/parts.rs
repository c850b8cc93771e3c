//! Parts of a campaign: joined, they are what one computer would have printed; what is not the whole is refused, with the
//! file and what is wrong with it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use test_support::folder::Folder;
use test_support::process::{Process, output};

/// Targets whose cases are quick.
const BASE: [&str; 4] = ["images", "states", "--cases", "50"];

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1-fuzz"));
    command.args(arguments).current_dir(folder);
    command
}

/// What a command prints that succeeds.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = output(&mut command(folder, arguments));
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("a text")
}

#[track_caller]
fn is_refused(folder: &Path, files: &[&str], message: &str) {
    let Output { status, stdout, stderr } = output(&mut command(folder, &[&["--join"][..], files].concat()));
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.code() == Some(1) && stdout.is_empty() && said.contains(message), "{message}: {said}");
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("there is room");
}

#[test]
fn parts_of_a_campaign_are_the_whole() {
    let folder = Folder::create();
    let folder = folder.path();
    for (cases, of) in [("300", 3), ("2", 4)] {
        let whole = printed(folder, &["--cases", cases, "--seed", "3"]);
        assert!(whole.ends_with(&format!("{cases} cases      0 finds\n")), "{whole}");
        let names: Vec<String> = (1..=of).rev().map(|part| format!("{part}.txt")).collect();
        for part in 1..=of {
            let shard = format!("{part}/{of}");
            let text = printed(folder, &["--cases", cases, "--seed", "3", "--shard", &shard]);
            write(folder, &format!("{part}.txt"), &text);
        }
        let join: Vec<&str> = ["--join"].into_iter().chain(names.iter().map(String::as_str)).collect();
        assert_eq!(printed(folder, &join), whole);
        write(folder, "whole.txt", &whole);
        assert_eq!(printed(folder, &["--join", "whole.txt"]), whole, "a join can be joined");
    }
}

#[test]
fn what_is_not_the_whole_is_refused() {
    let folder = Folder::create();
    let folder = folder.path();
    let part = |arguments: &[&str], shard: &str| printed(folder, &[arguments, &["--shard", shard]].concat());
    let second = part(&BASE, "2/2");
    write(folder, "1.txt", &part(&BASE, "1/2"));
    let other = "other.txt: part of another campaign than 1.txt: they differ in ";
    let edited = |from: &str, to: &str| {
        assert!(second.contains(from), "{from}: {second}");
        second.replacen(from, to, 1)
    };
    let without_last = second.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
    for (text, message) in [
        (String::new(), "other.txt: line 1: not what `gray1-fuzz` writes first".to_owned()),
        ("{\"version\":\n".to_owned(), "other.txt: line 1: not what".to_owned()),
        (
            second[second.find("images ").expect("a line")..].to_owned(),
            "other.txt: line 1: not what".to_owned(),
        ),
        (without_last, "other.txt: it is cut off: the last line is missing".to_owned()),
        (second[..second.len() - 3].to_owned(), "other.txt: line 4: not a line".to_owned()),
        (second.clone() + &second, "other.txt: line 5: not a line".to_owned()),
        (second.clone() + "images 1 cases 0 finds\n", "other.txt: line 5: not a line".to_owned()),
        (edited("cases", "case"), "other.txt: line 1: not what".to_owned()),
        (edited(" cases ", " case "), "other.txt: line 2: not a line".to_owned()),
        (edited("0 finds", "99 finds"), "other.txt: line 2: not a line".to_owned()),
        (edited("\nimages", "\nboards"), "other.txt: line 2: no target of this campaign".to_owned()),
        (
            edited("\"images\"", "\"pictures\""),
            "other.txt: line 1: it names a target that there is not".to_owned(),
        ),
        (edited("\nstates", "\nimages"), "other.txt: line 3: a second line of this target".to_owned()),
        (edited("0 finds", "1 finds"), "other.txt: the last line is not the sum of the others".to_owned()),
        (edited("\nall", "\ninterrupted\nall"), "other.txt: line 4: this part was interrupted".to_owned()),
        (edited("2/2", "0/2"), "other.txt: line 1: `0/2`: write which part".to_owned()),
        (
            edited("\"version\":\"", "\"version\":\"\\u001b0."),
            "version \\u{1b}0.0.1.0, and this is".to_owned(),
        ),
        (edited("\"cases\":50", "\"cases\":60"), "25 cases ran, and part 2/2 has 30: it is not".to_owned()),
        (edited("\"kept\":\"", "\"kept\":\"0"), format!("{other}the kept cases")),
        (
            edited("2/2", "2/3").replace("\"cases\":50", "\"cases\":75"),
            format!("{other}--cases or --minutes, the number of parts"),
        ),
        (edited("\"cases\":50", "\"minutes\":5"), format!("{other}--cases or --minutes")),
        (part(&["images", "states", "--cases", "52"], "2/2"), format!("{other}--cases or")),
        (part(&["images", "--cases", "50"], "2/2"), format!("{other}the targets, the kept cases")),
        (part(&[&BASE[..], &["--seed", "2"]].concat(), "2/2"), format!("{other}--seed")),
        (part(&BASE, "1/2"), "other.txt: part 1/2, which 1.txt is too".to_owned()),
    ] {
        write(folder, "other.txt", &text);
        is_refused(folder, &["1.txt", "other.txt"], &message);
    }
    is_refused(folder, &["1.txt"], "1 of 2 parts missing, the first is 2/2: join all parts");
    is_refused(folder, &["none.txt"], "none.txt: ");
    fs::write(folder.join("bytes.txt"), b"\xff").expect("there is room");
    is_refused(folder, &["bytes.txt"], "bytes.txt: ");
}

/// Parts that run for a time are added up, and what somebody has stopped is told from what has come to its end.
#[test]
fn parts_that_run_for_a_time() {
    let folder = Folder::create();
    let folder = folder.path();
    let whole = printed(folder, &["images", "--minutes", "0"]);
    for part in 1..=2 {
        let shard = format!("{part}/2");
        let text = printed(folder, &["images", "--minutes", "0", "--shard", &shard]);
        let text = text.replace("\"minutes\":0", "\"minutes\":5");
        let (header, _) = text.split_once('\n').expect("two lines");
        write(
            folder,
            &format!("{part}.txt"),
            &format!("{header}\nimages 1,000 cases 0 finds\nall 1,000 cases 0 finds\n"),
        );
    }
    let joined = printed(folder, &["--join", "1.txt", "2.txt"]);
    let (header, counts) = joined.split_once('\n').expect("lines");
    assert_eq!(header, whole.lines().next().expect("a line").replace("\"minutes\":0", "\"minutes\":10"));
    assert_eq!(counts.matches(" 2,000 cases      0 finds\n").count(), 2, "{counts}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_part_is_no_part() {
    let folder = Folder::create();
    let folder = folder.path();
    let arguments = ["images", "--minutes", "60", "--shard", "1/2"];
    let process = Process::start(command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()));
    process.interrupt();
    let output = process.output();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    write(folder, "1.txt", &String::from_utf8(output.stdout).expect("a text"));
    is_refused(folder, &["1.txt"], "this part was interrupted: run it again");
}
