//! Reads programs from files: assembles sources, reads images, and prints the assembler's diagnostics.

use crate::support::completion::warning;
use crate::support::files::{self, Fault, FileError, shown, slashes};
use crate::support::message::is_quiet;
use crate::support::program::{self, ProgramFile};
use gray1_assembler::{
    Assembly, Diagnostic, Loaded, Loader, Options, Program, Report, Warning, assemble, beside, head_comment,
};
use gray1_debugger::Source;
use gray1_isa::Image;
use gray1_text::{THOUSANDS, counted, quantity, visible};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The options of every command that assembles a source.
#[derive(Default, clap::Args)]
pub struct AssemblerArguments {
    /// Define a constant; overrides a default in the source (`NAME ?= VALUE`)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_constant)]
    pub define: Vec<(String, i64)>,
    /// Silence this warning
    #[arg(long, value_name = "WARNING", value_parser = warning(parse_warning), hide_possible_values = true)]
    allow: Vec<Warning>,
    /// Treat this warning as an error; `all` means all warnings that are not silenced
    #[arg(long, value_name = "WARNING|all", value_parser = warning(parse_denied), hide_possible_values = true)]
    deny: Vec<DeniedWarning>,
    /// Also search this folder for included files, after the folder of the source
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

/// The value of `--deny`.
#[derive(Clone, Copy)]
enum DeniedWarning {
    One(Warning),
    All,
}

/// The contents of a program file.
pub enum Text {
    Source(ProgramFile),
    Image(Image),
}

/// A program read from a file.
pub struct LoadedProgram {
    pub image: Image,
    /// The comment at the beginning of the source, without the lines for tests.
    pub about: String,
    /// The assembled source; `None` for an image.
    pub assembled: Option<(Program, Report)>,
}

/// The error for a source whose diagnostics have been printed. The message is only a summary.
#[derive(Debug, Error)]
#[error("{file}: not assembled: {}", counted(*errors, "error"))]
pub struct SourceError {
    pub file: String,
    /// The line of the first error.
    pub line: Option<usize>,
    errors: usize,
}

impl AssemblerArguments {
    /// Makes options with these constants, each `NAME=VALUE`, and with all warnings enabled.
    pub fn with_constants(constants: &[String]) -> Result<AssemblerArguments, String> {
        let define = constants.iter().map(|text| parse_constant(text)).collect::<Result<_, _>>()?;
        Ok(AssemblerArguments { define, ..AssemblerArguments::default() })
    }

    /// Reads the image of a program, which is a source or an image.
    pub fn read_image(&self, path: &Path) -> Result<Image, Box<dyn Error>> {
        Ok(self.read(path)?.image)
    }

    /// Reads a program, which is a source or an image.
    pub fn read(&self, path: &Path) -> Result<LoadedProgram, Box<dyn Error>> {
        match read_program(path)? {
            Text::Image(image) => Ok(LoadedProgram { image, about: String::new(), assembled: None }),
            Text::Source(found) => {
                let about = head_comment(&String::from_utf8_lossy(&found.bytes));
                let (program, report) = self.assemble(found, &mut show)?;
                Ok(LoadedProgram { image: program.image.clone(), about, assembled: Some((program, report)) })
            }
        }
    }

