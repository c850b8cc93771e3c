//! The judge of contracts: follows every run of a contract, for every input, by the definition in `docs/contracts.md`.
//!
//! All states that the runs with one entry can reach are a finite graph. A cycle in it is a run that never ends. If
//! there is none, the longest path is the maximum of cycles.

use crate::contracts::judge::machine::{A, C, Gap, Machine, OUT, READ, SENT, State, domain};
use crate::contracts::judge::paths::longest_paths;
use gray1_assembler::{Contract, Formula, Program, Subject, SymbolKind, Term};
use gray1_proof::contracts::{Violation, Witness};
use std::collections::HashMap;

/// The maximum number of states for one contract.
const MAX_STATES: usize = 8_000;

/// The truth about a contract.
#[derive(Default)]
pub struct Truth {
    /// The broken promises, each with an entry that breaks it.
    pub broken: Vec<(Violation, String)>,
    /// Whether any run satisfies `.requires`.
    pub begins: bool,
    /// Whether such a run never ends.
    pub is_endless: bool,
    /// Whether a run halts before it ends.
    pub halts: bool,
    /// The least cycles of a run that ends; `None` if no run ends.
    pub least: Option<u64>,
    /// The most cycles.
    pub most: u64,
    /// Set if there were too many states to follow all runs.
    pub is_partial: bool,
}

impl Truth {
    pub fn is_broken(&self, part: Violation) -> bool {
        self.broken.iter().any(|(other, _)| *other == part)
    }
}

/// Whether a formula is about inputs.
fn is_about_inputs(formula: &Formula) -> bool {
    formula.0.iter().any(|term| matches!(term, Term::Keys | Term::Pad))
}

/// Judges a contract of a program.
pub struct Judge<'a> {
    program: &'a Program,
    contract: &'a Contract,
    pub machine: Machine,
    /// The bytes that the assembler has allocated for itself.
    own: Vec<u16>,
}

struct Start {
    state: State,
    ends: Vec<u16>,
}

