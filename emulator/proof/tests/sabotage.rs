//! Boards with a deliberate fault: each must be refuted for the right reason, and the fault must be found in a run.

use crate::support::{board, cells, extended, prove, proved, rom};
use gray1_machine::board::Board;
use gray1_proof::report::{
    ClaimReport, Counterexample, Evidence, Intent, LoopFault, RingFault, WritingFault,
};
use gray1_proof::{Claim, Verdict};

fn loop_faults(report: &ClaimReport) -> Vec<&LoopFault> {
    report
        .counterexamples
        .iter()
        .filter_map(|fault| match fault {
            Counterexample::Loop(fault) => Some(&**fault),
            _ => None,
        })
        .collect()
}

fn loop_fault<'a>(report: &'a ClaimReport, chip: &str) -> &'a LoopFault {
    let faults = loop_faults(report);
    faults.into_iter().find(|fault| fault.chip == chip).unwrap_or_else(|| panic!("{chip} in {report:#?}"))
}

fn writing_fault<'a>(report: &'a ClaimReport, chip: &str) -> &'a WritingFault {
    let faults = report.counterexamples.iter().find_map(|fault| match fault {
        Counterexample::Writing(fault) if fault.chip == chip => Some(&**fault),
        _ => None,
    });
    faults.unwrap_or_else(|| panic!("{chip} in {report:#?}"))
}

fn ring_fault<'a>(report: &'a ClaimReport, phase: &str) -> &'a RingFault {
    let faults = report.counterexamples.iter().find_map(|fault| match fault {
        Counterexample::Ring(fault) if fault.phase == phase => Some(&**fault),
        _ => None,
    });
    faults.unwrap_or_else(|| panic!("phase {phase} in {report:#?}"))
}

/// A latch of eight bits.
fn latch(address: u32) -> u32 {
    if address >> 16 == 1 { address & 0xFF } else { address >> 8 & 0xFF }
}

/// The flags, with LOAD given by a function of MJ and PH2.
fn flags(address: u32, load: impl Fn(u32, u32) -> u32) -> u32 {
    let bit = |line: u32| address >> line & 1;
    let (nc, take, m, ph1, ph2, rst) = (bit(0), bit(1), bit(2), bit(3), bit(4), bit(5));
    let (mc, mj, mt, c, tick) = (bit(6), bit(7), bit(8), bit(9), bit(10));
    let load = load(mj, ph2);
    let (c, tick) = if ph2 == 1 { (mc, mt) } else { (c, tick) };
    let (mc, mj, mt) = match (ph1, take) {
        (0, _) => (mc, mj, mt),
        (_, 0) => (nc, take, tick ^ 1),
        _ => (nc, take, m),
    };
    let mt = if rst == 1 { 0 } else { mt };
    mc | mj << 1 | mt << 2 | c << 3 | tick << 4 | load << 5
}

/// The board with another sequencer, which synchronises the reset as the original does.
fn with_sequencer(sequencer: impl Fn(u32, u32) -> u32) -> Board {
    let cell = |address: u32| {
        let (osc, s, rstin, rst) = (address & 1, address >> 1 & 3, address >> 3 & 1, address >> 4);
        sequencer(osc, s) | (if s == 2 { rstin } else { rst }) << 4
    };
    board(&[("burn: Sequencer,", &(cells(5, cell) + ","))])
}

#[test]
fn the_true_board_holds_and_no_order_matters() {
    let loops = proved(Claim::Loops);
    let Evidence::Loops { phases, chips } = &loops.evidence else { panic!("{loops:#?}") };
    assert_eq!((phases.len(), chips.len()), (4, 27));
    assert_eq!(chips.iter().map(|row| row.holds + row.goes).sum::<u64>(), 337_341_262);
    let order = proved(Claim::Order);
    let Evidence::Order { rings, clock } = &order.evidence else { panic!("{order:#?}") };
    assert_eq!((&*clock.chips, clock.starts), (&["SEQ".to_owned()][..], 32));
    let counter =
        |phase: &str| rings.iter().find(|ring| ring.phase == phase && ring.chips == ["PCL", "PCH"]).unwrap();
    // All counting steps, then all landings of jumps with either parity; a jump itself is cut by LOAD.
    assert_eq!((counter("3").starts, counter("3").withdrawn), (4096, 0));
    assert_eq!((counter("0").starts, counter("0").withdrawn), (8192, 0));
    assert_eq!(counter("3").cut_by, ["LOAD=1"]);
}

