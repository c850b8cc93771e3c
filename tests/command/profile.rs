//! `gray1 run --profile`, and what reads it again: the files have what they say, and nothing else changes.

use crate::support::{Folder, HI, Outcome};
use gray1_profile::{Kind, Profile};
use serde_json::Value;

/// Calls a routine twice, with two and with three rounds; a macro counts them.
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
    let board = "emulator/core/machine/src/board/gray1.ron";
    let board = format!("--board {}/{board}", env!("CARGO_MANIFEST_DIR"));
    let mut options = vec!["", "--engine chips", "--engine isa", "--engine timed --transients off", &board];
    // A board with a changed cell, which this program never reads, is followed cycle by cycle.
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
fn the_json_is_as_the_contract_says() {
    let folder = Folder::with(CALLS);
    run(&folder, "--profile p.json").succeeds();
    let told = json(&folder, "p.json");
    let words = told["words"].as_array().unwrap();
    let sum: u64 = words.iter().map(|word| word["count"].as_u64().unwrap()).sum();
    assert_eq!(told["cycles"], sum);
    assert_eq!((&words[0]["number"], &words[0]["source"]), (&Value::from(0), &Value::from("p.g1:2")));
    let routine = |name: &str| {
        let routines = told["routines"].as_array().unwrap();
        routines.iter().find(|routine| routine["name"] == name).unwrap().clone()
    };
    let (wait, count) = (routine("wait"), routine("count_down"));
    // A round is 5 cycles, the last 4; the way back 2 or 3.
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
    let outcome =
        run(&folder, "--profile p.speedscope.json --profile p.info --profile p.svg --profile -").succeeds();
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
    assert!(folder.read("p.svg").starts_with("<svg "));
    run(&folder, "--profile p.txt").fails(2, &["FILE.speedscope.json"]);
    assert_eq!(folder.names(), ["p.g1", "p.info", "p.speedscope.json", "p.svg"]);
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

#[test]
fn lines_that_became_faster_are_found_although_they_have_moved() {
    let folder = Folder::with(CALLS);
    run(&folder, "--profile old.json").succeeds();
    folder.write("p.g1", format!("; faster\n{}", CALLS.replace("lda  #3", "lda  #2")));
    let outcome = run(&folder, "--profile-against old.json --profile c.svg").succeeds();
    let text = outcome.stdout;
    assert!(text.starts_with("x41 cycles before, 36 now: -5 (-12.2 %)\n"), "{text}");
    // Each line of the loop ran once less; the line that was changed is another line.
    for line in [
        "5    4      -1  p.g1:19  lda  byte",
        "1    -      -1  p.g1:5   lda  #3",
        "-    1      +1  p.g1:6   lda  #2",
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.lines().any(|found| squeezed(found) == squeezed(line)), "{line}: {text}");
    }
    assert!(folder.read("c.svg").contains("faster to the left"));
    run(&folder, "--profile-against p.g1").fails(1, &["p.g1: this is no profile"]);
    run(&folder, "--profile-against old.json --profile old.json").fails(2, &["old.json"]);
}

#[test]
fn a_listing_shows_counts() {
    let folder = Folder::with(CALLS);
    run(&folder, "--profile p.json").succeeds();
    let listing = ["asm", "p.g1", "--format", "listing", "--profile", "p.json"];
    let text = folder.gray1(&listing).succeeds().stdout;
    assert!(text.starts_with(" seq  gray  word       count   words  cycles | source\n"), "{text}");
    let is_counted = |line: &str| line.contains("sta  byte") && line.contains("           5 ");
    assert!(text.lines().any(is_counted), "{text}");
    let bars: Vec<usize> = text.lines().filter_map(|line| line.find(" |")).collect();
    assert!(bars.iter().all(|bar| *bar == bars[0]), "{text}");
    folder.gray1(&["asm", "p.g1", "--profile", "p.json"]).fails(2, &["--format listing"]);
    folder.write("p.g1", HI);
    folder.gray1(&listing).fails(1, &["the profile of another program"]);
}

#[test]
fn programs_are_compared_by_routine() {
    let folder = Folder::new();
    let compare = ["compare", "queens-bits", "queens-masks", "--profile"];
    let text = folder.gray1(&compare).succeeds().stdout;
    let (heads, last) = (text.lines().next().unwrap(), text.lines().last().unwrap());
    assert!(
        heads.contains("queens-bits") && heads.contains("queens-masks") && last.starts_with("all "),
        "{text}"
    );
    let told = folder.gray1(&[&compare[..], &["--format", "json"]].concat()).succeeds().stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    for program in told.as_array().unwrap() {
        let profile: Profile = serde_json::from_value(program["profile"].clone()).unwrap();
        assert_eq!(profile.routines.iter().map(|routine| routine.own).sum::<u64>(), profile.cycles);
        assert!(profile.routines.iter().any(|routine| routine.kind == Kind::Macro));
    }
    let csv = folder.gray1(&[&compare[..], &["--format", "csv"]].concat()).succeeds().stdout;
    assert!(csv.starts_with("routine,queens-bits,queens-masks\n"), "{csv}");
    let columns: Vec<u64> =
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let (all, rows) = columns.split_last().unwrap();
    assert_eq!(rows.iter().sum::<u64>(), *all);
}
