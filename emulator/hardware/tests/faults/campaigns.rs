//! Faults worked out by hand, and faults that the chips engine can have too: in its tables.

#![allow(clippy::unwrap_used)] // a test that cannot go on says so by failing

use gray1_hardware::faults::{
    Campaign, Circuit, Conditions, Defect, Evidence, Fault, Model, Pin, PinName, Place, Reference, RunError,
    Watch,
};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script};
use proptest::prelude::*;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use test_support::engines::Seen;

const OUT: u16 = 0xFF0;

/// Sends 55 and AA.
fn two_bytes() -> Image {
    Image::from_words([
        Word::constant(Opcode::Lda, 0x55),
        Word::ram(Opcode::Sta, OUT),
        Word::constant(Opcode::Nor, 0),
        Word::ram(Opcode::Sta, OUT),
        Word::jump(Opcode::Jmp, 4),
    ])
}

/// Nobody interrupts.
static GO: AtomicBool = AtomicBool::new(false);

fn run(circuit: &Circuit, conditions: Conditions) -> Reference<'_> {
    Reference::run(circuit, conditions, &GO).unwrap()
}

fn conditions() -> Conditions {
    Conditions { noise: Noise::Random(1), script: Script::default(), max_cycles: 10_000 }
}

#[test]
fn faults_do_what_was_worked_out() {
    let image = two_bytes();
    let circuit = Circuit::new(&Board::built(), &image).unwrap();
    let reference = run(&circuit, conditions());
    assert_eq!((reference.bytes(), reference.has_halted), (vec![0x55, 0xAA], true));
    let faults = Model::DIAGNOSED.map(|model| reference.faults(model)).concat();
    let sent = |place: &str| {
        let fault = faults.iter().find(|fault| circuit.place(**fault).to_string() == place);
        let fault = fault.unwrap_or_else(|| panic!("{place}: no such fault"));
        reference.record(*fault).events.iter().map(|event| event.byte).collect::<Vec<u8>>()
    };
    for (place, expected) in [
        // What A gives is what the port takes, and what NOR inverts.
        ("A pin 13 D0 (A0) stuck at 0", vec![0x54, 0xAA]),
        ("A pin 13 D0 (A0) stuck at 1", vec![0x55, 0xAB]),
        ("A pin 21 D7 (A7) stuck at 1", vec![0xD5, 0xAA]),
        // An input of the port: only what is sent is wrong.
        ("PORT pin 12 A0 (A0) stuck at 0", vec![0x54, 0xAA]),
        ("PORT pin 12 A0 (A0) stuck at 1", vec![0x55, 0xAB]),
        // The constant that is loaded; the one of NOR, 0, has the same line at 0.
        ("XMUX pin 27 A8 (W0) stuck at 0", vec![0x54, 0xAB]),
        // No store is known as one; or, while it is, anything else is.
        ("DEC pin 12 A0 (W13) stuck at 0", vec![]),
        ("IODEC pin 13 D0 (OUTE) stuck at 0", vec![]),
        // The clock stands.
        ("SEQ pin 12 A0 (OSC) stuck at 0", vec![]),
        ("SEQ pin 10 A2 (S1) joined to pin 11 A1 (S0)", vec![]),
        // D0 and D1 of A: 0 wins. 55 becomes 54, its opposite AB loses nothing in both, and shows as it is.
        ("RAMBUF pin 11 A1 (A1) joined to pin 12 A0 (A0)", vec![0x54, 0xAB]),
        // RAM is written while WEN is 0: at ground it takes everything, and the port does not mind. Without W11 no store
        // finds the port.
        ("RAM pin 26 A13 (GND) joined to pin 27 WE# (WEN)", vec![0x55, 0xAA]),
        ("RAM pin 22 OE# (GND) joined to pin 23 A11 (W11)", vec![]),
        // At ground it is as if it were stuck.
        ("A pin 15 D2 (A2) joined to pin 16 GND (GND)", vec![0x51, 0xAA]),
        // 55 and AA with D0 and D1, or with D0 and D2 exchanged.
        ("PORT pin 11 A1 (A1) swapped with pin 12 A0 (A0)", vec![0x56, 0xA9]),
        ("PORT pin 10 A2 (A2) swapped with pin 12 A0 (A0)", vec![0x55, 0xAA]),
        // A blank chip gives ones.
        ("PORT is blank", vec![0xFF, 0xFF]),
        // A cable cuts off what is on the other board; a filter, all that is behind it.
        ("W2 pin 23 (A0) open, at 0 on the I/O board", vec![0x54, 0xAA]),
        ("W2 pin 23 (A0) open, at 1 on the I/O board", vec![0x55, 0xAB]),
        ("RN13 pins 1-16 (OUT0) open, at 1", vec![0x55, 0xAB]),
    ] {
        assert_eq!(sent(place), expected, "{place}");
    }
    // Chips of the same contents are not wrong in each other's sockets.
    let exchanged = |place: &str| faults.iter().any(|fault| circuit.place(*fault).to_string() == place);
    assert!(exchanged("ALUL exchanged with ALUH") && !exchanged("T exchanged with A"));
    for (place, at) in [("A pin 13 D0 (A0) stuck at 1", 1), ("A pin 13 D0 (A0) stuck at 0", 0)] {
        let fault = faults.iter().find(|fault| circuit.place(**fault).to_string() == place).unwrap();
        let difference = reference.find(*fault, Watch::Port).difference;
        let is_there = matches!(difference, Some(Evidence::Byte { at: index, .. }) if index == at);
        assert!(is_there, "{place}: {difference:?}");
    }
}

