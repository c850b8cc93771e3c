//! Random changes of a board.

use super::draw::Draw;
use super::plan::{Burn, Chip, Plan};

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A line of a chip reads another net.
    Rewire,
    /// Two lines of a chip are exchanged, address lines or data lines.
    ExchangeLines,
    /// The contents of two chips with as many lines are exchanged.
    ExchangeChips,
    /// A data line is wrong at all cells that match a pattern.
    Cells,
    /// A data line of a chip depends on one more line, at cells that match a pattern.
    OneMoreLine,
    /// The same with the button, a pad or a key.
    OddRead,
    /// A buffer or an inverter is put into a net.
    Buffer,
    /// A net is inverted twice, or held by a latch that is open always or in some phase.
    Latch,
    /// A chip is there twice, and those that read it are divided between the two.
    Twice,
    /// A net is wrong while some others have certain levels.
    Trojan,
    /// The same, after a trigger that is remembered.
    Sleeper,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Rewire,
        Kind::ExchangeLines,
        Kind::ExchangeChips,
        Kind::Cells,
        Kind::OneMoreLine,
        Kind::OddRead,
        Kind::Buffer,
        Kind::Latch,
        Kind::Twice,
        Kind::Trojan,
        Kind::Sleeper,
    ];
}

const CONTROL: [&str; 14] =
    ["PH1", "PH2", "RST", "S0", "S1", "OSC", "RSTIN", "WE", "LOAD", "TICK", "MJ", "MC", "MT", "TAKE"];
const OUTSIDE: [&str; 8] = ["RSTIN", "RSTIN", "RSTIN", "KEYS0", "KEYS3", "PADCOL0", "PADROW5", "OSC"];

/// A random change. What it does, in words; none if it cannot be made here.
pub fn change(plan: &mut Plan, kind: Kind, draw: &mut Draw) -> Option<String> {
    // The sixteen rows are all alike, and most of the board: the other chips are changed more often.
    let chip = loop {
        let chip = draw.below(plan.chips.len());
        let name = &plan.chips[chip].name;
        if !(name.starts_with("RED") || name.starts_with("GREEN")) || draw.percent(15) {
            break chip;
        }
    };
    let name = plan.chips[chip].name.clone();
    match kind {
        Kind::Rewire => {
            let nets = plan.all_nets();
            let to = if draw.percent(40) {
                draw.of_these(&CONTROL).to_string()
            } else {
                draw.of_these(&nets).clone()
            };
            rewire(&mut plan.chips[chip], &to, draw)
        }
        Kind::ExchangeLines => exchange_lines(&mut plan.chips[chip], draw),
        Kind::ExchangeChips => {
            let shape = |chip: &Chip| (chip.address.len(), chip.data.len(), chip.input.len());
            let same: Vec<usize> = (0..plan.chips.len())
                .filter(|&other| {
                    shape(&plan.chips[other]) == shape(&plan.chips[chip])
                        && plan.chips[other].burn != plan.chips[chip].burn
                })
                .collect();
            let other = *same.get(draw.below(same.len()))?;
            let burn = plan.chips[other].burn.clone();
            plan.chips[other].burn = std::mem::replace(&mut plan.chips[chip].burn, burn);
            Some(format!("the contents of {name} and {} are exchanged", plan.chips[other].name))
        }
        Kind::Cells => {
            let mut cells = plan.cells(chip)?;
            let (mask, value) = pattern(plan.chips[chip].address.len(), draw);
            let bit = draw.below(plan.chips[chip].data.len());
            for (_, cell) in cells.iter_mut().enumerate().filter(|(at, _)| at & mask == value) {
                *cell ^= 1 << bit;
            }
            plan.chips[chip].burn = Burn::Cells(cells);
            Some(format!("bit {bit} of {name} is wrong where the address, masked by {mask:X}, is {value:X}"))
        }
        Kind::OneMoreLine | Kind::OddRead => one_more_line(plan, chip, kind, draw),
        Kind::Buffer => {
            let inverts = draw.percent(30);
            insert(plan, draw, |plan, from, to| {
                plan.add(vec![from], vec![to], |address| (address as u8 ^ u8::from(inverts)) & 1);
                if inverts { "an inverter".to_owned() } else { "a buffer".to_owned() }
            })
        }
        Kind::Latch => latch(plan, draw),
        Kind::Twice => twice(plan, chip, draw),
        Kind::Trojan | Kind::Sleeper => trojan(plan, kind == Kind::Sleeper, draw),
    }
}

