//! Reads programs from files: assembles sources, reads images, and shows the diagnostics of the assembler.

use crate::support::files::{self, FileError, shown, slashes};
use crate::support::program::{self, ProgramFile};
use gray1_assembler::{
    Assembly, Loaded, Loader, Options, Program, Report, Warning, assemble, beside, head_comment, literal,
};
use gray1_debugger::Source;
use gray1_isa::Image;
use gray1_profile::Layout;
use gray1_text::visible;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The options for assembling a source; part of every command that takes one.
#[derive(clap::Args)]
pub struct AssemblerArguments {
    /// Define a constant; it overrides a default given in the source by `name ?= value`
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = constant)]
    define: Vec<(String, i64)>,
    /// Silence this warning
    #[arg(long, value_name = "WARNING", value_parser = warning)]
    allow: Vec<Warning>,
    /// Treat this warning as an error; `all` means all warnings that are not silenced
    #[arg(long, value_name = "WARNING|all", value_parser = denied)]
    deny: Vec<Denied>,
    /// Look for included files in this folder too, after the folder of the source
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
}

/// The value of `--deny`.
#[derive(Clone, Copy)]
enum Denied {
    One(Warning),
    All,
}

/// The callbacks for reading a source.
pub struct Callbacks<'a> {
    /// Receives the diagnostics of the assembler.
    pub say: &'a mut dyn FnMut(&Report),
    /// Returns whether to stop.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// One more constant. Warnings are not shown then: they were when the source was assembled without it.
    pub constant: Option<(&'a str, i64)>,
}

impl<'a> Callbacks<'a> {
    /// Reads to the end, and passes on the diagnostics.
    pub fn new(say: &'a mut dyn FnMut(&Report)) -> Callbacks<'a> {
        Callbacks { say, is_stopped: &|| false, constant: None }
    }
}

/// The contents of a program's file.
pub enum Text {
    Source(ProgramFile),
    Image(Image),
}

/// A program that has been read.
pub struct ReadProgram {
    pub image: Image,
    /// The comment at the beginning of its source, without the lines for tests.
    pub about: String,
    /// The assembled source, if it is not an image.
    assembled: Option<(Program, Report)>,
}

impl ReadProgram {
    /// The program with all that is known of it, and the diagnostics, if it is not an image.
    pub fn assembled(&self) -> Option<&(Program, Report)> {
        self.assembled.as_ref()
    }

    /// The program laid out for a profile.
    pub fn layout(&self) -> Layout {
        match &self.assembled {
            Some((program, report)) => Layout::of_program(program, &report.sources),
            None => Layout::of_image(&self.image),
        }
    }
}

/// The error for a source whose diagnostics have already been shown; its message is only a summary.
#[derive(Debug, Error)]
#[error("{file}: not assembled: {errors} {}", if *errors == 1 { "error" } else { "errors" })]
pub struct SourceError {
    file: String,
    errors: usize,
}

impl AssemblerArguments {
    /// Options with these constants, each `NAME=VALUE`, and with all warnings enabled.
    pub fn with_constants(constants: &[String]) -> Result<AssemblerArguments, String> {
        let define = constants.iter().map(|text| constant(text)).collect::<Result<_, _>>()?;
        Ok(AssemblerArguments { define, allow: Vec::new(), deny: Vec::new(), include: Vec::new() })
    }

    /// Reads a program: a source or an image.
    pub fn program(&self, path: &Path) -> Result<Image, Box<dyn Error>> {
        Ok(self.read(path)?.image)
    }

    /// Reads a program with all that is known of it.
    pub fn read(&self, path: &Path) -> Result<ReadProgram, Box<dyn Error>> {
        match text(path)? {
            Text::Image(image) => Ok(ReadProgram { image, about: String::new(), assembled: None }),
            Text::Source(found) => {
                let about = head_comment(&String::from_utf8_lossy(&found.bytes));
                let (program, report) = self.assemble(found, Callbacks::new(&mut show))?;
                Ok(ReadProgram { image: program.image.clone(), about, assembled: Some((program, report)) })
            }
        }
    }

