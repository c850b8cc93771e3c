//! `--profile`: one table of all programs by routine, from the profiles of their runs.

use super::entry::Entry;
use super::measure::{Measured, profile};
use super::table::{TableFormat, markdown};
use crate::support::cores::on_all_cores;
use crate::support::interrupt::Interrupt;
use crate::support::table::quoted;
use crate::support::table::table;
use gray1_profile::{Kind, Profile};
use gray1_text::grouped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;

/// The profile of one program, as JSON.
#[derive(Serialize)]
struct ProgramProfile<'a> {
    program: &'a str,
    n: Option<u64>,
    profile: &'a Profile,
}

/// The table: a row for each routine and macro, a column for each program with the cycles spent there.
pub fn text(
    finished: &[(&Entry, &Measured)],
    format: TableFormat,
    interrupt: &Interrupt,
) -> Result<String, Box<dyn Error>> {
    let profiles = on_all_cores(finished, interrupt.flag(), |(entry, measured)| {
        let layout = entry.layout.as_ref()?;
        Some(profile(entry, layout, measured.cycles, interrupt).map_err(|error| error.to_string()))
    });
    // Some are missing after an interruption, which is reported.
    let ended = finished.iter().zip(profiles).filter_map(|((entry, _), profile)| Some((*entry, profile??)));
    let profiles: Vec<(&Entry, Profile)> =
        ended.map(|(entry, profile)| Ok((entry, profile?))).collect::<Result<_, String>>()?;
    let programs: Vec<(&Entry, &Profile)> =
        profiles.iter().map(|(entry, profile)| (*entry, profile)).collect();
    if format == TableFormat::Json {
        let told = programs.iter().map(|(entry, profile)| ProgramProfile {
            program: &entry.name,
            n: entry.n,
            profile,
        });
        return Ok(serde_json::to_string_pretty(&told.collect::<Vec<_>>())? + "\n");
    }
    Ok(rows(&programs, format))
}

fn rows(programs: &[(&Entry, &Profile)], format: TableFormat) -> String {
    // The cycles of each program in each routine.
    let mut routines: BTreeMap<(Kind, &str), Vec<u64>> = BTreeMap::new();
    for (index, (_, profile)) in programs.iter().enumerate() {
        for routine in &profile.routines {
            let cycles = routines.entry((routine.kind, &routine.name)).or_default();
            cycles.resize(programs.len(), 0);
            cycles[index] += routine.own;
        }
    }
    let mut sorted: Vec<_> = routines.into_iter().collect();
    sorted.sort_by_key(|(_, cycles)| std::cmp::Reverse(cycles.iter().sum::<u64>()));
    let heads = ["routine".to_owned()].into_iter().chain(programs.iter().map(|(entry, _)| entry.to_string()));
    let all = |number: fn(u64) -> String| {
        let row = |name: String, cycles: &mut dyn Iterator<Item = u64>| {
            [name].into_iter().chain(cycles.map(number)).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for ((kind, name), cycles) in &sorted {
            let name = match kind {
                Kind::Macro => format!("macro {name}"),
                _ => (*name).to_owned(),
            };
            rows.push(row(name, &mut cycles.iter().copied()));
        }
        rows.push(row("all".to_owned(), &mut programs.iter().map(|(_, profile)| profile.cycles)));
        rows
    };
    match format {
        TableFormat::Markdown => markdown(heads.collect(), all(shown).into_iter()),
        TableFormat::Csv => {
            let rows = [heads.collect()].into_iter().chain(all(|cycles| cycles.to_string()));
            let line = |row: Vec<String>| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
            rows.map(|row| line(row) + "\n").collect()
        }
        TableFormat::Table | TableFormat::Json => {
            let rows: Vec<Vec<String>> = [heads.collect()].into_iter().chain(all(shown)).collect();
            table(&rows, "  ", |column| column > 0).join("\n") + "\n"
        }
    }
}

fn shown(cycles: u64) -> String {
    if cycles == 0 { "-".to_owned() } else { grouped(cycles) }
}
