//! One chip in full: its pins, what is burned into it, and its table around a cell.

use crate::Refusal;
use crate::protocol::{Cell, Chip, Field, Neighbour, Pin};
use gray1_debugger::Debugger;
use gray1_machine::board;
use gray1_machine::burn::{self, split};
use gray1_machine::netlist::{ChipId, Holds, NetId, number};
use gray1_schematic::Moment;

/// The number of cells shown around one; a power of two.
const SHOWN: u32 = 32;

/// The chip of a name; `at` is the cell to show, if not the one that is looked up now.
pub fn chip(debugger: &mut Debugger, name: &str, at: Option<u32>) -> Result<Chip, Refusal> {
    let [before, now] = debugger.history_mut().levels();
    let netlist = debugger.board().netlist();
    let id = netlist.chips.iter().position(|chip| chip.name.eq_ignore_ascii_case(name));
    let id = id.ok_or_else(|| format!("the board has no chip {name}"))?;
    let (chip, about) = (&netlist.chips[id], &debugger.board().chips[id]);
    let last = (1_u32 << chip.address().len()) - 1;
    let [looked_up, before_that] = [&now, &before].map(|levels| number(levels, chip.address()));
    let at = at.unwrap_or(looked_up);
    if at > last {
        return Err(format!(
            "{name} has {} address lines: the last address is {last:#x}",
            chip.address().len()
        )
        .into());
    }
    let cells = cells(debugger, id);
    let cell = |address: u32| Cell { address, data: cells[address as usize] };
    let first = at / SHOWN * SHOWN;
    let moment = Moment::new(netlist, &now, &before);
    let others = |chips: &mut dyn Iterator<Item = ChipId>| {
        let mut names: Vec<String> = chips.map(|chip| netlist.chips[chip].name.clone()).collect();
        names.dedup();
        names
    };
    let pin = |pin: String, net: NetId, others: Vec<String>, matters: bool| Pin {
        pin,
        net: netlist.nets[net].name.clone(),
        others,
        level: now[net],
        before: before[net],
        matters,
    };
    let reads = chip.reads.iter().zip(chip.pins()).enumerate().map(|(line, (&net, name))| {
        let driver = &mut netlist.nets[net].driver.iter().map(|pin| pin.chip);
        pin(name, net, others(driver), moment.matters(id, line))
    });
    let gives = chip.data.iter().enumerate().map(|(line, &net)| {
        let readers = &mut netlist.nets[net].readers.iter().map(|pin| pin.chip);
        pin(format!("D{line}"), net, others(readers), false)
    });
    let neighbours = chip.address().iter().enumerate().map(|(line, &net)| {
        let Cell { address, data } = cell(at ^ 1 << line);
        Neighbour { net: netlist.nets[net].name.clone(), address, data }
    });
    let (address_fields, data_fields) = match about.contents() {
        Some(contents) => {
            (fields(contents.address, at), fields(contents.data, u32::from(cells[at as usize])))
        }
        None => Default::default(),
    };
    Ok(Chip {
        name: chip.name.clone(),
        part: chip.part.clone(),
        part_about: debugger.board().parts.get(about.part()).map_or("", |part| part.about().0).to_owned(),
        burned: about.burned(),
        about: about.about(),
        can_burn: matches!(chip.holds, Holds::Table(_)),
        reads: reads.collect(),
        gives: gives.collect(),
        at,
        now: looked_up,
        before: before_that,
        last,
        address_fields,
        data_fields,
        table: (first..=last.min(first + SHOWN - 1)).map(cell).collect(),
        neighbours: neighbours.collect(),
    })
}

/// All cells of a chip, as they are now.
fn cells(debugger: &Debugger, id: ChipId) -> Vec<u8> {
    let (board, machine) = (debugger.board(), debugger.machine());
    match &board.chips[id] {
        board::Chip::Rom { burn, address, data, .. } => {
            burn.wired(address.len(), data.len(), debugger.source().image())
        }
        board::Chip::Ram { address, .. } => {
            let netlist = board.netlist();
            let before = netlist.panel.memory.iter().take_while(|other| **other != id);
            let shift = before.map(|other| netlist.chips[*other].data.len()).sum::<usize>();
            let mask = (1_u16 << netlist.chips[id].data.len()) - 1;
            let cell = |address| (u16::from(machine.ram(address)) >> shift & mask) as u8;
            (0..1_u32 << address.len()).map(|address| cell(address as u16)).collect()
        }
    }
}

fn fields(fields: &'static [burn::Field], lines: u32) -> Vec<Field> {
    let values = fields.iter().zip(split(fields, lines));
    values.map(|(&(name, width), value)| Field { name, width, value }).collect()
}
