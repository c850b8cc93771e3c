//! Changes to the board file, for the tests of several crates.

/// Replacements in the reference board that wire the reset button directly to the chips.
pub const DIRECT_RESET: [(&str, &str); 6] = [
    ("(nets: \"RSTIN\",     about: \"the reset button\")", "(nets: \"RST\", about: \"the reset line\")"),
    ("        (nets: \"RST\",       about: \"reset: RSTIN, taken over in state 10 only\"),\n", ""),
    ("        (nets: \"WEN\",       about: \"not WE, which is what RAM chips that are sold want\"),\n", ""),
    (
        "address: \"OSC S0-1 RSTIN RST\", data: \"S0-1 PH1 PH2 RST\"",
        "address: \"OSC S0-1\", data: \"S0-1 PH1 PH2\"",
    ),
    ("data: \"WE WEN\"", "data: \"WE\""),
    ("reset: \"RSTIN\"", "reset: \"RST\""),
];
