//! The files to build a Gray-1 from: the images for its chips, with checksums, labels and a script; the parts list and
//! the wire list; the machine in Verilog, and as a core for FPGAs. Also compares chips that were read back with their
//! images.
//!
//! ```
//! use gray1_hardware::kit::{Assembly, pack, sockets};
//! use gray1_isa::Image;
//! use gray1_machine::board::Board;
//!
//! let board = Board::built();
//! let sockets = sockets(&board, &Image::blank())?;
//! let files = pack(&board, &sockets, &sockets, &Assembly::new(&board)?);
//! assert!(files.iter().any(|file| file.name == "burn/PCL.bin" && file.bytes.len() == 131_072));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It does no I/O: files are names and bytes, and the same board and program give the same ones.

mod assembly;
mod bring_up;
pub mod capture;
mod checksum;
mod compare;
mod file;
mod fpga;
mod labels;
mod manifest;
mod readme;
mod script;
mod sockets;
mod tables;
mod template;
mod verilog;

pub use assembly::{Assembly, AssemblyError, Buffer, Item, Pin, RAILS, Role};
pub use bring_up::{BringUpStage, Measurement, Symptom, bring_up_stages};
pub use checksum::sha256;
pub use compare::{Cause, Comparison, Lines, compare};
pub use file::File;
pub use sockets::{PART, SIZE, Socket, SocketError, sockets};
pub use tables::{markdown, row, wires};
pub use template::filled;

use gray1_machine::board::Board;
use manifest::ManifestEntry;

/// All files of the pack for a board with these sockets. `tested` has the sockets with the self-test in the program
/// chips, with which the machine is brought up.
pub fn pack(board: &Board, sockets: &[Socket], tested: &[Socket], assembly: &Assembly) -> Vec<File> {
    let built: Vec<&Socket> = sockets.iter().filter(|socket| socket.is_built).collect();
    let burned = ManifestEntry::of(&built);
    // In an FPGA, RAM has two ports.
    let of_board = sockets.iter().take_while(|socket| board.chip(&socket.name).is_some()).count();
    let (core, no_core) = fpga::files(board, &sockets[..of_board]);
    let mut files = Vec::new();
    let mut add =
        |name: &str, bytes: &[u8]| files.push(File { name: name.to_owned(), bytes: bytes.to_vec() });
    for socket in built {
        add(&format!("burn/{}.bin", socket.name), &socket.image);
    }
    for socket in tested.iter().filter(|socket| socket.is_program) {
        add(&format!("selftest/{}.bin", socket.name), &socket.image);
    }
    for (name, text) in [
        ("burn/manifest.json", manifest::json(&burned)),
        ("burn/labels.svg", labels::svg(&burned)),
        ("burn/burn.sh", script::shell(&burned)),
        ("README.md", readme::text(&board.name, &burned, assembly, no_core.as_ref())),
        ("selftest/receive.py", include_str!("receiver/receive.py").to_owned()),
        ("selftest/observed.py", include_str!("receiver/observed.py").to_owned()),
        ("bom.csv", tables::bill(assembly)),
        ("wires.csv", wires(assembly)),
    ] {
        add(name, text.as_bytes());
    }
    files.extend(verilog::files(board, sockets, assembly));
    files.extend(core);
    files
}
