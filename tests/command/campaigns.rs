//! Work that is divided among computers: parts that are joined are the whole, byte for byte; and the lines of
//! `docs/campaigns.md`, as they stand there.

use crate::support::{Folder, GRAY1};
use proptest::prelude::*;
use std::path::Path;
use std::process::Command;
use test_support::process::output;
use test_support::tools::installed;

const SUM: &str = "lda #200\nsta 5\nadd 5\nsta OUT\ndone: jmp done\n";
const SURVIVE: [&str; 6] = ["survive", "sum.g1", "--count", "5", "--capacitor", "none,100pF,1nF"];
const FAULTS: [&str; 4] = ["faults", "sum.g1", "--count", "25"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("sum.g1", SUM);
    folder
}

/// The part of a measurement, in a file.
fn part(folder: &Folder, arguments: &[&str], shard: &str, name: &str) {
    let part = folder.gray1(&[arguments, &["--format", "json", "--shard", shard]].concat());
    folder.write(name, &part.succeeds().stdout);
}

#[test]
fn parts_of_a_measurement_are_the_whole() {
    let folder = folder();
    let whole = folder.gray1(&SURVIVE).succeeds().stdout;
    for number in 1..=4 {
        part(&folder, &SURVIVE, &format!("{number}/4"), &format!("{number}.jsonl"));
    }
    let join = ["survive", "--join", "3.jsonl", "1.jsonl", "4.jsonl", "2.jsonl"];
    assert_eq!(folder.gray1(&join).succeeds().stdout, whole);

    folder
        .gray1(&["survive", "--join", "1.jsonl", "2.jsonl", "4.jsonl"])
        .fails(1, &["4 machines are missing, the first with capacitor none and seed 3: join all parts"]);
    part(&folder, &["survive", "sum.g1", "--count", "6"], "1/1", "other.jsonl");
    folder.gray1(&["survive", "--join", "1.jsonl", "other.jsonl"]).fails(
        1,
        &["other.jsonl: this belongs to another measurement than 1.jsonl: they differ in --count, --capacitor"],
    );
    folder.write("broken.jsonl", &(folder.read("1.jsonl") + "{\"seed\":1}\n"));
    folder.gray1(&["survive", "--join", "broken.jsonl"]).fails(1, &["broken.jsonl: line ", "not what"]);
    for (wrong, message) in [
        (&["survive", "sum.g1", "--shard", "1/2"][..], "--shard needs --format json"),
        (&["survive", "sum.g1", "--shard", "3/2"], "write which part of how many"),
        (&["survive", "sum.g1", "--join", "1.jsonl"], "cannot be used with"),
    ] {
        folder.gray1(wrong).fails(2, &[message]);
    }
}

#[test]
fn a_part_that_no_measurement_has_written_is_refused() {
    let folder = folder();
    part(&folder, &["survive", "sum.g1", "--count", "2", "--capacitor", "none,1nF"], "1/1", "whole.jsonl");
    let whole = folder.read("whole.jsonl");
    let (header, lives) = whole.split_once('\n').unwrap();
    let first = lives.lines().next().unwrap();
    let (before, _) = first.split_once("\"cycles\":").unwrap();
    let life = |cycles: &str| format!("{before}\"cycles\":{cycles},\"net\":\"X\"}}");
    let seeds = |count: &str| header.replace("\"seeds\":2", &format!("\"seeds\":{count}"));
    let capacitors = |list: &str| header.replace("[0,1000]", list);
    let elsewhere = first.replace("\"capacitor\":0", "\"capacitor\":7");
    let beyond = first.replace("\"seed\":1", "\"seed\":3");
    for (text, message) in [
        (seeds("18446744073709551615") + "\n", "line 1: `seeds` must be"),
        (seeds("0") + "\n", "line 1: `seeds` must be"),
        (capacitors("[]") + "\n", "line 1: `capacitors` must be"),
        (capacitors("[0,0]") + "\n", "line 1: `capacitors` must be"),
        (capacitors("[1000,0]") + "\n", "line 1: `capacitors` must be"),
        (capacitors("[0,1000001]") + "\n", "line 1: `capacitors` must be"),
        (format!("{header}\n{elsewhere}\n"), "line 2: the first line has no such capacitor or seed"),
        (format!("{header}\n\n{beyond}\n"), "line 3: the first line has no such capacitor or seed"),
        (
            format!("{header}\n{}\n", life("18446744073709551615")),
            "line 2: `cycles` is more than the program takes",
        ),
        (
            format!("{whole}{}\n", life("0")),
            "line 6: another line has a different result for the same machine",
        ),
        (
            format!("{header}\n{}\n", lives.lines().skip(1).collect::<Vec<_>>().join("\n")),
            "1 machine is missing",
        ),
    ] {
        folder.write("wrong.jsonl", &text);
        folder.gray1(&["survive", "--join", "wrong.jsonl"]).fails(1, &[message]);
    }
    let table = folder.gray1(&["survive", "--join", "whole.jsonl"]).succeeds().stdout;
    folder.write("again.jsonl", header.replace("sum.g1", "./sum.g1"));
    let again = folder.gray1(&["survive", "--join", "whole.jsonl", "again.jsonl", "whole.jsonl"]);
    assert_eq!(again.succeeds().stdout, table);
}

