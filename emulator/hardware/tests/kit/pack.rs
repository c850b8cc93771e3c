//! The files of the pack: every cell of every image in each format, and that the same input gives the same bytes.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kit::{Assembly, File, SIZE, Socket, SocketError, pack, sockets};
use gray1_isa::{Image, Opcode, Word, gray};
use gray1_machine::board::{Board, Chip};
use gray1_machine::netlist::Holds;
use serde_json::Value;
use std::collections::HashSet;

/// A program whose words are all different.
fn program() -> Image {
    Image::from_words((0..4096).map(|i| Word::constant(Opcode::Add, i as u8)))
}

fn burned() -> (Vec<Socket>, Vec<File>) {
    let sockets = sockets(&Board::gray1(), &program()).unwrap();
    let files = pack(&Board::gray1(), &sockets, &[], &without_guide(&Board::gray1()));
    (sockets, files)
}

/// The assembly of a board without stages of bringing up: their simulation takes longer than everything else.
fn without_guide(board: &Board) -> Assembly {
    let mut assembly = Assembly::new(board).unwrap();
    assembly.hardware.bring_up.clear();
    assembly
}

fn text<'a>(files: &'a [File], name: &str) -> &'a str {
    let file = files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{name} is missing"));
    std::str::from_utf8(&file.bytes).unwrap()
}

#[test]
fn every_cell_is_that_of_the_netlist() {
    let (board, (sockets, files)) = (Board::gray1(), burned());
    let netlist = board.netlist();
    let mut count = 0;
    for chip in netlist.chips.iter().filter(|chip| !matches!(chip.holds, Holds::Ram { .. })) {
        let bytes = &files.iter().find(|file| file.name == format!("burn/{}.bin", chip.name)).unwrap().bytes;
        assert_eq!(bytes.len(), SIZE);
        let cell = |address: usize| match chip.holds {
            Holds::Table(table) => netlist.tables[table][address],
            Holds::Program { byte } => {
                let sequence = (0..4096).find(|&sequence| usize::from(gray(sequence)) == address).unwrap();
                program().word(sequence).0.to_le_bytes()[byte]
            }
            Holds::Ram { .. } => unreachable!(),
        };
        let cells: Vec<u8> = (0..1 << chip.reads.len()).map(cell).collect();
        let mask = cells.len() - 1;
        assert!((0..SIZE).all(|address| bytes[address] == cells[address & mask]), "{}", chip.name);
        count += 1;
    }
    assert_eq!((count, sockets.len(), SIZE), (37, 39, 131_072));
}

#[test]
fn the_same_board_and_program_give_the_same_files() {
    let (first, second) = (burned().1, burned().1);
    assert!(first == second);
    let names: HashSet<&str> = first.iter().map(|file| file.name.as_str()).collect();
    assert_eq!((first.len(), names.len()), (2 * 39 + 19, 2 * 39 + 19));
}

/// The sums are checked against those of other programs in `tests/command`.
#[test]
fn the_manifest_groups_equal_images() {
    let (sockets, files) = burned();
    let manifest: Value = serde_json::from_str(text(&files, "burn/manifest.json")).unwrap();
    let entries = manifest.as_array().unwrap();
    assert_eq!(entries.len(), sockets.len());
    for (entry, socket) in entries.iter().zip(&sockets) {
        assert_eq!((entry["socket"].as_str(), entry["size"].as_u64()), (Some(&*socket.name), Some(131_072)));
        assert_eq!(entry["part"], "SST39SF010A-70");
        for (other, with) in entries.iter().zip(&sockets) {
            let is_equal = socket.image == with.image;
            assert_eq!(entry["group"] == other["group"], is_equal, "{} and {}", socket.name, with.name);
            assert_eq!(entry["sha256"] == other["sha256"], is_equal);
        }
    }
    let groups: HashSet<u64> = entries.iter().map(|entry| entry["group"].as_u64().unwrap()).collect();
    assert_eq!(groups, (1..=17).collect());
}

