//! The bench: a board runs as it is written, changes keep everything else of its text, and a verdict shows what fails.

use crate::support::Asked;
use gray1_lessons::{Course, LEVELS};
use gray1_machine::board::Board;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Judges as the page does, with all levels.
fn asked() -> Asked {
    let mut asked = Asked::new();
    let lessons = asked.ask(json!({ "ask": "lessons", "own": [] }));
    assert_eq!(lessons["levels"].as_array().map(Vec::len), Some(LEVELS.len()));
    asked
}

/// What a level begins with.
fn start(number: usize) -> String {
    let id = format!("level-{number}");
    Course::with_levels().exercise(&id).unwrap().start
}

fn rework(asked: &mut Asked, board: &str, rework: Value) -> String {
    let answer = asked.ask(json!({ "ask": "rework", "board": board, "rework": &rework }));
    assert_eq!(answer["answer"], "text", "{rework}: {answer}");
    answer["text"].as_str().unwrap().to_owned()
}

fn look(asked: &mut Asked, board: &str, moves: Value) -> Value {
    asked.ask(json!({ "ask": "bench", "board": board, "moves": moves }))
}

/// Whether a board passes, and what is said.
fn judge(asked: &mut Asked, level: usize, board: &str) -> Value {
    asked.ask(json!({ "ask": "judge", "exercise": format!("level-{level}"), "attempt": board }))
}

#[test]
fn cells_are_changed_and_looked_up() {
    let mut asked = asked();
    let mut board = start(1);
    for address in [1, 2] {
        board =
            rework(&mut asked, &board, json!({ "change": "flip", "chip": 0, "address": address, "line": 0 }));
    }
    assert_eq!(board, start(1).replace("0, 0, 0, 0", "0, 1, 1, 0"), "nothing else has changed");
    let seen = look(&mut asked, &board, json!([[["A", true]], [["B", true], ["A", false]]]));
    assert_eq!(seen["fault"], json!(null), "{seen}");
    assert_eq!((&seen["switches"], &seen["lamps"]), (&json!(["A", "B"]), &json!(["Q"])));
    assert_eq!(seen["levels"], json!([["A", false], ["B", true], ["Q", true]]));
    assert_eq!(seen["chips"][0]["at"], 2);
    assert_eq!(seen["truth"], json!(["0", "1", "1", "0"]));
    let judged = judge(&mut asked, 1, &board);
    let score = [&judged["passed"], &judged["chips"], &judged["address_bits"]];
    assert_eq!(score, [&json!(true), &json!(1), &json!(2)], "{judged}");
}

#[test]
fn a_verdict_names_the_move_that_shows_what_is_wrong() {
    let mut asked = asked();
    let judged = judge(&mut asked, 1, &start(1));
    assert_eq!(judged["passed"], false);
    assert_eq!(judged["tried"]["levels"], json!([["A", true], ["B", false], ["Q", false]]), "{judged}");
    // The alarm without memory: it goes off when SET is let go.
    let judged = judge(&mut asked, 4, &start(4));
    assert_eq!(judged["tried"]["moves"], json!([["SET", false]]), "{judged}");
    let levels = &judged["tried"]["levels"];
    let seen = asked
        .ask(json!({ "ask": "bench", "board": start(4), "levels": levels, "moves": [[["SET", false]]] }));
    assert_eq!(seen["levels"][2], json!(["Q", false]), "{seen}");
    // A ring has no state of rest to go to.
    let ring = start(1).replace(
        "\"A B\", data: \"Q\", burn: Cells([0, 0, 0, 0])",
        "\"A Q\", data: \"Q\", burn: Formula([\"Q = !Q\"])",
    );
    let judged = judge(&mut asked, 1, &ring);
    assert_eq!(judged["tried"]["levels"], json!([]), "{judged}");
    assert!(look(&mut asked, &ring, json!([]))["restless"].as_str().unwrap().contains("STAIRS"));
}

