//! The expected measurements in a stage of bringing up a machine, and those that single faults would lead to.

use super::bench::{Bench, Fault, Level, State, Tables};
use gray1_machine::PHASES;
use gray1_machine::board::{Stage, Watch};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::collections::HashMap;

/// Number of cycles after which everything that settles has settled.
const WARM_UP: usize = 8;
/// States of the counter: cycles of a turn.
const TURN: usize = 4_096;
/// Seeds of power-up levels, used where the counter needs a known start. Only levels that are the same for all of them
/// are listed as certain.
const NOISES: [u64; 3] = [1, 2, 3];

/// The description of a net that never moves, at 0 and at 1.
pub const STAYS: [&str; 2] = ["stays at 0", "stays at 1"];

/// The levels of a net, phase by phase, as far as they are known.
pub type Trace = Vec<Level>;

/// The results of simulating a stage.
pub struct StageSimulation<'a> {
    /// The stage of the board file.
    pub stage: &'a Stage,
    /// The chips that are inserted in this stage.
    pub new: Vec<ChipId>,
    /// The nets with certain levels, and these levels.
    pub shows: Vec<(NetId, Trace)>,
    /// Each net that is the first to differ because of a fault: the difference in words, and the faults that cause it.
    pub wrong: Vec<(NetId, String, Vec<Fault>)>,
    /// The number of faults that were tried.
    pub tried: usize,
    /// The number of faults that cannot be seen in this stage.
    pub unseen: usize,
}

/// Simulates all stages. In each, the board has only the chips that have been inserted so far.
pub fn simulate<'a>(netlist: &Netlist, tables: &Tables, stages: &'a [Stage]) -> Vec<StageSimulation<'a>> {
    let mut inserted: Vec<ChipId> = Vec::new();
    let mut simulations = Vec::new();
    for stage in stages {
        // A modified board file may lack some of the chips.
        let new: Vec<ChipId> = stage.insert.names().iter().filter_map(|name| netlist.chip(name)).collect();
        if new.is_empty() {
            continue;
        }
        inserted.extend(&new);
        let setup = Setup { netlist, tables, stage, inserted: &inserted };
        simulations.push(setup.simulation(new));
    }
    simulations
}

/// A stage on the bench.
struct Setup<'a, 'b> {
    netlist: &'b Netlist,
    tables: &'b Tables,
    stage: &'a Stage,
    inserted: &'b [ChipId],
}

