//! The programs to compare, assembled once for each value of N.

use crate::support::files::shown;
use crate::support::source::{AssemblerArguments, Text, read_program, show};
use gray1_assembler::{Diagnostic, Program, Report, Symbol, SymbolKind};
use gray1_isa::Image;
use gray1_text::{THOUSANDS, quantity, visible};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the constant that sets the size of the problem.
const N: &str = "N";
/// The prefix of labels, or of constants with the value `here`, at which a program examines a position.
const POSITION: &str = "_position";
/// The maximum of N. A larger one is probably a typing error, and each value costs a run of the assembler.
const MAX_N: u64 = 99;

/// A program ready to run.
pub struct Entry {
    /// The name in the results.
    pub name: String,
    /// The size of the problem, if the program defines it.
    pub n: Option<u64>,
    pub image: Image,
    /// The memory that the program needs; `None` for an image.
    pub size: Option<Size>,
    /// The sequence numbers at which the program examines a position, if the source marks them.
    pub positions: BTreeSet<u16>,
}

/// The memory that a program needs.
pub struct Size {
    pub words: usize,
    /// The number of named bytes of RAM.
    pub ram: u64,
}

/// A range of N, including both ends.
#[derive(Clone, Copy)]
pub struct Range {
    first: u64,
    last: u64,
}

/// Formats the name, followed by N if the program defines it.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n {
            Some(n) => write!(f, "{} (N = {n})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl Range {
    /// Parses `4` or `4..12`.
    pub fn parse(text: &str) -> Result<Range, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let [first, last] =
            [first, last].map(|text| quantity(text, &THOUSANDS).filter(|n| (1..=MAX_N).contains(n)));
        match (first, last) {
            (Some(first), Some(last)) if first <= last => Ok(Range { first, last }),
            _ => Err(format!("write a number, or two as in `4..12`, from 1 to {MAX_N}")),
        }
    }
}

/// Assembles the programs. A program that takes N becomes an entry for each value of the range.
pub fn entries(
    files: &[PathBuf],
    range: Option<Range>,
    assembler: &AssemblerArguments,
) -> Result<Vec<Entry>, Box<dyn Error>> {
    let mut entries = Vec::new();
    let mut is_used = false;
    for (path, name) in files.iter().zip(names(files)) {
        let found = match read_program(path)? {
            Text::Image(image) => {
                entries.push(Entry { name, n: None, image, size: None, positions: BTreeSet::new() });
                continue;
            }
            Text::Source(found) => found,
        };
        let (program, _) = assembler.assemble(found.clone(), &mut show)?;
        match range.filter(|_| program.defaults.iter().any(|default| default == N)) {
            None => entries.push(entry(name, program)),
            Some(Range { first, last }) => {
                is_used = true;
                // The warnings have been printed for the default of N.
                let mut show_errors = |report: &Report| {
                    if report.diagnostics.iter().any(Diagnostic::is_error) {
                        show(report);
                    }
                };
                for n in first..=last {
                    let mut options = assembler.options();
                    options.constants.push((N.to_owned(), n as i64));
                    let assembled =
                        assembler.assemble_with(found.clone(), &options, &mut show_errors, &|| false)?;
                    entries.push(entry(name.clone(), assembled.0));
                }
            }
        }
    }
    if range.is_some() && !is_used {
        return Err("--n: none of these programs takes N: give N a default in the source, as in \
                    `N ?= 8`"
            .into());
    }
    Ok(entries)
}

fn entry(name: String, program: Program) -> Entry {
    let takes_n = program.defaults.iter().any(|default| default == N);
    let constant =
        program.symbols.iter().find(|symbol| symbol.kind == SymbolKind::Constant && symbol.name == N);
    let n = constant.filter(|_| takes_n).and_then(|symbol| symbol.value.try_into().ok());
    // A name with a dot is a local label within a marked label, not a marker.
    let is_position = |symbol: &&Symbol| {
        let is_place = matches!(symbol.kind, SymbolKind::Label | SymbolKind::Constant);
        is_place && symbol.name.starts_with(POSITION) && !symbol.name.contains('.')
    };
    let places = program.symbols.iter().filter(is_position).map(|symbol| symbol.value);
    let positions = places.filter_map(|place| place.try_into().ok()).collect();
    let size = Size { words: program.words.len(), ram: program.ram_bytes() };
    Entry { name, n, image: program.image, size: Some(size), positions }
}

/// Names the programs: file names without folder and extension, or full paths where these would be ambiguous.
fn names(files: &[PathBuf]) -> Vec<String> {
    let stem = |path: &Path| {
        path.file_stem().map_or_else(|| shown(path), |stem| visible(&stem.display().to_string()).into_owned())
    };
    let is_unique = |path: &PathBuf| files.iter().filter(|other| stem(other) == stem(path)).count() == 1;
    let name = |path: &PathBuf| {
        let is_stream = path.as_path() == Path::new("-");
        if is_unique(path) && !is_stream { stem(path) } else { shown(path) }
    };
    files.iter().map(name).collect()
}
