//! One slip in a correct program gives one message, which says what is wrong: hundreds of wrong sources, each derived
//! from a correct program by one slip of those that people make.

use gray1_assembler::{Diagnostic, MemoryLoader, Options, assemble};

/// A program with a bit of everything. Slips change one of its lines.
const PROGRAM: &str = include_str!("slips/program.g1");

/// Slips in one line of the program: the line (or its beginning) and what stands there instead.
const SLIPS: [(&str, &[&str]); 21] = [
    (
        "limit = 8",
        &[
            "limit equ 8",
            "limit EQU 8",
            "limit set 8",
            "#define limit 8",
            ".equ limit, 8",
            ".define limit 8",
            ".const limit 8",
            "%define limit 8",
            "limit == 8",
            "limit = 8 8",
            "limit = ",
            "limit = 8h",
            "limit = 0x",
            "limit = (8",
            "limit = 8 ; a\nlimit = 8",
            "limit = “8”",
            "limit = 8 // eight",
        ],
    ),
    (".ram  n", &[".ram n,", ".ram", ".rma n", ".ram n 1", ".byte n", ".res n", "ram n", "n: .ram"]),
    (
        ".ram  list, limit",
        &[
            ".ram list limit",
            ".ram list, 4097",
            ".ram list, -1",
            ".ram list, limit, 2",
            ".ram list[limit]",
            ".ds list, limit",
            ".var list, limit",
        ],
    ),
    (
        ".macro countdown v",
        &[
            ".marco countdown v",
            ".macro countdown(v)",
            ".macro countdown v w",
            "macro countdown v",
            ".macro countdown v, v",
            ".macro countdown",
            ".def countdown v",
        ],
    ),
    (".endmacro", &[".endm", ".end", "endmacro", ".endmarco", ".mend", "; .endmacro", ".endif", ".endfor"]),
    (
        ".table squares",
        &[
            ".table squares 0, 1, 4, 9",
            ".tabel squares, 0, 1",
            ".table squares",
            ".table squares, 0, 256",
            "table squares, 0, 1",
            ".table squares, 0, 1\n.table squares, 2",
        ],
    ),
    ("start:", &["start", "start: :", "start: start:"]),
    (
        "      lda  #limit",
        &[
            " ldaa #limit",
            " lda #limt",
            " lda #limit sta n",
            " lda #limit, n",
            " lda",
            " lda ##limit",
            " lda #limit + ",
            " lda #300",
            " lda (#limit",
            " lda #limit)",
            " lda \"limit\"",
            " mov a, #limit",
            " ld #limit",
            " lda #limit / 0",
            " lda #'ab'",
            " lda #'a",
            " lda #0b12",
            " lda #größe",
            " load limit",
            " lda [n]",
            " lda n, x",
            " #lda limit",
            " lda #5 n",
        ],
    ),
    (
        "      sta  n",
        &[
            " sta #n",
            " sta start",
            " sat n",
            " sta m",
            " sta $1000",
            " store n",
            " sta n,",
            " sta .n",
            " st n",
        ],
    ),
    ("      countdown n", &[" countdown", " countdown n, n", " countdwon n", " call countdown"]),
    (
        ".for  k, 0, limit",
        &[
            ".for k in 0..8",
            ".for k, 0..8",
            ".for k = 0 to 8",
            ".for k, 0",
            ".for k 0, 8",
            ".for 0, 8",
            ".for",
            ".fro k, 0, limit",
            ".for k, 0, limt",
            ".for k, 0, #limit",
            "for k, 0, limit",
            ".for (k = 0; k < 8; k++)",
        ],
    ),
    (
        ".endfor",
        &[
            ".end",
            ".next",
            ".next k",
            ".endf",
            ".endif",
            ".endrepeat",
            "; .endfor",
            "endfor",
            ".endfro",
            ".rof",
            "next",
        ],
    ),
    (
        ".if   limit > 4",
        &[
            ".fi limit > 4",
            "if limit > 4",
            ".if",
            ".if limit > ",
            ".if limt > 4",
            ".if limit > 4 > 3",
            ".if (limit > 4",
            ".ifdef",
        ],
    ),
    (".endif", &[".fi", ".end", "endif", ".endfi", "; .endif", ".endwhen", ".endi"]),
    (
        "loop: lda  n",
        &[
            "loop lda n",
            "loop lda #1",
            "loop: lda n sta n",
            "loop: lda n lda n",
            "loop: loop2 lda n",
            "loop : : lda n",
            "@loop: lda n",
            "loop inc n",
            "loop; lda n",
            "loop\n lda n",
            "loop: lda n .ram m",
            "lööp: lda n\n jmp loop\nloop: jmp lööp",
            "lada: ldx n\nloop: lda n",
            "loop: lda #'é'\n lda n",
            "loop: lda n\n sta PADROW",
        ],
    ),
    (
        "      read_table squares",
        &[
            " read_table",
            " read_table square",
            " read_table n",
            " read_table squares, n",
            " squares",
            " readtable squares",
            " read_table squares\n.extend squares, 5\n.extend squares, 6",
            " lda squares",
        ],
    ),
    (
        "      call double",
        &[
            " call",
            " call duoble",
            " call n",
            " double",
            " jsr double",
            " call double, n",
            " call start",
            " return",
        ],
    ),
    (
        ".while n < #100",
        &[
            ".while n < 100",
            ".while n",
            ".while n = #100",
            ".while n < #300",
            ".while",
            "while n < #100",
            ".wihle n < #100",
            ".while #1 < #2",
            ".while n < #3 < #4",
            ".until n < #100",
            ".while n < #100 {",
        ],
    ),
    (".endwhile", &[".wend", ".end", "endwhile", ".endw", "; .endwhile", ".endfor", ".loop", ".endwhiel"]),
    (
        "halt: jmp  halt",
        &[
            "halt",
            "halt: jmp hlat",
            "halt: jmp n",
            "halt: jpm halt",
            "halt jmp halt",
            "halt: jmp halt*2",
            "halt: jmp #halt",
            "halt: jmp 5000",
            " hlt",
            "stop",
            "halt: goto halt",
            "halt: jmp (halt)\n db \"x\"",
            "halt: jmp halt\n .word 1, 2",
            "halt: jmp halt\n .word 70000",
            "halt: jmp halt\n .org 5000",
            "halt: jmp halt\n .align 4",
            "halt: jmp halt\n .assert limit == 9, \"nine\"",
            "halt: jmp halt\n .error \"stop\"",
            "halt: jmp halt\n .allow nothing",
            "halt: jmp halt\n .break",
            "halt: jmp halt\n.endmacro",
            "halt: jmp halt\n .end",
            "halt: jmp halt\n set16 list, #70000",
            "halt: jmp halt\n inc #5",
            "halt: jmp halt\n jeq #1, nmae",
            "halt: jmp halt\n add16 n",
            "halt: jmp halt\n ad16 list, n",
            "halt: jmp halt\n nop",
            "halt: jmp halt\n push n",
            "halt: jmp halt\n xro #1",
            "halt: jmp halt\n sta halt",
            "halt: jmp halt\n lda #“a”",
            "halt: jmp halt\n lda n ' comment",
            "halt: jmp halt\n lda n -- comment",
            "halt: jmp halt\n .macro m\n m\n.endmacro\n m",
        ],
    ),
    (
        ".include \"lib/all.g1\"",
        &[
            ".include \"lib/al.g1\"",
            ".include lib/all.g1",
            ".inculde \"lib/all.g1\"",
            "#include \"lib/all.g1\"",
            "include \"lib/all.g1\"",
            ".include \"lib/all.g1",
            ".include \"lib/all.g1\" n",
            ".include <lib/all.g1>",
            ".import \"lib/all.g1\"",
            ".include \"nowhere/all.g1\"",
            "; .end\n.include 'lib/all.g1'",
        ],
    ),
];

