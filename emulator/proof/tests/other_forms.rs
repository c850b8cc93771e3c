//! Boards that are wired or burned in another way and do all that they should. They may be proved or left undecided,
//! but no claim about them is refuted.

use crate::support::{
    Reburned, board, buffer, cells, extended, inverter, judged, prove, prove_each, reburned, rom, with,
};
use gray1_machine::board::Board;
use gray1_proof::{Claim, Verdict};

const ALU_LOW: &str = "burn: AluLow,       address: \"W13-15 A0-3 X0-3 X4 RST\", data: \"R0-3 C4 ZL\"";
const ALU_HIGH: &str = "address: \"W13-15 A4-7 X4-7 C4 ZL C RST\"";
const RAM_LOW: &str = "address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"M0-3\"";
const RAM_HIGH: &str = "address: \"W0-11\", input: \"A4-7\", write: \"WE\", data: \"M4-7\"";
const T: &str = "address: \"R0-7 T0-7 PH1\", data: \"T0-7\"";
const XMUX: &str = "address: \"D0-7 W0-7 W12\", data: \"X0-7\"";

const A: &str = "burn: Latch,        address: \"T0-7 A0-7 PH2\", data: \"A0-7\"";
const PANEL_A: &str = "accumulator: \"A0-7\"";
const PORT: &str = "port: (latch: \"OUT0-7\", enable: \"OUTE\")";

/// The cells of a chip of the Gray-1, at other addresses and with other data.
fn of(chip: &str, address: impl Fn(u32) -> u32, data: impl Fn(u32, u32) -> u32) -> String {
    let board = Board::gray1();
    let netlist = board.netlist();
    let table = netlist.table(netlist.chip(chip).expect("a chip")).expect("a ROM");
    cells(table.len().ilog2(), |at| data(at, table[address(at) as usize].into()))
}

fn same(at: u32) -> u32 {
    at
}

fn swapped(address: u32, one: u32, other: u32) -> u32 {
    let differ = (address >> one ^ address >> other) & 1;
    address ^ differ << one ^ differ << other
}

#[test]
fn ram() {
    let lines = |low: &str, high: &str| board(&[(RAM_LOW, low), (RAM_HIGH, high)]);
    let both = |address: &str| {
        let chip = |input: &str, data: &str| {
            format!("address: \"{address}\", input: \"{input}\", write: \"WE\", data: \"{data}\"")
        };
        lines(&chip("A0-3", "M0-3"), &chip("A4-7", "M4-7"))
    };
    let crossed = "address: \"W0-11\", input: \"A3 A2 A1 A0\", write: \"WE\", data: \"M3 M2 M1 M0\"";
    let opposite = with(
        "NA0-7 NM0-7",
        &(inverter("IN", "A0-7", "NA0-7") + &inverter("OUT", "NM0-7", "M0-7")),
        &[
            (RAM_LOW, "address: \"W0-11\", input: \"NA0-3\", write: \"WE\", data: \"NM0-3\""),
            (RAM_HIGH, "address: \"W0-11\", input: \"NA4-7\", write: \"WE\", data: \"NM4-7\""),
        ],
    );
    let third = with(
        "SPARE0-3",
        "Ram(name: \"RAMX\", part: \"4Kx4\", address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"SPARE0-3\"),\n",
        &[],
    );
    let twin = with(
        "Q0-1 Q3 N2",
        "Ram(name: \"RAMX\", part: \"4Kx4\", address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"Q0-1 M2 Q3\"),\n",
        &[("write: \"WE\", data: \"M0-3\"", "write: \"WE\", data: \"M0-1 N2 M3\"")],
    );
    let late = with(
        "WE1 WE2",
        &(rom("N1", &cells(1, |a| a ^ 1), "WE", "WE1") + &rom("N2", &cells(1, |a| a ^ 1), "WE1", "WE2")),
        &[
            (RAM_LOW, &RAM_LOW.replace("\"WE\"", "\"WE2\"")),
            (RAM_HIGH, &RAM_HIGH.replace("\"WE\"", "\"WE2\"")),
        ],
    );
    judged(vec![
        ("exchanged address lines", both("W1 W0 W2-11"), "ppupp"),
        ("data lines the other way round", lines(crossed, RAM_HIGH), "ppupp"),
        ("the opposite is stored", opposite, "ppupp"),
        ("a spare RAM", third, "ppppp"),
        ("a bit that is read from a spare RAM", twin, "ppppp"),
        ("the write line through two inverters", late, "ppppp"),
    ]);
}

