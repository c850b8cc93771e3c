//! Conditional jumps: the shortest known sequences for conditions that are evaluated at run time.
//!
//! A flag needs one jump, or two if it has to be 0, because there are only `JC` and `JZ`:
//!
//! ```text
//!   if carry:  jc target          if !carry:  jc no
//!                                             jmp target
//!                                       no:
//! ```
//!
//! A comparison loads a byte, unless it compares A, and changes A and C.

use super::expander::Expander;
use super::words::{Compared, Content};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::byte;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Comparison, Condition, Operand, OperandValue};
use crate::table::SymbolKind;
use gray1_isa::{Opcode, Word};

/// A piece of the code for a condition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Word(Content),
    /// A jump to the target, or to one of the condition's own labels.
    Jump(Opcode, Option<usize>),
    /// The position of one of the condition's own labels.
    Label(usize),
    /// A comparison that has changed A ends here.
    Compared,
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
enum Side {
    Accumulator,
    Byte(Operand),
    Constant(Operand, u8),
}

/// The work of a condition, or of a part of one.
const CONDITION_WORK: u64 = 16;

/// `NOR #0`: A ← NOT A.
const INVERT: Content = Content::Fixed(Word::constant(Opcode::Nor, 0));

/// Code that jumps to a target, or continues after its last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub steps: Vec<Step>,
    labels: usize,
}

/// The target of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Hidden(usize),
    /// The target of an instruction of the program.
    Written(Operand),
}

impl Branch {
    /// An unconditional jump to the target.
    pub fn jump() -> Branch {
        Branch { steps: vec![Step::Jump(Opcode::Jmp, None)], labels: 0 }
    }

    /// The number of its words.
    pub fn words(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Word(_) | Step::Jump(..))).count()
    }

    pub fn put(&mut self, contents: impl IntoIterator<Item = Content>) {
        self.steps.extend(contents.into_iter().map(Step::Word));
    }

    /// Jumps if the flag that `opcode` tests has the wanted value.
    fn jump_if(&mut self, opcode: Opcode, wanted: bool, target: Option<usize>) {
        if wanted {
            return self.steps.push(Step::Jump(opcode, target));
        }
        let no = self.new_label();
        self.steps.extend([Step::Jump(opcode, Some(no)), Step::Jump(Opcode::Jmp, target), Step::Label(no)]);
    }

    pub fn new_label(&mut self) -> usize {
        self.labels += 1;
        self.labels - 1
    }
}

impl Expander<'_, '_> {
    /// The code that jumps if a condition has the wanted value; `None` if that is not known yet, which has been
    /// reported.
    pub fn branch_if(&mut self, condition: u32, wanted: bool, who: &str) -> Option<Branch> {
        let mut branch = Branch::default();
        self.add_branch(&mut branch, condition, wanted, None, who)?;
        Some(branch)
    }

    /// Emits the code of a branch here.
    pub fn put_branch(&mut self, branch: &Branch, target: Target, span: Span) {
        self.build.work += branch.steps.len() as u64;
        let own: Vec<usize> = (0..branch.labels).map(|_| self.new_label()).collect();
        for step in &branch.steps {
            match *step {
                Step::Word(content) => self.put_word(content, span),
                Step::Jump(opcode, Some(label)) => self.put_jump(opcode, own[label], span),
                Step::Jump(opcode, None) => match target {
                    Target::Hidden(label) => self.put_jump(opcode, label, span),
                    Target::Written(operand) => self.put_word(Content::Instruction(opcode, operand), span),
                },
                Step::Label(label) => self.bind_label(own[label]),
                Step::Compared => {
                    let (here, context) = (self.code.here, self.context);
                    self.code.compared.push(Compared { span, context, here });
                    if let Target::Hidden(label) = target {
                        self.code.compared_labels.push((self.code.compared.len() - 1, label));
                    }
                }
            }
        }
    }

