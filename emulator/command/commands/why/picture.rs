//! The causes of something as a chart: a lane for each chip, a row for each lookup.

use gray1_chart::{Event, Heading, Lanes};
use gray1_debugger::{Answer, Debugger, Position};
use gray1_text::grouped;

/// The name of the lane for inputs from outside the machine.
const OUTSIDE: &str = "outside";

/// The chart.
pub fn svg(debugger: &Debugger, answer: &Answer) -> String {
    let lookups = answer.lookups();
    let row_of = |step: usize| {
        let row = lookups.partition_point(|range| range.end <= step);
        lookups.get(row).filter(|range| range.contains(&step)).map(|_| row)
    };
    let (mut lanes, mut cycle) = (Vec::new(), None);
    let events = lookups.iter().map(|range| {
        let steps = &answer.steps[range.clone()];
        let Position { cycle: now, phase } = Position::after_phases(steps[0].moment);
        let is_new = cycle.replace(now) != Some(now);
        let chip = steps[0].lookup.map_or(OUTSIDE, |lookup| debugger.board().chips[lookup.chip].name());
        let lane = lanes.iter().position(|lane| lane == chip).unwrap_or_else(|| {
            lanes.push(chip.to_owned());
            lanes.len() - 1
        });
        let reasons = steps.iter().flat_map(|step| &step.reasons);
        let causes = reasons.filter_map(|reason| Some((row_of(reason.step?)?, reason.is_decisive)));
        let mut causes: Vec<(usize, bool)> = causes.collect();
        causes.sort_by_key(|&(row, is_decisive)| (row, !is_decisive));
        causes.dedup_by_key(|(row, _)| *row);
        Event {
            group: if is_new { debugger.cycle_line(now, answer.running[range.start]) } else { String::new() },
            time: format!("phase {phase}"),
            lane,
            text: debugger.levels_text(steps),
            name: debugger.step_text(steps).join(" "),
            causes,
        }
    });
    let events: Vec<Event> = events.collect();
    let footnote = match answer.further {
        0 => String::new(),
        1 => "1 cause lies further back. ".to_owned(),
        further => format!("{} causes lie further back. ", grouped(further as u64)),
    };
    let heading = Heading {
        title: debugger.headline(answer),
        subtitle: "Why: each box is a cell that a chip has looked up; lines lead up from causes to effects."
            .to_owned(),
        footnote: footnote + "Along a dashed line, the other level alone would have changed nothing.",
    };
    Lanes { heading, lanes, events }.svg()
}
