//! The lookups of a machine cycle, planned ahead.
//!
//! A plan lists, for each of the four phases, the chips that usually have to be looked up, in the order in which
//! the change travels: each once, instead of once for every address line that moves. A plan is only a guess, and
//! it may be any guess: behind each lookup stands the set of output lines whose change some chip would have to
//! see that the rest of the plan does not look up. When one of those moves, the phase is settled by the general
//! rule. So a phase always ends with every chip giving what its table says at its address.
//!
//! Two facts make plans short, both read off the tables, see [`super::care`]: what is constant in a phase since
//! the sequencer alone decides it, and which lines do not matter while it is.

use super::care::{Care, Known};
use super::circuit::{Circuit, DRIVERS, Driver, Listeners};
use super::settle::{readers, settle};
use super::wires::{Data, Levels, Pin, Wire, gather, wires_at};
use super::{ChipsEngine, PHASES};
use crate::engine::{Outside, Unsettled};
use std::sync::Arc;

/// Cycles that are watched to see which chips have to be looked up.
const WATCHED_CYCLES: u32 = 600;
/// A lookup is planned if it was needed in one phase of this many, and planned as usual if in every second: an
/// unneeded lookup costs far less than settling by the general rule.
const RARE: u32 = 16;
const USUAL: u32 = 2;
/// Wires that every step reads, and those beyond, which only some have.
const WIRES: usize = 2;
const MORE_WIRES: usize = 4;

/// The lookups of a machine cycle; `phases[p]` leads to phase p.
pub(super) struct Plan {
    phases: [PhasePlan; PHASES as usize],
    /// What the clock shows at the beginning of each cycle that this plan is for.
    clock: Known,
}

struct PhasePlan {
    number: u8,
    oscillator: Pin,
    /// Looked up in every phase.
    usual: Vec<Step>,
    /// Looked up where the usual steps have woken some chip.
    detour: Vec<Step>,
    /// The chips of the detour.
    detour_chips: u64,
    ears: Ears,
}

/// Which chips hear which lines in a phase.
struct Ears {
    /// For each chip, those that have to be looked up when a line of it changes.
    woken: Vec<Listeners>,
    /// Those that have to be looked up only if they were looked up before the line changed.
    again: Vec<Listeners>,
}

/// One lookup.
#[derive(Clone)]
struct Step {
    chip: u8,
    kind: Kind,
    /// Output lines whose change the rest of the plan does not see to.
    watched: Data,
    /// Where the cells begin that the lines known in this phase select.
    cells: u32,
    wires: [Wire; WIRES],
    more_count: u8,
    more_wires: [Wire; MORE_WIRES],
}

#[derive(Clone, Copy)]
enum Kind {
    /// A ROM, or a RAM that is known not to be written.
    Table,
    /// A table that has been looked up just before: this lookup makes sure that it holds.
    Again,
    /// A RAM that may be written: where among its lines its data inputs begin, and how many they are.
    Ram { input_place: u8, data_lines: u8 },
}

impl Plan {
    /// Plans for the board and the program of this engine, which stands at the beginning of a cycle. There is
    /// no plan for a board that has no clock of its own, or chips with very scattered lines.
    pub fn make(engine: &ChipsEngine) -> Result<Option<Plan>, Unsettled> {
        let circuit = &*engine.circuit;
        let Some(clocks) = clocks(engine)? else { return Ok(None) };
        let mut care = Care::new(circuit);
        let known = clocks.clone().map(|mut known| {
            care.follow(&mut known);
            known
        });
        let before = |phase: usize| &known[(phase + 3) % known.len()];
        let ears: Vec<Ears> =
            (0..known.len()).map(|phase| ears(circuit, &mut care, before(phase), &known[phase])).collect();
        let counts = watch(engine, &ears)?;
        let mut phases = Vec::new();
        for (number, ears) in (0..PHASES).zip(ears) {
            let phase = usize::from(number);
            let Some((usual, detour)) = steps(circuit, &known[phase], &ears, &counts[phase]) else {
                return Ok(None);
            };
            let oscillator = engine.pins.oscillator.pins()[0];
            phases.push(PhasePlan { number, oscillator, detour_chips: chips(&detour), usual, detour, ears });
        }
        let [clock, ..] = clocks;
        Ok(phases.try_into().ok().map(|phases| Plan { phases, clock }))
    }

