//! `gray1 search`: results that work on the machine, exit codes, and JSON.

use crate::support::{Folder, GRAY1};
use serde_json::{Value, json};
use std::process::Command;
use test_support::process::output;
use test_support::tools::installed;

fn found(goal: &str, more: &[&str]) -> Vec<Value> {
    let folder = Folder::new();
    let outcome = folder.gray1(&[&["search", goal, "--format", "json"], more].concat()).succeeds();
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&answer["version"], &answer["loops"]), (&1.into(), &false.into()));
    answer["sequences"].as_array().unwrap().clone()
}

fn code(sequence: &Value) -> Vec<&str> {
    sequence["code"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}

/// Makes a program that sends A and x after a sequence, and whether the sequence jumped.
fn program(sequence: &[&str], [a, x, y]: [u8; 3]) -> String {
    format!(
        ".ram x\n.ram y\n.ram t\n.ram u\n lda #{x}\n sta x\n lda #{y}\n sta y\n lda #{a}\n{}\nend: sta OUT\n lda x\n \
         sta OUT\n lda #0\n sta OUT\nhalt: jmp halt\ntarget: sta OUT\n lda x\n sta OUT\n lda #1\n sta OUT\nstop: jmp stop\n",
        sequence.join("\n")
    )
}

#[test]
fn found_sequences_work_on_the_machine() {
    type Judge = fn([u8; 3], [u8; 3]) -> bool;
    let goals: [(&str, Judge); 6] = [
        ("a = a & x", |[a, x, _], [after, same, _]| after == a & x && same == x),
        ("a = abs(a)", |[a, ..], [after, ..]| after == a.cast_signed().unsigned_abs()),
        ("a = a - x", |[a, x, _], [after, same, _]| after == a.wrapping_sub(x) && same == x),
        ("x = x - y", |[_, x, y], [_, after, _]| after == x.wrapping_sub(y)),
        ("jump if a <= x", |[a, x, _], [.., jumped]| (jumped == 1) == (a <= x)),
        ("jump if a & 4 != 0", |[a, ..], [.., jumped]| (jumped == 1) == (a & 4 != 0)),
    ];
    let folder = Folder::new();
    for (goal, is_right) in goals {
        for sequence in found(goal, &[]).iter().take(3) {
            for inputs in [[0, 0, 1], [5, 200, 7], [200, 5, 255], [128, 128, 128], [4, 3, 2], [255, 254, 253]]
            {
                folder.write("p.g1", program(&code(sequence), inputs));
                let run = output(&mut folder.command(&["run", "p.g1", "--display", "none"]));
                let sent: [u8; 3] = run.stdout.try_into().expect("three bytes");
                assert!(is_right(inputs, sent), "{goal}: {sequence} with {inputs:?} gives {sent:?}");
            }
        }
    }
}

#[test]
fn one_sequence_computes_several_results() {
    for (goal, expected) in [
        ("x = x << 1, c = x >> 7", "lda x; add x; sta x"),
        ("c = a < x", "nor #0; add x"),
        ("a = a >> 1, c = a & 1", "sta t; shr t"),
        ("x = 5, y = 7", "lda #5; sta x; lda #7; sta y"),
        ("x = x + 1, jump if x == 255", "lda x; add #1; sta x; jc target"),
        ("jump if c == 0", "jc end; jmp target"),
    ] {
        assert_eq!(code(&found(goal, &[])[0]).join("; "), expected, "{goal}");
    }
}

#[test]
fn kept_values_do_not_change() {
    let free = found("a = a + x", &["--keep", ""]);
    assert_eq!(code(&free[0]), ["add x"]);
    // Comparing changes A, so keeping it takes more words and a byte of RAM.
    assert_eq!(found("jump if a == 3", &["--temporaries", "0"])[0]["words"], 2);
    let kept = found("jump if a == 3", &["--keep", "a", "--max", "6"]);
    assert!(kept[0]["words"].as_u64().unwrap() > 2, "{kept:?}");
}

#[test]
fn the_absence_of_a_sequence_is_a_result() {
    let folder = Folder::new();
    let nothing = folder.gray1(&["search", "a = a & x", "--max", "3"]).ends_with(1);
    assert_eq!((&*nothing.stderr, nothing.stdout.lines().count()), ("", 1));
    let nothing = folder.gray1(&["search", "a = a & x", "--max", "3", "--format", "json"]).ends_with(1);
    let answer: Value = serde_json::from_str(&nothing.stdout).unwrap();
    assert_eq!((&answer["excluded"], &answer["sequences"]), (&3.into(), &json!([])));
    // Without a temporary byte, no sequence of this length exists.
    folder.gray1(&["search", "a = a & x", "--temporaries", "0", "--max", "4"]).ends_with(1);
}

/// A loop of three words computes this: `l: add #156`, `jc l`, `add #100`. Therefore only loop-free sequences are
/// excluded.
#[test]
fn loops_are_not_excluded() {
    let modulo = "a = a - (100 & (0 - (a >= 100))) - (100 & (0 - (a >= 200)))";
    let answer = Folder::new().gray1(&["search", modulo, "--max", "3"]).ends_with(1).stdout;
    let excluded =
        "no sequence of at most 3 words, without loops and with at most 2 temporary bytes, for any constants";
    assert_eq!(answer, format!("{modulo}: {excluded}\n"));
}

#[test]
fn invalid_goals_are_errors_with_a_position() {
    let folder = Folder::new();
    for (arguments, error) in [
        (&["search", "a & x"][..], "write what to compute: it begins with `a = `"),
        (&["search", "b = a"], "write what to compute: it begins with `a = `"),
        (&["search", "a = a & q"], "`q` is not known"),
        (&["search", " a = b"], "at character 6"),
        (&["search", "a = a &"], "at character"),
        (&["search", "a = a + 300"], "300 is not a byte"),
        (&["search", "a = x", "--keep", "a"], "a is the result"),
        (&["search", "a = x", "--keep", "c"], "c cannot be kept"),
        (&["search", "a = x", "--keep", "z"], "--keep z"),
        (&["search", "x = 1, a = min(a, x), x = 2"], "x is computed twice"),
        (&["search", "jump if a, jump if x"], "two jumps"),
        (&["search", "c = max(a, x), y = q"], "at character 20"),
        (&["search", "c = a,"], "write what to compute"),
    ] {
        let said = folder.gray1(arguments).ends_with(2);
        assert!(said.stderr.contains(error) && said.stdout.is_empty(), "{arguments:?}: {}", said.stderr);
        let said = folder.gray1(&[arguments, &["--format", "json"]].concat()).ends_with(2).stdout;
        let answer: Value = serde_json::from_str(&said).unwrap();
        assert!(answer["error"]["message"].as_str().unwrap().contains(error), "{arguments:?}: {said}");
    }
    folder.gray1(&["search", "a = x", "--max", "10"]).ends_with(2);
}

#[test]
fn results_do_not_depend_on_the_number_of_cores() {
    if !installed(&["taskset"]) {
        return;
    }
    let arguments = ["search", "jump if a <= x", "--max", "4", "--format", "json"];
    let one = output(Command::new("taskset").args(["-c", "0", GRAY1]).args(arguments));
    let folder = Folder::new();
    assert_eq!(String::from_utf8_lossy(&one.stdout), folder.gray1(&arguments).stdout);
}

#[test]
fn ctrl_c_ends_a_long_search() {
    let folder = Folder::new();
    let child = folder.start(&["search", "a = a ^ x", "--max", "6"]);
    child.interrupt();
    let output = child.output();
    assert_eq!((output.status.code(), &*output.stdout), (Some(130), &b""[..]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a = a ^ x: interrupted; no "), "{said}");
}
