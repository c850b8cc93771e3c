//! Moving: forwards and back, exactly, in parts, with pads and changed cells.

use crate::support::{Asked, position, text};
use serde_json::{Value, json};

/// Counts `n` in lines of output, lights an LED, and reads the pads.
const COUNT: &str = "\
        .ram n
loop:   lda n
        add #1
        sta n
        sta RED
        lda #10
        sta OUT
        lda PADCOL
        sta GREEN
        jmp loop
";

#[test]
fn every_step_back_leads_to_where_the_machine_was() {
    for goal in ["phase", "instruction", "line", "statement", "output", "solution", "display"] {
        let mut asked = Asked::loaded(COUNT);
        let mut passed = vec![asked.look()];
        for _ in 0..30 {
            let moment = asked.go("forward", goal, 1_000, "goal");
            passed.push(moment);
        }
        // A step back may stop between two of these, for they begin where something before them was.
        let mut back: Vec<Value> = Vec::new();
        while back.last().is_none_or(|moment| position(moment) > (0, 0)) {
            let answer = asked.ask(json!({ "ask": "go", "way": "back", "to": goal, "cycles": 1_000 }));
            back.push(answer["moment"].clone());
        }
        back.reverse();
        let plain = |moment: &Value| {
            let mut moment = moment.clone();
            ["end", "lines", "answer"].into_iter().for_each(|field| {
                moment.as_object_mut().unwrap().remove(field);
            });
            moment
        };
        let back: Vec<Value> = back.iter().map(plain).collect();
        for moment in &passed[..30] {
            assert!(back.contains(&plain(moment)), "{goal}: {moment}");
        }
    }
}

#[test]
fn a_long_way_in_parts_leads_to_the_same() {
    let source = text("programs/queens.g1");
    let mut whole = Asked::loaded(&source);
    let mut parts = Asked::loaded(&source);
    let all = whole.go("forward", "point", 1 << 40, "halted");
    let mut slices = 0;
    let last = loop {
        let answer = parts.ask(json!({ "ask": "go", "way": "forward", "to": "point", "cycles": 5_001 }));
        slices += 1;
        if answer["stop"] != "limit" {
            assert_eq!(answer["stop"], "halted");
            break answer["moment"].clone();
        }
    };
    assert_eq!(last, all);
    assert!(slices > 10, "{slices} slices");
    assert!(all["output"].as_str().unwrap().ends_with("84136275\n92\n"));

    // Back to the solutions, one asked in one go, the other in parts.
    for _ in 0..5 {
        let found = whole.go("back", "solution", 1 << 40, "goal");
        let in_parts = loop {
            let answer = parts.ask(json!({ "ask": "go", "way": "back", "to": "solution", "cycles": 100 }));
            if answer["stop"] != "limit" {
                break answer["moment"].clone();
            }
        };
        assert_eq!(in_parts, found);
    }
}

#[test]
fn any_moment_is_the_same_however_it_was_reached() {
    let mut asked = Asked::loaded(&text("programs/queens.g1"));
    let positions = [(40_000, 0), (3, 1), (39_999, 3), (0, 0), (12_345, 2), (40_000, 0), (1, 0)];
    for (cycle, phase) in positions {
        let moment = asked.seek(cycle, phase);
        assert_eq!(position(&moment), (cycle, phase.into()));
        let mut fresh = Asked::loaded(&text("programs/queens.g1"));
        let mut expected = fresh.seek(cycle, phase);
        // How much of the run is known is all that differs.
        for field in ["end", "lines"] {
            expected[field] = moment[field].clone();
        }
        assert_eq!(moment, expected);
        let seen =
            |asked: &mut Asked| (asked.ask(json!({ "ask": "ram" })), asked.ask(json!({ "ask": "levels" })));
        assert_eq!(seen(&mut asked), seen(&mut fresh));
    }
}

