//! The answers: errors in the words of the command line, and what is known about a moment.

use crate::support::{Asked, position, text};
use gray1_assembler::{MemoryLoader, Options, assemble};
use proptest::prelude::*;
use serde_json::json;

#[test]
fn errors_have_the_words_of_the_command_line_and_their_place_in_the_editor() {
    let cases = [
        (" lda #1\n sta OUTT\n", (2, 6, 13, 17)),
        ("; ü𝄞\n lda\n", (2, 2, 7, 10)),
        (".macro m\n lda nothing\n.endmacro\n m\n", (2, 6, 14, 21)),
    ];
    for (source, (line, column, from, to)) in cases {
        let expected = assemble(&MemoryLoader::new([("a.g1", source)]), "a.g1", &Options::default());
        assert!(expected.program.is_none());
        let mut asked = Asked::new();
        let checked = asked.ask(json!({ "ask": "check", "program": { "name": "a.g1", "text": source } }));
        assert_eq!(checked["text"], expected.report.to_string());
        let first = &checked["diagnostics"][0];
        assert!(checked["text"].as_str().unwrap().starts_with(first["text"].as_str().unwrap()));
        let place = &first["place"];
        assert_eq!(
            (&place["line"], &place["column"], &place["from"], &place["to"]),
            (&json!(line), &json!(column), &json!(from), &json!(to)),
            "{checked}"
        );
        // There is still no machine.
        let loaded = asked.ask(json!({ "ask": "load", "program": { "name": "a.g1", "text": source } }));
        assert_eq!(loaded["moment"], json!(null));
        asked.error(json!({ "ask": "look" }));
    }
}

#[test]
fn lines_cost_what_they_make() {
    let source = ".macro twice value\n add value\n add value\n.endmacro\n lda #0\n twice #3\n.for i, 0, 3\n sta i\n.endfor\nend: jmp end\n";
    let checked = Asked::new().ask(json!({ "ask": "check", "program": { "name": "a.g1", "text": source } }));
    assert_eq!(
        checked["costs"],
        json!([
            { "line": 5, "words": 1, "cycles": "1", "first": 0 },
            { "line": 6, "words": 2, "cycles": "2", "first": 1 },
            { "line": 8, "words": 3, "cycles": "3", "first": 3 },
            { "line": 10, "words": 1, "cycles": "1", "first": 6 },
        ]),
        "{checked}"
    );
    assert_eq!((&checked["words"], &checked["errors"]), (&json!(7), &json!(0)));
}

