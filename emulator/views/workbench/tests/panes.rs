//! The effect of a click or a key depends on the pane.

use crate::support;
use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use support::Bench;

const PROGRAM: &str = "\
      lda  #1
      sta  GREEN+2
      lda  #4
      sta  GREEN+5
      sta  RED+5
halt: jmp  halt
";

/// A click on an LED, given by its row and column. The display pane has the focus.
fn click(bench: &mut Bench, row: u16, column: u16) {
    let text = bench.text();
    let (top, line) = (0..).zip(text.lines()).find(|(_, line)| line.contains("5 display")).expect("the pane");
    let corner = |symbol| line.chars().position(|letter| letter == symbol).expect("a corner") as u16;
    // Eight LEDs, two columns from one to the next, in the middle of the frame.
    let left = (corner('┏') + corner('┓')) / 2 - 7;
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    let (column, row) = (left + 2 * column, top + 1 + row);
    bench.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
}

/// A click on an LED finds the store that lit it, and does not change the history.
#[test]
fn a_click_on_an_led_asks_who_lit_it() {
    let mut bench = Bench::new("program.g1", PROGRAM, 80, 24);
    bench.keys("rS5");
    for (row, column, command, answer) in
        [(2, 0, "who lit green 2,0", "cycle 1 phase 1"), (5, 2, "who lit red 5,2", "cycle 4 phase 1")]
    {
        click(&mut bench, row, column);
        let text = bench.text();
        assert!(text.contains(command), "{text}");
        assert!(text.contains(answer), "{text}");
        assert!(!text.contains("forgotten"), "{text}");
    }
    bench.keys("r");
    assert!(bench.text().contains("halted"), "{}", bench.text());
}

/// Enter unfolds the chosen chip, and folds it again. No key runs to a line that is not visible.
#[test]
fn in_the_board_pane_enter_unfolds_the_chip() {
    let mut bench = Bench::new("program.g1", PROGRAM, 80, 14);
    bench.keys("s<Down><Down>2<Backspace>");
    let text = bench.text();
    assert!(text.contains("cycle 1 phase 0") && text.contains("1 shows the source"), "{text}");
    let is_unfolded = |bench: &Bench, chip: &str| {
        let text = bench.text();
        text.contains(&format!("┃{chip} ")) && text.contains("┃sees ") && !text.contains("┃RAML ")
    };
    bench.keys("<Down><Enter>");
    assert!(is_unfolded(&bench, "DEC"), "{}", bench.text());
    bench.keys("<Down>");
    assert!(is_unfolded(&bench, "FLAGS"), "{}", bench.text());
    for fold in ["<Enter>", "+", "<Esc>"] {
        bench.keys(fold);
        assert!(!is_unfolded(&bench, "FLAGS") && bench.text().contains("2 board"), "{}", bench.text());
        bench.keys("<Enter>");
    }
    assert!(bench.text().contains("cycle 1 phase 0"), "{}", bench.text());
    // Back in the source, Enter applies to a line again.
    bench.keys("<Esc><Esc><Enter>");
    assert!(bench.text().contains("cycle 3 phase 0"), "{}", bench.text());
}

/// In the wiring a click chooses a block, and one more opens it.
#[test]
fn a_click_opens_a_block_of_the_wiring() {
    let mut bench = Bench::new("program.g1", PROGRAM, 100, 40);
    bench.keys("p2|");
    let text = bench.text();
    let row = text.lines().position(|line| line.contains("┃ALUL ")).expect("a block") as u16;
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    let click = Event::Mouse(MouseEvent { kind, column: 3, row, modifiers });
    bench.event(&click);
    assert!(bench.text().contains("┃ALUL "), "{}", bench.text());
    bench.event(&click);
    let text = bench.text();
    assert!(text.contains("┃sees ") && text.contains("┃near ") && text.contains("AluLow"), "{text}");
}

/// On a large screen the source is beside the board: the other keys for lines act on it.
#[test]
fn beside_the_source_enter_still_belongs_to_the_board() {
    let mut bench = Bench::new("program.g1", PROGRAM, 130, 50);
    bench.keys("s<Down>2<Enter>");
    let text = bench.text();
    assert!(text.contains("cycle 1 phase 0") && text.contains("┃SEQ  27C64"), "{text}");
    bench.keys("b");
    assert!(bench.text().contains("│●  3 "), "{}", bench.text());
}

/// The counts of the lines stand beside them; a click there goes to the first run of a line.
#[test]
fn heat_is_shown_beside_the_source() {
    let program =
        "      lda  #3\nloop: add  #-1\n      jz   halt\n      jmp  loop\n      lda  #9\nhalt: jmp  halt\n";
    let mut bench = Bench::new("program.g1", program, 80, 24);
    bench.keys("r;");
    let text = bench.text();
    for line in ["1        1       lda  #3", "3 loop: add  #-1", "never       lda  #9"] {
        assert!(text.replace("►", " ").contains(line), "{line}: {text}");
    }
    let (row, column) = (0..)
        .zip(text.lines())
        .find_map(|(row, line)| Some((row, line[..line.find("jmp  loop")?].chars().count() as u16)))
        .expect("the line");
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    bench.event(&Event::Mouse(MouseEvent { kind, column: column - 9, row, modifiers }));
    assert!(bench.text().contains("goto cycle 3"), "{}", bench.text());
    // The same key counts again, and then hides the counts.
    bench.keys(";;");
    assert!(!bench.text().contains("never"), "{}", bench.text());
}
