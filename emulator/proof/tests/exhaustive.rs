//! Every case there is, on the chips engine, as `gray1 verify instructions` tries them: what each instruction does with
//! all operands, what each address shows, sends and holds, every branch decision, every step of the counter, every jump from everywhere to everywhere, and reset
//! from whatever power-up can leave.

use gray1_machine::board::Board;
use gray1_proof::report::Evidence;
use gray1_proof::{Cases, Claim, Finding, Limits, Report, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use test_support::say;

#[test]
fn every_case_there_is() {
    let (board, pieces, stop) = (Board::gray1(), Claim::Instructions.pieces(), AtomicBool::new(false));
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Finding>> = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let finding = piece.work(&board, &Limits::default(), &stop).expect("nobody stops it");
                    found.lock().expect("no case panics").push(finding);
                }
            });
        }
    });
    let report = Report::of(&board, &[Claim::Instructions], found.into_inner().expect("no case panics"));
    assert_eq!(report.verdict, Verdict::Proved, "{:#?}", report.claims[0].counterexamples);
    let Evidence::Instructions { cases } = &report.claims[0].evidence else { panic!("{report:#?}") };
    let tried: Vec<(Cases, u64)> = cases.iter().map(|row| (row.cases, row.tried)).collect();
    for (cases, tried) in &tried {
        say(&format!("{tried} {}", cases.name()));
    }
    let expected = [
        (Cases::Data, 5 * 2 * 256 * 256 * 2),
        (Cases::Addresses, 4096 * 2 * 2),
        (Cases::Branches, 3 * 256 * 2 * 2),
        (Cases::Steps, 4096),
        (Cases::Jumps, 4096 * 4096 * 2),
        (Cases::Resets, 4096 * 4 * 32 * 4),
    ];
    assert_eq!(tried, expected);
}
