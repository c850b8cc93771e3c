//! Every macro of the library rejects the same operands as a plain instruction, and gives the same warnings.
//!
//! The calls are the examples in the library's comments: `x`, `y` and `#5` are bytes; `w`, `v` and `#1000` have 16
//! bits; a plain number is a count; `there` is the target of a jump.

use crate::costs::examples;
use test_support::library::assembled;

/// Operands that no instruction accepts, neither as a byte nor as an address nor as a target.
const INVALID: [&str; 5] = ["#65536", "#70000", "#-32769", "$1000", "\"text\""];
const NOT_BYTE: [&str; 6] = ["#256", "#300", "#512", "#1000", "#-129", "there"];
const NOT_LONG: [&str; 5] = ["#4294967296", "#-2147483649", "$1000", "\"text\"", "there"];
const NOT_TARGET: [&str; 3] = ["#5", "x", "GREEN"];

/// The variants of an example in which one operand is replaced.
fn replaced(call: &str, bad: impl Fn(&str, &str) -> Vec<&'static str>) -> Vec<String> {
    let Some((name, operands)) = call.split_once(' ') else { return Vec::new() };
    let operands: Vec<&str> = operands.trim().split(", ").collect();
    let mut calls = Vec::new();
    for index in 0..operands.len() {
        for argument in bad(name, operands[index]) {
            let mut operands = operands.clone();
            operands[index] = argument;
            calls.push(format!("{name} {}", operands.join(", ")));
        }
    }
    calls
}

fn is_number(operand: &str) -> bool {
    operand.parse::<i64>().is_ok()
}

/// The invalid values for this operand of an example.
fn invalid_operands(name: &str, operand: &str) -> Vec<&'static str> {
    match operand {
        constant if constant.starts_with('#') && name.ends_with("32") => NOT_LONG.to_vec(),
        "w" | "v" if name.ends_with("32") => NOT_LONG.to_vec(),
        constant if constant.starts_with('#') && name.ends_with("16") => [&INVALID[..], &["there"]].concat(),
        "there" => [&INVALID[..], &NOT_TARGET].concat(),
        "x" | "y" => [&INVALID[..], &NOT_BYTE].concat(),
        constant if constant.starts_with('#') => [&INVALID[..], &NOT_BYTE].concat(),
        "w" | "v" | "list" => [&INVALID[..], &["there"]].concat(),
        "0" if name == "scroller" => vec!["-1", "3"],
        _ if name == "delay" || name == "scroller" && is_number(operand) => vec!["-1", "132870", "\"text\""],
        count if is_number(count) => vec!["0", "-1", "1000"],
        "cells" | "sums" | "row" | "line" => vec!["5", "#5", "x"],
        "title" | "totals" => vec!["5", "#5"],
        "GREEN" => vec!["#5", "there", "$1000"],
        character if character.starts_with('\'') => vec!["1", "256", "\"text\""],
        text if text.starts_with('"') => vec!["5", "#5", "x"],
        other => panic!("what is {other}?"),
    }
}

#[test]
fn no_macro_accepts_operands_that_an_instruction_rejects() {
    let (mut cases, mut taken) = (0, Vec::new());
    for example in examples() {
        for call in replaced(&example.call, invalid_operands) {
            // A jump table may have any number of cases.
            if call.starts_with("switch 1000") {
                continue;
            }
            cases += 1;
            if !assembled(&call, &example.library).has_errors() {
                taken.push(call);
            }
        }
    }
    assert!(taken.is_empty(), "taken without a word: {taken:#?}");
    assert!(cases > 700, "{cases} cases");
}

#[test]
fn forgotten_hashes_are_reported_for_every_operand() {
    let (mut cases, mut silent) = (0, Vec::new());
    for example in examples() {
        let values = |_: &str, operand: &str| match operand {
            "x" | "y" | "#5" | "#1" => vec!["5"],
            "v" | "w" | "#1000" | "#-1" | "#1000000" => vec!["5", "1000"],
            _ => Vec::new(),
        };
        for call in replaced(&example.call, values) {
            let constant = call.replace(" 5", " #5").replace(" 1000", " #1000");
            if assembled(&constant, &example.library).has_errors() {
                continue;
            }
            cases += 1;
            let report = assembled(&call, &example.library).render(false);
            if !report.contains("warning[forgotten-hash]") {
                silent.push(call);
            }
        }
    }
    assert!(silent.is_empty(), "no warning: {silent:#?}");
    assert!(cases > 40, "{cases} cases");
}

/// Without a check of its own, `read_at list, 0` recursed until the assembler's limit, and printed seventy lines.
#[test]
fn a_list_without_elements_is_one_error() {
    for call in ["read_at list, 0", "write_at list, 0, x", "switch 0, \"case\""] {
        let report = assembled(call, "all.g1");
        assert_eq!(report.diagnostics.iter().filter(|error| error.is_error()).count(), 1, "{report}");
    }
}
