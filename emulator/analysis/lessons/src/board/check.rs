//! Whether a board does what it is to do.

use super::given::Given;
use super::tell::{Tell, shown};
use super::walk::{Mover, Walk};
use super::wanted::{Act, Wanted, While};
use crate::Refusal;
use crate::verdict::{Verdict, and};
use gray1_machine::board::Board;
use gray1_machine::netlist::{NetId, number};
use gray1_machine::{BenchRun, Noise};
use gray1_proof::{Explorer, Levels, Move, order_in_moves};
use gray1_text::counted;
use std::cell::RefCell;

/// Boards with more switches are not tried for every input.
const MOST_SWITCHES: usize = 18;

impl Wanted {
    /// Says what was found to be right, or the first thing that is wrong; the verdict gets the move that shows it.
    pub fn check(&self, given: &Given, board: &Board, verdict: &mut Verdict) -> Result<String, Refusal> {
        let tell = Tell {
            names: &given.names,
            netlist: board.netlist(),
            tried: RefCell::default(),
            orders: RefCell::default(),
        };
        let found = self.check_all(given, board, &tell);
        verdict.tried = tell.last().filter(|_| found.is_err());
        found
    }

    fn check_all(&self, given: &Given, board: &Board, tell: &Tell) -> Result<String, Refusal> {
        let netlist = tell.netlist;
        let steady: Vec<NetId> =
            self.steady.iter().flat_map(|&lamp| given.names.nets(lamp, netlist)).collect();
        let staying = self.whiles.iter().filter_map(|holds| match holds {
            While::Stays(_, lamp) => Some(*lamp),
            While::Holds(..) => None,
        });
        let staying = staying.flat_map(|lamp| given.names.nets(lamp, netlist));
        let watched: Vec<NetId> = staying.chain(steady.iter().copied()).collect();
        if let Some(ram) = netlist.chips.iter().find(|chip| chip.is_ram()) {
            return Err(format!("{} is a RAM: this level is about ROMs.", ram.name).into());
        }
        if !self.strobes.is_empty() {
            return self.check_phases(given, board, tell);
        }
        let explorer = Explorer::new(netlist, &watched).ok_or(
            "This board is too large to try everything: the chips that keep something, or lead to one that does, have more \
             than 64 address lines together.",
        )?;
        let mut found = Vec::new();
        if !self.always.is_empty() {
            self.check_always(given, &explorer, tell)?;
            found.push(format!("it is as asked for all {} inputs", 1u64 << given.switches.len()));
        }
        if !self.acts.is_empty() || self.is_free {
            let walk = Walk { mover: Mover::Explore(&explorer), tell, steady: &steady };
            found.extend(self.check_walk(given, &walk)?);
        }
        Ok(and(&found))
    }

    /// With strobes that are never 1 together: no order makes a difference in any phase, and then one order is run.
    fn check_phases(&self, given: &Given, board: &Board, tell: &Tell) -> Result<String, Refusal> {
        let names = &given.names;
        let nets = |name: &usize| names.nets(*name, tell.netlist);
        let strobes: Vec<NetId> = self.strobes.iter().flat_map(nets).collect();
        let low = |but: NetId| strobes.iter().filter(move |&&net| net != but).map(|&net| (net, false));
        let mut moves: Vec<Move> = Vec::new();
        for &strobe in &strobes {
            moves.extend([true, false].map(|level| (strobe, low(strobe).chain([(strobe, level)]).collect())));
        }
        let others = given.switches.iter().filter_map(|name| tell.netlist.net(name));
        let others = others.filter(|net| !strobes.contains(net));
        moves.extend(others.map(|net| (net, vec![(strobes[0], false)])));
        order_in_moves(board, &moves).map_err(|why| {
            format!("It cannot be proved that the order of lines makes no difference: {why}.")
        })?;
        let run = BenchRun::switch_on(board, Noise::Zeros)?;
        let walk = Walk { mover: Mover::Run(board, Box::new(run)), tell, steady: &[] };
        self.check_acts(given, &walk)?;
        Ok("the lamps are right after each step, and in no phase the order of lines makes a difference"
            .to_owned())
    }

    /// Everything that is done with the switches. Returns the states that it ends in.
    fn check_acts(&self, given: &Given, walk: &Walk) -> Result<Vec<Levels>, Refusal> {
        let (mut states, mut steps, mut memory) = (walk.wake(given)?, 0, None);
        for act in &self.acts {
            states = match act {
                Act::Step(step) => {
                    steps += 1;
                    walk.step(steps, step, memory, states)?
                }
                Act::Round(round) => walk.round(round, memory, states)?,
                Act::Memory(numbers) => {
                    memory = Some(numbers);
                    states
                }
            };
        }
        Ok(states)
    }

    /// For every input, whatever the board has done before.
    fn check_always(&self, given: &Given, explorer: &Explorer, tell: &Tell) -> Result<(), Refusal> {
        let nets: Vec<NetId> = given.switches.iter().filter_map(|name| tell.netlist.net(name)).collect();
        if nets.len() > MOST_SWITCHES {
            return Err(format!("{} are too many to try every input.", counted(nets.len(), "switch")).into());
        }
        let lamps =
            self.always.iter().map(|(lamp, formula)| (*lamp, formula, given.names.nets(*lamp, tell.netlist)));
        let lamps: Vec<_> = lamps.collect();
        for input in 0..1u32 << nets.len() {
            let levels: Vec<(NetId, bool)> =
                nets.iter().enumerate().map(|(place, &net)| (net, input >> place & 1 == 1)).collect();
            let rests = explorer.rests(&levels).ok_or("There is too much that your board can hold.")?;
            tell.tries(None, levels.clone());
            if rests.is_empty() {
                let mut at = vec![false; tell.netlist.nets.len()];
                levels.iter().for_each(|&(net, level)| at[net] = level);
                return Err(format!("With {} your board never comes to rest.", tell.all(true, &at)).into());
            }
            for rest in rests {
                let values = given.names.values(tell.netlist, &rest);
                for (lamp, formula, nets) in &lamps {
                    let right = formula.value(&values)? as u32 & ((1u64 << nets.len()) - 1) as u32;
                    if number(&rest, nets) != right {
                        tell.tries(Some(&rest), Vec::new());
                        return Err(format!(
                            "For {} your board shows {}, expected {}.",
                            tell.all(true, &rest),
                            tell.value(*lamp, &rest),
                            shown(right, nets.len())
                        )
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Steps, rounds and free moves, from every state in which the board can wake up.
    fn check_walk(&self, given: &Given, walk: &Walk) -> Result<Vec<String>, Refusal> {
        let mut found = Vec::new();
        if !self.acts.is_empty() {
            let woken = match walk.wake(given)?.len() {
                1 => String::new(),
                woken => format!(", from all {woken} states in which it can wake up"),
            };
            found.push(format!("the lamps are right after each step{woken}"));
        }
        let states = self.check_acts(given, walk)?;
        if self.is_free {
            let (rests, moves) = walk.wander(given, self, states)?;
            found.push(format!(
                "{} from {} lead where they should, in every order of lines",
                counted(moves, "move"),
                counted(rests, "state")
            ));
        } else {
            found.push("no order of lines makes a difference".to_owned());
        }
        Ok(found)
    }
}
