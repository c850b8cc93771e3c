//! Faults planted in the machine of the pack, in Verilog, and located by `gray1 faults --diagnose`.
//!
//! The test does not use the simulator of faults: it changes the Verilog, and Icarus simulates it with chip delays. A
//! person presses the pads and keys that the LEDs ask for. `cargo test --release --test planted -- --ignored` plants
//! some of each kind, with `PLANTED=all` the whole table, which it prints.

#![allow(clippy::unwrap_used)] // a test may panic

mod faults;
mod machine;

use faults::{KINDS, Kind, Planted, Workshop};
use gray1_hardware::faults::{
    Answer, Circuit, Conditions, Defect, Entry, Fault, Observed, Place, Reference, Trials, WrongLed, presses,
    sent,
};
use gray1_hardware::kit::capture::{Capture, Start};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Noise, Random, Script};
use machine::{Machine, Observation};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use test_support::folder::Folder;
use test_support::process::output;
use test_support::programs::assembled;
use test_support::say;
use test_support::tools::installed;

/// The bytes after which the display is known, because the self-test has cleared it.
const CLEARED_BYTES: usize = 3;
/// The number of wrong LEDs that a person writes down.
const MAX_LEDS: usize = 3;
/// The fault must be among this many first answers.
const MAX_ANSWERS: usize = 3;

/// The faults of each kind without `PLANTED=all`.
const SAMPLE: usize = 2;

struct Bench {
    folder: Folder,
    workshop: Workshop,
    healthy: Machine,
    right: Observation,
}

fn gray1(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(arguments).current_dir(folder));
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Bench {
    fn new() -> Bench {
        let folder = Folder::create();
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/selftest.g1");
        gray1(folder.path(), &["build", "kit", "--program", program.to_str().unwrap()]);
        let kit = folder.path().join("kit");
        let images = fs::read_dir(kit.join("burn")).unwrap().map(|entry| entry.unwrap().path());
        let images: BTreeMap<String, Vec<u8>> = images
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
            .collect();
        let wires = fs::read_to_string(kit.join("wires.csv")).unwrap();
        let healthy = Machine::of(&kit);
        let workshop = Workshop::new(healthy.clone(), &wires, images);
        let right = healthy.run(&kit.join("verilog"), 1);
        Bench { folder, workshop, healthy, right }
    }

    fn run(&self, machine: &Machine, seed: u32) -> Observation {
        machine.run(&self.folder.path().join("kit/verilog"), seed)
    }

    /// The LEDs that a person writes down: the first that are wrong, unless a byte is wrong before.
    fn leds(&self, seen: &Observation) -> Vec<String> {
        let pairs = self.right.bytes.iter().zip(&seen.bytes).enumerate().skip(CLEARED_BYTES);
        let agreeing = pairs.take_while(|(_, (right, seen))| right.0 == seen.0);
        let mut moments = agreeing.map(|(index, (right, seen))| ((index + 1).to_string(), right.1 ^ seen.1));
        let is_whole = self.right.bytes.iter().map(|byte| byte.0).eq(seen.bytes.iter().map(|byte| byte.0));
        let end = is_whole.then(|| ("end".to_owned(), self.right.leds ^ seen.leds));
        let Some((moment, wrong)) = moments.find(|(_, wrong)| *wrong != 0).or(end) else { return vec![] };
        let name = |led: usize| {
            let (colour, row) = if led < 64 { ("green", led / 8) } else { ("red", led / 8 - 8) };
            format!("{moment} {colour} {row},{}", led % 8)
        };
        (0..128).filter(|led| wrong >> led & 1 == 1).take(MAX_LEDS).map(name).collect()
    }

    /// The symptoms that a person writes down; `None` if there are none.
    fn observed(&self, seen: &Observation) -> Option<Observed> {
        let leds: Vec<WrongLed> = self.leds(seen).iter().map(|led| led.parse().unwrap()).collect();
        let bytes = |seen: &Observation| seen.bytes.iter().map(|byte| byte.0).collect::<Vec<u8>>();
        (!leds.is_empty() || bytes(seen) != bytes(&self.right)).then(|| Observed { bytes: bytes(seen), leds })
    }
}

