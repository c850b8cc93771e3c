//! More boards that do all that they should, each changed in a way of its own. None of them is refuted.

mod support;

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use support::{board, cells, rom};

const ALU_LOW: &str = "burn: AluLow,       address: \"W13-15 A0-3 X0-3 X4 RST\", data: \"R0-3 C4 ZL\"";
const ALU_HIGH: &str = "address: \"W13-15 A4-7 X4-7 C4 ZL C RST\"";
const RAM_LOW: &str = "address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"M0-3\"";
const RAM_HIGH: &str = "address: \"W0-11\", input: \"A4-7\", write: \"WE\", data: \"M4-7\"";
const T: &str = "address: \"R0-7 T0-7 PH1\", data: \"T0-7\"";
const XMUX: &str = "address: \"D0-7 W0-7 W12\", data: \"X0-7\"";

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

/// New nets and chips, and other changes.
fn with(nets: &str, chips: &str, changes: &[(&str, &str)]) -> Board {
    let (nets, chips) = (format!("nets: \"ZL {nets}\", "), format!("    chips: [\n{chips}"));
    let mut all = vec![("nets: \"ZL\", ", &*nets), ("    chips: [\n", &*chips)];
    all.extend(changes);
    board(&all)
}

fn inverter(name: &str, from: &str, to: &str) -> String {
    rom(name, &cells(8, |byte| byte ^ 0xFF), from, to)
}

fn swapped(address: u32, one: u32, other: u32) -> u32 {
    let differ = (address >> one ^ address >> other) & 1;
    address ^ differ << one ^ differ << other
}

/// All claims about each of these boards: `p` proved, `u` undecided.
fn judged(boards: Vec<(&str, Board, &str)>) {
    let verdict =
        |board: &Board, claim| match Prover::new(board).prove(claim).expect("nobody stops it").verdict {
            Verdict::Proved => 'p',
            Verdict::Undecided => 'u',
            Verdict::Refuted => 'R',
        };
    let got = boards.iter().map(|(what, board, _)| {
        let verdicts: String = Claim::ALL.into_iter().map(|claim| verdict(board, claim)).collect();
        format!("{what}: {verdicts}")
    });
    let got: Vec<String> = got.collect();
    let expected: Vec<String> = boards.iter().map(|(what, _, all)| format!("{what}: {all}")).collect();
    assert_eq!(got, expected);
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
        &rom("PCBUF", &cells(8, |a| a), "PC0-7", "Q0-7"),
        &[
            ("burn: ProgramLow,   address: \"PC0-11\"", "burn: ProgramLow,   address: \"Q0-7 PC8-11\""),
            ("burn: ProgramHigh,  address: \"PC0-11\"", "burn: ProgramHigh,  address: \"Q0-7 PC8-11\""),
        ],
    );
    let word = with(
        "V0-7",
        &rom("WBUF", &cells(8, |a| a), "W0-7", "V0-7"),
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
