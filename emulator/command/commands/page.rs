//! `gray1 page`: puts a program into the page that runs the machine in a browser, as a single file to share.

use crate::ending::Ending;
use crate::support::choice::choice;
use crate::support::files::{self, FileError, shown};
use crate::support::known;
use crate::support::machine::{EngineKind, read_script};
use crate::support::output::put;
use crate::support::source::{AssemblerArguments, Callbacks, Text, show, text};
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

/// The element of the page that contains the program as JSON.
const PLACE: &str = "<script type=\"application/json\" id=\"program\">";
const PLACE_END: &str = "</script>";
/// The program of the page beside lessons that come without one.
const BESIDE_LESSONS: &str = "queens.g1";
/// The file that `emulator/views/page/build` makes.
const BUILT: &str = "gray1.html";

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, with the files it includes, or an image; with --lesson it may be left out
    #[arg(value_parser = known::program(), hide_possible_values = true, required_unless_present = "lesson")]
    file: Option<PathBuf>,
    /// Where to write
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// The page to put the program into; without it, the one that emulator/views/page/build has built
    #[arg(long, value_name = "BUILT.html")]
    page: Option<PathBuf>,
    /// Put this lesson beside the others, and open it; may be given several times
    #[arg(long, value_name = "FILE.md")]
    lesson: Vec<PathBuf>,
    /// Define a constant before the program begins
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// Open the program at this cycle of its run
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycle: Option<u64>,
    /// The phase of the cycle after which it opens; 0 is the start of the cycle
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3), requires = "cycle")]
    phase: u8,
    #[command(flatten)]
    machine: MachineOptions,
}

/// How the page builds the machine, and its inputs. The page has defaults for what is not given here.
#[derive(clap::Args)]
struct MachineOptions {
    /// The engine that runs long stretches; the results are the same
    #[arg(long, value_parser = choice(ENGINES))]
    engine: Option<EngineKind>,
    /// What RAM holds at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", value_parser = noise)]
    ram: Option<String>,
    /// Press pads and keys at given cycles
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Change a cell of a ROM: `ALUL:0x2AA=0x0B`
    #[arg(long, value_name = "CHIP:ADDRESS=VALUE")]
    cell: Vec<String>,
}

/// The engines of the page.
const ENGINES: [(&str, &str, EngineKind); 2] = [
    ("chips", "Look up every chip of the board, phase by phase", EngineKind::Chips),
    ("isa", "Run long stretches instruction by instruction", EngineKind::Isa),
];

/// The program in the format that the page reads. The page uses the same data in its links.
#[derive(Default, Serialize)]
struct Placed {
    name: String,
    /// The source; none for a program that the page has.
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
    /// The names of the files of lessons, and their texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lessons: Vec<(String, String)>,
    /// The pane that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    tab: Option<&'static str>,
}

/// The options of a run in the format that the page reads.
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
    /// The options in the format that the page reads, or `None` if all have their defaults.
    fn placed(&self) -> Result<Option<Options>, Box<dyn Error>> {
        let MachineOptions { engine, ram, input, cell } = self;
        let mut board = Board::gray1();
        for cell in cell {
            board.change(&cell.parse()?).map_err(|error| format!("--cell: {error}"))?;
        }
        let input = input.as_deref().map(read_script).transpose()?.map(|(text, _)| text);
        let is_given = engine.is_some() || ram.is_some() || input.is_some() || !cell.is_empty();
        let options = Options { engine: *engine, ram: ram.clone(), cells: cell.clone(), input };
        Ok(is_given.then_some(options))
    }
}

/// Checks the value of `--ram`.
fn noise(words: &str) -> Result<String, String> {
    Noise::from_str(words).map(|_| words.to_owned()).map_err(|error| error.to_string())
}

pub fn page(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let assembler = AssemblerArguments::with_constants(&arguments.define)?;
    let lessons = lessons(&arguments.lesson)?;
    let program = match &arguments.file {
        Some(file) => placed(file, &assembler)?,
        None => Placed { name: BESIDE_LESSONS.to_owned(), ..Placed::default() },
    };
    let program = Placed {
        tab: (!lessons.is_empty()).then_some("lesson"),
        lessons,
        options: arguments.machine.placed()?,
        cycle: arguments.cycle,
        phase: arguments.cycle.map(|_| arguments.phase),
        ..program
    };
    let (path, page) = built(arguments.page.as_deref())?;
    let page = with_program(&page, &program).ok_or_else(|| {
        format!(
            "{}: not a page that a program can be put into: build one with emulator/views/page/build",
            shown(&path)
        )
    })?;
    put(&arguments.output, page.as_bytes())?;
    Ok(Ending::Done)
}

