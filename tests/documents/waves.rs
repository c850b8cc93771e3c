//! The levels that `docs/observing.md` describes and the signals that `docs/gray1.gtkw` shows are in the waveform.

use crate::document::{open, root};
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::process::output;
use wellen::simple::{self, Waveform};
use wellen::{SignalRef, VarType};

/// Levels that the document describes: the time in nanoseconds, the signal, its level, and the words of the document.
const LEVELS: [(u64, &str, u64, &str); 14] = [
    (3000, "W", 0x4000, "`W` is 4000"),
    (3000, "M", 0xC8, "RAM gives C8"),
    (3000, "R", 0x2C, "shows the sum, 2C"),
    (3000, "T", 0x64, "`T` and `A` hold 64"),
    (3000, "A", 0x64, "`T` and `A` hold 64"),
    (3250, "T", 0x2C, "`T` becomes 2C"),
    (3250, "MC", 1, "`MC` becomes 1"),
    (3250, "A.address", 0x0642C, "At 3.25 µs, `A.address` is 0642C"),
    (3500, "PH1", 0, "`PH1` is over"),
    (3750, "A", 0x2C, "`A` becomes 2C"),
    (3750, "TICK", 0, "`TICK` falls"),
    (4000, "PH2", 0, "`PH2` is over"),
    (4000, "PC", 0x006, "`PC` goes from 006"),
    (4750, "PC", 0x00D, "to 00D at once"),
];

#[test]
fn the_example_has_the_documented_levels() {
    let document = open("docs/observing.md");
    let mut wave = wave();
    for (time, name, value, words) in LEVELS {
        assert!(document.text.contains(words), "docs/observing.md does not say any more: {words}");
        let path = format!("gray1.{name}");
        let signal = find(&wave, |full, _| full == path).unwrap_or_else(|| panic!("there is no {path}"));
        wave.load_signals(&[signal]);
        let index = wave.time_table().binary_search(&time).expect("a phase begins then");
        let signal = wave.get_signal(signal).expect("it was loaded");
        let offset = signal.get_offset(index as u32).expect("it has a value");
        let digits = signal.get_value_at(&offset, 0).to_bit_string().expect("it is binary");
        assert_eq!(u64::from_str_radix(&digits, 2), Ok(value), "{name} at {time} ns");
    }
}

#[test]
fn gtkwave_signals_exist() {
    let wave = wave();
    let text = fs::read_to_string(root().join("docs/gray1.gtkw")).expect("docs/gray1.gtkw");
    let mut count = 0;
    for name in text.lines().filter(|line| line.starts_with("gray1.")) {
        assert!(find(&wave, |_, shown| shown == name).is_some(), "docs/gray1.gtkw: there is no {name}");
        count += 1;
    }
    assert!(count >= 25, "only {count} signals");
}

/// The signal of a variable, chosen by its path or by the name that GTKWave gives it.
fn find(wave: &Waveform, matches: impl Fn(&str, &str) -> bool) -> Option<SignalRef> {
    let hierarchy = wave.hierarchy();
    hierarchy.iter_vars().find_map(|variable| {
        let full = variable.full_name(hierarchy);
        let shown = match variable.index() {
            Some(index) if variable.var_type() != VarType::Integer => {
                format!("{full}[{}:{}]", index.msb(), index.lsb())
            }
            _ => full.clone(),
        };
        matches(&full, &shown).then(|| variable.signal_ref())
    })
}

/// The waveform of the example.
fn wave() -> Waveform {
    let document = open("docs/observing.md");
    let name = format!("waveform-{:?}", std::thread::current().id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("sum.g1"), document.file("sum.g1")).expect("the example");
    let arguments = ["run", "sum.g1", "--wave", "sum.vcd", "--display", "none"];
    let output = output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(arguments).current_dir(&folder));
    assert!(output.status.success());
    let wave = simple::read(folder.join("sum.vcd")).expect("a waveform");
    fs::remove_dir_all(&folder).expect("the folder is ours");
    wave
}
