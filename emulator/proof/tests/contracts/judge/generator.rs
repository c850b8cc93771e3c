//! Random programs with contracts, in the shapes that are hard to judge: jumps out of routines and back, shared words,
//! polls, halts inside, bytes without a name, macros that take labels, nested and repeated calls.

use std::fmt::Write;

/// A reproducible sequence of random numbers.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }

    /// Returns true once in `sides` rolls, on average.
    pub fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// The bytes to load, and to store.
const LOADED: [&str; 4] = ["x", "y", "z", "t+1"];
const STORED: [&str; 9] = ["x", "x", "y", "y", "z", "t+1", "$200", "place", "OUT"];
const NUMBERS: [&str; 8] = ["#0", "#1", "#2", "#3", "#-1", "#-3", "#128", "#64"];
/// Clauses that narrow the unknown bytes, because the judge tries all remaining values.
const NARROW: [&[&str]; 6] = [
    &["x < 4", "x == 1", "x == 0 || x == 255", "(x & 254) == 2"],
    &["a == 0", "a < 3", "a == x", "a > 253"],
    &["y == 0", "y < 3", "y > 253", "y == x"],
    &["z < 2", "z == 255", "z == x + 1", "z == 7"],
    &["t[1] == 2", "t[1] < 2", "t[1] == x"],
    &["c == 0", "c == 1", "c == (x & 1)"],
];
const ABOUT_INPUTS: [&str; 7] = [
    "keys < 4",
    "keys == 3",
    "keys < 2",
    "x == 1 && keys < 3",
    "keys == (y & 3)",
    "keys == a + 1",
    "keys < 9 - 8 * (a > 1)",
];
/// `@` stands for a random byte, `#` for a random number.
const FORMULAS: [&str; 22] = [
    "keys == #",
    "keys < #",
    "@ == keys || @ == old(@)",
    "a == keys",
    "pad(1) == 0",
    "@ == old(@)",
    "@ == (old(@) + # & 255)",
    "@ == #",
    "@ != #",
    "@ <= old(@) || @ > #",
    "a == @",
    "a == old(a)",
    "a == old(@)",
    "a < 200",
    "a != #",
    "c == old(c)",
    "c == (a > @)",
    "c == 0 || a < #",
    "@ + @ < 300",
    "@ == (old(@) == # ? old(@) : @)",
    "a == (old(@) + old(@) & 255)",
    "@ == (@ + old(@) & 255) || a == #",
];
const VARIANTS: [&str; 8] = ["x", "y", "z", "a", "x + y", "255 - x", "old(x) - x & 255", "c == 0"];
const FORMULAS_ABOUT_INPUTS: usize = 5;

/// Generates a formula over a few bytes.
fn formula(dice: &mut Dice, with_inputs: bool) -> String {
    let shape = dice.pick(&FORMULAS[if with_inputs { 0 } else { FORMULAS_ABOUT_INPUTS }..]);
    let part = |sign: char| match sign {
        '@' => dice.pick(&["x", "y", "z", "t[1]"]).to_owned(),
        '#' => dice.pick(&["0", "1", "2", "3", "4", "255"]).to_owned(),
        _ => sign.to_string(),
    };
    shape.chars().map(part).collect()
}

/// Writes the clauses at the beginning of a routine, a macro or a program.
fn clauses(dice: &mut Dice, with_inputs: bool, text: &mut String) {
    let free = dice.roll(2 * NARROW.len());
    for (_, clauses) in NARROW.iter().enumerate().filter(|(number, _)| *number != free) {
        writeln!(text, ".requires {}", dice.pick(clauses)).unwrap();
    }
    if with_inputs {
        writeln!(text, ".requires {}\n.requires pad(1) < 4", dice.pick(&ABOUT_INPUTS)).unwrap();
    }
    for _ in 0..5 {
        writeln!(text, ".ensures {}", formula(dice, with_inputs)).unwrap();
    }
    writeln!(text, ".modifies\n.within 0").unwrap();
}

/// The lines of a routine, a macro or a program.
struct Block<'a> {
    /// The prefix of the labels.
    label: String,
    lines: usize,
    /// Labels of other blocks.
    outside: Vec<String>,
    /// Lines such as calls.
    calls: Vec<String>,
    /// Whether its formulas are about inputs.
    with_inputs: bool,
    /// A parameter that is a byte or a number.
    value: Option<&'a str>,
}

