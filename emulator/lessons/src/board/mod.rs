//! Attempts that are boards without a CPU. A board is checked for every input, in every order of events.
//!
//! ```text
//!   switches A0-1 B                    the inputs; a range can also be used as a number by its stem, A
//!   clock CK                           a switch that the page can toggle periodically
//!   lamps Q0-2                         the outputs
//!   at most 2 chips                    also `at most 8 address bits`, in all chips together
//!   each chip at most 4 address lines
//!   always: Q = A + B                  for each input, in every stable state
//!   while E: Q == D                    in every stable state in which E is 1
//!   while !E: Q stays                  no move that ends with E at 0 changes Q, not even temporarily
//!   each change of CK: Q = 1 3 2 0     Q cycles through these numbers; also `while BACK`
//!   each change of CK: Q becomes !Q    the formula uses the values before the move; also `stays`
//!   each beat of P1 P2: Q becomes Q+1  P1 rises and falls, then P2 rises and falls; other switches move between beats
//!   A may move together while !P       several lines of A may change at the same time
//!   Q never blinks                     Q changes at most once for each move
//!   P1 P2 never overlap                each phase is proved; all other switches move while P1 is 0
//!   a beat with RESET makes all lamps 0
//!   W is at PC: 3 1 4 1                W is the data of a memory at the address PC; the numbers are example contents
//!   in the Gray-1 instead of DEC       the board replaces these chips of the Gray-1; switches and lamps are its nets
//!   runs queens                        the program runs as on the Gray-1 until it halts, for at most ten million cycles
//!   proved: loops order                claims about the full board
//!   WEN is the opposite of WE          in every state and during every move
//!   best 1 chip, 4 address bits        the best known solution
//! ```
//!
//! The `Explorer` of `gray1-proof` makes every move of one switch from every stable state, in every order in which
//! lines can reach chips. Boards whose strobes never overlap are checked in `beats`.

mod beats;
mod check;
mod exploration;
mod full_board;
mod interface;
mod names;
mod reporter;
mod requirements;

use crate::board_data::{self, BoardInfo};
use crate::statement::{Fault, Statement, between, split_case};
use crate::verdict::{Judgement, Verdict};
use full_board::FullBoardTask;
use gray1_machine::board::Board;
use gray1_text::counted;
use interface::Interface;
use names::Names;
use requirements::{Goal, Memory, Requirements, Rule};

