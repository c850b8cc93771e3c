//! The flow of levels through the chips, event by event.
//!
//! ```text
//!   a net changes ──▶ each chip that reads it looks its new address up
//!                     ──▶ each line whose data differ from where it is heading
//!                         gets an event, its own delay later ──▶ a net changes
//! ```
//!
//! Every event remembers the one that caused it. Events of one instant are taken in the order in which they were
//! put down, so a run can be repeated exactly.

use crate::circuit::{Circuit, Kind, Net};
use crate::conditions::{Line, NANOSECOND};
use crate::log::{Cause, Log};
use crate::random::Chance;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Somebody who writes down what all nets do.
pub trait Watcher {
    /// A net has taken a level at this time, in picoseconds since the machine's cycle 0.
    fn level(&mut self, time: u64, net: Net, level: bool);
}

/// Nets, chips and RAM of a running board.
pub struct Flow {
    /// What each net shows.
    pub levels: Vec<bool>,
    /// What each chip gives, a bit a data line.
    pub gives: Vec<u8>,
    /// What each RAM holds.
    pub ram: Vec<Vec<u8>>,
    /// Cells that RAM has taken since they were last looked at: the RAM's number, the cell, the cause.
    pub written: Vec<(usize, usize, Cause)>,
    /// Outlets that have closed since they were last looked at, with what they show.
    pub shown: Vec<(usize, u8)>,
    pub log: Log,
    lines: Vec<Line>,
    sockets: Vec<Socket>,
    coming: Vec<VecDeque<Coming>>,
    /// The write that each RAM is about to take, if it stands long enough.
    writes: Vec<Write>,
    queue: BinaryHeap<Reverse<u128>>,
    next: u32,
    /// The outlet that each net opens.
    opens: Vec<Option<u8>>,
    /// For each outlet, when it was opened, and for how long it has to be for its latch to follow.
    strobes: Vec<(u64, u64)>,
    chance: Chance,
    watcher: Option<Box<dyn Watcher>>,
}

/// A chip in its place.
#[derive(Clone, Copy)]
struct Socket {
    /// What its lines carry now.
    address: u32,
    /// What it will give when all that is under way has arrived.
    heading: u8,
    /// A drawn number below this one is a transient.
    transient: u64,
}

/// A change of a line that is under way.
#[derive(Clone, Copy)]
struct Coming {
    at: u64,
    number: u32,
    cause: Cause,
    is_transient: bool,
}

#[derive(Clone, Copy, Default)]
struct Write {
    number: u32,
    is_coming: bool,
    cell: usize,
    data: u8,
    cause: Cause,
}

impl Flow {
    /// A board at rest with these levels.
    pub fn at_rest(circuit: &Circuit, lines: Vec<Line>, transients: Option<u64>) -> Flow {
        let mut opens = vec![None; circuit.nets.len()];
        let mut strobes = Vec::new();
        for (outlet, (latch, enable)) in circuit.panel.outlets.iter().enumerate() {
            opens[*enable] = Some(outlet as u8);
            strobes
                .push((0, latch.iter().map(|&net| lines[net].rise.max(lines[net].fall)).max().unwrap_or(0)));
        }
        let sockets = circuit.chips.iter().map(|chip| {
            let chance = u64::from(chip.timing.transients.in_a_billion) * chip.lines as u64;
            let transient = if transients.is_some() { u64::MAX / 1_000_000_000 * chance } else { 0 };
            Socket { address: 0, heading: 0, transient }
        });
        let rams = circuit.chips.iter().filter_map(|chip| match chip.kind {
            Kind::Ram { address, .. } => Some(vec![0; 1 << address]),
            Kind::Rom { .. } => None,
        });
        let ram: Vec<Vec<u8>> = rams.collect();
        Flow {
            levels: vec![false; circuit.nets.len()],
            gives: vec![0; circuit.chips.len()],
            written: Vec::new(),
            shown: Vec::new(),
            log: Log::new(),
            lines,
            sockets: sockets.collect(),
            coming: vec![VecDeque::new(); circuit.nets.len()],
            writes: vec![Write::default(); ram.len()],
            ram,
            queue: BinaryHeap::new(),
            next: 0,
            opens,
            strobes,
            chance: Chance::new(transients.unwrap_or(0), u64::MAX),
            watcher: None,
        }
    }

