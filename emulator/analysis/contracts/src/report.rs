//! Verdicts, as they are printed and as JSON.

use crate::final_values::{Final, finals, name_of};
use crate::witness::Moment;
use crate::violation::Part;
use crate::proof::{By, Doubt, Proof, Vacuity, Verdict};
use crate::replay::{Read, Replay};
use crate::wording::{broken, too_long, why};
use gray1_assembler::{Contract, ExpansionKind, IdleCode, Program, Sources, Span};
use gray1_text::{counted, grouped};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was found out about a routine, a macro with all its calls, or the program.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The verdict; of several calls the worst.
    pub verdict: Word,
    /// The least and the most cycles, where they are known.
    pub cycles: Known,
    /// An input that breaks a promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// What is broken, or why nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether nothing is promised: no input satisfies `.requires`, or no run ends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vacuous: bool,
    /// The places of `.requires`, as `FILE:LINE`: assumptions about the callers, which are not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<String>,
    /// What has decided it: `diagrams` or `solver`.
    pub by: By,
    /// Where it is, as `FILE:LINE`; of several calls the one with the worst verdict.
    pub source: String,
    /// How many calls of a macro there are; 1 for everything else.
    pub uses: usize,
    /// The input that breaks a promise.
    #[serde(skip)]
    pub moment: Option<Moment>,
}

/// A verdict in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// It holds for every input.
    Proved,
    /// Nobody knows.
    Undecided,
    /// It does not hold.
    Refuted,
}

/// How many cycles something takes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Known {
    /// The least.
    pub least: Option<u64>,
    /// The most; none if nothing is known, or if there is no bound.
    pub most: Option<u64>,
    /// An input that takes the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_input: Option<Input>,
    /// An input that takes the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_input: Option<Input>,
}

/// An input: what matters of the machine at the entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Input {
    /// Bytes of RAM by their names.
    pub ram: BTreeMap<String, u8>,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: u8,
}

/// An input that breaks a promise.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    /// The input.
    #[serde(flatten)]
    pub input: Input,
    /// Each read of a pad or of the keys, in order.
    pub inputs: Vec<Read>,
    /// The values of the names in the promise when it is broken.
    #[serde(rename = "final")]
    pub finals: Vec<Final>,
    /// The cycles after which the promise is broken.
    pub cycle: u64,
    /// The line at which control is then, as `FILE:LINE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The command that opens the debugger there.
    pub command: String,
}

impl Row {
    /// What was found out about a contract.
    pub fn of(contract: &Contract, proof: &Proof, program: &Program, sources: &Sources) -> Row {
        let place = |span: Span| place(span, sources);
        let line = |at: u16| line_of(at, program, sources);
        let part = |part| broken(part, Some(contract), program, &place);
        let doubt = |doubt: &Doubt| why(doubt, true, &line, &part);
        let mut row = Row::new(contract.name.clone(), proof, program, &part, &doubt, &line);
        if let (Verdict::Refuted(part, moment), Some(found)) = (&proof.verdict, &mut row.counterexample) {
            let replay = Replay::to_the_end(&program.image, moment);
            found.finals = finals(*part, contract, &replay, program, sources);
            if *part == Part::Within {
                row.reason = Some(too_long(contract, proof, moment.cycle, &line));
            }
        }
        let mut assumes: Vec<String> = contract.requires.iter().map(|promise| place(promise.span)).collect();
        assumes.dedup();
        Row { source: place(contract.span), assumes, ..row }
    }

    /// What was found out about a claim.
    pub fn of_claim(name: &str, proof: &Proof, program: &Program, sources: &Sources) -> Row {
        let place = |span: Span| place(span, sources);
        let line = |at: u16| line_of(at, program, sources);
        let part = |part| broken(part, None, program, &place);
        let row =
            Row::new(name.to_owned(), proof, program, &part, &|doubt| why(doubt, false, &line, &part), &line);
        Row { source: sources.path(0).to_owned(), ..row }
    }