#[test]
fn a_chip_can_be_led_to_itself() {
    let mut asked = asked();
    let wire = json!({ "change": "wire", "chip": 0, "is_data": false, "line": 2, "net": "Q" });
    let board = rework(&mut asked, &start(4), wire);
    assert!(board.contains("address: \"SET RESET Q\""), "{board}");
    let formulas = json!({ "change": "formulas", "chip": 0, "formulas": ["Q = !RESET & (SET | Q)"] });
    let board = rework(&mut asked, &board, formulas);
    let seen = look(&mut asked, &board, json!([[["SET", true]], [["SET", false]]]));
    assert_eq!(seen["levels"][2], json!(["Q", true]), "it remembers: {seen}");
    assert_eq!(judge(&mut asked, 4, &board)["passed"], true);
    let away = json!({ "change": "wire", "chip": 0, "is_data": false, "line": 2, "net": "" });
    let board = rework(&mut asked, &board, away);
    let faulty = look(&mut asked, &board, json!([]));
    assert!(faulty["fault"].as_str().unwrap().contains("Q"), "{faulty}");
    assert_eq!(faulty["chips"][0]["address"], json!(["SET", "RESET"]), "it is shown all the same");
}

#[test]
fn chips_come_and_go_and_names_follow() {
    let mut asked = asked();
    let first = start(1);
    let two = rework(&mut asked, &first, json!({ "change": "add" }));
    let seen = look(&mut asked, &two, json!([]));
    assert_eq!(seen["fault"], json!(null), "{seen}");
    assert_eq!((&seen["chips"][1]["name"], &seen["chips"][1]["data"]), (&json!("CHIP1"), &json!(["N1"])));
    // The new chip takes the lamp; what lit it gets another name.
    let wire = json!({ "change": "wire", "chip": 1, "is_data": true, "line": 0, "net": "Q" });
    let lamp = rework(&mut asked, &two, wire);
    let seen = look(&mut asked, &lamp, json!([]));
    assert_eq!(seen["fault"], json!(null), "{seen}");
    assert_eq!(seen["chips"][1]["data"], json!(["Q"]));
    assert_ne!(seen["chips"][0]["data"], json!(["Q"]));
    let one = rework(&mut asked, &two, json!({ "change": "remove", "chip": 1 }));
    assert_eq!(look(&mut asked, &one, json!([]))["fault"], json!(null));
    let none = rework(&mut asked, &one, json!({ "change": "remove", "chip": 0 }));
    assert_eq!(look(&mut asked, &none, json!([]))["chips"], json!([]));
    let again = rework(&mut asked, &none, json!({ "change": "add" }));
    assert_eq!(look(&mut asked, &again, json!([]))["fault"], json!(null), "{again}");
}

#[test]
fn tables_keep_their_meaning_when_lines_come_and_go() {
    let mut asked = asked();
    let chip = |address: &str, data: &str| json!({ "change": "chip", "chip": 0, "name": "X", "address": address, "data": data });
    let board = start(1).replace("0, 0, 0, 0", "0, 1, 1, 1");
    let wide = rework(&mut asked, &board, chip("A B Q", "Q R"));
    assert!(wide.contains("Cells([0, 1, 1, 1, 0, 1, 1, 1])"), "{wide}");
    let turned = rework(&mut asked, &wide, chip("A", "R Q"));
    assert!(turned.contains("Cells([0, 1])"), "{turned}");
    // A range has a name of its own, and a formula for it needs no other.
    let range = rework(&mut asked, &board, chip("A B", "Q0-1"));
    let range =
        rework(&mut asked, &range, json!({ "change": "formulas", "chip": 0, "formulas": ["Q = A + B"] }));
    let range = range.replace("lamps: \"Q\"", "lamps: \"Q0-1\"");
    let seen = look(&mut asked, &range, json!([]));
    assert_eq!(seen["truth"], json!(["00", "10", "10", "01"]), "{seen}");
}

#[test]
fn memories_are_followed() {
    let mut asked = asked();
    let lessons = asked.ask(json!({ "ask": "lessons", "own": [] }));
    let parts = lessons["levels"][14]["parts"].as_array().unwrap().clone();
    let exercise = parts.iter().find(|part| part["part"] == "exercise").unwrap();
    assert_eq!(exercise["board"]["beat"], json!(["P1", "P2"]));
    let memory = &exercise["board"]["memory"];
    let seen = asked.ask(json!({ "ask": "bench", "board": start(16), "memory": {
        "switches": ["I0", "I1", "I2", "I3", "I4"], "lamps": memory["lamps"], "numbers": [21] } }));
    let set = |net: &str| seen["levels"].as_array().unwrap().iter().any(|level| level == &json!([net, true]));
    assert!(set("I0") && !set("I1") && set("I2") && !set("I3") && set("I4"), "{seen}");
}

