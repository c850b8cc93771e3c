//! The examination of a board for one claim: the parts that each claim examines, and its report.

use crate::button::{Button, Reset};
use crate::claim::{Claim, RESET_CYCLES};
use crate::clock::{Clock, Motion};
use crate::cycle::{Start, Trouble};
use crate::explain::Explain;
use crate::inputs;
use crate::instructions::{self, Conclusion, Cycle, Explanation};
use crate::loops::{Fault, Outcome, loops};
use crate::mismatch::{Aspect, Mismatch};
use crate::motion::{reset_phases, steady_phases, turning_phases};
use crate::order::{OpenRing, loops_left, order};
use crate::phase::Phase;
use crate::prover::Prover;
use crate::report::{
    CaseRow, ClaimReport, Counterexample, Evidence, LoopRow, Moving, RingRow, Verdict, groups,
};
use crate::reset::{self, ResetPhases};
use crate::rest::{self, loops_across, restless};
use crate::rom::{chip_names, listed, names, pads_and_keys};
use crate::strobes::strobes;
use crate::trial::{Strobe, Trial};
use crate::undecided::Undecided;
use crate::weigh::harmless;
use gray1_machine::PHASES;
use gray1_machine::logic::TooLarge;
use gray1_machine::netlist::{ChipId, Netlist};

/// A board with a clock while a claim about it is examined.
pub(crate) struct Examination<'a> {
    pub prover: &'a Prover<'a>,
    pub netlist: &'a Netlist,
    pub clock: Clock,
    /// The phases while it is not reset.
    pub phases: Vec<Phase>,
}

