//! `gray1 run`: output, traces and states, which are the same on all engines.

use crate::support::{ENDLESS, Folder, HI};

const ENGINES: &[&str] = if cfg!(target_arch = "x86_64") {
    &["chips", "isa", "timed", "native"]
} else {
    &["chips", "isa", "fast", "timed"]
};

#[test]
fn output_goes_to_standard_output_unchanged() {
    let folder = Folder::with("lda #0\nsta OUT\nlda #255\nsta OUT\nlda #13\nsta OUT\nh: jmp h\n");
    for engine in ENGINES {
        let output = folder.start(&["run", "p.g1", "--engine", engine, "--display", "none"]).output();
        assert_eq!(output.stdout, [0, 255, 13]);
        assert!(output.status.success());
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn sources_images_and_standard_input_give_the_same_run() {
    let folder = Folder::with(HI);
    folder.gray1("asm p.g1").succeeds();
    folder.gray1("asm p.g1 -o odd.name").succeeds();
    for file in ["p.g1", "p.bin", "odd.name"] {
        assert_eq!(folder.gray1(&["run", file]).succeeds().stdout, "hi\n", "{file}");
    }
    let image = std::fs::read(folder.path("p.bin")).unwrap();
    for input in [HI.as_bytes(), &image] {
        assert_eq!(folder.gray1_with_input(&["run", "-"], input).succeeds().stdout, "hi\n");
    }
}

#[test]
fn a_trace_has_a_row_for_each_instruction_with_the_state_before_it() {
    let folder = Folder::with("lda #$80\nadd #$81\njc on\nlda #9\non: shr #3\nh: jmp h\n");
    let expected = "cycle,pc,word,a,c\n\
                    0,000,1080,00,0\n\
                    1,001,5081,80,0\n\
                    2,002,c006,01,1\n\
                    3,004,9003,01,1\n\
                    4,005,b007,01,1\n";
    for engine in ENGINES {
        folder.gray1(&["run", "p.g1", "--engine", engine, "--trace", "t.csv"]).succeeds();
        assert_eq!(folder.read("t.csv"), expected, "{engine}");
    }
}

#[test]
fn stopped_runs_have_complete_traces_and_states() {
    let folder = Folder::with(ENDLESS);
    for engine in ENGINES {
        folder
            .gray1(&[
                "run",
                "p.g1",
                "--engine",
                engine,
                "--max-cycles",
                "1000",
                "--trace",
                "t.csv",
                "--state-out",
                "s.ron",
            ])
            .ends_with(3);
        let trace = folder.read("t.csv");
        assert_eq!(trace.lines().count(), 1001);
        assert!(trace.lines().last().unwrap().starts_with("999,"));
        let state = folder.read("s.ron");
        assert!(state.contains("cycle: 1000,") && state.contains("halted: false,"), "{state}");
        assert_eq!(folder.names(), ["p.g1", "s.ron", "t.csv"], "no draft is left");
    }
}

#[test]
fn resumed_runs_equal_uninterrupted_runs() {
    let folder = Folder::with(ENDLESS);
    let input = r#"[(at: 10, keys: ["a"]), (at: 700, pad: Some((row: 1, col: 2)))]"#;
    folder.write("i.ron", input);
    let common = ["--input", "i.ron", "--ram", "random:7"];
    let run = |more: &[&str]| {
        let outcome = folder.gray1(&[&["run", "p.g1"], &common[..], more].concat());
        assert_eq!(outcome.code, Some(3), "{outcome:#?}");
        outcome.stdout
    };
    let whole = run(&["--max-cycles", "1500", "--trace", "whole.csv", "--state-out", "whole.ron"]);
    for (first, second) in [("chips", "chips"), ("chips", "isa"), ("isa", "chips"), ("isa", "isa")] {
        let mut output =
            run(&["--engine", first, "--max-cycles", "600", "--trace", "1.csv", "--state-out", "1.ron"]);
        output += &run(&[
            "--engine",
            second,
            "--max-cycles",
            "900",
            "--state-in",
            "1.ron",
            "--trace",
            "2.csv",
            "--state-out",
            "2.ron",
        ]);
        assert_eq!(output, whole);
        assert_eq!(folder.read("2.ron"), folder.read("whole.ron"), "{first}, {second}");
        let joined = folder.read("1.csv") + folder.read("2.csv").split_once('\n').unwrap().1;
        assert_eq!(joined, folder.read("whole.csv"), "{first}, {second}");
    }
}

#[test]
fn a_halted_state_stays_halted() {
    let folder = Folder::with(HI);
    folder.gray1("run p.g1 --state-out s.ron").succeeds();
    assert!(folder.read("s.ron").contains("cycle: 7,"));
    let again = folder.gray1("run p.g1 --state-in s.ron --state-out t.ron --max-cycles 0");
    assert_eq!(again.succeeds().stdout, "");
    assert_eq!(folder.read("s.ron"), folder.read("t.ron"));
}

#[test]
fn noise_is_chosen_on_the_command_line() {
    let folder = Folder::with("lda $123\nsta OUT\nh: jmp h\n");
    for (noise, first) in [("zero", "00"), ("ones", "ff"), ("random", "c1"), ("random:1", "c1")] {
        folder
            .gray1(&["run", "p.g1", "--ram", noise, "--state-out", "s.ron", "--display", "none"])
            .succeeds();
        let state = folder.read("s.ron");
        let ram = state.split(" ram: \"").nth(1).unwrap();
        assert!(ram.starts_with(first), "{noise}: {}", &ram[..8]);
    }
}

#[test]
fn stats_count_instructions_by_kind() {
    let folder = Folder::with(HI);
    for engine in ENGINES {
        let stats = folder
            .gray1(&["run", "p.g1", "--engine", engine, "--display", "none", "--stats"])
            .succeeds()
            .stderr;
        for line in [
            "cycles                           7",
            "LDA                              3  42.9 %",
            "JMP                              1  14.3 %",
        ] {
            assert!(stats.contains(line), "{engine}: {stats}");
        }
    }
}

#[test]
fn a_speed_in_cycles_a_second_is_kept() {
    let folder = Folder::with(HI);
    let start = std::time::Instant::now();
    folder.gray1("run p.g1 --display none --hz 20").succeeds();
    assert!(start.elapsed().as_millis() >= 300, "7 cycles at 20 Hz take 350 ms, not {:?}", start.elapsed());
}

#[test]
fn a_recording_needs_no_display() {
    let folder = Folder::with(ENDLESS);
    folder.gray1("run p.g1 --record r.gif --max-cycles 20000").ends_with(3);
    let gif = std::fs::read(folder.path("r.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(b";"), "{} bytes", gif.len());
}

/// A warning explains a run that does nothing, because otherwise a blank image looks like a finished program.
#[test]
fn idle_programs_get_a_warning() {
    let folder = Folder::with("");
    let run = |file: &str, more: &[&str]| {
        let line = [&["run", file, "--display", "none"], more].concat();
        folder.gray1(&line).ends_with(if more.contains(&"--max-cycles") { 3 } else { 0 }).stderr
    };
    assert_eq!(
        run("p.g1", &[]),
        "gray1: p.g1: the program is a single self-jump: the machine halts at once
"
    );
    folder.write("halt.g1", "halt: jmp halt\nlda #1\njmp halt\n");
    let at_once = "gray1: halt.g1: the program begins with a self-jump: the machine halts at once\n";
    assert_eq!(run("halt.g1", &["--allow", "unreachable-code"]), at_once);
    folder.write("zeros.bin", [0; 8192]);
    let none = "gray1: zeros.bin: all its words are 0000: this is not a program\n";
    let stopped = "gray1: stopped at --max-cycles, after 9 cycles\n";
    assert_eq!(run("zeros.bin", &["--max-cycles", "9"]), format!("{none}{stopped}"));
    folder.write("erased.bin", [0xFF; 8192]);
    assert!(run("erased.bin", &[]).contains("all its words are FFFF"));
    // There is no warning for a machine that has halted in an earlier run.
    run("p.g1", &["--state-out", "s.ron"]);
    assert_eq!(run("p.g1", &["--state-in", "s.ron"]), "");
}
