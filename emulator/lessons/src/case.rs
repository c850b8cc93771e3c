//! A case: the inputs of a run and its expected results.
//!
//! ```text
//!   when x = 9, y = 3: sends 6, x = 10     bytes of RAM before and after the run
//!   when pad 2 3 from 500 to 900: …        a pad (row, column) held down during these cycles
//!   when keys left a from 500: …           the same for keys
//!   always: sends "A text", shows          `shows`: the LEDs, in eight lines that follow: . g r a, ? for any
//!   always: lights green 0 3               only this LED (row, column); also `lights nothing`
//!   always: shows eight queens             eight red LEDs, none of which attacks another
//! ```

use crate::Refusal;
use crate::picture;
use crate::refusal::refuse;
use crate::run::{AssembledProgram, RunResult, SentBytes};
use crate::statement::{Fault, Statement, split_case, split_list};
use crate::verdict::join_and;
use gray1_assembler::quoted;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script, State};

/// Messages show at most this many of the sent bytes.
const MAX_SHOWN_BYTES: usize = 24;

/// The inputs of a run, and the expected results.
#[derive(Clone, Debug)]
pub struct Case {
    /// The condition as the exercise states it; empty for `always`.
    given: String,
    /// The initial values of bytes of RAM.
    pub ram: Vec<(String, u8)>,
    /// The pads and keys that are pressed.
    script: Script,
    expectations: Vec<Expectation>,
}

#[derive(Clone, Debug)]
enum Expectation {
    /// The bytes that the program sends. The flag is set if the exercise writes them as a string.
    Sends(Vec<u8>, bool),
    Holds(String, u8),
    /// Eight rows of eight LEDs.
    Shows(Vec<Vec<char>>),
    /// Eight queens, none of which attacks another.
    ShowsQueens,
}

impl Case {
    /// Parses `when …: …`. A picture takes the eight lines after it.
    pub fn read<'a>(
        statement: &Statement<'a>,
        line: &'a str,
        lines: &mut impl Iterator<Item = &'a str>,
    ) -> Result<Case, Fault> {
        let usage =
            "there are limits (`at most 8 words`) and cases (`when x = 9: sends 6`, `always: sends 6`)";
        let (given, expected) = split_case(line).ok_or_else(|| statement.unknown(line, usage))?;
        let mut case = Case {
            given: given.to_owned(),
            ram: Vec::new(),
            script: Script::default(),
            expectations: Vec::new(),
        };
        let mut events = Vec::new();
        for part in split_list(given) {
            if part.starts_with("pad ") || part.starts_with("keys ") {
                events.extend(parse_press(statement, part)?);
            } else {
                let (name, value) = statement.assignment(part)?;
                case.ram.push((name, statement.number(value)?));
            }
        }
        case.script = Script::from_ron(&format!("[{}]", events.join(",")))
            .map_err(|error| statement.fault(format!("`{given}`: {}", error.message)))?;
        for part in split_list(expected) {
            case.expectations.push(if let Some(sent) = part.strip_prefix("sends ") {
                Expectation::Sends(parse_bytes(statement, sent)?, sent.starts_with('"'))
            } else if let Some(leds) = part.strip_prefix("lights ") {
                let usage = "write `lights green 0 3`, with a row and a column, or `lights nothing`";
                Expectation::Shows(picture::parse_led(leds).ok_or_else(|| statement.unknown(part, usage))?)
            } else if part == "shows eight queens" {
                Expectation::ShowsQueens
            } else if part == "shows" {
                let rows = picture::parse_rows(lines);
                let usage = "after `shows` come eight lines of eight LEDs: `.`, g, r, a or ?";
                Expectation::Shows(rows.ok_or_else(|| statement.fault(usage))?)
            } else {
                let (name, value) = statement.assignment(part)?;
                Expectation::Holds(name, statement.number(value)?)
            });
        }
        Ok(case)
    }

    /// Runs a program on a board until it halts, for at most this many cycles. RAM and LEDs hold noise initially.
    pub fn run(
        &self,
        program: &AssembledProgram,
        board: &Board,
        seed: u64,
        cycles: u64,
    ) -> Result<RunResult, Refusal> {
        let mut state = State::after_reset(Noise::Random(seed));
        for (name, value) in &self.ram {
            state.ram[program.address(name)?] = *value;
        }
        let mut machine = ChipsEngine::power_up(board, program.image(), Noise::Random(seed))?;
        machine.set_state(&state)?;
        let mut sent = SentBytes::default();
        self.script.run(&mut machine, cycles, &mut sent)?;
        Ok(RunResult { sent: sent.0, state: machine.state() })
    }

    /// Fails if an exercise has no case.
    pub fn require_any(statement: &Statement, cases: usize) -> Result<(), Fault> {
        if cases > 0 { Ok(()) } else { Err(statement.fault("an exercise needs a case: `always: sends 5`")) }
    }

    /// Begins a sentence about this case: `For x = 9 your program`.
    pub fn subject(&self, who: &str) -> String {
        if self.given.is_empty() {
            return who[..1].to_uppercase() + &who[1..];
        }
        let given: Vec<String> = split_list(&self.given).map(str::to_owned).collect();
        format!("For {} {who}", join_and(&given))
    }

    /// Fails if the run has not halted.
    pub fn check_halt(&self, outcome: &RunResult, subject: &str, limit: u64) -> Result<(), Refusal> {
        if outcome.state.halted {
            return Ok(());
        }
        let is_text =
            self.expectations.iter().any(|expectation| matches!(expectation, Expectation::Sends(_, true)));
        let sent = match &outcome.sent[..] {
            [] => String::new(),
            sent => format!(" Until then it sent {}.", format_bytes(sent, is_text)),
        };
        Err(format!(
            "{subject} has not halted after {limit} cycles, and was stopped there. A program halts with a jump to itself: \
             `halt: jmp halt`.{sent}"
        ).into())
    }

    /// Compares the results of a run with the expected ones.
    pub fn check(
        &self,
        outcome: &RunResult,
        subject: &str,
        program: &AssembledProgram,
    ) -> Result<(), Refusal> {
        let RunResult { sent, state } = outcome;
        for expectation in &self.expectations {
            let fault = match expectation {
                Expectation::Sends(bytes, is_text) => (bytes != sent).then(|| {
                    format!(
                        "sends {}, expected {}.",
                        format_bytes(sent, *is_text),
                        format_bytes(bytes, *is_text)
                    )
                }),
                Expectation::Holds(name, value) => {
                    let found = state.ram[program.address(name)?];
                    (found != *value).then(|| format!("leaves {found} in {name}, expected {value}."))
                }
                Expectation::Shows(rows) => picture::describe_difference(rows, state),
                Expectation::ShowsQueens => picture::describe_queens_fault(state),
            };
            if let Some(fault) = fault {
                refuse!("{subject} {fault}");
            }
        }
        Ok(())
    }
}

