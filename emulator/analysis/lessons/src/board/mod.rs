//! A board as an attempt: a board file without a CPU, judged for every input, in every order of lines.
//!
//! ```text
//!   switches A0-1 B                    what is set; a range also has a name of its own, A, as a number
//!   clock CK                           a switch that ticks
//!   lamps Q0-2                         the nets that are looked at
//!   at most 2 chips                    also `at most 8 address bits`, in all chips together
//!   each chip at most 4 address lines
//!   always: Q = A + B                  for each input, in every state of rest
//!   when SET = 1, SET = 0: Q = 1       switches are moved in this order; then the lamps are looked at
//!   then BACK = 1                      the same without looking
//!   each change of CK: Q = 1 3 2 0     round and round, from wherever it is
//!   each beat of P1 P2: Q = 1 2 3 0    likewise: P1 up and down, then P2 up and down
//!   W is at PC: 3 1 4 1                switches that follow a lamp, as if they came from a memory
//!   P1 P2 never overlap                each phase is proved; all other switches move while P1 is 0
//!   A may move together while !P       several of them at the same time, below
//!   however the switches move          from there on, one at a time: each move has one end
//!   while !E: Q stays                  each move that ends with E at 0 leaves Q alone; also `while E: Q == D`
//!   Q never blinks                     it changes at most once for each move
//!   in the Gray-1 instead of DEC       the board is for this place on the Gray-1, whose nets the switches and lamps are
//!   runs queens                        there the program does what it does on the Gray-1, until it halts, or for ten
//!                                      million cycles
//!   proved: loops order                claims about the whole board
//!   best 1 chip, 4 address bits        the best that is known
//! ```
//!
//! Moves are explored in every order in which lines can reach chips, by the `Explorer` of `gray1-proof`.

mod check;
mod compare;
mod given;
mod tell;
mod walk;
mod wanted;
mod whole;

use crate::asked::{self, Asked};
use crate::statement::{Fault, Statement, case, list};
use crate::verdict::{Judgement, Verdict};
use given::{Given, Names};
use gray1_machine::board::Board;
use gray1_text::counted;
use wanted::{Act, Memory, Round, Step, Wanted, While};
use whole::Whole;