impl Block<'_> {
    fn write(&self, dice: &mut Dice, text: &mut String) {
        let variant_at = if dice.one_in(2) { dice.roll(self.lines) / 2 } else { self.lines };
        for number in 0..self.lines {
            if dice.one_in(6) {
                let clause = dice.pick(&[".invariant", ".check"]);
                writeln!(text, "{clause} {}", formula(dice, self.with_inputs)).unwrap();
            }
            if number == variant_at {
                writeln!(text, ".variant {}", dice.pick(&VARIANTS)).unwrap();
            }
            let line = self.line(dice, number);
            writeln!(text, "{}{number}: {line}", self.label).unwrap();
        }
    }

    fn line(&self, dice: &mut Dice, number: usize) -> String {
        match dice.roll(20) {
            0..7 => {
                let opcode = dice.pick(&["lda", "lda", "add", "add", "nor", "shr"]);
                let operand = match (dice.roll(8), self.value) {
                    (0..3, _) => dice.pick(&NUMBERS),
                    (3, Some(value)) => value,
                    _ => dice.pick(&LOADED),
                };
                format!("{opcode} {operand}")
            }
            7..11 => format!("sta {}", dice.pick(&STORED)),
            11..16 => format!("{} {}", dice.pick(&["jmp", "jc", "jz", "jz"]), self.target(dice, number)),
            16 if self.with_inputs || dice.one_in(4) => {
                format!("{} {}", dice.pick(&["lda", "add"]), dice.pick(&["KEYS", "KEYS", "PADROW", "PADCOL"]))
            }
            17 if dice.one_in(3) => {
                // A store to `x`, a load of it, a jump whose parity may be wrong, an addition of 1.
                let word = [
                    "$2000".to_owned(),
                    "$0000".to_owned(),
                    format!("$A000 + gray({})", dice.roll(20)),
                    "$5001".to_owned(),
                ];
                format!(".word {}", word[dice.roll(4)])
            }
            18 if dice.one_in(3) => "jmp halt".to_owned(),
            _ if !self.calls.is_empty() => self.calls[dice.roll(self.calls.len())].clone(),
            _ => format!("lda {}", dice.pick(&NUMBERS)),
        }
    }

    fn target(&self, dice: &mut Dice, number: usize) -> String {
        if !self.outside.is_empty() && dice.one_in(4) {
            return self.outside[dice.roll(self.outside.len())].clone();
        }
        // Mostly forwards.
        let from = if dice.one_in(4) { 0 } else { (number + 1).min(self.lines - 1) };
        format!("{}{}", self.label, from + dice.roll(self.lines - from))
    }
}