/// The same board with ROMs that are listed cell by cell: nothing depends on the names of contents.
#[test]
fn what_a_rom_is_called_does_not_matter() {
    let board = board(&[
        ("burn: Flags,", &(cells(11, |address| flags(address, |mj, ph2| mj & ph2)) + ",")),
        (
            "name: \"T\",     part: \"27C010\", burn: Latch,",
            &format!("name: \"T\", part: \"27C010\", {},", cells(17, latch)),
        ),
    ]);
    for claim in [Claim::Loops, Claim::Order] {
        assert_eq!(prove(&board, claim).evidence, proved(claim).evidence);
    }
}

#[test]
fn a_binary_counter_goes_astray() {
    let counter = |address: u32| {
        let (pc, tg, load, tick, parh) =
            (address & 63, address >> 6 & 63, address >> 12 & 1, address >> 13 & 1, address >> 14);
        match (load, pc & 1 == tick) {
            (1, _) => tg | parh << 6,
            (_, true) => pc | parh << 6,
            (_, false) => (pc + 1) & 63 | (parh ^ u32::from(pc == 63)) << 6,
        }
    };
    let board = board(&[("burn: CounterLow,", &(cells(15, counter) + ","))]);
    let fault = prove(&board, Claim::Loops);
    let fault = loop_fault(&fault, "PCL");
    assert_eq!(fault.intent, Intent::Step);
    // Two lines of the counter move at once, and the address between them belongs to another number.
    let moved = (fault.from ^ fault.to) & 63;
    assert!(moved.count_ones() >= 2, "{fault:#?}");
    assert_ne!((fault.from ^ fault.between) & 63, 0);
    assert!(fault.lost.starts_with("PC"), "{fault:#?}");
    assert!(fault.reached.is_some(), "{fault:#?}");
    let order = prove(&board, Claim::Order);
    let ring = order.counterexamples.iter().find_map(|fault| match fault {
        Counterexample::Ring(ring) => Some(ring),
        _ => None,
    });
    let ring = ring.unwrap_or_else(|| panic!("{order:#?}"));
    assert_eq!(ring.chips, ["PCL", "PCH"]);
}

#[test]
fn a_latch_that_closes_while_its_input_moves_loses_bits() {
    // T opens and closes with S0: it closes in phase 3, when A already takes it and the result moves on.
    let board = board(&[("address: \"R0-7 T0-7 PH1\"", "address: \"R0-7 T0-7 S0\"")]);
    let report = prove(&board, Claim::Loops);
    let fault = loop_fault(&report, "T");
    assert_eq!((fault.intent, &*fault.phase), (Intent::Hold, "3"));
    assert!(fault.lost.starts_with('T'), "{fault:#?}");
    let nets: Vec<&str> = fault.lines.iter().map(|line| &*line.net).collect();
    assert!(nets.contains(&"S0") && nets.iter().any(|net| net.starts_with('R')), "{fault:#?}");
    // At the address between, the latch is still open and the result is already another.
    assert_eq!(fault.between >> 16, 1, "{fault:#?}");
    assert_ne!(fault.between & 0xFF, fault.from & 0xFF);
    assert!(fault.because.iter().any(|step| step.contains("ALU")), "{fault:#?}");
    let reached = fault.reached.as_ref().expect("any program gets there");
    assert_eq!(reached.phase, 3);
}

