//! The chips engine, running ahead of its lookups, compared with the general rule alone: every net, every cell of RAM,
//! what is shown and when, the counts of instructions, and how a run ends. `LOCKSTEP=100 cargo test --release -p
//! gray1-machine --test engines ahead` runs 100 times as many cases.

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Change};
use gray1_machine::{ChipsEngine, Engine, FastEngine, Inputs, Noise, State};
use proptest::prelude::*;
use test_support::engines::Seen;
use test_support::random::{program, whole_program};

/// A piece of a run: a number of cycles, with these inputs.
type Piece = (u64, u8, Option<(u8, u8)>);

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let cycles = prop_oneof![3 => 0u64..10, 3 => 0u64..300, 1 => 0u64..4_000];
    prop::collection::vec((cycles, 0u8..128, prop::option::of((0u8..8, 0u8..8))), 1..8)
}

/// This number of cases, multiplied by `LOCKSTEP`.
fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("LOCKSTEP").map_or(1, |times| times.parse().expect("LOCKSTEP is a number"));
    ProptestConfig::with_cases(usual * times)
}

fn anywhere() -> impl Strategy<Value = State> {
    (any::<u64>(), 0u64..1 << 40, 0u16..4_096, any::<u8>(), any::<bool>(), 0u16..4_096, any::<bool>())
        .prop_map(|(seed, cycle, pc, a, c, target, jumped)| State {
            cycle,
            pc,
            a,
            c,
            target,
            jumped,
            ..State::after_reset(Noise::Random(seed))
        })
}

/// Runs a board by the general rule and ahead of it, and compares them after each piece. A board that `is_right` is also
/// compared with the fast engine.
fn compare(
    board: &Board,
    is_right: bool,
    image: &Image,
    state: &State,
    pieces: &[Piece],
) -> Result<(), TestCaseError> {
    let machine = || ChipsEngine::power_up(board, image, Noise::Zeros);
    let (Ok(mut plain), Ok(mut ahead)) = (machine(), machine()) else { return Ok(()) };
    plain.leave_nothing_out();
    ahead.trust_order();
    let mut fast = FastEngine::power_up(image, Noise::Zeros);
    let (mut seen, mut seen_ahead, mut seen_fast) = (Seen::default(), Seen::default(), Seen::default());
    let set = plain.set_state(state);
    prop_assert_eq!(&ahead.set_state(state), &set);
    fast.set_state(state).expect("it always settles");
    if set.is_err() {
        return Ok(());
    }
    for &(cycles, keys, pad) in pieces {
        let inputs = Inputs { pad, keys };
        let pressed = plain.press(inputs);
        prop_assert_eq!(&ahead.press(inputs), &pressed);
        if pressed.is_err() {
            return Ok(());
        }
        let [ran, ran_ahead] = [plain.run(cycles, &mut seen), ahead.run(cycles, &mut seen_ahead)]
            .map(|ran| ran.map_err(|failure| failure.to_string()));
        prop_assert_eq!(&ran_ahead, &ran);
        prop_assert_eq!(&seen_ahead, &seen);
        if ran.is_err() {
            return Ok(());
        }
        if ahead.snapshot() != plain.snapshot() {
            let nets = &ahead.netlist().nets;
            let differing = (0..nets.len()).filter(|&net| ahead.level(net) != plain.level(net));
            let differing: Vec<&str> = differing.map(|net| &*nets[net].name).collect();
            return Err(TestCaseError::fail(format!(
                "other levels at cycle {}: {differing:?}",
                plain.cycle()
            )));
        }
        prop_assert_eq!(ahead.executed(), plain.executed());
        if is_right {
            fast.press(inputs).expect("it always settles");
            prop_assert_eq!(fast.run(cycles, &mut seen_fast).map_err(|failure| failure.to_string()), ran);
            prop_assert_eq!(fast.state(), ahead.state());
            prop_assert_eq!(fast.executed(), ahead.executed());
            prop_assert_eq!(&seen_fast, &seen);
        }
    }
    Ok(())
}

/// Loops that store everywhere, jump on every condition and to themselves, with either parity, and read inputs.
fn loops() -> impl Strategy<Value = Image> {
    let address = prop_oneof![4 => 0u16..6, 2 => 0xFDFu16..0x1000];
    let read = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let constant = prop_oneof![Just(0u8), Just(1), Just(0x80), Just(0xFF), any::<u8>()];
    let data = prop_oneof![
        (read.clone(), constant).prop_map(|(opcode, value)| Word::constant(opcode, value)),
        (read, address.clone()).prop_map(|(opcode, x)| Word::new(opcode, false, x)),
        address.prop_map(|x| Word::new(Opcode::Sta, x & 1 == 0, x)),
    ];
    let jump = (prop_oneof![Just(Opcode::Jmp), Just(Opcode::Jc), Just(Opcode::Jz)], 0u16..40, 0..12);
    let word = prop_oneof![
        5 => data.prop_map(|word| (word, None)),
        1 => jump.prop_map(|(opcode, to, wrong)| (Word::jump(opcode, to), Some(wrong == 0))),
    ];
    prop::collection::vec(word, 40).prop_map(|words| {
        let words = words.into_iter().map(|(word, is_wrong)| match is_wrong {
            Some(true) => Word(word.0 ^ 0x1000),
            _ => word,
        });
        Image::from_words(words.chain([Word::jump(Opcode::Jmp, 0)]))
    })
}

fn any_image() -> impl Strategy<Value = Image> {
    prop_oneof![
        3 => loops(),
        3 => program().prop_map(|program| program.image()),
        1 => whole_program().prop_map(|program| program.image()),
    ]
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn as_the_general_rule(
        image in any_image(),
        state in anywhere(),
        begins_near: bool,
        is_built: bool,
        pieces in pieces(),
    ) {
        let state = State { pc: if begins_near { state.pc % 40 } else { state.pc }, ..state };
        let board = if is_built { Board::built() } else { Board::gray1() };
        compare(&board, true, &image, &state, &pieces)?;
    }
}

/// Changes after which the order of lookups still makes no difference, on both boards: `gray1 verify order --cell CHANGE`
/// proves it for each.
const CHANGES: [&str; 12] = [
    "ALUL:*.C4=0",
    "ALUL:*.R0=1",
    "ALUH:*.NC=1",
    "ALUH:*.TAKE=0",
    "ALUH:*.R7=0",
    "XMUX:*.X3=1",
    "XMUX:0x1FF=0",
    "DMUX:*.D0=0",
    "KMUX:*.I6=1",
    "IODEC:*.OUTE=0",
    "GDEC:*.GE3=0",
    "ALUL:0x2AA=0x0B",
];

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn on_boards_with_changed_cells(
        image in any_image(),
        state in anywhere(),
        change in prop::sample::select(&CHANGES[..]),
        is_built: bool,
        pieces in pieces(),
    ) {
        let state = State { pc: state.pc % 40, ..state };
        let mut board = if is_built { Board::built() } else { Board::gray1() };
        let change: Change = change.parse().expect("a change");
        board.change(&change).expect("a cell of the chip");
        compare(&board, false, &image, &state, &pieces)?;
    }
}
