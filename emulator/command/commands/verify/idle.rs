//! Contracts of macros and routines that are never copies_with_calls. Each is proved in a copy of the program with an
//! additional call, so that it does not affect other verdicts.

use super::arguments::Arguments;
use crate::support::files::FileError;
use crate::support::program::{self, ProgramFile};
use gray1_assembler::{Contract, IdleCode, Program, Report};
use std::path::Path;

/// A copy of a program with a call of otherwise unused code.
pub struct CopyWithCall {
    /// The code that is called.
    code: IdleCode,
    pub program: Program,
    pub report: Report,
    /// The source, with the call at its end.
    pub text: String,
    /// The length of the source before the call.
    calls_from: usize,
}

/// Code that cannot be called with generated operands, and the error.
pub type CallError<'p> = (&'p IdleCode, String);

/// The size of each generated operand, in bytes.
const OPERAND_BYTES: usize = 4;

impl CopyWithCall {
    /// Returns the contract of the code.
    pub fn contract(&self) -> Option<&Contract> {
        let is_own = |contract: &&Contract| {
            contract.name == self.code.name
                && (self.code.parameters.is_none() || contract.span.start as usize >= self.calls_from)
        };
        self.program.contracts.iter().find(is_own)
    }
}

/// For each unused macro and routine with a contract, makes a copy of the program that calls it with generated
/// operands. If the copy does not assemble, returns its first error.
pub fn copies_with_calls<'p>(
    program: &'p Program,
    file: &Path,
    arguments: &Arguments,
) -> Result<Vec<Result<CopyWithCall, CallError<'p>>>, FileError> {
    let is_requested = |idle: &&IdleCode| arguments.names.is_empty() || arguments.names.contains(&idle.name);
    let mut all = Vec::new();
    if arguments.program_options.claim.is_some() {
        return Ok(all);
    }
    for code in program.idle.iter().filter(is_requested) {
        if file == Path::new("-") {
            all.push(Err((code, "standard input cannot be read again; give a file".to_owned())));
            continue;
        }
        let operands: Vec<String> =
            (0..code.parameters.unwrap_or_default()).map(|operand| format!("_proof_{operand}")).collect();
        let ram: String =
            operands.iter().map(|operand| format!(".ram {operand}, {OPERAND_BYTES}\n")).collect();
        let call = if code.parameters.is_none() { "call " } else { "" };
        let call = format!(
            "\n_proof_end: jmp _proof_end\n{ram}{call}{} {}\n jmp _proof_end\n",
            code.name,
            operands.join(", ")
        );
        let ProgramFile { path, mut bytes } = program::read(file)?;
        let calls_from = bytes.len();
        bytes.extend(call.into_bytes());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut message = String::new();
        let mut keep_first_error = |report: &Report| {
            let error = report.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            message = error.map(|error| error.message.clone()).unwrap_or_default();
        };
        let assembled = arguments.assembler.assemble(ProgramFile { path, bytes }, &mut keep_first_error);
        all.push(match assembled {
            Ok((program, report)) => {
                Ok(CopyWithCall { code: code.clone(), program, report, text, calls_from })
            }
            Err(_) => Err((code, message)),
        });
    }
    Ok(all)
}
