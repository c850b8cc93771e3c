//! Boards without a CPU: everything that can happen when inputs move, in every order of lines.
//!
//! The chips that can influence a loop, or a net that is watched, are explored as one ring: each of their address lines
//! gets its new level at any time, so one chip may see a change before another, and each line of a chip has its own
//! delay. All other chips only follow; they are looked up at the end.

use crate::clock::{Motion, settle_any};
use crate::limits::{Limits, Visits};
use crate::ring::{Counted, Disorder, Movers, Pin, Ring, State};
use crate::rom::driver;
use gray1_machine::logic::components;
use gray1_machine::netlist::{ChipId, NetId, Netlist, number};

/// The levels of all nets, by number.
pub type Levels = Vec<bool>;

/// A board without a CPU, explored move by move.
pub struct Explorer<'a> {
    netlist: &'a Netlist,
    pub(crate) ring: Ring<'a>,
    /// The chips outside the ring, each after those that it reads.
    followers: Vec<ChipId>,
    limits: Limits,
}

/// The result of a move, in whatever order lines react.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The levels in the end.
    pub levels: Levels,
    motions: Vec<Motion>,
    pub(crate) counted: Counted,
}

/// The reason why a move has no single result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Two orders of lines lead to two final states.
    TwoEnds {
        /// The address lines that change, in their order: which net reaches which chip.
        orders: [Vec<(NetId, ChipId)>; 2],
        /// The levels at the end of each.
        ends: [Levels; 2],
    },
    /// Lines can keep changing forever, after these.
    Endless {
        /// The address lines that change, in their order.
        order: Vec<(NetId, ChipId)>,
    },
    /// There are more states than the limit allows.
    TooLarge,
}

