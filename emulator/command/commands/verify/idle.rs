//! Contracts of macros and routines that nothing calls. Each is judged in a copy of the program with one call more, so it
//! makes no difference to the verdicts of others.

use super::arguments::Arguments;
use crate::support::files::FileError;
use crate::support::program::{self, ProgramFile};
use crate::support::source::Callbacks;
use gray1_assembler::{Contract, IdleCode, Program, Report};
use std::path::Path;

/// A copy of a program that calls code which the program itself does not call.
pub struct Called {
    /// The code that is called.
    code: IdleCode,
    pub program: Program,
    pub report: Report,
    /// The source, with the call at its end.
    pub text: String,
    /// The length of the source before the call.
    calls_from: usize,
}

/// Code that cannot be called with operands of its own, and the error.
pub type CallError<'p> = (&'p IdleCode, String);

/// The bytes of an operand of a macro that is called only to be proved.
const OPERAND_BYTES: usize = 4;

impl Called {
    /// The contract of the code.
    pub fn contract(&self) -> Option<&Contract> {
        let is_own = |contract: &&Contract| {
            contract.name == self.code.name
                && (self.code.parameters.is_none() || contract.span.start as usize >= self.calls_from)
        };
        self.program.contracts.iter().find(is_own)
    }
}

/// For each macro and routine that promises something and is never called: a copy of the program that calls it with bytes
/// of its own as operands, or the first error of that copy.
pub fn called<'p>(
    program: &'p Program,
    file: &Path,
    arguments: &Arguments,
) -> Result<Vec<Result<Called, CallError<'p>>>, FileError> {
    let is_wanted = |idle: &&IdleCode| arguments.names.is_empty() || arguments.names.contains(&idle.name);
    let mut all = Vec::new();
    if arguments.of_program.claim.is_some() {
        return Ok(all);
    }
    for code in program.idle.iter().filter(is_wanted) {
        if file == Path::new("-") {
            all.push(Err((code, "standard input cannot be read again; name a file".to_owned())));
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
        let mut say = |report: &Report| {
            let error = report.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            message = error.map(|error| error.message.clone()).unwrap_or_default();
        };
        let assembled = arguments.assembler.assemble(ProgramFile { path, bytes }, Callbacks::new(&mut say));
        all.push(match assembled {
            Ok((program, report)) => Ok(Called { code: code.clone(), program, report, text, calls_from }),
            Err(_) => Err((code, message)),
        });
    }
    Ok(all)
}