    /// Runs whole cycles, up to a halt or until `stop` says so after one of them; returns whether it did. The
    /// engine must stand at the beginning of a cycle.
    pub fn run(
        &self,
        engine: &mut ChipsEngine,
        cycles: u64,
        outside: &mut dyn Outside,
        stop: &mut impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<bool, Unsettled> {
        if !self.fits(&engine.levels) {
            for _ in 0..PHASES {
                engine.phase(outside)?;
            }
            return Ok(stop(engine));
        }
        let [phase_0, phase_1, phase_2, phase_3] = &self.phases;
        for _ in 0..cycles {
            phase_1.run(engine)?;
            engine.read_outlets(outside);
            engine.count();
            phase_2.run(engine)?;
            phase_3.run(engine)?;
            phase_0.run(engine)?;
            engine.cycle_ends();
            if stop(engine) {
                return Ok(true);
            }
            if engine.halted {
                break;
            }
        }
        Ok(false)
    }

    fn fits(&self, levels: &Levels) -> bool {
        (0..DRIVERS).all(|driver| levels[driver] & self.clock.mask[driver] == self.clock.value[driver])
    }
}

impl PhasePlan {
    #[inline(always)]
    fn run(&self, engine: &mut ChipsEngine) -> Result<(), Unsettled> {
        let ChipsEngine { levels, cells, .. } = engine;
        levels[self.oscillator.driver] ^= 1 << self.oscillator.bit;
        let dirty = self.steps(&self.usual, levels, cells);
        if dirty == 0 { Ok(()) } else { self.detour(engine, dirty) }
    }

    /// The detour, then the general rule for what neither it nor the usual steps see to.
    #[inline(never)]
    fn detour(&self, engine: &mut ChipsEngine, dirty: u64) -> Result<(), Unsettled> {
        let ChipsEngine { circuit, levels, cells, .. } = engine;
        let dirty = dirty & !self.detour_chips | self.steps(&self.detour, levels, cells);
        if dirty == 0 {
            return Ok(());
        }
        settle(
            circuit,
            |chip, changed, seen| self.ears.woken(chip, changed, seen),
            levels,
            cells,
            dirty,
            |_| (),
        )
        .map_err(|restless| {
            engine.phase = (self.number + PHASES - 1) % PHASES;
            engine.unsettled(restless)
        })
    }

