//! An assembled program, and the results of a run.

use crate::Refusal;
use crate::statement::{Fault, Statement};
use crate::verdict::join_and;
use gray1_assembler::ShippedProgram;
use gray1_assembler::{Contract, MemoryLoader, Options, Program, SymbolKind, assemble};
use gray1_isa::Image;
use gray1_machine::{OutputSink, State};
use gray1_proof::contracts::{Input, Limits, Prover, Witness};

/// The default for the maximum number of cycles of a run.
pub const DEFAULT_MAX_CYCLES: u64 = 20_000;
/// Records at most this many of the bytes that a program sends.
const MAX_RECORDED_BYTES: usize = 1_000;

/// A program of a student or of a lesson.
#[derive(Clone, Debug)]
pub struct AssembledProgram(Program);

/// The result of a run.
pub struct RunResult {
    /// The bytes that the program sent.
    pub sent: Vec<u8>,
    /// The final state of the machine.
    pub state: State,
}

impl AssembledProgram {
    /// Assembles a source, which may include the shipped programs. An error contains the assembler's messages.
    pub fn new(source: &str) -> Result<AssembledProgram, Refusal> {
        let shipped = ShippedProgram::all().map(|program| (program.file, program.text));
        let files = MemoryLoader::new(shipped.chain([("program.g1", source)]));
        let assembly = assemble(&files, "program.g1", &Options::default());
        let report = assembly.report.render(false);
        let program = assembly.program.map(AssembledProgram);
        Ok(program
            .ok_or_else(|| format!("The assembler does not accept this program:\n\n{}", report.trim_end()))?)
    }

    /// Assembles the program that belongs to an exercise.
    pub fn from_lesson(statement: &Statement, given: Option<&str>) -> Result<AssembledProgram, Fault> {
        let given = given
            .ok_or_else(|| statement.fault("this exercise must be followed by its program: ```g1 given"))?;
        AssembledProgram::new(given).map_err(|Refusal(report)| statement.fault(report))
    }

    /// Returns the contents of the program chips.
    pub fn image(&self) -> &Image {
        &self.0.image
    }

    /// Returns the number of words.
    pub fn word_count(&self) -> usize {
        self.0.words.len()
    }

    /// Lists the contracts of the program.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.0.contracts.iter()
    }

    /// Makes a prover of the contracts.
    pub fn prover(&self, limits: Limits) -> Prover<'_> {
        Prover::new(&self.0, limits)
    }

    /// Describes the relevant bytes of RAM in a counterexample: `x = 128 and y = 128`.
    pub fn describe_input(&self, witness: &Witness) -> String {
        let ram = Input::new(witness, &self.0).ram;
        let bytes: Vec<String> = ram.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if bytes.is_empty() { "every input".to_owned() } else { join_and(&bytes) }
    }

    /// Finds the address of a byte by its name.
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

/// Records the bytes that a program sends, up to a limit.
#[derive(Default)]
pub struct SentBytes(pub Vec<u8>);

impl OutputSink for SentBytes {
    fn output(&mut self, _cycle: u64, byte: u8) {
        if self.0.len() < MAX_RECORDED_BYTES {
            self.0.push(byte);
        }
    }
}