impl<'a> Explorer<'a> {
    /// Everything that matters for the loops of a board and for some nets that are watched. `None` if that goes through
    /// RAM, or through chips with more than 64 address lines.
    pub fn new(netlist: &'a Netlist, watched: &[NetId]) -> Option<Explorer<'a>> {
        let limits = Limits::default();
        let all = 0..netlist.chips.len();
        let drivers = |chip: ChipId| netlist.chips[chip].reads.iter().filter_map(|&net| driver(netlist, net));
        let loops = components(&all.clone().map(|chip| drivers(chip).collect()).collect::<Vec<_>>());
        let is_loop = |chips: &Vec<ChipId>| chips.len() > 1 || netlist.chips[chips[0]].holds_itself();
        let mut next: Vec<ChipId> = loops.into_iter().filter(is_loop).flatten().collect();
        next.extend(watched.iter().filter_map(|&net| driver(netlist, net)));
        let mut matters = vec![false; netlist.chips.len()];
        while let Some(chip) = next.pop() {
            if !std::mem::replace(&mut matters[chip], true) {
                next.extend(drivers(chip));
            }
        }
        let chips: Vec<ChipId> = all.filter(|&chip| matters[chip]).collect();
        let mut followers = netlist.travel_order();
        followers.retain(|&chip| !matters[chip]);
        let are_tables = followers.iter().all(|&chip| netlist.table(chip).is_some());
        let ring = Ring::new(netlist, &chips).filter(|_| are_tables)?;
        Some(Explorer { netlist, ring, followers, limits })
    }

    /// Returns all states of rest in which the inputs have these levels; of inputs that are not named, any levels that
    /// make a difference. `None` if there are too many.
    pub fn rests(&self, inputs: &[(NetId, bool)]) -> Option<Vec<Levels>> {
        let level = |net: NetId| inputs.iter().find(|(input, _)| *input == net).map(|(_, level)| *level);
        let states = self.ring.rests(level, State::MAX, self.limits.states)?;
        let mut levels = vec![false; self.netlist.nets.len()];
        inputs.iter().for_each(|&(net, level)| levels[net] = level);
        Some(states.into_iter().map(|state| self.levels(levels.clone(), state)).collect())
    }

    /// Explores all that follows from a state of rest when these inputs take the other level, each at any time.
    pub fn moved(&self, from: &Levels, inputs: &[NetId]) -> Result<Moved, Trouble> {
        let ring = &self.ring;
        let mut levels = from.clone();
        inputs.iter().for_each(|&net| levels[net] = !levels[net]);
        let once = ring.pins_where(|net| inputs.contains(&net));
        let nets: Vec<NetId> = (0..self.netlist.nets.len()).filter(|&net| ring.drives(net)).collect();
        let mut motions = vec![Motion::Stable; from.len()];
        inputs.iter().for_each(|&net| motions[net] = Motion::Once);
        if once == 0 {
            let counted = Counted { states: 1, ..Counted::default() };
            let state = ring.pins_where(|net| from[net]);
            return Ok(Moved { levels: self.levels(levels, state), motions, counted });
        }
        let movers = Movers { once, ..Movers::default() };
        let start = ring.pins_where(|net| from[net]);
        let place = |pin: usize| (ring.pins[pin].net, ring.chips[ring.pins[pin].chip]);
        let places = |order: Vec<usize>| order.into_iter().map(place).collect::<Vec<_>>();
        let settled = settle_any(ring, &nets, &mut Visits::new(&self.limits), start, movers);
        let settled = settled.map_err(|disorder| match disorder {
            Disorder::TwoEnds { ends, orders } => Trouble::TwoEnds {
                ends: ends.map(|end| self.levels(levels.clone(), end)),
                orders: orders.map(places),
            },
            Disorder::Endless { order } => Trouble::Endless { order: places(order) },
            Disorder::TooLarge => Trouble::TooLarge,
        })?;
        nets.iter().zip(&settled.moves).for_each(|(&net, &motion)| motions[net] = motion);
        let counted = settled.explored.counted;
        Ok(Moved { levels: self.levels(levels, settled.ends[0]), motions, counted })
    }

    /// Replays an order of lines from a state of rest, when these inputs have taken the other level: for each line that
    /// reaches a chip, the address that the chip sees then, and the levels of all nets.
    pub fn replayed(&self, from: &Levels, inputs: &[NetId], order: &[(NetId, ChipId)]) -> Vec<(u32, Levels)> {
        let ring = &self.ring;
        let mut levels = from.clone();
        inputs.iter().for_each(|&net| levels[net] = !levels[net]);
        let mut state = ring.pins_where(|net| from[net]);
        let step = |&(net, chip): &(NetId, ChipId)| {
            let is_meant = |pin: &Pin| pin.net == net && ring.chips[pin.chip] == chip;
            let pins = (0..).zip(&ring.pins).filter(|(_, pin)| is_meant(pin));
            pins.for_each(|(place, _)| state ^= 1 << place);
            let mut now = levels.clone();
            for &chip in &ring.chips {
                for &net in &self.netlist.chips[chip].data {
                    now[net] = ring.driven(net, state);
                }
            }
            self.look_up(&self.followers, &mut now);
            let seen = ring.chips.iter().position(|&other| other == chip);
            (seen.map_or(0, |chip| ring.address(chip, state)), now)
        };
        order.iter().map(step).collect()
    }

    /// Returns the levels of all nets when the ring is at rest in a state; the inputs have theirs already.
    fn levels(&self, mut levels: Levels, state: State) -> Levels {
        for (place, pin) in self.ring.pins.iter().enumerate() {
            levels[pin.net] = state >> place & 1 == 1;
        }
        self.look_up(&self.ring.chips, &mut levels);
        self.look_up(&self.followers, &mut levels);
        levels
    }

    fn look_up(&self, chips: &[ChipId], levels: &mut Levels) {
        for &chip in chips {
            let Some(cells) = self.netlist.table(chip) else { continue };
            let data = cells[number(levels, &self.netlist.chips[chip].reads) as usize];
            for (line, &net) in self.netlist.chips[chip].data.iter().enumerate() {
                levels[net] = data >> line & 1 == 1;
            }
        }
    }
}

impl Moved {
    /// Whether a net keeps its level all the time. It has to be one that is watched, or that a loop depends on.
    pub fn stays(&self, net: NetId) -> bool {
        self.motions[net] == Motion::Stable
    }

