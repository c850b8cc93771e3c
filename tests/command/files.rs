//! Invalid input: messages with the file and the error, exit code 1 or 2, and no partial files.

use crate::support::{ENDLESS, Folder, HI};

#[test]
fn images_of_a_wrong_size() {
    let folder = Folder::new();
    for size in [0, 1, 8191, 8193, 100_000] {
        folder.write("p.bin", vec![0u8; size]);
        folder.gray1("run p.bin").fails(1, &["p.bin", "8192 bytes", &format!("this has {size}")]);
        folder.gray1("dis p.bin").fails(1, &["p.bin", "8192 bytes"]);
    }
    folder.gray1("run absent.bin").fails(1, &["absent.bin: cannot read: No such file"]);
    folder.gray1("run absent.g1").fails(1, &["absent.g1: cannot read: No such file"]);
    folder.gray1("run .").fails(1, &[".: cannot read: Is a directory"]);
}

#[test]
fn states_that_are_cut_short_edited_or_of_another_version() {
    let folder = Folder::with(ENDLESS);
    folder.gray1("run p.g1 --max-cycles 500 --state-out s.ron").ends_with(3);
    let good = folder.read("s.ron");
    let cases = [
        (good[..good.len() / 2].to_owned(), "cut short"),
        (String::new(), "bad.ron:1:1"),
        (good.replace("version: 1", "version: 9"), "version 9"),
        (good.replace("cycle: 500", "cycle: 501"), "changed after it was written"),
        (good.replace("pc: ", "pc: 9999"), "is more than 4095"),
        (good.replace(" ram: \"", " ram: \"zz"), "8194 characters"),
        (good.replace("halted", "haltet"), "haltet"),
        ("cycle,pc,word,a,c\n".to_owned(), "not a state file"),
    ];
    for (text, message) in cases {
        folder.write("bad.ron", text);
        folder
            .gray1("run p.g1 --state-in bad.ron --trace t.csv --state-out o.ron")
            .fails(1, &["bad.ron", message]);
    }
    folder.write("bad.ron", [0xFF, 0xFE, 0]);
    folder.gray1("run p.g1 --state-in bad.ron").fails(1, &["bad.ron: not a text file"]);
    folder.write("other.g1", HI);
    folder.gray1("run other.g1 --state-in s.ron").fails(1, &["belongs to another program"]);
    assert_eq!(folder.names(), ["bad.ron", "other.g1", "p.g1", "s.ron"]);

    // An edited state is accepted if its checksum was removed, which shows that the edit was deliberate.
    let edited = good.replace("cycle: 500", "cycle: 600");
    let without = edited.lines().filter(|line| !line.contains("checksum")).collect::<Vec<_>>().join("\n");
    folder.write("edited.ron", without);
    folder.gray1("run p.g1 --state-in edited.ron --max-cycles 1 --state-out o.ron").ends_with(3);
    assert!(folder.read("o.ron").contains("cycle: 601,"));
}

