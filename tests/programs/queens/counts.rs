//! The counts of work that the programs print in their last lines, computed independently.

use super::solutions::{ascending, is_free, permuted};

/// The work of backtracking.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The squares on which a queen was tried.
    pub squares: u64,
    /// The boards on which no queen attacks another, including the empty one.
    pub positions: u64,
}

pub fn work(size: usize) -> Work {
    let mut work = Work::default();
    search(size, &mut Vec::new(), &mut work);
    work
}

fn search(size: usize, queens: &mut Vec<usize>, work: &mut Work) {
    work.positions += 1;
    if queens.len() == size {
        return;
    }
    for column in 0..size {
        work.squares += 1;
        if is_free(queens, queens.len(), column) {
            queens.push(column);
            search(size, queens, work);
            queens.pop();
        }
    }
}

#[test]
fn both_orders_have_the_same_solutions() {
    let mut found = permuted(8);
    assert_ne!(found, ascending(8));
    found.sort();
    assert_eq!(found, ascending(8));
}

#[test]
fn the_last_lines_are_correct() {
    let Work { squares, positions } = work(8);
    let (boards, permutations) = (8u64.pow(8), (1..=8u64).product::<u64>());
    for (program, last_line) in [
        (include_str!("../../../programs/queens-brute.g1"), format!("looked at {boards} boards")),
        (include_str!("../../../programs/queens-masks.g1"), format!("looked at {boards} boards")),
        (include_str!("../../../programs/queens-permute.g1"), format!("looked at {permutations} boards")),
        (include_str!("../../../programs/queens-bits.g1"), format!("tried {positions} positions")),
        (include_str!("../../../programs/queens-array.g1"), format!("tried {squares} squares")),
        (include_str!("../../../programs/nqueens.g1"), format!("tried {positions} positions")),
    ] {
        let expected = format!("; expect output: \"92 solutions ({last_line})\\n\"\n");
        assert!(program.contains(&expected), "{expected}");
    }
}
