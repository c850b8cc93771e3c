//! The counts are exact: those of a trace of the program counter, the same on every engine, and all sums agree.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::profile::{Kind, Layout, Profile, ProfiledEngine};
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::{Engine, IsaEngine, Noise, Script};
use proptest::prelude::*;
use std::sync::Arc;
use test_support::engines::engines;
use test_support::random::{endless_program, program, script, whole_program};

const CYCLES: u64 = 1_500;

fn fast(image: &Image, layout: &Arc<Layout>, script: &Script, cycles: &[u64]) -> Profile {
    let mut machine = IsaEngine::power_up(image, Noise::Random(1));
    let mut profiled = ProfiledEngine::new(&mut machine, Arc::clone(layout));
    for &cycles in cycles {
        script.run(&mut profiled, cycles, &mut ()).expect("the engine isa cannot fail");
    }
    Profile::of(profiled.recorder())
}

fn laid_out(source: &str) -> (Image, Arc<Layout>) {
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
    let program = assembly.program.unwrap_or_else(|| panic!("{}\n{source}", assembly.report));
    let layout = Layout::of_program(&program, &assembly.report.sources);
    (program.image, Arc::new(layout))
}

/// All that is to be equal, whatever the program.
fn check_sums(profile: &Profile) {
    assert_eq!(profile.words.iter().map(|word| word.count).sum::<u64>(), profile.cycles);
    assert_eq!(profile.routines.iter().map(|routine| routine.own).sum::<u64>(), profile.cycles);
    assert_eq!(profile.stacks.iter().map(|stack| stack.cycles).sum::<u64>(), profile.cycles);
    for routine in &profile.routines {
        let (calls, total) = (routine.calls, routine.total);
        assert!(routine.own <= total || routine.kind == Kind::Macro, "{routine:?}");
        assert!(calls * routine.least <= total && total <= calls * routine.most, "{routine:?}");
        assert!(routine.first <= routine.longest, "{routine:?}");
        if routine.kind == Kind::Program {
            assert_eq!((calls, total), (1, profile.cycles));
            continue;
        }
        assert_eq!(routine.callers.iter().map(|caller| caller.calls).sum::<u64>(), calls, "{routine:?}");
        assert_eq!(routine.callers.iter().map(|caller| caller.total).sum::<u64>(), total, "{routine:?}");
        assert_eq!(routine.callers.iter().map(|caller| caller.least).min(), Some(routine.least));
        assert_eq!(routine.callers.iter().map(|caller| caller.most).max(), Some(routine.most));
    }
}

