//! `gray1 dis`: disassembles an image to source code that assembles to the same image.

use crate::ending::Ending;
use crate::support::output::write_file;
use crate::support::source::read_image;
use gray1_assembler::disassemble;
use std::error::Error;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The image, or `-` for standard input
    file: PathBuf,
    /// Write to this file; the default is standard output
    #[arg(short, long, value_name = "PATH", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

pub fn dis(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    write_file(&arguments.output, disassemble(&read_image(&arguments.file)?).as_bytes())?;
    Ok(Ending::Done)
}
