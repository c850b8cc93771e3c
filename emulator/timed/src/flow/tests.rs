//! The simulation in its plainest form, to compare `flow` with: one list of events, all chips that read a net looked up
//! at an address read afresh, a transient asked for at each of them.

use crate::board::TimedBoard;
use crate::circuit::Source;
use crate::conditions::{Conditions, Delays, LineTiming, NANOSECOND};
use crate::engine::TimedEngine;
use crate::noise::{Transient, TransientNoise};
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, NetId, number};
use gray1_machine::{Engine, Noise};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use test_support::random::program;

const GRAY1: &str = include_str!("../../../machine/src/board/gray1.ron");

/// A change of a net: when, which, and its level then.
type Change = (u64, NetId, bool);

struct Plain<'a> {
    board: &'a TimedBoard,
    timings: Vec<LineTiming>,
    levels: Vec<bool>,
    /// The output of each chip after all future events.
    heading: Vec<u8>,
    ram: Vec<Vec<u8>>,
    /// In the order in which they were added.
    events: Vec<(u64, Event)>,
    noise: Option<TransientNoise>,
    changes: Vec<Change>,
}

#[derive(Clone, PartialEq)]
enum Event {
    Change(NetId),
    Write { chip: ChipId, address: usize, data: u8 },
}

impl<'a> Plain<'a> {
    /// At rest, as the machine without delays leaves its reset.
    fn new(board: &'a TimedBoard, conditions: &Conditions) -> Plain<'a> {
        let (netlist, reference) = (board.netlist(), &board.reference);
        let mut ram = vec![Vec::new(); netlist.chips.len()];
        for bits in &board.memory {
            let bytes = reference.state().ram;
            ram[bits.chip] = bytes.iter().map(|byte| byte >> bits.shift & bits.mask).collect();
        }
        let timings = board.line_timings(conditions);
        let noise = |seed| TransientNoise::new(seed, &board.circuit.chips, &timings);
        Plain {
            noise: conditions.transients.and_then(noise),
            timings,
            levels: (0..netlist.nets.len()).map(|net| reference.level(net)).collect(),
            heading: (0..netlist.chips.len()).map(|chip| reference.gives(chip) as u8).collect(),
            ram,
            events: Vec::new(),
            changes: Vec::new(),
            board,
        }
    }

    fn run_until(&mut self, end: u64) {
        while let Some(first) = (0..self.events.len()).min_by_key(|&event| self.events[event].0)
            && self.events[first].0 <= end
        {
            match self.events.remove(first) {
                (at, Event::Change(net)) => self.change(at, net),
                (_, Event::Write { chip, address, data }) => self.ram[chip][address] = data,
            }
        }
    }

    fn change(&mut self, now: u64, net: NetId) {
        self.levels[net] ^= true;
        self.changes.push((now, net, self.levels[net]));
        for reader in &self.board.netlist().nets[net].readers {
            self.look_up(now, reader.chip);
            let chip = &self.board.circuit.chips[reader.chip];
            if let Some(transient) = self.noise.as_mut().and_then(|noise| noise.look_up(reader.chip)) {
                let Transient { line, length, mut random } = transient;
                let net = chip.first + line;
                let rise = self.timings[net].rise;
                let begin = now + random.between(rise / 2, rise);
                if self.coming(net).is_none() {
                    self.events.push((begin, Event::Change(net)));
                    self.events.push((begin + length, Event::Change(net)));
                }
            }
        }
    }

    fn look_up(&mut self, now: u64, id: ChipId) {
        let chip = &self.board.circuit.chips[id];
        let address = number(&self.levels, &self.board.netlist().chips[id].reads) as usize;
        let data = match chip.source {
            Source::Rom { offset } => self.board.circuit.cells[offset + address],
            Source::Ram { address: lines } => {
                self.events.retain(|(_, event)| !matches!(event, Event::Write { chip, .. } if *chip == id));
                let (cell, input) = (address % (1 << lines), (address >> lines) as u8 % (1 << chip.lines));
                if address >> lines >> chip.lines == 0 {
                    self.ram[id][cell]
                } else {
                    let write = Event::Write { chip: id, address: cell, data: input };
                    self.events.push((now + chip.inertia, write));
                    input
                }
            }
        };
        let moving = self.heading[id] ^ data;
        self.heading[id] = data;
        for bit in (0..chip.lines).filter(|bit| moving >> bit & 1 == 1) {
            let net = chip.first + bit;
            let timing = self.timings[net];
            let at = now + if data >> bit & 1 == 1 { timing.rise } else { timing.fall };
            match self.coming(net) {
                Some(last) if at < self.events[last].0 + timing.inertia => drop(self.events.remove(last)),
                _ => self.events.push((at, Event::Change(net))),
            }
        }
    }

    /// The latest change of a net that is to come.
    fn coming(&self, net: NetId) -> Option<usize> {
        self.events.iter().rposition(|(_, event)| *event == Event::Change(net))
    }
}

/// All changes in a machine's first cycles: those of the timed engine, and those of the plain simulation.
fn both(board: &Arc<TimedBoard>, conditions: &Conditions) -> (Vec<Change>, Vec<Change>) {
    let mut engine = TimedEngine::on(board, conditions);
    let mut plain = Plain::new(board, conditions);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let shared = Rc::clone(&seen);
    engine.watch(move |time, net, level| shared.borrow_mut().push((time, net, level)));
    let mut now = engine.now();
    let _ = engine.run(60, &mut ()); // it may fail: then that is the end for both
    engine.unwatch();
    for phase in 0.. {
        if now >= engine.now() {
            break;
        }
        if let Some(noise) = &mut plain.noise {
            noise.begin((phase / 4, phase as u32 % 4));
        }
        plain.change(now, board.netlist().panel.oscillator[0]);
        now += conditions.half_period;
        plain.run_until(now);
    }
    (seen.borrow()[board.netlist().nets.len()..].to_vec(), plain.changes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_changes_that_does_not_in_the_plainest_form(
        program in program(), seed: u64, rate in prop::sample::select(vec![0, 300, 30_000, 1_000_000]),
        capacitor in prop::sample::select(vec![0, 40, 1_000, 1_000_000]), half_period in 100..2_000u64,
    ) {
        let source = GRAY1
            .replace("in_a_billion: 300, half_longer: 2", &format!("in_a_billion: {rate}, half_longer: 6"));
        let board = Board::parse(&source, "gray1.ron").unwrap();
        let board = Arc::new(TimedBoard::new(&board, &program.image(), Noise::Random(seed)).unwrap());
        let delays = match seed % 8 {
            0 => Delays::Worst,
            1 => Delays::Best,
            _ => Delays::Random(seed),
        };
        let half_period = half_period * NANOSECOND;
        let conditions = Conditions { half_period, delays, transients: Some(seed), capacitor };
        let (seen, plain) = both(&board, &conditions);
        prop_assert!(!plain.is_empty());
        for (number, (seen, plain)) in seen.iter().zip(&plain).enumerate() {
            prop_assert_eq!(seen, plain, "change {} of {}", number, seed);
        }
        prop_assert_eq!(seen.len(), plain.len());
    }
}
