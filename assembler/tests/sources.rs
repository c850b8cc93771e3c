//! Assembles a source that is one file.

use gray1_assembler::{Assembly, MemoryLoader, Options, Program, assemble};
use gray1_isa::Image;

pub fn assembly(source: &str) -> Assembly {
    assemble(&MemoryLoader::new([("main.g1", source)]), "main.g1", &Options::default())
}

/// The program of a source without errors.
pub fn assembled(source: &str) -> Program {
    let assembly = assembly(source);
    assembly.program.unwrap_or_else(|| panic!("{source}\n{}", assembly.report.render(false)))
}

pub fn image(source: &str) -> Image {
    assembled(source).image
}
