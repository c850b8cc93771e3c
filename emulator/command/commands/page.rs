//! `gray1 page`: inserts a program into the web page that runs the machine in a browser. The result is a single file.

use crate::ending::Ending;
use crate::support::choice::choice;
use crate::support::completion;
use crate::support::files::{self, FileError, shown};
use crate::support::machine::{EngineKind, read_script};
use crate::support::output::write_file;
use crate::support::source::{AssemblerArguments, Callbacks, Text, read_program, show};
use crate::support::units::cycles;
use gray1_assembler::{BUILT_IN, disassemble, is_built_in};
use gray1_lessons::Course;
use gray1_machine::Noise;
use gray1_machine::board::Board;
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The start tag of the element that contains the program as JSON.
const SLOT_START: &str = "<script type=\"application/json\" id=\"program\">";
const SLOT_END: &str = "</script>";
/// The default program of a page with lessons.
const DEFAULT_PROGRAM: &str = "queens.g1";
/// The name of the page that `emulator/views/page/build` makes.
const PAGE_FILE: &str = "gray1.html";

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, with its included files, or an image; optional with --lesson
    #[arg(value_parser = completion::program(), hide_possible_values = true, required_unless_present = "lesson")]
    file: Option<PathBuf>,
    /// Write the page to this file
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// Insert the program into this page; the default is the page built by emulator/views/page/build
    #[arg(long, value_name = "BUILT.html")]
    page: Option<PathBuf>,
    /// Add this lesson and open it; can be repeated
    #[arg(long, value_name = "FILE.md")]
    lesson: Vec<PathBuf>,
    /// Define a constant
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// Open the page at this cycle of the run
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycle: Option<u64>,
    /// Open the page after this phase of the cycle; 0 is the start of the cycle
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3), requires = "cycle")]
    phase: u8,
    #[command(flatten)]
    machine: MachineOptions,
}

/// The options for the machine. The page has its own defaults.
#[derive(clap::Args)]
struct MachineOptions {
    /// The engine for long runs; the results are the same
    #[arg(long, value_parser = choice(ENGINES))]
    engine: Option<EngineKind>,
    /// The contents of RAM at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", value_parser = check_noise)]
    ram: Option<String>,
    /// Read an input script, which presses pads and keys at given cycles
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Change a cell of a ROM: `ALUL:0x2AA=0x0B`
    #[arg(long, value_name = "CHIP:ADDRESS=VALUE")]
    cell: Vec<String>,
}

/// The engines of the page.
const ENGINES: [(&str, &str, EngineKind); 2] = [
    ("chips", "Look up every chip of the board, phase by phase", EngineKind::Chips),
    ("isa", "Interpret the instruction set for long runs", EngineKind::Isa),
];

/// The program in the page's format, which its links use too.
#[derive(Default, Serialize)]
struct PageProgram {
    name: String,
    /// The source; `None` for a program that the page contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    constants: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<u8>,
    /// The added lessons: file name and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lessons: Vec<(String, String)>,
    /// The pane to open.
    #[serde(skip_serializing_if = "Option::is_none")]
    tab: Option<&'static str>,
}

/// The options of a run in the page's format.
#[derive(Serialize)]
struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<EngineKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ram: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<String>,
    /// The text of the input script.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
}

impl MachineOptions {
    /// Converts the options to the page's format; `None` if all have their defaults.
    fn to_page(&self) -> Result<Option<Options>, Box<dyn Error>> {
        let MachineOptions { engine, ram, input, cell } = self;
        let mut board = Board::gray1();
        for cell in cell {
            board.change(&cell.parse()?).map_err(|error| format!("--cell: {error}"))?;
        }
        let input = input.as_deref().map(read_script).transpose()?.map(|(text, _)| text);
        let is_set = engine.is_some() || ram.is_some() || input.is_some() || !cell.is_empty();
        let options = Options { engine: *engine, ram: ram.clone(), cells: cell.clone(), input };
        Ok(is_set.then_some(options))
    }
}

