//! Runs the vectors, read from their files, on the fast engine; and checks that they cover what the documentation says.

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::{Engine, Failure, FastEngine, Inputs, Noise, Script, State};
use gray1_vectors::{After, Before, Case, Kind, Source, Trace, files};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use test_support::engines::Seen;
use test_support::programs::assembled;

const CASES: usize = 200;

/// The texts of files, by their names.
type Files = BTreeMap<String, String>;

fn made(cases: usize, programs: &[Source]) -> Files {
    let mut made = Files::new();
    let all = files(cases, programs, &AtomicBool::new(false), |name, piece| {
        made.entry(name.to_owned()).or_default().push_str(piece);
        Ok::<(), Failure>(())
    });
    assert!(all.expect("the board settles"), "nobody stops it");
    made
}

fn text<'a>(files: &'a Files, name: &str) -> &'a str {
    files.get(name).unwrap_or_else(|| panic!("no file {name}"))
}

fn cases(files: &Files, kind: Kind) -> Vec<Case> {
    let name = format!("instructions/{}.json", kind.name());
    serde_json::from_str(text(files, &name)).expect("a list of cases")
}

/// The state of the fast engine after a run, with the same bytes of RAM as the vector.
fn after(engine: &FastEngine, like: &After) -> After {
    let State { pc, a, c, target, jumped, halted, ram, .. } = engine.state();
    let ram = like.ram.iter().map(|&(address, _)| (address, ram[usize::from(address)])).collect();
    After { pc, a, c: c.into(), target, jumped: jumped.into(), halted: halted.into(), ram }
}

#[test]
fn every_case_is_the_same_on_the_fast_engine() {
    let files = made(CASES, &[]);
    for kind in Kind::all() {
        let cases = cases(&files, kind);
        assert_eq!(cases.len(), CASES);
        for case in cases {
            let (state, image, inputs) = case.initial.machine();
            let mut engine = FastEngine::power_up(&image, Noise::Ones);
            engine.set_state(&state).expect("the fast engine takes any state");
            engine.press(inputs).expect("and any input");
            let mut seen = Seen::default();
            engine.run(1, &mut seen).expect("it cannot fail");
            assert_eq!(after(&engine, &case.after), case.after, "{}", case.name);
            assert_eq!(seen.bytes(), case.output, "{}", case.name);
            let display: Vec<(usize, u8)> = seen.display.iter().map(|&(_, row, leds)| (row, leds)).collect();
            assert_eq!(display, case.display, "{}", case.name);
            let listed: BTreeSet<u16> = case.initial.ram.iter().map(|&(address, _)| address).collect();
            let all = engine.state().ram;
            assert!((0..).zip(all.iter()).all(|(address, byte)| *byte == 0 || listed.contains(&address)));
        }
    }
}

#[test]
fn every_program_is_the_same_on_the_fast_engine() {
    let script = Script::from_ron("[(at: 900, pad: Some((row: 2, col: 5))), (at: 1100, keys: [\"start\"])]");
    let source = |name: &str, script: Script| Source {
        name: name.to_owned(),
        image: assembled(name, &[]).image,
        script,
        most_cycles: 5_000,
    };
    let sources =
        [source("muldiv", Script::default()), source("draw", script.expect("a script of the test's own"))];
    let files = made(1, &sources);
    for source in sources {
        let text = text(&files, &format!("programs/{}.json", source.name));
        let trace: Trace = serde_json::from_str(text).expect("a trace");
        let image = Image::from_words(trace.rom.iter().copied().map(Word));
        assert_eq!(image, source.image);
        let (mut engine, mut seen, mut held) =
            (FastEngine::power_up(&image, Noise::Zeros), Seen::default(), Inputs::default());
        for (cycle, row) in (0..).zip(&trace.trace) {
            if let Some(&(_, padcol, padrow, keys)) = trace.inputs.iter().find(|(at, ..)| *at == cycle) {
                let nothing = Before { rom: vec![], ram: vec![], padcol, padrow, keys, ..BLANK };
                held = nothing.machine().2;
            }
            engine.press(held).expect("the fast engine takes any input");
            let registers = engine.registers();
            assert_eq!(
                (registers.pc, engine.word().0, registers.a, registers.c.into()),
                *row,
                "cycle {cycle}"
            );
            engine.run(1, &mut seen).expect("it cannot fail");
        }
        assert_eq!(after(&engine, &trace.after), trace.after);
        assert_eq!(seen, trace.seen);
        assert!(engine.halted() || trace.trace.len() == 5_000);
    }
}

