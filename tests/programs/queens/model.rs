//! Forward checking, implemented from its definition, gives the expected pictures. Queens are columns, counted from 0, in
//! the order of their rows; unlike the program, this uses no bit patterns.

use super::solutions::is_free;
use std::fmt;

const SIZE: usize = 8;

/// A picture of the display.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    squares: [[char; SIZE]; SIZE],
}

impl Picture {
    /// The picture of the display lines: eight green rows, then eight red ones.
    pub fn from_lines(lines: &[u8; 2 * SIZE]) -> Picture {
        let mut squares = [['.'; SIZE]; SIZE];
        for (row, squares) in squares.iter_mut().enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                let lit = |line: u8| line >> column & 1 == 1;
                *square = match (lit(lines[row]), lit(lines[SIZE + row])) {
                    (false, false) => '.',
                    (true, false) => 'g',
                    (false, true) => 'R',
                    (true, true) => 'A',
                };
            }
        }
        Picture { squares }
    }

    /// The LEDs of one line, as the machine stores them.
    fn line(&self, line: usize) -> u8 {
        let (row, colour) = (line % SIZE, if line < SIZE { 'g' } else { 'R' });
        (0..SIZE).filter(|&column| self.squares[row][column] == colour).map(|column| 1 << column).sum()
    }

    /// The expected picture for these queens.
    fn of(queens: &[usize]) -> Picture {
        let mut squares = [['.'; SIZE]; SIZE];
        for (row, squares) in squares.iter_mut().enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                let above = &queens[..row.min(queens.len())];
                let is_left = queens.get(row).is_none_or(|&queen| column > queen);
                if queens.get(row) == Some(&column) {
                    *square = 'R';
                } else if is_left && is_free(above, row, column) {
                    *square = 'g';
                }
            }
        }
        Picture { squares }
    }
}

/// A store to the display: the line (eight green rows, then eight red ones) and its LEDs.
pub type Store = (usize, u8);

/// The expected stores: all lines for the empty board; then, for each queen that is placed or removed, the red line of its
/// row and the green lines from there down.
pub fn stores() -> Vec<Store> {
    let mut pictures = pictures().into_iter();
    let empty = pictures.next().expect("the empty board comes first");
    let mut stores: Vec<Store> = (0..2 * SIZE).map(|line| (line, empty.line(line))).collect();
    let mut before = empty;
    for picture in pictures {
        let is_changed = |row: &usize| before.line(SIZE + row) != picture.line(SIZE + row);
        let row = (0..SIZE).find(is_changed).expect("a queen comes or goes");
        stores.push((SIZE + row, picture.line(SIZE + row)));
        stores.extend((row..SIZE).map(|line| (line, picture.line(line))));
        before = picture;
    }
    stores
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares.iter().try_for_each(|row| write!(f, "\n  {}", row.iter().collect::<String>()))
    }
}

/// The work of forward checking.
#[derive(Default)]
pub struct Steps {
    /// The squares on which a queen was tried.
    pub tried: u64,
    /// Those that left a free square in every row below.
    pub put_down: u64,
    /// Those that did not, so the search backtracked.
    pub cut: u64,
}

/// Every picture of the search, from the empty board to the empty board.
pub fn pictures() -> Vec<Picture> {
    let mut pictures = vec![Picture::of(&[])];
    search(&mut Vec::new(), &mut pictures, &mut Steps::default());
    pictures
}

/// The work of the whole search.
pub fn steps() -> Steps {
    let mut steps = Steps::default();
    search(&mut Vec::new(), &mut Vec::new(), &mut steps);
    steps
}

fn search(queens: &mut Vec<usize>, pictures: &mut Vec<Picture>, steps: &mut Steps) {
    let row = queens.len();
    for column in 0..SIZE {
        if row == SIZE || !is_free(queens, row, column) {
            continue;
        }
        steps.tried += 1;
        queens.push(column);
        if (row + 1..SIZE).all(|below| (0..SIZE).any(|column| is_free(queens, below, column))) {
            steps.put_down += 1;
            pictures.push(Picture::of(queens));
            search(queens, pictures, steps);
            queens.pop();
            pictures.push(Picture::of(queens));
        } else {
            steps.cut += 1;
            queens.pop();
        }
    }
}