/// Makes a data line depend on one more line, at cells that match a pattern.
fn one_more_line(plan: &mut Plan, chip: usize, kind: Kind, draw: &mut Draw) -> Option<String> {
    let name = plan.chips[chip].name.clone();
    let nets = plan.all_nets();
    let net = match kind {
        Kind::OddRead => draw.of_these(&OUTSIDE).to_string(),
        _ if draw.percent(60) => draw.of_these(&CONTROL).to_string(),
        _ => draw.of_these(&nets).clone(),
    };
    if kind == Kind::OddRead && draw.percent(50) {
        return rewire(&mut plan.chips[chip], &net, draw);
    }
    let mut cells = plan.cells(chip)?;
    let (mask, value) = pattern(plan.chips[chip].address.len(), draw);
    let bit = draw.below(plan.chips[chip].data.len());
    let (high, to) = (draw.bit(), draw.below(3));
    let changed = |(at, cell): (usize, &u8)| match (at & mask == value, to) {
        (true, 0) => cell ^ 1 << bit,
        (true, 1) => cell | 1 << bit,
        (true, _) => cell & !(1 << bit),
        _ => *cell,
    };
    let mut other: Vec<u8> = cells.iter().enumerate().map(changed).collect();
    if !high {
        std::mem::swap(&mut cells, &mut other);
    }
    cells.extend(other);
    plan.chips[chip].burn = Burn::Cells(cells);
    plan.chips[chip].address.push(net.clone());
    let level = u8::from(high);
    Some(format!(
        "bit {bit} of {name} is other while {net} is {level} and its address, masked by {mask:X}, is {value:X}"
    ))
}

/// Inverts a net twice, or holds it in a latch.
fn latch(plan: &mut Plan, draw: &mut Draw) -> Option<String> {
    let (which, level) = (draw.below(8), draw.bit());
    insert(plan, draw, |plan, from, to| {
        if which < 2 {
            let between = plan.net();
            plan.add(vec![from], vec![between.clone()], |address| !address as u8 & 1);
            plan.add(vec![between], vec![to], |address| !address as u8 & 1);
            return "two inverters".to_owned();
        }
        let enable = ["PH1", "PH2", "S0", "S1", "RST", "OSC"][which - 2];
        plan.add(vec![from, to.clone(), enable.to_owned()], vec![to], |address| {
            let opens = (address >> 2 == 1) == level;
            (address >> u32::from(!opens)) as u8 & 1
        });
        format!("a latch that is open while {enable} is {}", u8::from(level))
    })
}

/// Makes a net wrong while some others have certain levels, or, asleep, from the next cycle on.
fn trojan(plan: &mut Plan, asleep: bool, draw: &mut Draw) -> Option<String> {
    let nets = plan.all_nets();
    let bus = *draw.of_these(&["W", "A", "X", "PC", "T", "R", "TG"]);
    let mut triggers: Vec<String> = nets
        .into_iter()
        .filter(|net| {
            let number = net.strip_prefix(bus).unwrap_or("-");
            number.parse::<u8>().is_ok()
        })
        .collect();
    while triggers.len() > 3 + draw.below(5) {
        triggers.remove(draw.below(triggers.len()));
    }
    let value = draw.below(1 << triggers.len()) as u32;
    insert(plan, draw, |plan, from, to| {
        let count = triggers.len() as u32;
        let text = format!("what is wrong while {} are {value:b}", triggers.join(" "));
        let mut address = triggers.clone();
        if !asleep {
            address.push(from);
            plan.add(address, vec![to], |address| {
                u8::from(address & ((1 << count) - 1) == value) ^ (address >> count) as u8
            });
            return text;
        }
        // A flip-flop of two latches: it takes the trigger in PH1, shows it from PH2 on, and never forgets.
        let (master, slave) = (plan.net(), plan.net());
        address.extend([slave.clone(), master.clone(), "PH1".to_owned()]);
        plan.add(address, vec![master.clone()], |address| {
            let [slave, master, open] = [0, 1, 2].map(|line| address >> (count + line) & 1);
            let seen = u32::from(address & ((1 << count) - 1) == value);
            (if open == 1 { seen | slave } else { master }) as u8
        });
        plan.add(vec![master, slave.clone(), "PH2".to_owned()], vec![slave.clone()], |address| {
            (if address >> 2 == 1 { address } else { address >> 1 }) as u8 & 1
        });
        plan.add(vec![from, slave], vec![to], |address| (address ^ address >> 1) as u8 & 1);
        format!("{text}, from the next cycle on")
    })
}