    /// Whether a net may change more than once, likewise.
    pub fn pulses(&self, net: NetId) -> bool {
        self.motions[net] == Motion::Glitches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;

    fn board(chips: &str) -> Board {
        let text = format!(
            "Board(name: \"b\", parts: {{\"27C64\": Rom(address: 13, data: 8, about: \"\")}}, inputs: [(nets: \"D E\", \
             about: \"\")], chips: [{chips}], bench: (switches: \"D E\", lamps: \"Q\"))"
        );
        Board::parse_any(&text, "b.ron").unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn rom(name: &str, address: &str, formula: &str) -> String {
        let data = formula.split(' ').next().unwrap_or_default();
        format!(
            "Rom(name: \"{name}\", part: \"27C64\", burn: Formula([\"{formula}\"]), address: \"{address}\", data: \"{data}\"),"
        )
    }

    /// Whether every move of one input from every state of rest has one end.
    fn is_orderly(board: &Board) -> Result<usize, (Trouble, String)> {
        let netlist = board.netlist();
        let explorer = Explorer::new(netlist, &[]).unwrap();
        let rests = explorer.rests(&[]).unwrap();
        for rest in &rests {
            for net in netlist.inputs.iter().cloned().flatten() {
                let at: String = rest.iter().map(|&level| if level { '1' } else { '0' }).collect();
                explorer.moved(rest, &[net]).map_err(|trouble| (trouble, at))?;
            }
        }
        Ok(rests.len())
    }

    #[test]
    fn a_latch_in_one_table_needs_no_order() {
        assert_eq!(is_orderly(&board(&rom("L", "D E Q", "Q = E ? D : Q"))), Ok(6));
    }

    #[test]
    fn a_latch_of_gates_forgets_in_some_order() {
        let gates = [
            ("N", "E", "N = !E"),
            ("X", "D E", "X = D & E"),
            ("Y", "Q N", "Y = Q & N"),
            ("O", "X Y", "Q = X | Y"),
        ];
        let forgets = board(&gates.map(|(name, address, formula)| rom(name, address, formula)).concat());
        let (trouble, at) = is_orderly(&forgets).unwrap_err();
        let Trouble::TwoEnds { orders, ends } = trouble else { panic!("{trouble:?}") };
        assert_eq!(&at[..2], "11"); // D and E are 1, and E falls
        let q = forgets.netlist().net("Q").unwrap();
        assert_ne!(ends[0][q], ends[1][q]);
        assert_ne!(orders[0], orders[1]);
        // Played again line by line, each order leads to its end.
        let netlist = forgets.netlist();
        let from: Levels = at.chars().map(|level| level == '1').collect();
        let explorer = Explorer::new(netlist, &[]).unwrap();
        for (order, end) in orders.iter().zip(&ends) {
            let steps = explorer.replayed(&from, &[netlist.net("E").unwrap()], order);
            assert_eq!((steps.len(), &steps.last().unwrap().1), (order.len(), end));
            let last = order.last().unwrap().1;
            assert_eq!(steps.last().unwrap().0, number(end, &netlist.chips[last].reads));
        }
        // Set and reset, by one table, cannot both be 0 and lose it.
        let pair = [
            ("S", "D E", "S = D & E"),
            ("R", "D E", "R = !D & E"),
            ("Q", "R P", "Q = !(R | P)"),
            ("P", "S Q", "P = !(S | Q)"),
        ];
        let keeps = board(&pair.map(|(name, address, formula)| rom(name, address, formula)).concat());
        assert_eq!(is_orderly(&keeps), Ok(6));
    }

    #[test]
    fn what_never_rests_is_endless() {
        let (trouble, _) = is_orderly(&board(&rom("L", "D E Q", "Q = E ? !Q : Q"))).unwrap_err();
        assert!(matches!(trouble, Trouble::Endless { .. }), "{trouble:?}");
    }

    #[test]
    fn the_motion_of_watched_nets_is_known() {
        // D & E by way of a slower inverter: a pulse where there should be none.
        let chips = [("N", "D", "N = !D"), ("Q", "D N", "Q = D & N")];
        let board = board(&chips.map(|(name, address, formula)| rom(name, address, formula)).concat());
        let (netlist, q) = (board.netlist(), board.netlist().net("Q").unwrap());
        let explorer = Explorer::new(netlist, &[q]).unwrap();
        let [low] = &explorer.rests(&[(0, false), (1, false)]).unwrap()[..] else { panic!("one state") };
        let risen = explorer.moved(low, &[0]).unwrap();
        assert!(risen.pulses(q) && !risen.stays(q) && !risen.levels[q]);
        let other = explorer.moved(low, &[1]).unwrap();
        assert!(other.stays(q) && other.levels[1]);
    }
}
