//! Contracts in sources: what they resolve to, what is wrong with wrong ones, and that they change nothing else.

use gray1_assembler::{Contract, Formula, MemoryLoader, Options, Program, Subject, Term, assemble};

fn assembled(source: &str) -> Program {
    let files = MemoryLoader::new([("p.g1", source)]);
    let assembly = assemble(&files, "p.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)))
}

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