    fn add_branch(
        &mut self,
        branch: &mut Branch,
        condition: u32,
        wanted: bool,
        target: Option<usize>,
        who: &str,
    ) -> Option<()> {
        let condition = self.syntax().conditions[condition as usize];
        self.build.work += CONDITION_WORK;
        match (condition, wanted) {
            (Condition::Carry, _) => branch.jump_if(Opcode::Jc, wanted, target),
            (Condition::Zero, _) => branch.jump_if(Opcode::Jz, wanted, target),
            (Condition::Not(inner), _) => self.add_branch(branch, inner, !wanted, target, who)?,
            (Condition::Both(one, other), false) | (Condition::Either(one, other), true) => {
                self.add_branch(branch, one, wanted, target, who)?;
                self.add_branch(branch, other, wanted, target, who)?;
            }
            (Condition::Both(one, other), true) | (Condition::Either(one, other), false) => {
                let no = branch.new_label();
                self.add_branch(branch, one, !wanted, Some(no), who)?;
                self.add_branch(branch, other, wanted, target, who)?;
                branch.steps.push(Step::Label(no));
            }
            (Condition::Compare(left, comparison, right), _) => {
                let comparison = if wanted { comparison } else { comparison.negated() };
                let sides = self.side(left, who)?.zip_with(self.side(right, who)?, comparison);
                match sides {
                    (left, comparison, Side::Constant(operand, number)) if !left.is_constant() => {
                        if compare_constant(branch, left, comparison, (operand, number), target) {
                            branch.steps.push(Step::Compared);
                        }
                    }
                    (left, comparison, Side::Byte(right)) if !left.is_constant() => {
                        self.compare_bytes(branch, left, comparison, right, target);
                        branch.steps.push(Step::Compared);
                    }
                    _ => {
                        let span = Span { end: right.span.end, ..left.span };
                        let (message, label) = match (self.side(left, who)?, self.side(right, who)?) {
                            (Side::Accumulator, _) => {
                                ("A is compared with itself", "expected a byte or a constant")
                            }
                            _ => ("this compares two constants", "expected a RAM name, or `a`, on one side"),
                        };
                        let diagnostic = Diagnostic::error(ErrorCode::IdleComparison, span, message, label);
                        self.report(diagnostic.help("what the assembler can decide is `.if`"));
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    fn side(&mut self, operand: Operand, who: &str) -> Option<Side> {
        let OperandValue::Expression(expression) = operand.value else { return None };
        let context = self.context;
        let first_with_hash = self.build.given_with_hash(expression, context);
        if operand.immediate || matches!(first_with_hash, Some((0, _))) {
            let number = self.known(expression, who)?.number;
            let byte = byte(number);
            if byte.is_none() {
                let message = format!("the constant {number} does not fit in a byte");
                self.error(ErrorCode::ConstantRange, operand.span, message, "expected -128..255");
            }
            return Some(Side::Constant(operand, byte?));
        }
        Some(match self.syntax().only_name(expression) {
            Some(name) if self.is_accumulator(name) => Side::Accumulator,
            _ => Side::Byte(operand),
        })
    }

    /// Whether a name is `a`, and the program does not define it.
    fn is_accumulator(&self, name: Name) -> bool {
        let build = &self.build;
        build.library.names.spelling(name).eq_ignore_ascii_case("a")
            && (build.library.is_of_library(self.context.file)
                || !build.library.names.defined[name.index()] && build.table.global(name).is_none())
            && build.table.binding(self.context.scope, name).is_none()
    }

    fn compare_bytes(
        &mut self,
        branch: &mut Branch,
        left: Side,
        comparison: Comparison,
        right: Operand,
        target: Option<usize>,
    ) {
        let swapped = matches!(comparison, Comparison::Greater | Comparison::LessOrEqual);
        let (left, right, comparison) = match left {
            // Of two bytes either can be loaded.
            Side::Byte(left) if swapped => (Side::Byte(right), left, comparison.mirrored()),
            _ => (left, right, comparison),
        };
        branch.put(left.load());
        let add = Content::Instruction(Opcode::Add, right);
        match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                branch.put([INVERT, add, INVERT]);
                branch.jump_if(Opcode::Jz, comparison == Comparison::Equal, target);
            }
            // NOT A + v has a carry if A < v; without one it is 255 if they are equal.
            Comparison::Less | Comparison::GreaterOrEqual => {
                branch.put([INVERT, add]);
                branch.jump_if(Opcode::Jc, comparison == Comparison::Less, target);
            }
            Comparison::LessOrEqual => {
                branch.put([INVERT, add]);
                branch.jump_if(Opcode::Jc, true, target);
                branch.put([INVERT]);
                branch.jump_if(Opcode::Jz, true, target);
            }
            Comparison::Greater => {
                let byte = self.compared_byte();
                let [store, add] =
                    [Opcode::Sta, Opcode::Add].map(|opcode| Content::Fixed(Word::ram(opcode, byte)));
                branch.put([store, Content::Instruction(Opcode::Lda, right), INVERT, add]);
                branch.jump_if(Opcode::Jc, true, target);
            }
        }
    }

    /// A byte of RAM that keeps A while the other side is loaded, or while its lowest bit is tested.
    pub fn compared_byte(&mut self) -> u16 {
        if let Some(byte) = self.ram.compared_byte {
            return byte;
        }
        let value = self.allocate(1);
        let name = self.build.library.names.intern("compared.byte");
        self.define(name, SymbolKind::Ram, value, 1, false);
        *self.ram.compared_byte.insert(value.number as u16)
    }
}

/// Emits a comparison with a constant. If that is at an end of 0..255, some comparisons need less code, or none.
/// Returns whether A is changed.
fn compare_constant(
    branch: &mut Branch,
    left: Side,
    comparison: Comparison,
    (operand, number): (Operand, u8),
    target: Option<usize>,
) -> bool {
    let (comparison, number, more) = match comparison {
        Comparison::Greater | Comparison::LessOrEqual if number == 255 => {
            if comparison == Comparison::LessOrEqual {
                branch.jump_if(Opcode::Jmp, true, target);
            }
            return false;
        }
        Comparison::Greater => (Comparison::GreaterOrEqual, number + 1, 1),
        Comparison::LessOrEqual => (Comparison::Less, number + 1, 1),
        _ => (comparison, number, 0),
    };
    let (comparison, number) = match (comparison, number) {
        (Comparison::Less, 0) => return false,
        (Comparison::GreaterOrEqual, 0) => {
            branch.jump_if(Opcode::Jmp, true, target);
            return false;
        }
        (Comparison::Less, 1) => (Comparison::Equal, 0),
        (Comparison::GreaterOrEqual, 1) => (Comparison::NotEqual, 0),
        other => other,
    };
    branch.put(left.load());
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    let is_changed = !(is_equality && number == 0);
    if is_changed {
        branch.put([Content::AddNegated(operand, more)]);
    }
    match comparison {
        Comparison::Equal => branch.jump_if(Opcode::Jz, true, target),
        Comparison::NotEqual => branch.jump_if(Opcode::Jz, false, target),
        Comparison::Less => branch.jump_if(Opcode::Jc, false, target),
        _ => branch.jump_if(Opcode::Jc, true, target),
    }
    is_changed
}

impl Side {
    fn is_constant(self) -> bool {
        matches!(self, Side::Constant(..))
    }

    fn load(self) -> Option<Content> {
        match self {
            Side::Byte(operand) => Some(Content::Instruction(Opcode::Lda, operand)),
            Side::Accumulator | Side::Constant(..) => None,
        }
    }

    /// The two sides of a comparison: a constant on the right, A on the left, as far as that is possible.
    fn zip_with(self, right: Side, comparison: Comparison) -> (Side, Comparison, Side) {
        match (self, right) {
            (Side::Constant(..), Side::Accumulator | Side::Byte(_)) | (Side::Byte(_), Side::Accumulator) => {
                (right, comparison.mirrored(), self)
            }
            _ => (self, comparison, right),
        }
    }
}

impl Comparison {
    /// The opposite comparison.
    fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
        }
    }

    /// The same with its sides swapped.
    fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal | Comparison::NotEqual => self,
            Comparison::Less => Comparison::Greater,
            Comparison::Greater => Comparison::Less,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }
}
