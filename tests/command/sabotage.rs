//! The end of a run on faulty boards, which does not depend on the observers.

use crate::support::Folder;

/// Sends a byte, stores to the display, jumps and halts.
const PROGRAM: &str = "\
start:  lda #'k'
        sta OUT
        add #148
        sta GREEN
        jc  halt
        jmp start
halt:   jmp halt
";

/// Data lines to fix at 0, and then at 1, in all cells of their chip.
const LINES: [&str; 22] = [
    "SEQ:*.S0",
    "SEQ:*.S1",
    "SEQ:*.PH1",
    "SEQ:*.PH2",
    "SEQ:*.RST",
    "DEC:*.WE",
    "DEC:*.WEN",
    "FLAGS:*.MC",
    "FLAGS:*.MJ",
    "FLAGS:*.MT",
    "FLAGS:*.C",
    "FLAGS:*.TICK",
    "FLAGS:*.LOAD",
    "PCL:*.PC0",
    "PCL:*.PC5",
    "PCL:*.TICKH",
    "PCH:*.PC6",
    "TGL:*.TG0",
    "PROGH:*.W15",
    "PROGH:*.W13",
    "ALUL:*.R0",
    "XMUX:*.X0",
];

/// Options of `gray1 run` that observe a run.
const OBSERVERS: [&str; 5] =
    ["--trace t.csv", "--record r.gif", "--wave w.vcd", "--wave v.vcd --from 2 --to 5", "--stats"];

/// The messages for each kind of end on these boards.
const ENDINGS: [&str; 4] =
    ["", "the board is stuck: ", "the board has no clock: ", "the board does not settle "];

#[test]
fn observers_do_not_change_the_end_of_a_run() {
    let folder = Folder::with(PROGRAM);
    let stuck = LINES.iter().flat_map(|line| ["0", "1"].map(|level| vec![format!("{line}={level}")]));
    let without_a_clock = vec!["SEQ:*.S0=0".to_owned(), "SEQ:*.S1=0".to_owned()];
    let mut seen = [0; ENDINGS.len()];
    for cells in stuck.chain([without_a_clock]) {
        let board: Vec<&str> = cells.iter().flat_map(|cell| ["--cell", cell.as_str()]).collect();
        let run = ["run", "p.g1", "--display", "none", "--max-cycles", "50"];
        let plain = folder.gray1(&[&run[..], &board].concat());
        let ending = ENDINGS.iter().rposition(|ending| plain.stderr.contains(ending)).unwrap();
        seen[ending] += 1;
        for observer in OBSERVERS {
            let options: Vec<&str> = observer.split(' ').collect();
            let observed = folder.gray1(&[&run[..], &options, &board].concat());
            assert_eq!((observed.code, &observed.stdout), (plain.code, &plain.stdout), "{observed:#?}");
            assert!(observed.stderr.contains(&plain.stderr), "{plain:#?}\n{observed:#?}");
        }
        let debug = [&["debug", "p.g1", "--batch", "-"], &board[..]].concat();
        let debugged = folder.gray1_with_input(&debug, b"goto 50\n");
        // The debugger goes to a cycle and has no cycle limit.
        let message = plain.stderr.trim_start_matches("gray1: ").trim_end();
        let message = if ending == 0 { "" } else { message };
        let output = debugged.stdout + &debugged.stderr;
        assert!(output.contains(message), "{cells:?}: `{message}` is missing in {output}");
    }
    assert!(seen.iter().all(|&count| count > 0), "{ENDINGS:?}: {seen:?}");
}
