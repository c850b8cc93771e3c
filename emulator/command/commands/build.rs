//! `gray1 build`: writes all files that are needed to build the machine, and compares chips that were read back.

use crate::ending::Ending;
use crate::support::completion;
use crate::support::cores::beside;
use crate::support::files::{self, FileError, print, shown};
use crate::support::interrupt::Interrupt;
use crate::support::machine::BoardArguments;
use crate::support::message::{print_note, usage_error};
use crate::support::output::write_files;
use crate::support::progress::Progress;
use crate::support::selftest;
use crate::support::source::AssemblerArguments;
use gray1_hardware::kit::{
    Assembly, Comparison, File, PART, SIZE, Socket, bring_up_stages, compare, pack, sockets,
};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use gray1_text::{counted, grouped, table, visible};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of differing cells listed.
const LISTED: usize = 16;

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write to; other files in it are kept
    #[arg(required_unless_present = "compare")]
    dir: Option<PathBuf>,
    /// Compare the contents read from the chip in this socket, a file of 131,072 bytes, with the correct contents
    ///
    /// Lists the cells that differ and, if there is one, a single fault that explains all of them. The exit code is 1
    /// if any cell differs.
    #[arg(long, num_args = 2, value_names = ["SOCKET", "DUMP"], conflicts_with = "dir")]
    compare: Option<Vec<PathBuf>>,
    /// The program to burn into the program chips; without it, every word is a jump to itself
    #[arg(long, value_name = "FILE", value_parser = completion::program(), hide_possible_values = true)]
    program: Option<PathBuf>,
    #[command(flatten)]
    assembler: AssemblerArguments,
    #[command(flatten)]
    board: BoardArguments,
}

pub fn build(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let board = arguments.board.board_or(Board::built)?;
    let program =
        arguments.program.as_deref().map(|path| arguments.assembler.read_image(path)).transpose()?;
    let sockets = sockets(&board, program.as_ref().unwrap_or(&Image::blank()))?;
    if let Some([socket, dump]) = arguments.compare.as_deref() {
        return compare_with(&sockets, &socket.display().to_string(), dump, program.is_some());
    }
    if let Some(folder) = &arguments.dir {
        if folder.as_os_str() == "-" {
            usage_error("`-` is not a folder: give the path of a folder");
        }
        if folder.extension().is_some_and(|extension| extension == "g1") {
            let name = shown(folder);
            usage_error(format!("{name} is a program, not a folder: `gray1 build DIR --program {name}`"));
        }
        if folder.exists() && !folder.is_dir() {
            return Err(FileError::write(folder, io::ErrorKind::NotADirectory.into()).into());
        }
        let interrupt = Interrupt::listen_twice()?;
        let count = sockets.iter().filter(|socket| socket.is_built).count();
        let assembly = Assembly::new(&board)?;
        refuse_refuted(&board, &interrupt)?;
        if board.panel.display.iter().any(|row| !row.inverted) {
            print_note(format_args!(
                "gray1: the rows of {} light an LED by a line at 1: it would draw 2 mA from an output that gives 0.4 mA; \
                 build the board `built`, whose rows are inverted",
                visible(&board.name)
            ));
        }
        let of_board = board.clone();
        // The machine is brought up with the self-test, whatever program it is for.
        let tested = gray1_hardware::kit::sockets(&board, &selftest::program()?)?;
        let to_build = beside("the drawings and the tracks", move || {
            let mut drawn = gray1_hardware::kicad::files(&of_board, &assembly);
            drawn.push(gray1_hardware::kicad::guide(
                &of_board,
                &assembly,
                &bring_up_stages(&of_board, &tested, &assembly),
            ));
            (pack(&of_board, &sockets, &tested, &assembly), drawn)
        });
        let selftest = selftest::pack(&board, interrupt.flag())?;
        write_all(folder, to_build(&interrupt)?, selftest, &interrupt)?;
        let program = if program.is_some() { "" } else { "; no --program, so the program chips are blank" };
        print_note(format_args!("{}: {} to burn{program}", shown(folder), counted(count, "chip")));
    }
    Ok(Ending::Done)
}

/// Fails if a claim about the board is refuted, and reports claims that are undecided. Tests prove the built-in boards.
fn refuse_refuted(board: &Board, interrupt: &Interrupt) -> Result<(), Box<dyn Error>> {
    let built_in = [Board::built(), Board::small(), Board::gray1()];
    if built_in.iter().any(|other| other.netlist() == board.netlist()) {
        return Ok(());
    }
    let prover = Prover::new(board).until(interrupt.flag());
    let progress = Progress::new(Claim::ALL.len() as u64, "claims");
    for claim in Claim::ALL {
        progress.set_message(claim.wording().statement.to_owned());
        let report = prover.prove(claim)?;
        let reason = report.fault().unwrap_or_default();
        let says = format!("{}: {}", claim.wording().statement, report.verdict);
        match report.verdict {
            Verdict::Proved => progress.add(1),
            Verdict::Undecided => print_note(format_args!("gray1: {says}: {reason}")),
            Verdict::Refuted => {
                let name = claim.wording().name;
                return Err(format!("{says}: {reason}; `gray1 verify {name}` explains it").into());
            }
        }
    }
    Ok(())
}

