//! Filters at the levels of real inputs, compared with a circuit simulator.

use gray1_machine::board::Board;
use gray1_timed::{Levels, Paths};
use std::fs;
use std::process::Command;
use test_support::folder::Folder;
use test_support::process::output;
use test_support::tools::installed;

/// The time in picoseconds from a step of the source to this level behind the filter.
fn simulated(resistance: u32, picofarads: u64, from: f64, to: f64, level: f64) -> f64 {
    let folder = Folder::create();
    let edge = if to > from { "rise" } else { "fall" };
    let circuit = format!(
        "a filter\nV1 in 0 PULSE({from} {to} 0 1p 1p 1m 2m)\nR1 in out {resistance}\nC1 out 0 {picofarads}p IC={from}\n\
         .tran 1n 3u 0 200p UIC\n.meas tran reached WHEN v(out)={level} {edge}=1\n.end\n"
    );
    let path = folder.path().join("filter.cir");
    fs::write(&path, circuit).expect("a circuit");
    let output = output(Command::new("ngspice").arg("-b").arg(&path));
    let text = String::from_utf8_lossy(&output.stdout);
    let reached = text.lines().find_map(|line| line.trim().strip_prefix("reached")?.trim().strip_prefix('='));
    let reached = reached.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    reached.unwrap_or_else(|| panic!("{text}")) * 1e12
}

#[test]
fn filters_take_as_long_as_in_ngspice() {
    if !installed(&["ngspice"]) {
        return;
    }
    let is_near = |one: u64, other: f64| (one as f64 - other).abs() < 0.01 * other;
    let typical = Levels::TYPICAL.filter(200, 470, 0);
    assert!(is_near(typical.0, simulated(200, 470, 0.0, 5.0, 1.4)), "{typical:?}");
    assert!(is_near(typical.1, simulated(200, 470, 5.0, 0.0, 1.4)), "{typical:?}");
    // The earliest is a rise to 0.8 V with small parts, the latest a fall to 0.8 V with large ones and a load.
    let guaranteed = Levels::GUARANTEED.filter(200, 470, 250);
    assert!(is_near(guaranteed.0, simulated(190, 423, 0.0, 5.0, 0.8)), "{guaranteed:?}");
    assert!(is_near(guaranteed.1, simulated(210, 517 + 250, 5.0, 0.0, 0.8)), "{guaranteed:?}");
    // Without a capacitor, the load beyond 30 pF.
    let bare = Levels::GUARANTEED.filter(100, 0, 130);
    assert!(bare.0 == 0 && is_near(bare.1, simulated(105, 100, 5.0, 0.0, 0.8)), "{bare:?}");
}

/// What opens or writes something arrives later behind its filter, which costs no speed.
#[test]
fn filters_on_strobes_leave_time_enough() {
    const BUILT: &str = include_str!("../../../machine/src/board/built.ron");
    let filters = BUILT.lines().find(|line| line.trim_start().starts_with("filters: ")).unwrap();
    let [with, without] = [BUILT.to_owned(), BUILT.replace(filters, "")]
        .map(|source| Paths::find(&Board::parse(&source, "b.ron").unwrap(), true).unwrap());
    let half_periods = [&with, &without].map(|paths| paths.half_period_at(Levels::GUARANTEED, 470, |_| 0));
    assert_eq!(half_periods[0], half_periods[1]);
    let clock = u64::from(Board::built().hardware.unwrap().clock);
    assert!(half_periods[0] < 500_000_000 / clock, "{half_periods:?} ps");
    // When WE rises, the decoder of a row follows it: two filters of 100 ohms and the output's 100 with 470 pF.
    let settles = |paths: &Paths| paths.settling(470).into_iter().map(|path| path.time).collect::<Vec<_>>();
    let [with, without] = [settles(&with), settles(&without)];
    let later: Vec<u64> = with.iter().zip(&without).map(|(with, without)| with - without).collect();
    assert!(later.contains(&(2 * 65_155)), "{later:?}");
}
