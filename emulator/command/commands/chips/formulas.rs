//! `gray1 chips --formulas`: prints the contents of ROMs in the syntax of a board file.

use gray1_machine::board::{Board, Chip};
use gray1_machine::netlist::ChipId;
use std::fmt::Write;

/// Formats the field `burn` of one ROM, or of all ROMs with short formulas.
pub fn text(board: &Board, chip: Option<ChipId>) -> Result<String, String> {
    let chips = chip.map_or(&board.chips[..], |id| std::slice::from_ref(&board.chips[id]));
    let mut text = String::new();
    for chip in chips {
        let Some(formulas) = chip.formulas() else { continue };
        let lines: String = formulas.iter().map(|formula| format!("    {formula:?},\n")).collect();
        let _ = write!(text, "// {}\nburn: Formula([\n{lines}]),\n", chip.name());
    }
    match (text.is_empty(), chips.first()) {
        (true, Some(Chip::Ram { name, .. })) => Err(format!("{name} is a RAM: nothing is burned into it")),
        (true, Some(Chip::Rom { name, burn, .. })) if burn.program_byte().is_some() => {
            Err(format!("{name} holds the program, which is not part of a board"))
        }
        (true, Some(chip)) => Err(format!("{} has no short formulas: `Cells` lists its cells", chip.name())),
        _ => Ok(text),
    }
}
