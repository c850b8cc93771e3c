//! `gray1 examples`: lists the shipped programs, or writes them to a folder.

use crate::ending::Ending;
use crate::message::{print_note, usage_error};
use crate::support::completion;
use crate::support::files::{FileError, shown};
use crate::support::output::{write_file, write_files};
use gray1_assembler::ShippedProgram;
use gray1_assembler::closest;
use gray1_text::counted;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Write the programs to this folder; without a folder, list them
    dir: Option<PathBuf>,
    /// Write only these programs
    #[arg(value_name = "NAME", value_parser = completion::named(parse_name, completion::programs), hide_possible_values = true)]
    names: Vec<ShippedProgram>,
}

fn parse_name(name: &str) -> Result<ShippedProgram, String> {
    ShippedProgram::named(name).ok_or_else(|| {
        let similar = closest(name, ShippedProgram::all().map(|program| program.name()));
        let advice =
            similar.map_or("`gray1 examples` lists them".to_owned(), |similar| format!("is it `{similar}`?"));
        format!("there is no shipped program with this name; {advice}")
    })
}

pub fn examples(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    match &arguments.dir {
        None => write_file(Path::new("-"), list().as_bytes())?,
        Some(folder) if folder.as_os_str() == "-" => {
            usage_error("`-` is not a folder: give the path of a folder")
        }
        Some(folder) if folder.to_str().is_some_and(|name| ShippedProgram::named(name).is_some()) => {
            let name = shown(folder);
            usage_error(format!("`{name}` is a program: `gray1 examples DIR {name}` writes it to a folder"))
        }
        Some(folder) if arguments.names.is_empty() => write(folder, ShippedProgram::all())?,
        Some(folder) => write(folder, arguments.names.iter().copied())?,
    }
    Ok(Ending::Done)
}

/// Formats a line for each program.
fn list() -> String {
    let width = ShippedProgram::all().map(|program| program.name().len()).max().unwrap_or(0);
    let line = |program: ShippedProgram| format!("{:width$}  {}\n", program.name(), program.title());
    ShippedProgram::all().map(line).collect()
}

/// Writes programs to a folder. Writes none if one of the files already exists.
fn write(folder: &Path, programs: impl Iterator<Item = ShippedProgram>) -> Result<(), FileError> {
    let files: BTreeMap<&str, &[u8]> =
        programs.map(|program| (program.file, program.text.as_bytes())).collect();
    let paths = files.keys().map(|file| folder.join(file));
    if let Some(path) = paths.into_iter().find(|path| path.symlink_metadata().is_ok()) {
        let error =
            io::Error::new(ErrorKind::AlreadyExists, "the file already exists; choose another folder");
        return Err(FileError::write(&path, error));
    }
    let count = counted(files.len(), "program");
    write_files(folder, files)?;
    print_note(format_args!("gray1: wrote {count} to {}", shown(folder)));
    Ok(())
}