    /// Lets somebody watch; what the nets show now is told at once.
    pub fn watch(&mut self, now: u64, mut watcher: Box<dyn Watcher>) {
        for (net, &level) in self.levels.iter().enumerate() {
            watcher.level(now, net, level);
        }
        self.watcher = Some(watcher);
    }

    /// Forgets all that is under way and takes what the chips are said to give, at this time.
    pub fn settle_at(&mut self, circuit: &Circuit, now: u64, outside: &[(Net, bool)], gives: &[u8]) {
        self.queue.clear();
        self.coming.iter_mut().for_each(VecDeque::clear);
        self.writes.fill(Write::default());
        self.written.clear();
        self.shown.clear();
        self.strobes.iter_mut().for_each(|(opened, _)| *opened = now);
        let before = self.levels.clone();
        for &(net, level) in outside {
            self.levels[net] = level;
        }
        self.gives.copy_from_slice(gives);
        for (chip, &data) in circuit.chips.iter().zip(gives) {
            for (bit, net) in chip.gives().enumerate() {
                self.levels[net] = data >> bit & 1 == 1;
            }
        }
        for (socket, (chip, &data)) in self.sockets.iter_mut().zip(circuit.chips.iter().zip(gives)) {
            let reads = chip.reads.iter().enumerate();
            socket.address = reads.fold(0, |sum, (bit, &net)| sum | u32::from(self.levels[net]) << bit);
            socket.heading = data;
        }
        if let Some(watcher) = &mut self.watcher {
            for (net, _) in before.iter().zip(&self.levels).enumerate().filter(|(_, (old, new))| old != new) {
                watcher.level(now, net, self.levels[net]);
            }
        }
    }

    /// The number on some nets, lowest first.
    pub fn read(&self, nets: &[Net]) -> u16 {
        nets.iter().enumerate().fold(0, |number, (bit, &net)| number | u16::from(self.levels[net]) << bit)
    }

    /// A net driven from outside takes a level.
    pub fn force(&mut self, circuit: &Circuit, now: u64, net: Net, level: bool) {
        if self.levels[net] != level {
            self.change(circuit, now, net, Cause::OUTSIDE, false);
        }
    }

    /// Lets everything happen that happens until this time.
    pub fn run_until(&mut self, circuit: &Circuit, end: u64) {
        while let Some(&Reverse(entry)) = self.queue.peek() {
            let (at, number, place) = ((entry >> 64) as u64, (entry >> 32) as u32, entry as u32 as usize);
            if at > end {
                return;
            }
            self.queue.pop();
            if let Some(write) = place.checked_sub(self.levels.len()) {
                self.take(write, number);
            } else if let Some(&coming) = self.coming[place].front()
                && coming.number == number
            {
                self.coming[place].pop_front();
                self.change(circuit, at, place, coming.cause, coming.is_transient);
            }
        }
    }

    /// What a net is about to do next: when, and because of what.
    pub fn coming(&self, net: Net) -> Option<(u64, Cause)> {
        self.coming[net].front().map(|coming| (coming.at, coming.cause))
    }

    /// A net changes, and the chips that read it look up.
    fn change(&mut self, circuit: &Circuit, now: u64, net: Net, cause: Cause, is_transient: bool) {
        let level = !self.levels[net];
        self.levels[net] = level;
        if let Some(chip) = circuit.driver[net] {
            self.gives[chip] ^= 1 << (net - circuit.chips[chip].first);
        }
        let cause = self.log.add(now, net, level, cause, is_transient);
        if let Some(watcher) = &mut self.watcher {
            watcher.level(now, net, level);
        }
        if let Some(outlet) = self.opens[net] {
            self.strobe(circuit, now, usize::from(outlet), level);
        }
        for &(chip, line) in &circuit.listeners[net] {
            let chip = usize::from(chip);
            self.sockets[chip].address ^= line;
            self.look_up(circuit, now, chip, cause);
        }
    }

