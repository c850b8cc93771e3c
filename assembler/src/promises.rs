//! Collects the contracts of a program from their statements, when all names are known.

use crate::codes::{ErrorCode, Warning};
use crate::contract::{Contract, Formula, Modifies, Promise, Subject, Term};
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::expand::{ContractOwner, PlacedProgram, PlacedPromise, PlacedWord, Routine};
use crate::expansion::ExpansionKind;
use crate::kind::SymbolKind;
use crate::source::Span;
use crate::syntax::{Clause, Expression, StatementKind};
use crate::table::{BoundValue, CellState, Context, Value, ValueKind};
use gray1_isa::{Image, PROGRAM_WORDS};
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// Collects the contracts, in the order of their first statements.
pub(crate) fn contracts(expanded: &mut PlacedProgram, image: &Image) -> Vec<Contract> {
    let mut contracts: Vec<Contract> = Vec::new();
    let has_errors = expanded.build.has_errors();
    let mut numbers: HashMap<ContractOwner, Option<usize>> = HashMap::new();
    for promise in std::mem::take(&mut expanded.promises) {
        let PlacedPromise { statement, owner, context } = promise;
        let statement = expanded.build.library.syntax.statements[statement as usize];
        // The code of an idiom reports a wrong argument already.
        if has_errors && expanded.build.library.is_of_library(statement.span.file) {
            continue;
        }
        let number = *numbers.entry(owner).or_insert_with(|| {
            contracts.push(expanded.owner(owner, statement.span, context)?);
            Some(contracts.len() - 1)
        });
        let Some(contract) = number.map(|number| &mut contracts[number]) else { continue };
        match statement.kind {
            StatementKind::Promise(clause, value) => expanded.build.promise(clause, value, context, contract),
            StatementKind::Modifies(operands) => {
                let empty = || Modifies { span: Some(statement.span), ..Modifies::default() };
                let modifies = contract.modifies.get_or_insert_with(empty);
                expanded.build.modify(operands, context, modifies);
            }
            _ => {}
        }
    }
    for (owner, number) in numbers {
        if let (ContractOwner::Call(call), Some(number)) = (owner, number) {
            contracts[number].exits = expanded.exits(call, image);
        }
    }
    contracts
}

impl PlacedProgram<'_> {
    /// Makes the contract of some code, without promises.
    fn owner(&mut self, owner: ContractOwner, first: Span, context: Context) -> Option<Contract> {
        let (name, subject, span, expansion) = match owner {
            ContractOwner::Program => ("program".to_owned(), Subject::Program, first, context.expansion),
            ContractOwner::Routine(number) => {
                let is_called = |routine: &&Routine| !routine.return_addresses.is_empty();
                let before = self.routines[..number as usize].iter().filter(is_called).count();
                let routine = &self.routines[number as usize];
                let name = self.build.library.names.show(routine.name);
                (name, Subject::Routine(before), routine.span, routine.expansion)
            }
            ContractOwner::Call(number) => {
                let node = self.build.expansions[number as usize].clone();
                let ExpansionKind::Macro(name) = &node.expansion.kind else { return None };
                let words = &self.words[node.first_word as usize..node.end_word as usize];
                let span = node.expansion.span;
                let Some(words) = contiguous(words, context.here) else {
                    let message = format!("the words of this call of `{name}` are not contiguous");
                    let label = "a contract needs contiguous code";
                    let diagnostic = Diagnostic::error(ErrorCode::ScatteredCall, span, message, label);
                    self.build.report(diagnostic.related(first, "the contract is here"), node.parent);
                    return None;
                };
                (name.to_string(), Subject::Call(words), span, node.parent)
            }
        };
        Some(Contract { name, subject, span, expansion, ..Contract::default() })
    }

    /// Finds the labels that the arguments of a macro call name: labels that are arguments, and targets of its jumps whose
    /// names are pasted from an argument.
    fn exits(&self, call: u32, image: &Image) -> Vec<u16> {
        let Build { table, expansions, library, .. } = &self.build;
        let node = &expansions[call as usize];
        let is_target = |label: i64| {
            let words = self.words[node.first_word as usize..node.end_word as usize].iter();
            words.into_iter().any(|word| image.word(word.address).landing().map(i64::from) == Some(label))
        };
        let mut exits = BTreeSet::new();
        for binding in &table.scopes[node.scope as usize].bindings {
            match binding.value {
                BoundValue::Cell(cell) if !binding.immediate => {
                    if let CellState::Settled(Ok(Value { number, kind: ValueKind::Label })) =
                        table.cells[cell as usize].state
                    {
                        exits.insert(number);
                    }
                }
                BoundValue::Text(text) => {
                    let text = &library.syntax.texts[text as usize];
                    for entry in table.entries.iter().filter(|entry| entry.kind == SymbolKind::Label) {
                        if let CellState::Settled(Ok(Value { number, .. })) =
                            table.cells[entry.cell as usize].state
                            && !text.is_empty()
                            && library.names.spelling(entry.name).contains(text.as_str())
                            && is_target(number)
                        {
                            exits.insert(number);
                        }
                    }
                }
                BoundValue::Cell(_) => {}
            }
        }
        exits.into_iter().map(|label| (label % PROGRAM_WORDS as i64) as u16).collect()
    }
}

