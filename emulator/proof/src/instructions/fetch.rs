//! Whether the word that a cycle carries out is the image's word at the place that the counter names.
//!
//! A program chip holds one byte of each word, and the word of sequence number i is burned at address i ^ (i >> 1). So
//! the right word is made of those cells that are at the levels of the counter, whatever lines the sockets of the
//! program are wired to; what comes instead on a net follows from the functions on these lines.

use super::counterexample::Explanation;
use super::observed::Observer;
use crate::cycle::{Start, SymbolicBoard};
use crate::mismatch::{Aspect, Mismatch};
use gray1_isa::from_gray;
use gray1_machine::Noise;
use gray1_machine::logic::{FALSE, Function, Result, Variable};
use gray1_machine::netlist::NetId;
use std::collections::HashMap;

/// A net of the program word that can have another level than the image says.
struct Astray {
    net: NetId,
    /// Which bit of the word it should be, and levels with which it is not.
    bit: usize,
    levels: HashMap<Variable, bool>,
}

impl Explanation<'_> {
    /// Returns a program that is not carried out as its image says because of what the sockets of the program are wired
    /// to.
    pub fn fetch(&self, start: &mut Start) -> Result<Option<(Aspect, Mismatch)>> {
        let Some(astray) = astray(start)? else { return Ok(None) };
        let number = |lines: &[Function]| {
            let level = |variable| astray.levels.get(&variable).copied().unwrap_or_default();
            start.board.diagrams.number(lines, level) as u16
        };
        let counter = number(&start.board.on(&start.board.netlist.panel.counter));
        let place = from_gray(counter);
        let Some(sight) = Observer::power_up(self.board, Noise::Zeros)
            .and_then(|mut observer| observer.any(Some(place), self.stop))
        else {
            return Ok(None);
        };
        let name = &start.board.netlist.nets[astray.net].name;
        let expected = format!("{name} = bit {} of the word at {place:03X}", astray.bit);
        let got = format!("{name} = {}", instead(&start.board, &astray));
        let case = format!("the word at {place:03X}, counter {counter:03X}");
        Ok(Some((Aspect::Fetch, Mismatch::shown(case, expected, got, sight.program()))))
    }
}

/// Returns the first net of the word that is not always right.
fn astray(start: &mut Start) -> Result<Option<Astray>> {
    let nets = start.board.netlist.panel.word.clone();
    let diagrams = &mut start.board.diagrams;
    let possible = diagrams.and(start.rests, start.agrees)?;
    for (bit, net) in nets.into_iter().enumerate() {
        let differs = diagrams.differ(start.board.levels[net], start.word[bit])?;
        let states = diagrams.and(differs, possible)?;
        if states != FALSE {
            let levels = diagrams.witness(states).into_iter().collect();
            return Ok(Some(Astray { net, bit, levels }));
        }
    }
    Ok(None)
}

/// Returns the bit of the program that comes instead of the right one.
fn instead(board: &SymbolicBoard, astray: &Astray) -> String {
    let (diagrams, function) = (&board.diagrams, board.levels[astray.net]);
    let level = |variable: Variable| astray.levels.get(&variable).copied().unwrap_or_default();
    let given = diagrams.value(function, level);
    let found = board.program().find_map(|(byte, address, cell)| {
        let bit = cell.iter().position(|&line| {
            diagrams.asked(line).is_some_and(|variable| {
                let flipped = |other: Variable| level(other) != (other == variable);
                diagrams.value(function, flipped) != given
            })
        })?;
        let place = from_gray(diagrams.number(address, level) as u16);
        Some(format!("bit {} of the word at {place:03X}", 8 * byte + bit))
    });
    found.unwrap_or_else(|| format!("{}, whatever the image", u8::from(given)))
}
