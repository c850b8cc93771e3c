//! Assembles the programs of `programs/` in that folder, so that they find the library.

use gray1_assembler::{Loaded, Loader, Options, Program, assemble, beside};
use std::fs;
use std::path::Path;

/// Returns the folder of the programs.
pub fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs"))
}

struct Folder;

impl Loader for Folder {
    fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
        let path = beside(from, path);
        Ok(Loaded { bytes: fs::read(folder().join(&path))?, path })
    }
}

/// Assembles a program with constants, as with `-D`. The program must have neither errors nor warnings.
pub fn assembled(name: &str, constants: &[(&str, i64)]) -> Program {
    let constants = constants.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let assembly = assemble(&Folder, &format!("{name}.g1"), &Options { constants, ..Options::default() });
    assert!(assembly.report.diagnostics.is_empty(), "{}", assembly.report.render(false));
    assembly.program.expect("a program without errors")
}
