//! Reading levels as a number: as the address of a bank, or as the value of a bus.
//!
//! A *bank* is a group of inputs, or of chips that are looked up together; its data is one number. So an address is
//! gathered from a few such numbers, each rotated into place.

/// The data of a bank, one bit for each line.
pub type Data = u16;
/// The data of every bank. There are entries for all values of a byte, so that indexing by a byte needs no bounds
/// check.
pub type Levels = [Data; 256];
/// All lines at 0.
pub const LOW: Levels = [0; 256];

/// The position of a net: a bit in the data of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// The bank.
    pub bank: usize,
    /// The bit of its data.
    pub bit: u32,
}

/// Consecutive address lines that are also consecutive in the data of a bank: one rotation puts all of them in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wire {
    /// The bank that drives these lines.
    pub bank: u8,
    /// The number of bits by which its data is rotated left.
    pub rotation: u8,
    /// The positions of the lines in the address.
    pub mask: u32,
}

/// A group of nets that is read, or forced, as one number.
#[derive(Clone, Debug)]
pub struct Port {
    bits: Vec<Bit>,
    wires: Vec<Wire>,
}

impl Wire {
    /// The lines of this wire at their positions in the address, for this data of its bank.
    #[inline(always)]
    pub fn turn(self, data: Data) -> u32 {
        u32::from(data).rotate_left(u32::from(self.rotation)) & self.mask
    }
}

impl Port {
    /// The port of these nets, lowest first.
    pub fn new(bits: Vec<Bit>) -> Port {
        Port { wires: wires(&bits), bits }
    }

    /// The number on the lines.
    #[inline(always)]
    pub fn read(&self, levels: &Levels) -> u16 {
        gather(&self.wires, levels) as u16
    }

    /// Forces the lines; chips with storage loops then keep the value.
    pub fn force(&self, levels: &mut Levels, value: u16) {
        for (position, bit) in self.bits.iter().enumerate() {
            let level = &mut levels[bit.bank];
            *level = *level & !(1 << bit.bit) | (value >> position & 1) << bit.bit;
        }
    }

    /// The positions of the lines, lowest first.
    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }
}

/// The number on these wires together.
#[inline(always)]
pub fn gather(wires: &[Wire], levels: &Levels) -> u32 {
    wires.iter().fold(0, |address, wire| address | wire.turn(levels[usize::from(wire.bank)]))
}

/// Joins neighbouring lines into wires.
pub fn wires(lines: &[Bit]) -> Vec<Wire> {
    wires_at(&lines.iter().copied().zip(0..).collect::<Vec<_>>())
}

/// Joins lines, each with its position in the address, into wires.
pub fn wires_at(lines: &[(Bit, u32)]) -> Vec<Wire> {
    let mut wires: Vec<Wire> = Vec::new();
    for &(bit, position) in lines {
        let bank = bit.bank as u8;
        let rotation = ((position + 32 - bit.bit) % 32) as u8;
        match wires.iter_mut().find(|wire| wire.bank == bank && wire.rotation == rotation) {
            Some(wire) => wire.mask |= 1 << position,
            None => wires.push(Wire { bank, rotation, mask: 1 << position }),
        }
    }
    wires
}
