//! The causes of some levels, as text and lookup by lookup.

use crate::check::root_line;
use crate::protocol::{Lookup, Why};
use crate::run::frames;
use gray1_debugger::{Answer, DebugError, Debugger, Depth, Position, Question, Scanner, USUAL_DEPTH};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// At most this many steps back are followed at once.
const MAX_DEPTH: usize = 256;

/// At most this many cycles are repeated for an answer, since the page has to wait for it.
const MAX_REPEATED: u64 = 60_000;

/// The causes of what something is now.
pub fn why(
    debugger: &mut Debugger,
    what: &str,
    depth: Option<usize>,
    control: bool,
) -> Result<Why, DebugError> {
    let mut scanner = Scanner::new(what);
    let question = debugger.parser_here(None).question(&mut scanner)?;
    scanner.end()?;
    let mut steps = depth.unwrap_or(USUAL_DEPTH).min(MAX_DEPTH);
    let answer = loop {
        match within_budget(debugger, question.clone(), Depth { steps, follows_control: control }) {
            // Fewer steps may not lead so far back.
            Err(DebugError::Interrupted) if steps > 1 => steps /= 4,
            answer => break answer?,
        }
    };
    Ok(Why {
        headline: debugger.headline(&answer),
        text: debugger.describe_causes(&answer),
        lookups: lookups(debugger, &answer),
        further: answer.further,
    })
}

/// The answer, or an interruption if too much of the run has to be repeated for it.
fn within_budget(debugger: &mut Debugger, question: Question, depth: Depth) -> Result<Answer, DebugError> {
    let is_spent = Arc::new(AtomicBool::new(false));
    let (flag, mut left) = (is_spent.clone(), MAX_REPEATED);
    // The observer is called at the start of each cycle that is run phase by phase, and of longer stretches elsewhere.
    debugger.history_mut().set_observer(Box::new(move |_, _, _| {
        left = left.saturating_sub(1);
        flag.fetch_or(left == 0, Ordering::Relaxed);
    }));
    let answer = debugger.why(question, depth, &is_spent);
    debugger.history_mut().set_observer(Box::new(|_, _, _| ()));
    answer
}

fn lookups(debugger: &Debugger, answer: &Answer) -> Vec<Lookup> {
    let ranges = answer.lookups();
    let lookup_of = |step: usize| ranges.iter().position(|range| range.contains(&step));
    let lookup = |range: &std::ops::Range<usize>| {
        let (steps, sequence) = (&answer.steps[range.clone()], answer.running[range.start]);
        let Position { cycle, phase } = Position::after_phases(steps[0].moment);
        let reasons = steps.iter().flat_map(|step| &step.reasons);
        let mut causes: Vec<usize> = reasons.filter_map(|reason| lookup_of(reason.step?)).collect();
        causes.sort_unstable();
        causes.dedup();
        Lookup {
            cycle,
            phase,
            instruction: debugger.cycle_line(cycle, sequence),
            line: root_line(debugger.source(), sequence),
            innermost: frames(debugger.source(), sequence).pop(),
            chip: steps[0].lookup.map(|lookup| debugger.board().chips[lookup.chip].name().to_owned()),
            address: steps[0].lookup.map(|lookup| lookup.address),
            levels: debugger.levels_text(steps),
            text: debugger.step_text(steps),
            depth: steps[0].depth,
            causes,
        }
    };
    ranges.iter().map(lookup).collect()
}