#[test]
fn a_seek_goes_no_further_than_it_is_allowed_to_beyond_what_is_known() {
    let mut asked = Asked::loaded("loop: jmp next\nnext: jmp loop\n");
    let seek = |cycles| json!({ "ask": "seek", "cycle": 50_000, "cycles": cycles });
    let answer = asked.ask(seek(20_000));
    assert_eq!((&answer["stop"], &answer["moment"]["cycle"]), (&json!("limit"), &json!(20_000)));
    asked.seek(10, 0);
    let answer = asked.ask(seek(30_000));
    assert_eq!((&answer["stop"], &answer["moment"]["cycle"]), (&json!("goal"), &json!(50_000)));
    let answer = asked.ask(json!({ "ask": "seek", "cycle": 0, "cycles": 1 }));
    assert_eq!((&answer["stop"], &answer["moment"]["cycle"]), (&json!("goal"), &json!(0)));
}

/// However far the checkpoints are apart, and in whichever direction the machine moves, every request is answered soon.
#[test]
fn a_seek_within_what_is_known_can_be_made_in_parts() {
    const FORWARD: &str = ".ram n\nloop: lda n\n add #1\n sta n\n jmp loop\n";
    let mut asked = Asked::loaded(FORWARD);
    asked.ask(json!({ "ask": "seek", "cycle": 200_000, "cycles": 200_000, "ahead": true }));
    // The most parts for each position.
    for (cycle, phase, most) in
        [(60_000, 0, 12), (61_000, 3, 1), (150_000, 2, 4), (149_900, 0, 1), (65_536, 0, 1)]
    {
        let mut parts = 0;
        let moment = loop {
            parts += 1;
            let answer = asked.ask(json!({ "ask": "seek", "cycle": cycle, "phase": phase, "cycles": 1 }));
            assert!(["goal", "limit"].contains(&answer["stop"].as_str().unwrap()), "{answer}");
            if answer["stop"] == "goal" {
                break answer["moment"].clone();
            }
        };
        assert!(parts <= most, "{parts} parts to cycle {cycle}");
        let mut fresh = Asked::loaded(FORWARD).seek(cycle, phase);
        for field in ["end", "lines"] {
            fresh[field] = moment[field].clone();
        }
        assert_eq!(moment, fresh);
    }
}

/// Repeating the request for a step back that has only come part of the way would make another step from there.
#[test]
fn a_step_back_arrives_however_far_the_checkpoints_are_apart() {
    let mut asked = Asked::loaded("loop: jmp next\nnext: jmp loop\n");
    asked.ask(json!({ "ask": "seek", "cycle": 200_000, "cycles": 200_000, "ahead": true }));
    asked.seek(120_000, 0);
    for cycle in (119_700..120_000).rev() {
        let moment = asked.go("back", "instruction", 1, "goal");
        assert_eq!(position(&moment), (cycle, 0));
    }
    asked.seek(110_000, 0);
    for phases in (439_000..440_000).rev() {
        let moment = asked.go("back", "phase", 1, "goal");
        assert_eq!(position(&moment), (phases / 4, phases % 4));
    }
}

#[test]
fn the_machine_runs_ahead_to_its_end_whatever_its_engine() {
    let mut whole = Asked::loaded(&text("programs/queens.g1"));
    let end = whole.go("forward", "point", 1 << 40, "halted");
    let mut ahead = Asked::loaded(&text("programs/queens.g1"));
    ahead.ask(json!({ "ask": "points", "points": [{ "watch": "GREEN" }] }));
    let seek = json!({ "ask": "seek", "cycle": 1 << 30, "cycles": 10_000, "ahead": true });
    let mut parts = 0;
    let last = loop {
        parts += 1;
        let answer = ahead.ask(seek.clone());
        if answer["stop"] != "limit" {
            assert_eq!(answer["stop"], "halted");
            break answer["moment"].clone();
        }
    };
    assert_eq!((parts, &last["cycle"], &last["lines"]), (7, &end["cycle"], &end["lines"]));
    assert_eq!(ahead.seek(12_345, 2)["leds"], whole.seek(12_345, 2)["leds"]);
}