#[test]
fn a_latch_that_glitches_when_its_enable_falls() {
    // Where input and own byte are the same, which is where an enable falls, bit 0 of the closed latch is wrong.
    let glitch = |address: u32| {
        let same = address & 0xFF == address >> 8 & 0xFF;
        latch(address) ^ u32::from(same && address >> 16 == 0)
    };
    let a = "name: \"A\",     part: \"27C010\", burn: Latch,";
    let board = board(&[(a, &format!("name: \"A\", part: \"27C010\", {},", cells(17, glitch)))]);
    let fault = prove(&board, Claim::Loops);
    let fault = loop_fault(&fault, "A");
    assert_eq!((&*fault.lost, fault.between >> 16), ("A0", 0), "{fault:#?}");
    assert_eq!(fault.between & 0xFF, fault.between >> 8 & 0xFF, "{fault:#?}");
}

#[test]
fn a_wrong_cell_of_a_latch_is_named() {
    let wrong = |address: u32| if address == 0x05AC3 { 0x5E } else { latch(address) };
    let a = "name: \"A\",     part: \"27C010\", burn: Latch,";
    let board = board(&[(a, &format!("name: \"A\", part: \"27C010\", {},", cells(17, wrong)))]);
    let report = prove(&board, Claim::Loops);
    let fault = loop_fault(&report, "A");
    assert_eq!(
        (fault.intent, fault.between, fault.data, &*fault.lost),
        (Intent::Neither, 0x05AC3, 0x5E, "A2")
    );
    assert_eq!(loop_faults(&report).len(), 1);
}

#[test]
fn load_without_phase_2_opens_the_ring_of_the_program() {
    let board = board(&[("burn: Flags,", &(cells(11, |address| flags(address, |mj, _| mj)) + ","))]);
    let order = prove(&board, Claim::Order);
    let ring = ring_fault(&order, "1");
    // The counter takes the target while the target latch follows the word that the counter selects.
    for chip in ["PCL", "PROGL", "TGL"] {
        assert!(ring.chips.iter().any(|other| other == chip), "{ring:#?}");
    }
    assert!(ring.reached.is_some(), "{ring:#?}");
    let loops = prove(&board, Claim::Loops);
    let fault = writing_fault(&loops, "RAML");
    assert_eq!(fault.phase, "1");
    assert!(fault.because.iter().any(|step| step.starts_with("LOAD is moved by FLAGS")), "{fault:#?}");
}

#[test]
fn overlapping_phases_open_the_ring_of_the_accumulator() {
    // PH1 is 1 in states 01 and 11, PH2 in 11 and 10.
    let board = with_sequencer(|osc, s| {
        let next = match s {
            _ if s.count_ones() & 1 == osc => s,
            0 => 1,
            1 => 3,
            3 => 2,
            _ => 0,
        };
        next | (next & 1) << 2 | (next >> 1) << 3
    });
    let order = prove(&board, Claim::Order);
    assert_eq!(order.verdict, Verdict::Refuted);
    let ring = ring_fault(&order, "2");
    for chip in ["T", "A", "ALUL"] {
        assert!(ring.chips.iter().any(|other| other == chip), "{ring:#?}");
    }
    assert!(ring.reached.is_some(), "{ring:#?}");
}

#[test]
fn a_decoder_that_writes_while_the_address_moves() {
    // WE for every STA, whatever PH1 says: it rises and falls while the program word, RAM's address, moves.
    let board = board(&[(
        "burn: WriteDecoder,",
        &(cells(5, |address| u32::from(address & 7 == 1 && address >> 4 == 0)) + ","),
    )]);
    let report = prove(&board, Claim::Loops);
    let fault = writing_fault(&report, "RAML");
    assert!(fault.line.starts_with('W'), "{fault:#?}");
    assert_eq!(fault.write, "WE");
    assert!(fault.write_because[0].starts_with("WE is moved by DEC"), "{fault:#?}");
    let driver = fault.driver.as_ref().expect("a machine gets there");
    assert_eq!((&*driver.chip, driver.between & 7), ("DEC", 1));
    assert!(fault.reached.is_some());
}

#[test]
fn a_row_decoder_without_we_opens_rows_by_accident() {
    let decoder = |address: u32| if address & 0xFF8 == 0xFE0 { 1 << (address & 7) } else { 0 };
    let board = board(&[("burn: GreenDecoder,", &(cells(13, decoder) + ","))]);
    let report = prove(&board, Claim::Loops);
    let fault = loop_fault(&report, "GREEN0");
    assert_eq!((fault.intent, fault.also.len()), (Intent::Hold, 7), "{fault:#?}");
    assert!(fault.because[0].starts_with("GE0 is moved by GDEC"), "{fault:#?}");
}