#[test]
fn arithmetic() {
    let nibble = |name: &str, low: u32| {
        let burn = cells(9, |a| if a >> 8 == 1 { a >> 4 & 15 } else { a & 15 });
        let bits = format!("{low}-{}", low + 3);
        rom(name, &burn, &format!("D{bits} W{bits} W12"), &format!("X{bits}"))
    };
    let xmux = "        Rom(name: \"XMUX\",  part: \"27C010\", burn: Mux,          address: \"D0-7 W0-7 W12\", data: \"X0-7\"),\n";
    let halves = board(&[(xmux, &(nibble("XMUXL", 0) + &nibble("XMUXH", 4)))]);
    let low = of("ALUL", same, |_, d| d ^ 16);
    let high = of("ALUH", |a| a ^ 1 << 11, |_, d| d);
    let carry = board(&[("burn: AluLow,", &format!("{low},")), ("burn: AluHigh,", &format!("{high},"))]);
    let low = of("ALUL", same, |_, d| d ^ 32);
    let high = of("ALUH", |a| a ^ 1 << 12, |_, d| d);
    let zero = board(&[("burn: AluLow,", &format!("{low},")), ("burn: AluHigh,", &format!("{high},"))]);
    let order = of("ALUL", |a| swapped(a, 0, 2), |_, d| d);
    let opcode = board(&[(
        ALU_LOW,
        &format!("{order}, address: \"W15 W14 W13 A0-3 X0-3 X4 RST\", data: \"R0-3 C4 ZL\""),
    )]);
    let crossed = board(&[(T, "address: \"R7 R1-6 R0 T7 T1-6 T0 PH1\", data: \"T7 T1-6 T0\"")]);
    let unused =
        board(&[("burn: AluLow,", &(of("ALUL", same, |a, d| if a & 7 == 1 { d ^ 16 } else { d }) + ","))]);
    judged(vec![
        ("the operand in halves", halves, "ppppp"),
        ("the carry between the halves inverted", carry, "ppppp"),
        ("zero inverted", zero, "ppppp"),
        ("opcode lines in another order", opcode, "ppppp"),
        ("lines of the master crossed", crossed, "ppppp"),
        ("a carry of STA", unused, "ppppp"),
    ]);
}

#[test]
fn flags_and_the_clock() {
    // C held as its opposite, which the arithmetic reads.
    let flags = of("FLAGS", |a| a ^ 1 << 9, |_, d| d ^ 8);
    let high = of("ALUH", |a| a ^ 1 << 13, |_, d| d);
    let inverted = board(&[("burn: Flags,", &format!("{flags},")), ("burn: AluHigh,", &format!("{high},"))]);
    // The carry again, in a chip of its own.
    let latch = cells(3, |a| if a >> 2 == 1 { a & 1 } else { a >> 1 & 1 });
    let twice = with(
        "CC",
        &rom("CARRY", &latch, "MC CC PH2", "CC"),
        &[(ALU_HIGH, "address: \"W13-15 A4-7 X4-7 C4 ZL CC RST\"")],
    );
    let parity = with("ODD", &rom("PARITY", &cells(8, |a| a.count_ones() & 1), "A0-7", "ODD"), &[]);
    let history = with("OLD0-7", &rom("HISTORY", "burn: Latch", "A0-7 OLD0-7 PH1", "OLD0-7"), &[]);
    let idle = with("NS0-1 NP1", &rom("IDLE", &cells(3, |a| a ^ 7), "S0-1 PH1", "NS0-1 NP1"), &[]);
    judged(vec![
        ("the carry inverted", inverted, "ppupu"),
        ("the carry held twice", twice, "ppupp"),
        ("a parity that nothing reads", parity, "ppppp"),
        ("a history that nothing reads", history, "ppppp"),
        ("the clock again, inverted, unread", idle, "ppppp"),
    ]);
}

#[test]
fn program_and_outside() {
    let through = with(
        "Q0-7",
        &buffer("PCBUF", "PC0-7", "Q0-7"),
        &[
            ("burn: ProgramLow,   address: \"PC0-11\"", "burn: ProgramLow,   address: \"Q0-7 PC8-11\""),
            ("burn: ProgramHigh,  address: \"PC0-11\"", "burn: ProgramHigh,  address: \"Q0-7 PC8-11\""),
        ],
    );
    let word = with(
        "V0-7",
        &buffer("WBUF", "W0-7", "V0-7"),
        &[(XMUX, "address: \"D0-7 V0-7 W12\", data: \"X0-7\"")],
    );
    let row = with(
        "AA0-7 NN0-7",
        &(inverter("N1", "A0-7", "NN0-7") + &inverter("N2", "NN0-7", "AA0-7")),
        &[("address: \"A0-7 RED5_0-7 RE5\"", "address: \"AA0-7 RED5_0-7 RE5\"")],
    );
    let select = of("IODEC", same, |_, d| d ^ 2);
    let selected = board(&[
        ("burn: PortDecoder,", &format!("{select},")),
        (
            "burn: Mux,          address: \"M0-7 I0-7 INSEL\"",
            "burn: Mux,          address: \"I0-7 M0-7 INSEL\"",
        ),
    ]);
    judged(vec![
        ("the counter through a buffer", through, "ppppp"),
        ("the constant through a buffer", word, "ppppp"),
        ("a row through two inverters", row, "ppppp"),
        ("the input selected the other way", selected, "ppppp"),
    ]);
}

