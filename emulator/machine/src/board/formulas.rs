//! Working out the formulas of a board file, once its chips and nets are known to be right.

use super::place::Fault;
use super::{Chip, Lines};
use crate::burn::{Burn, LineNames, written};
use std::collections::BTreeMap;

/// Works out the cells of all ROMs whose contents are formulas.
pub(super) fn work_out(chips: &mut [Chip], buses: &BTreeMap<String, Lines>) -> Result<(), Fault> {
    for chip in chips {
        let Chip::Rom { name, burn: Burn::Formula(formulas), address, data, .. } = chip else { continue };
        let (address, data) = (named(address, buses), named(data, buses));
        if let Err((index, error)) = formulas.work_out(&address, &data) {
            // The formulas before it come first: two may read the same.
            let before = index.map_or(&[][..], |index| &formulas.texts()[..=index]);
            let name_as_written = format!("\"{name}\"");
            let trail = ["chips", &name_as_written, "Formula"].into_iter();
            let trail = trail.chain(before.iter().map(String::as_str));
            return Err(Fault::new(trail, format!("ROM {name}: {}", error.message)).after(error.at));
        }
    }
    Ok(())
}

/// The nets on these lines, the buses that have no others, and the ranges that they are written as: `A0-3` is also `A`,
/// if nothing else here is called that; a bus with further lines is not seen from this chip. A net on several lines
/// stands for the lowest.
fn named(lines: &Lines, buses: &BTreeMap<String, Lines>) -> LineNames {
    let place = |net: &String| lines.names().iter().position(|other| other == net);
    let mut names: Vec<(String, Vec<usize>)> = Vec::new();
    for (line, net) in lines.names().iter().enumerate().filter(|(line, net)| place(net) == Some(*line)) {
        names.push((net.clone(), vec![line]));
    }
    for (name, nets) in buses {
        let found: Option<Vec<usize>> = nets.names().iter().map(place).collect();
        names.extend(found.map(|lines| (name.clone(), lines)));
    }
    let ranges: Vec<(String, Vec<usize>)> = lines.ranges().collect();
    for (name, range) in &ranges {
        let is_taken = names.iter().any(|(known, _)| known == name);
        if !is_taken && ranges.iter().filter(|(other, _)| other == name).count() == 1 {
            names.push((name.clone(), range.clone()));
        }
    }
    LineNames { lines: lines.len(), names }
}

impl Chip {
    /// The contents of a ROM as formulas, as a board file takes them, if each is short. A RAM and a ROM that holds the
    /// program have none.
    pub fn formulas(&self) -> Option<Vec<String>> {
        let Chip::Rom { burn, address, data, .. } = self else { return None };
        if let Burn::Formula(formulas) = burn {
            return Some(formulas.texts().to_vec());
        }
        burn.program_byte().is_none().then_some(())?;
        let cells = burn.wired(address.len(), data.len(), &gray1_isa::Image::blank());
        let lines = data.names().iter().enumerate();
        let formula = |(line, name)| Some(format!("{name} = {}", written(&cells, line, address.names())?));
        lines.map(formula).collect()
    }
}
