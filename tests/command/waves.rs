//! `gray1 run --wave`: an independent reader can read the files, and recording does not change the run. The tests of
//! `gray1-display` check the content of the files.

use crate::support::{ENDLESS, Folder, HI, Outcome};
use gray1_machine::PHASES;
use std::io::{BufRead, BufReader};
use wellen::simple;

/// Runs `gray1 run p.g1` with these options.
fn run(folder: &Folder, options: &str) -> Outcome {
    folder.gray1(&words(options))
}

fn words(options: &str) -> Vec<&str> {
    ["run", "p.g1"].into_iter().chain(options.split_whitespace()).collect()
}

/// Reads the times of a file with wellen.
fn times(folder: &Folder, name: &str) -> Vec<u64> {
    let file = simple::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert!(file.hierarchy().lookup_scope(&["gray1", "RAMH"]).is_some(), "{name}");
    file.time_table().to_vec()
}

#[test]
fn a_file_holds_every_phase_of_the_run() {
    let folder = Folder::with(HI);
    for name in ["w.vcd", "W.VCD"] {
        let outcome = run(&folder, &format!("--wave {name} --display none")).succeeds();
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("hi\n", ""));
        let times = times(&folder, name);
        assert_eq!(times.len(), 7 * PHASES + 1, "{name}");
        assert_eq!((times[0], times[7 * PHASES]), (0, 7000));
    }
    assert_eq!(folder.read("w.vcd"), folder.read("W.VCD"));
    assert_eq!(folder.names(), ["W.VCD", "p.g1", "w.vcd"]);
}

#[test]
fn recording_does_not_change_the_run() {
    let folder =
        Folder::with("again: lda KEYS\nadd GREEN\nsta GREEN\nsta OUT\nlda PADCOL\nsta RED\njmp again\n");
    folder.write(
        "i.ron",
        "[(at: 30, keys: [\"a\"]), (at: 90, pad: Some((row: 1, col: 2))), (at: 91, keys: [])]",
    );
    let always = "--input i.ron --max-cycles 200 --state-out s.ron";
    let run = |more: &str| {
        let output = folder.start(&words(&format!("{always} {more}"))).output();
        assert_eq!(output.status.code(), Some(3));
        (output.stdout, folder.read("t.csv"), folder.read("s.ron"))
    };
    let plain = run("--trace t.csv");
    for more in ["--wave w.vcd", "--wave w.vcd --from 80 --to 100"] {
        assert!(run(&format!("--trace t.csv {more}")) == plain, "{more}");
    }
    assert_eq!(times(&folder, "w.vcd")[0], 80_000);
    // A trace makes the run go cycle by cycle. The waveform is the same without it.
    let traced = folder.read("w.vcd");
    assert!(run("--wave w.vcd --from 80 --to 100") == plain);
    assert!(folder.read("w.vcd") == traced);
}

#[test]
fn a_run_can_be_shown_and_recorded() {
    let folder = Folder::with(ENDLESS);
    let record = |wave, more| {
        run(&folder, &format!("--max-cycles 2000 --wave {wave} --from 500 --to 600 {more}")).ends_with(3);
        folder.read(wave)
    };
    assert!(record("shown.vcd", "--record r.gif") == record("unseen.vcd", "--display none"));
}

/// `--from` and `--to` count cycles since reset, even if the run resumes from a state.
#[test]
fn resumed_runs_continue_the_cycle_count() {
    let folder = Folder::with(ENDLESS);
    run(&folder, "--max-cycles 100 --state-out s.ron").ends_with(3);
    run(&folder, "--max-cycles 150 --wave on.vcd --from 120 --to 130 --state-in s.ron").ends_with(3);
    run(&folder, "--max-cycles 150 --wave whole.vcd --from 120 --to 130").ends_with(3);
    assert_eq!(times(&folder, "on.vcd"), times(&folder, "whole.vcd"));
    let outcome = run(&folder, "--max-cycles 9 --wave w.vcd --to 50 --state-in s.ron").ends_with(3);
    let message = "w.vcd: empty: the run had no cycle to record from 0 to 50";
    assert!(outcome.stderr.contains(message), "{outcome:#?}");
}

