//! Expected pictures of the LEDs at the end of a run.

use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, RED};
use gray1_machine::State;

/// Parses eight lines of eight LEDs: `.` dark, `g`, `r`, `a` (amber), `?` any.
pub fn parse_rows<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<Vec<Vec<char>>> {
    let rows = lines.take(DISPLAY_SIZE).map(|line| line.chars().collect());
    let rows: Vec<Vec<char>> = rows.collect();
    let is_row = |row: &Vec<char>| row.len() == DISPLAY_SIZE && row.iter().all(|c| ".gra?".contains(*c));
    (rows.len() == DISPLAY_SIZE && rows.iter().all(is_row)).then_some(rows)
}

/// Parses a picture of a single LED, such as `green 0 3`, or of none: `nothing`.
pub fn parse_led(text: &str) -> Option<Vec<Vec<char>>> {
    let mut rows = vec![vec!['.'; DISPLAY_SIZE]; DISPLAY_SIZE];
    if text != "nothing" {
        let [name, row, column] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        let led = "gra".chars().find(|&led| colour(led) == name)?;
        *rows.get_mut(row.parse::<usize>().ok()?)?.get_mut(column.parse::<usize>().ok()?)? = led;
    }
    Some(rows)
}

/// Compares a picture with the expected one. Describes the first LED that differs, as the rest of a sentence, and draws
/// the picture.
pub fn describe_difference(rows: &[Vec<char>], state: &State) -> Option<String> {
    let wrong = |&(row, column): &(usize, usize)| {
        let expected = rows[row][column];
        expected != '?' && expected != led(state, row, column)
    };
    let (row, column) = squares().find(wrong)?;
    Some(format!(
        "shows another picture: in row {row}, column {column} the LED is {}, expected {}. (Rows and columns count from 0. \
         When the machine is switched on, LEDs show noise.)\n{}",
        colour(led(state, row, column)),
        colour(rows[row][column]),
        draw(state)
    ))
}

/// Describes why the red LEDs are not eight queens that do not attack each other, if so.
pub fn describe_queens_fault(state: &State) -> Option<String> {
    let queens: Vec<(usize, usize)> =
        squares().filter(|&(row, column)| led(state, row, column) == 'r').collect();
    if let Some((row, column)) = squares().find(|&(row, column)| "ga".contains(led(state, row, column))) {
        return Some(format!(
            "shows a green LED in row {row}, column {column}: queens are red.\n{}",
            draw(state)
        ));
    }
    if queens.len() != DISPLAY_SIZE {
        return Some(format!("shows {} red LEDs, expected {DISPLAY_SIZE}.\n{}", queens.len(), draw(state)));
    }
    let attacks = |one: &(usize, usize), other: &(usize, usize)| {
        let (rows, columns) = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
        rows == 0 || columns == 0 || rows == columns
    };
    let pairs = queens
        .iter()
        .enumerate()
        .flat_map(|(next, one)| queens[..next].iter().map(move |other| (other, one)));
    let (one, other) = pairs.into_iter().find(|(one, other)| attacks(one, other))?;
    Some(format!(
        "shows two queens that attack each other: row {}, column {} and row {}, column {}.\n{}",
        one.0,
        one.1,
        other.0,
        other.1,
        draw(state)
    ))
}

fn squares() -> impl Iterator<Item = (usize, usize)> {
    (0..DISPLAY_SIZE).flat_map(|row| (0..DISPLAY_SIZE).map(move |column| (row, column)))
}

fn led(state: &State, row: usize, column: usize) -> char {
    let lit = |plane: u16| state.ram[usize::from(plane) + row] >> column & 1 == 1;
    match (lit(GREEN), lit(RED)) {
        (false, false) => '.',
        (true, false) => 'g',
        (false, true) => 'r',
        (true, true) => 'a',
    }
}

fn colour(led: char) -> &'static str {
    match led {
        'g' => "green",
        'r' => "red",
        'a' => "amber",
        _ => "dark",
    }
}

fn draw(state: &State) -> String {
    let row = |row| (0..DISPLAY_SIZE).map(|column| led(state, row, column)).collect::<String>();
    (0..DISPLAY_SIZE).map(|number| format!("\n  {}", row(number))).collect()
}
