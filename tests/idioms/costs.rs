//! The costs of each idiom, which the comments of the library state, are measured.
//!
//! ```text
//! ;     divide x, y     5 words + 26 once    97 to 155 cycles
//! ```
//!
//! A comment contains an example of a call, the words of the call, the words of a routine that all calls share, and the
//! fewest and the most cycles.

use crate::support::{Bench, long_pairs, scatter};
use gray1_assembler::format;
use std::collections::BTreeMap;
use test_support::library::{library_folder, program};
use test_support::say;

/// An example in a comment.
#[derive(Debug)]
pub struct Example {
    place: String,
    pub library: String,
    pub call: String,
    words: usize,
    once: usize,
    /// `None` if the idiom waits for a key or a pad.
    pub cycles: Option<(u64, u64)>,
}

/// Bytes for which idioms take few or many cycles. Routines are measured with all bytes.
const EDGE_BYTES: [u8; 20] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 99, 100, 127, 128, 200, 232, 254, 255];

#[test]
fn every_idiom_costs_what_its_comment_says() {
    let examples = examples();
    let mut wrong = Vec::new();
    for example in &examples {
        let measured = measure(example);
        let said = (example.words, example.once, example.cycles);
        if measured != said {
            wrong
                .push(format!("{}: `{}` says {said:?}, but takes {measured:?}", example.place, example.call));
        }
    }
    assert!(wrong.is_empty(), "words, words once, cycles:\n{}", wrong.join("\n"));
    say(&format!("{} examples", examples.len()));
}

#[test]
fn every_macro_for_programs_has_an_example() {
    let examples = examples();
    let mut macros = 0;
    for (_, text) in files() {
        for line in text.lines() {
            let Some(rest) = line.strip_prefix(".macro ") else { continue };
            let name = rest.split_whitespace().next().expect("a name");
            if name.starts_with('_') {
                continue;
            }
            let shown = examples.iter().any(|example| example.call.split_whitespace().next() == Some(name));
            assert!(shown, "{name} has no line that says what it costs");
            macros += 1;
        }
    }
    assert!(macros > 0);
}

#[test]
fn every_library_file_is_formatted() {
    for (name, text) in files() {
        let formatted = format(&name, text.as_bytes()).expect("a source without mistakes");
        assert_eq!(text, formatted, "{name}: bring it there with `gray1 fmt`");
    }
}

#[test]
fn a_second_use_of_a_routine_costs_two_words_more() {
    let mut routines = 0;
    for Example { library, call, words, once, .. } in examples() {
        if once > 0 {
            let (program, _) = program(&format!("      {call}\n      {call}"), &library);
            let uses = program.words.iter().take_while(|word| program.chain(word).next().is_some()).count();
            let routines_of_one = if call.contains("_word ") { 2 } else { 1 };
            assert_eq!(uses, 2 * (words + 2 * routines_of_one), "{call}");
            routines += 1;
        }
    }
    assert!(routines > 0);
}

/// The files of the library, by name.
fn files() -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(library_folder()).expect("the folder of the library");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect()
}

pub fn examples() -> Vec<Example> {
    let mut examples = Vec::new();
    for (library, text) in files() {
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{library}:{number}");
            let Some(line) = line.strip_prefix(";     ") else { continue };
            examples.push(example(&place, &library, line).unwrap_or_else(|| panic!("{place}: {line}")));
        }
    }
    examples
}

fn example(place: &str, library: &str, line: &str) -> Option<Example> {
    let (before, after) = line.split_once(" word")?;
    let (call, words) = before.rsplit_once(' ')?;
    let after = after.strip_prefix('s').unwrap_or(after).trim();
    let (once, after) = match after.strip_prefix("+ ") {
        Some(rest) => rest.split_once(" once")?,
        None => ("0", after),
    };
    let cycles = match after.trim() {
        "as long as it takes" => None,
        text => {
            let numbers = text.strip_suffix('s').unwrap_or(text).strip_suffix(" cycle")?;
            let (least, most) = numbers.split_once(" to ").unwrap_or((numbers, numbers));
            Some((least.parse().ok()?, most.parse().ok()?))
        }
    };
    Some(Example {
        place: place.to_owned(),
        library: library.to_owned(),
        call: call.trim().to_owned(),
        words: words.parse().ok()?,
        once: once.parse().ok()?,
        cycles,
    })
}

/// The words of the call, the words of its routine, and the cycles.
fn measure(example: &Example) -> (usize, usize, Option<(u64, u64)>) {
    let (program, sources) = program(&format!("      {}", example.call), &example.library);
    let lines = program.words.iter().map(|word| {
        let outermost = program.chain(word).last().map_or(word.span, |caller| caller.span);
        sources.position(outermost).line
    });
    let lines: Vec<usize> = lines.collect();
    let words = lines.iter().filter(|&&line| line == 1).count();
    let once = lines.iter().filter(|&&line| line >= INCLUDE_LINE).count();
    let all: Vec<u8> = (0..=255).collect();
    let bytes = if once > 0 { &all[..] } else { &EDGE_BYTES[..] };
    let is_long = example.call.split_once(' ').is_some_and(|(name, _)| name.ends_with("32"));
    let cycles = example.cycles.map(|_| match is_long {
        true => cycles_of_long(&mut Bench::of(program)),
        false => cycles(&mut Bench::of(program), &example.call, bytes),
    });
    (words, once, cycles)
}

/// The line in which a bench includes the library, if its program has one line. The array comes after it.
const INCLUDE_LINE: usize = 14;

/// The fewest and the most cycles over all pairs of these bytes.
fn cycles(bench: &mut Bench, call: &str, bytes: &[u8]) -> (u64, u64) {
    let size = call.rsplit(", ").find_map(|operand| operand.parse::<usize>().ok());
    let size = size.or_else(|| call.strip_prefix("switch ")?.split(',').next()?.parse().ok());
    let (mut least, mut most) = (u64::MAX, 0);
    for &p in bytes {
        for &q in bytes {
            let seed = u32::from(p) * 256 + u32::from(q);
            bench.state.a = p;
            bench.state.c = scatter(seed) % 2 == 1;
            if let Some(size) = size {
                bench.state.a = (scatter(seed) as usize % size) as u8;
            }
            if call.starts_with("bit_number") {
                bench.set("x", q.max(1));
            } else {
                bench.set("x", q);
            }
            bench.set("y", p);
            bench.set_wide("w", u16::from_le_bytes([p, q]));
            for v in [scatter(seed) as u16, u16::from_le_bytes([p, q]), u16::from_le_bytes([p, q ^ 1])] {
                bench.set_wide("v", v);
                let taken = bench.run().cycles;
                (least, most) = (least.min(taken), most.max(taken));
            }
        }
    }
    (least, most)
}

/// The fewest and the most cycles over pairs of numbers of 32 bits.
fn cycles_of_long(bench: &mut Bench) -> (u64, u64) {
    let mut taken = Vec::new();
    for (w, v) in long_pairs() {
        bench.set_long("w", w);
        bench.set_long("v", v);
        taken.push(bench.run().cycles);
    }
    (taken.iter().copied().min().expect("a run"), taken.into_iter().max().expect("a run"))
}
