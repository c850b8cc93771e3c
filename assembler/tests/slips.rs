//! One slip in a correct program gives one message, which says what is wrong: hundreds of wrong sources, each derived
//! from a correct program by one slip of those that people make.

use crate::sources::assembly;
use gray1_assembler::Diagnostic;

/// A program with a bit of everything. Slips change one of its lines.
const PROGRAM: &str = include_str!("slips/program.g1");

/// Slips in its lines.
const SLIPS: &str = include_str!("slips/slips.txt");

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
    let mut line = 0..0;
    SLIPS.lines().skip(1).filter_map(move |text| {
        let Some(slip) = text.strip_prefix("| ").map(|slip| slip.replace("\\n", "\n")) else {
            let start = PROGRAM.find(&format!("\n{text}")).map_or(0, |at| at + 1);
            line = start..start + PROGRAM[start..].find('\n').expect("a line");
            return None;
        };
        let source = format!("{}{slip}{}", &PROGRAM[..line.start], &PROGRAM[line.end..]);
        Some((slip, source))
    })
}

fn messages(source: &str) -> Vec<Diagnostic> {
    assembly(source).report.diagnostics
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
