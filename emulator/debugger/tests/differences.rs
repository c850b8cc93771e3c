//! Two futures are compared as two machines are that run from the beginning, one cycle at a time.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_debugger::{Difference, Differences, Edit, History, Position};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise, Script, Seen};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use test_support::random::busy_word;

static NEVER: AtomicBool = AtomicBool::new(false);
const END: u64 = 150;

/// A run up to the end, on an engine that knows no history.
fn run(image: &Image, edits: &[(u64, u8)]) -> (Vec<u16>, Seen) {
    let mut engine = FastEngine::power_up(image, Noise::Random(5));
    let (mut path, mut seen) = (Vec::new(), Seen::default());
    for cycle in 0..END {
        for (_, byte) in edits.iter().filter(|(at, _)| *at == cycle) {
            let mut state = engine.state();
            state.ram[1] = *byte;
            engine.set_state(&state).unwrap();
        }
        path.push(engine.registers().pc);
        engine.run(1, &mut seen).unwrap();
    }
    (path, seen)
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
        let (their_path, there) = run(&image, &shared);
        let (our_path, here) = run(&image, &[&shared[..], &[(at, late.1)]].concat());
        let path = (0..end).find(|&at| our_path[at as usize] != their_path[at as usize]);
        let rows = |seen: &Seen| seen.display.iter().map(|&(at, row, leds)| (at, (row, leds))).collect::<Vec<_>>();
        let expected = Differences {
            path: path.map(|at| (at, our_path[at as usize], their_path[at as usize])),
            sent: first(&here.output, &there.output),
            shown: first(&rows(&here), &rows(&there)).map(|(_, found)| found),
            end,
        };
        let before = history.machine().snapshot();
        prop_assert_eq!(history.differences(number, &NEVER).unwrap(), Some(expected));
        prop_assert!(history.machine().snapshot() == before);
        prop_assert_eq!(history.differences(99, &NEVER).unwrap(), None);
    }
}