    /// Reads a program with its debug information, if it is a source. `say` receives the diagnostics of the assembler,
    /// `is_stopped` returns whether to stop.
    pub fn debugged(
        &self,
        path: &Path,
        say: &mut dyn FnMut(&Report),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Source, Box<dyn Error>> {
        match text(path)? {
            Text::Image(image) => Ok(Source::of_image(image)),
            Text::Source(found) => {
                let (program, report) =
                    self.assemble(found, Callbacks { is_stopped, ..Callbacks::new(say) })?;
                let source = Source::of_assembly(Assembly { program: Some(program), report });
                Ok(source.unwrap_or_else(|| Source::of_image(Image::blank())))
            }
        }
    }

    /// Assembles a source that has been read.
    pub fn assemble(
        &self,
        ProgramFile { path, bytes }: ProgramFile,
        Callbacks { say, is_stopped, constant }: Callbacks,
    ) -> Result<(Program, Report), SourceError> {
        let mut options = self.options();
        options.constants.extend(constant.map(|(name, value)| (name.to_owned(), value)));
        let root = if path == Path::new("-") { shown(&path) } else { slashes(&path) };
        let loader = Files { root: root.clone(), bytes, folders: &self.include, is_stopped };
        let Assembly { program, report } = assemble(&loader, &root, &options);
        if constant.is_none() || program.is_none() {
            say(&report);
        }
        let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let program = program.ok_or_else(|| SourceError { file: visible(&root).into_owned(), errors })?;
        Ok((program, report))
    }

    /// These options in the form that the assembler takes.
    pub fn options(&self) -> Options {
        Options {
            constants: self.define.clone(),
            silenced: self.allow.clone(),
            denied: self.deny.iter().filter_map(|denied| denied.one()).collect(),
            all_denied: self.deny.iter().any(|denied| matches!(denied, Denied::All)),
        }
    }

    /// The folders that are searched for included files.
    pub fn folders(&self) -> &[PathBuf] {
        &self.include
    }

    /// The constants that are defined on the command line.
    pub fn constants(&self) -> &[(String, i64)] {
        &self.define
    }

    /// Whether a constant is defined on the command line.
    pub fn defines(&self, name: &str) -> bool {
        self.define.iter().any(|(defined, _)| defined == name)
    }
}

/// Shows the diagnostics of the assembler, in colour if standard error is a terminal with colours.
pub fn show(report: &Report) {
    say_text(&report.render(has_colours()));
}

/// Whether standard error is a terminal with colours.
pub fn has_colours() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// Writes a text to standard error.
pub fn say_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes()); // there is nowhere else to report an error
}

/// Reads a file that holds an image.
pub fn image(path: &Path) -> Result<Image, FileError> {
    let ProgramFile { path, bytes } = program::read(path)?;
    if path.extension().is_some_and(|extension| extension == "g1") {
        return Err(FileError::Source { path });
    }
    Image::from_bytes(&bytes).map_err(|error| FileError::Image { path, error })
}

/// Reads a file that holds a program.
pub fn text(path: &Path) -> Result<Text, FileError> {
    let found = program::read(path)?;
    if is_source(&found.path, &found.bytes) {
        return Ok(Text::Source(found));
    }
    let image = Image::from_bytes(&found.bytes);
    Ok(Text::Image(image.map_err(|error| FileError::Image { path: found.path, error })?))
}

/// Whether a file is a source, judged by its extension, or else by whether it is text.
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

/// The file system, with the root file already read.
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

fn constant(text: &str) -> Result<(String, i64), String> {
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

impl Denied {
    fn one(self) -> Option<Warning> {
        match self {
            Denied::One(warning) => Some(warning),
            Denied::All => None,
        }
    }
}

fn denied(name: &str) -> Result<Denied, String> {
    if name == "all" { Ok(Denied::All) } else { warning(name).map(Denied::One) }
}

fn warning(name: &str) -> Result<Warning, String> {
    Warning::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Warning::ALL.iter().map(|warning| warning.name()).collect();
        format!("there is no warning of this name; the warnings are {}", names.join(", "))
    })
}

/// A path with something appended to its name.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
