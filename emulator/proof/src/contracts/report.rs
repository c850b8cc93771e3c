//! Verdicts as text and as JSON.

use crate::contracts::final_values::{FinalValue, final_values, name_of};
use crate::contracts::proof::{Proof, Vacuity, Verdict};
use crate::contracts::replay::{Read, Replay};
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
use crate::contracts::wording::Wording;
use gray1_assembler::{Contract, IdleCode, Program, Sources};
use gray1_text::{counted, grouped};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result for a routine, a macro with all its calls, or the program.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The name of the routine, the macro, the program or the claim.
    pub name: String,
    /// The verdict; the worst of several calls.
    pub verdict: VerdictKind,
    /// The least and the most cycles, if they are known.
    pub cycles: CycleBounds,
    /// The counterexample, if the verdict is refuted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The violation, the reason for an undecided verdict, or a remark on a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Set if nothing is promised: no input satisfies `.requires`, or no run ends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vacuous: bool,
    /// The lines of `.requires`, as `FILE:LINE`: assumptions about the callers, which are not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<String>,
    /// The method that decided the verdict: `diagrams`.
    pub by: &'static str,
    /// The line, as `FILE:LINE`; of several calls the one with the worst verdict.
    pub source: String,
    /// The number of calls of a macro; otherwise 1.
    pub uses: usize,
    /// The counterexample as a machine can run it.
    #[serde(skip)]
    pub witness: Option<Witness>,
}

/// A verdict without its evidence, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// It holds for every input.
    Proved,
    /// Neither was proved.
    Undecided,
    /// It does not hold.
    Refuted,
}

/// The least and the most cycles.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CycleBounds {
    /// The least.
    pub least: Option<u64>,
    /// The most; `None` if they are not known, or if there is no bound.
    pub most: Option<u64>,
    /// An input that takes the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_input: Option<Input>,
    /// An input that takes the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_input: Option<Input>,
}

/// An input: the bytes and registers that matter at the entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Input {
    /// The bytes of RAM, by name.
    pub ram: BTreeMap<String, u8>,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: u8,
}

/// An input that breaks a promise, and the run from it.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    /// The input.
    #[serde(flatten)]
    pub input: Input,
    /// The reads of pads and keys, in order.
    pub inputs: Vec<Read>,
    /// The values of the names in the promise at the violation.
    #[serde(rename = "final")]
    pub finals: Vec<FinalValue>,
    /// The cycles before the violation.
    pub cycle: u64,
    /// The line of the violation, as `FILE:LINE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The command that opens the debugger at the violation.
    pub command: String,
}

impl Row {
    /// Reports on a contract.
    pub fn for_contract(contract: &Contract, proof: &Proof, program: &Program, sources: &Sources) -> Row {
        let wording = Wording { program, sources, contract: Some(contract) };
        let mut row = Row::new(contract.name.clone(), proof, &wording);
        if let (Verdict::Refuted(violation, witness), Some(found)) = (&proof.verdict, &mut row.counterexample)
        {
            let replay = Replay::run(&program.image, witness);
            found.finals = final_values(*violation, contract, &replay, program, sources);
            if *violation == Violation::Within {
                row.reason = Some(wording.excess(proof, witness.cycle));
            }
        }
        let requires = contract.requires.iter();
        let mut assumes: Vec<String> = requires.map(|promise| wording.line(promise.span)).collect();
        assumes.dedup();
        Row { source: wording.line(contract.span), assumes, ..row }
    }

    /// Reports on a claim.
    pub fn for_claim(name: &str, proof: &Proof, program: &Program, sources: &Sources) -> Row {
        let row = Row::new(name.to_owned(), proof, &Wording { program, sources, contract: None });
        Row { source: sources.path(0).to_owned(), ..row }
    }

    /// Reports on code that nothing calls, and that cannot be called to judge it.
    pub fn uncallable(code: &IdleCode, error: &str, sources: &Sources) -> Row {
        let position = sources.position(code.span);
        let reason = format!("nothing calls it, and a call with operands of its own has an error: {error}");
        let source = format!("{}:{}", position.file, position.line);
        Row { source, ..Row::bare(code.name.clone(), VerdictKind::Undecided, Some(reason)) }
    }

    /// Creates a row without evidence.
    fn bare(name: String, verdict: VerdictKind, reason: Option<String>) -> Row {
        Row {
            name,
            verdict,
            cycles: CycleBounds::default(),
            counterexample: None,
            reason,
            vacuous: false,
            assumes: Vec::new(),
            by: "diagrams",
            source: String::new(),
            uses: 1,
            witness: None,
        }
    }

