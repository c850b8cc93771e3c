//! Checks the schematics: KiCad finds no fault in them and exports exactly the nets of the board file; planted mistakes
//! are found.

#![allow(clippy::unwrap_used)] // a test may panic

use crate::kicad::support;
use gray1_hardware::kit::{Assembly, File, RAILS};
use gray1_machine::board::Board;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use support::{BOARDS, Built, Node, built, kicad, written};
use test_support::say;
use test_support::tools::installed;

/// The net on each pin, by component and number.
type Nets = BTreeMap<(String, String), String>;

/// The folder of KiCad's symbols on Debian.
const SYMBOLS: &str = "/usr/share/kicad/symbols";

/// The nets of all boards, as KiCad exports them.
fn exported(files: &[File]) -> Nets {
    let (_folder, path) = written(files);
    let mut nets = Nets::new();
    for board in BOARDS {
        let (schematic, netlist) = (format!("{board}.kicad_sch"), format!("{board}.net"));
        let output = kicad(&path, &["sch", "export", "netlist", &schematic, "-o", &netlist]);
        assert!(output.status.success(), "{output:?}");
        let netlist = Node::read(&fs::read_to_string(path.join(netlist)).unwrap());
        for net in netlist.get("nets").unwrap().all("net") {
            let name = net.get("name").unwrap().word(1);
            for node in net.all("node") {
                let [component, pin] = ["ref", "pin"].map(|part| node.get(part).unwrap().word(1).to_owned());
                // KiCad prefixes the name of a net with its sheet.
                let name = name.rsplit('/').next().unwrap().to_owned();
                assert_eq!(nets.insert((component, pin), name), None, "a pin has one net");
            }
        }
    }
    nets
}

/// The differences between the exported nets and those of the assembly.
fn differences(nets: &Nets, assembly: &Assembly) -> BTreeSet<String> {
    let mut expected = Nets::new();
    for item in assembly.items.iter().filter(|item| item.board.is_some()) {
        for pin in &item.pins {
            expected.insert(
                (item.reference.clone(), pin.number.to_string()),
                pin.net.clone().unwrap_or_default(),
            );
        }
    }
    let pins: BTreeSet<_> = expected.keys().chain(nets.keys()).collect();
    let differs = |pin: &&(String, String)| match (expected.get(*pin), nets.get(*pin)) {
        (Some(net), Some(actual)) if net.is_empty() => !actual.starts_with("unconnected-"),
        (net, actual) => net != actual,
    };
    let text = |pin: &(String, String)| {
        let net = |nets: &Nets| nets.get(pin).cloned().unwrap_or_else(|| "(nothing)".to_owned());
        format!("{} pin {}: {}, should be {}", pin.0, pin.1, net(nets), net(&expected))
    };
    pins.into_iter().filter(differs).map(text).collect()
}

/// The files, after a change of the text of one.
fn with(files: &[File], name: &str, change: impl Fn(&str) -> String) -> Vec<File> {
    let mut files = files.to_vec();
    let file = files.iter_mut().find(|file| file.name == format!("kicad/{name}")).unwrap();
    let text = String::from_utf8(file.bytes.clone()).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text, "{name}: nothing was changed");
    file.bytes = changed.into_bytes();
    files
}

#[test]
fn the_same_files_are_made_each_time() {
    let Built { files, .. } = built();
    assert_eq!(files, built().files);
    let mut seen = BTreeSet::new();
    for file in files.iter().filter(|file| file.name.ends_with(".kicad_sch")) {
        let text = str::from_utf8(&file.bytes).unwrap();
        Node::read(text);
        for id in text.split("(uuid \"").skip(1).map(|rest| &rest[..36]) {
            assert!(seen.insert(id.to_owned()), "{}: {id} is there twice", file.name);
        }
    }
}

#[test]
fn boards_of_any_kind_have_schematics() {
    for board in [Board::gray1(), Board::built()] {
        {
            let assembly = Assembly::new(&board).unwrap();
            let files = gray1_hardware::kicad::files(&board, &assembly);
            let texts: String = files.iter().map(|file| str::from_utf8(&file.bytes).unwrap()).collect();
            for item in assembly.items.iter().filter(|item| item.board.is_some() && !item.pins.is_empty()) {
                assert!(texts.contains(&format!("(reference \"{}\")", item.reference)), "{}", item.reference);
            }
        }
    }
}

#[test]
fn kicad_finds_no_fault() {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let (_folder, path) = written(&built().files);
    for board in BOARDS {
        let schematic = format!("{board}.kicad_sch");
        let arguments =
            ["sch", "erc", "--severity-all", "--exit-code-violations", &schematic, "-o", "report"];
        let output = kicad(&path, &arguments);
        let report = fs::read_to_string(path.join("report")).unwrap_or_default();
        assert!(output.status.success(), "{board}: {output:?}\n{report}");
        assert!(report.contains("Errors 0  Warnings 0"), "{board}: {report}");
    }
}

