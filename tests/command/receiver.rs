//! The receiver of the pack: its Pico program, run with simulated pins, and the script that makes `observed.bin`.

use crate::support::Folder;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise};
use std::fmt::Write;
use std::fs;
use std::process::Command;
use test_support::process::output;
use test_support::programs::assembled;
use test_support::tools::installed;

/// A mock of MicroPython's module `machine`. Its pins replay the levels of a Gray-1, phase by phase.
const PINS: &str = "
levels = [tuple(int(word) for word in line.split()) for line in open('levels.txt')]
state = {'at': -1, 'reset': 1}
class Pin:
    IN, OUT = 0, 1
    def __init__(self, number, mode, value=None):
        self.number = number
    def value(self, level=None):
        if level is None:
            strobe, byte = levels[min(state['at'], len(levels) - 1)] if state['at'] >= 0 else (0, 0)
            return strobe if self.number == 8 else byte >> self.number & 1
        if self.number == 10:
            state['reset'] = level
        if self.number == 9 and not state['reset']:
            state['at'] += 1
";

fn python(folder: &Folder, arguments: &[&str]) -> (bool, String, String) {
    let mut command = Command::new("python3");
    command.args(arguments).current_dir(folder.path("")).env("PYTHONPATH", folder.path(""));
    let ran = output(&mut command);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.success(), text(ran.stdout), text(ran.stderr))
}

#[test]
fn bytes_are_sampled_when_oute_falls() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    folder.gray1("build kit").succeeds();
    let expected = fs::read(folder.path("kit/selftest/expected.bin")).unwrap();
    // Without presses, the machine sends all but the last byte, and waits.
    let sent = &expected[..expected.len() - 1];
    let image = assembled("selftest", &[]).image;
    let mut engine = ChipsEngine::power_up(&Board::built(), &image, Noise::Random(5)).unwrap();
    let (mut levels, mut table) = (String::new(), "time,OUTE".to_owned());
    (0..8).for_each(|bit| write!(table, ",OUT{bit}").unwrap());
    let mut before = 0;
    for phase in 0..4 * 3_000 {
        engine.phase(&mut ()).unwrap();
        let [strobe, byte] = ["OUTE", "OUT"].map(|net| engine.net(net).unwrap());
        writeln!(levels, "{strobe} {byte}").unwrap();
        // The byte changes a little later than OUTE. Sampling on the rising edge of OUTE would get the previous byte.
        for (part, byte) in [(0, before), (1, byte)] {
            write!(table, "\n{},{strobe}", 2 * phase + part).unwrap();
            (0..8).for_each(|bit| write!(table, ",{}", byte >> bit & 1).unwrap());
        }
        before = byte;
    }
    folder.write("levels.txt", &levels);
    folder.write("machine.py", PINS);
    folder.write("capture.csv", &table);
    let (succeeded, lines, errors) = python(&folder, &["kit/selftest/receive.py"]);
    assert!(succeeded, "{errors}");
    folder.write("lines.txt", &lines);
    for from in ["lines.txt", "capture.csv"] {
        let (succeeded, told, errors) = python(&folder, &["kit/selftest/observed.py", from, "observed.bin"]);
        assert!(
            succeeded && told == format!("observed.bin: {} bytes\n", sent.len()),
            "{from}: {told}{errors}"
        );
        assert!(fs::read(folder.path("observed.bin")).unwrap() == sent, "{from}");
        fs::remove_file(folder.path("observed.bin")).unwrap();
    }
    for (text, message) in [
        ("time,OUTE\n1,0\n", "bad.csv: line 1: the header needs OUTE, and OUT0 to OUT7 or OUT"),
        ("OUTE,OUT\n1,0x41\n0\n", "bad.csv: line 3: 1 columns instead of 2"),
        ("OUTE,OUT\n1,0x41\n0,up\n", "bad.csv: line 3: `up` is not a number"),
        ("\n", "bad.csv: it is empty"),
    ] {
        folder.write("bad.csv", text);
        let (succeeded, _, errors) =
            python(&folder, &["kit/selftest/observed.py", "bad.csv", "observed.bin"]);
        assert!(!succeeded && errors.contains(message), "{errors}");
        assert!(!folder.path("observed.bin").exists());
    }
}
