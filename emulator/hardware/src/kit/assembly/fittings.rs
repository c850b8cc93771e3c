//! The components that are not memory: filters, LEDs, buttons, pads and keys, the port.

use super::{Assembler, AssemblyError, GND, VCC, network};
use gray1_machine::board::Chip;
use std::collections::BTreeSet;

/// Nets on pins, by name.
type PinNets = Vec<(String, String)>;

/// Nets on these pins.
pub(super) fn pin_nets<const COUNT: usize>(pins: [(&str, &str); COUNT]) -> PinNets {
    pins.map(|(pin, net)| (pin.to_owned(), net.to_owned())).to_vec()
}

impl Assembler<'_> {
    /// Adds a resistor in each filtered data line of a chip, and a capacitor to ground behind it.
    pub(super) fn filters(&mut self, chip: &Chip, number: usize) -> Result<(), AssemblyError> {
        let uses = &self.hardware.uses;
        let lines: Vec<&String> = chip.data().names().iter().filter(|net| self.is_filtered(net)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let nets = network(lines.iter().map(|net| (self.on_pin(net), (*net).clone())));
        self.add("RN", &uses.filter_resistors, Some(number), &nets)?;
        for net in lines {
            self.add("C", &uses.filter_capacitor, Some(number), &pin_nets([("1", net), ("2", GND)]))?;
        }
        Ok(())
    }

    /// Adds the LEDs of the rows that are on a board. They are connected to the chip's pin, so that their current does not
    /// flow through the filter's resistor.
    pub(super) fn lights(&mut self, number: usize) -> Result<(), AssemblyError> {
        let (uses, board) = (&self.hardware.uses, self.board);
        for (row, outlet) in board.panel.display.iter().enumerate() {
            let lines = outlet.latch.names();
            if self.home(&lines[0]) != Some(number) {
                continue;
            }
            let led = if row < board.panel.display.len() / 2 { &uses.green } else { &uses.red };
            let node = |assembler: &Self, net: &String| assembler.unlike(format!("{net}_LED"));
            let nets = network(lines.iter().map(|net| (self.on_pin(net), node(self, net))));
            self.add("RN", &uses.led_resistors, Some(number), &nets)?;
            for net in lines {
                let node = node(self, net);
                let nets = match outlet.inverted {
                    true => pin_nets([("K", &node), ("A", VCC)]),
                    false => pin_nets([("A", &node), ("K", GND)]),
                };
                self.add("D", led, Some(number), &nets)?;
            }
        }
        Ok(())
    }

    /// Adds the components that drive the inputs whose first reader is on a board.
    pub(super) fn inputs(&mut self, number: usize) -> Result<(), AssemblyError> {
        let (uses, panel) = (&self.hardware.uses, &self.board.panel);
        let is_here = |assembler: &Self, net: &String| assembler.home(net) == Some(number);
        let clock = &panel.oscillator.names()[0];
        if is_here(self, clock) {
            self.clock(clock, number)?;
        }
        for net in panel.reset.names() {
            if is_here(self, net) {
                self.reset(net, number)?;
            }
        }
        for net in panel.keys.names() {
            if is_here(self, net) {
                self.add("S", &uses.button, Some(number), &pin_nets([("1", VCC), ("2", net)]))?;
            }
        }
        let (rows, columns) = (panel.pad_row.names(), panel.pad_column.names());
        if is_here(self, &rows[0]) {
            for (row, row_net) in rows.iter().enumerate() {
                for (column, column_net) in columns.iter().enumerate() {
                    let pad = self.unlike(format!("PAD{row}_{column}"));
                    self.add("S", &uses.button, Some(number), &pin_nets([("1", VCC), ("2", &pad)]))?;
                    for net in [column_net, row_net] {
                        self.add("D", &uses.diode, Some(number), &pin_nets([("A", &pad), ("K", net)]))?;
                    }
                }
            }
        }
        let inputs = self.board.inputs.iter().flat_map(|group| group.nets.names());
        let pulled: Vec<&String> = inputs.filter(|net| *net != clock && is_here(self, net)).collect();
        let resistors =
            (1..).take_while(|line| self.hardware.parts[&uses.pull_downs].pins.has(&format!("R{line}")));
        for nets in pulled.chunks(resistors.count()) {
            let nets: PinNets =
                (1..).zip(nets).map(|(line, net)| (format!("R{line}"), (*net).clone())).collect();
            self.add("RN", &uses.pull_downs, Some(number), &nets)?;
        }
        Ok(())
    }

    /// Adds the connector of the output port: its byte, its strobe, and ground.
    pub(super) fn port(&mut self, number: usize) -> Result<(), AssemblyError> {
        let port = &self.board.panel.port;
        if self.home(&port.latch.names()[0]) == Some(number) {
            let nets = port.latch.names().iter().chain(port.enable.names()).map(String::as_str).chain([GND]);
            let nets: PinNets =
                (1..).zip(nets).map(|(pin, net)| (format!("P{pin}"), net.to_owned())).collect();
            self.add("J", &self.hardware.uses.port, Some(number), &nets)?;
        }
        Ok(())
    }

    /// The board that a net belongs to: the board of the chip that drives it or, for an input, of its first reader.
    pub(super) fn home(&self, net: &str) -> Option<usize> {
        let netlist = self.board.netlist();
        let net = &netlist.nets[netlist.net(net)?];
        let pin = net.driver.or_else(|| net.readers.first().copied());
        Some(pin.map_or(0, |pin| self.board_of(&netlist.chips[pin.chip].name)))
    }

    /// The boards on which a net has pins.
    pub(super) fn boards_of(&self, net: &str) -> BTreeSet<usize> {
        let items = self.assembly.items.iter();
        let items = items.filter(|item| item.pins.iter().any(|pin| pin.net.as_deref() == Some(net)));
        items.filter_map(|item| item.board).collect()
    }
}
