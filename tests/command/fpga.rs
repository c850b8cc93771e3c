//! The FPGA core, simulated with Icarus: its trace equals the emulator's trace, for any number of clocks per phase and
//! any power-up state. The top module of the small board is tested through its serial line and its matrix.

use crate::support::{Folder, GRAY1};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use test_support::process::output;
use test_support::tools::installed;

/// Stores to both planes, and sends faster than the serial line can transmit.
const SHOW: &str = "
        .repeat 8, row
        lda  #$11 * row + 1
        sta  GREEN + row
        sta  OUT
        lda  #$C0 - row
        sta  RED + row
        .endrepeat
halt:   jmp  halt
";

fn simulate(folder: &Folder, arguments: &[&str]) -> String {
    let (program, arguments) = arguments.split_first().unwrap();
    let output = output(Command::new(program).args(arguments).current_dir(folder.path("kit/fpga")));
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && said[1].is_empty(), "{said:?}");
    said[0].clone()
}

/// Makes a program that stores to some cells and then executes random instructions on them. It includes jumps with the
/// wrong parity, which take the longest paths.
fn noise() -> Vec<u8> {
    const CELLS: u16 = 32;
    let mut state = 7u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as u16
    };
    let stores = (0..CELLS).flat_map(|cell| [1 << 12 | (cell * 37) & 0xFF, 1 << 13 | cell]);
    let mut words: Vec<u16> = stores.collect();
    words.resize_with(4096, || {
        let word = next(8) << 13 | next(2) << 12;
        word | if word >> 13 < 5 { next(CELLS.into()) } else { next(4096) | 0x800 }
    });
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
#[ignore = "takes half a minute"]
fn the_core_gives_the_same_trace() {
    if !installed(&["iverilog", "vvp"]) {
        return;
    }
    let folder = Folder::with(SHOW);
    folder.write("noise.bin", noise());
    let gray1 = include_str!("../../emulator/machine/src/board/gray1.ron");
    folder.write("gray1.ron", gray1.replace("ZL", "clock"));
    let trace = |board: &str| {
        folder.gray1(&[
            "run",
            "noise.bin",
            "--display",
            "none",
            "--board",
            board,
            "--max-cycles",
            "1500",
            "--trace",
            "t.csv",
        ]);
        folder.read("t.csv")
    };
    let expected = trace("built");
    assert_eq!(expected.lines().count(), 1501, "{expected}");
    for (board, runs) in [("built", &[(1, 6), (2, 16), (3, 9)][..]), ("./gray1.ron", &[(4, 16), (6, 7)])] {
        folder.gray1(&["build", "kit", "--program", "noise.bin", "--board", board]).succeeds();
        simulate(&folder, &["iverilog", "-g2012", "testbench.v", "core.v"]);
        for (seed, clocks) in runs {
            let [seed, clocks] = [format!("+seed={seed}"), format!("+clocks={clocks}")];
            let seen = simulate(&folder, &["vvp", "-n", "a.out", "+cycles=1500", &seed, &clocks]);
            assert!(seen == expected, "{board} {seed} {clocks}");
        }
    }
}

#[test]
fn the_top_sends_every_byte_and_shows_the_display() {
    if !installed(&["iverilog", "vvp"]) {
        return;
    }
    let folder = Folder::with(SHOW);
    folder.gray1("build kit --program p.g1").succeeds();
    simulate(&folder, &["iverilog", "-g2012", "top_testbench.v", "top.v", "core.v"]);
    let row = |row: u8| (0x11 * row + 1, 0xC0 - row);
    let bytes = (0..8).map(|number| format!("byte {:02x}\n", row(number).0));
    let rows =
        (0..8).map(|number| format!("row {number} green {:02x} red {:02x}\n", row(number).0, row(number).1));
    let expected: String = bytes.chain(rows).collect();
    assert_eq!(simulate(&folder, &["vvp", "-n", "a.out", "+bytes=8"]), expected);
}

