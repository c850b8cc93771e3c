//! Causes as text, instruction by instruction: the lookups of the chips, and the lines that decided
//! them.

use super::Answer;
use crate::debugger::Debugger;
use crate::position::Position;
use crate::why::{Effect, Lookup, Mechanism, Reason, Step};
use gray1_machine::board::Chip;
use gray1_machine::burn::split;
use gray1_machine::names::{neighbours, run};
use gray1_text::grouped;
use std::fmt::Write;

/// The maximum width of a column of the brief answer; a longer text moves the next column.
const MAX_COLUMN: usize = 30;

impl Debugger {
    /// Describes the answer to a question.
    pub fn describe_causes(&self, answer: &Answer) -> String {
        let mut text = self.headline(answer) + "\n";
        let mut cycle = None;
        for range in answer.lookups() {
            let (first, steps) = (range.start, &answer.steps[range]);
            let at = Position::after_phases(steps[0].moment);
            if cycle.replace(at.cycle) != Some(at.cycle) {
                let _ = writeln!(text, "\n{}", self.cycle_line(at.cycle, answer.running[first]));
            }
            let _ = writeln!(text, "  {}  {}", at.phase, self.step_text(steps).join("\n       "));
        }
        text += &self.legend(&answer.steps);
        text + &further(answer)
    }

