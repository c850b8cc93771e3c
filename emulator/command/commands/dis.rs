//! `gray1 dis`: writes an image as source that assembles to the same image.

use crate::ending::Ending;
use crate::support::output::put;
use crate::support::source::image;
use gray1_assembler::disassemble;
use std::error::Error;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The image, or `-` for standard input
    file: PathBuf,
    /// Where to write; the default is standard output
    #[arg(short, long, value_name = "PATH", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

pub fn dis(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    put(&arguments.output, disassemble(&image(&arguments.file)?).as_bytes())?;
    Ok(Ending::Done)
}
