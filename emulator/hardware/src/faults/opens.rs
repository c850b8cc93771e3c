//! The connections of an assembled board that may be open: resistors, and the conductors of the cables between boards.
//!
//! The capacitors are not among them: without delays, a missing one makes no difference.

use crate::kit::{Assembly, Buffer, Item, Pin, RAILS};
use gray1_machine::Netlist;
use gray1_machine::netlist::{Chip, ChipId, NetId};

/// A connection that may be open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The component: a resistor network or a cable.
    pub component: String,
    /// The numbers of its pins; for a cable, that of the conductor.
    pub pins: Vec<usize>,
    /// The net.
    pub net: NetId,
    /// For a cable, the board that the net does not reach any more.
    pub cut: Option<String>,
    pub(crate) is_pull_down: bool,
    pub(crate) what: OpenTarget,
}

/// The part of the machine that an open connection affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpenTarget {
    /// The net, for all that read it.
    Line,
    /// These chips, on these lines that they read.
    Readers(Vec<(ChipId, Vec<usize>)>),
    /// This LED.
    Light(usize),
}

/// All connections that may be open, in the order of the components. `netlist` has the nets that are on the pins.
pub(crate) fn opens(netlist: &Netlist, assembly: &Assembly) -> Vec<Open> {
    let uses = &assembly.hardware.uses;
    let mut opens = Vec::new();
    for item in &assembly.items {
        if item.part == uses.pull_downs {
            let nets = item.pins.iter().filter_map(|pin| Some((pin, net_on(netlist, pin)?)));
            opens.extend(nets.map(|(pin, net)| open(item, vec![pin.number], net, OpenTarget::Line, true)));
        } else if item.part == uses.filter_resistors || item.part == uses.led_resistors {
            opens.extend(item.resistors().filter_map(|[one, other]| {
                let (net, what) = behind_resistor(netlist, assembly, [one, other])?;
                Some(open(item, vec![one.number, other.number], net, what, false))
            }));
        }
    }
    for [cable, one, other] in assembly.cables().filter(|[cable, ..]| cable.part == uses.cable) {
        opens.extend(conductors(netlist, assembly, cable, [one, other]));
    }
    opens
}

/// The net behind a resistor, and the part of the machine that an open one affects: the line of a RAM that a buffer
/// drives, the readers behind a filter, or an LED.
fn behind_resistor(
    netlist: &Netlist,
    assembly: &Assembly,
    [one, other]: [&Pin; 2],
) -> Option<(NetId, OpenTarget)> {
    let led = || {
        let net = net_at_pin(netlist, one)?;
        Some((net, OpenTarget::Light(led_of(netlist, net)?)))
    };
    let filtered = || net_on(netlist, other).map(|net| (net, behind_filter(netlist, net)));
    written(netlist, assembly, one).or_else(filtered).or_else(led)
}

fn open(item: &Item, pins: Vec<usize>, net: NetId, what: OpenTarget, is_pull_down: bool) -> Open {
    Open { component: item.reference.clone(), pins, net, cut: None, is_pull_down, what }
}

/// The net of the board file that is on a pin.
fn net_on(netlist: &Netlist, pin: &Pin) -> Option<NetId> {
    netlist.net(pin.net.as_deref()?)
}

/// The net that a data pin drives: that on the pin, or that behind the filter.
fn net_at_pin(netlist: &Netlist, pin: &Pin) -> Option<NetId> {
    let name = pin.net.as_deref()?;
    net_on(netlist, pin).or_else(|| netlist.net(name.trim_end_matches('_').strip_suffix("_PIN")?))
}

/// The line of a RAM that its buffer drives with this pin, and what is written on it.
fn written(netlist: &Netlist, assembly: &Assembly, pin: &Pin) -> Option<(NetId, OpenTarget)> {
    let mut buffers = assembly.buffers.iter();
    let is_on = |buffer: &&Buffer| buffer.nets[1].iter().position(|net| Some(net) == pin.net.as_ref());
    let (buffer, line) = buffers.find_map(|buffer| Some((buffer, is_on(&buffer)?)))?;
    let ram = netlist.chip(&buffer.ram)?;
    let chip = &netlist.chips[ram];
    Some((chip.data[line], OpenTarget::Readers(vec![(ram, vec![chip.address().len() + line])])))
}

/// The readers behind the filter of a net. An LED is in front of it, so behind the filter of a row of the display only
/// the chip itself reads the net.
fn behind_filter(netlist: &Netlist, net: NetId) -> OpenTarget {
    match led_of(netlist, net) {
        Some(_) => OpenTarget::Readers(readers(netlist, net, |_| true)),
        None => OpenTarget::Line,
    }
}

/// The number of the LED that a net drives.
fn led_of(netlist: &Netlist, net: NetId) -> Option<usize> {
    let mut rows = netlist.panel.display.iter().take(16).enumerate();
    rows.find_map(|(row, outlet)| {
        let column = outlet.latch.iter().position(|&line| line == net)?;
        (column < 8).then_some(8 * row + column)
    })
}

/// Those of these chips that read a net, with the lines on which they do.
fn readers(netlist: &Netlist, net: NetId, is_there: impl Fn(&str) -> bool) -> Vec<(ChipId, Vec<usize>)> {
    let chips = netlist.chips.iter().enumerate().filter(|(_, chip)| is_there(&chip.name));
    let lines = |chip: &Chip| (0..chip.reads.len()).filter(|&line| chip.reads[line] == net).collect();
    let reading = chips.map(|(id, chip)| (id, lines(chip)));
    reading.filter(|(_, lines): &(ChipId, Vec<usize>)| !lines.is_empty()).collect()
}

/// The conductors of a cable between two connectors. Each cuts its net off from the board at its far end.
fn conductors(netlist: &Netlist, assembly: &Assembly, cable: &Item, ends: [&Item; 2]) -> Vec<Open> {
    let board_of = |chip: &str| assembly.item(chip).and_then(|item| item.board);
    let mut opens = Vec::new();
    for pin in ends[0].pins.iter().filter(|pin| pin.net.as_deref().is_some_and(|net| !RAILS.contains(&net))) {
        let Some(net) = net_on(netlist, pin) else { continue };
        let wire = &netlist.nets[net];
        let Some(home) = wire.driver.or_else(|| wire.readers.first().copied()) else { continue };
        let home = board_of(&netlist.chips[home.chip].name);
        let Some(far) = ends.iter().find(|end| end.board != home).and_then(|end| end.board) else { continue };
        let what = OpenTarget::Readers(readers(netlist, net, |chip| board_of(chip) == Some(far)));
        let cut = assembly.boards.get(far).cloned();
        opens.push(Open { cut, ..open(cable, vec![pin.number], net, what, false) });
    }
    opens
}