#[test]
fn what_cannot_be_changed_says_why() {
    let mut asked = Asked::new();
    for (rework, words) in [
        (json!({ "change": "remove", "chip": 7 }), "no such chip"),
        (json!({ "change": "flip", "chip": 0, "address": 4, "line": 0 }), "no such cell"),
        (json!({ "change": "wire", "chip": 0, "is_data": true, "line": 0, "net": "A" }), "switch"),
        (json!({ "change": "wire", "chip": 0, "is_data": false, "line": 0, "net": "9" }), "not a net"),
        (json!({ "change": "wire", "chip": 0, "is_data": false, "line": 0, "net": "C0-3" }), "one net"),
    ] {
        let text = asked.error(json!({ "ask": "rework", "board": start(1), "rework": rework }));
        assert!(text.contains(words), "{text}");
    }
    assert!(
        asked
            .error(json!({ "ask": "rework", "board": "Board(", "rework": { "change": "add" } }))
            .contains("line 1")
    );
    let gray1 = include_str!("../../../machine/src/board/gray1.ron");
    assert!(look(&mut asked, gray1, json!([]))["fault"].as_str().unwrap().contains("CPU"));
}

#[test]
fn a_board_with_chips_of_ones_own_is_loaded_and_runs() {
    let mut asked = asked();
    let (start, right) = (start(17), "WE = W == 1 && PH1 && !RST\", \"WEN = 1 - (W == 1 && PH1 && !RST)");
    assert!(judge(&mut asked, 17, &start)["whole"].is_null());
    let judged = judge(&mut asked, 17, &start.replace("WE = W == 1\", \"WEN = 1 - (W == 1)", right));
    assert_eq!(judged["passed"], true, "{judged}");
    let board = judged["whole"]["board"].as_str().unwrap();
    assert_eq!(judged["whole"]["program"], "sort.g1");
    assert!(board.contains(right) && Board::parse(board, "whole.ron").is_ok());
    let program = json!({ "name": "p.g1", "text": "lda #7\nsta OUT\nhalt: jmp halt\n" });
    let load = |board: &str| json!({ "ask": "load", "program": program, "options": { "board": board }, "points": [] });
    let loaded = asked.ask(load(board));
    assert_eq!(loaded["answer"], "loaded", "{loaded}");
    let shown = asked.ask(json!({ "ask": "board" }));
    let decoder = shown["chips"].as_array().unwrap().iter().find(|chip| chip["name"] == "DEC").unwrap();
    assert!(decoder.to_string().contains("27C64"), "{decoder}");
    assert!(asked.error(load("Board(")).starts_with("board.ron:1:"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_changed_can_be_shown(changes in prop::collection::vec((0..6usize, 0..4usize, 0..5usize, 0..5usize), 1..8), level in 1..=LEVELS.len()) {
        let mut asked = Asked::new();
        let mut board = start(level);
        for (kind, chip, line, net) in changes {
            let net = ["Q", "N1", "A0", "", "E"][net];
            let change = match kind {
                0 => json!({ "change": "add" }),
                1 => json!({ "change": "remove", "chip": chip }),
                2 => json!({ "change": "wire", "chip": chip, "is_data": false, "line": line, "net": net }),
                3 => json!({ "change": "wire", "chip": chip, "is_data": true, "line": line, "net": net }),
                4 => json!({ "change": "flip", "chip": chip, "address": line, "line": 0 }),
                _ => json!({ "change": "formulas", "chip": chip, "formulas": ["Q = A0 + E"] }),
            };
            let answer = asked.ask(json!({ "ask": "rework", "board": board, "rework": change }));
            if let Some(text) = answer["text"].as_str().filter(|_| answer["answer"] == "text") {
                board = text.to_owned();
                let seen = look(&mut asked, &board, json!([]));
                // A change of ours never breaks the syntax: the chips can still be read.
                prop_assert!(!seen["switches"].as_array().unwrap().is_empty(), "{}\n{}", seen, board);
            }
        }
    }
}
