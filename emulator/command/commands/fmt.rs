//! `gray1 fmt`: formats sources in the standard layout.

use crate::ending::Ending;
use crate::support::files::{read, shown};
use crate::support::message::print_message;
use crate::support::output::{Output, write_file};
use crate::support::source::show;
use gray1_assembler::format;
use gray1_text::counted;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The source files; `-` formats standard input to standard output
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Do not write; list the files that are not in the standard layout, and fail if there are any
    #[arg(long)]
    check: bool,
}

pub fn fmt(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let mut unformatted = 0usize;
    let mut faulty = 0usize;
    for path in &arguments.files {
        let source = match read(path) {
            Ok(source) => source,
            Err(error) => {
                print_message(format_args!("gray1: {error}"));
                faulty += 1;
                continue;
            }
        };
        let formatted = match format(&shown(path), &source) {
            Ok(formatted) => formatted,
            Err(report) => {
                show(&report);
                faulty += 1;
                continue;
            }
        };
        let is_stream = path == Path::new("-");
        if formatted.as_bytes() != source {
            unformatted += 1;
            if arguments.check {
                print_message(format_args!("{}: not in the layout of `gray1 fmt`", shown(path)));
            } else if !is_stream {
                Output::replace(path)?.complete(formatted.as_bytes())?;
            }
        }
        if is_stream && !arguments.check {
            write_file(path, formatted.as_bytes())?;
        }
    }
    match (faulty, unformatted) {
        (0, 1..) if arguments.check => {
            Err(format!("{} to format: run `gray1 fmt` without --check", counted(unformatted, "file")).into())
        }
        (0, _) => Ok(Ending::Done),
        _ => Err(format!("{} not formatted because of the errors above", counted(faulty, "file")).into()),
    }
}
