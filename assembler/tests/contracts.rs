//! Contracts in sources: what they resolve to, what is wrong with wrong ones, and that they change nothing else.

use crate::sources::{assembled, assembly};
use gray1_assembler::{Contract, Formula, ShippedProgram, Subject, Term};
use gray1_isa::Image;
use proptest::prelude::*;
use test_support::random::sources::program;

/// A formula as a text, its terms in their order.
fn shown(Formula(terms): &Formula) -> String {
    let term = |term: &Term| {
        let old = |name: String, before: bool| if before { format!("old({name})") } else { name };
        match *term {
            Term::Number(number) => number.to_string(),
            Term::Byte { address, before } => old(format!("[{address}]"), before),
            Term::A { before } => old("a".to_owned(), before),
            Term::C { before } => old("c".to_owned(), before),
            Term::Keys => "keys".to_owned(),
            Term::Pad => "pad".to_owned(),
            Term::At(sequence) => format!("at({sequence})"),
            Term::Prefix(operator) => format!("prefix{}", operator.sign),
            Term::Infix(operator) => operator.sign.to_owned(),
            Term::Choose => "?".to_owned(),
        }
    };
    terms.iter().map(term).collect::<Vec<_>>().join(" ")
}

/// A contract, a line for each of its promises.
fn lines(contract: &Contract) -> Vec<String> {
    let subject = match &contract.subject {
        Subject::Routine(number) => format!("routine {number}"),
        Subject::Call(words) => format!("call {}..{}", words.start, words.end),
        Subject::Program => "program".to_owned(),
    };
    let mut lines = vec![format!("{}: {subject}", contract.name)];
    lines.extend(contract.requires.iter().map(|promise| format!("requires {}", shown(&promise.formula))));
    lines.extend(contract.ensures.iter().map(|promise| format!("ensures {}", shown(&promise.formula))));
    let invariants = contract.invariants.iter();
    lines.extend(invariants.map(|(at, promise)| format!("invariant {at}: {}", shown(&promise.formula))));
    lines.extend(
        contract
            .modifies
            .iter()
            .map(|modifies| format!("modifies {:?} a={} c={}", modifies.bytes, modifies.a, modifies.c)),
    );
    lines.extend(contract.within.iter().map(|(cycles, _)| format!("within {cycles}")));
    lines
}

/// The contracts of a source.
fn contracts(source: &str) -> Vec<String> {
    assembled(source).contracts.iter().flat_map(lines).collect()
}

/// The formula of an expression at the top of a program with some RAM and labels.
fn formula(expression: &str) -> String {
    let source = format!(
        ".ensures {expression}\n.ram x\n.ram list, 4\n.ram w, 4\nlimit = 8\n.table squares, 0, 1, 4, 9\n\
         .function twice(n) = n + n\n.function second(v) = byte(v, 1)\n\
         .function power(n) = n == 0 ? 1 : 2 * power(n - 1)\n\
         .function chosen(n) = n ? x : 10 / n\nstart:\n lda #limit\nhalt: jmp halt\n",
    );
    let [ensures] = &assembled(&source).contracts[0].ensures[..] else { panic!("{expression}") };
    shown(&ensures.formula)
}

#[test]
fn each_contract_belongs_to_the_code_around_it() {
    let source = "\
.requires x < 5
      .ram  x
.macro twice v
  .ensures v == 2 * old(v) % 256
  .modifies v, a, c
        lda  v
        add  v
        sta  v
.endmacro
      twice x
      call  count
      .ensures x == old(x)
halt: jmp halt
.routine count
  .within 20
  .requires x > 0 && c == 0
  .within 10
  .while x > #0
    .invariant x > 0 || a
        lda  x
        add  #-1
        sta  x
  .endwhile
        twice x
        .ensures x == 0
.endroutine
";
    let wanted = "\
program: program
requires [0] 5 <
ensures [0] old([0]) ==
twice: call 0..3
ensures [0] 2 old([0]) * 256 % ==
modifies [0] a=true c=true
count: routine 0
requires [0] 0 > c 0 == &&
ensures [0] 0 ==
invariant 7: [0] 0 > a ||
within 10
twice: call 11..14
ensures [0] 2 old([0]) * 256 % ==
modifies [0] a=true c=true
";
    assert_eq!(contracts(source).join("\n") + "\n", wanted);
}

