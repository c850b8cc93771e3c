//! The results of a campaign: a line of JSON for each fault, or a summary for people.

use gray1_hardware::faults::{Evidence, Line, Model, Reference, Watch};
use gray1_text::{counted, grouped, table, visible};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

/// If more faults than this were not found, they are counted by reason instead of listed.
const LISTED: usize = 100;
/// Maximum number of reasons printed, and of chips printed with each.
const REASONS: usize = 20;
const NAMED: usize = 4;

/// All lines, in the order of the faults.
pub fn json(lines: &BTreeMap<usize, Line>) -> serde_json::Result<String> {
    lines.values().map(|line| Ok(serde_json::to_string(line)? + "\n")).collect()
}

/// The first line of the summary: the program and what is watched.
pub fn header(name: &str, reference: &Reference, watch: Watch) -> String {
    let watched = match watch {
        Watch::Port => "the port is",
        Watch::PortAndLeds => "the port and the LEDs are",
    };
    let cut = if reference.has_halted { "" } else { "; it does not halt" };
    format!(
        "{name} sends {} in {}{cut}; {watched} watched\n",
        counted(reference.events.len(), "byte"),
        counted(reference.cycles as usize, "cycle"),
    )
}

/// The number of faults of a chip that were tried, and that were found in each way.
#[derive(Default)]
struct Tally {
    tried: u64,
    by_bytes: u64,
    by_leds: u64,
}

impl Tally {
    fn missed(&self) -> u64 {
        self.tried - self.by_bytes - self.by_leds
    }
}

/// The summary for people.
pub fn summary(lines: &BTreeMap<usize, Line>) -> String {
    let Some(first) = lines.values().next() else { return "no fault was tried\n".to_owned() };
    let (mut all, mut chips) = (Tally::default(), Vec::<(&str, Tally)>::new());
    for line in lines.values() {
        let chip = line.place.chip.as_str();
        let at = chips.iter().position(|(name, _)| *name == chip).unwrap_or_else(|| {
            chips.push((chip, Tally::default()));
            chips.len() - 1
        });
        for tally in [&mut all, &mut chips[at].1] {
            tally.tried += 1;
            match line.shown {
                Some(Evidence::Byte { .. }) => tally.by_bytes += 1,
                Some(Evidence::Leds { .. }) => tally.by_leds += 1,
                None => {}
            }
        }
    }
    let what = noun(first.model, all.tried);
    let found = all.tried - all.missed();
    let mut text = format!(
        "{} {what} tried: {} found, {:.1} %; {} not found\n",
        grouped(all.tried),
        grouped(found),
        // Rounded down, so that 100 % always means all.
        (found * 1000 / all.tried) as f64 / 10.0,
        grouped(all.missed())
    );
    if all.tried < first.total as u64 {
        let _ = writeln!(text, "these are not all: there are {}", grouped(first.total as u64));
    }
    let unsettled = lines.values().filter(|line| line.unsettled.is_some()).count() as u64;
    if unsettled > 0 {
        let _ = writeln!(text, "with {} of them the board does not settle in some phase", grouped(unsettled));
    }
    text += &by_chip(&chips);
    let missed: Vec<&Line> = lines.values().filter(|line| !line.detected).collect();
    if !missed.is_empty() {
        text += "\nnot found:\n";
    }
    match missed.len() {
        0..=LISTED => {
            for line in missed {
                let _ = writeln!(text, "  {}: {}", visible(&line.place.to_string()), visible(reason(line)));
            }
        }
        _ => text += &reasons(&missed),
    }
    text
}

/// The noun for faults of a model.
fn noun(model: Model, count: u64) -> &'static str {
    let nouns = match model {
        Model::Pins => ["stuck pin", "stuck pins"],
        Model::Bridges => ["bridge of neighbouring pins", "bridges of neighbouring pins"],
        Model::Cells => ["wrong bit of a cell", "wrong bits of cells"],
        Model::Sockets => ["wrong chip in a socket", "wrong chips in sockets"],
        Model::Swaps => ["pair of exchanged wires", "pairs of exchanged wires"],
        Model::Opens => ["open resistor or conductor", "open resistors and conductors"],
    };
    nouns[usize::from(count != 1)]
}

/// Formats the table of the chips.
fn by_chip(chips: &[(&str, Tally)]) -> String {
    let heads =
        [["chip", "tried", "first seen", "first seen", "not"], ["", "", "in a byte", "on an LED", "found"]];
    let mut rows: Vec<[String; 5]> = heads.map(|row| row.map(str::to_owned)).into();
    rows.extend(chips.iter().map(|(chip, tally)| {
        let [tried, bytes, leds] = [tally.tried, tally.by_bytes, tally.by_leds].map(grouped);
        let missed = if tally.missed() == 0 { "-".to_owned() } else { grouped(tally.missed()) };
        [visible(chip).into_owned(), tried, bytes, leds, missed]
    }));
    // The columns have a fixed width, so that the tables of several programs can be compared.
    for row in &mut rows {
        row[0] = format!("{:<10}", row[0]);
        row[1] = format!("{:>8}", row[1]);
        row[2..].iter_mut().for_each(|cell| *cell = format!("{cell:>12}"));
    }
    format!("\n{}\n", table(&rows, "", |column| column > 0).join("\n"))
}

/// The number of faults for each reason, the most frequent first.
fn reasons(missed: &[&Line]) -> String {
    let mut reasons: BTreeMap<&str, (u64, Vec<&str>)> = BTreeMap::new();
    for line in missed {
        let (count, chips) = reasons.entry(reason(line)).or_default();
        *count += 1;
        if !chips.contains(&line.place.chip.as_str()) {
            chips.push(&line.place.chip);
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, (count, _))| Reverse(*count));
    let mut text = String::new();
    for (reason, (count, chips)) in reasons.iter().take(REASONS) {
        let more =
            if chips.len() > NAMED { format!(" and {} more", chips.len() - NAMED) } else { String::new() };
        let (reason, chips) = (visible(reason), chips[..chips.len().min(NAMED)].join(" "));
        let _ = writeln!(text, "{:>8}  {reason}: {}{more}", grouped(*count), visible(&chips));
    }
    let rest: u64 = reasons.iter().skip(REASONS).map(|(_, (count, _))| count).sum();
    if rest > 0 {
        let _ = writeln!(text, "{:>8}  for other reasons", grouped(rest));
    }
    text + "`--format json` lists them one by one\n"
}

fn reason(line: &Line) -> &str {
    line.reason.as_deref().unwrap_or("no reason is known")
}
