//! Checks the parts and wire lists against the netlist: each line of each chip is on its pin, each pin is used once.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kit::{Assembly, AssemblyError, File, RAILS, pack, sockets};
use gray1_isa::Image;
use gray1_machine::board::Board;
use std::collections::{BTreeMap, HashMap, HashSet};

fn files(board: &Board) -> Vec<File> {
    {
        let sockets = sockets(board, &Image::blank()).unwrap();
        pack(board, &sockets, &sockets, &Assembly::new(board).unwrap())
    }
}

/// A table of the pack without its head. A field in quotes may contain commas.
fn table(files: &[File], name: &str, head: &str) -> Vec<Vec<String>> {
    let file = files.iter().find(|file| file.name == name).unwrap();
    let text = std::str::from_utf8(&file.bytes).unwrap();
    let (first, rows) = text.split_once('\n').unwrap();
    assert_eq!(first, head);
    let fields = |row: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for c in row.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        assert!(!quoted, "{row}");
        fields
    };
    rows.lines().map(fields).collect()
}

fn bill(files: &[File]) -> Vec<Vec<String>> {
    table(files, "bom.csv", "reference,value,part,package,quantity,note")
}

/// The net on each pin: by component, then by name of the pin.
type Pins = HashMap<String, HashMap<String, String>>;

fn wires(files: &[File]) -> (Pins, Vec<[String; 4]>) {
    let rows = table(files, "wires.csv", "net,chip,pin number,pin name");
    let rows: Vec<[String; 4]> = rows.into_iter().map(|row| row.try_into().unwrap()).collect();
    let mut pins = Pins::new();
    for [net, chip, _, name] in &rows {
        pins.entry(chip.clone()).or_default().insert(name.clone(), net.clone());
    }
    (pins, rows)
}

/// Both boards of the project, which have RAM of different widths and LEDs that light the other way round.
fn boards() -> [Board; 2] {
    [Board::built(), Board::gray1()]
}

#[test]
fn each_line_of_the_netlist_is_on_its_pin_and_behind_its_filter() {
    for board in boards() {
        let (pins, rows) = wires(&files(&board));
        let netlist = board.netlist();
        // The two ends of a resistor in a network count as connected.
        let mut behind: HashMap<&str, &str> = HashMap::new();
        for part in pins.values().filter(|part| part.contains_key("1A")) {
            for pair in 1..=8 {
                let [front, back] = ["A", "B"].map(|side| part[&format!("{pair}{side}")].as_str());
                if !back.ends_with("_LED") && !front.is_empty() {
                    assert_eq!(behind.insert(front, back), None, "{front}");
                }
            }
        }
        for chip in &netlist.chips {
            let pin = |name: String| pins[&chip.name][&name].as_str();
            for (line, &net) in chip.address().iter().enumerate() {
                assert_eq!(pin(format!("A{line}")), netlist.nets[net].name, "{} A{line}", chip.name);
            }
            for (line, &net) in chip.data.iter().enumerate() {
                let driven = pin(format!("D{line}"));
                let name = &netlist.nets[net].name;
                let has_filter = chip.holds_itself() || board.filters.names().contains(name);
                let reached = if has_filter { behind[driven] } else { driven };
                assert_eq!(reached, name, "{} D{line}", chip.name);
                let capacitors = rows.iter().filter(|[net, part, ..]| {
                    net == name && part.starts_with('C') && pins[part]["2"] == "GND"
                });
                assert_eq!(capacitors.count(), usize::from(has_filter), "{name}");
            }
            if chip.is_ram() {
                let buffer = &pins[&format!("{}BUF", chip.name)];
                assert_eq!([pin("WE#".to_owned()), &buffer["OE#"]], ["WEN", "WEN"]);
                for (line, &net) in chip.reads[12..chip.reads.len() - 1].iter().enumerate() {
                    assert_eq!(buffer[&format!("A{line}")], netlist.nets[net].name);
                    let driven = buffer[&format!("D{line}")].as_str();
                    assert_eq!(behind[driven], netlist.nets[chip.data[line]].name);
                }
            }
        }
        let nets: HashSet<&str> = rows.iter().map(|[net, ..]| net.as_str()).collect();
        assert!(netlist.nets.iter().all(|net| nets.contains(net.name.as_str())));
    }
}