/// Parts come from elsewhere: what they call things is only text.
#[test]
fn names_in_parts_are_only_text() {
    let folder = folder();
    part(&folder, &SURVIVE, "1/1", "lives.jsonl");
    part(&folder, &FAULTS, "1/1", "faults.jsonl");
    let search = folder.gray1(&["search", "a = asr(a)", "--shard", "1/1"]).succeeds().stdout;
    folder.write("search.jsonl", search);
    for (command, from, to) in [
        ("survive", "\"program\":\"", "\"program\":\"\\u001b[2J\\n"),
        ("survive", "\"net\":null", "\"net\":\"\\u001b[2J\\n\""),
        ("faults", "\"chip\":\"", "\"chip\":\"\\u001b[2J\\n"),
        ("faults", "\"name\":\"", "\"name\":\"\\u001b[2J\\n"),
        ("faults", "\"reason\":\"", "\"reason\":\"\\u001b[2J\\n"),
        ("search", "\"search\":\"", "\"search\":\"\\u001b[2J\\n"),
    ] {
        let file = if command == "survive" { "lives.jsonl".to_owned() } else { format!("{command}.jsonl") };
        let text = folder.read(&file);
        assert!(text.contains(from), "{from}: {text}");
        folder.write("edited.jsonl", text.replace(from, to));
        let said = folder.gray1(&[command, "--join", "edited.jsonl"]).succeeds().stdout;
        let is_hidden = |letter: char| letter.is_control() && letter != '\n';
        assert!(said.contains("\\u{1b}[2J\\n") && !said.contains(is_hidden), "{said:?}");
    }
}

/// A part says exactly what it is a part of: names alone do not count.
#[test]
fn parts_of_different_machines_are_not_mixed() {
    let folder = folder();
    let source = include_str!("../../emulator/core/machine/src/board/gray1.ron");
    folder.write("slow.ron", source.replace("access: (60, 150)", "access: (60, 151)"));
    folder.write("other.ron", source.replace("name: \"Gray-1\"", "name: \"other\""));
    folder.write("sum2.g1", SUM.replace("200", "201"));
    let base = ["survive", "sum.g1", "--count", "2", "--capacitor", "none"];
    part(&folder, &base, "1/2", "1.jsonl");
    for (more, message) in [
        (&["--cell", "ALUL:*.C4=0"][..], "they differ in the cells of the ROMs"),
        (&["--board", "slow.ron"], "they differ in the timing of the parts"),
        (&["--board", "built"], "they differ in the wiring of the board, the cells of the ROMs"),
        (&["--delays", "path"], "they differ in --delays"),
        (&["--max-cycles", "3"], "they differ in --max-cycles"),
        (&["--osc", "401kHz"], "they differ in --osc"),
    ] {
        part(&folder, &[&base[..], more].concat(), "2/2", "2.jsonl");
        folder
            .gray1(&["survive", "--join", "1.jsonl", "2.jsonl"])
            .fails(1, &["2.jsonl: this belongs to another measurement than 1.jsonl: ", message]);
    }
    part(&folder, &[&["survive", "sum2.g1"], &base[2..]].concat(), "2/2", "2.jsonl");
    folder.gray1(&["survive", "--join", "1.jsonl", "2.jsonl"]).fails(1, &["they differ in the program"]);
    part(&folder, &[&base[..], &["--board", "other.ron"]].concat(), "2/2", "2.jsonl");
    folder.gray1(&["survive", "--join", "1.jsonl", "2.jsonl"]).succeeds();
    let older = folder.read("2.jsonl").replace("\"version\":\"", "\"version\":\"0.0");
    folder.write("2.jsonl", older);
    folder
        .gray1(&["survive", "--join", "1.jsonl", "2.jsonl"])
        .fails(1, &["they differ in the version of gray1"]);
}

