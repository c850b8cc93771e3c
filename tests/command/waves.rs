//! `gray1 run --wave`: files that a reader of its own takes, and a run that does not notice. What is in the files is the
//! business of the tests of `gray1-waves`.

use crate::endings::{interrupt, wait};
use crate::support::{ENDLESS, Folder, HI};
use std::process::Stdio;
use wellen::simple;

/// Phases of a cycle.
const PHASES: usize = 4;

/// The times of a file, as wellen reads it.
fn times(folder: &Folder, name: &str) -> Vec<u64> {
    let file = simple::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert!(file.hierarchy().lookup_scope(&["gray1", "RAMH"]).is_some(), "{name}");
    file.time_table().to_vec()
}

#[test]
fn both_formats_hold_every_phase_of_the_run() {
    let folder = Folder::with(HI);
    for name in ["w.vcd", "w.fst", "W.VCD"] {
        let outcome = folder.gray1(&["run", "p.g1", "--wave", name, "--display", "none"]).succeeds();
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("hi\n", ""));
        let times = times(&folder, name);
        assert_eq!(times.len(), 7 * PHASES + 1, "{name}");
        assert_eq!((times[0], times[7 * PHASES]), (0, 7000));
    }
    assert_eq!(folder.read("w.vcd"), folder.read("W.VCD"));
    assert_eq!(folder.names(), ["W.VCD", "p.g1", "w.fst", "w.vcd"]);
}

#[test]
fn a_run_does_not_notice_that_it_is_recorded() {
    let folder =
        Folder::with("again: lda KEYS\nadd GREEN\nsta GREEN\nsta OUT\nlda PADCOL\nsta RED\njmp again\n");
    folder.write(
        "i.ron",
        "[(at: 30, keys: [\"a\"]), (at: 90, pad: Some((row: 1, col: 2))), (at: 91, keys: [])]",
    );
    let run = |more: &[&str]| {
        let always = [
            "run",
            "p.g1",
            "--input",
            "i.ron",
            "--max-cycles",
            "200",
            "--trace",
            "t.csv",
            "--state-out",
            "s.ron",
        ];
        let output = folder.command(&[&always, more].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        (output.stdout, folder.read("t.csv"), folder.read("s.ron"))
    };
    let plain = run(&[]);
    for more in [&["--wave", "w.fst"][..], &["--wave", "w.vcd", "--from", "80", "--to", "100"]] {
        assert!(run(more) == plain, "{more:?}");
    }
    assert_eq!(times(&folder, "w.vcd")[0], 80_000);
    // The trace makes it run cycle by cycle: without it, the file is the same.
    let traced = folder.read("w.vcd");
    folder
        .gray1(&[
            "run",
            "p.g1",
            "--input",
            "i.ron",
            "--max-cycles",
            "200",
            "--wave",
            "w.vcd",
            "--from",
            "80",
            "--to",
            "100",
        ])
        .ends_with(3);
    assert!(folder.read("w.vcd") == traced);
}

#[test]
fn a_run_can_be_shown_and_recorded() {
    let folder = Folder::with(ENDLESS);
    let run = |wave, more: &[&str]| {
        let always = ["run", "p.g1", "--max-cycles", "2000", "--wave", wave, "--from", "500", "--to", "600"];
        folder.gray1(&[&always, more].concat()).ends_with(3);
        folder.read(wave)
    };
    assert!(run("shown.vcd", &["--record", "r.gif"]) == run("unseen.vcd", &["--display", "none"]));
}

/// The window is counted since reset, whether the run began there or not.
#[test]
fn a_run_that_goes_on_counts_on() {
    let folder = Folder::with(ENDLESS);
    folder.gray1(&["run", "p.g1", "--max-cycles", "100", "--state-out", "s.ron"]).ends_with(3);
    let window = ["--from", "120", "--to", "130", "--max-cycles", "150"];
    folder
        .gray1(&[&["run", "p.g1", "--state-in", "s.ron", "--wave", "on.vcd"], &window[..]].concat())
        .ends_with(3);
    folder.gray1(&[&["run", "p.g1", "--wave", "whole.vcd"], &window[..]].concat()).ends_with(3);
    assert_eq!(times(&folder, "on.vcd"), times(&folder, "whole.vcd"));
    let outcome = folder.gray1(&[
        "run",
        "p.g1",
        "--state-in",
        "s.ron",
        "--wave",
        "w.fst",
        "--to",
        "50",
        "--max-cycles",
        "9",
    ]);
    assert!(
        outcome.stderr.contains("w.fst: empty: the run had no cycle to show from 0 to 50"),
        "{outcome:#?}"
    );
}

#[test]
fn a_window_that_never_comes_is_told() {
    let folder = Folder::with(HI);
    for name in ["w.vcd", "w.fst"] {
        let outcome = folder.gray1(&["run", "p.g1", "--wave", name, "--from", "8"]).succeeds();
        let message = format!("gray1: {name}: empty: the run had no cycle to show from 8 on\n");
        assert!(outcome.stderr.ends_with(&message), "{}", outcome.stderr);
        assert_eq!(times(&folder, name).len(), 2);
    }
}

#[test]
fn wrong_requests() {
    let folder = Folder::with(HI);
    for (arguments, messages) in [
        (&["--wave", "w.txt"][..], &["w.txt", "FILE.vcd or FILE.fst"][..]),
        (&["--wave", "-"], &["FILE.vcd or FILE.fst"]),
        (&["--wave", "vcd"], &["FILE.vcd or FILE.fst"]),
        (&["--wave", "w.vcd", "--engine", "fast"], &["--wave needs --engine chips or timed"]),
        (&["--wave", "w.vcd", "--from", "9", "--to", "8"], &["--from", "--to cannot be less"]),
        (&["--wave", "w.vcd", "--from", "x"], &["--from"]),
        (&["--from", "9"], &["--wave"]),
        (&["--to", "9"], &["--wave"]),
    ] {
        folder.gray1(&[&["run", "p.g1"], arguments].concat()).fails(2, messages);
    }
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn a_file_that_cannot_be_written() {
    let folder = Folder::with(HI);
    for name in ["full.vcd", "full.fst"] {
        folder
            .gray1(&["run", "p.g1", "--wave", &format!("no/such/{name}")])
            .fails(1, &["no/such/", "cannot write"]);
        std::os::unix::fs::symlink("/dev/full", folder.path(name)).unwrap();
        let outcome = folder.gray1(&["run", "p.g1", "--wave", name]).ends_with(1);
        assert!(outcome.stderr.contains(&format!("{name}: cannot write: No space left")), "{outcome:#?}");
    }
    folder.write("w.vcd", "old");
    folder.write("p.g1", "lda nothing\n");
    folder.gray1(&["run", "p.g1", "--wave", "w.vcd"]).fails(1, &["p.g1:1:5"]);
    assert_eq!(folder.read("w.vcd"), "old");
    assert_eq!(folder.names(), ["full.fst", "full.vcd", "p.g1", "w.vcd"]);
}

#[test]
fn ctrl_c_completes_the_file() {
    let folder = Folder::with(ENDLESS);
    for arguments in [&["--wave", "w.fst"][..], &["--wave", "w.vcd", "--to", "999"]] {
        let arguments = [&["run", "p.g1", "--display", "none"], arguments].concat();
        let mut child =
            folder.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130), "{arguments:?}");
    }
    assert!(times(&folder, "w.fst").len() > PHASES);
    assert_eq!(times(&folder, "w.vcd").len(), 1000 * PHASES + 1);
    assert_eq!(folder.names(), ["p.g1", "w.fst", "w.vcd"]);
}

