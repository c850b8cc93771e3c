//! Which cells a machine can look up; a wrong level in one of them is found by the claims.

use gray1_isa::{Image, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise};
use gray1_proof::{CellReach, Claim, Prover, Reach, Verdict};
use std::sync::LazyLock;
use test_support::say;

static REACH: LazyLock<Vec<Reach>> = LazyLock::new(|| {
    let board = Board::gray1();
    Prover::new(&board).cells().expect("it is not stopped").expect("it can be determined for this board")
});

fn next(random: &mut u64) -> u64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *random >> 33
}

#[test]
fn cells_that_are_never_reached_are_not_seen_in_a_run() {
    let reach = &*REACH;
    let of = |name: &str| reach.iter().find(|reach| reach.chip == name).expect("a ROM");
    for (chip, rest, passed, never) in [
        ("DEC", 32, 0, 0),
        // PH1 and PH2 are never 1 together.
        ("FLAGS", 256, 800, 992),
        // The latch is cleared while RST is 1.
        ("TGL", 4288, 4032, 8064),
        // An open latch outputs its input, a closed one is at rest at any address.
        ("A", 65_536, 65_536, 0),
        ("T", 65_792, 65_280, 0),
    ] {
        let counts = [CellReach::Rest, CellReach::Passed, CellReach::Never].map(|way| of(chip).count(way));
        assert_eq!(counts, [rest, passed, never], "{chip}");
    }
    let board = Board::gray1();
    let mut random = 1;
    for _ in 0..20 {
        let image = Image::from_words((0..4096).map(|_| Word(next(&mut random) as u16)));
        let mut engine = ChipsEngine::power_up(&board, &image, Noise::Random(random)).expect("it settles");
        for phase in 1..=2000 {
            engine.phase(&mut ()).expect("it settles");
            for reach in reach {
                let chip = board.netlist().chip(&reach.chip).expect("a chip");
                let address = engine.look_at(chip).0;
                let way = reach.cells[address as usize];
                assert_ne!(way, CellReach::Never, "{} at {address:X}", reach.chip);
                assert!(
                    way == CellReach::Rest || phase % 4 == 3,
                    "{} at {address:X} after phase {phase}",
                    reach.chip
                );
            }
        }
    }
}

/// One bit of one cell at which a chip can be at rest. `MUTANTS` says how many are tried, `SEED` which.
#[test]
#[ignore = "takes minutes"]
fn a_wrong_cell_is_refuted_or_makes_no_difference() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect(name));
    let (mutants, seed) = (number("MUTANTS", 6), number("SEED", 1));
    let reach = &*REACH;
    let (mut random, mut equal, mut open) = (seed, Vec::new(), Vec::new());
    for mutant in 0..mutants {
        let reach = &reach[next(&mut random) as usize % reach.len()];
        let mut board = Board::gray1();
        let chip = board.netlist().chip(&reach.chip).expect("a chip");
        let width = board.netlist().chips[chip].data.len() as u64;
        let cells = board.netlist().table(chip).expect("a ROM").to_vec();
        let at_rest: Vec<usize> =
            (0..reach.cells.len()).filter(|&address| reach.cells[address] == CellReach::Rest).collect();
        let address = at_rest[next(&mut random) as usize % at_rest.len()] as u32;
        let bit = next(&mut random) % width;
        let wrong = |at: u32| cells[at as usize] ^ u8::from(at == address) << bit;
        assert!(board.burn(&reach.chip, wrong), "{}", reach.chip);
        let prover = Prover::new(&board);
        let what = format!("seed {seed}, mutant {mutant}: {} at {address:X}, bit {bit}", reach.chip);
        // The claim that is refuted most often comes first.
        let claims = [Claim::Instructions, Claim::Loops, Claim::Order, Claim::Strobes, Claim::Reset];
        let verdict = |claim| prover.prove(claim).expect("it is not stopped").verdict;
        let mut undecided = vec![];
        let is_refuted = claims.into_iter().any(|claim| match verdict(claim) {
            Verdict::Refuted => true,
            Verdict::Proved => false,
            Verdict::Undecided => {
                undecided.push(claim);
                false
            }
        });
        if is_refuted {
            continue;
        }
        // All claims proved: the board with this change still implements the instruction set in every state.
        if undecided.is_empty() {
            equal.push(what);
        } else {
            open.push(format!("{what}: {undecided:?}"));
        }
    }
    say(&format!("{mutants} mutants of seed {seed}, {} of them equal: {equal:#?}", equal.len()));
    // A cell that is looked up only in the first cycle of a reset can close a loop through the program, about which
    // nothing is known.
    assert!(open.len() as u64 * 100 <= mutants, "too many are undecided: {open:#?}");
}
