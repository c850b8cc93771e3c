//! Boards without a CPU: commands that accept them, and commands that reject them.

use crate::support::Folder;
use serde_json::Value;

/// A latch made of gates, which loses its value in some order of events.
const GATES: &str = r#"Board(
    name: "gates",
    parts: {"27C64": Rom(address: 13, data: 8, about: "EPROM")},
    inputs: [(nets: "D E", about: "switches")],
    chips: [
        Rom(name: "NOT", part: "27C64", burn: Formula(["N = !E"]), address: "E", data: "N"),
        Rom(name: "AND1", part: "27C64", burn: Formula(["X = D & E"]), address: "D E", data: "X"),
        Rom(name: "AND2", part: "27C64", burn: Formula(["Y = Q & N"]), address: "Q N", data: "Y"),
        Rom(name: "OR", part: "27C64", burn: Formula(["Q = X | Y"]), address: "X Y", data: "Q"),
    ],
    bench: (switches: "D E", lamps: "Q"),
)
"#;
/// A Gray code counter.
const COUNTER: &str = r#"Board(
    name: "counter",
    parts: {"27C64": Rom(address: 13, data: 8, about: "EPROM")},
    inputs: [(nets: "CK", about: "clock")],
    chips: [Rom(name: "COUNT", part: "27C64", burn: Cells([0, 3, 0, 3, 1, 1, 2, 2]), address: "Q0-1 CK", data: "Q0-1")],
    bench: (lamps: "Q0-1", clock: "CK", counter: "Q0-1"),
)
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("gates.ron", GATES);
    folder.write("counter.ron", COUNTER);
    folder
}

#[test]
fn a_board_without_a_cpu_is_shown() {
    let folder = folder();
    let all = folder.gray1("chips --board gates.ron").succeeds().stdout;
    assert!(all.starts_with("gates: 4 memory chips\n"), "{all}");
    let one = folder.gray1("chips and2 --board gates.ron").succeeds().stdout;
    assert!(one.contains("OR Q ──┤ A0") && one.contains("Y = Q & N") && one.contains("given by OR"), "{one}");
    let json = folder.gray1("chips --board counter.ron --format json").succeeds().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["bench"]["lamps"], serde_json::json!(["Q0", "Q1"]));
    assert_eq!(json["tables"][0], "0003000301010202");
}

#[test]
fn every_order_is_explored() {
    let folder = folder();
    let proved = folder.gray1("verify --board counter.ron").succeeds().stdout;
    assert!(proved.starts_with("counter: 1 memory chip\n"), "{proved}");
    let listed = folder.gray1("chips --board counter.ron").succeeds().stdout;
    assert!(listed.starts_with("counter: 1 memory chip\n"), "{listed}");
    for line in ["Every loop holds over T(A,B): proved\n", "Order does not matter: proved\n", "CK moves"] {
        assert!(proved.contains(line), "{proved}");
    }
    let refuted = folder.gray1("verify --board gates.ron").ends_with(1).stdout;
    for part in [
        "Order does not matter: REFUTED",
        "from D=1 E=1 N=0 X=1 Y=0 Q=1 two orders of events lead to different final states",
    ] {
        assert!(refuted.contains(part), "{refuted}");
    }
    // In binary, two lines change at once.
    let binary = ["verify", "order", "--board", "counter.ron", "--cell", "COUNT:1=2", "--cell", "COUNT:2=2"];
    let binary = folder.gray1(&[&binary[..], &["--cell", "COUNT:6=3"]].concat()).ends_with(1).stdout;
    assert!(binary.contains("Order does not matter: REFUTED"), "{binary}");
}

#[test]
fn commands_that_need_a_cpu_reject_a_bench() {
    let folder = folder();
    for arguments in [
        &["run", "queens"][..],
        &["why", "queens", "A0"],
        &["timing"],
        &["build", "out"],
        &["faults", "queens"],
    ] {
        let outcome = folder.gray1(&[arguments, &["--board", "gates.ron"]].concat()).ends_with(1);
        let message = "gates.ron:11:5: this board has a `bench` and no CPU, so no program can run on it";
        assert!(outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
    }
    for (arguments, what) in [
        (&["reset"][..], "the claim `reset`"),
        (&["order", "instructions"], "the claim `instructions`"),
        (&["--certificate", "c.json"], "a certificate"),
    ] {
        let outcome = folder.gray1(&[&["verify", "--board", "gates.ron"], arguments].concat()).ends_with(1);
        let message =
            format!("{what} needs a board with a CPU; `loops` and `order` can be proved about this one");
        assert!(outcome.stderr.contains(&message), "{}", outcome.stderr);
    }
    assert_eq!(folder.names(), ["counter.ron", "gates.ron"]);
}

#[test]
fn levels_are_judged_like_exercises() {
    let folder = folder();
    let latch = GATES.replacen(
        "    chips: [",
        "    chips: [\n        Rom(name: \"LATCH\", part: \"27C64\", burn: Formula([\"Q = E ? D : Q\"]), address: \"D E Q\", data: \"Q\"),\n    ],\n    chips: [",
        1,
    );
    let (head, rest) = latch.split_once("    chips: [\n        Rom(name: \"NOT\"").unwrap();
    let (_, end) = rest.split_once("    ],\n").unwrap();
    folder.write("level-5.ron", format!("{head}{end}"));
    folder.write("level-6 Ada.ron", GATES);
    let files = ["check", "all", "level-5.ron", "level-6 Ada.ron", "--format", "json"];
    let rows: Value = serde_json::from_str(&folder.gray1(&files).ends_with(1).stdout).unwrap();
    let field = |row: usize, field: &str| rows["attempts"][row][field].to_string();
    assert_eq!(
        [field(0, "exercise"), field(0, "passed"), field(0, "chips"), field(0, "address_bits")],
        ["\"level-5\"", "true", "1", "3"]
    );
    assert_eq!(
        [field(1, "exercise"), field(1, "passed"), field(1, "chips"), field(1, "words")],
        ["\"level-6\"", "false", "4", "null"]
    );
    assert!(field(1, "message").contains("E is set to 0, and where it ends depends on which line is first:"));
    let other = folder.gray1("check level-5 gates.ron counter.ron").ends_with(1).stdout;
    assert!(other.contains("Your board has 4 chips, but at most 1 chip may be used."), "{other}");
    assert!(other.contains("Your board has no switch D: leave it among its `inputs`."), "{other}");
}