#[test]
fn pads_are_pressed_again_when_their_cycles_are_repeated() {
    let mut asked = Asked::loaded(COUNT);
    asked.seek(100, 0);
    let pressed = asked.ask(json!({ "ask": "press", "pad": [2, 3], "keys": 5 }));
    assert_eq!((&pressed["pad"], &pressed["keys"]), (&json!([2, 3]), &json!(5)));
    asked.seek(200, 0);
    asked.ask(json!({ "ask": "press" }));
    asked.seek(300, 0);
    let states: Vec<(u64, Value)> =
        [90, 120, 150, 220, 290].map(|cycle| (cycle, asked.seek(cycle, 0))).into();
    let green: Vec<u64> = states.iter().map(|(_, moment)| moment["leds"][0].as_u64().unwrap()).collect();
    assert_eq!(green, [0, 8, 8, 0, 0]);
    for (cycle, moment) in states.iter().rev() {
        assert_eq!(&asked.seek(*cycle, 0), moment);
    }
    // A machine with the same inputs runs in the same way.
    let script = asked.ask(json!({ "ask": "script" }));
    assert_eq!(script["edits"], 0);
    let mut same = Asked::with(COUNT, json!({ "ram": "zero", "input": script["text"] }));
    for (cycle, moment) in &states {
        let mut again = same.seek(*cycle, 0);
        for field in ["end", "lines", "pressed"] {
            again[field] = moment[field].clone();
        }
        assert_eq!(&again, moment);
    }
    assert_eq!(same.ask(json!({ "ask": "script" })), script);
    let error = asked.error(json!({ "ask": "press", "pad": [8, 0] }));
    assert!(error.contains("0 to 7"), "{error}");
}

#[test]
fn what_is_edited_stays_so() {
    let mut asked = Asked::loaded(COUNT);
    asked.seek(18, 0);
    let moment = asked.ask(json!({ "ask": "edit", "what": "n", "value": "n + 0x20" }));
    assert_eq!(moment["end"], 18);
    let value = |asked: &mut Asked| asked.ask(json!({ "ask": "value", "text": "n" }))["number"].clone();
    assert_eq!(value(&mut asked), 0x22);
    asked.seek(27, 0);
    assert_eq!(value(&mut asked), 0x23);
    asked.seek(17, 0);
    assert_eq!(value(&mut asked), 2);
    asked.seek(27, 0);
    assert_eq!(value(&mut asked), 0x23);
    for (what, value) in [("nn", "1"), ("n", "256"), ("KEYS", "1"), ("n", ""), ("", "1")] {
        asked.error(json!({ "ask": "edit", "what": what, "value": value }));
    }
}

#[test]
fn a_machine_with_another_cell_goes_on_with_it() {
    let sum = ".ram x\n lda #2\n add #1\n sta x\nhalt: jmp halt\n";
    let mut asked = Asked::loaded(sum);
    asked.go("forward", "point", 1_000, "halted");
    let sum_of = |asked: &mut Asked| asked.ask(json!({ "ask": "value", "text": "x" }))["number"].clone();
    assert_eq!(sum_of(&mut asked), 3);
    let burned = asked.ask(json!({ "ask": "burn", "change": "ALUL:*.R0=0" }));
    assert_eq!((&burned["answer"], &burned["moment"]["cycle"]), (&json!("burned"), &json!(0)));
    let cycle = burned["cycle"].as_u64().unwrap();
    asked.seek(cycle, 0);
    assert_eq!(sum_of(&mut asked), 2);
    // The same as a machine that was built so.
    let mut built = Asked::with(sum, json!({ "ram": "zero", "cells": ["ALUL:*.R0=0"] }));
    built.go("forward", "point", 1_000, "halted");
    assert_eq!(built.look()["leds"], asked.look()["leds"]);
    assert_eq!(sum_of(&mut built), 2);
    asked.ask(json!({ "ask": "burn" }));
    asked.seek(cycle, 0);
    assert_eq!(sum_of(&mut asked), 3);
    assert!(asked.error(json!({ "ask": "burn", "change": "NONE:0=1" })).contains("no chip NONE"));
}

