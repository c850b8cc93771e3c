//! `gray1 chips --at A --moving-to B`: prints T(A,B), all addresses that a chip may see while its lines change from A to B.

use gray1_machine::netlist::{ChipId, Netlist};
use std::fmt::Write;

/// If more lines than this change, only the addresses at which the data differ are shown.
const MOST_LINES: u32 = 4;
/// Maximum number of such addresses shown.
const MOST_ROWS: usize = 16;

/// The addresses between `from` and `to` and the data at each, sorted by the number of changed lines. For a chip with
/// storage loops only the data lines of its loops are compared, for any other chip all data lines.
pub fn text(netlist: &Netlist, id: ChipId, [from, to]: [u32; 2], cells: &[u8]) -> String {
    let chip = &netlist.chips[id];
    let name = |net: usize| netlist.nets[net].name.as_str();
    let lines = &chip.reads;
    let moving: Vec<usize> = (0..lines.len()).filter(|line| (from ^ to) >> line & 1 == 1).collect();
    let digits = lines.len().div_ceil(4) + 2;
    let count = 1u32 << moving.len();
    let mut ways: Vec<u32> = (0..count).collect();
    ways.sort_by_key(|way| (way.count_ones(), *way));
    let goal = cells[to as usize];
    // The data lines that are compared: those of its storage loops, if it has any.
    let own = match chip.holds_itself() {
        true => chip.own.iter().fold(0, |bits, (_, bit)| bits | 1 << bit),
        false => ((1u16 << chip.data.len()) - 1) as u8,
    };
    let other = |way: &u32| (cells[address(from, &moving, *way) as usize] ^ goal) & own != 0;
    let others = ways.iter().filter(|way| other(way)).count();
    let mut text = format!(
        "{} from {from:#0digits$x} (A) to {to:#0digits$x} (B): {} moving, {} in T(A,B)\n\n",
        chip.name,
        match moving.len() {
            1 => "1 line".to_owned(),
            lines => format!("{lines} lines"),
        },
        match count {
            1 => "1 address".to_owned(),
            _ => format!("{count} addresses"),
        },
    );
    let shown: Vec<u32> = match moving.len() as u32 {
        0..=MOST_LINES => ways,
        _ => ways.into_iter().filter(other).take(MOST_ROWS).collect(),
    };
    let moved = |way: u32| -> String {
        let moved = moving.iter().enumerate().filter(|(place, _)| way >> place & 1 == 1);
        moved.map(|(_, line)| name(lines[*line])).collect::<Vec<_>>().join(" ")
    };
    let width = shown.iter().map(|way| moved(*way).len()).max().unwrap_or(0).max("moved so far".len());
    let column = digits.max("address".len());
    let data_width = chip.data.len().max(4);
    if !shown.is_empty() {
        let _ = writeln!(text, "  {:width$}  {:column$}  data", "moved so far", "address");
    }
    for way in &shown {
        let address = address(from, &moving, *way);
        let cell = cells[address as usize];
        let data = format!("{cell:0bits$b}", bits = chip.data.len());
        let mark = match *way {
            0 => "A  ",
            way if way == count - 1 => "B  ",
            _ => "   ",
        };
        let wrong = chip.data.iter().enumerate();
        let wrong: Vec<&str> =
            wrong.filter(|(bit, _)| (cell ^ goal) & own & 1 << bit != 0).map(|(_, &net)| name(net)).collect();
        let verdict =
            if wrong.is_empty() { String::new() } else { format!("differs from B: {}", wrong.join(" ")) };
        let place = format!("{address:#0digits$x}");
        let row = format!("  {:width$}  {place:column$}  {data:data_width$}  {mark}{verdict}", moved(*way));
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let what = if chip.holds_itself() { "own lines" } else { "data lines" };
    if !shown.is_empty() {
        text += "\n";
    }
    let _ = match others {
        0 if count == 1 => writeln!(text, "Nothing moves."),
        0 => writeln!(text, "At all {count} addresses its {what} are the same as at B."),
        others => writeln!(text, "At {others} of {count} addresses its {what} differ from B."),
    };
    text
}

/// The address when those `moving` lines have changed whose bit in `way` is set.
fn address(from: u32, moving: &[usize], way: u32) -> u32 {
    moving.iter().enumerate().fold(from, |address, (place, line)| address ^ (way >> place & 1) << line)
}
