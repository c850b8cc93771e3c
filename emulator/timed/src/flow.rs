//! The simulation: levels on their way through the chips, event by event.
//!
//! ```text
//!   a net changes ──▶ each chip that reads it looks up its new address
//!                     ──▶ each line whose new level differs from the one it is heading for
//!                         gets an event, one delay later ──▶ a net changes
//! ```
//!
//! Every event keeps its cause. Events at the same time are taken in the order in which they were added, so a run
//! can be repeated exactly. Where each path through a chip has a delay of its own, a change is first on its way to each
//! data line (`views`), which then looks up alone.

use crate::circuit::{Chip, Circuit, Source};
use crate::conditions::LineTiming;
use crate::log::{Cause, Log};
use crate::queue::{Event, Queue};
use crate::views::{Sight, Views, ones};
use gray1_machine::Random;
use gray1_machine::board::Outlet;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::collections::VecDeque;

/// Is told every change: the time in picoseconds since cycle 0, the net, and the level that it takes.
type Watcher = Box<dyn FnMut(u64, NetId, bool)>;

/// The levels of a running board, and the events to come.
pub struct Flow {
    /// The level of each net.
    pub levels: Vec<bool>,
    /// What each chip gives, one bit for each data line.
    pub gives: Vec<u8>,
    /// The cells of each RAM, by chip; empty for a ROM.
    pub ram: Vec<Vec<u8>>,
    /// Addresses of RAM that were written since this was last emptied, with the cause.
    pub written: Vec<(usize, Cause)>,
    /// Outlets that have closed since this was last emptied, with the byte they show.
    pub shown: Vec<(usize, u8)>,
    pub log: Log,
    timings: Vec<LineTiming>,
    lookups: Vec<Lookup>,
    /// For each net, its changes to come, in the order of time.
    coming: Vec<VecDeque<Coming>>,
    /// The write that a RAM takes if it lasts long enough, by chip.
    writes: Vec<Option<Write>>,
    /// Events have an index: that of a net, then of a RAM that is written, by chip, then of a path through a chip.
    queue: Queue,
    /// What each data line sees of the address; nothing where all lines of a chip see the same.
    views: Option<Views>,
    strobes: Vec<Strobe>,
    /// Decides about transients, if there are any.
    random: Option<Random>,
    watcher: Option<Watcher>,
}

#[derive(Clone, Copy, Default)]
struct Lookup {
    /// The address on the chip's lines now.
    address: u32,
    /// What the chip will give when all events to come are over.
    heading: u8,
}

/// A change of a net that is to come.
#[derive(Clone, Copy)]
struct Coming {
    at: u64,
    number: u32,
    cause: Cause,
    is_transient: bool,
}

#[derive(Clone, Copy)]
struct Write {
    number: u32,
    address: usize,
    data: u8,
    cause: Cause,
}

/// The enable of an outlet.
#[derive(Clone, Copy)]
struct Strobe {
    /// When it last rose.
    opened: u64,
    /// How long its latch takes to follow.
    needed: u64,
}

impl Flow {
    /// A board on which every level is 0; `transients` is their seed.
    pub fn new(
        circuit: &Circuit,
        timings: Vec<LineTiming>,
        views: Option<Views>,
        transients: Option<u64>,
    ) -> Flow {
        let (nets, chips) = (circuit.nets.len(), circuit.chips.len());
        let strobes = circuit.outlets.iter().map(|Outlet { latch, .. }| {
            let delays = latch.iter().map(|&net| {
                let path = longest_path(circuit, views.as_ref(), net);
                path + timings[net].rise.max(timings[net].fall)
            });
            Strobe { opened: 0, needed: delays.max().unwrap_or(0) }
        });
        let ram = circuit.chips.iter().map(|chip| match chip.source {
            Source::Ram { address } => vec![0; 1 << address],
            Source::Rom { .. } => Vec::new(),
        });
        Flow {
            levels: vec![false; nets],
            gives: vec![0; chips],
            ram: ram.collect(),
            written: Vec::new(),
            shown: Vec::new(),
            log: Log::new(),
            strobes: strobes.collect(),
            timings,
            lookups: vec![Lookup::default(); chips],
            coming: vec![VecDeque::new(); nets],
            writes: vec![None; chips],
            queue: Queue::default(),
            views,
            random: transients.map(|seed| Random::new(seed, u64::MAX)),
            watcher: None,
        }
    }

    /// Lets somebody watch, who is told the level of every net at once.
    pub fn watch(&mut self, now: u64, mut watcher: Watcher) {
        for (net, &level) in self.levels.iter().enumerate() {
            watcher(now, net, level);
        }
        self.watcher = Some(watcher);
    }

