//! A profile, and a comparison of two, as a chart.

use gray1_chart::{Axis, Bar, Bars, Heading};
use gray1_profile::{Against, Profile};
use gray1_text::grouped;

/// The number of bars.
const MOST_BARS: usize = 30;

/// The lines that took most cycles.
pub fn of_profile(name: &str, profile: &Profile) -> String {
    let mut lines: Vec<_> = profile.lines.iter().filter(|line| line.own > 0).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.own));
    let bars = lines.iter().take(MOST_BARS).map(|line| Bar {
        name: line.text.clone(),
        note: format!("{}, {} times", line.source, grouped(line.runs)),
        value: line.own as f64,
    });
    let heading = Heading {
        title: format!("Where {} cycles of {name} went", grouped(profile.cycles)),
        subtitle: "The lines with most cycles. Every instruction is one cycle.".to_owned(),
        footnote: String::new(),
    };
    Bars { heading, axis: Axis::linear("machine cycles"), bars: bars.collect() }.svg()
}

/// The lines that became faster, to the left, or slower, to the right.
pub fn of_changes(name: &str, Against { before, now, changes }: &Against) -> String {
    let bars = changes.iter().take(MOST_BARS).map(|change| {
        let side = |side: &Option<(String, u64)>| side.as_ref().map_or(0, |(_, cycles)| *cycles);
        Bar {
            name: change.text.clone(),
            note: format!(
                "{}: {} before, {} now",
                change.source(),
                grouped(side(&change.before)),
                grouped(side(&change.now))
            ),
            value: change.difference() as f64,
        }
    });
    let heading = Heading {
        title: format!("{name}: {} cycles before, {} now", grouped(*before), grouped(*now)),
        subtitle: "The lines with the largest differences: faster to the left, slower to the right."
            .to_owned(),
        footnote: String::new(),
    };
    Bars { heading, axis: Axis::linear("machine cycles more or fewer"), bars: bars.collect() }.svg()
}