const BLANK: Before = Before {
    pc: 0,
    a: 0,
    c: 0,
    target: 0,
    jumped: 0,
    padcol: 0,
    padrow: 0,
    keys: 0,
    rom: Vec::new(),
    ram: Vec::new(),
};

/// All conditions that make an instruction behave differently occur in each kind in which they can.
#[test]
fn nothing_that_matters_is_left_out() {
    let files = made(64, &[]);
    let mut opcodes = BTreeSet::new();
    for kind in Kind::all() {
        let cases = cases(&files, kind);
        let count = |is: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| is(case)).count();
        let name = kind.name();
        opcodes.insert(kind.opcode as u8);
        assert!(count(&|case| case.initial.pc == 4095) > 0, "{name}: the last place");
        if kind.opcode != Opcode::Jc {
            assert!((8..56).contains(&count(&|case| case.initial.c == 1)), "{name}: C before");
        }
        if matches!(kind.opcode, Opcode::Add | Opcode::Shr) {
            assert!((4..60).contains(&count(&|case| case.after.c == 1)), "{name}: C after");
        }
        if kind.opcode == Opcode::Sta {
            let m = |case: &Case| case.phases[0][w(&files)] >> 12 & 1 == 1;
            assert!((8..56).contains(&count(&m)), "{name}: STA with M");
        }
        assert_eq!(
            count(&|case| case.after.halted == 1),
            if name.ends_with("halt") { 64 } else { 0 },
            "{name}"
        );
        assert_eq!(count(&|case| !case.output.is_empty()), if name == "sta_port" { 64 } else { 0 });
        assert_eq!(count(&|case| !case.display.is_empty()), if name == "sta_display" { 64 } else { 0 });
        if name.ends_with("_input") && kind.opcode != Opcode::Sta {
            let addresses: BTreeSet<u16> =
                cases.iter().map(|case| case.phases[0][w(&files)] & 0xFFF).collect();
            assert!(
                addresses.len() > 5 && addresses.range(..0xFF8).next().is_none(),
                "{name}: {addresses:x?}"
            );
            assert!(count(&|case| case.initial.padrow != 0) > 30, "{name}: pads");
        }
    }
    assert_eq!(opcodes.len(), 8);
}

/// Where the program word is in a phase.
fn w(files: &Files) -> usize {
    let nets: Vec<serde_json::Value> = serde_json::from_str(text(files, "nets.json")).expect("a list");
    nets.iter().position(|net| net["name"] == "W").expect("the word")
}

#[test]
fn more_cases_begin_with_the_same() {
    let [few, many] = [3, 9].map(|count| made(count, &[]));
    for kind in Kind::all() {
        assert_eq!(cases(&few, kind), cases(&many, kind)[..3]);
    }
}

/// Nothing is kept that has been made: a case is handed over before the next one is run, and whoever takes it can stop.
#[test]
fn files_are_handed_over_as_they_are_made() {
    let (stop, mut names, mut longest) = (AtomicBool::new(false), Vec::new(), 0);
    let all = files(1_000_000, &[], &stop, |name, piece| {
        names.push(name.to_owned());
        longest = longest.max(piece.len());
        stop.store(name.starts_with("instructions/") && names.len() > 300, Ordering::Relaxed);
        Ok::<(), Failure>(())
    });
    assert!(!all.expect("the board settles"), "it was stopped");
    let cases = names.iter().filter(|name| name.starts_with("instructions/")).count();
    assert!((100..400).contains(&cases) && longest < 8_192, "{cases} pieces, at most {longest} bytes");
}