#[test]
fn a_register_may_be_held_in_another_form() {
    let copy = rom("A2", "burn: Latch", "T0-7 B0-7 PH2", "B0-7");
    let twice = with(
        "B0-7",
        &copy,
        &[
            ("\"W13-15 A0-3 X0-3 X4 RST\"", "\"W13-15 B0-3 X0-3 X4 RST\""),
            (ALU_HIGH, "address: \"W13-15 B4-7 X4-7 C4 ZL C RST\""),
        ],
    );
    let inverted = with(
        "NA0-7",
        &inverter("AINV", "NA0-7", "A0-7"),
        &[(A, "burn: InvertedLatch, address: \"T0-7 NA0-7 PH2\", data: \"NA0-7\"")],
    );
    let opposite = with("NA0-7", &inverter("AINV", "A0-7", "NA0-7"), &[(PANEL_A, "accumulator: \"NA0-7\"")]);
    let buffered = with("AB0-7", &buffer("ABUF", "A0-7", "AB0-7"), &[(PANEL_A, "accumulator: \"AB0-7\"")]);
    let panel_of_copy = with("B0-7", &copy, &[(PANEL_A, "accumulator: \"B0-7\"")]);
    judged(vec![
        ("held twice", twice, "ppupp"),
        ("inverted", inverted, "ppppp"),
        ("the panel reads the opposite", opposite, "ppupu"),
        ("the panel reads a buffer", buffered, "ppppp"),
        ("the panel reads a copy", panel_of_copy, "ppupp"),
    ]);
}

#[test]
fn the_port_may_be_shown_through_another_latch() {
    let second = |enable: &str| {
        let latch = rom("SHOW", "burn: Latch", &format!("OUT0-7 SHOW0-7 {enable}"), "SHOW0-7");
        with("SHOW0-7", &latch, &[(PORT, "port: (latch: \"SHOW0-7\", enable: \"OUTE\")")])
    };
    judged(vec![
        ("with the same enable", second("OUTE"), "ppppp"),
        ("one phase later", second("PH2"), "ppupu"),
    ]);
}

/// T and R take the pads while a program reads them, and a finger may move a pad just then.
#[test]
fn ram_may_store_the_same_value_from_elsewhere() {
    let of = |bus: &str| {
        board(&[
            (RAM_LOW, &format!("address: \"W0-11\", input: \"{bus}0-3\", write: \"WE\", data: \"M0-3\"")),
            (RAM_HIGH, &format!("address: \"W0-11\", input: \"{bus}4-7\", write: \"WE\", data: \"M4-7\"")),
        ])
    };
    let row = board(&[("address: \"A0-7 GREEN4_0-7 GE4\"", "address: \"T0-7 GREEN4_0-7 GE4\"")]);
    judged(vec![("T", of("T"), "uuupp"), ("R", of("R"), "uupup"), ("a row", row, "uupup")]);
}

/// Rings and counters that are no fault.
#[test]
#[ignore = "takes minutes"]
fn chips_may_go_round_in_circles() {
    let t = "address: \"R0-7 T0-7 PH1\"";
    let feedback = with("TB0-7", &buffer("TBUF", "T0-7", "TB0-7"), &[(t, "address: \"R0-7 TB0-7 PH1\"")]);
    let divide = |input: &str| {
        let step = |a: u32| match (a & 1, a >> 1) {
            (input, s) if s.count_ones() & 1 == input => s,
            (_, 0) => 1,
            (_, 1) => 3,
            (_, 3) => 2,
            _ => 0,
        };
        extended("Q0-1", &rom("DIVIDER", &cells(3, step), &format!("{input} Q0-1"), "Q0-1"))
    };
    // Bit by bit while LOAD is 1.
    let gray1 = Board::gray1();
    let low = gray1.netlist().table(gray1.netlist().chip("PCL").expect("a chip")).expect("a ROM").to_vec();
    let ripple = move |address: u32, data: u8| {
        let (own, target) = (address as u8 & 63, (address >> 6) as u8 & 63);
        if address >> 12 & 1 == 0 || own == target {
            return data;
        }
        let lowest = (own ^ target) & (own ^ target).wrapping_neg();
        low[address as usize] & 64 | own ^ lowest
    };
    judged(vec![
        ("feedback through a buffer", feedback, "ppppu"),
        ("a divider of OSC", divide("OSC"), "upppu"),
        ("a divider of PH1", divide("PH1"), "upppu"),
        ("a divider of WE", divide("WE"), "upppp"),
        ("a detour of the counter", reburned(&[("PCL", &ripple)]), "uuppu"),
    ]);
}