/// The sequence numbers of words, or `here` if there are none; `None` if they are not contiguous.
fn contiguous(words: &[PlacedWord], here: u16) -> Option<Range<u16>> {
    let addresses = words.iter().map(|word| word.address);
    let (Some(first), Some(last)) = (addresses.clone().min(), addresses.max()) else {
        return Some(here..here);
    };
    (usize::from(last - first) + 1 == words.len()).then_some(first..last + 1)
}

impl Build<'_> {
    /// Adds a promise to a contract.
    fn promise(&mut self, clause: Clause, value: Expression, context: Context, contract: &mut Contract) {
        let span = value.span(context.file);
        if clause == Clause::Within {
            if let Some(cycles) = self.cycles(value, context)
                && contract.within.is_none_or(|(others, _)| cycles < others)
            {
                contract.within = Some((cycles, span));
            }
            return;
        }
        let Some(formula) = self.formula(value, context, clause != Clause::Requires) else {
            contract.ensures_more |= clause == Clause::Ensures;
            return;
        };
        if formula == Formula(vec![Term::Number(0)]) && clause != Clause::Variant {
            let message = "this can never hold";
            let label = "it is 0 whatever the program does";
            self.report(Diagnostic::warning(Warning::FalsePromise, span, message, label), context.expansion);
        }
        let promise = Promise { formula, span };
        let here = context.here % PROGRAM_WORDS as u16;
        match clause {
            Clause::Requires => contract.requires.push(promise),
            Clause::Ensures => contract.ensures.push(promise),
            Clause::Invariant => contract.invariants.push((here, promise)),
            Clause::Check => contract.checks.push((here, promise)),
            Clause::Variant => contract.variants.push((here, promise)),
            Clause::Within => {}
        }
    }

    /// Computes the number of cycles of a `.within`.
    fn cycles(&mut self, value: Expression, context: Context) -> Option<u64> {
        let computed = self.evaluate(value, context).ok()?;
        let (code, message, label) = match (computed.kind, u64::try_from(computed.number)) {
            (ValueKind::Plain, Ok(cycles)) => return Some(cycles),
            (ValueKind::Plain, Err(_)) => (
                ErrorCode::OutOfRange,
                format!("`.within` cannot be {} cycles", computed.number),
                "expected 0 or more",
            ),
            _ => (
                ErrorCode::NotConstant,
                "`.within` takes a number of cycles".to_owned(),
                "expected a number that is known to the assembler",
            ),
        };
        self.report(Diagnostic::error(code, value.span(context.file), message, label), context.expansion);
        None
    }
}
