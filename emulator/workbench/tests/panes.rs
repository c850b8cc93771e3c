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
