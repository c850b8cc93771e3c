//! The sentences of a report: the violation, the cycles, the reason for an undecided verdict.

use crate::contracts::Obstacle;
use crate::contracts::final_values::name_of;
use crate::contracts::proof::{Doubt, Proof};
use crate::contracts::violation::Violation;
use gray1_assembler::{Contract, ExpansionKind, Program, Sources, Span};
use gray1_text::{counted, grouped};

/// Describes results with the names and lines of a program.
pub struct Wording<'a> {
    pub program: &'a Program,
    pub sources: &'a Sources,
    /// The contract; `None` for a claim.
    pub contract: Option<&'a Contract>,
}

impl Wording<'_> {
    /// Returns the line of a span, as `FILE:LINE`.
    pub fn line(&self, span: Span) -> String {
        let position = self.sources.position(span);
        format!("{}:{}", position.file, position.line)
    }

    /// Returns the line of a word; in a macro also the line that calls the macro.
    pub fn line_of_word(&self, at: u16) -> Option<String> {
        let word = self.program.words.iter().find(|word| word.sequence == at)?;
        let line = self.line(word.span);
        let calls = self.program.chain(word).filter(|outer| outer.kind != ExpansionKind::Include);
        Some(match calls.last().map(|outer| self.line(outer.span)) {
            Some(caller) if caller != line => format!("{line}, for {caller},"),
            _ => line,
        })
    }

    fn location(&self, at: u16) -> String {
        self.line_of_word(at).unwrap_or_else(|| format!("word {at}"))
    }

    /// Describes a violation.
    pub fn violation(&self, violation: Violation) -> String {
        let promise = self.contract.and_then(|contract| violation.promise(contract));
        let line = promise.map(|promise| format!(" ({})", self.line(promise.span))).unwrap_or_default();
        let name = |address: u16| name_of(address, self.program);
        let broken = |clause: &str| format!("`{clause}` does not hold{line}");
        let unnamed = |what: &str| format!("{what} is changed, but `.modifies` does not name it");
        let store = |number: usize| format!("store {} to display or port", number + 1);
        let noisy =
            |what: &str, address: u16| format!("{what} depends on what `{}` held at power-up", name(address));
        match violation {
            Violation::Ensures(_) => broken(".ensures"),
            Violation::Invariant(_) => broken(".invariant"),
            Violation::Check(_) => broken(".check"),
            Violation::Variant(_) => format!("`.variant` is not a decreasing byte{line}"),
            Violation::Byte(address) => unnamed(&format!("`{}`", name(address))),
            Violation::A => unnamed("A"),
            Violation::C => unnamed("C"),
            Violation::Within => "it takes too many cycles".to_owned(),
            Violation::Halts => "the machine halts before control returns, in spite of `.within`".to_owned(),
            Violation::Endless(at) => format!("it can stay for ever in the loop at word {at}"),
            Violation::NoisyStore(number, address) => noisy(&store(number), address),
            Violation::NoisyHalt(address) => noisy("whether the machine halts", address),
            Violation::NoisyByte(kept, address) => noisy(&format!("`{}`", name(kept)), address),
            Violation::StoresDiffer(number) => format!("{} differs", store(number)),
        }
    }

    /// Describes how long a contract takes that takes too long.
    pub fn excess(&self, proof: &Proof, cycles: u64) -> String {
        let limit = self.contract.and_then(|contract| contract.within).map_or(0, |(most, _)| most);
        let most = proof.cycles.as_ref().and_then(|cycles| cycles.most.as_ref());
        let allowed = format!("`.within` allows {}", grouped(limit));
        match (most, &proof.endless) {
            (_, Some((at, _))) => {
                let (at, limit) = (self.location(*at), counted(limit as usize, "cycle"));
                format!("it can stay in the loop at {at} for ever; `.within` allows {limit}")
            }
            (Some((most, _)), _) => format!("it takes up to {}; {allowed}", counted(*most as usize, "cycle")),
            _ => {
                let cycles = counted(cycles as usize, "cycle");
                format!("it takes at least {cycles}; {allowed}, and the maximum is not known")
            }
        }
    }

    /// Describes the reason for an undecided verdict.
    pub fn doubt(&self, doubt: &Doubt) -> String {
        let is_contract = self.contract.is_some();
        match doubt {
            Doubt::Limit(obstacle, head) => {
                let at = head.map(|head| {
                    format!(", last in the loop at {}", self.location(head).trim_end_matches(','))
                });
                let advice = match (obstacle, head) {
                    (Obstacle::TooLong(_) | Obstacle::Diagrams(_), Some(_)) if is_contract => {
                        ": an `.invariant` in it, or a `.requires` that bounds it, would help"
                    }
                    (Obstacle::Diagrams(_), None) if is_contract => {
                        ": a `.requires` that bounds the inputs would help"
                    }
                    _ => "",
                };
                format!("{obstacle}{}{advice}", at.unwrap_or_default())
            }
            Doubt::Invariant(violation, at) => format!(
                "this does not follow from the `.invariant` at {}: {}; strengthen the invariant",
                self.location(*at),
                self.violation(*violation)
            ),
            Doubt::Noise(at) => {
                format!("the store or the jump at {} may depend on noise", self.location(*at))
            }
            Doubt::Endless(at) => {
                format!(
                    "no concrete run confirms that it stays for ever in the loop at {}",
                    self.location(*at)
                )
            }
            Doubt::NotConfirmed(violation) => format!(
                "symbolic execution reports: {}; but the run of its counterexample does not confirm it, so this is a bug in gray1",
                self.violation(*violation)
            ),
            Doubt::Unbounded => {
                "the invariants do not imply that the loops end in time: a `.variant` beside each may help"
                    .to_owned()
            }
        }
    }

    /// Describes a loop in which a proved contract may stay for ever.
    pub fn endless(&self, at: u16) -> String {
        format!("it may stay in the loop at {} for ever", self.location(at))
    }
}