/// Each net has exactly one output, or for an input of the board its driver; no net has a single pin.
#[test]
fn each_pin_is_listed_once_and_each_net_joins_something() {
    for board in boards() {
        let (pins, rows) = wires(&files(&board));
        let mut seen = HashSet::new();
        assert!(rows.iter().all(|[_, chip, number, _]| seen.insert((chip, number))));
        let mut nets: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
        for [net, chip, _, pin] in &rows {
            nets.entry(net).or_default().push((chip, pin));
        }
        let open = nets.remove("").unwrap();
        for chip in &board.netlist().chips {
            let own = &pins[&chip.name];
            let is_ram = board.panel.memory.contains(&chip.name);
            let (mut numbers, count) = (HashSet::new(), if is_ram { 28 } else { 32 });
            let mut listed = rows.iter().filter(|[_, part, ..]| *part == chip.name);
            assert!(listed.all(|[_, _, number, _]| numbers.insert(number.parse::<usize>().unwrap())));
            assert_eq!(numbers, (1..=count).collect(), "{}", chip.name);
            assert_eq!((own["VCC"].as_str(), own["GND"].as_str()), ("VCC", "GND"));
            for (_, pin) in open.iter().filter(|(part, _)| *part == chip.name) {
                assert!(*pin == "NC" || pin.starts_with('D'), "{}: pin {pin} floats", chip.name);
            }
        }
        for (net, ends) in &nets {
            assert!(ends.len() > 1, "{net}: {ends:?}");
            let is_output = |(chip, pin): &&(&str, &str)| {
                board.chip(chip).is_some() && pin.starts_with('D') && !RAILS.contains(net)
            };
            assert!(ends.iter().filter(is_output).count() <= 1, "{net} has two drivers: {ends:?}");
        }
    }
}

#[test]
fn the_bill_counts_what_is_wired() {
    for board in boards() {
        let files = files(&board);
        let (pins, _) = wires(&files);
        let mut references = HashSet::new();
        let mut quantities: BTreeMap<String, usize> = BTreeMap::new();
        for row in bill(&files) {
            let [reference, value, _, package, quantity, note] = row.try_into().unwrap();
            let quantity: usize = quantity.parse().unwrap();
            assert_eq!(reference.split(' ').count(), quantity, "{value}");
            assert!(["or any", "or "].iter().any(|second| note.contains(second)), "{value}: a second source");
            references.extend(reference.split(' ').map(str::to_owned));
            *quantities.entry(format!("{value}, {package}")).or_default() += quantity;
        }
        let has_pins: HashSet<String> = pins.keys().cloned().collect();
        let mut others: Vec<&String> = references.difference(&has_pins).collect();
        others.sort();
        assert!(
            others.iter().all(|name| ["XS", "JP", "W"].iter().any(|start| name.starts_with(start))),
            "{others:?}"
        );
        assert!(has_pins.is_subset(&references));
        let roms = sockets(&board, &Image::blank()).unwrap().len();
        assert_eq!(quantities["128Kx8 flash, DIP-32"], roms);
        assert_eq!(quantities["socket, DIP-32"], roms);
        let rams = board.panel.memory.len();
        assert_eq!(roms, board.chips.len(), "each RAM has a buffer");
        assert_eq!(quantities["100 nF, radial 5 mm"], roms + rams);
        let filtered = board.netlist().chips.iter().filter(|chip| chip.holds_itself());
        let filtered = filtered.map(|chip| chip.data.len()).sum::<usize>() + board.filters.len();
        assert_eq!(quantities["470 pF, radial 5 mm"], filtered);
        assert_eq!([quantities["LED green, 3 mm"], quantities["LED red, 3 mm"]], [64, 64]);
        // 64 pads, 7 keys, reset and single steps; two diodes for each pad.
        assert_eq!([quantities["push button, 6 mm"], quantities["diode, DO-35"]], [73, 128]);
    }
}

