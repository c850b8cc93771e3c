//! Boards with a deliberate fault, and what is proved about them.

use gray1_machine::board::Board;
use gray1_proof::report::ClaimReport;
use gray1_proof::{Claim, Limits, Prover, Verdict};
use std::sync::LazyLock;

const GRAY1: &str = include_str!("../../machine/src/board/gray1.ron");

/// The board file of the Gray-1 with some texts replaced by others.
pub fn board(changes: &[(&str, &str)]) -> Board {
    let mut source = GRAY1.to_owned();
    for (from, to) in changes {
        assert_eq!(source.matches(from).count(), 1, "`{from}` must stand in the board file once");
        source = source.replace(from, to);
    }
    Board::parse(&source, "sabotaged.ron").expect("a board that is wired well")
}

/// The board of the Gray-1 with more nets and chips, in the syntax of a board file, and other changes.
pub fn with(nets: &str, chips: &str, changes: &[(&str, &str)]) -> Board {
    let (nets, chips) = (format!("nets: \"ZL {nets}\", "), format!("    chips: [\n{chips}"));
    let mut all = vec![("nets: \"ZL\", ", &*nets), ("    chips: [\n", &*chips)];
    all.extend(changes);
    board(&all)
}

/// The same without other changes.
pub fn extended(nets: &str, chips: &str) -> Board {
    with(nets, chips, &[])
}

/// The contents of a ROM in the syntax of a board file.
pub fn cells(lines: u32, cell: impl Fn(u32) -> u32) -> String {
    let cells: Vec<String> = (0..1 << lines).map(|address| cell(address).to_string()).collect();
    format!("burn: Cells([{}])", cells.join(","))
}

/// The name of a ROM, and its new cells as a function of address and data.
pub type Reburned<'a> = (&'a str, &'a dyn Fn(u32, u8) -> u8);

/// The board of the Gray-1 with other cells in some of its ROMs.
pub fn reburned(changes: &[Reburned]) -> Board {
    let gray1 = Board::gray1();
    let netlist = gray1.netlist();
    let mut source = GRAY1.to_owned();
    for (name, change) in changes {
        let chip = netlist.chips.iter().position(|chip| chip.name == *name).expect("a chip of the board");
        let table = netlist.table(chip).expect("a ROM with a table");
        let burn = cells(table.len().ilog2(), |address| change(address, table[address as usize]).into());
        let start = source.find(&format!("name: \"{name}\"")).expect("it stands in the file");
        let start = start + source[start..].find("burn: ").expect("it says what is burned");
        let end = start + source[start..].find(',').expect("more follows");
        source.replace_range(start..end, &burn);
    }
    Board::parse(&source, "reburned.ron").expect("a board that is wired well")
}

/// A ROM in the syntax of a board file.
pub fn rom(name: &str, burn: &str, address: &str, data: &str) -> String {
    format!("Rom(name: \"{name}\", part: \"27C010\", {burn}, address: \"{address}\", data: \"{data}\"),\n")
}

/// A chip that passes eight lines on.
pub fn buffer(name: &str, from: &str, to: &str) -> String {
    rom(name, &cells(8, |byte| byte), from, to)
}

/// A chip that gives the opposite of eight lines.
pub fn inverter(name: &str, from: &str, to: &str) -> String {
    rom(name, &cells(8, |byte| byte ^ 0xFF), from, to)
}

pub fn prove(board: &Board, claim: Claim) -> ClaimReport {
    prove_within(board, claim, &Limits::default())
}

pub fn prove_within(board: &Board, claim: Claim, limits: &Limits) -> ClaimReport {
    Prover::new(board).within(*limits).prove(claim).expect("it is not stopped")
}

/// The reports on some claims, by one prover.
pub fn prove_each(board: &Board, claims: &[Claim]) -> Vec<ClaimReport> {
    let prover = Prover::new(board);
    claims.iter().map(|&claim| prover.prove(claim).expect("it is not stopped")).collect()
}

/// The report on a claim about the Gray-1, which must be proved.
pub fn proved(claim: Claim) -> &'static ClaimReport {
    static REPORTS: LazyLock<Vec<ClaimReport>> = LazyLock::new(|| prove_each(&Board::gray1(), &Claim::ALL));
    let report = &REPORTS[claim as usize];
    assert_eq!(report.verdict, Verdict::Proved, "{report:#?}");
    report
}

/// Compares the verdicts on all claims about each of these boards: `p` proved, `u` undecided, `R` refuted.
pub fn judged(boards: Vec<(&str, Board, &str)>) {
    let letter = |what: &str, report: ClaimReport| match report.verdict {
        Verdict::Proved => 'p',
        Verdict::Undecided => 'u',
        Verdict::Refuted => {
            test_support::say(&format!("{what}: {:#?}", report.counterexamples));
            'R'
        }
    };
    let got = boards.iter().map(|(what, board, _)| {
        let reports = prove_each(board, &Claim::ALL).into_iter();
        format!("{what}: {}", reports.map(|report| letter(what, report)).collect::<String>())
    });
    let got: Vec<String> = got.collect();
    let expected: Vec<String> = boards.iter().map(|(what, _, all)| format!("{what}: {all}")).collect();
    assert_eq!(got, expected);
}
