//! The values of the names in a broken promise, with the expected values.

use crate::contracts::replay::Replay;
use crate::contracts::violation::Violation;
use gray1_assembler::{Contract, Program, Promise, Sources, SymbolKind, Term};
use serde::Serialize;

/// The value of a name in a broken promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalValue {
    /// The name, or the left side of an equation.
    pub name: String,
    /// Its value when the promise is broken; `None` if it has no value.
    pub value: Option<i64>,
    /// The value that the promise requires, if it requires a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<i64>,
}

impl FinalValue {
    /// Formats the value: `z == 0, expected 128`.
    pub fn text(&self) -> String {
        let value = self.value.map_or("has no value".to_owned(), |value| format!("== {value}"));
        let expected = self.expected.map(|expected| format!(", expected {expected}")).unwrap_or_default();
        format!("{} {value}{expected}", self.name)
    }
}

/// Returns the values of the names in a promise that a run has broken.
pub fn final_values(
    violation: Violation,
    contract: &Contract,
    replay: &Replay,
    program: &Program,
    sources: &Sources,
) -> Vec<FinalValue> {
    let changed = |now: Term, before: Term| {
        let [value, expected] = [now, before].map(|term| replay.value(&[term]));
        name(now, program).map(|name| vec![FinalValue { name, value, expected }]).unwrap_or_default()
    };
    match violation {
        Violation::Byte(address) => {
            changed(Term::Byte { address, before: false }, Term::Byte { address, before: true })
        }
        Violation::A => changed(Term::A { before: false }, Term::A { before: true }),
        Violation::C => changed(Term::C { before: false }, Term::C { before: true }),
        _ => violation
            .promise(contract)
            .map(|promise| values_in_promise(promise, replay, program, sources))
            .unwrap_or_default(),
    }
}

fn values_in_promise(
    promise: &Promise,
    replay: &Replay,
    program: &Program,
    sources: &Sources,
) -> Vec<FinalValue> {
    let terms = failing(&promise.formula.0, replay);
    let mut finals: Vec<FinalValue> = Vec::new();
    let sides = sides(terms, "==");
    for &term in terms {
        let Some(name) = name(term, program).filter(|name| finals.iter().all(|known| known.name != *name))
        else {
            continue;
        };
        let other = sides.and_then(|(left, right)| match (left, right) {
            ([one], other) if *one == term => Some(other),
            (other, [one]) if *one == term && other.len() > 1 => Some(other),
            _ => None,
        });
        let expected = other.and_then(|other| replay.value(other));
        finals.push(FinalValue { name, value: replay.value(&[term]), expected });
    }
    // If neither side of an equation is a name, its left side as it is written.
    let source = &sources.text(promise.span.file)[promise.span.start as usize..promise.span.end as usize];
    if let (Some((left, right)), [written, _]) = (sides, &source.split("==").collect::<Vec<_>>()[..])
        && finals.iter().all(|one| one.expected.is_none())
        && terms.len() == promise.formula.0.len()
    {
        let [value, expected] = [left, right].map(|side| replay.value(side));
        finals.insert(0, FinalValue { name: written.trim().to_owned(), value, expected });
    }
    finals
}

/// Names a byte of RAM: `list[2]`, or its address.
pub fn name_of(address: u16, program: &Program) -> String {
    let symbols = program.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ram);
    let within = symbols.filter_map(|symbol| {
        let size = if symbol.size == 0 { built_in_size(&symbol.name) } else { symbol.size };
        let offset = i64::from(address).checked_sub(symbol.value).filter(|offset| *offset >= 0)?;
        (offset < i64::from(size)).then_some((symbol, size, offset))
    });
    match within.min_by_key(|&(_, size, _)| size) {
        Some((symbol, 1, _)) => symbol.name.clone(),
        Some((symbol, _, offset)) => format!("{}[{offset}]", symbol.name),
        None => format!("${address:03X}"),
    }
}

/// Returns the size of a built-in name, in bytes.
fn built_in_size(name: &str) -> u16 {
    if matches!(name, "RED" | "GREEN") { 8 } else { 1 }
}

/// Returns the first operand of `&&` that fails, or the whole formula.
fn failing<'t>(terms: &'t [Term], replay: &Replay) -> &'t [Term] {
    match sides(terms, "&&") {
        Some((left, _)) if !replay.holds(left) => failing(left, replay),
        Some((_, right)) => failing(right, replay),
        None => terms,
    }
}

/// Returns the operands of the last operator in a formula, if it has this sign.
fn sides<'t>(terms: &'t [Term], sign: &str) -> Option<(&'t [Term], &'t [Term])> {
    let (Term::Infix(operator), before) = terms.split_last()? else { return None };
    let mut missing = 1;
    let right = before.iter().rposition(|term| {
        missing += match term {
            Term::Prefix(_) | Term::Pad => 0,
            Term::Infix(_) => 1,
            Term::Choose => 2,
            _ => -1,
        };
        missing == 0
    })?;
    (operator.sign == sign).then(|| before.split_at(right))
}

/// Names a value at the end of a run.
fn name(term: Term, program: &Program) -> Option<String> {
    match term {
        Term::Byte { address, before: false } => Some(name_of(address, program)),
        Term::A { before: false } => Some("a".to_owned()),
        Term::C { before: false } => Some("c".to_owned()),
        Term::Keys => Some("keys".to_owned()),
        _ => None,
    }
}