#[test]
fn a_sequencer_that_counts_in_binary_is_no_clock() {
    // 00, 01, 10, 11: from 01 to 10 both lines move.
    let board = with_sequencer(|osc, s| {
        let next = if s & 1 == osc { s } else { (s + 1) & 3 };
        next | u32::from(next == 1) << 2 | u32::from(next == 2) << 3
    });
    let order = prove(&board, Claim::Order);
    let [Counterexample::Clock { why }] = &order.counterexamples[..] else { panic!("{order:#?}") };
    let why = why.to_string();
    assert!(why.contains("SEQ") && why.contains("ends elsewhere"), "{why}");
    assert_eq!(prove(&board, Claim::Loops).verdict, Verdict::Undecided);
}

/// Boards for which there can be no proof: the report says so, and there is no panic.
#[test]
fn odd_boards_are_answered() {
    let by_itself = extended("RING", &rom("RINGER", "burn: Cells([1, 0])", "RING", "RING"));
    assert_eq!(prove(&by_itself, Claim::Order).verdict, Verdict::Refuted);
    assert_ne!(prove(&by_itself, Claim::Loops).verdict, Verdict::Proved);
    let with_a = extended("RING", &rom("RINGER", "burn: Cells([0, 0, 1, 0])", "RING A0", "RING"));
    assert_eq!(prove(&with_a, Claim::Order).verdict, Verdict::Refuted);
    // A register that is neither latch nor counter of the panel: a bit that flips when A0 is 1.
    assert_eq!(prove(&with_a, Claim::Loops).verdict, Verdict::Refuted);
    // A RAM that reads its own output.
    let ram = board(&[("address: \"W0-11\", input: \"A0-3\"", "address: \"W0-10 M0\", input: \"A0-3\"")]);
    assert_eq!(prove(&ram, Claim::Loops).verdict, Verdict::Undecided);
    assert_ne!(prove(&ram, Claim::Order).verdict, Verdict::Proved);
}

/// A latch of two chips, neither of which reads its own output: it closes while A, which it takes, moves.
fn two_chip_latch(bits: u32) -> Board {
    let bus = |name: &str| if bits == 1 { format!("{name}0") } else { format!("{name}0-{}", bits - 1) };
    let [a, b, fb] = ["A", "B", "FB"].map(bus);
    let mask = (1 << bits) - 1;
    let choose =
        |address: u32| if address >> (2 * bits) == 1 { address >> bits & mask } else { address & mask };
    let latch = cells(2 * bits + 1, choose);
    let chips = rom("B1", &latch, &format!("{a} {fb} TICK"), &b) + &rom("B2", &cells(bits, |b| b), &b, &fb);
    extended(&format!("{b} {fb}"), &chips)
}

/// With four bits or more there are more ways to move than are examined one by one; the remaining ones must not be
/// ignored.
#[test]
fn a_latch_of_two_chips_is_never_proved() {
    for bits in [1, 2, 4, 5, 8] {
        let board = two_chip_latch(bits);
        let order = prove(&board, Claim::Order);
        assert_ne!(order.verdict, Verdict::Proved, "{bits} bits");
        if bits <= 4 {
            assert_eq!(order.verdict, Verdict::Refuted, "{bits} bits: {order:#?}");
        }
        let loops = prove(&board, Claim::Loops);
        assert_eq!(loops.verdict, Verdict::Undecided, "{bits} bits: {loops:#?}");
        assert!(loops.undecided[0].to_string().contains("the loop through B1 B2"), "{loops:#?}");
    }
}

