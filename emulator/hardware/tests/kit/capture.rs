//! Captures made from the chips engine as an analyser would have taken them, with and without faults.

use gray1_hardware::kit::capture::{Capture, Comparison, Expected, Probe, compare_capture};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, PHASES, Script};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

const COUNTER: &str = "PC0,PC1,PC2,PC3,PC4,PC5,PC6,PC7,PC8,PC9,PC10,PC11";

/// A program that counts in RAM and shows the bits for ever, with a branch that is taken every other time.
fn image() -> Image {
    use Opcode::{Add, Jc, Jmp, Jz, Lda, Nor, Shr, Sta};
    Image::from_words([
        Word::constant(Lda, 3),
        Word::ram(Sta, 5),
        Word::ram(Lda, 5), // 2
        Word::constant(Add, 1),
        Word::ram(Sta, 5),
        Word::ram(Shr, 5),
        Word::jump(Jc, 9),
        Word::constant(Nor, 0),
        Word::ram(Sta, 0xFE8),
        Word::jump(Jz, 0), // 9
        Word::jump(Jmp, 2),
    ])
}

fn engine(image: &Image) -> ChipsEngine {
    ChipsEngine::power_up(&Board::gray1(), image, Noise::Zeros).expect("it settles")
}

/// The levels of the nets of a header: a row for each phase, from the beginning of a run.
fn rows(header: &str, phases: usize) -> Vec<String> {
    let mut engine = engine(&image());
    let probes: Vec<_> = header.split(',').map(|name| engine.probe(name).expect(name)).collect();
    let row = |engine: &ChipsEngine| {
        probes.iter().map(|probe| format!("{:x}", engine.read(probe))).collect::<Vec<_>>().join(",")
    };
    let mut rows = vec![row(&engine)];
    for _ in 0..phases {
        engine.phase(&mut ()).expect("it settles");
        rows.push(row(&engine));
    }
    rows
}

fn table(header: &str, rows: &[String]) -> String {
    format!("{header}\n{}\n", rows.join("\n"))
}

fn compared(text: &str) -> Comparison {
    compared_from(0, text)
}

fn compared_from(cycle: usize, text: &str) -> Comparison {
    let board = Board::gray1();
    let capture = Capture::read(text, board.netlist()).expect("it is a capture");
    let (script, never) = (Script::default(), AtomicBool::new(false));
    let mut expected = Expected::new(engine(&image()), &script, &capture.nets, &never);
    compare_capture(&capture, &mut expected, cycle).expect("nobody stops it")
}

/// A level of one row is changed to its opposite.
fn flip(row: &str, column: usize) -> String {
    let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
    cells[column] = if cells[column] == "0" { "1" } else { "0" }.to_owned();
    cells.join(",")
}

#[test]
fn what_was_sampled_rightly_agrees_however_it_was_sampled() {
    let nets = format!("OSC,{COUNTER},WE,A,C");
    let all = rows(&nets, 4_000);
    let oversampled: Vec<String> = all.iter().flat_map(|row| vec![row.clone(); 7]).collect();
    let cycles = |first| all.iter().skip(first).step_by(PHASES).cloned().collect::<Vec<_>>();
    let held: Vec<String> = vec![all[0].clone(); 50].into_iter().chain(all.clone()).collect();
    for (what, rows, begins) in [
        ("every phase", all.clone(), (0, 0)),
        ("seven samples a phase", oversampled, (0, 0)),
        ("each cycle, in phase 0", cycles(0), (0, 0)),
        ("each cycle, in phase 1", cycles(1), (0, 1)),
        ("with a reset before it", held, (0, 0)),
        ("one sample", vec![all[0].clone()], (0, 0)),
    ] {
        let comparison = compared(&table(&nets, &rows));
        assert_eq!((comparison.begins, &comparison.difference), (begins, &None), "{what}");
        assert_eq!(comparison.rows, rows.len() as u64, "{what}");
    }
    let later = compared_from(350, &table(&nets, &all[1_400..]));
    assert_eq!((later.begins, later.difference), ((350, 0), None));
    // Fewer nets, and whole buses.
    for header in [COUNTER, "PC,A", "W,PC,RED0_0", "OSC"] {
        let comparison = compared(&table(header, &rows(header, 2_000)));
        assert_eq!(comparison.difference, None, "{header}");
    }
}

/// An analyser that is faster than the chips sees lines move one after the other, and glitches.
#[test]
fn what_is_on_its_way_is_no_difference() {
    let nets = format!("OSC,{COUNTER},A0,A1,A2,A3");
    let all = rows(&nets, 2_000);
    let mut seen = Vec::new();
    for (number, pair) in all.windows(2).enumerate() {
        seen.extend(vec![pair[0].clone(); 12]);
        let (one, other): (Vec<&str>, Vec<&str>) =
            (pair[0].split(',').collect(), pair[1].split(',').collect());
        let moved = number % one.len();
        seen.push(other[..moved].iter().chain(&one[moved..]).copied().collect::<Vec<_>>().join(","));
        if number % 5 == 0 {
            seen.push(flip(&pair[1], 14));
        }
    }
    let comparison = compared(&table(&nets, &seen));
    assert_eq!((comparison.begins, comparison.difference), ((0, 0), None));
}

