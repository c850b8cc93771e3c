//! Short marks that identify programs and boards, so that results for one are not mistaken for results for another.

use crate::board::Board;
use crate::board::netlist::{Chip, Holds, Netlist};
use crate::hash::mark;
use gray1_isa::Image;
use serde::{Deserialize, Serialize};

/// The marks of a board, which distinguish boards of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardMarks {
    /// The mark of the chips, the nets on their lines, and the panel.
    pub wiring: String,
    /// The mark of the contents of the ROMs.
    pub tables: String,
    /// The mark of the timing of the parts.
    pub timing: String,
}

impl Board {
    /// The marks of this board. Another version of this program may compute other marks.
    pub fn marks(&self) -> BoardMarks {
        let Netlist { nets, chips, inputs, panel, tables, .. } = &**self.netlist();
        let wired = |chip: &Chip| {
            let Chip { name, part, reads, data, holds, own } = chip;
            // A chip gets its own table when one of its cells is changed, but that does not change the wiring.
            let holds = if let Holds::Table(_) = holds { None } else { Some(holds) };
            format!("{name} {part} {reads:?} {data:?} {holds:?} {own:?}\n")
        };
        let wiring: String = chips.iter().map(wired).collect();
        let burned = chips.iter().map(|chip| match chip.holds {
            Holds::Table(table) => mark(&tables[table]),
            _ => String::new(),
        });
        BoardMarks {
            wiring: mark(format!("{wiring}{nets:?} {inputs:?} {panel:?}").as_bytes()),
            tables: mark(burned.collect::<Vec<_>>().join(" ").as_bytes()),
            timing: mark(format!("{:?}", self.timing).as_bytes()),
        }
    }
}

/// A short mark that identifies a program.
pub fn program_mark(image: &Image) -> String {
    mark(&image.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_is_of_one_thing() {
        let (right, mut changed) = (Board::gray1().marks(), Board::gray1());
        changed.change(&"ALUL:*.C4=0".parse().unwrap()).unwrap();
        assert_eq!(changed.marks(), BoardMarks { tables: changed.marks().tables, ..right.clone() });
        assert_ne!(changed.marks().tables, right.tables);

        let edited = |from: &str, to: &str| {
            let source = include_str!("board/gray1.ron").replacen(from, to, 1);
            Board::parse(&source, "edited.ron").unwrap().marks()
        };
        assert_eq!(edited("name: \"Gray-1\"", "name: \"another\""), right);
        let slower = edited("access: (60, 150)", "access: (60, 151)");
        assert_eq!(slower, BoardMarks { timing: slower.timing.clone(), ..right.clone() });
        assert_ne!(slower.timing, right.timing);
        assert_ne!(Board::built().marks().wiring, right.wiring);
    }
}
