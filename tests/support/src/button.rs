//! Faulty variants of both built-in boards, on which the reset button, a pad or a key corrupts the state.

use gray1_machine::board::Board;

const SOURCES: [&str; 2] = [
    include_str!("../../../emulator/machine/src/board/gray1.ron"),
    include_str!("../../../emulator/machine/src/board/built.ron"),
];

/// Makes one of the two built-in boards with some texts replaced. Each text must occur exactly once in the board file.
pub fn changed(built: bool, changes: &[(&str, &str)]) -> Board {
    let mut source = SOURCES[usize::from(built)].to_owned();
    for (from, to) in changes {
        assert_eq!(source.matches(from).count(), 1, "`{from}` must occur once in the board file");
        source = source.replace(from, to);
    }
    Board::parse(&source, "button.ron").expect("a board that is wired well")
}

/// Formats the contents of a ROM in the syntax of a board file.
fn cells(lines: u32, cell: impl Fn(u32) -> u32) -> String {
    let cells: Vec<String> = (0..1 << lines).map(|address| cell(address).to_string()).collect();
    format!("burn: Cells([{}]),", cells.join(","))
}

/// Formats a chip in the syntax of a board file.
fn chip(built: bool, name: &str, cells: &str, address: &str, data: &str) -> String {
    let part = if built { "SST39SF010A-70" } else { "27C64" };
    format!("Rom(name: \"{name}\", part: \"{part}\", {cells} address: \"{address}\", data: \"{data}\"),\n")
}

const SEQ: &str = "address: \"OSC S0-1 RSTIN RST\", data: \"S0-1 PH1 PH2 RST\"";
const DEC: &str = "address: \"W13-15 PH1 RST\"";
const NETS: &str = "nets: \"ZL\", ";
const CHIPS: &str = "    chips: [\n";

/// Returns the next state of the sequencer.
fn next(osc: u32, s: u32) -> u32 {
    match s {
        _ if s.count_ones() & 1 == osc => s,
        0 => 1,
        1 => 3,
        3 => 2,
        _ => 0,
    }
}

/// Makes the contents of a sequencer with these functions for RST and PH1.
fn sequencer(rst: impl Fn(u32, u32, u32) -> u32, ph1: impl Fn(u32, u32) -> bool) -> String {
    cells(5, |address| {
        let (osc, s, rstin, old) = (address & 1, address >> 1 & 3, address >> 3 & 1, address >> 4);
        let then = next(osc, s);
        then | u32::from(ph1(then, rstin)) << 2 | u32::from(then == 2) << 3 | rst(s, rstin, old) << 4
    })
}

fn opens(s: u32, _: u32) -> bool {
    s == 1
}

/// TAKEN follows the button in one state of the sequencer, and RST follows TAKEN in the next.
fn two_steps(taken_in: u32, rst_in: u32) -> String {
    cells(6, |address| {
        let (osc, s, rstin) = (address & 1, address >> 1 & 3, address >> 3 & 1);
        let (rst, taken) = (address >> 4 & 1, address >> 5);
        let then = next(osc, s);
        let (rst, taken) = (if s == rst_in { taken } else { rst }, if s == taken_in { rstin } else { taken });
        then | u32::from(then == 1) << 2 | u32::from(then == 2) << 3 | rst << 4 | taken << 5
    })
}

/// A Gray code counter, which counts with S1 while the button is held, and signals its end.
fn slow() -> String {
    cells(6, |address| {
        let (s1, rstin, count) = (address & 1, address >> 1 & 1, address >> 2);
        let step = match count {
            _ if rstin == 0 => 0,
            0b1000 => count,
            _ if count.count_ones() & 1 == s1 => count,
            _ if s1 == 1 => count ^ 1,
            _ => count ^ (count & count.wrapping_neg()) << 1,
        };
        step | u32::from(step == 0b1000) << 4
    })
}

/// While RST is 1, WE has a glitch if PH1 is faster than S0.
fn static_hazard() -> String {
    cells(6, |address| {
        let we = address & 7 == 1 && address >> 3 & 1 == 1 && (address >> 4 & 1 == 0 || address >> 5 == 0);
        u32::from(we) | u32::from(!we) << 1
    })
}

/// KEPT remembers RST until PH1 rises, and then stores.
fn kept() -> String {
    cells(3, |address| {
        let (rst, ph1, kept) = (address & 1, address >> 1 & 1, address >> 2);
        if rst == 1 {
            1
        } else if ph1 == 1 {
            0
        } else {
            kept
        }
    })
}

/// Makes the contents of a write decoder that stores while KEPT is 1.
fn kept_stores() -> String {
    cells(6, |address| {
        let (ph1, rst, kept) = (address >> 3 & 1, address >> 4 & 1, address >> 5);
        let we = ph1 == 1 && (address & 7 == 1 && rst == 0 || kept == 1);
        u32::from(we) | u32::from(!we) << 1
    })
}