impl Examination<'_> {
    pub fn examine(&self, report: &mut ClaimReport) {
        match report.claim {
            Claim::Loops => self.loops(report),
            Claim::Order => self.order(report),
            Claim::Instructions => self.instructions(report),
            Claim::Strobes => self.strobes(report),
            Claim::Reset => self.reset(report),
        }
    }

    fn explain<'a>(&'a self, phases: &'a [Phase]) -> Explain<'a> {
        Explain { board: self.prover.board, netlist: self.netlist, phases, stop: self.prover.stop }
    }

    fn loops(&self, report: &mut ClaimReport) {
        self.inputs(report);
        // The clock may take over a button that moves at any time, or miss it.
        let button = self.netlist.panel.reset.first();
        let moves = self.phases.iter().any(|phase| button.is_some_and(|&net| phase.moves(net)));
        let clock = if moves { &self.clock.chips[..] } else { &[] };
        let chips = self.loops_in(&self.phases, clock, report);
        let moving = self.phases.iter().map(|phase| Moving {
            phase: phase.name.clone(),
            once: names(self.netlist, phase.nets(self.netlist, Motion::Once)),
            often: names(self.netlist, phase.nets(self.netlist, Motion::Glitches)),
        });
        report.evidence = Evidence::Loops { phases: moving.collect(), chips };
    }

    /// Examines each chip with a loop in these phases, except for some chips.
    fn loops_in(&self, phases: &[Phase], except: &[ChipId], report: &mut ClaimReport) -> Vec<LoopRow> {
        let netlist = self.netlist;
        let (mut rows, mut faults) = (vec![], vec![]);
        report.leave_all(restless(netlist, phases));
        let mut across = loops_across(netlist, phases);
        if !across.is_empty() {
            let (rings, open) = order(netlist, phases, &self.clock.chips, self.prover.stop);
            if open.is_empty() {
                across = loops_left(netlist, phases, &rings);
            }
        }
        report.leave_all(rest::undecided(netlist, &across));
        let outcomes = loops(netlist, phases, self.prover.stop).into_iter();
        for (chip, outcome) in outcomes.filter(|(chip, _)| !except.contains(chip)) {
            let name = &netlist.chips[chip].name;
            rows.push(match outcome {
                Outcome::Holds(row) => row,
                Outcome::Loses(fault) => {
                    faults.push(fault);
                    LoopRow::new(name, Verdict::Refuted)
                }
                Outcome::Undecided(why) => {
                    report.leave(why);
                    LoopRow::new(name, Verdict::Undecided)
                }
            });
        }
        let alike = |one: &Fault, other: &Fault| {
            let same_contents = netlist.chips[one.chip].holds == netlist.chips[other.chip].holds;
            same_contents && (one.phase, one.kind) == (other.phase, other.kind)
        };
        let explain = self.explain(phases);
        report.counterexamples.extend(groups(faults, alike).into_iter().map(|(fault, also)| {
            let also: Vec<ChipId> = also.iter().map(|other| other.chip).collect();
            explain.fault(fault, chip_names(netlist, &also))
        }));
        rows
    }

    /// Examines the influence of lines from outside that move at any time.
    fn inputs(&self, report: &mut ClaimReport) {
        if self.netlist.bench.is_some() {
            return; // they are what moves
        }
        report.leave_all(inputs::of_pads_and_keys(self.netlist, &self.clock, &self.phases));
    }

    fn order(&self, report: &mut ClaimReport) {
        self.inputs(report);
        let rings = self.order_in(&self.phases, report);
        report.evidence = Evidence::Order { clock: self.clock.explored.clone(), rings };
    }

    /// Examines each ring in these phases, and reports those that are open.
    pub fn order_in(&self, phases: &[Phase], report: &mut ClaimReport) -> Vec<RingRow> {
        let netlist = self.netlist;
        let (rings, open) = order(netlist, phases, &self.clock.chips, self.prover.stop);
        let alike = |one: &OpenRing, other: &OpenRing| match (&one.chips[..], &other.chips[..]) {
            (&[first], &[second]) => {
                one.phase == other.phase && netlist.chips[first].holds == netlist.chips[second].holds
            }
            _ => false,
        };
        report.leave_all(restless(netlist, phases));
        report.leave_all(rest::undecided(netlist, &loops_left(netlist, phases, &rings)));
        for (open, also) in groups(open, alike) {
            let also = also.iter().flat_map(|open| chip_names(netlist, &open.chips)).collect();
            match self.explain(phases).open(&open, also) {
                Ok(counterexample) => report.counterexamples.push(counterexample),
                Err(why) => report.leave(why),
            }
        }
        rings.into_iter().map(|ring| ring.row).collect()
    }

    fn strobes(&self, report: &mut ClaimReport) {
        self.inputs(report);
        let (strobes, faults) = strobes(&self.explain(&self.phases), &self.clock.chips);
        report.leave_all(restless(self.netlist, &self.phases));
        let (lines, faults): (Vec<Strobe>, Vec<Counterexample>) = faults.into_iter().unzip();
        let button = self.netlist.panel.reset[0];
        let button = self.clock.readers_outside(self.netlist, button).next().map(|_| button);
        let Prover { board, stop, .. } = *self.prover;
        let trial = Trial { board, targets: &[], strobes: &lines, button, stop };
        // The tables may allow more than happens in any run.
        if !lines.is_empty() && trial.shows() {
            report.counterexamples.extend(faults);
        } else {
            report.leave_all(faults.iter().map(harmless));
        }
        report.evidence = Evidence::Strobes { strobes };
    }

    fn reset(&self, report: &mut ClaimReport) {
        let Examination { prover, netlist, ref clock, .. } = *self;
        let Prover { ref limits, stop, .. } = *prover;
        let button = match Button::find(netlist, clock, limits) {
            Ok(button) => button,
            Err(why) => return report.leave(Undecided::Clock(why)),
        };
        let mut reset = reset_phases(netlist, clock, limits);
        let mut begins_in = Vec::new();
        let mut ends: Vec<usize> = clock.releases.iter().map(|release| release.phase).collect();
        // Without a synchronised button, a reset can end in every phase.
        let mut resets: Vec<Reset> = ends.iter().map(|&phase| Reset::after(phase, RESET_CYCLES)).collect();
        if let Some(button) = button {
            reset.truncate(PHASES);
            reset.extend(turning_phases(netlist, clock, limits, false, &button.ends));
            let begins = turning_phases(netlist, clock, limits, true, &button.begins);
            report.leave_all(reset::restless_outlets(netlist, clock, begins.iter().chain(&reset)));
            report.leave_all(inputs::of_pads_and_keys(netlist, clock, begins.iter().chain(&reset)));
            report.leave_all(button.undecided);
            report
                .counterexamples
                .extend(button.faults.into_iter().map(|what| Counterexample::Button { what }));
            begins_in = button.begins.iter().map(|turn| turn.phase).collect();
            ends = button.ends.iter().map(|turn| turn.phase).collect();
            resets = button.resets;
        }
        report.leave_all(inputs::of_the_button(netlist, clock, limits));
        // The clock may take over the end of a reset or miss it; both cases were explored.
        self.loops_in(&reset, &clock.chips, report);
        self.order_in(&reset, report);
        let (held, releases) = reset.split_at(PHASES);
        let releases = ends.iter().copied().zip(releases).collect();
        let running = &steady_phases(netlist, clock, limits);
        let mut from = vec![];
        match reset::run(netlist, &ResetPhases { held, releases, running }, &resets, limits, stop) {
            Ok(run) => {
                report.counterexamples.extend(run.faults.into_iter().map(Counterexample::Reset));
                let short = |Reset { phase, phases, .. }| Undecided::ShortReset { phase, phases };
                report.leave_all(run.too_short.into_iter().map(short));
                from = names(netlist, listed(netlist, run.free));
            }
            Err(trouble) => report.leave(trouble_in_words(netlist, trouble)),
        }
        // An undecided claim may still be refuted by a press that is seen to do harm.
        if !report.undecided.is_empty()
            && let Some(what) = prover.harm(&clock.chips)
        {
            report.undecided.clear();
            report.counterexamples.insert(0, Counterexample::Button { what });
        }
        report.evidence = Evidence::Reset { cycles: RESET_CYCLES, from, ends, begins: begins_in };
    }

    fn instructions(&self, report: &mut ClaimReport) {
        let Examination { prover, netlist, ref clock, .. } = *self;
        let Prover { board, ref limits, stop, .. } = *prover;
        let phases = &steady_phases(netlist, clock, limits);
        let examined = Start::find(netlist, &phases[1].start, limits, None).and_then(|mut start| {
            let explanation = Explanation { board, phases, limits, stop };
            if let Some(fetch) = explanation.fetch(&mut start)? {
                return Ok((report.evidence.clone(), Conclusion::Wrong(vec![fetch])));
            }
            let mut cycle = instructions::run(start, phases, stop)?;
            // If there is a fault, there may not be enough nodes to explain it.
            let found = explanation.of_all(&mut cycle)?;
            report.nodes = Some(cycle.board.diagrams.all().count());
            Ok((instruction_evidence(&cycle, &found), found))
        });
        let (evidence, found) = match examined {
            Ok(examined) => examined,
            Err(trouble) => return report.leave(trouble_in_words(netlist, trouble)),
        };
        report.evidence = evidence;
        match found {
            Conclusion::Right => {}
            Conclusion::Wrong(faults) => {
                let faults = faults.into_iter();
                let faults = faults.map(|(cases, mismatch)| Counterexample::Instruction { cases, mismatch });
                report.counterexamples.extend(faults);
            }
            Conclusion::Unseen(_, Mismatch { case, expected, got, .. }) => {
                report.leave(Undecided::Unseen { case, expected, got });
            }
        }
    }
}

