//! `gray1 manual`: the pages of the manual, a page for each command, made from the definition of the commands. It is for whoever
//! makes a package, and not in the list of commands.

use crate::Ending;
use crate::files::FileError;
use crate::output::Output;
use clap::CommandFactory;
use clap_mangen::Man;
use std::error::Error;
use std::fs;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Write the pages to this folder
    dir: PathBuf,
}

pub fn manual(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let folder = &arguments.dir;
    fs::create_dir_all(folder).map_err(|error| FileError::write(folder, error))?;
    let mut outputs = Vec::new();
    for (name, page) in pages()? {
        let mut output = Output::create(&folder.join(format!("{name}.1")))?;
        output.write(&page)?;
        outputs.push(output);
    }
    outputs.into_iter().try_for_each(Output::finish)?;
    Ok(Ending::Done)
}

/// The name and the text of each page.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = crate::Arguments::command().disable_help_subcommand(true);
    all.build();
    let visible = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let commands = visible.chain([all.clone()]);
    let page = |command: clap::Command| {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        Ok((name, page))
    };
    commands.map(page).collect()
}
