//! Changes to a board, made in its text.

use super::rom::{Contents, Rom};
use super::{FILE, ParsedBoard};
use crate::Refusal;
use crate::protocol::Rework;
use gray1_machine::board::{Board, Lines, Part, Sketch, text};
use std::ops::Range;

/// The indentation of the first chip.
const INDENT: usize = 8;
/// The most chips, which no level needs.
const MAX_CHIPS: usize = 63;

/// The text of a board after a change.
pub fn rework(text: &str, change: &Rework) -> Result<String, Refusal> {
    let sketch =
        Sketch::read(text, FILE).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    let chips = text::chips(text).filter(|chips| chips.len() == sketch.chips.len());
    let spans = chips.ok_or("the chips are not found in the text: change them there")?;
    let board = Board::parse_any(text, FILE).ok();
    let bench = Draft { text, spans, parsed: ParsedBoard { sketch, board } };
    match change {
        Rework::Add => bench.add(),
        Rework::Remove { chip } => bench.remove(*chip),
        Rework::Chip { chip, name, address, data } => {
            let mut rom = bench.rom(*chip)?;
            rom.name.clone_from(name);
            rom.rewire(nets(address)?, nets(data)?);
            Ok(bench.with(vec![(*chip, rom)]))
        }
        Rework::Wire { chip, is_data, line, net } => bench.wire(*chip, *is_data, *line, net),
        Rework::Formulas { chip, formulas } => {
            let mut rom = bench.rom(*chip)?;
            rom.burn = Contents::Formulas(formulas.clone());
            Ok(bench.with(vec![(*chip, rom)]))
        }
        Rework::Flip { chip, address, line } => {
            let mut rom = bench.rom(*chip)?;
            let cells = bench.parsed.cells(*chip);
            let mut cells = cells.ok_or("a formula is wrong, so there are no cells to change yet")?;
            let cell = cells.get_mut(*address).filter(|_| *line < rom.data.len());
            *cell.ok_or("there is no such cell")? ^= 1 << line;
            rom.burn = Contents::Cells(cells);
            Ok(bench.with(vec![(*chip, rom)]))
        }
    }
}

/// Names of nets in the notation of a board file.
fn nets(text: &str) -> Result<Vec<String>, Refusal> {
    Ok(Lines::try_from(text.to_owned())?.names().to_vec())
}

/// A board that is changed.
struct Draft<'a> {
    text: &'a str,
    spans: Vec<Range<usize>>,
    parsed: ParsedBoard,
}

impl Draft<'_> {
    fn rom(&self, chip: usize) -> Result<Rom, Refusal> {
        let chip = self.parsed.sketch.chips.get(chip).ok_or("there is no such chip")?;
        let text = || format!("{} is no ROM with cells or formulas: change it in the text", chip.name());
        Ok(Rom::of(chip).ok_or_else(text)?)
    }

    /// The text with other chips in place of some.
    fn with(&self, mut roms: Vec<(usize, Rom)>) -> String {
        let mut text = self.text.to_owned();
        roms.sort_by_key(|(chip, _)| *chip);
        for (chip, rom) in roms.iter().rev() {
            let span = self.spans[*chip].clone();
            text.replace_range(span.clone(), &rom.text(self.indent(span.start)));
        }
        text
    }

    /// The number of spaces before this place, if there is nothing else in its line.
    fn indent(&self, place: usize) -> usize {
        let line = self.text[..place].rsplit('\n').next().unwrap_or_default();
        if line.trim().is_empty() { line.len() } else { INDENT }
    }

    fn add(&self) -> Result<String, Refusal> {
        let Sketch { parts, chips, .. } = &self.parsed.sketch;
        if chips.len() >= MAX_CHIPS {
            return Err("there are too many chips".into());
        }
        let is_rom = |name: &&String| matches!(parts.get(*name), Some(Part::Rom { .. }));
        let part = parts.keys().find(is_rom).ok_or("no part of this board is a ROM")?;
        let [switches, lamps] = self.parsed.panel();
        let is_driven = |net: &&String| chips.iter().any(|chip| chip.data().names().contains(net));
        let data = lamps.iter().find(|net| !is_driven(net)).cloned().unwrap_or_else(|| self.fresh());
        let name = (1..).map(|number| format!("CHIP{number}"));
        let name = name.into_iter().find(|name| chips.iter().all(|chip| chip.name() != name));
        let rom = Rom {
            name: name.unwrap_or_default(),
            part: part.clone(),
            address: switches.into_iter().take(1).collect(),
            data: vec![data],
            burn: Contents::Cells(vec![0, 0]),
        };
        let indent = self.spans.first().map_or(INDENT, |first| self.indent(first.start));
        Ok(text::with(self.text, "chips", indent, &rom.text(indent))
            .ok_or("this board has no list of chips")?)
    }

    fn remove(&self, chip: usize) -> Result<String, Refusal> {
        Ok(text::without(self.text, self.spans.get(chip).ok_or("there is no such chip")?.clone()))
    }

    /// A name that no net has.
    fn fresh(&self) -> String {
        let chips = self.parsed.sketch.chips.iter();
        let known: Vec<&String> = chips.flat_map(|chip| chip.reads().chain(chip.data().names())).collect();
        let panel = self.parsed.panel().concat();
        let mut names = (1..).map(|number| format!("N{number}"));
        names.find(|name| !known.contains(&name) && !panel.contains(name)).unwrap_or_default()
    }

    fn wire(&self, chip: usize, is_data: bool, line: usize, net: &str) -> Result<String, Refusal> {
        let mut rom = self.rom(chip)?;
        let net = net.trim();
        if !net.is_empty() && nets(net)?.len() != 1 {
            return Err(format!("`{net}`: one line takes the name of one net").into());
        }
        let (mut address, mut data) = (rom.address.clone(), rom.data.clone());
        let lines = if is_data { &mut data } else { &mut address };
        let old = lines.get(line).cloned();
        match (net.is_empty(), line < lines.len()) {
            (true, true) => drop(lines.remove(line)),
            (true, false) => return Err("there is no such line".into()),
            (false, true) => net.clone_into(&mut lines[line]),
            (false, false) => lines.push(net.to_owned()),
        }
        if !is_data {
            rom.rewire(address, data);
            return Ok(self.with(vec![(chip, rom)]));
        }
        if self.parsed.panel()[0].iter().any(|switch| switch == net) {
            return Err(format!("{net} is a switch, so no chip can give it").into());
        }
        // The line that drove this net drives a fresh one; lines that read the old name follow it.
        let fresh = self.fresh();
        let other_name = |names: &[String], place: Option<usize>, from: &str, to: &str| -> Vec<String> {
            let is_meant = |at: usize, name: &String| name == from && Some(at) != place;
            names
                .iter()
                .enumerate()
                .map(|(at, name)| if is_meant(at, name) { to.to_owned() } else { name.clone() })
                .collect()
        };
        let mut changed = Vec::new();
        for other in 0..self.parsed.sketch.chips.len() {
            let Ok(mut rom) = self.rom(other) else { continue };
            let (mut reads, mut gives) = if other == chip {
                (address.clone(), data.clone())
            } else {
                (rom.address.clone(), rom.data.clone())
            };
            if !net.is_empty() {
                gives = other_name(&gives, (other == chip).then_some(line), net, &fresh);
                if let Some(old) = &old {
                    reads = other_name(&reads, None, old, net);
                }
            }
            if (&reads, &gives) != (&rom.address, &rom.data) {
                rom.rewire(reads, gives);
                changed.push((other, rom));
            }
        }
        Ok(self.with(changed))
    }
}