    pub fn unwatch(&mut self) {
        self.watcher = None;
    }

    /// Puts the board at rest with these levels: nothing is left of what was to come.
    pub fn settle_at(&mut self, netlist: &Netlist, now: u64, levels: Vec<bool>) {
        self.queue.clear();
        self.coming.iter_mut().for_each(VecDeque::clear);
        self.writes.fill(None);
        self.written.clear();
        self.shown.clear();
        self.strobes.iter_mut().for_each(|strobe| strobe.opened = now);
        let before = std::mem::replace(&mut self.levels, levels);
        for (id, chip) in netlist.chips.iter().enumerate() {
            self.gives[id] = self.read(&chip.data) as u8;
            self.lookups[id] = Lookup { address: self.read(&chip.reads), heading: self.gives[id] };
        }
        if let Some(views) = &mut self.views {
            views.settle(&netlist.chips, |chip| self.lookups[chip].address);
        }
        if let Some(watcher) = &mut self.watcher {
            for (net, (&level, &old)) in self.levels.iter().zip(&before).enumerate() {
                if level != old {
                    watcher(now, net, level);
                }
            }
        }
    }

    /// The number on some nets, lowest first.
    pub fn read(&self, nets: &[NetId]) -> u32 {
        nets.iter().enumerate().fold(0, |number, (bit, &net)| number | u32::from(self.levels[net]) << bit)
    }

    /// An input of the board takes a level; says whether that is new.
    pub fn force(&mut self, circuit: &Circuit, now: u64, net: NetId, level: bool) -> bool {
        let is_new = self.levels[net] != level;
        if is_new {
            self.change(circuit, now, net, Cause::OUTSIDE, false);
        }
        is_new
    }

    /// Runs all events up to this time.
    pub fn run_until(&mut self, circuit: &Circuit, end: u64) {
        while let Some(Event { at, number, index }) = self.queue.next(end) {
            if let Some(other) = index.checked_sub(self.levels.len()) {
                match other.checked_sub(self.writes.len()) {
                    None => self.finish_write(other, number),
                    Some(path) => self.see(circuit, at, path),
                }
            } else if let Some(&coming) = self.coming[index].front()
                && coming.number == number
            {
                self.coming[index].pop_front();
                self.change(circuit, at, index, coming.cause, coming.is_transient);
            }
        }
    }

    /// The next change of a net: when it comes, and its cause.
    pub fn coming(&self, net: NetId) -> Option<(u64, Cause)> {
        self.coming[net].front().map(|coming| (coming.at, coming.cause))
    }

    /// A net changes, and the chips that read it look up.
    fn change(&mut self, circuit: &Circuit, now: u64, net: NetId, cause: Cause, is_transient: bool) {
        let level = !self.levels[net];
        self.levels[net] = level;
        let wire = &circuit.nets[net];
        if let Some(chip) = wire.driver {
            self.gives[usize::from(chip)] ^= wire.bit;
        }
        let cause = self.log.add(now, net, level, cause, is_transient);
        if let Some(watcher) = &mut self.watcher {
            watcher(now, net, level);
        }
        if let Some(outlet) = wire.opens {
            self.strobe(circuit, now, usize::from(outlet), level);
        }
        for &(chip, line) in &wire.readers {
            let chip = usize::from(chip);
            self.lookups[chip].address ^= line;
            self.look_up(circuit, now, chip, line, cause);
        }
    }

    /// An outlet opens or closes. Its byte is shown when it closes, if its latch has had the time to follow.
    fn strobe(&mut self, circuit: &Circuit, now: u64, outlet: usize, is_open: bool) {
        let strobe = &mut self.strobes[outlet];
        if is_open {
            strobe.opened = now;
        } else if now - strobe.opened >= strobe.needed {
            let Outlet { latch, .. } = &circuit.outlets[outlet];
            let byte = circuit.outlets[outlet].shown(self.read(latch) as u8);
            self.shown.push((outlet, byte));
        }
    }

    /// Looks a chip up whose address has changed.
    #[inline]
    fn look_up(&mut self, circuit: &Circuit, now: u64, id: ChipId, line: u32, cause: Cause) {
        let Lookup { address, heading } = self.lookups[id];
        let chip = &circuit.chips[id];
        if let Source::Ram { address: lines } = chip.source {
            self.begin_write(now, chip, id, (address, lines), cause);
        }
        if let Some(views) = &mut self.views {
            let first = self.levels.len() + self.writes.len();
            for (path, delay) in views.depart(id, line, cause) {
                self.queue.add(now + delay, first + path);
            }
        } else {
            let data = self.data(circuit, id, address);
            let mut moving = data ^ heading;
            self.lookups[id].heading = data;
            while moving != 0 {
                let bit = moving.trailing_zeros();
                moving &= moving - 1;
                self.move_line(now, chip.first + bit as usize, data >> bit & 1 == 1, cause);
            }
        }
        if chip.transient_below != 0
            && let Some(random) = &mut self.random
            && random.draw() < chip.transient_below
        {
            self.add_transient(circuit, now, id, cause);
        }
    }

