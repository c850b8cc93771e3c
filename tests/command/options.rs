//! Option values in all spellings, and the messages for invalid values.

use crate::support::{ENDLESS, Folder, HI};

#[test]
fn numbers_of_cycles_and_speeds() {
    let folder = Folder::with(ENDLESS);
    for cycles in ["2000", "2_000", "2k", "2e3", "0.002M"] {
        folder.gray1(&["run", "p.g1", "--max-cycles", cycles, "--trace", "t.csv"]).ends_with(3);
        assert_eq!(folder.read("t.csv").lines().count(), 2001, "{cycles}");
    }
    for cycles in ["abc", "-1", "1.5", "1e99", "1e4294967295G", "", "k"] {
        let line = ["run", "p.g1", &format!("--max-cycles={cycles}")];
        folder.gray1(&line).fails(2, &["--max-cycles", "write a number of machine cycles"]);
    }
    // Every option takes the same numbers, and no message is one of Rust.
    for line in [
        "--hold 1k",
        "--from 0x10 --wave w.vcd",
        "--engine timed --seed 1e3",
        "--engine timed --osc 1e6",
        "-D n=$FF",
    ] {
        let words: Vec<&str> =
            ["run", "p.g1", "--max-cycles", "9"].into_iter().chain(line.split(' ')).collect();
        folder.gray1(&words).ends_with(3);
    }
    for line in [
        "run p.g1 --hold 1m",
        "run p.g1 --seed x",
        "tree p.g1 --levels 0",
        "search a=x --max 99",
        "dap --port 1e9",
    ] {
        let said = folder.gray1(line).ends_with(2).stderr;
        assert!(said.contains("write a number") && !said.contains("digit"), "{line}: {said}");
    }
    for speed in ["8k", "8kHz", "1M", "1.5MHz", "1.5 mhz", "1e6", "max", "500"] {
        folder.gray1(&["run", "p.g1", "--max-cycles", "10", "--hz", speed]).ends_with(3);
    }
    for speed in ["fast", "0", "1.5", "-2", "8 parsecs"] {
        folder.gray1(&["run", "p.g1", &format!("--hz={speed}")]).fails(2, &["--hz", "cycles per second"]);
    }
}

#[test]
fn an_animation_is_a_gif() {
    let folder = Folder::with(HI);
    folder.gray1("run p.g1 --record x.txt").fails(2, &["x.txt", "FILE.gif"]);
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn a_missing_display_is_an_error_only_if_requested() {
    let folder = Folder::with(HI);
    assert_eq!(folder.gray1("run p.g1").succeeds().stderr, "");
    folder.gray1("run p.g1 --display window").fails(1, &["no window can be opened"]);
}

#[test]
fn fmt_formats_every_valid_file() {
    let folder = Folder::with("  lda #1\n");
    folder.write("q.g1", "  lda #2\n");
    folder.gray1("fmt p.g1 missing.g1 q.g1").fails(1, &["missing.g1: cannot read"]);
    assert_eq!(
        (folder.read("p.g1").as_str(), folder.read("q.g1").as_str()),
        ("      lda  #1\n", "      lda  #2\n")
    );
}

#[test]
fn an_unread_trace_is_not_an_error() {
    let folder = Folder::with(ENDLESS);
    let mut process = folder.start("run p.g1 --trace -");
    drop(process.stdout.take());
    assert_eq!(process.wait().code(), Some(0));
}
