//! Random programs, forwards and backwards: the debugger is compared with a machine that is stepped phase by phase.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_debugger::{
    Access, Breakpoint, DebugError, Debugger, Direction, Edit, History, HitCount, LineDepth, Position,
    Source, StopReason, Template, Trigger,
};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise, Script, Snapshot};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use test_support::random::busy_word;

static NEVER: AtomicBool = AtomicBool::new(false);

fn image() -> impl Strategy<Value = Image> {
    (0..24).map(|place| busy_word(place, 0..24)).collect::<Vec<_>>().prop_map(|mut words| {
        words.push(Word::jump(Opcode::Jmp, 0)); // so that most of them run forever
        Image::from_words(words)
    })
}

/// Programs that rarely store, so that a search can skip most stretches of their runs.
fn sparse_image() -> impl Strategy<Value = Image> {
    let seldom = |place| {
        prop_oneof![
            12 => any::<u8>().prop_map(|value| Word::constant(Opcode::Add, value)),
            1 => busy_word(place, 0..24),
        ]
    };
    (0u16..40).map(seldom).collect::<Vec<_>>().prop_map(|mut words| {
        words.push(Word::jump(Opcode::Jmp, 0));
        Image::from_words(words)
    })
}

fn script() -> Script {
    Script::from_ron(r#"[(at: 30, keys: ["up"]), (at: 61, keys: []), (at: 90, pad: (row: 1, col: 2))]"#)
        .unwrap()
}

fn machine(image: &Image) -> ChipsEngine {
    ChipsEngine::power_up(&Board::gray1(), image, Noise::Random(5)).unwrap()
}

fn debugger(image: &Image) -> Debugger {
    let source = Source::of_image(image.clone());
    Debugger::new(machine(image), Board::gray1(), source, script()).unwrap()
}

/// The same with checkpoints so close together that a search passes many of them.
fn closely(image: &Image) -> Debugger {
    let history = History::with_memory(machine(image), script(), 1 << 20, 16).unwrap();
    Debugger::with_history(history, Board::gray1(), Source::of_image(image.clone())).unwrap()
}

/// Snapshots of the board after each of the first phases.
fn phases(image: &Image, count: usize) -> Vec<Snapshot> {
    let mut history = History::new(machine(image), script()).unwrap();
    let mut all = vec![history.machine().snapshot()];
    for _ in 1..count {
        history.phase().unwrap();
        all.push(history.machine().snapshot());
    }
    all
}

/// All positions where the search stops, in one direction.
fn stops(
    debugger: &mut Debugger,
    direction: Direction,
    target: Option<&Trigger>,
    end: Position,
) -> Vec<Position> {
    let mut stops = Vec::new();
    loop {
        match debugger.seek(direction, target, end, &NEVER, &mut |_, _| ()).unwrap() {
            StopReason::Target | StopReason::Breakpoints(_) => stops.push(debugger.position()),
            StopReason::Halted | StopReason::Limit | StopReason::Beginning => return stops,
        }
        assert!(stops.len() < 10_000, "the search makes no progress");
    }
}

/// Something to look for; if it is `None`, the debugger has a breakpoint.
fn target(debugger: &mut Debugger, which: usize) -> Option<Trigger> {
    let condition = |text| Trigger::Condition(debugger.expression(text).unwrap());
    Some(match which {
        0 => Trigger::Line(LineDepth::Innermost),
        1 => Trigger::Instructions(vec![3, 7, 11]),
        2 => condition("a & 3 == 1 || c"),
        3 => condition("TICK && WE"),
        4 => Trigger::Ram(0xFF0, 0xFF0, Access::Write),
        5 => condition("ram[1] & 1 && ram[$FE0] < 128"),
        6 => condition("ram[ram[2]] == ram[KEYS]"),
        7 => Trigger::Ram(2, 3, Access::Read),
        8 => Trigger::Ram(0, 3, Access::Set(0x81)),
        9 => {
            let mut point = Breakpoint::new("", Trigger::Instructions(vec![2, 5, 9]));
            point.condition = Some(debugger.expression("a > ram[1]").unwrap());
            debugger.add_breakpoint(point);
            return None;
        }
        _ => Trigger::Ram(0xFE0, 0xFEF, Access::Change),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_position_is_the_same_from_everywhere(image in image(), ways in prop::collection::vec(0usize..600, 12)) {
        let all = phases(&image, 600);
        let mut history = History::new(machine(&image), script()).unwrap();
        for way in ways {
            history.go(Position::after_phases(way as u128), &NEVER).unwrap();
            prop_assert!(history.machine().snapshot() == all[way], "phase {way}");
        }
    }

    #[test]
    fn targets_are_the_same_in_both_directions(
        image in prop_oneof![image(), sparse_image()],
        which in 0usize..11,
        edits in prop::collection::vec((0u64..20, 0usize..4, any::<u8>()), 0..4),
    ) {
        let mut debugger = closely(&image);
        let mut at = 0;
        for (distance, which, byte) in edits {
            at += distance;
            let history = debugger.history_mut();
            history.go(Position::start_of(at), &NEVER).unwrap();
            match which {
                0 => history.edit(Edit::Ram(1, byte)).unwrap(),
                1 => history.edit(Edit::Pc(u16::from(byte % 40))).unwrap(),
                2 => history.edit(Edit::A(byte)).unwrap(),
                _ => history.press(Inputs { pad: None, keys: byte & 0x7F }).unwrap(),
            };
        }
        debugger.history_mut().go(Position::default(), &NEVER).unwrap();
        let target = target(&mut debugger, which);
        let end = Position::start_of(150);
        let forward = stops(&mut debugger, Direction::Forward, target.as_ref(), end);
        debugger.history_mut().go(end, &NEVER).unwrap();
        let end = debugger.position();
        let mut backward = stops(&mut debugger, Direction::Backward, target.as_ref(), end);
        backward.reverse();
        // The beginning and the end of the run can be found from one side only.
        let inner = |stops: &[Position]| -> Vec<Position> {
            stops.iter().copied().filter(|at| *at > Position::default() && *at < end).collect()
        };
        prop_assert_eq!(inner(&forward), inner(&backward));
    }

    /// Whether breakpoints stop them, log messages or only count hits.
    #[test]
    fn many_times_is_as_often_once(
        image in prop_oneof![image(), sparse_image()],
        which in 0usize..11,
        points in prop::collection::vec((0u16..24, 0usize..4), 0..3),
        count in 1u64..300,
        is_close: bool,
        direction in prop::sample::select(vec![Direction::Forward, Direction::Backward]),
        at in 0u64..400,
    ) {
        let [mut many, mut once] = [(); 2].map(|()| {
            let mut debugger = if is_close { closely(&image) } else { debugger(&image) };
            for &(place, kind) in &points {
                let mut point = Breakpoint::new("", Trigger::Instructions(vec![place, place + 3]));
                match kind {
                    0 => point.counts = HitCount::Above(7),
                    1 => point.counts = HitCount::Every(5),
                    _ => point.log = Some(Template::read("{pc} {a}", &debugger.parser()).unwrap()),
                }
                debugger.add_breakpoint(point);
            }
            debugger.history_mut().go(Position::start_of(at), &NEVER).unwrap();
            debugger
        });
        let (wanted, _) = (target(&mut many, which), target(&mut once, which));
        let end = Position::start_of(500);
        let [mut said, mut expected] = [Vec::new(), Vec::new()];
        let mut log = |sent, text| said.push((sent, text));
        let last = if direction == Direction::Forward { end } else { Position::default() };
        let reason = many.seek_times(count, direction, wanted.as_ref(), last, &NEVER, &mut log).unwrap();
        let mut log = |sent, text| expected.push((sent, text));
        let mut seek = || once.seek(direction, wanted.as_ref(), end, &NEVER, &mut log).unwrap();
        let steps = (0..count).map(|_| seek());
        let mut last = StopReason::Target;
        for step in steps {
            last = step;
            if last != StopReason::Target {
                break;
            }
        }
        prop_assert_eq!(reason, last);
        prop_assert_eq!(many.position(), once.position());
        prop_assert!(many.machine().snapshot() == once.machine().snapshot());
        prop_assert_eq!(said, expected);
        let hits = |debugger: &Debugger| debugger.breakpoints().iter().map(|it| it.hits).collect::<Vec<_>>();
        prop_assert_eq!(hits(&many), hits(&once));
    }

    #[test]
    fn watchpoints_miss_nothing(image in image(), closely: bool) {
        let end = Position::start_of(150);
        let mut by_hand = History::new(machine(&image), script()).unwrap();
        let watched = |machine: &ChipsEngine| [0, 1, 0xFE0, 0xFE1, 0xFF0].map(|address| machine.ram(address));
        let (mut changes, mut seen) = (Vec::new(), watched(by_hand.machine()));
        while by_hand.position() < end && !by_hand.is_halted() {
            by_hand.phase().unwrap();
            let now = watched(by_hand.machine());
            if now != seen {
                changes.push(by_hand.position());
            }
            seen = now;
        }
        let mut debugger = debugger(&image);
        for (first, last) in [(0, 1), (0xFE0, 0xFE1), (0xFF0, 0xFF0)] {
            debugger.add_breakpoint(Breakpoint::new("", Trigger::Ram(first, last, Access::Change)));
        }
        if closely {
            // Watching a net, even one that never changes, makes the search examine every phase.
            let probe = debugger.machine().probe("RST").unwrap();
            debugger.add_breakpoint(Breakpoint::new("", Trigger::Net("RST".to_owned(), probe)));
        }
        prop_assert_eq!(&stops(&mut debugger, Direction::Forward, None, end), &changes);
        debugger.history_mut().go(by_hand.position(), &NEVER).unwrap();
        let mut backward = stops(&mut debugger, Direction::Backward, None, end);
        backward.reverse();
        prop_assert_eq!(backward, changes);
    }

    #[test]
    fn nets_are_watched_phase_by_phase(image in image(), which in 0usize..4) {
        let net = ["TICK", "W", "LOAD", "D"][which];
        let mut by_hand = History::new(machine(&image), script()).unwrap();
        let (mut changes, mut seen) = (Vec::new(), by_hand.machine().net(net));
        let end = Position::start_of(60);
        while by_hand.position() < end && !by_hand.is_halted() {
            by_hand.phase().unwrap();
            let now = by_hand.machine().net(net);
            if now != seen {
                changes.push(by_hand.position());
            }
            seen = now;
        }
        let mut debugger = debugger(&image);
        let probe = debugger.machine().probe(net).unwrap();
        debugger.add_breakpoint(Breakpoint::new("", Trigger::Net(net.to_owned(), probe)));
        prop_assert_eq!(stops(&mut debugger, Direction::Forward, None, end), changes);
    }

    #[test]
    fn edits_and_fingers_are_repeated(image in image(), at in 1u64..80, byte: u8, keys in 0u8..128) {
        let mut history = History::new(machine(&image), script()).unwrap();
        history.go(Position::start_of(100), &NEVER).unwrap();
        history.go(Position::start_of(at), &NEVER).unwrap();
        history.edit(Edit::Ram(1, byte)).unwrap();
        history.edit(Edit::A(byte)).unwrap();
        history.press(Inputs { pad: None, keys }).unwrap();
        prop_assert_eq!(history.end(), history.position());
        history.go(Position { cycle: 120, phase: 2 }, &NEVER).unwrap();
        let (end, there) = (history.position(), history.machine().snapshot());
        let sent = history.output().1;
        history.go(Position::start_of(at / 2), &NEVER).unwrap();
        history.go(end, &NEVER).unwrap();
        prop_assert!(history.machine().snapshot() == there);
        prop_assert_eq!(history.output().1, sent);
    }
}

#[test]
fn memory_is_bounded_and_history_is_not() {
    let words =
        [Word::constant(Opcode::Add, 1), Word::new(Opcode::Sta, false, 0xFF0), Word::jump(Opcode::Jmp, 0)];
    const MEMORY: usize = 400_000;
    let image = Image::from_words(words);
    let mut history = History::with_memory(machine(&image), Script::default(), MEMORY, 4096).unwrap();
    for million in [1, 2, 3] {
        history.go(Position::start_of(million * 1_000_000), &NEVER).unwrap();
        assert!(history.size() <= MEMORY, "{} bytes after {million} million cycles", history.size());
    }
    let a = history.machine().registers().a;
    for cycle in [2_999_999, 1_500_000, 3, 0] {
        history.go(Position::start_of(cycle), &NEVER).unwrap();
        assert_eq!(history.position().cycle, cycle);
        assert_eq!(history.output().1, (cycle + 1) / 3);
    }
    history.go(Position::start_of(3_000_000), &NEVER).unwrap();
    assert_eq!(history.machine().registers().a, a);
}

#[test]
fn a_long_way_can_be_interrupted() {
    let image = Image::from_words([Word::jump(Opcode::Jmp, 1), Word::jump(Opcode::Jmp, 0)]);
    let mut debugger = debugger(&image);
    let asked = AtomicBool::new(true);
    let result = debugger.seek(Direction::Forward, None, Position::NEVER, &asked, &mut |_, _| ());
    assert_eq!(result, Err(DebugError::Interrupted));
}
