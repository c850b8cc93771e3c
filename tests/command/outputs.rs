//! Output files: complete or absent, written through links, and never over an input.

use crate::support::{ENDLESS, Folder, HI};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use test_support::process::{Process, Signal, until};

/// A command line for every option that writes a file, `{}`. Each command terminates and succeeds.
const WRITERS: &[&[&str]] = &[
    &["run", "p.g1", "--trace", "{}"],
    &["run", "p.g1", "--state-out", "{}"],
    &["run", "p.g1", "--record", "{}"],
    &["run", "p.g1", "--wave", "{}"],
    &["asm", "p.g1", "-o", "{}"],
    &["asm", "p.g1", "--format", "listing", "-o", "{}"],
    &["asm", "p.g1", "--format", "symbols", "-o", "{}"],
    &["dis", "i.bin", "-o", "{}"],
    &["fmt", "{}"],
    &["verify", "loops", "order", "--certificate", "{}"],
];

/// Makes a folder with the inputs of the writers. Returns the folder, a writer's command line and the name of its
/// output.
fn writer(line: &[&str], link: &str) -> (Folder, Vec<String>, String) {
    let folder = Folder::with(HI);
    folder.write("q.g1", "lda #'0'\nsta OUT\nlda #10\nsta OUT\nhalt: jmp halt\n");
    folder.gray1("asm p.g1 -o i.bin").succeeds();
    let ending = match line {
        line if line.contains(&"--wave") => "vcd",
        line if line.contains(&"--record") => "gif",
        _ => "out",
    };
    let name = format!("{link}.{ending}");
    let line = line.iter().map(|word| word.replace("{}", &name)).collect();
    (folder, line, name)
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// The old contents of the output. `fmt` changes them, the other commands replace them.
const OLD: &str = "  lda   #1\nhalt:    jmp halt\n";

#[test]
fn a_link_stays_and_its_target_is_replaced() {
    for line in WRITERS {
        let (folder, line, name) = writer(line, "link");
        fs::create_dir(folder.path("elsewhere")).unwrap();
        folder.write("elsewhere/target", OLD);
        symlink("elsewhere/target", folder.path("second")).unwrap();
        symlink("second", folder.path(&name)).unwrap();
        folder.gray1(&words(&line)).succeeds();
        assert!(folder.path(&name).is_symlink(), "{line:?}");
        assert_ne!(fs::read(folder.path("elsewhere/target")).unwrap(), OLD.as_bytes(), "{line:?}");
        assert_eq!(fs::read_dir(folder.path("elsewhere")).unwrap().count(), 1, "a draft remains: {line:?}");
    }
}

#[test]
fn a_file_keeps_its_mode_and_its_other_names_the_old_contents() {
    for line in WRITERS {
        let (folder, line, name) = writer(line, "file");
        folder.write(&name, OLD);
        fs::set_permissions(folder.path(&name), fs::Permissions::from_mode(0o600)).unwrap();
        fs::hard_link(folder.path(&name), folder.path("second")).unwrap();
        folder.gray1(&words(&line)).succeeds();
        assert_eq!(fs::read(folder.path("second")).unwrap(), OLD.as_bytes(), "{line:?}");
        assert_ne!(fs::read(folder.path(&name)).unwrap(), OLD.as_bytes(), "{line:?}");
        assert_eq!(fs::metadata(folder.path(&name)).unwrap().mode() & 0o777, 0o600, "{line:?}");
        assert!(folder.names().iter().all(|name| !name.ends_with(".tmp")), "{:?}", folder.names());
    }
}

#[test]
fn an_error_leaves_the_target_of_a_link_as_it_was() {
    for line in WRITERS.iter().filter(|line| line[0] == "run") {
        let (folder, mut line, name) = writer(line, "link");
        folder.write("target", OLD);
        symlink("target", folder.path(&name)).unwrap();
        if !line.contains(&"--record".to_owned()) {
            line.extend(["--display", "window"].map(str::to_owned)); // the missing display is detected after the start
            folder.gray1(&words(&line)).ends_with(1);
            assert_eq!(folder.read("target"), OLD, "{line:?}");
        }
    }
}

#[test]
fn full_disks_are_reported_with_the_file_name() {
    for line in WRITERS.iter().filter(|line| !["--wave", "fmt"].iter().any(|word| line.contains(word))) {
        let (folder, mut line, name) = writer(line, "full");
        line.iter_mut().filter(|word| **word == name).for_each(|word| *word = "/dev/full".to_owned());
        let outcome = folder.gray1(&words(&line)).ends_with(1);
        assert!(outcome.stderr.contains("/dev/full: cannot write"), "{outcome:?}");
    }
}

#[test]
fn unwritable_outputs_leave_no_files() {
    for line in WRITERS.iter().filter(|line| line[0] != "fmt") {
        let (folder, line, name) = writer(line, "file");
        folder.write(&name, OLD);
        fs::set_permissions(folder.path(&name), fs::Permissions::from_mode(0o444)).unwrap();
        let files = folder.names();
        folder.gray1(&words(&line)).fails(1, &[&name, "cannot write", "read-only"]);
        assert_eq!((folder.read(&name).as_str(), folder.names()), (OLD, files), "{line:?}");
        let missing: Vec<String> =
            line.iter().map(|word| word.replace(&name, &format!("nowhere/{name}"))).collect();
        folder.gray1(&words(&missing)).fails(1, &["nowhere", "cannot write"]);
    }
}

/// Either both files are written or none.
#[test]
fn chips_are_written_together() {
    for (format, ending) in [("prom", "bin"), ("hex", "hex")] {
        for blocked in ["progl", "progh"] {
            let folder = Folder::with(HI);
            let name = format!("p.{blocked}.{ending}");
            fs::create_dir(folder.path(&name)).unwrap();
            folder.gray1(&["asm", "p.g1", "--format", format]).fails(1, &[&name, "cannot write"]);
            assert_eq!(folder.names(), ["p.g1", &name], "{format}");
        }
    }
}

/// Starts a command in a folder with one file, and waits until it has created a second one. Then it handles signals.
fn begun(folder: &Folder, line: &[&str]) -> Process {
    let process = folder.start(line);
    until("it has begun to write", || (folder.names().len() > 1).then_some(()));
    process
}

/// An interrupted run completes its open files.
#[test]
fn signals_leave_complete_files_or_none() {
    let long = [
        (&["run", "p.g1", "--display", "none", "--wave", "out.vcd"][..], true),
        (&["run", "p.g1", "--record", "out.gif"], true),
    ];
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for (line, is_kept) in long {
            let folder = Folder::with(ENDLESS);
            let process = begun(&folder, line);
            process.signal(signal);
            assert_eq!(process.output().status.code(), Some(128 + signal.as_raw()), "{line:?} {signal:?}");
            let out = line[line.len() - 1];
            let expected: &[&str] = if is_kept { &[out, "p.g1"] } else { &["p.g1"] };
            assert_eq!(folder.names(), expected, "{line:?} {signal:?}");
        }
    }
}

