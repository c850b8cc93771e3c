//! The panel: where the state that a programmer knows and the outside meet the nets of the board.

use super::lines::Lines;
use serde::{Deserialize, Serialize};

/// Writes the roles of the panel down once: the struct, its translation to other kinds of lines, and the list.
macro_rules! panel {
    ($($(#[$doc:meta])* $role:ident: $width:literal,)*) => {
        /// The roles of nets and chips. In a board file these are names; elsewhere numbers, or what an engine
        /// makes of them.
        #[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)] // the nets of the board are explained in the board file
        pub struct Panel<L = Lines, C = String> {
            $($(#[$doc])* pub $role: L,)*
            /// The RAM chips that together hold a byte an address, the lowest bits first.
            pub memory: Vec<C>,
            pub port: Outlet<L>,
            /// The rows of the display: eight green, then eight red, from the top.
            pub display: Vec<Outlet<L>>,
        }

        impl<L, C> Panel<L, C> {
            /// The same panel with its lines and chips in another representation.
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

            /// Every role that is a group of lines: its name, the lines, and how many they must be.
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

/// A latch that shows a byte to the outside.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Outlet<L = Lines> {
    /// What it shows.
    pub latch: L,
    /// The line that opens it.
    pub enable: L,
    /// Whether its lines are 0 where the byte that it shows has a 1, as for LEDs that a line at 0 lights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inverted: bool,
}

impl<L> Outlet<L> {
    /// The byte that these levels of its latch show, or the levels that show this byte.
    pub fn shown(&self, levels: u8) -> u8 {
        if self.inverted { !levels } else { levels }
    }
}

impl<L, C> Panel<L, C> {
    /// Every outlet, the output port first.
    pub fn outlets(&self) -> impl Iterator<Item = &Outlet<L>> {
        std::iter::once(&self.port).chain(&self.display)
    }
}