/// No control characters reach the terminal, and no name begins a new line.
#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped() {
    const NAME: &str = "e\u{1b}[2Jvil\nname";
    const SHOWN: &str = "e\\u{1b}[2Jvil\\nname";
    let folder = Folder::new();
    let named = |ending: &str| format!("{NAME}{ending}");
    folder.write(&named(".g1"), HI);
    folder.write(&named("2.g1"), "nop\n");
    folder.write(&named("3.g1"), "a:\n.include \"absent\u{1b}.g1\"\n");
    folder.write(&named(".ron"), "(\u{1b}");
    folder.write("p.g1", HI);
    for (arguments, code) in [
        (&["asm", &named(".g1"), "-o", &named("/p.bin")][..], 1),
        (&["run", &named("2.g1")], 1),
        (&["run", &named("3.g1")], 1),
        (&["run", &named("4.g1")], 1),
        (&["fmt", "--check", &named(".g1")], 1),
        (&["dis", &named(".g1")], 1),
        (&["run", "p.g1", "--trace", &named("/t.csv")], 1),
        (&["run", "p.g1", "--input", &named(".ron")], 1),
        (&["run", "p.g1", "--state-in", &named(".ron")], 1),
        (&["chips", "--board", &named(".ron")], 1),
        (&["faults", &named(".g1"), "--count", "2"], 0),
        (&["faults", "--join", &named(".ron")], 1),
        (&["compare", &named(".g1"), "p.g1"], 1),
        (&["tree", &named(".g1")], 1),
        (&["why", &named(".g1"), "--cycle", "3", "OUT3"], 0),
    ] {
        let outcome = folder.gray1(arguments).ends_with(code);
        let said = outcome.stdout.clone() + &outcome.stderr;
        let is_hidden = |letter: char| letter.is_control() && letter != '\n';
        assert!(said.contains(SHOWN) && !said.contains(is_hidden), "{outcome:#?}");
    }
    for (arguments, code) in [(&["chips", "A\u{1b}"][..], 1), (&["search", "a = \u{1b}"], 2)] {
        let said = folder.gray1(arguments).ends_with(code).stderr;
        assert!(said.contains("\\u{1b}") && !said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn paths_that_cannot_be_written() {
    let folder = Folder::with(ENDLESS);
    for option in ["--trace", "--state-out", "--record"] {
        folder.gray1(&["run", "p.g1", option, "no/such/x.gif"]).fails(1, &["no/such/x.gif: cannot write"]);
    }
    folder.gray1("run p.g1 --trace /dev/full").ends_with(1);
    folder.gray1("asm p.g1 -o no/such/folder").fails(1, &["no/such/folder: cannot write"]);
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn errors_leave_existing_files_unchanged() {
    let folder = Folder::with("lda nothing\n");
    folder.write("p.bin", "old");
    folder.write("t.csv", "old");
    folder.gray1("asm p.g1").fails(1, &["p.g1:1:5", "nothing"]);
    folder.gray1("run p.g1 --trace t.csv").fails(1, &["p.g1:1:5"]);
    assert_eq!((folder.read("p.bin"), folder.read("t.csv")), ("old".to_owned(), "old".to_owned()));
}

#[test]
fn invalid_input_scripts() {
    let folder = Folder::with(HI);
    let cases = [
        ("[(at: 1, pad: Some((row: 9, col: 0)))]", "9 is not a row or column"),
        ("[(at: 1, keys: [\"fire\"])]", "`fire` is not a key"),
        ("[(at: 1", "i.ron:1:"),
        ("hello", "i.ron:1:"),
    ];
    for (text, message) in cases {
        folder.write("i.ron", text);
        folder.gray1("run p.g1 --input i.ron").fails(1, &["i.ron:1:", message]);
    }
}

#[test]
fn invalid_boards() {
    let folder = Folder::with(HI);
    let board = include_str!("../../emulator/machine/src/board/gray1.ron");
    folder.write("b.ron", board);
    assert_eq!(folder.gray1("run p.g1 --board b.ron").succeeds().stdout, "hi\n");
    folder.write("b.ron", board.replace("data: \"WE WEN\"", "data: \"WE W0\""));
    folder.gray1("run p.g1 --board b.ron").fails(1, &["b.ron:", "net W0 has two drivers"]);
    folder.gray1("chips --board b.ron").fails(1, &["b.ron:", "net W0 has two drivers"]);
    // A sequencer that oscillates.
    let cells: Vec<&str> = (0..32).map(|address| if address & 2 == 0 { "1" } else { "0" }).collect();
    let restless = board.replace("burn: Sequencer", &format!("burn: Cells([{}])", cells.join(", ")));
    folder.write("b.ron", restless);
    folder.gray1("run p.g1 --board b.ron").fails(1, &["does not settle", "SEQ"]);
}

#[test]
fn invalid_command_lines() {
    let folder = Folder::with(HI);
    let cases: [&[&str]; 15] = [
        &[],
        &["jump"],
        &["run"],
        &["run", "p.g1", "p.g1"],
        &["run", "p.g1", "--engine", "steam"],
        &["run", "p.g1", "--max-cycles", "-1"],
        &["run", "p.g1", "--max-cycles", "many"],
        &["run", "p.g1", "--ram", "random:x"],
        &["run", "p.g1", "--hz", "0"],
        &["run", "p.g1", "--engine", "isa", "--board", "b.ron"],
        &["run", "p.g1", "--record", "r.gif", "--display", "window"],
        &["run", "p.g1", "-D", "1N=3"],
        &["asm", "-"],
        &["chips", "--at", "3"],
        &["fmt"],
    ];
    for arguments in cases {
        folder.gray1(arguments).fails(2, &[]);
    }
    assert_eq!(folder.names(), ["p.g1"]);
    for arguments in ["--help", "run --help", "chips --help", "--version", "asm --help", "run --version"] {
        assert_ne!(folder.gray1(arguments).succeeds().stdout, "");
    }
}

#[test]
fn endless_files_are_rejected() {
    let folder = Folder::with(".include \"/dev/zero\"\n");
    for arguments in
        [&["run", "/dev/zero"][..], &["dis", "/dev/zero"], &["fmt", "/dev/zero"], &["asm", "p.g1"]]
    {
        folder.gray1(arguments).fails(1, &["/dev/zero", "larger than 64 megabytes"]);
    }
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::with(HI);
    let state = folder.gray1("run p.g1 --state-out -").succeeds().stdout;
    assert!(state.starts_with("hi\n(") && state.contains("halted: true"), "{state}");
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn outputs_never_overwrite_inputs_or_other_outputs() {
    let folder = Folder::with(HI);
    folder.write("p.vcd", HI);
    let before = folder.names();
    for arguments in [
        "run p.g1 --trace ./p.g1",
        "run p.vcd --wave p.vcd",
        "run p.g1 --trace x.vcd --wave ./x.vcd",
        "run p.g1 --trace x --state-out x",
    ] {
        folder.gray1(arguments).fails(2, &["would overwrite"]);
    }
    assert_eq!(folder.names(), before);
    assert_eq!(folder.read("p.g1"), HI);
    folder.gray1("run p.g1 --trace /dev/null --state-out /dev/null").succeeds();
    folder.gray1("run p.g1 --max-cycles 2 --state-out s.ron").ends_with(3);
    folder.gray1("run p.g1 --state-in s.ron --state-out s.ron").succeeds();
}

/// If standard output is a pipe, `/dev/stdout` resolves to a file without a folder.
#[cfg(unix)]
#[test]
fn a_pipe_can_be_written_by_the_name_of_standard_output() {
    let folder = Folder::with(HI);
    let outcome = folder.gray1("run p.g1 --max-cycles 1 --trace /dev/stdout");
    let stdout = outcome.ends_with(3).stdout;
    assert!(stdout.contains("cycle,pc,word,a,c\n0,000,"), "{stdout}");
}