#[test]
fn breakpoints_stop_the_machine_both_ways() {
    let mut asked = Asked::loaded(COUNT);
    let points = json!([{ "at": "4", "condition": "n == 5" }, { "at": "99" }, { "watch": "n" }, {}]);
    let told = asked.ask(json!({ "ask": "points", "points": points }))["points"].clone();
    assert_eq!(told[0], json!({ "error": null, "line": 4 }));
    assert_eq!(told[1]["error"], "line 99 of a.g1 generates no instruction, nor does any after it");
    assert_eq!(told[2], json!({ "error": null, "line": null }));
    assert_eq!(told[3]["error"], "a breakpoint has either `at` or `watch`");
    let go = |asked: &mut Asked, way: &str| {
        let answer = asked.ask(json!({ "ask": "go", "way": way, "to": "point", "cycles": 1_000 }));
        (answer["points"].clone(), answer["text"].as_str().unwrap().to_owned())
    };
    for byte in 0..5 {
        let text = format!("n: n: {byte:02X} -> {:02X}", byte + 1);
        assert_eq!(go(&mut asked, "forward"), (json!([2]), text));
    }
    assert_eq!(go(&mut asked, "forward"), (json!([0]), "4".to_owned()));
    assert_eq!(go(&mut asked, "forward").0, json!([2]));
    assert_eq!(go(&mut asked, "back").0, json!([0]));
    assert_eq!(go(&mut asked, "back").1, "n: n: 04 -> 05");
}

#[test]
fn which_hits_of_a_breakpoint_count_can_be_chosen() {
    for (hits, stops) in
        [("3", vec![2, 3, 4]), ("% 4", vec![3, 7, 11]), ("== 2", vec![1]), ("< 3", vec![0, 1])]
    {
        let mut asked = Asked::loaded(COUNT);
        let points = json!([{ "at": "3", "hits": hits }, { "at": "3", "hits": "often" }]);
        let told = asked.ask(json!({ "ask": "points", "points": points }))["points"].clone();
        assert_eq!(
            told[1]["error"],
            "`often` is not a hit count: write `3`, `>= 3`, `> 3`, `<= 3`, `< 3`, `== 3` or `% 3`"
        );
        for n in &stops {
            let answer = asked.ask(json!({ "ask": "go", "way": "forward", "to": "point", "cycles": 1_000 }));
            assert_eq!(
                (&answer["stop"], &answer["moment"]["hits"]),
                (&json!("point"), &json!([n + 1, 0])),
                "{hits}"
            );
            assert_eq!(asked.ask(json!({ "ask": "value", "text": "n" }))["number"], *n, "{hits}");
        }
    }
}

