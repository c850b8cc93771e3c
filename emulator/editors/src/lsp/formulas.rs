//! The words of contracts, and their meanings.

/// The directives of contracts.
pub const CONTRACTS: [(&str, &str); 7] = [
    (".requires", "what has to hold before this routine, macro or program"),
    (".ensures", "what holds after it; `old(x)` is the value before"),
    (
        ".invariant",
        "what holds whenever the program gets to the next instruction; a proof may cut a loop there",
    ),
    (".check", "what holds whenever the program gets to the next instruction"),
    (".variant", "a byte that is smaller each time the program gets to the next instruction"),
    (".modifies", "all that it may change: RAM names, `a`, `c`; everything else stays as it is"),
    (".within", "the most cycles that it may take"),
];

/// The words that have a meaning in formulas only.
pub const WORDS: [(&str, &str); 9] = [
    ("a", "the accumulator, 0..255"),
    ("c", "the carry, 0 or 1"),
    ("keys", "what the program has read last from KEYS"),
    (
        "pad",
        "pad(row): the columns that the program has read last from the pad, if it is in this row, else 0",
    ),
    ("old", "old(x): the value before"),
    ("word", "word(x): the number of 16 bits that begins at x, its low byte first"),
    ("long", "long(x): the number of 32 bits that begins at x, its low byte first"),
    ("signed", "signed(x): a byte as -128..127"),
    ("at", "at(label): whether the program is at this label"),
];

/// The meaning of a directive of contracts.
pub fn contract(directive: &str) -> Option<&'static str> {
    let found = CONTRACTS.iter().find(|(other, _)| other.eq_ignore_ascii_case(directive));
    found.map(|(_, meaning)| *meaning)
}

/// The meaning of a word in a formula.
pub fn word(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(other, _)| *other == word).map(|(_, meaning)| *meaning)
}
