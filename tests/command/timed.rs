//! Commands that use delays: `gray1 run --engine timed`, `gray1 timing`.

use crate::support::{ENDLESS, Folder, HI};

#[test]
fn failing_machines_print_the_cause_and_write_no_file() {
    let folder = Folder::with(HI);
    let run = ["run", "p.g1", "--engine", "timed", "--osc", "3MHz", "--display", "none"];
    let files = ["--trace", "t.csv", "--state-out", "s.ron"];
    let messages =
        ["gray1: the machine fails at ", "in phase ", "should be ", "the chain of causes:", "outside: OSC "];
    folder.gray1(&[&run[..], &files].concat()).fails(1, &messages);
    assert_eq!(folder.names(), ["p.g1"]);
}

#[test]
fn output_before_a_failure_is_written() {
    let folder = Folder::with(ENDLESS);
    let run = "run p.g1 --engine timed --capacitor none --display none --seed 3";
    let outcome = folder.gray1(run);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(1), "hi\n"), "{outcome:#?}");
    assert!(outcome.stderr.contains("transient"), "{}", outcome.stderr);
    assert_eq!(folder.gray1(run).stderr, outcome.stderr, "the same seed gives the same failure");
}

#[test]
fn wrong_options_are_errors_of_usage() {
    let folder = Folder::with(HI);
    for (arguments, message) in [
        ("run p.g1 --osc 1MHz", "--osc needs --engine timed"),
        ("run p.g1 --engine isa --seed 1", "--seed needs --engine timed"),
        ("run p.g1 --engine timed --osc fast", "write a frequency, for instance `800kHz`"),
        ("run p.g1 --engine timed --osc 1Hz", "between 1kHz and 1000MHz"),
        ("run p.g1 --engine timed --capacitor 1F", "write a capacitor, for instance `1nF`"),
        ("run p.g1 --engine timed --delays slow", "random, worst, best, path"),
        ("debug p.g1 --engine timed", "the debugger always runs the chips engine"),
        ("debug p.g1 --osc 1MHz", "--osc needs --engine timed"),
        ("timing p.g1", "unexpected argument"),
    ] {
        folder.gray1(arguments).fails(2, &[message]);
    }
}

#[test]
fn missing_timing_data_is_an_error_with_advice() {
    let folder = Folder::with(HI);
    let board = include_str!("../../emulator/machine/src/board/gray1.ron");
    let without = board.replace("\"4Kx4\":      (access: (18, 45),  inertia: 18, resistance: 100),", "");
    assert_ne!(board, without);
    folder.write("b.ron", without);
    folder.gray1("run p.g1 --board b.ron").succeeds();
    let message = "chip RAML: the board file has no timing data for its part 4Kx4; add it to `timing`";
    let timing = ["timing", "--constraints"];
    for command in [&["run", "p.g1", "--engine", "timed"][..], &timing[..1], &timing] {
        folder.gray1(&[command, &["--board", "b.ron"]].concat()).fails(1, &[message]);
    }
}