/// Counting in one go, in parts, forwards and back, and in another future gives the same result.
#[test]
fn lines_are_counted_wherever_the_machine_goes() {
    let source =
        ".ram n\n.macro twice\n add #1\n add #1\n.endmacro\nloop: lda n\n twice\n sta n\n jmp loop\n";
    let lines = |cycle: u64| {
        let line = |(line, at): (u64, [u64; 2])| {
            let ran = |place: u64| (cycle + 4 - place) / 5;
            let cycles: u64 = (at[0]..at[1]).map(ran).sum();
            let first = (cycles > 0).then_some(at[0]);
            json!({ "line": line, "times": ran(at[0]), "cycles": cycles, "first": first })
        };
        let all = [(3, [1, 2]), (4, [2, 3]), (6, [0, 1]), (7, [1, 3]), (8, [3, 4]), (9, [4, 5])];
        Value::Array(all.into_iter().map(line).collect())
    };
    let mut asked = Asked::loaded(source);
    let count = |asked: &mut Asked, cycles: u64| asked.ask(json!({ "ask": "counts", "cycles": cycles }));
    for (cycle, phase) in
        [(0, 0), (1, 2), (9_999, 0), (10_003, 1), (9_000, 0), (50_000, 3), (30_001, 0), (7, 0)]
    {
        asked.seek(cycle, phase);
        let mut parts = 0;
        let last = loop {
            parts += 1;
            let told = count(&mut asked, 1_000);
            assert_eq!(position(&asked.look()), (cycle, phase.into()));
            assert_eq!(told["files"][0]["lines"], lines(told["cycle"].as_u64().unwrap()), "{told}");
            if told["cycle"] == cycle {
                break told;
            }
        };
        assert!(parts <= 41, "{parts} parts to cycle {cycle}");
        assert_eq!(count(&mut asked, 1), last);
    }
    // Another future, after which fewer lines are run, also where counts go beyond its beginning.
    for counted in [1_000, 2_000] {
        asked.seek(counted, 0);
        count(&mut asked, u64::MAX);
        asked.seek(1_000, 0);
        asked.ask(json!({ "ask": "edit", "what": "pc", "value": "loop+4" }));
        asked.seek(1_001, 0);
        let told = count(&mut asked, u64::MAX);
        let times = |line: usize| &told["files"][0]["lines"][line]["times"];
        assert_eq!((&told["cycle"], times(2), times(5)), (&json!(1_001), &json!(200), &json!(201)), "{told}");
    }
}

/// Whichever engine runs the machine, it is the same at each moment, and so is its past, even if pads are pressed on
/// the way.
#[test]
fn the_engine_isa_leads_to_the_same() {
    for (source, last) in [(text("programs/queens.g1"), 63_000), (COUNT.to_owned(), 300_000)] {
        let [mut chips, mut isa] = ["chips", "isa"]
            .map(|engine| Asked::with(&source, json!({ "engine": engine, "ram": "random:7", "cells": [] })));
        for (cycles, keys) in [(1_000, 0), (30_000, 5), (57, 0), (last, 9)] {
            let [one, other] = [&mut chips, &mut isa].map(|asked| {
                asked.ask(json!({ "ask": "press", "pad": [keys % 8, 1], "keys": keys }));
                let moved =
                    asked.ask(json!({ "ask": "go", "way": "forward", "to": "point", "cycles": cycles }));
                let light = asked.ask(json!({ "ask": "light" }));
                (moved, light, asked.ask(json!({ "ask": "ram" })), asked.ask(json!({ "ask": "levels" })))
            });
            assert_eq!(one, other, "{cycles}");
        }
        for request in [
            json!({ "ask": "go", "way": "back", "to": "phase", "cycles": 1 }),
            json!({ "ask": "go", "way": "back", "to": "display", "cycles": 1_000_000 }),
            json!({ "ask": "go", "way": "back", "to": "solution", "cycles": 1_000_000 }),
            json!({ "ask": "seek", "cycle": 12_345, "phase": 2, "cycles": 1 }),
            json!({ "ask": "seek", "cycle": 999_999, "phase": 1, "cycles": 2_000_000 }),
        ] {
            assert_eq!(chips.ask(request.clone()), isa.ask(request.clone()), "{request}");
            let levels = json!({ "ask": "levels" });
            assert_eq!(chips.ask(levels.clone()), isa.ask(levels), "{request}");
        }
    }
    // On another board the chips run.
    let cells = json!({ "engine": "isa", "ram": "zero", "cells": ["ALUL:*.R0=0"] });
    let mut asked = Asked::with(".ram x\n lda #2\n add #1\n sta x\nhalt: jmp halt\n", cells);
    asked.go("forward", "point", 1_000, "halted");
    assert_eq!(asked.ask(json!({ "ask": "value", "text": "x" }))["number"], 2);
}