/// Lines that may be left out or repeated: each is a slip.
fn left_out() -> impl Iterator<Item = (String, String)> {
    let blocks = [".end", ".for", ".if", ".while", ".when", ".repeat", ".macro", ".routine"];
    PROGRAM
        .lines()
        .enumerate()
        .filter(move |(_, line)| blocks.iter().any(|block| line.starts_with(block)))
        .map(|(at, line)| {
            let rest: Vec<&str> =
                PROGRAM.lines().enumerate().filter(|(other, _)| *other != at).map(|(_, line)| line).collect();
            (format!("without {line}"), rest.join("\n"))
        })
}

/// A letter of each word typed wrong, once.
fn mistyped() -> impl Iterator<Item = (String, String)> {
    let words = PROGRAM.match_indices(|c: char| c.is_ascii_alphabetic());
    let starts = words.filter(|(at, _)| {
        *at == 0
            || !PROGRAM.as_bytes()[at - 1].is_ascii_alphanumeric()
                && !matches!(PROGRAM.as_bytes()[at - 1], b'_' | b'"' | b'/')
    });
    starts.flat_map(|(at, _)| {
        let rest = &PROGRAM[at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
        let line = PROGRAM[..at].rsplit('\n').next().unwrap_or_default();
        let word = &rest[..length];
        // That of the first word of a program may be any.
        let is_typed = length > 3 && !line.contains('"') && word != "start";
        let letters: Vec<char> = word.chars().collect();
        let typed =
            |letters: &[usize]| -> String { letters.iter().filter_map(|&at| word.chars().nth(at)).collect() };
        let order: Vec<usize> = (0..letters.len()).collect();
        let wrong = if is_typed {
            let (mut swapped, mut dropped) = (order.clone(), order);
            swapped.swap(1, 2);
            dropped.remove(length - 2);
            vec![typed(&swapped), typed(&dropped)]
        } else {
            Vec::new()
        };
        let line = PROGRAM[..at].lines().count();
        wrong.into_iter().filter(move |wrong| wrong != word).map(move |wrong| {
            (format!("{wrong} in {line}"), format!("{}{wrong}{}", &PROGRAM[..at], &rest[length..]))
        })
    })
}

fn changed() -> impl Iterator<Item = (String, String)> {
    SLIPS.into_iter().flat_map(|(line, others)| {
        let at = PROGRAM.find(&format!("\n{line}")).map_or(0, |at| at + 1);
        let end = at + PROGRAM[at..].find('\n').expect("a line");
        others
            .iter()
            .map(move |other| ((*other).to_owned(), format!("{}{other}{}", &PROGRAM[..at], &PROGRAM[end..])))
    })
}

fn messages(source: &str) -> Vec<Diagnostic> {
    let loader = MemoryLoader::new([("slip.g1", source.as_bytes())]);
    assemble(&loader, "slip.g1", &Options::default()).report.diagnostics
}

#[test]
fn one_slip_gives_one_message() {
    assert!(messages(PROGRAM).is_empty(), "{:#?}", messages(PROGRAM));
    let (mut slips, mut reported, mut many) = (0, 0, Vec::new());
    for (slip, source) in changed().chain(left_out()).chain(mistyped()) {
        let found = messages(&source);
        slips += 1;
        reported += found.len();
        if found.len() != 1 {
            let found: Vec<String> = found
                .iter()
                .map(|diagnostic| {
                    let line =
                        diagnostic.span.map_or(0, |span| source[..span.start as usize].lines().count());
                    format!("{line}: {} {:?}", diagnostic.message, diagnostic.help)
                })
                .collect();
            many.push((slip, found));
        }
    }
    println!("{slips} slips, {reported} messages");
    assert!(slips >= 300, "only {slips} slips");
    assert!(many.is_empty(), "{} of {slips}: {many:#?}", many.len());
}
