//! The state that a board keeps from one cycle to the next, and its places while the evaluated board runs.
//!
//! ```text
//!   nets in storage loops ──┬── those that the counter determines: the key of a cycle
//!   and inputs              └── all others: one byte for each chip or line
//!   cells of RAM ─────────────── one byte each
//!   all other nets ───────────── follow from these by one lookup of each chip, in this order
//! ```
//!
//! Nothing here depends on the purpose of a chip. Which nets the counter determines is observed; what follows from that
//! is proved for each cycle that is translated, so a wrong observation can only make the engine slower.

use crate::board::netlist::{ChipId, NetId, Netlist};
use crate::engine::{Engine, PHASES, Unsettled};
use crate::evaluated::{BYTES, Bytes, CONSTANTS};
use crate::pack::Pack;
use crate::plain::PlainEngine;
use crate::random::Random;
use crate::settle::look_up;
use crate::state::{Inputs, Noise, State};
use crate::wires::{Data, Levels};
use gray1_isa::{Image, PROGRAM_WORDS, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// No byte is kept here, or at the eight places before.
pub(super) const SPARE: u16 = BYTES as u16 - 1;
/// The first register or input.
const REGISTERS: u16 = CONSTANTS + 256;
/// The maximum number of nets of a key.
const MAX_KEY_BITS: usize = 64;

/// The source of a net's level at the beginning of a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A bit of the key.
    Key(u32),
    /// A bit of a byte.
    Place(u16, u8),
    /// It follows from the others.
    Derived,
}

/// A RAM: chips that are looked up together.
#[derive(Clone)]
pub(super) struct Ram {
    /// Its bank.
    pub bank: usize,
    /// The place of its first cell.
    pub first: u16,
    /// The number of its cells.
    pub cells: usize,
}

/// The state that a board keeps, and its places.
#[derive(Clone)]
pub(super) struct Layout {
    /// For each net.
    pub sources: Vec<Source>,
    pub key: Vec<NetId>,
    /// The nets of each register and group of inputs, lowest first. The first is at the place after the constants.
    pub registers: Vec<Vec<NetId>>,
    /// Chips with nets that follow from the others, in an order in which that is possible.
    pub order: Vec<ChipId>,
    pub rams: Vec<Ram>,
    /// All chips, in the order in which a change propagates.
    pub travel: Vec<ChipId>,
    /// For each net, the chips that read it, as a set of their positions in that order.
    pub readers: Vec<u64>,
    /// For each bank, its data lines that are derived.
    derived: Vec<Data>,
    /// The banks of `order`, without repetition.
    banks: Vec<usize>,
}

impl Layout {
    /// The layout of the board of this engine, which has to be between two cycles. `None` if it has too much to keep.
    pub fn of(engine: &PlainEngine) -> Option<Layout> {
        let PlainEngine { netlist, pack, .. } = engine;
        let (kept, order) = kept(netlist);
        let determined = determined(engine, &kept).ok()?;
        let key: Vec<NetId> = (0..netlist.nets.len()).filter(|&net| determined[net]).collect();
        let mut registers: Vec<Vec<NetId>> = Vec::new();
        let is_free = |net: &NetId| kept[*net] && !determined[*net];
        for group in &netlist.inputs {
            let nets: Vec<NetId> = group.clone().filter(is_free).collect();
            registers.extend(nets.chunks(8).map(<[NetId]>::to_vec));
        }
        for chip in &netlist.chips {
            // A chip that keeps all its lines is one register; a chip that also computes may keep independent bits.
            match chip.data.iter().all(is_free) {
                true => registers.push(chip.data.clone()),
                false => registers.extend(chip.data.iter().copied().filter(is_free).map(|net| vec![net])),
            }
        }
        let mut sources = vec![Source::Derived; netlist.nets.len()];
        for (bit, &net) in (0..).zip(&key) {
            sources[net] = Source::Key(bit);
        }
        for (place, nets) in (REGISTERS..).zip(&registers) {
            for (bit, &net) in (0..).zip(nets) {
                sources[net] = Source::Place(place, bit);
            }
        }
        let rams = rams(netlist, pack)?;
        let is_small = netlist.chips.len() <= 64
            && key.len() <= MAX_KEY_BITS
            && usize::from(REGISTERS) + registers.len() < BYTES / 4 * 3;
        let mut derived = vec![0; pack.banks.len()];
        for (net, bit) in pack.nets.iter().enumerate() {
            derived[bit.bank] |= Data::from(sources[net] == Source::Derived) << bit.bit;
        }
        let mut banks: Vec<usize> = Vec::new();
        for bank in order.iter().map(|&chip| pack.chips[chip].bank) {
            if !banks.contains(&bank) {
                banks.push(bank);
            }
        }
        let travel = netlist.travel_order();
        let position = |chip: ChipId| travel.iter().position(|&other| other == chip).unwrap_or_default();
        let readers = netlist.nets.iter().map(|net| {
            net.readers.iter().fold(0, |set, pin| set | 1u64.wrapping_shl(position(pin.chip) as u32))
        });
        let readers = readers.collect();
        is_small.then_some(Layout { sources, key, registers, order, rams, travel, readers, derived, banks })
    }

