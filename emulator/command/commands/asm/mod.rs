//! `gray1 asm`: assembles a source and writes the program in one of several formats.

mod message;

use crate::ending::Ending;
use crate::support::choice::{self, format};
use crate::support::files::shown;
use crate::support::known;
use crate::support::output::{Output, put};
use crate::support::program;
use crate::support::source::{AssemblerArguments, Callbacks, say_text, show, with_ending};
use crate::tell::{tell, usage};
use clap::ValueEnum;
use gray1_assembler::{Report, intel_hex};
use gray1_text::counted;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The source, or `-` for standard input
    #[arg(value_parser = known::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Where to write; `-` is standard output
    ///
    /// By default FILE with `.bin` for an image, and standard output for a listing and for symbols. The two program
    /// chips are written as two files, PATH.progl.bin and PATH.progh.bin (or `.hex`); their default PATH is FILE
    /// without its extension.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = ImageFormat::Bin)]
    format: ImageFormat,
    /// The format of errors and warnings on standard error
    #[arg(long, value_parser = format("One JSON object a line"), value_name = "FORMAT", default_value = "text")]
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
    /// Words, addresses, source lines and costs
    Listing,
    /// Names and source positions, in RON
    Symbols,
}

pub fn asm(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let file = arguments.file.as_path();
    let output = output_path(arguments, file);
    let is_json = arguments.message_format == choice::Format::Json;
    let mut say = |report: &Report| match arguments.message_format {
        choice::Format::Text => show(report),
        choice::Format::Json => say_text(&message::lines(report)),
    };
    let found = program::read(file)?;
    let (program, report) = match arguments.assembler.assemble(found, Callbacks::new(&mut say)) {
        Err(_) if is_json => return Ok(Ending::NotAssembled),
        assembled => assembled?,
    };
    let sources = &report.sources;
    match arguments.format {
        ImageFormat::Bin => put(&output, &program.image.to_bytes())?,
        ImageFormat::Listing => put(&output, program.listing(sources).as_bytes())?,
        ImageFormat::Symbols => put(&output, program.symbol_file(sources).as_bytes())?,
        ImageFormat::Prom => put_two(&output, "bin", &program.image.to_proms())?,
        ImageFormat::Hex => put_two(&output, "hex", &intel_hex(&program.image))?,
    }
    if !is_json {
        let words = counted(program.words.len(), "word");
        let bytes = counted(program.ram_bytes() as usize, "RAM byte");
        let warnings = counted(report.diagnostics.len(), "warning");
        tell(format_args!("{}: {words}, {bytes}, {warnings}", shown(file)));
    }
    Ok(Ending::Done)
}

/// The two chips that hold the program.
const CHIPS: [&str; 2] = ["progl", "progh"];

fn chip_path(path: &Path, chip: &str, ending: &str) -> PathBuf {
    with_ending(path, &format!(".{chip}.{ending}"))
}

/// Writes the contents of the two program chips: both files, or none.
fn put_two<T: AsRef<[u8]>>(path: &Path, ending: &str, contents: &[T; 2]) -> Result<(), Box<dyn Error>> {
    let mut outputs = Vec::new();
    for (chip, bytes) in CHIPS.into_iter().zip(contents) {
        let mut output = Output::create(&chip_path(path, chip, ending))?;
        output.write(bytes.as_ref())?;
        outputs.push(output);
    }
    for output in outputs {
        output.finish()?;
    }
    Ok(())
}

/// The path to write to. Exits with a usage error if it cannot be derived from the options.
fn output_path(arguments: &Arguments, file: &Path) -> PathBuf {
    let two_files = matches!(arguments.format, ImageFormat::Prom | ImageFormat::Hex);
    let standard = Path::new("-");
    match &arguments.output {
        Some(path) if two_files && path == standard => {
            usage("two files cannot go to standard output: give a PATH")
        }
        Some(path) => path.clone(),
        None if matches!(arguments.format, ImageFormat::Listing | ImageFormat::Symbols) => {
            standard.to_owned()
        }
        None if file == standard => usage("a source from standard input has no name: give an output with -o"),
        None if two_files => file.with_extension(""),
        None => file.with_extension("bin"),
    }
}
