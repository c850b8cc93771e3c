//! What a campaign prints: a line that says which campaign it is and which part of it, then how many cases of each target
//! ran. Reports of all parts are joined; one that is missing, there twice, cut off or of another campaign is refused,
//! since otherwise cases would count that have never run.

use crate::target::TARGETS;
use gray1_isa::Shard;
use gray1_text::grouped;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::SplitWhitespace;

/// How many cases of each target ran, and how many of them found something.
pub type Counts = BTreeMap<String, (u64, u64)>;

/// The name of the line with the sums.
const TOTAL: &str = "all";
/// The last line of a campaign that was stopped before its end.
const INTERRUPTED: &str = "interrupted";

/// What all parts of a campaign share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this program: another may make other cases.
    pub version: String,
    /// The targets that are wanted.
    pub targets: Vec<String>,
    /// The mark of their kept cases, of which others are made.
    pub kept: String,
    /// Each seed has other cases.
    pub seed: u64,
    /// How much there is to do.
    #[serde(flatten)]
    pub extent: Extent,
}

/// How much there is to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// So many cases in all parts together.
    Cases(u64),
    /// As many as there is time for, in each part.
    Minutes(u64),
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    plan: Plan,
    /// `2/4`.
    part: String,
}

/// What came of a campaign, or of one part of it.
#[derive(Debug)]
pub struct Report {
    /// Which campaign.
    pub plan: Plan,
    /// Which part.
    pub shard: Shard,
    /// What ran.
    pub counts: Counts,
    /// Whether somebody stopped it.
    pub is_interrupted: bool,
}

impl Plan {
    /// What makes this another campaign.
    fn differences(&self, other: &Plan) -> Vec<&'static str> {
        let all = [
            (self.targets != other.targets, "the targets"),
            (self.kept != other.kept, "the kept cases"),
            (self.seed != other.seed, "--seed"),
            (self.extent != other.extent, "--cases or --minutes"),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what).collect()
    }
}

impl Report {
    /// The lines.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let header = Header { plan: self.plan.clone(), part: self.shard.to_string() };
        let interrupted = if self.is_interrupted { format!("{INTERRUPTED}\n") } else { String::new() };
        Ok(serde_json::to_string(&header)? + "\n" + &table(&self.counts) + &interrupted)
    }

    /// Reads the lines of a part that is complete.
    fn read(text: &str) -> Result<Report, String> {
        let at = |number: usize, what: &str| format!("line {number}: {what}");
        let mut lines = (1..).zip(text.lines());
        let (_, first) = lines.next().unwrap_or((1, ""));
        let Header { plan, part } = serde_json::from_str(first)
            .map_err(|error| at(1, &format!("not what `gray1-fuzz` writes first: {error}")))?;
        let own = env!("CARGO_PKG_VERSION");
        if plan.version != own {
            let version = plan.version.escape_debug();
            return Err(at(1, &format!("written by version {version}, and this is {own}: join with that")));
        }
        if !plan.targets.iter().all(|name| TARGETS.iter().any(|target| name == target.name)) {
            return Err(at(1, "it names a target that there is not"));
        }
        let shard: Shard =
            part.parse().map_err(|error| at(1, &format!("`{}`: {error}", part.escape_debug())))?;
        let (mut counts, mut total) = (Counts::new(), None);
        for (number, line) in lines {
            if line == INTERRUPTED {
                return Err(at(number, "this part was interrupted: run it again"));
            }
            let count = count(line).filter(|(_, cases, finds)| total.is_none() && finds <= cases);
            let Some((name, cases, finds)) = count else {
                return Err(at(number, "not a line that `gray1-fuzz` writes there"));
            };
            if name == TOTAL {
                total = Some((cases, finds));
            } else if !plan.targets.iter().any(|target| target == name) {
                return Err(at(number, "no target of this campaign"));
            } else if counts.insert(name.to_owned(), (cases, finds)).is_some() {
                return Err(at(number, "a second line of this target"));
            }
        }
        let total = total.ok_or("it is cut off: the last line is missing")?;
        if sum(counts.values()) != total {
            return Err("the last line is not the sum of the others".to_owned());
        }
        if let Extent::Cases(cases) = plan.extent {
            let share = cases.saturating_sub(shard.number).div_ceil(shard.of);
            if share != total.0 {
                let (ran, share) = (grouped(total.0), grouped(share));
                return Err(format!("{ran} cases ran, and part {shard} has {share}: it is not complete"));
            }
        }
        Ok(Report { plan, shard, counts, is_interrupted: false })
    }

    /// The whole campaign of these parts, each with the name of its file.
    pub fn join(parts: &[(String, String)]) -> Result<Report, String> {
        let mut reports: Vec<(&str, Report)> = Vec::new();
        for (name, text) in parts {
            let report = Report::read(text).map_err(|error| format!("{name}: {error}"))?;
            if let Some((first, other)) = reports.first() {
                let mut differences = report.plan.differences(&other.plan);
                differences.extend((report.shard.of != other.shard.of).then_some("the number of parts"));
                if !differences.is_empty() {
                    let what = differences.join(", ");
                    return Err(format!(
                        "{name}: part of another campaign than {first}: they differ in {what}"
                    ));
                }
            }
            reports.push((name, report));
        }
        Shard::check_whole(reports.iter().map(|(name, report)| (*name, report.shard)))?;
        let (_, first) = reports.first().ok_or("--join: name at least one file")?;
        let extent = match first.plan.extent {
            Extent::Minutes(each) => Extent::Minutes(each.saturating_mul(first.shard.of)),
            all => all,
        };
        let plan = Plan { extent, ..first.plan.clone() };
        let mut counts = Counts::new();
        for (name, count) in reports.iter().flat_map(|(_, report)| &report.counts) {
            let entry = counts.entry(name.clone()).or_default();
            *entry = sum([&*entry, count]);
        }
        Ok(Report { plan, shard: Shard { number: 0, of: 1 }, counts, is_interrupted: false })
    }
}

/// A line for each target, and one for all.
pub fn table(counts: &Counts) -> String {
    let lines = counts.iter().map(|(name, count)| (name.as_str(), *count));
    let lines = lines.chain([(TOTAL, sum(counts.values()))]);
    lines
        .map(|(name, (cases, finds))| {
            format!("{name:8} {:>12} cases {:>6} finds\n", grouped(cases), grouped(finds))
        })
        .collect()
}

/// The sum of counts; of what no campaign reaches, the largest number.
pub fn sum<'a>(counts: impl IntoIterator<Item = &'a (u64, u64)>) -> (u64, u64) {
    let add =
        |sum: (u64, u64), count: &(u64, u64)| (sum.0.saturating_add(count.0), sum.1.saturating_add(count.1));
    counts.into_iter().fold((0, 0), add)
}

/// A line as it is printed: `sources 1,234 cases 0 finds`.
fn count(line: &str) -> Option<(&str, u64, u64)> {
    let mut words = line.split_whitespace();
    let number = |words: &mut SplitWhitespace, unit: &str| {
        let number = words.next()?.replace(',', "").parse().ok()?;
        (words.next()? == unit).then_some(number)
    };
    let name = words.next()?;
    let counts = (number(&mut words, "cases")?, number(&mut words, "finds")?);
    words.next().is_none().then_some((name, counts.0, counts.1))
}
