//! The response of the clock to the reset button: pressed and released at any moment of a run, for any time, with
//! bounce.
//!
//! The clock is followed from each phase of a run, and from power-up, with the button's line still or moving once in
//! each phase. The rest of the board may see the clock only as it is while the machine *runs*, while the machine is
//! *held* in reset, or in one of the turns between the two. This file finds these turns.
//!
//! ```text
//!   button   ______/‾‾\___/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\____
//!   RST      _____________/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\___
//!                         a turn, held phases         a turn
//! ```
//!
//! Two edges of the line are at least [`APART_PHASES`] phases apart, and an edge is decided once: a line of the clock
//! that may or may not take it over does so without a pulse. Without the first assumption RST could rise and fall again
//! while it follows the button, and without the second no circuit could take anything over.

use crate::claim::{APART_PHASES, HOLD_CYCLES};
use crate::clock::{Clock, Edge, Motion, Settling, Turn, level, movers, power_ups, settle};
use crate::limits::{Limits, Visits};
use crate::ring::{Ring, State};
use crate::undecided::ClockError;
use crate::undecided::Undecided;
use gray1_machine::PHASES;
use gray1_machine::netlist::{NetId, Netlist};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const HOLD_PHASES: usize = HOLD_CYCLES * PHASES;
/// Counts of held phases are exact up to this number; beyond it, they are known modulo the phases of a cycle.
const MAX_COUNTED_PHASES: usize = HOLD_PHASES + PHASES;

/// The response of a clock to the button.
pub(crate) struct Button {
    /// The phases in which a reset can begin, and those in which it can end, each with the motion of the clock.
    pub begins: Vec<Turn>,
    pub ends: Vec<Turn>,
    /// The shortest resets.
    pub resets: Vec<Reset>,
    /// The faults of the clock itself.
    pub faults: Vec<String>,
    pub undecided: Option<Undecided>,
}

/// A reset as the rest of the board sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reset {
    /// The phase in which it ends.
    pub phase: usize,
    /// Whether the button was held for as long as it has to be.
    pub is_long: bool,
    /// The number of phases before that in which it lasted from beginning to end. The first of them is a phase 1.
    pub phases: usize,
}

impl Reset {
    /// Makes a reset that lasts for this many cycles, and then ends in this phase.
    pub fn after(phase: usize, cycles: usize) -> Reset {
        Reset { phase, is_long: true, phases: cycles * PHASES + (phase + PHASES - 1) % PHASES }
    }
}

/// The behaviour of the clock so far, as the rest of the board sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Behaviour {
    /// A machine that runs.
    Run,
    /// A reset: the number of its phases, from the first phase 1 on.
    Held { phases: Option<usize>, is_long: bool },
    /// Power-up.
    Waking,
}

/// The clock between two phases, and its history as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Situation {
    /// The phase that comes next, and the clock.
    phase: usize,
    state: State,
    /// The phases since the button's line moved.
    since: usize,
    seen: Behaviour,
}

/// One end of a phase: the state, and the motion of each net of the clock.
type PhaseEnd = (State, Vec<Motion>);

impl Button {
    /// Follows the clock. `None` if the button has no influence on what the board sees of it.
    pub fn find(netlist: &Netlist, clock: &Clock, limits: &Limits) -> Result<Option<Button>, ClockError> {
        let ring = Ring::new(netlist, &clock.chips);
        let ring = ring.ok_or(ClockError::TooManyLines(limits.clock_lines + 1))?;
        let shown: Vec<usize> = (0..clock.nets.len())
            .filter(|&index| clock.readers_outside(netlist, clock.nets[index]).next().is_some())
            .filter(|&index| netlist.nets[clock.nets[index]].driver.is_some())
            .collect();
        let reset = netlist.panel.reset[0];
        let mut walk =
            Search { clock, ring: &ring, reset, shown, visits: Visits::new(limits), known: HashMap::new() };
        let sees = |edges: &[Edge]| -> Vec<Vec<bool>> {
            edges.iter().map(|edge| walk.shown.iter().map(|&index| edge.levels[index]).collect()).collect()
        };
        if !clock.nets.contains(&reset) || sees(&clock.phases) == sees(&clock.held) {
            return Ok(None);
        }
        walk.all().map(Some)
    }
}

