//! Registers, the word being run, and the clock.

use super::{changed, mark, title_of};
use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;

/// What happens in each phase.
pub const PHASES: [&str; 4] = ["all settles", "masters take", "all holds", "slaves take"];

/// Draws them.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let mut inner = canvas.frame(&title_of(Pane::Registers), "", has_focus);
    let look = &desk.look;
    let before = desk.before.as_ref().unwrap_or(look);
    let (now, old) = (look.registers, before.registers);
    let letter = match now.a {
        0x20..0x7F => format!("'{}'", char::from(now.a)),
        _ => "   ".to_owned(),
    };
    let is_new = now.a != old.a;
    inner.text(
        0,
        0,
        &format!(
            "{}a    ${:02X} {:>3} {letter} %{:04b}_{:04b}",
            mark(is_new),
            now.a,
            now.a,
            now.a >> 4,
            now.a & 15
        ),
        changed(is_new),
    );
    let is_new = now.c != old.c;
    inner.text(0, 1, &format!("{}c    {}", mark(is_new), u8::from(now.c)), changed(is_new));
    // What the counter is told, where the board has such lines.
    let lines = ["TICK", "LOAD"].iter().filter_map(|name| {
        let net = desk.nets.iter().position(|net| net == name)?;
        Some(format!("{} {}", name.to_lowercase(), look.wires.nets.get(net)?))
    });
    inner.text(10, 1, &lines.collect::<Vec<_>>().join("  "), Ink::Dim);
    let is_new = look.running != before.running;
    let place = desk.listing.place_name(look.running).map_or(String::new(), |name| format!("  {name}"));
    inner.text(0, 2, &format!("{}pc   ${:03X}{place}", mark(is_new), look.running), changed(is_new));
    // In the last phase the program chips see the next instruction already.
    let is_new = look.word != before.word;
    inner.text(
        0,
        3,
        &format!("{}word ${:04X} {}", mark(is_new), look.word.0, desk.listing.named(look.word)),
        changed(is_new),
    );
    clock(desk, &mut inner, 4);
    // Where there is room, what the word says.
    let (word, row) = (look.word, look.word.opcode().row());
    let bits = |number: u16, width: usize| format!("{number:0width$b}");
    let fields =
        format!("opcode {}  M {}  X {}", bits(word.0 >> 13, 3), u8::from(word.m()), bits(word.x(), 12));
    inner.text(1, 7, &fields, Ink::Plain);
    let effect = row.effect.replace('←', inner.paint.signs.takes);
    inner.text(1, 8, &effect, Ink::Plain);
    inner.text(1, 9, row.meaning, Ink::Dim);
}

/// The clock: two edges of the oscillator up and two down, and which of them was the last.
pub fn clock(desk: &Desk, canvas: &mut Canvas, row: usize) {
    let phase = usize::from(desk.look.position.phase) % PHASES.len();
    let [low, high] = canvas.paint.signs.level;
    canvas.text(1, row, "phase", Ink::Plain);
    canvas.text(1, row + 1, "OSC", Ink::Plain);
    for number in 0..PHASES.len() {
        let column = 6 + 3 * number;
        let is_now = number == phase;
        let text = if is_now { format!("[{number}]") } else { format!(" {number} ") };
        canvas.text(column, row, &text, if is_now { Ink::Title } else { Ink::Dim });
        let level = if number % 2 == 1 { high } else { low };
        canvas.text(column, row + 1, &level.repeat(3), if is_now { Ink::Changed } else { Ink::Dim });
    }
    canvas.text(18, row, PHASES[phase], Ink::Plain);
}