/// What every engine counts is what the fast one does, and what a trace of the program counter does.
fn check_engines(image: &Image, layout: &Arc<Layout>, script: &Script) {
    let mut traced = vec![0u64; PROGRAM_WORDS];
    let mut machine = IsaEngine::power_up(image, Noise::Random(1));
    for _ in 0..CYCLES {
        let at = machine.registers().pc;
        if script.run(&mut machine, 1, &mut ()).expect("the engine isa cannot fail") == 1 {
            traced[usize::from(at)] += 1;
        }
    }
    let expected = fast(image, layout, script, &[CYCLES]);
    check_sums(&expected);
    for (at, &times) in (0u16..).zip(&traced) {
        let counted = expected.words.iter().find(|word| word.number == at).map_or(0, |word| word.count);
        assert_eq!(counted, times, "word {at}");
    }
    let in_parts = fast(image, layout, script, &[1, 7, 100, CYCLES - 108]);
    assert_eq!((in_parts.json(), in_parts.speedscope("p")), (expected.json(), expected.speedscope("p")));
    for (name, mut engine) in engines(image, Noise::Random(1)) {
        let mut profiled = ProfiledEngine::new(&mut *engine, Arc::clone(layout));
        script.run(&mut profiled, CYCLES, &mut ()).expect("the board settles");
        let profile = Profile::of(profiled.recorder());
        assert_eq!(profile.json(), expected.json(), "{name}");
        assert_eq!(profile.speedscope("p"), expected.speedscope("p"), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_engine_has_the_same_counts(
        program in prop_oneof![program(), endless_program(), whole_program()],
        script in script(),
    ) {
        let script = Script::from_ron(&script).expect("a script");
        let image = program.image();
        check_engines(&image, &Arc::new(Layout::of_image(&image)), &script);
    }

    #[test]
    fn calls_add_up_in_random_sources(source in source()) {
        let (image, layout) = laid_out(&source);
        check_engines(&image, &layout, &Script::default());
    }
}

/// A program of routines and macros that call each other, leave each other by jumps, and fall into each other.
fn source() -> impl Strategy<Value = String> {
    let statement = |routines: std::ops::Range<usize>| {
        let target = 0..12usize;
        prop_oneof![
            3 => any::<u8>().prop_map(|value| format!("add #{value}")),
            2 => (0..3usize).prop_map(|byte| format!("sta b{byte}")),
            1 => (0..3usize).prop_map(|byte| format!("shr b{byte}")),
            2 => (0..3usize).prop_map(|number| format!("m{number}")),
            2 => routines.prop_map(|number| if number < 4 { format!("call r{number}") } else { "nor b0".to_owned() }),
            1 => target.clone().prop_map(|to| format!("jz l{to}")),
            1 => target.prop_map(|to| format!("jc l{to}")),
        ]
    };
    let block = move |routines: std::ops::Range<usize>| prop::collection::vec(statement(routines), 1..6);
    // A routine calls only those after it.
    let blocks = (
        (block(0..4), block(0..4), block(0..4), block(0..4)),
        (block(1..5), block(2..5), block(3..5), block(4..5)),
        (block(4..5), block(4..5), block(4..5), block(4..5)),
    );
    blocks.prop_map(|(main, routines, others)| {
        let mut text = String::from(".ram b0\n.ram b1\n.ram b2\n");
        text += ".macro m0\n  lda b1\n  jz .end\n  add #1\n.end:\n.endmacro\n";
        text += ".macro m1\n  m0\n.again: add #7\n  jc .again\n  m0\n.endmacro\n";
        text += ".macro m2\n  call r3\n  m1\n.endmacro\n";
        let mut number = 0;
        let mut put = |text: &mut String, block: &[String]| {
            *text += &format!("l{number}:\n");
            number += 1;
            block.iter().for_each(|line| *text += &format!("  {line}\n"));
        };
        let no_calls =
            |block: &[String]| block.iter().filter(|line| *line != "m2").cloned().collect::<Vec<_>>();
        for block in [&main.0, &main.1, &main.2, &main.3] {
            put(&mut text, block);
        }
        for (routine, block) in [&routines.0, &routines.1, &routines.2, &routines.3].into_iter().enumerate() {
            text += &format!(".routine r{routine}\n");
            put(&mut text, &if routine == 3 { no_calls(block) } else { block.clone() });
            text += ".endroutine\n";
        }
        for block in [&others.0, &others.1, &others.2, &others.3] {
            put(&mut text, block);
        }
        // Every routine is called at least twice somewhere, so that each is assembled.
        (0..4).for_each(|routine| text += &format!("  call r{routine}\n  call r{routine}\n"));
        text + "  jmp l0\n"
    })
}

#[test]
fn calls_have_least_and_most() {
    let (image, layout) = laid_out(
        ".ram n\n      lda #3\n      sta n\n      call wait\n      lda #1\n      sta n\n      call wait\n\
         halt: jmp halt\n.routine wait\n.loop: lda n\n      take 1\n      sta n\n      jz .done\n\
               jmp .loop\n.done:\n.endroutine\n\
         .macro take count\n      add #-count\n.endmacro\n",
    );
    let profile = fast(&image, &layout, &Script::default(), &[1_000]);
    check_sums(&profile);
    let find =
        |name: &str| profile.routines.iter().find(|routine| routine.name == name).expect("it is called");
    let wait = find("wait");
    // A round is 5 cycles, the last 4. The way back is LDA, JZ, and from the second call also JMP.
    assert_eq!((wait.calls, wait.least, wait.most), (2, 4 + 3, 5 + 5 + 4 + 2), "{wait:?}");
    assert_eq!((wait.total, wait.kind, wait.source.as_deref()), (23, Kind::Routine, Some("p.g1:9")));
    assert_eq!((wait.own, wait.first, wait.longest, wait.unfinished), (19, Some(5), Some(5), 0));
    let take = find("take");
    assert_eq!((take.calls, take.own, take.total, take.least, take.most), (4, 4, 4, 1, 1));
    assert_eq!(take.callers.len(), 1);
    assert_eq!(take.callers[0].name, "wait");
    let program = find("(program)");
    assert_eq!((program.own, program.total), (profile.cycles - 23, profile.cycles));
}

#[test]
fn a_reset_ends_all_calls() {
    let (image, layout) =
        laid_out("      call r\n      call r\nhalt: jmp halt\n.routine r\n.loop: jmp .loop\n.endroutine\n");
    let mut machine = IsaEngine::power_up(&image, Noise::Zeros);
    let mut profiled = ProfiledEngine::new(&mut machine, layout);
    profiled.run(4, &mut ()).expect("it runs");
    let start = IsaEngine::power_up(&image, Noise::Zeros).state();
    profiled.set_state(&start).expect("it is a state");
    profiled.run(4, &mut ()).expect("it runs");
    let profile = Profile::of(profiled.recorder());
    check_sums(&profile);
    let routine = profile.routines.iter().find(|routine| routine.name == "r").expect("it is called");
    assert_eq!((routine.calls, routine.unfinished), (2, 1));
}
