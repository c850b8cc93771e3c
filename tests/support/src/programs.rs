//! Assembles the programs of `programs/` in that folder, so that they find the library.

use gray1_assembler::{Loaded, Loader, Options, Program, assemble, beside};
use std::fs;
use std::path::Path;

/// Returns the folder of the programs.
pub fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs"))
}

/// Loads a source from memory, and the files that it includes from a folder.
pub struct WithFolder<'a> {
    /// The source.
    pub source: &'a str,
    /// The folder of the included files.
    pub folder: &'a Path,
}

impl Loader for WithFolder<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
        let path = beside(from, path);
        let bytes = match from {
            None => self.source.as_bytes().to_vec(),
            Some(_) => fs::read(self.folder.join(&path))?,
        };
        Ok(Loaded { bytes, path })
    }
}

/// Assembles a program with constants, as with `-D`. The program must have neither errors nor warnings.
pub fn assembled(name: &str, constants: &[(&str, i64)]) -> Program {
    let file = format!("{name}.g1");
    let source = fs::read_to_string(folder().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let loader = WithFolder { source: &source, folder: folder() };
    let constants = constants.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let assembly = assemble(&loader, &file, &Options { constants, ..Options::default() });
    assert!(assembly.report.diagnostics.is_empty(), "{}", assembly.report.render(false));
    assembly.program.expect("a program without errors")
}
