//! `gray1 run --profile`: the contents of the files; profiling changes nothing else.

use crate::support::{Folder, HI, Outcome};
use serde_json::Value;

/// A program that calls a routine twice, with two and three iterations, which a macro counts.
const CALLS: &str = "\
.ram n
      lda  #2
      sta  n
      call wait
      lda  #3
      sta  n
      call wait
      lda  #'x'
      sta  OUT
halt: jmp  halt
.routine wait
.loop:  count_down n
        jz   .done
        jmp  .loop
.done:
.endroutine
.macro count_down byte
        lda  byte
        add  #-1
        sta  byte
.endmacro
";

fn run(folder: &Folder, options: &str) -> Outcome {
    let words: Vec<&str> = ["run", "p.g1"].into_iter().chain(options.split_whitespace()).collect();
    folder.gray1(&words)
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_engine_and_the_same_board_from_a_file_write_the_same_profile() {
    let folder = Folder::with(CALLS);
    let mut texts = Vec::new();
    let board = "emulator/machine/src/board/gray1.ron";
    let board = format!("--board {}/{board}", env!("CARGO_MANIFEST_DIR"));
    let mut options = vec!["", "--engine chips", "--engine isa", "--engine timed --transients off", &board];
    // A board with a changed cell is profiled cycle by cycle. The program never reads the cell.
    options.push("--cell KMUX:0x1FFFF=0");
    if gray1_native::IS_SUPPORTED {
        options.push("--engine native");
    }
    for (number, options) in options.into_iter().enumerate() {
        let name = format!("{number}.json");
        assert_eq!(run(&folder, &format!("{options} --profile {name}")).succeeds().stdout, "x", "{options}");
        texts.push(folder.read(&name));
    }
    assert!(texts.iter().all(|text| *text == texts[0]));
}

#[test]
fn the_json_has_the_documented_fields() {
    let folder = Folder::with(CALLS);
    run(&folder, "--profile p.json").succeeds();
    let profile = json(&folder, "p.json");
    let words = profile["words"].as_array().unwrap();
    let sum: u64 = words.iter().map(|word| word["count"].as_u64().unwrap()).sum();
    assert_eq!(profile["cycles"], sum);
    assert_eq!((&words[0]["number"], &words[0]["source"]), (&Value::from(0), &Value::from("p.g1:2")));
    let routine = |name: &str| {
        let routines = profile["routines"].as_array().unwrap();
        routines.iter().find(|routine| routine["name"] == name).unwrap().clone()
    };
    let (wait, count) = (routine("wait"), routine("count_down"));
    // An iteration takes 5 cycles, the last one 4; the return takes 2 or 3.
    assert_eq!(
        [&wait["calls"], &wait["total"], &wait["least"], &wait["most"]],
        [2, 5 + 4 + 2 + 10 + 4 + 3, 11, 17]
    );
    assert_eq!((&wait["kind"], &count["kind"]), (&Value::from("routine"), &Value::from("macro")));
    assert_eq!([&count["calls"], &count["self"], &count["total"], &count["least"]], [5, 15, 15, 3]);
    assert_eq!(count["callers"][0]["name"], "wait");
}

#[test]
fn the_extension_selects_the_format() {
    let folder = Folder::with(CALLS);
    let outcome = run(&folder, "--profile p.speedscope.json --profile p.info --profile -").succeeds();
    assert!(outcome.stdout.starts_with("xp.g1: 41 cycles\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(" lines ran.\n"), "{}", outcome.stdout);
    let speedscope = json(&folder, "p.speedscope.json");
    let weights = speedscope["profiles"][0]["weights"].as_array().unwrap();
    assert_eq!(weights.iter().map(|weight| weight.as_u64().unwrap()).sum::<u64>(), 41);
    let frames = speedscope["shared"]["frames"].as_array().unwrap();
    let samples = speedscope["profiles"][0]["samples"].as_array().unwrap();
    assert_eq!(samples.len(), weights.len());
    let indices = samples.iter().flat_map(|sample| sample.as_array().unwrap());
    assert!(indices.into_iter().all(|index| (index.as_u64().unwrap() as usize) < frames.len()));
    let lcov = folder.read("p.info");
    for line in ["SF:p.g1", "FN:11,wait", "FNDA:2,wait", "DA:12,5", "DA:18,5", "end_of_record"] {
        assert!(lcov.lines().any(|found| found == line), "{line}: {lcov}");
    }
    // A shipped program is covered by its name, although it is not on disk.
    folder.gray1("run first --profile first.info").succeeds();
    assert!(folder.read("first.info").contains("SF:first.g1\n"));
    std::fs::remove_file(folder.path("first.info")).unwrap();
    run(&folder, "--profile p.txt").fails(2, &["FILE.speedscope.json"]);
    assert_eq!(folder.names(), ["p.g1", "p.info", "p.speedscope.json"]);
}

#[test]
fn a_profile_changes_nothing_else() {
    let folder = Folder::with(HI);
    for options in ["", "--engine timed", "--max-cycles 3", "--trace t.csv --wave w.vcd", "--stats"] {
        let plain = run(&folder, &format!("{options} --state-out a.ron"));
        let profiled = run(&folder, &format!("{options} --state-out b.ron --profile p.json"));
        assert_eq!((&plain.stdout, plain.code), (&profiled.stdout, profiled.code), "{options}");
        assert_eq!(folder.read("a.ron"), folder.read("b.ron"), "{options}");
    }
    let resumed = run(&folder, "--state-in a.ron --profile q.json");
    assert_eq!(resumed.code, Some(0));
    assert_eq!(json(&folder, "q.json")["cycles"], 0);
}
