//! A component and its pins.

/// The rails.
pub const RAILS: [&str; 2] = ["VCC", "GND"];

/// A component.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name: the chip's name in the board file, or a letter and a number.
    pub reference: String,
    /// Its part.
    pub part: String,
    /// The number of the board it is on; `None` for a cable.
    pub board: Option<usize>,
    /// Its pins.
    pub pins: Vec<Pin>,
}

impl Item {
    /// The pin of this name.
    pub fn pin(&self, name: &str) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.name == name)
    }

    /// The net on the pin of this name.
    pub fn net(&self, pin: &str) -> Option<&str> {
        self.pin(pin)?.net.as_deref()
    }

    /// The net of each pin that has one.
    pub fn nets(&self) -> impl Iterator<Item = &str> {
        self.pins.iter().filter_map(|pin| pin.net.as_deref())
    }

    /// The net of each pin that has one, without the rails.
    pub fn signals(&self) -> impl Iterator<Item = &str> {
        self.nets().filter(|net| !RAILS.contains(net))
    }

    /// The pins of each resistor of a network: `1A` and `1B`, and so on.
    pub fn resistors(&self) -> impl Iterator<Item = [&Pin; 2]> {
        let sides = (1..).map(|pair| ["A", "B"].map(|side| self.pin(&format!("{pair}{side}"))));
        sides.map_while(|[one, other]| Some([one?, other?]))
    }
}

/// A pin of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its number on the package.
    pub number: usize,
    /// Its name; `NC` if it is not connected inside the package.
    pub name: String,
    /// The net on it, if there is one.
    pub net: Option<String>,
}