/// Writes all files (those of the kit, the drawings, the self-test), or none if it was interrupted before.
fn write_all(
    folder: &Path,
    (files, drawn): (Vec<File>, Vec<File>),
    selftest: Vec<File>,
    interrupt: &Interrupt,
) -> Result<(), Box<dyn Error>> {
    let files: Vec<(&str, &[u8])> = (files.iter().chain(&drawn).chain(&selftest))
        .map(|file| (file.name.as_str(), file.bytes.as_slice()))
        .collect();
    interrupt.check()?;
    write_files(folder, files.iter().copied())?;
    let others = others(&files.iter().map(|(name, _)| folder.join(name)).collect());
    if let Some(first) = others.first() {
        let files = counted(others.len(), "file");
        print_note(format_args!(
            "gray1: {} has {files} not written by this build, perhaps left by an earlier one; the first is {}",
            shown(folder),
            shown(first)
        ));
    }
    Ok(())
}

/// Files in the folder that were not written now: the user's own, or left over from an earlier build.
fn others(written: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let folders: BTreeSet<&Path> = written.iter().filter_map(|path| path.parent()).collect();
    let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut others: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file() && !written.contains(path)).collect();
    others.sort_unstable();
    others
}

/// Compares a chip that was read back.
fn compare_with(
    sockets: &[Socket],
    name: &str,
    path: &Path,
    has_program: bool,
) -> Result<Ending, Box<dyn Error>> {
    let Some(id) = sockets.iter().position(|socket| socket.name.eq_ignore_ascii_case(name)) else {
        let names: Vec<&str> = sockets.iter().map(|socket| socket.name.as_str()).collect();
        return Err(format!("there is no ROM socket {name} on this board; it has {}", names.join(" ")).into());
    };
    let socket = &sockets[id];
    let bytes = files::read(path)?;
    let dump: &[u8; SIZE] = bytes.as_slice().try_into().map_err(|_| {
        let (expected, actual) = (grouped(SIZE as u64), grouped(bytes.len() as u64));
        format!(
            "{}: an {PART} has {expected} bytes, this has {actual}; read the whole chip, as bytes",
            shown(path)
        )
    })?;
    let comparison = compare(sockets, id, dump);
    print(report(sockets, socket, &comparison, dump).as_bytes())?;
    if comparison.different.is_empty() {
        return Ok(Ending::Done);
    }
    if socket.is_program && !has_program {
        print_note(format_args!(
            "gray1: {} was compared with a blank program; name its program with --program",
            socket.name
        ));
    }
    Ok(Ending::Refuted)
}

/// The result of a comparison, for people.
fn report(sockets: &[Socket], socket: &Socket, comparison: &Comparison, dump: &[u8]) -> String {
    let Comparison { different, causes } = comparison;
    let (name, all) = (&socket.name, grouped(SIZE as u64));
    if different.is_empty() {
        return format!("{name}: all {all} cells match\n");
    }
    let selected = different.iter().filter(|&&address| (address as usize) < socket.cells()).count();
    let mut text = format!(
        "{name}: {} of {all} cells {}; {} among the {} that the socket selects\n",
        grouped(different.len() as u64),
        if different.len() == 1 { "differs" } else { "differ" },
        grouped(selected as u64),
        grouped(socket.cells() as u64),
    );
    let causes: Vec<String> = causes.iter().map(|cause| cause.text(sockets, socket)).collect();
    match causes.as_slice() {
        [] => text += "no single cause explains this\n",
        [cause] => text += &format!("one cause explains this: {cause}\n"),
        causes => text += &format!("any of these explains this:\n  {}\n", causes.join("\n  ")),
    }
    let mut rows = vec![["address", "burned", "read", "lines", "where"].map(str::to_owned)];
    for &address in different.iter().take(LISTED) {
        let [burned, read] = [socket.image[address as usize], dump[address as usize]];
        rows.push([
            format!("{address:#07x}"),
            format!("{burned:08b}"),
            format!("{read:08b}"),
            socket.data_lines(burned ^ read),
            socket.fields(address),
        ]);
    }
    text += &format!("\n  {}\n", table(&rows, "  ", |_| false).join("\n  "));
    if let more @ 1.. = different.len().saturating_sub(LISTED) {
        let _ = writeln!(text, "  … and {} more", grouped(more as u64));
    }
    text
}