/// Address lines, and their levels.
fn pattern(lines: usize, draw: &mut Draw) -> (usize, usize) {
    let mut mask = 0;
    for _ in 0..2 + draw.below(7) {
        mask |= 1 << draw.below(lines);
    }
    (mask, draw.next() as usize & mask)
}

fn rewire(chip: &mut Chip, to: &str, draw: &mut Draw) -> Option<String> {
    let line = draw.below(chip.reads().count());
    let name = chip.name.clone();
    let net = chip.reads().nth(line)?;
    let from = std::mem::replace(net, to.to_owned());
    (from != to).then(|| format!("{name} reads {to} in place of {from}"))
}

fn exchange_lines(chip: &mut Chip, draw: &mut Draw) -> Option<String> {
    let lines = if draw.percent(35) { &mut chip.data } else { &mut chip.address };
    let (one, other) = (draw.below(lines.len()), draw.below(lines.len()));
    lines.swap(one, other);
    (lines[one] != lines[other])
        .then(|| format!("{}: {} and {} are exchanged", chip.name, lines[one], lines[other]))
}

/// Puts something into a net, for all that read it or for one chip.
fn insert(
    plan: &mut Plan,
    draw: &mut Draw,
    put: impl FnOnce(&mut Plan, String, String) -> String,
) -> Option<String> {
    let nets = plan.all_nets();
    let from = loop {
        let net = draw.of_these(&nets);
        if !(net.starts_with("RED") || net.starts_with("GREEN")) || draw.percent(15) {
            break net.clone();
        }
    };
    let readers: Vec<usize> =
        (0..plan.chips.len()).filter(|&chip| plan.chips[chip].reads().any(|net| *net == from)).collect();
    let one = if draw.percent(60) { readers.get(draw.below(readers.len())) } else { None };
    let to = plan.net();
    for &chip in readers.iter().filter(|chip| one.is_none_or(|one| one == *chip)) {
        for net in plan.chips[chip].reads().filter(|net| **net == from) {
            net.clone_from(&to);
        }
    }
    let place = one.map_or("all that read it".to_owned(), |&chip| plan.chips[chip].name.clone());
    let what = put(plan, from.clone(), to);
    Some(format!("{what} in {from} for {place}"))
}

/// The same chip again, with nets of its own; some chips read these.
fn twice(plan: &mut Plan, chip: usize, draw: &mut Draw) -> Option<String> {
    let mut other = plan.chips[chip].clone();
    if matches!(other.burn, Burn::Ram) {
        return None;
    }
    let old = other.data.clone();
    let new: Vec<String> = old.iter().map(|_| plan.net()).collect();
    let renamed = |net: &String| old.iter().position(|other| other == net).map(|bit| new[bit].clone());
    other.data.clone_from(&new);
    // A register keeps its own value, or takes over that of the other.
    if draw.percent(75) {
        for net in &mut other.address {
            *net = renamed(net).unwrap_or(net.clone());
        }
    }
    other.name = format!("{}X", other.name);
    let mut moved = vec![];
    for index in 0..plan.chips.len() {
        if index == chip || draw.bit() {
            continue;
        }
        let mut any = false;
        for net in plan.chips[index].reads() {
            if let Some(new) = renamed(net) {
                *net = new;
                any = true;
            }
        }
        if any {
            moved.push(plan.chips[index].name.clone());
        }
    }
    let what = format!("{} again, for {}", plan.chips[chip].name, moved.join(" "));
    plan.chips.push(other);
    Some(what)
}