/// The paths from the supply through an LED to a chip, and from the supply through a button to an input.
#[test]
fn leds_and_buttons_point_the_right_way() {
    for (board, lit) in boards().into_iter().zip([false, true]) {
        let (pins, _) = wires(&files(&board));
        let names = |end: &str| {
            pins.iter().find_map(|(_, pins)| {
                Some((pins.get("K")?, pins.get("A")?)).filter(|(k, a)| *k == end || *a == end)
            })
        };
        let (cathode, anode) = names("GREEN3_4_LED").unwrap();
        let expected = if lit { ("GND", "GREEN3_4_LED") } else { ("GREEN3_4_LED", "VCC") };
        assert_eq!((cathode.as_str(), anode.as_str()), expected);
        let diodes = pins.values().filter(|pins| pins.get("A").is_some_and(|net| net == "PAD2_5"));
        let mut ends: Vec<&str> = diodes.map(|pins| pins["K"].as_str()).collect();
        ends.sort_unstable();
        assert_eq!(ends, ["PADCOL5", "PADROW2"]);
        let pulled = pins.values().filter(|pins| pins.get("COM").is_some_and(|net| net == "GND"));
        let pulled: HashSet<&str> = pulled.flat_map(|pins| pins.values().map(String::as_str)).collect();
        assert!(["RSTIN", "KEYS0", "KEYS6", "PADCOL0", "PADROW7"].iter().all(|net| pulled.contains(net)));
    }
}

/// A net is on the same pin of both connectors of a cable, and the cables lead it to every board that has a pin on it.
#[test]
fn cables_join_what_is_on_several_boards() {
    let board = Board::built();
    let assembly = Assembly::new(&board).unwrap();
    let mut cabled: HashSet<(usize, &str)> = HashSet::new();
    let mut count = 0;
    for cable in assembly.items.windows(3).filter(|items| items[2].part == "H3CCS-4006G") {
        assert_eq!(cable[0].pins, cable[1].pins);
        for end in &cable[..2] {
            assert_eq!(end.pins.len(), 40);
            assert!(end.pins.iter().filter(|pin| pin.net.as_deref() == Some("GND")).count() >= 13);
            cabled.extend(end.pins.iter().map(|pin| (end.board.unwrap(), pin.net.as_deref().unwrap())));
        }
        count += 1;
    }
    assert_eq!(count, 3);
    for net in &assembly.nets {
        let on =
            |item: &&gray1_hardware::kit::Item| item.pins.iter().any(|pin| pin.net.as_ref() == Some(net));
        let boards: HashSet<usize> = assembly.items.iter().filter(on).filter_map(|item| item.board).collect();
        if boards.len() > 1 {
            assert!(boards.iter().all(|&board| cabled.contains(&(board, net.as_str()))), "{net}");
        }
    }
}

