//! The checks that every board has to pass: each net is declared and has one driver, the contents of each ROM fit its
//! lines, and each chip fits its part. The rest of the crate relies on them.

use super::place::Fault;
use super::{Board, Chip, Part};
use crate::burn::{Burn, width};
use gray1_isa::memory_map::DISPLAY_SIZE;
use gray1_text::visible;
use std::collections::{HashMap, HashSet};
use std::iter;

/// The maximum number of chips and groups of inputs together: the engine keeps a set of them in one machine word.
const MOST_DRIVERS: usize = 64;
/// The maximum number of address lines of a chip, which is enough for a megabyte.
const MOST_ADDRESS_LINES: usize = 20;
/// The maximum number of data lines of a chip, because its output is kept in a byte.
const MOST_DATA_LINES: usize = 8;

pub(super) fn check(board: &Board) -> Result<(), Fault> {
    check_texts(board)?;
    let nets = declared_nets(board)?;
    check_size(board)?;
    let mut names = HashSet::new();
    for chip in &board.chips {
        if !names.insert(chip.name()) {
            return Err(Fault::new(
                ["chips", chip.name(), chip.name()],
                format!("two chips are called {}", chip.name()),
            ));
        }
        check_wires(chip, &nets)?;
        check_part(board, chip)?;
        check_contents(chip)?;
    }
    check_drivers(board)?;
    check_buses(board, &nets)?;
    check_panel(board, &nets)
}

/// Names and descriptions are shown on terminals and written into files of many formats. The names of nets are checked
/// where they are read.
fn check_texts(board: &Board) -> Result<(), Fault> {
    let Board { name, parts, inputs, nets, chips, buses, .. } = board;
    let texts = iter::once(name)
        .chain(parts.keys())
        .chain(inputs.iter().chain(nets).map(|group| &group.about))
        .chain(buses.keys());
    let mut texts = texts
        .map(String::as_str)
        .chain(parts.values().map(|part| part.about().0))
        .chain(chips.iter().map(Chip::name));
    match texts.find(|text| text.contains(char::is_control)) {
        Some(text) => {
            let shown = visible(text);
            Err(Fault::new([&*shown], format!("`{shown}` has a control character: leave it out")))
        }
        None => Ok(()),
    }
}

fn declared_nets(board: &Board) -> Result<HashSet<&str>, Fault> {
    let mut nets = HashSet::new();
    for name in board.inputs.iter().chain(&board.nets).flat_map(|group| group.nets.names()) {
        if !nets.insert(name.as_str()) {
            return Err(Fault::new(["nets", name], format!("net {name} is declared twice")));
        }
    }
    Ok(nets)
}

fn check_size(board: &Board) -> Result<(), Fault> {
    let drivers = board.inputs.len() + board.chips.len();
    if drivers > MOST_DRIVERS {
        return Err(Fault::new(
            ["chips"],
            format!(
                "{} chips and {} groups of inputs: this emulator takes {MOST_DRIVERS} of both together",
                board.chips.len(),
                board.inputs.len()
            ),
        ));
    }
    for group in &board.inputs {
        if group.nets.is_empty() || group.nets.len() > MOST_DATA_LINES {
            return Err(Fault::new(
                ["inputs"].into_iter().chain(group.nets.names().first().map(String::as_str)),
                format!(
                    "a group of inputs has 1 to {MOST_DATA_LINES} lines, this has {}: split it",
                    group.nets.len()
                ),
            ));
        }
    }
    Ok(())
}

fn check_wires(chip: &Chip, nets: &HashSet<&str>) -> Result<(), Fault> {
    match chip.reads().chain(chip.data().names()).find(|net| !nets.contains(net.as_str())) {
        Some(net) => Err(Fault::new(
            ["chips", chip.name(), net],
            format!("chip {}: net {net} is not declared; add it to `nets`, or to `inputs`", chip.name()),
        )),
        None => Ok(()),
    }
}

fn check_part(board: &Board, chip: &Chip) -> Result<(), Fault> {
    let fault = |message: String| Err(Fault::new(["chips", chip.name(), chip.part()], message));
    let (name, part_name) = (chip.name(), chip.part());
    let Some(part) = board.parts.get(part_name) else {
        let known: Vec<&str> = board.parts.keys().map(String::as_str).collect();
        return fault(format!("chip {name}: part {part_name} is not in `parts` ({})", known.join(", ")));
    };
    let (_, address, data) = part.about();
    if address > MOST_ADDRESS_LINES || data > MOST_DATA_LINES {
        return fault(format!(
            "part {part_name}: {address} address and {data} data lines; this emulator takes up to \
             {MOST_ADDRESS_LINES} and {MOST_DATA_LINES}"
        ));
    }
    match (chip, part) {
        (Chip::Rom { .. }, Part::Rom { .. }) | (Chip::Ram { .. }, Part::Ram { .. }) => {}
        (Chip::Rom { .. }, _) => return fault(format!("chip {name} is a ROM, part {part_name} is a RAM")),
        (Chip::Ram { .. }, _) => return fault(format!("chip {name} is a RAM, part {part_name} is a ROM")),
    }
    for (kind, wanted, there) in
        [("address", chip.address().len(), address), ("data", chip.data().len(), data)]
    {
        if wanted == 0 {
            return fault(format!("chip {name} has no {kind} line"));
        }
        if wanted > there {
            return fault(format!(
                "chip {name} needs {wanted} {kind} lines, a {part_name} has {there}: use a larger part"
            ));
        }
    }
    Ok(())
}