/// The lessons, each read once to see that it has no fault: the names of their files, and their texts.
fn lessons(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Box<dyn Error>> {
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

/// The program with all its source files. Fails if the program has errors.
fn placed(file: &Path, assembler: &AssemblerArguments) -> Result<Placed, Box<dyn Error>> {
    let constants = assembler.constants().iter().cloned().collect();
    let found = match text(file)? {
        Text::Image(image) => {
            let name =
                file.with_extension("g1").file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(Placed { name, text: Some(disassemble(&image)), constants, ..Placed::default() });
        }
        Text::Source(found) => found,
    };
    let sources = assembler.assemble(found, Callbacks::new(&mut show))?.1.sources;
    let paths: Vec<&str> = sources.paths().collect();
    // If all files are in the folder of the program, their paths are made relative to it. Includes stay valid.
    let folder = paths[0].rsplit_once('/').map_or("", |(folder, _)| &paths[0][..=folder.len()]);
    let own = || paths.iter().zip(0..).filter(|(path, number)| *number == 0 || !is_built_in(path));
    let folder = if own().all(|(path, _)| path.starts_with(folder)) { folder } else { "" };
    let mut files: BTreeMap<String, String> = own()
        .map(|(path, number)| (path[folder.len()..].to_owned(), sources.text(number).to_owned()))
        .collect();
    let path = &paths[0][folder.len()..];
    let text = Some(files.remove(path).unwrap_or_default());
    let name = path.strip_prefix(BUILT_IN).unwrap_or(path).to_owned();
    Ok(Placed { name, text, files, constants, ..Placed::default() })
}

/// The built page: the one given by `--page`, or else the first one found beside this program, in the folder where it
/// is built, or where packages install it.
fn built(named: Option<&Path>) -> Result<(PathBuf, String), Box<dyn Error>> {
    if let Some(path) = named {
        return Ok((path.to_owned(), files::read_text(path)?));
    }
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new(""));
    let around = folder.parent().unwrap_or(Path::new(""));
    let installed = around.join("share/gray1").join(BUILT);
    // In a clone: where it is built, and where it stands built.
    let own = ["target/page", "docs"].map(|folder| Path::new(folder).join(BUILT));
    let beside = [around.join("page"), around.join("../docs")].map(|folder| folder.join(BUILT));
    for path in [folder.join(BUILT), installed.clone()].into_iter().chain(beside).chain(own) {
        match files::read_text(&path) {
            Err(FileError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
            text => return Ok((path, text?)),
        }
    }
    // Only a program that is installed has a folder of its own for the page.
    let place = if folder.ends_with("bin") {
        format!(", or copy it to {}", shown(&installed))
    } else {
        String::new()
    };
    Err(format!(
        "the page {BUILT} is not here: in a clone of the sources it is docs/{BUILT}, or emulator/views/page/build \
         makes it; name it with --page{place}"
    )
    .into())
}

/// The page with its program replaced. `None` if the page has no place for a program.
fn with_program(page: &str, program: &Placed) -> Option<String> {
    let (before, rest) = page.split_once(PLACE)?;
    let (_, after) = rest.split_once(PLACE_END)?;
    // The text of the program must not contain the end tag of the element.
    let json = serde_json::to_string(program).ok()?.replace('<', "\\u003c");
    Some(format!("{before}{PLACE}{json}{PLACE_END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_takes_the_place_of_another_and_cannot_leave_it() {
        let page = |inside: &str| format!("<p>before</p>{PLACE}{inside}{PLACE_END}<script>after</script>");
        let program =
            |text: &str| Placed { name: "a.g1".to_owned(), text: Some(text.to_owned()), ..Placed::default() };
        let first = with_program(&page("null"), &program("; </script><script>alert(1)</script>\n")).unwrap();
        assert_eq!(first.matches("<script>").count(), 1);
        let json = &first[first.find('{').unwrap()..=first.rfind('}').unwrap()];
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(read["text"], "; </script><script>alert(1)</script>\n");
        let second = with_program(&first, &program("x")).unwrap();
        assert_eq!(second, page(r#"{"name":"a.g1","text":"x"}"#));
        assert_eq!(with_program("<html></html>", &program("")), None);
    }
}
