//! Proofs about boards: the true one, boards that do the same in another form, and boards with faults.
//!
//! ```text
//!   sabotage, planted, fetch, instructions, reset, button   boards with faults: refuted, or at least not proved
//!   attack          random boards that go wrong in a simulation: not proved
//!   cells           which cells are reached, and boards with one wrong cell
//!   other_forms     boards that do all that they should: not refuted
//!   limits          lower limits: nothing false is proved
//!   order           the quick answer for engines; races: what else has to hold if paths have their own delays
//!   support         the Gray-1 with changes, and proofs
//! ```

mod attack;
mod button;
mod cells;
mod contracts;
mod fetch;
mod instructions;
mod limits;
mod order;
mod other_forms;
mod planted;
mod races;
mod reset;
mod sabotage;
mod search;
mod support;
