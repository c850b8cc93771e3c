//! The command `gray1-fuzz`: runs random cases and reports the number of cases and of failures.
//!
//! ```text
//!   exit code 0  no case failed
//!             1  a case failed, or an error
//!             2  a wrong command line
//!           130  interrupted
//! ```

use clap::Parser;
use gray1_fuzz::campaign::{Campaign, failure};
use gray1_fuzz::{TARGETS, Target};
use gray1_text::{grouped, visible, visible_lines};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, panic, process, thread};

/// The time limit of a case. It allows for a busy computer.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Test everything that reads untrusted input with random cases, and compare the engines with each other
#[derive(Parser)]
#[command(name = "gray1-fuzz")]
struct Arguments {
    /// Run the cases of these targets only: sources, images, states, boards, commands, requests, messages, editing,
    /// engines
    #[arg(value_parser = TARGETS.map(|target| target.name))]
    targets: Vec<String>,
    /// Stop after N cases
    #[arg(long, value_name = "N", default_value_t = 10_000, conflicts_with = "minutes")]
    cases: u64,
    /// Stop after M minutes instead of after a number of cases
    #[arg(long, value_name = "M")]
    minutes: Option<u64>,
    /// The seed of the random cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write failing cases to this folder
    #[arg(long, value_name = "DIR", default_value = "finds")]
    finds: PathBuf,
    /// Write the case with this number to standard output and exit
    #[arg(long, value_name = "NUMBER")]
    show: Option<u64>,
    /// Run the cases in these files on the given target
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "targets")]
    replay: Vec<PathBuf>,
}

/// The number of cases and of failures, by target.
type Counts = BTreeMap<&'static str, (u64, u64)>;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "gray1-fuzz: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let campaign = Campaign::new(arguments.seed, &arguments.targets);
    if let Some(number) = arguments.show {
        io::stdout().write_all(&campaign.case(number).1)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !arguments.replay.is_empty() {
        let target = TARGETS.iter().find(|target| arguments.targets == [target.name]);
        return replay(target.ok_or("`--replay` needs exactly one target")?, &arguments.replay);
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    panic::set_hook(Box::new(|_| ())); // failures are printed below
    let (begun, current) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    watch(&current, arguments.seed);
    let mut counts = Counts::new();
    let mut is_interrupted = false;
    for number in 0.. {
        let is_over = match arguments.minutes {
            Some(minutes) => begun.elapsed() >= Duration::from_secs(minutes.saturating_mul(60)),
            None => number >= arguments.cases,
        };
        is_interrupted = !is_over && stop.load(Ordering::Relaxed);
        if is_over || is_interrupted {
            break;
        }
        current.store(number, Ordering::Relaxed);
        let (target, find) = campaign.run(number);
        let count = counts.entry(target.name).or_default();
        count.0 += 1;
        if let Some(find) = find {
            count.1 += 1;
            fs::create_dir_all(&arguments.finds)?;
            let path = arguments.finds.join(format!("{}-{}-{number}", find.target, arguments.seed));
            fs::write(&path, &find.case).map_err(|error| format!("{}: {error}", name(&path)))?;
            let _ = writeln!(io::stderr(), "{}: {}", name(&path), visible_lines(&find.message));
        }
    }
    let _ = writeln!(io::stderr(), "{} seconds", begun.elapsed().as_secs());
    let code = print(&counts)?;
    Ok(if is_interrupted { ExitCode::from(130) } else { code })
}

/// Ends the process if a case exceeds the time limit.
fn watch(current: &Arc<AtomicU64>, seed: u64) {
    let current = Arc::clone(current);
    thread::spawn(move || {
        let mut since = (u64::MAX, Instant::now());
        loop {
            thread::sleep(Duration::from_secs(1));
            let number = current.load(Ordering::Relaxed);
            if since.0 != number {
                since = (number, Instant::now());
            } else if since.1.elapsed() > TIMEOUT {
                let seconds = TIMEOUT.as_secs();
                let message = format!(
                    "case {number} of seed {seed} takes more than {seconds} seconds; --show writes it"
                );
                let _ = writeln!(io::stderr(), "gray1-fuzz: {message}");
                process::exit(1);
            }
        }
    });
}

fn replay(target: &Target, files: &[PathBuf]) -> Result<ExitCode, Box<dyn Error>> {
    let mut counts = Counts::new();
    let count = counts.entry(target.name).or_default();
    for path in files {
        let case = fs::read(path).map_err(|error| format!("{}: {error}", name(path)))?;
        count.0 += 1;
        if let Some(message) = failure(target, &case) {
            count.1 += 1;
            let _ = writeln!(io::stderr(), "{}: {}", name(path), visible_lines(&message));
        }
    }
    print(&counts)
}

/// A path for messages, with control characters escaped.
fn name(path: &Path) -> String {
    visible(&path.display().to_string()).into_owned()
}

/// Prints a line for each target and a line for the sum.
fn print(counts: &Counts) -> Result<ExitCode, Box<dyn Error>> {
    let all = counts.values().fold((0, 0), |all, count| (all.0 + count.0, all.1 + count.1));
    for (name, (cases, finds)) in counts.iter().chain([(&"all", &all)]) {
        writeln!(io::stdout(), "{name:8} {:>12} cases {:>6} finds", grouped(*cases), grouped(*finds))?;
    }
    Ok(if all.1 == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
