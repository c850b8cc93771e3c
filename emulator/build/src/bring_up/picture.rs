//! What is to be seen in a stage of bringing a machine up, and what single faults would show instead.

use super::bench::{Bench, Fault, Level, Tables};
use gray1_machine::PHASES;
use gray1_machine::board::{Board, Stage, Watch};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::collections::HashMap;

/// Cycles after which all that settles has settled.
const WARM_UP: usize = 8;
/// States of the counter: cycles of a turn.
const TURN: usize = 4_096;
/// What chips may wake up with, where the counter has to start somewhere; what depends on it is not promised.
const NOISES: [u64; 3] = [1, 2, 3];

/// What a net shows, phase by phase, as far as it is known.
pub type Seen = Vec<Level>;

/// A stage, worked out.
pub struct Picture<'a> {
    /// What was asked for.
    pub stage: &'a Stage,
    /// The chips that are inserted in it.
    pub new: Vec<ChipId>,
    /// The nets that show something certain, and what.
    pub shows: Vec<(NetId, Seen)>,
    /// Of a run: counter, word, accumulator and carry at the beginning of each cycle, where they are known.
    pub course: Vec<[Option<u32>; 4]>,
    /// For a net that is the first to show something else, what that is, and the faults that do this.
    pub wrong: Vec<(NetId, Seen, Vec<Fault>)>,
    /// Faults that were tried, and those that change nothing here.
    pub tried: usize,
    /// See above.
    pub unseen: usize,
}

/// All stages of a board that has no chips but those which have been inserted so far.
pub fn pictures<'a>(board: &'a Board, tables: &Tables, stages: &'a [Stage]) -> Vec<Picture<'a>> {
    let netlist = board.netlist();
    let mut inserted: Vec<ChipId> = Vec::new();
    let mut pictures = Vec::new();
    for stage in stages {
        // A board file of one's own may lack some.
        let new: Vec<ChipId> = stage.insert.names().iter().filter_map(|name| netlist.chip(name)).collect();
        if new.is_empty() {
            continue;
        }
        inserted.extend(&new);
        let setup = Setup { netlist, tables, stage, inserted: &inserted };
        pictures.push(setup.picture(new));
    }
    pictures
}

/// A stage on the bench.
struct Setup<'a, 'b> {
    netlist: &'b Netlist,
    tables: &'b Tables,
    stage: &'a Stage,
    inserted: &'b [ChipId],
}

