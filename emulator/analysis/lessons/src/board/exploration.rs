//! Walks through the states of a board: from each state of rest, each move in every order of lines.

use super::given::Given;
use super::tell::{Tell, shown};
use super::wanted::{Goal, Rule, Wanted, masked};
use crate::Refusal;
use gray1_machine::netlist::{NetId, number};
use gray1_proof::{Explorer, Levels, Moved};
use gray1_text::{Formula, counted, grouped};

/// The maximum number of states of rest.
const MAX_STATES: usize = 1 << 14;
/// The maximum number of switches.
const MAX_SWITCHES: usize = 18;

/// A board that is walked through.
pub struct Walk<'a> {
    pub explorer: &'a Explorer<'a>,
    pub given: &'a Given,
    pub wanted: &'a Wanted,
    pub tell: &'a Tell<'a>,
    /// Nets that change at most once for each move.
    pub steady: &'a [NetId],
}

/// Switches that move at the same time, and the condition for it.
type Step<'a> = (Vec<NetId>, Option<&'a Formula>);

impl Walk<'_> {
    /// Makes every move from every state of rest. Every state to which a move leads is one of them.
    pub fn check(&self) -> Result<String, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let mut strobes: Vec<NetId> = Vec::new();
        for rule in self.wanted.beats() {
            strobes = rule.moved.iter().flat_map(|&switch| names.nets(switch, netlist)).collect();
        }
        let (rests, steps) = (self.rests(&strobes)?, self.steps(&strobes));
        for rest in &rests {
            self.look(rest)?;
        }
        let mut moves = Vec::new();
        for rest in &rests {
            let values = names.values(netlist, rest);
            for (nets, condition) in &steps {
                if condition.map(|condition| condition.value(&values)).transpose()? != Some(0) {
                    moves.push((rest, nets, self.go(rest, nets)?));
                }
            }
        }
        for (rest, nets, after) in &moves {
            self.compare((rest, nets), after)?;
        }
        for rest in rests.iter().filter(|_| !strobes.is_empty()) {
            self.beat(rest, &strobes)?;
        }
        let [count, moves] = [rests.len(), moves.len()].map(|count| grouped(count as u64));
        let beats = if strobes.is_empty() { "" } else { " and every beat" };
        Ok(format!(
            "it is as asked in every state of rest ({count}) and after every move ({moves}){beats} from there, in every \
             order of lines"
        ))
    }

    /// All states of rest in which these strobes are at 0.
    fn rests(&self, strobes: &[NetId]) -> Result<Vec<Levels>, Refusal> {
        let Tell { netlist, .. } = self.tell;
        let nets: Vec<NetId> = self.given.switches.iter().filter_map(|name| netlist.net(name)).collect();
        if nets.len() > MAX_SWITCHES {
            return Err(format!("{} are too many to try every input.", counted(nets.len(), "switch")).into());
        }
        let mut all = Vec::new();
        for input in 0..1u32 << nets.len() {
            let levels: Vec<(NetId, bool)> =
                nets.iter().enumerate().map(|(place, &net)| (net, input >> place & 1 == 1)).collect();
            if levels.iter().any(|(net, level)| *level && strobes.contains(net)) {
                continue;
            }
            let too_many = "Your board has more states of rest than can be walked through.";
            let mut rests = self.explorer.rests(&levels).ok_or(too_many)?;
            rests.sort();
            rests.dedup();
            self.tell.tries(None, levels.clone());
            if rests.is_empty() {
                let mut at = vec![false; netlist.nets.len()];
                levels.iter().for_each(|&(net, level)| at[net] = level);
                let switches = self.tell.all(true, &at);
                return Err(format!("With {switches} your board never comes to rest.").into());
            }
            all.extend(rests);
            if all.len() > MAX_STATES {
                return Err(too_many.into());
            }
        }
        Ok(all)
    }

    /// Moves of one switch that is not a strobe, and of switches that may move together.
    fn steps(&self, strobes: &[NetId]) -> Vec<Step<'_>> {
        let Tell { names, netlist, .. } = self.tell;
        let singles = self.given.switches.iter().filter_map(|name| netlist.net(name));
        let singles = singles.filter(|net| !strobes.contains(net));
        let mut steps: Vec<Step> = singles.map(|net| (vec![net], None)).collect();
        for (switch, condition) in &self.wanted.together {
            let nets = names.nets(*switch, netlist);
            for set in (0..1u32 << nets.len()).filter(|set| set.count_ones() > 1) {
                let moved = (0..).zip(&nets).filter(|(place, _)| set >> place & 1 == 1);
                steps.push((moved.map(|(_, &net)| net).collect(), condition.as_ref()));
            }
        }
        steps
    }

    /// What holds in a state of rest.
    fn look(&self, state: &Levels) -> Result<(), Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        self.tell.tries(Some(state), Vec::new());
        let values = names.values(netlist, state);
        for (lamp, formula) in &self.wanted.always {
            let nets = names.nets(*lamp, netlist);
            let expected = masked(formula.value(&values)?, &nets);
            if number(state, &nets) != expected {
                let (switches, is) = (self.tell.all(true, state), self.tell.value(*lamp, state));
                let expected = shown(expected, nets.len());
                return Err(format!("For {switches} your board shows {is}, expected {expected}.").into());
            }
        }
        for (condition, holds) in &self.wanted.holds {
            if condition.formula.value(&values)? != 0 && holds.formula.value(&values)? == 0 {
                let state = self.tell.state(state);
                return Err(format!("{state}, this does not hold: {}.", holds.text).into());
            }
        }
        Ok(())
    }

    /// What follows from a move.
    fn compare(&self, (from, moved): (&Levels, &[NetId]), after: &Moved) -> Result<(), Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        self.tries(from, moved);
        for rule in self.wanted.rules.iter().filter(|rule| !rule.is_beat) {
            let mut switches = rule.moved.iter().flat_map(|&switch| names.nets(switch, netlist));
            let is_about = rule.moved.is_empty() || switches.any(|net| moved.contains(&net));
            let condition = rule.condition.as_ref();
            let values = names.values(netlist, &after.levels);
            let holds = condition.map(|condition| condition.formula.value(&values)).transpose()?;
            if !is_about || holds == Some(0) {
                continue;
            }
            let place = || format!("{}, {}", self.tell.state(from), self.tell.moved(from, moved));
            if !matches!(rule.goal, Goal::Stays) {
                self.tell.expects(rule, from, &after.levels, || format!("{}, which", place()))?;
            } else if let Some(net) =
                names.nets(rule.lamp, netlist).into_iter().find(|&net| !after.stays(net))
            {
                let name = &netlist.nets[net].name;
                let how = if after.levels[net] == from[net] { "can change on the way" } else { "changes" };
                let when = condition.map(|condition| format!(" while {}", condition.text));
                let when = when.unwrap_or_default();
                return Err(format!("{}: {name} {how}, though it is to stay{when}.", place()).into());
            }
        }
        Ok(())
    }

    /// Moves each strobe up and down in turn.
    fn beat(&self, from: &Levels, strobes: &[NetId]) -> Result<(), Refusal> {
        let mut state = from.clone();
        for strobe in strobes.chunks(1).flat_map(|strobe| [strobe, strobe]) {
            state = self.go(&state, strobe)?.levels;
        }
        self.tell.tries(Some(from), vec![(strobes[0], true)]);
        let place = || format!("{}, a beat", self.tell.state(from));
        self.wanted.beats().try_for_each(|rule: &Rule| self.tell.expects(rule, from, &state, place))
    }

    fn tries(&self, from: &Levels, inputs: &[NetId]) {
        self.tell.tries(Some(from), inputs.iter().map(|&net| (net, !from[net])).collect());
    }

    /// Moves switches in every order of lines.
    fn go(&self, from: &Levels, inputs: &[NetId]) -> Result<Moved, Refusal> {
        let Tell { netlist, .. } = self.tell;
        self.tries(from, inputs);
        let place = || format!("{}, {}", self.tell.state(from), self.tell.moved(from, inputs));
        let moved = self.explorer.moved(from, inputs).map_err(|trouble| {
            self.tell.goes_wrong(self.explorer, from, inputs, &trouble);
            format!("{}, and {}.", place(), self.tell.trouble(&trouble))
        })?;
        match self.steady.iter().find(|&&net| moved.pulses(net)) {
            Some(&net) => {
                let name = &netlist.nets[net].name;
                Err(format!("{}, and {name} can blink: it may change more than once.", place()).into())
            }
            None => Ok(moved),
        }
    }
}
