//! The self-test of `programs/`: what it finds, and what is told of the rest; and the way back from what was seen.

#![allow(clippy::unwrap_used)] // a test that cannot go on says so by failing

use gray1_hardware::faults::{
    Answer, Campaign, Circuit, Conditions, Entry, Expected, Fault, Model, Observed, Place, Reference, RunEnd,
    Trials, Watch, WrongLed, presses, sent,
};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{IsaEngine, Noise, Script};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use test_support::engines::{Seen, chips};
use test_support::programs::assembled;
use test_support::say;

const MOST_CYCLES: u64 = 100_000;

fn image() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| assembled("selftest", &[]).image)
}

fn circuit() -> &'static Circuit {
    static CIRCUIT: OnceLock<Circuit> = OnceLock::new();
    CIRCUIT.get_or_init(|| Circuit::new(&Board::built(), image()).unwrap())
}

/// Nobody interrupts.
static GO: AtomicBool = AtomicBool::new(false);

fn reference(noise: Noise) -> Reference<'static> {
    let script = presses(image(), noise, MOST_CYCLES, &GO);
    Reference::run(circuit(), Conditions { noise, script, max_cycles: MOST_CYCLES }, &GO).unwrap()
}

fn trials() -> Trials<'static> {
    let sends = sent(image(), Noise::Random(1), &Script::default(), &GO).unwrap();
    Trials::either(reference(Noise::Random(1)), &sends).unwrap()
}

/// Of both kinds that bytes and LEDs show.
fn faults(reference: &Reference) -> Vec<Fault> {
    [Model::Pins, Model::Bridges].map(|model| reference.faults(model)).concat()
}

fn all_entries(trials: &Trials) -> Vec<Vec<Entry>> {
    trials.references().map(|reference| entries(reference, &faults(reference))).collect()
}

fn entries(reference: &Reference, faults: &[Fault]) -> Vec<Entry> {
    faults.iter().map(|&fault| reference.entry(fault)).collect()
}

#[test]
fn what_it_sends_depends_on_no_noise_and_no_engine() {
    let first = reference(Noise::Random(1));
    assert!(first.has_halted);
    for noise in [Noise::Random(2), Noise::Zeros, Noise::Ones] {
        let other = reference(noise);
        assert!(other.bytes() == first.bytes() && other.leds == first.leds, "{noise:?}");
        // Before the display is cleared it shows noise.
        assert!(other.events[3..] == first.events[3..], "{noise:?}");
        let script = presses(image(), noise, MOST_CYCLES, &GO);
        let mut seen = [Seen::default(), Seen::default()];
        script.run(&mut IsaEngine::power_up(image(), noise), MOST_CYCLES, &mut seen[0]).unwrap();
        script.run(&mut chips(image(), noise), MOST_CYCLES, &mut seen[1]).unwrap();
        assert_eq!(seen[0], seen[1]);
        assert_eq!(seen[0].bytes(), first.bytes());
    }
}

