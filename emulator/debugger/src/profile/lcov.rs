//! A profile as a file for lcov, genhtml, and editors that show coverage.

use crate::profile::counts::{Kind, Profile};
use gray1_assembler::BUILT_IN;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The coverage of a file: its lines, and the routines that begin there with their calls.
#[derive(Default)]
struct Covered<'a> {
    lines: BTreeMap<u64, u64>,
    routines: Vec<(u64, &'a str, u64)>,
}

impl Profile {
    /// The number of runs of each line, and of calls of each routine and macro. The files of the built-in library
    /// are left out: they are not on disk.
    pub fn lcov(&self) -> String {
        let mut files: BTreeMap<&str, Covered> = BTreeMap::new();
        for line in &self.lines {
            if let Some((file, number)) = place(&line.source) {
                files.entry(file).or_default().lines.insert(number, line.runs);
            }
        }
        for routine in self.routines.iter().filter(|routine| routine.kind != Kind::Program) {
            if let Some((file, number)) = routine.source.as_deref().and_then(place) {
                files.entry(file).or_default().routines.push((number, &routine.name, routine.calls));
            }
        }
        let mut text = String::new();
        for (file, Covered { lines, routines }) in files {
            let _ = writeln!(text, "TN:\nSF:{file}");
            for (line, name, _) in &routines {
                let _ = writeln!(text, "FN:{line},{name}");
            }
            for (_, name, calls) in &routines {
                let _ = writeln!(text, "FNDA:{calls},{name}");
            }
            let _ = writeln!(text, "FNF:{}\nFNH:{}", routines.len(), routines.len());
            for (line, runs) in &lines {
                let _ = writeln!(text, "DA:{line},{runs}");
            }
            let reached = lines.values().filter(|&&runs| runs > 0).count();
            let _ = writeln!(text, "LF:{}\nLH:{reached}\nend_of_record", lines.len());
        }
        text
    }
}

/// Splits a source into its file and line. A shipped program is named as `gray1 examples` writes it.
fn place(source: &str) -> Option<(&str, u64)> {
    let (file, line) = source.rsplit_once(':')?;
    let file = match file.strip_prefix(BUILT_IN) {
        Some(of_library) if of_library.contains('/') => return None,
        shipped => shipped.unwrap_or(file),
    };
    Some((file, line.parse().ok()?))
}
