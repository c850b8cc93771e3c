//! `gray1 dap`: a Debug Adapter Protocol server over standard input and output, or over a local port.

use crate::ending::Ending;
use crate::support::files;
use crate::support::interrupt;
use crate::support::machine::MachineArguments;
use crate::support::message::{print_message, print_note};
use crate::support::numbers::number;
use crate::support::source::AssemblerArguments;
use gray1_assembler::Report;
use gray1_debugger::{Debugger, ScriptReader};
use gray1_editors::dap::{Host, Launch, serve};
use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;

#[derive(clap::Args)]
pub struct Arguments {
    /// Listen on this port of 127.0.0.1, for one editor at a time; 0 selects a free port
    #[arg(long, value_name = "PORT", value_parser = number::<u16>(0..=65_535))]
    port: Option<u16>,
}

pub fn dap(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    interrupt::end_at_once()?;
    match arguments.port {
        Some(port) => listen(port)?,
        None => serve(io::stdin(), io::stdout().lock(), Box::new(FileHost))?,
    }
    Ok(Ending::Done)
}

/// Serves one client after the other, until Ctrl-C. An error of one client does not affect the next.
fn listen(port: u16) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("cannot listen on port {port} of 127.0.0.1: {error}"))?;
    print_note(format_args!("gray1 dap: listening on {}", listener.local_addr()?));
    for client in listener.incoming() {
        if let Err(error) = converse(&client?) {
            print_message(format_args!("gray1 dap: {error}"));
        }
    }
    Ok(())
}

fn converse(client: &TcpStream) -> Result<(), Box<dyn Error>> {
    client.set_nodelay(true)?;
    let result = serve(client.try_clone()?, client, Box::new(FileHost));
    let _ = client.shutdown(Shutdown::Both); // fails if the client has already disconnected
    Ok(result?)
}

/// Loads programs from the file system.
struct FileHost;

impl Host for FileHost {
    fn load(
        &mut self,
        launch: &Launch,
        on_output: &mut dyn FnMut(String),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Debugger, Box<dyn Error>> {
        let files =
            [Some(&launch.program), launch.state_in.as_ref(), launch.input.as_ref(), launch.board.as_ref()];
        if files.into_iter().flatten().any(|path| path == "-") {
            return Err("`-` cannot be used here: standard input carries the protocol".into());
        }
        debugger(launch, on_output, is_stopped)
    }

    fn reader(&self) -> Option<ScriptReader> {
        Some(files::reader())
    }

    fn full_path(&self, path: &str) -> String {
        std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
    }

    fn canonical_path(&self, path: &str) -> String {
        std::fs::canonicalize(path).map_or_else(|_| self.full_path(path), |path| path.display().to_string())
    }
}

fn debugger(
    launch: &Launch,
    on_output: &mut dyn FnMut(String),
    is_stopped: &dyn Fn() -> bool,
) -> Result<Debugger, Box<dyn Error>> {
    let assembler = AssemblerArguments::with_constants(&launch.defines)?;
    let machine = MachineArguments::from_launch(launch)?;
    let mut first = None;
    let mut show = |report: &Report| {
        first = first_error(report);
        if !report.diagnostics.is_empty() {
            on_output(report.render(false));
        }
    };
    let source = assembler.load_source(Path::new(&launch.program), &mut show, is_stopped);
    let source = source
        .map_err(|error| first.map_or_else(|| error.to_string(), |first| format!("{first} ({error})")))?;
    machine.debugger(source)
}

/// Formats the first error on one line: its location, message and help.
fn first_error(report: &Report) -> Option<String> {
    let error = report.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    let place = error.span.map_or(String::new(), |span| format!("{}: ", report.sources.position(span)));
    let advice = error.help.iter().map(|help| format!("; {help}"));
    let label = Some(&error.label).filter(|label| !label.is_empty()).map(|label| format!(": {label}"));
    Some(format!("{place}{}{}{}", error.message, label.unwrap_or_default(), advice.collect::<String>()))
}
