//! What it takes to build a Gray-1, as files: the images that are burned into its chips, with checksums, labels and a
//! script; what to buy, and which pins to join; the machine in Verilog, and as a core for
//! FPGAs; and what is wrong with a chip that was read back.
//!
//! ```
//! use gray1_kit::{Assembly, pack, sockets};
//! use gray1_isa::Image;
//! use gray1_machine::board::Board;
//!
//! let board = Board::built();
//! let sockets = sockets(&board, &Image::blank())?;
//! let files = pack(&board, &sockets, &sockets, Assembly::new(&board).ok().as_ref());
//! assert!(files.iter().any(|file| file.name == "burn/PCL.bin" && file.bytes.len() == 131_072));
//! # Ok::<(), gray1_kit::SocketError>(())
//! ```
//!
//! The crate does no I/O: files are names and bytes, and the same board and program give the same ones.

mod assembly;
mod boards;
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
pub use bring_up::{Measured, Measurement, measured};
pub use checksum::sha256;
pub use compare::{Cause, Comparison, compare};
pub use file::File;
pub use sockets::{PART, SIZE, Socket, SocketError, sockets};
pub use tables::{row, wires};

use gray1_machine::board::Board;
use manifest::Burned;

/// All files of the pack for a board with these sockets. `tested` has the sockets with the self-test in the program
/// chips, for which the guide is. `assembly` is `None` if the board cannot be assembled from its parts.
pub fn pack(board: &Board, sockets: &[Socket], tested: &[Socket], assembly: Option<&Assembly>) -> Vec<File> {
    let burned = Burned::of(sockets.iter().filter(|socket| socket.is_built));
    // In an FPGA, RAM has two ports.
    let of_board = sockets.iter().take_while(|socket| board.chip(&socket.name).is_some()).count();
    let (core, no_core) = fpga::files(board, &sockets[..of_board]);
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push(File { name, bytes });
    for socket in sockets.iter().filter(|socket| socket.is_built) {
        add(format!("burn/{}.bin", socket.name), socket.image.clone());
    }
    add("burn/manifest.json".to_owned(), manifest::json(&burned).into_bytes());
    add("burn/labels.svg".to_owned(), labels::svg(&burned).into_bytes());
    add("burn/burn.sh".to_owned(), script::shell(&burned).into_bytes());
    add("README.md".to_owned(), readme::text(&board.name, &burned, assembly, no_core.as_ref()).into_bytes());
    add("selftest/receive.py".to_owned(), include_bytes!("receiver/receive.py").to_vec());
    add("selftest/observed.py".to_owned(), include_bytes!("receiver/observed.py").to_vec());
    for socket in tested.iter().filter(|socket| socket.is_program) {
        add(format!("selftest/{}.bin", socket.name), socket.image.clone());
    }
    if let Some(assembly) = assembly {
        add("bom.csv".to_owned(), tables::bill(assembly).into_bytes());
        add("wires.csv".to_owned(), wires(assembly).into_bytes());
    }
    if let Some(assembly) = assembly.filter(|assembly| !assembly.hardware.bring_up.is_empty()) {
        let guide = bring_up::guide(board, tested, assembly, &assembly.hardware.bring_up);
        files.push(File { name: "bring-up.md".to_owned(), bytes: guide.into_bytes() });
    }
    files.extend(verilog::files(board, sockets, assembly));
    files.extend(core);
    files
}
