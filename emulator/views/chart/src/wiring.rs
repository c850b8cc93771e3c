//! Blocks on a diagonal, with wires that leave a block sideways and then go up or down to another. Wires to the right lead
//! to later blocks; wires to the left are feedback.

use crate::page::{END, Heading, MARGIN, MIDDLE, NOTE, PLAIN, Page, START, Style, WIDTH, escaped, width};
use crate::palette::{AXIS, COLOURS, GRID, INK, PAPER};

/// The width of the column for values, to the left of the blocks.
const VALUES: f64 = 52.0;
/// The greatest distance from block to block.
const WIDEST: f64 = 64.0;
/// The size of names, of which six letters should fit into a block.
const NAME: f64 = 6.6;

/// Blocks and wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The blocks, from the top left.
    pub blocks: Vec<Block>,
    /// The wires between blocks.
    pub wires: Vec<Wire>,
    /// What the three looks mean, in the order of [`Look`]; empty names are left out.
    pub names: [String; 3],
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The text in it, in two lines.
    pub name: [String; 2],
    /// Its value, written at the side; may be empty.
    pub value: String,
    /// The text shown when the mouse points to it.
    pub note: String,
    /// Whether it reads its own outputs.
    pub is_loop: bool,
    /// How it is drawn.
    pub look: Look,
}

/// A wire from one block to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The index of the block that it comes from.
    pub from: usize,
    /// The index of the block that it leads to.
    pub to: usize,
    /// The text shown when the mouse points to it.
    pub note: String,
    /// How it is drawn.
    pub look: Look,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// It makes no difference at the moment.
    Dim,
    /// It has not changed.
    Plain,
    /// It has changed.
    Lit,
}

const LOOKS: [Look; 3] = [Look::Dim, Look::Plain, Look::Lit];

impl Look {
    fn colour(self) -> &'static str {
        match self {
            Look::Dim => GRID,
            Look::Plain => COLOURS[0],
            Look::Lit => COLOURS[1],
        }
    }

    fn width(self) -> f64 {
        if self == Look::Lit { 1.8 } else { 0.9 }
    }

    /// The radius of the dot where a wire bends.
    fn dot(self) -> f64 {
        if self == Look::Lit { 2.9 } else { 1.8 }
    }
}

impl Wiring {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        self.key(&mut page);
        let count = self.blocks.len().max(1) as f64;
        let left = MARGIN + VALUES;
        let step = ((WIDTH - MARGIN - left) / count).min(WIDEST);
        let top = page.y + 6.0;
        let centre = |index: usize| {
            let along = (index as f64 + 0.5) * step;
            (left + along, top + along)
        };
        let wires = self.wires.iter().filter(|wire| wire.from.max(wire.to) < self.blocks.len());
        // What has changed is drawn last, so that nothing covers it.
        for look in LOOKS {
            for wire in wires.clone().filter(|wire| wire.look == look) {
                let (from, to) = (centre(wire.from), centre(wire.to));
                let corner = (to.0, from.1);
                let (colour, width, note) = (look.colour(), look.width(), escaped(&wire.note));
                page.element(&format!(
                    r#"<path class="wire" d="M{:.1} {:.1} L{:.1} {:.1} L{:.1} {:.1}" fill="none" stroke="{colour}" stroke-width="{width}"><title>{note}</title></path>"#,
                    from.0, from.1, corner.0, corner.1, to.0, to.1
                ));
                page.circle(corner, look.dot(), &format!(r#"fill="{colour}""#));
            }
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.block(&mut page, block, centre(index), step);
            page.text(left - 8.0, centre(index).1 + 4.0, END, NOTE, &block.value);
        }
        page.y = top + count * step + 4.0;
        page.svg()
    }

    fn block(&self, page: &mut Page, block: &Block, (x, y): (f64, f64), step: f64) {
        let (wide, high) = (step - 1.5, step - 4.0);
        let (stroke, note) = (block.look.colour(), escaped(&block.note));
        let stroke = if block.look == Look::Dim { AXIS } else { stroke };
        let line = if block.is_loop { 1.8 } else { 0.8 };
        page.element(&format!(
            r#"<rect class="block" x="{:.1}" y="{:.1}" width="{wide:.1}" height="{high:.1}" rx="2" fill="{PAPER}" stroke="{stroke}" stroke-width="{line}"><title>{note}</title></rect>"#,
            x - wide / 2.0,
            y - high / 2.0
        ));
        let style = |name: &str| {
            let size = (NAME * step / 25.0).min(NAME * (wide - 2.0) / width(name, NAME).max(1.0)).min(11.0);
            Style { size: (size * 10.0).floor() / 10.0, colour: INK, bold: false }
        };
        match &block.name {
            [name, rest] if rest.is_empty() => page.text(x, y + 2.5, MIDDLE, style(name), name),
            [name, rest] => {
                page.text(x, y - 1.0, MIDDLE, style(name), name);
                page.text(x, y + 6.5, MIDDLE, style(rest), rest);
            }
        }
    }

    /// What the looks mean, as far as they are used.
    fn key(&self, page: &mut Page) {
        let mut x = MARGIN;
        page.y += 14.0;
        for (look, name) in LOOKS.into_iter().zip(&self.names).filter(|(_, name)| !name.is_empty()) {
            let stroke = format!(r#"stroke-width="{}""#, look.width() + 0.6);
            page.line((x, page.y - 4.0), (x + 22.0, page.y - 4.0), look.colour(), &stroke);
            page.text(x + 28.0, page.y, START, PLAIN, name);
            x += 28.0 + width(name, PLAIN.size) + 22.0;
        }
        page.y += 6.0;
    }
}
