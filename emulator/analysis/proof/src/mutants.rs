//! How good the claims are at finding faults: boards with one wrong cell each, and what is said about them.

use crate::cells::CellReach;
use crate::claim::Claim;
use crate::prover::{Prover, Stopped};
use crate::report::{Fate, Mutant, Other, Score, Verdict};
use gray1_machine::Random;
use gray1_machine::netlist::ChipId;

impl Prover<'_> {
    /// Draws this many wrong cells. `None` if it is not known which cells this board can look up.
    pub fn mutants(&self, count: usize, seed: u64) -> Result<Option<Vec<Mutant>>, Stopped> {
        let Some(reach) = self.cells()? else { return Ok(None) };
        let netlist = self.board.netlist();
        let at_rest = reach.iter().filter_map(|reach| {
            let rests = (0..).zip(&reach.cells).filter(|(_, way)| **way == CellReach::Rest);
            Some((netlist.chip(&reach.chip)?, rests.map(|(address, _)| address).collect::<Vec<u32>>()))
        });
        let at_rest: Vec<(ChipId, Vec<u32>)> = at_rest.filter(|(_, rests)| !rests.is_empty()).collect();
        if at_rest.is_empty() {
            return Ok(None);
        }
        let mut random = Random::new(seed, 0x3070);
        let mut below = |count: usize| (random.draw() % count as u64) as usize;
        let mutants = (0..count).map(|_| {
            let (id, rests) = &at_rest[below(at_rest.len())];
            let chip = &netlist.chips[*id];
            let (address, bit) = (rests[below(rests.len())], below(chip.data.len()));
            let line = netlist.nets[chip.data[bit]].name.clone();
            Mutant { chip: chip.name.clone(), address, line, bit }
        });
        Ok(Some(mutants.collect()))
    }

    /// What the claims say about the board with one of them.
    pub fn fate(&self, mutant: &Mutant) -> Result<Fate, Stopped> {
        let mut board = self.board.clone();
        let netlist = self.board.netlist();
        let table = netlist.chip(&mutant.chip).and_then(|chip| netlist.table(chip)).map(<[u8]>::to_vec);
        let Some(cells) = table else { return Ok(Fate::Undecided) };
        let wrong = |at: u32| cells[at as usize] ^ u8::from(at == mutant.address) << mutant.bit;
        if !board.burn(&mutant.chip, wrong) {
            return Ok(Fate::Undecided);
        }
        let prover = Prover { board: &board, ..*self };
        // The claim that is refuted most often comes first.
        let mut fate = Fate::Equal;
        for claim in [Claim::Instructions, Claim::Loops, Claim::Order, Claim::Strobes, Claim::Reset] {
            match prover.prove(claim)?.verdict {
                Verdict::Refuted => return Ok(Fate::Refuted),
                Verdict::Undecided => fate = Fate::Undecided,
                Verdict::Proved => {}
            }
        }
        Ok(fate)
    }
}

impl Score {
    /// The score of these.
    pub fn of(seed: u64, fates: Vec<(Mutant, Fate)>) -> Score {
        let count = |fate| fates.iter().filter(|(_, other)| *other == fate).count();
        Score {
            seed,
            planted: fates.len(),
            refuted: count(Fate::Refuted),
            equal: count(Fate::Equal),
            undecided: count(Fate::Undecided),
            others: fates
                .into_iter()
                .filter(|(_, fate)| *fate != Fate::Refuted)
                .map(|(mutant, fate)| Other { mutant, fate })
                .collect(),
        }
    }

    /// The score, for people.
    pub fn text(&self) -> String {
        let Score { seed, planted, refuted, equal, undecided, others } = self;
        let mut text = format!(
            "\n{planted} wrong cells of seed {seed}: {refuted} refuted, {equal} make no difference, {undecided} undecided\n"
        );
        for Other { mutant: Mutant { chip, address, line, .. }, fate } in others {
            let fate = if *fate == Fate::Equal { "makes no difference" } else { "is undecided" };
            text += &format!("  {chip} at {address:05X}, {line}: {fate}\n");
        }
        text
    }
}