/// Five volts come in on one board, through the fuse, and reach the others by wires; the jumper takes the clock from any of
/// three; reset and steps are debounced; every probe has a ground beside it.
#[test]
fn supply_clock_and_reset_are_joined_as_the_guide_says() {
    let board = Board::built();
    let assembly = Assembly::new(&board).unwrap();
    let uses = &assembly.hardware.uses;
    let of = |part: &String| -> Vec<&gray1_hardware::kit::Item> {
        assembly.items.iter().filter(|item| item.part == *part).collect()
    };
    let net = |item: &gray1_hardware::kit::Item, name: &str| {
        item.pins.iter().find(|pin| pin.name == name).unwrap().net.clone().unwrap()
    };
    let terminals = of(&uses.supply);
    let outside: Vec<_> = terminals.iter().filter(|item| net(item, "PLUS") != "VCC").collect();
    let fuse = &of(&uses.fuse)[0];
    assert_eq!((outside.len(), of(&uses.fuse).len(), outside[0].board, fuse.board), (1, 1, Some(0), Some(0)));
    assert_eq!([net(outside[0], "PLUS"), net(fuse, "2")], [net(fuse, "1"), "VCC".to_owned()]);
    let clamp = of(&uses.clamp)[0];
    assert_eq!([net(clamp, "K"), net(clamp, "A")], ["VCC", "GND"]);
    let wires = assembly.items.windows(3).filter(|items| items[2].part == uses.supply_wire);
    let ends: Vec<_> = wires.map(|wire| [wire[0].board, wire[1].board]).collect();
    assert_eq!(ends, [[Some(0), Some(1)], [Some(0), Some(2)]]);
    assert_eq!((terminals.len(), of(&uses.lamp).len(), of(&uses.bulk).len()), (5, 3, 3));

    let select = of(&uses.clock_select)[0];
    let pins = ["P1", "P2", "P3", "P4", "P5", "P6"].map(|pin| net(select, pin));
    assert_eq!(pins, ["OSC_CAN", "OSC", "OSC_IN", "OSC", "OSC_STEP", "OSC"]);
    assert_eq!(net(of(&uses.oscillator)[0], "OUT"), "OSC_CAN");
    assert_eq!(net(of(&uses.clock_input)[0], "P1"), "OSC_IN");
    let held: Vec<String> = of(&uses.supervisor).iter().map(|item| net(item, "RST")).collect();
    assert_eq!(held, ["OSC_STEP", "RSTIN_LOW"]);
    for low in &held {
        let is_pressed =
            |item: &&&gray1_hardware::kit::Item| net(item, "1") == "GND" && net(item, "2") == *low;
        assert_eq!(of(&uses.button).iter().filter(is_pressed).count(), 1, "{low}");
    }
    let transistor = of(&uses.transistor)[0];
    assert_eq!([net(transistor, "E"), net(transistor, "C")], ["VCC", "RSTIN"]);
    assert_eq!(net(of(&uses.base_resistor)[0], "2"), net(transistor, "B"));

    let probed: Vec<String> = of(&uses.probe)
        .iter()
        .flat_map(|item| {
            let (signals, grounds): (Vec<_>, Vec<_>) = item.pins.iter().partition(|pin| pin.number % 2 == 1);
            assert!(grounds.iter().all(|pin| pin.net.as_deref() == Some("GND")));
            signals.into_iter().map(|pin| pin.net.clone().unwrap())
        })
        .collect();
    for (bus, width) in [("PC", 12), ("W", 16), ("A", 8)] {
        assert!((0..width).all(|line| probed.contains(&format!("{bus}{line}"))), "{bus}: {probed:?}");
    }
}

#[test]
fn boards_that_cannot_be_put_together_say_why() {
    const GRAY1: &str = include_str!("../../../machine/src/board/gray1.ron");
    let refused = |source: &str| Assembly::new(&Board::parse(source, "b.ron").unwrap()).err();
    assert_eq!(refused(GRAY1), None);
    let single = GRAY1.replace("data: \"WE WEN\"", "data: \"WE\"");
    let single: Vec<&str> = single.lines().filter(|line| !line.contains("nets: \"WEN\"")).collect();
    let write = AssemblyError::Write { chip: "RAML".into(), net: "WE".into() };
    assert_eq!(refused(&single.join("\n")), Some(write));
    let renamed = GRAY1.replace("\"C4\"", "\"GND\"").replace(" C4 ", " GND ");
    assert_eq!(refused(&renamed), Some(AssemblyError::Rail("GND".into())));
    let large = GRAY1.replace(
        "Rom(address: 17, data: 8, about: \"EPROM, 131,072",
        "Rom(address: 20, data: 8, about: \"EPROM, 131,072",
    );
    let cells =
        format!("burn: Cells([{}]), address: \"P0-7 KEYS0-6 KEYSEL NONESEL PH1\"", "0,".repeat(1 << 18));
    let large = large.replace("burn: KeyMux,       address: \"P0-7 KEYS0-6 KEYSEL NONESEL\"", &cells);
    let pin =
        AssemblyError::Pin { chip: "KMUX".into(), part: "SST39SF010A-70-4C-PHE".into(), pin: "A17".into() };
    assert_eq!(refused(&large), Some(pin));
}

