//! `--cell`: changed cells in every command with a board, and invalid changes.

use crate::support::{Folder, HI};

/// With this change the lowest bit of X is always 1.
const STUCK: &str = "XMUX:*.X0=1";

#[test]
fn every_command_with_a_board_applies_cell_changes() {
    let folder = Folder::with(HI);
    let is_changed = |arguments: &[&str]| {
        let changed = folder.gray1(&[arguments, &["--cell", STUCK]].concat());
        let plain = folder.gray1(arguments);
        assert_ne!(changed.stdout, plain.stdout, "{changed:#?}");
        changed
    };
    assert_eq!(is_changed(&["run", "p.g1"]).stdout, "ii\x0b");
    is_changed(&["chips", "XMUX", "--at", "0"]);
    is_changed(&["why", "p.g1", "--cycle", "1", "A0"]);
    is_changed(&["run", "p.g1", "--engine", "timed", "--transients", "off"]);
    assert_eq!(is_changed(&["verify", "instructions"]).code, Some(1));
    let script = "until output\nshow output\n";
    let debug = ["debug", "p.g1", "--batch", "-", "--cell", STUCK];
    assert!(folder.gray1_with_input(&debug, script.as_bytes()).stdout.contains("\ni\n"));
}

#[test]
fn changes_apply_in_order_and_invalid_ones_are_rejected() {
    let folder = Folder::with(HI);
    let twice = folder.gray1(&["run", "p.g1", "--cell", STUCK, "--cell", "XMUX:%1xxxxxxxxxxxxxxxx.X0=W0"]);
    assert_eq!(twice.succeeds().stdout, "hi\n");
    for (change, code, message) in [
        ("XMUX", 2, "write CHIP:ADDRESS=VALUE"),
        ("XMUX:*.X8=1", 1, "--cell: XMUX has no data line X8"),
        ("PROGL:0=1", 1, "--cell: PROGL holds the program: change its source"),
    ] {
        folder.gray1(&["run", "p.g1", "--cell", change]).fails(code, &[message]);
    }
    folder.gray1(&["run", "p.g1", "--engine", "isa", "--cell", STUCK]).fails(2, &["--cell need"]);
}

/// The program never reads the changed keys, but the board is no longer a built-in one.
#[test]
fn long_runs_of_a_changed_board_agree_on_all_engines() {
    let folder = Folder::new();
    let end = |engine: &str| {
        let run =
            ["run", "queens-brute", "--display", "none", "--cell", "KMUX:*.I6=1", "--max-cycles", "7000000"];
        let run = folder.gray1(&[&run[..], &["--engine", engine, "--state-out", "end.ron"]].concat());
        assert_eq!(run.code, Some(3), "{run:#?}");
        (run.stdout, folder.read("end.ron"))
    };
    let plain = end("plain");
    assert_eq!(end("chips"), plain);
    if gray1_native::IS_SUPPORTED {
        assert_eq!(end("native"), plain);
    }
}