    fn new(name: String, proof: &Proof, wording: &Wording) -> Row {
        let program = wording.program;
        let (verdict, reason, witness) = match &proof.verdict {
            Verdict::Proved => {
                let reason = match proof.vacuous {
                    Some(Vacuity::NoInput) => {
                        Some("no input satisfies `.requires`, so nothing is promised".to_owned())
                    }
                    Some(Vacuity::NoEnd) => Some("no run ends, so nothing is promised".to_owned()),
                    None => proof.endless.as_ref().map(|(at, _)| wording.endless(*at)),
                };
                (VerdictKind::Proved, reason, None)
            }
            Verdict::Refuted(violation, witness) => {
                (VerdictKind::Refuted, Some(wording.violation(*violation)), Some(witness.clone()))
            }
            Verdict::Undecided(doubt) => (VerdictKind::Undecided, Some(wording.doubt(doubt)), None),
        };
        let mut cycles = CycleBounds::default();
        if let Some(found) = &proof.cycles {
            cycles.least = found.least.as_ref().map(|(cycles, _)| *cycles);
            cycles.most = found.most.as_ref().map(|(cycles, _)| *cycles);
            let input = |(_, witness): &(u64, Witness)| Input::new(witness, program);
            cycles.least_input = found.least.as_ref().map(input);
            cycles.most_input = found.most.as_ref().map(input);
        }
        let counterexample = witness.as_ref().map(|witness| {
            let replay = Replay::run(&program.image, witness);
            let at = wording.line_of_word(replay.pc());
            let (input, cycle) = (Input::new(witness, program), witness.cycle);
            let (finals, command) = (Vec::new(), String::new());
            Counterexample { input, inputs: replay.reads, finals, cycle, at, command }
        });
        let vacuous = proof.vacuous.is_some();
        Row { cycles, counterexample, vacuous, witness, ..Row::bare(name, verdict, reason) }
    }

    /// Merges the rows of two calls of the same macro.
    pub fn merge(self, other: Row) -> Row {
        let uses = self.uses + other.uses;
        let [least, most] = [[&self, &other], [&other, &self]].map(|rows| rows.map(|row| &row.cycles));
        let shorter = least.into_iter().filter(|cycles| cycles.least.is_some()).min_by_key(|it| it.least);
        let longer = most.into_iter().max_by_key(|cycles| cycles.most.map_or(u64::MAX, |most| most));
        let cycles = CycleBounds {
            least: shorter.and_then(|cycles| cycles.least),
            most: longer.and_then(|cycles| cycles.most),
            least_input: shorter.and_then(|cycles| cycles.least_input.clone()),
            most_input: longer.and_then(|cycles| cycles.most_input.clone()),
        };
        let rank = |row: &Row| (row.verdict, row.vacuous);
        let worse = if rank(&other) > rank(&self) { other } else { self };
        Row { uses, cycles, ..worse }
    }

    /// Formats the verdict: `proved, 12 to 97 cycles`.
    pub fn verdict_text(&self) -> String {
        let word = match self.verdict {
            VerdictKind::Proved => "proved",
            VerdictKind::Undecided => "undecided",
            VerdictKind::Refuted => "refuted",
        };
        let uses = if self.uses > 1 { format!(", {} calls", self.uses) } else { String::new() };
        let cycles = match (self.cycles.least, self.cycles.most) {
            (Some(least), Some(most)) if least == most => format!(", {}", counted(least as usize, "cycle")),
            (Some(least), Some(most)) => format!(", {} to {} cycles", grouped(least), grouped(most)),
            _ if self.vacuous => ", vacuous".to_owned(),
            (Some(least), None) => format!(", from {} on, without a bound", counted(least as usize, "cycle")),
            _ => String::new(),
        };
        format!("{word}{cycles}{uses}")
    }

    /// Formats the row for a terminal.
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
    /// Formats the first reads as a line, if there are any.
    fn reads_text(&self) -> String {
        let read = |read: &Read| format!("{} = {} in cycle {}", read.input, read.value, read.cycle);
        let first: Vec<String> = self.inputs.iter().take(MAX_LISTED_READS).map(read).collect();
        match (self.inputs.len(), self.inputs.len().saturating_sub(MAX_LISTED_READS)) {
            (0, _) => String::new(),
            (_, 0) => format!("  reads {}\n", first.join(", ")),
            (_, more) => format!("  reads {}, and {} more\n", first.join(", "), grouped(more as u64)),
        }
    }

    /// Formats the final values as a line, if there are any: those with an expected value, or else all.
    fn finals_text(&self) -> String {
        let has_expected = |one: &&FinalValue| one.expected.is_some();
        let is_all = !self.finals.iter().any(|one| one.expected.is_some());
        let listed = self.finals.iter().filter(|one| is_all || has_expected(one));
        let listed: Vec<String> = listed.map(FinalValue::text).collect();
        if listed.is_empty() { String::new() } else { format!("  {}\n", listed.join("; ")) }
    }
}

/// The maximum number of reads that the text lists; JSON has all.
const MAX_LISTED_READS: usize = 8;

impl Input {
    /// Extracts the input from a witness.
    pub fn new(witness: &Witness, program: &Program) -> Input {
        let ram = witness.ram.iter().map(|(&address, &value)| (name_of(address, program), value));
        Input { ram: ram.collect(), a: witness.state.a, c: witness.state.c.into() }
    }

    /// Formats the input: `x = 3, a = 0, c = 1`.
    pub fn text(&self) -> String {
        let ram = self.ram.iter().map(|(name, value)| format!("{name} = {value}, "));
        format!("{}a = {}, c = {}", ram.collect::<String>(), self.a, self.c)
    }
}