impl<'a> Judge<'a> {
    /// Creates a judge; returns `None` if the program has too many bytes.
    pub fn new(program: &'a Program, contract: &'a Contract) -> Option<Judge<'a>> {
        let formulas = || {
            let promises = contract.requires.iter().chain(&contract.ensures);
            let placed = contract.invariants.iter().chain(&contract.checks).chain(&contract.variants);
            let placed = placed.map(|(_, promise)| promise);
            promises.chain(placed).map(|it| &it.formula)
        };
        let bytes = formulas().flat_map(|formula| &formula.0).filter_map(|term| match term {
            Term::Byte { address, .. } => Some(*address),
            _ => None,
        });
        let mut machine = Machine::new(&program.image, bytes)?;
        machine.remembers_reads = formulas().any(is_about_inputs);
        machine.remembers_sending = contract.modifies.as_ref().is_some_and(|it| !it.bytes.contains(&OUT));
        let own = program.symbols.iter().filter(|it| it.kind == SymbolKind::Ram && it.name.contains('.'));
        let own = own.flat_map(|it| it.value as u16..it.value as u16 + it.size).collect();
        // A state has room for one variant.
        (contract.variants.len() < 2).then_some(Judge { program, contract, machine, own })
    }

    /// Determines the truth, unless there are too many states.
    pub fn truth(&self) -> Truth {
        let (mut truth, mut states) = (Truth::default(), 0);
        for start in self.starts() {
            let mut entries = vec![start.state];
            while let Some(entry) = entries.pop() {
                match self.follow(&entry, &start.ends, &mut truth, &mut states) {
                    Ok(()) => {}
                    Err(Gap::Unknown(cell)) => {
                        entries.extend(domain(cell).into_iter().map(|value| entry.with(cell, value)));
                    }
                    Err(Gap::TooLarge) => return Truth { is_partial: true, ..truth },
                }
            }
        }
        truth
    }

    /// Returns the entries, each with the words at which its runs end.
    fn starts(&self) -> Vec<Start> {
        match &self.contract.subject {
            Subject::Program => {
                vec![Start { state: self.machine.state(0).with(A, 0).with(C, 0), ends: Vec::new() }]
            }
            Subject::Call(words) => {
                let ends = self.labels_given().chain([words.end]).collect();
                vec![Start { state: self.machine.state(words.start), ends }]
            }
            Subject::Routine(number) => {
                let routine = &self.program.routines[*number];
                let site = format!("{}.site", routine.name);
                let site = self.program.symbols.iter().find(|symbol| symbol.name == site);
                let site = site.and_then(|symbol| self.machine.cell_of(symbol.value as u16));
                let start = |(number, call): (u8, &u16)| {
                    let state = self.machine.state(routine.words.start);
                    let state = site.map_or(state, |site| state.with(site, number));
                    Start { state, ends: vec![call + 1] }
                };
                (0..).zip(&routine.calls).map(start).collect()
            }
        }
    }

    /// Returns the labels that a macro call passes as arguments.
    fn labels_given(&self) -> impl Iterator<Item = u16> {
        let Subject::Call(words) = &self.contract.subject else { unreachable!() };
        let first = self.program.words.iter().find(|word| words.contains(&word.sequence));
        first.into_iter().flat_map(|word| {
            let is_call =
                |(_, expansion): &(u32, &gray1_assembler::Expansion)| expansion.span == self.contract.span;
            let depth = self.program.numbered_chain(word).position(|it| is_call(&it));
            let locals = depth.and_then(|depth| self.program.locals(word).nth(depth));
            let labels = locals.into_iter().flatten().filter(|local| local.kind == SymbolKind::Label);
            labels.map(|local| local.value as u16)
        })
    }

    /// Follows all runs with one entry.
    fn follow(&self, entry: &State, ends: &[u16], truth: &mut Truth, count: &mut usize) -> Result<(), Gap> {
        for promise in &self.contract.requires {
            if !self.holds(&promise.formula, entry, entry)? {
                return Ok(());
            }
        }
        let mut found = Truth { begins: true, ..Truth::default() };
        let mut states = vec![(*entry, 0)];
        let mut numbers: HashMap<State, usize> = HashMap::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut last = Vec::new();
        let mut at = 0;
        while let Some(&(mut state, cycles)) = states.get(at) {
            self.arrive(entry, &mut state, &mut found)?;
            let is_empty = matches!(&self.contract.subject, Subject::Call(words) if words.is_empty());
            if ends.contains(&state.pc) && (at > 0 || is_empty) {
                self.end(entry, &state, cycles, &mut found)?;
                last.push((at, 0));
                at += 1;
                continue;
            }
            let input = self.machine.input(&state);
            for read in input.map_or(vec![0], domain) {
                let next = self.machine.step(state, read)?;
                if input.is_some() && !self.is_considered(entry, &next)? {
                    continue;
                }
                if next.pc == state.pc {
                    self.halt(entry, &state, cycles + 1, &mut found)?;
                    // A halt ends the run of a program only.
                    last.extend((self.contract.subject == Subject::Program).then_some((at, 1)));
                    continue;
                }
                let new = states.len();
                // Every cycle contains a jump, so other states need not be compared.
                let is_compared = input.is_some() || next.pc != state.pc + 1;
                let number = if is_compared { *numbers.entry(next).or_insert(new) } else { new };
                if number == new {
                    states.push((next, cycles + 1));
                }
                edges.push((at, number));
            }
            at += 1;
            *count += 1;
            if *count + edges.len() / 4 > MAX_STATES {
                return Err(Gap::TooLarge);
            }
        }
        let longest = longest_paths(states.len(), &edges);
        found.is_endless = longest.is_none();
        let most = last.iter().map(|&(at, more)| longest.as_ref().map_or(0, |it| it[at] + more));
        found.most = most.max().unwrap_or_default();
        if let Some((within, _)) = self.contract.within
            && (found.is_endless || found.halts || found.most > within)
        {
            found.broken.push((Violation::Within, self.show(entry)));
        }
        truth.begins = true;
        truth.is_endless |= found.is_endless;
        truth.halts |= found.halts;
        truth.least = truth.least.into_iter().chain(found.least).min();
        truth.most = truth.most.max(found.most);
        for (part, assignment) in found.broken {
            if !truth.is_broken(part) {
                truth.broken.push((part, assignment));
            }
        }
        Ok(())
    }

    /// Whether a run is considered after a read.
    fn is_considered(&self, entry: &State, now: &State) -> Result<bool, Gap> {
        for promise in self.contract.requires.iter().filter(|promise| is_about_inputs(&promise.formula)) {
            let mut before = *entry;
            for cell in READ {
                (before.cells[cell], before.unknown) =
                    (now.cells[cell], before.unknown & !(1 << cell) | now.unknown & 1 << cell);
            }
            if !self.holds(&promise.formula, &before, &before)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn arrive(&self, entry: &State, state: &mut State, found: &mut Truth) -> Result<(), Gap> {
        let Contract { invariants, checks, .. } = self.contract;
        let placed =
            [(invariants, Violation::Invariant as fn(usize) -> Violation), (checks, Violation::Check)];
        for (promises, part) in placed {
            for (number, (at, promise)) in promises.iter().enumerate() {
                if *at == state.pc && !self.holds(&promise.formula, entry, state)? {
                    found.broken.push((part(number), self.show(entry)));
                }
            }
        }
        for (_, promise) in self.contract.variants.iter().filter(|(at, _)| *at == state.pc) {
            match self.value(&promise.formula, entry, state)? {
                Some(value) if (0..i64::from(state.variant)).contains(&value) => state.variant = value as u16,
                _ => found.broken.push((Violation::Variant(0), self.show(entry))),
            }
        }
        Ok(())
    }

    fn halt(&self, entry: &State, state: &State, cycles: u64, found: &mut Truth) -> Result<(), Gap> {
        if self.contract.subject == Subject::Program {
            return self.end(entry, state, cycles, found);
        }
        found.halts = true;
        Ok(())
    }

    /// Checks the promises about the end of a run.
    fn end(&self, entry: &State, state: &State, cycles: u64, found: &mut Truth) -> Result<(), Gap> {
        found.least = found.least.or(Some(cycles)); // states come in the order of their cycles
        let parts = self.broken_at_end(entry, state)?;
        found.broken.extend(parts.into_iter().map(|part| (part, self.show(entry))));
        Ok(())
    }

    fn broken_at_end(&self, entry: &State, state: &State) -> Result<Vec<Violation>, Gap> {
        let mut broken = Vec::new();
        for (number, promise) in self.contract.ensures.iter().enumerate() {
            if !self.holds(&promise.formula, entry, state)? {
                broken.push(Violation::Ensures(number));
            }
        }
        let Some(modifies) = &self.contract.modifies else { return Ok(broken) };
        // A cell that is unknown at the entry but not now was written, and not with its old value for all entries.
        let has_changed = |cell: usize| {
            let is_unknown = |state: &State| state.unknown >> cell & 1 == 1;
            !is_unknown(state) && (is_unknown(entry) || state.cells[cell] != entry.cells[cell])
        };
        broken.extend((has_changed(A) && !modifies.a).then_some(Violation::A));
        broken.extend((has_changed(C) && !modifies.c).then_some(Violation::C));
        for &address in &self.machine.addresses {
            let cell = self.machine.cell_of(address).unwrap_or_default();
            let is_sent = address == OUT && state.cells[SENT] == 1;
            let is_allowed = modifies.bytes.contains(&address) || self.own.contains(&address);
            broken
                .extend(((is_sent || has_changed(cell)) && !is_allowed).then_some(Violation::Byte(address)));
        }
        Ok(broken)
    }

    /// Whether the run of a counterexample breaks this clause.
    pub fn breaks(&self, part: Violation, witness: &Witness) -> bool {
        let ends = self.starts().into_iter().find_map(|start| {
            let given = moment_state(&self.machine, witness);
            let is_same = |cell: usize| {
                start.state.unknown >> cell & 1 == 1 || start.state.cells[cell] == given.cells[cell]
            };
            (start.state.pc == given.pc && (0..crate::contracts::judge::machine::MAX_CELLS).all(is_same))
                .then_some(start.ends)
        });
        let Some(ends) = ends else { return false };
        let mut entries = vec![moment_state(&self.machine, witness)];
        // The values read last before the run are arbitrary.
        while let Some(entry) = entries.pop() {
            match self.replay(part, &entry, &ends, witness) {
                Ok(true) => return true,
                Ok(false) | Err(Gap::TooLarge) => {}
                Err(Gap::Unknown(cell)) => {
                    entries.extend(domain(cell).into_iter().map(|value| entry.with(cell, value)));
                }
            }
        }
        false
    }

    fn replay(&self, part: Violation, entry: &State, ends: &[u16], witness: &Witness) -> Result<bool, Gap> {
        for promise in &self.contract.requires {
            if !self.holds(&promise.formula, entry, entry)? {
                return Ok(false);
            }
        }
        let (mut state, mut found) = (*entry, Truth::default());
        let limit = self.contract.within.map_or(u64::MAX, |(within, _)| within);
        for cycle in 0..witness.cycle + 2 {
            self.arrive(entry, &mut state, &mut found)?;
            if ends.contains(&state.pc) && cycle > 0 {
                let is_late = part == Violation::Within && cycle > limit;
                return Ok(is_late
                    || found.is_broken(part)
                    || self.broken_at_end(entry, &state)?.contains(&part));
            }
            if found.is_broken(part) || part == Violation::Within && cycle > limit {
                return Ok(true);
            }
            let inputs = witness.script.inputs_at(cycle);
            let pad = |pick: fn((u8, u8)) -> u8| inputs.pad.map_or(0, |pad| 1 << pick(pad));
            let input = self.machine.input(&state);
            let read =
                [pad(|pad| pad.1), pad(|pad| pad.0), inputs.keys][input.map_or(2, |it| it - READ.start)];
            let next = self.machine.step(state, read)?;
            if input.is_some() && !self.is_considered(entry, &next)? {
                return Ok(false);
            }
            if next.pc == state.pc {
                let is_program = self.contract.subject == Subject::Program;
                return Ok(match part {
                    Violation::Within => !is_program || cycle + 1 > limit,
                    _ => is_program && self.broken_at_end(entry, &state)?.contains(&part),
                });
            }
            state = next;
        }
        Ok(false)
    }

    /// Formats the known cells of an entry.
    fn show(&self, entry: &State) -> String {
        let known = |cell: usize| entry.unknown >> cell & 1 == 0;
        let registers =
            [("a", A), ("c", C), ("keys", READ.start + 2)].map(|(name, cell)| (name.to_owned(), cell));
        let bytes = self
            .machine
            .addresses
            .iter()
            .map(|it| (format!("${it:03X}"), self.machine.cell_of(*it).unwrap()));
        let cells = registers.into_iter().chain(bytes).filter(|(_, cell)| known(*cell));
        cells.map(|(name, cell)| format!("{name} = {}, ", entry.cells[cell])).collect()
    }
}

/// Returns the entry of a counterexample.
fn moment_state(machine: &Machine, witness: &Witness) -> State {
    let state = machine.state(witness.state.pc).with(A, witness.state.a).with(C, witness.state.c.into());
    machine.addresses.iter().fold(state, |state, &address| {
        let cell = machine.cell_of(address).unwrap();
        state.with(cell, witness.state.ram[address as usize])
    })
}
