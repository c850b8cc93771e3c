//! The Verilog of a pack, with faults planted by changing its text, and the results of its test run.

use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::process::output;

/// The nets of the analyser, the lowest first.
const ANALYSER_NETS: [(&str, usize); 3] = [("PC", 12), ("W", 16), ("A", 8)];

/// The text of `gray1.v`.
#[derive(Clone)]
pub struct Machine {
    text: String,
}

/// The results of a test run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The bytes, each with the LEDs at that time.
    pub bytes: Vec<(u8, u128)>,
    /// The LEDs at the end.
    pub leds: u128,
    /// The analyser's capture of the CPU.
    pub capture: String,
}

impl Machine {
    /// The machine of a pack. Each port of its RAM has its own address, as on the chip.
    pub fn of(kit: &Path) -> Machine {
        let text = fs::read_to_string(kit.join("verilog/gray1.v")).unwrap();
        let (before, ram) = text.split_once("module ram").unwrap();
        let (ram, board) = ram.split_once("endmodule").unwrap();
        let ram = ram
            .replace("input [LINES-1:0] address,", "input [LINES-1:0] address, read,")
            .replace("(address or", "(address or read or")
            .replace("data <= #ACCESS cells[address]", "data <= #ACCESS cells[read]");
        // One list of lines for each port.
        let board = board.replace(", {", ", ").replace("}})", "})");
        let mut machine = Machine { text: format!("{before}module ram{ram}endmodule{board}") };
        let lines = machine.lines("RAM", "address");
        let ports = format!(".address({{{0}}}), .read({{{0}}})", reversed(&lines));
        machine.replace("RAM", &format!(".address({{{}}})", reversed(&lines)), &ports);
        machine
    }

    /// Replaces text of a chip.
    pub fn replace(&mut self, chip: &str, from: &str, to: &str) {
        let begin = self.text.find(&format!("chip${chip}\n")).unwrap_or_else(|| panic!("{chip}"));
        let begin = self.text[..begin].rfind("    r").unwrap();
        let end = begin + self.text[begin..].find(";\n").unwrap();
        let instance = &self.text[begin..end];
        assert!(instance.contains(from), "{instance}: {from}");
        let changed = instance.replace(from, to);
        self.text.replace_range(begin..end, &changed);
    }

    /// The lines at a port of a chip, the lowest first.
    pub fn lines(&self, chip: &str, port: &str) -> Vec<String> {
        let (_, instance) = self.text.split_once(&format!("chip${chip}\n")).unwrap();
        let (_, list) = instance.split_once(&format!(".{port}({{")).unwrap();
        let (list, _) = list.split_once("})").unwrap();
        list.split(',').rev().map(|line| line.trim().to_owned()).collect()
    }

    /// Puts other lines at a port.
    pub fn set_lines(&mut self, chip: &str, port: &str, lines: &[String]) {
        let old = reversed(&self.lines(chip, port));
        self.replace(chip, &format!(".{port}({{{old}}})"), &format!(".{port}({{{}}})", reversed(lines)));
    }

    /// Disconnects a net from its driver, and drives it with `level` of the driver's net.
    pub fn drive(&mut self, net: &str, level: impl Fn(&str) -> String) {
        let own = format!("{net}$own");
        let (header, board) = self.text.split_once("module gray1 (").unwrap();
        let (inputs, body) = board.split_once(");\n").unwrap();
        let is_input = inputs.trim_start_matches("input ").split(", ").any(|input| input == net);
        let (inputs, wire) = match is_input {
            true => {
                let inputs = inputs.trim_start_matches("input ").split(", ");
                let inputs: Vec<&str> =
                    inputs.map(|input| if input == net { own.as_str() } else { input }).collect();
                (format!("input {}", inputs.join(", ")), net)
            }
            false => (inputs.to_owned(), own.as_str()),
        };
        let body = body.replace("endmodule", &format!("    assign {net} = {};\nendmodule", level(&own)));
        self.text = format!("{header}module gray1 ({inputs});\n    wire {wire};\n{body}");
        if !is_input {
            let chip = self.driver(net);
            let lines = self.lines(&chip, "data");
            let lines: Vec<String> =
                lines.into_iter().map(|line| if line == net { own.clone() } else { line }).collect();
            self.set_lines(&chip, "data", &lines);
        }
    }

