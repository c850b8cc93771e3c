//! The files of `gray1 vectors` are run by `emulator.py`, a small emulator written from docs/vectors.md alone.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use test_support::folder::Folder;
use test_support::process::{Process, output, until};
use test_support::tools::installed;

/// The limit on the size of all files together.
const MOST_BYTES: usize = 6 << 20;

fn gray1(folder: &Path, arguments: &[&str]) -> Output {
    output(Command::new(env!("CARGO_BIN_EXE_gray1")).arg("vectors").args(arguments).current_dir(folder))
}

fn emulator(folder: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/emulator.py");
    output(Command::new("python3").arg("-B").arg(script).arg(folder))
}

/// All files with their contents, by their paths in the folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                let name = entry.strip_prefix(folder).expect("it is in there").to_owned();
                files.insert(name, fs::read(&entry).expect("a file"));
            }
        }
    }
    files
}

#[test]
fn an_emulator_that_knows_the_document_only_agrees_with_all() {
    let folder = Folder::create();
    let made = gray1(folder.path(), &["made"]);
    assert_eq!(String::from_utf8_lossy(&made.stderr), "made: 43 files\n");
    let all = files(&folder.path().join("made"));
    let bytes: usize = all.values().map(Vec::len).sum();
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
    if !installed(&["python3"]) {
        return;
    }
    let said = emulator(&folder.path().join("made"));
    let text = String::from_utf8_lossy(&said.stdout);
    assert_eq!(text, "2240 instructions of 35 kinds and 7 programs agree\n", "{said:?}");
    assert!(said.status.success());
}

#[test]
fn the_emulator_notices_what_is_wrong() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::create();
    assert!(gray1(folder.path(), &["made", "--cases", "1"]).status.success());
    let names = fs::read(folder.path().join("made/nets.json")).expect("the nets");
    let changed = folder.path().join("changed");
    for inner in ["instructions", "programs"] {
        fs::create_dir_all(changed.join(inner)).expect("a folder");
    }
    fs::write(changed.join("nets.json"), names).expect("there is room");
    let changes = [
        ("instructions/add_ram.json", "/0/final/a"),
        ("instructions/jmp_taken.json", "/0/final/pc"),
        ("instructions/jz_halt.json", "/0/final/halted"),
        ("instructions/sta_ram.json", "/0/final/ram/0/1"),
        ("instructions/sta_port.json", "/0/output/0"),
        ("instructions/sta_display.json", "/0/display/0/1"),
        ("instructions/shr_input.json", "/0/phases/1/24"),
        ("instructions/jc_wrong_parity.json", "/0/phases/4/9"),
        ("programs/first.json", "/trace/3/2"),
        ("programs/first.json", "/final/c"),
        ("programs/muldiv.json", "/output/1/0"),
        ("programs/muldiv.json", "/final/ram/0/1"),
    ];
    for (file, pointer) in changes {
        let text = fs::read_to_string(folder.path().join("made").join(file)).expect("a file");
        let mut value: Value = serde_json::from_str(&text).expect("JSON");
        let place = value.pointer_mut(pointer).unwrap_or_else(|| panic!("{file}: no {pointer}"));
        *place = (place.as_u64().expect("a number") ^ 1).into();
        fs::write(changed.join(file), value.to_string()).expect("there is room");
        let said = emulator(&changed);
        let text = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.code() == Some(1) && text.contains("the vector"), "{file} {pointer}: {said:?}");
        fs::remove_file(changed.join(file)).expect("it is there");
    }
}

/// However many cases there are, one is in memory.
#[test]
fn many_cases_take_no_more_memory_than_few() {
    let folder = Folder::create();
    let peak = |cases: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
        let mut process = Process::start(
            command
                .args(["vectors", cases, "--cases", cases])
                .current_dir(folder.path())
                .stderr(Stdio::null()),
        );
        let mut peak = 0;
        let status = until("the files are written", || {
            peak = process.peak().unwrap_or(peak);
            process.ended()
        });
        assert!(status.success() && peak > 0, "{cases} cases: {peak} kilobytes");
        peak
    };
    let [few, many] = ["1", "1000"].map(peak);
    assert!(many < few + 4_096, "{few} kilobytes, then {many}");
}

#[test]
fn the_same_is_written_each_time_and_nothing_by_halves() {
    let folder = Folder::create();
    for name in ["one", "other"] {
        assert!(gray1(folder.path(), &[name, "--cases", "2"]).status.success());
    }
    let [one, other] = ["one", "other"].map(|name| files(&folder.path().join(name)));
    assert!(one.len() == 43 && one == other);

    fs::create_dir_all(folder.path().join("blocked")).expect("a folder");
    fs::write(folder.path().join("blocked/programs"), "in the way").expect("there is room");
    let blocked = gray1(folder.path(), &["blocked", "--cases", "2"]);
    assert_eq!(blocked.status.code(), Some(1), "{blocked:?}");
    let left: Vec<PathBuf> = files(&folder.path().join("blocked")).into_keys().collect();
    assert_eq!(left, [PathBuf::from("programs")]);

    for wrong in [&["-"][..], &["x", "--cases", "0"], &[]] {
        assert_eq!(gray1(folder.path(), wrong).status.code(), Some(2), "{wrong:?}");
    }
}