    /// The first place that is free.
    pub fn end(&self) -> u16 {
        REGISTERS + self.registers.len() as u16
    }

    /// The registers with their places.
    pub fn placed(&self) -> impl Iterator<Item = (u16, &Vec<NetId>)> {
        (REGISTERS..).zip(&self.registers)
    }

    /// The index among the registers of the register at a place; `None` for RAM and constants.
    pub fn register(place: u16) -> Option<usize> {
        place.checked_sub(REGISTERS).map(usize::from)
    }

    /// The number of bits of the byte at a place.
    pub fn width(&self, place: u16) -> usize {
        Layout::register(place).map_or(8, |register| self.registers[register].len())
    }

    /// Reads the key of the cycle that begins.
    pub fn key_of(&self, pack: &Pack, levels: &Levels) -> u64 {
        (0..).zip(&self.key).fold(0, |key, (bit, &net)| key | u64::from(pack.level(levels, net)) << bit)
    }

    /// Reads everything that the board keeps besides the key.
    pub fn load(&self, pack: &Pack, levels: &Levels, cells: &[Data], bytes: &mut Bytes) {
        for Ram { bank, first, cells: count } in &self.rams {
            let offset = pack.banks[*bank].offset;
            let to = &mut bytes[usize::from(*first)..][..*count];
            to.iter_mut().zip(&cells[offset..]).for_each(|(byte, &cell)| *byte = cell as u8);
        }
        for (place, nets) in self.placed() {
            let bits = (0..).zip(nets);
            bytes[usize::from(place)] =
                bits.fold(0, |byte, (bit, &net)| byte | u8::from(pack.level(levels, net)) << bit);
        }
    }

    /// Restores the board at the beginning of these cycles: the kept state, and all levels that follow from it.
    pub fn store(&self, pack: &Pack, levels: &mut Levels, cells: &mut [Data], key: u64, bytes: &Bytes) {
        for Ram { bank, first, cells: count } in &self.rams {
            let offset = pack.banks[*bank].offset;
            let from = &bytes[usize::from(*first)..][..*count];
            cells[offset..].iter_mut().zip(from).for_each(|(cell, &byte)| *cell = byte.into());
        }
        let mut put = |net: NetId, level: bool| {
            let bit = pack.nets[net];
            levels[bit.bank] = levels[bit.bank] & !(1 << bit.bit) | Data::from(level) << bit.bit;
        };
        (0..).zip(&self.key).for_each(|(bit, &net)| put(net, key >> bit & 1 == 1));
        for (place, nets) in self.placed() {
            (0..).zip(nets).for_each(|(bit, &net)| put(net, bytes[usize::from(place)] >> bit & 1 == 1));
        }
        for &bank in &self.banks {
            let data = look_up(&pack.banks[bank], levels, cells);
            levels[bank] = levels[bank] & !self.derived[bank] | data & self.derived[bank];
        }
    }
}

