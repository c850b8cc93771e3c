//! Two futures are compared as two machines are that run from the beginning, one cycle at a time.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_debugger::{Difference, Differences, Edit, History, Position};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise, Outside, Script};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use test_support::random::busy_word;

static NEVER: AtomicBool = AtomicBool::new(false);
const END: u64 = 150;

#[derive(Default)]
struct Run {
    path: Vec<u16>,
    sent: Vec<(u64, u8)>,
    shown: Vec<(u64, (usize, u8))>,
}

impl Outside for Run {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.sent.push((cycle, byte));
    }
    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.shown.push((cycle, (row, leds)));
    }
}

/// A run up to the end, on an engine that knows no history.
fn run(image: &Image, edits: &[(u64, u8)]) -> Run {
    let mut engine = FastEngine::power_up(image, Noise::Random(5));
    let mut run = Run::default();
    for cycle in 0..END {
        for (_, byte) in edits.iter().filter(|(at, _)| *at == cycle) {
            let mut state = engine.state();
            state.ram[1] = *byte;
            engine.set_state(&state).unwrap();
        }
        run.path.push(engine.registers().pc);
        engine.run(1, &mut run).unwrap();
    }
    run
}

fn first<T: Copy + PartialEq>(here: &[(u64, T)], there: &[(u64, T)]) -> Option<(u64, Difference<T>)> {
    let index = here.iter().zip(there).position(|(here, there)| here.1 != there.1)?;
    Some((index as u64 + 1, Difference { here: here[index], there: there[index] }))
}

proptest! {
    #[test]
    fn futures_differ_where_two_machines_do(
        words in (0..24).map(|place| busy_word(place, 0..24)).collect::<Vec<_>>(),
        early in prop::option::of((0u64..40, any::<u8>())),
        late in (40u64..120, any::<u8>()),
    ) {
        let image = Image::from_words(words.into_iter().chain([Word::jump(Opcode::Jmp, 0)]).collect::<Vec<_>>());
        let machine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Random(5)).unwrap();
        let mut history = History::with_memory(machine, Script::default(), 1 << 20, 16).unwrap();
        // Both futures share the early edit; only the current one has the late one.
        if let Some((at, byte)) = early {
            history.go(Position::start_of(at), &NEVER).unwrap();
            history.edit(Edit::Ram(1, byte)).unwrap();
        }
        history.go(Position::start_of(END), &NEVER).unwrap();
        let reached = history.position();
        let at = late.0.min(reached.cycle);
        history.go(Position::start_of(at), &NEVER).unwrap();
        let fork = history.edit(Edit::Ram(1, late.1)).unwrap();
        let Some(number) = fork.kept else { return Ok(()) };
        history.go(Position::start_of(END), &NEVER).unwrap();

        let end = history.end().max(reached).cycle;
        let shared: Vec<(u64, u8)> = early.into_iter().collect();
        let there = run(&image, &shared);
        let here = run(&image, &[&shared[..], &[(at, late.1)]].concat());
        let path = (0..end).find(|&at| here.path[at as usize] != there.path[at as usize]);
        let expected = Differences {
            path: path.map(|at| (at, here.path[at as usize], there.path[at as usize])),
            sent: first(&here.sent, &there.sent),
            shown: first(&here.shown, &there.shown).map(|(_, found)| found),
            end,
        };
        let before = history.machine().snapshot();
        prop_assert_eq!(history.differences(number, &NEVER).unwrap(), Some(expected));
        prop_assert!(history.machine().snapshot() == before);
        prop_assert_eq!(history.differences(99, &NEVER).unwrap(), None);
    }
}