impl<'a> Setup<'a, '_> {
    fn simulation(&self, new: Vec<ChipId>) -> StageSimulation<'a> {
        let nets: Vec<NetId> = new.iter().flat_map(|&chip| self.netlist.chips[chip].data.clone()).collect();
        let all = self.watch_all(&nets, None);
        let is_promised = |net: usize| all.iter().all(|seen| self.is_same(&all[0][net], &seen[net]));
        let shows: Vec<(NetId, Trace)> = (0..nets.len())
            .filter(|&net| is_promised(net) && all[0][net].iter().any(Option::is_some))
            .map(|net| (nets[net], all[0][net].clone()))
            .collect();
        let watched: Vec<NetId> = shows.iter().map(|(net, _)| *net).collect();
        let mut wrong: Vec<(NetId, String, Vec<Fault>)> = Vec::new();
        let faults = self.faults(&new);
        let mut unseen = 0;
        for &fault in &faults {
            let all = self.watch_all(&watched, Some(fault));
            let is_wrong = |net: &usize| !all.iter().all(|seen| self.reads_like(&shows[*net].1, &seen[*net]));
            let Some(first) = (0..watched.len()).find(is_wrong) else {
                unseen += 1;
                continue;
            };
            let looks = self.looks_in_all(all.iter().map(|seen| &seen[first]));
            match wrong.iter_mut().find(|(other, like, _)| *other == watched[first] && *like == looks) {
                Some((.., faults)) => faults.push(fault),
                None => wrong.push((watched[first], looks, vec![fault])),
            }
        }
        let order: HashMap<NetId, usize> = watched.iter().copied().zip(0..).collect();
        wrong.sort_by_key(|(net, ..)| order[net]);
        StageSimulation { stage: self.stage, new, shows, wrong, tried: faults.len(), unseen }
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

    /// The levels of nets, for several levels at power-up if they may depend on them.
    fn watch_all(&self, nets: &[NetId], fault: Option<Fault>) -> Vec<Vec<Trace>> {
        if self.stage.watch != Watch::Turn {
            return vec![self.watch(nets, fault)];
        }
        let mut all: Vec<Vec<Trace>> = Vec::new();
        let mut orbits: HashMap<State, usize> = HashMap::new();
        for noise in NOISES {
            let seen = self.turn(nets, noise, fault, all.len(), &mut orbits);
            all.push(seen.unwrap_or_else(|same| all[same].clone()));
        }
        all
    }

    /// A turn of the counter after its behaviour has become periodic, which takes at most one turn. Notes the states
    /// that it goes through. Fails with the number of an earlier case that goes through the same states.
    fn turn(
        &self,
        nets: &[NetId],
        noise: u64,
        fault: Option<Fault>,
        case: usize,
        orbits: &mut HashMap<State, usize>,
    ) -> Result<Vec<Trace>, usize> {
        let mut bench = self.bench(fault);
        self.hold(&mut bench, false);
        let driven: Vec<NetId> =
            bench.driven().filter(|net| !self.netlist.panel.sequence.contains(net)).collect();
        let mut state = noise;
        for net in driven {
            // Knuth's linear congruential generator, of which only the upper bits are used.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bench.put(net, state >> 63 == 1);
        }
        bench.settle();
        (0..WARM_UP * PHASES).for_each(|_| bench.edge());
        let mut seen: Vec<Trace> = vec![Vec::new(); nets.len()];
        let mut cycles: HashMap<State, usize> = HashMap::with_capacity(TURN);
        let mut start = TURN;
        for cycle in 0..2 * TURN {
            if let Some(state) = bench.state() {
                if let Some(&same) = orbits.get(&state) {
                    return Err(same);
                }
                if let Some(before) = cycles.insert(state, cycle) {
                    start = before;
                    break;
                }
            }
            for _ in 0..PHASES {
                seen.iter_mut().zip(nets).for_each(|(seen, &net)| seen.push(bench.level(net)));
                bench.edge();
            }
        }
        orbits
            .extend(cycles.into_iter().filter(|(_, cycle)| *cycle >= start).map(|(state, _)| (state, case)));
        let turn =
            |levels: Trace| levels[start * PHASES..].iter().copied().cycle().take(TURN * PHASES).collect();
        Ok(seen.into_iter().map(|levels| self.certain(turn(levels))).collect())
    }

    /// The levels of nets step by step, while reset is held or after it is released.
    fn watch(&self, nets: &[NetId], fault: Option<Fault>) -> Vec<Trace> {
        let mut bench = self.bench(fault);
        let run = |bench: &mut Bench, phases| (0..phases).for_each(|_| bench.edge());
        self.hold(&mut bench, true);
        bench.settle();
        run(&mut bench, WARM_UP * PHASES);
        let phases = match self.stage.watch {
            Watch::Phases | Watch::Turn => 2 * PHASES,
            Watch::Run(cycles) => {
                // Reset is released in phase 3.
                run(&mut bench, PHASES - 1);
                self.hold(&mut bench, false);
                bench.settle();
                run(&mut bench, 1);
                cycles * PHASES
            }
        };
        let mut seen: Vec<Trace> = vec![Vec::with_capacity(phases); nets.len()];
        for _ in 0..phases {
            seen.iter_mut().zip(nets).for_each(|(seen, &net)| seen.push(bench.level(net)));
            bench.edge();
        }
        seen.into_iter().map(|levels| self.certain(levels)).collect()
    }

    /// The board in this stage, with its leads and inputs.
    fn bench(&self, fault: Option<Fault>) -> Bench<'_> {
        let mut bench = Bench::new(self.netlist, self.tables, self.inserted, fault);
        for (lines, level) in [(&self.stage.low, false), (&self.stage.high, true)] {
            let nets = lines.names().iter().filter_map(|name| self.netlist.net(name));
            nets.for_each(|net| bench.put(net, level));
        }
        bench
    }

    fn hold(&self, bench: &mut Bench, level: bool) {
        self.netlist.panel.reset.iter().for_each(|&net| bench.put(net, level));
    }

    /// The levels of a net if they are certain, otherwise none: in a turn all of them must be known; in the phases of a
    /// cycle they must also be the same in the next cycle. In a run the levels need not be certain throughout.
    fn certain(&self, mut levels: Trace) -> Trace {
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

    /// Whether the measurement of a net is right, compared step by step or as a frequency.
    fn is_same(&self, right: &Trace, seen: &Trace) -> bool {
        match self.stage.watch {
            _ if seen.len() != right.len() => false,
            Watch::Turn => (rises(right), highs(right)) == (rises(seen), highs(seen)),
            _ => right.iter().zip(seen).all(|(right, seen)| right.is_none() || right == seen),
        }
    }

    /// Whether instruments cannot tell the levels of a net from the right ones: in a turn, rises and share are within two
    /// percent.
    fn reads_like(&self, right: &Trace, seen: &Trace) -> bool {
        let is_near = |right: usize, seen: usize, whole: usize| right.abs_diff(seen) * 50 <= whole;
        let is_turn = self.stage.watch == Watch::Turn && seen.len() == right.len();
        let is_near = is_turn
            && is_near(rises(right), rises(seen), rises(right))
            && is_near(highs(right), highs(seen), right.len());
        is_near || self.is_same(right, seen)
    }

    /// The description of wrong levels that is common to all levels at power-up.
    fn looks_in_all<'s>(&self, all: impl Iterator<Item = &'s Trace>) -> String {
        let looks: Vec<String> = all.map(|seen| looks(self.stage.watch, seen)).collect();
        if looks.iter().all(|like| *like == looks[0]) {
            looks[0].clone()
        } else if looks.iter().all(|like| STAYS.contains(&like.as_str())) {
            "stands still".to_owned()
        } else {
            "differs with what the chips wake up with".to_owned()
        }
    }
}

/// The levels of a net in a few words.
fn looks(watch: Watch, seen: &Trace) -> String {
    let is = |level: bool| !seen.is_empty() && seen.iter().all(|seen| *seen == Some(level));
    match watch {
        _ if is(false) => STAYS[0].to_owned(),
        _ if is(true) => STAYS[1].to_owned(),
        Watch::Run(_) if seen.iter().all(Option::is_none) => "open, or what its chip woke up with".to_owned(),
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

/// The share of the time for which a net is 1.
pub fn share(seen: &Trace) -> String {
    format!("{:.1} %", 100.0 * highs(seen) as f64 / seen.len().max(1) as f64)
}

/// The number of rising edges of a net in each repetition of these levels.
pub fn rises(seen: &Trace) -> usize {
    (0..seen.len())
        .filter(|&at| seen[at] == Some(true) && seen[(at + seen.len() - 1) % seen.len()] == Some(false))
        .count()
}

/// The number of phases in which a net is 1.
fn highs(seen: &Trace) -> usize {
    seen.iter().filter(|level| **level == Some(true)).count()
}
