//! Registers, the current program word, and the clock.

use super::clock::clock;
use super::frame::{changed, mark};
use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::theme::Ink;
use gray1_machine::netlist::number;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let (machine, before) = (&state.machine, &state.machine_before);
    let (now, old) = (machine.registers, before.registers);
    let mut register = |row: usize, has_changed: bool, text: String| {
        canvas.text(0, row, &format!("{}{text}", mark(has_changed)), changed(has_changed));
    };
    let letter = match now.a {
        0x20..0x7F => format!("'{}'", char::from(now.a)),
        _ => "   ".to_owned(),
    };
    let (high, low) = (now.a >> 4, now.a & 15);
    register(0, now.a != old.a, format!("a    ${:02X} {:>3} {letter} %{high:04b}_{low:04b}", now.a, now.a));
    register(1, now.c != old.c, format!("c    {}", u8::from(now.c)));
    let label = state
        .listing
        .source
        .location_name(machine.running)
        .map_or(String::new(), |label| format!("  {label}"));
    register(2, machine.running != before.running, format!("pc   ${:03X}{label}", machine.running));
    // In the last phase, the output of the program chips is already the next instruction.
    let word = machine.word;
    let source = &state.listing.source;
    let sequence = Some(machine.running).filter(|running| source.image().word(*running) == word);
    let instruction = source.disassembled(word, sequence);
    register(3, word != before.word, format!("word ${:04X} {instruction}", word.0));
    // The control lines of the counter, if the board has such nets.
    let nets = ["TICK", "LOAD"].iter().filter_map(|name| {
        let net = state.board.netlist().net(name)?;
        Some(format!("{} {}", name.to_lowercase(), number(&machine.levels, &[net])))
    });
    canvas.text(10, 1, &nets.collect::<Vec<_>>().join("  "), Ink::Dim);
    clock(state, canvas, 4);
    // The instruction of the word, if there is room.
    let row = word.opcode().row();
    let (opcode, m, x) = (word.0 >> 13, u8::from(word.m()), word.x());
    canvas.text(1, 7, &format!("opcode {opcode:03b}  M {m}  X {x:012b}"), Ink::Plain);
    let effect = row.effect.replace('←', canvas.theme.symbols.takes);
    canvas.text(1, 8, &effect, Ink::Plain);
    canvas.text(1, 9, row.meaning, Ink::Dim);
}