    /// Code that nothing calls, and that cannot be called to judge it.
    pub fn uncallable(code: &IdleCode, error: &str, sources: &Sources) -> Row {
        Row {
            name: code.name.clone(),
            verdict: Word::Undecided,
            cycles: Known::default(),
            counterexample: None,
            reason: Some(format!(
                "nothing calls it, and a call with operands of its own has an error: {error}"
            )),
            vacuous: false,
            assumes: Vec::new(),
            by: By::Diagrams,
            source: place(code.span, sources),
            uses: 1,
            moment: None,
        }
    }

    fn new(
        name: String,
        proof: &Proof,
        program: &Program,
        broken: &dyn Fn(Part) -> String,
        why: &dyn Fn(&Doubt) -> String,
        line: &dyn Fn(u16) -> Option<String>,
    ) -> Row {
        let (verdict, reason, moment) = match &proof.verdict {
            Verdict::Proved => {
                let stays = |at: u16| {
                    let loop_at = line(at).unwrap_or_else(|| format!("word {at}"));
                    format!("it may stay in the loop at {loop_at} for ever")
                };
                let reason = match proof.vacuous {
                    Some(Vacuity::NoInput) => {
                        Some("no input satisfies `.requires`, so nothing is promised".to_owned())
                    }
                    Some(Vacuity::NoEnd) => Some("no run ends, so nothing is promised".to_owned()),
                    None => proof.endless.as_ref().map(|(at, _)| stays(*at)),
                };
                (Word::Proved, reason, None)
            }
            Verdict::Refuted(part, moment) => (Word::Refuted, Some(broken(*part)), Some(moment.clone())),
            Verdict::Undecided(doubt) => (Word::Undecided, Some(why(doubt)), None),
        };
        let mut cycles = Known::default();
        if let Some(found) = &proof.cycles {
            cycles.least = found.least.as_ref().map(|(cycles, _)| *cycles);
            cycles.most = found.most.as_ref().map(|(cycles, _)| *cycles);
            let input = |(_, moment): &(u64, Moment)| Input::of(moment, program);
            cycles.least_input = found.least.as_ref().map(input);
            cycles.most_input = found.most.as_ref().map(input);
        }
        let counterexample = moment.as_ref().map(|moment| {
            let replay = Replay::to_the_end(&program.image, moment);
            let at = line(replay.pc());
            let (input, cycle) = (Input::of(moment, program), moment.cycle);
            let (finals, command) = (Vec::new(), String::new());
            Counterexample { input, inputs: replay.reads, finals, cycle, at, command }
        });
        let (by, source) = (proof.by, String::new());
        let vacuous = proof.vacuous.is_some();
        Row {
            name,
            verdict,
            cycles,
            counterexample,
            reason,
            vacuous,
            assumes: Vec::new(),
            by,
            source,
            uses: 1,
            moment,
        }
    }

    /// This row and that of another call of the same macro as one.
    pub fn and(self, other: Row) -> Row {
        let uses = self.uses + other.uses;
        let [least, most] = [[&self, &other], [&other, &self]].map(|rows| rows.map(|row| &row.cycles));
        let shorter = least.into_iter().filter(|cycles| cycles.least.is_some()).min_by_key(|it| it.least);
        let longer = most.into_iter().max_by_key(|cycles| cycles.most.map_or(u64::MAX, |most| most));
        let cycles = Known {
            least: shorter.and_then(|cycles| cycles.least),
            most: longer.and_then(|cycles| cycles.most),
            least_input: shorter.and_then(|cycles| cycles.least_input.clone()),
            most_input: longer.and_then(|cycles| cycles.most_input.clone()),
        };
        let rank = |row: &Row| (row.verdict, row.vacuous);
        let worse = if rank(&other) > rank(&self) { other } else { self };
        Row { uses, cycles, ..worse }
    }

