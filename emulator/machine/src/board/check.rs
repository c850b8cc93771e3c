//! The checks that every board has to pass: each net is declared and has one driver, the contents of each ROM fit its
//! lines, and each chip fits its part. The rest of the crate relies on them.

use super::place::Fault;
use super::{Board, Chip, Part, bench, hardware, timing};
use crate::burn::{Burn, width};
use gray1_isa::memory_map::DISPLAY_SIZE;
use gray1_text::visible;
use std::collections::{HashMap, HashSet};
use std::iter;

/// The maximum number of chips and groups of inputs together: the engine keeps a set of them in one machine word.
const MAX_DRIVERS: usize = 64;
/// The maximum number of address lines of a chip, which is enough for a megabyte.
const MAX_ADDRESS_LINES: usize = 20;
/// The maximum number of data lines of a chip, because its output is kept in a byte.
const MAX_DATA_LINES: usize = 8;

pub(super) fn check(board: &Board) -> Result<(), Fault> {
    check_texts(board)?;
    let bench = bench::either(&board.panel, board.bench.as_ref())?;
    let nets = declared_nets(board)?;
    check_size(board)?;
    let mut names = HashSet::new();
    for chip in &board.chips {
        let name = chip.name();
        Fault::unless(names.insert(name), ["chips", name, name], || format!("two chips are called {name}"))?;
        check_wires(chip, &nets)?;
        check_part(board, chip)?;
        check_contents(chip)?;
    }
    check_drivers(board)?;
    Fault::of(board.filters.names().iter().find(|net| !is_driven(board, net)), |net| {
        let why = format!("filters: no chip drives {net}: name lines of chips");
        Fault::new(["filters", net], why)
    })?;
    check_buses(board, &nets)?;
    match bench {
        Some(bench) => bench::check(bench, &board.inputs, &board.chips, &nets)?,
        None => check_panel(board, &nets)?,
    }
    timing::check(&board.timing, &board.parts)?;
    board.hardware.as_ref().map_or(Ok(()), |hardware| hardware::check(hardware, &board.chips, &nets))
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
    Fault::of(texts.find(|text| text.contains(char::is_control)), |text| {
        let shown = visible(text);
        Fault::new([&*shown], format!("`{shown}` has a control character: leave it out"))
    })
}

fn is_driven(board: &Board, net: &String) -> bool {
    board.chips.iter().any(|chip| chip.data().names().contains(net))
}

fn declared_nets(board: &Board) -> Result<HashSet<&str>, Fault> {
    let mut nets = HashSet::new();
    for name in board.inputs.iter().chain(&board.nets).flat_map(|group| group.nets.names()) {
        Fault::unless(nets.insert(name.as_str()), ["nets", name], || {
            format!("net {name} is declared twice")
        })?;
    }
    Ok(nets)
}

fn check_size(board: &Board) -> Result<(), Fault> {
    let (inputs, chips) = (board.inputs.len(), board.chips.len());
    Fault::unless(inputs + chips <= MAX_DRIVERS, ["chips"], || {
        format!(
            "{chips} chips and {inputs} groups of inputs: this emulator takes {MAX_DRIVERS} of both together"
        )
    })?;
    Fault::of(board.inputs.iter().find(|group| !(1..=MAX_DATA_LINES).contains(&group.nets.len())), |group| {
        let (first, count) = (group.nets.names().first().map(String::as_str), group.nets.len());
        let message =
            format!("a group of inputs has 1 to {MAX_DATA_LINES} lines, this has {count}: split it");
        Fault::new(["inputs"].into_iter().chain(first), message)
    })
}

fn check_wires(chip: &Chip, nets: &HashSet<&str>) -> Result<(), Fault> {
    let (name, mut lines) = (chip.name(), chip.reads().chain(chip.data().names()));
    Fault::of(lines.find(|net| !nets.contains(net.as_str())), |net| {
        let message = format!("chip {name}: net {net} is not declared; add it to `nets`, or to `inputs`");
        Fault::new(["chips", name, net], message)
    })
}

fn check_part(board: &Board, chip: &Chip) -> Result<(), Fault> {
    let (name, part_name) = (chip.name(), chip.part());
    let check =
        |holds, message: &dyn Fn() -> String| Fault::unless(holds, ["chips", name, part_name], message);
    let known = || board.parts.keys().map(String::as_str).collect::<Vec<&str>>().join(", ");
    let Some(part) = board.parts.get(part_name) else {
        return check(false, &|| format!("chip {name}: part {part_name} is not in `parts` ({})", known()));
    };
    let (_, address, data) = part.about();
    check(address <= MAX_ADDRESS_LINES && data <= MAX_DATA_LINES, &|| {
        format!(
            "part {part_name}: {address} address and {data} data lines; this emulator takes up to \
             {MAX_ADDRESS_LINES} and {MAX_DATA_LINES}"
        )
    })?;
    let kind = |is_ram| if is_ram { "RAM" } else { "ROM" };
    let (is_ram, is_ram_part) = (matches!(chip, Chip::Ram { .. }), matches!(part, Part::Ram { .. }));
    check(is_ram == is_ram_part, &|| {
        format!("chip {name} is a {}, part {part_name} is a {}", kind(is_ram), kind(is_ram_part))
    })?;
    for (kind, wanted, there) in
        [("address", chip.address().len(), address), ("data", chip.data().len(), data)]
    {
        check(wanted > 0, &|| format!("chip {name} has no {kind} line"))?;
        check(wanted <= there, &|| {
            format!("chip {name} needs {wanted} {kind} lines, a {part_name} has {there}: use a larger part")
        })?;
    }
    Ok(())
}