/// RAM with one port and its buffer drive the same lines, but not at the same time.
#[test]
fn a_ram_with_one_port_has_a_buffer_beside_it() {
    let files = files(&Board::built());
    let (pins, _) = wires(&files);
    let net = |chip: &str, pin: &str| pins[chip][pin].as_str();
    for line in 0..8 {
        let (data, stored) = (format!("D{line}"), format!("A{line}"));
        assert_eq!([net("RAM", &data), net("RAMBUF", &data)], [format!("M{line}"), format!("M{line}_BUF")]);
        assert_eq!(net("RAMBUF", &stored), stored);
    }
    assert_eq!(
        [net("RAM", "A0"), net("RAM", "A11"), net("RAM", "A14"), net("RAMBUF", "A8")],
        ["W0", "W11", "GND", "GND"]
    );
    assert_eq!(
        [net("RAM", "WE#"), net("RAMBUF", "OE#"), net("RAM", "OE#"), net("RAMBUF", "WE#")],
        ["WEN", "WEN", "GND", "VCC"]
    );
    // A RAM of four bits has four data pins that nothing reads: the buffer drives them, too, while it is written.
    let (narrow, _) = wires(&self::files(&Board::gray1()));
    for line in 4..8 {
        let on = |chip: &str| narrow[chip][&format!("D{line}")].clone();
        assert_eq!([on("RAMH"), on("RAMHBUF")], [format!("RAMH_D{line}"), format!("RAMH_D{line}")]);
    }
    let image = &files.iter().find(|file| file.name == "burn/RAMBUF.bin").unwrap().bytes;
    assert!(
        image.len() == 131_072 && (0..).zip(image).all(|(address, &cell)| cell == (address & 0xFF) as u8)
    );
}

/// What is not built has no part, no wire and no image; what is built is the same.
#[test]
fn the_small_machine_is_the_other_without_its_display() {
    let [all, small] = [Board::built(), Board::small()].map(|board| files(&board));
    let is_display =
        |reference: &str| ["GDEC", "RDEC", "GREEN", "RED"].iter().any(|name| reference.starts_with(name));
    let images = |files: &[File]| -> BTreeMap<String, Vec<u8>> {
        let images =
            files.iter().filter(|file| file.name.starts_with("burn/") && file.name.ends_with(".bin"));
        images.map(|file| (file.name.clone(), file.bytes.clone())).collect()
    };
    let mut expected = images(&all);
    expected.retain(|name, _| !is_display(&name["burn/".len()..]));
    assert!(expected.len() == 20 && images(&small) == expected);
    let [(_, all), (pins, small)] = [wires(&all), wires(&small)];
    let rows: HashSet<&[String; 4]> = all.iter().collect();
    assert!(small.iter().all(|row| rows.contains(row)), "each wire is one of the whole machine");
    assert!(!pins.keys().any(|reference| is_display(reference)) && pins.contains_key("PORT"));
    // The connectors to the display stay on both boards, for later: what is missing is on its board, and the cables.
    let missing: HashSet<&str> =
        all.iter().filter(|row| !small.contains(row)).map(|row| row[1].as_str()).collect();
    let board = Board::built();
    let assembly = Assembly::new(&board).unwrap();
    let on_display = assembly.items.iter().filter(|item| item.board == Some(2) && !item.pins.is_empty());
    assert_eq!(missing, on_display.map(|item| item.reference.as_str()).collect());
}
