//! Walks through the states of a board: each move in every order of lines.

use super::given::Given;
use super::tell::{Tell, shown};
use super::wanted::{Memory, Round, Step, Wanted, While};
use crate::Refusal;
use gray1_machine::board::Board;
use gray1_machine::netlist::{NetId, number};
use gray1_machine::{BenchRun, Noise};
use gray1_proof::{Explorer, Levels, Moved};
use gray1_text::Formula;
use std::collections::HashSet;

/// More states than these are not walked through.
const MOST_STATES: usize = 1 << 14;

/// What the chips of a board hold when it is run, not explored.
const NOISE: [Noise; 6] =
    [Noise::Zeros, Noise::Ones, Noise::Random(1), Noise::Random(2), Noise::Random(3), Noise::Random(4)];

/// How a board gets from one state of rest to the next.
pub enum Mover<'a> {
    /// In every order of lines.
    Explore(&'a Explorer<'a>),
    /// By the general rule, since order makes no difference.
    Run(&'a Board, Box<BenchRun>),
}

/// A board that is walked through.
pub struct Walk<'a> {
    pub mover: Mover<'a>,
    pub tell: &'a Tell<'a>,
    /// Nets that change at most once for each move.
    pub steady: &'a [NetId],
}

impl Walk<'_> {
    /// The states in which the board can wake up with all switches at 0.
    pub fn wake(&self, given: &Given) -> Result<Vec<Levels>, Refusal> {
        let nets = given.switches.iter().filter_map(|name| self.tell.netlist.net(name));
        let rests = match &self.mover {
            Mover::Explore(explorer) => explorer.rests(&nets.map(|net| (net, false)).collect::<Vec<_>>()),
            Mover::Run(board, _) => {
                let woken = NOISE.map(|noise| BenchRun::switch_on(board, noise).map(|run| run.levels()));
                Some(woken.into_iter().collect::<Result<Vec<_>, _>>()?)
            }
        };
        match rests {
            Some(rests) if rests.is_empty() => Err(
                "With all switches at 0 your board never comes to rest: no state stands at its own address."
                    .into(),
            ),
            Some(rests) if rests.len() <= MOST_STATES => Ok(each_once(rests)),
            _ => Err("There are too many states in which your board can wake up.".into()),
        }
    }

    /// Makes the moves of a step from each of these states.
    pub fn step(
        &self,
        number: usize,
        step: &Step,
        memory: Option<&Memory>,
        states: Vec<Levels>,
    ) -> Result<Vec<Levels>, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let place = format!("Step {number} (when {})", step.text);
        let mut ends = Vec::new();
        for woken in states {
            let mut state = woken;
            for &(switch, value) in &step.moves {
                let nets = names.nets(switch, netlist);
                let differs = |(place, net): &(usize, &NetId)| state[**net] != (value >> place & 1 == 1);
                let moved: Vec<NetId> =
                    nets.iter().enumerate().filter(differs).map(|(_, &net)| net).collect();
                state = self.follow(self.go(&state, &moved, &place)?, memory, &place)?;
            }
            for &(lamp, value) in &step.shows {
                let nets = names.nets(lamp, netlist);
                if self::number(&state, &nets) != value {
                    let (is, expected) = (self.tell.value(lamp, &state), shown(value, nets.len()));
                    return Err(format!("{place}: {is}, expected {expected}.").into());
                }
            }
            ends.push(state);
        }
        Ok(each_once(ends))
    }

    /// Goes round twice from each of these states.
    pub fn round(
        &self,
        round: &Round,
        memory: Option<&Memory>,
        states: Vec<Levels>,
    ) -> Result<Vec<Levels>, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let lamps = names.nets(round.lamp, netlist);
        let moved: Vec<NetId> = round.moved.iter().flat_map(|&switch| names.nets(switch, netlist)).collect();
        let moves: Vec<&[NetId]> = match round.is_beat {
            true => moved.chunks(1).flat_map(|net| [net, net]).collect(),
            false => vec![&moved],
        };
        let unit = if round.is_beat { "Beat" } else { "Change" };
        for first in &states {
            let start = number(first, &lamps);
            let position = round.numbers.iter().rposition(|number| *number == start).ok_or_else(|| {
                let numbers: Vec<String> = round.numbers.iter().map(u32::to_string).collect();
                let (is, numbers) = (self.tell.value(round.lamp, first), numbers.join(" "));
                format!("Your board can be at {is} before it is moved, which is not one of {numbers}.")
            })?;
            let mut state = first.clone();
            for count in 1..=2 * round.numbers.len() {
                let before = state.clone();
                let place =
                    format!("{unit} {count}, {}", self.tell.state(&state).replacen("With", "with", 1));
                for nets in &moves {
                    state = self.follow(self.go(&state, nets, &place)?, memory, &place)?;
                }
                let expected = round.numbers[(position + count) % round.numbers.len()];
                if number(&state, &lamps) != expected {
                    let (from, to) =
                        (self.tell.value(round.lamp, &before), self.tell.value(round.lamp, &state));
                    let expected = shown(expected, lamps.len());
                    return Err(
                        format!("{unit} {count} leads from {from} to {to}, expected {expected}.").into()
                    );
                }
            }
        }
        Ok(states)
    }

    /// Moves the switches in every way from these states on. Returns how many states and moves there were.
    pub fn wander(
        &self,
        given: &Given,
        wanted: &Wanted,
        states: Vec<Levels>,
    ) -> Result<(usize, usize), Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let singles = given.switches.iter().filter_map(|name| netlist.net(name));
        let mut moves: Vec<(Vec<NetId>, Option<&Formula>)> = singles.map(|net| (vec![net], None)).collect();
        for (switch, condition) in &wanted.together {
            let nets = names.nets(*switch, netlist);
            for set in (0..1u32 << nets.len()).filter(|set| set.count_ones() > 1) {
                let moved = (0..).zip(&nets).filter(|(place, _)| set >> place & 1 == 1);
                moves.push((moved.map(|(_, &net)| net).collect(), condition.as_ref()));
            }
        }
        let Mover::Explore(explorer) = &self.mover else { return Ok((0, 0)) };
        let mut seen: HashSet<Levels> = states.iter().cloned().collect();
        let (mut next, mut count) = (states, 0);
        while let Some(state) = next.pop() {
            self.tries(&state, &[]);
            self.look(wanted, &state)?;
            let values = names.values(netlist, &state);
            for (moved, condition) in &moves {
                if condition.map(|condition| condition.value(&values)).transpose()? == Some(0) {
                    continue;
                }
                self.tries(&state, moved);
                let after = self.explore(explorer, &state, moved, "")?;
                count += 1;
                self.compare(wanted, (&state, moved), &after)?;
                if seen.insert(after.levels.clone()) {
                    next.push(after.levels);
                }
            }
            if seen.len() > MOST_STATES {
                return Err("Your board has more states than can be walked through.".into());
            }
        }
        Ok((seen.len(), count))
    }

    /// What holds in a state of rest.
    fn look(&self, wanted: &Wanted, state: &Levels) -> Result<(), Refusal> {
        let values = self.tell.names.values(self.tell.netlist, state);
        for holds in &wanted.whiles {
            let While::Holds((_, condition), (text, formula)) = holds else { continue };
            if condition.value(&values)? != 0 && formula.value(&values)? == 0 {
                return Err(format!("{}, this does not hold: {text}.", self.tell.state(state)).into());
            }
        }
        Ok(())
    }

    /// What stays during a move.
    fn compare(
        &self,
        wanted: &Wanted,
        (from, moved): (&Levels, &[NetId]),
        after: &Moved,
    ) -> Result<(), Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        for stays in &wanted.whiles {
            let While::Stays((text, condition), lamp) = stays else { continue };
            if condition.value(&names.values(netlist, &after.levels))? == 0 {
                continue;
            }
            if let Some(net) = names.nets(*lamp, netlist).into_iter().find(|&net| !after.stays(net)) {
                let name = &netlist.nets[net].name;
                let how = match after.levels[net] == from[net] {
                    true => "can change on the way",
                    false => "changes",
                };
                return Err(format!(
                    "{}, {}: {name} {how}, though it is to stay while {text}.",
                    self.tell.state(from),
                    self.tell.moved(from, moved)
                )
                .into());
            }
        }
        Ok(())
    }

    /// Lets switches follow a lamp, if they do.
    fn follow(&self, state: Levels, memory: Option<&Memory>, place: &str) -> Result<Levels, Refusal> {
        let Some(Memory { switch, lamp, numbers }) = memory else { return Ok(state) };
        let Tell { names, netlist, .. } = self.tell;
        let address = number(&state, &names.nets(*lamp, netlist)) as usize;
        let value = numbers.get(address).copied().unwrap_or_default();
        let nets = names.nets(*switch, netlist).into_iter().enumerate();
        let moved = nets.filter(|&(place, net)| state[net] != (value >> place & 1 == 1));
        self.go(&state, &moved.map(|(_, net)| net).collect::<Vec<_>>(), place)
    }

    fn tries(&self, from: &Levels, inputs: &[NetId]) {
        self.tell.tries(Some(from), inputs.iter().map(|&net| (net, !from[net])).collect());
    }

    /// Moves switches, and says where that leads.
    fn go(&self, from: &Levels, inputs: &[NetId], place: &str) -> Result<Levels, Refusal> {
        if inputs.is_empty() {
            return Ok(from.clone());
        }
        self.tries(from, inputs);
        match &self.mover {
            Mover::Explore(explorer) => Ok(self.explore(explorer, from, inputs, place)?.levels),
            Mover::Run(_, run) => {
                let mut run = run.clone();
                run.resume(from);
                let inputs: Vec<(NetId, bool)> = inputs.iter().map(|&net| (net, !from[net])).collect();
                run.set(&inputs).map_err(|restless| format!("{place}: {restless}."))?;
                Ok(run.levels())
            }
        }
    }

    /// Moves switches in every order of lines. The message about trouble begins with a place, or with the state.
    fn explore(
        &self,
        explorer: &Explorer,
        from: &Levels,
        inputs: &[NetId],
        place: &str,
    ) -> Result<Moved, Refusal> {
        let begin = || {
            let state = self.tell.state(from);
            let state = if place.is_empty() || place.contains(", with ") {
                String::new()
            } else {
                format!(" {state},")
            };
            let place = if place.is_empty() { self.tell.state(from) } else { place.to_owned() };
            let place = if state.is_empty() { format!("{place}, ") } else { format!("{place}:{state} ") };
            format!("{place}{}", self.tell.moved(from, inputs))
        };
        let moved = explorer
            .moved(from, inputs)
            .inspect_err(|trouble| self.tell.goes_wrong(explorer, from, inputs, trouble))
            .map_err(|trouble| format!("{}, and {}.", begin(), self.tell.trouble(&trouble)))?;
        match self.steady.iter().find(|&&net| moved.pulses(net)) {
            Some(&net) => {
                let name = &self.tell.netlist.nets[net].name;
                Err(format!("{}, and {name} can blink: it may change more than once.", begin()).into())
            }
            None => Ok(moved),
        }
    }
}

/// States of rest, each once.
fn each_once(mut states: Vec<Levels>) -> Vec<Levels> {
    states.sort();
    states.dedup();
    states
}
