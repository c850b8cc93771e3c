//! `gray1 faults`: tries which faults of a machine the self-test finds, or finds the faults that explain an
//! observation.

mod arguments;
mod diagnose;
mod shard;
mod text;

pub use arguments::Arguments;

use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::on_all_cores;
use crate::support::files::{self, print, shown};
use crate::support::interrupt::Interrupt;
use crate::support::progress::Progress;
use crate::support::selftest;
use gray1_hardware::faults::{Campaign, Circuit, Conditions, Line, Model, Reference, RunError, presses};
use gray1_machine::Script;
use gray1_machine::board::Board;
use gray1_text::grouped;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::Ordering;

pub fn faults(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if !arguments.join.is_empty() {
        return arguments.joined();
    }
    let (name, image) = match &arguments.file {
        Some(path) => (shown(path), arguments.assembler.read_image(path)?),
        None => (selftest::NAME.to_owned(), selftest::program()?),
    };
    let board = arguments.board.board_or(Board::built)?;
    let circuit = Circuit::new(&board, &image)?;
    let interrupt = Interrupt::listen_twice()?;
    let stop = interrupt.flag();
    let script = match &arguments.input {
        Some(path) => {
            Script::from_ron(&files::read_text(path)?).map_err(|error| format!("{}:{error}", shown(path)))?
        }
        None => presses(&image, arguments.ram, arguments.max_cycles, stop),
    };
    let conditions = Conditions { noise: arguments.ram, script, max_cycles: arguments.max_cycles };
    let reference = Reference::run(&circuit, conditions, stop).map_err(Box::from);
    let tried = reference.and_then(|reference| match &arguments.diagnose {
        Some(path) => diagnose::diagnose(arguments, reference, &image, path, stop),
        None => arguments.campaign(&name, &reference, &interrupt),
    });
    match tried {
        Err(error) if error.is::<RunError>() && stop.load(Ordering::Relaxed) => Ok(Ending::Interrupted),
        tried => tried,
    }
}

impl Arguments {
    /// Tries the faults of this part, and prints the results.
    fn campaign(
        &self,
        name: &str,
        reference: &Reference,
        interrupt: &Interrupt,
    ) -> Result<Ending, Box<dyn Error>> {
        let model = self.model.unwrap_or(Model::Pins);
        let sample = self.count.map(|count| (count as usize, self.seed));
        let campaign = Campaign::new(reference, model, self.watch, sample);
        let numbers = self.part(&campaign);
        let progress = Progress::new(numbers.len() as u64, "faults");
        let lines = on_all_cores(&numbers, interrupt.flag(), |number| {
            let line = campaign.line(*number);
            progress.add(1);
            line
        });
        let lines = lines.into_iter().flatten().flatten().map(|line| (line.fault, line)).collect();
        drop(progress);
        let text = match self.format {
            Format::Json => text::json(&lines)?,
            Format::Text => text::header(name, reference, self.watch) + &text::summary(&lines),
        };
        print(text.as_bytes())?;
        let is_stopped = interrupt.flag().load(Ordering::Relaxed);
        Ok(if is_stopped { Ending::Interrupted } else { Ending::Done })
    }

    /// The numbers of the faults of this part.
    fn part(&self, campaign: &Campaign) -> Vec<usize> {
        let pieces = (0..).zip(campaign.numbers());
        pieces.filter(|(piece, _)| self.shard.has(*piece)).map(|(_, number)| number).collect()
    }

    /// Joins files of a campaign. Fails if any of its faults is missing.
    fn joined(&self) -> Result<Ending, Box<dyn Error>> {
        let mut lines = BTreeMap::new();
        for path in &self.join {
            read_into(&mut lines, path, &files::read_text(path)?)?;
        }
        let Some(total) = lines.values().next().map(|line| line.total) else {
            let files = "name files that `gray1 faults --format json` has written";
            return Err(format!("--join: these files contain no results: {files}").into());
        };
        if let missing @ 1.. = total.saturating_sub(lines.len()) {
            let (missing, total) = (grouped(missing as u64), grouped(total as u64));
            return Err(format!("{missing} of {total} faults are missing: join all parts").into());
        }
        let text = match self.format {
            Format::Json => text::json(&lines)?,
            Format::Text => text::summary(&lines),
        };
        print(text.as_bytes())?;
        Ok(Ending::Done)
    }
}

/// Adds the results in a file to others of the same campaign.
fn read_into(all: &mut BTreeMap<usize, Line>, path: &Path, text: &str) -> Result<(), String> {
    for (number, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let place = format!("{}: line {number}", shown(path));
        let line: Line = serde_json::from_str(text)
            .map_err(|error| format!("{place}: not what `gray1 faults --format json` writes: {error}"))?;
        let is_other = |first: &Line| (&first.campaign, first.total) != (&line.campaign, line.total);
        let (fault, total) = (line.fault, line.total);
        if all.values().next().is_some_and(is_other) {
            return Err(format!(
                "{place} belongs to another campaign: another board, program, input or choice of faults"
            ));
        }
        if *all.entry(fault).or_insert_with(|| line.clone()) != line {
            return Err(format!("{place}: fault {fault} has another outcome than in another line"));
        }
        if all.len() > total {
            return Err(format!("{place}: more than the {total} faults that the campaign has"));
        }
    }
    Ok(())
}