#[test]
fn an_empty_recording_gets_a_warning() {
    let folder = Folder::with(HI);
    let name = "w.vcd";
    let outcome = run(&folder, &format!("--wave {name} --from 8")).succeeds();
    let message = format!("gray1: {name}: empty: the run had no cycle to record from 8 on\n");
    assert!(outcome.stderr.ends_with(&message), "{}", outcome.stderr);
    assert_eq!(times(&folder, name).len(), 2);
}

#[test]
fn invalid_requests() {
    let folder = Folder::with(HI);
    for (options, message) in [
        ("--wave w.txt", "FILE.vcd"),
        ("--wave -", "FILE.vcd"),
        ("--wave vcd", "FILE.vcd"),
        ("--wave w.vcd --engine isa", "--wave needs --engine chips or timed"),
        ("--wave w.vcd --from 9 --to 8", "--to, the last cycle of --wave, is less than --from"),
        ("--wave w.vcd --from x", "--from"),
        ("--from 9", "--wave"),
        ("--to 9", "--wave"),
    ] {
        run(&folder, options).fails(2, &[message]);
    }
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn unwritable_waveforms() {
    let folder = Folder::with(HI);
    let name = "full.vcd";
    run(&folder, &format!("--wave no/such/{name}")).fails(1, &["no/such/", "cannot write"]);
    std::os::unix::fs::symlink("/dev/full", folder.path(name)).unwrap();
    let outcome = run(&folder, &format!("--wave {name}")).ends_with(1);
    assert!(outcome.stderr.contains(&format!("{name}: cannot write: No space left")), "{outcome:#?}");
    folder.write("w.vcd", "old");
    folder.write("p.g1", "lda nothing\n");
    run(&folder, "--wave w.vcd").fails(1, &["p.g1:1:5"]);
    assert_eq!(folder.read("w.vcd"), "old");
    assert_eq!(folder.names(), ["full.vcd", "p.g1", "w.vcd"]);
}

#[test]
fn ctrl_c_completes_the_file() {
    let folder = Folder::with(ENDLESS);
    for options in ["--display none --wave v.vcd", "--display none --wave w.vcd --to 999"] {
        let mut child = folder.start(&words(options));
        // The output arrives after some thousand cycles.
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
        child.interrupt();
        assert_eq!(child.output().status.code(), Some(130), "{options}");
    }
    assert!(times(&folder, "v.vcd").len() > PHASES);
    assert_eq!(times(&folder, "w.vcd").len(), 1000 * PHASES + 1);
    assert_eq!(folder.names(), ["p.g1", "v.vcd", "w.vcd"]);
}

#[test]
fn the_timed_engine_is_recorded_in_picoseconds() {
    let folder = Folder::with(HI);
    let name = "w.vcd";
    let options = format!("--engine timed --osc 250kHz --display none --wave {name}");
    assert_eq!(run(&folder, &options).succeeds().stdout, "hi\n");
    let all = times(&folder, name);
    let edges = (0..7 * 4).filter(|edge| all.contains(&(edge * 2_000_000))).count();
    assert_eq!(edges, 7 * PHASES, "an edge every two microseconds");
    assert!(all.len() > 500, "{} times", all.len());
    run(&folder, &format!("{options} --from 2 --to 3")).succeeds();
    let window = times(&folder, name);
    assert_eq!((window[0], window[window.len() - 1]), (16_000_000, 32_000_000), "{name}");
}

/// The waveform of a failed machine is kept, unlike other files, because it shows the cause of the failure.
#[test]
fn the_waveform_of_a_failed_machine_is_kept() {
    let folder = Folder::with(HI);
    let name = "w.vcd";
    let outcome = run(&folder, &format!("--engine timed --osc 5MHz --trace t.csv --wave {name}"));
    assert!(outcome.ends_with(1).stderr.contains("the machine fails"));
    assert!(times(&folder, name).len() > 3);
    assert_eq!(folder.names(), ["p.g1", "w.vcd"]);
}
