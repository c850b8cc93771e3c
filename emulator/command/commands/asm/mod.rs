//! `gray1 asm`: assembles a source and writes the program in one of several formats.

mod message;

use crate::ending::Ending;
use crate::support::choice::{self, format};
use crate::support::completion;
use crate::support::files::{FileError, shown};
use crate::support::message::{print_note, usage_error};
use crate::support::output::{Output, write_file};
use crate::support::program;
use crate::support::source::{AssemblerArguments, show, with_suffix, write_stderr};
use clap::ValueEnum;
use gray1_assembler::{Report, intel_hex};
use gray1_text::counted;
use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The source, or `-` for standard input
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Write to this path; `-` is standard output
    ///
    /// The default for an image is FILE with the extension `.bin`. The default for a listing and for symbols is
    /// standard output. The two program chips are written as two files, PATH.progl.bin and PATH.progh.bin (or `.hex`);
    /// the default PATH is FILE without its extension.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = ImageFormat::Bin)]
    format: ImageFormat,
    /// The format of errors and warnings on standard error
    #[arg(long, value_parser = format("A JSON object per line"), value_name = "FORMAT", default_value = "text")]
    message_format: choice::Format,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ImageFormat {
    /// An image: 4,096 words in sequence order, low byte first
    Bin,
    /// The two program chips as Intel HEX, in physical order
    Hex,
    /// The two program chips, in physical order
    Prom,
    /// A listing: words, addresses, source lines and costs
    Listing,
    /// Names and source positions, in RON
    Symbols,
}

pub fn asm(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let file = arguments.file.as_path();
    let output = output_path(arguments, file);
    let is_json = arguments.message_format == choice::Format::Json;
    let mut print_report = |report: &Report| match arguments.message_format {
        choice::Format::Text => show(report),
        choice::Format::Json => write_stderr(&message::lines(report)),
    };
    let found = program::read(file)?;
    let (program, report) = match arguments.assembler.assemble(found, &mut print_report) {
        Err(_) if is_json => return Ok(Ending::NotAssembled),
        assembled => assembled?,
    };
    let sources = &report.sources;
    match arguments.format {
        ImageFormat::Bin => write_file(&output, &program.image.to_bytes())?,
        ImageFormat::Listing => write_file(&output, program.listing(sources).as_bytes())?,
        ImageFormat::Symbols => write_file(&output, program.symbol_file(sources).as_bytes())?,
        ImageFormat::Prom => write_chips(&output, "bin", &program.image.to_proms())?,
        ImageFormat::Hex => write_chips(&output, "hex", &intel_hex(&program.image))?,
    }
    if !is_json && stderr().is_terminal() {
        let words = counted(program.words.len(), "word");
        let bytes = counted(program.ram_bytes() as usize, "RAM byte");
        let warnings = counted(report.diagnostics.len(), "warning");
        print_note(format_args!("{}: {words}, {bytes}, {warnings}", shown(file)));
    }
    Ok(Ending::Done)
}

/// Writes the contents of the two program chips: either both files or none.
fn write_chips<T: AsRef<[u8]>>(path: &Path, extension: &str, contents: &[T; 2]) -> Result<(), FileError> {
    let chips = ["progl", "progh"].into_iter().zip(contents);
    let outputs = chips.map(|(chip, bytes)| {
        let mut output = Output::create(&with_suffix(path, &format!(".{chip}.{extension}")))?;
        output.write(bytes.as_ref()).map(|()| output)
    });
    outputs.collect::<Result<Vec<_>, _>>()?.into_iter().try_for_each(Output::finish)
}

/// Determines the output path. Exits with a usage error if the options do not determine it.
fn output_path(arguments: &Arguments, file: &Path) -> PathBuf {
    let two_files = matches!(arguments.format, ImageFormat::Prom | ImageFormat::Hex);
    let standard = Path::new("-");
    match &arguments.output {
        Some(path) if two_files && path == standard => {
            usage_error("two files cannot go to standard output: give a PATH")
        }
        Some(path) => path.clone(),
        None if matches!(arguments.format, ImageFormat::Listing | ImageFormat::Symbols) => {
            standard.to_owned()
        }
        None if file == standard => {
            usage_error("a source from standard input has no name: give an output with -o")
        }
        None if two_files => file.with_extension(""),
        None => file.with_extension("bin"),
    }
}