/// Sends the row and column of each pad, and each key, once for each press.
const PADS: &str = "
wait:   lda  PADROW
        jz   key
        sta  OUT
        lda  PADCOL
        sta  OUT
held:   lda  PADROW
        jnz  held
key:    lda  KEYS
        jz   wait
        sta  OUT
down:   lda  KEYS
        jnz  down
        jmp  wait
        .include \"lib/compare.g1\"
";

#[test]
#[ignore = "takes ten seconds"]
fn the_top_has_pads_and_keys() {
    if !installed(&["iverilog", "vvp"]) {
        return;
    }
    let folder = Folder::with(PADS);
    folder.gray1("build kit --program p.g1").succeeds();
    simulate(&folder, &["iverilog", "-g2012", "top_testbench.v", "top.v", "core.v"]);
    let said = simulate(&folder, &["vvp", "-n", "a.out", "+bytes=23", "+presses"]);
    let pads = (0..8).map(|row| format!("byte {:02x}\nbyte {:02x}\n", 1 << row, 1 << (3 * row % 8)));
    let keys = (0..7).map(|key| format!("byte {:02x}\n", 1 << key));
    let expected: String = pads.chain(keys).collect();
    assert_eq!(said.split("row").next(), Some(&*expected));
}

/// The core looks up all chips in each clock, so its longest paths equal the paths of a board whose chips take one
/// clock each. The timing analysis computes their length for any program.
#[test]
fn sixteen_clocks_are_enough_for_a_phase() {
    let built = include_str!("../../emulator/machine/src/board/built.ron");
    let mut board = built.to_owned();
    for access in ["access: (28, 70), inertia: 4", "access: (22, 55), inertia: 22"] {
        assert!(board.contains(access));
        board = board.replace(access, "access: (10, 10), inertia: 1");
    }
    let folder = Folder::with(SHOW);
    folder.write("clocks.ron", board);
    let said = folder.gray1("timing --board clocks.ron --capacitor none").succeeds().stdout;
    // With a clock of 10 ns: 6 clocks per phase, 4 without jumps of the wrong parity, 12 until everything has settled.
    for line in [
        "highest safe oscillator frequency: 8.333 MHz",
        "as the assembler writes them: 12.500 MHz",
        "all of them settle up to 4.167 MHz",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

/// emulator/hardware/check: with CI set, a missing program is a failure unless WITHOUT names it.
#[test]
fn skipped_checks_fail_in_ci_unless_listed() {
    let folder = Folder::new();
    fs::create_dir(folder.path("bin")).unwrap();
    for name in ["bash", "env", "dirname", "realpath", "mktemp", "rm", "wc"] {
        symlink(format!("/usr/bin/{name}"), folder.path("bin").join(name)).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/emulator/hardware/check");
    for (settings, code, said) in [
        (&[("CI", "true")][..], 1, "cells: FAILED, iverilog is not installed; name it in WITHOUT"),
        (&[("CI", "true"), ("WITHOUT", "verilator vvp")], 1, "cells: FAILED, iverilog is not installed"),
        (
            &[("CI", "true"), ("WITHOUT", "yosys iverilog")],
            0,
            "cells: SKIPPED, iverilog is not installed\n1 skipped",
        ),
        (&[], 0, "cells: SKIPPED, iverilog is not installed\n1 skipped"),
    ] {
        let mut check = Command::new(script);
        check.arg("cells").env("GRAY1", GRAY1).env("PATH", folder.path("bin"));
        check.env_remove("CI").env_remove("WITHOUT").envs(settings.iter().copied());
        let outcome = output(&mut check);
        let text = String::from_utf8_lossy(&outcome.stdout);
        assert!(text.contains(said), "{settings:?}: {text}");
        assert_eq!(outcome.status.code(), Some(code), "{settings:?}: {text}");
    }
}
