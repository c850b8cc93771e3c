//! Text as every part of the project reads and writes it: numbers, counts with their nouns, tables, names from outside,
//! expressions.
//!
//!
//! ```
//! use gray1_text::{closest, counted, grouped};
//!
//! assert_eq!(grouped(1_234_567), "1,234,567");
//! assert_eq!(counted(1, "cycle"), "1 cycle");
//! assert_eq!(counted(2, "cycle"), "2 cycles");
//! assert_eq!(closest("hlep", ["help", "run"].into_iter()), Some("help"));
//! ```
//!
//! Nothing here knows the Gray-1.

mod closest;
mod count;
mod expression;
mod formula;
mod number;
mod operator;
mod rounded;
mod table;
mod visible;
mod wrap;

pub use closest::{MAX_CANDIDATES, closest, closest_affordable, distance};
pub use count::{counted, grouped};
pub use expression::{Expression, Function, Grammar, GrammarError, MAX_LENGTH, Operation, Values};
pub use formula::{Formula, FormulaError};
pub use number::{HERTZ, THOUSANDS, hex, number, quantity, radix, word};
pub use operator::{
    ArithmeticError, CHOICE, COMPARISON, OPERATORS, Operator, PREFIX_OPERATORS, PrefixOperator,
};
pub use rounded::rounded;
pub use table::{columns, table};
pub use visible::{visible, visible_lines};
pub use wrap::{fold, wrap, wrap_lines};