    /// Reads a program for the debugger, with debug information if it is a source. `on_report` receives the assembler's
    /// diagnostics; `is_stopped` returns true to cancel.
    pub fn load_source(
        &self,
        path: &Path,
        on_report: &mut dyn FnMut(&Report),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Source, Box<dyn Error>> {
        let found = match read_program(path)? {
            Text::Image(image) => return Ok(Source::of_image(image)),
            Text::Source(found) => found,
        };
        let (program, report) = self.assemble_with(found, &self.options(), on_report, is_stopped)?;
        let source = Source::of_assembly(Assembly { program: Some(program), report });
        Ok(source.unwrap_or_else(|| Source::of_image(Image::blank())))
    }

    /// Assembles a source. `on_report` receives the diagnostics.
    pub fn assemble(
        &self,
        file: ProgramFile,
        on_report: &mut dyn FnMut(&Report),
    ) -> Result<(Program, Report), SourceError> {
        self.assemble_with(file, &self.options(), on_report, &|| false)
    }

    /// Assembles a source with other options. `is_stopped` returns true to cancel.
    pub fn assemble_with(
        &self,
        ProgramFile { path, bytes }: ProgramFile,
        options: &Options,
        on_report: &mut dyn FnMut(&Report),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(Program, Report), SourceError> {
        let root = if path == Path::new("-") { shown(&path) } else { slashes(&path) };
        let loader = Files { root: root.clone(), bytes, folders: &self.include, is_stopped };
        let Assembly { program, report } = assemble(&loader, &root, options);
        on_report(&report);
        let errors: Vec<&Diagnostic> =
            report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        let place = errors.first().and_then(|error| error.span).map(|span| report.sources.position(span));
        let file = place.as_ref().map_or(&*root, |place| &place.file);
        let error = SourceError {
            file: visible(file).into_owned(),
            line: place.as_ref().map(|place| place.line),
            errors: errors.len(),
        };
        let program = program.ok_or(error)?;
        Ok((program, report))
    }

    /// Converts the options for the assembler.
    pub fn options(&self) -> Options {
        let one = |denied: &DeniedWarning| match denied {
            DeniedWarning::One(warning) => Some(*warning),
            DeniedWarning::All => None,
        };
        Options {
            constants: self.define.clone(),
            silenced: self.allow.clone(),
            denied: self.deny.iter().filter_map(one).collect(),
            all_denied: self.deny.iter().any(|denied| one(denied).is_none()),
        }
    }
}

/// Prints the assembler's diagnostics, in colour if standard error is a terminal with colours.
pub fn show(report: &Report) {
    if !is_quiet() || report.diagnostics.iter().any(Diagnostic::is_error) {
        write_stderr(&report.render(has_colours()));
    }
}

/// Whether standard error is a terminal with colours.
pub fn has_colours() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// Writes a text to standard error.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes()); // there is nowhere else to report an error
}

/// Reads an image file.
pub fn read_image(path: &Path) -> Result<Image, FileError> {
    let ProgramFile { path, bytes } = program::read(path)?;
    if path.extension().is_some_and(|extension| extension == "g1") {
        return Err(Fault::Source.at(&path));
    }
    Image::from_bytes(&bytes).map_err(|error| Fault::Image(error).at(&path))
}

/// Reads a program file.
pub fn read_program(path: &Path) -> Result<Text, FileError> {
    let found = program::read(path)?;
    if is_source(&found.path, &found.bytes) {
        return Ok(Text::Source(found));
    }
    let image = Image::from_bytes(&found.bytes);
    Ok(Text::Image(image.map_err(|error| Fault::Image(error).at(&found.path))?))
}

/// Whether a file is a source. The extension decides; without a known extension, any text is a source.
fn is_source(path: &Path, bytes: &[u8]) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("g1") => true,
        Some("bin") => false,
        _ => {
            let is_text = |text: &str| !text.contains(|c: char| c.is_control() && !"\t\r\n".contains(c));
            std::str::from_utf8(bytes).is_ok_and(is_text)
        }
    }
}

/// Loads included files from the file system. The root file has been read already.
struct Files<'a> {
    root: String,
    bytes: Vec<u8>,
    folders: &'a [PathBuf],
    is_stopped: &'a dyn Fn() -> bool,
}

impl Loader for Files<'_> {
    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }

    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        let Some(from) = from else {
            return Ok(Loaded { path: self.root.clone(), bytes: self.bytes.clone() });
        };
        let named = beside(Some(from), path);
        let in_folders =
            self.folders.iter().map(|folder| beside(Some(&format!("{}/", slashes(folder))), path));
        for path in std::iter::once(named.clone()).chain(in_folders) {
            match files::read(Path::new(&path)) {
                Ok(bytes) => return Ok(Loaded { path, bytes }),
                Err(FileError { fault: Fault::Read(error), .. })
                    if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no file `{named}`")))
    }
}

fn parse_constant(text: &str) -> Result<(String, i64), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write a name and a value: `-D N=10`".to_owned());
    };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("`{name}` is not a name: a letter or `_`, then letters, digits, `_`"));
    }
    let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
    let number = quantity(digits, &THOUSANDS).and_then(|number| i64::try_from(number).ok());
    let number = number.ok_or_else(|| format!("`{value}` is not a number such as 10, -1 or 0x1F"))?;
    Ok((name.to_owned(), sign * number))
}

fn parse_denied(name: &str) -> Result<DeniedWarning, String> {
    if name == "all" { Ok(DeniedWarning::All) } else { parse_warning(name).map(DeniedWarning::One) }
}

fn parse_warning(name: &str) -> Result<Warning, String> {
    Warning::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Warning::ALL.iter().map(|warning| warning.name()).collect();
        format!("there is no warning with this name; the warnings are {}", names.join(", "))
    })
}

/// Appends a suffix to a path.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
