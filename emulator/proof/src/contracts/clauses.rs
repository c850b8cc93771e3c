//! Formulas derived from the clauses of a contract.

use gray1_assembler::{Formula, Term};
use gray1_text::{OPERATORS, Operator};

/// Whether a formula is about pads or keys.
pub fn is_about_inputs(formula: &Formula) -> bool {
    formula.0.iter().any(|term| matches!(term, Term::Keys | Term::Pad))
}

/// Replaces RAM, A and C in a formula by their values at the entry.
pub fn at_entry(formula: &Formula) -> Formula {
    let before = |term: &Term| match *term {
        Term::Byte { address, .. } => Term::Byte { address, before: true },
        Term::A { .. } => Term::A { before: true },
        Term::C { .. } => Term::C { before: true },
        other => other,
    };
    Formula(formula.0.iter().map(before).collect())
}

/// Returns the condition that a variant is a byte, and smaller than at the last arrival, if there was one.
pub fn decreases(Formula(variant): &Formula, ghost: u16) -> Formula {
    let [least, most, zero] = [0, 255, 0].map(Term::Number);
    let [has_arrived, last] = [ghost, ghost + 1].map(|address| Term::Byte { address, before: false });
    let [at_least, at_most, same, less, or, and] =
        [">=", "<=", "==", "<", "||", "&&"].map(|sign| Term::Infix(infix(sign)));
    let range = [&variant[..], &[least, at_least], variant, &[most, at_most, and]].concat();
    let smaller = [&[has_arrived, zero, same], &variant[..], &[last, less, or, and]].concat();
    Formula([range, smaller].concat())
}

/// Looks up an infix operator that exists by its sign.
pub fn infix(sign: &str) -> &'static Operator {
    OPERATORS.iter().find(|operator| operator.sign == sign).unwrap_or(&OPERATORS[0])
}