#[test]
#[ignore = "takes minutes"]
fn cells_that_no_run_looks_up_may_hold_anything() {
    let one: [(&str, Reburned); 7] = [
        ("TGL while RST is 1", ("TGL", &|a, d| d ^ u8::from(a == 0x2A15))),
        ("TGH while RST and PH1 are 1", ("TGH", &|a, d| d ^ u8::from(a == 0x3A15))),
        ("FLAGS with both phases", ("FLAGS", &|a, d| d ^ (u8::from(a == 0x0D8) << 3))),
        ("ALUL of a reset", ("ALUL", &|a, d| if a >> 12 == 1 && a & 7 == 3 { d ^ 16 } else { d })),
        ("C4 of LDA", ("ALUL", &|a, d| if a & 7 == 0 { d ^ 16 } else { d })),
        ("KMUX with both selected", ("KMUX", &|a, d| if a >> 15 == 3 { d ^ 5 } else { d })),
        ("IODEC at an unused address", ("IODEC", &|a, d| if a & 0xFFF == 0x123 { d ^ 8 } else { d })),
    ];
    let verdicts = |what: &str| if what.starts_with("TG") { "ppppu" } else { "ppppp" };
    judged(one.map(|(what, change)| (what, reburned(&[change]), verdicts(what))).into());
}

/// One RAM of eight bits instead of two of four.
fn with_one_ram() -> Board {
    board(&[
        (
            "        \"4Kx4\":   Ram",
            "        \"4Kx8\": Ram(address: 12, data: 8, about: \"static RAM\"),\n        \"4Kx4\":   Ram",
        ),
        (
            "Ram(name: \"RAML\",  part: \"4Kx4\", address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"M0-3\")",
            "Ram(name: \"RAM\", part: \"4Kx8\", address: \"W0-11\", input: \"A0-7\", write: \"WE\", data: \"M0-7\")",
        ),
        (
            "        Ram(name: \"RAMH\",  part: \"4Kx4\", address: \"W0-11\", input: \"A4-7\", write: \"WE\", data: \"M4-7\"),\n",
            "",
        ),
        ("[\"RAML\", \"RAMH\"]", "[\"RAM\"]"),
    ])
}

/// A write line that falls with PH1 or when S1 rises, whichever is first.
fn with_two_causes() -> Board {
    let writes = |address: u32| {
        let bit = |line: u32| address >> line & 1;
        let write = u32::from(address & 7 == 1) & bit(3) & (bit(4) ^ 1) & (bit(5) ^ 1);
        write | (write ^ 1) << 1
    };
    board(&[
        ("burn: WriteDecoder,", &(cells(6, writes) + ",")),
        ("address: \"W13-15 PH1 RST\"", "address: \"W13-15 PH1 RST S1\""),
    ])
}

#[test]
fn boards_that_compute_the_same_stay_proved() {
    let row = with("B0-7", &buffer("BUF", "A0-7", "B0-7"), &[("A0-7 RED3_0-7 RE3\"", "B0-7 RED3_0-7 RE3\"")]);
    judged(vec![
        ("one RAM", with_one_ram(), "ppppp"),
        ("two causes of a write line", with_two_causes(), "ppppp"),
        ("a row through a buffer", row, "ppppp"),
        ("as it is built", Board::built(), "ppppp"),
    ]);
}

/// The RAM of the built board is written while WEN is 0, whatever WE is.
#[test]
fn ram_that_is_written_by_another_line_is_not_proved() {
    let mut board = Board::built();
    let netlist = board.netlist();
    let cells = netlist.table(netlist.chip("DEC").expect("a chip")).expect("a ROM").to_vec();
    assert!(board.burn("DEC", |address| cells[address as usize] & 1));
    for report in prove_each(&board, &Claim::ALL) {
        assert_eq!(report.verdict, Verdict::Undecided, "{report:#?}");
        assert!(report.undecided[0].to_string().starts_with("RAM RAM: WE writes"), "{report:#?}");
    }
}

/// A row of LEDs that are lit at 0, whose latch holds the byte and not its opposite.
#[test]
fn a_row_of_the_built_board_that_shows_the_opposite_is_refuted() {
    let mut board = Board::built();
    assert!(board.burn("RED3", |address| {
        let [input, own, enable] = [address & 0xFF, address >> 8 & 0xFF, address >> 16];
        (if enable == 1 { input } else { own }) as u8
    }));
    let report = prove(&board, Claim::Instructions);
    assert_eq!(report.verdict, Verdict::Refuted);
    let text = format!("{report:?}");
    assert!(text.contains("RED3_0 and its row show"), "{text}");
    assert_eq!(prove(&board, Claim::Loops).verdict, Verdict::Proved);
}