#[test]
fn names_are_what_the_machine_has_and_the_rest_is_computed() {
    let cases = [
        ("x", "[0]"),
        ("x + 1", "[0] 1 +"),
        ("limit * 2 + a", "16 a +"),
        ("list[2] == byte(list, 1)", "[3] [2] =="),
        ("old(list[3]) - old(x + c)", "old([4]) old([0]) old(c) + -"),
        ("word(w)", "[5] [6] 8 << +"),
        ("old(long(w))", "old([5]) old([6]) 8 << + old([7]) 16 << + old([8]) 24 << +"),
        ("long(old(byte(w, 2))) & 0", "old([7]) old([8]) 8 << + old([9]) 16 << + old([10]) 24 << + 0 &"),
        ("word(-1)", "65535"),
        ("word(x + 1)", "[0] 1 + 65535 &"),
        ("signed(x) < signed(-1)", "[0] 128 ^ 128 - -1 <"),
        ("signed(a - x)", "a [0] - 255 & 128 ^ 128 -"),
        ("byte(x * 300, 1)", "[0] 300 * 8 >> 255 &"),
        ("byte(#$1234, 1) + byte($1234, 0)", "70"),
        ("size(list) + squares[3] + len(squares) + len(\"abc\") + \"abc\"[1]", "118"),
        ("twice(x) + second(w) + power(5)", "[0] [0] + [6] + 32 +"),
        ("chosen(0 + 1) + (limit == 8 ? a : 1 / 0)", "[0] a +"),
        ("x ? a : c", "[0] a c ?"),
        ("x == 1 ? 2 : x == 3 ? a + 4 : 5", "[0] 1 == 2 [0] 3 == a 4 + 5 ? ?"),
        ("limit && x", "[0] 0 !="),
        ("x && limit", "[0] 1 &&"),
        ("!x && -x || ~x", "[0] prefix! [0] prefix- && [0] prefix~ ||"),
        ("0 && x", "0"),
        ("1 || x / 0", "1"),
        ("keys == pad(x)", "keys [0] pad =="),
        ("at(start) || at(halt)", "at(0) at(1) ||"),
        ("here == start", "1"),
        ("GREEN[7] + OUT", "[4071] [4080] +"),
        ("A + C", "a c +"),
    ];
    for (expression, wanted) in cases {
        assert_eq!(formula(expression), wanted, "{expression}");
    }
}

#[test]
fn what_may_be_changed_adds_up() {
    let modified = |operands: &str| {
        let source = format!(
            ".modifies {operands}\n.ram x\n.ram list, 4\n.ram w, 4\n.macro m v, n\n.modifies v\n.modifies n\n\
             sta v\n.endmacro\n call r\n call r\nhalt: jmp halt\n.routine r\n m list, #3\n.endroutine\n",
        );
        contracts(&source)
    };
    for (operands, wanted) in [
        ("x", "modifies [0] a=false c=false"),
        ("list, a", "modifies [1, 2, 3, 4] a=true c=false"),
        ("list[1], byte(list, 3), c", "modifies [2, 4] a=false c=true"),
        ("word(w), x", "modifies [0, 5, 6] a=false c=false"),
        ("long(list)", "modifies [1, 2, 3, 4] a=false c=false"),
        ("", "modifies [] a=false c=false"),
        ("x\n.modifies x, a", "modifies [0] a=true c=false"),
        ("RED[2], OUT", "modifies [4074, 4080] a=false c=false"),
        ("GREEN", "modifies [4064, 4065, 4066, 4067, 4068, 4069, 4070, 4071] a=false c=false"),
    ] {
        let found = modified(operands);
        assert_eq!(found[1], wanted, "{operands}");
        // An argument with `#` is nothing that can be changed.
        assert_eq!(found[3], "modifies [1, 2, 3, 4] a=false c=false");
    }
}

#[test]
fn an_expansion_has_its_own_contract() {
    let source = "\
.macro add_to x, v
  .ensures x == (old(x) + v) & $FF
  .if   isconst(v) && v == 0
    .within 0
  .else
    .within 3
        lda  x
        add  v
        sta  x
  .endif
.endmacro
.ram  n
.ram  row0
.ram  row1
.for  k, 0, 2
  .ensures row{k} == k
        lda  #k
        sta  row{k}
.endfor
      add_to n, #5
      add_to n, row1
      add_to byte(n, 0), #0
halt: jmp halt
";
    let wanted = "\
program: program
ensures [1] 0 ==
ensures [2] 1 ==
add_to: call 4..7
ensures [0] old([0]) 5 + 255 & ==
within 3
add_to: call 7..10
ensures [0] old([0]) [2] + 255 & ==
within 3
add_to: call 10..10
ensures [0] old([0]) 0 + 255 & ==
within 0
";
    assert_eq!(contracts(source).join("\n") + "\n", wanted);
}

