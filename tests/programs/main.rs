//! Runs every program of `programs/` on all engines, with different contents of memory at power-up, and checks what its
//! comments say (see [`expectations`]). Programs that can do more than that have a file of their own.

mod ant;
mod arithmetic;
mod board;
mod calculator;
mod draw;
mod expectations;
mod life;
mod lights;
mod proofs;
mod queens;
mod rings;
mod simon;
mod slices;
mod snake;

use expectations::{Expectations, drawn};
use gray1_assembler::format;
use gray1_machine::{Engine, Noise, Script};
use std::fs;
use test_support::engines::{Seen, engines};
use test_support::programs::{assembled, folder};

/// The limit on the cycles of a program that should halt.
const MAX_CYCLES: u64 = 5_000_000;

/// The names and sources of the programs.
fn sources() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder()).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let programs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "g1"));
    let mut sources: Vec<(String, String)> = programs
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    sources.sort();
    sources
}

#[test]
fn every_program_does_what_its_comments_say() {
    for (name, source) in &sources() {
        let expected = Expectations::read(source).unwrap_or_else(|error| panic!("{name}: {error}"));
        let program = assembled(name, &[]);
        assert_eq!(Some(program.words.len() as u64), expected.words, "{name}: words");
        assert_eq!(Some(program.ram_bytes()), expected.ram, "{name}: RAM");
        if expected.only_isa {
            slices::check(name, &program.image, &expected);
            continue;
        }
        // The claim `noise` is proved, see `proofs`.
        for noise in [Noise::Random(1), Noise::Ones] {
            for (engine_name, mut engine) in engines(&program.image, noise) {
                check_run(&format!("{name}, {engine_name}, {noise:?}"), &mut *engine, &expected);
            }
        }
    }
}

fn check_run(run: &str, engine: &mut dyn Engine, expected: &Expectations) {
    let script = Script::from_ron(&expected.input).unwrap_or_else(|error| panic!("{run}: {error}"));
    let mut seen = Seen::default();
    let mut go_on = |engine: &mut dyn Engine, until: u64| {
        let left = until - engine.cycle();
        script.run(engine, left, &mut seen).expect("the board settles");
    };
    assert!(expected.cycles.is_some() || !expected.displays.is_empty(), "{run}: nothing is expected of it");
    for display in &expected.displays {
        let cycles =
            display.at.or(expected.cycles).expect("a program that never halts shows a display at a cycle");
        go_on(engine, cycles);
        let shown = drawn(&engine.state().ram[0xFE0..0xFF0]);
        let shown = shown.join("\n");
        assert!(shown == display.rows.join("\n"), "{run}: in cycle {}:\n{shown}", engine.cycle());
    }
    if let Some(cycles) = expected.cycles {
        go_on(engine, MAX_CYCLES);
        assert_eq!((engine.halted(), engine.cycle()), (true, cycles), "{run}: cycles");
    }
    assert!(!engine.halted() || expected.cycles.is_some(), "{run}: it halts in cycle {}", engine.cycle());
    if !expected.output.is_empty() {
        assert_eq!(String::from_utf8_lossy(&seen.bytes()), expected.output, "{run}: output");
    }
}

#[test]
fn every_program_is_laid_out_and_listed() {
    let readme = fs::read_to_string(folder().join("README.md")).expect("the list of programs");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(".g1`"));
    let mut listed: Vec<&str> = rows.map(|(name, _)| name).collect();
    listed.sort();
    let sources = sources();
    let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(listed, names, "the programs in programs/README.md, and those that are there");
    for (name, source) in &sources {
        let formatted = format(name, source.as_bytes());
        assert!(formatted.is_ok_and(|formatted| formatted == *source), "{name}: not formatted");
    }
}