impl<'a> Setup<'a, '_> {
    fn picture(&self, new: Vec<ChipId>) -> Picture<'a> {
        let nets: Vec<NetId> = new.iter().flat_map(|&chip| self.netlist.chips[chip].data.clone()).collect();
        let mut seen = self.watch(&nets, NOISES[0], None);
        if self.stage.watch == Watch::Turn {
            for noise in &NOISES[1..] {
                for (seen, other) in seen.iter_mut().zip(self.watch(&nets, *noise, None)) {
                    if !self.is_same(seen, &other) {
                        seen.clear();
                    }
                }
            }
        }
        let shows: Vec<(NetId, Seen)> =
            nets.into_iter().zip(seen).filter(|(_, seen)| seen.iter().any(Option::is_some)).collect();
        let watched: Vec<NetId> = shows.iter().map(|(net, _)| *net).collect();
        let mut wrong: Vec<(NetId, Seen, Vec<Fault>)> = Vec::new();
        let faults = self.faults(&new);
        let mut unseen = 0;
        for &fault in &faults {
            let seen = self.watch(&watched, NOISES[0], Some(fault));
            let first = shows.iter().zip(seen).find(|((_, right), seen)| !self.is_same(right, seen));
            let Some(((net, _), seen)) = first else {
                unseen += 1;
                continue;
            };
            match wrong
                .iter_mut()
                .find(|(other, like, _)| other == net && self.looks(like) == self.looks(&seen))
            {
                Some((.., faults)) => faults.push(fault),
                None => wrong.push((*net, seen, vec![fault])),
            }
        }
        let order: HashMap<NetId, usize> = watched.iter().copied().zip(0..).collect();
        wrong.sort_by_key(|(net, ..)| order[net]);
        let course = self.course();
        Picture { stage: self.stage, new, shows, course, wrong, tried: faults.len(), unseen }
    }

    /// Counter, word, accumulator and carry of a run.
    fn course(&self) -> Vec<[Option<u32>; 4]> {
        let Watch::Run(cycles) = self.stage.watch else { return Vec::new() };
        let panel = &self.netlist.panel;
        let buses = [&panel.counter, &panel.word, &panel.accumulator, &panel.carry];
        let seen = buses.map(|nets| self.watch(nets, NOISES[0], None));
        let number = |bus: &[Seen], at: usize| {
            bus.iter()
                .rev()
                .try_fold(0, |number, net| net.get(at)?.map(|level| number << 1 | u32::from(level)))
        };
        (0..cycles).map(|cycle| std::array::from_fn(|bus| number(&seen[bus], cycle * PHASES))).collect()
    }

    /// Each pin of the new chips stuck, and each of them missing.
    fn faults(&self, new: &[ChipId]) -> Vec<Fault> {
        let mut faults = Vec::new();
        for &id in new {
            let chip = &self.netlist.chips[id];
            faults.push(Fault::Missing(id));
            for level in [false, true] {
                faults.extend((0..chip.reads.len()).map(|line| Fault::Reads(id, line, level)));
                faults.extend((0..chip.data.len()).map(|line| Fault::Gives(id, line, level)));
            }
        }
        faults
    }

    /// What nets show, from power-up on.
    fn watch(&self, nets: &[NetId], noise: u64, fault: Option<Fault>) -> Vec<Seen> {
        let panel = &self.netlist.panel;
        let mut bench = Bench::new(self.netlist, self.tables, self.inserted, fault);
        let net = |name: &String| self.netlist.net(name);
        for (lines, level) in [(&self.stage.low, false), (&self.stage.high, true)] {
            lines.names().iter().filter_map(net).for_each(|net| bench.put(net, level));
        }
        let hold = |bench: &mut Bench, level| panel.reset.iter().for_each(|&net| bench.put(net, level));
        let run = |bench: &mut Bench, phases| (0..phases).for_each(|_| bench.edge());
        hold(&mut bench, self.stage.watch != Watch::Turn);
        if self.stage.watch == Watch::Turn {
            let nets: Vec<NetId> = bench.driven().filter(|net| !panel.sequence.contains(net)).collect();
            let mut state = noise;
            for net in nets {
                // Knuth's generator: its upper bits are as good as noise.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                bench.put(net, state >> 63 == 1);
            }
        }
        bench.settle();
        run(&mut bench, WARM_UP * PHASES);
        let phases = match self.stage.watch {
            Watch::Phases => 2 * PHASES,
            Watch::Turn => TURN * PHASES,
            Watch::Run(cycles) => {
                // Reset is let go in phase 3.
                run(&mut bench, PHASES - 1);
                hold(&mut bench, false);
                bench.settle();
                run(&mut bench, 1);
                cycles * PHASES
            }
        };
        let mut seen: Vec<Vec<Level>> = vec![Vec::with_capacity(phases); nets.len()];
        for _ in 0..phases {
            for (seen, &net) in seen.iter_mut().zip(nets) {
                seen.push(bench.level(net));
            }
            bench.edge();
        }
        seen.into_iter().map(|levels| self.certain(levels)).collect()
    }

    /// The levels of a net that shows the same in each cycle, or of which all are known; of a run, as they are.
    fn certain(&self, mut levels: Seen) -> Seen {
        let is_certain = match self.stage.watch {
            Watch::Phases => {
                let next = levels.split_off(PHASES);
                next == levels && levels.iter().all(Option::is_some)
            }
            Watch::Turn => levels.iter().all(Option::is_some),
            Watch::Run(_) => true,
        };
        if is_certain { levels } else { Vec::new() }
    }

    /// Whether a net shows what it should: step by step, or on a counter of frequencies.
    fn is_same(&self, right: &Seen, seen: &Seen) -> bool {
        match self.stage.watch {
            Watch::Turn => right == seen || (rises(right), highs(right)) == (rises(seen), highs(seen)),
            _ if seen.len() != right.len() => false,
            _ => right.iter().zip(seen).all(|(right, seen)| right.is_none() || right == seen),
        }
    }

    /// What somebody would say of a net that shows something wrong.
    pub fn looks(&self, seen: &Seen) -> String {
        looks(self.stage.watch, seen)
    }
}

/// What a net shows, in a few words.
pub fn looks(watch: Watch, seen: &Seen) -> String {
    let is = |level: bool| !seen.is_empty() && seen.iter().all(|seen| *seen == Some(level));
    match watch {
        _ if is(false) => "stays at 0".to_owned(),
        _ if is(true) => "stays at 1".to_owned(),
        _ if seen.is_empty() || seen.iter().all(Option::is_none) => "unsteady, or open".to_owned(),
        Watch::Phases => {
            let levels: Vec<&str> =
                seen.iter().map(|level| if *level == Some(true) { "1" } else { "0" }).collect();
            levels.join(" ")
        }
        Watch::Turn => format!("rises: {}; at 1 for {}", rises(seen), share(seen)),
        Watch::Run(_) => "moves otherwise".to_owned(),
    }
}

/// For which part of the time a net is 1.
pub fn share(seen: &Seen) -> String {
    format!("{:.1} %", 100.0 * highs(seen) as f64 / seen.len().max(1) as f64)
}

/// How often a net rises while it shows this again and again.
pub fn rises(seen: &Seen) -> usize {
    (0..seen.len())
        .filter(|&at| seen[at] == Some(true) && seen[(at + seen.len() - 1) % seen.len()] == Some(false))
        .count()
}

/// For how many phases a net is 1.
fn highs(seen: &Seen) -> usize {
    seen.iter().filter(|level| **level == Some(true)).count()
}
