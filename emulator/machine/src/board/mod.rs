//! The board as data: its chips, what is burned into them, and the nets that connect them.
//!
//! `gray1.ron` beside this file is the wiring diagram of the reference machine, and is built into the program. Every
//! [`Board`] comes from [`Board::parse`], which checks it: each net is declared and has one driver, and each chip fits
//! its part.

mod bench;
mod change;
mod check;
mod chip;
mod confluence;
mod formulas;
mod hardware;
mod lines;
pub mod netlist;
mod panel;
mod pins;
mod place;
mod read;
mod sketch;
pub mod text;
mod timing;
mod wiring;

pub use bench::Bench;
pub use change::{Change, ChangeError};
pub use chip::{Chip, Nets, Part};
pub(crate) use confluence::Confluence;
pub use confluence::ConfluenceTest;
pub use hardware::{Component, Hardware, Pcb, Sheet, Stage, Uses, Watch};
pub use lines::Lines;
pub use panel::{Outlet, Panel};
pub use pins::Pins;
pub use place::BoardError;
pub use read::is_built_in;
pub use sketch::Sketch;
pub use timing::{Timing, Transients};
pub use wiring::{Contents, WiredChip, Wiring};

use crate::burn::Burn;

use crate::evaluated::Translator;
use netlist::Netlist;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A checked wiring diagram.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The name of the board.
    pub name: String,
    /// The kinds of memory chips that it uses, by name.
    pub parts: BTreeMap<String, Part>,
    /// The timing of these parts, if known; the timed engine needs it.
    #[serde(default)]
    pub timing: BTreeMap<String, Timing>,
    /// The lines that are driven from outside.
    pub inputs: Vec<Nets>,
    /// All other lines. Those of a board without a CPU are added when it is read, if they are not in its file.
    #[serde(default)]
    pub nets: Vec<Nets>,
    /// Lines with a filter, besides those of chips with a storage loop, which always have one.
    #[serde(default)]
    pub filters: Lines,
    /// The chips.
    pub chips: Vec<Chip>,
    /// Names for groups of lines that can be read as one number.
    #[serde(default)]
    pub buses: BTreeMap<String, Lines>,
    /// The nets and chips of the registers, RAM, display, port and inputs: none, if the board has no CPU.
    #[serde(default)]
    pub panel: Panel,
    /// The switches and lamps of a board without a CPU.
    #[serde(default, deserialize_with = "bench::read")]
    pub bench: Option<Bench>,
    /// The hardware; if not given, that of [`Board::built`].
    #[serde(default, deserialize_with = "hardware::read")]
    pub hardware: Option<Hardware>,
    #[serde(skip)]
    netlist: OnceLock<Arc<Netlist>>,
    #[serde(skip)]
    pub(crate) confluence: Confluence,
    #[serde(skip)]
    pub(crate) translator: Option<Translator>,
}

impl Board {
    /// The netlist of the board, with its ROMs burned. It is created on first use and shared from then on.
    pub fn netlist(&self) -> &Arc<Netlist> {
        self.netlist.get_or_init(|| {
            Arc::new(Netlist::new(
                [&self.inputs, &self.nets],
                &self.filters,
                &self.chips,
                &self.buses,
                (&self.panel, self.bench.as_ref()),
            ))
        })
    }

    /// Replaces the contents of a ROM by the result of the function for each address. Returns false if there is no ROM
    /// of this name, or if it holds the program.
    ///
    /// ```
    /// let mut board = gray1_machine::board::Board::gray1();
    /// assert!(board.burn("KMUX", |_address| 0)); // no pad and no key is ever seen
    /// ```
    pub fn burn(&mut self, name: &str, cell: impl Fn(u32) -> u8) -> bool {
        let rom = self.chips.iter_mut().find_map(|chip| match chip {
            Chip::Rom { name: other, burn, address, data, .. } if other == name => {
                Some((burn, address, data))
            }
            _ => None,
        });
        let Some((burn, address, data)) = rom.filter(|(burn, ..)| burn.program_byte().is_none()) else {
            return false;
        };
        let lines = ((1u16 << data.len()) - 1) as u8;
        *burn = Burn::Cells((0..1 << address.len()).map(|address| cell(address) & lines).collect());
        self.netlist = OnceLock::new();
        self.confluence = self.confluence.of_another();
        true
    }

    /// Sets the accelerators for long runs of this board, also after changes of its cells. Without a test, all boards
    /// but the built-in ones run by the general rule alone; without a translator, nothing is compiled.
    pub fn set_accelerators(&mut self, test: ConfluenceTest, translator: Translator) {
        self.confluence = Confluence::tested_by(test);
        self.translator = Some(translator);
    }

    /// The chip with this name; upper and lower case are the same.
    pub fn chip(&self, name: &str) -> Option<&Chip> {
        self.chips.iter().find(|chip| chip.name().eq_ignore_ascii_case(name))
    }

    /// The timing of a chip's part, if the board file has it.
    pub fn timing_of(&self, chip: &Chip) -> Option<&Timing> {
        self.timing.get(chip.part())
    }
}
