//! What must hold for every image and every source.

use gray1_assembler::{MemoryLoader, Options, assemble, disassemble, format};
use gray1_isa::{Image, Word};
use proptest::prelude::*;

fn assembled(source: &str) -> Option<Image> {
    let files = MemoryLoader::new([("p.g1", source)]);
    let assembly = assemble(&files, "p.g1", &Options::default());
    let _ = assembly.report.render(false);
    if let Some(program) = &assembly.program {
        let _ = program.listing(&assembly.report.sources);
        let _ = program.symbol_file(&assembly.report.sources);
    }
    assembly.program.map(|program| program.image)
}

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

fn program() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..30).prop_map(|lines| {
        format!("one=1\n.macro m a,b\nlda a\n.x:jz .x\nsta b\n.endmacro\n{}\n", lines.join("\n"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn disassembling_loses_nothing(words in prop::collection::vec(any::<u16>(), 0..=4096)) {
        let image = Image::from_words(words.into_iter().map(Word));
        prop_assert_eq!(assembled(&disassemble(&image)), Some(image));
    }

    #[test]
    fn disassembling_sparse_images_loses_nothing(words in prop::collection::vec((0..4096u16, any::<u16>()), 0..40)) {
        let mut image = Image::blank();
        for (sequence, word) in words {
            image.set_word(sequence, Word(word));
        }
        prop_assert_eq!(assembled(&disassemble(&image)), Some(image));
    }

    #[test]
    fn formatting_keeps_the_program(source in program()) {
        if let Ok(once) = format("p.g1", source.as_bytes()) {
            let twice = format("p.g1", once.as_bytes()).ok();
            prop_assert_eq!(Some(&once), twice.as_ref());
            prop_assert_eq!(assembled(&source), assembled(&once));
        }
    }

    #[test]
    fn nothing_panics_on_bytes(source in prop::collection::vec(any::<u8>(), 0..300)) {
        let files = MemoryLoader::new([("p.g1", source.clone())]);
        let _ = assemble(&files, "p.g1", &Options::default()).report.render(true);
        let _ = format("p.g1", &source);
    }

    #[test]
    fn nothing_panics_on_pieces_of_the_language(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let source = pieces.concat();
        let before = assembled(&source);
        if let Ok(once) = format("p.g1", source.as_bytes()) {
            prop_assert_eq!(before, assembled(&once));
            let twice = format("p.g1", once.as_bytes()).ok();
            prop_assert_eq!(Some(once), twice);
        }
    }

    #[test]
    fn nothing_panics_on_mutated_programs(source in program(), at in any::<prop::sample::Index>(), piece in prop::sample::select(PIECES)) {
        let mut source = source;
        let mut at = at.index(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        source.insert_str(at, piece);
        let _ = assembled(&source);
    }
}

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    " ",
    " ",
    "a",
    "b",
    ".l",
    ":",
    "=",
    "?=",
    ",",
    "#",
    "(",
    ")",
    "{",
    "}",
    "0",
    "1",
    "255",
    "$f",
    "%1",
    "'a'",
    "'",
    "\"",
    "\"text\"",
    ";",
    "+",
    "-",
    "*",
    "/",
    "<<",
    "?",
    "&&",
    "!",
    "lda ",
    "sta ",
    "jmp ",
    "jz ",
    "here",
    "gray(",
    "isconst(",
    "isknown(",
    ".ram ",
    ".org ",
    ".word ",
    ".if ",
    ".elif ",
    ".else",
    ".endif",
    ".repeat ",
    ".endrepeat",
    ".for ",
    ".endfor",
    ".macro ",
    ".endmacro",
    ".routine ",
    ".endroutine",
    "call ",
    "return",
    ".while ",
    ".endwhile",
    ".repeat_until ",
    ".endrepeat_until",
    ".when ",
    ".endwhen",
    ".break",
    ".continue",
    "carry",
    "!zero",
    "a == #3",
    "x < #b",
    " && ",
    ".function f(a) = ",
    "f(",
    ".table t, ",
    "read_table t",
    ":= ",
    "[1]",
    "byte(",
    "len(",
    ".allow ",
    "x{a}",
    ".while carry\n",
    ".when x == #a\n",
    ".ram x\n",
    ".endwhen\n",
    ".else\n",
    ".include ",
    "\"p.g1\"",
    ".once",
    ".assert ",
    ".error ",
    "漢",
    "\t",
    "\0",
    "\r",
    "GREEN",
    ".word 1\n",
    "a:\n",
    ".repeat 3, a\n",
    ".macro a b\n",
];
