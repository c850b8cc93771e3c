//! `gray1 examples`: the programs that are shipped, listed, or written to a folder.

use crate::Ending;
use crate::files::FileError;
use crate::output::{Output, put};
use gray1_assembler::closest;
use gray1_shipped::ShippedProgram;
use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Write them to this folder; without it, they are listed
    dir: Option<PathBuf>,
    /// Write only these
    #[arg(value_name = "NAME", value_parser = named)]
    names: Vec<ShippedProgram>,
}

fn named(name: &str) -> Result<ShippedProgram, String> {
    ShippedProgram::named(name).ok_or_else(|| {
        let near = closest(name, ShippedProgram::all().map(|program| program.name()));
        let advice = near.map_or("`gray1 examples` lists them".to_owned(), |near| format!("is it `{near}`?"));
        format!("no program of this name is shipped; {advice}")
    })
}

pub fn examples(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    match &arguments.dir {
        None => put(Path::new("-"), list().as_bytes())?,
        Some(folder) if arguments.names.is_empty() => write(folder, ShippedProgram::all())?,
        Some(folder) => write(folder, arguments.names.iter().copied())?,
    }
    Ok(Ending::Done)
}

/// A line for each program.
fn list() -> String {
    let width = ShippedProgram::all().map(|program| program.name().len()).max().unwrap_or(0);
    let line = |program: ShippedProgram| format!("{:width$}  {}\n", program.name(), program.title());
    ShippedProgram::all().map(line).collect()
}

/// Writes programs: all of them, or none where a file of such a name is there.
fn write(folder: &Path, programs: impl Iterator<Item = ShippedProgram>) -> Result<(), FileError> {
    let files: Vec<(PathBuf, &str)> =
        programs.map(|program| (folder.join(program.file), program.text)).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        let error = io::Error::new(ErrorKind::AlreadyExists, "it is there already; choose another folder");
        return Err(FileError::write(path, error));
    }
    fs::create_dir_all(folder).map_err(|error| FileError::write(folder, error))?;
    let mut outputs = Vec::new();
    for (path, text) in files {
        let mut output = Output::create(&path)?;
        output.write(text.as_bytes())?;
        outputs.push(output);
    }
    outputs.into_iter().try_for_each(Output::finish)
}
