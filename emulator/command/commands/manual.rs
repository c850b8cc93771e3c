//! `gray1 manual`: writes a manual page for each command, generated from the definition of the commands. It is meant
//! for packagers, so it is hidden from the list of commands.

use crate::ending::Ending;
use crate::support::output::put_all;
use clap::Command;
use clap_mangen::Man;
use std::error::Error;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Write the pages to this folder
    dir: PathBuf,
}

/// Writes the pages of `all` commands.
pub fn manual(arguments: &Arguments, all: Command) -> Result<Ending, Box<dyn Error>> {
    let pages = pages(all)?;
    put_all(&arguments.dir, pages.iter().map(|(name, page)| (name.as_str(), page.as_slice())))?;
    Ok(Ending::Done)
}

/// The file and the text of each page.
fn pages(all: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = all.disable_help_subcommand(true);
    all.build();
    let visible = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let commands = visible.chain([all.clone()]);
    let page = |command: Command| {
        let name = format!("{}.1", command.get_display_name().unwrap_or(command.get_name()));
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        Ok((name, page))
    };
    commands.map(page).collect()
}
