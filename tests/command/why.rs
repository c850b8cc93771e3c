//! `gray1 why`: its JSON, and invalid questions.

use crate::support::Folder;
use serde_json::{Value, json};

/// A program that stores half of n to the display, and halts in cycle 5.
const PROGRAM: &str = "\
.ram n
.macro show row
      sta  RED+row
.endmacro
      lda  #6
      sta  n
      shr  n
      show 2
halt: jmp  halt
";

fn steps(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let outcome = folder.gray1(&[&["why", "p.g1", "--format", "json"], arguments].concat()).succeeds();
    steps_of(&outcome.stdout)
}

fn steps_of(answer: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    assert_eq!((&answer["version"], &answer["command"]), (&json!(1), &json!("why")));
    answer["steps"].as_array().expect("a list of steps").clone()
}

/// Without `--cycle` the question is about the end; the answer has a line for each instruction, or every cell.
#[test]
fn the_default_question_is_about_the_end_of_the_run() {
    let folder = Folder::with(PROGRAM);
    let short = folder.gray1(&["why", "p.g1", "red 2,1"]).succeeds().stdout;
    assert_eq!(short, folder.gray1(&["why", "p.g1", "red 2,1", "--cycle", "5"]).succeeds().stdout);
    assert!(short.starts_with("red 2,1 is lit at cycle 5\n\ncycle 3  STA RED+2 "), "{short}");
    assert!(
        short.lines().count() < 10 && short.ends_with("--full shows every chip, address and cell.\n"),
        "{short}"
    );
    let full = folder.gray1(&["why", "p.g1", "red 2,1", "--full"]).succeeds().stdout;
    assert!(full.contains("RED2_1=1: RED2 at $") && full.lines().count() > short.lines().count(), "{full}");
    let byte = folder.gray1("why p.g1 RED").succeeds().stdout;
    assert!(byte.contains("the byte in RAM; for an LED, ask about `red 0,0`"), "{byte}");
}

/// Every step refers to a cell that `gray1 chips` also shows, and comes before the steps that explain it.
#[test]
fn each_step_is_a_cell_of_the_board() {
    let folder = Folder::with(PROGRAM);
    let board: Value =
        serde_json::from_str(&folder.gray1("chips --format json").succeeds().stdout).expect("a board");
    let steps = steps(&folder, &["--cycle", "4", "red", "2,1", "--depth", "all"]);
    assert!(steps.len() > 15, "{} steps", steps.len());
    let mut looked_up = 0;
    for (index, step) in steps.iter().enumerate() {
        let causes = step["causes"].as_array().expect("a list").iter();
        assert!(
            causes.clone().all(|cause| cause.as_u64().is_some_and(|cause| cause > index as u64)),
            "{step}"
        );
        let chips = board["chips"].as_array().expect("a list");
        let chip = chips.iter().find(|chip| chip["name"] == step["chip"]).expect("a chip of the board");
        let line = step["line"].as_u64().expect("a number") as usize;
        let cell = step["cell"].as_u64().expect("a number");
        assert_eq!(cell >> line & 1, step["value"].as_u64().expect("a bit"), "{step}");
        if let Some(table) = chip["table"].as_u64() {
            assert_eq!(chip["data"][line], step["net"], "{step}");
            let address = step["address"].as_u64().expect("a number") as usize;
            let cells = board["tables"][table as usize].as_str().expect("a text");
            assert_eq!(u64::from_str_radix(&cells[2 * address..2 * address + 2], 16), Ok(cell), "{step}");
            looked_up += 1;
        }
    }
    assert!(looked_up > 10, "{looked_up} of a table");
}

#[test]
fn steps_have_their_instruction_and_source_lines() {
    let folder = Folder::with(PROGRAM);
    let lit = steps(&folder, &["--cycle", "4", "red 2,1"]);
    let first = &lit[0];
    let parts =
        ["cycle", "phase", "chip", "line", "net", "value", "instruction", "source", "expansions", "burned"];
    let values: Vec<&Value> = parts.iter().map(|part| &first[part]).collect();
    let expected = json!([3, 1, "RED2", 1, "RED2_1", 1, "STA RED+2", "p.g1:3", ["p.g1:8"], "Latch"]);
    assert_eq!(json!(values), expected);
    assert_eq!(first["held_until"], json!({ "cycle": 4, "phase": 0 }));
    assert!(
        lit.iter()
            .any(|step| step["net"] == "n.2" && step["how"] == "written" && step["instruction"] == "STA n")
    );
    assert_eq!(lit, steps(&folder, &["--cycle", "4", "red", "2,1"]));
    // An image has no source lines.
    folder.gray1("asm p.g1 -o p.bin").succeeds();
    let outcome = folder.gray1("why p.bin --cycle 4 red 2,1 --format json").succeeds();
    let image = steps_of(&outcome.stdout);
    assert_eq!((&image[0]["source"], &image[0]["instruction"]), (&Value::Null, &json!("STA RED+2")));
}

#[test]
fn unanswerable_questions_are_rejected() {
    let folder = Folder::with(PROGRAM);
    for (arguments, code, message) in [
        ("--cycle 4 B3", 1, "gray1: `B3`, column 1: there is no name `B3`"),
        ("--cycle 4 red 2,9", 1, "gray1: `red 2,9`, column 7: expected a row and a column, 0 to 7"),
        ("--cycle 4 ram[$1000]", 1, "4096 is not an address: they are 0 to 4095"),
        ("--cycle 4 A3 A4", 1, "gray1: `A3 A4`, column 4: unexpected `A4`"),
        (
            "--cycle 6 A3",
            1,
            "gray1: --cycle: the machine has halted before: its last position is cycle 5 phase 0",
        ),
        (
            "--cycle 5 --phase 1 A3",
            1,
            "gray1: --cycle: the machine has halted before: its last position is cycle 5 phase 0",
        ),
        ("--cycle 4 --phase 4 A3", 2, "write a number from 0 to 3"),
        ("--cycle 4", 2, "<WHAT>..."),
        ("LED 2,1", 1, "an LED is `red 3,5` or `green 3,5`"),
        ("--cycle 4 A3 --depth deep", 2, "write a number of steps, or `all`"),
        ("--cycle 6 A3", 1, "the machine has halted"),
        ("--cycle 4 A3 --engine isa", 2, "leave out --engine"),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        folder.gray1(&[&["why", "p.g1"], &words[..]].concat()).fails(code, &[message]);
    }
    assert_eq!(folder.names(), ["p.g1"], "nothing is drawn of no answer");
    folder.gray1("run p.g1 --max-cycles 3 --state-out half.ron").ends_with(3);
    let early = folder.gray1("why p.g1 --cycle 2 A3 --state-in half.ron");
    early.fails(1, &["the run begins in cycle 3, so it has no cycle 2"]);
}