    /// Looks up step by step; returns the chips that still have to be looked up.
    #[inline(always)]
    fn steps(&self, steps: &[Step], levels: &mut Levels, cells: &mut [Data]) -> u64 {
        let mut dirty = 0;
        for step in steps {
            let mut address = gather(&step.wires, levels);
            if step.more_count != 0 {
                address |= gather(&step.more_wires[..1], levels);
                if step.more_count != 1 {
                    address |= gather(&step.more_wires[1..], levels);
                }
            }
            let chip = usize::from(step.chip);
            let data = match step.kind {
                Kind::Table => cells[(step.cells + address) as usize],
                Kind::Again => {
                    let data = cells[(step.cells + address) as usize];
                    if data == levels[chip] {
                        continue; // so that who reads this chip need not wait for its second lookup
                    }
                    data
                }
                Kind::Ram { input_place, data_lines } => {
                    read_or_write(&mut cells[step.cells as usize..], address, input_place, data_lines)
                }
            };
            let changed = levels[chip] ^ data;
            levels[chip] = data;
            if changed & step.watched != 0 {
                dirty |= readers(&self.ears.woken[chip], changed & step.watched);
            }
        }
        dirty
    }
}

impl Ears {
    /// The chips to look up when lines of a chip have changed and those in `seen` were looked up before.
    fn woken(&self, chip: usize, changed: Data, seen: u64) -> u64 {
        readers(&self.woken[chip], changed) | readers(&self.again[chip], changed) & seen
    }
}

impl Step {
    fn make(chip: usize, driver: &Driver, known: &Known) -> Option<Step> {
        let (known_lines, fixed) = known.lines(&driver.lines);
        let mut lines = driver.lines.clone();
        let mut kind = Kind::Table;
        if let Some(address_lines) = driver.ram_address {
            let write = driver.lines.len() - 1;
            if known_lines >> write & 1 == 1 && fixed >> write & 1 == 0 {
                lines.truncate(address_lines); // it is only read: a table like any other
            } else if fixed != 0 {
                return None; // a RAM that the clock itself writes is left to the general rule
            } else {
                kind =
                    Kind::Ram { input_place: address_lines as u8, data_lines: (write - address_lines) as u8 };
            }
        }
        let unknown: Vec<_> =
            lines.iter().copied().zip(0..).filter(|(_, place)| known_lines >> place & 1 == 0).collect();
        let wires = wires_at(&unknown);
        if wires.len() > WIRES + MORE_WIRES {
            return None;
        }
        let wire = |place: usize| wires.get(place).copied().unwrap_or_default();
        Some(Step {
            chip: chip as u8,
            kind,
            watched: 0,
            cells: driver.offset as u32 + (fixed & ((1 << lines.len()) - 1)),
            wires: std::array::from_fn(wire),
            more_count: wires.len().saturating_sub(WIRES) as u8,
            more_wires: std::array::from_fn(|place| wire(WIRES + place)),
        })
    }
}

/// The lookup of a RAM that may be written: above its data inputs comes its write enable.
#[inline(never)]
fn read_or_write(cells: &mut [Data], lines: u32, input_place: u8, data_lines: u8) -> Data {
    let cell = (lines & ((1 << input_place) - 1)) as usize;
    let above = lines >> input_place;
    if above >> data_lines == 1 {
        cells[cell] = (above & ((1 << data_lines) - 1)) as Data;
    }
    cells[cell]
}

/// What is known in each phase from the clock alone: the chips that read nothing but the oscillator, the reset
/// line, each other's outputs or their own. `None` if they do not return to where they began.
fn clocks(engine: &ChipsEngine) -> Result<Option<[Known; PHASES as usize]>, Unsettled> {
    let circuit = &*engine.circuit;
    let inputs = engine.pins.oscillator.drivers() | engine.pins.reset.drivers();
    let mut clock = inputs;
    for _ in 0..circuit.drivers.len() {
        for (chip, driver) in circuit.drivers.iter().enumerate().skip(circuit.inputs) {
            if driver.lines.iter().all(|pin| pin.driver == chip || clock >> pin.driver & 1 == 1) {
                clock |= 1 << chip;
            }
        }
    }
    let lines: Vec<_> = (0..DRIVERS).filter(|driver| clock >> driver & 1 == 1).collect();
    let mut engine = engine.clone();
    let read = |engine: &ChipsEngine| {
        let mut known = Known::nothing();
        for &driver in &lines {
            known.learn(driver, Data::MAX, engine.levels[driver]);
        }
        known
    };
    let mut known = std::array::from_fn(|_| Known::nothing());
    for phase in [1, 2, 3, 0] {
        engine.phase(&mut ())?;
        known[phase] = read(&engine);
    }
    engine.phase(&mut ())?;
    Ok((read(&engine).value == known[1].value).then_some(known))
}

/// The chips to look up for each line that changes: those to which it matters. A line that is known in this phase
/// may have had another level in the phase before; then it matters to chips that do not keep what they give.
fn ears(circuit: &Circuit, care: &mut Care<'_>, before: &Known, known: &Known) -> Ears {
    let mut ears = Ears {
        woken: vec![Listeners::default(); circuit.drivers.len()],
        again: vec![Listeners::default(); circuit.drivers.len()],
    };
    for (chip, driver) in circuit.drivers.iter().enumerate().skip(circuit.inputs) {
        let matters = care.matters(chip, known);
        let keeps = care.keeps(chip, before, known);
        for (place, pin) in driver.lines.iter().enumerate() {
            let is_known = known.level(*pin).is_some();
            if matters >> place & 1 == 1 || is_known && !keeps {
                ears.woken[pin.driver][pin.bit as usize] |= 1 << chip;
            } else if is_known {
                ears.again[pin.driver][pin.bit as usize] |= 1 << chip;
            }
        }
    }
    ears
}

/// For each chip, in how many phases it was looked up once, and in how many twice.
type Counts = [[u32; 2]; DRIVERS];

/// Watches the program run, settled by the general rule.
fn watch(engine: &ChipsEngine, ears: &[Ears]) -> Result<[Counts; PHASES as usize], Unsettled> {
    let mut engine = engine.clone();
    let circuit = Arc::clone(&engine.circuit);
    let osc = engine.pins.oscillator.pins()[0];
    let mut counts = [[[0; 2]; DRIVERS]; PHASES as usize];
    for _ in 0..WATCHED_CYCLES {
        for phase in [1, 2, 3, 0] {
            engine.levels[osc.driver] ^= 1 << osc.bit;
            let dirty = circuit.drivers[osc.driver].listeners[osc.bit as usize];
            let mut times = [0u32; DRIVERS];
            let ChipsEngine { levels, cells, .. } = &mut engine;
            let woken = |chip, changed, seen| ears[phase].woken(chip, changed, seen);
            settle(&circuit, woken, levels, cells, dirty, |chip| times[chip] += 1)
                .map_err(|restless| engine.unsettled(restless))?;
            for (count, times) in counts[phase].iter_mut().zip(times) {
                count[0] += u32::from(times >= 1);
                count[1] += u32::from(times >= 2);
            }
        }
    }
    Ok(counts)
}

/// The usual steps of a phase and its detour; `None` if a chip has too many wires.
fn steps(circuit: &Circuit, known: &Known, ears: &Ears, counts: &Counts) -> Option<(Vec<Step>, Vec<Step>)> {
    let often = |chip: usize, time: usize, share: u32| counts[chip][time] * share > WATCHED_CYCLES;
    let mut usual = Vec::new();
    let mut detour = Vec::new();
    for (chip, driver) in circuit.drivers.iter().enumerate().skip(circuit.inputs) {
        let step = Step::make(chip, driver, known)?;
        // A chip whose lines are all known needs one lookup, however often it would hear of itself.
        let times = if step.wires[0].mask == 0 || matches!(step.kind, Kind::Ram { .. }) { 1 } else { 2 };
        for time in (0..times).filter(|&time| often(chip, time, RARE)) {
            let steps = if often(chip, time, USUAL) { &mut usual } else { &mut detour };
            let kind = if time == 0 { step.kind } else { Kind::Again };
            steps.push(Step { kind, ..step.clone() });
        }
    }
    watch_steps(known, ears, &mut usual);
    watch_steps(known, ears, &mut detour);
    Some((usual, detour))
}

/// Marks the output lines of each step that some chip would have to see, unless it is looked up later in these
/// steps, or is looked up in them with the level that the line has at the end of the phase.
fn watch_steps(known: &Known, ears: &Ears, steps: &mut [Step]) {
    let planned = chips(steps);
    for place in 0..steps.len() {
        let later = chips(&steps[place + 1..]);
        let driver = usize::from(steps[place].chip);
        steps[place].watched = (0..Data::BITS).fold(0, |watched, bit| {
            let sees = if known.level(Pin { driver, bit }).is_some() { planned } else { later };
            watched | Data::from(ears.woken[driver][bit as usize] & !sees != 0) << bit
        });
    }
}

/// The chips of these steps.
fn chips(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |set, step| set | 1 << step.chip)
}
