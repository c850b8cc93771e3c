//! What `gray1 survive` has found, as a table and as a chart.

use crate::units::{Capacitor, Frequency};
use gray1_chart::{Axis, Curve, Curves, Heading, Point, number};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One machine's life.
#[derive(Clone, Debug)]
pub struct Life {
    /// The machine cycles, and so the instructions, that were right.
    pub cycles: u64,
    /// The net that was wrong first, if it failed.
    pub net: Option<String>,
}

/// Many lives, under several capacitors.
pub struct Lifetimes {
    pub program: String,
    /// How many cycles the program takes where nothing fails, and whether it halts then.
    pub whole: (u64, bool),
    pub frequency: Frequency,
    pub seeds: u64,
    pub lives: Vec<(Capacitor, Vec<Life>)>,
}

/// Chips named in the list of what broke first.
const MOST_CHIPS: usize = 8;

impl Lifetimes {
    /// A row for each capacitor.
    pub fn table(&self) -> String {
        let (whole, halts) = self.whole;
        let end = if halts { "to its end" } else { "for as long as was asked" };
        let mut text = format!(
            "{}: {} instructions {end}; {} machines, oscillator {}\n\n",
            self.program,
            number(whole as f64),
            number(self.seeds as f64),
            self.frequency
        );
        let mut row = |cells: [&str; 7]| {
            let [capacitor, done, rest @ ..] = cells;
            let rest: String = rest.iter().map(|cell| format!("{cell:>12}")).collect();
            let _ = writeln!(text, "{capacitor:<10}{done:>12}{rest}");
        };
        row(["capacitor", "finished", "the first", "a quarter", "half", "3 quarters", "the last"]);
        row(["", "", "died after", "had by", "had by", "had by", "died after"]);
        for (capacitor, lives) in &self.lives {
            let mut deaths: Vec<u64> =
                lives.iter().filter(|life| life.net.is_some()).map(|life| life.cycles).collect();
            deaths.sort_unstable();
            let after =
                |rank: usize| deaths.get(rank).map_or("-".to_owned(), |&cycles| number(cycles as f64));
            let share = |quarters: usize| after((lives.len() * quarters).div_ceil(4).saturating_sub(1));
            let last = deaths.last().map_or("-".to_owned(), |&cycles| number(cycles as f64));
            let finished = format!("{} of {}", lives.len() - deaths.len(), lives.len());
            row([&capacitor.to_string(), &finished, &after(0), &share(1), &share(2), &share(3), &last]);
        }
        for (capacitor, lives) in &self.lives {
            let mut chips: BTreeMap<&str, usize> = BTreeMap::new();
            for net in lives.iter().filter_map(|life| life.net.as_deref()) {
                *chips.entry(bus(net)).or_default() += 1;
            }
            if chips.is_empty() {
                continue;
            }
            let mut chips: Vec<(&str, usize)> = chips.into_iter().collect();
            chips.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
            let listed: Vec<String> =
                chips.iter().take(MOST_CHIPS).map(|(name, count)| format!("{name} {count}")).collect();
            let more = if chips.len() > MOST_CHIPS { ", …" } else { "" };
            let _ = write!(
                text,
                "\nwrong first, {}: {}{more}",
                capacitor_in_words(*capacitor),
                listed.join(", ")
            );
        }
        text.trim_end().to_owned() + "\n"
    }

    /// How many are alive after so many instructions, against the capacitor.
    pub fn plot(&self) -> String {
        let (whole, halts) = self.whole;
        let ages = [1_000, 10_000, 50_000].into_iter().filter(|&age| age < whole);
        let curves = ages.chain([whole]).map(|age| {
            let alive = |lives: &[Life]| {
                let alive = lives.iter().filter(|life| life.net.is_none() || life.cycles >= age).count();
                100.0 * alive as f64 / lives.len().max(1) as f64
            };
            let instructions = number(age as f64);
            let is_end = age == whole && halts;
            Curve {
                name: if is_end {
                    format!("at its end ({instructions})")
                } else {
                    format!("after {instructions} instructions")
                },
                points: self
                    .lives
                    .iter()
                    .map(|(capacitor, lives)| Point::new(capacitor.0 as f64, alive(lives)))
                    .collect(),
            }
        });
        Curves {
            heading: Heading {
                title: format!("{}: survival against capacitance", self.program),
                subtitle: format!(
                    "{} machines for each capacitor, with delays and transients of their own. The chances and lengths \
                     of transients are the model's; the capacitor's effect follows from them.",
                    number(self.seeds as f64)
                ),
                footnote: format!("Timed engine, oscillator {}. What is right is what the chips engine does.", self.frequency),
            },
            x: Axis::linear("capacitor on each output of a register chip, pF"),
            y: Axis::linear("machines still right, %").between(0.0, 100.0),
            curves: curves.collect(),
            }
        .svg()
    }
}

fn capacitor_in_words(capacitor: Capacitor) -> String {
    if capacitor.0 == 0 { "no capacitor".to_owned() } else { capacitor.to_string() }
}

/// The bus of a net, or for a row of the display its colour.
fn bus(net: &str) -> &str {
    let row = net.split_once('_').map_or(net, |(row, _)| row);
    row.trim_end_matches(|c: char| c.is_ascii_digit())
}