#[test]
fn the_first_difference_is_told() {
    let nets = format!("OSC,{COUNTER},A");
    let mut all = rows(&nets, 2_000);
    // The lowest line of A in phase 0 of cycle 300.
    let text = table(&nets, &all);
    let place = 300 * PHASES;
    let (cells, a) = all[place].rsplit_once(',').expect("cells");
    all[place] = format!("{cells},{:x}", u8::from_str_radix(a, 16).expect("a byte") ^ 4);
    let comparison = compared(&table(&nets, &all));
    let difference = comparison.difference.expect("a difference");
    assert_eq!((difference.position, difference.line), ((300, 0), place + 2));
    assert_eq!(difference.lines(), 4 << 13, "A2 is the third line after OSC and the counter");
    // Only this once, the rest is unchanged.
    assert_eq!(comparison.probe, Some(Probe::Differs { line: 15 }));
    assert_eq!(compared(&text).difference, None);
}

#[test]
fn a_line_that_is_always_wrong_is_named() {
    let nets = format!("{COUNTER},A0,A1,A2,A3");
    let all = rows(&nets, 2_000);
    let change = |change: &dyn Fn(&mut Vec<&str>)| {
        let row = |row: &String| {
            let mut cells: Vec<&str> = row.split(',').collect();
            change(&mut cells);
            cells.join(",")
        };
        table(&nets, &all.iter().map(row).collect::<Vec<_>>())
    };
    let opposite = |cell: &str| if cell == "0" { "1" } else { "0" };
    for (text, probe) in [
        (change(&|cells| cells[1] = "0"), Probe::Stuck { line: 1, level: false }),
        (change(&|cells| cells[3] = "1"), Probe::Stuck { line: 3, level: true }),
        (change(&|cells| cells[11] = "1"), Probe::Stuck { line: 11, level: true }),
        (change(&|cells| cells.swap(0, 2)), Probe::Swapped { line: 0, other: 2 }),
        (change(&|cells| cells.swap(1, 12)), Probe::Swapped { line: 1, other: 12 }),
        (change(&|cells| cells[13] = opposite(cells[13])), Probe::Inverted { line: 13 }),
        (change(&|cells| cells[2] = cells[12]), Probe::Doubled { line: 2, other: 12 }),
    ] {
        let comparison = compared(&text);
        assert_eq!(comparison.probe, Some(probe));
        assert!(comparison.difference.is_some(), "{probe:?}");
    }
}

/// A machine that jumps to a wrong place, or stops.
#[test]
fn a_counter_that_goes_elsewhere_differs() {
    let header = format!("OSC,{COUNTER}");
    let all = rows(&header, 4_000);
    let counter = |row: &String| {
        let cells = row.split(',').skip(1);
        let code = cells.enumerate().fold(0, |sum, (bit, cell)| sum | u16::from(cell == "1") << bit);
        gray1_isa::from_gray(code)
    };
    let row = |osc: &str, place: u16| {
        let code = gray1_isa::gray(place);
        (0..12).fold(osc.to_owned(), |row, bit| format!("{row},{}", code >> bit & 1))
    };
    // After 800 phases, the next branch (word 6) that is taken is not.
    let at =
        (800..).find(|&at| counter(&all[at]) == 6 && counter(&all[at + 1]) == 9).expect("it is taken") + 1;
    for place in [7, 6, 11, 8] {
        let mut seen = all[..at].to_vec();
        for (number, row_there) in all[at..at + 400].iter().enumerate() {
            seen.push(row(&row_there[..1], (place + number as u16 / 4) & 0xFFF));
        }
        let comparison = compared(&table(&header, &seen));
        let difference = comparison.difference.expect("a difference");
        assert_eq!((difference.instruction, difference.line), (6, at + 2), "{place}");
        assert_eq!(comparison.probe, None);
    }
    // Nothing moves any more.
    let header = COUNTER;
    let mut seen = rows(header, 1_000);
    seen.extend(vec![seen[999].clone(); 500]);
    let difference = compared(&table(header, &seen)).difference.expect("it stands");
    assert!(difference.stays && difference.position.0 == 250, "{difference:#?}");
}

/// A machine that goes wrong before the place in the run can be recognised.
#[test]
fn a_machine_that_goes_wrong_at_once_is_taken_to_have_been_seen_from_its_beginning() {
    let nets = format!("OSC,{COUNTER}");
    let mut seen = rows(&nets, 6);
    seen.extend((0..40).map(|row| format!("{},0,1,1,1,0,0,0,1,1,0,1,1", row % 2)));
    let comparison = compared(&table(&nets, &seen));
    assert_eq!(comparison.begins, (0, 0));
    assert_eq!(comparison.difference.expect("a difference").line, 9);
}

