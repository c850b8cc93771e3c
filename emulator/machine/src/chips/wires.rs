//! Nets, and how they are read: one by one, as the address of a chip, or as a number on a bus.

/// What a driver gives: a bit a data line.
pub(super) type Data = u16;
/// What every driver of the board gives. There is room for any number that fits a byte, so that looking a
/// driver up by such a number needs no check.
pub(super) type Levels = [Data; 256];
/// All lines at 0.
pub(super) const LOW: Levels = [0; 256];

/// One net: a bit of a driver's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub driver: usize,
    pub bit: u32,
}

/// A run of address lines that are neighbours at their driver too: rotated into place with one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wire {
    pub driver: u8,
    pub rotation: u8,
    pub mask: u32,
}

/// A group of nets that is read, or forced, as one number.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pins: Vec<Pin>,
    wires: Vec<Wire>,
}

impl Wire {
    /// The lines of this wire, in their places of the address, when its driver gives these data.
    #[inline(always)]
    pub fn turn(self, data: Data) -> u32 {
        u32::from(data).rotate_left(u32::from(self.rotation)) & self.mask
    }
}

impl Port {
    /// The port of these nets, lowest first.
    pub fn new(pins: Vec<Pin>) -> Port {
        let wires = wires(&pins);
        Port { pins, wires }
    }

    /// The number on the lines.
    #[inline(always)]
    pub fn read(&self, levels: &Levels) -> u16 {
        gather(&self.wires, levels) as u16
    }

    /// Forces the lines; the chips that drive them hold the value if it is theirs to hold.
    pub fn force(&self, levels: &mut Levels, value: u16) {
        for (position, pin) in self.pins.iter().enumerate() {
            let level = &mut levels[pin.driver];
            *level = *level & !(1 << pin.bit) | (value >> position & 1) << pin.bit;
        }
    }

    /// The highest lines alone.
    pub fn top(&self, lines: usize) -> Port {
        Port::new(self.pins[self.pins.len() - lines..].to_vec())
    }

    /// The drivers behind the lines, as a set.
    pub fn drivers(&self) -> u64 {
        self.pins.iter().fold(0, |set, pin| set | 1 << pin.driver)
    }

    /// The nets, lowest first.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }
}

/// The number that runs of lines carry together.
#[inline(always)]
pub(super) fn gather(wires: &[Wire], levels: &Levels) -> u32 {
    wires.iter().fold(0, |address, wire| address | wire.turn(levels[usize::from(wire.driver)]))
}

/// Joins neighbouring lines into wires.
pub(super) fn wires(lines: &[Pin]) -> Vec<Wire> {
    wires_at(&lines.iter().copied().zip(0..).collect::<Vec<_>>())
}

/// Joins lines, each at a given place of the address, into wires.
pub(super) fn wires_at(lines: &[(Pin, u32)]) -> Vec<Wire> {
    let mut wires: Vec<Wire> = Vec::new();
    for &(pin, place) in lines {
        let driver = pin.driver as u8;
        let rotation = ((place + 32 - pin.bit) % 32) as u8;
        match wires.iter_mut().find(|wire| wire.driver == driver && wire.rotation == rotation) {
            Some(wire) => wire.mask |= 1 << place,
            None => wires.push(Wire { driver, rotation, mask: 1 << place }),
        }
    }
    wires
}