/// Returns the states that the claim covers, and the findings about them.
fn instruction_evidence(cycle: &Cycle, found: &Conclusion) -> Evidence {
    let netlist = cycle.board.netlist;
    let panel = &netlist.panel;
    let memory = panel.memory.iter().flat_map(|&ram| &netlist.chips[ram].data);
    let inputs = panel.word.iter().chain(memory).copied().chain(pads_and_keys(netlist));
    let inputs = listed(netlist, inputs.collect());
    let share = cycle.board.diagrams.share(cycle.rests);
    let bits = cycle.state.len() as f64 + share.log2();
    let states = if share == 1.0 { format!("2^{bits}") } else { format!("2^{bits:.1}") };
    let tried = (bits + inputs.len() as f64).exp2();
    let cases = Aspect::ALL.map(|cases| CaseRow { cases, verdict: found.verdict(cases), tried });
    let state = names(netlist, listed(netlist, cycle.state.clone()));
    Evidence::Instructions { cases: cases.to_vec(), states, state, inputs: names(netlist, inputs) }
}

fn trouble_in_words(netlist: &Netlist, trouble: Trouble) -> Undecided {
    match trouble {
        Trouble::Stopped => Undecided::Stopped,
        Trouble::TooLarge(TooLarge(nodes)) => Undecided::Diagrams { nodes },
        Trouble::Unsettled(chips) => Undecided::Unsettled { chips: chip_names(netlist, &chips) },
    }
}
