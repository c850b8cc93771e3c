//! Runs all stages: from a root file to a program or its errors.

use crate::codes::ErrorCode;
use crate::diagnostic::{Diagnostic, Diagnostics, Report, Severity};
use crate::emit::{MachineCode, emit};
use crate::evaluate::build::Build;
use crate::expand::{PlacedProgram, Plan, Routine, expand};
use crate::index::Analysis;
use crate::library::Library;
use crate::lint::lint;
use crate::names::is_name;
use crate::options::Options;
use crate::program::Program;
use crate::source::{Loader, Span};
use crate::syntax::Statement;
use gray1_isa::Opcode;
use gray1_isa::memory_map::BUILT_IN_NAMES;
use hashbrown::HashSet;

/// The maximum number of passes until the call counts agree.
const MAX_PASSES: usize = 11;
/// After this many passes, the parts of every `.when` keep their order, so that the call counts settle.
const MAX_SWAPPING_PASSES: usize = 5;

/// The outcome of assembling a program.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program, if there was no error.
    pub program: Option<Program>,
    /// All errors and warnings, and the sources.
    pub report: Report,
}

/// Assembles a program from its root file and the files it includes.
pub fn assemble(loader: &dyn Loader, root: &str, options: &Options) -> Assembly {
    let (mut expanded, emitted) = match build(loader, root, options) {
        Ok(built) => built,
        Err(mut library) => return Assembly { program: None, report: library.report(options) },
    };
    let program = (!expanded.build.has_errors()).then(|| Program::new(&mut expanded, emitted));
    let report = expanded.into_library().report(options);
    // A warning may have been made an error.
    Assembly { program: program.filter(|_| !report.has_errors()), report }
}

/// Analyses a program for an editor, even if it has errors. If the root file cannot be read, there is only the report.
pub fn analyze(loader: &dyn Loader, root: &str, options: &Options) -> Result<Analysis, Report> {
    match build(loader, root, options) {
        Ok((expanded, emitted)) => Ok(Analysis::new(expanded, emitted, options)),
        Err(mut library) => Err(library.report(options)),
    }
}

/// Runs all stages, and reports all errors and warnings.
fn build<'a>(
    loader: &'a dyn Loader,
    root: &str,
    options: &Options,
) -> Result<(PlacedProgram<'a>, MachineCode), Box<Library<'a>>> {
    let mut library = Library::new(loader);
    check_constants(&options.constants, &mut library.diagnostics);
    let Some(root) = library.root(root) else { return Err(library.into()) };
    let mut expanded = expand_until_settled(library, root, options);
    let mut emitted = emit(&mut expanded);
    let has_idle = expanded.routines.iter().any(|routine| is_idle(routine, &expanded.build.library));
    if has_idle && !expanded.build.has_errors() && !expanded.build.is_stopped() {
        expanded = check_idle_routines(expanded, root, options);
        emitted = emit(&mut expanded);
    }
    if expanded.build.is_stopped() {
        expanded.build.diagnostics.push(Diagnostic::error(
            ErrorCode::Stopped,
            None,
            "stopped before the end of the program",
            "",
        ));
    }
    lint(&mut expanded, &emitted);
    Ok((expanded, emitted))
}

/// Rejects predefined constants that no program could define.
fn check_constants(constants: &[(String, i64)], diagnostics: &mut Diagnostics) {
    for (index, (name, _)) in constants.iter().enumerate() {
        let is_built_in = BUILT_IN_NAMES.iter().any(|(built_in, _)| built_in == name);
        let reason = match name.as_str() {
            _ if is_built_in => "it is built in",
            "here" => "it is the current sequence number",
            _ if Opcode::from_mnemonic(name).is_some() => "it is an instruction",
            _ if !is_name(name) => "it is not a name",
            _ if constants[..index].iter().any(|(other, _)| other == name) => "it is defined already",
            _ => continue,
        };
        let message = format!("`{name}` cannot be defined from outside: {reason}");
        diagnostics.push(Diagnostic::error(ErrorCode::BadDefinition, None, message, ""));
    }
}

/// Expands until every routine is assembled for as many calls as it has, and every `.when` for its length.
fn expand_until_settled<'a>(library: Library<'a>, root: u32, options: &Options) -> PlacedProgram<'a> {
    let mut plan = Plan::default();
    let mut expanded = expand(Build::new(library, &options.constants), root, &plan);
    for pass in 1..MAX_PASSES {
        if expanded.build.is_stopped() || !expanded.needs_another_pass(&plan) {
            return expanded;
        }
        plan = expanded.plan;
        plan.keeps_order = pass > MAX_SWAPPING_PASSES;
        expanded = expand(Build::new(expanded.build.library, &options.constants), root, &plan);
    }
    if expanded.needs_another_pass(&plan) {
        let message =
            "the number of calls of a routine depends on the length of its code, and does not settle";
        expanded.build.diagnostics.push(Diagnostic::error(ErrorCode::UnsettledCalls, None, message, ""));
    }
    expanded
}

