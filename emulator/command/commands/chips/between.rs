//! `gray1 chips --at A --moving-to B`: prints T(A,B), the addresses that a chip may see while its lines change from A
//! to B.

use gray1_machine::netlist::{ChipId, Netlist};
use gray1_text::{counted, table};
use std::fmt::Write;

/// If more lines than this change, only the addresses whose data differ are shown.
const MAX_LINES: u32 = 4;
/// The maximum number of such addresses to show.
const MAX_ROWS: usize = 16;

/// Lists the addresses between `from` and `to` with their data, sorted by the number of changed lines. For a chip with
/// storage loops, only the data lines of its loops are compared.
pub fn text(netlist: &Netlist, id: ChipId, [from, to]: [u32; 2], cells: &[u8]) -> String {
    let chip = &netlist.chips[id];
    let name = |net: usize| netlist.nets[net].name.as_str();
    let lines = &chip.reads;
    let moving: Vec<usize> = (0..lines.len()).filter(|line| (from ^ to) >> line & 1 == 1).collect();
    let digits = lines.len().div_ceil(4) + 2;
    let count = 1u32 << moving.len();
    let mut subsets: Vec<u32> = (0..count).collect();
    subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
    let goal = cells[to as usize];
    // A mask of the compared data lines.
    let own = match chip.holds_itself() {
        true => chip.own.iter().fold(0, |bits, (_, bit)| bits | 1 << bit),
        false => ((1u16 << chip.data.len()) - 1) as u8,
    };
    let other = |subset: &u32| (cells[address(from, &moving, *subset) as usize] ^ goal) & own != 0;
    let others = subsets.iter().filter(|subset| other(subset)).count();
    let addresses = counted(count as usize, "address");
    let mut text = format!(
        "{} from {from:#0digits$x} (A) to {to:#0digits$x} (B): {} moving, {} in T(A,B)\n\n",
        chip.name,
        counted(moving.len(), "line"),
        addresses,
    );
    let shown: Vec<u32> = match moving.len() as u32 {
        0..=MAX_LINES => subsets,
        _ => subsets.into_iter().filter(other).take(MAX_ROWS).collect(),
    };
    let moved = |subset: u32| -> String {
        let moved = moving.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
        moved.map(|(_, line)| name(lines[*line])).collect::<Vec<_>>().join(" ")
    };
    let mut rows = vec![["", "moved so far", "address", "data", " ", ""].map(str::to_owned)];
    rows.extend(shown.iter().map(|&subset| {
        let address = address(from, &moving, subset);
        let cell = cells[address as usize];
        let mark = match subset {
            0 => "A",
            subset if subset == count - 1 => "B",
            _ => "",
        };
        let wrong = chip.data.iter().enumerate();
        let wrong: Vec<&str> =
            wrong.filter(|(bit, _)| (cell ^ goal) & own & 1 << bit != 0).map(|(_, &net)| name(net)).collect();
        let verdict =
            if wrong.is_empty() { String::new() } else { format!("differs from B: {}", wrong.join(" ")) };
        let data = format!("{cell:0bits$b}", bits = chip.data.len());
        [String::new(), moved(subset), format!("{address:#0digits$x}"), data, mark.to_owned(), verdict]
    }));
    if !shown.is_empty() {
        text += &(table(&rows, "  ", |_| false).join("\n") + "\n\n");
    }
    let what = if chip.holds_itself() { "own lines" } else { "data lines" };
    let _ = match others {
        0 if count == 1 => writeln!(text, "Nothing moves."),
        0 => writeln!(text, "At all {addresses} its {what} are the same as at B."),
        others => writeln!(text, "At {others} of {addresses} its {what} differ from B."),
    };
    text
}

/// Flips the lines of an address. Bit i of `subset` selects the line `moving[i]`.
fn address(from: u32, moving: &[usize], subset: u32) -> u32 {
    moving.iter().enumerate().fold(from, |address, (place, line)| address ^ (subset >> place & 1) << line)
}
