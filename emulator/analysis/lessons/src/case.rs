//! A case: what is given before a run, and what is expected of the run.
//!
//! ```text
//!   when x = 9, y = 3: sends 6, x = 10     bytes of RAM before and after the run
//!   when pad 2 3 from 500 to 900: …        a pad (row, column) held down during these cycles
//!   when keys left a from 500: …           keys likewise
//!   always: sends "A text", shows          `shows`: the LEDs, in eight lines that follow: . g r a, ? for any
//!   always: lights green 0 3               this LED (row, column) and no other; also `lights nothing`
//!   always: shows eight queens             eight red LEDs, none of which attacks another
//! ```

use crate::Refusal;
use crate::picture;
use crate::run::{Assembled, Ran, Sent};
use crate::statement::{Fault, Statement, case, list};
use crate::verdict::and;
use gray1_assembler::quoted;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script, State};

/// How many bytes are shown of what was sent.
const MOST_SHOWN: usize = 24;

/// What is given, and what is expected.
#[derive(Clone, Debug)]
pub struct Case {
    /// As the exercise says it.
    given: String,
    /// Bytes of RAM at the beginning.
    pub ram: Vec<(String, u8)>,
    /// Pads and keys.
    script: Script,
    effects: Vec<Effect>,
}

#[derive(Clone, Debug)]
enum Effect {
    /// These bytes; whether the exercise writes them as a text.
    Sends(Vec<u8>, bool),
    Holds(String, u8),
    /// Eight rows of eight LEDs.
    Shows(Vec<Vec<char>>),
    /// Eight queens, none of which attacks another.
    ShowsQueens,
}

impl Case {
    /// Reads `when …: …`; a picture takes lines that follow.
    pub fn read<'a>(
        statement: &Statement<'a>,
        line: &'a str,
        lines: &mut impl Iterator<Item = &'a str>,
    ) -> Result<Case, Fault> {
        let expected =
            "there are limits (`at most 8 words`) and cases (`when x = 9: sends 6`, `always: sends 6`)";
        let (given, then) = case(line).ok_or_else(|| statement.unknown(line, expected))?;
        let mut case =
            Case { given: given.to_owned(), ram: Vec::new(), script: Script::default(), effects: Vec::new() };
        let mut events = Vec::new();
        for part in list(given) {
            if part.starts_with("pad ") || part.starts_with("keys ") {
                events.extend(pressed(statement, part)?);
            } else {
                let (name, value) = statement.assignment(part)?;
                case.ram.push((name, statement.number(value)?));
            }
        }
        case.script = Script::from_ron(&format!("[{}]", events.join(",")))
            .map_err(|error| statement.fault(format!("`{given}`: {}", error.message)))?;
        for part in list(then) {
            case.effects.push(if let Some(sent) = part.strip_prefix("sends ") {
                Effect::Sends(bytes(statement, sent)?, sent.starts_with('"'))
            } else if let Some(leds) = part.strip_prefix("lights ") {
                let usage = "write `lights green 0 3`, with a row and a column, or `lights nothing`";
                Effect::Shows(picture::of_one(leds).ok_or_else(|| statement.unknown(part, usage))?)
            } else if part == "shows eight queens" {
                Effect::ShowsQueens
            } else if part == "shows" {
                let rows = picture::read(lines);
                let usage = "after `shows` come eight lines of eight LEDs: `.`, g, r, a or ?";
                Effect::Shows(rows.ok_or_else(|| statement.fault(usage))?)
            } else {
                let (name, value) = statement.assignment(part)?;
                Effect::Holds(name, statement.number(value)?)
            });
        }
        Ok(case)
    }

    /// Runs a program on a board, until it halts or for this many cycles. RAM and LEDs hold noise at first.
    pub fn run(&self, program: &Assembled, board: &Board, seed: u64, cycles: u64) -> Result<Ran, Refusal> {
        let mut state = State::after_reset(Noise::Random(seed));
        for (name, value) in &self.ram {
            state.ram[program.address(name)?] = *value;
        }
        let mut machine = ChipsEngine::power_up(board, program.image(), Noise::Random(seed))?;
        machine.set_state(&state)?;
        let mut sent = Sent::default();
        self.script.run(&mut machine, cycles, &mut sent)?;
        Ok(Ran { sent: sent.0, state: machine.state() })
    }

    /// An exercise without a case is a fault.
    pub fn some(statement: &Statement, cases: usize) -> Result<(), Fault> {
        if cases > 0 { Ok(()) } else { Err(statement.fault("an exercise needs a case: `always: sends 5`")) }
    }

    /// The beginning of a sentence about this case.
    pub fn subject(&self, who: &str) -> String {
        if self.given.is_empty() {
            return who[..1].to_uppercase() + &who[1..];
        }
        let given: Vec<String> = list(&self.given).map(str::to_owned).collect();
        format!("For {} {who}", and(&given))
    }

    /// Whether the run has come to its end.
    pub fn check_halt(&self, outcome: &Ran, subject: &str, limit: u64) -> Result<(), Refusal> {
        if outcome.state.halted {
            return Ok(());
        }
        let is_text = self.effects.iter().any(|effect| matches!(effect, Effect::Sends(_, true)));
        let sent = match &outcome.sent[..] {
            [] => String::new(),
            sent => format!(" Until then it sent {}.", shown(sent, is_text)),
        };
        Err(format!(
            "{subject} has not halted after {limit} cycles, and was stopped there. A program halts with a jump to itself: \
             `halt: jmp halt`.{sent}"
        ).into())
    }

    /// Compares what a run has done with what is expected.
    pub fn check(&self, outcome: &Ran, subject: &str, program: &Assembled) -> Result<(), Refusal> {
        let Ran { sent, state } = outcome;
        for effect in &self.effects {
            let fault = match effect {
                Effect::Sends(bytes, is_text) => (bytes != sent).then(|| {
                    format!("sends {}, expected {}.", shown(sent, *is_text), shown(bytes, *is_text))
                }),
                Effect::Holds(name, value) => {
                    let there = state.ram[program.address(name)?];
                    (there != *value).then(|| format!("leaves {there} in {name}, expected {value}."))
                }
                Effect::Shows(rows) => picture::difference(rows, state),
                Effect::ShowsQueens => picture::no_queens(state),
            };
            if let Some(fault) = fault {
                return Err(format!("{subject} {fault}").into());
            }
        }
        Ok(())
    }
}

/// `pad 2 3 from 500 to 900`, `keys left a from 500`: events of an input script.
fn pressed(statement: &Statement, text: &str) -> Result<Vec<String>, Fault> {
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

/// `"A text"`, or numbers.
fn bytes(statement: &Statement, text: &str) -> Result<Vec<u8>, Fault> {
    if text.starts_with('"') {
        return match quoted(text) {
            Ok(Some((text, _))) => Ok(text.into_bytes()),
            _ => Err(statement.fault(format!("`{text}` is not a text in quotes"))),
        };
    }
    statement.numbers(text)
}

/// Bytes that were sent, the first of them if there are many.
fn shown(bytes: &[u8], is_text: bool) -> String {
    let first = &bytes[..bytes.len().min(MOST_SHOWN)];
    let rest = if bytes.len() > MOST_SHOWN { format!(" … ({} bytes)", bytes.len()) } else { String::new() };
    let numbers = || first.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    match first {
        [] => "nothing".to_owned(),
        _ if is_text => format!("{:?}{rest}", String::from_utf8_lossy(first)),
        _ => numbers() + &rest,
    }
}
