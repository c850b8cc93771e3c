//! The sentences of a report: what is broken, how long something takes, why there is no verdict.

use crate::Obstacle;
use crate::final_values::name_of;
use crate::violation::Part;
use crate::proof::{Doubt, Proof};
use gray1_assembler::{Contract, Program, Span};
use gray1_text::{counted, grouped};

/// The broken part, as a clause.
pub fn broken(
    part: Part,
    contract: Option<&Contract>,
    program: &Program,
    place: &dyn Fn(Span) -> String,
) -> String {
    let promise = contract.and_then(|contract| part.promise(contract));
    let line = promise.map(|promise| format!(" ({})", place(promise.span))).unwrap_or_default();
    match part {
        Part::Ensures(_) => format!("`.ensures` does not hold{line}"),
        Part::Invariant(_) => format!("`.invariant` does not hold{line}"),
        Part::Check(_) => format!("`.check` does not hold{line}"),
        Part::Variant(_) => format!("`.variant` is not a byte that gets smaller{line}"),
        Part::Byte(address) => {
            format!("`{}` is changed, which `.modifies` does not name", name_of(address, program))
        }
        Part::A => "A is changed, which `.modifies` does not name".to_owned(),
        Part::C => "C is changed, which `.modifies` does not name".to_owned(),
        Part::Within => "it takes too many cycles".to_owned(),
        Part::Halts => "the machine halts before control comes back, in spite of `.within`".to_owned(),
        Part::Endless(at) => format!("it can stay for ever in the loop at word {at}"),
        Part::Shown(number, address) => format!(
            "store {} to display or port depends on what `{}` held at power-up",
            number + 1,
            name_of(address, program)
        ),
        Part::HaltOfNoise(address) => {
            format!(
                "whether the machine halts depends on what `{}` held at power-up",
                name_of(address, program)
            )
        }
        Part::Kept(kept, address) => format!(
            "`{}` depends on what `{}` held at power-up",
            name_of(kept, program),
            name_of(address, program)
        ),
        Part::Differs(number) => format!("store {} to display or port is not the same", number + 1),
    }
}

/// The cycles of a contract that takes too long.
pub fn too_long(
    contract: &Contract,
    proof: &Proof,
    cycles: u64,
    line: &dyn Fn(u16) -> Option<String>,
) -> String {
    let limit = contract.within.map_or(0, |(most, _)| most);
    let most = proof.cycles.as_ref().and_then(|cycles| cycles.most.as_ref());
    match (most, &proof.endless) {
        (_, Some((at, _))) => {
            let at = line(*at).unwrap_or_else(|| format!("word {at}"));
            format!(
                "it can stay in the loop at {at} for ever; `.within` allows {}",
                counted(limit as usize, "cycle")
            )
        }
        (Some((most, _)), _) => {
            format!(
                "it takes up to {}; `.within` allows {}",
                counted(*most as usize, "cycle"),
                grouped(limit)
            )
        }
        _ => format!(
            "it takes at least {}; `.within` allows {}, and the maximum is not known",
            counted(cycles as usize, "cycle"),
            grouped(limit)
        ),
    }
}

/// The reason for an undecided verdict.
pub fn why(
    doubt: &Doubt,
    is_contract: bool,
    line: &dyn Fn(u16) -> Option<String>,
    broken: &dyn Fn(Part) -> String,
) -> String {
    let line = |at: u16| line(at).unwrap_or_else(|| format!("word {at}"));
    match doubt {
        Doubt::Limit(obstacle, head) => {
            let at = head.map(|head| format!(", last in the loop at {}", line(head).trim_end_matches(',')));
            let advice = match (obstacle, head) {
                (Obstacle::TooLong(_) | Obstacle::Diagrams(_), Some(_)) if is_contract => {
                    ": an `.invariant` in it, or a `.requires` that bounds it, would help"
                }
                (Obstacle::Diagrams(_), None) if is_contract => {
                    ": a `.requires` that bounds the inputs, or a solver for the question of `--smt`, would help"
                }
                _ => "",
            };
            format!("{obstacle}{}{advice}", at.unwrap_or_default())
        }
        Doubt::Invariant(part, at) => format!(
            "this does not follow from the `.invariant` at {}: {}; say more there",
            line(*at),
            broken(*part)
        ),
        Doubt::Noise(at) => {
            format!("what is stored, or where it goes on, at {} may depend on noise", line(*at))
        }
        Doubt::Endless(at) => {
            format!("no run shows whether it stays for ever in the loop at {}", line(*at))
        }
        Doubt::NotConfirmed(part) => format!(
            "the symbolic execution says: {}; but the run of its counterexample does not, so this is a fault of gray1",
            broken(*part)
        ),
        Doubt::Unbounded => {
            "that the loops end in time does not follow from the invariants: a `.variant` beside each may help".to_owned()
        }
    }
}
