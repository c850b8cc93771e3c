//! `gray1 faults`: sharded campaigns, diagnosis of faulty machines, and invalid arguments.

use crate::support::{Folder, GRAY1, HI};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use test_support::process::output;
use test_support::tools::installed;

/// A short campaign.
const CAMPAIGN: [&str; 8] = ["faults", "p.g1", "--model", "pins", "--count", "300", "--format", "json"];

fn json(folder: &Folder, arguments: &[&str]) -> String {
    folder.gray1(arguments).succeeds().stdout
}

#[test]
fn shards_join_in_any_order() {
    let folder = Folder::with(HI);
    let whole = json(&folder, &CAMPAIGN);
    assert_eq!(whole.lines().count(), 300);
    for number in 1..=3 {
        let part = json(&folder, &[&CAMPAIGN[..], &["--shard", &format!("{number}/3")]].concat());
        folder.write(&format!("{number}.jsonl"), &part);
    }
    for order in [["1.jsonl", "2.jsonl", "3.jsonl"], ["3.jsonl", "1.jsonl", "2.jsonl"]] {
        let joined = json(&folder, &[&["faults", "--format", "json", "--join"], &order[..]].concat());
        assert!(joined == whole);
    }
    let part = folder.gray1("faults p.g1 --count 300 --shard 2/3").succeeds().stdout;
    assert!(part.starts_with("p.g1 sends "), "{part}");
    assert!(part.contains("\n100 stuck pins tried: "), "{part}");
    assert!(part.contains("these are not all: there are 300"), "{part}");
    for format in ["text", "json"] {
        let outcome =
            folder.gray1(&["faults", "--format", format, "--join", "2.jsonl", "2.jsonl"]).ends_with(1);
        assert!(
            outcome.stderr.contains("200 of 300 faults are missing: join all parts"),
            "{}",
            outcome.stderr
        );
    }
    // Shards of different campaigns are not mixed.
    let other = json(&folder, &[&CAMPAIGN[..], &["--seed", "2"]].concat());
    folder.write("other.jsonl", &other);
    assert!(other != whole);
    folder.gray1("faults --join 1.jsonl other.jsonl").fails(1, &["other.jsonl: line 1 belongs to another"]);
    folder.write("broken.jsonl", "{\"fault\":1}\n");
    folder.gray1("faults --join broken.jsonl").fails(1, &["broken.jsonl: line 1: not what"]);
    // Contradictory or truncated lines are rejected.
    let one = folder.read("2.jsonl");
    let outcome = |detected: bool| format!("\"detected\":{detected}");
    folder.write("liar.jsonl", one.replacen(&outcome(true), &outcome(false), 1));
    folder
        .gray1("faults --join 1.jsonl 2.jsonl 3.jsonl liar.jsonl")
        .fails(1, &["liar.jsonl: line 1: fault ", "has another outcome than in another line"]);
    folder.write("cut.jsonl", &one[..one.len() - 10]);
    folder.gray1("faults --join 1.jsonl cut.jsonl").fails(1, &["cut.jsonl: line 100: not what"]);
    // A fault number that the campaign does not have is rejected.
    let first = one.lines().next().unwrap();
    let (before, after) = first.split_once(",\"total\"").unwrap();
    assert!(before.starts_with("{\"fault\":"), "{before}");
    folder.write("more.jsonl", format!("{{\"fault\":1000000,\"total\"{after}\n"));
    folder
        .gray1("faults --join 1.jsonl 2.jsonl 3.jsonl more.jsonl")
        .fails(1, &["more.jsonl: line 1: more than the 300 faults that the campaign has"]);
    folder.write("empty.jsonl", "");
    folder.gray1("faults --join empty.jsonl").fails(1, &["these files contain no results"]);
}

/// The example of the documentation.
#[test]
fn gnu_parallel_splits_a_campaign() {
    if !installed(&["parallel"]) {
        return;
    }
    let folder = Folder::with(HI);
    let whole = json(&folder, &CAMPAIGN);
    let line = format!("parallel '{GRAY1} {} --shard {{}}/4 > {{}}.jsonl' ::: 4 2 3 1", CAMPAIGN.join(" "));
    let mut shell = Command::new("sh");
    let outcome = output(
        shell.args(["-c", &line]).current_dir(folder.path(".")).env("PARALLEL_HOME", folder.path(".")),
    );
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    let parts = ["1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"];
    assert!(json(&folder, &[&["faults", "--format", "json", "--join"], &parts[..]].concat()) == whole);
}

