//! Formulas of contracts mean what the assembler's own expressions mean.

use crate::sources::assembly;
use gray1_assembler::{Formula, Term};
use proptest::prelude::*;

/// The value of a formula for these bytes, if it has one.
fn value(Formula(terms): &Formula, bytes: &[u8]) -> Option<i64> {
    let mut stack: Vec<Option<i64>> = Vec::new();
    for term in terms {
        let value = match *term {
            Term::Number(number) => Some(number),
            Term::Byte { address, .. } => Some(i64::from(bytes[usize::from(address)])),
            Term::Prefix(operator) => stack.pop()?.and_then(|operand| (operator.apply)(operand).ok()),
            Term::Infix(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                match (operator.sign, left, right) {
                    ("&&", Some(0), _) | ("&&", _, Some(0)) => Some(0),
                    ("||", Some(side), _) | ("||", _, Some(side)) if side != 0 => Some(1),
                    (_, Some(left), Some(right)) => (operator.apply)(left, right).ok(),
                    _ => None,
                }
            }
            Term::Choose => {
                let (other, first, condition) = (stack.pop()?, stack.pop()?, stack.pop()?);
                condition.and_then(|condition| if condition != 0 { first } else { other })
            }
            _ => panic!("{term:?}"),
        };
        stack.push(value);
    }
    assert_eq!(stack.len(), 1);
    stack[0]
}

#[test]
fn the_grammar_is_the_common_one() {
    let cases = include_str!("../../emulator/text/tests/expressions.txt");
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.rsplit_once(" | ").unwrap();
        let number = expected.trim_end_matches(" by a name").parse::<i64>();
        let of_constants = assembly(&format!("x = 3\ny = 5\nvalue = {text}\nhalt: jmp halt\n"));
        let of_bytes = assembly(&format!(".ram x\n.ram y\n.ensures {text}\nhalt: jmp halt\n"));
        let Ok(number) = number else {
            for assembly in [of_constants, of_bytes] {
                let diagnostics = &assembly.report.diagnostics;
                let is_expected = diagnostics.iter().any(|diagnostic| diagnostic.message.contains(expected));
                assert!(assembly.program.is_none() && is_expected, "{text}: {diagnostics:?}");
            }
            continue;
        };
        let symbols = of_constants.program.expect(text).symbols;
        let symbol = symbols.iter().find(|symbol| symbol.name == "value").expect(text);
        assert_eq!(symbol.value, number, "{text}");
        let contracts = of_bytes.program.expect(text).contracts;
        assert_eq!(value(&contracts[0].ensures[0].formula, &[3, 5]), Some(number), "{text}");
    }
}

/// Expressions of the three names `p`, `q`, `r`.
fn expression() -> impl Strategy<Value = String> {
    let names = ["p", "q", "r", "0", "1", "7", "255", "$100", "-3"];
    let leaf = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let signs = [
            "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
        ];
        prop_oneof![
            (inner.clone(), prop::sample::select(signs.to_vec()), inner.clone())
                .prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
            (prop::sample::select(vec!["-", "~", "!", "+"]), inner.clone())
                .prop_map(|(sign, operand)| format!("{sign}({operand})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(condition, first, other)| format!("({condition} ? {first} : {other})")),
            (inner.clone(), inner).prop_map(|(first, other)| format!("f({first}, {other})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// A formula of numbers is the number that the assembler computes, and the same formula of bytes has this value.
    #[test]
    fn formulas_mean_what_expressions_mean(expression in expression(), bytes in any::<[u8; 3]>()) {
        let function = ".function f(x, y) = x > 3 ? x - y : 2 * y + x\n";
        let [p, q, r] = bytes;
        let numbers = format!("p = {p}\nq = {q}\nr = {r}\n{function}");
        let computed = assembly(&format!("{numbers}value = {expression}\nhalt: jmp halt\n")).program;
        let computed = computed.and_then(|program| program.symbols.iter().find(|symbol| symbol.name == "value").map(|symbol| symbol.value));
        let ensures = format!(".ensures {expression}\nhalt: jmp halt\n");
        let folded = assembly(&format!("{numbers}{ensures}")).program.map(|program| program.contracts[0].ensures[0].formula.clone());
        prop_assert_eq!(folded, computed.map(|value| Formula(vec![Term::Number(value)])));
        // A formula that is wrong for all bytes is rejected, so there is nothing to compare.
        if let Some(program) = assembly(&format!(".ram p\n.ram q\n.ram r\n{function}{ensures}")).program {
            prop_assert_eq!(value(&program.contracts[0].ensures[0].formula, &bytes), computed);
        }
    }
}
