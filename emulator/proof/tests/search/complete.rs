//! Completeness: whatever some sequence computes, the search finds a sequence for it that is not longer.
//!
//! A random sequence is converted to formulas for its results. Then the search, with all its pruning, must find a sequence
//! of at most the same length.

use gray1_proof::search::{Constants, Goal, Name, Search};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

/// Constants that the search always includes in the few likely ones.
const NUMBERS: [u8; 5] = [0, 1, 127, 128, 255];

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(u8),
    Cell(usize),
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Lda(Value),
    Add(Value),
    Nor(Value),
    Shr(Value),
    Sta(usize),
    /// A jump over this number of instructions, or to the end.
    Jmp(usize),
    Jc(usize),
    Jz(usize),
    /// A jump to the target of the goal.
    Target(Condition),
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Always,
    Carry,
    Zero,
}

/// The results of a path as formulas, and its path condition.
#[derive(Clone)]
struct Path {
    a: String,
    /// x, y and two temporaries.
    cells: [Option<String>; 4],
    carry: String,
    conditions: Vec<String>,
    jumps: bool,
}

/// Returns all paths through a sequence; `None` if one reads a temporary that has not been written.
fn paths(steps: &[Instruction], at: usize, mut path: Path) -> Option<Vec<Path>> {
    let Some(step) = steps.get(at) else { return Some(vec![path]) };
    let read = |value: &Value, path: &Path| match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Cell(cell) => path.cells[*cell].clone(),
    };
    let (condition, to) = match *step {
        Instruction::Lda(value) => {
            path.a = read(&value, &path)?;
            return paths(steps, at + 1, path);
        }
        Instruction::Add(value) => {
            let value = read(&value, &path)?;
            (path.carry, path.a) = (format!("(~{} < {value})", path.a), format!("({} + {value})", path.a));
            return paths(steps, at + 1, path);
        }
        Instruction::Nor(value) => {
            path.a = format!("~({} | {})", path.a, read(&value, &path)?);
            return paths(steps, at + 1, path);
        }
        Instruction::Shr(value) => {
            let value = read(&value, &path)?;
            (path.carry, path.a) = (format!("({value} & 1)"), format!("({value} >> 1)"));
            return paths(steps, at + 1, path);
        }
        Instruction::Sta(cell) => {
            path.cells[cell] = Some(path.a.clone());
            return paths(steps, at + 1, path);
        }
        Instruction::Jmp(over) => (Condition::Always, Some(at + 1 + over)),
        Instruction::Jc(over) => (Condition::Carry, Some(at + 1 + over)),
        Instruction::Jz(over) => (Condition::Zero, Some(at + 1 + over)),
        Instruction::Target(condition) => (condition, None),
    };
    let is_taken = match condition {
        Condition::Always => "1".to_owned(),
        Condition::Carry => path.carry.clone(),
        Condition::Zero => format!("({} == 0)", path.a),
    };
    let mut taken = path.clone();
    taken.conditions.push(is_taken.clone());
    let mut all = match to {
        Some(to) => paths(steps, to, taken)?,
        None => vec![Path { jumps: true, ..taken }],
    };
    if !matches!(condition, Condition::Always) {
        path.conditions.push(format!("({is_taken} == 0)"));
        all.extend(paths(steps, at + 1, path)?);
    }
    Some(all)
}

/// Returns one formula for all paths.
fn formula(paths: &[Path], of: impl Fn(&Path) -> Option<String>) -> Option<String> {
    let on = |path: &Path| {
        let value = of(path)?;
        Some(match path.conditions.join(" & ") {
            none if none.is_empty() => value,
            conditions => format!("((0 - ({conditions})) & {value})"),
        })
    };
    Some(paths.iter().map(on).collect::<Option<Vec<_>>>()?.join(" | "))
}

