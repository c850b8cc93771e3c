//! One chip in full: its pins, what is burned into it, and its table around a cell.

use crate::Refusal;
use crate::protocol::{Cell, Chip, ChipCells, Field, Neighbour, Pin};
use gray1_debugger::Debugger;
use gray1_display::schematic::Moment;
use gray1_machine::board;
use gray1_machine::burn::{self, Contents, split};
use gray1_machine::netlist::{ChipId, Holds, NetId, number};

/// The number of cells shown around one; a power of two.
const SHOWN: u32 = 32;

/// The chip of a name; `at` is the cell to show, if not the one that is looked up now.
pub fn chip(debugger: &mut Debugger, name: &str, at: Option<u32>) -> Result<Chip, Refusal> {
    let levels = debugger.history_mut().levels();
    let [before, now] = &levels;
    let netlist = debugger.board().netlist();
    let id = netlist.chips.iter().position(|chip| chip.name.eq_ignore_ascii_case(name));
    let id = id.ok_or_else(|| format!("the board has no chip {name}"))?;
    let (chip, about) = (&netlist.chips[id], &debugger.board().chips[id]);
    let moment = Moment::new(netlist, now, before);
    let pin = |pin: String, net: NetId, others: &mut dyn Iterator<Item = ChipId>, matters: bool| {
        let mut others: Vec<String> = others.map(|chip| netlist.chips[chip].name.clone()).collect();
        others.dedup();
        let name = netlist.nets[net].name.clone();
        Pin { pin, net: name, others, level: now[net], before: before[net], matters }
    };
    let reads = chip.reads.iter().zip(chip.pins()).enumerate().map(|(line, (&net, name))| {
        let driver = &mut netlist.nets[net].driver.iter().map(|pin| pin.chip);
        pin(name, net, driver, moment.matters(id, line))
    });
    let gives = chip.data.iter().enumerate().map(|(line, &net)| {
        let readers = &mut netlist.nets[net].readers.iter().map(|pin| pin.chip);
        pin(format!("D{line}"), net, readers, false)
    });
    Ok(Chip {
        name: chip.name.clone(),
        part: chip.part.clone(),
        part_about: debugger.board().parts.get(about.part()).map_or("", |part| part.about().0).to_owned(),
        burned: about.burned(),
        about: about.about(),
        can_burn: matches!(chip.holds, Holds::Table(_)),
        reads: reads.collect(),
        gives: gives.collect(),
        cells: cells_around(debugger, id, at, &levels)?,
    })
}

/// The table of a chip around a cell, or around the one that is looked up now.
fn cells_around(
    debugger: &Debugger,
    id: ChipId,
    at: Option<u32>,
    [before, now]: &[Vec<bool>; 2],
) -> Result<ChipCells, Refusal> {
    let netlist = debugger.board().netlist();
    let chip = &netlist.chips[id];
    let lines = chip.address().len();
    let last = (1_u32 << lines) - 1;
    let [now, before] = [now, before].map(|levels| number(levels, chip.address()));
    let at = at.unwrap_or(now);
    if at > last {
        return Err(format!("{} has {lines} address lines: the last address is {last:#x}", chip.name).into());
    }
    let cells = cells(debugger, id);
    let cell = |address: u32| Cell { address, data: cells[address as usize] };
    let first = at / SHOWN * SHOWN;
    let neighbours = chip.address().iter().enumerate().map(|(line, &net)| {
        let Cell { address, data } = cell(at ^ 1 << line);
        Neighbour { net: netlist.nets[net].name.clone(), address, data }
    });
    let contents = debugger.board().chips[id].contents();
    let fields = |of: fn(&Contents) -> &'static [burn::Field], lines: u32| {
        contents.map_or_else(Vec::new, |contents| fields(of(contents), lines))
    };
    Ok(ChipCells {
        at,
        now,
        before,
        last,
        address_fields: fields(|contents| contents.address, at),
        data_fields: fields(|contents| contents.data, u32::from(cells[at as usize])),
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
