//! The result: the counts of a run by word, line, macro and routine.

use crate::profile::layout::{Layout, PROGRAM};
use crate::profile::recorder::{Counts, Recorder};
use crate::profile::tree::{Calls, Frame, NO_SITE, ROOT, Tree};
use gray1_isa::PROGRAM_WORDS;
use serde::Serialize;
use std::collections::BTreeMap;

/// The profile of a run. Its JSON is a contract; see docs/observing.md.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    /// Identifies the program.
    pub program: String,
    /// The cycles of the run, which is the sum of all words.
    pub cycles: u64,
    /// All words of the program, and all that ran.
    pub words: Vec<WordCount>,
    /// All lines that made words, by file and line.
    pub lines: Vec<LineCount>,
    /// The program itself, routines and macros; those with most cycles of their own first.
    pub routines: Vec<RoutineCount>,
    /// The cycles of each sequence of calls.
    #[serde(skip)]
    pub stacks: Vec<Stack>,
}

/// A word, and how often it ran.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct WordCount {
    pub number: u16,
    pub count: u64,
    /// Its line, as `FILE:LINE`.
    pub source: Option<String>,
    /// The cycle in which it ran first.
    pub first: Option<u64>,
}

/// A line, and how often it ran.
#[derive(Clone, Debug, Serialize)]
pub struct LineCount {
    /// Its position, as `FILE:LINE`.
    pub source: String,
    /// The number of times that it was begun.
    pub runs: u64,
    /// The cycles of all words that it made, itself or by macro calls and loops.
    pub cycles: u64,
    /// The cycles of the words that it made itself.
    #[serde(rename = "self")]
    pub own: u64,
    /// The cycle in which it ran first.
    pub first: Option<u64>,
    /// The line itself.
    pub text: String,
}

/// The kind of a [`RoutineCount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The program itself.
    Program,
    /// A `.routine`.
    Routine,
    /// A macro.
    Macro,
}

/// The name of the program itself.
pub const PROGRAM_NAME: &str = "(program)";

/// A routine or a macro, with all its calls. A call that was still going on at the end of the run ends there.
#[derive(Clone, Debug, Serialize)]
pub struct RoutineCount {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The number of calls.
    pub calls: u64,
    /// The cycles in it, without those of routines and macros that it calls.
    #[serde(rename = "self")]
    pub own: u64,
    /// The cycles of all calls, with what they call.
    pub total: u64,
    /// The cycles of the shortest call.
    pub least: u64,
    /// The mean.
    pub mean: f64,
    /// The cycles of the longest call.
    pub most: u64,
    /// The cycle in which the first call began.
    pub first: Option<u64>,
    /// The cycle in which the longest call began.
    pub longest: Option<u64>,
    /// The number of calls that had not returned at the end.
    pub unfinished: u64,
    /// The position of its definition.
    pub source: Option<String>,
    /// Its callers.
    pub callers: Vec<Caller>,
}

/// A place from which a routine or macro was called.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Caller {
    pub name: String,
    pub kind: Kind,
    /// The line of the call; `None` if it was entered without one.
    pub source: Option<String>,
    pub calls: u64,
    pub total: u64,
    pub least: u64,
    pub most: u64,
}

/// A sequence of calls, and the cycles in the last of them.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The indices of the routines and macros, the program first.
    pub routines: Vec<usize>,
    /// The cycles.
    pub cycles: u64,
}

impl Profile {
    /// The profile of a run up to here.
    pub fn of(recorder: &Recorder) -> Profile {
        let (layout, counts) = (recorder.layout(), recorder.counts());
        let (routines, stacks) = routines(layout, &counts.tree);
        Profile {
            program: layout.mark.clone(),
            cycles: counts.cycles,
            words: words(layout, &counts),
            lines: lines(layout, &counts),
            routines,
            stacks,
        }
    }