fn check_contents(chip: &Chip) -> Result<(), Fault> {
    let (name, address, data) = (chip.name(), chip.address().len(), chip.data().len());
    let check = |holds, message: &dyn Fn() -> String| Fault::unless(holds, ["chips", name], message);
    let burn = match chip {
        Chip::Rom { burn, .. } => burn,
        Chip::Ram { input, write, .. } => {
            let (inputs, writes) = (input.len(), write.len());
            return check(inputs == data && writes == 1, &|| {
                format!(
                    "RAM {name}: {data} data outputs, {inputs} data inputs and {writes} write lines; \
                     there must be as many inputs as outputs, and one write line"
                )
            });
        }
    };
    if let Burn::Cells(cells) = burn {
        check(cells.len() == 1 << address, &|| {
            let (cells, selected) = (cells.len(), 1usize << address);
            format!("ROM {name}: {cells} cells do not fit {address} address lines, which select {selected}")
        })?;
        let too_large = (0..).zip(cells).find(|&(_, &cell)| u32::from(cell) >> data != 0);
        Fault::of(too_large, |(cell, holds): (usize, _)| {
            let message =
                format!("ROM {name}: cell {cell} holds {holds}, which does not fit {data} data lines");
            Fault::new(["chips", name], message)
        })?;
    }
    let Some(contents) = burn.contents() else { return Ok(()) };
    let (burned_address, burned_data) = (width(contents.address) as usize, width(contents.data) as usize);
    let (optional_address, optional_data) = burn.optional_lines();
    let fits = |wired, burned, optional| wired <= burned && wired + optional >= burned;
    check(fits(address, burned_address, optional_address) && fits(data, burned_data, optional_data), &|| {
        format!(
            "ROM {name}: {burn:?} is burned for {burned_address} address and {burned_data} data lines, \
                 the chip is wired with {address} and {data}"
        )
    })
}

fn check_drivers(board: &Board) -> Result<(), Fault> {
    let mut drivers: HashMap<&str, &str> = HashMap::new();
    for net in board.inputs.iter().flat_map(|group| group.nets.names()) {
        drivers.insert(net, "the outside (it is in `inputs`)");
    }
    for chip in &board.chips {
        for net in chip.data().names() {
            Fault::of(drivers.insert(net, chip.name()), |other| {
                let message = format!("net {net} has two drivers: {other} and {}", chip.name());
                Fault::new(["chips", chip.name(), "data", net], message)
            })?;
        }
    }
    let mut nets = board.nets.iter().flat_map(|group| group.nets.names());
    Fault::of(nets.find(|net| !drivers.contains_key(net.as_str())), |net| {
        let message = format!("net {net} has no driver: no chip has it among its data lines");
        Fault::new(["nets", net], message)
    })
}

fn check_buses(board: &Board, nets: &HashSet<&str>) -> Result<(), Fault> {
    for (name, lines) in &board.buses {
        let check = |holds, message: &dyn Fn() -> String| Fault::unless(holds, ["buses", name], message);
        check(!nets.contains(name.as_str()), &|| format!("bus {name} has the name of a net"))?;
        check((1..=16).contains(&lines.len()), &|| {
            format!("bus {name} has {} lines; a bus has 1 to 16", lines.len())
        })?;
        let unknown = lines.names().iter().find(|net| !nets.contains(net.as_str()));
        Fault::of(unknown, |net| {
            Fault::new(["buses", name], format!("bus {name}: net {net} is not declared"))
        })?;
    }
    Ok(())
}

fn check_panel(board: &Board, nets: &HashSet<&str>) -> Result<(), Fault> {
    let panel = &board.panel;
    for (role, lines, count) in panel.roles() {
        Fault::unless(lines.len() == count, ["panel", role], || {
            format!("panel: {role} has {} lines, it must have {count}", lines.len())
        })?;
        Fault::of(lines.names().iter().find(|net| !nets.contains(net.as_str())), |net| {
            Fault::new(["panel", role, net], format!("panel: net {net} is not declared"))
        })?;
    }
    let rows = panel.display.len();
    Fault::unless(rows == 2 * DISPLAY_SIZE, ["panel", "display"], || {
        format!("panel: display has {rows} rows, it must have 8 green and 8 red ones")
    })?;
    check_inputs(board)?;
    check_memory(board)
}

/// Lines of the panel that are driven from outside must be inputs.
fn check_inputs(board: &Board) -> Result<(), Fault> {
    let panel = &board.panel;
    let inputs: HashSet<&String> = board.inputs.iter().flat_map(|group| group.nets.names()).collect();
    let driven = [&panel.oscillator, &panel.reset, &panel.pad_column, &panel.pad_row, &panel.keys];
    let mut driven = driven.into_iter().flat_map(|lines| lines.names());
    Fault::of(driven.find(|net| !inputs.contains(net)), |net| {
        Fault::new(["panel", net], format!("panel: net {net} must be one of `inputs`"))
    })
}

/// The memory chips together must hold a byte at each of 4,096 addresses.
fn check_memory(board: &Board) -> Result<(), Fault> {
    let mut bits = 0;
    for (place, name) in board.panel.memory.iter().enumerate() {
        let fault = |message: String| Err(Fault::new(["panel", "memory", name], message));
        if board.panel.memory[..place].contains(name) {
            return fault(format!("panel: memory names {name} twice"));
        }
        match board.chips.iter().find(|chip| chip.name() == name) {
            Some(chip @ Chip::Ram { .. }) if chip.address().len() == 12 => bits += chip.data().len(),
            Some(Chip::Ram { .. }) => return fault(format!("panel: RAM {name} must have 12 address lines")),
            _ => return fault(format!("panel: memory {name} is not a RAM of this board")),
        }
    }
    Fault::unless(bits == 8, ["panel", "memory"], || {
        format!("panel: memory holds {bits} bits an address, not 8")
    })
}
