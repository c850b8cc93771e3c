//! Where the panel of a board meets its circuit.

use super::circuit::Circuit;
use super::wires::{Data, Port};
use crate::board::Board;

/// The ports of the panel, found in the circuit.
pub(super) struct Pins {
    pub oscillator: Port,
    pub reset: Port,
    pub pad_column: Port,
    pub pad_row: Port,
    pub keys: Port,
    pub sequence: Port,
    pub counter: Port,
    pub word: Port,
    pub opcode: Port,
    pub target: Port,
    pub accumulator: Port,
    pub accumulator_master: Port,
    pub carry: Port,
    pub carry_master: Port,
    pub jump_master: Port,
    pub tick_master: Port,
    /// For each RAM chip: where its cells begin, the place of its bits there, and how many they are.
    pub memory: Vec<(usize, u32, u32)>,
    pub outlets: Vec<(Port, Port)>,
    /// The drivers that open an outlet, and the bits that do.
    pub strobes: Vec<(usize, Data)>,
}

impl Pins {
    /// Finds the panel's lines; the board's checks have made sure that they exist.
    pub fn find(board: &Board, circuit: &Circuit) -> Pins {
        let panel = &board.panel;
        let memory = panel.memory.iter().filter_map(|name| {
            let (driver, seat) = circuit.chip(name)?;
            Some((circuit.drivers[driver].offset, seat.shift, board.chip(name)?.data().len() as u32))
        });
        let outlets: Vec<(Port, Port)> = panel
            .outlets()
            .map(|outlet| (circuit.port(&outlet.latch), circuit.port(&outlet.enable)))
            .collect();
        let mut strobes: Vec<(usize, Data)> = Vec::new();
        for pin in outlets.iter().flat_map(|(_, enable)| enable.pins()) {
            match strobes.iter_mut().find(|(driver, _)| *driver == pin.driver) {
                Some((_, bits)) => *bits |= 1 << pin.bit,
                None => strobes.push((pin.driver, 1 << pin.bit)),
            }
        }
        let word = circuit.port(&panel.word);
        Pins {
            oscillator: circuit.port(&panel.oscillator),
            reset: circuit.port(&panel.reset),
            pad_column: circuit.port(&panel.pad_column),
            pad_row: circuit.port(&panel.pad_row),
            keys: circuit.port(&panel.keys),
            sequence: circuit.port(&panel.sequence),
            counter: circuit.port(&panel.counter),
            opcode: word.top(3),
            word,
            target: circuit.port(&panel.target),
            accumulator: circuit.port(&panel.accumulator),
            accumulator_master: circuit.port(&panel.accumulator_master),
            carry: circuit.port(&panel.carry),
            carry_master: circuit.port(&panel.carry_master),
            jump_master: circuit.port(&panel.jump_master),
            tick_master: circuit.port(&panel.tick_master),
            memory: memory.collect(),
            outlets,
            strobes,
        }
    }
}