    /// The profile as JSON.
    pub fn json(&self) -> String {
        // Serialising plain data into memory cannot fail.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }
}

/// The cycle, if there is one.
fn known(cycle: u64) -> Option<u64> {
    (cycle != u64::MAX).then_some(cycle)
}

fn words(layout: &Layout, counts: &Counts) -> Vec<WordCount> {
    let mut numbers = layout.words.clone();
    numbers.extend((0..PROGRAM_WORDS as u16).filter(|&at| counts.words[usize::from(at)].times > 0));
    numbers.sort_unstable();
    numbers.dedup();
    let word = |number: u16| {
        let count = counts.words[usize::from(number)];
        WordCount { number, count: count.times, source: layout.source(number), first: known(count.first) }
    };
    numbers.into_iter().map(word).collect()
}

fn lines(layout: &Layout, counts: &Counts) -> Vec<LineCount> {
    let times = |&at: &u16| counts.words[usize::from(at)].times;
    let line = |(number, line): (u32, &crate::profile::layout::LineCode)| LineCount {
        source: format!("{}:{}", line.file, line.line),
        runs: line.starts.iter().map(times).sum(),
        cycles: line.words.iter().map(times).sum(),
        own: line.words.iter().filter(|&&at| layout.place(at).line == Some(number)).map(times).sum(),
        first: line.words.iter().filter_map(|&at| known(counts.words[usize::from(at)].first)).min(),
        text: line.text.clone(),
    };
    (0..).zip(&layout.lines).map(line).collect()
}

/// The name of a routine or macro, and what it is.
type RoutineName = (Kind, String);

fn named(layout: &Layout, frame: Frame) -> RoutineName {
    match frame {
        Frame::Macro(call) => (Kind::Macro, layout.calls[call as usize].name.clone()),
        Frame::Routine { routine: PROGRAM, .. } => (Kind::Program, PROGRAM_NAME.to_owned()),
        Frame::Routine { routine, .. } => (Kind::Routine, layout.routines[routine as usize].name.clone()),
    }
}

fn defined(layout: &Layout, frame: Frame) -> Option<String> {
    match frame {
        Frame::Macro(call) => layout.calls[call as usize].defined.clone(),
        Frame::Routine { routine, .. } => layout.routines[routine as usize].source.clone(),
    }
}

/// The line of the call.
fn called_at(layout: &Layout, frame: Frame) -> Option<String> {
    match frame {
        Frame::Macro(call) => layout.calls[call as usize].source.clone(),
        Frame::Routine { site: NO_SITE, .. } => None,
        Frame::Routine { site, .. } => layout.source(site),
    }
}

/// The sums of a routine or a macro.
#[derive(Default)]
struct Sum {
    own: u64,
    calls: Calls,
    unfinished: u64,
    source: Option<String>,
    callers: BTreeMap<(RoutineName, Option<String>), Calls>,
}

fn routines(layout: &Layout, tree: &Tree) -> (Vec<RoutineCount>, Vec<Stack>) {
    let names: Vec<RoutineName> = tree.nodes.iter().map(|node| named(layout, node.frame)).collect();
    let mut sums: BTreeMap<&RoutineName, Sum> = BTreeMap::new();
    for (number, node) in (0u32..).zip(&tree.nodes) {
        let name = &names[number as usize];
        // A macro that calls itself is counted once, from outside.
        let is_inside_itself = tree.around(number).skip(1).any(|outer| names[outer as usize] == *name);
        let sum = sums.entry(name).or_default();
        sum.own += node.own;
        if sum.source.is_none() {
            sum.source = defined(layout, node.frame);
        }
        if node.calls.is_empty() || is_inside_itself {
            continue;
        }
        sum.calls.join(&node.calls);
        sum.unfinished += u64::from(node.is_unfinished);
        if number != ROOT {
            let caller = names[node.parent as usize].clone();
            sum.callers.entry((caller, called_at(layout, node.frame))).or_default().join(&node.calls);
        }
    }
    let mut routines: Vec<RoutineCount> =
        sums.iter().filter(|(_, sum)| !sum.calls.is_empty()).map(|(name, sum)| routine(name, sum)).collect();
    routines.sort_by(|a, b| (b.own, a.kind, &a.name).cmp(&(a.own, b.kind, &b.name)));
    let index: BTreeMap<RoutineName, usize> =
        (0..).zip(&routines).map(|(index, routine)| ((routine.kind, routine.name.clone()), index)).collect();
    let mut stacks: Vec<(u64, Stack)> = Vec::new();
    for (number, node) in (0u32..).zip(&tree.nodes).filter(|(_, node)| node.own > 0) {
        let inwards = tree.around(number).filter_map(|node| index.get(&names[node as usize]).copied());
        let mut routines: Vec<usize> = inwards.collect();
        routines.reverse();
        stacks.push((node.calls.first, Stack { routines, cycles: node.own }));
    }
    stacks.sort_by(|a, b| (a.0, &a.1.routines).cmp(&(b.0, &b.1.routines)));
    (routines, stacks.into_iter().map(|(_, stack)| stack).collect())
}

fn routine((kind, name): &RoutineName, sum: &Sum) -> RoutineCount {
    let callers = sum.callers.iter().map(|(((kind, name), source), calls)| Caller {
        name: name.clone(),
        kind: *kind,
        source: source.clone(),
        calls: calls.count,
        total: calls.total,
        least: calls.least,
        most: calls.most,
    });
    let Calls { count, total, least, most, first, longest } = sum.calls;
    RoutineCount {
        name: name.clone(),
        kind: *kind,
        calls: count,
        own: sum.own,
        total,
        least,
        mean: (total as f64 / count as f64 * 1000.0).round() / 1000.0,
        most,
        first: known(first),
        longest: known(longest),
        unfinished: sum.unfinished,
        source: sum.source.clone(),
        callers: callers.collect(),
    }
}
