//! The simulation: changes of levels propagate through the chips, event by event.
//!
//! ```text
//!   a net changes ──▶ each chip that reads it looks up its new address
//!                     ──▶ each line whose new level differs from the one it is heading for
//!                         gets an event, one delay later ──▶ a net changes
//! ```
//!
//! Every event keeps its cause. Events at the same time are processed in the order in which they were added, so a run
//! can be repeated exactly. If each path through a chip has its own delay, a change first travels to each data line
//! (`views`), which is then looked up separately.

#[cfg(test)]
mod tests;

use crate::circuit::{Circuit, Net, Reader, Source};
use crate::coming::Coming;
use crate::conditions::LineTiming;
use crate::log::{Cause, Log};
use crate::noise::{Phase, Transient, TransientNoise};
use crate::outlets::Outlets;
use crate::queue::Event;
use crate::rams::Rams;
use crate::views::{Sight, Views, ones};
use gray1_machine::Random;
use gray1_machine::board::Outlet;
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// Called for every change: the time in picoseconds since cycle 0, the net, and its new level.
type Watcher = Box<dyn FnMut(u64, NetId, bool)>;

/// The number of values of a byte, so that indexing by a byte needs no bounds check. A board has fewer chips and groups
/// of inputs, as its checks ensure.
const DRIVERS: usize = 256;

/// The levels of a running board, and the events to come.
pub struct Flow {
    /// The outputs of the chips, then the levels of the groups of inputs: one bit for each line.
    pub gives: [u8; DRIVERS],
    pub rams: Rams,
    pub outlets: Outlets,
    pub log: Log,
    lookups: Box<[Lookup; DRIVERS]>,
    /// The index of an event is the number of a net, or above those of a chip (a RAM that is written), or above those
    /// of a path through a chip.
    coming: Coming,
    /// The address that each data line sees; `None` if all data lines of a chip see the same.
    views: Option<Views>,
    /// The source of transients, if there are any that can be seen.
    pub noise: Option<TransientNoise>,
    /// For each net, how many of the chips that read it can show them.
    noisy: Vec<u32>,
    watcher: Option<Watcher>,
}

/// The data for looking up a chip.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Lookup {
    /// The current address on the chip's lines.
    address: u32,
    /// The lines whose changes make no difference now.
    idle: u32,
    /// The lines that determine which lines are idle.
    controls: u32,
    /// The offset of its cells.
    offset: u32,
    /// The net on its lowest data line.
    first: u32,
    /// The output of the chip after all its future events.
    heading: u8,
    /// Whether a lookup only has to read a cell.
    is_plain: bool,
}

impl Flow {
    /// A board on which every level is 0; `transients` is their seed.
    pub fn new(
        circuit: &Circuit,
        timings: Vec<LineTiming>,
        views: Option<Views>,
        transients: Option<u64>,
    ) -> Flow {
        let longest = longest_delay(circuit, &timings, views.as_ref());
        let noise = transients.and_then(|seed| TransientNoise::new(seed, &circuit.chips, &timings));
        let noisy = |net: &Net| {
            let readers = circuit.readers[net.readers.start as usize..net.readers.end as usize].iter();
            let concerned = |noise: &TransientNoise| {
                readers.filter(|reader| noise.concerns(usize::from(reader.chip))).count()
            };
            noise.as_ref().map_or(0, concerned) as u32
        };
        let noisy = circuit.nets.iter().map(noisy).collect();
        let needed = circuit.outlets.iter().map(|Outlet { latch, .. }| {
            let delays = latch.iter().map(|&net| {
                let path = longest_path(circuit, views.as_ref(), net);
                path + timings[net].rise.max(timings[net].fall)
            });
            delays.max().unwrap_or(0)
        });
        let outlets = Outlets::new(needed);
        let mut lookups = Box::new([Lookup::default(); DRIVERS]);
        for (lookup, chip) in lookups.iter_mut().zip(&circuit.chips) {
            lookup.first = chip.first as u32;
            // If paths have their own delays, the address that the data lines see is used instead.
            if let (Source::Rom { offset }, None) = (chip.source, &views) {
                (lookup.offset, lookup.controls, lookup.is_plain) = (offset as u32, chip.idle.controls, true);
            }
        }
        Flow {
            gives: [0; DRIVERS],
            rams: Rams::new(circuit),
            outlets,
            log: Log::new(),
            lookups,
            coming: Coming::new(timings, longest),
            views,
            noise,
            noisy,
            watcher: None,
        }
    }

    /// Sets a watcher, which is first called with the current level of every net.
    pub fn watch(&mut self, circuit: &Circuit, now: u64, mut watcher: Watcher) {
        for net in 0..circuit.nets.len() {
            watcher(now, net, self.level(circuit, net));
        }
        self.watcher = Some(watcher);
    }

    pub fn unwatch(&mut self) {
        self.watcher = None;
    }