#[test]
fn the_timed_engine_is_recorded_in_picoseconds() {
    let folder = Folder::with(HI);
    for name in ["w.vcd", "w.fst"] {
        let always =
            ["run", "p.g1", "--engine", "timed", "--osc", "250kHz", "--wave", name, "--display", "none"];
        assert_eq!(folder.gray1(&always).succeeds().stdout, "hi\n");
        let all = times(&folder, name);
        let edges = (0..7 * 4).filter(|edge| all.contains(&(edge * 2_000_000))).count();
        assert_eq!(edges, 7 * PHASES, "an edge every two microseconds");
        assert!(all.len() > 500, "{} times", all.len());
        folder.gray1(&[&always[..], &["--from", "2", "--to", "3"]].concat()).succeeds();
        let window = times(&folder, name);
        assert_eq!((window[0], window[window.len() - 1]), (16_000_000, 32_000_000), "{name}");
    }
}

/// A waveform shows how a machine came to fail: it is kept, whatever else the failure ends.
#[test]
fn a_machine_that_fails_leaves_its_waveform() {
    let folder = Folder::with(HI);
    for name in ["w.vcd", "w.fst"] {
        let outcome = folder.gray1(&[
            "run", "p.g1", "--engine", "timed", "--osc", "5MHz", "--wave", name, "--trace", "t.csv",
        ]);
        assert!(outcome.ends_with(1).stderr.contains("the machine fails"));
        assert!(times(&folder, name).len() > 3);
    }
    assert_eq!(folder.names(), ["p.g1", "w.fst", "w.vcd"]);
}
