//! Where a run spends its cycles, and what moves on the board.

use crate::support::{Asked, text};
use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::profile::{Layout, Profile, ProfiledEngine};
use gray1_machine::{IsaEngine, Noise, Script};
use serde_json::{Value, json};

/// A routine of two words and the return, called twice, and a macro of one and of three rounds.
const CALLS: &str = ".ram n\n.macro wait rounds\n lda #rounds\n.again: add #-1\n jz .done\n jmp .again\n.done:\n.endmacro\n wait 1\n wait 3\n call send\n call send\nhalt: jmp halt\n.routine send\n lda n\n sta OUT\n.endroutine\n";

/// The whole run: a call takes longest where its cycles say so, and the machine is there when it begins.
#[test]
fn calls_are_found_with_the_first_and_the_longest() {
    let mut asked = Asked::loaded(CALLS);
    assert_eq!(asked.ask(json!({ "ask": "calls" }))["routines"], json!([]));
    let end = asked.go("forward", "point", 1_000, "halted")["cycle"].clone();
    let told = asked.ask(json!({ "ask": "calls" }));
    assert_eq!(told["cycle"], end);
    let named = |name: &str| {
        let all = told["routines"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {told}")).clone()
    };
    let wait = named("wait");
    assert_eq!((&wait["calls"], &wait["first"], &wait["line"]), (&json!(2), &json!(0), &json!(2)));
    let (least, most) = (wait["least"].as_u64().unwrap(), wait["most"].as_u64().unwrap());
    assert_eq!((least, most, wait["longest"].as_u64().unwrap()), (3, 9, least));
    let send = named("send");
    assert_eq!((&send["calls"], &send["line"]), (&json!(2), &json!(14)));
    // A seek to the beginning of the longest call leads to its first instruction, in its line.
    let moment = asked.seek(wait["longest"].as_u64().unwrap(), 0);
    assert_eq!(moment["frames"][0]["line"], 10);
    // Only what is before this moment is counted.
    assert_eq!(asked.ask(json!({ "ask": "calls" }))["routines"][0]["calls"], 1);
}

#[test]
fn a_long_run_is_followed_for_its_first_cycles() {
    let mut asked = Asked::loaded("loop: jmp next\nnext: jmp loop\n");
    asked.seek(2_500_000, 0);
    let told = asked.ask(json!({ "ask": "calls" }));
    assert_eq!((&told["cycle"], &told["routines"]), (&json!(2_000_000), &json!([])));
    assert_eq!(asked.look()["cycle"], 2_500_000);
}

/// The lines of all files, those of macros included, have the counts that a profile has.
#[test]
fn lines_of_all_files_are_counted_as_in_a_profile() {
    for name in ["queens-bits", "sudoku", "life"] {
        let source = text(&format!("programs/{name}.g1"));
        let mut asked = Asked::loaded(&source);
        asked.seek(20_000, 0);
        let told = asked.ask(json!({ "ask": "counts", "cycles": u64::MAX }));
        let mut counted = Vec::new();
        for file in told["files"].as_array().unwrap() {
            for line in file["lines"].as_array().unwrap() {
                let place = format!("{}:{}", file["file"].as_str().unwrap(), line["line"]);
                counted.push((
                    place,
                    line["times"].as_u64(),
                    line["cycles"].as_u64(),
                    line["first"].as_u64(),
                ));
            }
        }

        let assembly = assemble(&MemoryLoader::new([("a.g1", &*source)]), "a.g1", &Options::default());
        let program = assembly.program.unwrap();
        let layout = Layout::of_program(&program, &assembly.report.sources);
        let mut machine = IsaEngine::power_up(&program.image, Noise::Zeros);
        let mut profiled = ProfiledEngine::new(&mut machine, layout.into());
        let cycles = Script::default().run(&mut profiled, told["cycle"].as_u64().unwrap(), &mut ());
        assert_eq!(cycles.ok(), told["cycle"].as_u64());
        let profile = Profile::of(profiled.recorder());
        let expected = profile.lines.iter();
        let expected: Vec<_> = expected
            .map(|line| (line.source.clone(), Some(line.runs), Some(line.cycles), line.first))
            .collect();
        assert_eq!(counted, expected, "{name}");
        assert_eq!(told["files"][0]["file"], "a.g1");
        assert!(told["files"].as_array().unwrap().len() > 1, "{name} includes no file");
    }
}

/// What is counted is what the levels say, phase by phase.
#[test]
fn changes_of_the_board_are_those_of_its_levels() {
    let mut asked = Asked::loaded(".ram n\nloop: lda n\n add #1\n sta n\n sta GREEN\n jmp loop\n");
    let data = |levels: &Value| -> Vec<Value> {
        levels["chips"].as_array().unwrap().iter().map(|chip| chip["data"].clone()).collect()
    };
    let mut sums: Vec<u64> = Vec::new();
    let mut before: Option<Vec<Value>> = None;
    for phase in 0..=400 {
        asked.seek(100 + phase / 4, (phase % 4) as u8);
        let now = data(&asked.ask(json!({ "ask": "levels" })));
        sums.resize(now.len(), 0);
        for (chip, sum) in sums.iter_mut().enumerate() {
            *sum += u64::from(before.as_ref().is_some_and(|before| before[chip] != now[chip]));
        }
        before = Some(now);
    }
    let told = asked.ask(json!({ "ask": "changes", "cycles": 100 }));
    assert_eq!((&told["phases"], &told["chips"]), (&json!(400), &json!(sums)));
    assert!(sums.iter().any(|sum| *sum > 100) && sums.contains(&0), "{sums:?}");
    // Near the beginning there are fewer.
    asked.seek(2, 1);
    assert_eq!(asked.ask(json!({ "ask": "changes", "cycles": u64::MAX }))["phases"], 9);
}
