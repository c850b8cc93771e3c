//! The clock, reset and the supply of a board, and the pins for an analyser.
//!
//! The supply enters on the first board, through a fuse; wires lead from there to the other boards, so that all are
//! switched together. A supervisor debounces each button: its pin is low while the button is pressed, and for a third of
//! a second after that and after power-on.

use super::fittings::pin_nets;
use super::{Assembler, AssemblyError, GND, VCC};

impl Assembler<'_> {
    /// Adds the sources of the clock and the jumper that selects one: the oscillator in its socket, a generator, or a
    /// button for single steps.
    pub(super) fn clock(&mut self, clock: &str, number: usize) -> Result<(), AssemblyError> {
        let (uses, board) = (&self.hardware.uses, Some(number));
        let [can, input, step] = ["CAN", "IN", "STEP"].map(|end| self.unlike(format!("{clock}_{end}")));
        self.add("X", &uses.oscillator, board, &pin_nets([("OUT", &can)]))?;
        if let Some(socket) = uses.sockets.get(&self.hardware.parts[&uses.oscillator].package) {
            self.add("XS", socket, board, &[])?;
        }
        self.add("J", &uses.clock_input, board, &pin_nets([("P1", &input), ("P2", GND)]))?;
        self.debounced(&step, number)?;
        let pairs = [("P1", can.as_str()), ("P3", &input), ("P5", &step)];
        let common = ["P2", "P4", "P6"].map(|pin| (pin, clock));
        self.add("J", &uses.clock_select, board, &[pin_nets(pairs), pin_nets(common)].concat())?;
        self.add("JP", &uses.jumper, board, &[])?;
        Ok(())
    }

    /// Adds reset, which is high while its button is pressed and after power-on.
    pub(super) fn reset(&mut self, reset: &str, number: usize) -> Result<(), AssemblyError> {
        let (uses, board) = (&self.hardware.uses, Some(number));
        let [low, base] = ["LOW", "BASE"].map(|end| self.unlike(format!("{reset}_{end}")));
        self.debounced(&low, number)?;
        self.add("R", &uses.base_resistor, board, &pin_nets([("1", &low), ("2", &base)]))?;
        self.add("Q", &uses.transistor, board, &pin_nets([("E", VCC), ("B", &base), ("C", reset)]))?;
        Ok(())
    }

    /// Adds a button to ground, with a supervisor.
    fn debounced(&mut self, net: &str, number: usize) -> Result<(), AssemblyError> {
        let uses = &self.hardware.uses;
        self.add("S", &uses.button, Some(number), &pin_nets([("1", GND), ("2", net)]))?;
        self.add("U", &uses.supervisor, Some(number), &pin_nets([("RST", net)]))?;
        Ok(())
    }

    /// Adds the supply of a board; on the first, also the terminal `5V IN`, the fuse and the clamp.
    pub(super) fn supply(&mut self, number: usize) -> Result<(), AssemblyError> {
        let (uses, board) = (&self.hardware.uses, Some(number));
        if number == 0 {
            let input = self.unlike("VIN".to_owned());
            self.add("J", &uses.supply, board, &pin_nets([("PLUS", &input)]))?;
            self.add("F", &uses.fuse, board, &pin_nets([("1", &input), ("2", VCC)]))?;
            self.add("D", &uses.clamp, board, &pin_nets([("K", VCC), ("A", GND)]))?;
        }
        self.add("C", &uses.bulk, board, &[])?;
        let lamp = self.unlike(format!("LAMP{number}"));
        self.add("R", &uses.lamp_resistor, board, &pin_nets([("1", VCC), ("2", &lamp)]))?;
        self.add("D", &uses.lamp, board, &pin_nets([("A", &lamp), ("K", GND)]))?;
        Ok(())
    }

    /// Adds the supply wires to the other boards, with a terminal at each end.
    pub(super) fn supply_wires(&mut self) -> Result<(), AssemblyError> {
        let uses = &self.hardware.uses;
        for other in 1..self.hardware.boards.len() {
            self.add("J", &uses.supply, Some(0), &[])?;
            self.add("J", &uses.supply, Some(other), &[])?;
            self.add("W", &uses.supply_wire, None, &[])?;
        }
        Ok(())
    }

    /// Adds the pins for an analyser, a ground beside each signal.
    pub(super) fn probes(&mut self, number: usize) -> Result<(), AssemblyError> {
        let part = &self.hardware.uses.probe;
        let pins = self.hardware.parts[part].pins.iter().count();
        for nets in self.hardware.boards[number].probes.iter().flat_map(|nets| nets.names().chunks(pins / 2))
        {
            let mut all: Vec<(String, String)> = Vec::new();
            for pair in 1..=pins / 2 {
                let net = nets.get(pair - 1).map_or(GND, String::as_str);
                all.extend(pin_nets([
                    (&format!("P{}", 2 * pair - 1), net),
                    (&format!("P{}", 2 * pair), GND),
                ]));
            }
            self.add("J", part, Some(number), &all)?;
        }
        Ok(())
    }
}
