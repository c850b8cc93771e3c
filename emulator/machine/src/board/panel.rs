//! The panel: which nets and chips of the board are the registers, RAM, display, port and inputs of the machine.

use super::lines::Lines;
use crate::state::Inputs;
use serde::{Deserialize, Serialize};

/// Defines the roles of the panel in one place: the struct, its mapping to other kinds of lines, and the list.
macro_rules! panel {
    ($($(#[$doc:meta])* $role:ident: $width:literal,)*) => {
        /// The roles of nets and chips. In a board file they are names; elsewhere numbers, or the representation of an
        /// engine.
        #[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)] // the nets of the board are explained in the board file
        pub struct Panel<L = Lines, C = String> {
            $($(#[$doc])* pub $role: L,)*
            /// The RAM chips that together hold one byte per address, the lowest bits first.
            pub memory: Vec<C>,
            pub port: Outlet<L>,
            /// The rows of the display: eight green, then eight red, from the top.
            pub display: Vec<Outlet<L>>,
        }

        impl<L, C> Panel<L, C> {
            /// This panel with its lines and chips in another representation.
            pub fn map<M, D>(&self, lines: impl Fn(&L) -> M, chip: impl Fn(&C) -> D) -> Panel<M, D> {
                let outlet =
                    |outlet: &Outlet<L>| Outlet { latch: lines(&outlet.latch), enable: lines(&outlet.enable), inverted: outlet.inverted };
                Panel {
                    $($role: lines(&self.$role),)*
                    memory: self.memory.iter().map(chip).collect(),
                    port: outlet(&self.port),
                    display: self.display.iter().map(outlet).collect(),
                }
            }

            /// Every role that is a group of lines: its name, its lines, and their required number.
            pub(super) fn roles(&self) -> impl Iterator<Item = (&'static str, &L, usize)> {
                let outlets = self.outlets();
                let outlets = outlets.flat_map(|outlet| [("latch", &outlet.latch, 8), ("enable", &outlet.enable, 1)]);
                [$((stringify!($role), &self.$role, $width)),*].into_iter().chain(outlets)
            }
        }
    };
}

panel! {
    oscillator: 1,
    reset: 1,
    pad_column: 8,
    pad_row: 8,
    keys: 7,
    sequence: 2,
    counter: 12,
    word: 16,
    target: 12,
    accumulator: 8,
    accumulator_master: 8,
    carry: 1,
    carry_master: 1,
    jump_master: 1,
    tick_master: 1,
}

/// A latch whose byte is visible from outside: a row of the display, or the port.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Outlet<L = Lines> {
    /// Its lines.
    pub latch: L,
    /// The line that opens it.
    pub enable: L,
    /// Whether its lines are the inverse of the byte, as for LEDs that are lit by a line at 0.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inverted: bool,
}

impl<L> Outlet<L> {
    /// Converts the levels of its latch to the byte that they show, and the other way round.
    pub fn shown(&self, levels: u8) -> u8 {
        if self.inverted { !levels } else { levels }
    }
}

impl<L, C> Panel<L, C> {
    /// The lines of the pads and keys, with their levels while these are pressed.
    pub fn pressed(&self, inputs: Inputs) -> [(&L, u8); 3] {
        [
            (&self.pad_column, inputs.pad_column()),
            (&self.pad_row, inputs.pad_row()),
            (&self.keys, inputs.keys),
        ]
    }

    /// Every outlet, the output port first.
    pub fn outlets(&self) -> impl Iterator<Item = &Outlet<L>> {
        std::iter::once(&self.port).chain(&self.display)
    }
}
