//! `gray1 asm`: assembles a source and writes it in one of the forms that a program can take.

use crate::Ending;
use crate::output::{Output, put};
use crate::source::{AssemblerArguments, with_ending};
use crate::tell::usage;
use clap::ValueEnum;
use gray1_assembler::intel_hex;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The source, or `-` for standard input
    file: PathBuf,
    /// Where to write; `-` is standard output
    ///
    /// By default FILE with `.bin` for an image, standard output for a listing and for symbols. Two program
    /// chips make two files, PATH.progl.bin and PATH.progh.bin (`.hex`); their default PATH is FILE without its
    /// ending.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Bin)]
    format: Format,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
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
    let path = output_path(arguments);
    let assembly = arguments.assembler.assemble(&arguments.file)?;
    let Some(program) = assembly.program else { return Ok(Ending::Done) };
    let sources = &assembly.report.sources;
    match arguments.format {
        Format::Bin => put(&path, &program.image.to_bytes())?,
        Format::Listing => put(&path, program.listing(sources).as_bytes())?,
        Format::Symbols => put(&path, program.symbol_file(sources).as_bytes())?,
        Format::Prom => put_two(&path, "bin", &program.image.to_proms())?,
        Format::Hex => put_two(&path, "hex", &intel_hex(&program.image))?,
    }
    Ok(Ending::Done)
}

/// Writes the contents of the two program chips: both files, or none.
fn put_two<T: AsRef<[u8]>>(path: &Path, ending: &str, contents: &[T; 2]) -> Result<(), Box<dyn Error>> {
    let mut outputs = Vec::new();
    for (chip, bytes) in ["progl", "progh"].into_iter().zip(contents) {
        let mut output = Output::create(&with_ending(path, &format!(".{chip}.{ending}")))?;
        output.write(bytes.as_ref())?;
        outputs.push(output);
    }
    for output in outputs {
        output.finish()?;
    }
    Ok(())
}

/// Where to write. Leaves with an error of usage where that cannot be known.
fn output_path(arguments: &Arguments) -> PathBuf {
    let two_files = matches!(arguments.format, Format::Prom | Format::Hex);
    let standard = Path::new("-");
    match &arguments.output {
        Some(path) if two_files && path == standard => {
            usage("two files cannot go to standard output: give a PATH")
        }
        Some(path) => path.clone(),
        None if matches!(arguments.format, Format::Listing | Format::Symbols) => standard.to_owned(),
        None if arguments.file == standard => {
            usage("a source from standard input has no name: give an output with -o")
        }
        None if two_files => arguments.file.with_extension(""),
        None => arguments.file.with_extension("bin"),
    }
}
