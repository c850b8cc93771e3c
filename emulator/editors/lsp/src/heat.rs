//! Where the cycles of a run went, shown after each line: from the profile that lies beside the program. That of
//! `queens.g1` is `queens.profile.json`, as `gray1 run queens.g1 --profile queens.profile.json` writes it.

use crate::view::View;
use gen_lsp_types::{InlayHint, Range};
use gray1_profile::{LineCount, Profile};
use gray1_text::{counted, grouped};
use std::collections::HashMap;

/// The ending of a profile's name, in place of that of the source.
pub const ENDING: &str = ".profile.json";

/// A hint after each line of a range that the profile knows. A line that has been edited since has none.
pub fn heat(view: &View, range: Range) -> Vec<InlayHint> {
    let sources = &view.analysis.report.sources;
    let Some(profile) = profile(view) else { return Vec::new() };
    let path = sources.path(view.file);
    let known: HashMap<usize, &LineCount> = profile
        .lines
        .iter()
        .filter_map(|line| {
            let (file, number) = line.source.rsplit_once(':')?;
            is_same(path, file).then_some((number.parse().ok()?, line))
        })
        .collect();
    let lines = view.lines();
    let shown = range.start.line as usize..=range.end.line as usize;
    let hint = |number: usize| {
        let count = known.get(&(number + 1)).filter(|count| count.text == lines.line(number).trim())?;
        let (start, text) = (lines.bounds(number).0, lines.line(number));
        let position = lines.position((start + text.trim_end().len()) as u32);
        let (label, tooltip) = (label(count, profile.cycles), tooltip(count));
        Some(InlayHint::new(position, label.into(), None, None, tooltip, Some(true), None, None))
    };
    shown.take_while(|&number| number < lines.count()).filter_map(hint).collect()
}

fn profile(view: &View) -> Option<Profile> {
    let program = view.analysis.report.sources.path(0);
    let path = program.strip_suffix(".g1").unwrap_or(program).to_owned() + ENDING;
    Profile::parse(&String::from_utf8(view.workspace.host.read(&path).ok()?).ok()?).ok()
}

/// Whether a file of a profile, with a path from any folder, is this one.
fn is_same(path: &str, file: &str) -> bool {
    let file = file.trim_start_matches("./").trim_start_matches("../");
    path == file || path.strip_suffix(file).is_some_and(|folder| folder.ends_with('/'))
}

fn label(count: &LineCount, all: u64) -> String {
    match count.cycles {
        0 => "never run".to_owned(),
        cycles => {
            let share = 100.0 * cycles as f64 / all.max(1) as f64;
            format!("{share:.1} %, {}", counted(cycles as usize, "cycle"))
        }
    }
}

fn tooltip(count: &LineCount) -> Option<gen_lsp_types::Tooltip> {
    let first = grouped(count.first?);
    let begun = counted(count.runs as usize, "time");
    Some(format!("begun {begun}, first in cycle {first}").into())
}
