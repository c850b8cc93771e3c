//! Boards made by hand: each is wrong in a way that an assumption of the proof could hide.

use super::judge::Mode;
use super::plan::{Burn, Plan};

/// A board: what is wrong, and how the simulation shows it.
pub struct Made {
    pub what: &'static str,
    pub mode: Mode,
    pub plan: Plan,
}

/// All of them.
pub fn made() -> Vec<Made> {
    let row = |what, mode, change: &dyn Fn(&mut Plan)| {
        let mut plan = Plan::gray1();
        change(&mut plan);
        Made { what, mode, plan }
    };
    let reads = |plan: &mut Plan, chip: &str, from: &str, to: &str| {
        let chip = plan.chip(chip);
        plan.chips[chip].reads().filter(|net| **net == from).for_each(|net| *net = to.to_owned());
    };
    vec![
        row("two address lines of PROGH are exchanged", Mode::Plain, &|plan| {
            let chip = plan.chip("PROGH");
            plan.chips[chip].address.swap(2, 7);
        }),
        row("two data lines of PROGL are exchanged", Mode::Plain, &|plan| {
            let chip = plan.chip("PROGL");
            plan.chips[chip].data.swap(0, 3);
        }),
        row("PROGL holds the high bytes", Mode::Plain, &|plan| {
            let chip = plan.chip("PROGL");
            plan.chips[chip].burn = Burn::Named("ProgramHigh".to_owned());
        }),
        row("FLAGS sees the button", Mode::Press, &|plan| {
            reads(plan, "FLAGS", "RST", "RSTIN");
        }),
        row("TGL sees the button", Mode::Press, &|plan| {
            reads(plan, "TGL", "RST", "RSTIN");
        }),
        row("the ALU sees the button", Mode::Press, &|plan| {
            reads(plan, "ALUL", "RST", "RSTIN");
            reads(plan, "ALUH", "RST", "RSTIN");
        }),
        row("the write decoder sees the button", Mode::Press, &|plan| {
            reads(plan, "DEC", "RST", "RSTIN");
        }),
        row("a key that goes down writes into RAM", Mode::Keys, &|plan| {
            // KEYS0 and its opposite are both 1 until the inverter has seen the key.
            let (up, dec) = (plan.net(), plan.chip("DEC"));
            plan.add(vec!["KEYS0".to_owned()], vec![up.clone()], |key| !key as u8 & 1);
            let cells = plan.cells(dec).expect("a ROM");
            let cell = |at: usize| if at >> 5 == 3 && at >> 3 & 3 == 1 { 1 } else { cells[at & 31] };
            let cells = (0..1 << 7).map(cell).collect();
            plan.chips[dec].address.extend(["KEYS0".to_owned(), up]);
            plan.chips[dec].burn = Burn::Cells(cells);
        }),
        row("the sequencer counts in binary", Mode::Plain, &|plan| {
            let seq = plan.chip("SEQ");
            let mut cells = plan.cells(seq).expect("a ROM");
            for (at, cell) in cells.iter_mut().enumerate() {
                *cell ^= if at & 6 == 2 { 3 } else { 0 };
            }
            plan.chips[seq].burn = Burn::Cells(cells);
        }),
        row("T closes with S0, a phase late", Mode::Plain, &|plan| reads(plan, "T", "PH1", "S0")),
        row("RAM is written while S0 is 1", Mode::Plain, &|plan| reads(plan, "DEC", "PH1", "S0")),
        row("A opens together with T", Mode::Plain, &|plan| reads(plan, "A", "PH2", "PH1")),
        row("LOAD does not wait for PH2", Mode::Plain, &|plan| {
            let flags = plan.chip("FLAGS");
            let mut cells = plan.cells(flags).expect("a ROM");
            for (at, cell) in cells.iter_mut().enumerate() {
                *cell = *cell & !32 | if at >> 7 & 1 == 1 { 32 } else { 0 };
            }
            plan.chips[flags].burn = Burn::Cells(cells);
        }),
        row("A is fed back through a chip that inverts a bit", Mode::Plain, &|plan| {
            let (a, between) = (plan.chip("A"), (0..8).map(|_| plan.net()).collect::<Vec<_>>());
            plan.chips[a].address[8..16].clone_from_slice(&between);
            plan.add((0..8).map(|bit| format!("A{bit}")).collect(), between, |byte| byte as u8 ^ 1);
        }),
    ]
}
