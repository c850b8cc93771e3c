//! A program that has been assembled, and one run of it for a case.

use crate::Refusal;
use crate::statement::{Fault, Statement};
use crate::verdict::and;
use gray1_assembler::ShippedProgram;
use gray1_assembler::{Contract, MemoryLoader, Options, Program, SymbolKind, assemble};
use gray1_contracts::{Input, Limits, Prover, Witness};
use gray1_isa::Image;
use gray1_machine::{Outside, State};

/// The default number of cycles in which a program has to halt.
pub const MOST_CYCLES: u64 = 20_000;
/// At most this many of the bytes that a program sends are kept.
const MOST_BYTES: usize = 1_000;

/// A program, of a student or of a lesson.
#[derive(Clone, Debug)]
pub struct Assembled(Program);

/// The result of a run.
pub struct Ran {
    /// The bytes that were sent.
    pub sent: Vec<u8>,
    /// The machine at the end.
    pub state: State,
}

impl Assembled {
    /// The program of a source, or the assembler's messages about it. It may include the files that come with the page.
    pub fn new(source: &str) -> Result<Assembled, Refusal> {
        let shipped = ShippedProgram::all().map(|program| (program.file, program.text));
        let files = MemoryLoader::new(shipped.chain([("program.g1", source)]));
        let assembly = assemble(&files, "program.g1", &Options::default());
        let report = assembly.report.render(false);
        let program = assembly.program.map(Assembled);
        Ok(program
            .ok_or_else(|| format!("The assembler does not accept this program:\n\n{}", report.trim_end()))?)
    }

    /// The program that a lesson gives.
    pub fn given(statement: &Statement, given: Option<&str>) -> Result<Assembled, Fault> {
        let given =
            given.ok_or_else(|| statement.fault("after this exercise comes its program: ```g1 given"))?;
        Assembled::new(given).map_err(|Refusal(report)| statement.fault(report))
    }

    /// The contents of the program chips.
    pub fn image(&self) -> &Image {
        &self.0.image
    }

    /// How many words it has.
    pub fn words(&self) -> usize {
        self.0.words.len()
    }

    /// What it promises.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.0.contracts.iter()
    }

    /// Proves what it promises.
    pub fn prover(&self, limits: Limits) -> Prover<'_> {
        Prover::new(&self.0, limits)
    }

    /// What matters of RAM at a moment, in words: `x = 128 and y = 128`.
    pub fn input(&self, moment: &Witness) -> String {
        let ram = Input::new(moment, &self.0).ram;
        let bytes: Vec<String> = ram.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if bytes.is_empty() { "every input".to_owned() } else { and(&bytes) }
    }

    /// The address of a byte that the program names.
    pub fn address(&self, name: &str) -> Result<usize, Refusal> {
        let mut symbols = self.0.symbols.iter();
        let symbol = symbols.find(|symbol| symbol.name == name && symbol.kind == SymbolKind::Ram);
        let symbol = symbol.ok_or_else(|| {
            format!(
                "Your program has no byte `{name}`, which the exercise needs: keep the line `.ram  {name}`."
            )
        })?;
        Ok(symbol.value as usize)
    }
}

/// The bytes that a program sends, up to a limit.
#[derive(Default)]
pub struct Sent(pub Vec<u8>);

impl Outside for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        if self.0.len() < MOST_BYTES {
            self.0.push(byte);
        }
    }
}
