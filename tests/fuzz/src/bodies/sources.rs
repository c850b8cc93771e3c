//! Sources: for any text, the assembler ends soon, formatting changes only the layout, and an image can be disassembled
//! and assembled again.

use super::{MAX_ANSWER, drawn, text};
use gray1_assembler::{Loaded, Loader, MemoryLoader, Options, assemble, disassemble, format};
use gray1_isa::Image;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::io;
use test_support::random::sources::{PIECES, program};

const NAME: &str = "p.g1";
/// The limit on the work of the assembler, measured by how often it asks whether to stop.
const MAX_STOP_CHECKS: u64 = 3_000;

/// A program that is mostly correct, fragments of the language, or fragments inserted into a program.
pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let pieces = || prop::collection::vec(prop::sample::select(PIECES), 0..80).prop_map(|all| all.concat());
    let within = (program(), pieces(), any::<prop::sample::Index>()).prop_map(|(mut text, piece, at)| {
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        text.insert_str(places[at.index(places.len())], &piece);
        text
    });
    drawn(runner, &prop_oneof![program(), pieces(), within]).into_bytes()
}

pub fn check(case: &[u8]) {
    let image = assembled(case);
    if let Ok(once) = format(NAME, case) {
        assert_eq!(
            format(NAME, once.as_bytes()).ok().as_ref(),
            Some(&once),
            "formatted twice:\n{}",
            text(case)
        );
        assert_eq!(assembled(once.as_bytes()), image, "formatted:\n{once}");
    }
    if let Some(image) = image {
        let again = disassemble(&image);
        assert_eq!(assembled(again.as_bytes()), Some(image), "disassembled:\n{again}");
    }
}

/// Counts how often the assembler asks whether to stop.
struct Counting {
    files: MemoryLoader,
    looks: Cell<u64>,
}

impl Loader for Counting {
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        self.files.load(path, from)
    }

    fn is_stopped(&self) -> bool {
        self.looks.set(self.looks.get() + 1);
        self.looks.get() > 2 * MAX_STOP_CHECKS
    }
}

/// The image of a source without errors. Messages, listing and symbols are made too, since making them must not fail.
pub fn assembled(source: &[u8]) -> Option<Image> {
    let loader = Counting { files: MemoryLoader::new([(NAME, source)]), looks: Cell::new(0) };
    let assembly = assemble(&loader, NAME, &Options::default());
    assert!(loader.looks.get() <= MAX_STOP_CHECKS, "{} looks", loader.looks.get());
    for coloured in [false, true] {
        let report = assembly.report.render(coloured);
        assert!(report.len() < MAX_ANSWER, "{} bytes of messages", report.len());
    }
    let program = assembly.program?;
    let _ = program.listing(&assembly.report.sources);
    let _ = program.symbol_file(&assembly.report.sources);
    Some(program.image)
}