#[test]
fn names_of_any_length_and_planted_links() {
    for line in WRITERS.iter().filter(|line| line[0] != "fmt") {
        let (folder, line, name) = writer(line, &"n".repeat(245));
        folder.gray1(&words(&line)).succeeds();
        assert!(folder.path(&name).is_file(), "{line:?}");
    }
}

#[test]
fn outputs_never_overwrite_included_files() {
    let folder = Folder::with(".include \"lib.g1\"\n");
    folder.write("lib.g1", HI);
    symlink("lib.g1", folder.path("link.g1")).unwrap();
    fs::hard_link(folder.path("lib.g1"), folder.path("hard.g1")).unwrap();
    folder.gray1("asm p.g1 -o i.bin").succeeds();
    for name in ["lib.g1", "./lib.g1", "link.g1", "hard.g1"] {
        for line in [
            &["asm", "p.g1", "-o", name][..],
            &["run", "p.g1", "--trace", name],
            &["run", "p.g1", "--state-out", name],
        ] {
            folder.gray1(line).fails(2, &[name, "would overwrite"]);
        }
    }
    folder.gray1("dis i.bin -o i.bin").fails(2, &["i.bin", "would overwrite"]);
    folder.write("input.ron", "[]");
    folder.gray1("run p.g1 --input input.ron --trace input.ron").fails(2, &["would overwrite"]);
    assert_eq!((folder.read("lib.g1"), folder.read("input.ron")), (HI.to_owned(), "[]".to_owned()));
}

#[test]
fn every_signal_saves_the_state_and_leaves_no_draft() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = Folder::with(ENDLESS);
        let line = ["run", "p.g1", "--display", "none", "--state-out", "s.ron", "--trace", "t.csv"];
        let process = begun(&folder, &line);
        process.signal(signal);
        assert_eq!(process.output().status.code(), Some(128 + signal.as_raw()), "{signal:?}");
        assert!(folder.read("s.ron").contains("halted: false"), "{signal:?}");
        assert_eq!(folder.names(), ["p.g1", "s.ron", "t.csv"], "{signal:?}");
    }
}

#[test]
fn the_state_is_saved_despite_unread_output_and_a_full_disk() {
    let folder = Folder::with("again: lda #'x'\n sta OUT\n jmp again\n");
    let mut process = folder.start("run p.g1 --display none --state-out s.ron");
    std::thread::sleep(std::time::Duration::from_millis(300)); // by now the pipe is full, or nearly so
    process.signal(Signal::INT);
    assert_eq!(process.wait().code(), Some(130));
    assert!(folder.read("s.ron").contains("halted: false"));
    fs::remove_file(folder.path("s.ron")).unwrap();
    folder.gray1("run p.g1 --trace /dev/full --max-cycles 100000 --state-out s.ron").ends_with(1);
    assert!(folder.read("s.ron").contains("halted: false"));
}

/// A killed command leaves its draft. The next command in that folder removes it, but not the drafts of running
/// commands.
#[cfg(unix)]
#[test]
fn only_stale_drafts_are_removed() {
    let folder = Folder::with(HI);
    for name in [".gray1-killed.tmp", ".gray1-young.tmp", ".gray1-held.tmp", "gray1-mine.tmp"] {
        folder.write(name, "part");
    }
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    let open = |name: &str| fs::OpenOptions::new().write(true).open(folder.path(name)).unwrap();
    for name in [".gray1-killed.tmp", ".gray1-held.tmp", "gray1-mine.tmp"] {
        open(name).set_modified(hour_ago).unwrap();
    }
    let held = open(".gray1-held.tmp");
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
    folder.gray1("asm p.g1").succeeds();
    assert_eq!(folder.names(), [".gray1-held.tmp", ".gray1-young.tmp", "gray1-mine.tmp", "p.bin", "p.g1"]);
}
