//! Changes to the board file that tests of several crates make.

/// Texts of the reference board, and what to put in their place for one whose reset button goes straight to the chips.
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
