//! `gray1 tree`: shows the search of a program as a tree. Its nodes are positions of the run.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::shown;
use crate::support::interrupt::Interrupt;
use crate::support::json;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::message::print_note;
use crate::support::numbers::{cycles, number};
use crate::support::output::write_file;
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use gray1_debugger::tree::Tree;
use gray1_debugger::{Position, Source};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Without `--levels`, the levels that fit into this many lines are printed.
const DEFAULT_LINES: usize = 60;

#[derive(clap::Args)]
#[command(mut_args(hide_engines))]
pub struct Arguments {
    /// The program: a `.g1` source with markers such as `_position2_5` and `_solution`
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Print this many levels; the default is as many as fit into 60 lines
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=u64::MAX))]
    levels: Option<usize>,
    /// The format of the tree
    #[arg(long, value_parser = format("All nodes as JSON"), default_value = "text")]
    format: Format,
    /// Stop recording the tree after this many nodes
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number::<usize>(0..=u64::MAX))]
    max_nodes: usize,
    /// Stop after this many machine cycles, with exit code 3
    #[arg(long, value_name = "N", value_parser = cycles)]
    max_cycles: Option<u64>,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub fn tree(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { machine, assembler, file, .. } = arguments;
    let mut debugger =
        machine.load_debugger(assembler, file, "the tree is recorded with the chips engine")?;
    let markers = debugger.source().markers().map_err(|error| format!("{}: {error}", shown(file)))?;
    let interrupt = Interrupt::listen()?;

    Progress::observe(&mut debugger);
    let end = arguments.max_cycles.map_or(Position::NEVER, Position::start_of);
    let result = debugger.tree(&markers, end, arguments.max_nodes, interrupt.flag());
    debugger.history_mut().set_observer(Box::new(|_, _, _| ())); // erases the progress line
    let (tree, last) = result?;

    let levels = arguments.levels.unwrap_or_else(|| tree.levels_in(DEFAULT_LINES));
    let text = match arguments.format {
        Format::Text => tree.text(levels),
        Format::Json => json::line("tree", fields(&tree, last < end, debugger.source()))?,
    };
    write_file(Path::new("-"), text.as_bytes())?;
    if tree.is_cut_short() {
        print_note(format_args!("gray1: the tree has more nodes; raise `--max-nodes` to record them"));
    }
    Ok(if last >= end { Ending::MaxCycles } else { Ending::Done })
}

/// All nodes, and whether they are the whole tree.
fn fields(tree: &Tree, has_halted: bool, source: &Source) -> Value {
    let nodes = tree.nodes().iter().enumerate().map(|(id, node)| {
        json!({
            "id": id,
            "parent": node.parent,
            "level": node.level,
            "choice": node.choice,
            "cycle": node.cycle,
            "end": node.end,
            "outcome": node.outcome.word(),
            "below": node.below,
            "solutions": node.solutions,
            "source": source.line_name(node.place),
        })
    });
    json!({ "nodes": nodes.collect::<Vec<_>>(), "complete": has_halted && !tree.is_cut_short() })
}