/// What a board is to be like, and what it is to do.
#[derive(Clone, Debug, Default)]
pub struct Task {
    given: Given,
    wanted: Wanted,
    whole: Whole,
    /// The fewest chips, and the fewest address bits, that are known to do it.
    best: Option<[usize; 2]>,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        for line in statement.lines() {
            let is_known = task.given.read(statement, line)?
                || task.whole.read(statement, line)?
                || task.read_wanted(statement, line)?;
            if !is_known {
                let fault = "docs/lessons/README.md has the lines of a board";
                return Err(statement.unknown(line, fault));
            }
        }
        if task.given.switches.is_empty() || task.given.lamps.is_empty() {
            return Err(statement.fault("a board has `switches` and `lamps`"));
        }
        if task.wanted.is_nothing() && !task.whole.is_asked() {
            return Err(statement.fault("nothing says what the board is to do"));
        }
        Ok(task)
    }

    fn read_wanted(&mut self, statement: &Statement, line: &str) -> Result<bool, Fault> {
        let Task { given, wanted, best, .. } = self;
        let names = &given.names;
        if let Some(("", text)) = case(line) {
            let (lamp, formula) = statement.assignment(text)?;
            let lamp = names.lamp(statement, &lamp)?;
            wanted.always.push((lamp, names.formula(statement, formula)?));
        } else if let Some((moves, shows)) = case(line).or_else(|| Some((line.strip_prefix("then ")?, ""))) {
            let read = |text, of: fn(&Names, &Statement, &str) -> Result<usize, Fault>| {
                let part = |part| {
                    let (name, value) = statement.assignment(part)?;
                    let name = of(names, statement, &name)?;
                    names.fits(statement, name, statement.number(value)?)
                };
                list(text).map(part).collect::<Result<Vec<_>, Fault>>()
            };
            let step = Step {
                text: moves.to_owned(),
                moves: read(moves, Names::switch)?,
                shows: read(shows, Names::lamp)?,
            };
            wanted.acts.push(Act::Step(step));
        } else if let Some((moved, numbers)) = line
            .strip_prefix("each change of ")
            .or_else(|| line.strip_prefix("each beat of "))
            .and_then(|rest| rest.split_once(": "))
        {
            let moved = moved.split_whitespace().map(|name| names.switch(statement, name));
            let (lamp, numbers) = statement.assignment(numbers)?;
            let lamp = names.lamp(statement, &lamp)?;
            let numbers: Vec<u32> = statement.numbers(numbers)?;
            for &number in &numbers {
                names.fits(statement, lamp, number)?;
            }
            let is_beat = line.starts_with("each beat");
            let moved = moved.collect::<Result<_, _>>()?;
            wanted.acts.push(Act::Round(Round { moved, is_beat, lamp, numbers }));
        } else if let Some((name, condition)) = line.split_once(" may move together") {
            let condition = match condition.strip_prefix(" while ") {
                Some(condition) => Some(names.formula(statement, condition)?),
                None => None,
            };
            wanted.together.push((names.switch(statement, name)?, condition));
        } else if let Some((head, numbers)) = line.split_once(": ")
            && let Some((switch, lamp)) = head.split_once(" is at ")
        {
            let (switch, lamp) = (names.switch(statement, switch)?, names.lamp(statement, lamp)?);
            let numbers: Vec<u32> = statement.numbers(numbers)?;
            for &number in &numbers {
                names.fits(statement, switch, number)?;
            }
            wanted.acts.push(Act::Memory(Memory { switch, lamp, numbers }));
        } else if let Some(strobes) = line.strip_suffix(" never overlap") {
            let strobes = strobes.split_whitespace().map(|name| names.switch(statement, name));
            wanted.strobes = strobes.collect::<Result<_, _>>()?;
        } else if line == "however the switches move" {
            wanted.is_free = true;
        } else if let Some((condition, holds)) =
            line.strip_prefix("while ").and_then(|rest| rest.split_once(": "))
        {
            let condition_formula = names.formula(statement, condition)?;
            let condition = (condition.to_owned(), condition_formula);
            let stays = holds.strip_suffix(" stays").map(|lamp| names.lamp(statement, lamp)).transpose()?;
            wanted.is_free = true;
            wanted.whiles.push(match stays {
                Some(lamp) => While::Stays(condition, lamp),
                None => While::Holds(condition, (holds.to_owned(), names.formula(statement, holds)?)),
            });
        } else if let Some(lamp) = line.strip_suffix(" never blinks") {
            wanted.steady.push(names.lamp(statement, lamp)?);
            wanted.is_free = true;
        } else if let Some(text) = line.strip_prefix("best ") {
            let (chips, bits) = text.split_once(", ").unwrap_or((text, ""));
            let number = |text: &str| statement.number(text.split(' ').next().unwrap_or_default());
            *best = Some([number(chips)?, number(bits)?]);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// What the page gets about it.
    pub fn asked(&self) -> Asked {
        let Task { given, wanted, best, .. } = self;
        let nets = |names: &[usize]| names.iter().flat_map(|&name| given.names.of(name).to_vec()).collect();
        let beat = wanted.acts.iter().find_map(|act| match act {
            Act::Round(round) => Some(nets(&round.moved)),
            _ => None,
        });
        let memory = wanted.acts.iter().find_map(|act| match act {
            Act::Memory(Memory { switch, lamp, numbers }) => {
                let [switches, lamps] = [switch, lamp].map(|name| given.names.of(*name).to_vec());
                Some(asked::Memory { switches, lamps, numbers: numbers.clone() })
            }
            _ => None,
        });
        Asked { best: best.map(|[chips, bits]| (chips, bits)), beat: beat.unwrap_or_default(), memory }
    }

    pub fn check(&self, attempt: &str, verdict: &mut Verdict) -> Judgement {
        let board = Board::parse_any(attempt, "your board")?;
        let score = self.given.check(&board)?;
        let [chips, bits] = score;
        (verdict.chips, verdict.address_bits) = (Some(chips), Some(bits));
        let mut found = Vec::new();
        if !self.wanted.is_nothing() {
            found.push(self.wanted.check(&self.given, &board, verdict)?);
        }
        if self.whole.is_asked() {
            found.push(self.whole.check(attempt, &board, verdict)?);
        }
        let found = found.join("; ");
        let compared = match self.best {
            Some(best) if score == best => ", as few as are known to do it",
            Some([fewest, least]) if chips < fewest || chips == fewest && bits < least => {
                ", fewer than were known to do it: tell us"
            }
            _ => "",
        };
        let best = match self.best {
            Some([fewest, least]) if compared.is_empty() => {
                format!(
                    " It can be done with {} and {}.",
                    counted(fewest, "chip"),
                    counted(least, "address bit")
                )
            }
            _ => String::new(),
        };
        let (chips, bits) = (counted(chips, "chip"), counted(bits, "address bit"));
        Ok(format!("Right: {found}. Your board has {chips} and {bits}{compared}.{best}"))
    }
}
