//! Tests of the build pack.

mod assembly;
mod bring_up;
mod capture;
mod compare;
mod fpga;
mod pack;