/// The requirements of an exercise in which a board is built.
#[derive(Clone, Debug, Default)]
pub struct Task {
    interface: Interface,
    requirements: Requirements,
    full_board: FullBoardTask,
    /// The best known solution: its chips and its address bits.
    best: Option<[usize; 2]>,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        for line in statement.lines() {
            let is_known = task.interface.read(statement, line)?
                || task.full_board.read(statement, line)?
                || task.read_requirement(statement, line)?;
            if !is_known {
                let hint = "docs/lessons/README.md has the lines of a board";
                return Err(statement.unknown(line, hint));
            }
        }
        if task.interface.switches.is_empty() || task.interface.lamps.is_empty() {
            return Err(statement.fault("a board has `switches` and `lamps`"));
        }
        if task.requirements.is_empty() && !task.full_board.is_required() {
            return Err(statement.fault("the exercise does not say what the board has to do"));
        }
        if !task.requirements.strobes.is_empty() && task.requirements.reset.is_none() {
            return Err(statement.fault("`never overlap` needs `a beat with … makes all lamps 0`"));
        }
        Ok(task)
    }

    fn read_requirement(&mut self, statement: &Statement, line: &str) -> Result<bool, Fault> {
        let Task { interface, requirements, best, .. } = self;
        let names = &interface.names;
        if let Some(("", text)) = split_case(line) {
            let (lamp, formula) = statement.assignment(text)?;
            let lamp = names.lamp(statement, &lamp)?;
            requirements.always.push((lamp, names.formula(statement, formula)?));
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
            requirements.rules.push(Rule { moved, is_beat: unit == "beat", condition, lamp, goal });
        } else if let Some((name, condition)) = line.split_once(" may move together") {
            let condition = match condition.strip_prefix(" while ") {
                Some(condition) => Some(names.formula(statement, condition)?),
                None => None,
            };
            requirements.together.push((names.switch(statement, name)?, condition));
        } else if let Some((head, numbers)) = line.split_once(": ")
            && let Some((switch, lamp)) = head.split_once(" is at ")
        {
            let (switch, lamp) = (names.switch(statement, switch)?, names.lamp(statement, lamp)?);
            let numbers: Vec<u32> = statement.numbers(numbers)?;
            for &number in &numbers {
                names.check_fit(statement, switch, number)?;
            }
            requirements.memory = Some(Memory { switch, lamp, numbers });
        } else if let Some(switch) = between(line, "a beat with ", " makes all lamps 0") {
            requirements.reset = Some(names.switch(statement, switch)?);
        } else if let Some(strobes) = line.strip_suffix(" never overlap") {
            let strobes = strobes.split_whitespace().map(|name| names.switch(statement, name));
            requirements.strobes = strobes.collect::<Result<_, _>>()?;
        } else if let Some((condition, holds)) =
            line.strip_prefix("while ").and_then(|rest| rest.split_once(": "))
        {
            let condition = names.condition(statement, condition)?;
            if holds.ends_with(" stays") {
                let (lamp, goal) = read_goal(names, statement, holds)?;
                let (moved, condition) = (Vec::new(), Some(condition));
                requirements.rules.push(Rule { moved, is_beat: false, condition, lamp, goal });
            } else {
                requirements.holds.push((condition, names.condition(statement, holds)?));
            }
        } else if let Some(lamp) = line.strip_suffix(" never blinks") {
            requirements.steady.push(names.lamp(statement, lamp)?);
        } else if let Some(text) = line.strip_prefix("best ") {
            let (chips, bits) = text.split_once(", ").unwrap_or((text, ""));
            let number = |text: &str| statement.number(text.split(' ').next().unwrap_or_default());
            *best = Some([number(chips)?, number(bits)?]);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Returns the data for the page.
    pub fn info(&self) -> BoardInfo {
        let Task { interface, requirements, best, .. } = self;
        let nets = |names: &[usize]| {
            names.iter().flat_map(|&name| interface.names.net_names(name).to_vec()).collect()
        };
        let beat = requirements.beats().next().map(|rule| nets(&rule.moved));
        let memory = requirements.memory.as_ref().map(|Memory { switch, lamp, numbers }| {
            let [switches, lamps] = [switch, lamp].map(|name| interface.names.net_names(*name).to_vec());
            board_data::Memory { switches, lamps, numbers: numbers.clone() }
        });
        BoardInfo { best: best.map(|[chips, bits]| (chips, bits)), beat: beat.unwrap_or_default(), memory }
    }

    pub fn check(&self, attempt: &str, verdict: &mut Verdict) -> Judgement {
        let board = Board::parse_any(attempt, "your board")?;
        let score = self.interface.check(&board)?;
        let [chips, bits] = score;
        (verdict.chips, verdict.address_bits) = (Some(chips), Some(bits));
        let mut results = Vec::new();
        if !self.requirements.is_empty() {
            results.push(self.requirements.check(&self.interface, &board, verdict)?);
        }
        if self.full_board.is_required() {
            results.push(self.full_board.check(attempt, &board, verdict)?);
        }
        let results = results.join("; ");
        let counts = |[chips, bits]: [usize; 2]| {
            format!("{} and {}", counted(chips, "chip"), counted(bits, "address bit"))
        };
        let compared = match self.best {
            Some(best) if score == best => ", as few as are known to do it.".to_owned(),
            Some(best) if score < best => ", fewer than were known to do it: tell us.".to_owned(),
            Some(best) => format!(". It can be done with {}.", counts(best)),
            None => ".".to_owned(),
        };
        Ok(format!("Right: {results}. Your board has {}{compared}", counts(score)))
    }
}

/// Parses the required value of a lamp: `Q = 1 2 3 0`, `Q becomes Q + 1`, `Q stays`.
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
        names.check_fit(statement, lamp, number)?;
        if numbers[..place].contains(&number) {
            return Err(statement.fault(format!("{number} is in the list twice")));
        }
    }
    Ok((lamp, Goal::Next(numbers)))
}
