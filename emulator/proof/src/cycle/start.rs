//! The states in which a cycle can begin: all in which every chip is at rest and the clock is at the beginning of a
//! cycle.
//!
//! They are not listed by hand. Each loop of the board is cut at a net, which becomes a variable; all other nets follow
//! from these by the tables. The condition that the chips on the loops are at rest is then an equation for each of the
//! cut nets. For a closed latch it always holds; an equation that determines a net (the parity of the counter, for
//! instance) is used to write that net as a function of the others. The remaining equations restrict the states.

use super::board::{Memory, Result, SymbolicBoard};
use super::burned::Repair;
use crate::limits::Limits;
use crate::rom::heard;
use gray1_machine::logic::{FALSE, Function, TRUE, constant};
use gray1_machine::netlist::{NetId, Netlist};
use gray1_machine::tables::{Known, Tables};

/// A board at rest.
pub(crate) struct Start<'a> {
    pub board: SymbolicBoard<'a>,
    /// The nets at which loops are cut.
    pub cut: Vec<NetId>,
    /// Those of them that are variables.
    pub free: Vec<NetId>,
    /// The states at rest, as a function of the variables.
    pub rests: Function,
    /// The word of the program at the place that the counter names.
    pub word: Vec<Function>,
    /// The possible states, as far as equal cells of the program have equal contents.
    pub agrees: Function,
}

impl<'a> Start<'a> {
    /// Returns all states at rest in which these levels are known.
    pub fn find(
        netlist: &'a Netlist,
        known: &Known,
        limits: &Limits,
        repair: Option<Repair>,
    ) -> Result<Start<'a>> {
        let board = SymbolicBoard::new(netlist, limits, repair)?;
        let mut evaluation = Evaluation {
            board,
            tables: Tables::new(netlist),
            known,
            marks: vec![Mark::New; netlist.nets.len()],
            cut: vec![],
        };
        // Known levels come first: a net does not depend on a line that cannot move, but looking up its chip needs the
        // level.
        for net in (0..netlist.nets.len()).filter(|&net| known[net].is_some()) {
            evaluation.find(net)?;
        }
        for &net in netlist.panel.counter.iter().chain(&netlist.panel.word) {
            evaluation.find(net)?;
        }
        let (word, agrees) = recognise(&mut evaluation.board)?;
        for net in 0..netlist.nets.len() {
            evaluation.find(net)?;
        }
        let Evaluation { mut board, cut, .. } = evaluation;
        let variables = board.on(&cut);
        let rests = solve(&mut board, &cut)?;
        let levels = board.on(&cut);
        let free = cut
            .iter()
            .zip(variables.iter().zip(levels))
            .filter(|(_, (variable, level))| **variable == *level);
        let free = free.map(|(&net, _)| net).collect();
        Ok(Start { board, cut, free, rests, word, agrees })
    }
}

/// Returns the word at the place that the counter names, and where cells that are equal agree. What only looks
/// different on the board, because it comes from other chips, is replaced by it.
fn recognise(board: &mut SymbolicBoard) -> Result<(Vec<Function>, Function)> {
    let panel = &board.netlist.panel;
    let mut word = Vec::new();
    for byte in 0..2 {
        word.extend(board.cell(Memory::Program { byte }, &panel.counter)?);
    }
    let agrees = board.agrees()?;
    for (&net, &bit) in panel.word.iter().zip(&word) {
        let differs = board.diagrams.differ(board.levels[net], bit)?;
        if board.diagrams.and(differs, agrees)? == FALSE {
            board.levels[net] = bit;
        }
    }
    Ok((word, agrees))
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

struct Evaluation<'a, 'k> {
    board: SymbolicBoard<'a>,
    tables: Tables<'a>,
    known: &'k Known,
    marks: Vec<Mark>,
    cut: Vec<NetId>,
}

impl Evaluation<'_, '_> {
    /// Finds the function on a net, after those on the nets that it depends on.
    fn find(&mut self, net: NetId) -> Result<()> {
        let netlist = self.board.netlist;
        match (self.marks[net], self.known[net], netlist.nets[net].driver) {
            (Mark::Done, ..) => {}
            (_, Some(level), _) => {
                self.board.levels[net] = constant(level);
                self.marks[net] = Mark::Done;
            }
            (_, _, None) => self.variable(net)?,
            (Mark::Open, ..) => {
                self.variable(net)?;
                self.cut.push(net);
            }
            (Mark::New, _, Some(pin)) => {
                let chip = &netlist.chips[pin.chip];
                if chip.reads.contains(&net) {
                    self.variable(net)?;
                    self.cut.push(net);
                    return Ok(());
                }
                self.marks[net] = Mark::Open;
                for line in heard(&mut self.tables, netlist, pin, self.known) {
                    self.find(line)?;
                }
                if self.marks[net] == Mark::Open {
                    self.board.levels[net] = self.board.gives(pin.chip, pin.line)?;
                    self.marks[net] = Mark::Done;
                }
            }
        }
        Ok(())
    }

    fn variable(&mut self, net: NetId) -> Result<()> {
        self.marks[net] = Mark::Done;
        self.board.levels[net] = self.board.fresh(net)?;
        Ok(())
    }
}

/// Solves the equations of the cut nets, as far as they determine one of them; returns the remaining ones.
fn solve(board: &mut SymbolicBoard, cut: &[NetId]) -> Result<Function> {
    let variables = board.on(cut);
    let mut rests = TRUE;
    for (&net, &variable) in cut.iter().zip(&variables) {
        let Some(pin) = board.netlist.nets[net].driver else { continue };
        let given = board.gives(pin.chip, pin.line)?;
        let differs = board.diagrams.differ(given, variable)?;
        rests = board.diagrams.and(rests, !differs)?;
    }
    // Nets of the panel stay variables if possible.
    let named = named(board.netlist);
    let (named, others): (Vec<_>, Vec<_>) =
        cut.iter().zip(variables).partition(|(net, _)| named.contains(net));
    for (_, variable) in others.into_iter().chain(named) {
        let high = board.diagrams.replace(rests, variable, TRUE)?;
        let low = board.diagrams.replace(rests, variable, FALSE)?;
        if high != low && board.diagrams.and(high, low)? == FALSE {
            board.replace(variable, high)?;
            rests = board.diagrams.or(high, low)?;
        }
    }
    Ok(rests)
}

/// Returns the nets of the registers and the latches in the panel.
fn named(netlist: &Netlist) -> Vec<NetId> {
    let panel = &netlist.panel;
    let flags = [&panel.carry, &panel.carry_master, &panel.jump_master, &panel.tick_master];
    let numbers = [&panel.counter, &panel.target, &panel.accumulator, &panel.accumulator_master];
    let latches = panel.outlets().map(|outlet| &outlet.latch);
    flags.into_iter().chain(numbers).chain(latches).flatten().copied().collect()
}
