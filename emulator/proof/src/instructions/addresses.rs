//! The memory map: what a store to each address shows, sends and keeps, and what a load from there finds.

use super::{Mismatch, machine};
use gray1_isa::memory_map::{GREEN, INPUTS, KEYS, OUT, PADCOL, PADROW, RED};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise, Outside, State, Unsettled};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Each line of a byte takes both levels.
const BYTES: [u8; 2] = [0x5A, 0xA5];
/// What is pressed while inputs are read.
const PRESSED: [Inputs; 2] =
    [Inputs { pad: Some((1, 6)), keys: 0x2A }, Inputs { pad: Some((6, 1)), keys: 0x55 }];
/// The place of the first load; the stores begin at 0.
const LOADS: u16 = 2048;

/// What leaves the machine: bytes sent, and rows of the display.
#[derive(Default, PartialEq, Eq)]
struct Seen {
    sent: Vec<u8>,
    rows: Vec<(usize, u8)>,
}

impl Outside for Seen {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.sent.push(byte);
    }

    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        self.rows.push((row, leds));
    }
}

/// A store to each address of the range and a load from there, with both bytes.
pub(super) fn addresses(board: &Board, part: Range<u16>, stop: &AtomicBool) -> Option<Result<u64, Mismatch>> {
    let mut image = Image::blank();
    for (place, address) in (0..).zip(part.clone()) {
        image.set_word(place, Word::ram(Opcode::Sta, address));
        image.set_word(LOADS + place, Word::ram(Opcode::Lda, address));
    }
    let mut engine = match machine(board, &image, Noise::Random(9)) {
        Ok(engine) => engine,
        Err(mismatch) => return Some(Err(mismatch)),
    };
    let start = engine.state();
    let mut count = 0;
    for (place, address) in (0..).zip(part) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        for (byte, inputs) in BYTES.into_iter().zip(PRESSED) {
            let mut before = State { a: byte, pc: place, ..start.clone() };
            before.ram[usize::from(address)] = !byte;
            let stored = store(board, &mut engine, address, before);
            let mut before = State { a: !byte, pc: LOADS + place, ..start.clone() };
            before.ram[usize::from(address)] = byte;
            if let Err(mismatch) = stored.and_then(|()| load(board, &mut engine, address, before, inputs)) {
                return Some(Err(mismatch));
            }
            count += 2;
        }
    }
    Some(Ok(count))
}

fn store(board: &Board, engine: &mut ChipsEngine, address: u16, before: State) -> Result<(), Mismatch> {
    let byte = before.a;
    let case = || format!("STA ${address:03X} with A = {byte:02X}");
    let seen =
        run(engine, &before, Inputs::default()).map_err(|unsettled| Mismatch::at(case(), unsettled))?;
    let row = address.checked_sub(GREEN).filter(|_| address < RED + 8);
    let expected = Seen {
        sent: if address == OUT { vec![byte] } else { Vec::new() },
        rows: row.map(|row| (usize::from(row), byte)).into_iter().collect(),
    };
    compare(&case, &expected, &seen)?;
    let cell = engine.state().ram[usize::from(address)];
    if address < INPUTS && cell != byte {
        return Err(Mismatch::new(case(), format!("a cell with {byte:02X}"), format!("one with {cell:02X}")));
    }
    latches(board, engine, &case)
}

fn load(
    board: &Board,
    engine: &mut ChipsEngine,
    address: u16,
    before: State,
    inputs: Inputs,
) -> Result<(), Mismatch> {
    let case = || format!("LDA ${address:03X} with pads and keys held down");
    let seen = run(engine, &before, inputs).map_err(|unsettled| Mismatch::at(case(), unsettled))?;
    compare(&case, &Seen::default(), &seen)?;
    let (row, column) = inputs.pad.unwrap_or_default();
    let expected = match address {
        PADCOL => 1 << column,
        PADROW => 1 << row,
        KEYS => inputs.keys,
        _ if address >= INPUTS => 0,
        _ => before.ram[usize::from(address)],
    };
    let got = engine.registers().a;
    if got != expected {
        return Err(Mismatch::new(case(), format!("A = {expected:02X}"), format!("A = {got:02X}")));
    }
    latches(board, engine, &case)
}

fn run(engine: &mut ChipsEngine, before: &State, inputs: Inputs) -> Result<Seen, Unsettled> {
    let mut seen = Seen::default();
    engine.set_state(before)?;
    engine.press(inputs)?;
    engine.run(1, &mut seen)?;
    Ok(seen)
}

fn compare(case: &dyn Fn() -> String, expected: &Seen, got: &Seen) -> Result<(), Mismatch> {
    let words = |seen: &Seen| match (&seen.sent[..], &seen.rows[..]) {
        ([], []) => "nothing leaves the machine".to_owned(),
        (sent, rows) => format!("sent {sent:02X?}, rows of the display {rows:02X?}"),
    };
    if expected == got { Ok(()) } else { Err(Mismatch::new(case(), words(expected), words(got))) }
}

/// The port and the rows of the display show what the RAM behind them holds.
fn latches(board: &Board, engine: &ChipsEngine, case: &dyn Fn() -> String) -> Result<(), Mismatch> {
    let ram = engine.state().ram;
    for (outlet, address) in board.panel.outlets().zip(std::iter::once(OUT).chain(GREEN..)) {
        let names = outlet.latch.names().iter().enumerate();
        let shown = names.fold(0, |byte, (bit, net)| byte | engine.net(net).unwrap_or(0) << bit);
        let byte = ram[usize::from(address)];
        if shown != u16::from(byte) {
            let net = outlet.latch.as_written();
            let words = |byte: u16| format!("{net} shows {byte:02X}");
            return Err(Mismatch::new(case(), words(byte.into()), words(shown)));
        }
    }
    Ok(())
}