#[test]
fn chips_that_never_rest_are_not_proved() {
    // Whatever A0 is, the line flips; the clock does not reach it, and nothing else moves it.
    let flips = extended("RING", &rom("RINGER", "burn: Cells([1, 0, 1, 0])", "RING A0", "RING"));
    // A ring of chips that invert: as long as their number is odd, it runs forever.
    let ring = |chips: usize| {
        let name = |chip: usize| format!("Q{}", chip % chips);
        let nets: Vec<String> = (0..chips).map(name).collect();
        let each = (0..chips).map(|chip| {
            rom(
                &format!("INV{chip}"),
                "burn: Cells([1, 0, 1, 0])",
                &format!("{} A0", name(chip)),
                &name(chip + 1),
            )
        });
        extended(&nets.join(" "), &each.collect::<String>())
    };
    for (what, board) in [("a chip", flips), ("a ring of 3", ring(3)), ("a ring of 15", ring(15))] {
        for claim in [Claim::Loops, Claim::Order] {
            assert_ne!(prove(&board, claim).verdict, Verdict::Proved, "{what}: {claim:?}");
        }
    }
}

/// RAM's write enable ends by two falling lines, PH1 and, inverted, S1: whichever comes first, it falls once.
#[test]
fn two_lines_that_move_another_the_same_way_move_it_once() {
    let enable = |address: u32| {
        let bit = |line: u32| address >> line & 1;
        u32::from(address & 7 == 1) & bit(3) & (bit(4) ^ 1) & (bit(5) ^ 1)
    };
    let wired = ("address: \"W13-15 PH1 RST\"", "address: \"W13-15 PH1 RST S1\"");
    let strict = board(&[("burn: WriteDecoder,", &(cells(6, enable) + ",")), wired]);
    for claim in [Claim::Loops, Claim::Order] {
        let report = prove(&strict, claim);
        assert_eq!(report.verdict, Verdict::Proved, "{report:#?}");
    }
    // The same with S1 as it is: PH1 falls while S1 rises, and in one order WE rises before it falls.
    let glitch = |address: u32| enable(address ^ 1 << 5);
    let wrong = board(&[("burn: WriteDecoder,", &(cells(6, glitch) + ",")), wired]);
    assert_eq!(prove(&wrong, Claim::Loops).verdict, Verdict::Refuted);
}

/// The lower half of the counter counts; a register in the same chip is still a register.
#[test]
fn only_the_lines_that_count_are_excepted() {
    let counter = |address: u32, next: &dyn Fn(u32) -> u32| {
        let (pc, tg, load, tick, parh) =
            (address & 63, address >> 6 & 63, address >> 12 & 1, address >> 13 & 1, address >> 14 & 1);
        let parity = pc.count_ones() & 1 ^ parh;
        let (pc, tickh) = match (load, parity == tick, parity) {
            (1, _, _) => (tg, parh),
            (_, true, _) => (pc, parh),
            (_, _, 0) => (pc ^ 1, parh),
            _ if pc & 31 == 0 => (pc, parh ^ 1),
            _ => (pc ^ (pc & pc.wrapping_neg()) << 1, parh),
        };
        pc | tickh << 6 | next(address) << 7
    };
    let board = |next: &dyn Fn(u32) -> u32| {
        let part = "name: \"PCL\",   part: \"27C256\", burn: CounterLow,   ";
        let cells = cells(16, |address| counter(address, next));
        board(&[
            ("nets: \"ZL\", ", "nets: \"ZL HELD\", "),
            (part, &format!("name: \"PCL\", part: \"27C010\", {cells}, ")),
            (
                "PC0-5 TG0-5 LOAD TICK PARH\", data: \"PC0-5 TICKH\"",
                "PC0-5 TG0-5 LOAD TICK PARH HELD\", data: \"PC0-5 TICKH HELD\"",
            ),
        ])
    };
    let holds = prove(&board(&|address| address >> 15), Claim::Loops);
    assert_eq!(holds.verdict, Verdict::Proved, "{holds:#?}");
    // It takes bit 0 of the counter while TICK is 1, and closes when the counter counts.
    let takes = |address: u32| if address >> 13 & 1 == 1 { address & 1 } else { address >> 15 };
    let takes = prove(&board(&takes), Claim::Loops);
    assert_eq!(takes.verdict, Verdict::Refuted, "{takes:#?}");
    assert_eq!(loop_fault(&takes, "PCL").lost, "HELD");
}