/// A board whose sequencer is not connected to the oscillator, and a board whose program counter never advances.
#[test]
fn boards_without_a_clock_or_a_counter_are_errors() {
    let folder = Folder::with(HI);
    let board = include_str!("../../emulator/machine/src/board/gray1.ron");
    let sequencer = r#"burn: Sequencer,    address: "OSC S0-1"#;
    let counter = "LOAD TICK PARH";
    assert!(board.contains(sequencer) && board.contains(counter));
    folder.write("clock.ron", board.replace(sequencer, r#"burn: Sequencer,    address: "RSTIN S0-1"#));
    let no_clock = "gray1: the board has no clock";
    for command in [&["run", "p.g1"][..], &["timing"], &["run", "p.g1", "--engine", "timed"]] {
        folder.gray1(&[command, &["--board", "clock.ron"]].concat()).fails(1, &[no_clock]);
    }
    let timed = "run p.g1 --engine timed --osc 400kHz --board clock.ron";
    folder.gray1(timed).fails(1, &[no_clock]);
    folder.write("counter.ron", board.replace(counter, "LOAD RSTIN PARH"));
    let stuck = ["gray1: the board is stuck: its program counter stays at ", "is not a jump to itself"];
    folder.gray1("run p.g1 --board counter.ron").fails(1, &stuck);
    // The debugger opens such a board, and explains why it does not run.
    for (name, why) in [("clock.ron", no_clock), ("counter.ron", stuck[0])] {
        let line = ["debug", "p.g1", "--batch", "-", "--board", name];
        let said = folder.gray1_with_input(&line, b"run\n").succeeds().stdout;
        assert!(said.starts_with(&why.replace("gray1", "halted")), "{said}");
    }
}

/// A path of two phases is shown once.
#[test]
fn timing_shows_each_path_once() {
    let report = Folder::with(HI).gray1("timing").succeeds().stdout;
    assert_eq!(report.matches("ALUH: NC").count(), 1, "{report}");
    let (_, last) = report.split_once("Phase 3: ").unwrap();
    let path = ["     0.0 ns  OSC rises", "             … the chips of phase 0", "  2296.6 ns  FLAGS: MC"];
    assert_eq!(last.lines().skip(1).take(3).collect::<Vec<_>>(), path, "{report}");
}

/// Regression: the guide listed frequencies for 1 MHz, but the parts list recommended 400 kHz.
#[test]
fn the_recommended_frequency_is_guaranteed() {
    let hardware = gray1_machine::board::Board::built().hardware.unwrap();
    let report = Folder::new().gray1("timing --board built --capacitor 470pF").succeeds().stdout;
    let highest = |which: &str| {
        let line = report.lines().find(|line| line.contains(which)).unwrap();
        line.split(", and ").nth(1).unwrap().split(" for right parity").next().unwrap().to_owned()
    };
    let [guaranteed, typical] = ["guaranteed from", "typical, if"].map(highest);
    let kilohertz: f64 = guaranteed.trim_end_matches(" kHz").parse().unwrap();
    assert!(f64::from(hardware.clock) <= kilohertz, "{} kHz, {guaranteed}", hardware.clock);
    let note = &hardware.parts[&hardware.uses.oscillator].note;
    let said = format!(
        "{guaranteed} are guaranteed and {typical} typical: begin with {} kHz from a generator",
        hardware.clock
    );
    assert!(note.ends_with(&said), "{note}");
}

#[test]
fn timing_lists_paths_frequencies_and_replacements() {
    let folder = Folder::new();
    let text = folder.gray1("timing --capacitor none").succeeds().stdout;
    for part in [
        "Gray-1, no capacitors; all chips as slow as their parts may be\n",
        "\nPhase 0: the longest path",
        "\nPhase 3: the longest path",
        "  1800.0 ns  ALUH: NC\n  1950.0 ns  FLAGS: MC\n",
        "before PH1 moves, 60.0 ns after the edge of phase 2: FLAGS then holds its value",
        "highest safe oscillator frequency: 529.1 kHz, that is 264,550 instructions a second\n",
        "  phase 2   450.0 ns, RE7     the last; at 529.1 kHz it settles\n",
        "  all of them settle up to 277.8 kHz\n",
        "to make the board faster, replace one after the other:\n  FLAGS  by 27C256-45     560.2 kHz\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing in {text}");
    }
}

/// docs/timing.md shows the whole list.
#[test]
fn violated_constraints_set_the_exit_code() {
    let folder = Folder::new();
    let check = |more: &[&str]| {
        let outcome = folder.gray1(&[&["timing", "--constraints"], more].concat());
        assert_eq!(outcome.stderr, "");
        (outcome.code, outcome.stdout)
    };
    let (code, bare) = check(&["--capacitor", "none"]);
    assert!(bare.contains("\n   -30.0 ns  SEQ   0 2    OSC → S0 "), "{bare}");
    assert!(code == Some(1) && bare.contains("\n25 of 26 constraints do not hold\n"), "{bare}");
    assert_eq!(check(&["--capacitor", "432pF"]).0, Some(1));
    assert_eq!(check(&["--capacitor", "433pF"]).0, Some(0));
    // A slower EPROM: the constraints of the sequencer follow from the data of its part.
    let board = include_str!("../../emulator/machine/src/board/gray1.ron");
    let slow = board.replace("\"27C64\":     (access: (60, 150)", "\"27C64\":     (access: (60, 200)");
    assert_ne!(board, slow);
    folder.write("slow.ron", slow);
    let (code, text) = check(&["--board", "slow.ron"]);
    assert!(text.contains("\n   -10.7 ns   -80.0 ns  SEQ   0 2    OSC → S0 "), "{text}");
    assert!(code == Some(1) && text.contains("\n4 of 26 constraints do not hold\n"), "{text}");
    assert!(text.ends_with("the smallest capacitor with which all of them hold: 1.155 nF\n"), "{text}");
    // Without a resistance at the outputs, a capacitor filters nothing.
    let (without_filter, least) =
        (board.replace("resistance: 100", "resistance: 0"), "no capacitor makes all of them hold\n");
    folder.write("bare.ron", without_filter);
    let (code, text) = check(&["--board", "bare.ron"]);
    assert!(code == Some(1) && text.ends_with(least), "{text}");
}