/// Generates a program with contracts; its first bytes are `x`, `y` and `z`.
pub fn program(dice: &mut Dice) -> String {
    let mut text = ".ram x\n.ram y\n.ram z\n.ram t, 3\nplace = $345\n".to_owned();
    let (macros, routines) = (dice.roll(3), dice.roll(3));
    let with_inputs = dice.one_in(3);
    let main_lines = 3 + dice.roll(6);
    let routine_lines: Vec<usize> = (0..routines).map(|_| 2 + dice.roll(6)).collect();
    let labels_of = |routine: usize| format!("r{routine}_");
    let main_labels = || (0..main_lines).map(|line| format!("m{line}"));
    let all_labels: Vec<String> = main_labels()
        .chain(
            (0..routines)
                .flat_map(|it| (0..routine_lines[it]).map(move |line| format!("{}{line}", labels_of(it)))),
        )
        .collect();
    let call = |routine: usize| format!("call r{routine}");
    // The kind of each macro: bit 0 for the parameter `v`, bit 1 for `to`.
    let kinds: Vec<usize> = (0..macros).map(|_| dice.roll(4)).collect();
    for (number, kind) in kinds.iter().enumerate() {
        writeln!(text, ".macro k{number} {}", ["", "v", "to", "v, to"][*kind]).unwrap();
        clauses(dice, with_inputs, &mut text);
        let outside = if kind & 2 == 2 { vec!["to".to_owned()] } else { Vec::new() };
        let outside =
            if dice.one_in(4) { outside.into_iter().chain(main_labels()).collect() } else { outside };
        let calls = (0..routines).filter(|_| dice.one_in(2)).map(call).collect();
        let value = (kind & 1 == 1).then_some("v");
        let (label, lines) = (".l".to_owned(), 1 + dice.roll(6));
        Block { label, lines, outside, calls, with_inputs, value }.write(dice, &mut text);
        if dice.one_in(3) {
            writeln!(text, ".invariant {}", formula(dice, with_inputs)).unwrap();
        }
        writeln!(text, ".endmacro").unwrap();
    }
    let uses = |dice: &mut Dice| -> Vec<String> {
        let mut arguments = || {
            [dice.pick(&["x", "y", "#2", "t+1"]).to_owned(), all_labels[dice.roll(all_labels.len())].clone()]
        };
        let used = kinds.iter().enumerate().map(|(number, kind)| {
            let [value, label] = arguments();
            let arguments = [String::new(), value.clone(), label.clone(), format!("{value}, {label}")];
            format!("k{number} {}", arguments[*kind])
        });
        used.collect()
    };
    if dice.one_in(3) {
        clauses(dice, with_inputs, &mut text);
    }
    let calls =
        (0..routines).flat_map(|it| [call(it), call(it)]).chain(uses(dice)).chain(uses(dice)).collect();
    let outside = if dice.one_in(3) { all_labels.clone() } else { Vec::new() };
    Block { label: "m".to_owned(), lines: main_lines, outside, calls, with_inputs, value: None }
        .write(dice, &mut text);
    writeln!(text, "halt: jmp halt").unwrap();
    for (routine, &lines) in routine_lines.iter().enumerate() {
        writeln!(text, ".routine r{routine}").unwrap();
        clauses(dice, with_inputs, &mut text);
        // A routine calls only later ones: there is no recursion.
        let calls = (routine + 1..routines).map(call);
        let calls = if dice.one_in(3) { calls.chain(uses(dice)).collect() } else { calls.collect() };
        let outside = if dice.one_in(2) { all_labels.clone() } else { Vec::new() };
        let label = labels_of(routine);
        Block { label, lines, outside, calls, with_inputs, value: None }.write(dice, &mut text);
        writeln!(text, ".endroutine").unwrap();
    }
    text
}

/// Generates the lines of a small program for claims: it reads keys, sends, and stores to the display.
pub fn plain_lines(dice: &mut Dice) -> Vec<String> {
    let count = 3 + dice.roll(9);
    let line = |number: usize, dice: &mut Dice| {
        let forwards = (number + 1 + dice.roll(count - number)).min(count);
        let target = if dice.one_in(3) { dice.roll(count) } else { forwards };
        match dice.roll(16) {
            0..3 => {
                format!("{} {}", dice.pick(&["lda", "lda", "add", "nor", "shr"]), dice.pick(&["x", "y", "z"]))
            }
            3..6 => format!("{} {}", dice.pick(&["lda", "lda", "add"]), dice.pick(&NUMBERS)),
            6..9 => format!("sta {}", dice.pick(&["x", "y", "z"])),
            9 | 10 => format!("sta {}", dice.pick(&["OUT", "OUT", "RED", "GREEN+1"])),
            // Only some of the keys, so that the judge has few states.
            11 | 12 => format!("lda KEYS\n nor #{}", dice.pick(&["-2", "-4", "-3"])),
            13 => "lda KEYS".to_owned(),
            _ => format!("{} l{target}", dice.pick(&["jz", "jz", "jc", "jmp"])),
        }
    };
    let mut lines: Vec<String> = (0..count).map(|number| line(number, dice)).collect();
    if dice.one_in(2) {
        lines[0] = format!("lda {}\n sta y\n sta z\n {}", dice.pick(&NUMBERS), lines[0]);
    }
    lines
}

/// Assembles lines to a program.
pub fn plain(lines: &[String]) -> String {
    let lines: String =
        lines.iter().enumerate().map(|(number, line)| format!("l{number}: {line}\n")).collect();
    let end = lines.lines().filter(|line| line.starts_with('l')).count();
    format!(".ram x\n.ram y\n.ram z\n{lines}l{end}: jmp l{end}\n")
}

/// Changes at most one line.
pub fn nearly(dice: &mut Dice, lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    let at = dice.roll(lines.len());
    match dice.roll(4) {
        0 => lines[at] = format!("{}\n sta $300", lines[at]),
        1 => lines[at] = plain_lines(dice)[0].clone(),
        2 => lines[at] = format!("lda {}", dice.pick(&NUMBERS)),
        _ => {}
    }
    lines
}
