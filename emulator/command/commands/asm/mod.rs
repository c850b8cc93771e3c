//! `gray1 asm`: assembles a source and writes the program in one of several formats.

mod message;
mod watch;

use crate::commands::run::profile::read_profile;
use crate::ending::Ending;
use crate::support::choice::{self, format};
use crate::support::files::{forget_read, shown};
use crate::support::interrupt::Interrupt;
use crate::support::known;
use crate::support::output::{Output, put};
use crate::support::program;
use crate::support::source::{AssemblerArguments, Callbacks, SourceError, say_text, show, with_ending};
use crate::tell::{tell, usage};
use clap::ValueEnum;
use gray1_assembler::{Program, Report, Sources, intel_hex};
use gray1_machine::program_mark;
use gray1_text::counted;
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use watch::Watched;

#[derive(clap::Args)]
pub struct Arguments {
    /// The source, or `-` for standard input
    #[arg(value_parser = known::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Where to write; `-` is standard output
    ///
    /// By default FILE with `.bin` for an image, and standard output for a listing and for symbols. The two program
    /// chips are written as two files, PATH.progl.bin and PATH.progh.bin (or `.hex`); their default PATH is FILE
    /// without its extension.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = ImageFormat::Bin)]
    format: ImageFormat,
    /// Show in the listing how often each word ran, from a file written by `gray1 run --profile FILE.json`
    #[arg(long, value_name = "FILE.json")]
    profile: Option<PathBuf>,
    /// The format of errors and warnings on standard error
    #[arg(long, value_parser = format("One JSON object a line"), value_name = "FORMAT", default_value = "text")]
    message_format: choice::Format,
    /// Assemble again whenever a file that was read changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ImageFormat {
    /// An image: 4,096 words in sequence order, low byte first
    Bin,
    /// The two program chips as Intel HEX, in physical order
    Hex,
    /// The two program chips, in physical order
    Prom,
    /// Words, addresses, source lines and costs
    Listing,
    /// Names and source positions, in RON
    Symbols,
}

pub fn asm(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if arguments.profile.is_some() && arguments.format != ImageFormat::Listing {
        usage("--profile needs --format listing, which shows the counts");
    }
    let file = arguments.file.as_path();
    let job = Job { arguments, file, output: output_path(arguments, file) };
    if !arguments.watch {
        return job.once(&|| false, &RefCell::default());
    }
    if file == Path::new("-") {
        usage("standard input cannot be watched: give a file");
    }
    let interrupt = Interrupt::listen()?;
    let is_stopped = || interrupt.flag().load(Ordering::Relaxed);
    loop {
        let watched = RefCell::new(Watched::default());
        match job.once(&is_stopped, &watched) {
            // A file that cannot be read or written now may be fine after the next change.
            Err(error) if !is_stopped() && !error.is::<SourceError>() => tell(format_args!("gray1: {error}")),
            _ => {}
        }
        let watched = watched.into_inner();
        if arguments.message_format == choice::Format::Text && !is_stopped() {
            tell(format_args!("watching {}; Ctrl-C ends", counted(watched.present().count(), "file")));
        }
        if !watched.wait(interrupt.flag()) {
            return Ok(Ending::Interrupted);
        }
        forget_read();
    }
}

/// A source to assemble, and the path of the output.
struct Job<'a> {
    arguments: &'a Arguments,
    file: &'a Path,
    output: PathBuf,
}

impl Job<'_> {
    /// Assembles the source and writes what was asked for.
    fn once(
        &self,
        is_stopped: &dyn Fn() -> bool,
        watched: &RefCell<Watched>,
    ) -> Result<Ending, Box<dyn Error>> {
        let Job { arguments, file, output } = self;
        let is_json = arguments.message_format == choice::Format::Json;
        let mut say = |report: &Report| match arguments.message_format {
            choice::Format::Text => show(report),
            choice::Format::Json => say_text(&message::lines(report)),
        };
        let looked_for = |path: &Path| watched.borrow_mut().add(path);
        looked_for(file);
        if file.extension().is_none() {
            looked_for(&program::with_ending(file));
        }
        let found = program::read(file)?;
        looked_for(&found.path);
        let reading = Callbacks { is_stopped, looked_for: &looked_for, ..Callbacks::new(&mut say) };
        let (program, report) = match arguments.assembler.assemble(found, reading) {
            Err(_) if is_json => return Ok(Ending::NotAssembled),
            assembled => assembled?,
        };
        let sources = &report.sources;
        match arguments.format {
            ImageFormat::Bin => put(output, &program.image.to_bytes())?,
            ImageFormat::Listing => put(output, self.listing(&program, sources)?.as_bytes())?,
            ImageFormat::Symbols => put(output, program.symbol_file(sources).as_bytes())?,
            ImageFormat::Prom => put_two(output, "bin", &program.image.to_proms())?,
            ImageFormat::Hex => put_two(output, "hex", &intel_hex(&program.image))?,
        }
        if !is_json {
            let words = counted(program.words.len(), "word");
            let bytes = counted(program.ram_bytes() as usize, "RAM byte");
            let warnings = counted(report.diagnostics.len(), "warning");
            tell(format_args!("{}: {words}, {bytes}, {warnings}", shown(file)));
        }
        Ok(Ending::Done)
    }

    /// The listing, with the counts of a profile if there is one.
    fn listing(&self, program: &Program, sources: &Sources) -> Result<String, Box<dyn Error>> {
        let Some(path) = &self.arguments.profile else { return Ok(program.listing(sources)) };
        let profile = read_profile(path)?;
        if profile.program != program_mark(&program.image) {
            let (path, file) = (shown(path), shown(self.file));
            return Err(format!(
                "{path}: the profile of another program than {file} is now: write it again with `gray1 run \
                 --profile`"
            )
            .into());
        }
        let counts: HashMap<u16, u64> = profile.words.iter().map(|word| (word.number, word.count)).collect();
        let count = |number| counts.get(&number).copied().unwrap_or(0);
        Ok(program.listing_with(sources, Some(&count)))
    }
}

/// The two chips that hold the program.
const CHIPS: [&str; 2] = ["progl", "progh"];

fn chip_path(path: &Path, chip: &str, ending: &str) -> PathBuf {
    with_ending(path, &format!(".{chip}.{ending}"))
}

/// Writes the contents of the two program chips: both files, or none.
fn put_two<T: AsRef<[u8]>>(path: &Path, ending: &str, contents: &[T; 2]) -> Result<(), Box<dyn Error>> {
    let mut outputs = Vec::new();
    for (chip, bytes) in CHIPS.into_iter().zip(contents) {
        let mut output = Output::create(&chip_path(path, chip, ending))?;
        output.write(bytes.as_ref())?;
        outputs.push(output);
    }
    for output in outputs {
        output.finish()?;
    }
    Ok(())
}

/// The path to write to. Exits with a usage error if it cannot be derived from the options.
fn output_path(arguments: &Arguments, file: &Path) -> PathBuf {
    let two_files = matches!(arguments.format, ImageFormat::Prom | ImageFormat::Hex);
    let standard = Path::new("-");
    match &arguments.output {
        Some(path) if two_files && path == standard => {
            usage("two files cannot go to standard output: give a PATH")
        }
        Some(path) => path.clone(),
        None if matches!(arguments.format, ImageFormat::Listing | ImageFormat::Symbols) => {
            standard.to_owned()
        }
        None if file == standard => usage("a source from standard input has no name: give an output with -o"),
        None if two_files => file.with_extension(""),
        None => file.with_extension("bin"),
    }
}