#[test]
fn kicad_reads_the_nets_of_the_board_file() {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let Built { board, assembly, files } = built();
    let nets = exported(&files);
    assert_eq!(differences(&nets, &assembly), BTreeSet::new());
    let lines = lines_on_library_pins(&board, &assembly, &nets);
    say(&format!(
        "{} pins as in the assembly, {lines} lines on the pins that KiCad's library has for them",
        nets.len()
    ));

    // Two nets swapped.
    let swapped = with(&files, "cpu-accumulator.kicad_sch", |text| {
        let [one, other] = ["(label \"R0\"", "(label \"R1\""];
        text.replace(one, "(label ?").replace(other, one).replace("(label ?", other)
    });
    let found = differences(&exported(&swapped), &assembly);
    assert!(
        found.contains("T pin 12: R1, should be R0") && found.contains("T pin 11: R0, should be R1"),
        "{found:?}"
    );

    // A pin moved: it has another number in the symbols of this sheet.
    let moved =
        with(&files, "cpu-flags.kicad_sch", |text| text.replacen("(number \"12\" ", "(number \"112\" ", 1));
    let found = differences(&exported(&moved), &assembly);
    assert!(found.contains("RN4 pin 12: (nothing), should be TICK"), "{found:?}");
    assert!(found.contains("RN4 pin 112: TICK, should be (nothing)"), "{found:?}");

    // A component missing.
    let missing = with(&files, "cpu-flags.kicad_sch", |text| {
        let name = text.find("(reference \"RN4\") (unit 3)").unwrap();
        let start = text[..name].rfind("(symbol (lib_id").unwrap();
        let end = name + text[name..].find('\n').unwrap();
        format!("{}{}", &text[..start], &text[end..])
    });
    let found = differences(&exported(&missing), &assembly);
    assert!(found.contains("RN4 pin 3: (nothing), should be MT_PIN"), "{found:?}");
}

/// The names of a symbol's pins in KiCad's library, by number.
fn library_pins(library: &str, symbol: &str) -> BTreeMap<String, String> {
    let path = Path::new(SYMBOLS).join(format!("{library}.kicad_sym"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let library = Node::read(&text);
    let symbol = library.all("symbol").find(|node| node.word(1) == symbol).unwrap();
    let pins = symbol.all("symbol").flat_map(|unit| unit.all("pin"));
    pins.map(|pin| ["number", "name"].map(|field| pin.get(field).unwrap().word(1).to_owned()).into())
        .collect()
}

/// Checks that each line of each memory chip is on the pin that KiCad's own library has for it, through the resistor of
/// its filter if there is one; returns the number of lines.
fn lines_on_library_pins(board: &Board, assembly: &Assembly, nets: &Nets) -> usize {
    let net = |component: &str, number: &str| nets[&(component.to_owned(), number.to_owned())].as_str();
    let numbers = |library, symbol| -> BTreeMap<String, String> {
        library_pins(library, symbol).into_iter().map(|(number, name)| (name, number)).collect()
    };
    let (flash, ram) = (numbers("Memory_Flash", "SST39SF010"), numbers("Memory_RAM", "KM62256CLP"));
    let resistors = numbers("Device", "R_Pack08");
    // The net on the other end of the resistor that has one end on this net.
    let behind = |front: &str| {
        let networks =
            assembly.items.iter().filter(|item| item.part == assembly.hardware.uses.filter_resistors);
        networks.flat_map(|item| (1..=8).map(move |pair| (item, pair))).find_map(|(item, pair)| {
            let [one, other] = [1, 2].map(|end| net(&item.reference, &resistors[&format!("R{pair}.{end}")]));
            (one == front && !front.starts_with("unconnected-")).then_some(other)
        })
    };
    let netlist = board.netlist();
    let mut count = 0;
    for chip in &netlist.chips {
        let name = |net: usize| netlist.nets[net].name.as_str();
        let is_ram = board.panel.memory.contains(&chip.name);
        let mut check = |pin: &str, expected: &str| {
            let number = &(if is_ram { &ram } else { &flash })[pin];
            let actual = net(&chip.name, number);
            assert!(actual == expected || behind(actual) == Some(expected), "{} {pin}: {actual}", chip.name);
            count += 1;
        };
        for (line, &net) in chip.address().iter().enumerate() {
            check(&format!("A{line}"), name(net));
        }
        for (line, &net) in chip.data.iter().enumerate() {
            check(&if is_ram { format!("Q{line}") } else { format!("D{line}") }, name(net));
        }
    }
    for item in assembly.items.iter().filter(|item| item.part == assembly.hardware.uses.rom) {
        for (pin, rail) in
            [("VCC", RAILS[0]), ("GND", RAILS[1]), ("CE", RAILS[1]), ("OE", RAILS[1]), ("PGM", RAILS[0])]
        {
            // The buffer beside RAM is enabled while RAM is written.
            let expected = if item.reference == "RAMBUF" && pin == "OE" { "WEN" } else { rail };
            assert_eq!(net(&item.reference, &flash[pin]), expected, "{} {pin}", item.reference);
            count += 1;
        }
    }
    for (pin, expected) in [("~{CS}", RAILS[1]), ("~{OE}", RAILS[1]), ("~{WE}", "WEN")] {
        assert_eq!(net("RAM", &ram[pin]), expected, "RAM {pin}");
        count += 1;
    }
    count
}