/// Parses `pad 2 3 from 500 to 900` or `keys left a from 500` into events of an input script.
fn parse_press(statement: &Statement, text: &str) -> Result<Vec<String>, Fault> {
    let usage = "write `pad 2 3 from 500 to 900` or `keys left a from 500`; `to` may be left out";
    let (what, when) = text.split_once(" from ").ok_or_else(|| statement.unknown(text, usage))?;
    let (from, to) = when.split_once(" to ").map_or((when, None), |(from, to)| (from, Some(to)));
    let (pressed, released) = match what.split_whitespace().collect::<Vec<_>>()[..] {
        ["pad", row, column] => (format!("pad: (row: {row}, col: {column})"), "pad: None"),
        ["keys", ref keys @ ..] => (format!("keys: {keys:?}"), "keys: []"),
        _ => return Err(statement.unknown(text, usage)),
    };
    let mut events = vec![format!("(at: {}, {pressed})", statement.number::<u64>(from)?)];
    if let Some(to) = to {
        events.push(format!("(at: {}, {released})", statement.number::<u64>(to)?));
    }
    Ok(events)
}

/// Parses `"A text"`, or numbers.
fn parse_bytes(statement: &Statement, text: &str) -> Result<Vec<u8>, Fault> {
    if text.starts_with('"') {
        return match quoted(text) {
            Ok(Some((text, _))) => Ok(text.into_bytes()),
            _ => Err(statement.fault(format!("`{text}` is not a string in quotes"))),
        };
    }
    statement.numbers(text)
}

/// Formats sent bytes; only the first if there are many.
fn format_bytes(bytes: &[u8], is_text: bool) -> String {
    let first = &bytes[..bytes.len().min(MAX_SHOWN_BYTES)];
    let rest =
        if bytes.len() > MAX_SHOWN_BYTES { format!(" … ({} bytes)", bytes.len()) } else { String::new() };
    let numbers = || first.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    match first {
        [] => "nothing".to_owned(),
        _ if is_text => format!("{:?}{rest}", String::from_utf8_lossy(first)),
        _ => numbers() + &rest,
    }
}