    /// An outlet opens or closes. The world is told when it closes, if its latch has had the time to follow.
    fn strobe(&mut self, circuit: &Circuit, now: u64, outlet: usize, level: bool) {
        let (opened, needed) = &mut self.strobes[outlet];
        if level {
            *opened = now;
        } else if now - *opened >= *needed {
            let byte = self.read(&circuit.panel.outlets[outlet].0) as u8;
            self.shown.push((outlet, byte));
        }
    }

    /// A chip whose address has changed.
    #[inline]
    fn look_up(&mut self, circuit: &Circuit, now: u64, chip: usize, cause: Cause) {
        let Socket { address, heading, transient } = self.sockets[chip];
        let here = &circuit.chips[chip];
        let data = match here.kind {
            Kind::Rom { offset } => circuit.cells[offset + address as usize],
            Kind::Ram { address: lines, number } => {
                self.look_up_ram(now, (lines, number), here.lines, address, here.timing.inertia, cause)
            }
        };
        let mut moving = data ^ heading;
        self.sockets[chip].heading = data;
        while moving != 0 {
            let bit = moving.trailing_zeros();
            moving &= moving - 1;
            self.move_line(now, here.first + bit as usize, data >> bit & 1 == 1, cause);
        }
        if transient != 0 && self.chance.draw() < transient {
            self.transient(circuit, now, chip, cause);
        }
    }

    /// A RAM follows its input while it is written, and takes it if it stands for long enough.
    fn look_up_ram(
        &mut self,
        now: u64,
        (lines, ram): (u32, usize),
        width: usize,
        address: u32,
        inertia: u32,
        cause: Cause,
    ) -> u8 {
        let cell = (address & ((1 << lines) - 1)) as usize;
        let data = (address >> lines & ((1 << width) - 1)) as u8;
        self.writes[ram].is_coming = false;
        if address >> (lines as usize + width) & 1 == 0 {
            return self.ram[ram][cell];
        }
        let number = self.number();
        self.writes[ram] = Write { number, is_coming: true, cell, data, cause };
        let place = (self.levels.len() + ram) as u32;
        self.queue.push(entry(now + u64::from(inertia) * NANOSECOND, number, place));
        data
    }

    fn take(&mut self, ram: usize, number: u32) {
        let write = self.writes[ram];
        if write.is_coming && write.number == number {
            self.ram[ram][write.cell] = write.data;
            self.written.push((ram, write.cell, write.cause));
            self.writes[ram].is_coming = false;
        }
    }

    /// A line sets out for a level; together with the change before it this may be a pulse too short to be seen.
    fn move_line(&mut self, now: u64, net: Net, level: bool, cause: Cause) {
        let line = self.lines[net];
        let at = now + if level { line.rise } else { line.fall };
        match self.coming[net].back() {
            Some(last) if at < last.at + line.inertia => {
                self.coming[net].pop_back();
            }
            _ => self.put(net, at, cause, false),
        }
    }

    /// One line of the chip shows a wrong level for a moment, if it stands still otherwise.
    #[cold]
    fn transient(&mut self, circuit: &Circuit, now: u64, chip: usize, cause: Cause) {
        let here = &circuit.chips[chip];
        let net = here.first + self.chance.between(0, here.lines as u64 - 1) as usize;
        let length = self.chance.fading(u64::from(here.timing.transients.half_longer) * NANOSECOND);
        let line = self.lines[net];
        let begin = now + self.chance.between(line.rise / 2, line.rise);
        if length >= line.inertia && self.coming[net].is_empty() {
            self.put(net, begin, cause, true);
            self.put(net, begin + length, cause, true);
        }
    }

    fn put(&mut self, net: Net, at: u64, cause: Cause, is_transient: bool) {
        let number = self.number();
        self.coming[net].push_back(Coming { at, number, cause, is_transient });
        self.queue.push(entry(at, number, net as u32));
    }

    fn number(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next
    }
}

/// What the queue is ordered by, in one number: the time, then the order in which events were put down.
fn entry(at: u64, number: u32, place: u32) -> Reverse<u128> {
    Reverse(u128::from(at) << 64 | u128::from(number) << 32 | u128::from(place))
}
