//! Checks the example programs in the documents. Each is assembled, and its result is compared with the next block, if
//! the language of the block says so:
//!
//! ```text
//!   g1            assembles without errors
//!   g1,error      has errors; the next block is the complete report, likewise with g1,warning
//!   g1,listing    the next block is its listing
//!   g1,run        runs until it halts, without a warning; the next block is what it sends to the output port
//!   g1,display    the next block is the display at the end: g green, r red, a amber, . dark
//! ```
//!
//! All examples have the layout of `gray1 fmt`. `UPDATE=1` formats them; run again, it rewrites the next blocks. The
//! path of an example is `programs/example.g1`. A block with a file name is a file for `console.rs`; only its layout is
//! checked.

use crate::document::{Document, all, writing};
use gray1_assembler::{Assembly, Options, assemble, format};
use gray1_isa::Image;
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, RED};
use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::Sent;
use test_support::golden;
use test_support::programs::{WithFolder, folder};

/// The limit on the cycles of an example.
const MAX_CYCLES: u64 = 10_000_000;

/// The bytes sent to the output port, and the display at the end.
fn run(image: &Image) -> (String, String) {
    let mut engine = IsaEngine::power_up(image, Noise::Random(1));
    let mut sent = Sent::default();
    engine.run(MAX_CYCLES, &mut sent).expect("the board settles");
    assert!(engine.halted(), "the example does not halt");
    let ram = engine.state().ram;
    let mut display = String::new();
    for row in 0..DISPLAY_SIZE {
        for column in 0..DISPLAY_SIZE {
            let lit = |plane: u16| ram[usize::from(plane) + row] >> column & 1 == 1;
            display.push(match (lit(GREEN), lit(RED)) {
                (false, false) => '.',
                (true, false) => 'g',
                (false, true) => 'r',
                (true, true) => 'a',
            });
        }
        display.push('\n');
    }
    (String::from_utf8_lossy(&sent.0).into_owned(), display)
}

/// The text that the block after an example must have, if any.
fn outcome(kind: &str, assembly: &Assembly, place: &str) -> Option<String> {
    let report = assembly.report.render(false);
    let expects_errors = kind == "g1,error";
    assert_eq!(assembly.program.is_none(), expects_errors, "{place}:\n{report}");
    let silent = assembly.report.diagnostics.is_empty();
    match (kind, &assembly.program) {
        ("g1", Some(_)) => None,
        ("g1,error" | "g1,warning", _) => {
            assert!(!silent, "{place}: there is no warning");
            Some(report.trim().to_owned() + "\n")
        }
        ("g1,listing", Some(program)) => Some(program.listing(&assembly.report.sources)),
        ("g1,run" | "g1,display", Some(program)) => {
            assert!(silent, "{place}:\n{report}");
            let (sent, display) = run(&program.image);
            let text = if kind == "g1,run" { sent } else { display };
            Some(text.trim_end().to_owned() + "\n")
        }
        _ => panic!("{place}: there are no examples of the kind `{kind}`"),
    }
}

/// Checks the examples of a document, and returns their number.
fn check(document: &Document) -> usize {
    let blocks = document.blocks();
    let mut changes = Vec::new();
    let mut examples = 0;
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.info.starts_with("g1")) {
        let place = format!("{}:{}", document.path, block.line);
        if let Ok(formatted) = format("example.g1", block.text.as_bytes())
            && formatted != block.text
        {
            assert!(golden::updates(), "{place}: not in the layout of `gray1 fmt`; UPDATE=1 changes it");
            changes.push((block.range.clone(), formatted));
            continue;
        }
        if !is_example(block.info) {
            continue;
        }
        examples += 1;
        let assembly =
            assemble(&WithFolder { source: block.text, folder: folder() }, "example.g1", &Options::default());
        let Some(expected) = outcome(block.info, &assembly, &place) else { continue };
        let next = blocks.get(index + 1).filter(|next| !is_example(next.info));
        let next = next.unwrap_or_else(|| panic!("{place}: no block behind it says what comes of it"));
        if golden::updates() {
            changes.push((next.range.clone(), expected));
        } else {
            assert_eq!(next.text, expected, "{place}");
        }
    }
    if !changes.is_empty() {
        document.rewrite(changes);
    }
    examples
}

fn is_example(info: &str) -> bool {
    info.starts_with("g1") && !info.contains(' ')
}

#[test]
fn examples_give_the_documented_results() {
    let _guard = writing();
    let examples: usize = all().iter().map(check).sum();
    println!("{examples} examples");
    assert!(examples > 0);
}
