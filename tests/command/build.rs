//! `gray1 build`: the files of the build pack, checked by other programs; comparison of burned chips; invalid
//! arguments.

use crate::support::{Folder, GRAY1, HI};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use test_support::process::output;
use test_support::tools::installed;

/// Makes a folder with the pack of `HI`, which is built only once.
fn kit() -> Folder {
    static BUILT: Once = Once::new();
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kit");
    BUILT.call_once(|| {
        let folder = Folder::with(HI);
        folder.gray1("build kit --program p.g1").succeeds();
        let _ = fs::remove_dir_all(&built);
        copy(&folder.path("kit"), &built);
    });
    let folder = Folder::with(HI);
    copy(&built, &folder.path("kit"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Lists all files of a pack, with their contents.
fn files(folder: &Folder, kit: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let list = |path: PathBuf| fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    let paths = list(folder.path(kit))
        .chain(
            ["burn", "fpga", "guide", "selftest", "verilog", "verilog/images"]
                .into_iter()
                .flat_map(|name| list(folder.path(kit).join(name))),
        )
        .filter(|path| path.is_file());
    let root = folder.path(kit);
    let mut files: Vec<(PathBuf, Vec<u8>)> =
        paths.map(|path| (path.strip_prefix(&root).unwrap().to_owned(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn builds_are_reproducible_and_keep_foreign_files() {
    let folder = kit();
    let first = files(&folder, "kit");
    assert_eq!(first.len(), 2 * 38 + 27);
    folder.gray1("build again --program p.g1").succeeds();
    assert!(first == files(&folder, "again"));
    folder.write("kit/burn/mine.txt", "mine");
    folder.write("kit/burn/PCL.bin", "broken");
    let built = folder.gray1("build kit --program p.g1").succeeds();
    assert_eq!(folder.read("kit/burn/mine.txt"), "mine");
    let message = "kit has 1 file not written by this build, perhaps left by an earlier one; the first is kit/burn/mine.txt";
    assert!(built.stderr.contains(message), "{}", built.stderr);
    fs::remove_file(folder.path("kit/burn/mine.txt")).unwrap();
    assert!(first == files(&folder, "kit"));
}

/// All files of a pack are renamed together at the end, but need not stay open until then.
#[test]
#[ignore = "takes twenty seconds"]
fn a_pack_is_written_with_few_files_open() {
    let folder = Folder::new();
    let line = format!("ulimit -n 24; exec {GRAY1} build kit");
    let outcome = output(Command::new("sh").args(["-c", &line]).current_dir(folder.path(".")));
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    // If one file cannot be written, no file is written, and no temporary files remain.
    let other = Folder::new();
    fs::create_dir_all(other.path("kit/verilog/gray1.v")).unwrap();
    other.gray1("build kit").fails(1, &["kit/verilog/gray1.v: cannot write"]);
    let left = files(&other, "kit");
    assert!(left.is_empty(), "{:?}", left.iter().map(|(path, _)| path).collect::<Vec<_>>());
}

/// The images of the program chips are the images of `gray1 asm`, repeated up to the size of the chip.
#[test]
fn the_program_chips_hold_the_program() {
    let folder = kit();
    folder.gray1("asm p.g1 --format prom").succeeds();
    for (socket, file) in [("PROGL", "p.progl.bin"), ("PROGH", "p.progh.bin")] {
        let image = fs::read(folder.path(&format!("kit/burn/{socket}.bin"))).unwrap();
        assert!(image == fs::read(folder.path(file)).unwrap().repeat(32));
    }
    let outcome = folder.gray1("build --compare PROGL kit/burn/PROGL.bin").ends_with(1);
    assert!(outcome.stderr.contains("compared with a blank program"), "{}", outcome.stderr);
    let compared = "build --compare PROGL kit/burn/PROGL.bin --program p.g1";
    folder.gray1(compared).succeeds();
    let outcome = folder.gray1("build blank").succeeds();
    assert!(outcome.stderr.contains("no --program, so the program chips are blank"), "{}", outcome.stderr);
    folder.gray1("build --compare progl blank/burn/PROGL.bin").succeeds();
}

/// The checksums equal the ones that Python computes.
#[test]
fn the_sums_of_the_manifest_are_right() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = kit();
    let script = "import hashlib, zlib\nfor entry in __import__('json').load(open('kit/burn/manifest.json')):\n \
                  image = open('kit/burn/' + entry['socket'] + '.bin', 'rb').read()\n \
                  assert len(image) == entry['size']\n \
                  assert hashlib.sha256(image).hexdigest() == entry['sha256']\n \
                  assert '%08x' % zlib.crc32(image) == entry['crc32']\n \
                  assert '%04x' % (sum(image) % 65536) == entry['sum16']\n print(entry['socket'])\n";
    let output = output(Command::new("python3").args(["-c", script]).current_dir(folder.path("")));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 38);
}

/// A mock of `minipro` records its arguments and fails once.
#[test]
fn the_script_burns_every_chip() {
    let folder = kit();
    let run = |arguments: &[&str], answers: &str| {
        folder.write("answers", answers);
        folder.write(
            "minipro",
            "#!/bin/sh\necho \"$*\" >> ../../log\n[ -f ../../failed ] || { : > ../../failed; exit 1; }\n",
        );
        let mut shell = Command::new("sh");
        let line = "chmod +x minipro; PATH=$PWD:$PATH; exec sh kit/burn/burn.sh \"$@\" < answers";
        let output = output(shell.args(["-c", line, "sh"]).args(arguments).current_dir(folder.path("")));
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, said) = run(&[], &"\n".repeat(39)); // one additional line for the chip that fails
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("SEQ: not burned.") && said.ends_with("38 chips burned\n"), "{said}");
    let log = folder.read("log");
    let manifest: Value = serde_json::from_str(&folder.read("kit/burn/manifest.json")).unwrap();
    for entry in manifest.as_array().unwrap() {
        let line = format!("-p SST39SF010A -w {}.bin", entry["socket"].as_str().unwrap());
        let times = log.lines().filter(|logged| *logged == line).count();
        assert_eq!(times, if entry["socket"] == "SEQ" { 2 } else { 1 }, "{line}");
    }
    let (code, said) = run(&["RED1", "PCL"], "s\n\n");
    assert_eq!((code, said.ends_with("1 chips burned\n")), (Some(0), true), "{said}");
    assert_eq!(folder.read("log").lines().last(), Some("-p SST39SF010A -w RED1.bin"));
    assert_eq!(run(&["RED1", "PCL"], "").0, Some(1)); // without an answer no chip is burned
    assert_eq!(run(&["RED9"], "\n").0, Some(2));
}

/// A program that counts, adds, shifts, stores, loads, takes and skips jumps, and halts.
const BUSY: &str = "
.ram n
.ram sum
        lda  #0
        sta  n
        sta  sum
again:  lda  n
        add  #7
        sta  n
        shr  n
        nor  sum
        sta  sum
        sta  OUT
        sta  GREEN
        lda  n
        add  #100
        jc   over
        jmp  again
over:   lda  sum
        jz   halt
        lda  #0
        jz   halt
        jmp  again
halt:   jmp  halt
";

#[test]
fn the_machine_in_verilog_gives_the_same_trace() {
    if !installed(&["iverilog", "vvp"]) {
        return;
    }
    let folder = Folder::with(BUSY);
    let run = |arguments: &[&str]| {
        let (program, arguments) = arguments.split_first().unwrap();
        let output = output(Command::new(program).args(arguments).current_dir(folder.path("kit/verilog")));
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success() && said[1].is_empty(), "{said:?}");
        said[0].clone()
    };
    folder.gray1("run p.g1 --trace trace.csv").succeeds();
    let trace = folder.read("trace.csv");
    assert!(trace.lines().count() > 250, "{trace}");
    // The Gray-1 with a net that has the name of a Verilog keyword, and the built board.
    let gray1 = include_str!("../../emulator/machine/src/board/gray1.ron");
    let built = include_str!("../../emulator/machine/src/board/built.ron");
    for board in [gray1.replace("ZL", "wire"), built.to_owned()] {
        folder.write("board.ron", board);
        folder.gray1("build kit --program p.g1 --board board.ron").succeeds();
        assert_eq!(run(&["iverilog", "-g2012", "testbench.v", "gray1.v"]), "");
        for seed in ["+seed=1", "+seed=77", "+seed=2026"] {
            assert_eq!(run(&["vvp", "a.out", "+cycles=1000", seed]), trace);
        }
    }
    let some = run(&["vvp", "a.out", "+cycles=5"]);
    assert_eq!((some.lines().count(), trace.starts_with(&some)), (6, true), "{some}");
}

/// On the built board, each engine sends the same bytes in the same cycles as on the Gray-1.
#[test]
fn the_board_as_it_is_built_runs_on_every_engine() {
    let folder = Folder::with(BUSY);
    let trace = |name: &str, arguments: &[&str]| {
        let outcome =
            folder.gray1(&[&["run", "p.g1", "--trace", name, "--state-out", "end.ron"], arguments].concat());
        (outcome.succeeds().stdout, folder.read(name), folder.read("end.ron"))
    };
    let expected = trace("fast.csv", &["--engine", "isa"]);
    let timed = ["--engine", "timed", "--board", "built", "--capacitor", "470pF", "--osc", "1MHz"];
    assert!(expected.1.lines().count() > 250);
    assert!(trace("chips.csv", &["--board", "built"]) == expected);
    assert!(trace("timed.csv", &timed) == expected);
    // `built` refers to the board even if a file with that name exists. The file is `./built`.
    folder.write("built", "Board(");
    folder.gray1("run p.g1 --board built").succeeds();
    folder.gray1("run p.g1 --board ./built").ends_with(1);
}

/// Boards that need unavailable parts, or that `gray1 verify` refutes, are rejected, and nothing is written.
#[test]
fn rejected_boards_are_not_built() {
    let gray1 = include_str!("../../emulator/machine/src/board/gray1.ron");
    let without: Vec<&str> = gray1.lines().filter(|line| !line.contains("nets: \"WEN\"")).collect();
    let folder = Folder::new();
    folder.write("without.ron", without.join("\n").replace("data: \"WE WEN\"", "data: \"WE\""));
    let restless = format!("burn: Cells([{}])", ["1, 1, 0, 0"; 8].join(", "));
    folder.write("restless.ron", gray1.replace("burn: Sequencer", &restless));
    for (arguments, message) in [
        (["--board", "without.ron"], "RAM RAML: WE writes while it is 1"),
        (["--cell", "DEC:*.WEN=0"], "RAM RAM: WE writes while it is 1"),
        (["--board", "restless.ron"], "Order does not matter: REFUTED"),
        (["--cell", "ALUL:*.C4=0"], "The board computes the instruction set: REFUTED"),
        (["--cell", "DEC:*.WE=1"], "RAM RAM: WE writes while it is 1"),
    ] {
        folder.gray1(&[&["build", "kit"][..], &arguments].concat()).fails(1, &[message]);
        assert_eq!(folder.names(), ["restless.ron", "without.ron"], "{arguments:?}");
    }
}

#[test]
fn a_chip_that_was_read_back_is_compared() {
    let folder = kit();
    let compared = |socket: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(folder.path(&format!("kit/burn/{socket}.bin"))).unwrap();
        change(&mut bytes);
        folder.write("dump.bin", &bytes);
        folder.gray1(&["build", "--compare", socket, "dump.bin"])
    };
    assert_eq!(compared("ALUH", &|_| ()).succeeds().stdout, "ALUH: all 131,072 cells match\n");

    let outcome = compared("ALUH", &|bytes| bytes[0x123] ^= 0x20).ends_with(1);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "ALUH: 1 of 131,072 cells differs; 1 among the 32,768 that the socket selects");
    assert_eq!(lines[1], "no single cause explains this");
    // The fields of the address are the same as in `gray1 chips`.
    let shown = folder.gray1("chips ALUH --at 0x123").succeeds().stdout;
    let row = |word: &str| -> Vec<String> {
        let mut lines = shown.lines().skip_while(|line| !line.trim_start().starts_with(word));
        let mut next = || lines.next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let names = next();
        names[1..].iter().zip(next()).map(|(name, value)| format!("{name}={value}")).collect()
    };
    let cell = lines[4].split_once("TAKE").unwrap_or_else(|| panic!("{}", outcome.stdout));
    assert!(cell.0.trim_start().starts_with("0x00123 "), "{}", lines[4]);
    assert_eq!(cell.1.trim(), row("address").join(" "));
    assert_eq!(lines.len(), 5);

    let outcome = compared("ALUH", &|bytes| {
        let image = bytes.clone();
        (0..bytes.len()).for_each(|address| bytes[address] = image[address & !(1 << 11)]);
    });
    let outcome = outcome.ends_with(1);
    assert!(outcome.stdout.contains("as if address line A11 (C4) were stuck at 0\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n  … and "), "{}", outcome.stdout);
    // Differences in cells that the socket never selects are reported too.
    let outcome = compared("ALUH", &|bytes| bytes[0x1_0000] ^= 1).ends_with(1);
    assert!(outcome.stdout.contains("differs; 0 among the 32,768"), "{}", outcome.stdout);
}

#[test]
fn invalid_builds_and_comparisons_are_rejected() {
    let folder = Folder::with("  lda nowhere\n");
    folder.write("short.bin", "short");
    folder.write("file", "");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["build"], 2, "<DIR>"),
        (&["build", "kit", "--program", "p.g1"], 1, "not assembled"),
        (&["build", "kit", "--program", "none.g1"], 1, "none.g1: cannot read"),
        (&["build", "kit", "--board", "file"], 1, "file"),
        (&["build", "file"], 1, "cannot write"),
        (&["build", "--compare", "PCL", "short.bin"], 1, "has 131,072 bytes, this has 5"),
        (&["build", "--compare", "PCX", "short.bin"], 1, "there is no ROM socket PCX"),
        (&["build", "kit", "--compare", "PCL", "short.bin"], 2, "cannot be used with"),
    ];
    for (arguments, code, message) in cases {
        folder.gray1(arguments).fails(code, &[message]);
        assert_eq!(folder.names(), ["file", "p.g1", "short.bin"], "{arguments:?}");
    }
    let folder = kit();
    let before = files(&folder, "kit");
    folder.gray1("build kit --program kit/burn/PCL.bin").fails(1, &["an image has 8192 bytes"]);
    let image = folder.path("kit/burn/A.new");
    folder.gray1(&["asm", "p.g1", "-o", image.to_str().unwrap()]).succeeds();
    fs::rename(&image, folder.path("kit/burn/A.bin")).unwrap();
    folder.gray1("build kit --program kit/burn/A.bin").fails(2, &["would overwrite an input file"]);
    let after = files(&folder, "kit");
    let unchanged = before.iter().filter(|file| after.contains(file)).count();
    assert_eq!(unchanged, before.len() - 1); // except for the file that the test changed
}
