//! Solves the puzzle without the machine. Queens are columns, counted from 0, in the order of their rows; unlike the
//! programs, this uses no bit patterns and no tables.

/// All solutions in ascending order, as text.
pub fn ascending(size: usize) -> Vec<String> {
    let mut found = Vec::new();
    extend(size, &mut Vec::new(), &mut found);
    found
}

fn extend(size: usize, queens: &mut Vec<usize>, found: &mut Vec<String>) {
    if queens.len() == size {
        found.push(text(queens));
        return;
    }
    for column in 0..size {
        if is_free(queens, queens.len(), column) {
            queens.push(column);
            extend(size, queens, found);
            queens.pop();
        }
    }
}

/// All solutions in the order of Heap's algorithm.
pub fn permuted(size: usize) -> Vec<String> {
    let mut found = Vec::new();
    permute(size, &mut (0..size).collect(), &mut found);
    found
}

fn permute(count: usize, queens: &mut Vec<usize>, found: &mut Vec<String>) {
    if count <= 1 {
        if (0..queens.len()).all(|row| is_free(&queens[..row], row, queens[row])) {
            found.push(text(queens));
        }
        return;
    }
    for turn in 0..count {
        permute(count - 1, queens, found);
        if turn < count - 1 {
            queens.swap(if count.is_multiple_of(2) { turn } else { 0 }, count - 1);
        }
    }
}

/// Whether none of the queens attacks a square below them.
pub fn is_free(queens: &[usize], row: usize, column: usize) -> bool {
    queens.iter().enumerate().all(|(queen_row, &queen)| {
        let (down, across) = (row - queen_row, column.abs_diff(queen));
        across != 0 && across != down
    })
}

/// Columns in the notation of the programs: 1 to 9, then A, B, C.
fn text(queens: &[usize]) -> String {
    queens.iter().map(|&column| char::from(b"123456789ABC"[column])).collect()
}