/// A program that does not halt is cut. What a machine with a fault would send after that is not held against it.
#[test]
fn a_program_without_end_is_compared_up_to_where_it_was_cut() {
    let image = Image::from_words([
        Word::constant(Opcode::Lda, 0x55),
        Word::ram(Opcode::Sta, OUT),
        Word::constant(Opcode::Nor, 0),
        Word::ram(Opcode::Sta, OUT),
        Word::jump(Opcode::Jmp, 0),
    ]);
    let circuit = Circuit::new(&Board::built(), &image).unwrap();
    for max_cycles in 400..405 {
        let reference = run(&circuit, Conditions { max_cycles, ..conditions() });
        assert!(!reference.has_halted);
        let (mut found, mut rows) = (0, 0);
        for fault in reference.faults(Model::Pins) {
            let is_found = reference.find(fault, Watch::Port).difference.is_some();
            let place = circuit.place(fault);
            let is_row = ["GREEN", "RED"].iter().any(|colour| place.chip.starts_with(colour));
            assert!(!(is_row && is_found), "{place}: what rows show is not sent");
            found += usize::from(is_found);
            rows += usize::from(is_row);
        }
        assert!(rows > 100 && found > 100, "{rows} {found}");
    }
}

/// What was cut is no result.
#[test]
fn nothing_is_said_of_what_was_interrupted() {
    let image = Image::from_words([Word::ram(Opcode::Sta, OUT), Word::jump(Opcode::Jmp, 0)]);
    let circuit = Circuit::new(&Board::built(), &image).unwrap();
    let stop = AtomicBool::new(false);
    let conditions = Conditions { max_cycles: 10_000, ..conditions() };
    let reference = Reference::run(&circuit, conditions.clone(), &stop).unwrap();
    let campaign = Campaign::new(&reference, Model::Pins, Watch::Port, None);
    assert!(campaign.line(0).is_some());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(campaign.line(0), None);
    let forever = Conditions { max_cycles: u64::MAX, ..conditions };
    assert_eq!(Reference::run(&circuit, forever, &stop).err(), Some(RunError::Stopped));
}