/// Nets that stand still for a while, in a program that halts.
#[test]
fn a_machine_that_halts_is_not_expected_to_have_halted_before() {
    use Opcode::{Jmp, Lda, Sta};
    let words = (1..40).flat_map(|byte| [Word::constant(Lda, byte), Word::ram(Sta, 7), Word::ram(Sta, 7)]);
    let halt = Word::jump(Jmp, 39 * 3);
    let image = Image::from_words(words.chain([halt]));
    let board = Board::gray1();
    let engine = || ChipsEngine::power_up(&board, &image, Noise::Zeros).expect("it settles");
    let mut running = engine();
    let probe = running.probe("A").expect("A");
    let mut text = "A\n".to_owned();
    for _ in 0..800 {
        text += &format!("{:02x}\n", running.read(&probe));
        running.phase(&mut ()).expect("it settles");
    }
    let capture = Capture::read(&text, board.netlist()).expect("it is a capture");
    let (script, never) = (Script::default(), AtomicBool::new(false));
    let mut expected = Expected::new(engine(), &script, &capture.nets, &never);
    let comparison = compare_capture(&capture, &mut expected, 0).expect("nobody stops it");
    assert_eq!(comparison.difference, None);
}

#[test]
fn something_else_differs_at_once() {
    let text = format!("{COUNTER}\n{}", "1,0,1,0,1,0,1,0,1,0,1,0\n0,1,1,1,0,1,1,0,0,0,0,1\n".repeat(50));
    assert!(compared(&text).difference.is_some_and(|difference| difference.line < 4));
}

#[test]
fn what_is_no_capture_is_refused_with_its_place() {
    let board = Board::gray1();
    for (text, error) in [
        ("", "1:1: there is no header"),
        ("PC0,A0\n", "1:1: there are no samples"),
        ("PC0,FOO\n0,1\n", "1:2: the board has no net or bus `FOO`"),
        ("PC0,PC\n0,1\n", "1:2: PC0 is there twice"),
        ("time,sample\n0,1\n", "1:1: the header names no net"),
        ("PC0,A0\n0\n", "2:2: the header has 2 columns, this row 1"),
        ("PC0,A0\n0,1\n0,2\n", "3:2: `2` is no level"),
        ("PC0,A\n0,100\n", "2:2: `100` is no number on 8 lines"),
        ("PC0,A\n0,é\n", "2:2: `é` is no number on 8 lines"),
    ] {
        let refused = Capture::read(text, board.netlist()).expect_err(text).to_string();
        assert!(refused.starts_with(error), "{text:?}: {refused}");
    }
    let sigrok = "; CSV, generated by libsigrok\n; Channels (3/3): OSC, PC0, A7\nlogic,logic,logic\n0,1,x\n";
    let capture = Capture::read(sigrok, board.netlist()).expect("it is one");
    assert_eq!((capture.nets.len(), capture.samples[0].levels, capture.samples[0].known), (3, 2, 3));
    let marked = "\u{feff}PC0,A0\n0,1\n";
    assert_eq!(Capture::read(marked, board.netlist()).expect("it is one").nets.len(), 2);
    let quoted = "\"Time [s]\",\"A\"\r\n0.5,0x1F\r\n0.6,$1f\r\n";
    let capture = Capture::read(quoted, board.netlist()).expect("it is one");
    assert_eq!((capture.samples.len(), capture.samples[0].count, capture.samples[0].levels), (1, 2, 0x1F));
}

/// A row with a wrong carry is equal to a row elsewhere in the run; the place found is still the one where all other
/// rows agree.
#[test]
fn a_wrong_level_does_not_move_the_place() {
    let nets = format!("OSC,{COUNTER},A0,A1,C");
    let mut seen = rows(&nets, 1_300)[256..456].to_vec();
    seen[142] = flip(&seen[142], 15);
    let comparison = compared_from(64, &table(&nets, &seen));
    let difference = comparison.difference.expect("a difference");
    assert_eq!((comparison.begins, difference.line, difference.lines()), ((64, 0), 144, 1 << 15));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A capture of any length from any place agrees; with one level changed in its middle, it differs at that place.
    #[test]
    fn a_change_is_found_where_it_was_made(
        cycle in 0usize..150, length in 200usize..600, copies in 1usize..4, place in 3usize..190, column in 1usize..16,
    ) {
        let nets = format!("OSC,{COUNTER},A0,A1,C");
        let all = rows(&nets, 1_300);
        let mut seen = all[cycle * PHASES..][..length].to_vec();
        let spread = |seen: &[String]| {
            seen.iter().flat_map(|row| vec![row.clone(); copies]).collect::<Vec<_>>()
        };
        let comparison = compared_from(cycle, &table(&nets, &spread(&seen)));
        prop_assert_eq!(comparison.difference, None);
        seen[place] = flip(&seen[place], column);
        let comparison = compared_from(cycle, &table(&nets, &spread(&seen)));
        let difference = comparison.difference.expect("a difference");
        prop_assert_eq!(difference.line, place * copies + 2);
        prop_assert_eq!(difference.lines(), 1 << column);
    }

    /// Any text is read or refused, without a panic.
    #[test]
    fn any_text_is_answered(text in "[PCA01,x\n\" ;#$-]{0,80}") {
        let _ = Capture::read(&text, Board::gray1().netlist());
    }
}