    /// The answer in a line for each instruction that is a cause: what of it matters, and where it comes from.
    pub fn describe_briefly(&self, answer: &Answer) -> String {
        let mut text = self.headline(answer) + "\n\n";
        let cycle = |step: &Step| Position::after_phases(step.moment).cycle;
        let mut running = answer.running.iter();
        let mut rows = Vec::new();
        for steps in answer.steps.chunk_by(|one, next| cycle(one) == cycle(next)) {
            let Some(&sequence) = running.nth(steps.len() - 1) else { break };
            let kept: Vec<Step> = steps.iter().filter(|step| self.is_kept(step.effect)).cloned().collect();
            let levels = self.levels_text(if kept.is_empty() { steps } else { &kept });
            let place = self.source().line_name(sequence).unwrap_or_default();
            let what = match steps[0].how {
                Mechanism::Found => "since the run began".to_owned(),
                Mechanism::Changed => "changed by hand".to_owned(),
                _ => self.source().assembler_instruction(sequence),
            };
            rows.push([format!("cycle {}", cycle(&steps[0])), what, levels, place]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2].map(|column| width(column).min(MAX_COLUMN));
        for [cycle, what, levels, place] in &rows {
            let line =
                format!("{cycle:0$}  {what:1$}  {levels:2$}  {place}", widths[0], widths[1], widths[2]);
            text = text + line.trim_end() + "\n";
        }
        text + &further(answer)
    }

    /// Whether a bit is stored: in RAM, or in a chip that feeds back its own output.
    fn is_kept(&self, effect: Effect) -> bool {
        let netlist = self.machine().netlist();
        match effect {
            Effect::Net(net) => {
                netlist.nets[net].driver.is_some_and(|pin| netlist.chips[pin.chip].holds_itself())
            }
            Effect::Cell(..) => true,
        }
    }

    /// The subject of the question and its value: `red 3,5 is lit at cycle 5700`.
    pub fn headline(&self, answer: &Answer) -> String {
        let question = &answer.question;
        let bits: Vec<bool> = question
            .effects
            .iter()
            .map(|effect| {
                let step = answer.steps.iter().find(|step| step.depth == 0 && step.effect == *effect);
                step.is_some_and(|step| step.level)
            })
            .collect();
        let value = match &bits[..] {
            [bit] if question.is_led => if *bit { "lit" } else { "dark" }.to_owned(),
            [bit] => u8::from(*bit).to_string(),
            bits => {
                let bytes = bits.chunks(if question.is_ram { 8 } else { bits.len() }).map(hex);
                bytes.collect::<Vec<_>>().join(" ")
            }
        };
        let note = if question.has_leds { ": the byte in RAM; for an LED, ask about `red 0,0`" } else { "" };
        format!("{} is {value} at {}{note}", question.title, answer.at)
    }

    /// A cycle and its instruction, with the source lines that generated it.
    pub fn cycle_line(&self, cycle: u64, sequence: u16) -> String {
        let source = self.source();
        let place = source.line_name(sequence).map_or(String::new(), |line| format!("  ({line})"));
        let line = source.line_text(sequence).map_or(String::new(), |line| format!("  {line}"));
        format!("cycle {cycle}: {}{place}{line}", source.assembler_instruction(sequence))
    }

    /// Describes the steps of one lookup: the lookup, and the reasons for its address, if any.
    pub fn step_text(&self, steps: &[Step]) -> Vec<String> {
        let mut text = vec![self.lookup_text(steps), self.because(steps)];
        text.retain(|line| !line.is_empty());
        text
    }

    /// The bits of one lookup with their levels: `A0-7=$24`.
    pub fn levels_text(&self, steps: &[Step]) -> String {
        let mut bits: Vec<(Effect, bool)> = steps.iter().map(|step| (step.effect, step.level)).collect();
        bits.sort();
        self.values(bits.into_iter())
    }

    fn lookup_text(&self, steps: &[Step]) -> String {
        let what = self.levels_text(steps);
        let Some(Lookup { chip: id, address, cell, .. }) = steps[0].lookup else {
            return format!("{what}, from outside");
        };
        let chip = &self.board().chips[id];
        let (digits, data) = (chip.address().len().div_ceil(4), chip.data().len().div_ceil(4));
        let verb = match steps[0].how {
            Mechanism::Written => "takes",
            Mechanism::Stepped => "passes and gives",
            _ => "gives",
        };
        let fields = chip.contents().map_or(String::new(), |contents| {
            let values = contents.address.iter().zip(split(contents.address, address)).rev();
            let values = values.map(|((name, width), value)| match width {
                1 => format!(" {name}={value}"),
                _ => format!(" {name}=${value:0digits$X}", digits = width.div_ceil(4) as usize),
            });
            format!(" ({})", values.collect::<String>().trim_start())
        });
        format!("{what}: {} at ${address:0digits$X} {verb} ${cell:0data$X}{fields}", chip.name())
    }

    /// Describes the reasons for the address: first the decisive lines, then lines that others could replace.
    fn because(&self, steps: &[Step]) -> String {
        let mut reasons: Vec<&Reason> = steps.iter().flat_map(|step| &step.reasons).collect();
        reasons
            .sort_by_key(|reason| (reason.line.is_none(), reason.line, reason.effect, !reason.is_decisive));
        reasons.dedup_by_key(|reason| reason.effect);
        let [decisive, others] = [true, false].map(|is_decisive| {
            let reasons = reasons.iter().filter(|reason| reason.is_decisive == is_decisive);
            self.values(reasons.map(|reason| (reason.effect, reason.level)))
        });
        let mut text = match (&decisive[..], &others[..]) {
            ("", "") => String::new(),
            (decisive, "") => format!("because {decisive}"),
            ("", others) => format!("with {others}"),
            (decisive, others) => format!("because {decisive}, with {others}"),
        };
        let step = &steps[0];
        match step.how {
            Mechanism::Found => text += "so since the run began",
            Mechanism::Changed => text += "changed by hand",
            _ => {}
        }
        if step.until > step.moment && step.how != Mechanism::Found && matches!(step.effect, Effect::Net(_)) {
            let keepers = self.values(step.keepers.iter().map(|reason| (reason.effect, reason.level)));
            let _ = write!(text, "; held until {}", Position::after_phases(step.until));
            if !keepers.is_empty() {
                let _ = write!(text, " by {keepers}");
            }
        }
        text
    }

    /// Bits with their levels, adjacent ones as one number: `A5=1 W0-11=$FEB`.
    fn values(&self, bits: impl Iterator<Item = (Effect, bool)>) -> String {
        let mut bits: Vec<(String, bool)> =
            bits.map(|(effect, level)| (self.effect_name(effect), level)).collect();
        bits.dedup();
        let names: Vec<&str> = bits.iter().map(|(name, _)| name.as_str()).collect();
        let runs = neighbours(&names).into_iter().map(|range| {
            let levels: Vec<bool> = bits[range.clone()].iter().map(|(_, level)| *level).collect();
            let value = if let [level] = levels[..] { u8::from(level).to_string() } else { hex(&levels) };
            format!("{}={value}", run(&names[range]))
        });
        runs.collect::<Vec<_>>().join(" ")
    }

    /// Describes the contents of the chips that were looked up.
    fn legend(&self, steps: &[Step]) -> String {
        let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
        for lookup in steps.iter().filter_map(|step| step.lookup) {
            let chip = &self.board().chips[lookup.chip];
            let about = chip.contents().map_or(own_cells(chip), |contents| contents.about);
            match kinds.iter_mut().find(|(known, _)| *known == about) {
                Some((_, chips)) if chips.contains(&chip.name()) => {}
                Some((_, chips)) => chips.push(chip.name()),
                None => kinds.push((about, vec![chip.name()])),
            }
        }
        let kinds = kinds.into_iter().map(|(about, chips)| {
            let lines: Vec<&str> = about.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            format!("{}: {}\n", chips.join(" "), lines.join(" "))
        });
        "\n".to_owned() + &kinds.collect::<String>()
    }
}

/// States the number of causes that were not followed.
fn further(answer: &Answer) -> String {
    match answer.further {
        0 => String::new(),
        1 => "\n1 cause lies further back.\n".to_owned(),
        further => format!("\n{} causes lie further back.\n", grouped(further as u64)),
    }
}

/// A description of a chip whose cells are not given by a function.
fn own_cells(chip: &Chip) -> &'static str {
    match chip {
        Chip::Rom { .. } => "Its cells were burned one by one: no function describes them.",
        Chip::Ram { .. } => {
            "A RAM: it outputs the cell at its address. While it is being written, the cell takes the data input."
        }
    }
}

/// Levels as a number in hexadecimal, the first the lowest.
fn hex(levels: &[bool]) -> String {
    let digits = levels.chunks(4).rev().map(|digit| {
        let value = digit.iter().rev().fold(0, |value, &level| value << 1 | u32::from(level));
        char::from_digit(value, 16).map_or(' ', |digit| digit.to_ascii_uppercase())
    });
    "$".to_owned() + &digits.collect::<String>()
}