/// Makes boards that lose data when the button is pressed or released during a run, or that do not start.
pub fn button_faults(built: bool) -> Vec<(&'static str, Board)> {
    let board = |changes: &[(&str, &str)]| changed(built, changes);
    let with = |nets: &str, chips: &str, others: &[(&str, &str)]| {
        let (nets, chips) = (format!("nets: \"ZL {nets}\", "), format!("    chips: [\n{chips}"));
        board(&[&[(NETS, &*nets), (CHIPS, &*chips)], others].concat())
    };
    let rst = |line: &str| line.replace("RST", "RSTIN");
    let wired = |lines: &[&str]| {
        let to: Vec<String> = lines.iter().map(|line| rst(line)).collect();
        board(&lines.iter().copied().zip(to.iter().map(String::as_str)).collect::<Vec<_>>())
    };
    let follows = |state: u32| move |s: u32, rstin: u32, old: u32| if s == state { rstin } else { old };
    vec![
        ("the ALU reads the button", wired(&["X4 RST\"", "ZL C RST\""])),
        ("the target latches read the button", wired(&["TG0-5 PH1 RST\"", "TG6-11 PH1 RST\""])),
        ("FLAGS reads the button", wired(&["PH1 PH2 RST MC"])),
        ("DEC reads the button", wired(&[DEC])),
        (
            "RST falls together with PH1",
            with(
                "TAKEN",
                "",
                &[
                    ("burn: Sequencer,", &two_steps(2, 3)),
                    (SEQ, "address: \"OSC S0-1 RSTIN RST TAKEN\", data: \"S0-1 PH1 PH2 RST TAKEN\""),
                ],
            ),
        ),
        ("RST follows in state 11", board(&[("burn: Sequencer,", &sequencer(follows(3), opens))])),
        (
            "the button has to be held for seven cycles",
            with(
                "COUNT0-3 LATE",
                &chip(built, "SLOW", &slow(), "S1 RSTIN COUNT0-3", "COUNT0-3 LATE"),
                &[(SEQ, &SEQ.replace("RSTIN", "LATE"))],
            ),
        ),
        (
            "a static hazard while RST is 1",
            board(&[("burn: WriteDecoder,", &static_hazard()), (DEC, "address: \"W13-15 PH1 RST S0\"")]),
        ),
        (
            "a press in the gap opens the masters",
            board(&[("burn: Sequencer,", &sequencer(follows(2), |s, rstin| s == 1 || s == 3 && rstin == 1))]),
        ),
        (
            "a flag turns a pulse into a store",
            with(
                "KEPT",
                &chip(built, "KEEP", &kept(), "RST PH1 KEPT", "KEPT"),
                &[("burn: WriteDecoder,", &kept_stores()), (DEC, "address: \"W13-15 PH1 RST KEPT\"")],
            ),
        ),
        // Further faults.
        ("RST follows at once", board(&[("burn: Sequencer,", &sequencer(|_, rstin, _| rstin, opens))])),
        (
            "RST never falls",
            board(&[(
                "burn: Sequencer,",
                &sequencer(|s, rstin, old| old | u32::from(s == 2) & rstin, opens),
            )]),
        ),
        (
            "RST never rises",
            board(&[(
                "burn: Sequencer,",
                &sequencer(|s, rstin, old| if s == 2 { old & rstin } else { old }, opens),
            )]),
        ),
    ]
}

/// Makes boards that sample the button in other ways, without a fault.
pub fn button_variants(built: bool) -> Vec<(&'static str, Board)> {
    let nets = "nets: \"ZL TAKEN\", ";
    let lines = "address: \"OSC S0-1 RSTIN RST TAKEN\", data: \"S0-1 PH1 PH2 RST TAKEN\"";
    let in_00 = sequencer(|s, rstin, old| if s == 0 { rstin } else { old }, opens);
    vec![
        ("two stages", changed(built, &[(NETS, nets), ("burn: Sequencer,", &two_steps(1, 2)), (SEQ, lines)])),
        ("RST follows in state 00", changed(built, &[("burn: Sequencer,", &in_00)])),
    ]
}

/// Makes boards on which a pad or a key corrupts more than the byte that is read while it changes.
pub fn input_faults(built: bool) -> Vec<(&'static str, Board)> {
    let decoder = cells(6, |address| {
        let we = address & 31 == 9 && address >> 5 == 0;
        u32::from(we) | u32::from(!we) << 1
    });
    let target = cells(15, |address| {
        let (w, own, ph1, rst, key) =
            (address & 63, address >> 6 & 63, address >> 12 & 1, address >> 13 & 1, address >> 14);
        if rst == 1 || key == 1 {
            0
        } else if ph1 == 1 {
            w
        } else {
            own
        }
    });
    let part = |name: &str, burn: &str| {
        let old = match built {
            true => "SST39SF010A-70",
            false => "27C128",
        };
        format!("name: \"{name}\",   part: \"{old}\", burn: {burn},")
    };
    let larger =
        format!("name: \"TGH\", part: \"{}\", {target}", if built { "SST39SF010A-70" } else { "27C256" });
    vec![
        (
            "a key keeps RAM from being written",
            changed(built, &[("burn: WriteDecoder,", &decoder), (DEC, "address: \"W13-15 PH1 RST KEYS6\"")]),
        ),
        (
            "a key clears half of the target",
            changed(
                built,
                &[(&part("TGH", "TargetLatch"), &larger), ("TG6-11 PH1 RST\"", "TG6-11 PH1 RST KEYS6\"")],
            ),
        ),
        (
            "a row of the display shows the keys",
            changed(built, &[("A0-7 RED3_0-7 RE3\"", "A0-6 KEYS6 RED3_0-7 RE3\"")]),
        ),
    ]
}
