//! `gray1 examples`: lists the shipped programs, or writes them to a folder.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::{FileError, shown};
use crate::support::json::print_answer;
use crate::support::message::{print_note, usage_error};
use crate::support::output::write_files;
use gray1_assembler::ShippedProgram;
use gray1_assembler::closest;
use gray1_text::{counted, table};
use serde_json::json;
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
    /// The format of the list
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text", conflicts_with = "dir")]
    format: Format,
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
        None => {
            let row = |program: ShippedProgram| json!({ "name": program.name(), "file": program.file, "title": program.title() });
            let rows = || json!({ "programs": ShippedProgram::all().map(row).collect::<Vec<_>>() });
            print_answer(arguments.format, "examples", list, rows)?;
        }
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
    let rows = ShippedProgram::all().map(|program| [program.name().to_owned(), program.title()]);
    table(&rows.collect::<Vec<_>>(), "  ", |_| false).join("\n") + "\n"
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