#[test]
fn lines_describe_the_fault_and_its_detection() {
    let folder = Folder::with(HI);
    let lines = json(&folder, &["faults", "p.g1", "--watch", "port", "--format", "json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kit = folder.gray1("build kit");
    kit.succeeds();
    // The pins are listed in wires.csv.
    let wires = folder.read("kit/wires.csv");
    let joined: BTreeSet<&str> = wires.lines().collect();
    for line in &lines {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        let row = |net: String| format!("{net},{},{},{}", text("chip"), line["pin"], text("name"));
        let is_there = joined.contains(&*row(text("net"))) || joined.contains(&*row(text("net") + "_PIN"));
        assert!(is_there, "{line}");
        assert_eq!(line["detected"].as_bool().unwrap(), line["shown"]["by"] == "byte", "{line}");
        assert_eq!(line["detected"].as_bool().unwrap(), line["reason"].is_null(), "{line}");
    }
    let find = |chip: &str, name: &str, stuck: u64| {
        let is_it = |line: &&Value| line["chip"] == chip && line["name"] == name && line["stuck"] == stuck;
        lines.iter().find(is_it).unwrap()
    };
    // The first byte is 'h', 68: A3 is 1 in it.
    assert_eq!(
        find("PORT", "A3", 0)["shown"],
        serde_json::json!({"by": "byte", "at": 0, "expected": 0x68, "got": 0x60})
    );
    assert_eq!(
        find("IODEC", "D0", 0)["shown"],
        serde_json::json!({"by": "byte", "at": 0, "expected": 0x68, "got": null})
    );
}

/// Diagnoses the output of a machine with a chip that is burned as if a pin were stuck.
#[test]
#[ignore = "takes a minute"]
fn faulty_machines_are_diagnosed() {
    let folder = Folder::new();
    folder.gray1("build kit").succeeds();
    let run = |cell: &str, file: &str| {
        let run =
            "run kit/selftest/selftest.g1 --board built --input kit/selftest/presses.ron --max-cycles 3000";
        let mut command = folder.command(&format!("{run} --display none --cell {cell}")[..]);
        folder.write(file, output(&mut command).stdout);
    };
    run("ALUL:*.C4=0", "observed.bin");
    let text = json(&folder, &["faults", "--diagnose", "observed.bin"]);
    assert!(text.contains("a machine with this fault gives exactly this:\n\n  1  "), "{text}");
    assert!(text.contains("ALUL pin 18 D4 (C4) stuck at 0"), "{text}");
    let answers: Value =
        serde_json::from_str(&json(&folder, &["faults", "--diagnose", "observed.bin", "--format", "json"]))
            .unwrap();
    let first = &answers["answers"][0];
    assert!(first["exact"] == true && first["chip"].is_string() && first["pin"].is_number(), "{first}");
    // A machine without a fault sends the bytes of the files, with and without presses.
    run("ALUL:0x000=0x20", "right.bin");
    let bytes = |name: &str| fs::read(folder.path(name)).unwrap();
    assert!(bytes("right.bin") == bytes("kit/selftest/expected-pressed.bin"));
    let mut alone =
        folder.command(&["run", "kit/selftest/selftest.g1", "--display", "none", "--engine", "isa"]);
    assert!(output(&mut alone).stdout == bytes("kit/selftest/expected.bin"));
    let text = json(&folder, &["faults", "--diagnose", "right.bin"]);
    assert!(text.starts_with("right.bin: 390 bytes, all as expected\nno fault is needed"), "{text}");
    let text = json(&folder, &["faults", "--diagnose", "kit/selftest/expected.bin"]);
    let right = "331 bytes, all as expected, without any input\nno fault is needed";
    assert!(text.contains(right), "{text}");
    // With --input, only that script is compared.
    let input = ["--input", "kit/selftest/presses.ron"];
    let text = json(&folder, &[&["faults", "--diagnose", "kit/selftest/expected.bin"], &input[..]].concat());
    assert!(text.contains("byte 330: expected 01, found ff\n"), "{text}");
    // An LED shows a fault that the bytes do not.
    folder.write("leds", "130 red 2,5\nend red 2,5\n");
    let text = json(&folder, &["faults", "--diagnose", "right.bin", "--leds", "leds"]);
    assert!(text.contains("exactly this") && text.contains("RED2 pin 19 D5 (RED2_5) stuck at 0"), "{text}");
    folder.write("leds", "366 blue 2,5\n");
    let wrong = "faults --diagnose right.bin --leds leds";
    folder.gray1(wrong).fails(1, &["leds:1: `366 blue 2,5`: write how many bytes"]);
    for after in ["391", "18446744073709551615"] {
        folder.write("leds", format!("end red 2,5\n{after} red 2,5\n"));
        folder
            .gray1(wrong)
            .fails(1, &[&format!("leds:2: `{after} red 2,5`: right.bin has only 390 bytes; write `end`")]);
    }
    let dictionary: Value = serde_json::from_str(&folder.read("kit/selftest/faults.json")).unwrap();
    let signatures = dictionary["signatures"].as_array().unwrap();
    let faults: usize = signatures.iter().map(|one| one["faults"].as_array().unwrap().len()).sum();
    let count = |model| json(&folder, &["faults", "--model", model, "--format", "json"]).lines().count();
    assert_eq!(faults, count("pins") + count("bridges"));
}

/// The first run, without a fault, can be endless.
#[test]
fn signals_end_endless_runs() {
    let folder = Folder::new();
    folder.write("endless.g1", "      lda #1\nloop: sta $FF0\n      add #1\n      jmp loop\n");
    let ends: [&[&str]; 2] = [&[], &["--model", "cells"]];
    for arguments in ends {
        let process =
            folder.start(&[&["faults", "endless.g1", "--max-cycles", "1000000000000"], arguments].concat());
        process.interrupt();
        let outcome = process.output();
        assert_eq!((outcome.status.code(), &*outcome.stdout), (Some(130), &b""[..]));
    }
}

#[test]
fn unstable_boards_are_rejected() {
    let folder = Folder::with(HI);
    let board = include_str!("../../emulator/machine/src/board/gray1.ron");
    let restless = format!("burn: Cells([{}])", ["1, 1, 0, 0"; 8].join(", "));
    folder.write("b.ron", board.replace("burn: Sequencer", &restless));
    let whole = "without any fault, the board does not settle in some phase of cycle 0";
    folder.gray1("faults p.g1 --board b.ron").fails(1, &[whole]);
}

#[test]
fn singular_nouns_are_correct() {
    let folder = Folder::new();
    folder.write("one.g1", "      lda #$55\n      sta $FF0\nhalt: jmp halt\n");
    let text = json(&folder, &["faults", "one.g1", "--count", "1"]);
    assert!(text.starts_with("one.g1 sends 1 byte in "), "{text}");
    assert!(text.contains("\n1 stuck pin tried: "), "{text}");
    folder.write("one.bin", "U");
    let text = json(&folder, &["faults", "one.g1", "--diagnose", "one.bin"]);
    assert!(text.starts_with("one.bin: 1 byte, all as expected\n"), "{text}");
}

#[test]
fn invalid_command_lines_are_rejected() {
    let folder = Folder::with(HI);
    for (arguments, message) in [
        ("faults --shard 0/3", "write which part of how many"),
        ("faults --shard 4/3", "write which part of how many"),
        ("faults --shard x", "write which part of how many"),
        ("faults --count 0", "write a number, at least 1"),
        ("faults --leds p.g1", "--diagnose"),
        ("faults --join a --shard 1/2", "cannot be used with"),
    ] {
        folder.gray1(arguments).fails(2, &[message]);
    }
    folder.gray1("faults --diagnose nowhere.bin").fails(1, &["nowhere.bin: cannot read"]);
    folder.gray1("faults --join nowhere.jsonl").fails(1, &["nowhere.jsonl: cannot read"]);
}
