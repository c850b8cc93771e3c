//! Random programs, proved and run: what is proved of them is what 256 runs show, one for each input.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_contracts::{Doubt, Limits, Part, Prover, Verdict};
use gray1_isa::Opcode;
use gray1_machine::{Engine, FastEngine, Noise, State};
use proptest::prelude::*;

/// A line of a program with this many lines: an opcode, a constant or one of four bytes, and a line to jump to.
fn line(count: usize) -> impl Strategy<Value = String> {
    let number = prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()];
    (0..8usize, any::<bool>(), number, 0..4usize, 0..=count).prop_map(
        |(opcode, is_constant, number, byte, target)| {
            let row = gray1_isa::INSTRUCTIONS[opcode];
            let operand = match row.opcode {
                Opcode::Jmp | Opcode::Jc | Opcode::Jz => format!(".l{target}"),
                Opcode::Sta => ["x", "y", "z", "t"][byte].to_owned(),
                _ if is_constant => format!("#{number}"),
                _ => ["x", "y", "z", "t"][byte].to_owned(),
            };
            format!(" {} {operand}\n", row.mnemonic)
        },
    )
}

fn program() -> impl Strategy<Value = String> {
    (1..30usize).prop_flat_map(|count| {
        prop::collection::vec(line(count), count).prop_map(|lines| {
            let labelled = lines.iter().enumerate().map(|(number, line)| format!(".l{number}:{line}"));
            let (body, end) = (labelled.collect::<String>(), lines.len());
            format!(
                ".ram x\n.ram y\n.ram z\n.ram t\n.macro m\n.requires y == 0 && z == 0 && t == 0 && a == 0 && c == 0\n\
                 .ensures a + y < 200\n{body}.l{end}:\n.endmacro\n m\nhalt: jmp halt\n"
            )
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn proofs_are_what_all_runs_show(source in program()) {
        let options = Options { all_denied: false, ..Options::default() };
        let assembly = assemble(&MemoryLoader::new([("p.g1", source.as_str())]), "p.g1", &options);
        let program = assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)));
        let contract = &program.contracts[0];
        let end = program.symbols.iter().find(|symbol| symbol.name == "halt").map_or(0, |it| it.value as u16);
        let limits = Limits { words: 200_000, ..Limits::default() };
        let proof = Prover::new(&program, limits).prove(contract, &|| false).unwrap();

        let (mut least, mut most, mut is_broken, mut is_endless) = (u64::MAX, 0, false, false);
        for x in 0..=255u8 {
            let mut engine = FastEngine::power_up(&program.image, Noise::Zeros);
            let mut state = State { pc: 0, ..State::after_reset(Noise::Zeros) };
            state.ram[0] = x;
            engine.set_state(&state).unwrap();
            // All that the program can change; a run that comes back to it is endless.
            let state = |engine: &FastEngine| (engine.registers(), [0, 1, 2, 3].map(|at| engine.ram(at)));
            let mut before = state(&engine);
            let mut comes_back = false;
            while engine.registers().pc != end && !engine.halted() && !comes_back {
                engine.run(1, &mut ()).unwrap();
                let now = state(&engine);
                comes_back = now == before;
                if engine.cycle().is_power_of_two() {
                    before = now;
                }
            }
            if engine.registers().pc == end {
                (least, most) = (least.min(engine.cycle()), most.max(engine.cycle()));
                is_broken |= u16::from(engine.registers().a) + u16::from(engine.ram(1)) >= 200;
            } else {
                is_endless |= comes_back && !engine.halted();
            }
        }
        match proof.verdict {
            Verdict::Refuted(part, moment) => {
                prop_assert!(is_broken && part == Part::Ensures(0));
                prop_assert!(moment.state.ram[1..4] == [0; 3] && moment.state.a == 0 && !moment.state.c);
            }
            Verdict::Undecided(doubt) => {
                prop_assert!(is_endless && matches!(doubt, Doubt::Limit(..)), "{:?}", doubt);
            }
            Verdict::Proved => {
                prop_assert!(!is_broken);
                prop_assert_eq!(proof.vacuous.is_some(), least == u64::MAX);
                let cycles = proof.cycles.map(|cycles| [cycles.least, cycles.most]).unwrap_or_default();
                let [found_least, found_most] = cycles.map(|it| it.map(|it| it.0));
                prop_assert_eq!(found_least, (least != u64::MAX).then_some(least));
                prop_assert_eq!(proof.endless.is_some(), is_endless);
                if !is_endless {
                    prop_assert_eq!(found_most, (least != u64::MAX).then_some(most));
                }
            }
        }
    }
}
