//! A board as an attempt: a board file without a CPU, judged for every input, in every order of lines.
//!
//! ```text
//!   switches A0-1 B                    what is set; a range also has a name of its own, A, as a number
//!   clock CK                           a switch that ticks
//!   lamps Q0-2                         the nets that are looked at
//!   at most 2 chips                    also `at most 8 address bits`, in all chips together
//!   each chip at most 4 address lines
//!   always: Q = A + B                  for each input, in every state of rest
//!   while E: Q == D                    likewise, while E is 1
//!   while !E: Q stays                  each move that ends with E at 0 leaves Q alone, also on the way
//!   each change of CK: Q = 1 3 2 0     Q goes round these numbers; also `while BACK`
//!   each change of CK: Q becomes !Q    this, of the values before; also `stays`
//!   each beat of P1 P2: Q becomes Q+1  likewise: P1 up and down, then P2 up and down; other switches move between beats
//!   A may move together while !P       several of them at the same time
//!   Q never blinks                     it changes at most once for each move
//!   P1 P2 never overlap                each phase is proved; all other switches move while P1 is 0
//!   a beat with RESET makes all lamps 0
//!   W is at PC: 3 1 4 1                switches that follow a lamp, as if they came from a memory: an example
//!   in the Gray-1 instead of DEC       the board is for this place on the Gray-1, whose nets the switches and lamps are
//!   runs queens                        there the program does what it does on the Gray-1, until it halts, or for ten
//!                                      million cycles
//!   proved: loops order                claims about the whole board
//!   WEN is the opposite of WE          and moves when that does
//!   best 1 chip, 4 address bits        the best that is known
//! ```
//!
//! Every move of one switch is made from every state of rest, in every order in which lines can reach chips, by the
//! `Explorer` of `gray1-proof`. Boards whose strobes never overlap are judged in `beats`.

mod beats;
mod check;
mod compare;
mod given;
mod names;
mod tell;
mod walk;
mod wanted;
mod whole;

use crate::asked::{self, Asked};
use crate::statement::{Fault, Statement, between, case};
use crate::verdict::{Judgement, Verdict};
use given::Given;
use gray1_machine::board::{Board, Change};
use gray1_text::counted;
use names::Names;
use wanted::{Goal, Memory, Rule, Wanted};
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
        if !task.wanted.strobes.is_empty() && task.wanted.reset.is_none() {
            return Err(statement.fault("`never overlap` needs `a beat with … makes all lamps 0`"));
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
        } else if let Some((head, goal)) = line.split_once(": ")
            && let Some((unit, head)) = head.strip_prefix("each ").and_then(|head| head.split_once(" of "))
        {
            let (moved, condition) = match head.split_once(" while ") {
                Some((moved, condition)) => (moved, Some(names.condition(statement, condition)?)),
                None => (head, None),
            };
            let moved = moved.split_whitespace().map(|name| names.switch(statement, name));
            let moved = moved.collect::<Result<_, _>>()?;
            let (lamp, goal) = read_goal(names, statement, goal)?;
            wanted.rules.push(Rule { moved, is_beat: unit == "beat", condition, lamp, goal });
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
            wanted.memory = Some(Memory { switch, lamp, numbers });
        } else if let Some(switch) = between(line, "a beat with ", " makes all lamps 0") {
            wanted.reset = Some(names.switch(statement, switch)?);
        } else if let Some(strobes) = line.strip_suffix(" never overlap") {
            let strobes = strobes.split_whitespace().map(|name| names.switch(statement, name));
            wanted.strobes = strobes.collect::<Result<_, _>>()?;
        } else if let Some((condition, holds)) =
            line.strip_prefix("while ").and_then(|rest| rest.split_once(": "))
        {
            let condition = names.condition(statement, condition)?;
            if holds.ends_with(" stays") {
                let (lamp, goal) = read_goal(names, statement, holds)?;
                let (moved, condition) = (Vec::new(), Some(condition));
                wanted.rules.push(Rule { moved, is_beat: false, condition, lamp, goal });
            } else {
                wanted.holds.push((condition, names.condition(statement, holds)?));
            }
        } else if let Some(lamp) = line.strip_suffix(" never blinks") {
            wanted.steady.push(names.lamp(statement, lamp)?);
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
        let beat = wanted.beats().next().map(|rule| nets(&rule.moved));
        let memory = wanted.memory.as_ref().map(|Memory { switch, lamp, numbers }| {
            let [switches, lamps] = [switch, lamp].map(|name| given.names.of(*name).to_vec());
            asked::Memory { switches, lamps, numbers: numbers.clone() }
        });
        Asked { best: best.map(|[chips, bits]| (chips, bits)), beat: beat.unwrap_or_default(), memory }
    }

    pub fn check(&self, attempt: &str, changes: &[Change], verdict: &mut Verdict) -> Judgement {
        let mut board = Board::parse_any(attempt, "your board")?;
        changes.iter().try_for_each(|change| board.change(change))?;
        let score = self.given.check(&board)?;
        let [chips, bits] = score;
        (verdict.chips, verdict.address_bits) = (Some(chips), Some(bits));
        let mut found = Vec::new();
        if !self.wanted.is_nothing() {
            found.push(self.wanted.check(&self.given, &board, verdict)?);
        }
        if self.whole.is_asked() {
            found.push(self.whole.check(attempt, &board, changes, verdict)?);
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

/// A lamp's next value: `Q = 1 2 3 0`, `Q becomes Q + 1`, `Q stays`.
fn read_goal(names: &Names, statement: &Statement, text: &str) -> Result<(usize, Goal), Fault> {
    if let Some(lamp) = text.strip_suffix(" stays") {
        return Ok((names.lamp(statement, lamp)?, Goal::Stays));
    }
    if let Some((lamp, formula)) = text.split_once(" becomes ") {
        return Ok((names.lamp(statement, lamp)?, Goal::Becomes(names.formula(statement, formula)?)));
    }
    let (lamp, numbers) = statement.assignment(text)?;
    let lamp = names.lamp(statement, &lamp)?;
    let numbers: Vec<u32> = statement.numbers(numbers)?;
    for (place, &number) in numbers.iter().enumerate() {
        names.fits(statement, lamp, number)?;
        if numbers[..place].contains(&number) {
            return Err(statement.fault(format!("{number} is in the list twice")));
        }
    }
    Ok((lamp, Goal::Next(numbers)))
}
