//! Formats a profile as text.

use gray1_debugger::profile::{Kind, LineCount, Profile, RoutineCount};
use gray1_text::{counted, grouped, table};

/// The maximum number of listed lines.
const MAX_LINES: usize = 20;
/// The maximum number of listed callers of a routine.
const MAX_CALLERS: usize = 5;

/// Lists the routines with their callers, the lines that took the most cycles, and the lines that never ran.
pub fn format_profile(name: &str, profile: &Profile) -> String {
    let mut text = format!("{name}: {}\n\n", counted(profile.cycles as usize, "cycle"));
    text += &routines(profile);
    if !profile.lines.is_empty() {
        text += &lines(profile);
        text += &unexecuted(profile);
    }
    text
}

fn share(part: u64, all: u64) -> String {
    let share = if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    format!("{share:.1} %")
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Macro => "macro ",
        Kind::Routine => "routine ",
        Kind::Program => "",
    }
}

fn routines(profile: &Profile) -> String {
    let heads = ["self", "share", "calls", "total", "least", "mean", "most", "routine"];
    let mut rows = vec![heads.map(str::to_owned)];
    for routine in &profile.routines {
        let RoutineCount { name, calls, own, total, least, mean, most, callers, .. } = routine;
        rows.push([
            grouped(*own),
            share(*own, profile.cycles),
            grouped(*calls),
            grouped(*total),
            grouped(*least),
            format!("{mean:.1}"),
            grouped(*most),
            format!("{}{name}", kind(routine.kind)),
        ]);
        let mut callers: Vec<_> = callers.iter().collect();
        callers.sort_by_key(|caller| std::cmp::Reverse(caller.total));
        let rest = callers.len().saturating_sub(MAX_CALLERS);
        for caller in callers.iter().take(MAX_CALLERS) {
            let place = caller.source.as_ref().map_or(String::new(), |source| format!(", {source}"));
            rows.push([
                String::new(),
                String::new(),
                grouped(caller.calls),
                grouped(caller.total),
                grouped(caller.least),
                format!("{:.1}", caller.total as f64 / caller.calls.max(1) as f64),
                grouped(caller.most),
                format!("  from {}{}{place}", kind(caller.kind), caller.name),
            ]);
        }
        if rest > 0 {
            let mut row: [String; 8] = Default::default();
            row[7] = format!("  from {}", counted(rest, "more place"));
            rows.push(row);
        }
    }
    table(&rows, "  ", |column| column < 7).join("\n") + "\n"
}

fn lines(profile: &Profile) -> String {
    let mut lines: Vec<&LineCount> = profile.lines.iter().filter(|line| line.own > 0).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.own));
    let mut rows = vec![["self", "share", "runs", "line", ""].map(str::to_owned)];
    rows.extend(lines.iter().take(MAX_LINES).map(|line| {
        [
            grouped(line.own),
            share(line.own, profile.cycles),
            grouped(line.runs),
            line.source.clone(),
            line.text.clone(),
        ]
    }));
    format!("\n{}\n", table(&rows, "  ", |column| column < 3).join("\n"))
}

/// Lists the lines that never ran, as ranges.
fn unexecuted(profile: &Profile) -> String {
    let mut ranges: Vec<(&str, usize, usize)> = Vec::new();
    let mut count = 0;
    let mut is_next = false;
    for line in &profile.lines {
        let place = line.source.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, number)) = place else { continue };
        if line.cycles > 0 {
            is_next = false;
            continue;
        }
        count += 1;
        match ranges.last_mut().filter(|range| is_next && range.0 == file) {
            Some(range) => range.2 = number,
            None => ranges.push((file, number, number)),
        }
        is_next = true;
    }
    let lines = profile.lines.len();
    if ranges.is_empty() {
        return format!("\nAll {} lines ran.\n", grouped(lines as u64));
    }
    let shown = ranges.iter().map(|(file, first, last)| match first == last {
        true => format!("{file}:{first}"),
        false => format!("{file}:{first}-{last}"),
    });
    let (count, lines) = (grouped(count), grouped(lines as u64));
    format!("\nNever run: {count} of {lines} lines: {}\n", shown.collect::<Vec<_>>().join(", "))
}