/// Options that say how to run have no meaning then, and are refused rather than ignored.
#[test]
fn a_join_takes_no_options_of_a_run() {
    let values = [
        ("--capacitor", "1nF"),
        ("--osc", "1MHz"),
        ("--delays", "path"),
        ("--max-cycles", "5"),
        ("--shard", "1/2"),
        ("--board", "built"),
        ("--cell", "ALUL:0=0"),
        ("-D", "N=1"),
        ("-I", "folder"),
        ("--allow", "unused-name"),
        ("--deny", "all"),
        ("--model", "pins"),
        ("--observe", "port"),
        ("--count", "5"),
        ("--seed", "5"),
        ("--diagnose", "observed.bin"),
        ("--leds", "leds.txt"),
        ("--input", "in.ron"),
        ("--ram", "zero"),
    ];
    let folder = folder();
    for (command, own) in [("survive", &[][..]), ("faults", &["--format"])] {
        let help = folder.gray1(&[command, "--help"]).succeeds().stdout;
        let words = help.lines().filter_map(|line| line.split_whitespace().next());
        let options: Vec<&str> = words
            .filter(|word| word.starts_with('-') && !["-", "-h,", "-V,", "--join"].contains(word))
            .collect();
        assert!(options.len() > 12, "{options:?}");
        for option in options.into_iter().filter(|option| !own.contains(option)) {
            let value = values.iter().find(|(name, _)| *name == option).map_or("json", |(_, value)| value);
            folder
                .gray1(&[command, option, value, "--join", "part.jsonl"])
                .fails(2, &["cannot be used with"]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_parts_in_any_order_are_the_whole(order in (1..=7usize).prop_flat_map(shuffled)) {
        let folder = folder();
        let table = folder.gray1(&SURVIVE).succeeds().stdout;
        let lines = folder.gray1(&[&FAULTS[..], &["--format", "json"]].concat()).succeeds().stdout;
        let of = order.len();
        let search = ["search", "a = asr(a)", "--max", "4"]; // a part that finds nothing tries all that is shorter
        let answer = folder.gray1(&search).succeeds().stdout;
        for number in &order {
            let part_of_search = folder.gray1(&[&search[..], &["--shard", &format!("{number}/{of}")]].concat());
            folder.write(&format!("search{number}"), part_of_search.succeeds().stdout);
            part(&folder, &SURVIVE, &format!("{number}/{of}"), &format!("lives{number}"));
            part(&folder, &FAULTS, &format!("{number}/{of}"), &format!("faults{number}"));
        }
        let joined = |command: &[&str], name: &str| {
            let parts: Vec<String> = order.iter().map(|number| format!("{name}{number}")).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            folder.gray1(&[command, &["--join"], &parts].concat()).succeeds().stdout
        };
        prop_assert_eq!(joined(&["survive"], "lives"), table);
        prop_assert_eq!(joined(&["search"], "search"), answer);
        prop_assert_eq!(joined(&["faults", "--format", "json"], "faults"), lines);
    }
}

/// The numbers up to this one, in some order.
fn shuffled(of: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((1..=of).collect::<Vec<_>>()).prop_shuffle()
}

#[test]
fn parts_of_a_search_are_the_whole() {
    let folder = Folder::new();
    for (goal, max, code) in [("jump if a == x", "4", 0), ("a = a & x", "3", 1), ("a = 5", "2", 0)] {
        for number in 1..=3 {
            let part = ["search", goal, "--max", max, "--shard", &format!("{number}/3")];
            folder.write(&format!("{number}.jsonl"), folder.gray1(&part).succeeds().stdout);
        }
        for format in ["text", "json"] {
            let whole = folder.gray1(&["search", goal, "--max", max, "--format", format]).ends_with(code);
            let join = ["search", "--format", format, "--join", "2.jsonl", "3.jsonl", "1.jsonl"];
            assert_eq!(folder.gray1(&join).ends_with(code).stdout, whole.stdout, "{goal}");
        }
    }
}

#[test]
fn a_search_is_whole_only_if_each_part_says_what_it_has_excluded() {
    let folder = Folder::new();
    let goal = ["search", "a = a & x", "--max", "3"];
    for number in 1..=2 {
        let part = folder.gray1(&[&goal[..], &["--shard", &format!("{number}/2")]].concat()).succeeds();
        folder.write(&format!("{number}.jsonl"), part.stdout);
    }
    let (first, second) = (folder.read("1.jsonl"), folder.read("2.jsonl"));
    let without = |line: usize| -> String {
        second.split_inclusive('\n').enumerate().filter(|(at, _)| *at != line).map(|(_, line)| line).collect()
    };
    let header = |from: &str, to: &str| second.replacen(from, to, 1);
    let found = |code: &str| {
        second.replacen(
            "\"sequences\":[]",
            &format!("\"sequences\":[{{\"most\":1,\"least\":1,\"code\":[{code}]}}]"),
            1,
        )
    };
    let other = "other.jsonl: this belongs to another search than 1.jsonl: they differ in ";
    for (text, message) in [
        (String::new(), "other.jsonl: line 1: not what `gray1 search --shard` writes".to_owned()),
        (second[..second.len() - 3].to_owned(), "other.jsonl: line 9: not what".to_owned()),
        (without(3), "other.jsonl: the result for 2 words is missing: the file is not complete".to_owned()),
        (without(8), "other.jsonl: the result for 3 words is missing: the file is not complete".to_owned()),
        (first.clone(), "other.jsonl: part 1/2, which 1.jsonl is too".to_owned()),
        (header("2/2", "2/3"), format!("{other}the number of parts")),
        (header("2/2", "3/2"), "other.jsonl: line 1: `3/2`: write which part".to_owned()),
        (header("\"max\":3", "\"max\":2"), format!("{other}--max")),
        (header("a & x", "a & y"), format!("{other}what is wanted")),
        (header("\"version\":\"", "\"version\":\"0."), format!("{other}the version of gray1")),
        (
            found("\"lda x\""),
            "other.jsonl: line 2: a sequence does not have the length that the line says".to_owned(),
        ),
        (
            second.replace("\"undecided\":false", "\"undecided\":true"),
            "cannot decide whether there is a sequence of 0 words".to_owned(),
        ),
    ] {
        folder.write("other.jsonl", text);
        folder.gray1(&["search", "--join", "1.jsonl", "other.jsonl"]).fails(1, &[&message]);
    }
    folder
        .gray1(&["search", "--join", "2.jsonl"])
        .fails(1, &["1 of 2 parts missing, the first is 1/2: join all parts"]);
    // Above five words, only likely constants are tried.
    for (name, text) in [("1.jsonl", first), ("2.jsonl", second)] {
        let line = |(words, constants): (u8, &str)| {
            format!(
                "{{\"words\":{words},\"constants\":\"{constants}\",\"undecided\":false,\"sequences\":[]}}\n"
            )
        };
        let more =
            [(4, "few"), (5, "few"), (6, "few"), (4, "all"), (5, "all"), (6, "likely")].map(line).concat();
        folder.write(name, text.replace("\"max\":3", "\"max\":6") + &more);
    }
    let nothing = folder.gray1(&["search", "--join", "1.jsonl", "2.jsonl"]).ends_with(1).stdout;
    let shown = "a = a & x: no sequence of at most 5 words, without loops and with at most 2 temporary bytes, for any \
                 constants; none of 6 words with the constants 0 to 4, 7, 8, ";
    assert!(nothing.starts_with(shown), "{nothing}");
    for (wrong, message) in [
        (&["search", "--shard", "1/2"][..], "required"),
        (&["search", "a = x", "--shard", "3/2"], "write which part of how many"),
        (&["search", "a = x", "--shard", "1/2", "--format", "json"], "cannot be used with"),
        (&["search", "a = x", "--join", "1.jsonl"], "cannot be used with"),
        (&["search", "--max", "3", "--join", "1.jsonl"], "cannot be used with"),
    ] {
        folder.gray1(wrong).fails(2, &[message]);
    }
}

#[test]
fn the_lines_of_the_document_do_what_it_says() {
    if !installed(&["parallel"]) {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/campaigns.md");
    let document = std::fs::read_to_string(path).expect("the document");
    let lines: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let folder = folder();
    let bin = Path::new(GRAY1).parent().expect("the folder of the program").display().to_string();
    let search = std::env::var("PATH").expect("where programs are");
    let mut said = Vec::new();
    for line in lines.iter().filter(|line| !line.contains("gray1-fuzz")) {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder.path(".")).env("PARALLEL_HOME", folder.path("."));
        let outcome = output(shell.env("PATH", format!("{bin}:{search}")));
        assert!(outcome.status.success(), "{line}: {}", String::from_utf8_lossy(&outcome.stderr));
        said.push(String::from_utf8_lossy(&outcome.stdout).into_owned());
    }
    let whole = |arguments: &[&str]| folder.gray1(arguments).succeeds().stdout;
    assert_eq!(said[1], whole(&["survive", "sum.g1", "--count", "8"]));
    assert_eq!(said[3], whole(&["faults", "--model", "bridges", "--count", "40", "--format", "json"]));
    assert_eq!(said[5], whole(&["search", "jump if a == x", "--max", "4"]));
}