fn check_contents(chip: &Chip) -> Result<(), Fault> {
    let (name, address, data) = (chip.name(), chip.address().len(), chip.data().len());
    let fault = |message: String| Err(Fault::new(["chips", name], message));
    let burn = match chip {
        Chip::Rom { burn, .. } => burn,
        Chip::Ram { input, write, .. } if input.len() != data || write.len() != 1 => {
            return fault(format!(
                "RAM {name}: {data} data outputs, {} data inputs and {} write lines; \
                 there must be as many inputs as outputs, and one write line",
                input.len(),
                write.len()
            ));
        }
        Chip::Ram { .. } => return Ok(()),
    };
    if let Burn::Cells(cells) = burn {
        if cells.len() != 1 << address {
            return fault(format!(
                "ROM {name}: {} cells do not fit {address} address lines, which select {}",
                cells.len(),
                1usize << address
            ));
        }
        if let Some(cell) = cells.iter().position(|&cell| u32::from(cell) >> data != 0) {
            return fault(format!(
                "ROM {name}: cell {cell} holds {}, which does not fit {data} data lines",
                cells[cell]
            ));
        }
    }
    if let Some(contents) = burn.contents() {
        let (burned_address, burned_data) = (width(contents.address) as usize, width(contents.data) as usize);
        let (optional_address, optional_data) = burn.optional_lines();
        let fits = address <= burned_address && address + optional_address >= burned_address;
        if !fits || data > burned_data || data + optional_data < burned_data {
            return fault(format!(
                "ROM {name}: {burn:?} is burned for {burned_address} address and {burned_data} data lines, \
                 the chip is wired with {address} and {data}"
            ));
        }
    }
    Ok(())
}

fn check_drivers(board: &Board) -> Result<(), Fault> {
    let mut drivers: HashMap<&str, &str> = HashMap::new();
    for net in board.inputs.iter().flat_map(|group| group.nets.names()) {
        drivers.insert(net, "the outside (it is in `inputs`)");
    }
    for chip in &board.chips {
        for net in chip.data().names() {
            if let Some(other) = drivers.insert(net, chip.name()) {
                return Err(Fault::new(
                    ["chips", chip.name(), "data", net],
                    format!("net {net} has two drivers: {other} and {}", chip.name()),
                ));
            }
        }
    }
    for net in board.nets.iter().flat_map(|group| group.nets.names()) {
        if !drivers.contains_key(net.as_str()) {
            return Err(Fault::new(
                ["nets", net],
                format!("net {net} has no driver: no chip has it among its data lines"),
            ));
        }
    }
    Ok(())
}

fn check_buses(board: &Board, nets: &HashSet<&str>) -> Result<(), Fault> {
    for (name, lines) in &board.buses {
        let fault = |message: String| Err(Fault::new(["buses", name], message));
        if nets.contains(name.as_str()) {
            return fault(format!("bus {name} has the name of a net"));
        }
        if lines.is_empty() || lines.len() > 16 {
            return fault(format!("bus {name} has {} lines; a bus has 1 to 16", lines.len()));
        }
        if let Some(net) = lines.names().iter().find(|net| !nets.contains(net.as_str())) {
            return fault(format!("bus {name}: net {net} is not declared"));
        }
    }
    Ok(())
}

fn check_panel(board: &Board, nets: &HashSet<&str>) -> Result<(), Fault> {
    let panel = &board.panel;
    for (role, lines, count) in panel.roles() {
        if lines.len() != count {
            return Err(Fault::new(
                ["panel", role],
                format!("panel: {role} has {} lines, it must have {count}", lines.len()),
            ));
        }
        if let Some(net) = lines.names().iter().find(|net| !nets.contains(net.as_str())) {
            return Err(Fault::new(["panel", role, net], format!("panel: net {net} is not declared")));
        }
    }
    if panel.display.len() != 2 * DISPLAY_SIZE {
        return Err(Fault::new(
            ["panel", "display"],
            format!("panel: display has {} rows, it must have 8 green and 8 red ones", panel.display.len()),
        ));
    }
    check_inputs(board)?;
    check_memory(board)
}

/// Lines of the panel that are driven from outside must be inputs.
fn check_inputs(board: &Board) -> Result<(), Fault> {
    let panel = &board.panel;
    let inputs: HashSet<&String> = board.inputs.iter().flat_map(|group| group.nets.names()).collect();
    let driven = [&panel.oscillator, &panel.reset, &panel.pad_column, &panel.pad_row, &panel.keys];
    match driven.into_iter().flat_map(|lines| lines.names()).find(|net| !inputs.contains(net)) {
        Some(net) => Err(Fault::new(["panel", net], format!("panel: net {net} must be one of `inputs`"))),
        None => Ok(()),
    }
}

/// The memory chips together must hold a byte at each of 4,096 addresses.
fn check_memory(board: &Board) -> Result<(), Fault> {
    let mut bits = 0;
    for (place, name) in board.panel.memory.iter().enumerate() {
        let trail = ["panel", "memory", name.as_str()];
        if board.panel.memory[..place].contains(name) {
            return Err(Fault::new(trail, format!("panel: memory names {name} twice")));
        }
        match board.chips.iter().find(|chip| chip.name() == name) {
            Some(chip @ Chip::Ram { .. }) if chip.address().len() == 12 => bits += chip.data().len(),
            Some(Chip::Ram { .. }) => {
                return Err(Fault::new(trail, format!("panel: RAM {name} must have 12 address lines")));
            }
            _ => return Err(Fault::new(trail, format!("panel: memory {name} is not a RAM of this board"))),
        }
    }
    if bits == 8 {
        Ok(())
    } else {
        Err(Fault::new(["panel", "memory"], format!("panel: memory holds {bits} bits an address, not 8")))
    }
}