    /// The chip that drives a net.
    fn driver(&self, net: &str) -> String {
        let chips = self.text.split(" chip$").skip(1).map(|rest| rest.split_once('\n').unwrap().0);
        let mut chips = chips.filter(|chip| self.lines(chip, "data").iter().any(|line| line == net));
        chips.next().unwrap_or_else(|| panic!("{net}")).to_owned()
    }

    /// Inverts a bit of a cell.
    pub fn invert_bit(&mut self, chip: &str, address: u64, bit: u64) {
        let cell = format!("chip${chip}.cells[{address}]");
        let begin = self.text.rfind("endmodule").unwrap();
        self.text.insert_str(begin, &format!("    initial #1 {cell} = {cell} ^ {};\n", 1 << bit));
    }

    /// Runs it in Icarus, in a folder with the images. Leaves `capture.csv` there.
    pub fn run(&self, folder: &Path, seed: u32) -> Observation {
        fs::write(folder.join("planted.v"), &self.text).unwrap();
        fs::write(folder.join("bench.v"), bench()).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let output = output(Command::new(program).args(arguments).current_dir(folder));
            let said =
                [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
            assert!(output.status.success() && said[1].is_empty(), "{said:?}\n{}", self.text);
            said[0].clone()
        };
        run("iverilog", &["-g2012", "-o", "planted.vvp", "bench.v", "planted.v"]);
        let said = run("vvp", &["-n", "planted.vvp", &format!("+seed={seed}")]);
        let capture = fs::read_to_string(folder.join("capture.csv")).unwrap();
        let mut seen = Observation { capture, ..Observation::default() };
        for line in said.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["B", byte, leds] => seen.bytes.push((hex(byte) as u8, hex(leds))),
                ["E", leds] => seen.leds = hex(leds),
                _ => panic!("{line}"),
            }
        }
        seen
    }
}

fn reversed(lines: &[String]) -> String {
    lines.iter().rev().cloned().collect::<Vec<_>>().join(", ")
}

fn hex(digits: &str) -> u128 {
    u128::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("{digits}"))
}

/// The test bench, with the names of the nets filled in.
fn bench() -> String {
    let lines = |name: &str, from: &str, count: usize| {
        (0..count).rev().map(|line| format!("{from}{name}{line}")).collect::<Vec<_>>().join(", ")
    };
    let rows = ["RED", "GREEN"].map(|colour| {
        (0..8)
            .rev()
            .map(|row| lines(&format!("{colour}{row}_"), "machine.", 8))
            .collect::<Vec<_>>()
            .join(", ")
    });
    let inputs = ["column", "row", "keys"].map(|port| {
        (0..if port == "keys" { 7 } else { 8 })
            .map(|line| format!("{port}[{line}]"))
            .collect::<Vec<_>>()
            .join(", ")
    });
    let recorded = ANALYSER_NETS.map(|(name, count)| format!("{{{}}}", lines(name, "machine.", count)));
    include_str!("bench.v")
        .replace("INPUTS", &format!("oscillator, reset, {}", inputs.join(", ")))
        .replace("LEDS", &rows.join(", "))
        .replace("{OUTPUTS}", &format!("{{{}}}", lines("OUT", "machine.", 8)))
        .replace("HEADER", &format!("OSC,{}", ANALYSER_NETS.map(|(name, _)| name).join(",")))
        .replace("FORMAT", "\"%b,%h,%h,%h\"")
        .replace("RECORD)", &format!("machine.OSC, {})", recorded.join(", ")))
}