struct Search<'a> {
    clock: &'a Clock,
    ring: &'a Ring<'a>,
    reset: NetId,
    /// The nets that the rest of the board reads, by index among those of the clock.
    shown: Vec<usize>,
    visits: Visits,
    known: HashMap<(State, bool), Vec<PhaseEnd>>,
}

/// The results of the search so far.
#[derive(Default)]
struct Results {
    turns: [BTreeMap<usize, Vec<Motion>>; 2],
    resets: BTreeMap<(usize, bool), usize>,
    faults: BTreeSet<String>,
    undecided: Option<Undecided>,
}

impl Search<'_> {
    fn all(&mut self) -> Result<Button, ClockError> {
        let mut open: Vec<Situation> = Vec::new();
        for (phase, edge) in self.clock.phases.iter().enumerate() {
            let state = self.clock.state(self.ring, &edge.levels);
            open.push(Situation { phase, state, since: HOLD_PHASES, seen: Behaviour::Run });
        }
        for state in self.power_up()? {
            open.push(Situation { phase: 0, state, since: 0, seen: Behaviour::Waking });
        }
        let mut done: BTreeSet<Situation> = open.iter().copied().collect();
        let mut found = Results::default();
        while let Some(now) = open.pop() {
            if let Some(fault) = self.fault(now) {
                found.faults.insert(fault);
                continue;
            }
            let may_move = now.since >= APART_PHASES && now.seen != Behaviour::Waking;
            for moves in [false, true].into_iter().filter(|moves| !moves || may_move) {
                for (state, way) in self.phase(now.state, moves)? {
                    let Some(then) = self.then(now, moves, state, &way, &mut found) else {
                        let phase = now.phase;
                        found.undecided.get_or_insert(Undecided::ButtonSeen { phase });
                        continue;
                    };
                    if done.insert(then) {
                        open.push(then);
                    }
                }
            }
        }
        let [begins, ends] = found
            .turns
            .map(|turns| turns.into_iter().map(|(phase, moves)| Turn { phase, moves }).collect::<Vec<_>>());
        let resets = found.resets.into_iter();
        let resets = resets.map(|((phase, is_long), phases)| Reset { phase, is_long, phases });
        let (faults, undecided) = (found.faults.into_iter().collect(), found.undecided);
        Ok(Button { begins, ends, resets: resets.collect(), faults, undecided })
    }

    /// Describes the fault of a clock that has not followed a button held, or released, for long enough.
    fn fault(&self, now: Situation) -> Option<String> {
        let is_pressed = level(self.ring, self.reset, now.state);
        match now.seen {
            Behaviour::Run if now.since == HOLD_PHASES && is_pressed => Some(format!(
                "pressed before phase {} and held for {HOLD_CYCLES} cycles, the button has not begun a reset",
                now.phase
            )),
            Behaviour::Held { .. } if now.since == HOLD_PHASES && !is_pressed => {
                Some(format!("{HOLD_CYCLES} cycles after the button was let go, the reset has not ended"))
            }
            Behaviour::Waking if now.since == HOLD_PHASES => Some(format!(
                "held for {HOLD_CYCLES} cycles from power-up on, the button has not begun a reset"
            )),
            _ => None,
        }
    }

    /// Returns the situation after a phase; `None` if the rest of the board sees levels of neither a run nor a reset.
    fn then(
        &self,
        now: Situation,
        moves: bool,
        state: State,
        way: &[Motion],
        found: &mut Results,
    ) -> Option<Situation> {
        let phase = (now.phase + 1) % PHASES;
        let (runs, held) = (&self.clock.phases, &self.clock.held);
        let since = if moves { 1 } else { (now.since + 1).min(HOLD_PHASES) };
        let at = |phase, seen| Some(Situation { phase, state, since, seen });
        let shows = |levels: &[bool]| {
            self.shown.iter().all(|&index| level(self.ring, self.clock.nets[index], state) == levels[index])
        };
        let moves_as = |usual: &[Motion]| self.shown.iter().all(|&index| way[index] <= usual[index]);
        let is_first = |phase| (phase == 1).then_some(0);
        match now.seen {
            Behaviour::Waking => {
                let asleep = |phase: &usize| self.clock.state(self.ring, &held[*phase].levels) == state;
                match (0..PHASES).find(asleep) {
                    Some(phase) => at(phase, Behaviour::Held { phases: is_first(phase), is_long: false }),
                    None => at(0, Behaviour::Waking),
                }
            }
            Behaviour::Run if shows(&runs[phase].levels) => {
                moves_as(&runs[now.phase].moves).then(|| at(phase, Behaviour::Run)).flatten()
            }
            Behaviour::Run if shows(&held[phase].levels) => {
                found.turn(0, now.phase, way);
                at(phase, Behaviour::Held { phases: is_first(phase), is_long: false })
            }
            Behaviour::Held { phases, is_long } => {
                // A reset is long if the button was held for long when it was last released.
                let is_pressed = level(self.ring, self.reset, now.state);
                let is_long = if moves { is_pressed && now.since >= HOLD_PHASES } else { is_long };
                if shows(&held[phase].levels) {
                    let counted = |count: usize| {
                        if count < MAX_COUNTED_PHASES { count + 1 } else { count + 1 - PHASES }
                    };
                    let phases = phases.map(counted).or(is_first(phase));
                    return moves_as(&held[now.phase].moves)
                        .then(|| at(phase, Behaviour::Held { phases, is_long }))
                        .flatten();
                }
                if !shows(&runs[phase].levels) {
                    return None;
                }
                found.turn(1, now.phase, way);
                let shortest = found.resets.entry((now.phase, is_long)).or_insert(usize::MAX);
                *shortest = (*shortest).min(phases?);
                at(phase, Behaviour::Run)
            }
            Behaviour::Run => None,
        }
    }

    /// Finds all ends of a phase, with the button's line moving once at any time, or not.
    fn phase(&mut self, start: State, moves: bool) -> Result<Vec<PhaseEnd>, ClockError> {
        if let Some(known) = self.known.get(&(start, moves)) {
            return Ok(known.clone());
        }
        let (ring, nets, panel) = (self.ring, &self.clock.nets, &self.ring.netlist.panel);
        let once = ring.pins_where(|net| net == panel.oscillator[0] || moves && net == self.reset);
        let settled = settle(ring, nets, &mut self.visits, start, movers(ring, once))?;
        let Settling { mut ends, moves: all, explored } = settled;
        ends.sort_unstable();
        ends.dedup();
        let at = |net: NetId, end: &State| level(ring, net, *end);
        let ways = ends.iter().map(|end| {
            let moves = nets.iter().zip(&all).map(|(&net, &moves)| {
                let is_decided = ends.iter().any(|other| at(net, other) != at(net, end));
                let is_called_off = explored.pulses & ring.pins_where(|other| other == net) != 0;
                match moves {
                    Motion::Once if at(net, end) == level(ring, net, start) => Motion::Stable,
                    _ if is_called_off && !is_decided => Motion::Glitches,
                    _ => moves,
                }
            });
            (*end, moves.collect())
        });
        let ways: Vec<PhaseEnd> = ways.collect();
        self.known.insert((start, moves), ways.clone());
        Ok(ways)
    }

    /// Returns the states in which the clock comes to rest at power-up, with the button held.
    fn power_up(&mut self) -> Result<BTreeSet<State>, ClockError> {
        let (ring, nets) = (self.ring, &self.clock.nets);
        let mut states = BTreeSet::new();
        for start in power_ups(ring, nets, true) {
            states.extend(settle(ring, nets, &mut self.visits, start, movers(ring, 0))?.ends);
        }
        Ok(states)
    }
}

impl Results {
    /// Records that a reset begins, or ends, in this phase.
    fn turn(&mut self, which: usize, phase: usize, way: &[Motion]) {
        let moves = self.turns[which].entry(phase).or_insert_with(|| way.to_vec());
        moves.iter_mut().zip(way).for_each(|(most, moves)| *most = (*most).max(*moves));
    }
}