    /// The verdict as a text: `proved, 12 to 97 cycles`.
    pub fn verdict_text(&self) -> String {
        let word = match self.verdict {
            Word::Proved => "proved",
            Word::Undecided => "undecided",
            Word::Refuted => "refuted",
        };
        let uses = if self.uses > 1 { format!(", {} calls", self.uses) } else { String::new() };
        let cycles = match (self.cycles.least, self.cycles.most) {
            (Some(least), Some(most)) if least == most => format!(", {}", counted(least as usize, "cycle")),
            (Some(least), Some(most)) => format!(", {} to {} cycles", grouped(least), grouped(most)),
            _ if self.vacuous => ", vacuous".to_owned(),
            (Some(least), None) => format!(", from {} on, without a bound", counted(least as usize, "cycle")),
            _ => String::new(),
        };
        let by = if self.by == By::Solver { ", by the solver" } else { "" };
        format!("{word}{cycles}{uses}{by}")
    }

    /// The row as a text for people.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.verdict_text());
        if !self.assumes.is_empty() {
            text += &format!("  assumes `.requires` ({})\n", self.assumes.join(", "));
        }
        if let Some(reason) = &self.reason {
            text += &format!("  {}: {reason}\n", self.source);
        }
        if let Some(found) = &self.counterexample {
            let at = found.at.as_ref().map(|at| format!(", at {at}")).unwrap_or_default();
            let after = counted(found.cycle as usize, "cycle");
            text += &format!("  with {}, after {after}{at}\n", found.input.text());
            text += &found.reads_text();
            text += &found.finals_text();
            text += &format!("  {}\n", found.command);
        }
        text
    }
}

impl Counterexample {
    /// The first reads as a line of text, if there are any.
    fn reads_text(&self) -> String {
        let read = |read: &Read| format!("{} = {} in cycle {}", read.input, read.value, read.cycle);
        let first: Vec<String> = self.inputs.iter().take(MAX_LISTED_READS).map(read).collect();
        match (self.inputs.len(), self.inputs.len().saturating_sub(MAX_LISTED_READS)) {
            (0, _) => String::new(),
            (_, 0) => format!("  reads {}\n", first.join(", ")),
            (_, more) => format!("  reads {}, and {} more\n", first.join(", "), grouped(more as u64)),
        }
    }

    /// The final values as a line of text, if there are any: those with an expected value, or else all.
    fn finals_text(&self) -> String {
        let has_expected = |one: &&Final| one.expected.is_some();
        let is_all = !self.finals.iter().any(|one| one.expected.is_some());
        let listed = self.finals.iter().filter(|one| is_all || has_expected(one));
        let listed: Vec<String> = listed.map(Final::text).collect();
        if listed.is_empty() { String::new() } else { format!("  {}\n", listed.join("; ")) }
    }
}

/// The most reads of a counterexample that the text lists; JSON has all.
const MAX_LISTED_READS: usize = 8;

impl Input {
    /// What matters of a machine.
    pub fn of(moment: &Moment, program: &Program) -> Input {
        let ram = moment.ram.iter().map(|(&address, &value)| (name_of(address, program), value));
        Input { ram: ram.collect(), a: moment.state.a, c: moment.state.c.into() }
    }

    /// The input as a text: `x = 3, a = 0, c = 1`.
    pub fn text(&self) -> String {
        let ram = self.ram.iter().map(|(name, value)| format!("{name} = {value}, "));
        format!("{}a = {}, c = {}", ram.collect::<String>(), self.a, self.c)
    }
}

fn place(span: Span, sources: &Sources) -> String {
    let position = sources.position(span);
    format!("{}:{}", position.file, position.line)
}

/// The line of a word; in a macro also the line that uses it.
fn line_of(at: u16, program: &Program, sources: &Sources) -> Option<String> {
    let word = program.words.iter().find(|word| word.sequence == at)?;
    let line = place(word.span, sources);
    let used = program.chain(word).filter(|outer| outer.kind != ExpansionKind::Include).last();
    Some(match used.map(|outer| place(outer.span, sources)) {
        Some(user) if user != line => format!("{line}, for {user},"),
        _ => line,
    })
}