/// Whether a routine of the program is never called. Routines of the library are tested where it is developed.
fn is_idle(routine: &Routine, library: &Library) -> bool {
    routine.return_addresses.is_empty() && !library.is_of_library(routine.span.file)
}

/// Reports the errors in routines that are never called: assembles them as if each were called once, and drops their code.
fn check_idle_routines<'a>(expanded: PlacedProgram<'a>, root: u32, options: &Options) -> PlacedProgram<'a> {
    let PlacedProgram { build, routines, plan, .. } = expanded;
    let idle: Vec<&Routine> = routines.iter().filter(|routine| is_idle(routine, &build.library)).collect();
    let statements = build.library.syntax.statements.iter();
    let begins_idle = |statement: &&Statement| idle.iter().any(|routine| routine.span == statement.span);
    let ends = statements.filter(begins_idle).map(|statement| {
        let end = build.library.syntax.statements[statement.end as usize].span.end;
        Span { end, ..statement.span }
    });
    let bodies: Vec<Span> = ends.collect();
    let mut counts = plan.counts.clone();
    counts.0.get_or_insert_default().extend(idle.iter().map(|routine| (routine.name, 1)));
    let trial = Plan { counts, otherwise: Vec::new(), keeps_order: true };
    let mut trial = expand(Build::new(build.library, &options.constants), root, &trial);
    emit(&mut trial);
    let Build { library, diagnostics, .. } = trial.build;
    let mut expanded = expand(Build::new(library, &options.constants), root, &plan);
    diagnostics.errors_in(&bodies).for_each(|error| expanded.build.diagnostics.push(error));
    expanded
}

impl<'a> PlacedProgram<'a> {
    /// Returns the files, with all diagnostics of the program.
    pub(crate) fn into_library(self) -> Library<'a> {
        let Build { mut library, diagnostics, .. } = self.build;
        library.diagnostics.append(diagnostics);
        library
    }
}

impl Library<'_> {
    /// Makes the report: applies the options and `.allow` to all diagnostics.
    pub(crate) fn report(&mut self, options: &Options) -> Report {
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let severity = |diagnostic: &Diagnostic| {
            let Severity::Warning(warning) = diagnostic.severity else { return Some(Severity::Error) };
            // A diagnostic that belongs to no particular file is about the program.
            let file = diagnostic.span.map_or(0, |span| span.file);
            match warning {
                _ if options.denied.contains(&warning) => Some(Severity::Error),
                _ if options.silenced.contains(&warning) || self.allows(file, warning) => None,
                _ if options.all_denied => Some(Severity::Error),
                _ => Some(diagnostic.severity),
            }
        };
        let mut diagnostics = diagnostics.finish(severity);
        // A wrong argument may cause several errors in an idiom: the first one is reported.
        let mut calls = HashSet::new();
        diagnostics.retain_mut(|diagnostic| {
            let is_moved = diagnostic.show_caller(|file| self.is_of_library(file));
            let call: Vec<_> = diagnostic.chain.iter().map(|expansion| expansion.span).collect();
            !is_moved || !diagnostic.is_error() || calls.insert((diagnostic.span, call))
        });
        Report { diagnostics, sources: std::mem::take(&mut self.sources) }
    }
}