#[test]
fn every_program_that_is_shipped_can_be_loaded() {
    let mut asked = Asked::new();
    let hello = asked.ask(json!({ "ask": "hello" }));
    let programs = hello["programs"].as_array().unwrap().clone();
    let table = text("programs/README.md");
    let mut files: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".g1"))
        .collect();
    files.sort();
    let mut names: Vec<String> =
        programs.iter().map(|program| program["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, files);
    for program in &programs {
        let name = program["name"].as_str().unwrap();
        let source = asked.ask(json!({ "ask": "program", "name": name }))["text"].clone();
        let loaded = asked.ask(json!({ "ask": "load", "program": { "name": name, "text": source } }));
        assert_eq!(loaded["checked"]["errors"], 0, "{name}");
        assert!(!program["title"].as_str().unwrap().is_empty(), "{name}");
        // The speed is that of the table for people.
        let row = table.lines().find(|line| line.contains(&format!("| `{name}` |"))).unwrap();
        let hz = row.split("--hz ").nth(1).and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
        let hz: u64 = hz.and_then(|digits| digits.parse().ok()).unwrap_or(0);
        if !row.contains("| any |") {
            assert_eq!(program["hz"], hz, "{name}");
        }
    }
}

#[test]
fn a_chip_tells_what_the_board_knows_of_it() {
    let mut asked = Asked::loaded(" lda #0x48\n sta OUT\nhalt: jmp halt\n");
    asked.seek(1, 2);
    let board = asked.ask(json!({ "ask": "board" }));
    assert_eq!(board["chips"].as_array().unwrap().len(), 39);
    let levels = asked.ask(json!({ "ask": "levels" }));
    for (list, told) in [("blocks", "blocks"), ("cables", "cables"), ("chips", "chips")] {
        assert_eq!(board[list].as_array().unwrap().len(), levels[told].as_array().unwrap().len());
    }
    let digits = levels["nets"].as_str().unwrap();
    assert_eq!(digits.len(), board["nets"].as_array().unwrap().len());
    for (chip, now) in board["chips"].as_array().unwrap().iter().zip(levels["chips"].as_array().unwrap()) {
        let chip = asked.ask(json!({ "ask": "chip", "name": chip["name"] }));
        assert_eq!((&chip["now"], &chip["at"]), (&now["address"], &now["address"]), "{chip}");
        // What the chip gives is what its table says, and what its pins show.
        let cell =
            chip["table"].as_array().unwrap().iter().find(|cell| cell["address"] == chip["now"]).unwrap();
        assert_eq!(cell["data"], now["data"], "{}", chip["name"]);
        let pins = chip["gives"].as_array().unwrap().iter().rev();
        let data = pins.fold(0, |data, pin| data << 1 | u64::from(pin["level"].as_bool().unwrap()));
        assert_eq!(now["data"], data, "{}", chip["name"]);
        let last = chip["last"].as_u64().unwrap();
        assert_eq!(asked.ask(json!({ "ask": "chip", "name": chip["name"], "at": last }))["at"], last);
        asked.error(json!({ "ask": "chip", "name": chip["name"], "at": last + 1 }));
    }
}

#[test]
fn waves_are_what_was_there_phase_by_phase() {
    let mut asked = Asked::loaded(&text("programs/queens.g1"));
    asked.seek(1_000, 2);
    let nets = ["A", "PC", "OSC", "W"];
    let waves = asked.ask(json!({ "ask": "waves", "nets": nets, "cycles": 5 }));
    assert_eq!((&waves["first"], &waves["phases"]), (&json!(995 * 4), &json!(23)));
    assert_eq!(waves["instructions"].as_array().unwrap().len(), 6);
    assert_eq!(position(&asked.look()), (1_000, 2));
    for phase in 0..23_u64 {
        asked.seek(995 + phase / 4, (phase % 4) as u8);
        for (net, wave) in nets.iter().zip(waves["waves"].as_array().unwrap()) {
            let changes = wave["changes"].as_array().unwrap();
            let value =
                changes.iter().rfind(|change| change[0].as_u64().unwrap() <= phase).unwrap()[1].clone();
            let text = format!("net.{net}");
            assert_eq!(asked.ask(json!({ "ask": "value", "text": text }))["number"], value, "{net} {phase}");
        }
    }
    asked.error(json!({ "ask": "waves", "nets": ["NOTHING"], "cycles": 5 }));
}

#[test]
fn bytes_of_ram_are_waves_too() {
    let mut asked = Asked::loaded(".ram n\n.ram list, 3\n lda #7\n sta list+1\n sta n\nhalt: jmp halt\n");
    asked.seek(3, 0);
    let bytes = ["n", "list[1]", "1", "list", "b", "list[", "4096"];
    let waves = asked.ask(json!({ "ask": "waves", "nets": ["A"], "bytes": bytes, "cycles": 5 }));
    let waves = waves["waves"].as_array().unwrap();
    let names: Vec<&str> = waves.iter().map(|wave| wave["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["A", "n", "list[1]", "1", "list", "b", "list[", "4096"]);
    // A store is there at the end of phase 1 of its cycle.
    assert_eq!(waves[1]["changes"], json!([[0, 0], [9, 7]]));
    assert_eq!(waves[2]["changes"], json!([[0, 0], [5, 7]]));
    assert_eq!(waves[4]["changes"], json!([[0, 0]]));
    for wave in &waves[1..5] {
        assert_eq!((&wave["width"], &wave["fault"]), (&json!(8), &json!(null)), "{wave}");
    }
    for wave in &waves[5..] {
        assert_eq!(wave["changes"], json!([]), "{wave}");
        assert!(wave["fault"].as_str().unwrap().len() > 10, "{wave}");
    }
}

#[test]
fn cables_and_buses_tell_what_is_on_them() {
    let mut asked = Asked::loaded(&text("programs/queens.g1"));
    asked.seek(1_000, 1);
    let (board, levels) = (asked.ask(json!({ "ask": "board" })), asked.ask(json!({ "ask": "levels" })));
    let list = |of: &serde_json::Value, name: &str| of[name].as_array().unwrap().clone();
    let (now, before) = (levels["nets"].as_str().unwrap(), levels["before"].as_str().unwrap());
    let cables = list(&board, "cables");
    assert_eq!(cables.len(), list(&levels, "cables").len());
    for (cable, told) in cables.iter().zip(list(&levels, "cables")) {
        let nets: Vec<usize> = list(cable, "nets").iter().map(|net| net.as_u64().unwrap() as usize).collect();
        // One number for each part of its name, as many lines as it has.
        let parts = cable["name"].as_str().unwrap().split(' ').count();
        assert_eq!(told["value"].as_str().unwrap().split(' ').count(), parts, "{cable}");
        if parts == 1 {
            let digits = nets.iter().rev().map(|net| &now[*net..=*net]).collect::<String>();
            let value = u64::from_str_radix(told["value"].as_str().unwrap(), 16).unwrap();
            assert_eq!(value, u64::from_str_radix(&digits, 2).unwrap(), "{cable}");
        }
        let has_moved = nets.iter().any(|net| now[*net..=*net] != before[*net..=*net]);
        assert_eq!(told["activity"] == "moved", has_moved, "{cable}");
    }
    let buses = list(&board, "buses");
    for (name, told) in buses.iter().zip(list(&levels, "buses")) {
        let text = format!("net.{}", name.as_str().unwrap());
        let value = asked.ask(json!({ "ask": "value", "text": text }))["number"].as_i64().unwrap();
        assert_eq!(i64::from_str_radix(told["value"].as_str().unwrap(), 16), Ok(value), "{name}");
    }
    assert!(
        buses.contains(&json!("PC")) && list(&levels, "buses").iter().any(|bus| bus["activity"] == "moved")
    );
}

#[test]
fn why_tells_the_chain_of_causes() {
    let mut asked = Asked::loaded(" lda #1\n sta RED\nhalt: jmp halt\n");
    asked.seek(3, 0);
    let why = asked.ask(json!({ "ask": "why", "what": "red 0,0" }));
    assert_eq!(why["headline"], "red 0,0 is lit at cycle 3");
    let lookups = why["lookups"].as_array().unwrap();
    assert!(
        lookups.iter().any(|lookup| lookup["line"] == 2) && lookups.iter().any(|lookup| lookup["line"] == 1)
    );
    for lookup in lookups {
        for line in lookup["text"].as_array().unwrap() {
            assert!(why["text"].as_str().unwrap().contains(line.as_str().unwrap()), "{line}");
        }
    }
    assert_eq!(lookups[0]["innermost"]["line"], lookups[0]["line"]);
    for what in ["", "red 8,0", "nothing", "red 0,0 more"] {
        asked.error(json!({ "ask": "why", "what": what }));
    }
}

/// The search for a store in the distant past ends before the page would appear frozen.
#[test]
fn why_gives_up_what_lies_too_far_back() {
    let mut asked = Asked::with(" lda #1\n sta RED\nloop: nor #0\n jmp loop\n", json!({ "engine": "isa" }));
    asked.seek(200_000, 0);
    let why = json!({ "ask": "why", "what": "red 0,0" });
    assert!(asked.error(why.clone()).contains("too far back"));
    assert_eq!(position(&asked.look()), (200_000, 0));
    asked.seek(1_000, 0);
    assert_eq!(asked.ask(why)["headline"], "red 0,0 is lit at cycle 1000");
}

#[test]
fn leds_shine_as_long_as_they_are_lit() {
    let mut asked = Asked::loaded(" lda #1\nloop: sta RED\n nor #0\n jmp loop\n");
    asked.go("forward", "point", 30_000, "limit");
    let leds = asked.ask(json!({ "ask": "light" }))["leds"].clone();
    let red = leds[0][1].as_u64().unwrap();
    assert!((126..130).contains(&red), "{red}");
    // A machine that does not run shows what is lit.
    asked.go("back", "instruction", 1, "goal");
    let leds = asked.ask(json!({ "ask": "light" }))["leds"].clone();
    assert!([0, 255].contains(&leds[0][1].as_u64().unwrap()));
    let picture = json!({ "ask": "picture", "size": 128 });
    let first = asked.ask(picture.clone());
    assert_eq!((&first["changed"], first["cells"].as_array().unwrap().len()), (&json!(true), 64));
    assert_eq!(asked.take().len(), 128 * 128 * 4);
    assert_eq!(asked.ask(picture)["changed"], false);
    assert_eq!(asked.take().len(), 0);
}

#[test]
fn files_are_those_of_the_command_line() {
    let mut asked = Asked::loaded(&text("programs/queens.g1"));
    asked.seek(5_000, 0);
    let before = asked.look();
    let kinds = [
        (json!({ "kind": "gif", "from": 0, "cycles": 20_000, "hz": 8_000 }), "a.gif", &b"GIF89a"[..]),
        (json!({ "kind": "picture", "size": 100 }), "a.png", b"\x89PNG"),
        (json!({ "kind": "image" }), "a.bin", b""),
        (json!({ "kind": "listing" }), "a.lst", b" seq  gray"),
        (json!({ "kind": "wave", "from": 100, "cycles": 10 }), "a.vcd", b"$version"),
        (json!({ "kind": "state" }), "a.ron", b"("),
    ];
    let mut made = Vec::new();
    for (file, name, begins) in kinds {
        let answer = asked.ask(json!({ "ask": "save", "file": file }));
        made = asked.take();
        assert_eq!((&answer["name"], &answer["size"]), (&json!(name), &json!(made.len())));
        assert!(made.starts_with(begins), "{name}");
    }
    let mut after = asked.look();
    after["lines"] = before["lines"].clone();
    assert_eq!(after, before);
    // Within a cycle, the state is that of its start.
    asked.seek(5_000, 2);
    asked.ask(json!({ "ask": "save", "file": { "kind": "state" } }));
    assert_eq!(asked.take(), made);
    assert_eq!(asked.look()["phase"], 2);
    // A machine that continues from the state is the same.
    let program = json!({ "name": "a.g1", "text": text("programs/queens.g1") });
    let state = String::from_utf8(made).unwrap();
    let mut resumed = Asked::new();
    let answer = resumed.ask(json!({ "ask": "load", "program": program, "state": state }));
    assert_eq!(answer["moment"]["cycle"], 5_000, "{answer}");
    let [one, other] = [&mut asked, &mut resumed].map(|asked| asked.seek(9_999, 3));
    assert_eq!((&one["a"], &one["leds"], &one["running"]), (&other["a"], &other["leds"], &other["running"]));
    for file in [
        json!({ "kind": "gif", "from": 0, "cycles": 0, "hz": 1 }),
        json!({ "kind": "gif", "from": 0, "cycles": 1_000, "hz": 0 }),
        json!({ "kind": "gif", "from": 0, "cycles": u64::MAX, "hz": 1 }),
        json!({ "kind": "wave", "from": u64::MAX, "cycles": u64::MAX }),
        json!({ "kind": "gif", "from": 1_000_000_000_000_u64, "cycles": 1_000, "hz": 8_000 }),
        json!({ "kind": "wave", "from": 1_000_000_000_000_u64, "cycles": 1_000 }),
        json!({ "kind": "picture", "size": 1_000_000 }),
    ] {
        asked.error(json!({ "ask": "save", "file": file }));
    }
}

#[test]
fn memory_is_bounded_however_long_the_run_and_however_much_is_pressed() {
    let mut asked = Asked::loaded("loop: lda #65\n sta OUT\n jmp loop\n");
    for round in 0..200 {
        asked.ask(json!({ "ask": "press", "keys": round % 2 }));
        asked.ask(json!({ "ask": "go", "way": "forward", "to": "point", "cycles": 20_000 }));
    }
    let moment = asked.look();
    assert_eq!(moment["output"].as_str().unwrap().len(), 2_000);
    assert!(moment.to_string().len() < 10_000);
}

#[test]
fn hostile_requests_get_an_error() {
    let mut asked = Asked::loaded("loop: jmp loop\n");
    let huge = u64::MAX.to_string();
    let texts = [
        "",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"ask":"nothing"}"#,
        r#"{"ask":"go"}"#,
        r#"{"ask":"go","way":"forward","to":"point","cycles":-1}"#,
        r#"{"ask":"go","way":"forward","to":"point","cycles":1e30}"#,
        r#"{"ask":"seek","cycle":1,"phase":4,"cycles":1}"#,
        r#"{"ask":"press","pad":[256,0]}"#,
        r#"{"ask":"load","program":{"name":"x","image":"***"}}"#,
        r#"{"ask":"load","program":{"name":"x","image":"AAAA"}}"#,
        r#"{"ask":"load","program":{"name":"x","text":"a: jmp a"},"options":{"ram":"noise"}}"#,
        r#"{"ask":"load","program":{"name":"x","text":"a: jmp a"},"options":{"cells":["x"]}}"#,
        r#"{"ask":"load","program":{"name":"x","text":"a: jmp a"},"options":{"input":"("}}"#,
        r#"{"ask":"load","program":{"name":"x","text":"a: jmp a"},"state":"("}"#,
        r#"{"ask":"program","name":"../../etc/passwd"}"#,
        r#"{"ask":"explain","code":"nothing"}"#,
    ];
    for text in texts {
        assert_eq!(asked.raw(text)["answer"], "error", "{text}");
    }
    let numbers = [
        format!(r#"{{"ask":"go","way":"forward","to":"point","cycles":{huge}}}"#),
        format!(r#"{{"ask":"go","way":"back","to":"line","cycles":{huge}}}"#),
        format!(r#"{{"ask":"seek","cycle":{huge},"phase":3,"cycles":{huge}}}"#),
        format!(r#"{{"ask":"waves","nets":["A"],"cycles":{huge}}}"#),
        format!(r#"{{"ask":"output","from":{huge}}}"#),
        format!(r#"{{"ask":"counts","cycles":{huge}}}"#),
        format!(r#"{{"ask":"seek","cycle":1000,"cycles":{huge},"ahead":true}}"#),
        format!(r#"{{"ask":"why","what":"A","depth":{huge}}}"#),
    ];
    for text in numbers {
        asked.raw(&text);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_page_panic(request in ".{0,80}", source in "[ -~\n]{0,60}") {
        let mut asked = Asked::new();
        prop_assert_eq!(&asked.raw(&request)["answer"], "error");
        asked.ask(json!({ "ask": "load", "program": { "name": request, "text": source } }));
        asked.ask(json!({ "ask": "why", "what": source }));
        asked.ask(json!({ "ask": "points", "points": [{ "at": source }, { "watch": request, "hits": source }] }));
        asked.ask(json!({ "ask": "waves", "nets": [], "bytes": [source, request], "cycles": 1 }));
        asked.ask(json!({ "ask": "value", "text": source }));
        asked.ask(json!({ "ask": "edit", "what": source, "value": request }));
    }
}