    /// What a chip gives at an address.
    #[inline]
    fn data(&self, circuit: &Circuit, id: ChipId, address: u32) -> u8 {
        let chip = &circuit.chips[id];
        match chip.source {
            Source::Rom { offset } => circuit.cells[offset + address as usize],
            Source::Ram { address: lines } => match ram_lines(chip, lines, address) {
                (_, input, true) => input,
                (index, _, false) => self.ram[id][index],
            },
        }
    }

    /// Data lines see a line of their address move, and each is looked up at the address that it sees.
    fn see(&mut self, circuit: &Circuit, now: u64, path: usize) {
        let Some(Sight { chip, bits, cause }) = self.views.as_mut().and_then(|views| views.arrive(path))
        else {
            return;
        };
        for bit in ones(bits) {
            let net = circuit.chips[chip].first + bit;
            let address = self.views.as_ref().map_or(0, |views| views.address(net));
            let data = self.data(circuit, chip, address);
            let heading = &mut self.lookups[chip].heading;
            if (*heading ^ data) >> bit & 1 == 1 {
                *heading ^= 1 << bit;
                self.move_line(now, net, data >> bit & 1 == 1, cause);
            }
        }
    }

    /// The lines of a RAM have moved: what it was about to take it does not, but perhaps something else.
    fn begin_write(
        &mut self,
        now: u64,
        chip: &Chip,
        id: ChipId,
        (address, lines): (u32, usize),
        cause: Cause,
    ) {
        self.writes[id] = None;
        if let (index, data, true) = ram_lines(chip, lines, address) {
            let number = self.queue.add(now + chip.inertia, self.levels.len() + id);
            self.writes[id] = Some(Write { number, address: index, data, cause });
        }
    }

    /// A RAM takes what has stood on its lines for long enough.
    fn finish_write(&mut self, chip: ChipId, number: u32) {
        if let Some(write) = self.writes[chip].take_if(|write| write.number == number) {
            self.ram[chip][write.address] = write.data;
            self.written.push((write.address, write.cause));
        }
    }

    /// A line heads for another level. If the pulse that ends with this change is too short, both of its ends vanish.
    fn move_line(&mut self, now: u64, net: NetId, level: bool, cause: Cause) {
        let timing = self.timings[net];
        let at = now + if level { timing.rise } else { timing.fall };
        match self.coming[net].back() {
            Some(last) if at < last.at + timing.inertia => {
                self.coming[net].pop_back();
            }
            _ => self.add_change(net, at, cause, false),
        }
    }

    /// One line of a chip shows a wrong level for a moment, unless a change of it is to come anyway.
    #[cold]
    fn add_transient(&mut self, circuit: &Circuit, now: u64, chip: ChipId, cause: Cause) {
        let Some(random) = &mut self.random else { return };
        let chip = &circuit.chips[chip];
        let net = chip.first + random.between(0, chip.lines as u64 - 1) as usize;
        let length = random.fading(chip.half_longer);
        let timing = self.timings[net];
        let delay = timing.rise + longest_path(circuit, self.views.as_ref(), net);
        let begin = now + random.between(delay / 2, delay);
        if length >= timing.inertia && self.coming[net].is_empty() {
            self.add_change(net, begin, cause, true);
            self.add_change(net, begin + length, cause, true);
        }
    }

    fn add_change(&mut self, net: NetId, at: u64, cause: Cause, is_transient: bool) {
        let number = self.queue.add(at, net);
        self.coming[net].push_back(Coming { at, number, cause, is_transient });
    }
}

/// The longest path to a data line, where paths have delays of their own.
fn longest_path(circuit: &Circuit, views: Option<&Views>, net: NetId) -> u64 {
    let path = |views: &Views| {
        let chip = usize::from(circuit.nets[net].driver?);
        Some(views.longest(chip, net - circuit.chips[chip].first))
    };
    views.and_then(path).unwrap_or(0)
}

/// What the lines of a RAM say: the cell, its input, and whether it is written.
#[inline]
fn ram_lines(chip: &Chip, lines: usize, address: u32) -> (usize, u8, bool) {
    let cell = (address & ((1 << lines) - 1)) as usize;
    let input = (address >> lines & ((1 << chip.lines) - 1)) as u8;
    (cell, input, address >> lines >> chip.lines != 0)
}