#[test]
fn there_is_a_label_for_each_socket() {
    let (sockets, files) = burned();
    let svg = roxmltree::Document::parse(text(&files, "burn/labels.svg")).unwrap();
    let mut places = HashSet::new();
    let labels = svg.descendants().filter(|node| node.has_tag_name("g"));
    let names: Vec<&str> = labels
        .inspect(|label| assert!(places.insert(label.attribute("transform").unwrap())))
        .map(|label| label.descendants().find(|node| node.has_tag_name("text")).unwrap().text().unwrap())
        .collect();
    assert_eq!(names, sockets.iter().map(|socket| socket.name.as_str()).collect::<Vec<_>>());
}

#[test]
fn boards_that_cannot_be_burned_are_refused() {
    let refused = |from: &str, to: &str| {
        let source = include_str!("../../../machine/src/board/gray1.ron");
        assert!(source.contains(from));
        sockets(&Board::parse(&source.replace(from, to), "b.ron").unwrap(), &Image::blank()).err()
    };
    let name = |name: &str| Some(SocketError::Name(name.to_owned()));
    assert_eq!(refused("\"KMUX\"", "\"../KMUX\""), name("../KMUX"));
    assert_eq!(refused("\"KMUX\"", "\"\""), name(""));
    assert_eq!(refused("\"KMUX\"", "\"dmux\""), Some(SocketError::Alike("dmux".into(), "DMUX".into())));
    let mut board = Board::gray1();
    for chip in &mut board.chips {
        if let Chip::Rom { name, address, .. } = chip
            && name == "KMUX"
        {
            *address = "P0-7 KEYS0-6 KEYSEL NONESEL PH1".to_owned().try_into().unwrap();
        }
    }
    let too_large = SocketError::TooLarge { name: "KMUX".into(), lines: 18 };
    assert_eq!(sockets(&board, &Image::blank()).err(), Some(too_large));
}

/// The page lists exactly the files that exist, with and without stages of bringing up.
#[test]
fn the_page_lists_what_is_there() {
    for (board, has_stages) in [(Board::built(), true), (Board::gray1(), true), (Board::gray1(), false)] {
        let sockets = sockets(&board, &program()).unwrap();
        let assembly = if has_stages { Assembly::new(&board).unwrap() } else { without_guide(&board) };
        let files = pack(&board, &sockets, &sockets, &assembly);
        let page = text(&files, "README.md");
        let (list, _) = page.split_once("## Burning").unwrap();
        // These folders are written by others.
        for (folder, is_there) in [("guide/index.html", has_stages), ("kicad/", true), ("selftest/", true)] {
            assert_eq!(list.contains(&format!("- `{folder}`")), is_there, "{list}");
        }
        for (name, is_there) in [("bom.csv", true), ("wires.csv", true)] {
            assert_eq!(files.iter().any(|file| file.name == name), is_there, "{name}");
            assert_eq!(list.contains(&format!("- `{name}`")), is_there, "{name}: {list}");
        }
        let listed = list.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next());
        for name in listed.filter(|name| !["guide/index.html", "kicad/", "selftest/"].contains(name)) {
            let is_it = |file: &File| match name.strip_suffix('/') {
                Some(folder) => file.name.starts_with(&format!("{folder}/")),
                None => file.name == name.replace("SOCKET", "SEQ"),
            };
            assert!(files.iter().any(is_it), "{name} is not there");
        }
        // Every socket has its row.
        for socket in &sockets {
            assert!(page.contains(&format!("\n| {} | {} | ", socket.name, socket.holds)), "{}", socket.name);
        }
    }
}

/// The RAM of the built board is written by the line that is on its pin, and takes its own time.
#[test]
fn the_ram_in_verilog_has_the_wire_and_the_time_of_its_board() {
    for (board, port) in [
        (Board::built(), ".NUMBER(9), .ACCESS(55)) chip$RAM\n        (.address({W11, "),
        (Board::gray1(), ".ACCESS(45)) chip$RAML\n        (.address({W11, "),
    ] {
        let sockets = sockets(&board, &program()).unwrap();
        let files = pack(&board, &sockets, &[], &without_guide(&board));
        let machine = text(&files, "verilog/gray1.v");
        assert!(machine.contains(port), "{}", board.name);
        assert!(machine.contains(".write(~WEN)"), "{}", board.name);
    }
}
