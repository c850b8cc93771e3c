//! Explores the states of a board: makes every move from every stable state, in every order of events.

use super::interface::Interface;
use super::reporter::{Reporter, format_number};
use super::requirements::{Goal, Requirements, Rule, mask_to_lines};
use crate::Refusal;
use crate::refusal::refuse;
use gray1_machine::netlist::{NetId, number};
use gray1_proof::{Explorer, Levels, Moved};
use gray1_text::{Formula, counted, grouped};

/// The maximum number of stable states.
const MAX_STATES: usize = 1 << 14;
/// The maximum number of switches.
const MAX_SWITCHES: usize = 18;

/// The exploration of a board.
pub struct Exploration<'a> {
    pub explorer: &'a Explorer<'a>,
    pub interface: &'a Interface,
    pub requirements: &'a Requirements,
    pub reporter: &'a Reporter<'a>,
    /// Nets that change at most once for each move.
    pub steady: &'a [NetId],
}

/// Switches that change at the same time, and the condition under which they may do so.
type SwitchMove<'a> = (Vec<NetId>, Option<&'a Formula>);

impl Exploration<'_> {
    /// Makes every move from every stable state. Each move leads to another of these states.
    pub fn check(&self) -> Result<String, Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        let mut strobes: Vec<NetId> = Vec::new();
        for rule in self.requirements.beats() {
            strobes = rule.moved.iter().flat_map(|&switch| names.nets(switch, netlist)).collect();
        }
        let (states, switch_moves) = (self.stable_states(&strobes)?, self.switch_moves(&strobes));
        for state in &states {
            self.check_state(state)?;
        }
        let mut moves = Vec::new();
        for state in &states {
            let values = names.values(netlist, state);
            for (nets, condition) in &switch_moves {
                if condition.map(|condition| condition.value(&values)).transpose()? != Some(0) {
                    moves.push((state, nets, self.apply_move(state, nets)?));
                }
            }
        }
        for (state, nets, after) in &moves {
            self.check_move((state, nets), after)?;
        }
        for state in states.iter().filter(|_| !strobes.is_empty()) {
            self.check_beat(state, &strobes)?;
        }
        let [count, moves] = [states.len(), moves.len()].map(|count| grouped(count as u64));
        let beats = if strobes.is_empty() { "" } else { " and every beat" };
        Ok(format!(
            "it is as asked in every state of rest ({count}) and after every move ({moves}){beats} from there, in every \
             order of lines"
        ))
    }

    /// Lists all stable states in which these strobes are 0.
    fn stable_states(&self, strobes: &[NetId]) -> Result<Vec<Levels>, Refusal> {
        let Reporter { netlist, .. } = self.reporter;
        let nets: Vec<NetId> = self.interface.switches.iter().filter_map(|name| netlist.net(name)).collect();
        if nets.len() > MAX_SWITCHES {
            refuse!("{} are too many to try every input.", counted(nets.len(), "switch"));
        }
        let mut all = Vec::new();
        for input in 0..1u32 << nets.len() {
            let levels: Vec<(NetId, bool)> =
                nets.iter().enumerate().map(|(place, &net)| (net, input >> place & 1 == 1)).collect();
            if levels.iter().any(|(net, level)| *level && strobes.contains(net)) {
                continue;
            }
            let too_many = "Your board has too many states of rest to check them all.";
            let mut states = self.explorer.rests(&levels).ok_or(too_many)?;
            states.sort();
            states.dedup();
            self.reporter.record_move(None, levels.clone());
            if states.is_empty() {
                let mut at = vec![false; netlist.nets.len()];
                levels.iter().for_each(|&(net, level)| at[net] = level);
                let switches = self.reporter.describe_nets(true, &at);
                refuse!("With {switches} your board never comes to rest.");
            }
            all.extend(states);
            if all.len() > MAX_STATES {
                return Err(too_many.into());
            }
        }
        Ok(all)
    }

    /// Lists the moves of each single switch that is not a strobe, and of switches that may move together.
    fn switch_moves(&self, strobes: &[NetId]) -> Vec<SwitchMove<'_>> {
        let Reporter { names, netlist, .. } = self.reporter;
        let singles = self.interface.switches.iter().filter_map(|name| netlist.net(name));
        let singles = singles.filter(|net| !strobes.contains(net));
        let mut moves: Vec<SwitchMove> = singles.map(|net| (vec![net], None)).collect();
        for (switch, condition) in &self.requirements.together {
            let nets = names.nets(*switch, netlist);
            for set in (0..1u32 << nets.len()).filter(|set| set.count_ones() > 1) {
                let moved = (0..).zip(&nets).filter(|(place, _)| set >> place & 1 == 1);
                moves.push((moved.map(|(_, &net)| net).collect(), condition.as_ref()));
            }
        }
        moves
    }

    /// Checks the requirements for a stable state.
    fn check_state(&self, state: &Levels) -> Result<(), Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        self.reporter.record_move(Some(state), Vec::new());
        let values = names.values(netlist, state);
        for (lamp, formula) in &self.requirements.always {
            let nets = names.nets(*lamp, netlist);
            let expected = mask_to_lines(formula.value(&values)?, &nets);
            if number(state, &nets) != expected {
                let (switches, found) =
                    (self.reporter.describe_nets(true, state), self.reporter.describe_value(*lamp, state));
                let expected = format_number(expected, nets.len());
                refuse!("For {switches} your board shows {found}, expected {expected}.");
            }
        }
        for (condition, holds) in &self.requirements.holds {
            if condition.formula.value(&values)? != 0 && holds.formula.value(&values)? == 0 {
                let state = self.reporter.describe_state(state);
                refuse!("{state}, this does not hold: {}.", holds.text);
            }
        }
        Ok(())
    }

    /// Checks the requirements for a move.
    fn check_move(&self, (from, moved): (&Levels, &[NetId]), after: &Moved) -> Result<(), Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        self.record_move(from, moved);
        for rule in self.requirements.rules.iter().filter(|rule| !rule.is_beat) {
            let mut switches = rule.moved.iter().flat_map(|&switch| names.nets(switch, netlist));
            let is_about = rule.moved.is_empty() || switches.any(|net| moved.contains(&net));
            let condition = rule.condition.as_ref();
            let values = names.values(netlist, &after.levels);
            let holds = condition.map(|condition| condition.formula.value(&values)).transpose()?;
            if !is_about || holds == Some(0) {
                continue;
            }
            let place = || {
                format!(
                    "{}, {}",
                    self.reporter.describe_state(from),
                    self.reporter.describe_move(from, moved)
                )
            };
            if !matches!(rule.goal, Goal::Stays) {
                self.reporter.expect_rule(rule, from, &after.levels, || format!("{}, which", place()))?;
            } else if let Some(net) =
                names.nets(rule.lamp, netlist).into_iter().find(|&net| !after.stays(net))
            {
                let name = &netlist.nets[net].name;
                let how = if after.levels[net] == from[net] { "can change on the way" } else { "changes" };
                let when = condition.map(|condition| format!(" while {}", condition.text));
                let when = when.unwrap_or_default();
                refuse!("{}: {name} {how}, though it must stay{when}.", place());
            }
        }
        Ok(())
    }

    /// Raises and lowers each strobe in turn, and checks the requirements for a beat.
    fn check_beat(&self, from: &Levels, strobes: &[NetId]) -> Result<(), Refusal> {
        let mut state = from.clone();
        for strobe in strobes.chunks(1).flat_map(|strobe| [strobe, strobe]) {
            state = self.apply_move(&state, strobe)?.levels;
        }
        self.reporter.record_move(Some(from), vec![(strobes[0], true)]);
        let place = || format!("{}, a beat", self.reporter.describe_state(from));
        self.requirements
            .beats()
            .try_for_each(|rule: &Rule| self.reporter.expect_rule(rule, from, &state, place))
    }

    fn record_move(&self, from: &Levels, inputs: &[NetId]) {
        self.reporter.record_move(Some(from), inputs.iter().map(|&net| (net, !from[net])).collect());
    }

    /// Changes switches, in every order of events.
    fn apply_move(&self, from: &Levels, inputs: &[NetId]) -> Result<Moved, Refusal> {
        let Reporter { netlist, .. } = self.reporter;
        self.record_move(from, inputs);
        let place = || {
            format!("{}, {}", self.reporter.describe_state(from), self.reporter.describe_move(from, inputs))
        };
        let moved = self.explorer.moved(from, inputs).map_err(|trouble| {
            self.reporter.record_orders(self.explorer, from, inputs, &trouble);
            format!("{}, and {}.", place(), self.reporter.describe_trouble(&trouble))
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
