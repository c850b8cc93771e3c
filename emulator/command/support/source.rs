//! Reads programs from files: assembles sources, reads images, and prints the assembler's diagnostics.

use crate::message::is_quiet;
use crate::support::files::{self, FileError, shown, slashes};
use crate::support::program::{self, ProgramFile};
use gray1_assembler::{
    Assembly, Diagnostic, Loaded, Loader, Options, Program, Report, Warning, assemble, beside, head_comment,
    literal,
};
use gray1_debugger::Source;
use gray1_isa::Image;
use gray1_profile::Layout;
use gray1_text::{counted, visible};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The options of every command that assembles a source.
#[derive(clap::Args)]
pub struct AssemblerArguments {
    /// Define a constant; overrides a default in the source (`NAME ?= VALUE`)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_constant)]
    define: Vec<(String, i64)>,
    /// Silence this warning
    #[arg(long, value_name = "WARNING", value_parser = parse_warning)]
    allow: Vec<Warning>,
    /// Treat this warning as an error; `all` means all warnings that are not silenced
    #[arg(long, value_name = "WARNING|all", value_parser = parse_denied)]
    deny: Vec<DeniedWarning>,
    /// Also search this folder for included files, after the folder of the source
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
}

/// The value of `--deny`.
#[derive(Clone, Copy)]
enum DeniedWarning {
    One(Warning),
    All,
}

/// The callbacks and settings for assembling a source.
pub struct Callbacks<'a> {
    /// Receives the diagnostics of the assembler.
    pub on_report: &'a mut dyn FnMut(&Report),
    /// Returns true to cancel the assembler.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// An additional constant. Warnings are then suppressed, because they were shown when the source was assembled
    /// without it.
    pub constant: Option<(&'a str, i64)>,
}

impl<'a> Callbacks<'a> {
    /// Passes the diagnostics to `on_report`, and never cancels.
    pub fn new(on_report: &'a mut dyn FnMut(&Report)) -> Callbacks<'a> {
        Callbacks { on_report, is_stopped: &|| false, constant: None }
    }
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
    assembled: Option<(Program, Report)>,
}

impl LoadedProgram {
    /// Returns the assembled source and its diagnostics; `None` for an image.
    pub fn assembled(&self) -> Option<&(Program, Report)> {
        self.assembled.as_ref()
    }

    /// Returns the layout for a profile.
    pub fn layout(&self) -> Layout {
        match &self.assembled {
            Some((program, report)) => Layout::of_program(program, &report.sources),
            None => Layout::of_image(&self.image),
        }
    }
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
        Ok(AssemblerArguments { define, allow: Vec::new(), deny: Vec::new(), include: Vec::new() })
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
                let (program, report) = self.assemble(found, Callbacks::new(&mut show))?;
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
        match read_program(path)? {
            Text::Image(image) => Ok(Source::of_image(image)),
            Text::Source(found) => {
                let (program, report) =
                    self.assemble(found, Callbacks { is_stopped, ..Callbacks::new(on_report) })?;
                let source = Source::of_assembly(Assembly { program: Some(program), report });
                Ok(source.unwrap_or_else(|| Source::of_image(Image::blank())))
            }
        }
    }

    /// Assembles a source.
    pub fn assemble(
        &self,
        ProgramFile { path, bytes }: ProgramFile,
        Callbacks { on_report, is_stopped, constant }: Callbacks,
    ) -> Result<(Program, Report), SourceError> {
        let mut options = self.options();
        options.constants.extend(constant.map(|(name, value)| (name.to_owned(), value)));
        let root = if path == Path::new("-") { shown(&path) } else { slashes(&path) };
        let loader = Files { root: root.clone(), bytes, folders: &self.include, is_stopped };
        let Assembly { program, report } = assemble(&loader, &root, &options);
        if constant.is_none() || program.is_none() {
            on_report(&report);
        }
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
        Options {
            constants: self.define.clone(),
            silenced: self.allow.clone(),
            denied: self.deny.iter().filter_map(|denied| denied.one()).collect(),
            all_denied: self.deny.iter().any(|denied| matches!(denied, DeniedWarning::All)),
        }
    }

    /// Returns the folders that are searched for included files.
    pub fn folders(&self) -> &[PathBuf] {
        &self.include
    }

    /// Returns the constants from the command line.
    pub fn constants(&self) -> &[(String, i64)] {
        &self.define
    }

    /// Whether the command line defines a constant.
    pub fn defines(&self, name: &str) -> bool {
        self.define.iter().any(|(defined, _)| defined == name)
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
        return Err(FileError::Source { path });
    }
    Image::from_bytes(&bytes).map_err(|error| FileError::Image { path, error })
}

/// Reads a program file.
pub fn read_program(path: &Path) -> Result<Text, FileError> {
    let found = program::read(path)?;
    if is_source(&found.path, &found.bytes) {
        return Ok(Text::Source(found));
    }
    let image = Image::from_bytes(&found.bytes);
    Ok(Text::Image(image.map_err(|error| FileError::Image { path: found.path, error })?))
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
                Err(FileError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
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
    let value = number(value).ok_or_else(|| format!("`{value}` is not a number such as 10, -1 or 0x1F"))?;
    Ok((name.to_owned(), value))
}

/// Parses an integer in the syntax of the assembler, with or without a minus sign.
pub fn number(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (value, length) = literal(digits).ok()??;
    (length == digits.len()).then_some(sign * value)
}

impl DeniedWarning {
    fn one(self) -> Option<Warning> {
        match self {
            DeniedWarning::One(warning) => Some(warning),
            DeniedWarning::All => None,
        }
    }
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
