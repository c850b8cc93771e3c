//! The results of `gray1 survive`, as a table.

use crate::support::life::Life;
use crate::support::units::{Capacitor, Frequency};
use gray1_text::{counted, rounded, visible};
use std::collections::BTreeMap;
use std::fmt::Write;

/// 95 % of a normal distribution is within this many standard deviations of its mean.
const CONFIDENCE: f64 = 1.96;

impl Life {
    /// The number of machines that were correct for at least `age` instructions.
    fn right(lives: &[Life], age: u64) -> usize {
        lives.iter().filter(|life| life.net.is_none() || life.cycles >= age).count()
    }

    /// The Wilson confidence interval, in percent, for the share of machines that are correct for `age` instructions.
    fn interval(lives: &[Life], age: u64) -> (f64, f64) {
        let (count, square) = (lives.len().max(1) as f64, CONFIDENCE * CONFIDENCE);
        let share = Life::right(lives, age) as f64 / count;
        let middle = share + square / (2.0 * count);
        let reach = CONFIDENCE * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
        let percent = |share: f64| (100.0 * share / (1.0 + square / count)).clamp(0.0, 100.0);
        (percent(middle - reach), percent(middle + reach))
    }

    /// The number of instructions per failure, with its confidence interval. For a Poisson distribution the standard
    /// deviation of the square root of the count is about one half, whatever the count: the interval is based on that.
    fn between_failures(lives: &[Life]) -> String {
        let all: u64 = lives.iter().map(|life| life.cycles).sum();
        let failures = lives.iter().filter(|life| life.net.is_some()).count() as f64;
        let number = |failures: f64| rounded(round(all as f64 / failures));
        let each = |failures: f64| match number(failures) {
            one if one == "1" => "1 instruction".to_owned(),
            many => format!("{many} instructions"),
        };
        let most = ((failures + 1.0).sqrt() + CONFIDENCE / 2.0).powi(2);
        let least = (failures.sqrt() - CONFIDENCE / 2.0).max(0.0).powi(2);
        match failures as u64 {
            0 => format!("less than one failure in {}", each(most)),
            _ if least == 0.0 => format!("at most one failure in {}", each(most)),
            _ => {
                let (middle, low, high) = (each(failures), number(most), number(least));
                format!("one failure in {middle} ({low} to {high})")
            }
        }
    }
}

/// Rounds to two significant digits, because no result here is more precise.
fn round(value: f64) -> f64 {
    if value < 10.0 {
        return (value * 10.0).round() / 10.0;
    }
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).round() * unit
}

/// The results of a measurement: many machines with each of several capacitors.
pub struct Lifetimes {
    pub program: String,
    /// The number of cycles that the program runs on a machine that does not fail, and whether it halts.
    pub whole: (u64, bool),
    pub frequency: Frequency,
    pub seeds: u64,
    pub lives: Vec<(Capacitor, Vec<Life>)>,
}

/// Maximum number of chips named in the list of what failed first.
const MOST_CHIPS: usize = 8;

impl Lifetimes {
    /// A row for each capacitor.
    pub fn table(&self) -> String {
        let (whole, halts) = self.whole;
        let end = if halts { "to its end" } else { "for as long as was asked" };
        let mut text = format!(
            "{}: {} {end}; {}, oscillator {}\n\n",
            visible(&self.program),
            counted(whole as usize, "instruction"),
            counted(self.seeds as usize, "machine"),
            self.frequency
        );
        let mut row = |cells: [&str; 7]| {
            let [capacitor, done, rest @ ..] = cells;
            let rest: String = rest.iter().map(|cell| format!("{cell:>12}")).collect();
            let _ = writeln!(text, "{capacitor:<10}{done:>12}{rest}");
        };
        let right = if halts { "finished" } else { "still right" };
        row(["capacitor", right, "the first", "a quarter", "half", "3 quarters", "the last"]);
        row(["", "", "died after", "had by", "had by", "had by", "died after"]);
        for (capacitor, lives) in &self.lives {
            let mut deaths: Vec<u64> =
                lives.iter().filter(|life| life.net.is_some()).map(|life| life.cycles).collect();
            deaths.sort_unstable();
            let after =
                |rank: usize| deaths.get(rank).map_or("-".to_owned(), |&cycles| rounded(cycles as f64));
            let share = |quarters: usize| after((lives.len() * quarters).div_ceil(4).saturating_sub(1));
            let last = deaths.last().map_or("-".to_owned(), |&cycles| rounded(cycles as f64));
            let right = format!("{} of {}", lives.len() - deaths.len(), lives.len());
            row([&capacitor.to_string(), &right, &after(0), &share(1), &share(2), &share(3), &last]);
        }
        text += "\nwhat that says of all such machines, with a confidence of 95 %:\n";
        for (capacitor, lives) in &self.lives {
            let verb = if halts { "finish" } else { "stay right" };
            let (low, high) = Life::interval(lives, whole);
            let capacitor = capacitor_in_words(*capacitor);
            let (low, high) = (rounded(round(low)), rounded(round(high)));
            let _ =
                writeln!(text, "{capacitor}: {low} to {high} % {verb}, {}", Life::between_failures(lives));
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
            let listed: Vec<String> = chips
                .iter()
                .take(MOST_CHIPS)
                .map(|(name, count)| format!("{} {count}", visible(name)))
                .collect();
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
}

fn capacitor_in_words(capacitor: Capacitor) -> String {
    if capacitor.0 == 0 { "no capacitor".to_owned() } else { capacitor.to_string() }
}

/// The bus of a net; for a row of the display, its colour.
fn bus(net: &str) -> &str {
    let row = net.split_once('_').map_or(net, |(row, _)| row);
    row.trim_end_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lives(right: usize, failed: usize) -> Vec<Life> {
        let life = |net: Option<&str>| Life { cycles: 1000, net: net.map(str::to_owned) };
        [vec![life(None); right], vec![life(Some("A0")); failed]].concat()
    }

    #[test]
    fn shares_are_as_sure_as_their_number_allows() {
        let rounded = |right, failed| {
            let (low, high) = Life::interval(&lives(right, failed), 5000);
            (round(low), round(high))
        };
        assert_eq!(rounded(1, 99), (0.2, 5.4));
        assert_eq!(rounded(100, 0), (96.0, 100.0));
        assert_eq!(rounded(10, 10), (30.0, 70.0));
        assert_eq!(rounded(1000, 1000), (48.0, 52.0));
    }

    #[test]
    fn failures_are_as_rare_as_was_seen_or_rarer() {
        let told = |right, failed| Life::between_failures(&lives(right, failed));
        assert_eq!(told(0, 100), "one failure in 1,000 instructions (820 to 1,200)");
        assert_eq!(told(100, 0), "less than one failure in 26,000 instructions");
    }
}