/// The names of a program and of the library come first, and those of one are not those of the other.
#[test]
fn a_program_may_define_the_words_of_formulas() {
    let source = ".ensures a == old(c) && keys == word(keys)\n.ram a\n.ram keys\nc = 3\n\
                  .function old(x) = x + 100\n lda #1\n sta a\n sta keys\nhalt: jmp halt\n";
    assert_eq!(contracts(source)[1], "ensures [0] 103 == [1] [1] [2] 8 << + == &&");
    let unused = assembly(".ensures limit == n\nlimit = 3\n.ram n\nhalt: jmp halt\n").report.diagnostics;
    let messages: Vec<&str> = unused.iter().map(|diagnostic| &diagnostic.message[..]).collect();
    assert_eq!(messages, ["the RAM name `n` is never used"]);
}

/// An argument without `#` that is a number is the number, but an address where one is wanted.
#[test]
fn numbers_as_arguments_may_be_addresses() {
    let source = ".macro m x, n\n.ensures n == 3 && word(x) == byte(x, 1) + x[2] + old(byte(n, 0))\n.modifies x\n\
                  .modifies byte(x, 1)\n sta x\n.endmacro\n m $10, 3\nhalt: jmp halt\n";
    let wanted = "ensures [16] [17] 8 << + [17] [18] + old([3]) + == 0 !=";
    assert_eq!(contracts(source)[1..], [wanted, "modifies [16, 17] a=false c=false"]);
}

/// A promise about an argument that is an input is not made: an input has no value that lasts.
#[test]
fn inputs_as_arguments_promise_nothing() {
    let source = ".macro copy v, to\n.ensures to == v\n.ensures a == to\n lda v\n sta to\n.endmacro\n.ram x\n\
                  copy KEYS, x\nhalt: jmp halt\n";
    assert_eq!(contracts(source), ["copy: call 0..2", "ensures a [0] =="]);
}

#[test]
fn wrong_contracts_get_messages() {
    let frame = |line: &str| {
        format!(
            ".ram x\n.ram list, 4\n.macro m v\n lda v\n.endmacro\nlimit = 8\n{line}\n lda #limit\n sta x\n sta list\n\
             m #1\nhalt: jmp halt\n"
        )
    };
    for (line, code, message) in [
        (".ensures", "syntax-error", "expected a value: a number, a name or `(`, found the end of the line"),
        (".ensures x ==", "syntax-error", "expected a value"),
        (".ensures x == #5", "syntax-error", "in a formula, a number has no `#`"),
        (".ensures x, x", "syntax-error", "expected the end of the statement"),
        (".ensures y == 1", "unknown-name", "unknown name `y`"),
        (".ensures limt == x", "unknown-name", "did you mean `limit`?"),
        (".ensures odl(x) == 1", "unknown-function", "did you mean `old`?"),
        (".ensures old(x, x) == 1", "argument-count", "`old` takes 1 argument, not 2"),
        (".ensures \"ab\"[x] == 1", "not-constant", "this index is not known to the assembler"),
        (".ensures list[x] == 1", "not-constant", "there is no indirect addressing"),
        (".ensures list[4] == 1", "out-of-range", "expected 0..3"),
        (".ensures byte(x, 9) == 1", "out-of-range", "there is no byte 9"),
        (".ensures byte(list, x) == 1", "not-constant", "the number of a byte has to be known"),
        (".ensures row{x} == 1", "not-constant", "part of a name has to be known"),
        (".ensures m == 1", "wrong-kind", "`m` is a macro"),
        (".ensures halt(x) == 1", "wrong-kind", "`halt` is a label, not a function"),
        (".ensures at(x)", "wrong-kind", "`at` of something that is not a label"),
        (".ensures at(5)", "wrong-kind", "expected a label or a routine"),
        (".ensures pad(\"a\")", "wrong-kind", "expected a value, not a text or a table"),
        (".ensures KEYS == 1", "wrong-kind", "`KEYS` is an input"),
        (".ensures OUT[10] == 1", "wrong-kind", "$FFA is an input"),
        (".ensures word(byte(OUT, 7)) == 1", "wrong-kind", "$FF8 is an input"),
        (".modifies OUT[10]", "wrong-operand", "`.modifies` lists what may be changed"),
        (".ensures x / 0 == 1", "arithmetic", "division by zero"),
        (".ensures x << 64 == 1", "arithmetic", "expected a distance of 0..63"),
        (".ensures old(keys) == 1", "misplaced-old", "this has no value at the entry"),
        (".requires old(x) == 1", "misplaced-old", "`old` in `.requires`"),
        (".within -1", "out-of-range", "`.within` cannot be -1 cycles"),
        (".within x", "not-constant", "`.within` takes a number of cycles"),
        (".within", "syntax-error", "expected a value"),
        (".modifies #5", "wrong-operand", "`.modifies` lists what may be changed"),
        (".modifies 5", "wrong-operand", "expected a RAM name, `list[2]`, `a` or `c`"),
        (".modifies x + 1", "wrong-operand", "expected a RAM name"),
        (".modifies halt", "wrong-operand", "expected a RAM name"),
        (".modifies x, lsit", "unknown-name", "did you mean `list`?"),
        (".ensures limit > 10", "false-promise", "this can never hold"),
        (".ensure x == 1", "unknown-directive", "did you mean `.ensures`?"),
        (".pre x > 0", "unknown-directive", "did you mean `.requires`?"),
        (".require x == 1", "unknown-directive", "did you mean `.requires`?"),
        (".modify x", "unknown-directive", "did you mean `.modifies`?"),
        (".invariants x == 1", "unknown-directive", "did you mean `.invariant`?"),
        (".assert old(x) == 1", "unknown-function", "`old` has a meaning in contracts only"),
        (
            ".when zero\n.invariant x\njmp halt\n.endwhen",
            "misplaced-invariant",
            "expected it before the `.when`",
        ),
    ] {
        let report = assembly(&frame(line)).report;
        let codes: Vec<&str> = report.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect();
        let rendered = report.render(false);
        assert_eq!(codes, [code], "{line}\n{rendered}");
        assert!(rendered.contains(message), "{line}\n{rendered}");
    }
}