/// Returns the goal that a sequence reaches, if it reaches one. The destinations are a, x, y, c, and the jump.
fn goal(steps: &[Instruction], places: [bool; 5]) -> Option<(String, Vec<Name>)> {
    let start = Path {
        a: "a".to_owned(),
        cells: [Some("x".to_owned()), Some("y".to_owned()), None, None],
        carry: "c".to_owned(),
        conditions: vec![],
        jumps: false,
    };
    let paths = paths(steps, 0, start)?;
    let writes = |cell| steps.iter().any(|step| matches!(step, Instruction::Sta(other) if *other == cell));
    let has_target = steps.iter().any(|step| matches!(step, Instruction::Target(_)));
    let mut goals = Vec::new();
    if places[0] {
        goals.push(format!("a = {}", formula(&paths, |path| Some(path.a.clone()))?));
    }
    for (cell, name) in ["x", "y"].into_iter().enumerate().filter(|(cell, _)| writes(*cell)) {
        goals.push(format!("{name} = {}", formula(&paths, |path| path.cells[cell].clone())?));
    }
    if places[3] {
        goals.push(format!("c = {}", formula(&paths, |path| Some(path.carry.clone()))?));
    }
    if has_target {
        goals.push(format!("jump if {}", formula(&paths, |path| Some(u8::from(path.jumps).to_string()))?));
    }
    let kept = [Name::X, Name::Y].into_iter().enumerate().filter(|(cell, _)| !writes(*cell));
    (!goals.is_empty()).then(|| (goals.join(", "), kept.map(|(_, name)| name).collect()))
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(NUMBERS.to_vec()).prop_map(Value::Number),
        (0usize..4).prop_map(Value::Cell)
    ]
}

fn step() -> impl Strategy<Value = Instruction> {
    let condition = prop_oneof![Just(Condition::Always), Just(Condition::Carry), Just(Condition::Zero)];
    prop_oneof![
        3 => value().prop_map(Instruction::Lda),
        4 => value().prop_map(Instruction::Add),
        3 => value().prop_map(Instruction::Nor),
        // Half of a likely constant need not be a likely constant.
        2 => (0usize..4).prop_map(|cell| Instruction::Shr(Value::Cell(cell))),
        5 => (0usize..4).prop_map(Instruction::Sta),
        1 => (1usize..4).prop_map(Instruction::Jmp),
        3 => (1usize..4).prop_map(Instruction::Jc),
        3 => (1usize..4).prop_map(Instruction::Jz),
        1 => condition.prop_map(Instruction::Target),
    ]
}

/// Whether a sequence of at most this many words is found.
fn is_found(goal: &Goal, words: usize, constants: Constants) -> bool {
    let (search, stop) = (Search::new(goal, 2, constants), AtomicBool::new(false));
    (0..=words).any(|words| {
        search.jobs(words).iter().any(|job| {
            let found = search.work(job, &stop);
            found.is_undecided || !found.sequences.is_empty()
        })
    })
}

/// Checks that a sequence is found that is not longer than this one, and computes the same.
fn check(steps: &[Instruction], places: [bool; 5]) -> Result<(), TestCaseError> {
    let Some((text, keep)) = goal(steps, places) else { return Ok(()) };
    // A proof over all states of more names takes too long for many cases.
    let bits: u32 = [("a", 8), ("x", 8), ("y", 8), ("c", 1)]
        .into_iter()
        .filter(|(name, _)| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == *name))
        .map(|(_, bits)| bits)
        .sum();
    prop_assume!(bits <= 17 && text.len() < 400);
    let goal =
        Goal::parse(&text, Some(&keep)).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
    // Other constants may have to be computed from likely ones; with all constants, this saves a word.
    let found = is_found(&goal, steps.len(), Constants::Few)
        || is_found(&goal, steps.len().saturating_sub(1).min(3), Constants::All);
    prop_assert!(found, "{text}: nothing of {} words, but {steps:?}", steps.len());
    Ok(())
}

/// A regression test: sequences that the search has missed.
#[test]
fn known_sequences_are_found() {
    for (goal, words) in [
        ("jump if c == 0", 2),                 // jc end; jmp target
        ("x = 200 + (y & (0 - (y < 56)))", 5), // lda #200; sta x; add y; jc end; sta x
        ("x = 5, y = 7", 4),                   // lda #5; sta x; lda #7; sta y
        ("x = 5, a = y + 5", 3),               // lda #5; sta x; add y
    ] {
        let parsed = Goal::parse(goal, None).expect(goal);
        assert!(is_found(&parsed, words, Constants::Few), "{goal}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_a_sequence_computes_is_found(
        steps in proptest::collection::vec(step(), 1..6),
        places in any::<[bool; 5]>(),
    ) {
        check(&steps, places)?;
    }
}