/// Checks the value of `--ram`.
fn check_noise(text: &str) -> Result<String, String> {
    Noise::from_str(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

pub fn page(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let assembler = AssemblerArguments::with_constants(&arguments.define)?;
    let lessons = read_lessons(&arguments.lesson)?;
    let program = match &arguments.file {
        Some(file) => load_program(file, &assembler)?,
        None => PageProgram { name: DEFAULT_PROGRAM.to_owned(), ..PageProgram::default() },
    };
    let program = PageProgram {
        tab: (!lessons.is_empty()).then_some("lesson"),
        lessons,
        options: arguments.machine.to_page()?,
        cycle: arguments.cycle,
        phase: arguments.cycle.map(|_| arguments.phase),
        ..program
    };
    let (path, page) = find_page(arguments.page.as_deref())?;
    let page = insert_program(&page, &program).ok_or_else(|| {
        format!(
            "{}: this page has no slot for a program: build one with emulator/views/page/build",
            shown(&path)
        )
    })?;
    write_file(&arguments.output, page.as_bytes())?;
    Ok(Ending::Done)
}

/// Reads lessons and checks them for errors. Returns their file names and texts.
fn read_lessons(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut course = Course::shipped();
    let mut lessons = Vec::new();
    for path in paths {
        let text = files::read_text(path)?;
        course.add(&shown(path), &text)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        lessons.push((name, text));
    }
    Ok(lessons)
}

/// Reads a program with all its source files. Fails if the program has errors.
fn load_program(file: &Path, assembler: &AssemblerArguments) -> Result<PageProgram, Box<dyn Error>> {
    let constants = assembler.constants().iter().cloned().collect();
    let found = match read_program(file)? {
        Text::Image(image) => {
            let name =
                file.with_extension("g1").file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(PageProgram {
                name,
                text: Some(disassemble(&image)),
                constants,
                ..PageProgram::default()
            });
        }
        Text::Source(found) => found,
    };
    let sources = assembler.assemble(found, Callbacks::new(&mut show))?.1.sources;
    let paths: Vec<&str> = sources.paths().collect();
    // If all files are in the program's folder, make their paths relative to it. Includes stay valid.
    let folder = paths[0].rsplit_once('/').map_or("", |(folder, _)| &paths[0][..=folder.len()]);
    let own = || paths.iter().zip(0..).filter(|(path, number)| *number == 0 || !is_built_in(path));
    let folder = if own().all(|(path, _)| path.starts_with(folder)) { folder } else { "" };
    let mut files: BTreeMap<String, String> = own()
        .map(|(path, number)| (path[folder.len()..].to_owned(), sources.text(number).to_owned()))
        .collect();
    let path = &paths[0][folder.len()..];
    let text = Some(files.remove(path).unwrap_or_default());
    let name = path.strip_prefix(BUILT_IN).unwrap_or(path).to_owned();
    Ok(PageProgram { name, text, files, constants, ..PageProgram::default() })
}

/// Finds the built page: the one given by `--page`, or else the first one beside this executable, where packages
/// install it, or in the build folders of a clone.
fn find_page(page: Option<&Path>) -> Result<(PathBuf, String), Box<dyn Error>> {
    if let Some(path) = page {
        return Ok((path.to_owned(), files::read_text(path)?));
    }
    let executable = std::env::current_exe().unwrap_or_default();
    let folder = executable.parent().unwrap_or(Path::new(""));
    let prefix = folder.parent().unwrap_or(Path::new(""));
    let installed = prefix.join("share/gray1").join(PAGE_FILE);
    // In a clone: the output folder of the build, and the copy in the repository.
    let own = ["target/page", "docs"].map(|folder| Path::new(folder).join(PAGE_FILE));
    let beside = [prefix.join("page"), prefix.join("../docs")].map(|folder| folder.join(PAGE_FILE));
    for path in [folder.join(PAGE_FILE), installed.clone()].into_iter().chain(beside).chain(own) {
        match files::read_text(&path) {
            Err(FileError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
            text => return Ok((path, text?)),
        }
    }
    // Only an installed executable has a folder for the page.
    let hint = if folder.ends_with("bin") {
        format!(", or copy it to {}", shown(&installed))
    } else {
        String::new()
    };
    Err(format!(
        "the page {PAGE_FILE} was not found: in a clone of the sources it is docs/{PAGE_FILE}, or emulator/views/page/build \
         makes it; name it with --page{hint}"
    )
    .into())
}

/// Replaces the program of a page. `None` if the page has no slot for a program.
fn insert_program(page: &str, program: &PageProgram) -> Option<String> {
    let (before, rest) = page.split_once(SLOT_START)?;
    let (_, after) = rest.split_once(SLOT_END)?;
    // The text of the program must not contain the end tag of the element.
    let json = serde_json::to_string(program).ok()?.replace('<', "\\u003c");
    Some(format!("{before}{SLOT_START}{json}{SLOT_END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_replaces_another_and_cannot_escape_its_element() {
        let page =
            |inside: &str| format!("<p>before</p>{SLOT_START}{inside}{SLOT_END}<script>after</script>");
        let program = |text: &str| PageProgram {
            name: "a.g1".to_owned(),
            text: Some(text.to_owned()),
            ..PageProgram::default()
        };
        let first =
            insert_program(&page("null"), &program("; </script><script>alert(1)</script>\n")).unwrap();
        assert_eq!(first.matches("<script>").count(), 1);
        let json = &first[first.find('{').unwrap()..=first.rfind('}').unwrap()];
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(read["text"], "; </script><script>alert(1)</script>\n");
        let second = insert_program(&first, &program("x")).unwrap();
        assert_eq!(second, page(r#"{"name":"a.g1","text":"x"}"#));
        assert_eq!(insert_program("<html></html>", &program("")), None);
    }
}
