//! Running ahead changes no result: random commands get the same replies with the scout as from the chips alone.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{DebugError, Debugger, Dialogue, Direction, History, Position, Source, Trigger};
use gray1_isa::Word;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, OutputSink, Script};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use test_support::random::busy_word;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The number of words outside of the macros; their jumps stay among them.
const WORDS: u16 = 24;
/// The number of random words in each of three places in the macros.
const INSIDE: usize = 4;
/// The maximum number of cycles of a session: far more than the distances that the scout leaves to the chips.
const CYCLES: u64 = 20_000;

/// An input script with a few inputs, or with one every few cycles.
fn inputs() -> impl Strategy<Value = String> {
    let few = r#"(at: 30, keys: ["up"]), (at: 61, keys: []), (at: 900, pad: (row: 1, col: 2)), (at: 1701, pad: None)"#;
    let input =
        prop::sample::select(vec![r#"keys: ["up"]"#, "keys: []", "pad: (row: 1, col: 2)", "pad: None"]);
    let many = prop::collection::vec((1..40_u64, input), 300).prop_map(|inputs| {
        let input = |at: &mut u64, (after, input)| {
            *at += after;
            Some(format!("(at: {at}, {input}),"))
        };
        inputs.into_iter().scan(0, input).collect()
    });
    prop_oneof![Just(few.to_owned()), many]
}

/// A program with loops in macros, macros in macros, and the markers of a search.
fn source() -> impl Strategy<Value = String> {
    let outside: Vec<_> = (0..WORDS).map(|place| busy_word(place, 0..WORDS)).collect();
    let inside = prop::collection::vec(busy_word(0, 1..2), 3 * INSIDE);
    (outside, inside, any::<[u8; 2]>()).prop_map(|(outside, inside, [fast, slow])| {
        let line = |word: &Word| match word.landing() {
            Some(landing) => format!(" {} l{landing}\n", word.to_string().split(' ').next().unwrap()),
            None => format!(" {word}\n"),
        };
        let lines = |words: &[Word]| words.iter().map(line).collect::<String>();
        let straight = |part: usize| {
            let part = &inside[part * INSIDE..][..INSIDE];
            part.iter().filter(|word| word.landing().is_none()).map(line).collect::<String>()
        };
        let (first, middle, last) = (straight(0), straight(1), straight(2));
        let numbered = outside.iter().zip(0..).map(|(word, place)| format!("l{place}:{}", lines(&[*word])));
        let numbered: Vec<String> = numbered.collect();
        let (begin, end) = numbered.split_at(numbered.len() / 2);
        format!(
            ".ram n, 4\n.ram i\n.ram j\n\
             .macro inner\n.again:\n{first} lda i\n add #{fast}\n sta i\n jc .done\n jmp .again\n.done:\n.endmacro\n\
             .macro outer\n inner\n.loop:\n{middle} inner\n lda j\n add #{slow}\n sta j\n jc .out\n jmp .loop\n\
             .out:\n{last}.endmacro\n\
             {} outer\n_position0 = here\n_bit0 = n\n inner\n{}_solution = here\nl{WORDS}: jmp l0\n",
            begin.concat(),
            end.concat(),
        )
        .to_lowercase()
    })
}

fn expression() -> impl Strategy<Value = String> {
    let simple = vec!["a", "n", "n[1]", "n[n & 1]", "i", "j", "ram[$fe0]", "c", "ram[KEYS]"];
    comparison(prop_oneof![
        4 => prop::sample::select(simple),
        1 => prop::sample::select(vec!["pc", "cycle", "halted", "ram[n]", "phase", "net.D"]),
    ])
}

/// An expression that may have no value. Only forwards, because backwards it depends on the checkpoints whether a
/// search comes to a position where it has none.
fn risky_expression() -> impl Strategy<Value = String> {
    prop_oneof![3 => expression(), 1 => comparison(prop::sample::select(vec!["n[a & 7]", "6 / j", "n[j]"]))]
}

fn comparison(atom: impl Strategy<Value = &'static str> + Clone) -> impl Strategy<Value = String> {
    let comparison = (atom, prop::sample::select(vec!["==", "<", "&", ">"]), any::<u8>())
        .prop_map(|(atom, operator, byte)| format!("({atom}) {operator} {byte}"));
    prop_oneof![
        2 => comparison.clone(),
        1 => (comparison.clone(), comparison).prop_map(|(one, other)| format!("{one} && {other}")),
    ]
}

fn command() -> impl Strategy<Value = String> {
    let ahead = prop_oneof![
        (0..CYCLES / 4).prop_map(|cycles| format!("run {cycles}")),
        (0..CYCLES, 0..4).prop_map(|(cycle, phase)| format!("goto cycle {cycle} phase {phase}")),
        risky_expression().prop_map(|expression| format!("until {expression}")),
        (1..4).prop_map(|count| format!("next {count}")),
        (1..900).prop_map(|count| format!("step {count} cycles")),
        prop::sample::select(vec![
            "run",
            "finish",
            "until output",
            "until display",
            "to l9",
            "goto end",
            "step"
        ])
        .prop_map(str::to_owned),
    ];
    let back = prop_oneof![
        expression().prop_map(|expression| format!("back until {expression}")),
        (1..900).prop_map(|count| format!("back {count} cycles")),
        prop::sample::select(vec!["reverse", "back", "back next", "back finish", "goto start", "back to l3"])
            .prop_map(str::to_owned),
    ];
    let points = prop_oneof![
        (0..WORDS, expression()).prop_map(|(place, when)| format!("break l{place} if {when}")),
        (0..WORDS, 0..9).prop_map(|(place, hits)| format!("tbreak l{place} after {hits}")),
        (0..WORDS).prop_map(|place| format!("break l{place} log \"{{cycle}} {{n}} {{a}}\"")),
        prop::sample::select(vec![
            "watch n",
            "watch j write after 5",
            "watch GREEN",
            "watch i read if a > 9"
        ])
        .prop_map(str::to_owned),
    ];
    let others = prop_oneof![
        expression().prop_map(|expression| format!("when {expression}")),
        any::<u8>().prop_map(|byte| format!("set n = {byte}")),
        (0..8, 0..8).prop_map(|(row, column)| format!("press {row} {column}")),
        prop::sample::select(vec![
            "set pc = l5",
            "set a = 3",
            "keys left",
            "who wrote n[2]",
            "who writes n[1]",
            "who changes D3",
            "who read j",
            "tree",
            "goto node 2",
            "delete",
            "delete 1",
            "burn ALUL:*.R0=0",
            "burn none",
        ])
        .prop_map(str::to_owned),
    ];
    prop_oneof![4 => ahead, 2 => back, 2 => points, 2 => others]
}

/// A session with this checkpoint interval, without inputs.
fn session(source: &str, spacing: u64, is_scouted: bool) -> Dialogue {
    session_with(source, "", spacing, is_scouted)
}

fn session_with(source: &str, inputs: &str, spacing: u64, is_scouted: bool) -> Dialogue {
    let files = MemoryLoader::new([("random.g1", source)]);
    let source = Source::of_assembly(assemble(&files, "random.g1", &Options::default())).unwrap();
    let machine = ChipsEngine::power_up(&Board::gray1(), source.image(), Noise::Random(5)).unwrap();
    let script = Script::from_ron(&format!("[{inputs}]")).unwrap();
    let mut history = History::with_memory(machine, script, 1 << 20, spacing).unwrap();
    history.set_scouted(is_scouted);
    let mut dialogue = Dialogue::new(Debugger::with_history(history, Board::gray1(), source).unwrap());
    dialogue.set_limit(CYCLES);
    dialogue
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_answers_are_those_of_the_chips(
        source in source(),
        inputs in inputs(),
        commands in prop::collection::vec(command(), 12),
    ) {
        let mut scouted = session_with(&source, &inputs, 16, true);
        let mut chips = session_with(&source, &inputs, 4096, false);
        for command in commands.iter().flat_map(|command| [command.as_str(), "points", "show output"]) {
            let [ours, theirs] = [&mut scouted, &mut chips].map(|dialogue| {
                let (reply, result) = dialogue.line(command, &NEVER);
                let history = dialogue.debugger().history();
                let shortfall = reply.shortfall;
                (reply.to_string(), shortfall, result, history.position(), history.end(), history.output().1)
            });
            prop_assert_eq!(ours, theirs, "{}", command);
            let [ours, theirs] = [&scouted, &chips].map(|dialogue| dialogue.debugger().machine().snapshot());
            prop_assert!(ours == theirs, "the nets after {command}");
        }
    }
}

/// A program that runs for ever.
const ENDLESS: &str =
    ".ram n\nloop: lda n\n add #3\n jc over\n sta GREEN\nover: sta n\n shr n\n jz loop\n jmp loop\n";

/// Wherever the chips take over from the scout, or from what they have run ahead of their own lookups because there was
/// nothing to look for, every net has the level that lookups give it.
#[test]
fn each_net_has_the_level_that_the_chips_give_it() {
    let mut looked_up = session(ENDLESS, 1 << 40, false);
    for cycle in (40..4_000).step_by(37).chain(400_000..400_010) {
        looked_up.debugger_mut().history_mut().go(Position::start_of(cycle), &NEVER).unwrap();
        for is_scouted in [true, false] {
            let mut ahead = session(ENDLESS, 16, is_scouted);
            let debugger = ahead.debugger_mut();
            debugger.seek_within(Direction::Forward, None, cycle, &NEVER, &mut |_, _| ()).unwrap();
            assert!(
                debugger.machine().snapshot() == looked_up.debugger().machine().snapshot(),
                "cycle {cycle}"
            );
        }
    }
}

/// Whoever interrupts the scout finds the machine where the chips would have come to, and the run goes on from there.
#[test]
fn an_interrupted_run_is_that_of_the_chips() {
    let mut chips = session(ENDLESS, 16, false);
    let mut is_same = |scouted: &Dialogue| {
        let position = scouted.debugger().position();
        chips.debugger_mut().history_mut().go(position, &NEVER).unwrap();
        chips.debugger().machine().snapshot() == scouted.debugger().machine().snapshot()
    };
    for takeovers in 1..12 {
        let mut scouted = session(ENDLESS, 16, true);
        let history = scouted.debugger_mut().history_mut();
        let interrupt = Arc::new(AtomicBool::new(false));
        let (flag, mut count) = (Arc::clone(&interrupt), 0);
        history.set_observer(Box::new(move |_, _, _| {
            count += 1;
            flag.store(count == takeovers, Ordering::Relaxed);
        }));
        assert_eq!(history.go(Position::start_of(CYCLES), &interrupt), Err(DebugError::Interrupted));
        let here = history.position();
        assert!(here.cycle > 0 && here == history.end());
        assert!(is_same(&scouted), "interrupted at {here:?}");
        for cycle in [CYCLES, here.cycle / 2] {
            scouted.debugger_mut().history_mut().go(Position::start_of(cycle), &NEVER).unwrap();
            assert!(is_same(&scouted), "cycle {cycle} after an interruption at {here:?}");
        }
    }
}

/// Interrupts a run when it has sent a byte.
struct Interrupter(Arc<AtomicBool>, u64);

impl OutputSink for Interrupter {
    fn output(&mut self, cycle: u64, _: u8) {
        self.0.store(cycle >= self.1, Ordering::Relaxed);
    }
}

/// A condition that is evaluated in every cycle can take long, so the scout is interrupted soon and not only where the
/// chips would take over anyway.
#[test]
fn a_search_is_interrupted_between_takeovers() {
    const SENDING: &str = ".ram n\nloop: lda n\n add #3\n sta n\n sta OUT\n jmp loop\n";
    const SPACING: u64 = 4096;
    for from in [10_000, 50_000, 60_001] {
        let mut scouted = session(SENDING, SPACING, true);
        let interrupt = Arc::new(AtomicBool::new(false));
        let debugger = scouted.debugger_mut();
        debugger.history_mut().set_witness(Box::new(Interrupter(Arc::clone(&interrupt), from)));
        let target = Trigger::Condition(debugger.expression("cycle == 10000000").unwrap());
        let end = Position::start_of(20_000_000);
        let result = debugger.seek(Direction::Forward, Some(&target), end, &interrupt, &mut |_, _| ());
        assert_eq!(result, Err(DebugError::Interrupted));
        let here = debugger.position();
        assert!((from..from + 2_000).contains(&here.cycle), "{here:?}");
        assert_eq!(debugger.history().output().1, (here.cycle + 1) / 5);

        let mut chips = session(SENDING, SPACING, false);
        for position in [here, Position::start_of(here.cycle + 70_000), Position::start_of(here.cycle / 2)] {
            for dialogue in [&mut chips, &mut scouted] {
                dialogue.debugger_mut().history_mut().go(position, &NEVER).unwrap();
            }
            let [ours, theirs] = [&scouted, &chips].map(|dialogue| dialogue.debugger().machine().snapshot());
            assert!(ours == theirs, "interrupted at {here:?}, then gone to {position:?}");
            let [ours, theirs] = [&scouted, &chips].map(|dialogue| dialogue.debugger().history().output().1);
            assert_eq!(ours, theirs);
        }
    }
}

/// The instruction that halts is run once, and counts once.
#[test]
fn a_marker_on_the_last_instruction_counts_once() {
    let cases = [
        ("_position2_0: lda #1\n_solution: jmp _solution\n", 1, 1),
        ("_position2_0: jmp _position2_0\n", 1, 0),
        ("_position2_0: lda #1\n_position3_0: jmp _position3_0\n", 2, 0),
    ];
    for (source, nodes, solutions) in cases {
        for (is_scouted, end) in [(true, CYCLES), (false, CYCLES), (true, 3), (false, 3)] {
            let mut dialogue = session(source, 16, is_scouted);
            let markers = dialogue.debugger().source().markers().unwrap();
            let debugger = dialogue.debugger_mut();
            let (tree, _) = debugger.tree(&markers, Position::start_of(end), 10, &NEVER).unwrap();
            let counted = (tree.nodes().len(), tree.nodes()[0].solutions);
            assert_eq!(counted, (nodes, solutions), "{source}");
        }
    }
}
