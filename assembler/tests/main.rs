//! Tests of the assembler.

mod chance;
mod codes;
mod conditions;
mod contracts;
mod control;
mod formulas;
mod interpreter;
mod library;
mod options;
mod programs;
mod properties;
mod robustness;
mod routines;
mod slips;
mod sources;
mod stopping;
mod tables;
