//! Random sources: programs that are mostly correct, and fragments of the language.

use proptest::prelude::*;

/// Fragments of the language.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    "\n", "\n", "\n", " ", " ", "a", "b", ".l", ":", "=", "?=", ",", "#", "(", ")", "{", "}", "0", "1", "255",
    "$f", "%1", "'a'", "'", "\"", "\"text\"", ";", "+", "-", "*", "/", "<<", "?", "&&", "!", "lda ", "sta ",
    "jmp ", "jz ", "here", "gray(", "isconst(", "isknown(", ".ram ", ".org ", ".word ", ".if ", ".elif ", ".else",
    ".endif", ".repeat ", ".endrepeat", ".for ", ".endfor", ".macro ", ".endmacro", ".routine ", ".endroutine",
    "call ", "return", ".while ", ".endwhile", ".repeat_until ", ".endrepeat_until", ".when ", ".endwhen", ".elsewhen",
    ".break", ".continue", "carry", "!zero", "a == #3", "x < #b", " && ", ".function f(a) = ", "f(", ".table t, ",
    "read_table t", ":= ", "[1]", "byte(", "len(", ".allow ", "x{a}", ".while carry\n", ".when x == #a\n",
    ".ram x\n", ".endwhen\n", ".else\n", ".include ", "\"p.g1\"", ".once", ".assert ", ".error ", ".requires ",
    ".ensures a == ", ".invariant ", ".modifies ", ".within ", "old(", "word(x)", "漢", "\t", "\0", "\r", "GREEN",
    ".word 1\n", "a:\n", ".repeat 3, a\n", ".macro a b\n",
];

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..300i64).prop_map(|n| n.to_string()),
        (0..256i64).prop_map(|n| format!("%{n:b}")),
        (0..256i64).prop_map(|n| format!("${n:x}")),
        Just("here".to_owned()),
        Just("';'".to_owned()),
        Just("' '".to_owned()),
        Just("one".to_owned()),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let sign =
            prop::sample::select(vec!["+", "-", "*", "%", " % ", "&", " | ", "^", "<", " == ", "&&", " || "]);
        prop_oneof![
            (inner.clone(), sign, inner.clone()).prop_map(|(a, sign, b)| format!("({a}{sign}{b})")),
            inner.clone().prop_map(|a| format!("-{a}")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("({a} ? {b}:{c})")),
        ]
    })
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        expression().prop_map(|e| format!("  .word ({e}) & $FFF ;c")),
        expression().prop_map(|e| format!("LDA #({e}) & 255")),
        expression().prop_map(|e| format!("\tsta\t({e})&4095;{e}")),
        expression().prop_map(|e| format!(".if {e}\n add #1\n.ELSE\n  ; in between\n nor #2\n.endif")),
        (0..4u8, expression())
            .prop_map(|(n, e)| format!(".repeat {n} , k\nl{{here}}_{{k}} : .word ({e}) & 1\n.endrepeat")),
        expression().prop_map(|e| format!("m   #({e})&1  ,  one")),
        Just(String::new()),
        Just("   ; a comment".to_owned()),
        Just("; a comment at the edge".to_owned()),
        Just("m one,one".to_owned()),
        expression().prop_map(|e| format!("v:=({e})&7\n.word v+byte( #({e}) , 1)")),
        expression().prop_map(|e| format!(
            ".while one!=#({e})&255\n.when CARRY||zero\n.break\n.ELSE\nlda #\"abc\"[1]\n.endwhen\n.endwhile"
        )),
        expression().prop_map(|e| format!(".table t{{here}},({e})&255, \"ab;c\",7\nread_table t{{here}}")),
    ]
}

/// Generates a mostly correct program.
pub fn program() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..30).prop_map(|lines| {
        format!("one=1\n.macro m a,b\nlda a\n.x:jz .x\nsta b\n.endmacro\n{}\n", lines.join("\n"))
    })
}