/// A board of another shape is another campaign, even if it runs the same.
#[test]
fn a_campaign_knows_its_board() {
    let image = two_bytes();
    let mark = |text: &str| {
        let circuit = Circuit::new(&Board::parse(text, "test.ron").unwrap(), &image).unwrap();
        let reference = run(&circuit, conditions());
        Campaign::new(&reference, Model::Pins, Watch::Port, None).line(0).unwrap().campaign
    };
    let text = fs::read_to_string("../machine/src/board/built.ron").unwrap();
    assert_eq!(mark(&text), mark(&text));
    for (right, other) in [
        // Two rows of the display are exchanged; a pin beside others is tied to the other supply.
        (
            r#"(latch: "RED0_0-7", enable: "RE0", inverted: true), (latch: "RED1_0-7", enable: "RE1","#,
            r#"(latch: "RED1_0-7", enable: "RE1", inverted: true), (latch: "RED0_0-7", enable: "RE0","#,
        ),
        (r#""VPP": "VCC""#, r#""VPP": "GND""#),
    ] {
        let changed = text.replacen(right, other, 1);
        assert!(changed != text, "{right}");
        assert_ne!(mark(&changed), mark(&text), "{other}");
    }
}

/// RAM has a buffer that drives what is written.
#[test]
fn pins_of_ram_fail_alone() {
    let image = Image::from_words([
        Word::constant(Opcode::Lda, 0x11),
        Word::ram(Opcode::Sta, 0),
        Word::constant(Opcode::Lda, 0x22),
        Word::ram(Opcode::Sta, 1),
        Word::ram(Opcode::Lda, 0),
        Word::ram(Opcode::Sta, OUT),
        Word::ram(Opcode::Lda, 1),
        Word::ram(Opcode::Sta, OUT),
        Word::jump(Opcode::Jmp, 8),
    ]);
    const BUILT: &str = include_str!("../../../machine/src/board/built.ron");
    let noise = Noise::Random(1).ram();
    let check = |board: &str, package: &str, name: &str, stuck: u8, expected: [u8; 2]| {
        let circuit = Circuit::new(&Board::parse(board, "b.ron").unwrap(), &image).unwrap();
        let reference = run(&circuit, conditions());
        let is_it = |pin: &Pin| pin.package == package && pin.name == name;
        let pin = circuit.pins.iter().position(is_it).unwrap();
        let record = reference.record(Fault::Stuck { pin, level: stuck == 1 });
        let sent: Vec<u8> = record.events.iter().map(|event| event.byte).collect();
        assert_eq!(sent, expected, "{package} {name} stuck at {stuck}");
    };
    for (package, name, stuck, expected) in [
        ("RAM", "A0", 0, [0x22, 0x22]),
        ("RAM", "D1", 1, [0x13, 0x22]),
        ("RAM", "WE#", 1, [noise[0], noise[1]]),
        ("RAMBUF", "A1", 0, [0x11, 0x20]),
        ("RAMBUF", "A1", 1, [0x13, 0x22]),
    ] {
        check(BUILT, package, name, stuck, expected);
    }
    // Without the resistor behind it, the buffer does not drive the line: what is stored is wrong.
    let circuit = Circuit::new(&Board::built(), &image).unwrap();
    let reference = run(&circuit, conditions());
    let open = reference
        .faults(Model::Opens)
        .into_iter()
        .find(|fault| circuit.place(*fault).to_string() == "RN1 pins 2-15 (M1) open, at 0");
    let sent: Vec<u8> = reference.record(open.unwrap()).events.iter().map(|event| event.byte).collect();
    assert_eq!(sent, [0x11, 0x20]);
}

/// A wrong constant is stored and never read: in the end only RAM is wrong, and no line.
#[test]
fn lines_that_are_wrong_at_the_end_are_so_on_the_chips_engine() {
    let image = Image::from_words([
        Word::constant(Opcode::Lda, 0x55),
        Word::ram(Opcode::Sta, 0x10),
        Word::constant(Opcode::Lda, 0),
        Word::jump(Opcode::Jmp, 3),
    ]);
    let board = Board::built();
    let circuit = Circuit::new(&board, &image).unwrap();
    let reference = run(&circuit, conditions());
    let levels = |board: &Board| {
        let mut engine = ChipsEngine::power_up(board, &image, Noise::Random(1)).ok()?;
        Engine::run(&mut engine, reference.cycles, &mut ()).ok()?;
        let nets = 0..circuit.netlist.nets.len();
        Some(nets.map(|net| engine.level(net)).collect::<Vec<_>>())
    };
    let right = levels(&board).unwrap();
    let campaign = Campaign::new(&reference, Model::Cells, Watch::PortAndLeds, None);
    let mut counts = [0; 2];
    for (fault, number) in reference.faults(Model::Cells).iter().zip(campaign.numbers()) {
        let &Fault::Cell { chip, address, bit } = fault else { unreachable!("a cell") };
        let name = &circuit.netlist.chips[chip].name;
        if name != "XMUX" && name != "A" {
            continue;
        }
        let reason = campaign.line(number).unwrap().reason.unwrap_or_default();
        let is_left = reason.contains(", even at the end");
        if !is_left && !reason.contains(" for a while") {
            continue;
        }
        let cells = circuit.netlist.table(chip).unwrap();
        let mut wrong = Board::built();
        wrong.burn(name, |at| cells[at as usize] ^ u8::from(at == address) << bit);
        if let Some(levels) = levels(&wrong) {
            assert_eq!(levels != right, is_left, "{}: {reason}", circuit.place(*fault));
            counts[usize::from(is_left)] += 1;
        }
    }
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}

/// What the chips engine sends with a board; it may end earlier, where the counter stands still.
fn engine_sends(board: &Board, image: &Image, cycles: u64) -> (Vec<u8>, bool) {
    let mut seen = Seen::default();
    let Ok(mut engine) = ChipsEngine::power_up(board, image, Noise::Random(1)) else {
        return (vec![], false);
    };
    let ran = Engine::run(&mut engine, cycles, &mut seen);
    (seen.bytes(), ran.is_ok() && !engine.halted())
}

/// The tables of the chips of a machine with a fault; none if the fault is not one of tables. The program chips and RAM
/// have no table.
fn tables_with(circuit: &Circuit, Place { chip, what }: &Place) -> Option<Vec<(String, Vec<u8>)>> {
    let netlist = &circuit.netlist;
    let table = |name: &str| netlist.table(netlist.chip(name)?).map(<[u8]>::to_vec);
    let line = |pin: &PinName| pin.name[1..].parse::<u32>().ok();
    let changed = |pin: &PinName, change: &dyn Fn(u32) -> u32| {
        let cells = table(chip)?;
        let cell = |at: usize| match pin.name.starts_with('A') {
            true => cells[change(at as u32) as usize],
            false => change(cells[at].into()) as u8,
        };
        Some(vec![(chip.clone(), (0..cells.len()).map(cell).collect())])
    };
    match what {
        Defect::Stuck { pin, stuck } => {
            let line = line(pin)?;
            changed(pin, &|value| value & !(1 << line) | u32::from(*stuck) << line)
        }
        Defect::Swap { pin, swapped } => {
            let [one, other] = [line(pin)?, line(swapped)?];
            changed(pin, &|value| {
                let [high, low] = [one, other].map(|line| value >> line & 1);
                value & !(1 << one) & !(1 << other) | high << other | low << one
            })
        }
        Defect::Contents { holds } if holds == "nothing" => Some(vec![(chip.clone(), vec![0xFF])]),
        Defect::Contents { holds } => Some(vec![(chip.clone(), table(holds)?)]),
        Defect::Exchanged { exchanged } => {
            Some(vec![(chip.clone(), table(exchanged)?), (exchanged.clone(), table(chip)?)])
        }
        Defect::Open { net, then, .. } => {
            // Of the display and of cables, not the net is wrong but what is read.
            let level = ["at 0", "at 1"].iter().position(|at| at == then)? as u8;
            let driver = netlist.nets[netlist.net(net)?].driver?;
            let name = netlist.chips[driver.chip].name.clone();
            let is_row = name.starts_with("GREEN") || name.starts_with("RED");
            let cells = table(&name).filter(|_| !is_row)?;
            let with = |cell: u8| cell & !(1 << driver.line) | level << driver.line;
            Some(vec![(name, cells.into_iter().map(with).collect())])
        }
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn faults_of_roms_are_changed_tables(
        words in prop::collection::vec(any::<u16>(), 60),
        number in any::<prop::sample::Index>(),
        model in prop::sample::select(vec![Model::Pins, Model::Sockets, Model::Swaps, Model::Opens]),
        is_built in any::<bool>(),
    ) {
        let mut words: Vec<Word> = words.into_iter().map(Word).collect();
        for at in (0..words.len()).step_by(3) {
            words[at] = Word::ram(Opcode::Sta, OUT);
        }
        let image = Image::from_words(words);
        let mut board = if is_built { Board::built() } else { Board::gray1() };
        let circuit = Circuit::new(&board, &image).unwrap();
        let reference = run(&circuit, Conditions { max_cycles: 300, ..conditions() });
        prop_assert_eq!(&reference.bytes(), &engine_sends(&board, &image, reference.cycles).0);
        let faults = reference.faults(model);
        let fault = faults[number.index(faults.len())];
        let place = circuit.place(fault);
        let Some(tables) = tables_with(&circuit, &place) else { return Ok(()) };
        for (name, cells) in tables {
            // A chip that writes RAM is another on each side: here RAM is written while WEN is low.
            if ["DEC", "PROGL", "PROGH"].contains(&name.as_str()) { return Ok(()) }
            let lines = circuit.netlist.chips[circuit.netlist.chip(&name).unwrap()].data.len();
            board.burn(&name, |at| cells[at as usize % cells.len()] & ((1u16 << lines) - 1) as u8);
        }
        let record = reference.record(fault);
        let sent: Vec<u8> = record.events.iter().map(|event| event.byte).collect();
        let (expected, runs_on) = engine_sends(&board, &image, reference.cycles);
        if record.unsettled.is_none() {
            prop_assert!(sent.starts_with(&expected), "{place}: {sent:02x?}, {expected:02x?}");
            prop_assert!(runs_on || sent.len() >= expected.len());
        }
    }
}