/// Whether the output of every chip is the cell at its address, and no RAM is being written.
pub(super) fn is_at_rest(pack: &Pack, levels: &Levels, cells: &mut [Data]) -> bool {
    pack.banks.iter().enumerate().skip(pack.inputs).all(|(number, bank)| {
        let is_written = bank.ram_address.is_some() && bank.address(levels) >> (bank.reads.len() - 1) == 1;
        !is_written && look_up(bank, levels, cells) == levels[number]
    })
}

/// The nets that a board keeps: inputs, nets that a chip both drives and reads, and as many others as are in the way of
/// an order. Also returns that order of the chips that drive the other nets.
fn kept(netlist: &Netlist) -> (Vec<bool>, Vec<ChipId>) {
    let mut kept: Vec<bool> = netlist.nets.iter().map(|net| net.driver.is_none()).collect();
    for chip in &netlist.chips {
        chip.own.iter().for_each(|&(_, bit)| kept[chip.data[bit]] = true);
    }
    let (mut is_known, mut order) = (kept.clone(), Vec::new());
    let mut left: Vec<ChipId> =
        (0..netlist.chips.len()).filter(|&id| netlist.chips[id].data.iter().any(|&net| !kept[net])).collect();
    while !left.is_empty() {
        let ready = left.iter().position(|&id| netlist.chips[id].reads.iter().all(|&net| is_known[net]));
        let id = left.remove(ready.unwrap_or(0));
        for &net in &netlist.chips[id].data {
            // If no chip is ready, there is a loop through several chips.
            kept[net] |= ready.is_none();
            is_known[net] = true;
        }
        if ready.is_some() {
            order.push(id);
        }
    }
    (kept, order)
}

/// The RAMs, with their places; `None` if they have more cells or wider ones than there is room for.
fn rams(netlist: &Netlist, pack: &Pack) -> Option<Vec<Ram>> {
    let (mut rams, mut first) = (Vec::new(), 0);
    for (number, bank) in pack.banks.iter().enumerate() {
        let Some(lines) = bank.ram_address else { continue };
        let width: usize = bank.chips.iter().map(|&chip| netlist.chips[chip].data.len()).sum();
        let cells = 1 << lines;
        if width > 8 || usize::from(first) + cells > usize::from(CONSTANTS) {
            return None;
        }
        rams.push(Ram { bank: number, first, cells });
        first += cells as u16;
    }
    Some(rams)
}

/// Observes which of the kept nets are always the same at the same count of the counter, in a program of
/// random words with random data.
fn determined(engine: &PlainEngine, kept: &[bool]) -> Result<Vec<bool>, Unsettled> {
    /// The first words of the program are run from each of these starts.
    const STARTS: u64 = 64;
    const WORDS: u64 = 20;
    const CYCLES: usize = 4;
    let mut engine = engine.clone();
    let mut random = Random::from_state(1);
    let words = (0..PROGRAM_WORDS).map(|_| Word(random.draw() as u16));
    engine.change_program(&Image::from_words(words));
    let pack = Arc::clone(&engine.pack);
    let mut determined = kept.to_vec();
    let mut seen: HashMap<u16, Levels> = HashMap::new();
    for _ in 0..STARTS {
        let drawn = random.draw();
        engine.set_state(&State {
            pc: (drawn % WORDS) as u16,
            a: (drawn >> 8) as u8,
            c: drawn >> 16 & 1 == 1,
            target: (drawn >> 20 & 0xFFF) as u16,
            jumped: drawn >> 17 & 1 == 1,
            ..State::after_reset(Noise::Random(drawn))
        })?;
        engine.press(Inputs {
            pad: (drawn >> 40 & 1 == 1).then_some(((drawn >> 41 & 7) as u8, (drawn >> 44 & 7) as u8)),
            keys: (drawn >> 48 & 0x7F) as u8,
        })?;
        for _ in 0..CYCLES {
            let levels = &engine.levels;
            let first = seen.entry(pack.panel.counter.read(levels)).or_insert(*levels);
            for (net, is_determined) in determined.iter_mut().enumerate() {
                *is_determined &= pack.level(first, net) == pack.level(levels, net);
            }
            for _ in 0..PHASES {
                engine.phase(&mut ())?;
            }
        }
    }
    Ok(determined)
}
