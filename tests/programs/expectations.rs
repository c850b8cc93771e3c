//! Reads the expectations in the comments of a program.
//!
//! ```text
//! ; expect output: "text"        what it sends, as quoted text; several such lines are joined
//! ; expect queens: ascending     it sends all solutions of the eight queens, a line each; `permuted`: in the order of
//!                                Heap's algorithm; `upside down`: ascending, each from the last row to the first
//! ; expect words: N              the length of the program
//! ; expect ram: N                the bytes that it reserves with `.ram`
//! ; expect cycles: N             it halts after this many cycles; without this line, it never halts
//! ; expect engine: fast          it takes so long that the chips engine runs only parts of it
//! ; expect display:              the display at the halt or, with `expect display at N:`, after N cycles:
//! ;   . G R A . . . .            eight lines of dark, green, red and amber (both) LEDs
//! ; input: (at: N, ...), ...     pads and keys, as in an input script
//! ```

use crate::queens::solutions;

/// The expectations of one program.
#[derive(Debug, Default)]
pub struct Expectations {
    pub output: String,
    pub words: Option<u64>,
    pub ram: Option<u64>,
    pub cycles: Option<u64>,
    pub only_isa: bool,
    /// The expected pictures, in the order of their cycles.
    pub displays: Vec<Display>,
    /// The text of an input script.
    pub input: String,
}

/// A picture that the display should show.
#[derive(Debug, Default)]
pub struct Display {
    /// The cycle, or `None` for the halt.
    pub at: Option<u64>,
    pub rows: Vec<String>,
}

impl Expectations {
    /// Reads the expectations from the comments of a source. An error names the wrong line.
    pub fn read(source: &str) -> Result<Expectations, String> {
        let mut expected = Expectations::default();
        let mut input = Vec::new();
        for (number, line) in (1..).zip(source.lines()) {
            let wrong = |what: &str| format!("line {number}: {what}: {line}");
            let Some(comment) = line.strip_prefix(';') else { continue };
            if let Some(display) = expected.displays.last_mut().filter(|display| display.rows.len() < 8) {
                display.rows.push(comment.trim().to_owned());
                continue;
            }
            if let Some(events) = comment.strip_prefix(" input: ") {
                input.push(events.to_owned());
                continue;
            }
            let Some((what, value)) = comment.strip_prefix(" expect ").and_then(|rest| rest.split_once(':'))
            else {
                continue;
            };
            let count = || value.trim().parse().map_err(|_| wrong("expected a number"));
            match what.split_once(" at ").map_or((what, None), |(what, at)| (what, Some(at))) {
                ("output", None) => expected.output += &unquote(value).ok_or_else(|| wrong("bad text"))?,
                ("queens", None) => expected.output += &queens(value).ok_or_else(|| wrong("bad order"))?,
                ("engine", None) if value.trim() == "isa" => expected.only_isa = true,
                ("words", None) => expected.words = Some(count()?),
                ("ram", None) => expected.ram = Some(count()?),
                ("cycles", None) => expected.cycles = Some(count()?),
                ("display", at) => {
                    let at = at.map(|at| at.parse().map_err(|_| wrong("bad cycle"))).transpose()?;
                    expected.displays.push(Display { at, rows: Vec::new() });
                }
                _ => return Err(wrong("unknown expectation")),
            }
        }
        expected.input = format!("[{}]", input.join(", "));
        Ok(expected)
    }
}

/// The text between quotes, in which `\n` is a line feed.
fn unquote(value: &str) -> Option<String> {
    let text = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some(text.replace("\\n", "\n"))
}

/// The solutions of the eight queens in the named order, a line each.
fn queens(order: &str) -> Option<String> {
    let solutions = match order.trim() {
        "ascending" => solutions::ascending(8),
        "permuted" => solutions::permuted(8),
        "upside down" => solutions::ascending(8).iter().map(|line| line.chars().rev().collect()).collect(),
        _ => return None,
    };
    Some(solutions.join("\n") + "\n")
}

/// A display in the notation of the comments.
pub fn drawn(lines: &[u8]) -> Vec<String> {
    let led = |row: usize, column: usize| match (lines[row] >> column & 1, lines[8 + row] >> column & 1) {
        (0, 0) => ".",
        (1, 0) => "G",
        (0, 1) => "R",
        _ => "A",
    };
    (0..8).map(|row| (0..8).map(|column| led(row, column)).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn invalid_expectations_are_errors() {
    for source in [
        "; expect words: many",
        "; expect miracle: 1",
        "; expect display at x:",
        "; expect output: x",
        "; expect queens: shuffled",
        "; expect engine: steam",
    ] {
        assert!(Expectations::read(source).is_err(), "{source}");
    }
}