#[test]
fn it_finds_97_of_100_stuck_pins_and_the_rest_have_reasons() {
    let reference = reference(Noise::Random(1));
    let campaign = Campaign::new(&reference, Model::Pins, Watch::PortAndLeds, None);
    let lines: Vec<_> = campaign.numbers().map(|number| campaign.line(number).unwrap()).collect();
    // Every address pin, data pin and write pin of 37 ROMs, RAM and its buffer, at two levels each.
    let netlist = &circuit().netlist;
    let pins: usize = netlist.chips.iter().map(|chip| chip.reads.len() + chip.data.len()).sum();
    assert_eq!(lines.len(), 2 * pins);
    let found = lines.iter().filter(|line| line.detected).count();
    say(&format!("{found} of {} stuck pins found", lines.len()));
    assert!(found * 100 >= lines.len() * 97, "{found} of {}", lines.len());
    for line in &lines {
        assert_eq!(line.detected, line.shown.is_some(), "{}", line.place);
        assert_eq!(line.detected, line.reason.is_none(), "{}", line.place);
    }
    // What is left is known: nobody sees whether the port holds, and the write decoder's reset only acts in a reset.
    for line in lines.iter().filter(|line| !line.detected) {
        assert!(["PORT", "DEC"].contains(&line.place.chip.as_str()), "{}: {:?}", line.place, line.reason);
    }
    let campaign = Campaign::new(&reference, Model::Bridges, Watch::PortAndLeds, None);
    let missed: Vec<_> = campaign.numbers().filter_map(|number| campaign.line(number)).collect();
    let missed: Vec<String> =
        missed.iter().filter(|line| !line.detected).map(|line| line.place.to_string()).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// As somebody would write them down who sees them all.
fn noted(entry: &Entry) -> Vec<WrongLed> {
    let moments = entry.leds.iter().copied();
    moments
        .flat_map(|(at, leds)| {
            (0..128).filter(move |led| leds >> led & 1 == 1).map(move |led| WrongLed { at, led })
        })
        .collect()
}

fn places(answer: &Answer) -> impl Iterator<Item = &Place> {
    std::iter::once(&answer.place).chain(&answer.cannot_be_told_from)
}

/// Fifty machines that have woken up with other noise than those of the dictionary.
#[test]
fn fifty_random_faults_are_diagnosed() {
    let on_the_table = reference(Noise::Random(77));
    let chosen = chosen(&on_the_table, 35, 15);
    let (right, alone) = diagnosed(chosen.iter().map(|&fault| on_the_table.entry(fault)));
    say(&format!("{right} of 50 faults are among the first three answers, {alone} with two others at most"));
    assert!(right >= 45, "{right} of 50");
}

/// Machines without anybody there, that wait for less long; they do not say how long they have waited.
#[test]
fn random_faults_are_diagnosed_where_nobody_presses_anything() {
    let hardly = [("LIMIT", 1), ("BEGIN", 0xF8)];
    let impatient = Circuit::new(&Board::built(), &assembled("selftest", &hardly).image).unwrap();
    let conditions = Conditions { noise: Noise::Random(1), script: Script::default(), max_cycles: 1_000_000 };
    let on_the_table = Reference::run(&impatient, conditions, &GO).unwrap();
    assert!(on_the_table.has_halted && on_the_table.cycles < 100_000);
    let right = Observed { bytes: on_the_table.bytes(), leds: vec![] };
    let trials = trials();
    let expected = trials.expected(&right.bytes);
    assert_eq!(expected, Expected { bytes: right.bytes.clone(), is_alone: true });
    // One that never gives up has not a wrong LED and nothing else.
    let dictionary = all_entries(&trials);
    let waits = Observed { bytes: right.bytes[..right.bytes.len() - 1].to_vec(), leds: vec![] };
    let answers = trials.diagnose(&dictionary, &waits, 10);
    let is_seen = |answer: &Answer| answer.exact && places(answer).any(|place| place.chip.starts_with("RED"));
    assert!(!answers.iter().any(is_seen));

    let chosen = chosen(&on_the_table, 35, 15);
    let (right, alone) = diagnosed(chosen.iter().map(|&fault| on_the_table.entry(fault)));
    say(&format!("{right} of 50 without presses are among the first three, {alone} with two others at most"));
    assert!(right >= 45, "{right} of 50");
}

/// So many stuck pins and bridges, at random.
fn chosen(reference: &Reference, pins: usize, bridges: usize) -> Vec<Fault> {
    let chosen = [(Model::Pins, pins), (Model::Bridges, bridges)].map(|(model, count)| {
        let campaign = Campaign::new(reference, model, Watch::PortAndLeds, Some((count, 20)));
        let all = reference.faults(model);
        campaign.numbers().map(|number| all[number]).collect::<Vec<Fault>>()
    });
    chosen.concat()
}

/// How many of these machines have their fault among the first three answers, and with two others there at most.
fn diagnosed(machines: impl Iterator<Item = Entry>) -> (usize, usize) {
    let trials = trials();
    let dictionary = all_entries(&trials);
    let (mut right, mut alone) = (0, 0);
    for seen in machines {
        let fault = seen.fault;
        let observed = Observed { leds: noted(&seen), bytes: seen.bytes };
        let answers = trials.diagnose(&dictionary, &observed, 3);
        let place = circuit().place(fault);
        match answers.iter().position(|answer| places(answer).any(|other| *other == place)) {
            Some(rank) => {
                right += 1;
                alone += usize::from(places(&answers[rank]).count() <= 3);
            }
            None => say(&format!("not diagnosed: {place}")),
        }
    }
    (right, alone)
}

/// A person who follows the LEDs waits for ever where a pad does not work. Whoever presses what comes next goes on.
#[test]
fn a_dead_pad_line_is_known_whoever_presses() {
    let trials = trials();
    let references: Vec<&Reference> = trials.references().collect();
    let fault = |place: &str| {
        let all = faults(references[0]);
        *all.iter().find(|fault| circuit().place(**fault).to_string() == place).unwrap()
    };
    let dead = fault("PMUX pin 17 D3 (P3) stuck at 0");
    let [by_script, by_leds] = [references[0], references[2]].map(|reference| reference.entry(dead).bytes);
    assert!(by_leds == references[0].bytes()[..345] && by_script.len() > 345);
    for bytes in [by_leds, by_script] {
        let observed = Observed { bytes, leds: vec![] };
        let may: Vec<Fault> =
            faults(references[0]).into_iter().filter(|&fault| trials.may_explain(fault, &observed)).collect();
        assert!(may.contains(&dead) && may.len() < 600, "{}", may.len());
        let entries: Vec<_> = references.iter().map(|reference| entries(reference, &may)).collect();
        let answers = trials.diagnose(&entries, &observed, 3);
        let place = circuit().place(dead);
        assert!(answers[0].exact && places(&answers[0]).any(|other| *other == place), "{answers:?}");
    }
}

/// Of the other models: what the test finds, and that an answer that may be left out is none.
#[test]
fn wrong_chips_wires_and_open_connections_are_found() {
    let reference = reference(Noise::Random(1));
    let mut missed = Vec::new();
    for (model, least) in [(Model::Sockets, 1_100), (Model::Swaps, 5_000), (Model::Opens, 600)] {
        let campaign = Campaign::new(&reference, model, Watch::PortAndLeds, None);
        let lines: Vec<_> = campaign.numbers().map(|number| campaign.line(number).unwrap()).collect();
        let found = lines.iter().filter(|line| line.detected).count();
        say(&format!("{found} of {} of {model:?} found", lines.len()));
        assert!(lines.len() > least && found * 100 >= lines.len() * 97, "{model:?}: {found}");
        missed.push(lines.len() - found);
        let text = serde_json::to_string(&lines).unwrap();
        assert_eq!(serde_json::from_str::<Vec<gray1_hardware::faults::Line>>(&text).unwrap(), lines);
    }
    // Only a chip that holds its byte for nobody, and wires between lines that are alike for the chip.
    assert!(missed[0] <= 1 && missed[2] == 0, "{missed:?}");
}

/// Nobody knows when somebody stops listening to a machine that sends on and on.
#[test]
fn a_machine_that_sends_without_end_is_known_however_long_it_was_heard() {
    let trials = trials();
    let dictionary = all_entries(&trials);
    let right = trials.references().next().unwrap().events.len();
    let is_endless = |entry: &&Entry| entry.then == RunEnd::Sends && entry.bytes.len() > right + 10;
    let endless: Vec<&Entry> = dictionary[0].iter().filter(is_endless).collect();
    assert!(!endless.is_empty());
    for entry in endless.into_iter().step_by(10).take(3) {
        let place = circuit().place(entry.fault);
        for length in [right, right + 5, entry.bytes.len()] {
            let bytes = entry.bytes[..length].to_vec();
            let answers = trials.diagnose(&dictionary, &Observed { bytes, leds: vec![] }, 100);
            let is_it = |answer: &Answer| answer.exact && places(answer).any(|other| *other == place);
            assert!(answers.iter().any(is_it), "{place}, {length} bytes");
        }
    }
}