    /// Whether changes are watched.
    pub fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }

    /// Whether the board is at rest with these outputs of its chips.
    pub fn is_at_rest_with(&self, circuit: &Circuit, gives: impl Fn(ChipId) -> u8) -> bool {
        self.coming.queue.is_empty() && (0..circuit.chips.len()).all(|chip| self.gives[chip] == gives(chip))
    }

    /// Puts the board at rest with these levels, without future events.
    pub fn settle_at(
        &mut self,
        circuit: &Circuit,
        netlist: &Netlist,
        now: u64,
        level: impl Fn(NetId) -> bool,
    ) {
        self.coming.clear();
        self.log.clear();
        self.rams.settle();
        self.outlets.settle(now);
        for (id, net) in circuit.nets.iter().enumerate() {
            let level = level(id);
            if self.level(circuit, id) != level {
                self.gives[usize::from(net.driver)] ^= net.bit;
                if let Some(watcher) = &mut self.watcher {
                    watcher(now, id, level);
                }
            }
        }
        for (id, chip) in netlist.chips.iter().enumerate() {
            let address = self.read(circuit, &chip.reads);
            let lookup = &mut self.lookups[id];
            (lookup.address, lookup.heading) = (address, self.gives[id]);
            lookup.idle = if lookup.is_plain { circuit.chips[id].idle.lines(address) } else { 0 };
        }
        if let Some(views) = &mut self.views {
            views.settle(&netlist.chips, |chip| self.lookups[chip].address);
        }
    }

    /// The level of a net.
    #[inline]
    pub fn level(&self, circuit: &Circuit, net: NetId) -> bool {
        let wire = &circuit.nets[net];
        self.gives[usize::from(wire.driver)] & wire.bit != 0
    }

    /// The number on these nets, lowest first.
    pub fn read(&self, circuit: &Circuit, nets: &[NetId]) -> u32 {
        let levels = nets.iter().map(|&net| u32::from(self.level(circuit, net)));
        levels.enumerate().fold(0, |number, (bit, level)| number | level << bit)
    }

    /// A phase begins, of which transients are drawn.
    pub fn begin_phase(&mut self, phase: Phase) {
        if let Some(noise) = &mut self.noise {
            noise.begin(phase);
        }
    }

    /// Sets an input of the board to a level; returns whether it has changed.
    pub fn force(&mut self, circuit: &Circuit, now: u64, net: NetId, level: bool) -> bool {
        let is_new = self.level(circuit, net) != level;
        if is_new {
            self.coming.queue.go_on(now);
            self.change(circuit, now, net, Cause::OUTSIDE, false);
        }
        is_new
    }

    /// Runs all events up to this time.
    pub fn run_until(&mut self, circuit: &Circuit, end: u64) {
        while let Some(event) = self.coming.queue.next(end) {
            let index = event.index as usize;
            if index < circuit.nets.len() {
                self.coming.has_come(index);
                self.change(circuit, event.at, index, event.cause, event.is_transient);
                continue;
            }
            let other = index - circuit.nets.len();
            match other.checked_sub(circuit.chips.len()) {
                None => self.rams.finish_write(other, event.cause),
                Some(path) => self.see(circuit, &event, path),
            }
        }
    }

    /// The next change of a net: its time and its cause.
    pub fn coming(&self, net: NetId) -> Option<(u64, Cause)> {
        self.coming.next_of(net).map(|event| (event.at, event.cause))
    }

    /// Changes a net, and looks up the chips that read it.
    #[inline(always)]
    fn change(&mut self, circuit: &Circuit, now: u64, net: NetId, cause: Cause, is_transient: bool) {
        let wire = &circuit.nets[net];
        let gives = &mut self.gives[usize::from(wire.driver)];
        *gives ^= wire.bit;
        let level = *gives & wire.bit != 0;
        let cause = self.log.add(now, net, level, cause, is_transient);
        if let Some(watcher) = &mut self.watcher {
            watcher(now, net, level);
        }
        if let Some(outlet) = wire.opens {
            let outlet = usize::from(outlet);
            let byte =
                circuit.outlets[outlet].shown(self.read(circuit, &circuit.outlets[outlet].latch) as u8);
            self.outlets.strobe(now, outlet, level, byte);
        }
        let is_quiet = self.noise.as_mut().is_none_or(|noise| noise.pass(self.noisy[net]));
        let readers = &circuit.readers[wire.readers.start as usize..wire.readers.end as usize];
        if !is_quiet {
            return self.look_up_and_draw(circuit, now, readers, cause);
        }
        for &Reader { chip, line } in readers {
            let lookup = &mut self.lookups[usize::from(chip)];
            lookup.address ^= line;
            if lookup.idle & line == 0 {
                self.look_up(circuit, now, chip.into(), line, cause);
            }
        }
    }

    /// Looks up the readers of a net if one of the lookups may cause a transient.
    #[cold]
    #[inline(never)]
    fn look_up_and_draw(&mut self, circuit: &Circuit, now: u64, readers: &[Reader], cause: Cause) {
        for &Reader { chip, line } in readers {
            let chip = usize::from(chip);
            self.lookups[chip].address ^= line;
            self.look_up(circuit, now, chip, line, cause);
            if let Some(transient) = self.noise.as_mut().and_then(|noise| noise.look_up(chip)) {
                self.add_transient(circuit, now, chip, transient, cause);
            }
        }
    }

    /// Looks up a chip after a change of one of its address lines.
    #[inline(always)]
    fn look_up(&mut self, circuit: &Circuit, now: u64, id: ChipId, line: u32, cause: Cause) {
        let lookup = &mut self.lookups[id % DRIVERS];
        if !lookup.is_plain {
            return self.look_up_otherwise(circuit, now, id, line, cause);
        }
        if lookup.controls & line != 0 {
            lookup.idle = circuit.chips[id].idle.lines(lookup.address);
        }
        // The cell with idle lines at 0 is the same; this way fewer cells are read, and they stay in the cache.
        let data = circuit.cells[(lookup.offset + (lookup.address & !lookup.idle)) as usize];
        let moving = data ^ lookup.heading;
        lookup.heading = data;
        let first = lookup.first as usize;
        for bit in ones(moving) {
            self.coming.head(now, first + bit, data >> bit & 1 == 1, cause);
        }
    }

    /// Looks up a RAM, or any chip if paths have their own delays.
    #[inline(never)]
    fn look_up_otherwise(&mut self, circuit: &Circuit, now: u64, id: ChipId, line: u32, cause: Cause) {
        let chip = &circuit.chips[id];
        let Lookup { address, heading, .. } = self.lookups[id];
        if let Source::Ram { address: lines } = chip.source {
            let event = |after| Event::new(now + after, circuit.nets.len() + id, cause);
            self.rams.begin_write((id, chip), (address, lines), &mut self.coming.queue, event);
        }
        if let Some(views) = &self.views {
            let first = circuit.nets.len() + circuit.chips.len();
            for (path, delay) in views.depart(id, line) {
                self.coming.queue.add(Event::new(now + delay, first + path, cause));
            }
            return;
        }
        let data = self.data(circuit, id, address);
        self.lookups[id].heading = data;
        for bit in ones(data ^ heading) {
            self.coming.head(now, chip.first + bit, data >> bit & 1 == 1, cause);
        }
    }

    /// The output of a chip at an address.
    #[inline]
    fn data(&self, circuit: &Circuit, id: ChipId, address: u32) -> u8 {
        let chip = &circuit.chips[id];
        match chip.source {
            Source::Rom { offset } => circuit.cells[offset + address as usize],
            Source::Ram { address: lines } => self.rams.data(id, chip, lines, address),
        }
    }

    /// A change of an address line has arrived at data lines: looks up each of them at the address that it sees.
    fn see(&mut self, circuit: &Circuit, event: &Event, path: usize) {
        let Some(views) = &mut self.views else { return };
        let Sight { chip, bits } = views.arrive(path);
        for bit in ones(bits) {
            let net = circuit.chips[chip].first + bit;
            let address = self.views.as_ref().map_or(0, |views| views.address(net));
            let data = self.data(circuit, chip, address);
            let heading = &mut self.lookups[chip].heading;
            if (*heading ^ data) >> bit & 1 == 1 {
                *heading ^= 1 << bit;
                self.coming.head(event.at, net, data >> bit & 1 == 1, event.cause);
            }
        }
    }

    /// One line of a chip shows a wrong level for a moment, unless the line has a future change already.
    fn add_transient(
        &mut self,
        circuit: &Circuit,
        now: u64,
        chip: ChipId,
        Transient { line, length, mut random }: Transient,
        cause: Cause,
    ) {
        let net = circuit.chips[chip].first + line;
        let delay = self.coming.timing(net).rise + longest_path(circuit, self.views.as_ref(), net);
        let begin = now + random.between(delay / 2, delay);
        if self.coming.next_of(net).is_none() {
            for at in [begin, begin + length] {
                self.coming.add(net, Event::new(at, net, cause).of_transient());
            }
        }
    }
}

/// The longest time from now to an event.
fn longest_delay(circuit: &Circuit, timings: &[LineTiming], views: Option<&Views>) -> u64 {
    let lines = timings.iter().map(|timing| timing.rise.max(timing.fall)).max().unwrap_or(0);
    let paths = views.map_or(0, Views::longest_of_all);
    let chips = circuit.chips.iter();
    let others =
        chips.map(|chip| chip.inertia.max(Random::longest_fading(chip.half_longer))).max().unwrap_or(0);
    lines + paths + others
}

/// The longest delay of a path to a data line, if paths have their own delays.
fn longest_path(circuit: &Circuit, views: Option<&Views>, net: NetId) -> u64 {
    let path = |views: &Views| {
        let chip = usize::from(circuit.nets[net].driver);
        let first = circuit.chips.get(chip)?.first;
        Some(views.longest(chip, net - first))
    };
    views.and_then(path).unwrap_or(0)
}