/// Contracts change no word of a program, wherever they are, and whatever the assembler does with what is around them.
#[test]
fn what_a_macro_leaves_open_is_not_to_be_read() {
    // The macros, the code after `lda #1`, and how the messages begin.
    let cases: [(&str, &str, &[&str]); 12] = [
        (".modifies a, c\n add #1", "m\n sta $1", &["A is undefined after `m`"]),
        (".modifies a, c\n add #1", "m\n jc halt", &["C is undefined after `m`"]),
        (".modifies a, c\n add #1", "m\n jz halt\n jc halt", &["A is undefined", "C is undefined"]),
        // A byte that is read is set before, or promised, or not modified.
        (".modifies a, c\n add #1", "m\n lda #5\n sta $1", &[]),
        (".ensures a == old(a) + 1 & $FF\n.modifies a, c\n add #1", "m\n sta $1", &[]),
        (".ensures a == old(a) + 1 & $FF\n add #1", "m\n jc halt", &[]),
        (" add #1", "m\n jc halt", &[]),
        (".modifies a, c\n lda #1", "m\n jc halt", &[]),
        // The way out is a jump, or back from a routine.
        (".modifies a, c\n add #1\n jmp far", "m\n.org 20\nfar: sta $1", &["A is undefined"]),
        (".modifies a, c\n call r", "m\n sta $1", &["A is undefined"]),
        // The macro around it promises what it leaves.
        (
            ".modifies a\n.ensures a == 2\n inner",
            "m\n sta $1\n.macro inner\n.modifies a\n lda #2\n.endmacro",
            &[],
        ),
        // A macro without a contract passes on what it gets.
        (
            " inner",
            "m\n sta $1\n.macro inner\n.modifies a\n lda #2\n.endmacro",
            &["A is undefined after `inner`"],
        ),
    ];
    for (body, code, expected) in cases {
        let source = format!(
            ".macro m\n{body}\n.endmacro\n lda #1\n{code}\nhalt: jmp halt\n.routine r\n lda #3\n.endroutine\n"
        );
        let report = assembly(&source).report;
        let lost: Vec<_> =
            report.diagnostics.iter().filter(|found| found.code.name() == "lost-in-idiom").collect();
        let matches = lost.iter().zip(expected).all(|(found, message)| found.message.starts_with(message));
        assert!(matches && lost.len() == expected.len(), "{source}\n{}", report.render(false));
    }
}

#[test]
fn contracts_change_no_word_of_the_shipped_programs() {
    for ShippedProgram { file, text, .. } in ShippedProgram::all() {
        for line in [".ensures 1", ".requires a == a", ".modifies GREEN", ".within 9"] {
            let with = text.lines().map(|code| format!("{code}\n{line}\n")).collect::<String>();
            assert!(image(text) == image(&with), "{file} with {line}");
        }
    }
}

fn image(source: &str) -> Option<Image> {
    assembly(source).program.map(|program| program.image)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contracts_change_no_word(source in program(), places in prop::collection::vec((any::<prop::sample::Index>(), 0..5usize), 1..8)) {
        let contracts = [".ensures one", ".requires a || old_ == 1", ".invariant c < 2", ".modifies a, c", ".within 100"];
        let mut lines: Vec<&str> = source.lines().collect();
        for (place, contract) in places {
            lines.insert(place.index(lines.len() + 1), contracts[contract]);
        }
        let with = lines.join("\n") + "\nold_ = 1\n";
        let found = assembly(&with);
        // A block that becomes a conditional jump has no place for an invariant.
        let is_misplaced = found.report.diagnostics.iter().any(|found| found.code.name() == "misplaced-invariant");
        if !is_misplaced {
            prop_assert_eq!(image(&source), found.program.map(|program| program.image), "{}", with);
        }
    }
}