/// All faults that `gray1 faults --diagnose` considers, with their symptoms in each run.
struct Dictionary<'a> {
    trials: Trials<'a>,
    entries: Vec<Vec<Entry>>,
}

/// The stop flag, which is never set.
static NEVER_STOPPED: AtomicBool = AtomicBool::new(false);

impl<'a> Dictionary<'a> {
    fn new(circuit: &'a Circuit, image: &Image) -> Dictionary<'a> {
        let (noise, max_cycles) = (Noise::Random(1), 100_000);
        let script = presses(image, noise, max_cycles, &NEVER_STOPPED);
        let reference =
            Reference::run(circuit, Conditions { noise, script, max_cycles }, &NEVER_STOPPED).unwrap();
        let trials =
            Trials::either(reference, &sent(image, noise, &Script::default(), &NEVER_STOPPED).unwrap())
                .unwrap();
        let faults = circuit.diagnosed();
        let entries = trials.references().map(|reference| entries(reference, &faults)).collect();
        Dictionary { trials, entries }
    }

    /// The first answers.
    fn answers(&self, observed: &Observed) -> Vec<Answer> {
        let can = |entry: &&Entry| self.trials.can_explain(entry.fault, observed);
        let entries: Vec<Vec<Entry>> =
            self.entries.iter().map(|entries| entries.iter().filter(can).cloned().collect()).collect();
        self.trials.diagnose(&entries, observed, MAX_ANSWERS)
    }
}

/// The entries of faults, on all cores.
fn entries(reference: &Reference, faults: &[Fault]) -> Vec<Entry> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        let part = |faults: &[Fault]| faults.iter().map(|&fault| reference.entry(fault)).collect::<Vec<_>>();
        let parts = faults.chunks(faults.len().div_ceil(cores).max(1));
        let running: Vec<_> = parts.map(|faults| scope.spawn(move || part(faults))).collect();
        running.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

/// The places of the faults that explain all rows of a capture, as `gray1 capture` lists them.
fn explanations(circuit: &Circuit, text: &str) -> Vec<Place> {
    let capture = Capture::read(text, &circuit.netlist).unwrap();
    let starts = Start::all(&capture, 0);
    let run = (Noise::Random(1), &Script::default());
    let faults = circuit.diagnosed().into_iter();
    let explanations = faults.filter(|&fault| circuit.explains(Some(fault), run, &capture, &starts).unwrap());
    explanations.map(|fault| circuit.place(fault)).collect()
}

/// The number of places to inspect up to the planted one; `None` if it is not among the first answers.
fn place(planted: &Planted, answers: &[Answer]) -> Option<usize> {
    let mut before = 0;
    for answer in answers {
        let mut places = std::iter::once(&answer.place).chain(&answer.cannot_be_told_from);
        before += 1 + answer.cannot_be_told_from.len();
        if places.any(|place| is_named(planted, place)) {
            return Some(before);
        }
    }
    None
}

/// Whether a place is a pin, a net or a chip of the fault.
fn is_named(planted: &Planted, Place { chip, what }: &Place) -> bool {
    let (pins, net, other) = match what {
        Defect::Stuck { pin, .. } => (vec![pin], None, None),
        Defect::Bridge { pin, joined: other } | Defect::Swap { pin, swapped: other } => {
            (vec![pin, other], None, None)
        }
        Defect::Open { net, .. } | Defect::Cell { net, .. } => (vec![], Some(net), None),
        Defect::Exchanged { exchanged } => (vec![], None, Some(exchanged)),
        Defect::Contents { .. } => (vec![], None, None),
    };
    let is_pin = |number: usize| planted.pins.iter().any(|(own, pin)| own == chip && *pin == number as u64);
    pins.iter().any(|pin| is_pin(pin.pin) || planted.nets.contains(&pin.net))
        || net.is_some_and(|net| planted.nets.contains(net))
        || [Some(chip), other].into_iter().flatten().any(|name| planted.chips.contains(name))
}

#[derive(Default)]
struct Row {
    planted: usize,
    noticed: usize,
    named: usize,
    places: Vec<usize>,
    /// The number of captures that differ first, and of those that a fault at the right place explains.
    captured: [usize; 2],
}

#[test]
#[ignore = "it takes minutes"]
fn planted_faults_are_detected_and_located() {
    if !installed(&["iverilog", "vvp"]) {
        return;
    }
    let bench = Bench::new();
    let expected = fs::read(bench.folder.path().join("kit/selftest/expected-pressed.bin")).unwrap();
    let bytes: Vec<u8> = bench.right.bytes.iter().map(|byte| byte.0).collect();
    assert!(bytes == expected, "{} bytes", bytes.len());
    for seed in [2, 77] {
        assert!(bench.observed(&bench.run(&bench.healthy, seed)).is_none());
    }
    let is_all = std::env::var("PLANTED").is_ok_and(|what| what == "all");
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let kinds = KINDS.into_iter().flat_map(|(kind, count)| {
        (0..if is_all { count } else { SAMPLE })
            .map(move |number| (kind, Random::new(seed, (kind as u64) << 32 | number as u64)))
    });
    let tried: Vec<(Kind, Planted, Observation)> = kinds
        .map(|(kind, mut random)| {
            let planted = bench.workshop.plant(kind, &mut random);
            let seen = bench.run(&planted.machine, random.between(1, 1000) as u32);
            (kind, planted, seen)
        })
        .collect();
    let image = assembled("selftest", &[]).image;
    let circuit = Circuit::new(&Board::built(), &image).unwrap();
    let dictionary = Dictionary::new(&circuit, &image);

    let mut rows: Vec<(Kind, Row)> = Vec::new();
    for (kind, _) in KINDS {
        let mut row = Row::default();
        for (_, planted, seen) in tried.iter().filter(|(other, ..)| *other == kind) {
            row.planted += 1;
            let Some(observed) = bench.observed(seen) else {
                say(&format!("{kind}: {}: not noticed", planted.text));
                continue;
            };
            row.noticed += 1;
            let answers = dictionary.answers(&observed);
            if row.captured[0] < SAMPLE && seen.capture != bench.right.capture {
                row.captured[0] += 1;
                let faults = explanations(&circuit, &seen.capture);
                row.captured[1] += usize::from(faults.iter().any(|place| is_named(planted, place)));
            }
            match place(planted, &answers) {
                Some(places) => {
                    row.named += 1;
                    row.places.push(places);
                }
                None => {
                    let places = answers.iter().map(|answer| answer.place.to_string()).collect::<Vec<_>>();
                    say(&format!("{kind}: {}: instead {}", planted.text, places.join("; ")));
                }
            }
        }
        rows.push((kind, row));
    }
    let [planted, noticed, named] = report(&mut rows);
    assert!(30 * noticed >= 29 * planted && 6 * named >= 5 * planted, "{noticed} and {named} of {planted}");
}

/// Prints the rows, and returns the numbers of faults that were planted, noticed and named. Cells do not count, because
/// they are better checked by reading the chips back.
fn report(rows: &mut [(Kind, Row)]) -> [usize; 3] {
    let [mut planted, mut noticed, mut named] = [0; 3];
    say("kind                   planted noticed named  places to look at  captures wrong, explained");
    for (kind, row) in rows {
        row.places.sort_unstable();
        let median = row.places.get(row.places.len() / 2).map_or("-".to_owned(), usize::to_string);
        let Row { planted: all, noticed: seen, named: told, captured: [wrong, explained], .. } = row;
        let name = kind.to_string();
        say(&format!("{name:<24}{all:>6}{seen:>8}{told:>6}{median:>19}{wrong:>16}{explained:>11}"));
        if *kind != Kind::Cell {
            planted += row.planted;
            noticed += row.noticed;
            named += row.named;
        }
    }
    say(&format!("without cells: {planted} planted, {noticed} noticed, {named} named"));
    [planted, noticed, named]
}
